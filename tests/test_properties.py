"""What holds in every game, at every step, whatever the rules: checked on games drawn by Hypothesis."""

import copy
import functools
import json
import pickle
import random
from collections import Counter
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ettana_env import Game, IllegalAction, Rules
from ettana_env.vocabulary import COLOURS, KINDS
from tests.playing import VARIANTS, Chooser, Json, content, mixture, played, rules_of

steadily = functools.partial(settings, derandomize=True, deadline=None)

SEEDS = st.integers(0, 2**63 - 1)
RULES = st.one_of(st.sampled_from(sorted(VARIANTS)).map(rules_of), st.integers(0, 400).map(mixture))
PLAYERS = st.integers(2, 4)


@st.composite
def games(draw: st.DrawFn, most: int = 150) -> Game:
    """A game somewhere between its first state and its end."""
    rules, players, seed = draw(RULES), draw(PLAYERS), draw(SEEDS)
    return played(rules, players, seed, draw(st.integers(0, most)), draw(SEEDS))


def exact(value: Any) -> str:
    """JSON text: equal only if the types are, too."""
    return json.dumps(value, sort_keys=True)


# --- What is conserved, at each step ---


def check_conserved(rules: Rules, state: Json) -> None:
    assert state["bank"] + sum(state["tokens"]) == rules.tokens.total
    assert min([state["bank"], *state["tokens"]]) >= 0
    assert Counter([*state["yarns"], *state["reserve_yarns"]]) == dict.fromkeys(COLOURS, 6)
    tiles = [*state["tiles"], *state["reserve_tiles"]]
    assert Counter(number for number in tiles if number is not None) == dict.fromkeys(range(1, 7), 3)
    out_of_stack = [*state["action_discard"], *chain.from_iterable(state["action_hands"])]
    assert "victory_point" not in out_of_stack
    cards = Counter([*state["action_stack"], *out_of_stack])
    cards["victory_point"] += sum(state["victory_cards"])
    assert [cards[kind] for kind in KINDS] == list(rules.action_cards.counts)
    designs = [*state["design_stack"], *chain(*state["design_hands"], *state["claimed"])]
    assert sorted(designs) == sorted(design.name for design in rules.designs)
    worth = {design.name: design.points for design in rules.designs}
    for seat in range(state["players"]):
        claimed = sum(worth[name] for name in state["claimed"][seat])
        assert state["points"][seat] == claimed + state["victory_cards"][seat]
    pins = [pin for pin in state["pins"] if pin is not None]
    assert len(set(pins)) == len(pins)


def check_loom(game: Game) -> None:
    """The loom by colour says what the yarns by octagon say."""
    octagons = [sum(1 << o for o in range(25) if game.record.yarns[o] == c) for c in range(len(COLOURS))]
    assert [int(bits) for bits in game.record.loom] == octagons


@steadily(max_examples=40)
@given(RULES, PLAYERS, SEEDS, SEEDS)
def test_everything_is_conserved(rules: Rules, players: int, seed: int, chooser: int) -> None:
    game, choose = Game(rules, players, seed), Chooser(chooser)
    for step in range(1, 151):
        check_conserved(rules, game.to_dict())
        check_loom(game)
        if game.over:
            break
        game.play(choose(game))
        assert game.record.actions == step
    assert game.over == (game.winner is not None or game.truncated)


# --- Legal actions ---


@steadily(max_examples=30)
@given(games())
def test_the_legal_actions_are_those_that_can_be_played(game: Game) -> None:
    legal = game.legal_indices()
    assert legal == sorted(set(legal))
    assert np.flatnonzero(game.mask()).tolist() == legal
    before = exact(game.to_dict())
    accepted = []
    for index in range(len(game.actions)):
        try:
            game.copy().play(index)
        except IllegalAction:
            continue
        accepted.append(index)
    assert accepted == legal
    assert exact(game.to_dict()) == before
    assert bool(legal) != game.over


