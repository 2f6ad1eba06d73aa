"""Options that mean the same in every command."""

import os
from pathlib import Path
from typing import Annotated

import typer

from agents import load_code
from ettana_env import Rules
from ettana_env.errors import EttanaError
from ettana_env.opponents import names, opponent
from ettana_env.rules import configs_folder

MOST_GAMES = 10_000_000
MOST_SEED = 2**63 - 1
MOST_WORKERS = 1024


def agent_names(incomplete: str) -> list[str]:
    """The agents whose names begin so, for the shell to complete."""
    return [name for name in names() if name.startswith(incomplete)]


def rules_names(incomplete: str) -> list[str]:
    """The rules that come along whose names begin so, for the shell to complete."""
    names = sorted(file.stem for file in (configs_folder() / "rules").glob("*.yaml"))
    return [name for name in names if name.startswith(incomplete)]


RulesFile = Annotated[
    str,
    typer.Option(
        "--rules",
        help="A rules file, or the name of one that comes along, such as base or rim-squares.",
        autocompletion=rules_names,
    ),
]
Policy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        help="Whose network tells how likely a seat is to win: a policy's file, or an agent; odds for fitted odds.",
    ),
]
Players = Annotated[int, typer.Option("--players", min=2, max=4, help="How many play.")]
Games = Annotated[
    int, typer.Option("--games", min=1, max=MOST_GAMES, help="How many games, rounded up to whole blocks.")
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, max=MOST_SEED, help="The first deal; the same seed gives the same result.")
]
Workers = Annotated[
    int, typer.Option("--workers", min=0, max=MOST_WORKERS, help="Threads to work in; 0 for one a core.")
]
Counts = Annotated[str, typer.Option("--players", help="How many play: one number or several, such as 2,3,4.")]
Specs = Annotated[
    str, typer.Option("--agents", help="Who plays; several, divided by semicolons or commas, are several levels.")
]
ManyGames = Annotated[
    int, typer.Option("--games", min=2, max=MOST_GAMES, help="Games for each number of players and agent.")
]
Report = Annotated[Path, typer.Option("--out", help="A folder for the report; a new or an empty one.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Out = Annotated[Path | None, typer.Option("--out", help="A folder to write everything to.")]
Code = Annotated[
    list[Path] | None,
    typer.Option("--code", help="A Python file that registers agents; it runs with all rights: use what you trust."),
]


def rules_from(name: str) -> Rules:
    """The rules of a file, or of one of those that come along."""
    path = Path(name)
    if path.suffix or path.exists():
        return Rules.load(path)
    folder = configs_folder() / "rules"
    known = sorted(file.stem for file in folder.glob("*.yaml"))
    if name not in known:
        raise EttanaError(f"--rules: there is no file {name}; by name there are {', '.join(known)}")
    return Rules.load(folder / f"{name}.yaml")


def counts_from(players: str) -> list[int]:
    """Numbers of players such as `2,3,4`."""
    parts = [part.strip() for part in players.split(",")]
    if not all(part in ("2", "3", "4") for part in parts):
        raise EttanaError(f"--players must be 2, 3 or 4, or several such as 2,3,4, not {players}")
    return [int(part) for part in dict.fromkeys(parts)]


def threads(workers: int) -> int:
    """How many threads an answer to --workers means."""
    return (
        workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else workers or os.cpu_count() or 1
    )


def specs_from(agents: str) -> list[str]:
    """Agents divided by commas; by semicolons if they have options with commas in them. All of them must be there."""
    parts = agents.split(";") if ";" in agents else agents.split(",")
    if any("=" in part and ":" not in part for part in parts):
        raise EttanaError(f"--agents: divide agents with options by semicolons, not {agents}")
    specs = [part.strip() for part in parts]
    if not all(specs):
        raise EttanaError(f"--agents must name agents, such as planner or greedy,planner, not {agents!r}")
    for spec in specs:
        opponent(spec)
    return specs


def load_all(code: list[Path] | None) -> None:
    """Run the files that --code names."""
    for path in code or ():
        load_code(path)


def new_folder(out: Path | None) -> Path | None:
    """The folder of --out, made; one that holds something already is refused, so that nothing is lost."""
    if out is None:
        return None
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise EttanaError(f"--out: {out} exists already and is not an empty folder")
    out.mkdir(parents=True, exist_ok=True)
    return out
