"""Refused actions: every reason in words, every illegal index refused, and the game left as it was."""

import copy
import inspect
import pickle
import re
from typing import Any

import numpy as np
import pytest

from ettana_env import EttanaError, Game, IllegalAction, RecordError, Rules, RulesError, StateError
from ettana_env.actions import Parts
from ettana_env.engine import barriers, batch
from ettana_env.state import GAME
from ettana_env.tables import tables_of
from ettana_env.vocabulary import VERBS
from tests.playing import VARIANTS, Chooser, Json, mixture, rules_of
from tests.positions import BASE, at, loom, placing, position

DECK = [design.name for design in BASE.designs]
NO_SWAP = BASE.but(free_swap=False)
NO_EXCHANGE = BASE.but(exchange=False)
NO_BLACK = BASE.but(preset_black=False)
NOTHING = BASE.but(collect_three_gives=0, steal_tokens_max=0)
CHEAP = BASE.but(prices={"action": 1})
SIX_GREEN = loom("ggybp", "ybpgr", "pgryb", "rybpg", "bpgry")


def cards(*kinds: str) -> Json:
    """A position in which seat 0 holds these action cards."""
    return {"action_hands": [list(kinds)]}


def bare(price: str, *kinds: str) -> Json:
    """A position with nothing in the stack of what is bought, seat 0 with these cards."""
    empty: Json = {"design": {"design_stack": []}, "action": {"action_stack": [], "action_discard": []}}
    return {**cards(*kinds), **empty[price]}


Reason = tuple[str, str, Json, Json, int, Rules]
"""The code's name, the message, the action, what the position has, players, rules."""


def case(
    name: str, message: str, action: Json, changes: Json | None = None, players: int = 2, rules: Rules = BASE
) -> Reason:
    """A reason; the position is the usual one but for the changes."""
    return name, message, action, changes or {}, players, rules


