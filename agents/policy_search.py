"""A trained network with a little search on top: `ppo-search`, or `policy-search:path` for one of your own.

The likeliest actions are tried in worlds drawn from what the seat may know, the same worlds for all of them, so that
luck does not decide. Each is played on by the network in all seats, with the same dice, until the seat's next turn, and
judged by the value the network gives that position. After a quarter of the worlds, actions that are clearly behind are
dropped. Games are searched together: every tick is one batch for the network.
"""

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
from ettana_env.vocabulary import NONE

AT_ONCE = 4096
"""Games played on at one time, at most."""

CLEARLY = 2.0
"""So many standard errors behind the best, an action is dropped."""

MOST_TICKS = 200
"""Decisions after which a game that has not come back to the seat is left: it counts as the position it began with."""


@compiled
def lay_out(
    tables: Any, games: Any, rows: Any, marked: Any, arms: Any, first: int, worlds: int, out: Any, acted: Any
) -> None:
    """For each marked game and each of its arms (NONE for none), the games after the arm in so many worlds.

    They lie game by game, arm by arm; `acted` says which are there. Worlds are numbered; `first` is the first of them.
    """
    world = games[:1].copy()
    for n in range(len(marked)):
        i = marked[n]
        seat = np.int64(games[i].player)
        for w in range(worlds):
            world[0] = games[i]
            key = word(rows[i].seed, SEARCH, np.int64(games[i].actions), first + w)
            determinize(tables[0], world[0], seat, key)
            for k in range(arms.shape[1]):
                place = (n * arms.shape[1] + k) * worlds + w
                acted[place] = arms[n, k] != NONE
                if acted[place]:
                    out[place] = world[0]
                    play(tables[0], out[place], arms[n, k])


