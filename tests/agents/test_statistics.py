"""Ratings and the sequential test, against truths that are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import play_games
from agents.ratings import SCALE, rate
from agents.results import GAME_ROW, Results
from agents.sequential import FEWEST_BLOCKS, block_shares, play_until_clear, verdict
from agents.tournament import line_ups, play_tournament
from ettana_env import EttanaError, Rules


def made_up(agents: tuple[str, ...], strengths: dict[str, float], blocks: int, rng: np.random.Generator) -> Results:
    """Results of agents whose chances are known."""
    players = len(agents)
    rows = np.zeros(blocks * players, GAME_ROW)
    rows["seed"] = np.repeat(np.arange(blocks), players)
    rows["rotation"] = np.tile(np.arange(players), blocks)
    chances = np.exp([strengths[name] for name in agents])
    rows["winner_agent"] = rng.choice(players, size=len(rows), p=chances / chances.sum())
    rows["winner"] = (rows["winner_agent"] + rows["rotation"]) % players
    return Results(agents, rows, Rules())


def test_ratings_find_the_strengths() -> None:
    rng = np.random.default_rng(3)
    truth = {"greedy": 0.0, "strong": 1.2, "weak": -0.8, "middling": 0.4}
    played = [made_up(table, truth, 400, rng) for table in line_ups(list(truth), 4)]
    ratings = {one.name: one for one in rate(played)}
    assert ratings["greedy"].rating == ratings["greedy"].low == ratings["greedy"].high == 0
    for name, strength in truth.items():
        assert ratings[name].rating == pytest.approx(SCALE * strength, abs=25)
        low, high = ratings[name].low, ratings[name].high
        assert low is not None
        assert high is not None
        assert low <= ratings[name].rating <= high
    assert [one.name for one in rate(played)] == ["strong", "middling", "greedy", "weak"]
    assert rate(played) == rate(played)


def test_intervals_of_ratings_cover_the_truth() -> None:
    rng = np.random.default_rng(4)
    truth = {"greedy": 0.0, "other": 0.5}
    covered = 0
    for _ in range(100):
        rated = rate([made_up(("greedy", "other"), truth, 100, rng)], samples=60)
        (one,) = (rating for rating in rated if rating.name == "other")
        assert one.low is not None
        assert one.high is not None
        covered += one.low <= SCALE * 0.5 <= one.high
    assert 85 <= covered <= 100


def test_who_never_won_could_be_weaker_still() -> None:
    strengths = {"greedy": 0.0, "hopeless": -50.0}
    greedy, hopeless = rate([made_up(("greedy", "hopeless"), strengths, 50, np.random.default_rng(1))], samples=20)
    assert hopeless.low is None
    assert hopeless.high is not None
    assert greedy.high is None


def test_without_the_anchor_the_mean_is_zero() -> None:
    rated = rate([made_up(("one", "two"), {"one": 0.0, "two": 1.0}, 200, np.random.default_rng(1))])
    assert sum(one.rating for one in rated) == pytest.approx(0)


def answers(share: float, runs: int, par: float = 0.25, margin: float = 0.05) -> list[str]:
    """What the test says of blocks of four games that are won with a known chance."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(runs):
        shares: NDArray[np.float64] = np.zeros(0)
        answer = "open"
        while answer == "open":
            shares = np.concatenate([shares, rng.binomial(4, share, 40) / 4])
            answer = verdict(shares, par, margin, 0.05).answer
        found.append(answer)
    return found


def test_the_sequential_test_errs_as_seldom_as_it_says() -> None:
    assert answers(0.25, 400).count("better") <= 0.08 * 400
    assert answers(0.30, 400).count("not better") <= 0.08 * 400


def test_no_answer_before_enough_blocks() -> None:
    assert verdict(np.ones(FEWEST_BLOCKS - 1), 0.25, 0.05, 0.05).answer == "open"
    assert verdict(np.ones(FEWEST_BLOCKS), 0.25, 0.05, 0.05).answer == "better"


def test_it_stops_early_when_it_is_clear() -> None:
    told: list[tuple[int, int]] = []
    answer, results = play_until_clear(
        "greedy", "random", players=2, games=4000, seed=1, progress=lambda *now: told.append(now)
    )
    assert answer.answer == "better"
    assert len(results.rows) < 1000
    assert told[-1][0] == len(results.rows)
    assert block_shares(results, "greedy").mean() == pytest.approx(results.share("greedy").share)
    again = play_games(["greedy", "random"], games=len(results.rows), seed=1)
    assert np.array_equal(results.rows, again.rows)
    same, _ = play_until_clear("greedy", "random", players=2, games=8, seed=1)
    assert same.answer == "open"
    with pytest.raises(EttanaError, match="against itself"):
        play_until_clear("greedy", "greedy")
    with pytest.raises(EttanaError, match="margin must be above 0"):
        play_until_clear("greedy", "random", margin=0)


def test_a_tournament_is_every_pairing_and_every_mix() -> None:
    assert line_ups(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    tables = line_ups(["a", "b", "c"], 3)
    assert len(tables) == 6 + 1
    assert ("b", "a", "a") in tables
    assert ("a", "b", "c") in tables
    told: list[tuple[int, int]] = []
    played = play_tournament(["random", "greedy"], players=3, games=30, progress=lambda *now: told.append(now))
    assert told[-1] == (60, 60)
    assert [one.name for one in played.ratings] == ["greedy", "random"]
    assert {(one, other) for one, other, _ in played.pairings()} == {("random", "greedy"), ("greedy", "random")}
    with pytest.raises(EttanaError, match="at least two different agents"):
        play_tournament(["greedy", "greedy"])
