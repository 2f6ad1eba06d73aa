"""States given as JSON: every state of play is taken and given back as it was, every doctored one refused."""

import copy
import json
import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest

from ettana_env import EttanaError, Game, Rules, StateError
from tests.playing import EASY_DESIGNS, VARIANTS, Chooser, Json, mixture, rules_of
from tests.positions import BASE, RIM, placing, position

DECK = [design.name for design in BASE.designs]
EASY = Rules(designs=EASY_DESIGNS, points_to_win=3)
TURNS = BASE.but(max_turns=3)
ACTIONS = BASE.but(max_actions=20)
FIRST_PIN = BASE.but(max_actions=1)
RANDOM = BASE.but(place_by_choice=False)
BARRED = BASE.but(preset_black=False, free_swap=False)
NO_PRESET = BASE.but(action_cards={"preset": 0})
LEAST = BASE.but(tokens={"start": 16})

HANDS: Json = {
    "action_hands": [["move", "tax"], ["preset"]],
    "action_discard": ["swap", "replace"],
    "design_hands": [DECK[:2], DECK[2:3]],
    "claimed": [[], [DECK[3]]],
    "victory_cards": [0, 1, 0],
    "tokens": [5, 3, 0],
}

BASES: dict[str, tuple[Rules, Json]] = {
    "act": (BASE, position(3, **HANDS)),
    "moved": (BASE, position(3, free_swap=True, **HANDS)),
    "roll": (BASE, position(3, phase="roll", **HANDS)),
    "four": (BASE, position(4)),
    "place": (BASE, placing(3, pins=(0,), roll=2)),
    "last to place": (BASE, placing(4, pins=(0, 6, 12), roll=4)),
    "rim": (RIM, position(3, RIM, pins=[0, 7, 35])),
    "rim place": (RIM, placing(3, RIM, pins=(7,), roll=2)),
    "random": (RANDOM, position(2, RANDOM, phase="roll", turn=0, actions=0)),
    "barred": (BARRED, position(2, BARRED, preset=True, colour="red", moved=True)),
    "no preset": (NO_PRESET, position(2, NO_PRESET)),
    "won": (EASY, position(3, EASY, phase="over", number=2, colour="red", winner=0, claimed=[["rainbow"]], acted=True)),
    "turn limit": (TURNS, position(2, TURNS, phase="over", truncated=True, turn=3)),
    "action limit": (ACTIONS, position(2, ACTIONS, phase="over", truncated=True, number=2, colour="red")),
    "first pin": (FIRST_PIN, {**placing(2, FIRST_PIN, pins=(0,), roll=2), "phase": "over", "truncated": True}),
    "for three": (LEAST, position(3, LEAST)),
}
"""Valid states with their rules; the cases below change them in one place."""

GONE = object()
"""The key is left out."""


def less(value: Any) -> Any:
    """One of it less."""
    return value - 1 if isinstance(value, int) else value[:-1]


def more(value: Any) -> Any:
    """One of it more."""
    return value + 1 if isinstance(value, int) else [*value, value[-1]]


def turned(value: list[Any]) -> list[Any]:
    """In the opposite order."""
    return value[::-1]


Case = tuple[str, Json, str]
"""A base, what is changed in it (a value or a function of the old one), a part of the message."""

