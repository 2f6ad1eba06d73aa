"""Section 7: the end."""

from typing import Any

import pytest

from ettana_env import Game, IllegalAction, Rules
from tests.positions import BASE, SELVEDGE, Json, at, do, fated, flags, loom, placing

SEVEN: Json = {"claimed": [["meander", "elephant"]], "victory_cards": [1, 0]}
"""Seat 0 has 7 points: two designs of 3 and a victory-point card."""


def ended(game: Game) -> bool:
    """Nothing further happens."""
    if not (game.over and game.phase == "over" and game.legal_actions() == []):
        return False
    for action in ({"kind": "end_turn"}, {"kind": "roll"}, {"kind": "buy_action"}):
        with pytest.raises(IllegalAction, match="the game is over"):
            game.play(action)
    return True


# --- R7.1: winning ---


def test_a_claim_that_makes_eight_points_wins() -> None:
    """R7.1 Designs and victory-point cards together, in the middle of a turn."""
    game = at(yarns=SELVEDGE, design_hands=[["selvedge"]], **SEVEN)
    assert game.to_dict()["points"] == [7, 0]
    state = do(game, "claim", design="selvedge")
    assert (state["winner"], state["points"]) == (0, [8, 0])
    assert not state["truncated"]
    assert ended(game)


def test_seven_points_do_not_win() -> None:
    """R7.1"""
    game = at(yarns=SELVEDGE, design_hands=[["selvedge"]], claimed=[["meander", "elephant"]])
    state = do(game, "claim", design="selvedge")
    assert (state["points"], state["winner"], state["phase"]) == ([7, 0], None, "act")


def test_more_than_eight_points_win() -> None:
    """R7.1 8 or more: a design of 3 takes the player from 7 to 10."""
    yarns = loom("ggggr", "rrrry", "ybpyb", "pybpy", "bpybp")
    game = at(yarns=yarns, design_hands=[["long-border"]], **SEVEN)
    state = do(game, "claim", design="long-border")
    assert (state["winner"], state["points"]) == (0, [10, 0])
    assert ended(game)


def test_winning_leaves_all_else_as_it_would_have_been() -> None:
    """R7.1 The player, the dice, the flags and the counts are as after any claim."""
    game = at(yarns=SELVEDGE, design_hands=[["selvedge"]], free_swap=True, preset=True, **SEVEN)
    state = do(game, "claim", design="selvedge")
    assert flags(state) == (True, True, False, True)
    assert state["dice"] == {"number": 2, "colour": "black"}
    assert (state["player"], state["turn"], state["actions"]) == (0, 3, 21)
    assert state["claimed"][0] == ["selvedge", "meander", "elephant"]


@pytest.mark.parametrize("player", range(3))
def test_whoever_gets_there_wins(player: int) -> None:
    """R7.1"""
    claimed: list[list[str]] = [[], [], []]
    designs: list[list[str]] = [[], [], []]
    claimed[player], designs[player] = ["meander", "elephant", "diamond"][:2], ["selvedge"]
    victory = [int(seat == player) for seat in range(3)]
    game = at(3, yarns=SELVEDGE, player=player, claimed=claimed, design_hands=designs, victory_cards=victory)
    assert do(game, "claim", design="selvedge")["winner"] == player


WAYS_TO_DRAW: list[tuple[Json, Json]] = [
    ({"phase": "roll"}, {"kind": "roll"}),
    ({"phase": "roll", "action_hands": [["preset"]]}, {"kind": "preset", "colour": "black"}),
    ({"action_hands": [["roll_again"]]}, {"kind": "roll_again"}),
    ({}, {"kind": "buy_action"}),
]


@pytest.mark.parametrize(("changes", "action"), WAYS_TO_DRAW, ids=lambda value: str(value.get("kind", "")))
def test_a_victory_point_wins_however_it_is_drawn(changes: Json, action: Json) -> None:
    """R7.1 R5.11"""
    game = fated(at(top_cards=["victory_point"], **SEVEN, **changes), number=4, colour="black")
    game.play(action)
    state = game.to_dict()
    assert (state["winner"], state["points"], state["phase"]) == (0, [8, 0], "over")
    assert state["dice"]["number"] == (2 if action["kind"] == "buy_action" else 4)
    assert flags(state) == (action["kind"] == "buy_action", False, False, action["kind"] == "preset")
    assert ended(game)


# --- R7.1 at the deal ---


def dealt(top_cards: list[str], starter: int, **settings: Any) -> Game:
    """Three players, a target of 1, the pins placed and the deal done."""
    rules = BASE.but(points_to_win=1, **settings)
    state = placing(3, rules, pins=[0, 6], roll=1, top_cards=top_cards)
    game = fated(Game.from_dict(state, rules), starter=starter)
    do(game, "place", square=12)
    return game


def test_dealing_stops_when_a_low_target_is_met() -> None:
    """R7.1 R2.6 Seat 1 starts and is dealt the victory point: the others get nothing."""
    game = dealt(["tax", "swap", "victory_point"], starter=1)
    state = game.to_dict()
    assert (state["winner"], state["phase"], state["player"]) == (1, "over", 1)
    assert state["tokens"] == [0, 2, 0]
    assert state["action_hands"] == [[], [], []]
    assert [len(hand) for hand in state["design_hands"]] == [0, 1, 0]
    assert state["dice"] == {"number": None, "colour": None}
    assert ended(game)


