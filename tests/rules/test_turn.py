"""Section 3: a turn."""

from typing import Any

import pytest

from ettana_env import Game, IllegalAction
from tests.positions import (
    CARDS,
    DIE_COLOURS,
    FLAGS,
    RIM,
    SELVEDGE,
    Json,
    at,
    do,
    fated,
    gains,
    kinds,
    loom,
    offered,
    position,
)

# Square 0 touches three green and a red, square 15 two green and two blue, square 3 no green.
GREENS = loom("ggybp", "grpyr", "pyrby", "rybgb", "bppbg")


def before_the_roll(players: int = 2, **changes: Any) -> Game:
    return at(players, phase="roll", **changes)


# --- R3.1: the roll ---


def test_a_turn_begins_with_the_roll() -> None:
    """R3.1"""
    game = before_the_roll()
    assert kinds(game) == {"roll"}
    state = do(game, "roll")
    assert state["phase"] == "act"
    assert state["dice"]["number"] in range(1, 7)
    assert state["dice"]["colour"] in DIE_COLOURS


def test_there_is_one_roll_a_turn() -> None:
    """R3.1"""
    game = fated(before_the_roll(action_hands=[["preset"]]), number=4, colour="red")
    do(game, "roll")
    assert not kinds(game) & {"roll", "preset"}
    with pytest.raises(IllegalAction):
        game.play({"kind": "roll"})


@pytest.mark.parametrize("kind", [kind for kind in CARDS if kind not in ("preset", "victory_point")])
def test_no_other_card_can_be_played_before_the_roll(kind: str) -> None:
    """R3.1"""
    game = before_the_roll(action_hands=[[kind, kind], ["tax"]], tokens=[9, 9])
    assert kinds(game) == {"roll"}


def test_no_action_comes_before_the_roll() -> None:
    """R3.1 Not even a claim of a design the board completes, nor an exchange."""
    game = before_the_roll(yarns=SELVEDGE, design_hands=[["selvedge"]])
    assert kinds(game) == {"roll"}


@pytest.mark.parametrize("colour", DIE_COLOURS)
def test_preset_fixes_the_colour_and_rolls_the_number(colour: str) -> None:
    """R3.1 R5.6 Black included."""
    game = fated(before_the_roll(action_hands=[["preset"]]), number=3, colour="purple")
    assert kinds(game) == {"roll", "preset"}
    assert [action["colour"] for action in offered(game, "preset")] == list(DIE_COLOURS)
    state = do(game, "preset", colour=colour)
    assert state["dice"] == {"number": 3, "colour": colour}
    assert state["phase"] == "act"
    assert state["action_discard"] == ["preset"]
    assert not kinds(game) & {"roll", "preset"}


def test_the_number_is_still_rolled_after_preset() -> None:
    """R3.1"""
    state = position(phase="roll", action_hands=[["preset"]])
    numbers = {do(Game.from_dict(state, seed=seed), "preset", colour="red")["dice"]["number"] for seed in range(60)}
    assert numbers == set(range(1, 7))


def test_preset_includes_collecting() -> None:
    """R3.1 R3.2"""
    game = before_the_roll(yarns=GREENS, action_hands=[["preset"]])
    before = game.to_dict()
    assert gains(before, do(game, "preset", colour="green")) == [3, 2]


def test_preset_to_black_draws() -> None:
    """R3.1 R3.3"""
    game = before_the_roll(action_hands=[["preset"]], top_cards=["tax"])
    state = do(game, "preset", colour="black")
    assert state["action_hands"] == [["tax"], []]
    assert state["tokens"] == [5, 5]


def test_preset_is_only_for_those_who_have_it() -> None:
    """R3.1"""
    with pytest.raises(IllegalAction, match="preset"):
        before_the_roll(action_hands=[[], ["preset"]]).play({"kind": "preset", "colour": "red"})


# --- R3.2 and R3.3: collecting ---


@pytest.mark.parametrize(
    ("colour", "expected"),
    [("green", [3, 2, 0]), ("red", [1, 0, 1]), ("blue", [0, 2, 1]), ("yellow", [0, 0, 1])],
)
def test_everyone_collects_for_the_yarns_round_their_pin(colour: str, expected: list[int]) -> None:
    """R3.2 Whose turn it is makes no difference; the bank pays."""
    for player in range(3):
        game = fated(before_the_roll(3, yarns=GREENS, player=player), number=2, colour=colour)
        before = game.to_dict()
        after = do(game, "roll")
        assert gains(before, after) == expected
        assert after["bank"] == before["bank"] - sum(expected)
        assert after["action_hands"] == [[], [], []]


