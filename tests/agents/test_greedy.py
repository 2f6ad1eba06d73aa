"""The greedy baseline: it claims, it wins, it repeats itself, and it does not peek."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import opponent, play_games
from ettana_env import BatchEnv, Game, Rules
from ettana_env.vocabulary import NONE
from tests.hiding import reshuffled
from tests.playing import played, rules_of

AGENTS = ["random", "greedy"]


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
    return int(opponent(spec).choose(table_of(game), np.ones(1, np.bool_))[0])


@pytest.mark.parametrize("spec", AGENTS)
def test_choices_are_legal_and_only_for_marked_games(spec: str) -> None:
    env = BatchEnv(40, rules_of("rim squares"), [2, 3, 4])
    env.reset(seed=3)
    agent = opponent(spec)
    for step in range(120):
        which = np.arange(40) % 3 != step % 3
        actions = agent.choose(env, which)
        assert (actions[~which] == NONE).all()
        assert env.masks[which, actions[which]].all()
        env.step(actions)


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("variant", ["base", "many cards", "rim squares", "mirror images", "cheap"])
def test_no_peeking(spec: str, variant: str) -> None:
    """R8.2, R8.3: the choice stays when what the seat cannot know is dealt anew."""
    for seed in range(12):
        game = played(rules_of(variant), 2 + seed % 3, seed, 6 + 9 * seed, seed)
        if not game.over and game.phase != "place":
            for again in range(3):
                assert choice(spec, reshuffled(game, game.player, 100 * seed + again)) == choice(spec, game)


@pytest.mark.parametrize("spec", AGENTS)
def test_threads_change_nothing(spec: str) -> None:
    def choices(threads: int) -> list[NDArray[Any]]:
        env = BatchEnv(23, Rules(), 3, threads=threads)
        env.reset(seed=5)
        agent, found = opponent(spec), []
        for _ in range(60):
            found.append(agent.choose(env, np.ones(23, np.bool_)))
            env.step(found[-1])
        return found

    one = choices(1)
    for threads in (2, 4):
        assert all(np.array_equal(a, b) for a, b in zip(one, choices(threads), strict=True))


def test_it_claims_what_can_be_claimed() -> None:
    seen = 0
    for seed in range(60):
        game = played(rules_of("cheap"), 2, seed, 25, seed)
        claims = [index for index, action in _legal(game) if action["kind"] == "claim"]
        if claims:
            assert choice("greedy", game) in claims
            seen += 1
    assert seen > 3


def _legal(game: Game) -> list[tuple[int, dict[str, Any]]]:
    return list(zip(game.legal_indices(), game.legal_actions(), strict=True))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_beats_random(players: int) -> None:
    results = play_games(["greedy", *["random"] * (players - 1)], games=120, seed=9)
    assert results.share("greedy").low > 0.9
