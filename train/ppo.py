"""PPO by self-play: sb3-contrib's MaskablePPO with a buffer, a policy and a loop for games of several seats."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.policies import BasePolicy
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.utils import explained_variance

from agents.network import Network, Shape
from ettana_env import EttanaError, Rules
from train.buffer import Batch, Choices, SeatBuffer
from train.selfplay import SelfPlayEnv
from train.together import average_gradients, fewest


class SeatPolicy(MaskableActorCriticPolicy):
    """The project's network in the clothes of a Stable-Baselines3 policy."""

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        rules: Rules,
        shape: Shape,
    ) -> None:
        """A fresh network."""
        BasePolicy.__init__(self, observation_space, action_space)
        self.network = Network(rules, shape)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=lr_schedule(1), eps=1e-5)

    def forward(self, *arguments: Any, **options: Any) -> Any:
        """The network looks at legal actions and their features: ask `network`."""
        raise EttanaError("use policy.network: it looks at the legal actions and their features")


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO over `SelfPlayEnv`: every decision of the learner in every seat is learned from."""

    env: SelfPlayEnv
    rollout_buffer: SeatBuffer
    policy: SeatPolicy

    def __init__(
        self,
        env: SelfPlayEnv,
        rules: Rules,
        *,
        shape: Shape | None = None,
        ticks: int = 48,
        batch_size: int = 2048,
        entropy: tuple[float, float] = (0.01, 0.002),
        shaping: tuple[float, float] = (0.0, 0.3),
        luck: float = 0.5,
        **options: Any,
    ) -> None:
        """`shape` is that of the network; `ticks` decisions in every game make a rollout.

        `entropy` is the weight of the entropy at the start and at the end, `shaping` the weight of a lead in points as
        a potential at the start, and the share of the run after which it has faded out. `luck` is how much of what the
        dice and the others do after a seat's turn counts for the turn (`train.chains`).
        """
        self.entropy, self.shaping = entropy, shaping
        super().__init__(
            SeatPolicy,
            env,
            n_steps=ticks,
            batch_size=batch_size,
            rollout_buffer_class=SeatBuffer,
            rollout_buffer_kwargs={"games": env.num_envs, "luck": luck},
            policy_kwargs={"rules": rules, "shape": shape or Shape()},
            device="cpu",
            **options,
        )
        self.rng = np.random.default_rng(self.seed)
        self.looker = self.policy.network.looker()

    def collect_rollouts(
        self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play `n_rollout_steps` ticks: in each, one decision in every game that waits for the learner."""
        buffer: SeatBuffer = rollout_buffer
        network = self.policy.network
        self.policy.set_training_mode(False)
        callback.on_rollout_start()
        buffer.reset()
        points = env.batch.layout["points"].slice
        for _ in range(n_rollout_steps):
            games = env.waiting()
            seats = env.batch.seats.astype(np.int64)[games]
            if len(games):
                seen = self.looker.look(env.batch, games)
                chosen, log_chosen, values = network.choose(seen, self.rng.random(len(games)))
                have = env.batch.observations[games, points]
                leads = have[:, 0] - have[:, 1:].max(axis=1)
                buffer.decide(seen, games, seats, Choices(chosen, log_chosen, values, leads))
                actions = seen.actions[seen.offsets[:-1] + chosen].astype(np.int64)
            else:
                actions = np.zeros(0, np.int64)
            rewards, over = env.play(games, actions)
            self.note_turn_ends(env, buffer, games, seats)
            buffer.pay(rewards, over)
            self.num_timesteps += len(games)
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        start, until = self.shaping
        left = max(0.0, 1 - (1 - self._current_progress_remaining) / until) if until > 0 else 0.0
        buffer.finish(start * left)
        callback.on_rollout_end()
        return True

    def note_turn_ends(
        self, env: SelfPlayEnv, buffer: SeatBuffer, games: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> None:
        """Where the seats that acted ended their turns, add what they see then, and the value it has for them."""
        foresight = self.policy.network.foresight
        if foresight is not None:
            ended = env.batch.turn_over[games]
            seen = foresight.look(env.batch, env.batch.turn_ends, games[ended], seats[ended])
            buffer.end_turns(games[ended], seats[ended], seen, foresight.values(seen))

    def missed(self, batch: Batch) -> torch.Tensor | None:
        """By how much the foresight missed what came after turns, mean square; None if there is none or no turn."""
        foresight = self.policy.network.foresight
        if foresight is None or not len(batch.turn_returns):
            return None
        foreseen = foresight(torch.from_numpy(batch.turn_inputs))
        return torch.nn.functional.mse_loss(foreseen, torch.from_numpy(batch.turn_returns))

    def train(self) -> None:
        """Update the network from the rollout; with several processes, gradients are averaged among them."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        first, last = self.entropy
        self.ent_coef = last + (first - last) * max(self._current_progress_remaining, 0)  # a rollout may end late
        buffer, network = self.rollout_buffer, self.policy.network
        usable = buffer.advantages[buffer.usable]
        count = fewest(max(1, round(len(usable) / self.batch_size)))  # type: ignore[operator]
        mean, deviation = float(usable.mean()), float(usable.std()) + 1e-8
        names = ("policy", "value", "foresight", "entropy", "kl", "clipped")
        noted: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(self.n_epochs):
            for batch in buffer.batches(count, self.rng):
                value, log_chosen, entropy = network.judge(batch.seen, batch.chosen)
                advantage = torch.from_numpy((batch.advantages - mean) / deviation)
                log_ratio = log_chosen - torch.from_numpy(batch.log_chosen)
                ratio = torch.exp(log_ratio)
                clipped = torch.clamp(ratio, 1 - clip, 1 + clip)
                policy_loss = -torch.min(advantage * ratio, advantage * clipped).mean()
                value_loss = torch.nn.functional.mse_loss(value, torch.from_numpy(batch.returns))
                loss = policy_loss + self.vf_coef * value_loss - self.ent_coef * entropy.mean()
                if (missed := self.missed(batch)) is not None:
                    noted["foresight"].append(missed.item())
                    loss = loss + self.vf_coef * missed
                self.policy.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                average_gradients(network.parameters())
                torch.nn.utils.clip_grad_norm_(network.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                with torch.no_grad():
                    noted["kl"].append(float((ratio - 1 - log_ratio).mean()))
                    noted["clipped"].append(float(((ratio - 1).abs() > clip).float().mean()))
                noted["policy"].append(policy_loss.item())
                noted["value"].append(value_loss.item())
                noted["entropy"].append(entropy.mean().item())
            self._n_updates += 1
        for name, numbers in noted.items():
            self.logger.record(f"train/{name}", float(np.mean(numbers)) if numbers else float("nan"))
        fit = explained_variance(buffer.values[buffer.usable], buffer.returns[buffer.usable])
        self.logger.record("train/explained_variance", fit)
        self.logger.record("train/entropy_weight", self.ent_coef)
        self.logger.record("train/rows", len(usable))
