"""The search on top of a network: what is tried is worth what the turn has made of it."""

import numpy as np
import pytest
import torch

from agents.network import Network, Shape
from agents.policy import NetworkAgent
from agents.policy_search import NetworkSearch
from ettana_env import BatchEnv, Game, Rules
from ettana_env.vocabulary import PLACE, VERBS
from tests.playing import played

torch.manual_seed(4)
NETWORK = Network(Rules(), Shape(hidden=(32,), hints=4, foresight=(16,)))


def worth(game: Game, action: int, luck: float = 0.0) -> float:
    """What the search makes of one action: it is given twice, so that luck has to decide between the two."""
    search = NetworkSearch(NETWORK, worlds=6, luck=luck)
    one, other = search._try(BatchEnv.of_games([game]), np.array([0]), np.array([[action, action]]), np.ones((1, 2)))[0]
    assert one == pytest.approx(other, abs=1e-5)
    return float(one)


def index_of(game: Game, verb: str) -> int | None:
    return next((i for i in game.legal_indices() if VERBS[game.actions.parts[i].verb] == verb), None)


def test_a_turn_that_is_over_is_worth_what_the_network_says_of_it() -> None:
    assert NETWORK.foresight is not None
    found = []
    for seed in range(40):
        game = played(Rules(), 2 + seed % 3, seed, 20 + 3 * seed, seed)
        action = None if game.over else index_of(game, "end_turn")
        if action is not None:
            then, seat = game.copy(), game.player
            then.play(action)
            env = BatchEnv.of_games([then])
            seen = NETWORK.foresight.look(env, env.games, np.array([0]), np.array([seat]))
            found.append(worth(game, action))
            assert found[-1] == pytest.approx(float(NETWORK.foresight.values(seen)[0]), abs=1e-5)
            plays_on = worth(game, action, luck=1.0) != pytest.approx(found[-1], abs=1e-9)
            assert plays_on == (game.players == 2)
    assert len(set(found)) > 5


@pytest.mark.parametrize("players", [2, 4])
def test_a_win_is_worth_a_win(players: int) -> None:
    """With a point to go, claiming is worth 1, and the search chooses what wins in every world."""
    rules = Rules(points_to_win=1, start_cards={"design": 3, "action": 1})
    search = NetworkSearch(NETWORK, arms=64, least=0.0)
    won = 0
    for seed in range(60):
        game = played(rules, players, seed, 12, seed)
        claim = None if game.over else index_of(game, "claim")
        if claim is not None:
            assert worth(game, claim) == worth(game, claim, luck=1.0) == 1.0
            chosen = int(search.choose(BatchEnv.of_games([game]), np.ones(1, np.bool_))[0])
            assert worth(game, chosen) == 1.0
            won += 1
    assert won > 0


def test_where_pins_are_placed_the_network_decides() -> None:
    env = BatchEnv(12, Rules(), [2, 3, 4])
    env.reset(seed=5)
    every = np.ones(12, np.bool_)
    for _ in range(2):
        assert (env.games["phase"] == PLACE).all()
        chosen = NetworkSearch(NETWORK, arms=16, least=0.0).choose(env, every)
        assert chosen.tolist() == NetworkAgent(NETWORK).choose(env, every).tolist()
        env.step(chosen)
