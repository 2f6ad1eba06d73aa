"""The greedy baseline: judges every legal action by where it leads at once, and plays the best."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.desk import Desk, Thinker, new_desk
from agents.judgement import Weights, judge
from agents.odds import write_odds
from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.chance import PLAYER, word
from ettana_env.engine.planning import FEATURES, write_features
from ettana_env.vocabulary import NONE


@compiled
def study(t: Any, g: Any, legal: Any, count: int, desk: Any, plan: Any) -> None:
    """Write the features of the legal actions and the odds on the desk."""
    write_features(t, g, desk.work[0], plan, legal, count, desk.features)
    write_odds(t, g, np.int64(g.player), legal, count, desk.odds)


@compiled
def wipe(legal: Any, count: int, features: Any) -> None:
    """Clear the features of these actions."""
    for n in range(count):
        for f in range(FEATURES):
            features[legal[n], f] = 0


@compiled
def best_action(t: Any, g: Any, key: Any, legal: Any, count: int, desk: Any, plan: Any, w: Any) -> int:
    """The legal action worth most, ties broken at random by the key."""
    seat = np.int64(g.player)
    study(t, g, legal, count, desk, plan)
    best = -1e9
    best_key = np.uint64(0)
    chosen = NONE
    for n in range(count):
        action = np.int64(legal[n])
        worth = judge(t, g, seat, action, desk.features[action], desk.odds, w)
        tie = word(key, PLAYER, np.int64(g.actions), action)
        if worth > best + 1e-9 or (worth > best - 1e-9 and tie > best_key):
            best, best_key, chosen = worth, tie, action
    wipe(legal, count, desk.features)
    return chosen


@compiled
def choose_greedily(
    tables: Any, games: Any, rows: Any, legal: Any, marked: Any, desk: Any, plans: Any, w: Any, actions: Any
) -> None:
    """The best action for every marked game."""
    for i in marked:
        count = np.int64(rows[i].count)
        actions[i] = best_action(tables[0], games[i], rows[i].seed, legal[i], count, desk, plans[i], w)


class Greedy(Thinker):
    """Plays what adds most to its position at once."""

    def __init__(self) -> None:
        """There are no options."""
        super().__init__()
        self._weights = Weights().array()

    def _new_desk(self, actions: int) -> Desk:
        return new_desk(actions)

    def _think(self, env: BatchEnv, marked: NDArray[np.int64], desk: Any, actions: NDArray[np.int64]) -> None:
        choose_greedily(
            env._tables, env._games, env._rows, env._legal, marked, desk, self._plans, self._weights, actions
        )
