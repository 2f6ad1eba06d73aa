"""Writes the tables in docs/ that come from the code: `python -m docs.generate`."""

from collections.abc import Callable
from pathlib import Path

from ettana_env import Rules
from ettana_env.actions import Catalogue
from ettana_env.difficulty import BOUNDS, measure, table
from ettana_env.rules import write_whole

FOLDER = Path(__file__).parent
BOARDS = 20_000


def actions() -> str:
    """docs/actions.md."""
    base, rim = Catalogue(Rules()), Catalogue(Rules(rim_squares=True))
    return f"""# The action space

One flat space of numbered actions with a mask of those that are legal. It is the same for 2, 3 and 4 players (opponents
go by relative seat, and what belongs to an absent one is never legal) and for every deck: designs go by their place in
the holder's hand, which is kept in deck order, so a policy can carry over to another deck, and every card of a hand
can be named however many it holds. Only rim squares change the layout.

`Game.action_of(index)` gives the JSON of an index in a state, `Game.index_of(action)` the index of a JSON action.
Squares, octagons and seats are numbered as in [rules.md](rules.md).

## The base game: {len(base)} actions

{base.table()}

## With rim squares: {len(rim)} actions

{rim.table()}
"""


def designs() -> str:
    """docs/designs.md."""
    rules = Rules()
    measured = measure(rules, BOARDS)
    worth = {points: [one for one in measured if one.design.points == points] for points in (1, 2, 3)}
    ranges = "\n".join(
        f"- {points} point{'s' if points > 1 else ''}: {len(ones)} designs, mean fewest swaps "
        f"{min(one.mean for one in ones):.2f} to {max(one.mean for one in ones):.2f}"
        for points, ones in worth.items()
    )
    pictures = "\n".join(
        f"**{design.name}** ({design.points})\n\n```\n" + "\n".join(design.pattern) + "\n```\n"
        for design in rules.designs
    )
    return f"""# The deck of designs

`configs/decks/handloom.yaml` is a deck of the project's own making, in the spirit of handloom motifs. Of its 36 designs
two are cards of the published game, five-diagonal (worth 1) and diagonal-t (its worth is not known to the project);
the other 34 are the project's own. Owners of the game can write the real cards into a file of the same form and name
it under `designs` in a rules file.

## How the points were set

For {BOARDS:,} random boards and every design the fewest swaps of any two yarns that complete it were worked out. That
number is exact: over all placements and all choices of colours, the cells that hold a wrong colour, less the most
closed cycles among them (`ettana_env/engine/distance.py` has the argument, and a test compares it with a search).
Only the average over boards is an estimate; its 95% interval is given.

A mean below {BOUNDS[0]} is worth 1 point, below {BOUNDS[1]} 2 points, anything above 3. The first bound lies just above
five-diagonal, the one card whose worth is known.

{ranges}

In the table, *places* are the different placements on the loom, *ready-made* is the chance that a random board already
completes the design, and the last columns give the share of boards by fewest swaps.

{table(measured)}

`python -m ettana_env.difficulty my-deck.yaml` prints the same for any deck and names the designs whose points do not
fit.

## The designs

Equal letters need one colour, different letters different colours; dots do not matter.

{pictures}"""


PAGES: dict[str, Callable[[], str]] = {"actions.md": actions, "designs.md": designs}


def main() -> None:
    """Write every page anew."""
    for name, page in PAGES.items():
        write_whole(FOLDER / name, page())
        print(f"docs/{name} written")


if __name__ == "__main__":
    main()
