"""Past selves to play against: those the learner finds neither easy nor hopeless come up most."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.network import Network, load_network, save_network
from agents.policy import NetworkAgent
from ettana_env.opponents import Opponent, opponent
from train.config import OpponentsConfig

MOST_AT_ONCE = 3
"""Past selves that play at one time: each looks at its games in one batch."""


class League:
    """Past selves and heuristics, and how the learner fares against them."""

    def __init__(self, config: OpponentsConfig) -> None:
        """Empty of past selves at first."""
        self.config = config
        self.members: list[Network] = []
        self.results: list[list[float]] = []  # by member: games and wins of the learner, older ones fading
        self._heuristics = [opponent(spec) for spec in config.heuristics]
        self.active: list[int] = []

    def keep(self, network: Network) -> None:
        """Keep the network as it is now."""
        self.members.append(network.copy())
        self.results.append([0.0, 0.0])
        if len(self.members) > self.config.most:
            del self.members[0], self.results[0]

    def draw(self, rng: np.random.Generator) -> None:
        """Choose who plays next: by w (1 - w), w being the learner's share of wins."""
        wins = np.array([(won + 1) / (games + 4) for games, won in self.results])
        weights = wins * (1 - wins) + 0.02
        count = min(MOST_AT_ONCE, len(self.members))
        chosen: Any = rng.choice(len(self.members), count, replace=False, p=weights / weights.sum()) if count else []
        self.active = sorted(map(int, chosen))

    def opponents(self) -> tuple[list[Opponent], NDArray[np.float64]]:
        """Who plays now, and in what share of games each."""
        past: list[Opponent] = [NetworkAgent(self.members[number], greedy=False) for number in self.active]
        shares = [self.config.league / len(past)] * len(past) if past else []
        return past + self._heuristics, np.array([*shares, *self.config.heuristics.values()], np.float64)

    def note(self, results: Sequence[tuple[int, bool]]) -> None:
        """Note games that ended: the opponent's number, and whether the learner won."""
        for number, won in results:
            if number < len(self.active):
                record = self.results[self.active[number]]
                record[0], record[1] = 0.99 * record[0] + 1, 0.99 * record[1] + won

    def save(self, folder: Path) -> None:
        """Write the past selves into a folder."""
        for number, member in enumerate(self.members):
            save_network(member, folder / f"league-{number}.safetensors", {})

    def state(self) -> dict[str, Any]:
        """The rest, as JSON."""
        return {"results": self.results, "active": self.active}

    def load(self, folder: Path, state: dict[str, Any]) -> None:
        """Read what `save` wrote, and what `state` gave."""
        self.results = [list(record) for record in state["results"]]
        self.members = [load_network(folder / f"league-{n}.safetensors")[0] for n in range(len(self.results))]
        self.active = list(state["active"])
