"""Where compiled agents think: a desk for each thread, with everything laid out once."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.odds import ODDS
from ettana_env import BatchEnv, Rules
from ettana_env.engine.batch import in_threads, new_games
from ettana_env.engine.planning import FEATURES, PLAN
from ettana_env.engine.ways import WORK
from ettana_env.vocabulary import NONE


class Desk(NamedTuple):
    """Room to think about one game at a time. `features` is all zero between two thoughts."""

    work: NDArray[Any]
    plan: NDArray[Any]
    features: NDArray[np.float32]
    odds: NDArray[np.float64]
    legal: NDArray[np.int16]
    # For thinking ahead: positions, what they are worth, the actions they began with, their ranks, an order to try in.
    tree: NDArray[Any]
    values: NDArray[np.float64]
    firsts: NDArray[np.int64]
    ranks: NDArray[np.float64]
    order: NDArray[np.int64]


def new_desk(actions: int, width: int = 1, tries: int = 1) -> Desk:
    """A desk for a space of so many actions, and to think ahead from `width` positions with `tries` actions each."""
    nodes = 2 * width * tries
    return Desk(
        work=np.zeros(1, WORK),
        plan=np.zeros(1, PLAN),
        features=np.zeros((actions, FEATURES), np.float32),
        odds=np.zeros(ODDS),
        legal=np.zeros(actions + 1, np.int16),
        tree=new_games(nodes),
        values=np.zeros(nodes),
        firsts=np.zeros(nodes, np.int64),
        ranks=np.zeros(tries + nodes),
        order=np.zeros(tries, np.int64),
    )


class Thinker(ABC):
    """An agent in compiled code: the marked games are shared out among the batch's threads, a desk to each."""

    def __init__(self) -> None:
        """Desks are made when they are first needed."""
        self._for: tuple[Rules, int, int] | None = None

    @abstractmethod
    def _new_desk(self, actions: int) -> Any:
        """A desk of the kind the agent needs."""

    @abstractmethod
    def _think(self, env: BatchEnv, marked: NDArray[np.int64], desk: Any, actions: NDArray[np.int64]) -> None:
        """Write the actions for the games with these numbers."""

    def warm_up(self, rules: Rules, players: int) -> None:
        """Think once, so that what must be compiled is."""
        env = BatchEnv(1, rules, players)
        env.reset(seed=1)
        self.choose(env, np.ones(1, np.bool_))

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """An action for each marked game, NONE for the others."""
        if self._for != (env.rules, env.size, env.threads):
            self._for = env.rules, env.size, env.threads
            self._desks = [self._new_desk(len(env.actions)) for _ in range(env.threads)]
            self._plans = np.zeros(env.size, PLAN)  # what was worked out stays with its game
        actions = np.full(env.size, NONE, np.int64)
        marked = np.flatnonzero(which)
        desk_at = {len(marked) * n // env.threads: n for n in range(env.threads)}  # the last one has work there

        def one(start: int, stop: int) -> None:
            if start < stop:
                self._think(env, marked[start:stop], self._desks[desk_at[start]], actions)

        in_threads(env.threads, len(marked), one)
        return actions
