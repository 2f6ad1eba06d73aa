"""Thousands of spoilt inputs: each is taken for what it says or refused in words, and nothing else happens."""

import copy
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from ettana_env import EttanaError, Game, IllegalAction, Recorder, RecordError, Rules, load_deck, read_record
from ettana_env.vocabulary import KINDS, VERBS
from tests.playing import EASY_DESIGNS, Chooser, Json, mixture, played

RULES = Rules(name="fuzz", designs=EASY_DESIGNS, max_actions=250, start_cards={"design": 2, "action": 3})
VARIED = [RULES, RULES.but(rim_squares=True), RULES.but(place_by_choice=False, free_swap=False)]

WORDS = ["green", "black", "move", "victory_point", "pair", "roll", "over", "kind", "a", "name", "points", "square"]
JSON_VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, 3, 5, 6, 7, 15, 16, 24, 25, 35, 36, 48, -1, -0.0, 0.0, 1.0, 1.5, 1e308),
    *(math.nan, math.inf, 2**31 - 1, 2**31, 2**63, 2**64, -(2**63), 10**30, "", " ", "0", "1", "null", "Green"),
    *(
        "\0",
        "\n",
        "１",
        "é",
        "e\u0301",
        "\u202e",
        "\U0001f9f6",
        "\ud800",
        "x" * 5000,
        [],
        {},
        [[]],
        [None],
        [0],
        {"a": 1},
    ),
    *WORDS,
]
"""Values that JSON can hold."""


class Odd:
    """Something no input should be."""

    def __repr__(self) -> str:
        raise RuntimeError("no words for it")


def deep(depth: int = 20_000) -> list[Any]:
    """A list in a list in a list."""
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    return nested


