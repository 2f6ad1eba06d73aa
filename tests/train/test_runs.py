"""Runs: settings that are checked, checkpoints that go on exactly, a kill that loses little."""

import csv
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents import opponent, play_games
from ettana_env import EttanaError, Rules
from ettana_env.rules import configs_folder
from train.config import Config, load_config
from train.run import Trainer, config_of, run, start

SMALL = [
    "steps=1200", "games=8", "ticks=16", "processes=1", "network.hidden=[16]", "network.hints=2", "learning.batch=64",
    "evaluation.every=100", "evaluation.games=4", "evaluation.final_games=4", "evaluation.against=[random]",
    "opponents.league=0.3", "opponents.every=2", "opponents.heuristics={greedy: 0.2}", "imitation.agent=''",
]  # fmt: skip


def small(*changes: str) -> Config:
    return load_config("quick", [*SMALL, *changes])


def test_all_configs_that_come_along_are_right() -> None:
    names = sorted(path.stem for path in (configs_folder() / "train").glob("*.yaml"))
    assert names == ["long", "quick", "standard"]
    for name in names:
        assert load_config(name).load_rules() == Rules.load(configs_folder() / "rules" / "base.yaml")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["learning.rte=1"], "there is no setting learning.rte"),
        (["learning.rate=-1"], "learning.rate: input should be greater than 0"),
        (["steps"], "written key=value"),
        (["steps.more=1"], "steps has no keys of its own"),
        (["opponents.league=0.8", "opponents.heuristics={planner: 0.4}"], "come to 1.2, more than 1"),
        (["players=[5]"], "players.0: input should be less than or equal to 4"),
    ],
)
def test_wrong_settings_are_refused(changes: list[str], message: str) -> None:
    with pytest.raises(EttanaError, match=message):
        load_config("quick", changes)
    with pytest.raises(EttanaError, match="no training config 'quik'"):
        load_config("quik")


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(sorted(folder.glob("checkpoints/0*"))[-1] / "network.safetensors")


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_a_run_leaves_everything_behind_and_repeats(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = []
    start(small(), tmp_path / "one")
    run(tmp_path / "one", events.append)
    assert {event["kind"] for event in events} == {"update", "evaluation", "final"}
    for name in ("config.yaml", "versions.json", "metrics.csv", "evaluations.csv", "curve.png", "final.json"):
        assert (tmp_path / "one" / name).is_file(), name
    told = EventAccumulator(str(tmp_path / "one" / "tensorboard")).Reload().Tags()["scalars"]
    assert {"train/value", "evaluation/random/share", "evaluation/random/low", "evaluation/random/high"} <= set(told)
    assert int(table(tmp_path / "one" / "metrics.csv")[-1]["steps"]) >= 1200
    start(small(), tmp_path / "two")
    run(tmp_path / "two")
    assert same(weights(tmp_path / "one"), weights(tmp_path / "two"))
    results = play_games([f"policy:{tmp_path / 'one' / 'policy.safetensors'}", "random"], games=4, seed=1)
    assert len(results.rows) == 4
    with pytest.raises(EttanaError, match="not empty"):
        start(small(), tmp_path / "one")


def test_a_run_of_two_processes_repeats(tmp_path: Path) -> None:
    """Rollouts so short that now and then one of the two sees no turn end."""
    for name in ("one", "two"):
        start(small("processes=2", "steps=300", "games=2", "ticks=6", "learning.batch=4"), tmp_path / name)
        run(tmp_path / name)
    assert same(weights(tmp_path / "one"), weights(tmp_path / "two"))


class StopError(Exception):
    """Ends a run where a test wants it ended."""


@pytest.mark.parametrize(("kind", "update"), [("update", 6), ("evaluation", 4), ("update", 1), ("final", 0)])
def test_a_run_goes_on_exactly_where_it_was(tmp_path: Path, kind: str, update: int) -> None:
    """Also if it was stopped between writing to a table and its checkpoint: every line is there once."""
    config = small("evaluation.every=4")
    start(config, tmp_path / "whole")
    run(tmp_path / "whole")
    start(config, tmp_path / "parts")
    last = {"update": 0}

    def stop(event: dict[str, Any]) -> None:
        last.update({"update": event["update"]} if event["kind"] == "update" else {})
        if event["kind"] == kind and update in (last["update"], 0):
            raise StopError

    with pytest.raises(StopError):
        run(tmp_path / "parts", stop)
    run(tmp_path / "parts")
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))
    for name in ("metrics.csv", "evaluations.csv"):
        assert table(tmp_path / "parts" / name) == table(tmp_path / "whole" / name)


def table(path: Path) -> list[dict[str, str]]:
    """A table without the times."""
    with path.open() as file:
        return [{name: value for name, value in row.items() if name != "seconds"} for row in csv.DictReader(file)]


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    start(small(), folder)
    versions = json.loads((folder / "versions.json").read_text())
    (folder / "versions.json").write_text(json.dumps(versions | {"observation": 0}))
    with pytest.raises(EttanaError, match="made for version 0 of the observation"):
        config_of(folder)
    rules = tmp_path / "mine.yaml"
    rules.write_text("name: mine\n")
    other = tmp_path / "other"
    start(small(f"rules={rules}"), other)
    rules.write_text("name: mine\npoints_to_win: 5\n")
    with pytest.raises(EttanaError, match="are not what they were"):
        config_of(other)
    with pytest.raises(EttanaError, match="there is no run here"):
        config_of(tmp_path / "nowhere")


