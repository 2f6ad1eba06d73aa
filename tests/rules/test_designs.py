"""Section 6: designs."""

from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ettana_env import Design, Game, Rules, load_deck
from ettana_env.designs import placements
from ettana_env.rules import configs_folder
from tests.positions import BASE, COLOURS, LOOM, at, kinds, loom, offered

Rows = tuple[str, ...]
MIRROR = BASE.but(mirror_images=True)
BY_NAME = {design.name: design for design in BASE.designs}


# --- An independent reading of R6.1 and R6.2, on rows of text ---


def quarter_turn(rows: Rows) -> Rows:
    return tuple("".join(row[column] for row in reversed(rows)) for column in range(len(rows[0])))


def holds(rows: Rows, mirror: bool) -> set[Rows]:
    """The ways to hold a card."""
    ways = set()
    for start in (rows, tuple(row[::-1] for row in rows)) if mirror else (rows,):
        for _ in range(4):
            ways.add(start)
            start = quarter_turn(start)
    return ways


@cache
def laid(rows: Rows, mirror: bool) -> frozenset[frozenset[frozenset[int]]]:
    """Every place of a pattern on the board: the sets of octagons that must be alike."""
    places = set()
    for way in holds(rows, mirror):
        for down, right in product(range(6 - len(way)), range(6 - len(way[0]))):
            groups: dict[str, set[int]] = {}
            for (r, row), c in product(enumerate(way), range(len(way[0]))):
                if row[c] != ".":
                    groups.setdefault(row[c], set()).add(5 * (r + down) + c + right)
            places.add(frozenset(frozenset(group) for group in groups.values()))
    return frozenset(places)


def completes(yarns: list[str], rows: Rows, mirror: bool = False) -> bool:
    for place in laid(rows, mirror):
        colours = [{yarns[octagon] for octagon in group} for group in place]
        if all(len(each) == 1 for each in colours) and len(set.union(*colours)) == len(colours):
            return True
    return False


def claimable(rules: Rules, yarns: list[str]) -> set[str]:
    """The designs the engine lets a player claim who has them all."""
    game = at(rules=rules, yarns=yarns, design_hands=[[design.name for design in rules.designs]])
    return {action["design"] for action in offered(game, "claim")}


def deck(*patterns: list[str]) -> Rules:
    """Rules with a deck of these patterns, called 0, 1, …"""
    designs = [{"name": str(number), "points": 1, "pattern": rows} for number, rows in enumerate(patterns)]
    return BASE.but(designs=designs, start_cards={"design": 0})


# --- R6.1: patterns ---


def random_loom(random: Random) -> list[str]:
    """A random board; half of them with few colours in most places, so that something is complete."""
    yarns = [colour for colour in COLOURS for _ in range(6)]
    random.shuffle(yarns)
    if random.random() < 0.5:
        yarns.sort(key=lambda colour: COLOURS.index(colour) + random.random() * 2)
    return yarns[:25]


@pytest.mark.parametrize("rules", [BASE, MIRROR], ids=["as they are", "mirror images"])
def test_the_engine_agrees_with_a_second_reading(rules: Rules) -> None:
    """R6.1 R6.2 R4.9 On 150 boards exactly those of the 36 designs can be claimed that are complete."""
    random = Random(6)
    complete = 0
    for _ in range(150):
        yarns = random_loom(random)
        expected = {design.name for design in rules.designs if completes(yarns, design.pattern, rules.mirror_images)}
        assert claimable(rules, yarns) == expected
        complete += len(expected)
    assert complete > 100


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_placements(name: str) -> None:
    """R6.1 R6.2 The places of each card of the deck are those of the second reading."""
    design = BY_NAME[name]
    for mirror in (False, True):
        found = placements(design.cells, mirror)
        assert len(found) == len(laid(design.pattern, mirror))
        assert {frozenset(place.values()) for place in found} == laid(design.pattern, mirror)


def test_a_group_has_one_colour() -> None:
    """R6.1"""
    rules = deck(["aaa"])
    assert claimable(rules, loom("gggbp", "ybpgr", "pbryb", "rybpg", "ypyrr")) == {"0"}
    assert claimable(rules, loom("ggrgp", "ybpgr", "pbryb", "rybpg", "ypyrr")) == set()


def test_different_groups_have_different_colours() -> None:
    """R6.1 Four alike in a block are no two pairs."""
    rules = deck(["aa", "bb"])
    block = loom("ggryb", "ggbpr", "ybpry", "prybp", "brpyr")
    assert claimable(rules, block) == set()
    two_pairs = loom("ggyrb", "rrbpg", "ybpgy", "prybp", "bgpyr")
    assert claimable(rules, two_pairs) == {"0"}


def test_three_groups_are_different_from_each_other() -> None:
    """R6.1 The first and the last must differ, too."""
    rules = deck(["a...b", ".....", ".....", ".....", "c...."])
    assert claimable(rules, loom("gybpr", "ybpgr", "pgryb", "rybpg", "ypgry")) == {"0"}, "corners g r y y"
    assert claimable(rules, loom("gybpr", "ybpgy", "pgryb", "rybpg", "rpbyg")) == set(), "corners g r r g"


