"""`ettana tournament`: everyone against everyone, with ratings."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from agents.results import Share
from agents.tournament import Tournament, play_tournament
from ettana_cli.files import write_json
from ettana_cli.options import (
    AsJson,
    Code,
    Games,
    Out,
    Players,
    RulesFile,
    Seed,
    Workers,
    load_all,
    new_folder,
    rules_from,
    threads,
)
from ettana_cli.screen import console, interval, note, print_json, progress_of, show_trouble


def tournament(
    agents: Annotated[list[str], typer.Argument(help="Who takes part: two specs or more.")],
    players: Players = 4,
    games: Games = 400,
    rules: RulesFile = "base",
    seed: Seed = 1,
    workers: Workers = 0,
    code: Code = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Let every agent meet a table of every other, and all mixes of different agents; rate them all.

    [bold]ettana tournament random greedy planner mcts:sims=200 --games 400[/]
    """
    load_all(code)
    given = rules_from(rules)
    folder = new_folder(out)
    with progress_of("games") as progress:
        played = play_tournament(agents, given, players, games, seed, threads(workers), progress)
    summary = played.summary() | {"seed": seed, "rules": given.name}
    if folder is not None:
        write_json(folder / "tournament.json", summary)
        draw(played, folder / "ratings.png")
        note(f"written to {folder}")
    if as_json:
        print_json(summary)
    else:
        show(played)
    if not played.complete:
        raise typer.Exit(1)


def show(played: Tournament) -> None:
    """The ratings, then who won how much against whom."""
    ratings = Table("rating", "95%", "agent", box=None, pad_edge=False)
    for one in played.ratings:
        low = "−∞" if one.low is None else f"{one.low:+.0f}"
        high = "∞" if one.high is None else f"{one.high:+.0f}"
        ratings.add_row(f"{one.rating:+.0f}", f"\\[{low}, {high}]", one.name)
    console.print(ratings)
    console.print(f"\nwins of one against {played.players - 1} of another (par {1 / played.players:.0%})")
    grid = Table(
        "", *(name.replace(":", ":\n").replace(",", ",\n") for name in played.agents), box=None, pad_edge=False
    )
    cells = {(one, other): _cell(results.share(one)) for one, other, results in played.pairings()}
    for name in played.agents:
        grid.add_row(name, *[cells.get((name, other), "") for other in played.agents])
    console.print(grid)
    mixes = [results for results in played.played if len(set(results.agents)) > 2]
    if mixes:
        console.print("\nmixed tables")
        for results in mixes:
            shares = "   ".join(f"{name} {interval(results.share(name)).strip()}" for name in results.agents)
            console.print(shares, soft_wrap=True)
    for results in played.played:
        show_trouble(results)


def _cell(share: Share) -> str:
    return f"{share.share:.1%}\n{100 * share.low:.1f}–{100 * share.high:.1f}"


def draw(played: Tournament, path: Path) -> None:
    """The ratings as a picture."""
    from matplotlib.figure import Figure

    rated = played.ratings[::-1]
    figure = Figure(figsize=(7, 0.9 + 0.45 * len(rated)), layout="constrained")
    axes = figure.add_subplot()
    for place, one in enumerate(rated):
        ends = [one.rating if end is None else end for end in (one.low, one.high)]
        axes.plot(ends, [place, place], color="#9a6b3f", linewidth=5, alpha=0.45, solid_capstyle="round")
        axes.plot(one.rating, place, "o", color="#5b3a1e")
        axes.annotate(f"{one.rating:+.0f}", (one.rating, place), (0, 8), textcoords="offset points", ha="center")
    axes.set_yticks(range(len(rated)), [one.name for one in rated])
    axes.set_ylim(-0.6, len(rated) - 0.2)
    axes.set_xlabel(f"rating with 95% interval, greedy at 0 ({played.players} players)")
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.savefig(path, dpi=130)
