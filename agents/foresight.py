"""The value of a turn that is over, by what its seat may know then: a small network beside the one that plays.

The value that a policy is trained with is asked before a choice, and has to average over the dice. This one is asked
when the turn is over, before anybody rolls again: what a turn made of the board can be judged without the luck of the
others' turns. Training uses it to tell the two apart (`train.chains`), the search to look no further (`policy_search`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ettana_env import BatchEnv, Rules
from ettana_env.compiled import compiled
from ettana_env.engine.batch import Games, in_threads
from ettana_env.engine.observe import observe
from ettana_env.engine.planning import PLAN
from ettana_env.engine.standings import STANDING, write_standing
from ettana_env.engine.ways import WORK
from ettana_env.observation import layout


@compiled
def list_standings(
    tables: Any,
    games: Any,
    marked: Any,
    seats: Any,
    pieces: Any,
    desk: Any,
    observation: Any,
    out: Any,
    start: int,
    stop: int,
) -> None:
    """Write what a seat of each marked game sees: pieces of the observation, and how it stands."""
    work, plan = desk
    for n in range(start, stop):
        g, seat = games[marked[n]], np.int64(seats[n])
        observe(tables[0], g, seat, observation)
        at = 0
        for k in range(len(pieces)):
            for i in range(pieces[k, 0], pieces[k, 1]):
                out[n, at] = observation[i]
                at += 1
        write_standing(tables[0], g, work[0], plan[0], seat, out[n, at:])


class Foresight(nn.Module):
    """Dense layers over what a seat sees when its turn is over."""

    def __init__(self, rules: Rules, parts: Sequence[str], hidden: Sequence[int]) -> None:
        """It looks at these parts of the observation, and at how the seat stands; `hidden` are the layers' widths."""
        super().__init__()
        self._layout = layout(rules)
        self._pieces = np.array([(part.start, part.stop) for part in (self._layout[name].slice for name in parts)])
        self.inputs = sum(self._layout[name].size for name in parts) + STANDING
        sizes = [self.inputs, *hidden]
        layers: list[nn.Module] = []
        for size, following in pairwise(sizes):
            layers += [nn.Linear(size, following), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Linear(sizes[-1], 1))

    def look(
        self, env: BatchEnv, games: Games, marked: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """What one seat of each of the marked games sees: `games` are records of a batch (`games` or `turn_ends`)."""
        found = np.empty((len(marked), self.inputs), np.float32)

        def one(start: int, stop: int) -> None:
            desk, observation = (np.zeros(1, WORK), np.zeros(1, PLAN)), np.zeros(self._layout.size, np.float32)
            list_standings(env._tables, games, marked, seats, self._pieces, desk, observation, found, start, stop)

        in_threads(env.threads, len(marked), one)
        return found

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """What the seat can expect to be paid: 1 is a win, -1 / (players - 1) a loss."""
        found: torch.Tensor = self.layers(inputs).flatten()
        return found

    @torch.no_grad()
    def values(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """The same, of arrays."""
        found: NDArray[np.float32] = self(torch.from_numpy(inputs)).numpy()
        return found
