"""What the seats are paid after an action; `ettana_env.rewards` defines the schemes."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.vocabulary import OVER

ZERO_SUM = 0
WIN_ONLY = 1
POINTS_DIFFERENCE = 2
SHAPED = 3

SHAPED_POINT = 0.05


@compiled
def pay_rewards(t: Any, g: Any, scheme: int, before: Any, rewards: Any) -> None:
    """Add to `rewards` what the last action pays; `before` are the points of all seats before it."""
    players = np.int64(g.players)
    if scheme == SHAPED:
        for seat in range(players):
            scored = g.points[seat] - before[seat]
            if scored > 0:
                for other in range(players):
                    rewards[other] += SHAPED_POINT * scored if other == seat else -SHAPED_POINT * scored / (players - 1)
    if g.phase != OVER:
        return
    if scheme == POINTS_DIFFERENCE:
        total = 0
        for other in range(players):
            total += g.points[other]
        for other in range(players):
            mean = (total - g.points[other]) / (players - 1)
            rewards[other] += (g.points[other] - mean) / t.points_to_win
    elif g.winner >= 0:
        for other in range(players):
            if other == g.winner:
                rewards[other] += 1.0
            elif scheme != WIN_ONLY:
                rewards[other] -= 1.0 / (players - 1)
