"""Section 4, R4.4 to R4.10: buying, exchanging, claiming, and what is not offered."""

from typing import Any

import pytest

from ettana_env import Game, IllegalAction
from tests.positions import BASE, CARDS, SELVEDGE, at, do, fated, kinds, loom, offered, squares

# --- R4.4, R4.5, R4.6: buying ---


@pytest.mark.parametrize(("kind", "price"), [("buy_action", 2), ("buy_swap", 3), ("buy_design", 3)])
def test_prices(kind: str, price: int) -> None:
    """R4.4 R4.5 R4.6 With the price in hand it can be bought, with one less it cannot."""
    assert kind in kinds(at(tokens=[price, 5]))
    poor = at(tokens=[price - 1, 5])
    assert kind not in kinds(poor)
    pair: dict[str, Any] = {"a": 0, "b": 1} if kind == "buy_swap" else {}
    with pytest.raises(IllegalAction, match=f"costs {price} tokens; player 0 has {price - 1}"):
        poor.play({"kind": kind, **pair})


def test_buying_an_action_card() -> None:
    """R4.4"""
    state = do(at(top_cards=["tax", "swap"]), "buy_action")
    assert state["tokens"] == [3, 5]
    assert state["bank"] == 40
    assert state["action_hands"] == [["swap"], []]
    assert state["action_stack"][-1] == "tax"


def test_buying_a_swap() -> None:
    """R4.5 Any two yarns of the board."""
    game = at()
    assert len(offered(game, "buy_swap")) == 300 - 5 * 10, "all pairs but the ten of each colour that are alike"
    before = game.to_dict()
    state = do(game, "buy_swap", a=0, b=24)
    assert (state["yarns"][0], state["yarns"][24]) == ("yellow", "green")
    assert state["yarns"][1:24] == before["yarns"][1:24]
    assert state["tokens"] == [2, 5]
    assert state["bank"] == 41


def test_buying_a_design_card() -> None:
    """R4.6"""
    state = do(at(top_designs=["seed", "rake"]), "buy_design")
    assert state["tokens"] == [2, 5]
    assert state["bank"] == 41
    assert state["design_hands"] == [["rake"], []]
    assert state["design_stack"][-1] == "seed"


def test_buying_again_and_again() -> None:
    """R3.4 R4.4 As long as the tokens last, before and after the move."""
    game = at(tokens=[7, 5], top_cards=["move", "move", "move"])
    do(game, "buy_action")
    do(game, "buy_action")
    do(game, "move_card", square=9)
    state = do(game, "buy_action")
    assert state["action_hands"][0] == ["move", "move"]
    assert state["tokens"][0] == 1
    assert "buy_action" not in kinds(game)


# --- R4.7: the exchange ---


def test_an_exchange_puts_the_card_under_the_stack() -> None:
    """R4.7 Then the top one is drawn, and the turn ends at once without a move."""
    game = at(design_hands=[["lotus", "seed"]], top_designs=["cross", "rake"])
    state = do(game, "exchange", design="lotus")
    assert state["design_stack"][0] == "lotus"
    assert state["design_stack"][-1] == "cross"
    assert state["design_hands"][0] == ["seed", "rake"]
    assert (state["player"], state["phase"], state["turn"]) == (1, "roll", 4)
    assert state["pins"] == [0, 15]


def test_an_exchange_with_one_card_in_the_stack() -> None:
    """R4.7 The card put under it is not the one drawn."""
    state = do(at(design_hands=[["lotus"]], design_stack=["rake"]), "exchange", design="lotus")
    assert state["design_hands"][0] == ["rake"]
    assert state["design_stack"] == ["lotus"]


def test_an_exchange_is_offered_for_each_unclaimed_design_in_hand() -> None:
    """R4.7 Not for what is claimed, nor for another player's."""
    game = at(design_hands=[["lotus", "seed"], ["rake"]], claimed=[["cross"]])
    assert [action["design"] for action in offered(game, "exchange")] == ["seed", "lotus"]
    for design in ("cross", "rake"):
        with pytest.raises(IllegalAction, match="does not hold"):
            game.play({"kind": "exchange", "design": design})


def test_an_exchange_waits_for_nothing() -> None:
    """R4.7 R3.6 Only while nothing is done yet."""
    game = at(design_hands=[["lotus"]])
    do(game, "buy_action")
    with pytest.raises(IllegalAction, match="nothing is done yet"):
        game.play({"kind": "exchange", "design": "lotus"})


def test_an_exchange_needs_a_stack() -> None:
    """R4.7 R4.10"""
    game = at(design_hands=[["lotus"]], design_stack=[])
    assert "exchange" not in kinds(game)
    with pytest.raises(IllegalAction, match="no card to draw"):
        game.play({"kind": "exchange", "design": "lotus"})


