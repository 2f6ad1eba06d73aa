"""The board's geometry: which octagons a square touches, and the walks from square to square."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ettana_env.vocabulary import FACES, MAX_SQUARES, OCTAGONS

LOOM = 5
"""Octagons in a row."""


class Walk(NamedTuple):
    """A way over the squares, told by what matters of it."""

    end: int
    passed: frozenset[int]


class Board(NamedTuple):
    """The squares of one kind of board (R1.2; section 9 for rim squares)."""

    side: int
    """Squares in a row."""
    touches: tuple[tuple[int | None, ...], ...]
    """By square, the octagons at its four corners, row by row; None beyond the edge."""
    tiled: tuple[int, ...]
    """The 16 squares that carry a number tile."""
    neighbours: tuple[tuple[int, ...], ...]
    """By square, the squares one step away."""

    @property
    def squares(self) -> int:
        """How many squares there are."""
        return self.side * self.side

    def walks(self, square: int, steps: int) -> list[Walk]:
        """The walks of exactly `steps` steps from `square` that differ in end or squares passed (R4.1a)."""

        def extend(path: tuple[int, ...]) -> Iterator[Walk]:
            if len(path) == steps + 1:
                yield Walk(path[-1], frozenset(path[1:-1]))
                return
            for following in self.neighbours[path[-1]]:
                if following not in path:
                    yield from extend((*path, following))

        return sorted(set(extend((square,))), key=lambda walk: (walk.end, sorted(walk.passed)))


@cache
def board(rim_squares: bool) -> Board:
    """The board with or without the squares on the rim."""
    side = LOOM + 1 if rim_squares else LOOM - 1
    shift = -1 if rim_squares else 0

    def octagon(row: int, column: int) -> int | None:
        return LOOM * row + column if 0 <= row < LOOM and 0 <= column < LOOM else None

    places = [(row, column) for row in range(side) for column in range(side)]
    touches = tuple(
        tuple(octagon(row + shift + down, column + shift + right) for down in (0, 1) for right in (0, 1))
        for row, column in places
    )
    neighbours = tuple(
        tuple(
            side * (row + down) + column + right
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if 0 <= row + down < side and 0 <= column + right < side
        )
        for row, column in places
    )
    tiled = tuple(square for square, corners in enumerate(touches) if None not in corners)
    return Board(side, touches, tiled, neighbours)


@cache
def all_walks(rim_squares: bool) -> dict[tuple[int, int], list[Walk]]:
    """Every walk, by the square it starts from and the number rolled."""
    here = board(rim_squares)
    return {
        (square, steps): here.walks(square, steps) for square in range(here.squares) for steps in range(1, FACES + 1)
    }


PAIRS = tuple((a, b) for a in range(OCTAGONS) for b in range(a + 1, OCTAGONS))
"""Every two octagons."""

NEAR_PAIRS = tuple((a, b) for a, b in PAIRS if abs(a // LOOM - b // LOOM) <= 1 and abs(a % LOOM - b % LOOM) <= 1)
"""Every two octagons that touch one square: what a free swap can swap."""

MAX_WALKS = 15_640
"""Walks in all on the larger board: the room in the tables."""

assert MAX_SQUARES == (LOOM + 1) ** 2
