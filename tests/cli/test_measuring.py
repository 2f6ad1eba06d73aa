"""`ettana evaluate`, `tournament` and `agents`, as a person would use them."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from ettana_cli.main import app
from ettana_env.errors import EttanaError

MINE = """
from agents import FriendlyAgent, register


def choose(view, legal, draw):
    if view["turn"] > 4:
        raise RuntimeError("tired")
    return draw.choice(legal)


register("sleepy", lambda: FriendlyAgent(choose))
"""


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_evaluate_prints_a_table() -> None:
    printed = run("evaluate", "greedy", "--against", "random", "--games", "20", "--players", "2", "--workers", "1")
    assert "greedy" in printed
    assert "100.0%" in printed
    assert "by seat" in printed


def test_evaluate_as_json_and_into_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "results"
    words = ["evaluate", "greedy", "--against", "random", "--games", "9", "--players", "3", "--json"]
    summary = json.loads(run(*words, "--out", str(out), "--records"))
    first = summary["agents"][0]
    assert first["name"] == "greedy"
    assert {"name", "games", "wins", "share", "low", "high"} <= set(first)
    assert first["games"] == 9
    assert json.loads((out / "results.json").read_text()) == summary
    assert len(pd.read_parquet(out / "games.parquet")) == len(pd.read_csv(out / "games.csv")) == 9
    assert len(list((out / "records").glob("*.jsonl"))) == 9
    with pytest.raises(EttanaError, match="exists already"):
        run(*words, "--out", str(out))


def test_someone_elses_agent_and_its_faults(tmp_path: Path) -> None:
    code = tmp_path / "mine.py"
    code.write_text(MINE)
    out = tmp_path / "out"
    words = ["evaluate", "sleepy", "--code", str(code), "--against", "random", "--games", "4", "--players", "2"]
    printed = run(*words, "--out", str(out))
    assert "the agent crashed: RuntimeError: tired" in printed
    assert len(list((out / "trouble").glob("*.jsonl"))) == 4


def test_the_sequential_test_is_told_in_words() -> None:
    words = ["evaluate", "greedy", "--against", "random", "--players", "2", "--games", "2000", "--stop"]
    assert "greedy is better" in run(*words)
    assert json.loads(run(*words, "--json"))["test"]["answer"] == "better"


def test_a_tournament_with_a_picture(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["tournament", "random", "greedy", "planner", "--players", "3", "--games", "12", "--out", str(out)]
    printed = run(*words)
    assert "mixed tables" in printed
    assert (out / "ratings.png").read_bytes().startswith(b"\x89PNG")
    summary = json.loads((out / "tournament.json").read_text())
    assert {one["name"] for one in summary["ratings"]} == {"random", "greedy", "planner"}
    assert len(summary["line_ups"]) == 7


def test_agents_are_listed() -> None:
    listed = {agent["name"]: agent for agent in json.loads(run("agents", "--json"))["agents"]}
    assert {"random", "greedy", "planner", "mcts", "human"} <= set(listed)
    assert listed["planner"]["options"]["style"] == "builder"
    assert all(listed[name]["about"] for name in ("random", "greedy", "planner", "mcts", "human"))
    assert "planner" in run("agents")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evaluate", "planer"], "error: there is no agent 'planer'"),
        (["evaluate", "planner", "--rules", "bse"], "by name there are base"),
        (["evaluate", "planner", "--players", "7"], "Invalid value for '--players'"),
        (["evaluate", "planner:width=0"], "width must be from 1 to 64"),
        (["evaluate", "x", "--code", "nowhere.py"], "nowhere.py: there is no such file"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(words: list[str], message: str) -> None:
    program = [sys.executable, "-c", "from ettana_cli.main import main; main()", *words]
    result = subprocess.run(program, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
