"""What games between agents showed, with intervals that know that games of one deal are alike."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from ettana_env.game import Game
from ettana_env.records import Recorder
from ettana_env.rules import Rules


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
    return Share(won, played, min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)))  # p: rounding aside


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


def _named(row: Any) -> dict[str, int]:
    return {"seed": int(row["seed"]), "rotation": int(row["rotation"])}


@dataclass
class Results:
    """All that was played; `rows` has one record a game, in the order of deals and rotations."""

    agents: tuple[str, ...]
    """The line-up: who sits in seat 0, 1, … when the rotation is 0; in rotation r everyone sits r seats further on."""
    rows: NDArray[Any]
    rules: Rules
    faults: list[Fault] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    """Time spent choosing, by agent."""
    decisions: dict[str, int] = field(default_factory=dict)
    complete: bool = True
    """False if it was interrupted: the rows are those of the games that were finished."""
    actions: dict[tuple[int, int], NDArray[np.int16]] = field(default_factory=dict)
    """The decisions (forced moves left out), by seed and rotation: of games broken or cut off; of all if asked for."""

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

    def and_also(self, more: "Results") -> "Results":
        """These results and more of the same line-up, as one."""
        return Results(
            self.agents,
            np.concatenate([self.rows, more.rows]),
            self.rules,
            self.faults + more.faults,
            {name: self.seconds[name] + more.seconds[name] for name in self.seconds},
            {name: self.decisions[name] + more.decisions[name] for name in self.decisions},
            self.complete and more.complete,
            self.actions | more.actions,
        )

    def milliseconds(self, agent: str) -> float:
        """The mean time an agent took for a decision."""
        return 1000 * self.seconds[agent] / self.decisions[agent] if self.decisions[agent] else 0.0

    def names(self, rotation: int) -> list[str]:
        """Who sat in each seat in a rotation."""
        return [self.agents[(seat - rotation) % self.players] for seat in range(self.players)]

    def table(self) -> pd.DataFrame:
        """One row a game, with who sat in each seat and each seat's points and decisions in columns of their own."""
        columns: dict[str, Any] = {
            name: self.rows[name] for name in ("seed", "rotation", "winner", "turns", "actions", "truncated")
        }
        line = np.array([*self.agents, ""], dtype=object)
        columns["winner_agent"] = line[self.rows["winner_agent"]]
        for seat in range(self.players):
            columns[f"agent_{seat}"] = line[(seat - self.rows["rotation"]) % self.players]
            columns[f"points_{seat}"] = self.rows["points"][:, seat]
            columns[f"decisions_{seat}"] = self.rows["decisions"][:, seat]
        return pd.DataFrame(columns)

    def summary(self) -> dict[str, Any]:
        """Everything but the rows, as JSON."""
        agents = []
        for name in dict.fromkeys(self.agents):
            share = self.share(name)
            agents.append(
                {
                    "name": name,
                    "seats": len(self.places(name)),
                    "games": share.games,
                    "wins": share.wins,
                    "share": share.share,
                    "low": share.low,
                    "high": share.high,
                    "par": len(self.places(name)) / self.players,
                    "points": self.mean_points(name),
                    "ms_per_move": self.milliseconds(name),
                }
            )
        seats = [self.seat_share(seat) for seat in range(self.players)]
        return {
            "players": self.players,
            "rules": self.rules.name,
            "games": len(self.rows),
            "complete": self.complete,
            "agents": agents,
            "seats": [asdict(share) | {"share": share.share} for share in seats],
            "turns": float(self.rows["turns"].mean()) if len(self.rows) else None,
            "decisions": float(self.rows["decisions"].sum(axis=1).mean()) if len(self.rows) else None,
            "truncated": [_named(row) for row in self.rows[self.rows["truncated"]]],
            "faults": [{key: value for key, value in asdict(fault).items() if key != "state"} for fault in self.faults],
        }

    def _by_block(self, won: NDArray[Any], played: NDArray[Any]) -> Share:
        _, block = np.unique(self.rows["seed"], return_inverse=True)
        count = int(block.max()) + 1 if len(block) else 0
        wins = np.bincount(block, weights=won, minlength=count).astype(np.int64)
        games = np.bincount(block, weights=played, minlength=count).astype(np.int64)
        return share_of(wins, games)

    def mean_points(self, agent: str) -> float:
        """The mean points of an agent at the end of a game, over its places."""
        seats = (np.array(self.places(agent))[None, :] + self.rows["rotation"][:, None]) % self.players
        return float(np.take_along_axis(self.rows["points"], seats, axis=1).mean()) if len(self.rows) else 0.0


def write_records(results: Results, folder: Path, only: Iterable[tuple[int, int]] | None = None) -> list[Path]:
    """Write the games whose decisions were kept as compact records, `<seed>-<rotation>.jsonl`, into a folder.

    `only` names some of them by seed and rotation. A game that was broken off ends where it was.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for seed, rotation in results.actions if only is None else only:
        path = folder / f"{seed}-{rotation}.jsonl"
        path.unlink(missing_ok=True)
        game = Game(results.rules, results.players, seed)
        with Recorder(path, game, results.names(rotation), compact=True) as recorder:
            for action in [*map(int, results.actions[seed, rotation]), None]:
                while len(legal := game.legal_indices()) == 1:
                    recorder.play(legal[0])
                if action is not None:
                    recorder.play(action)
        written.append(path)
    return written
