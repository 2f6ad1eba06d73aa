"""Section 9: every number of the rules is a setting."""

from collections import Counter

import pytest

from ettana_env import Game, Rules, RulesError
from tests.positions import BASE, CARDS, SELVEDGE, at, do, fated, kinds, offered, placing


def dealt(rules: Rules, players: int = 2) -> Game:
    """A game with its pins placed and its cards dealt."""
    game = Game(rules, players, seed=1)
    while game.phase == "place":
        game.play(game.legal_indices()[0])
    return game


def test_the_base_game() -> None:
    """R1.5 R1.8 R2.6 R4.4 R4.5 R4.6 R5.4 R5.8 R7.1 R7.2"""
    settings = BASE.to_dict()
    assert settings["points_to_win"] == 8
    assert settings["tokens"] == {"total": 48, "start": 2}
    assert settings["start_cards"] == {"design": 1, "action": 1}
    assert settings["prices"] == {"action": 2, "swap": 3, "design": 3}
    assert settings["steal_tokens_max"] == 2
    assert settings["collect_three_gives"] == 3
    assert settings["action_cards"] == dict.fromkeys(CARDS, 3)
    assert (settings["max_turns"], settings["max_actions"]) == (1000, 20_000)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players(players: int) -> None:
    """R1.7"""
    assert dealt(BASE, players).to_dict()["tokens"] == [2] * players


@pytest.mark.parametrize("target", [1, 2, 3])
def test_points_to_win(target: int) -> None:
    """R7.1 A victory point more makes the target; one less does not."""
    for held in range(target):
        game = at(rules=BASE.but(points_to_win=target), top_cards=["victory_point"], victory_cards=[held, 0])
        state = do(game, "buy_action")
        assert (state["winner"] == 0) == (held + 1 == target)


def test_a_higher_target() -> None:
    """R7.1 With 9 to win, 8 points are not enough."""
    claimed = [["meander", "elephant"]]
    rules = BASE.but(points_to_win=9)
    game = at(rules=rules, yarns=SELVEDGE, design_hands=[["selvedge"]], claimed=claimed, victory_cards=[1, 0])
    state = do(game, "claim", design="selvedge")
    assert (state["points"][0], state["winner"]) == (8, None)


@pytest.mark.parametrize(("total", "start"), [(48, 2), (20, 0), (60, 9), (8, 4)])
def test_tokens(total: int, start: int) -> None:
    """R1.5 R2.6"""
    state = dealt(BASE.but(tokens={"total": total, "start": start})).to_dict()
    assert state["tokens"] == [start, start]
    assert state["bank"] == total - 2 * start


def test_more_tokens_than_there_are_cannot_be_dealt() -> None:
    """R2.6 5 each are enough for two, not for three."""
    rules = BASE.but(tokens={"total": 10, "start": 5})
    assert dealt(rules).to_dict()["bank"] == 0
    with pytest.raises(RulesError, match=r"tokens\.start must be at most 3 for 3 players"):
        Game(rules, players=3)
    with pytest.raises(RulesError, match=r"tokens\.start"):
        BASE.but(tokens={"total": 9, "start": 5})


@pytest.mark.parametrize(("designs", "actions"), [(0, 0), (1, 3), (4, 0), (5, 2)])
def test_start_cards(designs: int, actions: int) -> None:
    """R2.6"""
    rules = BASE.but(start_cards={"design": designs, "action": actions})
    state = dealt(rules, players=3).to_dict()
    assert [len(hand) for hand in state["design_hands"]] == [designs] * 3
    dealt_cards = [len(state["action_hands"][seat]) + state["victory_cards"][seat] for seat in range(3)]
    assert dealt_cards == [actions] * 3
    assert (len(state["design_stack"]), len(state["action_stack"])) == (36 - 3 * designs, 36 - 3 * actions)


@pytest.mark.parametrize(
    ("kind", "setting"), [("buy_action", "action"), ("buy_swap", "swap"), ("buy_design", "design")]
)
@pytest.mark.parametrize("price", [0, 1, 6])
def test_prices(kind: str, setting: str, price: int) -> None:
    """R4.4 R4.5 R4.6 Each price by itself; the other two stay."""
    rules = BASE.but(prices={setting: price})
    game = at(rules=rules, tokens=[price, 5])
    assert kind in kinds(game)
    state = do(game, kind, **({"a": 0, "b": 1} if kind == "buy_swap" else {}))
    assert state["tokens"] == [0, 5]
    assert state["bank"] == 43
    if price:
        assert kind not in kinds(at(rules=rules, tokens=[price - 1, 5]))
    usual = {"buy_action": 2, "buy_swap": 3, "buy_design": 3}
    for other in set(usual) - {kind}:
        assert other in kinds(at(rules=rules, tokens=[usual[other], 5]))
        assert other not in kinds(at(rules=rules, tokens=[usual[other] - 1, 5]))


