"""Advantages along each seat's own chain of decisions.

In a game of several seats a decision is followed, for whoever took it, by that seat's *next own* decision: what the
seat is paid in between belongs to the first of them, and the first is bootstrapped with the value of the second. The
chain ends with the game: then the seat's last decision gets whatever it was paid since, the result included, even if it
never moved again.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.vocabulary import NONE

ENDED = -2
"""Instead of the next row: the game ended."""


@compiled
def advantages_of(
    following: Any, rewards: Any, values: Any, foreseen: Any, potentials: Any, gamma: float, trace: float, luck: float,
    advantages: Any, later: Any,
) -> None:  # fmt: skip
    """Generalised advantages of rows in the order they were played, and what came `later` of each.

    `following` names the row of the seat's next decision, ENDED if the game ended, NONE if that is not known yet: such
    a row gets no advantage, and is what the one before it is bootstrapped with. `potentials` shape the reward by their
    discounted difference (Ng, Harada, Russell), and count as 0 at the end.

    `foreseen` is the value when the seat's turn was over, for its last decision of the turn (NaN for the others): one
    more stop on the way, with no potential. Of what the dice and the others then did to it, only the share `luck`
    counts.
    """
    for row in range(len(following) - 1, -1, -1):
        after = following[row]
        advantages[row] = 0
        if after == NONE:
            continue
        later[row] = rewards[row]
        if after != ENDED:
            later[row] += gamma * (potentials[after] + values[after] + trace * advantages[after])
        expected = later[row]
        if not np.isnan(foreseen[row]):
            expected = luck * later[row] + (1 - luck) * foreseen[row]
        advantages[row] = expected - potentials[row] - values[row]


@compiled
def chains_end(following: Any, ended: Any) -> None:
    """Which rows belong to a chain that has ended, so that all it was paid is known."""
    for row in range(len(following) - 1, -1, -1):
        after = following[row]
        ended[row] = after == ENDED or (after != NONE and ended[after])
