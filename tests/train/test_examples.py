"""The example that is one file, and stock MaskablePPO: both learn from the environments as they are."""

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO

from benchmarks.training import DensePolicy
from ettana_env import BatchEnv
from ettana_env.vocabulary import NONE
from examples.selfplay_loop import advantages, main
from train.chains import ENDED, advantages_of


def test_the_examples_advantages_are_the_trainers() -> None:
    rng = np.random.default_rng(3)
    ticks, games, players = 40, 6, 3
    rewards = rng.normal(size=(ticks, games, players))
    values = rng.normal(size=(ticks, games))
    seats = rng.integers(players, size=(ticks, games))
    over = rng.random((ticks, games)) < 0.08
    found, known = advantages(rewards, values, seats, over, trace=0.9)
    for game in range(games):
        following, paid = np.full(ticks, NONE), np.zeros(ticks)
        latest: dict[int, int] = {}
        for tick in range(ticks):
            seat = int(seats[tick, game])
            if seat in latest:
                following[latest[seat]] = tick
            latest[seat] = tick
            for other, row in latest.items():
                paid[row] += rewards[tick, game, other]
            if over[tick, game]:
                following[list(latest.values())] = ENDED
                latest = {}
        expected, later = np.zeros((2, ticks))
        none, no_turns = np.zeros(ticks), np.full(ticks, np.nan)
        advantages_of(following, paid, values[:, game], no_turns, none, 1.0, 0.9, 1.0, expected, later)
        assert (known[:, game] == (following != NONE)).all()
        assert found[known[:, game], game] == pytest.approx(expected[known[:, game]])


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    agent = main(steps=256, games=8, ticks=16, batch=64)
    assert "256 decisions" in capsys.readouterr().out
    assert all(np.isfinite(parameter.detach().numpy()).all() for parameter in agent.parameters())


def test_the_benchmarks_stock_policy_is_the_same_network() -> None:
    env = BatchEnv(5, players=4, features="planning")
    env.reset(seed=2)
    for _ in range(30):
        env.step(env.random_actions())
    space = spaces.Dict()
    policy = DensePolicy(space, spaces.Discrete(len(env.actions)), lambda left: 1e-3)
    seen = {
        "observation": torch.from_numpy(env.observations.copy()),
        "action_features": torch.from_numpy(env.action_features.copy()),
        "action_mask": torch.from_numpy(env.masks.copy()),
    }
    with torch.no_grad():
        scores, values = policy.heads(seen)
    chances = torch.softmax(scores.masked_fill(~seen["action_mask"], -1e9), dim=1).numpy()
    looked = policy.network.looker().look(env, np.arange(5))
    ours, our_values = policy.network.chances(looked)
    for game in range(5):
        there = slice(looked.offsets[game], looked.offsets[game + 1])
        assert ours[there] == pytest.approx(chances[game, looked.actions[there]], abs=1e-5)
    assert our_values == pytest.approx(values.flatten().numpy(), abs=1e-5)


def test_stock_maskable_ppo_learns_on_the_gymnasium_form() -> None:
    env = gymnasium.make("ettana_env:Ettana-v0", players=2, opponents="greedy", features="planning")
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu")
    model.learn(128)
    observation, _ = env.reset(seed=5)
    action, _ = model.predict(observation, action_masks=env.get_wrapper_attr("action_masks")(), deterministic=True)
    assert env.get_wrapper_attr("action_masks")()[int(action)]
