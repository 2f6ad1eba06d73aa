"""R5.11 and R5.13: drawing action cards: victory points, and stacks that run out."""

from collections import Counter
from typing import Any

from ettana_env import Game
from tests.positions import at, do, fated, kinds, placing, position

# --- R5.11: victory point ---

VICTORY: dict[str, Any] = {"top_cards": ["victory_point"]}


def scored_at_once(state: dict[str, Any]) -> bool:
    return bool(
        state["victory_cards"] == [1, 0]
        and state["points"] == [1, 0]
        and "victory_point" not in state["action_hands"][0] + state["action_discard"]
        and state["action_stack"].count("victory_point") == 2
    )


def test_victory_point_from_the_deal() -> None:
    """R5.11 R2.6"""
    game = fated(Game.from_dict(placing(pins=[5], roll=1, top_cards=["tax", "victory_point"])), starter=0)
    assert scored_at_once(do(game, "place", square=0))


def test_victory_point_from_black() -> None:
    """R5.11 R3.3"""
    assert scored_at_once(do(fated(at(phase="roll", **VICTORY), colour="black"), "roll"))


def test_victory_point_bought() -> None:
    """R5.11 R4.4 It is no use as a card: the hand stays empty."""
    state = do(at(**VICTORY), "buy_action")
    assert scored_at_once(state)
    assert state["action_hands"] == [[], []]
    assert state["tokens"] == [3, 5]


def test_victory_point_from_the_black_of_roll_again() -> None:
    """R5.11 R5.10"""
    game = fated(at(action_hands=[["roll_again"]], **VICTORY), colour="black")
    assert scored_at_once(do(game, "roll_again"))


def test_victory_point_from_preset_black() -> None:
    """R5.11 R3.1"""
    game = fated(at(phase="roll", action_hands=[["preset"]], **VICTORY))
    assert scored_at_once(do(game, "preset", colour="black"))


def test_a_revealed_victory_point_cannot_be_stolen() -> None:
    """R5.11 R5.3"""
    assert "steal_card" not in kinds(at(action_hands=[["steal_card"]], victory_cards=[0, 3]))


def test_a_revealed_victory_point_is_never_shuffled_back() -> None:
    """R5.11 R5.13 The new stack is the discard and nothing else."""
    state = position(action_stack=[], victory_cards=[1, 2])
    for seed in range(20):
        after = do(Game.from_dict(state, seed=seed), "buy_action")
        assert "victory_point" not in after["action_stack"] + after["action_hands"][0]
        assert after["victory_cards"] == [1, 2]
        assert sorted(after["action_stack"] + after["action_hands"][0]) == sorted(state["action_discard"])


# --- R5.13: the stacks run out ---


def test_the_discard_becomes_the_stack_only_when_a_card_must_be_drawn() -> None:
    """R5.13 Taking the last card leaves the discard alone; the next draw shuffles it."""
    game = fated(
        at(action_stack=["swap"], action_discard=["move", "replace", "tax"]),
        reshuffled=["tax", "move", "replace"],
    )
    state = do(game, "buy_action")
    assert state["action_stack"] == []
    assert state["action_discard"] == ["move", "replace", "tax"]
    state = do(game, "buy_action")
    assert state["action_stack"] == ["tax", "move"]
    assert state["action_discard"] == []
    assert state["action_hands"][0] == ["swap", "replace"]


def test_the_new_stack_is_shuffled() -> None:
    """R5.13"""
    state = position(action_stack=[], action_discard=["move", "replace", "tax"])
    drawn = Counter(do(Game.from_dict(state, seed=seed), "buy_action")["action_hands"][0][0] for seed in range(300))
    assert set(drawn) == {"move", "replace", "tax"}
    assert min(drawn.values()) > 65


def test_the_card_just_played_is_shuffled_in() -> None:
    """R5.13 R4.8 Roll again, a black: the new stack has the card that was played."""
    game = at(action_hands=[["roll_again"]], action_stack=[], action_discard=["tax"])
    state = do(fated(game, colour="black", reshuffled=["tax", "roll_again"]), "roll_again")
    assert state["action_hands"][0] == ["roll_again"]
    assert state["action_stack"] == ["tax"]


def test_preset_black_over_an_empty_stack_draws_the_preset() -> None:
    """R5.13 R4.8"""
    game = at(phase="roll", action_hands=[["preset"]], action_stack=[], action_discard=[])
    state = do(fated(game, reshuffled=["preset"]), "preset", colour="black")
    assert state["action_hands"][0] == ["preset"]
    assert state["action_discard"] == state["action_stack"] == []


def test_if_both_are_empty_black_draws_nothing() -> None:
    """R5.13"""
    game = fated(at(phase="roll", action_stack=[], action_discard=[]), colour="black")
    state = do(game, "roll")
    assert state["action_hands"][0] == []
    assert state["phase"] == "act"


def test_the_design_stack_is_never_refilled() -> None:
    """R5.13 Once the last design is drawn there is none, whatever was claimed."""
    game = at(tokens=[9, 5], design_stack=["seed"], claimed=[["cross", "rake"]])
    state = do(game, "buy_design")
    assert state["design_stack"] == []
    assert "buy_design" not in kinds(game)