# --- R4.8: playing cards ---


def test_any_number_of_cards() -> None:
    """R4.8 They go to the discard."""
    game = at(action_hands=[["swap", "swap", "tax", "collect_three"]])
    do(game, "swap_card", a=0, b=1)
    do(game, "tax")
    do(game, "collect_three")
    state = do(game, "swap_card", a=0, b=1)
    assert state["action_hands"][0] == []
    assert state["action_discard"] == ["swap", "swap", "collect_three", "tax"]


def test_a_card_is_discarded_before_its_effect() -> None:
    """R4.8 R5.13 Stack and discard are empty: the black of roll again draws roll again itself."""
    rest = [kind for kind in CARDS if kind not in ("victory_point", "roll_again")]
    hands = [["roll_again"] * 3, rest * 3]
    game = fated(at(action_hands=hands, action_stack=[]), colour="black", reshuffled=["roll_again"])
    state = do(game, "roll_again")
    assert state["action_hands"][0] == ["roll_again"] * 3
    assert state["action_discard"] == []
    assert state["action_stack"] == []


@pytest.mark.parametrize("kind", [kind for kind in CARDS if kind not in ("victory_point", "preset")])
def test_a_card_must_be_in_the_hand(kind: str) -> None:
    """R4.8"""
    name = {"move": "move_card", "swap": "swap_card", "replace": "replace_yarn"}.get(kind, kind)
    without = at(action_hands=[[], [kind, kind]])
    assert name not in kinds(without)
    assert name in kinds(at(action_hands=[[kind], ["tax"]]))


# --- R4.9: the claim ---


def test_a_claim_is_laid_face_up_and_scores() -> None:
    """R4.9"""
    game = at(yarns=SELVEDGE, design_hands=[["selvedge", "rake"]])
    assert offered(game, "claim") == [{"design": "selvedge"}]
    state = do(game, "claim", design="selvedge")
    assert state["claimed"] == [["selvedge"], []]
    assert state["design_hands"] == [["rake"], []]
    assert state["points"] == [1, 0]
    assert (state["player"], state["phase"]) == (0, "act")


def test_a_claim_scores_what_the_design_is_worth() -> None:
    """R4.9"""
    yarns = loom("ggggr", "rrrry", "ybpyb", "pybpy", "bpybp")
    state = do(at(yarns=yarns, design_hands=[["long-border"]]), "claim", design="long-border")
    assert state["points"] == [3, 0]


def test_a_card_scores_once() -> None:
    """R4.9"""
    game = at(yarns=SELVEDGE, design_hands=[["selvedge"]])
    do(game, "claim", design="selvedge")
    assert "claim" not in kinds(game)
    with pytest.raises(IllegalAction):
        game.play({"kind": "claim", "design": "selvedge"})


def test_any_number_of_claims_in_a_turn() -> None:
    """R4.9 Before and after the move."""
    yarns = loom("gbgrr", "gpgyr", "gygbp", "rbypy", "bpybp")
    rules = BASE.but(
        start_cards={"design": 0},
        designs=[
            {"name": "three", "points": 1, "pattern": ["a", "a", "a"]},
            {"name": "two", "points": 2, "pattern": ["a", "a"]},
            {"name": "apart", "points": 3, "pattern": ["a.a"]},
        ],
    )
    game = at(rules=rules, yarns=yarns, design_hands=[["three", "two", "apart"]])
    do(game, "claim", design="two")
    do(game, "claim", design="apart")
    do(game, "step", square=5, pay=[])
    state = do(game, "claim", design="three")
    assert state["points"] == [6, 0]
    assert state["claimed"][0] == ["three", "two", "apart"]


def test_only_what_the_board_completes_can_be_claimed() -> None:
    """R4.9 The engine checks."""
    with pytest.raises(IllegalAction, match="does not complete"):
        at(design_hands=[["selvedge"]]).play({"kind": "claim", "design": "selvedge"})


def test_another_players_design_cannot_be_claimed() -> None:
    """R4.9"""
    game = at(yarns=SELVEDGE, design_hands=[[], ["selvedge"]])
    assert "claim" not in kinds(game)


# --- R4.10: what is not offered, and what is ---


def alike(game: Game, kind: str) -> list[tuple[int, int]]:
    """The swaps of one kind that would change nothing."""
    yarns = game.to_dict()["yarns"]
    return [(pair["a"], pair["b"]) for pair in offered(game, kind) if yarns[pair["a"]] == yarns[pair["b"]]]