@steadily(max_examples=60)
@given(games())
def test_an_illegal_action_changes_nothing(game: Game) -> None:
    before = content(game.record)
    illegal = np.flatnonzero(~game.mask())
    for index in [*illegal[:: max(1, len(illegal) // 40)].tolist(), -1, len(game.actions)]:
        with pytest.raises(IllegalAction):
            game.play(index)
    assert content(game.record) == before


@steadily(max_examples=60)
@given(games())
def test_an_index_and_its_json_name_one_action(game: Game) -> None:
    legal = game.legal_indices()
    actions = [game.action_of(index) for index in legal]
    assert game.legal_actions() == actions
    assert len({exact(action) for action in actions}) == len(actions)
    for index, action in zip(legal, actions, strict=True):
        assert game.index_of(action) == index
        assert game.index_of(json.loads(exact(action))) == index
    for index in legal[:: max(1, len(legal) // 8)]:
        by_index, by_json = game.copy(), game.copy()
        by_index.play(index)
        by_json.play(game.action_of(index))
        assert content(by_index.record) == content(by_json.record)


# --- States as JSON ---


@steadily(max_examples=120)
@given(games())
def test_a_state_read_back_is_the_same(game: Game) -> None:
    state = game.to_dict()
    again = Game.from_dict(json.loads(json.dumps(state)), game.rules, seed=1)
    assert exact(again.to_dict()) == exact(state)
    assert again.legal_actions() == game.legal_actions()
    assert again.legal_indices() == game.legal_indices()
    assert [exact(again.view(seat)) for seat in range(game.players)] == [
        exact(game.view(seat)) for seat in range(game.players)
    ]
    check_loom(again)


# --- Copies and seeds ---


def trace(game: Game, chooser: int, steps: int) -> list[str]:
    """The states of a game played on."""
    choose, states = Chooser(chooser), [exact(game.to_dict())]
    for _ in range(steps):
        if game.over:
            break
        game.play(choose(game))
        states.append(exact(game.to_dict()))
    return states


@steadily(max_examples=30)
@given(games(), SEEDS)
def test_a_copy_goes_on_like_the_original(game: Game, chooser: int) -> None:
    copies = [game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    before = exact(game.to_dict())
    traces = [trace(each, chooser, 30) for each in copies]
    assert exact(game.to_dict()) == before
    assert traces[0][0] == before
    traces.append(trace(game, chooser, 30))
    assert all(each == traces[0] for each in traces)
    assert {each.seed for each in copies} == {game.seed}


@steadily(max_examples=30)
@given(RULES, PLAYERS, SEEDS, SEEDS)
def test_one_seed_and_the_same_actions_give_one_game(rules: Rules, players: int, seed: int, chooser: int) -> None:
    one, other = Game(rules, players, seed), Game(Rules.from_dict(rules.to_dict()), players, seed)
    assert trace(one, chooser, 80) == trace(other, chooser, 80)
    assert content(one.record) == content(other.record)


# --- What a seat cannot know ---


def with_other_secrets(rules: Rules, state: Json, seat: int, shuffle: random.Random) -> Json:
    """The state with all cards that `seat` cannot see dealt anew, victory points to the stack only."""
    state = copy.deepcopy(state)
    others = [other for other in range(state["players"]) if other != seat]
    unseen = [*state["action_stack"], *(card for other in others for card in state["action_hands"][other])]
    shuffle.shuffle(unseen)
    points = [card for card in unseen if card == "victory_point"]
    unseen = [card for card in unseen if card != "victory_point"]
    for other in others:
        size = len(state["action_hands"][other])
        hand, unseen = unseen[:size], unseen[size:]
        state["action_hands"][other] = sorted(hand, key=KINDS.index)
    state["action_stack"] = shuffle.sample([*unseen, *points], len(unseen) + len(points))
    designs = [*state["design_stack"], *(name for other in others for name in state["design_hands"][other])]
    shuffle.shuffle(designs)
    deck = [design.name for design in rules.designs]
    for other in others:
        size = len(state["design_hands"][other])
        hand, designs = designs[:size], designs[size:]
        state["design_hands"][other] = sorted(hand, key=deck.index)
    state["design_stack"] = designs
    return state


@steadily(max_examples=120)
@given(games(), SEEDS)
def test_a_view_leaks_nothing(game: Game, shuffle: int) -> None:
    for seat in range(game.players):
        secrets = with_other_secrets(game.rules, game.to_dict(), seat, random.Random(shuffle))
        other = Game.from_dict(secrets, game.rules, seed=0)
        view = game.view(seat)
        assert exact(other.view(seat)) == exact(view)
        state = game.to_dict()
        assert set(view) == set(state)
        for key in ("action_stack", "design_stack"):
            assert view[key] == [None] * len(state[key])
        for key in ("action_hands", "design_hands"):
            for holder in range(game.players):
                hand = state[key][holder]
                assert view[key][holder] == (hand if holder == seat else [None] * len(hand))
                view[key][holder] = hand
        view["action_stack"], view["design_stack"] = state["action_stack"], state["design_stack"]
        assert exact(view) == exact(state)  # all the rest is public
        if seat == game.player:  # and what a player may do depends on what they know alone
            assert other.legal_actions() == game.legal_actions()


@steadily(max_examples=35)
@given(games(), SEEDS)
def test_a_draw_of_the_hidden_cards_fits_the_view(game: Game, key: int) -> None:
    before = content(game.record)
    for seat in range(game.players):
        drawn = game.determinize(seat, np.random.default_rng(key))
        assert exact(drawn.view(seat)) == exact(game.view(seat))
        assert drawn.seed is None
        assert exact(Game.from_dict(drawn.to_dict(), game.rules, seed=0).to_dict()) == exact(drawn.to_dict())
        check_conserved(game.rules, drawn.to_dict())
        check_loom(drawn)
        again = game.determinize(seat, np.random.default_rng(key))
        assert trace(drawn, key, 12) == trace(again, key, 12)
    assert content(game.record) == before


@steadily(max_examples=60)
@given(games(), SEEDS, SEEDS)
def test_a_draw_depends_on_what_the_seat_knows_alone(game: Game, shuffle: int, key: int) -> None:
    for seat in range(game.players):
        secrets = with_other_secrets(game.rules, game.to_dict(), seat, random.Random(shuffle))
        other = Game.from_dict(secrets, game.rules, seed=shuffle)
        one = game.determinize(seat, np.random.default_rng(key))
        same = other.determinize(seat, np.random.default_rng(key))
        for chance in ("seed", "rolls", "thefts", "gains", "reshuffles"):
            assert one.record[chance] == same.record[chance]
        assert trace(one, key, 40) == trace(same, key, 40)


def test_two_draws_from_one_generator_differ() -> None:
    game = played(rules_of("base"), 4, 5, 60, 5)
    rng = np.random.default_rng(3)
    drawn = {exact(game.determinize(0, rng).to_dict()) for _ in range(20)}
    assert len(drawn) == 20


@steadily(max_examples=10)
@given(st.sampled_from(["base", "many cards", "many start cards", "rim squares"]), PLAYERS, SEEDS)
def test_over_many_draws_a_hidden_card_is_everywhere_it_may_be(variant: str, players: int, seed: int) -> None:
    game = played(rules_of(variant), players, seed, 40, seed)
    state, seat = game.to_dict(), seed % players
    others = [other for other in range(players) if other != seat]
    found: dict[tuple[str, int], set[str]] = {}
    rng = np.random.default_rng(seed)
    for _ in range(700):
        drawn = game.determinize(seat, rng).to_dict()
        for kind in ("action", "design"):
            for other in others:
                found.setdefault((f"{kind} hand", other), set()).update(drawn[f"{kind}_hands"][other])
            for place, card in enumerate(drawn[f"{kind}_stack"]):
                found.setdefault((f"{kind} stack", place), set()).add(card)
    for kind in ("action", "design"):
        unseen = {*state[f"{kind}_stack"], *(card for other in others for card in state[f"{kind}_hands"][other])}
        for other in others:
            may_be = unseen - {"victory_point"} if state[f"{kind}_hands"][other] else set()
            assert found[f"{kind} hand", other] == may_be
        for place in range(len(state[f"{kind}_stack"])):
            assert found[f"{kind} stack", place] == unseen
