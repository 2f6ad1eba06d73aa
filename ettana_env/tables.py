"""Everything the compiled functions need to know of the rules, worked out once, in one record.

A rule variant is data: the record has one type for all rules, so nothing is compiled again.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ettana_env.actions import PAYEES, Catalogue
from ettana_env.board import LOOM, MAX_WALKS, NEAR_PAIRS, PAIRS, all_walks, board
from ettana_env.designs import placements
from ettana_env.rules import Rules
from ettana_env.vocabulary import COLOURS, KINDS, MAX_ACTION_CARDS, MAX_DESIGNS, MAX_SQUARES, OCTAGONS, VERBS

MAX_GROUPS = len(COLOURS)
MAX_PLACEMENTS = MAX_DESIGNS * 128  # no pattern has more than 128 different places, mirror images included
MAX_ACTIONS = 32 + 7 + MAX_SQUARES * (PAYEES + 1) + 72 + 600 + 125 + 32 + 2 * MAX_DESIGNS + 6 + 6 + 7

FATE = np.dtype(
    [
        # What chance is to give, instead of what the seed says: for checking records and for what-if.
        ("fixed", np.bool_),
        ("number", np.uint8),
        ("colour", np.int8),
        ("gain", np.uint8),
        ("stolen", np.int8),
        ("starter", np.int8),
        ("reshuffled", np.uint8, MAX_ACTION_CARDS),
    ]
)

TABLES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("squares", np.int32),
                ("action_count", np.int32),
                ("designs", np.int32),
                ("points_to_win", np.int32),
                ("tokens_total", np.int32),
                ("tokens_start", np.int32),
                ("start_designs", np.int32),
                ("start_actions", np.int32),
                ("price_action", np.int32),
                ("price_swap", np.int32),
                ("price_design", np.int32),
                ("steal_tokens_max", np.int32),
                ("collect_three_gives", np.int32),
                ("max_turns", np.int32),  # 0 for none
                ("max_actions", np.int32),  # 0 for none
                ("preset_black", np.bool_),
                ("roll_again_collects", np.bool_),
                ("place_by_choice", np.bool_),
                ("free_swap", np.bool_),
                ("exchange", np.bool_),
                ("action_cards", np.uint8, len(KINDS)),
                ("action_total", np.int32),
                ("tiled", np.uint8, 16),  # the squares with a tile
                ("touches", np.int8, (MAX_SQUARES, 4)),  # octagons, NONE beyond the edge
                (
                    "near_pairs",
                    np.int8,
                    (MAX_SQUARES, 6),
                ),  # free swaps by square, in rising order, NONE after
                # Walks from square s with roll n: indices walk_first[s, n - 1] up to walk_first[s, n].
                ("walk_first", np.int32, (MAX_SQUARES, 7)),
                ("walk_end", np.uint8, MAX_WALKS),  # rising within one square and roll
                ("walk_passed", np.uint64, MAX_WALKS),
                ("walk_reach", np.uint64, (MAX_SQUARES, 6)),  # all ends of walks from square s with roll n + 1
                # The actions: first index by verb; by index, verb and arguments.
                ("first", np.int32, len(VERBS) + 1),
                ("verb", np.uint8, MAX_ACTIONS),
                ("a", np.uint8, MAX_ACTIONS),
                ("b", np.uint8, MAX_ACTIONS),
                # The designs: by design; then by placement, `place_first[d]` up to `place_first[d + 1]`.
                ("design_points", np.int16, MAX_DESIGNS),
                ("design_key", np.uint64, MAX_DESIGNS),  # from the name: a design shuffles alike in any deck
                ("design_groups", np.uint8, MAX_DESIGNS),
                ("design_cells", np.uint8, MAX_DESIGNS),
                ("design_size", np.uint8, (MAX_DESIGNS, MAX_GROUPS)),  # cells by group
                ("pattern", np.float32, (MAX_DESIGNS, MAX_GROUPS * OCTAGONS)),  # by group, cells from the top left
                ("place_first", np.int32, MAX_DESIGNS + 1),
                ("place_octagon", np.uint8, (MAX_PLACEMENTS, MAX_GROUPS)),  # one octagon of the group
                ("place_mask", np.uint32, (MAX_PLACEMENTS, MAX_GROUPS)),  # all of them
                ("place_cells", np.uint8, (MAX_PLACEMENTS, OCTAGONS)),  # all of them, group by group
                ("fate", FATE),
            ],
            align=True,
        ),
    )
)

Tables = NDArray[Any]
"""An array of one TABLES record, as the compiled functions take it."""


@lru_cache(maxsize=64)
def tables_of(rules: Rules) -> Tables:
    """The tables of `rules`. Shared: do not write to them."""
    tables = np.zeros(1, dtype=TABLES)
    t = tables[0]
    here = board(rules.rim_squares)
    catalogue = Catalogue(rules)
    t.squares = here.squares
    t.action_count = len(catalogue)
    t.designs = len(rules.designs)
    t.points_to_win = rules.points_to_win
    t.tokens_total, t.tokens_start = rules.tokens.total, rules.tokens.start
    t.start_designs, t.start_actions = rules.start_cards.design, rules.start_cards.action
    t.price_action, t.price_swap, t.price_design = rules.prices.action, rules.prices.swap, rules.prices.design
    for key in ("steal_tokens_max", "collect_three_gives", "preset_black", "roll_again_collects"):
        t[key] = getattr(rules, key)
    for key in ("place_by_choice", "free_swap", "exchange"):
        t[key] = getattr(rules, key)
    t.max_turns = rules.max_turns or 0
    t.max_actions = rules.max_actions or 0
    t.action_cards[:] = rules.action_cards.counts
    t.action_total = sum(rules.action_cards.counts)

    t.tiled[:] = here.tiled
    t.touches[:] = t.near_pairs[:] = -1
    for square, corners in enumerate(here.touches):
        t.touches[square] = [-1 if octagon is None else octagon for octagon in corners]
        near = [pair for pair, (a, b) in enumerate(NEAR_PAIRS) if a in corners and b in corners]
        t.near_pairs[square, : len(near)] = near
    ends: list[int] = []
    passed: list[int] = []
    for (square, roll), walks in all_walks(rules.rim_squares).items():
        t.walk_first[square, roll - 1] = len(ends)
        ends += [walk.end for walk in walks]
        passed += [as_bits(walk.passed) for walk in walks]
        t.walk_first[square, roll] = len(ends)
        t.walk_reach[square, roll - 1] = as_bits({walk.end for walk in walks})
    t.walk_end[: len(ends)] = ends
    t.walk_passed[: len(passed)] = passed

    t.first[:] = catalogue.first
    t.verb[: len(catalogue)], t.a[: len(catalogue)], t.b[: len(catalogue)] = zip(*catalogue.parts, strict=True)
    _lay_designs(t, rules)
    return tables


def _lay_designs(t: Any, rules: Rules) -> None:
    """The designs and all their placements."""
    count = 0
    for number, design in enumerate(rules.designs):
        t.design_points[number] = design.points
        t.design_key[number] = int.from_bytes(hashlib.sha256(design.name.encode()).digest()[:8], "big")
        t.design_groups[number] = len(design.groups)
        t.design_cells[number] = len(design.cells)
        for place, group in enumerate(design.groups):
            here = [LOOM * row + column for row, column, letter in design.cells if letter == group]
            t.design_size[number, place] = len(here)
            t.pattern[number, [OCTAGONS * place + cell for cell in here]] = 1
        placed = [
            [sorted(octagons) for octagons in place.values()] for place in placements(design.cells, rules.mirror_images)
        ]
        last, groups = count + len(placed), len(design.groups)
        t.place_octagon[count:last, :groups] = [[octagons[0] for octagons in place] for place in placed]
        t.place_mask[count:last, :groups] = [[as_bits(octagons) for octagons in place] for place in placed]
        t.place_cells[count:last, : len(design.cells)] = [[*chain(*place)] for place in placed]
        count = last
        t.place_first[number + 1] = count


def as_bits(places: Iterable[int]) -> int:
    """A set of places as bits."""
    return sum(1 << place for place in places)


assert len(PAIRS) == OCTAGONS * (OCTAGONS - 1) // 2
assert len(NEAR_PAIRS) == 72
