"""How fast the balance lab is, beside the plain arena on the same games: `python -m benchmarks.balance`.

For four greedy and for four planner players: games a second of the arena alone (who won, and no more), of simulating
with everything written down, of that with every figure measured and the report written, and of the whole default study
with its other levels of skill, ladder and styles.
"""

import argparse
import platform
import tempfile
import time
from collections.abc import Callable
from functools import partial

from agents import play_games
from balance import simulate, study, write_report
from ettana_cli.options import threads

AGENTS = ("greedy", "planner")


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def lab(agent: str, games: int, workers: int, everything: bool) -> None:
    """Simulate, measure, report."""
    found = study(None, [4], [agent], games, workers=workers, levels=everything, styles=everything)
    with tempfile.TemporaryDirectory() as folder:
        write_report(found, folder)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="games of four")
    games, workers = parser.parse_args().games, threads(0)
    lab("greedy", 4, workers, True)  # compiled and loaded
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, {workers} threads\n")
    print(f"{games:,} games of four.\n\n| | games/s | seconds | of the arena |\n|---|--:|--:|--:|")
    for agent in AGENTS:
        lines: dict[str, Callable[[], object]] = {
            "the arena": partial(play_games, [agent] * 4, games=games, workers=workers),
            "simulate": partial(simulate, [agent], players=4, games=games, workers=workers),
            "measure and report": partial(lab, agent, games, workers, False),
            "with levels and styles": partial(lab, agent, games, workers, True),
        }
        arena = 0.0
        for name, work in lines.items():
            took = seconds(work)
            arena = arena or took
            print(f"| {agent}, {name} | {games / took:,.0f} | {took:,.1f} | {arena / took:.2f} |", flush=True)


if __name__ == "__main__":
    main()
