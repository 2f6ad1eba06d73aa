"""Played games as text and as a page: what is told, the chances, the turning points, broken records."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch

from agents.network import Network, save_network
from ettana_env import EttanaError, Game, Recorder, Rules, read_record
from play.odds import OutlookJudge, PolicyJudge, judge_for
from play.replay import Watched, as_html, as_lines, summary, turning_points
from play.telling import told
from tests.play.games import whole_game
from tests.playing import played, rules_of


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that has learned nothing, as a policy's file."""
    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("policy") / "policy.safetensors"
    save_network(Network(Rules()), path, {})
    return path


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_game(tmp_path_factory.mktemp("record") / "game.jsonl")


def test_the_text_has_every_action_and_the_end(record: Path) -> None:
    watched = Watched(read_record(record), OutlookJudge())
    lines = list(as_lines(watched))
    assert len([line for line in lines if line.startswith("  ")]) == len(watched.record.steps)
    winner = watched.record.result["winner"]
    assert any(f"{'ABC'[winner]} {watched.record.names[winner]} has won" in line for line in lines)
    assert sum(line.startswith("turn ") for line in lines) == watched.record.result["turns"] + 1
    assert any("to win A " in line for line in lines)


def test_a_seats_text_hides_what_it_did_not_know(record: Path) -> None:
    watched = Watched(read_record(record), OutlookJudge())
    for n, step in enumerate(watched.record.steps, start=1):
        if step.action["kind"] in ("buy_design", "get_design", "exchange"):
            new = set(watched.states[n]["design_hands"][step.seat]) - set(
                watched.states[n - 1]["design_hands"][step.seat]
            )
            for viewer in range(3):
                assert (str(*new) in watched.text(n, viewer)) == (viewer == step.seat)


@pytest.mark.parametrize("variant", ["base", "many cards", "rim squares"])
def test_every_kind_of_action_can_be_told(variant: str) -> None:
    for seed in range(25):
        game = played(rules_of(variant), 3, seed, 5 + 5 * seed, seed)
        kinds = set()
        for action in game.legal_actions():
            if action["kind"] in kinds:
                continue
            kinds.add(action["kind"])
            after = game.copy()
            after.play(action)
            for viewer in (None, 0, 1, 2):
                tables = [one.to_dict() if viewer is None else one.view(viewer) for one in (game, after)]
                text = told(tables[0], action, tables[1], viewer)
                assert text
                assert "None" not in text


def test_the_policy_judges_every_decision(record: Path, policy: Path) -> None:
    watched = Watched(read_record(record), judge_for(str(policy), Rules()))
    for n, step in enumerate(watched.record.steps):
        judged = watched.judgements[n]
        game = watched.record.first if n == 0 else watched.record.steps[n - 1].game
        if len(game.legal_indices()) == 1:
            assert not judged.choices
            continue
        chance = judged.chances[step.seat]
        assert chance is not None
        assert 0 <= chance <= 1
        assert [value is None for seat, value in enumerate(judged.chances) if seat != step.seat] == [True, True]
        assert judged.choices[0].chance == max(choice.chance for choice in judged.choices)
        assert judged.taken is not None
        assert all(choice.action in game.legal_actions() for choice in judged.choices)
        for choice in judged.choices:
            if choice.action == step.action:
                assert judged.taken == pytest.approx(choice.chance)
    assert sorted(watched.judgements[-1].chances) == [0, 0, 1]  # type: ignore[type-var]


def test_a_value_becomes_a_chance(policy: Path) -> None:
    """A network that says a lost game is worth -1/(players - 1) must be taken at its word."""
    network = Network(Rules())
    judge = PolicyJudge(network, "x", Rules())
    for players in (2, 3, 4):
        game = Game(Rules(), players, 1)
        for value, chance in ((1.0, 1.0), (-1 / (players - 1), 0.0), (0.0, 1 / players)):
            with torch.no_grad():
                network.value.weight.zero_()
                network.value.bias.fill_(value)
            assert judge.judge([game])[0].chances[game.player] == pytest.approx(chance, abs=1e-6)


def test_which_judge(policy: Path) -> None:
    assert isinstance(judge_for("odds", Rules()), OutlookJudge)
    assert judge_for(f"policy:{policy}", Rules()).about.endswith(str(policy))
    with pytest.raises(EttanaError, match="does not play by a network"):
        judge_for("greedy", Rules())
    with pytest.raises(EttanaError, match="another board"):
        judge_for(str(policy), Rules(rim_squares=True))
    with pytest.raises(EttanaError, match="no such file"):
        judge_for("nowhere.safetensors", Rules())
    assert judge_for(None, Rules(rim_squares=True)).judge([Game(Rules(rim_squares=True), 2, 1)])


def test_turning_points_are_the_greatest_changes() -> None:
    chances: list[tuple[float | None, ...]] = [
        (0.5, None),
        (None, None),
        (0.55, 0.5),
        (0.2, 0.5),
        (None, 0.9),
        (0.0, 1.0),
    ]
    kinds = ["step", "claim", "roll", "claim", "end_turn"]
    found = turning_points(chances, kinds)
    assert [(point.seat, point.start, point.end) for point in found] == [(0, 2, 3), (1, 3, 4)]
    assert [point.step for point in found] == [3, 4]
    assert turning_points([(0.5, 0.5), (0.52, 0.48)], ["step"]) == []


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_needs_nothing_else_and_holds_every_state(record: Path) -> None:
    watched = Watched(read_record(record), OutlookJudge())
    page = as_html(watched, "game.jsonl")
    outside = [
        url for url in re.findall(r'(?:src|href|url\()=?["\']?([^"\'\s>)]+)', page) if not url.startswith("data:")
    ]
    assert outside == []
    assert "default-src 'none'" in page
    data = data_of(page)
    state = data["first"]
    for n, step in enumerate(data["steps"], start=1):
        state = state | step["change"]
        whole = watched.states[n]
        assert state == whole | {key: len(whole[key]) for key in ("action_stack", "design_stack")}
    assert len(data["judged"]) == len(data["steps"]) + 1


def test_names_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    names = ["</script><script>alert(1)</script>", "{{replay}}<!--"]
    with Recorder(path, Game(Rules(), 2, 1), names) as recorder:
        recorder.play(recorder.game.legal_actions()[0])
    page = as_html(Watched(read_record(path, unfinished=True), OutlookJudge()), "<b>")
    assert "<script>alert" not in page
    assert data_of(page)["names"] == names
    assert page.count("</script>") == 3


def test_what_comes_before_a_fault_is_shown(record: Path, tmp_path: Path) -> None:
    lines = record.read_text().splitlines()
    doctored = json.loads(lines[20])
    doctored["seat"] = (doctored["seat"] + 1) % 3
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join([*lines[:20], json.dumps(doctored), *lines[21:]]) + "\n")
    found = read_record(bad, faulty=True)
    assert len(found.steps) == 19
    assert found.fault is not None
    assert found.fault.line == 21
    watched = Watched(found, OutlookJudge())
    assert "breaks off after 19 actions" in "\n".join(as_lines(watched))
    assert "line 21" in data_of(as_html(watched, "bad"))["fault"]
    assert summary(watched)["result"] is None
