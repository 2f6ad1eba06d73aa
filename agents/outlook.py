"""How likely a seat is to win, by what it may know, when someone is about to roll: a race of all seats.

Every seat has a strength, made of what is seen of it (points, tokens, cards, how soon it is its turn; of one's own hand
also how near the designs are to complete), and wins with a chance in proportion to exp(strength). The weights were
fitted to games of planners; `python -m agents.fit_outlook` makes them again.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import ONE, how_many, lowest
from ettana_env.engine.distance import distance
from ettana_env.engine.planning import value
from ettana_env.vocabulary import KINDS, OVER

OWN = (
    "points",
    "points squared",
    "near: its designs, each for its points and halved by every swap it is away",
    "near if it wins: those that would suffice, halved by every swap",
    "tokens, root of",
    "action cards",
    "designs",
    "turns until it rolls",
)
OTHER = ("points", "points squared", "tokens, root of", "action cards", "designs", "turns until it rolls")
"""What a seat's strength is made of: one's own, and another's."""

OWN_WEIGHTS = np.array([5.162, 0.852, 4.799, 1.739, 0.514, 0.158, 0.410, -0.047])
OTHER_WEIGHTS = np.array([5.100, 1.290, 0.467, 0.139, 0.871, -0.062])


@compiled
def cards_of(g: Any, seat: int) -> int:
    """How many action cards a seat holds."""
    cards = 0
    for kind in range(len(KINDS)):
        cards += g.action_hands[seat, kind]
    return cards


@compiled
def look_at_own(t: Any, g: Any, seat: int, out: Any) -> None:
    """Write the parts of one's own strength."""
    points = g.points[seat] / t.points_to_win
    near = 0.0
    wins = 0.0
    hand = g.design_hands[seat]
    while hand != 0:
        design = lowest(hand)
        hand &= hand - ONE
        worth = value(t, design, distance(t, g, design))
        near += worth
        if g.points[seat] + t.design_points[design] >= t.points_to_win:
            wins = max(wins, worth * t.points_to_win / t.design_points[design])
    out[0], out[1], out[2], out[3] = points, points * points, near, wins
    out[4], out[5], out[6] = g.tokens[seat] ** 0.5, cards_of(g, seat), how_many(g.design_hands[seat])
    out[7] = (seat - g.player) % g.players


@compiled
def look_at_other(t: Any, g: Any, other: int, out: Any) -> None:
    """Write the parts of another seat's strength."""
    points = g.points[other] / t.points_to_win
    out[0], out[1], out[2], out[3] = points, points * points, g.tokens[other] ** 0.5, cards_of(g, other)
    out[4], out[5] = how_many(g.design_hands[other]), (other - g.player) % g.players


@compiled
def outlook(t: Any, g: Any, seat: int, parts: Any) -> float:
    """The chance that a seat wins, when someone is about to roll; `parts` is room for the longer list of parts."""
    if g.phase == OVER:
        return 1.0 if g.winner == seat else 0.0
    look_at_own(t, g, seat, parts)
    own = 0.0
    for i in range(len(OWN_WEIGHTS)):
        own += OWN_WEIGHTS[i] * parts[i]
    total = 1.0
    for other in range(g.players):
        if other != seat:
            look_at_other(t, g, other, parts)
            strength = 0.0
            for i in range(len(OTHER_WEIGHTS)):
                strength += OTHER_WEIGHTS[i] * parts[i]
            total += np.exp(strength - own)
    return 1.0 / total


@compiled
def look_at_all(tables: Any, games: Any, marked: Any, own: Any, others: Any) -> None:
    """Write the parts of every seat's strength, as itself and as the others see it, in each marked game."""
    for i in marked:
        for seat in range(games[i].players):
            look_at_own(tables[0], games[i], seat, own[i, seat])
            look_at_other(tables[0], games[i], seat, others[i, seat])
