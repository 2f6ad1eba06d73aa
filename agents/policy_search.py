"""A trained network with a little search on top: `ppo-search`, or `policy-search:path` for one of your own.

The likeliest actions are tried in worlds drawn from what the seat may know, the same worlds for all of them, so that
luck does not decide. Each is played on by the network's likeliest actions to the end of the seat's turn, and judged by
the network's foresight (`agents.foresight`): no other seat's dice come in between, so a few worlds are enough. With two
players, actions that are near each other then are played on to the seat's next decision, and what the network's value
says there counts as well. Games are searched together: every tick is one batch for the network.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.network import Network, load_network
from agents.policy import TRAINED
from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.batch import Games, new_games
from ettana_env.engine.chance import SEARCH, word
from ettana_env.engine.hidden import determinize
from ettana_env.engine.play import play
from ettana_env.errors import EttanaError
from ettana_env.vocabulary import NONE, PLACE

AT_ONCE = 4096
"""Games played on at one time, at most."""

MOST_TICKS = 200
"""Actions after which a turn that has not ended is given up, as lost; so many again to come back to the seat."""


NEAR = 0.03
"""An action that is further behind the best when the turn ends is not played on."""

TWO = 2
"""With more players the luck of several turns would drown what is to be told apart."""


@compiled
def lay_out(tables: Any, games: Any, rows: Any, marked: Any, arms: Any, worlds: int, out: Any, acted: Any) -> None:
    """For each marked game and each of its arms (NONE for none), the games after the arm in so many worlds.

    They lie game by game, arm by arm; `acted` says which are there.
    """
    world = games[:1].copy()
    for n in range(len(marked)):
        i = marked[n]
        seat = np.int64(games[i].player)
        for w in range(worlds):
            world[0] = games[i]
            key = word(rows[i].seed, SEARCH, np.int64(games[i].actions), w)
            determinize(tables[0], world[0], seat, key)
            for k in range(arms.shape[1]):
                place = (n * arms.shape[1] + k) * worlds + w
                acted[place] = arms[n, k] != NONE
                if acted[place]:
                    out[place] = world[0]
                    play(tables[0], out[place], arms[n, k])


class NetworkSearch:
    """Plays by a network and a search to the end of the turn."""

    def __init__(
        self,
        network: Network,
        worlds: int = 24,
        arms: int = 12,
        least: float = 0.01,
        trust: float = 0.004,
        luck: float = 0.4,
    ) -> None:
        """See `PolicySearch`."""
        for name, number, most in (("worlds", worlds, 1024), ("arms", arms, 64)):
            if not 1 <= number <= most:
                raise EttanaError(f"policy-search: {name} must be from 1 to {most}, not {number}")
        for name, share in (("least", least), ("luck", luck)):
            if not 0 <= share <= 1:
                raise EttanaError(f"policy-search: {name} must be from 0 to 1, not {share:g}")
        if network.foresight is None:
            raise EttanaError(
                "policy-search: the policy does not value turns that are over (network.foresight), "
                "and the search needs that"
            )
        self._network, self._foresight = network, network.foresight
        self._worlds, self._arms, self._least, self._trust, self._luck = worlds, arms, least, trust, luck
        self._looker, self._inner = network.looker(), network.looker()
        self._table: BatchEnv | None = None

    games_at_once = 512

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """An action for each marked game, NONE for the others."""
        self._network.check_board(env.rules)
        actions = np.full(env.size, NONE, np.int64)
        marked = np.flatnonzero(which)
        if not len(marked):
            return actions
        seen = self._looker.look(env, marked)
        chances, _ = self._network.chances(seen)
        arms, priors = candidates(seen.offsets, seen.actions, chances, self._arms, self._least)
        actions[marked] = arms[:, 0]
        placing = env.games["phase"][marked] == PLACE  # there is no turn yet whose end could be judged
        asked = np.flatnonzero(((arms != NONE).sum(axis=1) > 1) & ~placing)
        a_time = max(1, AT_ONCE // (self._arms * self._worlds))
        for first in range(0, len(asked), a_time):
            some = asked[first : first + a_time]
            scores = self._try(env, marked[some], arms[some], priors[some])
            actions[marked[some]] = arms[some, scores.argmax(axis=1)]
        return actions

    def _try(
        self, env: BatchEnv, marked: NDArray[np.int64], arms: NDArray[np.int64], priors: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """By game and arm, what the seat can expect to be paid, and a little for the chance the network gives it."""
        count = arms.size * self._worlds
        records: Games = new_games(count)
        there = np.zeros(count, np.bool_)
        lay_out(env._tables, env._games, env._rows, marked, arms, self._worlds, records, there)
        table = self._room(env, count)
        active = np.zeros(table.size, np.bool_)
        active[:count] = there
        table.set_games(active, records[there])
        each = arms.shape[1] * self._worlds
        seats, turns = np.zeros((2, table.size), np.int64)
        seats[:count] = np.repeat(env.seats[marked], each)
        turns[:count] = np.repeat(env.games["turn"][marked], each)
        through = self._play_on(table, active, lambda: table.games["turn"] > turns)
        found = results(table, seats)
        found[through] = self._foresight.values(self._foresight.look(table, table.games, through, seats[through]))
        bonus = np.where(arms == NONE, -np.inf, self._trust * np.log(np.maximum(priors, 1e-9)))
        scores: NDArray[np.float64] = found[:count].reshape(*arms.shape, -1).mean(axis=2) + bonus
        if self._luck > 0:
            near = scores >= scores.max(axis=1, keepdims=True) - NEAR
            near &= ((near.sum(axis=1) > 1) & (env.players[marked] == TWO))[:, None]
            self._count_luck(table, through[np.repeat(near, self._worlds)[through]], seats, found)
            scores = found[:count].reshape(*arms.shape, -1).mean(axis=2) + bonus
        return scores

    def _count_luck(
        self, table: BatchEnv, through: NDArray[np.int64], seats: NDArray[np.int64], found: NDArray[np.float64]
    ) -> None:
        """Play some games whose turn is over on to the seat's next decision, and let what was `found` heed it."""
        active = np.zeros(table.size, np.bool_)
        active[through] = True
        back = self._play_on(table, active, lambda: (table.seats == seats) & (table.legal_counts > 1))
        later = results(table, seats)
        if len(back):
            later[back] = self._network.chances(self._inner.look(table, back))[1]
        known = np.concatenate([back, through[table.seats[through] == NONE]])
        found[known] += self._luck * (later[known] - found[known])

    def _play_on(
        self, table: BatchEnv, active: NDArray[np.bool_], there: Callable[[], NDArray[np.bool_]]
    ) -> NDArray[np.int64]:
        """Play some games on by the network's likeliest actions until they are there or over; which are there."""
        arrived = active & there() & (table.seats != NONE)
        for _ in range(MOST_TICKS):
            playing = np.flatnonzero(active & ~arrived & (table.seats != NONE))
            if not len(playing):
                break
            actions = np.full(table.size, NONE, np.int64)
            actions[playing] = table.legal[playing, 0]
            free = playing[table.legal_counts[playing] > 1]
            if len(free):
                seen = self._inner.look(table, free)
                chosen, _, _ = self._network.choose(seen, np.full(len(free), -1.0))
                actions[free] = seen.actions[seen.offsets[:-1] + chosen]
            table.step(actions)
            arrived |= active & there() & (table.seats != NONE)
        return np.flatnonzero(arrived)

    def _room(self, env: BatchEnv, count: int) -> BatchEnv:
        if self._table is None or self._table.rules != env.rules or self._table.size < count:
            size = max(count, self._arms * self._worlds)
            self._table = BatchEnv(size, env.rules, 4, autoreset=False, threads=env.threads)
        return self._table


