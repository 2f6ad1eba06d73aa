"""Section 5: the action cards."""

from collections import Counter

import pytest

from ettana_env import Game, IllegalAction
from tests.positions import CARDS, at, do, fated, gains, kinds, loom, offered, position, squares

# Square 0 touches three green yarns, square 15 two.
GREENS = loom("ggybp", "grpyr", "pyrby", "rybgb", "bppbg")


# --- R5.2: swap (R5.1, the move card, is in test_moves) ---


def test_swap_card() -> None:
    """R5.2 Any two yarns, for nothing."""
    game = at(action_hands=[["swap"]], tokens=[0, 5])
    assert len(offered(game, "swap_card")) == 250
    state = do(game, "swap_card", a=4, b=12)
    assert (state["yarns"][4], state["yarns"][12]) == ("red", "purple")
    assert state["tokens"] == [0, 5]
    assert state["action_discard"] == ["swap"]


# --- R5.3: steal card ---


def test_steal_card() -> None:
    """R5.3 R8.2 From one chosen opponent; the card played is discarded, the stolen one joins the hand."""
    game = fated(at(3, action_hands=[["steal_card"], ["move"], ["swap", "tax"]]), stolen="tax")
    assert offered(game, "steal_card") == [{"seat": 1}, {"seat": 2}]
    state = do(game, "steal_card", seat=2)
    assert state["action_hands"] == [["tax"], ["move"], ["swap"]]
    assert state["action_discard"] == ["steal_card"]


def test_each_card_is_equally_likely_to_be_stolen() -> None:
    """R5.3 Of three swaps and a tax, a swap is taken three times in four."""
    state = position(action_hands=[["steal_card"], ["swap", "swap", "swap", "tax"]])
    taken = Counter(
        do(Game.from_dict(state, seed=seed), "steal_card", seat=1)["action_hands"][0][0] for seed in range(600)
    )
    assert set(taken) == {"swap", "tax"}
    assert 400 < taken["swap"] < 500


def test_every_card_of_a_full_hand_can_be_stolen() -> None:
    """R5.3"""
    hand = [kind for kind in CARDS if kind != "victory_point"]
    state = position(action_hands=[["steal_card"], hand])
    taken = {do(Game.from_dict(state, seed=seed), "steal_card", seat=1)["action_hands"][0][0] for seed in range(200)}
    assert taken == set(hand)


def test_nobody_steals_from_themselves() -> None:
    """R5.3 R5.4"""
    game = at(player=1, action_hands=[["tax"], ["steal_card", "steal_tokens", "tax"]])
    assert offered(game, "steal_card") == offered(game, "steal_tokens") == [{"seat": 0}]
    for kind in ("steal_card", "steal_tokens"):
        with pytest.raises(IllegalAction, match="other players"):
            game.play({"kind": kind, "seat": 1})


# --- R5.4: steal tokens ---


@pytest.mark.parametrize(("purse", "stolen"), [(1, 1), (2, 2), (3, 2), (9, 2)])
def test_steal_tokens(purse: int, stolen: int) -> None:
    """R5.4 Two, or the one they have."""
    state = do(at(3, action_hands=[["steal_tokens"]], tokens=[5, 4, purse]), "steal_tokens", seat=2)
    assert state["tokens"] == [5 + stolen, 4, purse - stolen]
    assert state["action_discard"] == ["steal_tokens"]


# --- R5.5: replace ---


def test_replace_a_yarn() -> None:
    """R5.5 The yarn that leaves joins the reserve, which is kept in the order of the colours."""
    state = do(at(action_hands=[["replace"]]), "replace_yarn", octagon=0, colour="purple")
    assert state["yarns"][0] == "purple"
    assert state["reserve_yarns"] == ["green", "green", "red", "yellow", "blue"]
    assert state["action_discard"] == ["replace"]


def test_a_yarn_comes_from_the_reserve() -> None:
    """R5.5 After the last purple was used there is none to take."""
    game = at(action_hands=[["replace", "replace"]])
    do(game, "replace_yarn", octagon=0, colour="purple")
    assert {action["colour"] for action in offered(game, "replace_yarn")} == {
        "green",
        "red",
        "yellow",
        "blue",
    }
    with pytest.raises(IllegalAction, match="not in the reserve"):
        game.play({"kind": "replace_yarn", "octagon": 1, "colour": "purple"})
    assert do(game, "replace_yarn", octagon=1, colour="green")["yarns"][:2] == ["purple", "green"]


