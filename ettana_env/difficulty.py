"""How hard a design is, measured on random boards: the figures from which the deck's points were set.

For each board the fewest swaps of any two yarns that complete the design are exact (see
`ettana_env.engine.distance`), not a bound; what is estimated is only the average over boards, and its
interval is given. `python -m ettana_env.difficulty my-deck.yaml` prints the table for any deck.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from ettana_env.designs import Design, load_deck
from ettana_env.engine.batch import in_threads, new_games
from ettana_env.engine.distance import IMPOSSIBLE, distances_slice
from ettana_env.errors import EttanaError
from ettana_env.rules import Rules
from ettana_env.tables import tables_of

BOUNDS = (1.95, 2.6)
"""Mean fewest swaps below the first are worth 1 point, below the second 2, the others 3.

The first lies just above five-diagonal, the one card whose points are known: it is worth 1.
"""


@dataclass(frozen=True)
class Difficulty:
    """What was measured of one design."""

    design: Design
    placements: int
    swaps: tuple[int, ...]
    """By fewest swaps, 0 first, how many of the boards are that far."""

    @property
    def boards(self) -> int:
        """How many boards were looked at."""
        return sum(self.swaps)

    @property
    def mean(self) -> float:
        """The mean fewest swaps."""
        return sum(n * count for n, count in enumerate(self.swaps)) / self.boards

    @property
    def mean_error(self) -> float:
        """Half the width of the mean's 95% interval."""
        spread = sum((n - self.mean) ** 2 * count for n, count in enumerate(self.swaps)) / max(self.boards - 1, 1)
        return float(1.96 * (spread / self.boards) ** 0.5)

    @property
    def possible(self) -> bool:
        """Can the board as it is laid out (five yarns of a colour) complete the design at all?"""
        return self.boards > 0

    @property
    def ready(self) -> tuple[float, float, float]:
        """The chance that a random board already completes it, and its 95% (Wilson) interval."""
        low, high = binomtest(self.swaps[0], self.boards).proportion_ci(method="wilson")
        return self.swaps[0] / self.boards, float(low), float(high)

    @property
    def suggested_points(self) -> int:
        """The points this difficulty stands for in the deck that comes with the project."""
        return 1 + sum(self.mean >= bound for bound in BOUNDS)


def measure(rules: Rules, boards: int = 20_000, seed: int = 1, threads: int = 1) -> list[Difficulty]:
    """The difficulty of every design of the rules' deck, over the boards of `boards` seeds from `seed` on."""
    tables = tables_of(rules)
    games = new_games(boards)
    games["seed"] = np.arange(seed, seed + boards, dtype=np.uint64)
    found = np.empty((boards, len(rules.designs)), np.uint8)
    in_threads(threads, boards, partial(distances_slice, tables, games, found))
    first = tables[0].place_first
    return [
        Difficulty(design, int(first[n + 1] - first[n]), _histogram(found[:, n]))
        for n, design in enumerate(rules.designs)
    ]


def _histogram(found: NDArray[np.uint8]) -> tuple[int, ...]:
    counts = np.bincount(found[found != IMPOSSIBLE])
    return tuple(int(count) for count in counts)


def table(measured: Sequence[Difficulty]) -> str:
    """What was measured as a Markdown table, the easiest first."""
    most = max((len(one.swaps) for one in measured), default=1)
    heads = ["design", "points", "places", "mean swaps", "ready-made", *(str(n) for n in range(most))]
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (len(heads) - 1)]
    for one in sorted(measured, key=lambda one: (not one.possible, one.mean if one.possible else 0.0)):
        cells = [one.design.name, str(one.design.points), str(one.placements)]
        if one.possible:
            chance, low, high = one.ready
            cells += [f"{one.mean:.2f} ± {one.mean_error:.2f}", f"{chance:.2%} [{low:.2%}, {high:.2%}]"]
            cells += [f"{count / one.boards:.1%}" for count in one.swaps]
        else:
            cells += ["not on a new board", "0%"]
        lines.append("| " + " | ".join(cells + [""] * (len(heads) - len(cells))) + " |")
    return "\n".join(lines)


def mispriced(measured: Sequence[Difficulty]) -> list[Difficulty]:
    """The designs whose points are not those their difficulty suggests."""
    return [one for one in measured if not one.possible or one.design.points != one.suggested_points]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m ettana_env.difficulty`: 0 all well, 1 a design stands out, 2 wrong use."""
    parser = argparse.ArgumentParser(
        prog="python -m ettana_env.difficulty", description="Measure how hard the designs of a deck are."
    )
    parser.add_argument("deck", nargs="?", type=Path, help="a deck's YAML file (default: the project's own)")
    parser.add_argument("--boards", type=int, default=20_000, help="random boards to look at (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="the first board's seed (default 1)")
    parser.add_argument("--mirror-images", action="store_true", help="let mirror images count")
    given = parser.parse_args(arguments)
    if given.boards < 1 or not 0 <= given.seed < 2**62:
        parser.error("--boards must be 1 or more, --seed from 0 to 2**62 - 1")
    try:
        rules = Rules(mirror_images=given.mirror_images)
        if given.deck is not None:
            rules = rules.but(designs=load_deck(given.deck), start_cards={"design": 0})
    except EttanaError as error:
        parser.error(str(error))
    measured = measure(rules, given.boards, given.seed)
    print(table(measured))
    for one in mispriced(measured):
        if one.possible:
            print(f"\n{one.design.name}: worth {one.design.points}; its difficulty suggests {one.suggested_points}")
        else:
            print(f"\n{one.design.name}: no new board can complete it: a group is larger than five")
    return 1 if mispriced(measured) else 0


if __name__ == "__main__":
    raise SystemExit(main())
