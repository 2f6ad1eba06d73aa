"""Games played with everything written down: agents choose over a batch, the tally looks on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arena import BATCH, Progress, line_up
from agents.contract import AgentFault
from agents.desk import Thinker
from balance.tally import (
    DRAW,
    MOST_DRAWS,
    MOST_TURNS,
    POSITION,
    TALLY,
    after_slice,
    before_slice,
    begin_slice,
)
from ettana_env import BatchEnv, Rules
from ettana_env.engine.batch import in_threads, new_games
from ettana_env.errors import EttanaError
from ettana_env.game import check_rules, check_seed
from ettana_env.opponents import Opponent, opponent
from ettana_env.validation import shown
from ettana_env.vocabulary import NONE

Meddle = Callable[[NDArray[Any]], None]
"""Told the records of a batch before every action; may change what leaves the legal actions as they are."""


@dataclass
class Played:
    """Games of one line-up, with everything that was written down of them.

    `tallies` has one record a game; `draws` and `positions` those of all games one after the other, a game's share
    being `draw_first[i]` up to `draw_first[i + 1]`, and so for the positions.
    """

    rules: Rules
    agents: tuple[str, ...]
    seed: int
    tallies: NDArray[Any]
    draws: NDArray[Any]
    positions: NDArray[Any]
    complete: bool = True
    """False if it was interrupted."""
    hurried: bool = False
    """True if an interrupt left only games of a batch that was under way: the quick ones, so no fair sample."""
    faults: list[str] = field(default_factory=list)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.agents)

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.tallies)

    @property
    def draw_first(self) -> NDArray[np.int64]:
        """By game, its first draw."""
        return np.concatenate([[0], np.cumsum(self.tallies["draws"], dtype=np.int64)])

    @property
    def position_first(self) -> NDArray[np.int64]:
        """By game, its first position."""
        return np.concatenate([[0], np.cumsum(self.tallies["seen"], dtype=np.int64)])


def simulate(
    agents: Sequence[str],
    rules: Rules | None = None,
    players: int | None = None,
    games: int = 1000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
    meddle: Meddle | None = None,
) -> Played:
    """Let a line-up of agents play (the last one named takes all seats left), and write everything down.

    If all are alike a deal is played once, and the games have the seeds `seed`, `seed + 1` and so on. Else it is
    played in every rotation of the line-up, `games` rounded up to whole deals. Workers (threads) change nothing. An
    interrupt (Ctrl-C) keeps the batches that are finished. `meddle` is for what no rules file can say, such as loaded
    dice: it may change the records before an action, as long as the legal actions stay the same.
    """
    rules = check_rules(rules)
    names = line_up(agents, players)
    rules.check_players(len(names))
    check_seed(seed)
    if type(games) is not int or games < 1:
        raise EttanaError(f"games must be a whole number from 1 up, not {shown(games)}")
    made = {name: opponent(name) for name in dict.fromkeys(names)}
    for agent in made.values():
        if isinstance(agent, Thinker):
            agent.warm_up(rules, len(names))
    rotations = len(names) if len(made) > 1 else 1
    deals = -(-games // rotations)
    at_once = min(getattr(agent, "games_at_once", BATCH) for agent in made.values())
    a_time = max(1, at_once // rotations)
    done: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
    played = Played(rules, names, seed, np.zeros(0, TALLY), np.zeros(0, DRAW), np.zeros(0, POSITION))
    for first in range(0, deals, a_time):
        seeds = np.arange(seed + first, seed + min(first + a_time, deals))
        table = _Table(rules, names, made, seeds, rotations, workers, meddle, played.faults)
        try:
            before = first * rotations
            while table.step():
                if progress is not None:
                    progress(before + table.ended, deals * rotations)
        except KeyboardInterrupt:
            played.complete = False
            if done:
                break
            played.hurried = True
        done.append(table.kept())
        if not played.complete:
            break
    tallies, draws, positions = (np.concatenate(parts) for parts in zip(*done, strict=True))
    played.tallies, played.draws, played.positions = tallies, draws, positions
    return played


class _Table:
    """Some deals under way."""

    def __init__(
        self,
        rules: Rules,
        names: tuple[str, ...],
        made: dict[str, Opponent],
        seeds: NDArray[np.int64],
        rotations: int,
        workers: int,
        meddle: Meddle | None,
        faults: list[str],
    ) -> None:
        self._made, self._meddle, self._faults = made, meddle, faults
        count = len(seeds) * rotations
        self._tallies = np.zeros(count, TALLY)
        self._tallies["seed"] = np.repeat(seeds, rotations)
        self._tallies["rotation"] = np.tile(np.arange(rotations), len(seeds))
        self._draws = np.zeros((count, MOST_DRAWS), DRAW)
        self._positions = np.zeros((count, MOST_TURNS), POSITION)
        self._copies = new_games(count)
        self._env = BatchEnv(count, rules, len(names), autoreset=False, threads=workers)
        self._env.reset(self._tallies["seed"].copy())
        in_seat = (np.arange(4)[None, :] - self._tallies["rotation"][:, None]) % len(names)
        self._kinds = list(made)
        self._kind = np.array([self._kinds.index(name) for name in names])[in_seat]
        self._broken = np.zeros(count, np.bool_)
        self._each(begin_slice, self._env._tables, self._env._games, self._tallies, self._draws, self._positions)

    def _each(self, work: Callable[..., None], *arguments: Any) -> None:
        in_threads(self._env.threads, self._env.size, partial(work, *arguments))

    @property
    def _under_way(self) -> NDArray[np.bool_]:
        going_on: NDArray[np.bool_] = (self._env.seats != NONE) & ~self._broken
        return going_on

    @property
    def ended(self) -> int:
        """How many games are done with."""
        return int((~self._under_way).sum())

    def step(self) -> bool:
        """One action in every game under way; is there any left?"""
        env = self._env
        active = self._under_way
        if not active.any():
            return False
        if self._meddle is not None:
            self._meddle(env._games)
        self._each(before_slice, env._tables, env._games, env._rows, env._legal, self._tallies, self._copies)
        actions = np.full(env.size, NONE, np.int64)
        single = active & (env.legal_counts == 1)
        actions[single] = env.legal[single, 0]
        deciding = active & ~single
        kind = self._kind[np.arange(env.size), np.where(active, env.seats, 0)]
        for number, name in enumerate(self._kinds):
            which = deciding & (kind == number)
            if which.any():
                chosen = self._ask(name, which)
                actions[which] = chosen[which]
        actions[self._broken] = NONE
        env.step(actions)
        self._each(
            after_slice, env._tables, self._copies, env._games, actions, self._tallies, self._draws, self._positions
        )
        return True

    def _ask(self, name: str, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """An agent's choices; games it breaks are left out, and it is asked again for the others."""
        which = which.copy()
        while True:
            try:
                chosen = self._made[name].choose(self._env, which)
                masks = self._env.masks
                legal = (chosen >= 0) & (chosen < masks.shape[1])
                legal[legal] = masks[legal, chosen[legal]]
                bad = np.flatnonzero(which & ~legal)
                if not len(bad):
                    return chosen
                raise AgentFault(int(bad[0]), f"the agent answered {int(chosen[bad[0]])}, which is not legal")
            except AgentFault as fault:
                self._broken[fault.game] = True
                which[fault.game] = False
                seed = int(self._tallies["seed"][fault.game])
                self._faults.append(f"{name} in the game with seed {seed}: {fault.why}")

    def kept(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """What was written down of the games that are finished."""
        over = ~self._under_way & ~self._broken
        tallies = self._tallies[over]
        room = np.arange(MOST_DRAWS)[None, :] < tallies["draws"][:, None]
        seen = np.arange(MOST_TURNS)[None, :] < tallies["seen"][:, None]
        return tallies, self._draws[over][room], self._positions[over][seen]
