"""The statistics of the lab: intervals, paired differences, many comparisons at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from agents.results import share_of

Z = float(norm.ppf(0.975))

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """A figure with its 95% interval and how many games (or draws, or pairs) it rests on."""

    value: float
    low: float
    high: float
    n: int

    def moved(self, by: float) -> "Estimate":
        """The same, `by` added."""
        return Estimate(self.value + by, self.low + by, self.high + by, self.n)


NOTHING = Estimate(float("nan"), float("nan"), float("nan"), 0)


def mean_of(values: NDArray[np.generic]) -> Estimate:
    """The mean of independent values, those that are not a number left out: Student's interval."""
    given = np.asarray(values, np.float64)
    given = given[~np.isnan(given)]
    if not len(given):
        return NOTHING
    mean = float(given.mean())
    if len(given) == 1:
        return Estimate(mean, -np.inf, np.inf, 1)
    half = float(t.ppf(0.975, len(given) - 1) * given.std(ddof=1) / len(given) ** 0.5)
    return Estimate(mean, mean - half, mean + half, len(given))


def share_in(happened: NDArray[np.generic]) -> Estimate:
    """How often something happened in independent games, those where it could not (not a number) left out: Wilson's."""
    given = np.asarray(happened, np.float64)
    counted = given[~np.isnan(given)].astype(np.int64)
    if not len(counted):
        return NOTHING
    share = share_of(counted, np.ones(len(counted), np.int64))
    return Estimate(share.share, share.low, share.high, share.games)


def over_clusters(values: Floats, cluster: NDArray[np.int64]) -> tuple[float, float, int]:
    """A mean, its standard error and the number of clusters, the values of a cluster (a game) being alike."""
    mean = float(values.mean())
    _, place = np.unique(cluster, return_inverse=True)
    sums = np.bincount(place, weights=values - mean)
    clusters = len(sums)
    spread = clusters / max(clusters - 1, 1) * float((sums**2).sum())
    return mean, spread**0.5 / len(values), clusters


def ratio_of(above: NDArray[np.generic], below: NDArray[np.generic]) -> Estimate:
    """The ratio of two sums over games (such as thefts by turns) with an interval by the delta method."""
    top, base = np.asarray(above, np.float64), np.asarray(below, np.float64)
    if base.sum() <= 0:
        return NOTHING
    ratio = float(top.sum() / base.sum())
    games = len(base)
    rest = top - ratio * base
    error = (games / max(games - 1, 1) * float((rest**2).sum())) ** 0.5 / float(base.sum())
    return Estimate(ratio, ratio - Z * error, ratio + Z * error, games)


class Paired(NamedTuple):
    """A difference on the same deals: interval, p, how alike both sides were, and what playing the same deals saved."""

    difference: float
    low: float
    high: float
    p: float
    n: int
    correlation: float
    saved: float
    """The share of the variance of the difference that independent deals would have had on top."""


def paired_difference(one: NDArray[np.generic], other: NDArray[np.generic]) -> Paired:
    """`other` less `one`, deal by deal; deals where either is not a number are left out."""
    first, second = np.asarray(one, np.float64), np.asarray(other, np.float64)
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    n = len(first)
    if n < 2:
        return Paired(float("nan"), float("nan"), float("nan"), 1.0, n, float("nan"), float("nan"))
    change = second - first
    mean, error = float(change.mean()), float(change.std(ddof=1)) / n**0.5
    apart = float(first.var(ddof=1) + second.var(ddof=1))
    alike = first.std() > 0 and second.std() > 0
    correlation = float(np.corrcoef(first, second)[0, 1]) if alike else float("nan")
    saved = 1 - float(change.var(ddof=1)) / apart if apart > 0 else float("nan")
    if error == 0:
        return Paired(mean, mean, mean, 1.0 if mean == 0 else 0.0, n, correlation, saved)
    half = float(t.ppf(0.975, n - 1)) * error
    p = float(2 * t.sf(abs(mean) / error, n - 1))
    return Paired(mean, mean - half, mean + half, p, n, correlation, saved)


def holm(p: NDArray[np.generic]) -> Floats:
    """p-values adjusted so that one false alarm among all of them is unlikely (Holm)."""
    return _stepwise(np.asarray(p, np.float64), holm=True)


def benjamini_hochberg(p: NDArray[np.generic]) -> Floats:
    """q-values: flagging those below 5% makes about 5% of what is flagged false (Benjamini and Hochberg)."""
    return _stepwise(np.asarray(p, np.float64), holm=False)


def _stepwise(p: Floats, holm: bool) -> Floats:
    """Those that are not a number stay so and do not count."""
    adjusted = np.full(len(p), np.nan)
    given = np.flatnonzero(~np.isnan(p))
    count = len(given)
    if not count:
        return adjusted
    order = given[np.argsort(p[given], kind="stable")]
    ranks = np.arange(1, count + 1)
    if holm:
        scaled = np.maximum.accumulate(p[order] * (count - ranks + 1))
    else:
        scaled = np.minimum.accumulate((p[order] * count / ranks)[::-1])[::-1]
    adjusted[order] = np.minimum(scaled, 1)
    return adjusted
