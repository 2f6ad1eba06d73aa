"""What has been done in a turn (R3.6, R8.1): the four flags and the counts after every kind of action."""

import pytest

from ettana_env import Game, IllegalAction
from tests.positions import BASE, CARDS, FLAGS, SELVEDGE, Json, at, do, fated, flags, kinds, offered, placing

ACTIONS: dict[str, Json] = {
    "place": {"square": 0},
    "roll": {},
    "preset": {"colour": "red"},
    "step": {"square": 5, "pay": []},
    "jump": {"square": 1},
    "move_card": {"square": 9},
    "free_swap": {"a": 0, "b": 1},
    "buy_swap": {"a": 0, "b": 24},
    "swap_card": {"a": 0, "b": 24},
    "replace_yarn": {"octagon": 24, "colour": "red"},
    "replace_tile": {"square": 1, "number": 6},
    "claim": {"design": "selvedge"},
    "exchange": {"design": "seed"},
    "steal_card": {"seat": 1},
    "steal_tokens": {"seat": 1},
    "gain_tokens": {"number": 2},
    "buy_action": {},
    "buy_design": {},
    "get_design": {},
    "collect_three": {},
    "roll_again": {},
    "tax": {},
    "end_turn": {},
}

Flags = tuple[bool, bool, bool, bool]
NO, YES = False, True
# acted, moved, free_swap, preset
FRESH: Flags = (NO, NO, NO, NO)
FRESH_PRESET: Flags = (NO, NO, NO, YES)
ACTED: Flags = (YES, NO, NO, NO)
ACTED_PRESET: Flags = (YES, NO, NO, YES)
JUST_MOVED: Flags = (YES, YES, YES, NO)
JUST_MOVED_PRESET: Flags = (YES, YES, YES, YES)
MOVED: Flags = (YES, YES, NO, NO)
MOVED_PRESET: Flags = (YES, YES, NO, YES)

NOT_MOVED_YET = (FRESH, FRESH_PRESET, ACTED, ACTED_PRESET)
AFTER_THE_MOVE = (JUST_MOVED, JUST_MOVED_PRESET, MOVED, MOVED_PRESET)
# What can be played only at some times; everything else at any time of the act phase.
TIMES = {
    "step": NOT_MOVED_YET,
    "jump": NOT_MOVED_YET,
    "move_card": NOT_MOVED_YET,
    "free_swap": (JUST_MOVED, JUST_MOVED_PRESET),
    "exchange": (FRESH, FRESH_PRESET),
    "roll_again": (FRESH,),
    "end_turn": AFTER_THE_MOVE,
}
IN_THE_ACT_PHASE = [kind for kind in ACTIONS if kind not in ("place", "roll", "preset")]
ANY_TIME = (*NOT_MOVED_YET, *AFTER_THE_MOVE)


def expected(kind: str, before: Flags) -> Flags:
    """The table: flags after an action of the act phase."""
    _, moved, _, preset = before
    if kind == "roll_again":
        return (NO, NO, NO, preset)
    if kind in ("step", "jump", "move_card"):
        return (YES, YES, YES, preset)
    if kind in ("exchange", "end_turn"):
        return FRESH
    return (YES, moved, NO, preset)


def rich(before: Flags) -> Game:
    """A position in which every action of the act phase is possible, its time permitting."""
    hand = [kind for kind in CARDS if kind != "victory_point"]
    done: Json = dict(zip(FLAGS, before, strict=True))
    game = at(
        yarns=SELVEDGE,
        tokens=[9, 5],
        action_hands=[hand, ["preset"]],
        design_hands=[["selvedge", "seed"]],
        top_cards=["move"],
        **done,
    )
    return fated(game, number=3, colour="red", gain=2, stolen="preset")


def test_there_are_23_kinds_of_action() -> None:
    """R3.6"""
    assert len(ACTIONS) == 23


@pytest.mark.parametrize("kind", IN_THE_ACT_PHASE)
@pytest.mark.parametrize("before", ANY_TIME, ids=lambda before: "".join("-x"[flag] for flag in before))
def test_flags_after_an_action(kind: str, before: Flags) -> None:
    """R3.6 R4.1 R4.3 R5.10 Each kind is possible at its times and leaves the flags the table says."""
    game = rich(before)
    state = game.to_dict()
    action = {"kind": kind, **ACTIONS[kind]}
    possible = before in TIMES.get(kind, ANY_TIME)
    assert (ACTIONS[kind] in offered(game, kind)) == possible
    if not possible:
        with pytest.raises(IllegalAction):
            game.play(action)
        assert game.to_dict() == state
    else:
        game.play(action)
        after = game.to_dict()
        assert flags(after) == expected(kind, before)
        ends = kind in ("exchange", "end_turn")
        assert after["actions"] == state["actions"] + 1
        assert after["turn"] == state["turn"] + ends
        assert (after["player"], after["phase"]) == ((1, "roll") if ends else (0, "act"))
        assert (after["dice"]["number"] is None) == (after["dice"]["colour"] is None) == ends


def test_flags_after_the_roll() -> None:
    """R3.6"""
    game = fated(at(phase="roll"), number=3, colour="red")
    state = do(game, "roll")
    assert flags(state) == FRESH
    assert (state["actions"], state["turn"]) == (21, 3)


def test_flags_after_preset() -> None:
    """R3.6"""
    game = fated(at(phase="roll", action_hands=[["preset"]]), number=3)
    state = do(game, "preset", **ACTIONS["preset"])
    assert flags(state) == FRESH_PRESET
    assert (state["actions"], state["turn"]) == (21, 3)


@pytest.mark.parametrize("pins", [(), (15,)])
def test_flags_after_placing(pins: tuple[int, ...]) -> None:
    """R2.4 Nothing is done by placing, nor by the deal that follows the last pin."""
    state = do(Game.from_dict(placing(2, pins=pins, roll=1)), "place", **ACTIONS["place"])
    assert flags(state) == FRESH
    assert (state["actions"], state["turn"]) == (1 + len(pins), 0)


def test_the_free_swap_is_open_even_if_no_swap_is_legal() -> None:
    """R4.3 The four yarns round square 5 are all green: the flag tells only that the move was the last action."""
    yarns = list(SELVEDGE)
    for octagon in (6, 7, 11, 12):
        green = next(place for place, colour in enumerate(yarns) if colour == "green" and place not in (6, 7, 11, 12))
        yarns[octagon], yarns[green] = yarns[green], yarns[octagon]
    game = at(rules=BASE, yarns=yarns)
    state = do(game, "step", square=5, pay=[])
    assert state["free_swap"]
    assert "free_swap" not in kinds(game)
