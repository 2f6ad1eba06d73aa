"""Whole studies: the same from the same seed, for any rules and deck, interrupted or not; and the commands."""

import json
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from balance.definitions import BY_KEY, DEFINITIONS
from balance.lab import Lab, study
from balance.report import figures_json, html, write_report
from balance.skill import levels_there_are
from balance.verdicts import verdicts
from ettana_cli.main import app
from ettana_env import Rules
from ettana_env.errors import EttanaError

CONFIGS = Path(__file__).parents[2] / "configs"

DECK = """designs:
  - {name: pair, points: 2, pattern: ["aa", "bb"]}
  - {name: bar, points: 3, pattern: ["aaa", ".b."]}
  - {name: corner, points: 2, pattern: ["ab", "a."]}
  - {name: slant, points: 4, pattern: ["a..", ".b.", "..a"]}
"""


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


@lru_cache
def whole(workers: int) -> Lab:
    """Everything on, few games."""
    return study(players=[2, 3], agents=["greedy"], games=16, workers=workers)


def test_the_same_seed_gives_the_same_report_whatever_the_workers() -> None:
    one, two = whole(1), whole(2)
    assert html(one) == html(two)
    assert json.dumps(figures_json(one)) == json.dumps(figures_json(two))
    pd.testing.assert_frame_equal(one.games, two.games)


def test_figures_are_there_for_three_levels_of_skill() -> None:
    lab = whole(1)
    assert lab.levels == ("greedy", "planner", "ppo")
    by_level = lab.measures.groupby("key")["level"].nunique()
    once = {"luck", "skill", "step_up"}  # between two levels
    assert set(by_level.index) == set(BY_KEY)
    assert (by_level.drop(list(once)) == 3).all()
    assert set(lab.ladder["upper"]) == {"planner", "ppo"}
    assert (lab.measures["low"].fillna(-1e9) <= lab.measures["value"].fillna(0) + 1e-9).all()


def test_levels_are_those_that_can_play_the_rules() -> None:
    assert levels_there_are(("greedy",)) == ("greedy", "planner", "ppo")
    assert levels_there_are(("random",)) == ("random", "greedy", "planner", "ppo")
    assert levels_there_are((), Rules(rim_squares=True)) == ("random", "greedy", "planner")


def test_every_figure_has_its_definition_in_the_page() -> None:
    page = html(whole(1))
    for one in DEFINITIONS:
        assert f"<summary>{escape(one.title)}</summary>" in page, one.key
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_verdicts_come_first_and_say_how_many_games() -> None:
    said = verdicts(whole(1))
    assert said[0].text.startswith("The player who starts wins")
    assert all("n = " in one.text for one in said if one.theme in ("fairness", "length", "course", "skill"))
    assert all(one.text.count("n = 16") <= 1 for one in said)
    page = html(whole(1))
    assert page.index('id="verdicts"') < page.index("<figure") < page.index('id="method"')


@pytest.mark.parametrize("path", sorted((CONFIGS / "rules").glob("*.yaml")), ids=lambda path: path.stem)
def test_any_rules_can_be_studied(path: Path, tmp_path: Path) -> None:
    lab = study(Rules.load(path), [2, 3, 4], ["greedy"], 6, levels=False, styles=False)
    assert set(lab.games["players"]) == {2, 3, 4}
    write_report(lab, tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"report.html", "figures.json", "games.parquet"}
    told = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert told["rules"] == Rules.load(path).to_dict()
    assert len(pd.read_parquet(tmp_path / "games.parquet")) == 18