@pytest.mark.parametrize(("tokens", "expected"), [([21, 22], [3, 2]), ([22, 22], [0, 0]), ([24, 24], [0, 0])])
def test_if_the_bank_cannot_pay_all_nobody_gains(tokens: list[int], expected: list[int]) -> None:
    """R3.2 5 are due. A bank of 5 pays; a bank of 4 pays nobody, not even the one it could."""
    game = fated(before_the_roll(yarns=GREENS, tokens=tokens), colour="green")
    before = game.to_dict()
    after = do(game, "roll")
    assert gains(before, after) == expected
    assert after["phase"] == "act"


def test_black_draws_a_card_for_the_player_only() -> None:
    """R3.3"""
    game = fated(before_the_roll(3, player=1, top_cards=["swap"]), colour="black")
    before = game.to_dict()
    after = do(game, "roll")
    assert after["action_hands"] == [[], ["swap"], []]
    assert gains(before, after) == [0, 0, 0]
    assert len(after["action_stack"]) == 35


# --- R3.4: acting ---


def test_actions_in_any_order_and_number() -> None:
    """R3.4 Buy, move, buy, play, buy, play, and the turn is still on."""
    game = at(tokens=[12, 0], action_hands=[["tax", "swap"]], top_cards=["move", "move", "move"])
    do(game, "buy_action")
    do(game, "step", square=5, pay=[])
    do(game, "buy_action")
    do(game, "tax")
    do(game, "buy_design")
    state = do(game, "swap_card", a=0, b=24)
    assert (state["player"], state["phase"]) == (0, "act")


def test_a_card_drawn_this_turn_may_be_played_this_turn() -> None:
    """R3.4"""
    game = at(top_cards=["tax"])
    assert "tax" not in kinds(game)
    do(game, "buy_action")
    do(game, "tax")


def test_a_card_stolen_this_turn_may_be_played_this_turn() -> None:
    """R3.4"""
    game = fated(at(action_hands=[["steal_card"], ["move"]]), stolen="move")
    assert "move_card" not in kinds(game)
    do(game, "steal_card", seat=1)
    do(game, "move_card", square=6)


def test_a_card_drawn_for_black_may_be_played_this_turn() -> None:
    """R3.4 R3.3"""
    game = fated(before_the_roll(top_cards=["roll_again"]), colour="black")
    do(game, "roll")
    assert "roll_again" in kinds(game)


# --- R3.5: the end of a turn ---


def test_the_turn_ends_only_after_the_move() -> None:
    """R3.5"""
    game = at()
    assert "end_turn" not in kinds(game)
    with pytest.raises(IllegalAction, match="must move first"):
        game.play({"kind": "end_turn"})
    do(game, "step", square=5, pay=[])
    assert "end_turn" in kinds(game)


@pytest.mark.parametrize(("player", "following"), [(0, 1), (1, 2), (2, 0)])
def test_the_next_seat_then_rolls(player: int, following: int) -> None:
    """R3.5"""
    game = at(3, player=player, moved=True)
    state = do(game, "end_turn")
    assert (state["player"], state["phase"], state["turn"]) == (following, "roll", 4)
    assert state["dice"] == {"number": None, "colour": None}
    assert not any(state[flag] for flag in FLAGS)
    assert kinds(game) == {"roll"}


def boxed_in(number: int = 1, **changes: Any) -> Game:
    """Seat 0 in the corner between the other two; the tiles of `number` are under pins or in the reserve."""
    tiles = [1, 1, 3, 4, 1, 6, 5, 2, 3, 4, 5, 6, 2, 2, 3, 4]
    if number == 2:
        tiles = [{1: 2, 2: 1}.get(tile, tile) for tile in tiles]
    return at(3, pins=[0, 1, 4], tiles=tiles, number=number, **changes)


def test_without_any_move_the_turn_may_end_at_once() -> None:
    """R3.5 Rolled 1: both neighbours have a pin, and so have the squares that show 1."""
    game = boxed_in()
    assert not kinds(game) & {"step", "jump", "move_card"}
    state = do(game, "end_turn")
    assert (state["player"], state["turn"]) == (1, 4)


def test_a_move_card_is_a_possible_move() -> None:
    """R3.5 With the card in hand the player must move."""
    game = boxed_in(action_hands=[["move"]])
    assert "end_turn" not in kinds(game)
    do(game, "move_card", square=9)
    assert "end_turn" in kinds(game)


