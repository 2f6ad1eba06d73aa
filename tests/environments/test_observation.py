"""The observation: every number where the layout says, nothing lost, nothing leaked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ettana_env import Rules
from ettana_env.engine.observe import SLOTS
from ettana_env.observation import decode, decode_state, layout, observe, observe_all, state_layout
from tests.hiding import reshuffled
from tests.playing import VARIANTS, mixture, played, rules_of

VARIANT_NAMES = sorted(set(VARIANTS) - {"won at the deal", "one action"})


def test_the_parts_follow_one_another() -> None:
    for parts in (layout(Rules()), state_layout(Rules())):
        end = 0
        for part in parts.values():
            assert part.slice == slice(end, end + part.size)
            end += part.size
        assert end == parts.size == parts.space().shape[0]


def test_the_size_depends_on_rim_squares_alone() -> None:
    base = layout(Rules())
    for variant in VARIANT_NAMES:
        rules = rules_of(variant)
        assert (layout(rules).size == base.size) == (not rules.rim_squares)
    assert {name: part.shape for name, part in layout(rules_of("one design")).items()} == {
        name: part.shape for name, part in base.items()
    }


def test_a_part_of_many_vectors() -> None:
    yarns = layout(Rules())["yarns"]
    vectors = np.zeros((7, layout(Rules()).size), np.float32)
    assert yarns.of(vectors).shape == (7, 25, 5)
    assert yarns.of(vectors[0]).shape == (25, 5)
    assert np.shares_memory(yarns.of(vectors), vectors)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    variant=st.sampled_from(VARIANT_NAMES),
    players=st.integers(2, 4),
    seed=st.integers(0, 2**62),
    steps=st.integers(0, 150),
)
def test_nothing_is_lost(variant: str, players: int, seed: int, steps: int) -> None:
    """R8.1, R8.2: from the vector back to the view; from the whole truth back to the state."""
    rules = rules_of(variant)
    game = played(rules, players, seed, steps, seed % 97)
    space = layout(rules).space()
    for seat in range(players):
        vector = observe(game, seat)
        assert space.contains(vector)
        assert decode(rules, vector) == game.view(seat)
    truth = observe_all(game)
    assert state_layout(rules).space().contains(truth)
    assert decode_state(rules, truth) == game.to_dict()


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_lost_under_mixed_rules(seed: int) -> None:
    game = played(mixture(seed), 2 + seed % 3, seed, 60, seed)
    for seat in range(game.players):
        assert decode(game.rules, observe(game, seat)) == game.view(seat)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    variant=st.sampled_from(VARIANT_NAMES),
    players=st.integers(2, 4),
    seed=st.integers(0, 2**62),
    steps=st.integers(4, 150),
)
def test_what_is_hidden_stays_hidden(variant: str, players: int, seed: int, steps: int) -> None:
    """R8.2, R8.3: an observation does not change when what the seat cannot know is dealt anew."""
    game = played(rules_of(variant), players, seed, steps, seed % 89)
    if game.phase == "place":
        return
    for seat in range(players):
        other = reshuffled(game, seat, seed)
        assert other.view(seat) == game.view(seat)
        assert np.array_equal(observe(other, seat), observe(game, seat))


def test_the_own_seat_comes_first() -> None:
    game = played(Rules(), 3, 5, 60, 1)
    parts = layout(game.rules)
    for seat in range(3):
        vector = observe(game, seat)
        tokens = [round(float(value) * 10) for value in parts["tokens"].of(vector)]
        in_turn = [int(game.record.tokens[(seat + i) % 3]) for i in range(3)]
        assert tokens == [*in_turn, 0]
        assert parts["seats"].of(vector).tolist() == [1, 1, 1, 0]
        assert parts["to_act"].of(vector).argmax() == (game.player - seat) % 3


def test_slots_show_the_patterns_of_the_hand() -> None:
    rules = Rules(start_cards={"design": SLOTS + 2})
    game = played(rules, 2, 3, 2, 1)
    vector = observe(game, 0)
    slots = layout(rules)["slots"].of(vector)
    names = game.view(0)["design_hands"][0]
    assert len(names) == SLOTS + 2
    by_name = {design.name: design for design in rules.designs}
    for slot, name in zip(slots, names, strict=False):
        design = by_name[name]
        assert slot[0] == 1
        assert slot[1] == np.float32(design.points / rules.points_to_win)
        pattern = slot[2:].reshape(5, 5, 5)
        cells = {(row, column, design.groups[group]) for group, row, column in np.argwhere(pattern)}
        assert cells == design.cells
    assert layout(rules)["held"].of(vector).sum() == SLOTS + 2


def test_unseen_cards_are_those_in_the_stack_and_other_hands() -> None:
    game = played(Rules(), 4, 8, 120, 2)
    state = game.to_dict()
    seen = layout(game.rules)["unseen_actions"].of(observe(game, 1))
    hidden = state["action_stack"] + [card for seat in (0, 2, 3) for card in state["action_hands"][seat]]
    for kind, share in zip(game.rules.action_cards.model_dump(), seen, strict=True):
        assert round(float(share) * 3) == hidden.count(kind)


def test_the_table_names_every_part() -> None:
    table = layout(Rules()).table()
    assert all(f"`{name}`" in table for name in layout(Rules()))
