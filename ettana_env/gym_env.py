"""One learner against named agents: the Gymnasium environment `Ettana-v0`, and the same in a vector."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ettana_env.errors import EttanaError
from ettana_env.learner import LearnerGames, observation_space
from ettana_env.pictures import Window, check_render_mode, picture
from ettana_env.rules import Rules
from ettana_env.validation import shown
from ettana_env.vocabulary import NONE

Observation = dict[str, NDArray[Any]]


class EttanaEnv(gymnasium.Env[Observation, np.int64]):
    """One learner's game: `gymnasium.make("ettana_env:Ettana-v0", players=4, opponents=["random"], seat="random")`.

    An observation is a dict: `observation`, the float32 vector of `ettana_env.observation`; `action_mask`, int8, 1 for
    the legal actions; with `features="planning"` also `action_features`. `action_masks()` gives the mask as booleans,
    as sb3-contrib's MaskablePPO expects. A step plays the learner's action and then the opponents' until the learner
    decides again or the game is over. An illegal action ends the game with a reward of -1, as PettingZoo has it; with
    `illegal="raise"` it raises `IllegalAction` instead and changes nothing.

    The learner is paid by one of the schemes of `ettana_env.rewards`, for all that happens in the step.
    `reset(seed=7)` plays the game of seed 7; a reset without a seed takes one from `np_random`, which the last seed
    started. Everything, the random opponents included, repeats with the seed.
    """

    metadata = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        rules: Rules | None = None,
        players: int = 4,
        opponents: str | Sequence[str] = "random",
        seat: int | str = "random",
        features: str | None = None,
        rewards: str = "zero_sum",
        forced: bool = False,
        illegal: str = "terminate",
        render_mode: str | None = None,
    ) -> None:
        """Set up the table; see `ettana_env.learner.LearnerGames` for opponents and seat.

        `forced=True` plays actions that leave no choice inside. `render_mode` is None, "ansi", "rgb_array" or "human".
        """
        self.render_mode = check_render_mode(render_mode)
        self._games = LearnerGames(1, rules, players, opponents, seat, features, rewards, forced, illegal, threads=1)
        self.rules = self._games.batch.rules
        self.observation_space: spaces.Space[Any] = observation_space(self.rules, features)
        self.action_space = spaces.Discrete(len(self._games.batch.actions))
        self._window: Window | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and play to the learner's first decision; there are no options."""
        super().reset(seed=seed)
        if options:
            raise EttanaError(f"reset has no options, but {shown(options)} is given")
        if seed is None:
            seed = int(self.np_random.integers(2**62))
        self._games.reset(seed)
        if self.render_mode == "human":
            self.render()
        return self._games.observation(0), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponents' answers."""
        if self._games.batch._ready and self._games.over[0]:
            raise EttanaError("the game is over: call reset")
        self._games.step(np.asarray(action).reshape(-1))
        terminated, truncated = self._games.outcomes()
        if self.render_mode == "human":
            self.render()
        reward = float(self._games.rewards[0])
        return self._games.observation(0), reward, bool(terminated[0]), bool(truncated[0]), self._info()

    def _info(self) -> dict[str, Any]:
        batch = self._games.batch
        info: dict[str, Any] = {"seat": int(self._games.seats[0])}
        if self._games.forfeited[0]:
            info["illegal_action"] = True
        elif self._games.over[0]:
            winner = int(batch.ended_winners[0])
            info["winner"] = None if winner == NONE else winner
            info["points"] = [int(points) for points in batch.ended_points[0, : self._games.players]]
            info["turns"] = int(batch.ended_turns[0])
            info["seed"] = int(batch.seeds[0])  # not before: it would tell what nobody may know
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as sb3-contrib asks for it."""
        masks: NDArray[np.bool_] = np.logical_and(self._games.batch.masks[0], not self._games.over[0])
        return masks

    def render(self) -> Any:
        """The game as the learner sees it: text, an array of pixels, or shown in a window."""
        if self.render_mode is None:
            gymnasium.logger.warn("render was called, but no render_mode was given to the environment")
            return None
        game = self._games.batch.game(0)
        shown_now = picture(game, int(self._games.seats[0]), self.render_mode)
        if self.render_mode != "human":
            return shown_now
        self._window = self._window or Window("Ettana")
        self._window.show(shown_now)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


class EttanaVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """Many learners' games at once, compiled: a `gymnasium.vector.VectorEnv` with `AutoresetMode.SAME_STEP`.

    A game that ends is started anew in the same step: the observation is that of the new game, and `infos["final_obs"]`
    (an array of dicts, None for the games that go on, with the mask `infos["_final_obs"]`) that of the end;
    `infos["final_info"]` holds how it ended. `masks` gives all masks as booleans. Opponents, seat, rewards and seeds
    are as in `EttanaEnv`; game i starts with seed + i, and each next game in its place has the seed `num_envs` further
    on.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        num_envs: int,
        rules: Rules | None = None,
        players: int = 4,
        opponents: str | Sequence[str] = "random",
        seat: int | str = "random",
        features: str | None = None,
        rewards: str = "zero_sum",
        forced: bool = False,
        illegal: str = "raise",
        threads: int = 1,
    ) -> None:
        """Set up `num_envs` tables."""
        self._games = LearnerGames(
            num_envs, rules, players, opponents, seat, features, rewards, forced, illegal, threads
        )
        self.rules = self._games.batch.rules
        self.num_envs = self._games.batch.size
        self.single_observation_space = observation_space(self.rules, features)
        self.single_action_space = spaces.Discrete(len(self._games.batch.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def masks(self) -> NDArray[np.bool_]:
        """(num_envs, actions): which are legal; written in place."""
        return self._games.batch.masks

    def _observations(self) -> Observation:
        batch = self._games.batch
        seen: Observation = {
            "observation": batch.observations.copy(),
            "action_mask": batch.masks.astype(np.int8),
        }
        if len(batch.action_features):
            seen["action_features"] = batch.action_features.copy()
        return seen

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games, game i with seed + i; there are no options, and seeds cannot be given one by one."""
        if options:
            raise EttanaError(f"reset has no options, but {shown(options)} is given")
        if isinstance(seed, list):
            raise EttanaError("seed must be one whole number: game i takes seed + i")
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**62))
        self._games.reset(seed)
        return self._observations(), {"seat": self._games.seats.copy()}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play one action in every game, and the opponents' answers."""
        games = self._games
        games.step(actions)
        terminated, truncated = games.outcomes()
        rewards = games.rewards.copy()
        over = terminated | truncated
        infos: dict[str, Any] = {}
        if over.any():
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(over):
                final[i] = games.observation(int(i))
            infos["final_obs"], infos["_final_obs"] = final, over
            infos["final_info"] = {
                "seat": games.seats.copy(),
                "illegal_action": games.forfeited.copy(),
                "winner": games.batch.ended_winners.copy(),
                "points": games.batch.ended_points.copy(),
                "turns": games.batch.ended_turns.copy(),
            }
            infos["_final_info"] = over.copy()
            games.restart(over)
        infos["seat"] = games.seats.copy()
        return self._observations(), rewards, terminated, truncated, infos
