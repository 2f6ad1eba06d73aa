"""Positions with known best play, in `positions/`: found in play, proved by trying every sequence of the turn.

`wins_in`: the fewest actions that win this turn without chance. `best`: the actions that are best now. `breaks`: a
design that only the opponent can hold, complete, and enough to win: the turn must not end so.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.planner import CERTAIN
from ettana_env import Game, Rules
from ettana_env.vocabulary import VERBS
from tests.agents.tables import choice, finish_turn
from tests.agents.turns import complete, sequence, wins_in

POSITIONS = {path.stem: json.loads(path.read_text()) for path in (Path(__file__).parent / "positions").glob("*.json")}
WINS = sorted(name for name in POSITIONS if "wins_in" in POSITIONS[name])
CHEAPER = sorted(name for name in POSITIONS if "best" in POSITIONS[name])
BLOCKS = sorted(name for name in POSITIONS if "breaks" in POSITIONS[name])

NOT_FOUND: dict[str, list[str]] = {"planner": [], "mcts:sims=24": []}
"""Wins that an agent's search, which keeps only the most promising sequences, does not find."""


def game_of(name: str) -> Game:
    position = POSITIONS[name]
    rules = Rules.from_dict(position["rules"]) if "rules" in position else Rules()
    return Game.from_dict(position["state"], rules, seed=1)


def number_of(game: Game, design: str) -> int:
    return [one.name for one in game.rules.designs].index(design)


def test_there_are_enough_of_every_kind() -> None:
    assert len(POSITIONS) >= 30
    assert {POSITIONS[name]["wins_in"] for name in WINS} == {1, 2, 3, 4}
    assert len(CHEAPER) >= 3
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize("name", WINS)
def test_the_win_is_as_short_as_said(name: str) -> None:
    assert wins_in(game_of(name), 4) == POSITIONS[name]["wins_in"]


@pytest.mark.parametrize("spec", sorted(NOT_FOUND))
@pytest.mark.parametrize("name", WINS)
def test_the_win_is_found(name: str, spec: str) -> None:
    game = game_of(name)
    assert (finish_turn(spec, game).winner == game.player) == (name not in NOT_FOUND[spec])


@pytest.mark.parametrize("name", CHEAPER)
@pytest.mark.parametrize("spec", ["greedy", "planner"])
def test_of_two_ways_the_cheaper(name: str, spec: str) -> None:
    """The same swap is free or costs 3 tokens, and completes a design."""
    game = game_of(name)
    best: list[dict[str, Any]] = POSITIONS[name]["best"]
    for action in best:
        after = game.copy()
        after.play(action)
        assert any(following["kind"] == "claim" for following in after.legal_actions())
        assert {**action, "kind": "buy_swap"} in game.legal_actions()
    assert game.action_of(choice(spec, game)) in best


@pytest.mark.parametrize("name", BLOCKS)
def test_the_opponent_is_kept_from_winning(name: str) -> None:
    game = game_of(name)
    design = number_of(game, POSITIONS[name]["breaks"])
    assert complete(game._tables, game._games, design)
    assert wins_in(game, 4) is None
    assert any(sequence(game, depth, design) for depth in range(1, 5))
    after = finish_turn("planner", game)
    if after.winner != game.player:  # by luck: a card it drew on the way
        assert not complete(after._tables, after._games, design)


def test_what_holds_no_chance() -> None:
    """The search of the tests and the planner's leave out just what is drawn, rolled, or ends the turn."""
    chancy = {"place", "roll", "preset", "claim", "exchange", "steal_card", "gain_tokens", "buy_action", "buy_design"}
    chancy |= {"get_design", "roll_again", "end_turn"}
    assert {verb for verb, certain in zip(VERBS, CERTAIN, strict=True) if not certain} == chancy
