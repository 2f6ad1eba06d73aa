"""Self-play PPO in one file, on the batch environment, with nothing but NumPy and torch.

    python -m examples.selfplay_loop --steps 500000

It is meant to be read from top to bottom and changed. Every seat is played by one network, and advantages follow each
seat's own chain of decisions. For the trainer that gets strong fast, see `train/`.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

from ettana_env import BatchEnv


class Agent(nn.Module):
    """A plain network: the observation to one score an action, the features of an action added by learned weights."""

    def __init__(self, inputs: int, actions: int, features: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.scores = nn.Linear(256, actions)
        self.weights = nn.Linear(256, features)
        self.value = nn.Linear(256, 1)
        nn.init.orthogonal_(self.scores.weight, 0.01)

    def forward(
        self, seen: torch.Tensor, features: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """The distribution over legal actions, and the value."""
        body = self.body(seen)
        scores = self.scores(body) + torch.einsum("naf,nf->na", features, self.weights(body))
        scores = scores.masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=scores, validate_args=False), self.value(body).flatten()


def advantages(
    rewards: np.ndarray, values: np.ndarray, seats: np.ndarray, over: np.ndarray, trace: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantages by (tick, game), each along its seat's own chain, and which of them are known.

    `rewards` has what every seat was paid by each tick. Going back in time, `paid` adds up what each seat got since
    its next decision; what comes after a seat's last decision in the window is not known unless the game ended.
    """
    ticks, games, players = rewards.shape
    found, known = np.zeros((ticks, games)), np.zeros((ticks, games), bool)
    paid, after, running = np.zeros((games, players)), np.zeros((games, players)), np.zeros((games, players))
    certain = np.zeros((games, players), bool)
    every = np.arange(games)
    for tick in reversed(range(ticks)):
        ended = over[tick]
        paid[ended], after[ended], running[ended], certain[ended] = 0, 0, 0, True
        paid += rewards[tick]
        seat = seats[tick]
        delta = paid[every, seat] + after[every, seat] - values[tick]
        found[tick] = delta + trace * running[every, seat]
        known[tick] = certain[every, seat]
        running[every, seat] = np.where(known[tick], found[tick], 0)
        paid[every, seat], after[every, seat], certain[every, seat] = 0, values[tick], True
    return found, known


def main(steps: int, games: int = 128, ticks: int = 64, epochs: int = 2, batch: int = 1024, seed: int = 1) -> Agent:
    """Train; prints how long games are, which falls as the agent learns to win them."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = BatchEnv(games, players=4, features="planning", forced=True)
    env.reset(seed)
    inputs, (actions, features) = env.observations.shape[1], env.action_features.shape[1:]
    agent = Agent(inputs, actions, features)
    optimizer = torch.optim.Adam(agent.parameters(), lr=5e-4, eps=1e-5)
    shape = (ticks, games)
    seen = np.zeros((*shape, inputs), np.float32)
    looks = np.zeros((*shape, actions, features), np.float16)
    masks = np.zeros((*shape, actions), bool)
    chosen, seats = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    logs, values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    rewards, over = np.zeros((*shape, 4), np.float32), np.zeros(shape, bool)
    start, done, lengths = time.perf_counter(), 0, []
    while done < steps:
        for tick in range(ticks):
            seen[tick], looks[tick], masks[tick] = env.observations, env.action_features, env.masks
            seats[tick] = env.seats
            with torch.no_grad():
                distribution, value = agent(
                    torch.from_numpy(seen[tick]),
                    torch.from_numpy(env.action_features.copy()),
                    torch.from_numpy(masks[tick]),
                )
                action = distribution.sample()
            chosen[tick], logs[tick], values[tick] = action, distribution.log_prob(action), value
            env.step(chosen[tick])
            rewards[tick], over[tick] = env.rewards, env.terminated | env.truncated
            lengths += env.ended_turns[over[tick]].tolist()
        done += ticks * games
        found, known = advantages(rewards, values, seats, over, trace=0.95)
        rows = np.argwhere(known)
        spread = found[known].std() + 1e-8
        for _ in range(epochs):
            np.random.default_rng(done).shuffle(rows)
            for part in np.array_split(rows, max(1, len(rows) // batch)):
                at = tuple(part.T)
                distribution, value = agent(
                    torch.from_numpy(seen[at]),
                    torch.from_numpy(looks[at].astype(np.float32)),
                    torch.from_numpy(masks[at]),
                )
                advantage = torch.from_numpy(((found[at] - found[known].mean()) / spread).astype(np.float32))
                ratio = torch.exp(distribution.log_prob(torch.from_numpy(chosen[at])) - torch.from_numpy(logs[at]))
                policy_loss = -torch.min(advantage * ratio, advantage * ratio.clamp(0.8, 1.2)).mean()
                target = torch.from_numpy((found[at] + values[at]).astype(np.float32))
                loss = policy_loss + 0.5 * (value - target).pow(2).mean() - 0.01 * distribution.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
        rate = done / (time.perf_counter() - start)
        turns = f"{np.mean(lengths[-200:]):.0f} turns a game" if lengths else "no game has ended yet"
        print(f"{done:,} decisions, {rate:,.0f} a second, {turns}", flush=True)
    return agent


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=500_000)
    main(parser.parse_args().steps)