@pytest.mark.parametrize(("number", "reserve"), [(5, [2, 6]), (6, [5, 2])])
def test_replace_a_tile(number: int, reserve: list[int]) -> None:
    """R5.5 The tile that leaves takes the place of the one used."""
    state = do(at(action_hands=[["replace"]]), "replace_tile", square=1, number=number)
    assert state["tiles"][1] == number
    assert state["reserve_tiles"] == reserve


def test_a_tile_under_a_pin_is_not_replaced() -> None:
    """R5.5 No player's, not even one's own."""
    game = at(3, action_hands=[["replace"]])
    assert squares(game, "replace_tile") == [square for square in range(16) if square not in (0, 15, 3)]
    with pytest.raises(IllegalAction, match="pin on square 0"):
        game.play({"kind": "replace_tile", "square": 0, "number": 5})


def test_a_tile_comes_from_the_reserve() -> None:
    """R5.5"""
    with pytest.raises(IllegalAction, match="the tile reserve has 5 and 6, not 1"):
        at(action_hands=[["replace"]]).play({"kind": "replace_tile", "square": 1, "number": 1})


def test_two_equal_tiles_in_the_reserve() -> None:
    """R5.5 They are one choice; the first of them is used."""
    tiles = [1, 2, 3, 4, 6, 6, 1, 2, 3, 4, 6, 5, 1, 2, 3, 4]
    game = at(action_hands=[["replace"]], tiles=tiles)
    assert game.to_dict()["reserve_tiles"] == [5, 5]
    assert offered(game, "replace_tile").count({"square": 1, "number": 5}) == 1
    assert do(game, "replace_tile", square=1, number=5)["reserve_tiles"] == [2, 5]


def test_a_replaced_tile_counts_at_once() -> None:
    """R5.5 R4.1b Square 1 no longer shows the 2 that was rolled."""
    game = at(action_hands=[["replace"]])
    assert squares(game, "jump") == [1, 7, 13]
    do(game, "replace_tile", square=1, number=5)
    assert squares(game, "jump") == [7, 13]


# --- R5.6: preset is in test_turn; R5.7: get design ---


def test_get_design() -> None:
    """R5.7"""
    state = do(at(action_hands=[["get_design"]], tokens=[0, 5], top_designs=["rake"]), "get_design")
    assert state["design_hands"][0] == ["rake"]
    assert state["tokens"] == [0, 5]
    assert state["action_discard"] == ["get_design"]


# --- R5.8: collect three ---


@pytest.mark.parametrize(("bank", "gained"), [(1, 1), (2, 2), (3, 3), (4, 3), (30, 3)])
def test_collect_three(bank: int, gained: int) -> None:
    """R5.8 Three, or as many as the bank has."""
    state = do(at(action_hands=[["collect_three"]], tokens=[5, 43 - bank]), "collect_three")
    assert state["tokens"] == [5 + gained, 43 - bank]
    assert state["bank"] == bank - gained


# --- R5.9: gain tokens ---


@pytest.mark.parametrize("named", range(1, 7))
@pytest.mark.parametrize("face", range(1, 7))
def test_gain_tokens(named: int, face: int) -> None:
    """R5.9 The number named if the die shows it or more; the turn's roll stays."""
    game = fated(at(action_hands=[["gain_tokens"]], number=2), number=5, gain=face)
    state = do(game, "gain_tokens", number=named)
    assert state["tokens"] == [5 + (named if face >= named else 0), 5]
    assert state["dice"] == {"number": 2, "colour": "black"}
    assert state["action_discard"] == ["gain_tokens"]


@pytest.mark.parametrize(("bank", "gained"), [(1, 1), (3, 3), (4, 4), (9, 4)])
def test_gain_tokens_as_many_as_the_bank_has(bank: int, gained: int) -> None:
    """R5.9"""
    game = fated(at(action_hands=[["gain_tokens"]], tokens=[5, 43 - bank]), gain=6)
    state = do(game, "gain_tokens", number=4)
    assert state["tokens"][0] == 5 + gained
    assert state["bank"] == bank - gained


