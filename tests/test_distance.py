"""The distance to a design against two other ways to find it: trying all swaps, and plain arithmetic."""

import functools
import itertools
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from ettana_env import Game, Rules
from ettana_env.engine.distance import IMPOSSIBLE, distance, distance_below
from ettana_env.tables import tables_of
from ettana_env.vocabulary import COLOURS
from tests import plain
from tests.playing import EASY_DESIGNS, Json

Board = list[int]
"""Colours by octagon, as numbers."""

PATTERNS: dict[str, list[str]] = {
    "one cell": ["a"],
    "one group": ["aaa", ".a.", ".a."],
    "one group of six": ["aaa", "aaa"],
    "one group at the corners": ["a...a", ".....", ".....", ".....", "a...a"],
    "two groups": ["ab", "ba", "ab"],
    "two groups of six": ["aaabb", "aaabb", "...bb"],
    "two of six far apart": ["aaa..", "aaa..", ".....", "bbb..", "bbb.."],
    "five and one": ["a....", ".a...", "..b..", "...a.", "....a"],
    "three groups": ["abc", "bca", "cab"],
    "three wide groups": ["aabbc", ".....", "aabbc", ".....", "c...c"],
    "four groups": ["aab", "cdb", "cdd"],
    "four wide groups": ["aabb.", "c...d", "c...d", "c...d", ".abd."],
    "five groups": ["abcde", "bcdea"],
    "five wide groups": ["abcde", "b...a", "c...b", "d...c", "edcba"],
    "two groups of five": ["aaaaa", "bbbbb"],
    "three groups of five": ["aabbc", "aabbc", "abccc"],
    "four groups of five": ["aabbc", "aabbc", "abccc", "ddddd"],
    "five groups of five": ["aaaaa", "bbbbb", "ccccc", "ddddd", "eeeee"],
    "five groups of five, mixed": ["abcde", "bcdea", "cdeab", "deabc", "eabcd"],
    "one of six among five": ["aaabb", "aaabb", "cccde", "ccdde", "...de"],
}


def random_pattern(seed: int) -> list[str]:
    """Cells at random, in one to five groups of six at most."""
    draw = random.Random(seed)
    rows, columns, groups = draw.randint(1, 5), draw.randint(1, 5), draw.randint(1, 5)
    cells = [["."] * columns for _ in range(rows)]
    used: Counter[str] = Counter()
    for row, column in itertools.product(range(rows), range(columns)):
        letter = draw.choice("abcde"[:groups] + ".")
        if letter != "." and used[letter] < 6:
            cells[row][column] = letter
            used[letter] += 1
    if not used:
        cells[0][0] = "a"
    return ["".join(row) for row in cells]


def deck(patterns: Sequence[list[str]], mirror_images: bool = False) -> Rules:
    """Rules with these patterns as designs."""
    designs = [{"name": f"design {i}", "points": 1, "pattern": p} for i, p in enumerate(patterns)]
    return Rules(designs=designs, start_cards={"design": 0}, mirror_images=mirror_images)


def boards(seed: int) -> list[Board]:
    """A board as it is laid out, and one after some yarns were replaced."""
    draw = random.Random(seed)
    yarns = [colour for colour in range(5) for _ in range(5)]
    draw.shuffle(yarns)
    uneven = list(yarns)
    reserve = [0, 1, 2, 3, 4]
    for octagon in draw.sample(range(25), draw.randint(1, 8)):
        place = draw.randrange(5)
        uneven[octagon], reserve[place] = reserve[place], uneven[octagon]
    return [yarns, uneven]


def nearly(pattern: list[str], yarns: Board, swaps: int, seed: int) -> Board:
    """The yarns laid so that they complete the pattern if they can, then some pairs swapped."""
    draw = random.Random(seed)
    placement = draw.choice(sorted(plain.placements(pattern, False), key=sorted))
    laid = nearly_of(placement, yarns, draw)
    for _ in range(swaps):
        a, b = draw.sample(range(25), 2)
        laid[a], laid[b] = laid[b], laid[a]
    return laid


def nearly_of(placement: plain.Placement, yarns: Board, draw: random.Random) -> Board:
    """The yarns laid so that they complete a placement as far as they go."""
    letters = sorted({letter for _, letter in placement})
    colour_of = dict(zip(letters, draw.sample(range(5), len(letters)), strict=True))
    laid, left = [-1] * 25, Counter(yarns)
    for octagon, letter in sorted(placement):
        if left[colour_of[letter]]:
            laid[octagon] = colour_of[letter]
            left[colour_of[letter]] -= 1
    rest = list(left.elements())
    draw.shuffle(rest)
    return [rest.pop() if colour < 0 else colour for colour in laid]


