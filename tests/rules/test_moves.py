"""Section 4, R4.1 to R4.3: the move, the toll and the free swap."""

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from ettana_env import Game, IllegalAction, Rules
from ettana_env.board import board
from tests.positions import BASE, RIM, SELVEDGE, Json, at, do, fated, inner, kinds, offered, squares

BOARDS = pytest.mark.parametrize("rules", [BASE, RIM], ids=["base", "rim"])
Walk = tuple[int, frozenset[int]]


@cache
def walks(side: int, start: int, steps: int) -> frozenset[Walk]:
    """An independent count: all walks as (last square, squares walked over), on a grid of `side` × `side`."""
    paths = [[start]]
    for _ in range(steps):
        longer = []
        for path in paths:
            row, column = divmod(path[-1], side)
            for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if 0 <= r < side and 0 <= c < side and side * r + c not in path:
                    longer.append([*path, side * r + c])
        paths = longer
    return frozenset((path[-1], frozenset(path[1:-1])) for path in paths)


def expected_steps(rules: Rules, pins: list[int], number: int, purse: int) -> set[tuple[int, tuple[int, ...]]]:
    """What R4.1a and R4.2 allow seat 0: squares and the seats paid."""
    found = set()
    for end, over in walks(6 if rules.rim_squares else 4, pins[0], number):
        paid = tuple(seat for seat in range(1, len(pins)) if pins[seat] in over)
        if end not in pins and len(paid) <= purse:
            found.add((end, paid))
    return found


def steps(game: Game) -> list[tuple[int, tuple[int, ...]]]:
    return [(action["square"], tuple(action["pay"])) for action in offered(game, "step")]


# --- R4.1: exactly one move ---

MOVES: list[Json] = [
    {"kind": "step", "square": 5, "pay": []},
    {"kind": "jump", "square": 1},
    {"kind": "move_card", "square": 10},
]


@pytest.mark.parametrize("move", MOVES, ids=lambda move: str(move["kind"]))
def test_one_move_a_turn(move: Json) -> None:
    """R4.1 In one of three ways, and then none of them again."""
    game = at(action_hands=[["move", "move"]])
    assert {"step", "jump", "move_card"} <= kinds(game)
    game.play(move)
    assert game.to_dict()["pins"] == [move["square"], 15]
    assert not kinds(game) & {"step", "jump", "move_card"}
    with pytest.raises(IllegalAction, match="moved already"):
        game.play({"kind": "move_card", "square": 3})


@BOARDS
@pytest.mark.parametrize("number", range(1, 7))
def test_a_pin_never_ends_where_it_started(rules: Rules, number: int) -> None:
    """R4.1"""
    places = range(36) if rules.rim_squares else range(16)
    for start in places:
        game = at(rules=rules, pins=[start, (start + 1) % len(places)], number=number, action_hands=[["move"]])
        for kind in ("step", "jump", "move_card"):
            assert start not in squares(game, kind)


# --- R4.1a: steps ---


@BOARDS
@pytest.mark.parametrize("number", range(1, 7))
def test_every_walk_from_every_square(rules: Rules, number: int) -> None:
    """R4.1a R4.2 Exactly the walks an independent counter finds: the right length, no square twice, a free end."""
    side = 6 if rules.rim_squares else 4
    others = [1, 6, 9] if side == 4 else [8, 14, 20]
    for start in set(range(side * side)) - set(others):
        pins = [start, *others]
        for purse in (0, 1, 2, 5):
            game = at(4, rules, pins=pins, number=number, tokens=[purse, 5, 5, 5])
            found = steps(game)
            assert len(found) == len(set(found))
            assert set(found) == expected_steps(rules, pins, number, purse)


@BOARDS
@pytest.mark.parametrize("number", range(1, 7))
def test_walks_of_an_empty_board(rules: Rules, number: int) -> None:
    """R4.1a The table of walks has each way that differs in its end or in the squares passed, once."""
    here = board(rules.rim_squares)
    for start in range(here.squares):
        table = [(walk.end, walk.passed) for walk in here.walks(start, number)]
        assert len(table) == len(set(table))
        assert set(table) == walks(here.side, start, number)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, [1, 4]),
        (2, [2, 5, 8]),
        (3, [1, 3, 4, 6, 9, 12]),
        (4, [2, 5, 7, 8, 10, 13]),
        (5, [1, 3, 4, 6, 9, 11, 12, 14]),
        (6, [2, 5, 7, 8, 10, 13]),
    ],
)
def test_steps_from_the_corner(number: int, expected: list[int]) -> None:
    """R4.1a Counted by hand on the small board; square 15 is taken by seat 1."""
    assert squares(at(number=number), "step") == expected


def test_a_walk_may_not_turn_back() -> None:
    """R4.1a With 2 no step ends on the neighbour, nor back at the start."""
    game = at(pins=[5, 15], number=2)
    assert squares(game, "step") == [0, 2, 7, 8, 10, 13]


def test_a_walk_ends_on_a_free_square() -> None:
    """R4.1a"""
    game = at(pins=[0, 4], number=1)
    assert squares(game, "step") == [1]
    with pytest.raises(IllegalAction, match="pin on square 4"):
        game.play({"kind": "step", "square": 4, "pay": []})


