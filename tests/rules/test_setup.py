"""Section 2: setup."""

from collections import Counter
from itertools import combinations

import pytest

from ettana_env import Game, IllegalAction
from tests.positions import BASE, COLOURS, FLAGS, TILES, at, do, fated, kinds, placing, position, squares

FIRST_STATES = [Game(players=4, seed=seed).to_dict() for seed in range(300)]


def test_one_yarn_of_each_colour_is_the_reserve() -> None:
    """R2.1"""
    for state in FIRST_STATES:
        assert state["reserve_yarns"] == list(COLOURS)
        assert Counter(state["yarns"]) == dict.fromkeys(COLOURS, 5)


def test_yarns_are_laid_at_random() -> None:
    """R2.1 Every colour turns up on every octagon."""
    for octagon in range(25):
        seen = Counter(state["yarns"][octagon] for state in FIRST_STATES)
        assert all(35 <= seen[colour] <= 90 for colour in COLOURS), "300 / 5, give or take"


def test_two_tiles_of_different_numbers_are_the_reserve() -> None:
    """R2.2 Every pair of numbers turns up, and no number twice."""
    pairs = {tuple(sorted(state["reserve_tiles"])) for state in FIRST_STATES}
    assert pairs == set(combinations(range(1, 7), 2))


def test_the_other_16_tiles_are_laid_at_random() -> None:
    """R2.2"""
    for state in FIRST_STATES:
        assert Counter(state["tiles"]) == {number: 3 - state["reserve_tiles"].count(number) for number in range(1, 7)}
    for square in range(16):
        assert {state["tiles"][square] for state in FIRST_STATES} == set(range(1, 7))


def test_both_stacks_are_shuffled() -> None:
    """R2.3 Every kind and every design is on top in some game."""
    assert len({state["action_stack"][-1] for state in FIRST_STATES}) == 12
    assert len({state["design_stack"][-1] for state in FIRST_STATES}) == 36
    assert len({tuple(state["action_stack"]) for state in FIRST_STATES}) == len(FIRST_STATES)
    assert len({tuple(state["design_stack"]) for state in FIRST_STATES}) == len(FIRST_STATES)


def test_the_first_seat_places_first_having_rolled() -> None:
    """R2.4"""
    for state in FIRST_STATES:
        assert (state["phase"], state["player"]) == ("place", 0)
        assert state["placing_rolls"] == [state["dice"]["number"], None, None, None]
        assert state["dice"]["colour"] is None
    assert {state["dice"]["number"] for state in FIRST_STATES} == set(range(1, 7))


@pytest.mark.parametrize("roll", range(1, 7))
def test_a_pin_goes_on_any_square_that_shows_the_roll(roll: int) -> None:
    """R2.4 Which one is the player's choice."""
    game = Game.from_dict(placing(roll=roll))
    assert kinds(game) == {"place"}
    assert squares(game, "place") == [square for square, tile in enumerate(TILES) if tile == roll]


def test_a_pin_goes_on_a_free_square() -> None:
    """R2.4 Square 4 shows the 5 that was rolled, but seat 0 is there."""
    game = Game.from_dict(placing(roll=5, pins=[4]))
    assert squares(game, "place") == [10]
    with pytest.raises(IllegalAction):
        game.play({"kind": "place", "square": 4})


def test_a_pin_does_not_go_on_another_number() -> None:
    """R2.4"""
    with pytest.raises(IllegalAction):
        Game.from_dict(placing(roll=5)).play({"kind": "place", "square": 0})


def test_seats_place_in_order() -> None:
    """R2.4"""
    game = Game(players=4, seed=11)
    for seat in range(4):
        state = game.to_dict()
        assert (state["player"], state["phase"]) == (seat, "place")
        assert state["placing_rolls"][seat] == state["dice"]["number"]
        assert state["placing_rolls"][seat + 1 :] == [None] * (3 - seat)
        game.play(game.legal_indices()[-1])
    assert game.phase == "roll"


def test_placing_again_if_every_square_of_the_number_is_taken() -> None:
    """R2.4 Both squares that show 5 are taken: seat 2 never keeps a 5, and the roll kept is another."""
    rolls = set()
    for seed in range(200):
        game = Game.from_dict(placing(3, roll=5, pins=[4]), seed=seed)
        state = do(game, "place", square=10)
        assert state["player"] == 2
        assert squares(game, "place")
        rolls.add(state["placing_rolls"][2])
    assert rolls == {1, 2, 3, 4, 6}