def cycled(pattern: list[str], lengths: Sequence[int], seed: int) -> Board:
    """A board that completes the pattern, but for cycles of so many yarns of different groups.

    The cells of a cycle each hold what the next one wants, so that a cycle of k takes k - 1 swaps.
    """
    draw = random.Random(seed)
    placement = draw.choice(sorted(plain.placements(pattern, False), key=sorted))
    laid = nearly_of(placement, boards(seed)[0], draw)
    cells: dict[str, list[int]] = {}
    for octagon, letter in sorted(placement):
        cells.setdefault(letter, []).append(octagon)
    for group in cells.values():
        draw.shuffle(group)
    for length in lengths:
        fullest = sorted(cells, key=lambda letter: (-len(cells[letter]), draw.random()))[:length]
        draw.shuffle(fullest)
        places = [cells[letter].pop() for letter in fullest]
        for place, colour in zip(places, [laid[place] for place in [*places[1:], places[0]]], strict=True):
            laid[place] = colour
    return laid


def game_on(rules: Rules, yarns: Board) -> Game:
    """A game with these yarns on the board."""
    state = Game(rules, 2, 0).to_dict()
    state["yarns"] = [COLOURS[colour] for colour in yarns]
    left = Counter(dict.fromkeys(COLOURS, 6)) - Counter(state["yarns"])
    state["reserve_yarns"] = sorted(left.elements(), key=COLOURS.index)
    return Game.from_dict(state, rules, seed=0)


def by_engine(rules: Rules, yarns: Board) -> list[int]:
    """The engine's distances to all designs of the rules."""
    game, tables = game_on(rules, yarns), tables_of(rules)
    return [int(distance(tables[0], game.record, design)) for design in range(len(rules.designs))]


# --- Trying all swaps ---


@functools.cache
def pairs() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.triu_indices(25, 1)


def after_a_swap(many: NDArray[np.int8]) -> NDArray[np.int8]:
    """Every board that one swap can make of one of these, some of them more than once."""
    a, b = pairs()
    swapped = np.repeat(many[:, None, :], len(a), axis=1)
    here = np.arange(len(a))
    swapped[:, here, a], swapped[:, here, b] = many[:, b], many[:, a]
    return swapped.reshape(-1, 25)


def distinct(many: NDArray[np.int8]) -> NDArray[np.int8]:
    """The boards without those that stand there twice."""
    number = many.astype(np.uint64) @ (np.uint64(5) ** np.arange(25, dtype=np.uint64))
    _, first = np.unique(number, return_index=True)
    return many[first]


def any_completes(pattern: list[str], many: NDArray[np.int8]) -> bool:
    """R6.1, for any of the boards."""
    by_octagon = np.ascontiguousarray(many.T)
    for placement in plain.placements(pattern, False):
        groups: dict[str, list[int]] = {}
        for octagon, letter in placement:
            groups.setdefault(letter, []).append(octagon)
        fits = np.ones(by_octagon.shape[1], np.bool_)
        for cells in groups.values():
            for octagon in cells[1:]:
                fits &= by_octagon[octagon] == by_octagon[cells[0]]
        for one, other in itertools.combinations(groups.values(), 2):
            fits &= by_octagon[one[0]] != by_octagon[other[0]]
        if fits.any():
            return True
    return False


def by_trying(pattern: list[str], layers: list[NDArray[np.int8]]) -> int | None:
    """The distance, if it is so small; `layers` has the boards after no swap, one …, all but the last."""
    for swaps, many in enumerate(layers):
        if any_completes(pattern, many):
            return swaps
    for start in range(0, len(layers[-1]), 400):
        if any_completes(pattern, after_a_swap(layers[-1][start : start + 400])):
            return len(layers)
    return None


def layers_of(yarns: Board, deepest: int) -> list[NDArray[np.int8]]:
    """The different boards after no swap, one …, up to one less than `deepest`."""
    layers = [np.array([yarns], np.int8)]
    for _ in range(deepest - 1):
        layers.append(distinct(after_a_swap(layers[-1])))
    return layers


