"""All figures of some games that are one number, each with its interval."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import chisquare, studentized_range

from balance.definitions import DEFINITIONS, SHARE
from balance.statistics import NOTHING, Estimate, mean_of, ratio_of, share_in
from ettana_env.vocabulary import NONE

COLUMNS = ["key", "theme", "players", "level", "value", "low", "high", "n"]


def estimates_of(games: pd.DataFrame, players: int) -> dict[str, Estimate]:
    """By key, the figures of a table of games of one number of players and one level."""
    found: dict[str, Estimate] = {}
    for one in DEFINITIONS:
        if one.column:
            column = games[one.column].to_numpy(np.float64)
            found[one.key] = share_in(column) if one.often else _mean(column, one.unit == SHARE)
    for key in ("start_advantage", "last_in_order"):
        found[key] = found[key].moved(-1 / players)
    found["seat_gap"] = _seat_gap(games, players)
    whole = ~(games["kings_made"].isna() | games["turns_out"].isna())
    found["kingmaking"] = ratio_of(games["kings_made"][whole].to_numpy(), games["turns_out"][whole].to_numpy())
    return found


def _mean(column: NDArray[np.float64], is_share: bool) -> Estimate:
    """A mean; where all games agree, their spread says nothing: the interval is that of how many games may differ."""
    found = mean_of(column)
    if found.n < 2 or found.low < found.high:
        return found
    if not is_share:
        return Estimate(found.value, float("nan"), float("nan"), found.n)
    few = share_in(np.zeros(found.n)).high
    return Estimate(found.value, found.value * (1 - few), found.value + (1 - found.value) * few, found.n)


def as_rows(found: dict[str, Estimate], players: int, level: str) -> list[dict[str, Any]]:
    """Figures as rows of the table of measures, in the order of the definitions."""
    return [
        {"key": one.key, "theme": one.theme, "players": players, "level": level, **found[one.key]._asdict()}
        for one in DEFINITIONS
        if one.key in found
    ]


def measures(games: pd.DataFrame) -> pd.DataFrame:
    """Every figure of a table of games, for each number of players and level in it: value, 95% interval, n."""
    rows: list[dict[str, Any]] = []
    for (players, level), some in games.groupby(["players", "level"], sort=False):
        rows += as_rows(estimates_of(some, int(players)), int(players), str(level))
    return pd.DataFrame(rows, columns=COLUMNS)


def _seat_gap(games: pd.DataFrame, players: int) -> Estimate:
    won = games["winner"].to_numpy()
    won = won[won != NONE]
    if not len(won):
        return NOTHING
    shares = np.bincount(won, minlength=players) / len(won)
    gap = float(shares.max() - shares.min())
    half = _of_extremes(players) * float((shares.max() + shares.min() - gap**2) / len(won)) ** 0.5
    return Estimate(gap, max(gap - half, 0.0), min(gap + half, 1.0), len(won))


@cache
def _of_extremes(groups: int) -> float:
    """How many errors wide an interval of the difference between the best and the worst of some groups is (Tukey)."""
    return float(studentized_range.ppf(0.95, groups, 1e6)) / 2**0.5


def seat_shares(games: pd.DataFrame) -> pd.DataFrame:
    """Wins by seat and by place in the order of play (0 starts), with intervals and the test for evenness."""
    rows: list[dict[str, Any]] = []
    for (players, level), some in games.groupby(["players", "level"], sort=False):
        for by in ("winner", "order"):
            won = some[by].to_numpy()
            won = won[won != NONE]
            counts = np.bincount(won, minlength=int(players))
            p = float(chisquare(counts).pvalue) if counts.sum() else float("nan")
            for place in range(int(players)):
                share = share_in(won == place)
                by_name = "seat" if by == "winner" else "order"
                rows.append(
                    {"players": players, "level": level, "by": by_name, "place": place, **share._asdict(), "p_even": p}
                )
    return pd.DataFrame(rows)
