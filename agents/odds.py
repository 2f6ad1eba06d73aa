"""The odds that a seat can work out from what it may know: of what a draw brings, and of what the others may hold."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.barriers import is_complete
from ettana_env.engine.bits import ONE, bit, how_many, lowest
from ettana_env.vocabulary import ACT, V_BUY_DESIGN, V_EXCHANGE, V_GET_DESIGN, VICTORY_POINT

# What is noted about a position, by place.
VICTORY = 0  # that the next action card is a victory point
READY = 1  # the mean points, as a share of those to win, of a design not yet seen, if the board completes it already
READY_WINS = 2  # that a design not yet seen is complete and wins
PRESSURE = 3  # how far the leading opponent is, as a share of the points to win
ODDS = 4


@compiled
def unseen_designs(t: Any, g: Any, seat: int) -> Any:
    """The designs that are in no place the seat can see: in the stack or in others' hands."""
    seen = g.design_hands[seat]
    for other in range(g.players):
        seen |= g.claimed[other]
    every = (bit(t.designs) - ONE) if t.designs < 64 else ~np.uint64(0)
    return every & ~seen


@compiled
def write_odds(t: Any, g: Any, seat: int, legal: Any, count: int, odds: Any) -> None:
    """Note the odds that the legal actions of the seat ask for."""
    odds[:] = 0
    for other in range(g.players):
        if other != seat:
            odds[PRESSURE] = max(odds[PRESSURE], g.points[other] / t.points_to_win)
    if g.phase != ACT:
        return
    if g.action_stack_size > 0:
        left = np.int64(t.action_cards[VICTORY_POINT])
        for other in range(g.players):
            left -= g.victory_cards[other]
        odds[VICTORY] = left / g.action_stack_size
    draws = False
    for n in range(count):
        verb = t.verb[legal[n]]
        draws = draws or verb == V_BUY_DESIGN or verb == V_GET_DESIGN or verb == V_EXCHANGE
    if not draws:
        return
    designs = unseen_designs(t, g, seat)
    cards = how_many(designs)
    while designs != 0:
        design = lowest(designs)
        designs &= designs - ONE
        if is_complete(t, g, design):
            odds[READY] += t.design_points[design] / t.points_to_win / cards
            if g.points[seat] + t.design_points[design] >= t.points_to_win:
                odds[READY_WINS] += 1.0 / cards


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
    """How likely an opponent can win at once: holds a design that is complete on the board and suffices."""
    designs = unseen_designs(t, g, seat)
    cards = how_many(designs)
    threat = 0.0
    while designs != 0:
        design = lowest(designs)
        designs &= designs - ONE
        if is_complete(t, g, design):
            for other in range(g.players):
                if other != seat and g.points[other] + t.design_points[design] >= t.points_to_win:
                    threat += how_many(g.design_hands[other]) / cards
    return min(threat, 1.0)
