"""Section 8: what a player may know."""

import numpy as np
import pytest

from ettana_env import EttanaError, Game
from tests.positions import at, do, position

HIDDEN = ("action_hands", "design_hands", "action_stack", "design_stack")


def middle_of_a_game() -> Game:
    """Three players with cards, points, and a bit of everything on the table."""
    return at(
        3,
        action_hands=[["move", "tax"], ["swap"], ["preset", "preset", "roll_again"]],
        design_hands=[["seed"], ["lotus", "rake"], []],
        claimed=[["cross"], [], ["ring"]],
        victory_cards=[0, 1, 0],
        tokens=[5, 0, 9],
        moved=True,
    )


def shuffled_stacks(seed: int) -> Game:
    return Game(players=3, seed=seed)


@pytest.mark.parametrize("seat", range(3))
def test_all_see_what_is_public(seat: int) -> None:
    """R8.1 Board, tiles, pins, reserves, tokens, bank, dice, turn, points, claims, victory cards, discard."""
    game = middle_of_a_game()
    state, view = game.to_dict(), game.view(seat)
    assert set(view) == set(state)
    for key in set(state) - set(HIDDEN):
        assert view[key] == state[key]


@pytest.mark.parametrize("seat", range(3))
def test_all_see_how_many_cards_there_are(seat: int) -> None:
    """R8.1 In every hand and stack."""
    game = middle_of_a_game()
    state, view = game.to_dict(), game.view(seat)
    assert [len(hand) for hand in view["action_hands"]] == [2, 1, 3]
    assert [len(hand) for hand in view["design_hands"]] == [1, 2, 0]
    assert len(view["action_stack"]) == len(state["action_stack"]) == 36 - 6 - 1
    assert len(view["design_stack"]) == len(state["design_stack"]) == 36 - 3 - 2


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_sees_its_own_hand_only(seat: int) -> None:
    """R8.2"""
    game = middle_of_a_game()
    state, view = game.to_dict(), game.view(seat)
    for key in ("action_hands", "design_hands"):
        for other in range(3):
            expected = state[key][seat] if other == seat else [None] * len(state[key][other])
            assert view[key][other] == expected


@pytest.mark.parametrize("seat", range(3))
def test_nobody_sees_into_the_stacks(seat: int) -> None:
    """R8.3"""
    view = middle_of_a_game().view(seat)
    assert set(view["action_stack"]) == set(view["design_stack"]) == {None}


@pytest.mark.parametrize("seat", range(3))
def test_a_view_does_not_depend_on_what_is_hidden(seat: int) -> None:
    """R8.2 R8.3 Other cards in the other hands, another order of the stacks: the same view."""
    before = position(3, action_hands=[["move"], ["swap"], ["tax"]], design_hands=[["seed"], ["lotus"], ["rake"]])
    others = [other for other in range(3) if other != seat]
    after = {key: list(value) if isinstance(value, list) else value for key, value in before.items()}
    for key in ("action_hands", "design_hands"):
        after[key][others[0]], after[key][others[1]] = before[key][others[1]], before[key][others[0]]
    after["action_stack"].reverse()
    after["design_stack"].reverse()
    assert Game.from_dict(before).view(seat) == Game.from_dict(after).view(seat)


def test_there_is_no_view_of_a_seat_that_does_not_play() -> None:
    """R8.2"""
    for seat in (-1, 3, 4):
        with pytest.raises(EttanaError, match="a seat must be from 0 to 2"):
            middle_of_a_game().view(seat)


@pytest.mark.parametrize("seat", range(3))
def test_a_game_a_seat_may_take_this_one_for(seat: int) -> None:
    """R8.1 R8.2 R8.3 Dealing the hidden cards anew leaves the view as it is and, in the end, nothing else."""
    game = middle_of_a_game()
    rng = np.random.default_rng(3)
    hands, tops = set(), set()
    for _ in range(40):
        other = game.determinize(seat, rng)
        assert other.view(seat) == game.view(seat)
        state = other.to_dict()
        assert Game.from_dict(state).to_dict() == state, "a state of the game, with all its cards"
        hands.add(str([state["action_hands"], state["design_hands"]]))
        tops.add((state["action_stack"][-1], state["design_stack"][-1]))
    assert len(hands) > 20
    assert len(tops) > 20


def test_nobody_knows_the_chance_to_come() -> None:
    """R8.3 Two games taken for this one roll different dice."""
    game, rng = at(phase="roll"), np.random.default_rng(4)
    rolls = {str(do(game.determinize(0, rng), "roll")["dice"]) for _ in range(40)}
    assert len(rolls) > 10


def test_what_went_under_the_stack_was_seen_by_its_owner() -> None:
    """R8.3 R4.7 Everyone sees that a design was exchanged; which one is in nobody's view."""
    game = at(design_hands=[["seed"], ["rake"]], top_designs=["lotus"])
    do(game, "exchange", design="seed")
    assert game.to_dict()["design_stack"][0] == "seed"
    for seat in (0, 1):
        assert game.view(seat)["design_stack"] == [None] * 34
    assert game.view(0)["design_hands"] == [["lotus"], [None]]
    assert game.view(1)["design_hands"] == [[None], ["rake"]]


def test_a_stolen_card_is_seen_by_the_thief() -> None:
    """R8.2 R5.3"""
    game = at(action_hands=[["steal_card"], ["tax"]])
    do(game, "steal_card", seat=1)
    assert game.view(0)["action_hands"] == [["tax"], []]
    assert game.view(1)["action_hands"] == [[None], []]
    assert game.view(1)["action_discard"] == ["steal_card"]


def test_the_first_view_of_a_game() -> None:
    """R8.1 R8.3 Before the deal there is nothing private but the stacks."""
    game = shuffled_stacks(1)
    assert game.view(0) == game.view(2)
    assert game.view(0)["action_stack"] == [None] * 36