REASONS: list[Reason] = [
    case(
        "WRONG_PHASE",
        "end_turn belongs to the 'act' phase; the game is in 'roll'",
        {"kind": "end_turn"},
        {"phase": "roll"},
    ),
    case("WRONG_PHASE", "roll belongs to the 'roll' phase; the game is in 'act'", {"kind": "roll"}),
    case(
        "WRONG_PHASE", "preset belongs to the 'roll' phase; the game is in 'act'", {"kind": "preset", "colour": "red"}
    ),
    case("WRONG_PHASE", "place belongs to the 'place' phase; the game is in 'act'", {"kind": "place", "square": 3}),
    case("NO_CARD", "player 0 has no tax card", {"kind": "tax"}),
    case("NO_CARD", "player 2 has no move card", {"kind": "move_card", "square": 5}, {"player": 2}, players=3),
    case("NO_CARD", "player 0 has no swap card", {"kind": "swap_card", "a": 0, "b": 1}),
    case("NO_CARD", "player 0 has no replace card", {"kind": "replace_tile", "square": 5, "number": 5}),
    case("NO_CARD", "player 0 has no preset card", {"kind": "preset", "colour": "red"}, {"phase": "roll"}),
    case(
        "CANNOT_AFFORD",
        "a swap costs 3 tokens; player 2 has 1",
        {"kind": "buy_swap", "a": 0, "b": 1},
        {"player": 2, "tokens": [5, 5, 1]},
        players=3,
    ),
    case("CANNOT_AFFORD", "an action card costs 2 tokens; player 0 has 1", {"kind": "buy_action"}, {"tokens": [1, 0]}),
    case("CANNOT_AFFORD", "a design card costs 3 tokens; player 0 has 2", {"kind": "buy_design"}, {"tokens": [2, 9]}),
    case(
        "CANNOT_AFFORD",
        "an action card costs 1 token; player 0 has 0",
        {"kind": "buy_action"},
        {"tokens": [0, 9]},
        rules=CHEAP,
    ),
    case(
        "HAS_MOVED", "player 0 has moved already this turn", {"kind": "step", "square": 5, "pay": []}, {"moved": True}
    ),
    case("HAS_MOVED", "player 0 has moved already this turn", {"kind": "jump", "square": 1}, {"moved": True}),
    case(
        "HAS_MOVED",
        "player 0 has moved already this turn",
        {"kind": "move_card", "square": 1},
        {"moved": True, **cards("move")},
    ),
    case("NOT_AFTER_MOVE", "the free swap is open only right after the move", {"kind": "free_swap", "a": 0, "b": 1}),
    case(
        "NOT_AFTER_MOVE",
        "the free swap is open only right after the move",
        {"kind": "free_swap", "a": 0, "b": 1},
        {"moved": True},
    ),
    case(
        "SWITCHED_OFF",
        "these rules are played without the free swap",
        {"kind": "free_swap", "a": 0, "b": 1},
        {"moved": True},
        rules=NO_SWAP,
    ),
    case(
        "SWITCHED_OFF",
        "these rules are played without the exchange",
        {"kind": "exchange", "design": DECK[0]},
        {"design_hands": [DECK[:1]]},
        rules=NO_EXCHANGE,
    ),
    case(
        "HAS_ACTED",
        "exchange is possible only while nothing is done yet this turn",
        {"kind": "exchange", "design": DECK[0]},
        {"acted": True, "design_hands": [DECK[:1]]},
    ),
    case(
        "HAS_ACTED",
        "roll_again is possible only while nothing is done yet this turn",
        {"kind": "roll_again"},
        {"acted": True, **cards("roll_again")},
    ),
    case(
        "PRESET_PLAYED", "preset was played this turn", {"kind": "roll_again"}, {"preset": True, **cards("roll_again")}
    ),
    case("NOTHING_TO_DRAW", "there is no card to draw", {"kind": "buy_action"}, bare("action")),
    case("NOTHING_TO_DRAW", "there is no card to draw", {"kind": "buy_design"}, bare("design")),
    case("NOTHING_TO_DRAW", "there is no card to draw", {"kind": "get_design"}, bare("design", "get_design")),
    case(
        "NOTHING_TO_DRAW",
        "there is no card to draw",
        {"kind": "exchange", "design": DECK[0]},
        {**bare("design"), "design_hands": [DECK[:1]]},
    ),
    case(
        "BANK_EMPTY",
        "the bank is empty",
        {"kind": "gain_tokens", "number": 1},
        {"tokens": [8, 40], **cards("gain_tokens")},
    ),
    case("BANK_EMPTY", "the bank is empty", {"kind": "collect_three"}, {"tokens": [8, 40], **cards("collect_three")}),
    case("MUST_MOVE", "player 1 must move first", {"kind": "end_turn"}, {"player": 1}, players=3),
    case("OCCUPIED", "there is a pin on square 15", {"kind": "jump", "square": 15}, {"number": 4}),
    case("OCCUPIED", "there is a pin on square 5", {"kind": "step", "square": 5, "pay": []}, {"pins": [0, 5]}),
    case("OCCUPIED", "there is a pin on square 0", {"kind": "move_card", "square": 0}, cards("move")),
    case(
        "OCCUPIED", "there is a pin on square 15", {"kind": "replace_tile", "square": 15, "number": 5}, cards("replace")
    ),
    case("WRONG_NUMBER", "the tile of square 5 shows 6; the number rolled is 2", {"kind": "jump", "square": 5}),
    case(
        "NO_WALK",
        "no walk of 2 steps from square 0 to square 10 passes just those pins",
        {"kind": "step", "square": 10, "pay": []},
    ),
    case(
        "NO_WALK",
        "no walk of 2 steps from square 0 to square 2 passes just those pins",
        {"kind": "step", "square": 2, "pay": [1]},
    ),
    case(
        "CANNOT_PAY_TOLL",
        "the toll is 1 token; player 0 has 0",
        {"kind": "step", "square": 2, "pay": [1]},
        {"pins": [0, 1], "tokens": [0, 5]},
    ),
    case(
        "CANNOT_PAY_TOLL",
        "the toll is 2 tokens; player 0 has 1",
        {"kind": "step", "square": 3, "pay": [1, 2]},
        {"pins": [0, 1, 2], "number": 3, "tokens": [1, 5, 5]},
        players=3,
    ),
    case("SAME_COLOUR", "that would change nothing: the yarn is green already", {"kind": "buy_swap", "a": 0, "b": 8}),
    case(
        "SAME_COLOUR",
        "that would change nothing: the yarn is red already",
        {"kind": "replace_yarn", "octagon": 1, "colour": "red"},
        cards("replace"),
    ),
    case(
        "NOT_TOUCHED",
        "square 0 does not touch both octagon 7 and octagon 8",
        {"kind": "free_swap", "a": 7, "b": 8},
        {"free_swap": True},
    ),
    case(
        "NOT_IN_RESERVE",
        "that is not in the reserve, or its equal comes first",
        {"kind": "replace_yarn", "octagon": 4, "colour": "green"},
        {"yarns": SIX_GREEN, **cards("replace")},
    ),
    case(
        "SAME_NUMBER",
        "that would change nothing: square 4 shows 5 already",
        {"kind": "replace_tile", "square": 4, "number": 5},
        cards("replace"),
    ),
    case(
        "NOT_COMPLETE",
        "the board does not complete the design",
        {"kind": "claim", "design": "long-border"},
        {"design_hands": [["long-border"]]},
    ),
    case(
        "NOTHING_TO_STEAL",
        "player 0 has no action cards",
        {"kind": "steal_card", "seat": 0},
        {"player": 1, "action_hands": [[], ["steal_card"]]},
        players=3,
    ),
    case(
        "NOTHING_TO_STEAL",
        "player 1 has no tokens",
        {"kind": "steal_tokens", "seat": 1},
        {"tokens": [5, 0], **cards("steal_tokens")},
    ),
    case(
        "NO_BLACK",
        "these rules do not let preset name black",
        {"kind": "preset", "colour": "black"},
        {"phase": "roll", **cards("preset")},
        rules=NO_BLACK,
    ),
    case(
        "GIVES_NOTHING",
        "collect_three gives nothing under these rules",
        {"kind": "collect_three"},
        cards("collect_three"),
        rules=NOTHING,
    ),
    case(
        "GIVES_NOTHING",
        "steal_tokens gives nothing under these rules",
        {"kind": "steal_tokens", "seat": 1},
        cards("steal_tokens"),
        rules=NOTHING,
    ),
]
"""Reasons met with an action in JSON."""