def check_by_trying(patterns: list[list[str]], yarns: Board, deepest: int) -> Counter[int]:
    """Compare the engine with all boards up to `deepest` swaps away; how often each distance came up."""
    layers = layers_of(yarns, deepest)
    found: Counter[int] = Counter()
    for pattern, engine in zip(patterns, by_engine(deck(patterns), yarns), strict=True):
        tried = by_trying(pattern, layers)
        assert tried == (engine if engine <= deepest else None), (pattern, yarns, engine, tried)
        found[engine] += 1
    return found


@pytest.mark.parametrize("seed", range(4))
def test_all_boards_two_swaps_away(seed: int) -> None:
    found: Counter[int] = Counter()
    patterns = [*PATTERNS.values(), *(random_pattern(10 * seed + i) for i in range(8))]
    for yarns in boards(seed):
        found += check_by_trying(patterns, yarns, 2)
    assert {0, 1, 2} <= set(found)
    assert sum(found[d] for d in range(3, 26)) >= 10


@pytest.mark.parametrize("name", [name for name in PATTERNS if name != "one cell"])
def test_boards_two_swaps_from_a_completed_one(name: str) -> None:
    pattern = PATTERNS[name]
    for seed, swaps in itertools.product(range(2), (1, 2)):
        for yarns in boards(seed):
            near = nearly(pattern, yarns, swaps, seed)
            check_by_trying([pattern], near, 2)


@pytest.mark.parametrize("name", [name for name in PATTERNS if "wide" in name or "six" in name or "five" in name])
def test_all_boards_three_swaps_away(name: str) -> None:
    pattern = PATTERNS[name]
    rules = deck([pattern])
    found: Counter[int] = Counter()
    for seed in range(300):
        yarns = nearly(pattern, boards(seed)[seed % 2], 3 + seed % 8, seed)
        expected = by_engine(rules, yarns)[0]
        if expected in (3, 4) and found[expected] < 2:
            found += check_by_trying([pattern], yarns, 3)
    assert found[3] >= 1


# --- Plain arithmetic ---


@functools.cache
def most_disjoint_cycles(ways: tuple[tuple[str, str], ...]) -> int:
    """The most cycles without a common way; a way is a pair (from group, to group). All are tried."""
    if not ways:
        return 0
    (start, onwards), rest = ways[0], ways[1:]
    return max(
        most_disjoint_cycles(rest),  # the first way in no cycle
        *(1 + most_disjoint_cycles(left) for left in closings(start, onwards, rest)),
        0,
    )


def closings(start: str, here: str, ways: tuple[tuple[str, str], ...]) -> set[tuple[tuple[str, str], ...]]:
    """The ways left after going on from `here` to `start` by some of them, in every possible manner."""
    if here == start:
        return {ways}
    found = set()
    for place, (one, other) in enumerate(ways):
        if one == here and (place == 0 or ways[place - 1] != ways[place]):
            found |= closings(start, other, ways[:place] + ways[place + 1 :])
    return found


def by_arithmetic(pattern: list[str], yarns: Board, mirror_images: bool = False) -> int:
    """The least, over placements and colours, of misplaced cells less the most cycles among them."""
    there = Counter(yarns)
    letters = sorted({letter for row in pattern for letter in row} - {"."})
    sizes = Counter("".join(pattern))
    best = IMPOSSIBLE
    for placement in plain.placements(pattern, mirror_images):
        for colours in itertools.permutations(range(5), len(letters)):
            if any(there[c] < sizes[letter] for letter, c in zip(letters, colours, strict=True)):
                continue
            home = dict(zip(colours, letters, strict=True))
            wrong = [(letter, home.get(yarns[o])) for o, letter in placement if home.get(yarns[o]) != letter]
            if (len(wrong) + 1) // 2 >= best:  # a cycle has two cells at least
                continue
            ways = sorted((one, other) for one, other in wrong if other is not None)
            best = min(best, len(wrong) - most_disjoint_cycles(tuple(ways)))
    return best


def check_by_arithmetic(patterns: list[list[str]], yarns: Board, mirror_images: bool = False) -> list[int]:
    engine = by_engine(deck(patterns, mirror_images), yarns)
    for pattern, found in zip(patterns, engine, strict=True):
        assert found == by_arithmetic(pattern, yarns, mirror_images), (pattern, yarns)
    return engine


@pytest.mark.parametrize("name", PATTERNS)
def test_arithmetic_on_named_patterns(name: str) -> None:
    pattern = PATTERNS[name]
    for seed in range(6 if "." in "".join(pattern) else 2):
        for yarns in boards(100 + seed):
            check_by_arithmetic([pattern], yarns)
            check_by_arithmetic([pattern], nearly(pattern, yarns, seed, seed))