SHAPES: list[Case] = [
    ("act", {"bank": GONE}, "state: bank is missing"),
    ("act", {"banc": 3}, "state: banc is not a known key (did you mean 'bank'?)"),
    ("act", {"dice.number": GONE}, "dice.number is missing"),
    ("act", {"dice.face": 1}, "dice.face is not a known key"),
    ("act", {"dice": None}, "dice must be a mapping, not None"),
    ("act", {"dice": [2, "red"]}, "dice must be a mapping, not [2, 'red']"),
    ("act", {"players": 5}, "players must be a whole number from 2 to 4, not 5"),
    ("act", {"players": 1}, "players must be a whole number from 2 to 4, not 1"),
    ("act", {"players": 3.0}, "players must be a whole number from 2 to 4, not 3.0"),
    ("act", {"bank": True}, "bank must be a whole number from 0 to 2147483647, not True"),
    ("act", {"bank": 2**31}, "bank must be a whole number from 0 to 2147483647, not 2147483648"),
    ("act", {"tokens.2": -1}, "tokens[2] must be a whole number from 0 to 2147483647, not -1"),
    ("act", {"yarns.0": "orange"}, "yarns[0] must be one of green, red, yellow, blue, purple, not 'orange'"),
    ("act", {"yarns.0": "black"}, "yarns[0] must be one of green, red, yellow, blue, purple, not 'black'"),
    ("act", {"yarns": tuple}, "yarns must be a list, not ('green'"),
    ("act", {"reserve_yarns": dict.fromkeys}, "reserve_yarns must be a list, not {'green': None"),
    ("act", {"action_hands.2": set}, "action_hands[2] must be a list, not set()"),
    ("act", {"action_hands.0.0": "joker"}, "action_hands[0][0] must be one of move, swap,"),
    ("act", {"tiles.3": 7}, "tiles[3] must be a whole number from 1 to 6, not 7"),
    ("act", {"dice.number": 0}, "dice.number must be a whole number from 1 to 6, not 0"),
    (
        "act",
        {"dice.colour": "white"},
        "dice.colour must be one of green, red, yellow, blue, purple, black, not 'white'",
    ),
    ("act", {"phase": "acting"}, "phase must be one of place, roll, act, over, not 'acting'"),
    ("act", {"moved": 0}, "moved must be true or false, not 0"),
    ("act", {"turn": 10**9 + 1}, "turn must be a whole number from 0 to 1000000000, not 1000000001"),
    ("act", {"winner": -1}, "winner must be a whole number from 0 to 3, not -1"),
    ("act", {"design_stack.0": 3}, "design_stack[0] must be text, not 3"),
    ("act", {"yarns": less}, "yarns must have 25 entries, not 24"),
    ("act", {"reserve_yarns": more}, "reserve_yarns must have 5 entries, not 6"),
    ("act", {"reserve_tiles": less}, "reserve_tiles must have 2 entries, not 1"),
    ("act", {"tiles": more}, "tiles must have 16 entries, not 17"),
    ("rim", {"tiles": position()["tiles"]}, "tiles must have 36 entries, not 16"),
    ("act", {"pins": less}, "pins must have 3 entries, not 2"),
    ("act", {"tokens": more}, "tokens must have 3 entries, not 4"),
    ("act", {"claimed": less}, "claimed must have 3 entries, not 2"),
    ("act", {"placing_rolls": more}, "placing_rolls must have 3 entries, not 4"),
    ("act", {"players": 2}, "pins must have 2 entries, not 3"),
    ("act", {"player": 3}, "player must be a seat from 0 to 2, not 3"),
    ("won", {"winner": 3}, "winner must be a seat from 0 to 2, not 3"),
    ("for three", {"players": 4}, "players is 4: tokens.start must be at most 12 for 4 players, not 16"),
]

