"""Many games of self-play as one Stable-Baselines3 vector environment, with seats for past selves and heuristics."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ettana_env import BatchEnv, Rules
from ettana_env.opponents import Opponent
from ettana_env.vocabulary import MAX_PLAYERS, NONE

LEARNER = NONE
"""In `drivers`: the seat is played by the policy that learns."""


class SelfPlayEnv(VecEnv):
    """Games in which the learner plays every seat, or one seat against opponents.

    `play` is the way to step it: one action for each game that waits for the learner. The usual `reset`, `step` and
    `action_masks` are there too, for tools that expect a VecEnv.
    """

    def __init__(self, games: int, rules: Rules, players: list[int], seed: int, threads: int = 1) -> None:
        """Games with so many players, dealt out in turn; `seed` is where the deals start."""
        self.batch = BatchEnv(games, rules, players, forced=True, turn_ends=True, threads=threads)
        self._seed = seed
        self.opponents: list[Opponent] = []
        self.shares: NDArray[np.float64] = np.zeros(0)
        self.drivers = np.full((games, MAX_PLAYERS), LEARNER, np.int64)
        self.results: list[
            tuple[int, bool]
        ] = []  # of games against opponents that ended: which, and did the learner win
        self._rng = np.random.default_rng(seed)
        observation = spaces.Box(-np.inf, np.inf, (self.batch.layout.size,), np.float32)
        super().__init__(games, observation, spaces.Discrete(len(self.batch.actions)))

    def seat_opponents(self, opponents: list[Opponent], shares: NDArray[np.float64]) -> None:
        """From now on, in a share of games each, an opponent plays all seats but one.

        Games under way go on with whoever has the old opponent's number now; if nobody has, with the learner.
        """
        self.drivers[self.drivers >= len(opponents)] = LEARNER
        self.opponents, self.shares = opponents, np.asarray(shares, np.float64)

    def _deal_seats(self, games: NDArray[np.int64]) -> None:
        self.drivers[games] = LEARNER
        if not len(self.opponents):
            return
        draws = self._rng.random(len(games))
        bounds = np.cumsum(self.shares)
        for game, draw in zip(games, draws, strict=True):
            if draw < bounds[-1]:
                self.drivers[game] = int(np.searchsorted(bounds, draw, side="right"))
                self.drivers[game, self._rng.integers(self.batch.players[game])] = LEARNER

    def reset(self) -> NDArray[np.float32]:
        """Start all games."""
        self.batch.reset(self._seed)
        self._deal_seats(np.arange(self.num_envs))
        return self.batch.observations.copy()

    def waiting(self) -> NDArray[np.int64]:
        """The games in which the learner is to act."""
        seats = self.batch.seats.astype(np.int64)
        return np.flatnonzero(self.drivers[np.arange(self.num_envs), seats] == LEARNER)

    def play(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """The learner's actions in these games, opponents' in the others: rewards by seat, and which games ended."""
        every = np.full(self.num_envs, NONE, np.int64)
        every[games] = actions
        driver = self.drivers[np.arange(self.num_envs), self.batch.seats.astype(np.int64)]
        for number, opponent in enumerate(self.opponents):
            which = driver == number
            if which.any():
                chosen = opponent.choose(self.batch, which)
                every[which] = chosen[which]
        self.batch.step(every)
        over = self.batch.terminated | self.batch.truncated
        if over.any():
            self._note(np.flatnonzero(over))
            self._deal_seats(np.flatnonzero(over))
        return self.batch.rewards, over

    def _note(self, games: NDArray[np.int64]) -> None:
        for game in games:
            opponent = int(self.drivers[game].max())
            if opponent != LEARNER:
                winner = int(self.batch.ended_winners[game])
                self.results.append((opponent, winner != NONE and self.drivers[game, winner] == LEARNER))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that makes the games go on as they would."""
        batch = self.batch
        return {
            "games": batch._games,
            "rows": batch._rows,
            "legal": batch._legal,
            "masks": batch._masks,
            "observations": batch._observations,
            "drivers": self.drivers,
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], draws: dict[str, Any]) -> None:
        """Go on from what `arrays` and `draws` gave."""
        self.batch.reset(self._seed)
        for name, array in self.arrays().items():
            array[...] = arrays[name]
        self._rng.bit_generator.state = draws

    @property
    def draws(self) -> dict[str, Any]:
        """Where the drawing of seats stands."""
        return dict(self._rng.bit_generator.state)

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> Any:
        """One action in every game; the reward is that of the seat that acted."""
        seats = self.batch.seats.astype(np.int64)
        rewards, over = self.play(np.arange(self.num_envs), np.asarray(self._actions))
        own = rewards[np.arange(self.num_envs), seats]
        return self.batch.observations.copy(), own.copy(), over, [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Nothing is to be closed."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same for all games."""
        return [getattr(self, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set it for all games."""
        setattr(self, attr_name, value)

    def has_attr(self, attr_name: str) -> bool:
        """Masks are there; for the rest, what the object has."""
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> Any:
        """`action_masks` gives all masks in one array."""
        if method_name == "action_masks":
            return self.batch.masks.copy()
        raise AttributeError(f"the games of self-play have no method {method_name}")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * self.num_envs
