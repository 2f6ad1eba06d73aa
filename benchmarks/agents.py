"""How fast the agents play, on one core, with Catanatron's beside them: `python -m benchmarks.agents`.

Whole games of four, each agent among its like. Catanatron runs in the environment of the peers (`make bench` sets it
up); games of another kind are not the same amount of play, so what thinking costs beside random play is also printed.
Its value-function player is not in its package; of those that are, the one that looks an action ahead stands beside
greedy.
"""

import json
import platform
import subprocess
import time

from agents import play_games
from benchmarks.environments import PEERS

LINES = {"random": 256, "greedy": 1024, "planner": 512, "planner:style=thief": 512, "mcts:sims=50": 8}


def games_per_second(agent: str, games: int) -> float:
    """The best of three goes at so many games among four of one kind."""
    play_games([agent] * 4, games=4)
    best = 0.0
    for go in range(3):
        start = time.perf_counter()
        results = play_games([agent] * 4, games=games, seed=1 + games * go)
        best = max(best, len(results.rows) / (time.perf_counter() - start))
    return best


def main() -> None:
    """Measure and print."""
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, one core\n")
    ours = {agent: games_per_second(agent, games) for agent, games in LINES.items()}
    print("| four of | games/s | of random |\n|---|--:|--:|")
    for agent, rate in ours.items():
        print(f"| {agent} | {rate:,.1f} | {rate / ours['random']:.3f} |")
    python = PEERS / "bin" / "python"
    if not python.exists():
        print(f"\nCatanatron left out: there is no {python}")
        return
    found = subprocess.run([python, "benchmarks/peers.py", "catanatron"], capture_output=True, text=True, check=True)
    theirs = json.loads(found.stdout.splitlines()[-1])
    print("\n| four of Catanatron's | games/s | of its random | ours by theirs |\n|---|--:|--:|--:|")
    for name, rate in theirs.items():
        beside = ours["random"] if name == "random" else ours["greedy"]
        print(f"| {name} | {rate:,.2f} | {rate / theirs['random']:.3f} | {beside / rate:,.0f} |")


if __name__ == "__main__":
    main()