SUMS: list[Case] = [
    ("act", {"yarns.0": "red"}, "yarns and reserve_yarns must hold 6 green ones, not 5"),
    ("act", {"reserve_yarns": turned}, "reserve_yarns must be in the order of the colour list"),
    ("act", {"tiles.0": 2}, "tiles and reserve_tiles must hold 3 of number 1, not 2"),
    ("act", {"reserve_tiles.0": 6}, "tiles and reserve_tiles must hold 3 of number 5, not 2"),
    ("act", {"tiles.0": None}, "tiles[0] must be a number, not None"),
    ("rim", {"tiles.0": 1}, "tiles[0] must be null: it is a rim square"),
    ("rim", {"tiles.7": None}, "tiles[7] must be a number, not None"),
    ("act", {"pins.0": 15}, "pins[0]: there are 2 pins on square 15"),
    ("act", {"pins.0": 16}, "pins[0] must be a square from 0 to 15, not 16"),
    ("rim", {"pins.2": 36}, "pins[2] must be a square from 0 to 35, not 36"),
    ("act", {"bank": more}, "tokens and bank must make 48 together, not 49"),
    ("act", {"tokens.1": less}, "tokens and bank must make 48 together, not 47"),
    ("act", {"action_hands.0": turned}, "action_hands[0] must be in the order of the kind list"),
    ("act", {"action_discard": turned}, "action_discard must be in the order of the kind list"),
    ("act", {"action_hands.1": ["victory_point"]}, "action_hands[1]: a victory_point card is never in a hand"),
    ("act", {"action_discard": ["victory_point"]}, "action_discard: a victory_point card is never discarded"),
    ("act", {"action_stack": less}, "there must be 3 tax cards in all, not 2"),
    ("act", {"action_hands.2": ["move"]}, "there must be 3 move cards in all, not 4"),
    ("act", {"action_hands.0": less}, "there must be 3 tax cards in all, not 2"),
    ("act", {"victory_cards.0": 1}, "there must be 3 victory_point cards in all, not 4"),
    ("act", {"design_hands.0": turned}, "design_hands[0] must be in the order of the deck"),
    ("act", {"design_hands.0.0": "no such"}, "design_hands[0]: there is no design 'no such' in the deck"),
    ("act", {"design_hands.2": [DECK[0]]}, f"design_hands[2]: the design '{DECK[0]}' is also in design_hands[0]"),
    ("act", {"claimed.0": [DECK[3]]}, f"claimed[1]: the design '{DECK[3]}' is also in claimed[0]"),
    ("act", {"design_hands.0": less}, f"the design '{DECK[1]}' is nowhere: not in a hand, claimed or in the stack"),
    ("act", {"design_stack": more}, "is also in design_stack"),
    ("act", {"points.1": more}, "points[1] must be 2, from claimed and victory_cards, not 3"),
    ("act", {"points.0": 1}, "points[0] must be 0, from claimed and victory_cards, not 1"),
    ("won", {"winner": None}, "points[0] is 3 and 3 win, but winner is None"),
    ("won", {"winner": 1}, "points[0] is 3 and 3 win, but winner is 1"),
    ("act", {"winner": 0}, "points[0] is 0 and 8 win, but winner is 0"),
]

