"""Recorded games kept in the repository: today's engine must play them as the engine of their day did.

`python -m tests.test_golden` records them anew, which is right only after a change of the game that is meant.
"""

import json
from pathlib import Path

import pytest

from ettana_env import Game, Recorder, Rules, read_record
from tests import plain
from tests.hindsight import Hindsight
from tests.playing import EASY_DESIGNS, SWITCHES, Chooser, Json

FOLDER = Path(__file__).parent / "golden"

MIXED = Rules(
    name="all variants mixed",
    points_to_win=7,
    prices={"action": 1, "swap": 2, "design": 0},
    tokens={"total": 20, "start": 4},
    start_cards={"design": 2, "action": 3},
    action_cards={"replace": 6, "steal_card": 5, "roll_again": 4, "move": 1},
    designs=EASY_DESIGNS,
    max_actions=60,
    **{switch: getattr(Rules(), switch) is False for switch in SWITCHES},
)

# By file: the rules, players, seed, and whether the record is compact.
GAMES: dict[str, tuple[Rules, int, int, bool]] = {
    "two_players.jsonl": (Rules(max_actions=60), 2, 2024, False),
    "three_players_mixed.jsonl": (MIXED, 3, 31, False),
    "four_players_rim.jsonl": (Rules(rim_squares=True, points_to_win=2, max_actions=60), 4, 7, False),
    "long_compact.jsonl": (Rules(), 3, 123456789, True),
}


def lines_of(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", GAMES)
def test_the_record_is_true(name: str) -> None:
    record = read_record(FOLDER / name)
    header, *steps, result = lines_of(FOLDER / name)
    assert record.seed == header["seed"]
    assert [step.action for step in record.steps] == [line["action"] for line in steps]
    assert record.result == result
    assert record.steps[-1].game.over


@pytest.mark.parametrize("name", GAMES)
def test_the_seed_and_the_actions_give_the_same_states(name: str) -> None:
    header, *steps, result = lines_of(FOLDER / name)
    game = Game(Rules.from_dict(header["rules"]), header["players"], header["seed"])
    assert game.to_dict() == header["state"]
    for line in steps:
        assert game.player == line["seat"]
        game.play(line["action"])
        if not GAMES[name][3]:
            assert game.to_dict() == line["state"]
    assert game.over
    assert game.winner == result["winner"]
    assert game.to_dict()["points"] == result["points"]


@pytest.mark.parametrize("name", GAMES)
def test_recorded_again_the_file_is_the_same(name: str, tmp_path: Path) -> None:
    header, *steps, _ = lines_of(FOLDER / name)
    game = Game(Rules.from_dict(header["rules"]), header["players"], header["seed"])
    with Recorder(tmp_path / name, game, header["names"], compact=GAMES[name][3]) as recorder:
        for line in steps:
            recorder.play(line["action"])
    today = (tmp_path / name).read_text(encoding="utf-8").splitlines()
    kept = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    assert today[1:] == kept[1:]
    assert {**json.loads(today[0]), "engine": header["engine"]} == header


@pytest.mark.parametrize("name", [name for name in GAMES if not GAMES[name][3]])
def test_the_plain_reading_agrees(name: str) -> None:
    header, *steps, _ = lines_of(FOLDER / name)
    rules, state = header["rules"], header["state"]
    assert plain.first_state(rules, header["players"], Hindsight(state)) == state
    for line in steps:
        assert line["action"] in plain.legal_actions(rules, state)
        chance = Hindsight(line["state"], state, line["action"])
        state = plain.apply(rules, state, line["action"], chance)
        assert state == line["state"]


def test_the_records_show_every_kind_of_action() -> None:
    found = {line["action"]["kind"] for name in GAMES for line in lines_of(FOLDER / name)[1:-1]}
    assert len(found) == 23
    winners = [lines_of(FOLDER / name)[-1]["winner"] for name in GAMES]
    assert any(winner is not None for winner in winners)
    assert None in winners


@pytest.mark.parametrize("name", GAMES)
def test_the_files_stay_small(name: str) -> None:
    assert (FOLDER / name).stat().st_size < 300_000


def record_all() -> None:
    """Write every file anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, (rules, players, seed, compact) in GAMES.items():
        (FOLDER / name).unlink(missing_ok=True)
        game, choose = Game(rules, players, seed), Chooser(seed)
        with Recorder(FOLDER / name, game, compact=compact) as recorder:
            while not game.over:
                recorder.play(choose(game))


if __name__ == "__main__":
    record_all()
