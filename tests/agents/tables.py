"""One game as a batch, and what an agent does in it."""

import numpy as np

from agents import opponent
from ettana_env import BatchEnv, Game


def table_of(game: Game, seed: int = 7) -> BatchEnv:
    """A batch of one game in this state, under a seed of its own."""
    env = BatchEnv(1, game.rules, game.players, autoreset=False)
    env.reset(seed=np.array([seed]))
    env._games[0] = game._games[0]
    legal = game.legal_indices()
    env._rows["count"] = len(legal)
    env._rows["seat"] = game.player
    env._legal[0, : len(legal)] = legal
    env._masks[0] = game.mask()
    return env


def choice(spec: str, game: Game) -> int:
    """What an agent chooses in a game."""
    return int(opponent(spec).choose(table_of(game), np.ones(1, np.bool_))[0])


def finish_turn(spec: str, game: Game) -> Game:
    """The game after the agent has played the rest of the turn."""
    after, seat, turn = game.copy(), game.player, game.record.turn
    while not after.over and after.player == seat and after.record.turn == turn:
        after.play(choice(spec, after))
    return after