@pytest.mark.parametrize(("most", "purse", "stolen"), [(1, 5, 1), (4, 5, 4), (4, 3, 3), (9, 5, 5)])
def test_steal_tokens_max(most: int, purse: int, stolen: int) -> None:
    """R5.4"""
    rules = BASE.but(steal_tokens_max=most)
    state = do(at(rules=rules, action_hands=[["steal_tokens"]], tokens=[5, purse]), "steal_tokens", seat=1)
    assert state["tokens"] == [5 + stolen, purse - stolen]


@pytest.mark.parametrize(("gives", "bank", "gained"), [(1, 30, 1), (7, 30, 7), (7, 4, 4)])
def test_collect_three_gives(gives: int, bank: int, gained: int) -> None:
    """R5.8"""
    rules = BASE.but(collect_three_gives=gives)
    state = do(at(rules=rules, action_hands=[["collect_three"]], tokens=[5, 43 - bank]), "collect_three")
    assert state["tokens"][0] == 5 + gained


@pytest.mark.parametrize("kind", CARDS)
@pytest.mark.parametrize("count", [0, 7])
def test_action_cards(kind: str, count: int) -> None:
    """R1.8 How many of each kind there are."""
    stack = Game(BASE.but(action_cards={kind: count}), players=2, seed=1).to_dict()["action_stack"]
    expected = {**dict.fromkeys(CARDS, 3), kind: count}
    assert Counter(stack) == {name: number for name, number in expected.items() if number}


def test_a_game_without_action_cards() -> None:
    """R1.8 R5.13 None is dealt, none can be bought, and black draws nothing."""
    rules = BASE.but(action_cards=dict.fromkeys(CARDS, 0), start_cards={"action": 0})
    game = fated(dealt(rules), number=3, colour="black")
    state = do(game, "roll")
    assert state["action_hands"] == [[], []]
    assert "buy_action" not in kinds(game)


def test_the_design_deck() -> None:
    """R1.9 Any deck can be played with, and its points are what it says."""
    designs = [
        {"name": "dot", "points": 5, "pattern": ["a"]},
        {"name": "pair", "points": 2, "pattern": ["ab"]},
    ]
    rules = BASE.but(designs=designs)
    game = dealt(rules)
    assert game.to_dict()["design_stack"] == []
    state = do(at(rules=rules, design_hands=[["dot"]]), "claim", design="dot")
    assert state["points"] == [5, 0]


def test_too_few_designs_for_the_players() -> None:
    """R1.9 R2.6"""
    designs = [
        {"name": "dot", "points": 5, "pattern": ["a"]},
        {"name": "pair", "points": 2, "pattern": ["ab"]},
    ]
    with pytest.raises(RulesError, match=r"start_cards\.design must be at most 0 for 3 players"):
        Game(BASE.but(designs=designs), players=3)


@pytest.mark.parametrize("limit", [1, 4, 5])
def test_max_turns(limit: int) -> None:
    """R7.2 The game is truncated with the turn that makes the limit."""
    rules = BASE.but(max_turns=limit)
    state = do(at(rules=rules, moved=True, turn=limit - 1), "end_turn")
    assert (state["truncated"], state["phase"]) == (True, "over")
    if limit > 1:
        state = do(at(rules=rules, moved=True, turn=limit - 2), "end_turn")
        assert (state["truncated"], state["phase"]) == (False, "roll")


@pytest.mark.parametrize("limit", [21, 22])
def test_max_actions(limit: int) -> None:
    """R7.2 20 actions are taken, one more is the 21st."""
    state = do(at(rules=BASE.but(max_actions=limit), actions=20), "buy_action")
    assert state["truncated"] == (limit == 21)


@pytest.mark.parametrize("limit", ["max_turns", "max_actions"])
@pytest.mark.parametrize("value", [0, -1, 2.5, True, "none"])
def test_a_limit_is_a_number_or_none(limit: str, value: object) -> None:
    """R7.2"""
    with pytest.raises(RulesError, match=f"{limit} must be a whole number from 1"):
        BASE.but(**{limit: value})


def test_settings_left_out_keep_their_defaults() -> None:
    """R4.4 R4.5 R4.6 A changed price changes no other."""
    rules = Rules(prices={"swap": 1})
    assert rules.to_dict()["prices"] == {"action": 2, "swap": 1, "design": 3}
    assert rules.but(prices={"action": 5}).to_dict()["prices"] == {"action": 5, "swap": 1, "design": 3}


def test_a_low_target_and_many_start_cards() -> None:
    """R7.1 R2.6 Two victory points in a hand of three make a target of 2; the third card stays where it is."""
    rules = BASE.but(points_to_win=2, start_cards={"action": 3})
    cards = ["tax", "victory_point", "victory_point"]
    game = Game.from_dict(placing(2, rules, pins=[5], roll=1, top_cards=cards), rules)
    state = do(game, "place", square=0)
    assert (state["winner"], state["points"], state["phase"]) == (0, [2, 0], "over")
    assert state["action_stack"][-1] == "tax"
    assert offered(game, "roll") == []
