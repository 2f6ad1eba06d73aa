"""The greedy baseline: judges every legal action by where it leads at once, and plays the best."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.judgement import Weights, judge
from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.batch import in_threads
from ettana_env.engine.chance import PLAYER, word
from ettana_env.engine.planning import FEATURES, PLAN, write_features
from ettana_env.engine.ways import WORK
from ettana_env.rules import Rules
from ettana_env.vocabulary import NONE


@compiled
def best_action(t: Any, g: Any, row: Any, legal: Any, count: int, work: Any, plan: Any, features: Any, w: Any) -> int:
    """The legal action worth most, ties broken at random by the seed; `features` is all zero before and after."""
    seat = np.int64(g.player)
    write_features(t, g, work, plan, legal, count, features)
    best = -1e9
    best_key = np.uint64(0)
    chosen = NONE
    for n in range(count):
        action = np.int64(legal[n])
        worth = judge(t, g, seat, action, features[action], w)
        key = word(row.seed, PLAYER, np.int64(g.actions), action)
        if worth > best + 1e-9 or (worth > best - 1e-9 and key > best_key):
            best, best_key, chosen = worth, key, action
        for f in range(FEATURES):
            features[action, f] = 0
    return chosen


@compiled
def choose_slice(
    tables: Any,
    games: Any,
    rows: Any,
    legal: Any,
    which: Any,
    work: Any,
    plans: Any,
    features: Any,
    weights: Any,
    actions: Any,
    start: int,
    stop: int,
) -> None:
    """The best action for every marked game."""
    for i in range(start, stop):
        if which[i]:
            count = np.int64(rows[i].count)
            actions[i] = best_action(
                tables[0], games[i], rows[i], legal[i], count, work[0], plans[i], features, weights
            )


class Rooms:
    """Room for an agent to work in: for each thread of a batch, and for each of its games."""

    def __init__(self) -> None:
        """Nothing is made before it is needed."""
        self._key: tuple[Rules, int, int] | None = None

    def fit(self, env: BatchEnv) -> None:
        """Make room for a batch, unless it is the same as before."""
        key = env.rules, env.size, env.threads
        if key != self._key:
            self._key = key
            self.work = np.zeros(env.threads, WORK)
            self.plans = np.zeros(env.size, PLAN)
            self.features = np.zeros((env.threads, len(env.actions), FEATURES), np.float32)
            self.threads = {env.size * n // env.threads: n for n in reversed(range(env.threads))}


class Greedy:
    """Plays what adds most to its position at once."""

    def __init__(self) -> None:
        """There are no options."""
        self._weights = Weights().array()
        self._rooms = Rooms()

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best action for each marked game."""
        rooms = self._rooms
        rooms.fit(env)
        actions = np.full(env.size, NONE, np.int64)

        def one(start: int, stop: int) -> None:
            n = rooms.threads[start]
            choose_slice(
                env._tables,
                env._games,
                env._rows,
                env._legal,
                which,
                rooms.work[n : n + 1],
                rooms.plans,
                rooms.features[n],
                self._weights,
                actions,
                start,
                stop,
            )

        in_threads(env.threads, env.size, one)
        return actions
