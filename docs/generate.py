"""Writes the tables in docs/ that come from the code: `python -m docs.generate`."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from balance.definitions import COLUMNS_OF_CARDS, DEFINITIONS, THEMES
from docs.diagram import architecture
from ettana_env import Game, Rules, features, observation
from ettana_env.actions import Catalogue
from ettana_env.difficulty import BOUNDS, measure, table
from ettana_env.engine.planning import GAIN, POINTS
from ettana_env.pictures import svg
from ettana_env.rules import write_whole
from train.config import Config

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


def settings() -> str:
    """docs/settings.md."""
    lines = ["| key | default | meaning |", "|---|---|---|", *_settings(Config, "")]
    table_of_keys = "\n".join(lines)
    return f"""# Settings of a training run

Every key of a file in `configs/train/`, and of `ettana train … key=value`. What a file leaves out has its default.

{table_of_keys}
"""


def _settings(part: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in part.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _settings(field.annotation, f"{prefix}{name}.")
        else:
            default = list(field.default) if isinstance(field.default, tuple) else field.default
            yield f"| `{prefix}{name}` | `{default}` | {field.description} |"


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


def observation_page() -> str:
    """docs/observation.md."""
    base, rim = Rules(), Rules(rim_squares=True)
    return f"""# The observation

Version {observation.VERSION} of the observation and the action features.

## The vector

One flat float32 vector of {observation.layout(base).size} numbers ({observation.layout(rim).size} with rim squares), seen
from one seat: wherever seats are listed, that seat comes first, then the others clockwise, and seats that nobody plays
are zero. The size is the same for 2, 3 and 4 players and for every deck; the ranges below are those of the base game.
Designs in hand show their patterns by hand slot, in the order in which the actions `claim` and `exchange` name them, so a
network can read a deck it was not trained on.

{observation.layout(base).table()}

```python
from ettana_env import Rules
from ettana_env.observation import decode, layout

parts = layout(Rules())
parts["yarns"].slice  # where the yarns are
parts["yarns"].of(vectors)  # (…, 25, 5), not a copy
decode(Rules(), vector)  # the view as JSON: nothing that the seat may know is lost
```

## The whole truth

`state()` of the PettingZoo environment gives what no seat may know: {observation.state_layout(base).size} numbers
({observation.state_layout(rim).size} with rim squares) for a central critic, seats in their own order. It starts with
the parts `yarns` to `truncated` above; then follow

{_only(observation.state_layout(base).table(), ("action_hands", "design_hands", "action_stack", "design_stack"))}

## Action features

With `features="planning"` every action of the space also has {len(features.ACTION_FEATURES)} small numbers, made by
the engine from what the seat to act may know; they are zero where the mask is. In the PettingZoo and Gymnasium forms they
are the key `action_features` of the observation, of shape (actions, {len(features.ACTION_FEATURES)}); in the batch the array
`action_features`.

What a held design is *worth*: its points / points to win, halved for each swap it is away from complete. That number of
swaps, its *distance*, is the fewest swaps of any two yarns that complete it; a design that the yarns on the board cannot
complete is worth 0. A *way* is a placement of the design with a colour for each of its groups; its cheapest ways take as
many swaps as its distance.

{features.table()}
"""


def _only(table: str, names: tuple[str, ...]) -> str:
    """The rows of a table that name these parts, under its head."""
    lines = table.splitlines()
    return "\n".join(lines[:2] + [line for line in lines if any(f"| `{name}` |" in line for name in names)])


def figures() -> str:
    """docs/figures.md."""
    units = {"share": "share", "number": "number", "points": "percentage points"}
    parts = []
    for theme, title in THEMES.items():
        ours = [one for one in DEFINITIONS if one.theme == theme]
        if ours:
            rows = [f"| `{one.key}` | {one.title} | {units[one.unit]} | {one.text} |" for one in ours]
            parts.append(
                "\n".join([f"## {title}", "", "| key | figure | unit | what it is |", "|---|---|---|---|", *rows])
            )
    columns = "\n".join(f"| {name} | {text} |" for name, text in COLUMNS_OF_CARDS.items())
    themes = "\n\n".join(parts)
    return f"""# The figures of the balance lab

Every figure of a [balance report](balance.md), under the key that gates, `figures.json` and the data frames use. Each
is given for every number of players and level of skill, with its 95% interval and the number of games it rests on.

{themes}

## The tables of cards and designs

| column | what it is |
|---|---|
{columns}
"""


def picture() -> str:
    """docs/game.svg: a game under way, as the seat to act sees it after a free swap."""
    game = Game(Rules(start_cards={"design": 3, "action": 2}), players=4, seed=12)
    last: dict[str, Any] = {}
    while game.record.turn < 4 or last["kind"] != "free_swap":
        good = features.action_features(game)[:, [POINTS, GAIN]].sum(axis=1)
        best = max(game.legal_indices(), key=lambda index: (good[index], index * 7919 % 101))
        last = game.action_of(best)
        game.play(best)
    return svg(game, game.player, last)


PAGES: dict[str, Callable[[], str]] = {
    "actions.md": actions,
    "designs.md": designs,
    "figures.md": figures,
    "observation.md": observation_page,
    "settings.md": settings,
    "game.svg": picture,
    "architecture.svg": architecture,
}


def main() -> None:
    """Write every page anew."""
    for name, page in PAGES.items():
        write_whole(FOLDER / name, page())
        print(f"docs/{name} written")


if __name__ == "__main__":
    main()