# --- R4.1b: the jump ---


@pytest.mark.parametrize(
    ("number", "expected"), [(1, [6, 12]), (2, [1, 7, 13]), (4, [3, 9]), (5, [4, 10]), (6, [5, 11])]
)
def test_a_jump_goes_to_any_free_square_with_the_number(number: int, expected: list[int]) -> None:
    """R4.1b Seat 0 is on a 1, seat 1 on a 4: they are no targets."""
    assert squares(at(number=number), "jump") == expected


def test_a_jump_costs_nothing() -> None:
    """R4.1b"""
    game = at(3, pins=[0, 1, 4], tokens=[0, 5, 5], number=6)
    state = do(game, "jump", square=11)
    assert state["pins"] == [11, 1, 4]
    assert state["tokens"] == [0, 5, 5]


def test_a_jump_to_another_number_is_refused() -> None:
    """R4.1b"""
    with pytest.raises(IllegalAction, match="shows 4; the number rolled is 2"):
        at().play({"kind": "jump", "square": 3})


# --- R4.1c: the move card ---


@BOARDS
def test_a_move_card_goes_to_any_free_square(rules: Rules) -> None:
    """R4.1c R5.1"""
    game = at(3, rules, action_hands=[["move"]])
    pins = game.to_dict()["pins"]
    everywhere = range(36 if rules.rim_squares else 16)
    assert squares(game, "move_card") == [square for square in everywhere if square not in pins]
    state = do(game, "move_card", square=9)
    assert state["pins"] == [9, *pins[1:]]
    assert state["action_hands"][0] == []
    assert state["action_discard"] == ["move"]


def test_a_move_card_replaces_the_move_by_the_die() -> None:
    """R4.1c R5.1 It cannot be played after the move."""
    game = at(action_hands=[["move"]])
    do(game, "step", square=5, pay=[])
    assert "move_card" not in kinds(game)


def test_three_ways_to_one_square_are_three_actions() -> None:
    """R4.10 Rolled 2 on square 8: square 13 is a step down and one right, shows a 2, and the card goes anywhere."""
    game = at(pins=[8, 15], action_hands=[["move"]])
    to_13 = [action for action in game.legal_actions() if action.get("square") == 13]
    assert to_13 == [
        {"kind": "step", "square": 13, "pay": []},
        {"kind": "jump", "square": 13},
        {"kind": "move_card", "square": 13},
    ]


# --- R4.2: the toll ---


def test_walking_over_a_pin_costs_a_token() -> None:
    """R4.2 Paid to that player."""
    game = at(pins=[0, 1])
    assert steps(game) == [(2, (1,)), (5, ()), (5, (1,)), (8, ())]
    state = do(game, "step", square=2, pay=[1])
    assert state["tokens"] == [4, 6]
    assert state["bank"] == 38


def test_each_pin_passed_is_paid() -> None:
    """R4.2 The only way of 3 steps from 0 to 3 leads over 1 and 2."""
    game = at(3, pins=[0, 1, 2], number=3)
    assert [paid for square, paid in steps(game) if square == 3] == [(1, 2)]
    assert do(game, "step", square=3, pay=[1, 2])["tokens"] == [3, 6, 6]


def test_three_pins_in_a_row() -> None:
    """R4.2 R4.10 From 0 to 7 one can leave the first row after none, one, two or all three of the pins."""
    game = at(4, pins=[0, 1, 2, 3], number=4, tokens=[3, 0, 0, 0])
    assert sorted(paid for square, paid in steps(game) if square == 7) == [(), (1,), (1, 2), (1, 2, 3)]
    assert do(game, "step", square=7, pay=[1, 2, 3])["tokens"] == [0, 1, 1, 1]


@pytest.mark.parametrize(("purse", "possible"), [(0, False), (1, False), (2, True)])
def test_a_path_that_cannot_be_paid_in_full_is_not_available(purse: int, possible: bool) -> None:
    """R4.2"""
    game = at(3, pins=[0, 1, 2], number=3, tokens=[purse, 5, 5])
    assert ((3, (1, 2)) in steps(game)) == possible


def test_an_unpayable_path_is_refused_with_its_price() -> None:
    """R4.2"""
    game = at(3, pins=[0, 1, 2], number=3, tokens=[1, 5, 5])
    with pytest.raises(IllegalAction, match="the toll is 2 tokens; player 0 has 1"):
        game.play({"kind": "step", "square": 3, "pay": [1, 2]})


def test_the_player_chooses_whom_to_pay() -> None:
    """R4.2 R4.10 From 0 to 5 over seat 1 or over seat 2: different actions."""
    game = at(3, pins=[0, 1, 4])
    assert [paid for square, paid in steps(game) if square == 5] == [(1,), (2,)]
    other = game.copy()
    assert do(game, "step", square=5, pay=[1])["tokens"] == [4, 6, 5]
    assert do(other, "step", square=5, pay=[2])["tokens"] == [4, 5, 6]