COURSE: list[Case] = [
    ("won", {"phase": "act"}, "phase is 'act', but the game is won"),
    ("won", {"truncated": True}, "truncated must be false: it tells whether a limit ended the game"),
    ("won", {"player": 1}, "winner is 0, but a game is won at the deal or by the player whose turn it is"),
    ("won", {"dice": {"number": None, "colour": None}, "acted": False}, "winner is 0, but a game is won at the deal"),
    ("act", {"phase": "over"}, "phase is 'over', but nothing ended the game"),
    ("act", {"truncated": True}, "truncated must be false"),
    ("turn limit", {"phase": "roll"}, "phase is 'roll', but a limit is reached"),
    ("turn limit", {"truncated": False}, "truncated must be true"),
    ("turn limit", {"turn": 4}, "turn must be at most 3, the limit, not 4"),
    ("turn limit", {"turn": 2}, "phase is 'over', but nothing ended the game"),
    ("turn limit", {"dice": {"number": 1, "colour": "red"}}, "dice must be null: the turn limit ends the game between"),
    ("action limit", {"actions": 21}, "actions must be at most 20, the limit, not 21"),
    ("action limit", {"actions": 19}, "phase is 'over', but nothing ended the game"),
    ("act", {"phase": "place"}, "phase is 'place', but pins are [0, 15, 3]"),
    ("act", {"phase": "roll"}, "dice must be null in phase 'roll'"),
    ("act", {"dice": {"number": None, "colour": None}}, "dice must be rolled in phase 'act'"),
    ("act", {"dice.number": None}, "dice must both be null or both be rolled"),
    ("act", {"dice.colour": None}, "dice must both be null or both be rolled"),
    ("roll", {"phase": "act"}, "dice must be rolled in phase 'act'"),
    ("roll", {"dice.number": 2}, "dice must both be null or both be rolled"),
    ("roll", {"acted": True}, "acted must be false before the roll"),
    ("roll", {"moved": True}, "moved must be false before the roll"),
    ("roll", {"free_swap": True}, "free_swap must be false before the roll"),
    ("roll", {"preset": True}, "preset must be false before the roll"),
    ("act", {"moved": True}, "moved is true, so acted must be true"),
    ("moved", {"acted": False}, "moved is true, so acted must be true"),
    ("moved", {"moved": False}, "free_swap is true, so moved must be true"),
    ("barred", {"free_swap": True}, "free_swap must be false: these rules are played without it"),
    ("barred", {"dice.colour": "black"}, "preset is true, so dice.colour must not be black"),
    ("no preset", {"preset": True}, "preset must be false: there are no preset cards"),
    ("act", {"actions": 2}, "actions must be at least 3: the pins were placed by choice"),
    ("act", {"placing_rolls.1": None}, "placing_rolls must not be null after placing"),
    ("four", {"placing_rolls": [5, 5, 5, 5]}, "placing_rolls: 4 players placed on a 5, but there are 3 such tiles"),
    ("act", {"pins.2": None}, "phase is 'act', but pins are [0, 15, None]"),
    ("random", {"pins.1": None, "phase": "place"}, "pins must not be null: these rules place them at random"),
    ("place", {"phase": "roll"}, "phase is 'roll', but pins are [0, None, None]"),
    ("place", {"pins.2": 5}, "pins[2] must be null while player 1 places"),
    ("place", {"pins.0": None}, "pins[0] must not be null while player 1 places"),
    ("place", {"player": 0}, "pins[0] must be null while player 0 places"),
    ("place", {"placing_rolls.2": 3}, "placing_rolls[2] must be null while player 1 places"),
    ("place", {"placing_rolls.1": None}, "placing_rolls[1] must not be null while player 1 places"),
    ("place", {"placing_rolls.0": 3}, "pins[0] is on a tile that shows 1; the roll was 3"),
    ("place", {"placing_rolls.1": 3}, "dice must show the placing roll 3 and no colour while pins are placed"),
    ("place", {"dice.number": None}, "dice must show the placing roll 2 and no colour while pins are placed"),
    ("place", {"dice.colour": "red"}, "dice must show the placing roll 2 and no colour while pins are placed"),
    ("last to place", {"placing_rolls.3": 1, "dice.number": 1}, "placing_rolls[3]: no free square shows 1"),
    ("rim place", {"pins.0": 0}, "pins[0] is on a tile that shows None; the roll was 1"),
    ("place", {"tokens.0": 2, "bank": 46}, "bank must hold all tokens while pins are placed"),
    ("place", {"design_stack": less, "design_hands.0": [DECK[-1]]}, "design_hands must be empty while pins are placed"),
    ("place", {"action_stack": less, "action_hands.0": ["tax"]}, "action_hands must be empty while pins are placed"),
    ("place", {"action_stack": less, "action_discard": ["tax"]}, "action_discard must be empty while pins are placed"),
    ("place", {"acted": True}, "acted must be false while pins are placed"),
    ("place", {"turn": 1}, "turn must be 0 while pins are placed, not 1"),
    ("place", {"actions": 2}, "actions must be 1 while player 1 places, not 2"),
    ("first pin", {"actions": 0}, "phase is 'over', but nothing ended the game"),
    ("first pin", {"phase": "place"}, "phase is 'place', but a limit is reached"),
]


