"""The odds that the heuristics weigh: of what a draw brings, and of what the others may do."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import ONE, lowest
from ettana_env.engine.unseen import complete_among, ready_odds, threat, unseen_designs, victory_odds
from ettana_env.vocabulary import ACT, V_BUY_DESIGN, V_EXCHANGE, V_GET_DESIGN

# What is noted about a position, by place.
VICTORY = 0  # that the next action card is a victory point
READY = 1  # the mean points, as a share of those to win, of a design not yet seen, if the board completes it already
READY_WINS = 2  # that a design not yet seen is complete and wins
PRESSURE = 3  # how far the leading opponent is, as a share of the points to win
ODDS = 4


@compiled
def write_odds(t: Any, g: Any, seat: int, legal: Any, count: int, odds: Any) -> None:
    """Note the odds that the legal actions of the seat ask for."""
    odds[:] = 0
    for other in range(g.players):
        if other != seat:
            odds[PRESSURE] = max(odds[PRESSURE], g.points[other] / t.points_to_win)
    if g.phase != ACT:
        return
    odds[VICTORY] = victory_odds(t, g)
    draws = False
    for n in range(count):
        verb = t.verb[legal[n]]
        draws = draws or verb == V_BUY_DESIGN or verb == V_GET_DESIGN or verb == V_EXCHANGE
    if draws:
        unseen = unseen_designs(t, g, seat)
        odds[READY], odds[READY_WINS] = ready_odds(t, g, seat, unseen, complete_among(t, g, unseen))


@compiled
def in_reach(t: Any, g: Any, seat: int) -> bool:
    """Could an opponent win by claiming one design the seat has not seen?"""
    most = 0
    designs = unseen_designs(t, g, seat)
    while designs != 0:
        most = max(most, np.int64(t.design_points[lowest(designs)]))
        designs &= designs - ONE
    for other in range(g.players):
        if other != seat and g.design_hands[other] != 0 and g.points[other] + most >= t.points_to_win:
            return True
    return False


@compiled
def danger(t: Any, g: Any, seat: int) -> float:
    """How likely an opponent can win at once, as `threat`."""
    unseen = unseen_designs(t, g, seat)
    return threat(t, g, seat, unseen, complete_among(t, g, unseen))