def test_a_policy_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    start(small("steps=100"), tmp_path / "run")
    run(tmp_path / "run")
    path = tmp_path / "run" / "policy.safetensors"
    with pytest.raises(EttanaError, match="made for another board"):
        play_games([f"policy:{path}", "random"], Rules(rim_squares=True), games=2)
    with pytest.raises(EttanaError, match="there is no such file"):
        opponent("policy:nowhere.safetensors")
    card = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps(card | {"observation": 99}))
    with pytest.raises(EttanaError, match="made for version 99"):
        opponent(f"policy:{path}")
    path.with_suffix(".json").write_text(json.dumps(card))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(EttanaError, match="not a policy that can be read"):
        opponent(f"policy:{path}")


def test_a_search_needs_turns_that_are_valued(tmp_path: Path) -> None:
    start(small("steps=100", "network.foresight=[]"), tmp_path / "run")
    run(tmp_path / "run")
    path = tmp_path / "run" / "policy.safetensors"
    assert len(play_games([f"policy:{path}", "random"], games=2).rows) == 2
    with pytest.raises(EttanaError, match="does not value turns that are over"):
        opponent(f"policy-search:{path}")
    start(small("steps=100"), tmp_path / "other")
    run(tmp_path / "other")
    path = tmp_path / "other" / "policy.safetensors"
    results = play_games([f"policy-search:path={path},worlds=4,luck=0.5", "random"], games=4, seed=2)
    assert not results.faults
    for wrong in ("worlds=0", "arms=65", "luck=2", "least=-1"):
        with pytest.raises(EttanaError, match=f"{wrong.partition('=')[0]} must be from"):
            opponent(f"policy-search:path={path},{wrong}")


def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    """SIGKILL in two processes' midst: the checkpoints are whole, and the run goes on to its end."""
    folder = tmp_path / "run"
    start(small("processes=2", "steps=4000"), folder)
    program = f"import sys; from pathlib import Path; from train.run import run; run(Path({str(folder)!r}))"
    code = f"if __name__ == '__main__':\n    {program}\n"
    script = tmp_path / "go.py"
    script.write_text(code)
    process = subprocess.Popen([sys.executable, script], cwd=Path(__file__).parents[2], start_new_session=True)
    deadline = time.monotonic() + 240
    while len(list(folder.glob("checkpoints/0*"))) < 2 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = sorted(folder.glob("checkpoints/0*"))
    assert kept, "no checkpoint was written in time"
    done = json.loads((kept[-1] / "state-0.json").read_text())["updates"]
    subprocess.run([sys.executable, script], cwd=Path(__file__).parents[2], check=True, timeout=300)
    assert json.loads((sorted(folder.glob("checkpoints/0*"))[-1] / "state-0.json").read_text())["updates"] > done
    assert (folder / "final.json").is_file()
    shutil.rmtree(folder)


def test_a_process_that_dies_is_told(tmp_path: Path) -> None:
    start(small("processes=2", "steps=600", "games=2", "ticks=6"), tmp_path / "run")

    def kill(event: dict[str, Any]) -> None:
        if event["kind"] == "update" and event["update"] == 3:
            (other,) = multiprocessing.active_children()
            os.kill(int(other.pid or 0), signal.SIGKILL)

    with pytest.raises(EttanaError, match=r"one of the 2 processes ended before its time \(exit code -9\)"):
        run(tmp_path / "run", kill)
    assert not multiprocessing.active_children()
    run(tmp_path / "run")
    updates = [int(row["update"]) for row in table(tmp_path / "run" / "metrics.csv")]
    assert updates == list(range(1, len(updates) + 1))


def test_the_settings_written_are_those_read(tmp_path: Path) -> None:
    start(small("seed=7"), tmp_path / "run")
    assert config_of(tmp_path / "run") == small("seed=7")
    assert yaml.safe_load((tmp_path / "run" / "config.yaml").read_text())["seed"] == 7
    assert np.isfinite(small().learning.rate)


def test_a_run_can_start_from_a_policy(tmp_path: Path) -> None:
    first = finished(tmp_path / "first", "opponents.league=0", "opponents.heuristics={}")
    policy = first / "policy.safetensors"
    config = small(f"start={policy}", "rules=cheap-swaps")
    start(config, tmp_path / "second")
    network = Trainer(config, tmp_path / "second").ppo.policy.network
    for name, tensor in load_file(policy).items():
        assert torch.equal(network.state_dict()[name], tensor)
    other = small(f"start={policy}", "network.hints=3")
    start(other, tmp_path / "third")
    with pytest.raises(EttanaError, match=r"start: .* another shape"):
        Trainer(other, tmp_path / "third")


def finished(folder: Path, *changes: str) -> Path:
    start(small(*changes), folder)
    run(folder)
    return folder