def doctored(state: Json, changes: Json) -> Json:
    """A copy of the state with some places of it (`a.b`, `a.0`) changed."""
    state = copy.deepcopy(state)
    for path, change in changes.items():
        at: Any = state
        *folders, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
        for folder in folders:
            at = at[folder]
        if change is GONE:
            del at[last]
        else:
            at[last] = change(at[last]) if isinstance(change, Callable) else change  # type: ignore[arg-type]
    return state


@pytest.mark.parametrize("base", BASES)
def test_the_bases_are_states(base: str) -> None:
    rules, state = BASES[base]
    assert Game.from_dict(state, rules, seed=1).to_dict() == state


@pytest.mark.parametrize(("base", "changes", "message"), SHAPES + SUMS + COURSE)
def test_doctored_states_are_refused(base: str, changes: Json, message: str) -> None:
    rules, state = BASES[base]
    with pytest.raises(StateError, match=re.escape(message)) as caught:
        Game.from_dict(doctored(state, changes), rules, seed=1)
    assert str(caught.value).startswith("state: ")
    assert len(str(caught.value)) < 300


def test_the_tables_are_long_enough() -> None:
    assert len(SHAPES) + len(SUMS) + len(COURSE) > 120
    assert len({message for _, _, message in SHAPES + SUMS + COURSE}) > 110


@pytest.mark.parametrize("given", [None, 5, "x", [], [1], b"x", {"yarns"}, {1: 2}, {}])
def test_what_is_no_state_at_all(given: Any) -> None:
    with pytest.raises(StateError, match=r"^state: "):
        Game.from_dict(given)


def test_a_mapping_need_not_be_a_dict() -> None:
    state = position()
    assert Game.from_dict(MappingProxyType(state)).to_dict() == state


def test_the_state_given_stays_the_callers() -> None:
    state = position()
    before = copy.deepcopy(state)
    game = Game.from_dict(state, seed=3)
    while not game.over and game.record.actions < 60:
        game.play(game.legal_indices()[0])
    assert state == before
    state["yarns"][0] = "none"
    assert game.to_dict()["yarns"][0] != "none"


def test_seeds_that_cannot_be() -> None:
    for seed in (-1, 2**63, 10**5000, 1.0, "1", True, int):
        with pytest.raises(EttanaError, match=r"seed must be a whole number from 0 to 2\*\*63 - 1, or None, not "):
            Game.from_dict(position(), seed=seed)  # type: ignore[arg-type]
        with pytest.raises(EttanaError, match=r"seed must be a whole number from 0 to 2\*\*63 - 1, or None, not "):
            Game(seed=seed)  # type: ignore[arg-type]


def test_rules_must_be_rules() -> None:
    wrong: list[Any] = ["base", {}, Rules]
    for rules in wrong:
        with pytest.raises(TypeError, match="rules must be a Rules object, not "):
            Game.from_dict(position(), rules)


def test_a_seed_settles_what_comes() -> None:
    ends = []
    for seed in (5, 5, 6, None):
        game = Game.from_dict(position(3, phase="roll"), seed=seed)
        assert game.seed is None
        choose = Chooser(1)
        for _ in range(40):
            game.play(choose(game))
        ends.append(json.dumps(game.to_dict()))
    assert ends[0] == ends[1]
    assert len(set(ends)) == 3


def check_all_states(game: Game, seed: int, most: int) -> None:
    """Play on, and give every state back to the library."""
    choose = Chooser(seed)
    for _ in range(most):
        state = game.to_dict()
        again = json.loads(json.dumps(state))
        assert Game.from_dict(again, game.rules, seed=0).to_dict() == state
        if game.over:
            break
        game.play(choose(game))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_state_of_play_is_taken(variant: str) -> None:
    for seed in range(3):
        check_all_states(Game(rules_of(variant), 2 + seed, seed), seed, 70)


def test_every_state_of_play_is_taken_under_mixed_rules() -> None:
    for seed in range(12):
        check_all_states(Game(mixture(seed), 2 + seed % 3, seed), seed, 80)