def test_a_move_card_bought_on_the_way_is_a_possible_move() -> None:
    """R3.5 What counts is what is possible at that moment."""
    game = boxed_in(top_cards=["move"])
    assert "end_turn" in kinds(game)
    do(game, "buy_action")
    assert "end_turn" not in kinds(game)


@pytest.mark.parametrize(("tokens", "stuck"), [(0, True), (1, False)])
def test_a_toll_that_cannot_be_paid_leaves_no_move(tokens: int, stuck: bool) -> None:
    """R3.5 R4.2 Rolled 2: each way out leads over a pin. Without a token there is none."""
    game = boxed_in(2, tokens=[tokens, 5, 5])
    assert ("end_turn" in kinds(game)) == stuck
    assert ("step" in kinds(game)) == (not stuck)


def test_spending_the_toll_money_leaves_no_move() -> None:
    """R3.5 After the last two tokens went for a card, no way out can be paid."""
    game = boxed_in(2, tokens=[2, 5, 5], top_cards=["tax"])
    assert "end_turn" not in kinds(game)
    do(game, "buy_action")
    assert "end_turn" in kinds(game)


def test_a_jump_is_a_possible_move() -> None:
    """R3.5 Boxed in, but square 12 shows the number rolled."""
    game = at(3, pins=[0, 1, 4], number=1)
    assert "step" not in kinds(game)
    assert [action["square"] for action in offered(game, "jump")] == [6, 12]
    assert "end_turn" not in kinds(game)


def test_an_exchange_also_ends_the_turn() -> None:
    """R3.5 R4.7"""
    state = do(at(design_hands=[["seed"]]), "exchange", design="seed")
    assert (state["player"], state["phase"], state["turn"]) == (1, "roll", 4)


# --- R3.6: nothing done yet ---

FULL_HAND = [kind for kind in CARDS if kind not in ("victory_point", "roll_again", "tax")]
ACTIONS: list[Json] = [
    {"kind": "step", "square": 5, "pay": []},
    {"kind": "jump", "square": 1},
    {"kind": "move_card", "square": 9},
    {"kind": "buy_action"},
    {"kind": "buy_swap", "a": 0, "b": 1},
    {"kind": "buy_design"},
    {"kind": "swap_card", "a": 0, "b": 1},
    {"kind": "steal_card", "seat": 1},
    {"kind": "steal_tokens", "seat": 1},
    {"kind": "replace_yarn", "octagon": 0, "colour": "red"},
    {"kind": "replace_tile", "square": 1, "number": 6},
    {"kind": "get_design"},
    {"kind": "collect_three"},
    {"kind": "gain_tokens", "number": 1},
    {"kind": "tax"},
    {"kind": "claim", "design": "selvedge"},
]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action["kind"]))
def test_after_any_action_something_is_done(action: Json) -> None:
    """R3.6 R4.7 R5.10 Neither exchange nor roll again may follow: a claim counts, and so does gain tokens."""
    hand = [*FULL_HAND, "roll_again", "tax"]
    game = at(
        yarns=SELVEDGE,
        tokens=[9, 5],
        action_hands=[hand, ["preset"]],
        design_hands=[["selvedge", "seed"]],
        top_cards=["move"],
    )
    game = fated(game, gain=3, stolen="preset")
    assert {"exchange", "roll_again"} <= kinds(game)
    game.play(action)
    assert game.to_dict()["acted"]
    assert not kinds(game) & {"exchange", "roll_again"}


def test_rolling_and_drawing_for_black_are_not_actions() -> None:
    """R3.6"""
    game = fated(before_the_roll(design_hands=[["seed"]], top_cards=["roll_again"]), colour="black")
    assert not do(game, "roll")["acted"]
    assert {"exchange", "roll_again"} <= kinds(game)


def test_collecting_is_not_an_action() -> None:
    """R3.6"""
    game = fated(before_the_roll(yarns=GREENS, design_hands=[["seed"]]), colour="green")
    assert not do(game, "roll")["acted"]
    assert "exchange" in kinds(game)


def test_playing_preset_is_not_an_action() -> None:
    """R3.6 An exchange may follow it."""
    game = before_the_roll(action_hands=[["preset"]], design_hands=[["seed"]])
    assert not do(game, "preset", colour="black")["acted"]
    assert "exchange" in kinds(game)


def test_collecting_on_the_rim() -> None:
    """R3.2 An edge square touches two octagons, a corner one."""
    game = fated(at(rules=RIM, phase="roll", yarns=GREENS, pins=[1, 35]), colour="green")
    before = game.to_dict()
    assert gains(before, do(game, "roll")) == [2, 1]
