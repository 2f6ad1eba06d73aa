"""How strong an agent is against the others, for 2, 3 and 4 players: `python -m benchmarks.strength ppo`.

One of it against a table of each other agent, every deal from every seat; a Markdown table with 95% intervals and the
time a move took. `--games` is for the fast opponents, `--slow-games` for those that search.
"""

import os
from typing import Annotated

import typer

from agents import play_games

FAST, SLOW = ("random", "greedy", "planner"), ("mcts:sims=200",)


def main(
    agent: Annotated[str, typer.Argument(help="Whom to measure, by its spec.")] = "ppo",
    games: Annotated[int, typer.Option(help="Games against each fast agent.")] = 4000,
    slow_games: Annotated[int, typer.Option(help="Games against each agent that searches; 0 for none.")] = 400,
    players: Annotated[list[int] | None, typer.Option(help="Numbers of players; 2, 3 and 4 if not given.")] = None,
    against: Annotated[list[str] | None, typer.Option(help="Other opponents than the usual ones.")] = None,
    seed: Annotated[int, typer.Option(help="The first deal.")] = 5_000_000,
) -> None:
    """Measure and print."""
    workers = os.cpu_count() or 1
    print(f"| players | one {agent} against | wins, 95% | par | ms a move |\n|--:|---|---|--:|--:|")
    for number in players or (2, 3, 4):
        for other in against or (*FAST, *SLOW):
            count = slow_games if other in SLOW else games
            if count:
                results = play_games([agent, other], players=number, games=count, seed=seed, workers=workers)
                pace = 1000 * results.seconds[agent] / max(results.decisions[agent], 1)
                row = f"| {number} | {number - 1} × {other} | {results.share(agent)} | {1 / number:.0%} | {pace:.2f} |"
                print(row, flush=True)


if __name__ == "__main__":
    typer.run(main)
