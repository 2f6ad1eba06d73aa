"""Different line-ups in one batch: every deal in every rotation of each, and who won."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arena import BATCH, Progress
from agents.contract import AgentFault
from agents.desk import Thinker
from agents.results import share_of
from balance.statistics import Estimate
from ettana_env import BatchEnv, Rules
from ettana_env.game import check_rules, check_seed
from ettana_env.opponents import Opponent, opponent
from ettana_env.vocabulary import NONE


@dataclass
class Meeting:
    """One line-up's games: `won` is by deal, rotation and seat, true where that seat won.

    In rotation r everyone sits r seats further on than in the line-up. Deals not finished in all rotations are left
    out.
    """

    agents: tuple[str, ...]
    won: NDArray[np.bool_]

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.agents)

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.won) * self.players

    def first_wins(self) -> Estimate:
        """How often the first of the line-up wins."""
        deals = len(self.won)
        wins = self.won[:, np.arange(self.players), np.arange(self.players)].sum(axis=1).astype(np.int64)
        share = share_of(wins, np.full(deals, self.players))
        return Estimate(share.share, share.low, share.high, share.games)


def meet(
    line_ups: Sequence[Sequence[str]],
    rules: Rules | None = None,
    games: int = 200,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[list[Meeting], bool]:
    """Play each line-up (all of one size) on the same deals, at least `games` games each; False if interrupted."""
    rules = check_rules(rules)
    check_seed(seed)
    names = [tuple(one) for one in line_ups]
    players = rules.check_players(len(names[0]))
    deals = -(-games // players)
    made = {spec: opponent(spec) for line_up in names for spec in line_up}
    for agent in made.values():
        if isinstance(agent, Thinker):
            agent.warm_up(rules, players)
    at_once = min(getattr(agent, "games_at_once", BATCH) for agent in made.values())
    jobs = [(number, deal) for deal in range(deals) for number in range(len(names))]
    a_time = max(1, at_once // players)
    won: dict[int, list[tuple[int, NDArray[np.bool_]]]] = {number: [] for number in range(len(names))}
    complete = True
    total = len(jobs) * players
    for first in range(0, len(jobs), a_time):
        some = jobs[first : first + a_time]
        try:
            winners = _play(rules, names, made, some, seed, workers, progress, first * players, total)
        except KeyboardInterrupt:
            complete = False
            break
        for (number, deal), block in zip(some, winners, strict=True):
            if (block != _BROKEN).all():
                won[number].append((deal, block[:, None] == np.arange(players)))
    found = []
    for number, line_up in enumerate(names):
        blocks = [block for _, block in sorted(won[number], key=lambda pair: pair[0])]
        found.append(Meeting(line_up, np.array(blocks, np.bool_).reshape(len(blocks), players, players)))
    return found, complete


_BROKEN = -2


def _play(
    rules: Rules,
    names: list[tuple[str, ...]],
    made: dict[str, Opponent],
    jobs: list[tuple[int, int]],
    seed: int,
    workers: int,
    progress: Progress | None,
    before: int,
    total: int,
) -> NDArray[np.int64]:
    """The winners by job and rotation; NONE if nobody, _BROKEN if an agent broke the game."""
    players = len(names[0])
    count = len(jobs) * players
    kinds = list(made)
    numbers = np.array([[kinds.index(spec) for spec in line_up] for line_up in names])
    line_up = np.repeat([number for number, _ in jobs], players)
    rotation = np.tile(np.arange(players), len(jobs))
    seats = (np.arange(players)[None, :] - rotation[:, None]) % players
    kind = numbers[line_up[:, None], seats]
    env = BatchEnv(count, rules, players, forced=True, autoreset=False, threads=workers)
    env.reset(np.repeat([seed + deal for _, deal in jobs], players).astype(np.int64))
    winners: NDArray[Any] = np.where(env.seats == NONE, env.ended_winners, NONE).astype(np.int64)
    broken = np.zeros(count, np.bool_)
    every = np.arange(count)
    while (active := (env.seats != NONE) & ~broken).any():
        actions = np.full(count, NONE, np.int64)
        to_act = kind[every, np.where(active, env.seats, 0)]
        for number, spec in enumerate(kinds):
            which = active & (to_act == number)
            while which.any():
                try:
                    chosen = made[spec].choose(env, which)
                    actions[which] = chosen[which]
                    break
                except AgentFault as fault:
                    broken[fault.game] = True
                    which[fault.game] = False
        actions[broken] = NONE
        env.step(actions)
        ended = active & ~broken & (env.terminated | env.truncated)
        winners[ended] = env.ended_winners[ended]
        if progress is not None and ended.any():
            progress(before + int(((env.seats == NONE) | broken).sum()), total)
    winners[broken] = _BROKEN
    return winners.reshape(len(jobs), players)