@pytest.mark.parametrize("mirror_images", [False, True])
@pytest.mark.parametrize("first", range(0, 80, 20))
def test_arithmetic_on_random_patterns(first: int, mirror_images: bool) -> None:
    for seed in range(first, first + 20):
        pattern = random_pattern(1000 + seed)
        yarns = boards(seed)[seed % 2]
        check_by_arithmetic([pattern], yarns, mirror_images)
        check_by_arithmetic([pattern], nearly(pattern, yarns, seed % 5, seed), mirror_images)


@pytest.mark.parametrize(
    ("name", "lengths"),
    [
        ("two groups of five", (2,)),
        ("two groups of five", (2, 2)),
        ("three groups of five", (3,)),
        ("three groups of five", (3, 3)),
        ("three groups of five", (3, 2)),
        ("four groups of five", (4,)),
        ("four groups of five", (3,)),
        ("four groups of five", (3, 3)),
        ("four groups of five", (4, 3)),
        ("five groups of five", (5,)),
        ("five groups of five", (4, 2)),
        ("five groups of five, mixed", (3, 3)),
        ("five groups of five, mixed", (5, 3)),
        ("five groups of five, mixed", (4, 4)),
    ],
)
def test_cycles_of_groups_save_a_swap_each(name: str, lengths: tuple[int, ...]) -> None:
    """In either direction, round any of the groups."""
    pattern, expected = PATTERNS[name], sum(length - 1 for length in lengths)
    rules = deck([pattern])
    exact = 0
    for seed in range(7):
        yarns = cycled(pattern, lengths, seed)
        found = by_engine(rules, yarns)[0]
        assert found == by_arithmetic(pattern, yarns)
        assert found <= expected
        exact += found == expected
        if found <= 2 and seed < 4:
            check_by_trying([pattern], yarns, 2)
    assert exact >= 1  # two cycles in opposite directions can be taken as shorter ones


def test_arithmetic_on_the_deck_of_the_project() -> None:
    patterns = [list(design.pattern) for design in Rules().designs]
    for seed in range(4):
        for yarns in boards(200 + seed):
            check_by_arithmetic(patterns, yarns)


def test_arithmetic_agrees_with_trying() -> None:
    """The two other ways agree with each other, whatever the engine says."""
    yarns = boards(7)[1]
    layers = layers_of(yarns, 2)
    for pattern in [random_pattern(seed) for seed in range(12)]:
        plainly = by_arithmetic(pattern, yarns)
        assert by_trying(pattern, layers) == (plainly if plainly <= 2 else None)


# --- Particular values ---


def test_six_of_a_colour_are_impossible_until_one_is_replaced() -> None:
    rules = deck([["aaa", "aaa"]])
    even, _ = boards(1)
    assert by_engine(rules, even) == [IMPOSSIBLE]
    uneven = list(even)
    uneven[even.index(1)] = 0  # the sixth green yarn for a red one
    assert 0 < by_engine(rules, uneven)[0] <= 6


def test_zero_means_complete() -> None:
    rules = Rules(designs=EASY_DESIGNS)
    complete = 0
    for seed in range(60):
        yarns = boards(seed)[seed % 2]
        names = [COLOURS[colour] for colour in yarns]
        for design, found in zip(rules.designs, by_engine(rules, yarns), strict=True):
            assert (found == 0) == plain.completes(list(design.pattern), names, False)
            complete += found == 0
    assert 100 < complete < 60 * len(EASY_DESIGNS) - 100


def test_a_swap_changes_a_distance_by_one_at_most() -> None:
    rules = Rules()
    draw = random.Random(5)
    state: Json = Game(rules, 2, 3).to_dict()
    yarns = [COLOURS.index(colour) for colour in state["yarns"]]
    before = by_engine(rules, yarns)
    for _ in range(60):
        a, b = draw.sample(range(25), 2)
        yarns[a], yarns[b] = yarns[b], yarns[a]
        after = by_engine(rules, yarns)
        assert all(abs(one - other) <= 1 for one, other in zip(before, after, strict=True))
        before = after


@pytest.mark.parametrize("limit", range(8))
def test_a_limit_cuts_the_distance_off(limit: int) -> None:
    rules = deck(list(PATTERNS.values()))
    tables = tables_of(rules)
    for yarns in boards(limit):
        game = game_on(rules, yarns)
        for design, exact in enumerate(by_engine(rules, yarns)):
            assert distance_below(tables[0], game.record, design, limit) == min(exact, limit)
