"""`ettana play`, `replay`, `rules`, `bench`, `doctor`, and what all commands share, as a person would use them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ettana_cli import bench as benchmark
from ettana_cli import doctor as checks
from ettana_cli.main import app, main
from ettana_env import read_record
from ettana_env.compiled import cache_folder
from ettana_env.errors import EttanaError
from tests.play.games import whole_game

COMMANDS = ("play", "replay", "train", "evaluate", "tournament", "agents", "rules", "bench", "doctor")


def run(*words: str, typed: str | None = None, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words), input=typed, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def shell(*words: str) -> subprocess.CompletedProcess[str]:
    """The command as the shell runs it."""
    return subprocess.run([sys.executable, "-m", "ettana_cli", *words], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_game(tmp_path_factory.mktemp("record") / "game.jsonl", ("greedy", "random"))


def test_a_game_is_played_left_and_gone_on_with(tmp_path: Path) -> None:
    words = ["play", "random", "--seed", "7", "--out", str(tmp_path / "games"), "--hints", "greedy"]
    printed = run(*words, typed="hint\nplace\nfly\nquit\n")
    assert "greedy would: place" in printed
    assert "which of these: place" in printed
    (path,) = (tmp_path / "games").glob("*-seed7.jsonl")
    assert read_record(path, unfinished=True).names == ["human", "random"]
    run("play", "--resume", str(path), "--hints", "greedy", typed="quit\n")
    with pytest.raises(EttanaError, match="--resume goes on with the game as it is"):
        run("play", "planner", "--resume", str(path))


def test_the_persons_seat_and_opponents(tmp_path: Path) -> None:
    run(
        "play",
        "random",
        "greedy",
        "--players",
        "4",
        "--seat",
        "c",
        "--out",
        str(tmp_path),
        "--hints",
        "greedy",
        typed="",
    )
    (path,) = tmp_path.glob("*.jsonl")
    assert read_record(path, unfinished=True).names == ["random", "greedy", "human", "greedy"]


def test_a_replay_as_text_json_and_page(record: Path, tmp_path: Path) -> None:
    text = run("replay", str(record), "--policy", "odds")
    assert "has won after" in text
    assert "turn 1:" in text
    assert "\x1b" not in text
    told = json.loads(run("replay", str(record), "--policy", "odds", "--json"))
    assert told["result"] == read_record(record).result
    page = tmp_path / "page.html"
    run("replay", str(record), "--policy", "odds", "--html", str(page))
    assert page.read_text().startswith("<!doctype html>")
    assert run("replay", str(record), "--policy", "odds", "--seat", "B") != text
    with pytest.raises(EttanaError, match="leave out --json and --seat"):
        run("replay", str(record), "--html", str(page), "--json")
    with pytest.raises(EttanaError, match="cannot be written"):
        run("replay", str(record), "--policy", "odds", "--html", str(tmp_path / "nowhere" / "page.html"))


@pytest.mark.parametrize("cut", ["breaks off", "lies"])
def test_a_broken_record_is_told_up_to_the_fault(record: Path, tmp_path: Path, cut: str) -> None:
    lines = record.read_text().splitlines(keepends=True)
    if cut == "breaks off":
        lines = lines[:12]
    else:
        lines[12] = lines[12].replace('"turn":', '"turn":9')
    bad = tmp_path / "bad.jsonl"
    bad.write_text("".join(lines))
    answer = shell("replay", str(bad), "--policy", "odds")
    assert answer.returncode == 1
    assert "bad.jsonl: line 13: " in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1
    assert "the record breaks off after 11 actions" in answer.stdout


def test_rules_are_listed_shown_and_checked(tmp_path: Path) -> None:
    listed = run("rules")
    assert "short-game" in listed
    assert "points_to_win 5 (base 8)" in listed
    shown = run("rules", "rim-squares")
    assert "20 of them on the rim   (changed)" in shown
    assert "nothing changed" in run("rules", "base")
    assert json.loads(run("rules", "cheap-swaps", "--json"))["changed"] == {"prices.swap": [2, 3]}
    mine = tmp_path / "mine.yaml"
    mine.write_text("name: crowded\nstart_cards: {design: 18}\n")
    assert "3 players cannot play it: start_cards.design" in run("rules", str(mine))
    mine.write_text("prices: {swap: -3}\n")
    with pytest.raises(EttanaError, match=r"mine\.yaml: prices\.swap must be"):
        run("rules", str(mine))


def test_a_short_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "AGENTS", {"random": 4, "greedy": 4})
    monkeypatch.setattr(benchmark, "STEPS", 3)
    found = json.loads(run("bench", "--json"))
    assert found["steps_per_second"] > 0
    assert set(found["agents"]) == {"random", "greedy"}
    assert "games a second" in run("bench")
    with pytest.raises(EttanaError, match="there are agents, balance, engine"):
        run("bench", "nothing")
    with pytest.raises(EttanaError, match="takes no options"):
        run("bench", "engine", "--json")


def test_the_doctor_finds_all_well() -> None:
    told = json.loads(run("doctor", "--json"))
    states = {finding["check"]: finding["state"] for finding in told["findings"] if finding["check"] != "agents"}
    assert told["version"]
    assert all(states[check] == "fine" for check in ("python", "packages", "files", "game")), told
    assert "wrong" not in states.values()


def test_the_doctor_tells_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash() -> tuple[str, str]:
        raise RuntimeError("no loom")

    monkeypatch.setattr(checks, "CHECKS", {"loom": crash, "window": lambda: ("missing", "a window")})
    printed = run("doctor", code=1)
    assert "RuntimeError: no loom" in printed
    assert "1 of 2 checks failed" in printed
    monkeypatch.setattr(checks, "CHECKS", {"window": lambda: ("missing", "a window")})
    assert "all is well" in run("doctor")


def test_every_command_teaches_by_example() -> None:
    overview = run("--help")
    for command in COMMANDS:
        assert command in overview
        assert f"ettana {command}" in run(command, "--help")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["weave"], "No such command 'weave'; see ettana --help"),
        (["dance"], "No such command 'dance'. Did you mean 'balance'? See ettana --help"),
        (["play", "--players", "5"], "Invalid value for '--players'"),
        (["play", "--fast"], "see ettana play --help"),
        (["play", "planer"], "there is no agent 'planer'"),
        (["play", "random", "--seat", "D"], "a seat must be one of A, B, not 'D'"),
        (["play", "random", "random", "random", "random"], "4 agents are named; 3 at most"),
        (["play", "--resume", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (["rules", "bse"], "by name there are base"),
    ],
)
def test_wrong_use_is_one_line(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["ettana", *words])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["--debug", "replay", "nowhere.jsonl"], ["replay", "nowhere.jsonl", "--debug"]])
def test_debug_shows_where_an_error_came_from(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ettana", *words])
    with pytest.raises(EttanaError, match="cannot be read"):
        main()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ZeroDivisionError("a loom\nof nought"), "unexpected ZeroDivisionError: a loom of nought; ettana --debug"),
        (MemoryError(), "not enough memory"),
        (OSError(28, "No space left on device", "games"), "games: No space left on device"),
    ],
)
def test_what_nobody_thought_of_is_one_line_too(
    error: Exception, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash() -> tuple[str, str]:
        raise error

    monkeypatch.setattr("ettana_cli.rules.rules_names", lambda _: crash())
    monkeypatch.setattr(sys, "argv", ["ettana", "rules"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="left out: there is no /dev/full here")
def test_a_full_disk_is_told_in_a_line() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        program = [sys.executable, "-m", "ettana_cli", "rules", "--json"]
        ended = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "error: No space left on device\n")


def test_the_doctor_knows_a_cache_it_cannot_write_and_no_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("ETTANA_CACHE_DIR", str(file))
    cache_folder.cache_clear()
    assert cache_folder("ettana_env") is None
    cache_folder.cache_clear()
    monkeypatch.setitem(sys.modules, "pygame", None)
    assert checks.CHECKS["window"]()[0] == "missing"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert checks.CHECKS["browser"]()[0] == "missing"


def test_the_command_alone_prints_its_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["ettana"])
    with pytest.raises(SystemExit):
        main()
    assert "ettana play" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "found"), [("ettana play pl", "planner"), ("ettana rules sh", "short-game")])
def test_tab_completes_names(words: str, found: str) -> None:
    asked = {"_ETTANA_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": "2"}
    program = [sys.executable, "-c", "from ettana_cli.main import main; main()"]
    answer = subprocess.run(program, capture_output=True, text=True, check=False, env={**os.environ, **asked})
    assert answer.stdout.split() == [found]
