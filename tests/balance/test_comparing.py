"""Rules against rules on the same deals, sweeps of a setting, and play without some actions."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from balance.compare import changed, compare, differences, sweep, sweep_values
from balance.compare_report import findings, saved_in_words
from balance.restricted import forbidden_by, worth
from balance.simulate import simulate
from ettana_env import Rules
from ettana_env.errors import EttanaError


def test_the_same_rules_differ_by_nothing_at_all() -> None:
    found = compare([Rules(), Rules()], players=[3], agents=["greedy"], games=30)
    assert found.names == ["base", "base (2)"]
    assert (found.differences["difference"] == 0).all()
    assert (found.differences["p_adjusted"].dropna() == 1).all()
    assert found.saved() == 1
    assert findings(found) == [
        ("All figures", "fine", "No figure changes clearly, after allowing for how many were looked at.")
    ]


def test_a_rule_change_leaves_boards_and_dice_alone() -> None:
    seen: list[list[NDArray[Any]]] = []

    def look(games: NDArray[Any]) -> None:
        kept.append(games[["yarns", "tiles", "turn", "number", "colour", "seed"]].copy())

    cards = {"preset": 0}  # a colour that is chosen is not rolled
    for rules in (Rules(action_cards=cards), Rules(action_cards=cards, prices={"swap": 1}, steal_tokens_max=1)):
        kept: list[NDArray[Any]] = []
        simulate(["greedy"], rules, 2, 20, seed=4, meddle=look)
        seen.append(kept)
    first, second = seen[0][0], seen[1][0]
    assert (first["yarns"] == second["yarns"]).all()
    assert (first["tiles"] == second["tiles"]).all()

    def dice(batches: list[NDArray[Any]]) -> dict[tuple[int, int], tuple[int, int]]:
        """The first roll of every turn."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for games in batches:
            for game in games[games["number"] > 0]:
                found.setdefault((int(game["seed"]), int(game["turn"])), (int(game["number"]), int(game["colour"])))
        return found

    one, other = dice(seen[0]), dice(seen[1])
    both = one.keys() & other.keys()
    assert len(both) > 300
    assert all(one[key] == other[key] for key in both)


def test_the_same_deals_are_alike_under_changed_rules_and_others_are_not() -> None:
    found = compare([Rules(), Rules(name="dear", prices={"action": 3})], players=[2], agents=["greedy"], games=200)
    row = found.differences.set_index("key").loc["turns"]
    games = {name: some.sort_values("seed")["turns"].to_numpy() for name, some in found.games.groupby("rules")}
    own = np.corrcoef(games["base"], games["dear"])[0, 1]
    assert row["correlation"] == pytest.approx(own)
    assert own > np.corrcoef(games["base"], np.roll(games["dear"], 1))[0, 1] + 0.1
    assert row["saved"] > 0.1
    assert row["difference"] == pytest.approx((games["dear"] - games["base"]).mean())
    assert "saved" in saved_in_words(found)


def test_a_change_is_found_and_named() -> None:
    found = compare([Rules(), Rules(name="short", points_to_win=3)], players=[2], agents=["greedy"], games=40)
    row = found.differences.set_index("key").loc["turns"]
    assert row["high"] < 0
    assert row["p_adjusted"] < 0.001
    told = {words.partition(":")[0]: words for head, _, words in findings(found) if head.startswith("short against ")}
    before, after = (
        float(found.measures.query("rules == @name and key == 'turns'")["value"].iloc[0]) for name in found.names
    )
    assert told["turns"].startswith(f"turns: from {before:.1f} to {after:.1f}, −")
    base, other = (some for _, some in found.games.groupby("rules"))
    assert (differences(base, other).set_index("key").loc["turns", "n"]) == 40


def test_sweeps_are_read() -> None:
    assert sweep_values("prices.swap=1..5") == ("prices.swap", [1, 2, 3, 4, 5])
    assert sweep_values("tokens.total=20..60..20") == ("tokens.total", [20, 40, 60])
    assert sweep_values("free_swap=true,false") == ("free_swap", [True, False])
    assert changed(Rules(), "prices.swap", 1).prices.swap == 1
    for text, words in {
        "prices.swap": "written setting=first..last",
        "prices.swap=5..1": "from a lower to a higher",
        "prices.swap=1..900": "in 50 steps at most",
        "prices.swap=cheap": "values are whole numbers",
    }.items():
        with pytest.raises(EttanaError, match=f"--sweep.*{words}"):
            sweep_values(text)
    with pytest.raises(EttanaError, match=r"no setting 'prices.swop'; there are .*prices\.swap"):
        changed(Rules(), "prices.swop", 1)
    with pytest.raises(EttanaError, match=r"prices has parts: prices\.action"):
        changed(Rules(), "prices", 1)


def test_a_sweep_has_a_rule_set_for_every_value() -> None:
    found = sweep(Rules(), "points_to_win", [3, 5], players=[2], agents=["greedy"], games=20)
    assert found.names == ["points_to_win = 3", "points_to_win = 5"]
    turns = found.measures[found.measures["key"] == "turns"].set_index("rules")["value"]
    assert turns["points_to_win = 5"] > turns["points_to_win = 3"]


def test_an_interrupt_keeps_what_was_compared() -> None:
    def stop(done: int, total: int) -> None:
        if done > 30:
            raise KeyboardInterrupt

    found = compare([Rules(), Rules(name="other")], players=[2], agents=["greedy"], games=30, progress=stop)
    assert len(found.games[found.games["rules"] == "base"]) == 30
    assert not found.complete
    assert "Interrupted" in found.notes[0]


def test_what_is_never_used_is_worth_nothing_and_claiming_everything() -> None:
    found, complete = worth(["replace_tile", "claim"], players=[2], agents=["greedy"], games=40)
    assert complete
    rows = found.set_index("without")
    assert rows.loc["replace_tile", "loss"] == 0
    assert rows.loc["claim", "loss"] == pytest.approx(0.5)
    assert rows.loc["claim", "q"] < 0.001
    assert rows.loc["replace_tile", "q"] > 0.9


def test_what_cannot_be_left_out_is_refused() -> None:
    assert forbidden_by("replace") == ("replace_yarn", "replace_tile")
    with pytest.raises(EttanaError, match="--without: 'roll' cannot be left out"):
        forbidden_by("roll")
    with pytest.raises(EttanaError, match=r"--without: 'swap_crad' is no action and no card.*swap_card"):
        forbidden_by("swap_crad")
    with pytest.raises(EttanaError, match="--without: 'victory_point' is no action"):
        forbidden_by("victory_point")
