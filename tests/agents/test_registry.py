"""Agents by name: loaded when they are asked for, and one that is broken does not stop the others."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest

from agents import opponent
from ettana_env import BatchEnv, EttanaError, Game, Rules, opponents


@pytest.fixture
def _offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two agents that a package offers, one of which cannot be loaded."""
    offers = [
        EntryPoint("broken", "nowhere.to_be_found:Agent", opponents.GROUP),
        EntryPoint("offered", "ettana_env.opponents:RandomOpponent", opponents.GROUP),
    ]

    def entry_points(group: str, name: str | None = None) -> list[Any]:
        assert group == opponents.GROUP
        return [offer for offer in offers if name in (None, offer.name)]

    monkeypatch.setattr(opponents, "entry_points", entry_points)
    monkeypatch.setattr(opponents, "_KNOWN", {"random": opponents.RandomOpponent})
    monkeypatch.setattr(opponents, "_BROKEN", {})


@pytest.mark.usefixtures("_offered")
def test_a_broken_agent_is_told_and_the_others_play() -> None:
    assert opponents.names() == ["broken", "offered", "random"]
    assert isinstance(opponent("offered"), opponents.RandomOpponent)
    with pytest.raises(EttanaError, match="broken is installed but cannot be loaded: ModuleNotFoundError"):
        opponent("broken")
    assert list(opponents.known()) == ["offered", "random"]
    assert list(opponents.broken()) == ["broken"]
    with pytest.raises(EttanaError, match="known: broken, offered, random"):
        opponent("nobody")


def test_a_batch_of_games_as_they_stand() -> None:
    games = []
    for seed in range(4):
        game = Game(Rules(), 2 + seed % 3, seed)
        for _ in range(5 * seed):
            game.play(game.legal_indices()[0])
        games.append(game)
    env = BatchEnv.of_games(games)
    for i, game in enumerate(games):
        assert env.game(i).to_dict() == game.to_dict()
        assert env.game(i).chance == game.chance
        assert int(env.seats[i]) == game.player
        np.testing.assert_array_equal(env.masks[i], game.mask())
    with pytest.raises(EttanaError, match="all under the same rules"):
        BatchEnv.of_games([games[0], Game(Rules(points_to_win=3), 2, 1)])


def test_a_trained_policy_plays_without_the_training_kit() -> None:
    """`ppo` and its search need torch, and nothing of Stable-Baselines3 or of the trainer."""
    program = (
        "import sys; from agents import play_games\n"
        "assert len(play_games(['ppo', 'ppo-search'], games=2).rows) == 2\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'stable_baselines3', 'sb3_contrib', 'train'})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
