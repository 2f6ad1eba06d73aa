"""What a position and an action are worth to a seat, in shares of a win: the judgement all heuristics have in common.

A seat's position is worth its points, its designs (each its points, halved for every swap it is away), its tokens and
its cards. An action is worth what it adds to that; what it draws counts as an average card, with the odds that it
scores at once. What is taken from someone counts more, the nearer they are to winning. The weights make the style.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.odds import PRESSURE, READY, READY_WINS, VICTORY
from ettana_env.compiled import compiled
from ettana_env.engine.bits import how_many
from ettana_env.engine.planning import CLOSENESS, GAIN, HARM, OTHERS, PEAK, POINTS, TOKENS, WINS
from ettana_env.vocabulary import (
    CARD_OF,
    DIE_COLOURS,
    V_BUY_ACTION,
    V_BUY_DESIGN,
    V_CLAIM,
    V_END_TURN,
    V_EXCHANGE,
    V_GET_DESIGN,
    V_ROLL_AGAIN,
    V_STEAL_CARD,
    V_STEAL_TOKENS,
    VERBS,
)

MOVES = np.array([verb in ("step", "jump", "move_card") for verb in VERBS])
PLAYS_CARD = np.array([verb in CARD_OF for verb in VERBS])


class Weights(NamedTuple):
    """A style of play."""

    gain: float = 1.0
    """What the designs gain by a swap, for what they are worth."""
    harm: float = 1.0
    """What they lose."""
    token: float = 0.012
    """A token of one's own."""
    others_token: float = 0.003
    """A token that the others lose."""
    card: float = 0.02
    """An action card in hand."""
    stolen: float = 0.0
    """Taking a card from someone, beside having it."""
    design: float = 0.05
    """A design not yet seen, to an empty hand; with n designs held, 1 / (n + 1) of it."""
    exchange: float = 0.02
    """What giving up the turn for an exchange costs."""
    again: float = 0.012
    """Another roll, and what it lets one collect."""
    peak: float = 0.001
    """Each yarn of the colour a square has most of."""
    points: float = 0.5
    """A whole win's worth of points completed, beside what the designs gain."""
    luck: float = 1.0
    """What a draw that scores at once is worth, times its odds."""
    urgency: float = 1.0
    """How much more what others lose counts when one of them is about to win."""
    fear: float = 0.5
    """Leaving the board so that an opponent surely wins at once."""

    def array(self) -> NDArray[np.float64]:
        """The weights as compiled code takes them, in this order."""
        return np.array(self, np.float64)


FIELDS = {name: place for place, name in enumerate(Weights._fields)}
W_GAIN, W_HARM, W_TOKEN, W_OTHERS = (FIELDS[name] for name in ("gain", "harm", "token", "others_token"))
W_CARD, W_STOLEN, W_DESIGN = (FIELDS[name] for name in ("card", "stolen", "design"))
W_EXCHANGE, W_AGAIN, W_PEAK, W_POINTS = (FIELDS[name] for name in ("exchange", "again", "peak", "points"))
W_LUCK, W_URGENCY, W_FEAR = (FIELDS[name] for name in ("luck", "urgency", "fear"))

CLAIM = 10.0
"""A claim comes before anything else: nothing can be lost by it."""
WIN = 5.0


@compiled
def worth_of_change(f: Any, w: Any) -> float:
    """What an action does to the held designs (a move: what its best free swap would do)."""
    return w[W_GAIN] * f[GAIN] - w[W_HARM] * f[HARM] + 0.01 * f[CLOSENESS] + w[W_POINTS] * f[POINTS] + WIN * f[WINS]


@compiled
def worth_of_rest(t: Any, g: Any, seat: int, action: int, f: Any, odds: Any, w: Any) -> float:
    """Everything else an action does: tokens, cards, the square it leads to."""
    verb = t.verb[action]
    urgency = 1.0 + w[W_URGENCY] * odds[PRESSURE] ** 2
    worth = 10.0 * w[W_TOKEN] * f[TOKENS] - 10.0 * w[W_OTHERS] * urgency * f[OTHERS] + 4.0 * w[W_PEAK] * f[PEAK]
    if PLAYS_CARD[verb]:
        worth -= w[W_CARD]
    if verb == V_BUY_ACTION:
        worth += w[W_CARD] + victory(t, g, seat, odds, w)
    elif verb == V_STEAL_CARD or verb == V_STEAL_TOKENS:
        victim = (seat + np.int64(t.a[action])) % g.players
        lead = g.points[victim] / t.points_to_win
        if verb == V_STEAL_CARD:
            worth += w[W_CARD] + w[W_STOLEN] * (1.0 + w[W_URGENCY] * lead * lead)
        else:
            worth += w[W_OTHERS] * lead  # all else equal, from whoever is ahead
    elif verb == V_BUY_DESIGN or verb == V_GET_DESIGN or verb == V_EXCHANGE:
        others = how_many(g.design_hands[seat]) - (verb == V_EXCHANGE)
        worth += w[W_DESIGN] / (others + 1) + w[W_LUCK] * (w[W_POINTS] * odds[READY] + odds[READY_WINS])
        if verb == V_EXCHANGE:
            worth -= w[W_EXCHANGE]
    elif verb == V_ROLL_AGAIN:
        worth += w[W_AGAIN] + victory(t, g, seat, odds, w) / len(DIE_COLOURS)
    elif verb == V_CLAIM:
        worth += CLAIM
    elif verb == V_END_TURN:
        worth += 1e-6
    return worth


@compiled
def victory(t: Any, g: Any, seat: int, odds: Any, w: Any) -> float:
    """What the odds of drawing a victory point are worth."""
    return w[W_LUCK] * odds[VICTORY] * (w[W_POINTS] / t.points_to_win + (g.points[seat] + 1 >= t.points_to_win))


@compiled
def judge(t: Any, g: Any, seat: int, action: int, f: Any, odds: Any, w: Any) -> float:
    """What an action adds at once to the position of the seat to act; a move by itself changes no yarn."""
    change = 0.0 if MOVES[t.verb[action]] else worth_of_change(f, w)
    return change + worth_of_rest(t, g, seat, action, f, odds, w)
