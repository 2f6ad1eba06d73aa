"""A warm start: learn what a heuristic plays, and who wins when it does, before self-play begins.

Short and soft: a pass over a few hundred thousand of its decisions, with some entropy kept, so that self-play still has
something to choose from; the values are fitted to the results of the same games.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.looking import Seen
from ettana_env import Rules
from ettana_env.opponents import opponent
from train.buffer import Batch, Choices, SeatBuffer
from train.chains import chains_end
from train.config import ImitationConfig
from train.ppo import SelfPlayPPO
from train.selfplay import SelfPlayEnv
from train.together import average_gradients, fewest


def watched(
    ppo: SelfPlayPPO, agent: str, rules: Rules, players: list[int], games: int, decisions: int, seed: int
) -> SeatBuffer:
    """Games of one agent in all seats, as rows to learn from; `usable` are those of games played to the end."""
    env = SelfPlayEnv(games, rules, players, seed)
    env.reset()
    buffer = SeatBuffer(
        1, env.observation_space, env.action_space, "cpu", games=games, n_envs=games, gamma=1.0, gae_lambda=1.0
    )
    buffer.reset()
    plays, looker, every = opponent(agent), ppo.policy.network.looker(), np.arange(games)
    zeros = np.zeros(games, np.float32)
    while buffer.length < decisions:
        seen = looker.look(env.batch, every)
        actions = plays.choose(env.batch, np.ones(games, np.bool_))
        seats = env.batch.seats.astype(np.int64)
        buffer.decide(seen, every, seats, Choices(place_of(seen, actions), zeros, zeros, zeros))
        rewards, over = env.play(every, actions)
        ppo.note_turn_ends(env, buffer, every, seats)
        buffer.pay(rewards, over)
    buffer.finish(0.0)
    ended = np.zeros(buffer.length, np.bool_)
    chains_end(buffer.following[: buffer.length], ended)
    buffer.usable = np.flatnonzero(ended)
    return buffer


def place_of(seen: Seen, actions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each row's action among its legal ones."""
    hits = np.flatnonzero(seen.actions == np.repeat(actions, np.diff(seen.offsets)))
    return hits - seen.offsets[:-1]


def imitate(
    ppo: SelfPlayPPO, config: ImitationConfig, buffer: SeatBuffer, told: Callable[[dict[str, Any]], None]
) -> float:
    """Fit the network to the watched games; the mean surprise at the last pass's actions."""
    network = ppo.policy.network
    optimizer = torch.optim.Adam(network.parameters(), lr=config.rate, eps=1e-5)
    count = fewest(max(1, round(len(buffer.usable) / ppo.batch_size)))  # type: ignore[operator]
    surprise = 0.0
    for number in range(config.passes):
        surprises = [learn_from(ppo, config, optimizer, batch) for batch in buffer.batches(count, ppo.rng)]
        surprise = float(np.mean(surprises))
        told({"kind": "imitation", "passes": number + 1, "of": config.passes, "surprise": surprise})
    return surprise


def learn_from(ppo: SelfPlayPPO, config: ImitationConfig, optimizer: torch.optim.Optimizer, batch: Batch) -> float:
    """One step: masked cross-entropy on the actions, least squares on the results, some entropy kept."""
    value, log_chosen, entropy = ppo.policy.network.judge(batch.seen, batch.chosen)
    fit = torch.nn.functional.mse_loss(value, torch.from_numpy(batch.returns))
    loss = -log_chosen.mean() + ppo.vf_coef * fit - config.softness * entropy.mean()
    if (missed := ppo.missed(batch)) is not None:
        loss = loss + ppo.vf_coef * missed
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    average_gradients(ppo.policy.network.parameters())
    torch.nn.utils.clip_grad_norm_(ppo.policy.network.parameters(), ppo.max_grad_norm)
    optimizer.step()
    return -log_chosen.mean().item()
