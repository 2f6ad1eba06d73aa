"""`ettana rules`: what a rules file changes, and whether it can be played."""

from typing import Annotated, Any

import typer
from rich.table import Table

from ettana_cli.options import AsJson, rules_from, rules_names
from ettana_cli.screen import console, print_json
from ettana_env.designs import Design
from ettana_env.rules import Rules
from ettana_env.vocabulary import MAX_PLAYERS, MIN_PLAYERS

READINGS = {
    "rim_squares": ("16 squares between the octagons", "a 6×6 grid of squares, 20 of them on the rim"),
    "mirror_images": ("mirror images of a design do not count", "mirror images of a design count"),
    "preset_black": ("preset cannot name black", "preset can name black"),
    "roll_again_collects": ("nothing is collected after roll again", "roll again collects again"),
    "place_by_choice": ("pins are placed at random", "players choose where their pin goes"),
    "free_swap": ("no free swap after the move", "a free swap after the move"),
    "exchange": ("designs cannot be exchanged", "a design can be exchanged instead of moving"),
}
"""The switches of the rules: what they mean switched off, and on."""


def rules(
    name: Annotated[
        str | None,
        typer.Argument(help="A rules file, or the name of one that comes along.", autocompletion=rules_names),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a rules file and show what it changes; without a name, list those that come along.

    [bold]ettana rules[/]   [bold]ettana rules short-game[/]   [bold]ettana rules mine.yaml --json[/]

    A file that cannot be played is told in a line, with exit code 2: the key, what it must be, and what it is.
    """
    if name is None:
        _list(as_json)
        return
    given = rules_from(name)
    changed = differences(given)
    problems = {players: given.unplayable(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
    if as_json:
        playable = [players for players, problem in problems.items() if problem is None]
        print_json({"rules": given.to_dict(), "changed": changed, "players": playable})
        return
    console.print(f"[bold]{given.name}[/]: {_in_short(changed)}")
    if changed:
        table = Table("setting", "here", "base game", box=None, pad_edge=False)
        for key, (here, base) in changed.items():
            table.add_row(key, str(here), str(base))
        console.print(table)
    console.print("\nreadings")
    for key, meanings in READINGS.items():
        console.print(f"  {meanings[getattr(given, key)]}{'   (changed)' if key in changed else ''}", markup=False)
    for players, problem in problems.items():
        if problem is not None:
            console.print(f"\n{players} players cannot play it: {problem}", markup=False, soft_wrap=True)


def differences(given: Rules) -> dict[str, tuple[Any, Any]]:
    """By setting that is not as in the base game (`prices.swap`), what it is here and there; the deck in words."""
    found: dict[str, tuple[Any, Any]] = {}
    base = Rules()
    for key, there in base.to_dict().items():
        here = given.to_dict()[key]
        if key == "designs":
            if given.designs != base.designs:
                found[key] = _deck(given.designs), _deck(base.designs)
        elif isinstance(there, dict):
            found |= {f"{key}.{part}": (here[part], there[part]) for part in there if here[part] != there[part]}
        elif here != there and key != "name":
            found[key] = here, there
    return found


def _deck(designs: tuple[Design, ...]) -> str:
    return f"{len(designs)} designs worth {sum(design.points for design in designs)} points"


def _in_short(changed: dict[str, tuple[Any, Any]]) -> str:
    if not changed:
        return "the base game, nothing changed"
    return f"{len(changed)} setting{'s' * (len(changed) > 1)} changed, all else as in the base game"


def _list(as_json: bool) -> None:
    names = rules_names("")
    if as_json:
        print_json({"rules": [{"name": name, "changed": differences(rules_from(name))} for name in names]})
        return
    table = Table("name", "what it changes", box=None, pad_edge=False)
    for name in names:
        changed = differences(rules_from(name))
        words = ", ".join(f"{key} {here} (base {base})" for key, (here, base) in changed.items())
        table.add_row(name, words or "nothing: the base game")
    console.print(table)
