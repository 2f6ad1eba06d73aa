"""Rules rigged on purpose, and games of pure luck: the study finds what is known to be there, with sign and size."""

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import register
from balance.lab import Lab, study
from balance.simulate import simulate
from balance.skill import steps_between
from balance.tally import BY_BLACK
from balance.verdicts import verdicts
from balance.workshop import inspect_deck
from ettana_env import Rules
from ettana_env.engine.chance import COLOUR_DIE, below, word
from ettana_env.opponents import RandomOpponent
from ettana_env.vocabulary import BLACK, DIE_COLOURS, OVER, PLACE, ROLL

RICH_START = 5
ROUNDING = 1e-9


def feed_the_starter(games: NDArray[Any]) -> None:
    """The starter of a game gets tokens from the bank before it first rolls."""
    first = (games["phase"] == ROLL) & (games["turn"] == 0)
    seat = games["player"].astype(int)
    rows = np.flatnonzero(first & (games["tokens"][np.arange(len(games)), seat % 4] == 2))
    games["tokens"][rows, seat[rows]] += RICH_START
    games["bank"][rows] -= RICH_START


def never_black(games: NDArray[Any]) -> None:
    """Turn to other chance whenever the next colour would be black."""
    for game in games:
        if game["phase"] not in (OVER, PLACE):
            turn, rolls = int(game["turn"]), int(game["rolls"])
            while below(np.uint64(word(game["seed"], COLOUR_DIE, turn, rolls)), len(DIE_COLOURS)) == BLACK:
                game["seed"] += np.uint64(1)


def small(rules: Rules, games: int, players: int = 4, **more: Any) -> Lab:
    return study(rules, [players], ["greedy"], games, levels=False, styles=False, **more)


@lru_cache
def fair() -> Lab:
    return small(Rules(), 400)


def test_a_starter_with_five_more_tokens_is_found() -> None:
    plain = fair().value("start_advantage", 4)
    lab = small(Rules(), 400, meddle=feed_the_starter)
    rigged = lab.value("start_advantage", 4)
    assert rigged["low"] > 0
    assert rigged["low"] > plain["value"]
    assert rigged["value"] > plain["value"] + 0.05
    played = simulate(["greedy"], Rules(), 4, 400, seed=1, meddle=feed_the_starter)
    won = (played.tallies["winner"] == played.tallies["starter"]).mean()
    assert rigged["value"] == pytest.approx(won - 1 / 4)
    said = [one for one in verdicts(lab) if one.text.startswith("The player who starts wins")]
    assert said[0].mark == "look"
    assert "edge" in said[0].text


def test_rigging_that_follows_the_starter_leaves_the_seats_even() -> None:
    """The gap between seats is another thing than the advantage of starting: dice say who starts."""
    lab = small(Rules(), 400, meddle=feed_the_starter)
    assert lab.value("seat_gap", 4)["low"] == 0


def test_a_design_worth_the_whole_game_is_found() -> None:
    designs = [design.to_dict() for design in Rules().designs]
    designs[0]["points"] = 8
    name = designs[0]["name"]
    rules = Rules(designs=designs)
    lab = small(rules, 300, players=2)
    table = lab.table("designs", 2).set_index("name")
    row = table.loc[name]
    assert row["q"] < 0.001
    assert row["effect"] == table["effect"].max()
    played = simulate(["greedy"], rules, 2, 300, seed=1)
    game = np.repeat(np.arange(played.games), played.tallies["draws"])
    mine = played.draws["card"] == 12
    won = played.draws["seat"] == played.tallies["winner"][game]
    assert won[mine & (played.draws["done"] >= 0) & (played.draws["fate"] == 1)].all()  # to claim it is to win
    assert row["low"] < won[mine].mean() - won.mean() < row["high"]  # which card comes is chance
    other = table.drop(name)["effect"]
    assert row["effect"] > 0.2 > other.abs().median()
    said = [one.text for one in verdicts(lab) if one.theme == "designs"]
    assert any(name in text and "more than the average design" in text for text in said)
    found = inspect_deck(rules, boards=300, games=0).set_index("name")
    assert "mispriced" in found.loc[name, "flags"]
    assert "wins the game alone" in found.loc[name, "flags"]


def test_a_die_that_never_shows_black_is_found() -> None:
    rules = Rules(preset_black=False)
    plain, lab = small(rules, 100), small(rules, 100, meddle=never_black)
    rolls = plain.value("black_rolls", 4)
    assert rolls["low"] < 1 / 6 < rolls["high"]
    found = lab.value("black_rolls", 4)
    assert (found["value"], found["low"]) == (0, 0)
    assert found["high"] < 0.05
    board = lab.table("board", 4)
    shares = board[board["what"] == "rolled colour"].set_index("which")["share"]
    assert shares["black"] == 0
    assert shares.drop("black").between(0.17, 0.23).all()
    assert len(shares) == len(DIE_COLOURS)
    played = simulate(["greedy"], rules, 4, 20, meddle=never_black)
    assert not (played.draws["how"] == BY_BLACK).any()
    assert lab.value("cards_drawn", 4)["high"] < plain.value("cards_drawn", 4)["low"]


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_of_pure_luck_has_no_skill(players: int) -> None:
    """Two agents that do the same: who plays explains nothing, the deal everything."""
    register("random-too", RandomOpponent)
    rules = Rules(points_to_win=2)  # so that random games come to an end
    (step,), complete = steps_between([("random-too", "random")], rules, players, 60)
    assert complete
    assert step.split.skill.low <= ROUNDING
    assert step.split.skill.high >= -ROUNDING
    assert step.split.skill.value == pytest.approx(0, abs=0.02)
    assert step.split.luck.value == pytest.approx(1, abs=0.05)
    assert abs(step.wins.value) < ROUNDING


class Contrary(RandomOpponent):
    """As random as random play, but not the same."""

    def choose(self, env: Any, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen = np.full(env.size, -1, np.int64)
        for i in np.flatnonzero(which):
            count = int(env.legal_counts[i])
            chosen[i] = env.legal[i, (int(env._rows["seed"][i]) * 31 + int(env._games["actions"][i]) * 17) % count]
        return chosen


def test_random_agents_that_differ_are_not_found_to_have_skill() -> None:
    register("contrary", Contrary)
    (step,), _ = steps_between([("contrary", "random")], None, 2, 120)
    assert step.split.skill.low <= 0.02
    assert step.wins.low < 0.12


def test_skill_is_found_where_there_is_some() -> None:
    (step,), _ = steps_between([("greedy", "random")], None, 2, 60)
    assert step.wins.low > 0.3
    assert step.split.skill.low > 0.3
