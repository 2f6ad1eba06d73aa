"""Luck against skill: what agents of different strength make of the same deals."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.arena import Progress
from balance.meetings import Meeting, meet
from balance.statistics import Estimate, Z
from ettana_env import BatchEnv, Rules
from ettana_env.errors import EttanaError
from ettana_env.game import check_rules
from ettana_env.opponents import opponent
from ettana_env.vocabulary import NONE

LADDER = ("random", "greedy", "planner", "ppo")
"""The levels of skill the lab knows, the weakest first."""
ENOUGH = 3
"""Random play is measured only if it is asked for, or if there are fewer levels without it."""

RESAMPLES = 300


def levels_there_are(also: tuple[str, ...] = (), rules: Rules | None = None) -> tuple[str, ...]:
    """The agents of the ladder that can play these rules, and others that are to be measured too."""
    there = [name for name in LADDER if name in also or _can_play(name, check_rules(rules))]
    if len(there) > ENOUGH and "random" not in also:
        there.remove("random")
    return tuple(dict.fromkeys([*there, *also]))


def _can_play(name: str, rules: Rules) -> bool:
    """Is there such an agent, and does it know this board? A trained network may be missing, or made for another."""
    env = BatchEnv(1, rules, 2, autoreset=False)
    env.reset(np.zeros(1, np.int64))
    try:
        opponent(name).choose(env, env.seats != NONE)
    except EttanaError:
        return False
    return True


class Split(NamedTuple):
    """Shares of the variance in who wins: that of the deal, that of who plays."""

    luck: Estimate
    skill: Estimate


class Step(NamedTuple):
    """One agent of a level among agents of the level below."""

    upper: str
    lower: str
    players: int
    wins: Estimate
    """The share of the upper one's wins, less an even share."""
    split: Split


def steps_between(
    rungs: Sequence[tuple[str, str]],
    rules: Rules | None = None,
    players: int = 4,
    games: int = 1000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[list[Step], bool]:
    """For each (upper, lower): one of a level among those of another, in every seat; False if it was interrupted."""
    line_ups = [[upper] + [lower] * (players - 1) for upper, lower in rungs]
    met, complete = meet(line_ups, rules, games, seed, workers, progress)
    steps = [
        Step(upper, lower, players, one.first_wins().moved(-1 / players), split_of(one))
        for (upper, lower), one in zip(rungs, met, strict=True)
    ]
    return steps, complete


def split_of(met: Meeting, seed: int = 1) -> Split:
    """How much of who wins goes with the deal and how much with who plays, each with its interval.

    The first of the line-up is one level, the others another. A seat of a deal (its cards, its dice) is seen once with
    the one and else with the others: what stays alike, whoever plays it, is the deal's.
    """
    won, deals = met.won, len(met.won)
    if deals < 2:
        nothing = Estimate(float("nan"), float("nan"), float("nan"), met.games)
        return Split(nothing, nothing)
    rng = np.random.default_rng(seed)
    luck, skill, total = _components(won)
    drawn = np.array([_components(won[rng.integers(0, deals, deals)])[0] for _ in range(RESAMPLES)])
    low, high = np.quantile(drawn, [0.025, 0.975])
    ratio, ahead, error = _lead_of_first(won.astype(np.float64))
    ends = abs(ahead) - Z * error, abs(ahead) + Z * error
    # The lead is normal about the truth, its square is not: so the interval is that of the lead, squared.
    lowest, highest = (ratio * max(end, 0.0) ** 2 / total if total > 0 else float("nan") for end in ends)
    n = met.games
    return Split(
        Estimate(luck, 2 * luck - float(high), 2 * luck - float(low), n),
        Estimate(skill, min(skill, lowest), highest, n),
    )


def _lead_of_first(y: NDArray[np.float64]) -> tuple[float, float, float]:
    """How far the first of the line-up is above the mean, with its error; and what of the variance its square makes."""
    deals, players, _ = y.shape
    of_first = y[:, np.arange(players), np.arange(players)].mean(axis=1)  # in rotation r it sits in seat r
    ratio = (1 + 1 / (players - 1)) / players  # the others' part moves against the first's
    return ratio, float(of_first.mean() - y.mean()), float((of_first.var(ddof=1) / deals) ** 0.5)


def _components(won: NDArray[Any]) -> tuple[float, float, float]:
    """The deal's and the players' shares of the variance, and the variance; `won` is by deal, rotation and seat."""
    deals, players, _ = won.shape
    y = won.astype(np.float64)
    first = np.eye(players, dtype=np.bool_)
    ratio, ahead, error = _lead_of_first(y)
    skill = ratio * (ahead**2 - error**2)
    rest = y - np.where(first, y[:, first].mean(), y[:, ~first].mean())
    by_seat = rest.mean(axis=1)
    within = ((rest - by_seat[:, None, :]) ** 2).sum() / (deals * players * (players - 1))
    deal = (by_seat**2).sum() / (deals * players) - within / players
    total = float(deal + within + max(skill, 0.0))
    return (float(deal) / total, skill / total, total) if total > 0 else (float("nan"), float("nan"), 0.0)
