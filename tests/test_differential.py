"""The engine against the plain reading: the same legal actions in every state, the same state after each."""

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from ettana_env import Game, Rules
from ettana_env.vocabulary import CARD_OF, VERBS
from tests import plain
from tests.hindsight import Hindsight
from tests.playing import VARIANTS, Chooser, Json, cards, mixture, rules_of

STEPS = 300
"""States compared per variant, unless all its games are short."""
GAMES = 30
"""Games played per variant at most."""
LONGEST = 200
"""Actions of a game at most, so that a long one leaves room for others."""


def frozen(action: Json) -> tuple[tuple[str, object], ...]:
    """An action as a value that can be in a set."""
    return tuple(sorted((key, tuple(v) if isinstance(v, list) else v) for key, v in action.items()))


def check_same(engine: Json, reading: Json, what: str) -> None:
    """Compare two states, types included."""
    if json.dumps(engine, sort_keys=True) != json.dumps(reading, sort_keys=True):
        keys = [key for key in {**engine, **reading} if engine.get(key) != reading.get(key)]
        differences = {key: (engine.get(key), reading.get(key)) for key in keys}
        pytest.fail(f"{what}: engine and plain reading differ: {differences}")


def check_legal(game: Game, rules: Json, state: Json, what: str) -> None:
    """Compare the legal actions."""
    engine = [frozen(action) for action in game.legal_actions()]
    reading = [frozen(action) for action in plain.legal_actions(rules, state)]
    assert len(set(engine)) == len(engine), f"{what}: the engine lists an action twice"
    assert len(set(reading)) == len(reading), f"{what}: the plain reading lists an action twice"
    if set(engine) != set(reading):
        only = sorted(set(engine) - set(reading)), sorted(set(reading) - set(engine))
        pytest.fail(f"{what}: legal only in the engine: {only[0]}; only in the plain reading: {only[1]}")


def compared(rules: Rules, players: int, seed: int) -> Iterator[tuple[str, Json]]:
    """Play a game, comparing everything; the kind of each action and the state after it."""
    settings = rules.to_dict()
    game = Game(rules, players, seed)
    choose = Chooser(seed)
    state = game.to_dict()
    what = f"{rules.name}, {players} players, seed {seed}"
    check_same(state, plain.first_state(settings, players, Hindsight(state)), f"{what}, first state")
    while not game.over and state["actions"] < LONGEST:
        check_legal(game, settings, state, f"{what}, action {state['actions']}")
        index = choose(game)
        action = game.action_of(index)
        game.play(index)
        after = game.to_dict()
        reading = plain.apply(settings, state, action, Hindsight(after, state, action))
        check_same(after, reading, f"{what}, action {state['actions']}, {action}")
        state = after
        yield action["kind"], state
    check_legal(game, settings, state, f"{what}, last state")


def kinds_ruled_out(rules: Rules) -> set[str]:
    """The kinds of action that these rules cannot see."""
    out = {kind for kind, card in CARD_OF.items() if getattr(rules.action_cards, card) == 0}
    out |= set() if rules.place_by_choice else {"place"}
    out |= set() if rules.free_swap else {"free_swap"}
    out |= set() if rules.exchange else {"exchange"}
    out |= set() if rules.steal_tokens_max else {"steal_tokens"}
    out |= set() if rules.collect_three_gives else {"collect_three"}
    out |= set() if sum(rules.action_cards.counts) else {"buy_action"}
    if rules.tokens.total == 0:
        out |= {"gain_tokens", "steal_tokens", "collect_three"}
        bought = ("action", "swap", "design")
        out |= {f"buy_{what}" for what in bought if getattr(rules.prices, what) > 0}
    return out


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant(variant: str) -> None:
    rules = rules_of(variant)
    kinds: Counter[str] = Counter()
    for seed in range(GAMES):
        kinds.update(kind for kind, _ in compared(rules, 2 + seed % 3, seed))
        if kinds.total() >= STEPS and seed >= 2:
            break
    assert not kinds_ruled_out(rules) & set(kinds)
    assert kinds.total() >= STEPS or seed == GAMES - 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_kind_of_action_many_times(players: int) -> None:
    rules = Rules(name="long", points_to_win=99, action_cards=cards(7, replace=20), start_cards={"action": 6})
    kinds: Counter[str] = Counter()
    for seed in range(3):
        kinds.update(kind for kind, _ in compared(rules, players, 500 + seed))
    rare = {kind: kinds[kind] for kind in VERBS if kinds[kind] < 5}
    assert not rare, f"too few of these were compared: {rare}"


@pytest.mark.parametrize("first", range(0, 120, 15))
def test_mixtures_of_settings(first: int) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(first, first + 15):
        rules = mixture(seed)
        own: Counter[str] = Counter()
        for kind, state in compared(rules, 2 + seed % 3, seed):
            own[kind] += 1
            if state["actions"] >= 60:
                break
        assert not kinds_ruled_out(rules) & set(own)
        kinds += own
    assert kinds.total() >= 300


def test_kinds_of_ending() -> None:
    """Games end by a claim, by a victory point drawn in each possible way, and by either limit."""
    endings: Counter[str] = Counter()
    for variant in ("one point wins", "many victory points", "few turns", "few actions", "one action"):
        for seed in range(12):
            last = ""
            for kind, state in compared(rules_of(variant), 2 + seed % 3, 1000 + seed):
                last = f"{kind} wins" if state["winner"] is not None else f"{kind} reaches a limit"
                if state["phase"] != "over":
                    last = "cut short"
                if state["actions"] >= 60:
                    break
            endings[last] += 1
    wins = {"claim wins", "buy_action wins", "roll wins", "place wins"}
    limits = {"end_turn reaches a limit", "place reaches a limit"}
    assert wins | limits <= set(endings), endings
