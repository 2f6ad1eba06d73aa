"""A trained policy as an agent: `policy:path`."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.network import Network, load_network
from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.chance import PLAYER, word
from ettana_env.errors import EttanaError
from ettana_env.vocabulary import NONE


@compiled
def draw_numbers(games: Any, rows: Any, marked: Any, out: Any) -> None:
    """A number from 0 to 1 for each marked game: the same for one seed at one moment."""
    for n in range(len(marked)):
        i = marked[n]
        bits = word(rows[i].seed, PLAYER, np.int64(games[i].actions), 1 << 20)
        out[n] = np.float64(bits >> np.uint64(11)) / np.float64(1 << 53)


class NetworkAgent:
    """Plays by a network: its likeliest action, or one drawn by the chances it gives."""

    def __init__(self, network: Network, greedy: bool = True) -> None:
        """`greedy` plays the likeliest action."""
        self._network, self._greedy, self._looker = network, greedy, network.looker()

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The network's action for each marked game."""
        self._network.check_board(env.rules)
        actions = np.full(env.size, NONE, np.int64)
        marked = np.flatnonzero(which)
        if len(marked):
            seen = self._looker.look(env, marked)
            draws = np.full(len(marked), -1.0)
            if not self._greedy:
                draw_numbers(env._games, env._rows, marked, draws)
            chosen, _, _ = self._network.choose(seen, draws)
            actions[marked] = seen.actions[seen.offsets[:-1] + chosen]
        return actions


TRAINED = Path(__file__).parent / "trained" / "ppo.safetensors"
"""The policy that comes along."""


class Policy(NetworkAgent):
    """Plays by a trained network: `policy:path=runs/mine/policy.safetensors`."""

    def __init__(self, path: str, how: str = "likeliest") -> None:
        """`how` is `likeliest`, or `drawn` for an action drawn by the chances the network gives."""
        if how not in ("likeliest", "drawn"):
            raise EttanaError(f"policy: how must be likeliest or drawn, not {how!r}")
        super().__init__(load_network(Path(path))[0], how == "likeliest")


class Ppo(Policy):
    """Plays by the trained network that comes along (docs/model-card.md)."""

    def __init__(self, how: str = "likeliest") -> None:
        """`how` is `likeliest`, or `drawn` for an action drawn by the chances the network gives."""
        super().__init__(str(TRAINED), how)
