"""Is A better than B? A sequential test that stops as soon as the answer is clear enough.

Blocks (one deal in all rotations) are independent, games within one are not, so the test looks at each block's share of
wins. It weighs "A wins its part and no more" against "A wins its part and `margin` more" by the generalised sequential
probability ratio of normal block shares, their variance estimated from the blocks seen. Wrong answers come about as
often as `error` says, either way, when the truth is one of the two; in between it takes longer and answers either.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from agents.arena import Progress, line_up, play_games
from agents.results import Results
from ettana_env.errors import EttanaError
from ettana_env.rules import Rules
from ettana_env.validation import shown

FEWEST_BLOCKS = 30
"""No answer before so many: their variance is not known well enough."""


@dataclass(frozen=True)
class Verdict:
    """What the test says: `better`, `not better`, or `open` if the games ran out."""

    answer: str
    ratio: float
    """The logarithm of the likelihood ratio."""
    bound: float
    """An answer is given when the ratio is outside ±bound."""
    margin: float
    error: float


def verdict(shares: NDArray[np.float64], par: float, margin: float, error: float) -> Verdict:
    """The test's answer after blocks with these shares of wins; `par` is the share of an equal player."""
    bound = log((1 - error) / error)
    ratio = 0.0
    if len(shares) >= FEWEST_BLOCKS:
        # One pseudo-block of an equal player's variance keeps a run of like blocks from looking certain.
        variance = (((shares - shares.mean()) ** 2).sum() + par * (1 - par)) / len(shares)
        ratio = float(margin / variance * (shares - par - margin / 2).sum())
    answer = "better" if ratio >= bound else "not better" if ratio <= -bound else "open"
    return Verdict(answer, ratio, bound, margin, error)


def block_shares(results: Results, agent: str) -> NDArray[np.float64]:
    """The share of wins of an agent in each block, in the order of the deals."""
    won = np.isin(results.rows["winner_agent"], results.places(agent))
    seeds, block = np.unique(results.rows["seed"], return_inverse=True)
    return np.bincount(block, won, len(seeds)) / np.maximum(np.bincount(block, minlength=len(seeds)), 1)


def play_until_clear(
    agent: str,
    against: str,
    rules: Rules | None = None,
    players: int = 4,
    games: int = 20_000,
    seed: int = 1,
    workers: int = 1,
    margin: float = 0.03,
    error: float = 0.05,
    progress: Progress | None = None,
) -> tuple[Verdict, Results]:
    """Play one agent against others, in lots, until the test has an answer or `games` are played."""
    if not 0 < margin < 1 or not 0 < error < 0.5:
        raise EttanaError(
            f"margin must be above 0 and below 1 and error below 0.5, not {shown(margin)}, {shown(error)}"
        )
    names = line_up([agent, against], players)
    if agent == against:
        raise EttanaError(f"{agent} cannot be tested against itself")
    lot = max(FEWEST_BLOCKS, 256 // players)
    results: Results | None = None
    done = 0
    while True:
        blocks = min(lot, -(-games // players) - done)
        played = play_games(names, rules, games=blocks * players, seed=seed + done, workers=workers)
        results = played if results is None else results.and_also(played)
        done += blocks
        if progress is not None:
            progress(done * players, games)
        found = verdict(block_shares(results, agent), 1 / players, margin, error)
        if found.answer != "open" or not results.complete or done * players >= games:
            return found, results
