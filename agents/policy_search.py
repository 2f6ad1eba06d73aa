"""A trained network with a little search on top: `ppo-search`, or `policy-search:path` for one of your own.

The likeliest actions are tried in worlds drawn from what the seat may know, the same worlds for all of them, so that
luck does not decide. Each is played on by the network in all seats, with the same dice, until the seat's next turn, and
judged by the value the network gives that position. Games are searched together: every tick is one batch for it.
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

MOST_TICKS = 200
"""Decisions after which a game that has not come back to the seat is left: it counts as the position it began with."""


@compiled
def lay_out(tables: Any, games: Any, rows: Any, marked: Any, arms: Any, worlds: int, out: Any, acted: Any) -> None:
    """For each marked game and each of its arms (NONE for none), the games after the arm in each world.

    They lie game by game, arm by arm; `acted` says which are there.
    """
    world = games[:1].copy()
    for n in range(len(marked)):
        i = marked[n]
        seat = np.int64(games[i].player)
        for w in range(worlds):
            world[0] = games[i]
            determinize(tables[0], world[0], seat, word(rows[i].seed, SEARCH, np.int64(games[i].actions), w))
            for k in range(arms.shape[1]):
                place = (n * arms.shape[1] + k) * worlds + w
                acted[place] = arms[n, k] != NONE
                if acted[place]:
                    out[place] = world[0]
                    play(tables[0], out[place], arms[n, k])


class NetworkSearch:
    """Plays by a network and a search one turn ahead."""

    def __init__(self, network: Network, worlds: int, arms: int, least: float, trust: float) -> None:
        """See `PolicySearch`."""
        for name, number, most in (("worlds", worlds, 1024), ("arms", arms, 64)):
            if not 1 <= number <= most:
                raise EttanaError(f"policy-search: {name} must be from 1 to {most}, not {number}")
        if not 0 <= least <= 1:
            raise EttanaError(f"policy-search: least must be from 0 to 1, not {least:g}")
        self._network = network
        self._worlds, self._arms, self._least, self._trust = worlds, arms, least, trust
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
            scores = self._try(env, marked[some], arms[some], values[some])
            scores += self._trust * np.log(np.maximum(priors[some], 1e-9))
            scores[arms[some] == NONE] = -np.inf
            actions[marked[some]] = arms[some, scores.argmax(axis=1)]
        return actions

    def _try(
        self, env: BatchEnv, marked: NDArray[np.int64], arms: NDArray[np.int64], values: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """By game and arm, the mean value at the seat's next turn."""
        count = arms.size * self._worlds
        records: Games = new_games(count)
        there = np.zeros(count, np.bool_)
        lay_out(env._tables, env._games, env._rows, marked, arms, self._worlds, records, there)
        table = self._room(env, count)
        placed = np.zeros(table.size, np.bool_)
        placed[:count] = there
        table.set_games(placed, records[there])
        each = arms.shape[1] * self._worlds
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
        means: NDArray[np.float64] = found[:count].reshape(*arms.shape, self._worlds).mean(axis=2)
        return means

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

    def __init__(self, path: str, worlds: int = 8, arms: int = 4, least: float = 0.02, trust: float = 0.02) -> None:
        """The `arms` likeliest actions with at least the chance `least` are tried.

        An action's score is its mean value over so many `worlds`, plus `trust` times the logarithm of its chance.
        """
        super().__init__(load_network(Path(path))[0], worlds, arms, least, trust)


class PpoSearch(PolicySearch):
    """Plays by the trained network that comes along, and a search one turn ahead."""

    def __init__(self, worlds: int = 8, arms: int = 4, least: float = 0.02, trust: float = 0.02) -> None:
        """As `policy-search`."""
        super().__init__(str(TRAINED), worlds, arms, least, trust)


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
