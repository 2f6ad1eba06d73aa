"""Who is winning: each seat's chance at every turn, from a race of all seats fitted to the simulated games themselves.

A seat's strength is a weighted sum of what it has (points, designs and how near they are, tokens, cards, how soon it
rolls); its chance is in proportion to exp(strength). The onlooker sees all hands. The games are split in two halves and
each half is judged by the weights fitted to the other, so no game is judged by a model that knows how it ended.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import minimize

from balance.simulate import Played
from balance.statistics import Z, over_clusters
from ettana_env.vocabulary import NONE

PARTS = ("points", "points squared", "near", "wins", "tokens, root of", "cards", "designs", "turns until it rolls")

MOST_FITTED = 60_000
"""Positions a fit looks at, evenly picked from all."""
RIDGE = 1e-4
"""Keeps the weights finite where few games decide them."""


@dataclass
class Chances:
    """The chances of all seats at the start of every turn, game by game."""

    chances: NDArray[np.float64]
    """(positions, players); each row sums to 1."""
    first: NDArray[np.int64]
    """By game, its first position; then how many there are."""
    winner: NDArray[np.int64]
    """By game; NONE if nobody won."""
    surprise: float
    """The mean of -log(chance given to the winner), on games the model was not fitted to."""
    know_nothing: float
    """The same if every seat were always given the same chance."""

    @property
    def game(self) -> NDArray[np.int64]:
        """By position, its game."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


def look_at(played: Played) -> NDArray[np.float64]:
    """The parts of every seat's strength in every position: (positions, players, parts)."""
    positions, players = played.positions, played.players
    seats = np.arange(players)
    points = positions["points"][:, :players] / played.rules.points_to_win
    parts = [
        points,
        points**2,
        positions["near"][:, :players],
        positions["wins"][:, :players],
        np.sqrt(np.maximum(positions["tokens"][:, :players], 0)),
        positions["cards"][:, :players],
        positions["designs"][:, :players],
        (seats[None, :] - positions["player"][:, None]) % players,
    ]
    return np.stack([np.asarray(part, np.float64) for part in parts], axis=2)


def _race(weights: NDArray[np.float64], parts: NDArray[np.float64]) -> NDArray[np.float64]:
    strength = parts @ weights
    strength -= strength.max(axis=1, keepdims=True)
    chances: NDArray[np.float64] = np.exp(strength)
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def _fit(parts: NDArray[np.float64], won: NDArray[np.int64]) -> NDArray[np.float64]:
    """The weights under which the winners surprise least."""
    if not len(won):
        return np.zeros(parts.shape[2])
    some = np.unique(np.linspace(0, len(won) - 1, min(len(won), MOST_FITTED)).astype(np.int64))
    parts, won = parts[some], won[some]
    rows = np.arange(len(won))

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        chances = _race(weights, parts)
        surprise = -np.log(np.maximum(chances[rows, won], 1e-300)).mean()
        chances[rows, won] -= 1
        slope = np.einsum("ns,nsf->f", chances, parts) / len(won)
        return surprise + RIDGE * weights @ weights, slope + 2 * RIDGE * weights

    found: NDArray[np.float64] = minimize(loss, np.zeros(parts.shape[2]), jac=True, method="L-BFGS-B").x
    return found


def chances_of(played: Played) -> Chances:
    """Fit the race to the games and judge every position by it, each half of the games by the other's fit."""
    parts = look_at(played)
    first = played.position_first
    game = np.repeat(np.arange(played.games), np.diff(first))
    winner = played.tallies["winner"].astype(np.int64)
    chances = np.full(parts.shape[:2], 1 / played.players)
    for half in (0, 1):
        known = (game % 2 != half) & (winner[game] != NONE)
        judged = game % 2 == half
        chances[judged] = _race(_fit(parts[known], winner[game[known]]), parts[judged])
    decided = winner[game] != NONE
    given = chances[np.flatnonzero(decided), winner[game[decided]]]
    surprise = float(-np.log(np.maximum(given, 1e-12)).mean()) if len(given) else float("nan")
    return Chances(chances, first, winner, surprise, float(np.log(played.players)))


def calibration(chances: Chances, bins: int = 10) -> pd.DataFrame:
    """Chances foreseen against games won, in steps of a tenth; the intervals know that a game's turns are alike."""
    game = chances.game
    decided = chances.winner[game] != NONE
    seats = np.arange(chances.chances.shape[1])
    won = (chances.winner[game[decided], None] == seats).ravel()
    foreseen = chances.chances[decided].ravel()
    cluster = np.repeat(game[decided], len(seats))
    step = np.minimum((foreseen * bins).astype(np.int64), bins - 1)
    rows: list[dict[str, Any]] = []
    for here in range(bins):
        there = step == here
        if there.any():
            mean, error, _ = over_clusters(won[there].astype(float), cluster[there])
            rows.append(
                {
                    "foreseen": foreseen[there].mean(),
                    "won": mean,
                    "low": max(0.0, mean - Z * error),
                    "high": min(1.0, mean + Z * error),
                    "positions": int(there.sum()),
                    "games": len(np.unique(cluster[there])),
                }
            )
    return pd.DataFrame(rows)