def results(table: BatchEnv, seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """By game, what it pays the seat if it is over: 1 for a win, nothing if it was cut off, else what a loss pays."""
    lost = -1 / (np.maximum(table.games["players"], 2) - 1.0)
    return np.where(table.games["winner"] == seats, 1.0, np.where(table.games["truncated"], 0.0, lost))


class PolicySearch(NetworkSearch):
    """Plays by a network and a search to the end of the turn: `policy-search:path=runs/mine/policy.safetensors`."""

    def __init__(
        self, path: str, worlds: int = 24, arms: int = 12, least: float = 0.01, trust: float = 0.004, luck: float = 0.4
    ) -> None:
        """The `arms` likeliest actions with at least the chance `least` are tried.

        An action's score is its mean value over so many `worlds`, plus `trust` times the logarithm of the chance that
        the network gives it. With two players near ones are played on to the seat's next decision, and the
        difference that the other and the dice make counts with the share `luck`; 0 leaves it at the end of the turn,
        which is faster.
        """
        super().__init__(load_network(Path(path))[0], worlds, arms, least, trust, luck)


class PpoSearch(PolicySearch):
    """Plays by the trained network that comes along, and a search to the end of the turn."""

    def __init__(
        self, worlds: int = 24, arms: int = 12, least: float = 0.01, trust: float = 0.004, luck: float = 0.4
    ) -> None:
        """As `policy-search`."""
        super().__init__(str(TRAINED), worlds, arms, least, trust, luck)


def candidates(
    offsets: NDArray[np.int64], actions: NDArray[np.int16], chances: NDArray[np.float32], most: int, least: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """By row, the likeliest legal actions, best first, NONE after the last; and their chances."""
    arms = np.full((len(offsets) - 1, most), NONE, np.int64)
    priors = np.zeros(arms.shape)
    for row in range(len(arms)):
        own = chances[offsets[row] : offsets[row + 1]]
        best = np.argsort(-own, kind="stable")[:most]
        best = best[(own[best] >= least) | (best == best[0])]
        arms[row, : len(best)] = actions[offsets[row] + best]
        priors[row, : len(best)] = own[best]
    return arms, priors
