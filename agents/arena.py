"""The arena: agents meet in blocks of one deal played in all rotations of the seats."""

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from agents.contract import AgentFault
from agents.desk import Thinker
from agents.results import GAME_ROW, Fault, Results
from ettana_env import BatchEnv, Rules
from ettana_env.errors import EttanaError
from ettana_env.game import check_rules, check_seed
from ettana_env.opponents import Opponent, opponent
from ettana_env.validation import shown
from ettana_env.vocabulary import NONE

BATCH = 2048
"""Games under way at once, at most."""

Progress = Callable[[int, int], None]
"""Told how many games are done, of how many."""


def line_up(agents: Sequence[str], players: int | None = None) -> tuple[str, ...]:
    """Who sits where: one spec a seat; with `players` given, the last one named takes all seats that are left."""
    names = tuple(agents)
    if not names:
        raise EttanaError("there must be an agent to play")
    if players is None:
        return names
    if len(names) > players:
        raise EttanaError(f"{len(names)} agents are named for {players} players")
    return names + names[-1:] * (players - len(names))


def play_games(
    agents: Sequence[str],
    rules: Rules | None = None,
    players: int | None = None,
    games: int = 1000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
    keep_actions: bool = False,
) -> Results:
    """Let a line-up of agents (see `line_up`) play at least so many games.

    A block is one deal (a seed) played once in every rotation, so that everyone sits everywhere on the same board with
    the same dice; `games` is rounded up to whole blocks, with the seeds `seed`, `seed + 1` and so on. The results do
    not depend on the number of workers (threads). An interrupt (Ctrl-C) keeps the games that are finished and marks
    the results as not complete. A game in which an agent crashes or answers illegally is left out and reported in
    `faults` with its seed and the state it was in. `actions` keeps the decisions (forced moves left out) of the games
    that were broken or cut off by a limit, with `keep_actions` of all: `write_records` makes records of them.
    """
    rules = check_rules(rules)
    names = line_up(agents, players)
    players = rules.check_players(len(names))
    check_seed(seed)
    if type(games) is not int or games < 1:
        raise EttanaError(f"games must be a whole number from 1 up, not {shown(games)}")
    made = {name: opponent(name) for name in dict.fromkeys(names)}
    for agent in made.values():
        if isinstance(agent, Thinker):
            agent.warm_up(rules, players)  # so that the time it takes to compile is not counted as thinking
    results = Results(names, np.zeros(0, GAME_ROW), rules)
    results.seconds, results.decisions = dict.fromkeys(made, 0.0), dict.fromkeys(made, 0)
    blocks = -(-games // players)
    total = blocks * players
    at_once = min(getattr(agent, "games_at_once", BATCH) for agent in made.values())
    a_time = max(1, at_once // players)
    finished: list[NDArray[np.void]] = []
    done = 0
    for first in range(0, blocks, a_time):
        count = min(a_time, blocks - first)
        table = _Table(
            rules, names, made, np.arange(seed + first, seed + first + count), workers, keep_actions, results
        )
        try:
            while table.running:
                ended = table.step()
                if ended and progress is not None:
                    progress(done + table.ended, total)
        except KeyboardInterrupt:
            results.complete = False
        table.keep_decisions()
        finished.append(table.rows[table.counted])
        done += table.ended
        if not results.complete:
            break
    results.rows = np.concatenate(finished)
    return results


class _Table:
    """Some blocks under way."""

    def __init__(
        self,
        rules: Rules,
        names: tuple[str, ...],
        made: dict[str, Opponent],
        seeds: NDArray[np.int64],
        workers: int,
        keep_actions: bool,
        results: Results,
    ) -> None:
        players = len(names)
        self._names, self._made, self._results = names, made, results
        self.rows = np.zeros(len(seeds) * players, GAME_ROW)
        self.rows["seed"] = np.repeat(seeds, players)
        self.rows["rotation"] = np.tile(np.arange(players), len(seeds))
        self.rows["winner"] = self.rows["winner_agent"] = NONE
        self._env = BatchEnv(len(self.rows), rules, players, forced=True, autoreset=False, threads=workers)
        self._env.reset(self.rows["seed"])
        kinds = list(made)
        in_seat = (np.arange(4)[None, :] - self.rows["rotation"][:, None]) % players
        self._place = in_seat  # by game and seat, the place in the line-up
        self._kind = np.array([kinds.index(name) for name in names])[in_seat]
        self._kinds = kinds
        self._left_out = np.zeros(len(self.rows), np.bool_)
        self._over = np.zeros(len(self.rows), np.bool_)
        self._keep_all = keep_actions
        self._log: list[NDArray[np.int16]] = []
        self._note(self._env.terminated | self._env.truncated)  # won at the deal

    @property
    def running(self) -> bool:
        """Is any game still under way?"""
        return not bool((self._over | self._left_out).all())

    @property
    def ended(self) -> int:
        """How many games are done with."""
        return int((self._over | self._left_out).sum())

    @property
    def counted(self) -> NDArray[np.bool_]:
        """The games that were finished."""
        return self._over & ~self._left_out

    def step(self) -> int:
        """One decision in every game under way; how many games ended."""
        env, every = self._env, np.arange(len(self.rows))
        active = ~(self._over | self._left_out)
        seats = np.where(active, env.seats, 0)
        actions = np.full(env.size, NONE, np.int64)
        for number, kind in enumerate(self._kinds):
            which = active & (self._kind[every, seats] == number)
            if which.any():
                chosen = self._ask(kind, which)
                actions[which] = chosen[which]
                self._results.decisions[kind] += int(which.sum())
        active &= ~self._left_out
        actions[~active] = NONE
        np.add.at(self.rows["decisions"], (every[active], seats[active]), 1)
        self._log.append(actions.astype(np.int16))
        env.step(actions)
        over = active & (env.terminated | env.truncated)
        if over.any():
            self._note(over)
        return int(over.sum())

    def _ask(self, kind: str, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """An agent's choices; games it breaks are left out, and it is asked again for the others."""
        which = which.copy()
        start = time.perf_counter()
        while True:
            try:
                chosen = self._made[kind].choose(self._env, which)
                masks = self._env.masks
                legal = (chosen >= 0) & (chosen < masks.shape[1])
                legal[legal] = masks[legal, chosen[legal]]
                bad = np.flatnonzero(which & ~legal)
                if len(bad):
                    raise AgentFault(int(bad[0]), f"the agent answered {int(chosen[bad[0]])}, which is not legal")
                break
            except AgentFault as fault:
                self._leave_out(kind, fault.game, fault.why)
                which[fault.game] = False
        self._results.seconds[kind] += time.perf_counter() - start
        return chosen

    def _leave_out(self, kind: str, i: int, why: str) -> None:
        self._left_out[i] = True
        rotation, seat = int(self.rows["rotation"][i]), int(self._env.seats[i])
        state = self._env.game(i).to_dict()
        self._results.faults.append(Fault(int(self.rows["seed"][i]), rotation, seat, kind, why, state))

    def _note(self, over: NDArray[np.bool_]) -> None:
        env = self._env
        self._over |= over
        self.rows["winner"][over] = env.ended_winners[over]
        self.rows["turns"][over] = env.ended_turns[over]
        self.rows["actions"][over] = env.ended_actions[over]
        self.rows["points"][over] = env.ended_points[over]
        self.rows["truncated"][over] = env.truncated[over]
        won = over & (self.rows["winner"] != NONE)
        self.rows["winner_agent"][won] = self._place[won, self.rows["winner"][won]]

    def keep_decisions(self) -> None:
        """Hand over the decisions of the games that ask for it."""
        kept = self.counted if self._keep_all else self.counted & self.rows["truncated"]
        log = np.array(self._log, np.int16).reshape(len(self._log), len(self.rows))
        for i in map(int, np.flatnonzero(kept | self._left_out)):
            key = int(self.rows["seed"][i]), int(self.rows["rotation"][i])
            self._results.actions[key] = log[log[:, i] != NONE, i]
