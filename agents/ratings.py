"""Ratings from who won: a Plackett-Luce model of the winner, fitted to all games together.

An agent wins a game with a chance in proportion to its strength, among all seats at the table. A rating is the strength
on the scale people know from chess: 400 points more are ten times the strength. `greedy` stands at 0; if it does not
take part, the mean does. Games that nobody won say nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from agents.results import Results

SCALE = 400 / log(10)
ANCHOR = "greedy"
PRIOR = 1e-3
"""A faint pull to the mean, so that an agent that won everything has a rating at all."""


@dataclass(frozen=True)
class Rating:
    """An agent's rating with a 95% interval (from blocks drawn again and again).

    One that never won could be weaker still: its interval has no lower end (None); one that always won no upper end.
    """

    name: str
    rating: float
    low: float | None
    high: float | None


def _fit(
    line_ups: NDArray[np.int64], wins: NDArray[np.float64], agents: int, start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Log strengths; `line_ups` holds agents by place (-1 for none), `wins` how often each place won."""
    seated = line_ups >= 0
    games = wins.sum(axis=1)

    def loss(strength: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        there = np.where(seated, strength[line_ups], -np.inf)
        total = logsumexp(there, axis=1)
        chance = np.exp(there - total[:, None])
        slope = np.zeros(agents)
        np.add.at(slope, line_ups[seated], (games[:, None] * chance - wins)[seated])
        surprise = (games * total).sum() - (wins * np.where(seated, there, 0)).sum()
        return surprise + PRIOR * (strength**2).sum() / 2, slope + PRIOR * strength

    found: NDArray[np.float64] = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return found


def rate(played: Sequence[Results], samples: int = 200, seed: int = 1) -> list[Rating]:
    """The ratings of all agents in some results, best first; the intervals draw the blocks `samples` times anew."""
    names = list(dict.fromkeys(name for results in played for name in results.agents))
    places = max(results.players for results in played)
    line_ups = np.full((len(played), places), -1)
    by_block = []
    for number, results in enumerate(played):
        line_ups[number, : results.players] = [names.index(name) for name in results.agents]
        _, block = np.unique(results.rows["seed"], return_inverse=True)
        won = results.rows["winner_agent"] >= 0
        counts = np.zeros((int(block.max(initial=-1)) + 1, places))
        np.add.at(counts, (block[won], results.rows["winner_agent"][won]), 1)
        by_block.append(counts)
    fitted = _fit(line_ups, np.array([counts.sum(axis=0) for counts in by_block]), len(names), np.zeros(len(names)))
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(samples):
        again = [counts[rng.integers(len(counts), size=len(counts))].sum(axis=0) for counts in by_block if len(counts)]
        drawn.append(_anchored(_fit(line_ups, np.array(again), len(names), fitted), names))
    ratings, spread = _anchored(fitted, names), np.array(drawn)
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    rated = []
    for number, name in enumerate(names):
        wins, games = _record(name, played)
        rated.append(
            Rating(
                name,
                float(ratings[number]),
                float(low[number]) if wins else None,
                float(high[number]) if wins < games else None,
            )
        )
    return sorted(rated, key=lambda rating: -rating.rating)


def _record(name: str, played: Sequence[Results]) -> tuple[int, int]:
    """How many games an agent won, of those that someone won and in which others took part."""
    won = games = 0
    for results in played:
        if name in results.agents and len(set(results.agents)) > 1:
            won += results.share(name).wins
            games += int((results.rows["winner_agent"] >= 0).sum())
    return won, games


def _anchored(strength: NDArray[np.float64], names: list[str]) -> NDArray[np.float64]:
    zero = strength[names.index(ANCHOR)] if ANCHOR in names else strength.mean()
    above: NDArray[np.float64] = SCALE * (strength - zero)
    return above