class NetworkSearch:
    """Plays by a network and a search one turn ahead."""

    def __init__(self, network: Network, worlds: int, arms: int, least: float, trust: float, doubt: float) -> None:
        """See `PolicySearch`."""
        for name, number, most in (("worlds", worlds, 1024), ("arms", arms, 64)):
            if not 1 <= number <= most:
                raise EttanaError(f"policy-search: {name} must be from 1 to {most}, not {number}")
        if not 0 <= least <= 1:
            raise EttanaError(f"policy-search: least must be from 0 to 1, not {least:g}")
        self._network = network
        self._worlds, self._arms, self._least = worlds, arms, least
        self._trust, self._doubt = trust, doubt
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
        chances, values = self._network.chances(seen)
        arms, priors = candidates(seen.offsets, seen.actions, chances, self._arms, self._least)
        actions[marked] = arms[:, 0]
        asked = np.flatnonzero((arms != NONE).sum(axis=1) > 1)
        a_time = max(1, AT_ONCE // (self._arms * self._worlds))
        for first in range(0, len(asked), a_time):
            some = asked[first : first + a_time]
            best = self._best(env, marked[some], arms[some], priors[some], values[some])
            actions[marked[some]] = arms[some, best]
        return actions

    def _best(
        self,
        env: BatchEnv,
        marked: NDArray[np.int64],
        arms: NDArray[np.int64],
        priors: NDArray[np.float64],
        values: NDArray[np.float32],
    ) -> NDArray[np.int64]:
        """By game, the place of the arm to play: all are tried in a quarter of the worlds, what is near in the rest."""
        quarter = max(1, self._worlds // 4)
        found = self._try(env, marked, arms, values, 0, quarter)
        best, near = self._weigh(found, priors, arms)
        left = np.where(near, arms, NONE)
        hard = np.flatnonzero((left != NONE).sum(axis=1) > 1)
        if len(hard) and self._worlds > quarter:
            more = self._try(env, marked[hard], left[hard], values[hard], quarter, self._worlds - quarter)
            best[hard], _ = self._weigh(np.concatenate([found[hard], more], axis=2), priors[hard], left[hard])
        return best

    def _weigh(
        self, found: NDArray[np.float64], priors: NDArray[np.float64], arms: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The place of the best arm, and which are not clearly behind it; the likeliest stays in any case."""
        each = np.arange(len(arms))
        scores = found.mean(axis=2) + self._trust * np.log(np.maximum(priors, 1e-9))
        scores -= self._doubt * errors(found, found[:, :1])
        scores[arms == NONE] = -np.inf
        best = scores.argmax(axis=1)
        behind = scores[each, best][:, None] - scores
        near = (arms != NONE) & (behind <= CLEARLY * errors(found, found[each, best][:, None]))
        near[:, 0] = True
        return best, near

    def _try(
        self,
        env: BatchEnv,
        marked: NDArray[np.int64],
        arms: NDArray[np.int64],
        values: NDArray[np.float32],
        first: int,
        worlds: int,
    ) -> NDArray[np.float64]:
        """By game, arm and world (so many from the first), the value at the seat's next turn."""
        count = arms.size * worlds
        records: Games = new_games(count)
        there = np.zeros(count, np.bool_)
        lay_out(env._tables, env._games, env._rows, marked, arms, first, worlds, records, there)
        table = self._room(env, count)
        placed = np.zeros(table.size, np.bool_)
        placed[:count] = there
        table.set_games(placed, records[there])
        each = arms.shape[1] * worlds
        seat = np.zeros(table.size, np.int64)
        seat[:count] = np.repeat(env.seats[marked], each)
        turn = np.zeros(table.size, np.int64)
        turn[:count] = np.repeat(env.games["turn"][marked], each)
        found = np.zeros(table.size)
        found[:count] = np.repeat(values, each)
        active = placed.copy()
        self._note_ended(table, active & (table.seats == NONE), seat, found)
        active &= table.seats != NONE
        for _ in range(MOST_TICKS):
            playing = np.flatnonzero(active)
            if not len(playing):
                break
            seen = self._inner.look(table, playing)
            chosen, _, thought = self._network.choose(seen, np.full(len(playing), -1.0))
            back = (table.seats[playing] == seat[playing]) & (table.games["turn"][playing] > turn[playing])
            found[playing[back]] = thought[back]
            active[playing[back]] = False
            actions = np.full(table.size, NONE, np.int64)
            on = ~back
            actions[playing[on]] = seen.actions[seen.offsets[:-1] + chosen][on]
            table.step(actions)
            ended = active & (table.terminated | table.truncated)
            self._note_ended(table, ended, seat, found)
            active &= ~ended
        return found[:count].reshape(*arms.shape, worlds)

    @staticmethod
    def _note_ended(
        table: BatchEnv, ended: NDArray[np.bool_], seat: NDArray[np.int64], found: NDArray[np.float64]
    ) -> None:
        """What games that are over are worth to the seat that searches."""
        for i in np.flatnonzero(ended):
            winner, players = int(table.games["winner"][i]), int(table.games["players"][i])
            found[i] = 0.0 if winner == NONE else 1.0 if winner == seat[i] else -1 / (players - 1)

    def _room(self, env: BatchEnv, count: int) -> BatchEnv:
        if self._table is None or self._table.rules != env.rules or self._table.size < count:
            size = max(count, self._arms * self._worlds)
            self._table = BatchEnv(size, env.rules, 4, forced=True, autoreset=False, threads=env.threads)
        return self._table


class PolicySearch(NetworkSearch):
    """Plays by a trained network and a search one turn ahead: `policy-search:path=runs/mine/policy.safetensors`."""

    def __init__(
        self,
        path: str,
        worlds: int = 48,
        arms: int = 4,
        least: float = 0.05,
        trust: float = 0.01,
        doubt: float = 0.5,
    ) -> None:
        """The `arms` likeliest actions with at least the chance `least` are tried.

        An action's score is its mean value over so many `worlds`, plus `trust` times the logarithm of its chance, less
        `doubt` times the standard error of how much better it did than the likeliest.
        """
        super().__init__(load_network(Path(path))[0], worlds, arms, least, trust, doubt)


class PpoSearch(PolicySearch):
    """Plays by the trained network that comes along, and a search one turn ahead."""

    def __init__(
        self, worlds: int = 48, arms: int = 4, least: float = 0.05, trust: float = 0.01, doubt: float = 0.5
    ) -> None:
        """As `policy-search`."""
        super().__init__(str(TRAINED), worlds, arms, least, trust, doubt)


def errors(found: NDArray[np.float64], beside: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard error of each arm's mean over worlds less that of another in the same worlds."""
    worlds = found.shape[2]
    if worlds == 1:
        return np.zeros(found.shape[:2])
    deviations: NDArray[np.float64] = (found - beside).std(axis=2, ddof=1)
    return deviations / worlds**0.5


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
