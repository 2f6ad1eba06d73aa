"""Luck against skill: what agents of different strength make of the same deals."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.arena import Progress, play_games
from agents.results import Results
from balance.statistics import Estimate
from ettana_env import Rules
from ettana_env.opponents import known

LADDER = ("greedy", "planner", "ppo")
"""The levels of skill the lab knows, the weakest first; those that are not there are left out."""

RESAMPLES = 300


def levels_there_are(also: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The agents of the ladder that can be named here, and others that are to be measured too."""
    there = known()
    return tuple(dict.fromkeys([*(name for name in LADDER if name in there), *also]))


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
    complete: bool


def step_between(
    upper: str,
    lower: str,
    rules: Rules | None = None,
    players: int = 4,
    games: int = 1000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> Step:
    """Let one of a level play among those of another, in every seat of every deal."""
    results = play_games([upper] + [lower] * (players - 1), rules, None, games, seed, workers, progress)
    return Step(upper, lower, players, _wins(results), split_of(results), results.complete)


def _wins(results: Results) -> Estimate:
    won = results.rows["winner_agent"] == 0
    share = results._by_block(won, np.ones(len(won), np.int64))
    return Estimate(share.share, share.low, share.high, share.games).moved(-1 / results.players)


def split_of(results: Results, seed: int = 1) -> Split:
    """How much of who wins goes with the deal and how much with who plays; intervals by drawing the deals anew.

    The first of the line-up is one level, the others another. A seat of a deal (its cards, its dice) is seen once with
    the one and else with the others: what stays alike, whoever plays it, is the deal's.
    """
    players = results.players
    rows = results.rows
    _, block, count = np.unique(rows["seed"], return_inverse=True, return_counts=True)
    whole = rows[count[block] == players]
    deals = len(whole) // players
    if deals < 2:
        nothing = Estimate(float("nan"), float("nan"), float("nan"), deals)
        return Split(nothing, nothing)
    won = whole["winner"].reshape(deals, players)[:, :, None] == np.arange(players)
    rng = np.random.default_rng(seed)
    luck, skill = _components(won)
    drawn = np.array([_components(won[rng.integers(0, deals, deals)]) for _ in range(RESAMPLES)])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    n = deals * players
    # A resampled skill is too high by the noise it adds; so the interval is turned round the estimate.
    return Split(
        Estimate(luck, 2 * luck - high[0], 2 * luck - low[0], n),
        Estimate(skill, 2 * skill - high[1], 2 * skill - low[1], n),
    )


def _components(won: NDArray[Any]) -> tuple[float, float]:
    """The deal's and the players' shares of the variance; `won` is by deal, rotation and seat."""
    deals, players, _ = won.shape
    y = won.astype(np.float64)
    first = np.eye(players, dtype=np.bool_)  # in rotation r the first of the line-up sits in seat r
    mean = y.mean()
    own, others = y[:, first].mean(), y[:, ~first].mean()
    of_first = y[:, first].mean(axis=1)
    noise = of_first.var(ddof=1) / deals
    ratio = (1 + 1 / (players - 1)) / players  # the others' part moves against the first's
    skill = ratio * ((own - mean) ** 2 - noise)
    rest = y - np.where(first, own, others)
    by_seat = rest.mean(axis=1)
    within = ((rest - by_seat[:, None, :]) ** 2).sum() / (deals * players * (players - 1))
    deal = (by_seat**2).sum() / (deals * players) - within / players
    total = deal + within + max(skill, 0.0)
    return (float(deal / total), float(skill / total)) if total > 0 else (float("nan"), float("nan"))
