"""What games between agents showed, with intervals that know that games of one deal are alike."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm


@dataclass(frozen=True)
class Share:
    """A share of wins with its 95% interval: Wilson's, for as many games as the blocks are worth."""

    wins: int
    games: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Wins by games."""
        return self.wins / self.games if self.games else float("nan")

    def __str__(self) -> str:
        return f"{self.share:.1%} [{self.low:.1%}, {self.high:.1%}], n = {self.games:,}"


def share_of(wins: NDArray[np.int64], games: NDArray[np.int64]) -> Share:
    """The share of wins from wins and games by block, a block being one deal played from several seats.

    Games of a block share their luck, so they do not count as independent: the interval is Wilson's for n / d games, d
    being how much larger the variance between blocks is than that of independent games (at least 1 / games a block). If
    all games were won, or none, it is that of as many games as there are blocks.
    """
    won, played = int(wins.sum()), int(games.sum())
    if played == 0:
        return Share(0, 0, 0.0, 1.0)
    p = won / played
    blocks = len(games)
    effective = float(blocks)  # all or nothing won: the blocks alone are known to be independent
    if blocks > 1 and 0 < p < 1:
        residuals = wins - p * games
        variance = blocks / (blocks - 1) * float((residuals**2).sum()) / played**2
        independent = p * (1 - p) / played
        effective = played / max(variance / independent, 1 / float(games.mean()))
    z = float(norm.ppf(0.975))
    centre = (p + z * z / (2 * effective)) / (1 + z * z / effective)
    half = z * ((p * (1 - p) + z * z / (4 * effective)) / effective) ** 0.5 / (1 + z * z / effective)
    return Share(won, played, max(0.0, centre - half), min(1.0, centre + half))


@dataclass(frozen=True)
class Fault:
    """A game that an agent broke: it is reported and not counted."""

    seed: int
    rotation: int
    seat: int
    agent: str
    why: str
    state: dict[str, Any]


GAME_ROW = np.dtype(
    [
        ("seed", np.int64),
        ("rotation", np.int8),
        ("winner", np.int8),  # the seat, NONE if nobody
        ("winner_agent", np.int8),  # by place in the line-up, NONE if nobody
        ("turns", np.int32),
        ("actions", np.int32),
        ("truncated", np.bool_),
        ("points", np.int16, 4),  # by seat
        ("decisions", np.int32, 4),  # by seat, forced ones left out
    ]
)
"""One finished game."""


@dataclass
class Results:
    """All that was played; `rows` has one record a game, in the order of deals and rotations."""

    agents: tuple[str, ...]
    """The line-up: who sits in seat 0, 1, … when the rotation is 0; in rotation r everyone sits r seats further on."""
    rows: NDArray[Any]
    faults: list[Fault] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    """Time spent choosing, by agent."""
    decisions: dict[str, int] = field(default_factory=dict)
    complete: bool = True
    """False if it was interrupted: the rows are those of the games that were finished."""
    actions: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """If asked for: the decisions of each game (forced moves left out), by seed and rotation."""

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.agents)

    def places(self, agent: str) -> list[int]:
        """Where in the line-up an agent stands."""
        return [place for place, name in enumerate(self.agents) if name == agent]

    def share(self, agent: str) -> Share:
        """How many of the games an agent won, in all its places together; truncated games are won by nobody."""
        places = self.places(agent)
        won = np.isin(self.rows["winner_agent"], places)
        return self._by_block(won, np.ones(len(self.rows), np.int64))

    def seat_share(self, seat: int) -> Share:
        """How many of the games were won from a seat."""
        return self._by_block(self.rows["winner"] == seat, np.ones(len(self.rows), np.int64))

    def _by_block(self, won: NDArray[Any], played: NDArray[Any]) -> Share:
        _, block = np.unique(self.rows["seed"], return_inverse=True)
        count = int(block.max()) + 1 if len(block) else 0
        wins = np.bincount(block, weights=won, minlength=count).astype(np.int64)
        games = np.bincount(block, weights=played, minlength=count).astype(np.int64)
        return share_of(wins, games)

    def mean_points(self, agent: str) -> float:
        """The mean points of an agent at the end of a game, over its places."""
        seats = (np.array(self.places(agent))[None, :] + self.rows["rotation"][:, None]) % self.players
        return float(np.take_along_axis(self.rows["points"], seats, axis=1).mean())