BY_INDEX: list[tuple[str, Json, str, int, int, str]] = [
    ("NO_DESIGN", {}, "claim", 5, 0, "player 0 has no design at place 5 of the hand"),
    ("NO_DESIGN", {}, "exchange", 0, 0, "player 0 has no design at place 0 of the hand"),
    ("NO_PLAYER", cards("steal_card"), "steal_card", 2, 0, "only 2 play"),
    ("NO_PLAYER", cards("steal_tokens"), "steal_tokens", 3, 0, "only 2 play"),
    ("NO_PLAYER", {}, "step", 5, 2, "only 2 play"),
    (
        "NOT_IN_RESERVE",
        {"tiles": [1, 2, 3, 4, 5, 5, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4], **cards("replace")},
        "replace_tile",
        1,
        1,
        "that is not in the reserve, or its equal comes first",
    ),
]
"""Reasons met only with an index: the code's name, the position, the verb and its arguments, the message."""


def code_of(game: Game, index: int) -> int:
    """What the engine says to an action."""
    games = np.array([game.record], dtype=GAME)
    return int(batch.barrier_one(tables_of(game.rules), games, 0, index))


def refused(game: Game, action: Any) -> IllegalAction:
    """The error with which an action is refused; the game must stay as it is."""
    before = game.record.tobytes()
    caught: IllegalAction | None = None
    try:
        game.play(action)
    except IllegalAction as error:
        caught = error
    assert caught is not None
    assert str(caught) == f"illegal action {caught.action}: {caught.reason}"
    assert game.record.tobytes() == before
    return caught


@pytest.mark.parametrize(
    ("name", "message", "action", "changes", "players", "rules"), REASONS, ids=[reason[0] for reason in REASONS]
)
def test_reasons(name: str, message: str, action: Json, changes: Json, players: int, rules: Rules) -> None:
    game = at(players, rules, **changes)
    assert code_of(game, game.index_of(action)) == getattr(barriers, name)
    error = refused(game, action)
    assert error.reason == message
    assert error.action == action
    by_index = refused(game, game.index_of(action))
    assert by_index.reason == message
    assert by_index.action == f"{game.index_of(action)} ({action['kind']})"


@pytest.mark.parametrize(("name", "changes", "verb", "a", "b", "message"), BY_INDEX)
def test_reasons_by_index(name: str, changes: Json, verb: str, a: int, b: int, message: str) -> None:
    game = at(2, BASE, **changes)
    index = game.actions.index[Parts(VERBS.index(verb), a, b)]
    assert code_of(game, index) == getattr(barriers, name)
    assert refused(game, index).reason == message


def test_placing() -> None:
    game = Game.from_dict(placing(2, pins=(1,), roll=2))
    assert refused(game, {"kind": "place", "square": 1}).reason == "there is a pin on square 1"
    assert (
        refused(game, {"kind": "place", "square": 0}).reason == "the tile of square 0 shows 1; the number rolled is 2"
    )


def test_a_game_that_is_over() -> None:
    rules = BASE.but(max_turns=3)
    game = Game.from_dict(position(2, rules, phase="over", truncated=True), rules)
    assert game.legal_indices() == []
    for index in range(len(game.actions)):
        assert refused(game, index).reason == "the game is over"


def test_every_code_is_covered() -> None:
    codes = set(re.findall(r"(?m)^([A-Z_]+) = \d+$", inspect.getsource(barriers)))
    assert len(codes) > 20
    assert {reason[0] for reason in [*REASONS, *BY_INDEX]} == codes - {"OK", "OUT_OF_RANGE"}


