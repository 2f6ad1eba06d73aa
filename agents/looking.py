"""What a network looks at: the observations of many games, and each one's legal actions with their features.

Only legal actions are listed (`actions` and `features`, game after game, those of game n from `offsets[n]` to
`offsets[n + 1]`): of more than a thousand actions a few dozen are legal at a time.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.batch import in_threads
from ettana_env.engine.planning import FEATURES, PLAN, write_features
from ettana_env.engine.ways import WORK

SCALE = np.array([8, 8, 1, 4, 1, 2, 2, 1, 1], np.float32)
"""By feature, what it is multiplied with, so that all are about as large: a network learns best so."""

assert len(SCALE) == FEATURES


class Seen(NamedTuple):
    """What the seats to act of some games see."""

    observations: NDArray[np.float32]
    offsets: NDArray[np.int64]
    actions: NDArray[np.int16]
    features: NDArray[np.float32]

    def rows(self, which: NDArray[np.int64]) -> "Seen":
        """Some of them, in the order given."""
        counts = np.diff(self.offsets)[which]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        entries = np.repeat(self.offsets[which] - offsets[:-1], counts) + np.arange(offsets[-1])
        return Seen(self.observations[which], offsets, self.actions[entries], self.features[entries])


def together(parts: list[Seen]) -> Seen:
    """Several as one."""
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    return Seen(
        np.concatenate([part.observations for part in parts]),
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
    start: int,
    stop: int,
) -> None:
    """Write the legal actions of some games and their features; `room` is all zero before and after."""
    for n in range(start, stop):
        i = marked[n]
        count = np.int64(rows[i].count)
        write_features(tables[0], games[i], work[0], plans[i], legal[i], count, room)
        first = offsets[n]
        for k in range(count):
            action = legal[i, k]
            actions[first + k] = action
            for f in range(FEATURES):
                features[first + k, f] = room[action, f] * SCALE[f]
                room[action, f] = 0


class Looker:
    """Looks at batches; keeps what it worked out about each game, and room to work in."""

    def __init__(self) -> None:
        """Room is made when a batch is first looked at."""
        self._for: tuple[Any, ...] | None = None

    def look(self, env: BatchEnv, marked: NDArray[np.int64]) -> Seen:
        """What the seat to act sees in each of these games of a batch."""
        if self._for != (env.rules, env.size, env.threads):
            self._for = env.rules, env.size, env.threads
            self._plans = np.zeros(env.size, PLAN)
            self._rooms = [
                (np.zeros(1, WORK), np.zeros((len(env.actions), FEATURES), np.float32)) for _ in range(env.threads)
            ]
        offsets = np.zeros(len(marked) + 1, np.int64)
        np.cumsum(env.legal_counts[marked], out=offsets[1:])
        actions = np.empty(offsets[-1], np.int16)
        features = np.empty((offsets[-1], FEATURES), np.float32)
        room_at = {len(marked) * n // env.threads: n for n in range(env.threads)}

        def one(start: int, stop: int) -> None:
            if start < stop:
                work, room = self._rooms[room_at[start]]
                list_features(
                    env._tables, env._games, env._rows, env._legal, marked, work, self._plans, room,
                    offsets, actions, features, start, stop,
                )  # fmt: skip

        in_threads(env.threads, len(marked), one)
        return Seen(env.observations[marked], offsets, actions, features)
