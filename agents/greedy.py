"""The greedy baseline: judges every legal action by where it leads, and plays the best.

A seat's position is worth its points, its designs (each its points, halved for every swap it is away), its tokens and
its cards, all as shares of the points to win. An action is worth what it adds to that; what it draws counts as an
average card. Ties are broken at random, the same for one seed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.batch import in_threads
from ettana_env.engine.bits import how_many
from ettana_env.engine.chance import PLAYER, word
from ettana_env.engine.planning import (
    CLOSENESS,
    FEATURES,
    GAIN,
    HARM,
    OTHERS,
    PEAK,
    PLAN,
    POINTS,
    TOKENS,
    WINS,
    write_features,
)
from ettana_env.engine.ways import WORK
from ettana_env.rules import Rules
from ettana_env.vocabulary import (
    CARD_OF,
    NONE,
    V_BUY_ACTION,
    V_BUY_DESIGN,
    V_CLAIM,
    V_END_TURN,
    V_EXCHANGE,
    V_GET_DESIGN,
    V_ROLL_AGAIN,
    V_STEAL_CARD,
    VERBS,
)

PLAYS_CARD = np.array([verb in CARD_OF for verb in VERBS])

WEIGHTS = np.zeros(FEATURES)
WEIGHTS[[GAIN, HARM, CLOSENESS, POINTS, WINS]] = 1.0, -1.0, 0.01, 0.5, 5.0
WEIGHTS[[TOKENS, OTHERS, PEAK]] = 0.12, -0.03, 0.004

CARD = 0.02
"""What an action card in hand is worth."""
DESIGN = 0.05
"""What a design not yet seen is worth to an empty hand; with n designs held, 1 / (n + 1) of it."""


@compiled
def judge(t: Any, g: Any, row: Any, action: int, features: Any) -> float:
    """What an action adds to the position of the seat to act."""
    verb = t.verb[action]
    worth = 0.0
    for i in range(FEATURES):
        worth += WEIGHTS[i] * features[i]
    if PLAYS_CARD[verb]:
        worth -= CARD
    if verb == V_CLAIM:
        worth += 10.0
    elif verb == V_BUY_ACTION or verb == V_STEAL_CARD:
        worth += CARD
    elif verb == V_BUY_DESIGN or verb == V_GET_DESIGN or verb == V_EXCHANGE:
        others = how_many(g.design_hands[row.seat]) - (verb == V_EXCHANGE)
        worth += DESIGN / (others + 1)
        if verb == V_EXCHANGE:
            worth -= 0.02  # the turn's move and what could follow it
    elif verb == V_ROLL_AGAIN:
        worth += 0.012  # another collection
    elif verb == V_END_TURN:
        worth += 1e-6
    return worth


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
    actions: Any,
    start: int,
    stop: int,
) -> None:
    """The best action for every marked game."""
    t = tables[0]
    for i in range(start, stop):
        if not which[i]:
            continue
        g, row, count = games[i], rows[i], np.int64(rows[i].count)
        write_features(t, g, work[0], plans[i], legal[i], count, features)
        best = -1e9
        best_key = np.uint64(0)
        for n in range(count):
            action = np.int64(legal[i, n])
            worth = judge(t, g, row, action, features[action])
            key = word(row.seed, PLAYER, np.int64(g.actions), action)
            if worth > best + 1e-9 or (worth > best - 1e-9 and key > best_key):
                best, best_key = worth, key
                actions[i] = action
            for f in range(FEATURES):
                features[action, f] = 0


class Greedy:
    """Plays what adds most to its position at once."""

    def __init__(self) -> None:
        """There are no options."""
        self._rooms: dict[tuple[Rules, int, int], tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = {}

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best action for each marked game."""
        key = env.rules, env.size, env.threads
        if key not in self._rooms:
            self._rooms = {
                key: (
                    np.zeros(env.threads, WORK),
                    np.zeros(env.size, PLAN),
                    np.zeros((env.threads, len(env.actions), FEATURES), np.float32),
                )
            }
        work, plans, features = self._rooms[key]
        actions = np.full(env.size, NONE, np.int64)
        starts = {env.size * n // env.threads: n for n in reversed(range(env.threads))}

        def one(start: int, stop: int) -> None:
            n = starts[start]
            choose_slice(
                env._tables,
                env._games,
                env._rows,
                env._legal,
                which,
                work[n : n + 1],
                plans,
                features[n],
                actions,
                start,
                stop,
            )

        in_threads(env.threads, env.size, one)
        return actions
