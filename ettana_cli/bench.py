"""`ettana bench`: how fast it is here, shortly; or one of the project's benchmarks by name."""

import importlib.util
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from agents import play_games
from ettana_cli.options import AsJson, Seed, Workers, threads
from ettana_cli.screen import console, note, notes, print_json
from ettana_env import BatchEnv
from ettana_env.errors import EttanaError

AGENTS = {"random": 256, "greedy": 512, "planner": 256, "mcts:sims=20": 4}
"""The agents measured, and how many games each plays among its like."""
BATCH = 256
STEPS = 400


def bench_names(incomplete: str) -> list[str]:
    """The benchmarks that can be named, for the shell to complete."""
    return [name for name in _benchmarks() if name.startswith(incomplete)]


def bench(
    name: Annotated[
        str | None,
        typer.Argument(help="A benchmark of the checkout, such as engine.", autocompletion=bench_names),
    ] = None,
    seed: Seed = 1,
    workers: Workers = 1,
    as_json: AsJson = False,
) -> None:
    """Measure how fast games are played on this machine.

    [bold]ettana bench[/]   a few seconds: the batch environment and the agents

    [bold]ettana bench engine[/]   in a checkout: the benchmark benchmarks/engine.py, with its alternatives

    [bold]ettana bench --workers 0 --json[/]   on all cores, as JSON
    """
    if name is not None:
        if as_json or seed != 1 or workers != 1:
            raise EttanaError(f"the benchmark {name} takes no options: leave out --json, --seed and --workers")
        _run(name)
        return
    number = threads(workers)
    with notes.status("measuring (what must be compiled is compiled first)"):
        found = measure(seed, number)
    if as_json:
        print_json(found)
        return
    console.print(f"{found['machine']}, Python {found['python']}, {number} thread{'s' * (number > 1)}, four players\n")
    console.print(f"random steps of a batch of {BATCH} games   {found['steps_per_second']:>12,.0f} a second\n")
    table = Table("four of", "games", "games a second", "ms a move", box=None, pad_edge=False)
    for agent, row in found["agents"].items():
        table.add_row(agent, str(row["games"]), f"{row['games_per_second']:,.1f}", f"{row['ms_a_move']:.4f}")
    console.print(table)
    if names := _benchmarks():
        note(f"\nmore, with alternatives beside: ettana bench {' | '.join(names)}")


def measure(seed: int, workers: int) -> dict[str, Any]:
    """Steps a second of the batch environment, and games a second of the agents."""
    env = BatchEnv(BATCH, players=4, threads=workers)
    env.reset(seed)
    env.step(env.random_actions())
    start = time.perf_counter()
    for _ in range(STEPS):
        env.step(env.random_actions())
    steps = BATCH * STEPS / (time.perf_counter() - start)
    agents = {}
    for spec, games in AGENTS.items():
        play_games([spec] * 4, games=4, seed=seed, workers=workers)
        start = time.perf_counter()
        results = play_games([spec] * 4, games=games, seed=seed, workers=workers)
        seconds = time.perf_counter() - start
        agents[spec] = {
            "games": len(results.rows),
            "games_per_second": len(results.rows) / seconds,
            "ms_a_move": results.milliseconds(spec),
        }
    return {
        "machine": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "workers": workers,
        "seed": seed,
        "steps_per_second": steps,
        "agents": agents,
    }


def _folder() -> Path | None:
    """Where the benchmarks are, if this is a checkout."""
    found = importlib.util.find_spec("benchmarks")
    places = list(found.submodule_search_locations or ()) if found is not None else []
    return Path(places[0]) if places and (Path(places[0]) / "engine.py").is_file() else None


def _benchmarks() -> list[str]:
    folder = _folder()
    if folder is None:
        return []
    return sorted(file.stem for file in folder.glob("*.py") if file.stem not in ("__init__", "peers"))


def _run(name: str) -> None:
    names = _benchmarks()
    if name not in names:
        there = f"there are {', '.join(names)}" if names else "this is no checkout; ettana bench alone measures shortly"
        raise EttanaError(f"there is no benchmark {name!r}: {there}")
    folder = _folder()
    assert folder is not None
    ended = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=folder.parent, check=False)
    if ended.returncode:
        raise typer.Exit(1)