def test_the_second_to_be_dealt_meets_the_target() -> None:
    """R7.1 R2.6 The starter has what was dealt, seat 2 wins, seat 0 gets nothing."""
    state = dealt(["tax", "victory_point", "swap"], starter=1).to_dict()
    assert (state["winner"], state["player"]) == (2, 1)
    assert state["tokens"] == [0, 2, 2]
    assert state["action_hands"] == [[], ["swap"], []]
    assert state["points"] == [0, 0, 1]


def test_dealing_stops_in_the_middle_of_a_hand() -> None:
    """R7.1 R2.6 The second action card of the seat is not dealt either."""
    state = dealt(["tax", "victory_point"], starter=0, start_cards={"action": 2}).to_dict()
    assert state["winner"] == 0
    assert state["action_stack"][-1] == "tax"
    assert state["action_hands"] == [[], [], []]


def test_a_game_can_be_over_before_it_began() -> None:
    """R7.1 Pins at random, only victory points in the deck, a target of 1."""
    none = dict.fromkeys(BASE.to_dict()["action_cards"], 0)
    rules = Rules(points_to_win=1, place_by_choice=False, action_cards={**none, "victory_point": 9})
    game = Game(rules, players=4, seed=1)
    assert game.winner == game.player
    assert ended(game)


# --- R7.2: the limits ---


def test_the_turn_limit() -> None:
    """R7.2 Turn 1000 ends and with it the game; all else is as after any end of a turn."""
    game = at(moved=True, turn=999, actions=5000)
    state = do(game, "end_turn")
    assert (state["phase"], state["truncated"], state["winner"]) == ("over", True, None)
    assert (state["turn"], state["player"]) == (1000, 1)
    assert state["dice"] == {"number": None, "colour": None}
    assert flags(state) == (False, False, False, False)
    assert ended(game)


def test_an_exchange_can_meet_the_turn_limit() -> None:
    """R7.2"""
    game = at(design_hands=[["seed"]], turn=999, actions=5000)
    assert do(game, "exchange", design="seed")["truncated"]
    assert ended(game)


def test_the_turn_before_the_limit() -> None:
    """R7.2"""
    state = do(at(moved=True, turn=998, actions=5000), "end_turn")
    assert (state["phase"], state["truncated"], state["turn"]) == ("roll", False, 999)


def test_the_action_limit() -> None:
    """R7.2 The action itself still happens."""
    game = at(actions=19_999, top_cards=["tax"])
    state = do(game, "buy_action")
    assert (state["phase"], state["truncated"], state["winner"], state["actions"]) == (
        "over",
        True,
        None,
        20_000,
    )
    assert state["action_hands"][0] == ["tax"]
    assert (state["player"], state["turn"]) == (0, 3)
    assert flags(state) == (True, False, False, False)
    assert ended(game)


def test_the_action_before_the_limit() -> None:
    """R7.2"""
    state = do(at(actions=19_998), "buy_action")
    assert (state["phase"], state["truncated"]) == ("act", False)


def test_a_roll_counts_as_an_action() -> None:
    """R7.2"""
    game = fated(at(phase="roll", actions=19_999), number=3, colour="red")
    state = do(game, "roll")
    assert (state["phase"], state["truncated"]) == ("over", True)
    assert state["dice"] == {"number": 3, "colour": "red"}


def test_placing_counts_as_an_action() -> None:
    """R7.2 With a limit of one action the game ends while the pins are being placed."""
    rules = BASE.but(max_actions=1)
    game = Game(rules, players=3, seed=4)
    game.play(game.legal_indices()[0])
    state = game.to_dict()
    assert (state["phase"], state["truncated"], state["actions"]) == ("over", True, 1)
    assert state["pins"][1:] == [None, None]
    assert ended(game)


def test_the_last_pin_can_meet_the_limit() -> None:
    """R7.2 The deal still happens."""
    rules = BASE.but(max_actions=2)
    game = Game.from_dict(placing(2, rules, pins=[5], roll=1), rules)
    state = do(game, "place", square=0)
    assert (state["phase"], state["truncated"], state["tokens"]) == ("over", True, [2, 2])


@pytest.mark.parametrize("kind", ["claim", "buy_action"])
def test_a_win_by_the_same_action_comes_first(kind: str) -> None:
    """R7.2"""
    game = at(actions=19_999, yarns=SELVEDGE, design_hands=[["selvedge"]], top_cards=["victory_point"], **SEVEN)
    state = do(game, kind, **({"design": "selvedge"} if kind == "claim" else {}))
    assert (state["winner"], state["truncated"], state["phase"]) == (0, False, "over")
    assert state["actions"] == 20_000


def test_a_win_at_the_deal_comes_before_the_limit() -> None:
    """R7.2 R7.1"""
    state = dealt(["tax", "swap", "victory_point"], starter=0, max_actions=3).to_dict()
    assert (state["winner"], state["truncated"], state["actions"]) == (0, False, 3)


def test_both_limits_at_once() -> None:
    """R7.2"""
    state = do(at(moved=True, turn=999, actions=19_999), "end_turn")
    assert (state["truncated"], state["turn"], state["actions"]) == (True, 1000, 20_000)


def test_no_limits() -> None:
    """R7.2 Either limit can be none."""
    rules = BASE.but(max_turns=None, max_actions=None)
    state = do(at(rules=rules, moved=True, turn=1_000_000, actions=50_000_000), "end_turn")
    assert (state["phase"], state["truncated"], state["turn"]) == ("roll", False, 1_000_001)


@pytest.mark.parametrize("limit", ["max_turns", "max_actions"])
def test_one_limit_without_the_other(limit: str) -> None:
    """R7.2"""
    rules = BASE.but(**{limit: None})
    state = do(at(rules=rules, moved=True, turn=999, actions=19_999), "end_turn")
    assert state["truncated"]