NONSENSE: list[tuple[Any, str]] = [
    (-1, "an index must be from 0 to "),
    (10**9, "an index must be from 0 to "),
    (np.int64(-3), "an index must be from 0 to "),
    ("roll", "an action is an index or a JSON object with a kind"),
    (None, "an action is an index or a JSON object with a kind"),
    (True, "an action is an index or a JSON object with a kind"),
    (1.0, "an action is an index or a JSON object with a kind"),
    ([3], "an action is an index or a JSON object with a kind"),
    (np.array([1, 2]), "an action is an index or a JSON object with a kind"),
    ({}, "there is no kind None"),
    ({"kind": "rol"}, "there is no kind 'rol' (did you mean 'roll'?)"),
    ({"kind": ["roll"]}, "there is no kind ['roll']"),
    ({"kind": "roll", "square": 1}, "roll has the keys kind, not ['kind', 'square']"),
    ({"kind": "step", "square": 1}, "step has the keys kind, square, pay, not ['kind', 'square']"),
    ({"kind": "jump", "square": 16}, "square must be a whole number from 0 to 15, not 16"),
    ({"kind": "jump", "square": True}, "square must be a whole number from 0 to 15, not True"),
    ({"kind": "jump", "square": np.int64(3)}, "square must be a whole number from 0 to 15, not np.int64(3)"),
    ({"kind": "step", "square": 1, "pay": 1}, "pay must be a list of seats, not 1"),
    ({"kind": "step", "square": 1, "pay": [0]}, "a seat must be one of [1, 2], the other players, not 0"),
    ({"kind": "step", "square": 1, "pay": [2, 1]}, "pay must be different seats, rising, not [2, 1]"),
    ({"kind": "step", "square": 1, "pay": [1, 1]}, "pay must be different seats, rising, not [1, 1]"),
    ({"kind": "buy_swap", "a": 3, "b": 3}, "a must be less than b"),
    ({"kind": "buy_swap", "a": 3, "b": 25}, "b must be a whole number from 0 to 24, not 25"),
    ({"kind": "free_swap", "a": 0, "b": 24}, "no square touches both octagon 0 and octagon 24"),
    (
        {"kind": "replace_yarn", "octagon": 1, "colour": "black"},
        "colour must be one of green, red, yellow, blue, purple, not",
    ),
    ({"kind": "replace_yarn", "octagon": 1, "colour": np.array(["red", "red"])}, "colour must be one of green, red,"),
    ({"kind": "replace_tile", "square": 1, "number": 1}, "the tile reserve has 5 and 6, not 1"),
    ({"kind": "claim", "design": "no such"}, "player 0 does not hold the design 'no such'"),
    ({"kind": "claim", "design": DECK}, "player 0 does not hold the design ['seed'"),
    ({"kind": "steal_card", "seat": 0}, "a seat must be one of [1, 2], the other players, not 0"),
    ({"kind": "steal_tokens", "seat": 3}, "a seat must be one of [1, 2], the other players, not 3"),
    ({"kind": "gain_tokens", "number": 7}, "number must be a whole number from 1 to 6, not 7"),
]


def test_nonsense() -> None:
    game = at(3, BASE)
    for action, message in NONSENSE:
        assert refused(game, action).reason.startswith(message), action
    rim = BASE.but(rim_squares=True)
    assert refused(at(2, rim), {"kind": "jump", "square": 0}).reason == "square 0 has no tile"
    assert (
        refused(at(2, rim), {"kind": "jump", "square": 36}).reason
        == "square must be a whole number from 0 to 35, not 36"
    )


def check_every_index(game: Game) -> None:
    """What is listed can be played, in JSON too; all else is refused with a reason."""
    legal = game.legal_indices()
    assert legal == list(np.flatnonzero(game.mask()))
    for index in range(len(game.actions)):
        if index not in legal:
            assert refused(game, index).reason
    before = game.record.tobytes()
    for index in legal:
        assert game.index_of(game.action_of(index)) == index
        after = game.copy()
        after.play(index)
        assert after.record.actions == game.record.actions + 1
    assert game.record.tobytes() == before


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_index_is_legal_or_refused_with_a_reason(players: int) -> None:
    chosen = [rules_of(variant) for place, variant in enumerate(VARIANTS) if place % 3 == players - 2]
    for number, rules in enumerate([*chosen, mixture(players)]):
        game = Game(rules, players, seed=number)
        choose = Chooser(number)
        for step in range(28):
            if step % 14 in (0, 9) or game.over:
                check_every_index(game)
            if game.over:
                break
            game.play(choose(game))


@pytest.mark.parametrize(
    "error",
    [
        EttanaError("a"),
        RulesError("b"),
        StateError("c"),
        IllegalAction({"kind": "roll"}, "no"),
        IllegalAction("5 (roll)", "no"),
        RecordError("d", 7),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_can_be_pickled_and_copied(error: EttanaError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