def test_any_deck_can_be_studied(tmp_path: Path) -> None:
    (tmp_path / "deck.yaml").write_text(DECK, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text("name: mine\ndesigns: deck.yaml\npoints_to_win: 4\n", encoding="utf-8")
    lab = study(Rules.load(tmp_path / "rules.yaml"), [4], ["greedy"], 8, levels=False, styles=False)
    assert set(lab.table("designs")["name"]) <= {"pair", "bar", "corner", "slant"}
    assert "Balance of mine" in html(lab)


def test_an_interrupted_study_keeps_what_is_finished(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 12:
            raise KeyboardInterrupt

    lab = study(players=[2, 3], agents=["greedy"], games=10, levels=False, styles=False, progress=stop)
    counted = lab.games.groupby("players").size()
    assert counted[2] == 10
    assert counted.get(3, 0) < 10
    assert not lab.complete
    assert "Interrupted" in lab.notes[0]
    assert "Interrupted" in write_report(lab, tmp_path).read_text(encoding="utf-8")


def test_an_interrupt_before_anything_is_finished_leaves_a_page_that_says_so(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    lab = study(players=[2], agents=["greedy"], games=10, levels=False, styles=False, progress=stop)
    assert len(lab.games) == 0
    assert "Interrupted" in write_report(lab, tmp_path).read_text(encoding="utf-8")


FEW = ("--agents", "greedy", "--players", "2", "--games", "8")


def test_the_command_writes_a_report_and_gates_decide_its_exit_code(tmp_path: Path) -> None:
    words = ("balance", "--rules", "short-game", *FEW, "--no-levels", "--no-styles")
    printed = run(*words, "--out", str(tmp_path / "one"))
    assert "The player who starts wins" in printed
    assert (tmp_path / "one" / "report.html").exists()
    gates = tmp_path / "gates.yaml"
    gates.write_text("start_advantage: within 3 points\nturns: at most 1\n", encoding="utf-8")
    printed = run(*words, "--gate", str(gates), "--out", str(tmp_path / "two"), code=1)
    assert "turns with 2 players must be at most 1; it is" in printed
    assert "failed." in printed
    assert "Gates" in (tmp_path / "two" / "report.html").read_text(encoding="utf-8")
    gates.write_text("turns: at least 1\n", encoding="utf-8")
    printed = run(*words, "--gate", str(gates), "--out", str(tmp_path / "three"), "--json")
    told: dict[str, Any] = json.loads((tmp_path / "three" / "figures.json").read_text(encoding="utf-8"))
    assert told["gates"][0]["result"] == "passed"


def test_the_other_commands(tmp_path: Path) -> None:
    printed = run("balance", *FEW, "--without", "claim,tax", "--out", str(tmp_path / "without"))
    assert "A greedy that never uses claim wins 0.0%" in printed
    printed = run("compare", "base", "short-game", *FEW, "--out", str(tmp_path / "compare"))
    assert "short-game against base, 2 players, greedy" in printed
    assert "  turns: from " in printed
    run("compare", "base", "--sweep", "points_to_win=3..4", *FEW, "--out", str(tmp_path / "sweep"))
    page = (tmp_path / "sweep" / "report.html").read_text(encoding="utf-8")
    assert "Sweep of points_to_win" in page


def test_the_deck_workshop_flags_what_is_wrong(tmp_path: Path) -> None:
    deck = tmp_path / "deck.yaml"
    more = (
        '  - {name: pair-turned, points: 2, pattern: ["ab", "ab"]}\n'
        '  - {name: too-much, points: 1, pattern: ["aaa", "aaa"]}\n'
    )
    deck.write_text(DECK + more, encoding="utf-8")
    words = ("designs", str(deck), "--boards", "200", "--players", "2", "--agent", "greedy")
    printed = run(*words, "--games", "10", "--out", str(tmp_path / "out"), code=1)
    assert "pair-turned: the same as pair" in printed
    assert "too-much: impossible on a new board" in printed
    assert "mispriced: worth" in printed
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 6
    assert "Claimed" in page
    told = json.loads(run(*words, "--games", "0", "--json", code=1))
    assert [row["name"] for row in told["designs"]] == [
        "pair", "bar", "corner", "slant", "pair-turned", "too-much"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("balance", "--players", "5"), "--players must be 2, 3 or 4"),
        (("balance", "--agents", "gredy"), "gredy"),
        (("balance", "--rules", "bse"), "--rules: there is no file bse"),
        (("balance", "--without", "fly"), "--without: 'fly' is no action and no card"),
        (("balance", "--without", "tax", "--gate", "{gates}"), "--gate is for the balance report"),
        (("compare", "base"), "needs two rules files or more"),
        (("compare", "base", "--sweep", "prices.swap"), "--sweep is written"),
        (("compare", "base", "base", "--sweep", "prices.swap=1..2"), "--sweep changes one rules file; 2 are named"),
        (("designs", "no-such-deck.yaml"), "no-such-deck.yaml"),
    ],
)
def test_mistakes_are_told_in_a_line(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    gates = tmp_path / "gates.yaml"
    gates.write_text("turns: at most 9\n", encoding="utf-8")
    out = tmp_path / "report"
    with pytest.raises((EttanaError, OSError)) as error:
        run(*(word.format(gates=gates) for word in words), "--out", str(out))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert not out.exists()