DEEP = deep()
PYTHON_VALUES: list[Any] = [
    *(10**5000, -(10**5000), b"x", {1}, frozenset("ab"), (), (1, 2), range(3), object(), Odd(), int, Ellipsis, DEEP),
    *(np.int64(3), np.uint8(3), np.float64(3), np.True_, np.array(3), np.array([1, 2]), np.array([]), np.str_("green")),
    *({1: 2}, {None: 1}, {("a",): 1}, 3 + 0j, bytearray(b"x"), iter([1]), {"kind": DEEP}),
]
"""Values that only Python has."""


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in it; nothing below what is deep or odd."""
    found: list[tuple[Any, Any]] = []
    left = [value]
    while left and len(found) < 2000:
        at = left.pop()
        if isinstance(at, dict | list):
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            found += [(at, key) for key in keys]
            left += [at[key] for key in keys]
    return found


def nudged(draw: random.Random, value: Any, values: list[Any]) -> Any:
    """The value, changed a little or for something else."""
    if isinstance(value, bool) and draw.random() < 0.5:
        return not value
    if isinstance(value, int) and draw.random() < 0.6:
        return draw.choice([value + 1, value - 1, -value, float(value), str(value), value * 2, value % 3])
    if isinstance(value, str) and draw.random() < 0.4:
        return draw.choice([value.upper(), value + " ", value[:-1], value * 2, [value], "\u200b" + value])
    return draw.choice([draw.choice(values), [value], None])


def mutated(draw: random.Random, original: Any, values: list[Any]) -> Any:
    """A copy with one to three faults."""
    value = copy.deepcopy(original)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        places = spots(value)
        if not places:
            return draw.choice(values)
        at, key = draw.choice(places)
        fault = draw.randrange(8)
        if fault == 0:
            del at[key]
        elif fault == 1 and isinstance(at, dict):
            at[draw.choice(WORDS)] = draw.choice(values)
        elif fault == 2 and isinstance(at, dict):
            at[str(key) + draw.choice(["", "s", " ", "\ud800"])] = at.pop(key)
        elif fault == 3 and isinstance(at, list):
            at.insert(draw.randrange(len(at) + 1), at[key])
        elif fault in (4, 5):
            other, place = draw.choice([spot for spot in places if type(spot[0]) is type(at)])
            if key in at if isinstance(at, dict) else key < len(at):
                at[key], other[place] = other[place], at[key]
        elif fault == 6 and isinstance(at, list):
            draw.shuffle(at)
        else:
            at[key] = nudged(draw, at[key], values)
    return value


def same(given: Any, other: Any) -> bool:
    """Equal, types included."""
    if isinstance(given, dict) and isinstance(other, dict):
        return given.keys() == other.keys() and all(same(given[key], other[key]) for key in given)
    if isinstance(given, list) and isinstance(other, list):
        return len(given) == len(other) and all(map(same, given, other))
    return given == other and (type(given) is type(other) or isinstance(given, str))


def within(given: Any, whole: Any) -> bool:
    """Is all that was given in the whole, where what was left out may be added?"""
    if isinstance(given, dict) and isinstance(whole, dict):
        return all(key in whole and within(given[key], whole[key]) for key in given)
    return same(given, whole)


def check_kept(state: Json, rules: Rules) -> None:
    """Nothing is lost or doubled."""
    assert sorted(state["yarns"] + state["reserve_yarns"]) == sorted(["green", "red", "yellow", "blue", "purple"] * 6)
    tiles = [tile for tile in state["tiles"] if tile is not None] + state["reserve_tiles"]
    assert sorted(tiles) == sorted([1, 2, 3, 4, 5, 6] * 3)
    assert sum(state["tokens"]) + state["bank"] == rules.tokens.total
    assert min(*state["tokens"], state["bank"]) >= 0
    action_cards = [kind for hand in state["action_hands"] for kind in hand] + state["action_stack"]
    action_cards += state["action_discard"] + ["victory_point"] * sum(state["victory_cards"])
    assert [action_cards.count(kind) for kind in KINDS] == list(rules.action_cards.counts)
    designs = [name for key in ("design_hands", "claimed") for hand in state[key] for name in hand]
    assert sorted(designs + state["design_stack"]) == sorted(design.name for design in rules.designs)
    pins = [pin for pin in state["pins"] if pin is not None]
    assert len(set(pins)) == len(pins)


def check_words(message: str, start: str = "") -> None:
    """A message begins as it should and is neither empty nor endless."""
    assert message.startswith(start)
    assert 5 < len(message) - len(start) < 600


def check_line(line: int, raw: bytes) -> None:
    """There is such a line, or it is the one that is missing."""
    assert 1 <= line <= raw.count(b"\n") + 2


def play_on(game: Game, draw: random.Random, most: int = 100_000) -> None:
    """Play at random to the end, or so far."""
    for step in range(most):
        if game.over:
            break
        game.play(draw.choice(game.legal_indices()))
        if step % 16 == 0:
            check_kept(game.to_dict(), game.rules)
    check_kept(game.to_dict(), game.rules)
    assert Game.from_dict(game.to_dict(), game.rules).to_dict() == game.to_dict()


def outcomes(count: int, attempt: Callable[[random.Random], bool]) -> tuple[int, int]:
    """Make so many attempts, each with its own seed; how many were taken and how many refused."""
    taken = sum(attempt(random.Random(seed)) for seed in range(count))
    return taken, count - taken


@pytest.mark.parametrize("which", range(len(VARIED)))
def test_states(which: int) -> None:
    rules = VARIED[which]
    starts = [played(rules, players, 7, steps, 3) for players in (2, 3, 4) for steps in (0, 2, 9, 40, 90, 250)]
    states = [start.to_dict() for start in starts]

    def attempt(draw: random.Random) -> bool:
        values = JSON_VALUES + PYTHON_VALUES
        state = mutated(draw, draw.choice(states), values)
        try:
            game = Game.from_dict(state, rules, seed=1)
        except EttanaError as error:
            check_words(str(error))
            return False
        assert same(game.to_dict(), state)
        play_on(game, draw)
        assert game.over
        return True

    taken, refused = outcomes(500, attempt)
    assert taken > 20
    assert refused > 250


def spoilt(draw: random.Random, raw: bytes) -> bytes:
    """Text with one to three faults in its bytes or lines."""
    for _ in range(draw.choice([1, 1, 2, 3])):
        lines = raw.splitlines(keepends=True) or [b""]
        line, cut = draw.randrange(len(lines)), draw.randrange(len(raw) + 1)
        fault = draw.randrange(9)
        if fault == 0:
            raw = raw[:cut]
        elif fault == 1:
            raw = raw[:cut] + bytes([draw.randrange(256)]) + raw[cut + draw.choice([0, 1]) :]
        elif fault == 2:
            raw = raw[:cut] + raw[cut + draw.randrange(30) :]
        elif fault == 3:
            raw = b"".join([*lines[:line], *lines[line + 1 :]])
        elif fault == 4:
            raw = b"".join([*lines[: line + 1], *lines[line:]])
        elif fault == 5:
            draw.shuffle(lines)
            raw = b"".join(lines)
        elif fault == 6:
            odd = [
                b"\xff",
                b"\xed\xa0\x80",
                b"\0",
                b"[" * 3000,
                b"9" * 5000,
                b"\xef\xbb\xbf",
                b"\xe2\x80\xa8",
                b"\r",
                b"!!int ",
            ]
            odd += [
                b"&a ",
                b"*a",
                b"<<: ",
                b": ",
                b"- ",
                b"!!set ",
                b"!!timestamp ",
                b"? ",
                b"\t",
                b"'",
                b"{",
                b"\n\n",
                b"NaN",
            ]
            raw = raw[:cut] + draw.choice(odd) + raw[cut:]
        elif fault == 7:
            at = raw.find(draw.choice([b"1", b"true", b"null", b"a", b":"]), cut)
            raw = raw[:at] + draw.choice([b"2", b"false", b"-0", b"1e0", b"b", b" "]) + raw[at + 1 :]
        else:
            raw = raw.replace(
                draw.choice([b"seat", b"roll", b"points", b"name"]), draw.choice([b"seats", b"b", b"name"]), 1
            )
    return raw


def test_records(tmp_path: Path) -> None:
    originals = []
    for number, rules in enumerate([*VARIED, mixture(5)]):
        for compact in (False, True):
            game, choose = Game(rules.but(max_actions=14), 2 + number % 3, seed=number), Chooser(number)
            with Recorder(tmp_path / f"{number}{compact}.jsonl", game, compact=compact) as recorder:
                while not game.over:
                    recorder.play(choose(game))
            originals.append((tmp_path / f"{number}{compact}.jsonl").read_bytes())
    path = tmp_path / "spoilt.jsonl"

    def attempt(draw: random.Random) -> bool:
        raw = draw.choice(originals)
        if draw.random() < 0.5:
            lines = [json.loads(line) for line in raw.splitlines()]
            place = draw.randrange(len(lines))
            lines[place] = mutated(draw, lines[place], JSON_VALUES)
            raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
        else:
            raw = spoilt(draw, raw)
        path.write_bytes(raw)
        try:
            record = read_record(path)
        except RecordError as error:
            check_words(str(error), f"{path}: line {error.line}: ")
            check_line(error.line, raw)
            return False
        last = record.steps[-1].game if record.steps else record.first
        assert last.over
        assert same(record.result["points"], last.to_dict()["points"])
        return True

    taken, refused = outcomes(500, attempt)
    assert taken > 5
    assert refused > 400


def test_rules_as_dicts() -> None:
    originals = [mixture(seed).to_dict() for seed in (1, 2)] + [RULES.to_dict(), {"prices": {"swap": 2}, "name": "x"}]

    def attempt(draw: random.Random) -> bool:
        settings = mutated(draw, draw.choice(originals), JSON_VALUES + PYTHON_VALUES)
        try:
            rules = Rules.from_dict(settings)
        except EttanaError as error:
            check_words(str(error))
            return False
        assert within(settings, rules.to_dict())
        assert Rules.from_dict(rules.to_dict()) == rules
        if draw.random() < 0.3:
            play_on(Game(rules, 2, seed=1), draw, most=20)
        return True

    taken, refused = outcomes(600, attempt)
    assert taken > 40
    assert refused > 300


@pytest.mark.parametrize("kind", ["rules", "deck"])
def test_rules_and_decks_as_text(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    whole = RULES.to_dict() if kind == "rules" else {"designs": EASY_DESIGNS}
    styles: list[Any] = [None, True]
    originals = [yaml.safe_dump(whole, sort_keys=False, default_flow_style=style).encode() for style in styles]

    def attempt(draw: random.Random) -> bool:
        if draw.random() < 0.4:
            changed = mutated(draw, whole, [value for value in JSON_VALUES if value != "\ud800"])
            raw = yaml.safe_dump(changed).encode(errors="replace")
        else:
            raw = spoilt(draw, draw.choice(originals))
        path.write_bytes(raw)
        try:
            designs = Rules.load(path).designs if kind == "rules" else load_deck(path)
        except EttanaError as error:
            check_words(str(error), f"{tmp_path}/")
            return False
        assert Rules(designs=designs, start_cards={"design": 0}).designs == designs
        assert len({design.name for design in designs}) == len(designs)
        return True

    taken, refused = outcomes(300, attempt)
    assert taken > 15
    assert refused > 150


def test_actions() -> None:
    games = [
        played(rules, players, 5, steps, 2) for rules in VARIED for players in (2, 4) for steps in (0, 1, 8, 30, 250)
    ]
    everything = JSON_VALUES + PYTHON_VALUES

    def attempt(draw: random.Random) -> bool:
        game = draw.choice(games).copy()
        legal = game.legal_indices()
        action: Any
        if draw.random() < 0.2:
            action = draw.choice(everything)
        elif draw.random() < 0.3:
            action = {"kind": draw.choice(VERBS)}
            for key in draw.sample(["square", "pay", "a", "b", "design", "seat", "number", "colour", "octagon"], 2):
                action[key] = draw.choice(everything)
        elif draw.random() < 0.3 or not legal:
            action = draw.choice([np.int64, int, np.uint16])(draw.randrange(len(game.actions) + 3))
        else:
            action = mutated(draw, game.action_of(draw.choice(legal)), everything)
        before, record = game.to_dict(), game.record.tobytes()
        try:
            game.play(action)
        except IllegalAction as error:
            check_words(str(error), "illegal action ")
            assert game.record.tobytes() == record
            assert game.to_dict() == before
            return False
        assert Game.from_dict(before, game.rules).index_of(action) in legal
        check_kept(game.to_dict(), game.rules)
        return True

    taken, refused = outcomes(1500, attempt)
    assert taken > 40
    assert refused > 1000
