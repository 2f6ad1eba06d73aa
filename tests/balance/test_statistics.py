"""Intervals cover the truth about as often as they say; adjustments for many comparisons keep false alarms rare."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control

from balance.effects import adjusted
from balance.measures import estimates_of, seat_shares
from balance.meetings import Meeting
from balance.skill import split_of
from balance.statistics import (
    Estimate,
    benjamini_hochberg,
    holm,
    mean_of,
    over_clusters,
    paired_difference,
    ratio_of,
    share_in,
)

RNG_SEED = 20


def covers(found: Estimate, truth: float) -> bool:
    return found.low <= truth <= found.high


@pytest.mark.parametrize("truth", [0.02, 0.25, 0.5])
def test_intervals_of_shares(truth: float) -> None:
    rng = np.random.default_rng(RNG_SEED)
    hits = [covers(share_in(rng.random(300) < truth), truth) for _ in range(600)]
    assert 0.92 < np.mean(hits) < 0.98


def test_intervals_of_means() -> None:
    rng = np.random.default_rng(RNG_SEED)
    hits = [covers(mean_of(rng.exponential(3.0, 150)), 3.0) for _ in range(800)]
    assert 0.92 < np.mean(hits) < 0.98


def test_intervals_of_ratios() -> None:
    """Thefts by turns, say, longer games having more of both."""
    rng = np.random.default_rng(RNG_SEED)
    hits = []
    for _ in range(600):
        turns = rng.integers(10, 60, 150)
        hits.append(covers(ratio_of(rng.binomial(turns, 0.1), turns), 0.1))
    assert 0.92 < np.mean(hits) < 0.98


def test_errors_of_clusters() -> None:
    """Values of one game are alike: counting them as independent would cover far less often."""
    rng = np.random.default_rng(RNG_SEED)
    game = np.repeat(np.arange(100), 5)
    hits = naive = 0
    for _ in range(400):
        values = rng.normal(size=100)[game] + 0.3 * rng.normal(size=500)
        mean, error, clusters = over_clusters(values, game)
        assert clusters == 100
        hits += abs(mean) < 1.96 * error
        naive += abs(mean) < 1.96 * values.std() / 500**0.5
    assert 0.92 < hits / 400 < 0.98
    assert naive / 400 < 0.8


def test_intervals_of_paired_differences_and_what_pairing_saves() -> None:
    rng = np.random.default_rng(RNG_SEED)
    hits, saved = [], []
    for _ in range(500):
        luck = rng.normal(size=80)
        one, other = luck + 0.5 * rng.normal(size=80), luck + 0.5 * rng.normal(size=80) + 0.2
        found = paired_difference(one, other)
        hits.append(found.low <= 0.2 <= found.high)
        saved.append(found.saved)
    assert 0.92 < np.mean(hits) < 0.98
    assert np.mean(saved) == pytest.approx(0.8, abs=0.02)  # 1 - 0.5 / 2.5


def test_the_split_into_luck_and_skill() -> None:
    """Deals of which some are won by a seat, some by a player, the others by a coin: both shares are known."""
    rng = np.random.default_rng(RNG_SEED)
    by_seat, by_player, deals = 0.4, 0.3, 120
    hits = np.zeros(2)
    found = []
    for _ in range(80):
        kind = rng.choice(3, deals, p=[by_seat, by_player, 1 - by_seat - by_player])
        first = np.zeros((deals, 2), int)  # the winner's seat, by rotation
        first[:] = np.where(kind == 0, rng.integers(0, 2, deals), 0)[:, None]
        first[kind == 1] = [0, 1]
        first[kind == 2] = rng.integers(0, 2, (int((kind == 2).sum()), 2))
        split = split_of(Meeting(("one", "other"), first[:, :, None] == np.arange(2)))
        hits += covers(split.luck, by_seat - by_player + by_player**2), covers(split.skill, by_player**2)
        found.append((split.luck.value, split.skill.value))
    assert np.mean(found, axis=0) == pytest.approx([0.19, 0.09], abs=0.025)
    assert (hits / 80 > 0.86).all()


def test_no_skill_is_found_where_there_is_none() -> None:
    rng = np.random.default_rng(RNG_SEED)
    hits = np.zeros(2)
    for _ in range(60):
        won = rng.integers(0, 2, (100, 2))[:, :, None] == np.arange(2)
        split = split_of(Meeting(("same", "same"), won))
        hits += covers(split.luck, 0.0), covers(split.skill, 0.0)
    assert (hits / 60 > 0.86).all()


def drawn(rng: np.random.Generator, effects: np.ndarray, games: int) -> pd.DataFrame:
    """Draws of which the leaders win more and see some cards more often; three of a game, won or lost together."""
    lead = rng.integers(0, 2, games)
    chances = np.where(lead[:, None] == 1, [0.5, 0.2, 0.15, 0.15], 0.25)
    card = np.array([rng.choice(4, 3, p=row) for row in chances])
    even = (chances * effects).sum(axis=1, keepdims=True)
    won = rng.random(games) < 0.3 + 0.2 * lead + (effects[card] - even).sum(axis=1)
    return pd.DataFrame(
        {
            "game": np.repeat(np.arange(games), 3),
            "card": card.ravel(),
            "how": "bought",
            "turn": 4,
            "points": 0,
            "lead": np.repeat(lead, 3),
            "tokens": 2,
            "order": 0,
            "won": np.repeat(won, 3),
        }
    )


def test_adjusted_effects_of_cards_are_free_of_confounding() -> None:
    rng = np.random.default_rng(RNG_SEED)
    effects = np.array([0.0, 0.05, -0.05, 0.0])
    hits, raw = [], []
    for _ in range(60):
        table = drawn(rng, effects, 400)
        found = adjusted(table, 2, 8).set_index("card")
        shares = np.bincount(table["card"], minlength=4) / len(table)
        truth = effects - (shares * effects).sum()
        hits += [found.loc[n, "low"] <= truth[n] <= found.loc[n, "high"] for n in range(4)]
        raw.append(found.loc[0, "raw"])
    assert 0.9 < np.mean(hits) < 0.985
    assert np.mean(raw) > 0.02  # what leaders draw looks good if one does not adjust for it


def test_stolen_cards_and_rare_ones_have_no_effect_worked_out() -> None:
    table = drawn(np.random.default_rng(RNG_SEED), np.zeros(4), 100)
    table.loc[table["card"] == 3, "how"] = "stolen"
    assert 3 not in set(adjusted(table, 2, 8)["card"])
    assert not len(adjusted(table.head(40), 2, 8))


def test_adjustments_for_many_comparisons() -> None:
    p = np.array([0.001, 0.04, np.nan, 0.02, 0.8])
    assert holm(p) == pytest.approx([0.004, 0.08, np.nan, 0.06, 0.8], nan_ok=True)
    given = p[~np.isnan(p)]
    assert benjamini_hochberg(p)[~np.isnan(p)] == pytest.approx(false_discovery_control(given))
    rng = np.random.default_rng(RNG_SEED)
    alarms = [bool((holm(rng.random(20)) < 0.05).any()) for _ in range(1000)]
    assert 0.03 < np.mean(alarms) < 0.07
    false, flagged = 0, 0
    for _ in range(300):
        q = benjamini_hochberg(np.r_[rng.random(40), rng.random(10) * 1e-4])
        false, flagged = false + int((q[:40] < 0.05).sum()), flagged + int((q < 0.05).sum())
    assert 0.0 < false / flagged < 0.06


def test_even_seats_have_a_gap_that_reaches_down_to_nought() -> None:
    from balance.measures import _seat_gap

    rng = np.random.default_rng(RNG_SEED)
    for players in (2, 4):
        gaps = [_seat_gap(pd.DataFrame({"winner": rng.integers(0, players, 400)}), players) for _ in range(300)]
        assert np.mean([gap.low == 0 for gap in gaps]) > 0.92
        assert np.mean([gap.value for gap in gaps]) > 0.02
        uneven = rng.choice(players, 4000, p=[0.4, *[0.6 / (players - 1)] * (players - 1)])
        found = _seat_gap(pd.DataFrame({"winner": uneven}), players)
        assert found.low > 0
        assert found.low < abs(0.4 - 0.6 / (players - 1)) < found.high


def test_figures_rest_on_the_games_that_have_them() -> None:
    """Games nobody won have no starting advantage; wins by seat add up to one."""
    from balance.definitions import DEFINITIONS

    columns = {one.column: [1.0, 0.0, np.nan, 0.0] for one in DEFINITIONS if one.column}
    games = pd.DataFrame({**columns, "winner": [0, 1, -1, 1], "order": [0, 1, -1, 1], "players": 2, "level": "x"})
    games["kings_made"], games["turns_out"] = np.nan, np.nan
    found = estimates_of(games, 2)
    assert found["start_advantage"].value == pytest.approx(1 / 3 - 1 / 2)
    assert found["start_advantage"].n == 3
    assert found["kingmaking"].n == 0
    shares = seat_shares(games)
    assert shares[shares["by"] == "seat"]["value"].tolist() == pytest.approx([1 / 3, 2 / 3])
