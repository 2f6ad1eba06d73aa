"""Decisions learned from a second, the whole loop, on one core: `python -m benchmarks.training`.

The trainer against stock MaskablePPO with the same network and as many passes over the data, (a) on the usual pattern
of one PettingZoo environment wrapped for Stable-Baselines3 and (b) on this project's vector environment. The stock
algorithm scores every action of the space, legal or not; the numbers the network gives are the same (a test compares).
"""

import time
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.policies import BasePolicy
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from agents.looking import SCALE
from agents.network import Network, Shape
from agents.scoring import PARTS, parts_of, verbs_of
from ettana_env import EttanaVectorEnv, Rules, ettana_v0
from ettana_env.actions import Catalogue
from ettana_env.engine.planning import FEATURES
from ettana_env.observation import layout
from train.ppo import SelfPlayPPO
from train.selfplay import SelfPlayEnv

EPOCHS, BATCH, GAMES = 2, 2048, 256

SHAPE = Shape(prospects=False, foresight=())
"""The default network but for the prospects and the ends of turns, which the stock environments do not hand out."""


class DensePolicy(MaskableActorCriticPolicy):
    """The project's network as a stock policy: scores for all actions, in plain torch."""

    def __init__(
        self, observation_space: spaces.Space[Any], action_space: spaces.Space[Any], lr_schedule: Schedule, **_: Any
    ) -> None:
        """The same sizes as the trainer's."""
        BasePolicy.__init__(self, observation_space, action_space)
        self.network = Network(Rules(), SHAPE)
        catalogue = Catalogue(Rules())
        parts = torch.from_numpy(parts_of(catalogue).astype(np.int64))
        self.register_buffer("parts", torch.where(parts < 0, PARTS, parts))
        self.register_buffer("verbs", torch.from_numpy(verbs_of(catalogue).astype(np.int64)))
        self.register_buffer("scale", torch.from_numpy(SCALE))
        parts_seen = [part.slice for name, part in layout(Rules()).items() if name not in SHAPE.without]
        self.register_buffer("columns", torch.from_numpy(np.r_[tuple(parts_seen)]))
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=lr_schedule(1), eps=1e-5)

    def heads(self, obs: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """The scores of all actions, and the value."""
        network = self.network
        features = obs["action_features"] * self.scale
        legal = obs["action_mask"].bool()
        best = features.masked_fill(~legal[:, :, None], -1e9).amax(dim=1)
        body = network.trunk(torch.cat([obs["observation"][:, self.columns], best], dim=1))
        out = network.scores(body)
        padded = torch.cat([out[:, :PARTS], torch.zeros(len(out), 1)], dim=1)
        scores = padded[:, self.parts].sum(dim=2)  # type: ignore[index]
        weights = out[:, PARTS:].view(len(out), -1, FEATURES)[:, self.verbs]
        scores = scores + (weights * features).sum(dim=2)
        hidden = network.hint(body)[:, None, :] + network.by_verb[self.verbs] + features @ network.small  # type: ignore[misc, index]
        return scores + torch.relu(hidden) @ network.weight, network.value(body)

    def _distribution(self, scores: torch.Tensor, masks: Any) -> MaskableCategoricalDistribution:
        distribution = MaskableCategoricalDistribution(scores.shape[1]).proba_distribution(scores)
        distribution.apply_masking(masks)
        return distribution

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> Any:
        """Actions, values, logarithms of chances."""
        scores, values = self.heads(obs)
        distribution = self._distribution(scores, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: Any, actions: torch.Tensor, action_masks: Any = None) -> Any:
        """Values, logarithms of chances, entropy."""
        scores, values = self.heads(obs)
        distribution = self._distribution(scores, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Values alone."""
        return self.heads(obs)[1]


class OneEnvironment(gymnasium.Env[Any, Any]):
    """The widely copied pattern: an AEC environment stepped as if one player played all seats."""

    def __init__(self) -> None:
        """Four players, planning features."""
        self.env = ettana_v0.raw_env(players=4, features="planning")
        self.observation_space = self.env.observation_space("player_0")
        self.action_space = self.env.action_space("player_0")

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start a game."""
        self.env.reset(seed=seed)
        self._seen = self.env.observe(self.env.agent_selection)
        return self._seen, {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play for whoever is to act; the observation is the next player's."""
        mover = self.env.agent_selection
        self.env.step(int(action))
        self._seen = self.env.observe(self.env.agent_selection)
        return self._seen, self.env.rewards[mover], self.env.terminations[mover], self.env.truncations[mover], {}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of whoever is to act."""
        masks: NDArray[np.bool_] = self._seen["action_mask"].astype(bool)
        return masks


class VectorForStableBaselines(VecEnv):
    """This project's Gymnasium vector environment as Stable-Baselines3 wants it."""

    def __init__(self, games: int) -> None:
        """One learner against random opponents in each game."""
        self.env = EttanaVectorEnv(games, players=4, opponents="random", features="planning", forced=True)
        super().__init__(games, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> Any:
        """Start all games."""
        self._seen, _ = self.env.reset(seed=1)
        return self._seen

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions."""
        self._actions = actions

    def step_wait(self) -> Any:
        """One decision in every game."""
        self._seen, rewards, terminated, truncated, _ = self.env.step(self._actions)
        return self._seen, rewards.astype(np.float32), terminated | truncated, [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same for all."""
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not needed."""

    def has_attr(self, attr_name: str) -> bool:
        """Masks are there."""
        return attr_name == "action_masks"

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> Any:
        """The masks."""
        return self._seen["action_mask"].astype(bool)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No."""
        return [False] * self.num_envs


class Stopwatch(BaseCallback):
    """Measures from the second rollout on: the first one compiles."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        now = time.perf_counter()
        if not hasattr(self, "marks"):
            self.marks: list[tuple[float, int]] = []
        self.marks.append((now, self.num_timesteps))

    def rate(self) -> float:
        """Decisions a second between the second rollout's start and the last one's."""
        (start, before), (end, after) = self.marks[1], self.marks[-1]
        return (after - before) / (end - start)


def trainer(steps: int) -> float:
    """This project's trainer, one process."""
    model = SelfPlayPPO(
        SelfPlayEnv(GAMES, Rules(), [4], seed=1),
        Rules(),
        shape=SHAPE,
        ticks=32,
        batch_size=BATCH,
        n_epochs=EPOCHS,
        gamma=1.0,
        seed=1,
    )
    watch = Stopwatch()
    model.learn(steps, watch)
    return watch.rate()


def stock(env: VecEnv, ticks: int, steps: int) -> float:
    """Stock MaskablePPO."""
    model = MaskablePPO(
        DensePolicy, env, n_steps=ticks, batch_size=BATCH, n_epochs=EPOCHS, gamma=1.0, seed=1, device="cpu"
    )
    watch = Stopwatch()
    model.learn(steps, watch)
    return watch.rate()


def main() -> None:
    """Measure and print."""
    torch.set_num_threads(1)
    ours = trainer(10 * 32 * GAMES)
    single = stock(DummyVecEnv([OneEnvironment]), BATCH, 5 * BATCH)
    vector = stock(VectorForStableBaselines(64), 32, 6 * 32 * 64)
    print("| decisions learned from a second, one core | | ours / it |\n|---|--:|--:|")
    print(f"| `ettana train`, one process | {ours:,.0f} | |")
    print(f"| stock MaskablePPO, one PettingZoo environment | {single:,.0f} | {ours / single:.1f} |")
    print(f"| stock MaskablePPO, `EttanaVectorEnv` of 64 | {vector:,.0f} | {ours / vector:.1f} |")


if __name__ == "__main__":
    main()
