"""The course of a game, from the chances of all seats turn by turn: lead changes, drama, when it is settled."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from balance.simulate import Played
from balance.winning import Chances
from ettana_env.compiled import compiled
from ettana_env.vocabulary import NONE

SETTLED = 0.9
"""A game is settled from the turn on after which the winner's chance stays above this."""
OUT_OF_IT = 0.05
"""A player with less of a chance is out of the race."""
STEPS = 11
"""Points of a curve from the start of a game to its end."""

COURSE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("lead_changes", np.float64),  # how often another seat became the favourite
                ("drama", np.float64),  # how far behind the winner was, over the turns it was behind
                ("behind", np.float64),  # share of the turns the winner was not the favourite
                ("lowest", np.float64),  # the winner's lowest chance
                ("uncertainty", np.float64),  # entropy of the chances over that of even ones, mean over the turns
                ("settled", np.float64),  # share of the game left when it was settled
                ("favourite_won", np.float64),  # the favourite at half time won
                ("last_won", np.float64),  # the one with the least chance at half time won
                ("lead_half", np.float64),  # points of the one ahead at half time over the next
                ("lead_growth", np.float64),  # how much that lead grew until the end
                ("kings_made", np.float64),  # turns of one out of the race after which another is the favourite
                ("turns_out", np.float64),  # turns of those out of the race
            ],
            align=True,
        ),
    )
)
"""What the course of one game was like."""


@compiled
def entropy(chances: Any) -> float:
    """How open it is: 1 if all are even, 0 if it is certain."""
    total = 0.0
    for chance in chances:
        if chance > 0:
            total -= chance * np.log(chance)
    return total / np.log(len(chances))


@compiled
def lead_over_next(points: Any, players: int, seat: int) -> float:
    """A seat's points less those of the best other."""
    best = -1
    for other in range(players):
        if other != seat:
            best = max(best, points[other])
    return float(points[seat] - best)


@compiled
def follow(chances: Any, positions: Any, points: Any, winner: int, out: Any) -> None:
    """The course of one game from its positions."""
    turns, players = chances.shape
    favourite = np.argmax(chances[0])
    behind = 0
    gap = 0.0
    settled = 0
    out.lowest = 1.0
    for turn in range(turns):
        now = np.argmax(chances[turn])
        if now != favourite:
            out.lead_changes += 1
            if turn > 0:
                mover = positions[turn - 1].player
                made = chances[turn - 1, mover] < OUT_OF_IT and mover != now and mover != favourite
                out.kings_made += made
        favourite = now
        out.turns_out += chances[turn, positions[turn].player] < OUT_OF_IT
        out.uncertainty += entropy(chances[turn]) / turns
        mine = chances[turn, winner]
        out.lowest = min(out.lowest, mine)
        if now != winner:
            behind += 1
            gap += chances[turn, now] - mine
        if mine <= SETTLED:
            settled = turn + 1
    out.behind = behind / turns
    out.drama = gap / behind if behind > 0 else 0.0
    out.settled = 1 - settled / turns
    half = turns // 2
    out.favourite_won = np.argmax(chances[half]) == winner
    out.last_won = np.argmin(chances[half]) == winner
    ahead = np.argmax(positions[half].points[:players])
    out.lead_half = lead_over_next(positions[half].points, players, ahead)
    out.lead_growth = lead_over_next(points, players, ahead) - out.lead_half


@compiled
def follow_all(chances: Any, first: Any, positions: Any, points: Any, winners: Any, out: Any) -> None:
    """The course of every game that was won after it had begun."""
    for i in range(len(winners)):
        if winners[i] != NONE and first[i + 1] > first[i]:
            here, there = first[i], first[i + 1]
            follow(chances[here:there], positions[here:there], points[i], winners[i], out[i])


def courses(played: Played, chances: Chances) -> pd.DataFrame:
    """One row a game; not a number for games nobody won, or whose turns were not all kept."""
    out = np.zeros(played.games, COURSE)
    tallies = played.tallies
    follow_all(chances.chances, chances.first, played.positions, tallies["points"].copy(), chances.winner, out)
    frame = pd.DataFrame({name: out[name] for name in COURSE.names or ()})
    whole = (chances.winner != NONE) & (tallies["seen"] == tallies["turns"]) & (tallies["seen"] > 0)
    frame[~whole] = np.nan
    if played.players == 2:
        frame[["kings_made"]] = np.nan  # with two, whoever is not the one is the other
    return frame


def curves(played: Played, chances: Chances) -> pd.DataFrame:
    """How open games are and what chance the winner has, from start to end: means and tenths over games."""
    tallies = played.tallies
    whole = np.flatnonzero((chances.winner != NONE) & (tallies["seen"] == tallies["turns"]) & (tallies["seen"] > 0))
    rows = []
    for step in range(STEPS if len(whole) else 0):
        share = step / (STEPS - 1)
        at = chances.first[whole] + np.minimum(tallies["seen"][whole] - 1, (share * tallies["seen"][whole]).astype(int))
        here: NDArray[np.float64] = chances.chances[at]
        with np.errstate(divide="ignore", invalid="ignore"):
            openness = -np.where(here > 0, here * np.log(here), 0).sum(axis=1) / np.log(played.players)
        mine = here[np.arange(len(whole)), chances.winner[whole]]
        low, middle, high = np.quantile(mine, [0.1, 0.5, 0.9])
        rows.append(
            {
                "progress": share,
                "uncertainty": openness.mean(),
                "uncertainty_error": openness.std() / max(len(whole), 1) ** 0.5,
                "winner_low": low,
                "winner": middle,
                "winner_high": high,
                "games": len(whole),
            }
        )
    return pd.DataFrame(rows)
