"""What a network looks at: numbers about the position of many games, and each one's legal actions with their features.

Only legal actions are listed (`actions` and `features`, game after game, those of game n from `offsets[n]` to
`offsets[n + 1]`): of more than a thousand actions a few dozen are legal at a time.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.batch import in_threads
from ettana_env.engine.planning import FEATURES, PLAN, write_features
from ettana_env.engine.prospects import write_prospects
from ettana_env.engine.ways import PROSPECTS, WORK

SCALE = np.array([8, 8, 1, 4, 1, 2, 2, 1, 1, 4, 1, 8, 4, 8], np.float32)
"""By feature, what it is multiplied with, so that all are about as large: a network learns best so."""

assert len(SCALE) == FEATURES


class Seen(NamedTuple):
    """What the seats to act of some games see."""

    inputs: NDArray[np.float32]
    offsets: NDArray[np.int64]
    actions: NDArray[np.int16]
    features: NDArray[np.float32]

    def rows(self, which: NDArray[np.int64]) -> "Seen":
        """Some of them, in the order given."""
        counts = np.diff(self.offsets)[which]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        entries = np.repeat(self.offsets[which] - offsets[:-1], counts) + np.arange(offsets[-1])
        return Seen(self.inputs[which], offsets, self.actions[entries], self.features[entries])


def together(parts: list[Seen]) -> Seen:
    """Several as one."""
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    return Seen(
        np.concatenate([part.inputs for part in parts]),
        np.concatenate([[0], np.cumsum(counts)]),
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.features for part in parts]),
    )


@compiled
def list_features(
    tables: Any,
    games: Any,
    rows: Any,
    legal: Any,
    marked: Any,
    work: Any,
    plans: Any,
    room: Any,
    offsets: Any,
    actions: Any,
    features: Any,
    prospects: Any,
    start: int,
    stop: int,
) -> None:
    """Write the legal actions of some games, as many of their features as there is room for, and the prospects.

    `room` is all zero before and after.
    """
    for n in range(start, stop):
        i = marked[n]
        count = np.int64(rows[i].count)
        if features.shape[1] > 0 or prospects.shape[1] > 0:
            write_features(tables[0], games[i], work[0], plans[i], legal[i], count, room)
            write_prospects(tables[0], games[i], work[0], plans[i], legal[i], count, room)
        for k in range(prospects.shape[1]):
            prospects[n, k] = work[0].prospects[k]
        first = offsets[n]
        for k in range(count):
            action = legal[i, k]
            actions[first + k] = action
            for f in range(features.shape[1]):
                features[first + k, f] = room[action, f] * SCALE[f]
            for f in range(FEATURES):
                room[action, f] = 0


class Looker:
    """Looks at batches; keeps what it worked out about each game, and room to work in."""

    def __init__(self, parts: Sequence[str] | None = None, features: int = FEATURES, prospects: bool = True) -> None:
        """Look at these parts of the observation (all if not given), the first few features, and the prospects."""
        self._parts, self._features, self._prospects = parts, features, PROSPECTS if prospects else 0
        self._for: tuple[Any, ...] | None = None

    def look(self, env: BatchEnv, marked: NDArray[np.int64]) -> Seen:
        """What the seat to act sees in each of these games of a batch."""
        if self._for != (env.rules, env.size, env.threads):
            self._for = env.rules, env.size, env.threads
            self._slices = [env.layout[name].slice for name in (self._parts or env.layout)]
            self._plans = np.zeros(env.size, PLAN)
            self._rooms = [
                (np.zeros(1, WORK), np.zeros((len(env.actions), FEATURES), np.float32)) for _ in range(env.threads)
            ]
        offsets = np.zeros(len(marked) + 1, np.int64)
        np.cumsum(env.legal_counts[marked], out=offsets[1:])
        actions = np.empty(offsets[-1], np.int16)
        features = np.empty((offsets[-1], self._features), np.float32)
        prospects = np.empty((len(marked), self._prospects), np.float32)
        room_at = {len(marked) * n // env.threads: n for n in range(env.threads)}

        def one(start: int, stop: int) -> None:
            if start < stop:
                work, room = self._rooms[room_at[start]]
                list_features(
                    env._tables, env._games, env._rows, env._legal, marked, work, self._plans, room,
                    offsets, actions, features, prospects, start, stop,
                )  # fmt: skip

        in_threads(env.threads, len(marked), one)
        observations = env.observations
        pieces = [observations[marked, piece] for piece in self._slices]
        return Seen(np.concatenate([*pieces, prospects], axis=1), offsets, actions, features)