@pytest.mark.parametrize("kind", ["free_swap", "buy_swap", "swap_card"])
def test_two_yarns_of_one_colour_are_not_swapped(kind: str) -> None:
    """R4.10 Octagons 0 and 5 are both green."""
    game = at(yarns=SELVEDGE, free_swap=True, action_hands=[["swap"]])
    assert offered(game, kind)
    assert alike(game, kind) == []
    with pytest.raises(IllegalAction, match="change nothing"):
        game.play({"kind": kind, "a": 0, "b": 5})


def test_a_yarn_is_not_replaced_by_its_equal() -> None:
    """R4.10 25 octagons, and four colours in reserve that are not the one there."""
    game = at(action_hands=[["replace"]])
    yarns = game.to_dict()["yarns"]
    found = offered(game, "replace_yarn")
    assert len(found) == 25 * 4
    assert not any(yarns[action["octagon"]] == action["colour"] for action in found)


def test_a_tile_is_not_replaced_by_its_equal() -> None:
    """R4.10 The reserve has a 5 and a 6: squares 4 and 10 show a 5, 5 and 11 a 6."""
    game = at(action_hands=[["replace"]])
    found = [(action["square"], action["number"]) for action in offered(game, "replace_tile")]
    assert not {(4, 5), (10, 5), (5, 6), (11, 6)} & set(found)
    assert len(found) == 14 * 2 - 4


def test_nothing_is_stolen_from_those_who_have_nothing() -> None:
    """R4.10 R5.3 R5.4 A revealed victory point is nothing to take."""
    hands = [["steal_card", "steal_tokens"], [], ["tax"], []]
    game = at(4, action_hands=hands, tokens=[5, 1, 0, 0], victory_cards=[0, 1])
    assert offered(game, "steal_card") == [{"seat": 2}]
    assert offered(game, "steal_tokens") == [{"seat": 1}]


def test_no_action_card_to_draw() -> None:
    """R4.10 R5.13 Stack and discard empty: none can be bought."""
    game = at(action_stack=[], action_discard=[])
    assert "buy_action" not in kinds(game)
    with pytest.raises(IllegalAction, match="no card to draw"):
        game.play({"kind": "buy_action"})


def test_an_empty_stack_over_a_discard_is_something_to_draw() -> None:
    """R4.10 R5.13"""
    assert "buy_action" in kinds(at(action_stack=[], action_discard=["tax"]))
    assert "buy_action" in kinds(at(action_stack=["tax"], action_discard=[]))


def test_no_design_to_draw() -> None:
    """R4.10 Not bought, not exchanged, not by a card."""
    game = at(action_hands=[["get_design"]], design_hands=[["seed"]], design_stack=[])
    assert not kinds(game) & {"buy_design", "exchange", "get_design"}


def test_an_empty_bank_gives_nothing() -> None:
    """R4.10 Collect three and gain tokens are not offered; one token is enough for both."""
    hand = ["collect_three", "gain_tokens"]
    assert not kinds(at(action_hands=[hand], tokens=[40, 8])) & set(hand)
    assert set(hand) <= kinds(at(action_hands=[hand], tokens=[40, 7]))


def test_tax_is_offered_even_when_nobody_can_pay() -> None:
    """R4.10"""
    game = at(3, action_hands=[["tax"]], tokens=[5, 0, 0])
    before = game.to_dict()
    state = do(game, "tax")
    assert state["tokens"] == [5, 0, 0]
    assert state["bank"] == before["bank"]
    assert state["action_discard"] == ["tax"]


def test_preset_and_roll_again_whatever_bank_and_stacks_hold() -> None:
    """R4.10"""
    empty: dict[str, Any] = {"tokens": [40, 8], "action_stack": [], "action_discard": []}
    assert len(offered(at(phase="roll", action_hands=[["preset"]], **empty), "preset")) == 6
    assert "roll_again" in kinds(at(action_hands=[["roll_again"]], **empty))


def test_nothing_else_is_held_back() -> None:
    """R4.10 A walk in vain, a jump next door, all six numbers of gain tokens, more than the bank has."""
    game = at(action_hands=[["gain_tokens", "move"]], tokens=[40, 7], number=2)
    assert [action["number"] for action in offered(game, "gain_tokens")] == [1, 2, 3, 4, 5, 6]
    assert squares(game, "jump") == [1, 7, 13]
    assert len(squares(game, "move_card")) == 14


def test_an_illegal_action_changes_nothing() -> None:
    """R4.10 The game is as it was."""
    game = at(tokens=[1, 5])
    before = game.to_dict()
    for action in (
        {"kind": "buy_action"},
        {"kind": "jump", "square": 3},
        {"kind": "tax"},
        {"kind": "end_turn"},
    ):
        with pytest.raises(IllegalAction):
            game.play(action)
    assert game.to_dict() == before
