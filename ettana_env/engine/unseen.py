"""What a seat can say about cards it does not see: which they can be, and what they would do on this board."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.barriers import is_complete
from ettana_env.engine.bits import ONE, bit, how_many, lowest
from ettana_env.vocabulary import VICTORY_POINT


@compiled
def all_designs(t: Any) -> Any:
    """The whole deck."""
    return (bit(t.designs) - ONE) if t.designs < 64 else ~np.uint64(0)


@compiled
def unseen_designs(t: Any, g: Any, seat: int) -> Any:
    """The designs that are in no place the seat can see: in the stack or in others' hands."""
    seen = g.design_hands[seat]
    for other in range(g.players):
        seen |= g.claimed[other]
    return all_designs(t) & ~seen


@compiled
def complete_among(t: Any, g: Any, designs: Any) -> Any:
    """Those of some designs that the board completes."""
    found = np.uint64(0)
    while designs != 0:
        design = lowest(designs)
        designs &= designs - ONE
        if is_complete(t, g, design):
            found |= bit(design)
    return found


@compiled
def victory_odds(t: Any, g: Any) -> float:
    """How likely the next action card is a victory point; 0 if the stack is empty."""
    if g.action_stack_size == 0:
        return 0.0
    left = np.int64(t.action_cards[VICTORY_POINT])
    for seat in range(g.players):
        left -= g.victory_cards[seat]
    return left / g.action_stack_size


@compiled
def ready_odds(t: Any, g: Any, seat: int, unseen: Any, complete: Any) -> tuple[float, float]:
    """Of a design not yet seen: its mean points, as a share of those to win, if it is complete; and that it wins."""
    cards = how_many(unseen)
    mean = 0.0
    wins = 0.0
    ready = unseen & complete
    while ready != 0:
        points = t.design_points[lowest(ready)]
        ready &= ready - ONE
        mean += points / t.points_to_win / cards
        if g.points[seat] + points >= t.points_to_win:
            wins += 1.0 / cards
    return mean, wins


@compiled
def threat(t: Any, g: Any, seat: int, unseen: Any, complete: Any) -> float:
    """How likely an opponent can win at once: holds a design that is complete on the board and suffices."""
    cards = how_many(unseen)
    total = 0.0
    ready = unseen & complete
    while ready != 0:
        design = lowest(ready)
        ready &= ready - ONE
        for other in range(g.players):
            if other != seat and g.points[other] + t.design_points[design] >= t.points_to_win:
                total += how_many(g.design_hands[other]) / cards
    return min(total, 1.0)