def test_paying_or_going_round() -> None:
    """R4.2 R4.10 A free way and one that pays are different actions."""
    game = at(pins=[0, 4])
    assert [paid for square, paid in steps(game) if square == 5] == [(), (1,)]
    assert do(game, "step", square=5, pay=[])["tokens"] == [5, 5]


def test_paths_with_the_same_payees_are_one_action() -> None:
    """R4.2 Three free ways of 3 steps lead from 0 to 6."""
    assert steps(at(number=3)).count((6, ())) == 1


def test_paying_a_player_who_is_not_passed_is_refused() -> None:
    """R4.2"""
    game = at(3, pins=[0, 1, 15])
    with pytest.raises(IllegalAction):
        game.play({"kind": "step", "square": 2, "pay": [2]})
    with pytest.raises(IllegalAction):
        game.play({"kind": "step", "square": 2, "pay": []})


@pytest.mark.parametrize("player", range(4))
def test_the_toll_whoever_is_to_move(player: int) -> None:
    """R4.2 Seats are named as they sit: the one who moves stands on 0, the rising others on 1, 4 and 15."""
    others = [seat for seat in range(4) if seat != player]
    pins: list[int] = [0] * 4
    for seat, pin in zip(others, (1, 4, 15), strict=True):
        pins[seat] = pin
    game = at(4, pins=pins, player=player)
    assert [list(paid) for square, paid in steps(game) if square == 5] in (
        [[others[0]], [others[1]]],
        [[others[1]], [others[0]]],
    )
    state = do(game, "step", square=5, pay=[others[1]])
    assert state["tokens"] == [5 + (seat == others[1]) - (seat == player) for seat in range(4)]


# --- R4.3: the free swap ---


@pytest.mark.parametrize("move", MOVES, ids=lambda move: str(move["kind"]))
def test_the_free_swap_follows_any_move(move: Json) -> None:
    """R4.3 Two of the yarns round the new square."""
    game = at(action_hands=[["move"]])
    assert "free_swap" not in kinds(game)
    game.play(move)
    row, column = divmod(move["square"], 4)
    corner = 5 * row + column
    around = [corner, corner + 1, corner + 5, corner + 6]
    assert [(pair["a"], pair["b"]) for pair in offered(game, "free_swap")] == list(combinations(around, 2))
    before = game.to_dict()
    after = do(game, "free_swap", a=corner, b=corner + 6)
    assert after["yarns"][corner] == before["yarns"][corner + 6]
    assert after["yarns"][corner + 6] == before["yarns"][corner]
    assert after["tokens"] == before["tokens"]


def test_the_free_swap_is_optional_and_only_once() -> None:
    """R4.3"""
    game = at(free_swap=True)
    assert "end_turn" in kinds(game)
    do(game, "free_swap", a=0, b=1)
    assert "free_swap" not in kinds(game)
    with pytest.raises(IllegalAction, match="right after the move"):
        game.play({"kind": "free_swap", "a": 0, "b": 1})


def test_the_old_square_and_far_octagons_are_out_of_reach() -> None:
    """R4.3"""
    game = at()
    do(game, "step", square=5, pay=[])
    with pytest.raises(IllegalAction, match="square 5 does not touch"):
        game.play({"kind": "free_swap", "a": 0, "b": 1})
    with pytest.raises(IllegalAction, match="no square touches both"):
        game.play({"kind": "free_swap", "a": 6, "b": 24})


CLOSING: list[Json] = [
    {"kind": "buy_action"},
    {"kind": "buy_swap", "a": 20, "b": 24},
    {"kind": "buy_design"},
    {"kind": "swap_card", "a": 20, "b": 24},
    {"kind": "steal_card", "seat": 1},
    {"kind": "steal_tokens", "seat": 1},
    {"kind": "replace_yarn", "octagon": 24, "colour": "red"},
    {"kind": "replace_tile", "square": 1, "number": 6},
    {"kind": "get_design"},
    {"kind": "collect_three"},
    {"kind": "gain_tokens", "number": 6},
    {"kind": "tax"},
    {"kind": "claim", "design": "selvedge"},
]


@pytest.mark.parametrize("action", CLOSING, ids=lambda action: str(action["kind"]))
def test_any_other_action_closes_the_free_swap(action: Json) -> None:
    """R4.3 Also a claim, also gain tokens that gains nothing."""
    hands: list[Any] = [
        [
            "swap",
            "steal_card",
            "steal_tokens",
            "replace",
            "get_design",
            "collect_three",
            "gain_tokens",
            "tax",
        ],
        ["preset"],
    ]
    game = at(yarns=SELVEDGE, action_hands=hands, design_hands=[["selvedge"]], top_cards=["move"])
    game = fated(game, gain=1, stolen="preset")
    do(game, "step", square=5, pay=[])
    assert "free_swap" in kinds(game)
    game.play(action)
    assert "free_swap" not in kinds(game)
    assert not game.to_dict()["free_swap"]


def test_the_inner_board_of_the_rim_walks_outside() -> None:
    """R4.1a With rim squares on, a step may leave the tiles."""
    assert squares(at(rules=RIM, number=1), "step") == [1, 6, 8, inner(4)]
