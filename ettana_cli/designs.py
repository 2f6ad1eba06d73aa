"""`ettana designs`: the deck workshop."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ettana_cli.options import MOST_GAMES, AsJson, Out, Seed, Workers, new_folder, threads
from ettana_cli.screen import console, note, print_json, progress_of
from ettana_env.opponents import opponent


def designs(
    deck: Annotated[Path, typer.Argument(help="A deck's YAML file.")],
    boards: Annotated[
        int, typer.Option(min=1, max=MOST_GAMES, help="Random boards on which difficulty is measured.")
    ] = 20_000,
    games: Annotated[
        int, typer.Option(min=0, max=MOST_GAMES, help="Games in which the designs are watched; 0 for none.")
    ] = 1000,
    players: Annotated[int, typer.Option("--players", min=2, max=4, help="How many play in them.")] = 4,
    agent: Annotated[str, typer.Option(help="Who plays them.")] = "planner",
    mirror_images: Annotated[bool, typer.Option("--mirror-images", help="Let mirror images count.")] = False,
    seed: Seed = 1,
    workers: Workers = 0,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Measure and draw every design of a deck; exit code 1 if one is a duplicate, impossible or mispriced.

    [bold]ettana designs configs/decks/handloom.yaml --out deck/[/]
    """
    from balance.page import plain
    from balance.workshop import inspect_deck, rules_with, write_deck

    opponent(agent)  # who cannot be named is said before anything is measured
    rules = rules_with(deck).but(mirror_images=mirror_images)
    folder = new_folder(out)
    with progress_of("games") as progress:
        found = inspect_deck(rules, boards, games, players, agent, seed, threads(workers), progress)
    flagged = found[found["flags"] != ""]
    if folder is not None:
        note(f"report    {write_deck(found, folder, rules, boards, seed)}")
    if as_json:
        print_json({"designs": plain(found)})
    else:
        heads = ["design", "points", "suggested", "swaps away", "ready-made", *(["claimed"] if games else [])]
        printed = Table(*heads, box=None, pad_edge=False)
        for row in plain(found):
            cells = [row["name"], str(row["points"]), "–", "–", f"{row['ready']:.2%}"]
            if row["suggested"] is not None:
                cells[2:4] = [f"{row['suggested']:.0f}", f"{row['swaps']:.2f} ± {row['swaps_error']:.2f}"]
            if games:
                cells.append("–" if row["times"] is None else f"{row['claimed']:.0%} of {row['times']:.0f}")
            printed.add_row(*cells)
        console.print(printed)
        for _, row in flagged.iterrows():
            console.print(f"look      {row['name']}: {row['flags']}", markup=False, soft_wrap=True)
    if len(flagged):
        raise typer.Exit(1)