@pytest.mark.parametrize("first", COLOURS)
@pytest.mark.parametrize("second", COLOURS)
def test_which_colours_does_not_matter(first: str, second: str) -> None:
    """R6.1 Five on a diagonal, the middle one another colour: any two colours, but two."""
    yarns = loom(*LOOM)
    for octagon in (0, 6, 18, 24):
        place = next(p for p, colour in enumerate(yarns) if colour == first and p not in (0, 6, 12, 18, 24))
        yarns[octagon], yarns[place] = yarns[place], yarns[octagon]
    if yarns[12] != second:
        free = [p for p, colour in enumerate(yarns) if colour == second and p not in (0, 6, 18, 24)]
        yarns[12], yarns[free[0]] = yarns[free[0]], yarns[12]
    game = at(yarns=yarns, design_hands=[["five-diagonal"]])
    assert ("claim" in kinds(game)) == (first != second)


def test_cells_outside_the_pattern_do_not_matter() -> None:
    """R6.1 Any order of the yarns that the pattern does not cover will do."""
    random = Random(1)
    covered = [0, 2, 5, 7, 10, 12]
    others = [place for place in range(25) if place not in covered]
    for _ in range(20):
        spare = [colour for colour in COLOURS for _ in range(3 if colour in ("green", "red") else 6)]
        random.shuffle(spare)
        yarns = [""] * 25
        for place, colour in zip(covered, ["green", "red"] * 3, strict=True):
            yarns[place] = colour
        for place in others:
            yarns[place] = spare.pop()
        assert "claim" in kinds(at(yarns=yarns, design_hands=[["selvedge"]]))


# --- R6.2: where and how it may lie ---

# Two and two round a corner: every way to hold it is different, and so is its mirror image.
HOOK: Rows = ("aab", "..b")


def hooked(held: Rows, down: int, right: int) -> list[str]:
    """A random board that has the hook there, and no other place completes it or its mirror image."""
    cells = {
        5 * (r + down) + c + right: "green" if row[c] == "a" else "red"
        for r, row in enumerate(held)
        for c in range(len(row))
        if row[c] != "."
    }
    random = Random(25 * down + right)
    spare = [colour for colour in COLOURS for _ in range(4 if colour in ("green", "red") else 6)]
    there = frozenset(
        frozenset(place for place, colour in cells.items() if colour == each) for each in ("green", "red")
    )
    while True:
        random.shuffle(spare)
        rest = iter(spare)
        yarns = [cells.get(place) or next(rest) for place in range(25)]
        complete = [
            place
            for place in laid(HOOK, True)
            if all(len({yarns[octagon] for octagon in group}) == 1 for group in place)
        ]
        if complete == [there]:
            return yarns


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_any_rotation_counts_and_mirror_images_do_not(turns: int, mirrored: bool) -> None:
    """R6.2 Unless the variant says so."""
    held = tuple(row[::-1] for row in HOOK) if mirrored else HOOK
    for _ in range(turns):
        held = quarter_turn(held)
    places = [(down, right) for down in range(6 - len(held)) for right in range(6 - len(held[0]))]
    assert len(places) == 12
    for down, right in places:
        yarns = hooked(held, down, right)
        assert claimable(deck(list(HOOK)), yarns) == (set() if mirrored else {"0"})
        assert claimable(deck(list(HOOK)).but(mirror_images=True), yarns) == {"0"}


# --- R6.3 and R6.4: the deck ---


def test_five_on_a_diagonal() -> None:
    """R6.3 Worth 1; two places, the two diagonals."""
    design = BY_NAME["five-diagonal"]
    assert design.pattern == ("a....", ".a...", "..b..", "...a.", "....a")
    assert design.points == 1
    found = [
        sorted(octagon for group in place.values() for octagon in group) for place in placements(design.cells, False)
    ]
    assert sorted(found) == [[0, 6, 12, 18, 24], [4, 8, 12, 16, 20]]


def test_diagonal_t() -> None:
    """R6.3 16 places: four rotations at four offsets."""
    design = BY_NAME["diagonal-t"]
    assert design.pattern == ("b..a", ".ba.", ".a..", "a...")
    found = placements(design.cells, False)
    assert len(found) == 16
    assert all((len(place["a"]), len(place["b"])) == (4, 2) for place in found)


@pytest.mark.parametrize("name", ["five-diagonal", "diagonal-t"])
def test_the_two_known_cards_are_their_own_mirror_image(name: str) -> None:
    """R6.3"""
    design = BY_NAME[name]
    assert len(placements(design.cells, True)) == len(placements(design.cells, False))


def test_36_different_patterns() -> None:
    """R6.4 R1.9 No two are the same card turned round or with its letters exchanged."""
    assert len({laid(design.pattern, False) for design in BASE.designs}) == 36


def test_the_deck_says_whose_it_is() -> None:
    """R6.4"""
    text = (configs_folder() / "decks" / "handloom.yaml").read_text(encoding="utf-8")
    assert "34" in text
    assert "own" in text


def test_the_deck_can_be_replaced_with_a_file(tmp_path: Path) -> None:
    """R6.4"""
    (tmp_path / "mine.yaml").write_text(
        "designs:\n"
        "  - {name: bar, points: 2, pattern: [aaa]}\n"
        "  - {name: dot, points: 1, pattern: [a]}\n"
        "  - {name: pair, points: 1, pattern: [ab]}\n",
        encoding="utf-8",
    )
    (tmp_path / "rules.yaml").write_text("name: mine\ndesigns: mine.yaml\n", encoding="utf-8")
    rules = Rules.load(tmp_path / "rules.yaml")
    assert rules.designs == load_deck(tmp_path / "mine.yaml")
    assert rules.designs[0] == Design(name="bar", points=2, pattern=("aaa",))
    state: dict[str, Any] = Game(rules, players=2, seed=1).to_dict()
    assert sorted(state["design_stack"]) == ["bar", "dot", "pair"]
