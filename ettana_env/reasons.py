"""Why an action is refused, in words."""

from typing import Any

from ettana_env.engine import barriers
from ettana_env.vocabulary import CARD_OF, COLOURS, PHASES, VERBS

PHASE_OF = {"place": "place", "roll": "roll", "preset": "roll"}


def _tokens(count: int) -> str:
    return f"{count} token" if count == 1 else f"{count} tokens"


def in_words(t: Any, g: Any, code: int, verb: int, a: int, b: int) -> str:
    """The reason `code` bars the action with these parts in game `g`."""
    name = VERBS[verb]
    seat = int(g.player)
    have = int(g.tokens[seat])
    if code == barriers.WRONG_PHASE:
        if PHASES[g.phase] == "over":
            return "the game is over"
        return f"{name} belongs to the {PHASE_OF.get(name, 'act')!r} phase; the game is in {PHASES[g.phase]!r}"
    if code == barriers.NO_CARD:
        return f"player {seat} has no {CARD_OF[name]} card"
    if code == barriers.CANNOT_AFFORD:
        thing, price = {
            "buy_action": ("an action card", t.price_action),
            "buy_swap": ("a swap", t.price_swap),
            "buy_design": ("a design card", t.price_design),
        }[name]
        return f"{thing} costs {_tokens(price)}; player {seat} has {have}"
    if code == barriers.OCCUPIED:
        return f"there is a pin on square {a}"
    if code == barriers.WRONG_NUMBER:
        return f"the tile of square {a} shows {g.tiles[a]}; the number rolled is {g.number}"
    if code == barriers.NO_WALK:
        return f"no walk of {g.number} steps from square {g.pins[seat]} to square {a} passes just those pins"
    if code == barriers.CANNOT_PAY_TOLL:
        return f"the toll is {_tokens(int(b).bit_count())}; player {seat} has {have}"
    if code == barriers.SAME_COLOUR:
        return f"that would change nothing: the yarn is {COLOURS[g.yarns[a]]} already"
    if code == barriers.NOT_TOUCHED:
        return f"square {g.pins[seat]} does not touch both octagon {a} and octagon {b}"
    if code == barriers.SAME_NUMBER:
        return f"that would change nothing: square {a} shows {g.tiles[a]} already"
    if code == barriers.NOTHING_TO_STEAL:
        what = "action cards" if name == "steal_card" else "tokens"
        return f"player {(seat + a) % int(g.players)} has no {what}"
    return {
        barriers.HAS_MOVED: f"player {seat} has moved already this turn",
        barriers.NOT_AFTER_MOVE: "the free swap is open only right after the move",
        barriers.SWITCHED_OFF: f"these rules are played without the {name.replace('_', ' ')}",
        barriers.HAS_ACTED: f"{name} is possible only while nothing is done yet this turn",
        barriers.PRESET_PLAYED: "preset was played this turn",
        barriers.NOTHING_TO_DRAW: "there is no card to draw",
        barriers.BANK_EMPTY: "the bank is empty",
        barriers.MUST_MOVE: f"player {seat} must move first",
        barriers.NOT_IN_RESERVE: "that is not in the reserve, or its equal comes first",
        barriers.NO_DESIGN: f"player {seat} has no design at place {a} of the hand",
        barriers.NOT_COMPLETE: "the board does not complete the design",
        barriers.NO_PLAYER: f"only {g.players} play",
        barriers.NO_BLACK: "these rules do not let preset name black",
        barriers.GIVES_NOTHING: f"{name} gives nothing under these rules",
    }[code]