def test_until_all_are_placed_nobody_has_anything() -> None:
    """R2.4 R2.6"""
    state = do(Game.from_dict(placing(3, roll=5)), "place", square=4)
    assert state["tokens"] == [0, 0, 0]
    assert state["bank"] == 48
    assert not any(state["action_hands"] + state["design_hands"])
    assert not any(state[flag] for flag in FLAGS)
    assert state["actions"] == 1


@pytest.mark.parametrize(
    ("pins", "last", "starter"),
    [((0,), 4, 1), ((4,), 0, 0), ((4, 5), 0, 1), ((5, 4, 0), 3, 0), ((0, 1, 2), 5, 3)],
)
def test_the_highest_placing_roll_starts(pins: tuple[int, ...], last: int, starter: int) -> None:
    """R2.5 The tiles of the squares they are on are what they rolled."""
    for seed in range(10):
        game = Game.from_dict(placing(len(pins) + 1, pins=pins, roll=TILES[last]), seed=seed)
        state = do(game, "place", square=last)
        assert (state["player"], state["phase"]) == (starter, "roll")
        assert state["placing_rolls"] == [TILES[pin] for pin in (*pins, last)]
        assert state["dice"] == {"number": None, "colour": None}


def test_those_who_tie_roll_again_among_themselves() -> None:
    """R2.5 Seats 0 and 2 rolled 6, seats 1 and 3 a 4: 0 or 2 starts, about as often; the rolls stay as they are."""
    starters: Counter[int] = Counter()
    for seed in range(200):
        game = Game.from_dict(placing(4, pins=[5, 3, 11], roll=4), seed=seed)
        state = do(game, "place", square=9)
        assert state["placing_rolls"] == [6, 4, 6, 4]
        assert state["pins"] == [5, 3, 11, 9]
        assert state["dice"] == {"number": None, "colour": None}
        starters[state["player"]] += 1
    assert set(starters) == {0, 2}
    assert min(starters.values()) > 60


def test_three_who_tie() -> None:
    """R2.5"""
    state = placing(3, pins=[0, 6], roll=1)
    starters = Counter(do(Game.from_dict(state, seed=seed), "place", square=12)["player"] for seed in range(300))
    assert set(starters) == {0, 1, 2}
    assert min(starters.values()) > 60


def test_the_deal() -> None:
    """R2.6 Seat 1 starts: it is dealt first, then 2, then 0; each 2 tokens, a design and an action card."""
    designs, cards = ["lotus", "cross", "rake"], ["tax", "swap", "move"]
    game = Game.from_dict(placing(3, pins=[0, 5], roll=2, top_designs=designs, top_cards=cards))
    state = do(game, "place", square=1)
    assert state["player"] == 1
    assert state["tokens"] == [2, 2, 2]
    assert state["bank"] == 42
    assert state["design_hands"] == [["lotus"], ["rake"], ["cross"]]
    assert state["action_hands"] == [["tax"], ["move"], ["swap"]]
    assert (len(state["action_stack"]), len(state["design_stack"])) == (33, 33)


def test_all_of_a_seats_cards_before_the_next_seats() -> None:
    """R2.6 With two of each, the starter gets the two on top."""
    rules = BASE.but(start_cards={"design": 2, "action": 2})
    designs, cards = ["lotus", "cross", "rake", "seed"], ["tax", "tax", "swap", "move"]
    state = placing(2, rules, pins=[0], roll=6, top_designs=designs, top_cards=cards)
    state = do(Game.from_dict(state, rules), "place", square=5)
    assert state["player"] == 1
    assert state["design_hands"] == [["lotus", "cross"], ["seed", "rake"]]
    assert state["action_hands"] == [["tax", "tax"], ["move", "swap"]]


def test_a_victory_point_dealt_scores_and_is_not_replaced() -> None:
    """R2.6 R5.11"""
    game = Game.from_dict(placing(2, pins=[5], roll=1, top_cards=["swap", "victory_point"]))
    state = do(game, "place", square=0)
    assert state["player"] == 0
    assert state["victory_cards"] == [1, 0]
    assert state["points"] == [1, 0]
    assert state["action_hands"] == [[], ["swap"]]


def test_after_the_deal_the_starter_rolls() -> None:
    """R2.6 R3.1 The first turn is the starter's, no turn is finished, and each pin counts as an action."""
    game = fated(Game.from_dict(placing(3, pins=[0, 6], roll=1)), starter=1)
    state = do(game, "place", square=12)
    assert (state["phase"], state["player"], state["turn"], state["actions"]) == ("roll", 1, 0, 3)
    assert "roll" in kinds(game)


def test_placing_is_over_once_the_pins_stand() -> None:
    """R2.4"""
    with pytest.raises(IllegalAction, match="phase"):
        at().play({"kind": "place", "square": 6})
    assert "place" not in kinds(Game.from_dict(position(phase="roll")))
