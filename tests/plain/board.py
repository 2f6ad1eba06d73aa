"""The words of the game, its board (R1.1, R1.2) and its designs (section 6), read plainly."""

from __future__ import annotations

import functools
import itertools
from typing import Any

Json = dict[str, Any]
Placement = frozenset[tuple[int, str]]

COLOURS = ["green", "red", "yellow", "blue", "purple"]
KINDS = [
    "move",
    "swap",
    "steal_card",
    "steal_tokens",
    "replace",
    "preset",
    "get_design",
    "collect_three",
    "gain_tokens",
    "roll_again",
    "victory_point",
    "tax",
]


# --- The board (R1.1, R1.2; section 9, rim squares) ---


def side(rules: Json) -> int:
    """Squares in a row of the grid of squares."""
    return 6 if rules["rim_squares"] else 4


def has_tile(rules: Json, square: int) -> bool:
    """Every square carries a tile but those on the rim."""
    if not rules["rim_squares"]:
        return True
    row, column = divmod(square, 6)
    return 1 <= row <= 4 and 1 <= column <= 4


def octagons_touched(rules: Json, square: int) -> list[int]:
    """R1.2: the octagons at the corners of a square, those that exist."""
    row, column = divmod(square, side(rules))
    if rules["rim_squares"]:  # square (1, 1) with a rim is square (0, 0) without
        row, column = row - 1, column - 1
    corners = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
    return [5 * r + c for r, c in corners if 0 <= r <= 4 and 0 <= c <= 4]


def neighbours(rules: Json, square: int) -> list[int]:
    """R1.2: adjacent squares, in a row or a column."""
    n = side(rules)
    row, column = divmod(square, n)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [n * r + c for r, c in around if 0 <= r < n and 0 <= c < n]


def free_squares(rules: Json, state: Json) -> list[int]:
    """The squares with no pin."""
    return [s for s in range(side(rules) ** 2) if s not in state["pins"]]


def free_squares_showing(rules: Json, state: Json, number: int) -> list[int]:
    """The squares with no pin whose tile shows the number."""
    return [s for s in free_squares(rules, state) if state["tiles"][s] == number]


# --- Designs (section 6) ---


def placements(pattern: list[str], mirror: bool) -> set[Placement]:
    """R6.2: every distinct placement, as a set of (octagon, group letter)."""
    return set(_placements(tuple(pattern), mirror))


@functools.cache
def _placements(pattern: tuple[str, ...], mirror: bool) -> frozenset[Placement]:
    cells = {(r, c, letter) for r, row in enumerate(pattern) for c, letter in enumerate(row) if letter != "."}
    shapes = [cells]
    if mirror:  # section 9, mirror images
        shapes.append({(r, -c, letter) for r, c, letter in cells})
    found = set()
    for shape in shapes:
        for _ in range(4):
            shape = {(c, -r, letter) for r, c, letter in shape}  # a quarter turn
            for down, right in itertools.product(range(-9, 10), repeat=2):
                moved = [(r + down, c + right, letter) for r, c, letter in shape]
                if all(0 <= r <= 4 and 0 <= c <= 4 for r, c, _ in moved):
                    found.add(frozenset((5 * r + c, letter) for r, c, letter in moved))
    return frozenset(found)


def completes(pattern: list[str], yarns: list[str], mirror: bool) -> bool:
    """R6.1: each group of one colour, different groups of different colours, somewhere."""
    for placement in _placements(tuple(pattern), mirror):
        pairs = {(letter, yarns[octagon]) for octagon, letter in placement}
        letters = {letter for letter, _ in pairs}
        colours = {colour for _, colour in pairs}
        if len(pairs) == len(letters) == len(colours):  # letters and colours pair one to one
            return True
    return False


def design_called(rules: Json, name: str) -> Json:
    found: Json = next(design for design in rules["designs"] if design["name"] == name)
    return found


def in_deck_order(rules: Json, names: list[str]) -> list[str]:
    return [design["name"] for design in rules["designs"] if design["name"] in names]