def test_the_gain_is_rolled_with_a_fair_die() -> None:
    """R5.9 Naming 4 wins half of the time, naming 1 always, naming 6 once in six."""
    state = position(action_hands=[["gain_tokens"]])
    for named, low, high in ((1, 300, 300), (4, 120, 180), (6, 30, 70)):
        games = [Game.from_dict(state, seed=seed) for seed in range(300)]
        won = sum(do(game, "gain_tokens", number=named)["tokens"][0] > 5 for game in games)
        assert low <= won <= high


# --- R5.10: roll again ---


def test_roll_again() -> None:
    """R5.10 Both dice are rolled, and everyone collects again."""
    game = fated(at(yarns=GREENS, action_hands=[["roll_again"]], colour="red"), number=5, colour="green")
    before = game.to_dict()
    state = do(game, "roll_again")
    assert state["dice"] == {"number": 5, "colour": "green"}
    assert gains(before, state) == [3, 2]
    assert (state["phase"], state["player"]) == ("act", 0)
    assert state["action_discard"] == ["roll_again"]


def test_roll_again_for_black_draws() -> None:
    """R5.10 R3.3"""
    game = fated(at(action_hands=[["roll_again"]], top_cards=["tax"]), number=5, colour="black")
    state = do(game, "roll_again")
    assert state["action_hands"] == [["tax"], []]
    assert state["tokens"] == [5, 5]


def test_roll_again_moves_by_the_new_number() -> None:
    """R5.10 R4.1a"""
    game = fated(at(action_hands=[["roll_again"]], number=2), number=1)
    do(game, "roll_again")
    assert squares(game, "step") == [1, 4]


def test_roll_again_twice() -> None:
    """R5.10 Nothing counts as done after it."""
    game = fated(at(action_hands=[["roll_again", "roll_again"]]), number=3, colour="red")
    do(game, "roll_again")
    state = do(game, "roll_again")
    assert state["action_discard"] == ["roll_again", "roll_again"]
    assert not state["acted"]


def test_roll_again_then_exchange() -> None:
    """R5.10 R4.7"""
    game = fated(at(action_hands=[["roll_again"]], design_hands=[["seed"]]), number=3, colour="red")
    do(game, "roll_again")
    state = do(game, "exchange", design="seed")
    assert state["player"] == 1


def test_roll_again_only_if_nothing_is_done_yet() -> None:
    """R5.10 R3.6"""
    game = at(action_hands=[["roll_again", "tax"]])
    do(game, "tax")
    with pytest.raises(IllegalAction, match="nothing is done yet"):
        game.play({"kind": "roll_again"})


def test_no_roll_again_in_a_turn_with_preset() -> None:
    """R5.10"""
    game = at(phase="roll", action_hands=[["preset", "roll_again"]])
    do(game, "preset", colour="red")
    assert "roll_again" not in kinds(game)
    with pytest.raises(IllegalAction, match="preset was played"):
        game.play({"kind": "roll_again"})


def test_no_preset_in_a_turn_with_roll_again() -> None:
    """R5.10 R3.1 Preset comes before the roll only."""
    game = fated(at(action_hands=[["preset", "roll_again"]]), colour="red")
    do(game, "roll_again")
    assert "preset" not in kinds(game)


def test_preset_bars_roll_again_only_in_its_own_turn() -> None:
    """R5.10"""
    game = fated(at(preset=True, moved=True, action_hands=[[], ["roll_again"]]), colour="red")
    do(game, "end_turn")
    do(game, "roll")
    assert "roll_again" in kinds(game)


def test_roll_again_rolls_anew() -> None:
    """R5.10 All outcomes come up, whatever lay there before."""
    state = position(action_hands=[["roll_again"]], number=2)
    dice = [do(Game.from_dict(state, seed=seed), "roll_again")["dice"] for seed in range(100)]
    assert {each["number"] for each in dice} == {1, 2, 3, 4, 5, 6}
    assert len({each["colour"] for each in dice}) == 6


# --- R5.12: tax ---


@pytest.mark.parametrize("player", range(4))
def test_tax(player: int) -> None:
    """R5.12 Every other player who has a token pays 1 to the bank."""
    tokens = [3, 1, 0, 7]
    hands: list[list[str]] = [[], [], [], []]
    hands[player] = ["tax"]
    game = at(4, action_hands=hands, tokens=tokens, player=player)
    state = do(game, "tax")
    expected = [purse if seat == player else max(purse - 1, 0) for seat, purse in enumerate(tokens)]
    assert state["tokens"] == expected
    assert state["bank"] == 48 - sum(expected)
