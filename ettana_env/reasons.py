"""Why an action is refused, in words."""

from typing import Any

from ettana_env.engine import legal
from ettana_env.vocabulary import CARD_OF, COLOURS, PHASES, VERBS

PHASE_OF = {"place": "place", "roll": "roll", "preset": "roll"}


def in_words(t: Any, g: Any, code: int, verb: int, a: int, b: int) -> str:
    """The reason `code` bars the action with these parts in game `g`."""
    name = VERBS[verb]
    seat = int(g.player)
    have = int(g.tokens[seat])
    if code == legal.WRONG_PHASE:
        if PHASES[g.phase] == "over":
            return "the game is over"
        return f"{name} belongs to the {PHASE_OF.get(name, 'act')!r} phase; the game is in {PHASES[g.phase]!r}"
    if code == legal.NO_CARD:
        return f"player {seat} has no {CARD_OF[name]} card"
    if code == legal.CANNOT_AFFORD:
        thing, price = {
            "buy_action": ("an action card", t.price_action),
            "buy_swap": ("a swap", t.price_swap),
            "buy_design": ("a design card", t.price_design),
        }[name]
        return f"{thing} costs {price} tokens; player {seat} has {have}"
    if code == legal.OCCUPIED:
        return f"there is a pin on square {a}"
    if code == legal.WRONG_NUMBER:
        return f"the tile of square {a} shows {g.tiles[a]}; the number rolled is {g.number}"
    if code == legal.NO_WALK:
        return f"no walk of {g.number} steps from square {g.pins[seat]} to square {a} passes just those pins"
    if code == legal.CANNOT_PAY_TOLL:
        return f"the toll is {int(b).bit_count()} tokens; player {seat} has {have}"
    if code == legal.SAME_COLOUR:
        return f"that would change nothing: the yarn is {COLOURS[g.yarns[a]]} already"
    if code == legal.NOT_TOUCHED:
        return f"square {g.pins[seat]} does not touch both octagon {a} and octagon {b}"
    if code == legal.SAME_NUMBER:
        return f"that would change nothing: square {a} shows {g.tiles[a]} already"
    if code == legal.NOTHING_TO_STEAL:
        what = "action cards" if name == "steal_card" else "tokens"
        return f"player {(seat + a) % int(g.players)} has no {what}"
    return {
        legal.HAS_MOVED: f"player {seat} has moved already this turn",
        legal.NOT_AFTER_MOVE: "the free swap is open only right after the move",
        legal.SWITCHED_OFF: f"these rules are played without the {name.replace('_', ' ')}",
        legal.HAS_ACTED: f"{name} is possible only while nothing is done yet this turn",
        legal.PRESET_PLAYED: "preset was played this turn",
        legal.NOTHING_TO_DRAW: "there is no card to draw",
        legal.BANK_EMPTY: "the bank is empty",
        legal.MUST_MOVE: f"player {seat} must move first",
        legal.NOT_IN_RESERVE: "that is not in the reserve, or its equal comes first",
        legal.NO_DESIGN: f"player {seat} has no design at place {a} of the hand",
        legal.NOT_COMPLETE: "the board does not complete the design",
        legal.NO_PLAYER: f"only {g.players} play",
        legal.NO_BLACK: "these rules do not let preset name black",
        legal.GIVES_NOTHING: f"{name} gives nothing under these rules",
    }[code]
