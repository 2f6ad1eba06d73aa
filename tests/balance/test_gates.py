"""Gates: what a file may say, what comes of it, and what is said of a mistake."""

from pathlib import Path

import pandas as pd
import pytest

from balance.gates import FAILED, OPEN, PASSED, Gate, check_gates, judge, load_gates
from balance.lab import Lab
from ettana_env import Rules
from ettana_env.errors import EttanaError


def gates(folder: Path, text: str) -> list[Gate]:
    path = folder / "gates.yaml"
    path.write_text(text, encoding="utf-8")
    return load_gates(path)


def measured(*rows: tuple[str, int, float, float, float]) -> Lab:
    lab = Lab(Rules(), (2, 4), ("greedy",), ("greedy",), 1000, 1)
    lab.measures = pd.DataFrame(
        [
            {"key": key, "theme": "", "players": n, "level": "greedy", "value": value, "low": low, "high": high, "n": 9}
            for key, n, value, low, high in rows
        ]
    )
    return lab


def test_every_form_of_limit(tmp_path: Path) -> None:
    found = gates(
        tmp_path,
        "start_advantage: within 3 points\nturns@4: from 15 to 40\ntruncated: at most 0.1%\nlast_won: at least 5%\n",
    )
    assert [(one.key, one.players) for one in found] == [
        ("start_advantage", None),
        ("turns", 4),
        ("truncated", None),
        ("last_won", None),
    ]
    assert [(one.low, one.high) for one in found] == [
        (-0.03, 0.03),
        (15, 40),
        (-float("inf"), pytest.approx(0.001)),
        (0.05, float("inf")),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- 1", "must be a mapping"),
        ("start_advantge: within 3 points", "no figure 'start_advantge'.*start_advantage"),
        ("turns@5: at most 3", "turns@5 must be for @2, @3 or @4 players, not @5"),
        ("turns: about 30", "turns must be “within X”, “at most X”"),
        ("turns: at most 30%", "turns is a plain number"),
        ("truncated: at most 1", "truncated is a share: write 1% or 1 points"),
        ("turns: from 40 to 15", "the first limit must not be above the second"),
    ],
)
def test_mistakes_name_file_and_key(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(EttanaError, match=f"gates.yaml: .*{words}"):
        gates(tmp_path, text)


def test_a_gate_for_players_who_do_not_play_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(EttanaError, match="--gate: turns@3 is for 3 players; 2, 4 are to play"):
        check_gates(gates(tmp_path, "turns@3: at most 3"), (2, 4))


def test_clearly_beyond_fails_and_barely_beyond_is_open(tmp_path: Path) -> None:
    lab = measured(("turns", 2, 50, 48, 52), ("turns", 4, 41, 38, 44))
    found = judge(gates(tmp_path, "turns: from 15 to 40"), lab)
    assert [(one.players, one.result) for one in found] == [(2, FAILED), (4, OPEN)]
    assert found[0].text == "turns with 2 players must be from 15 to 40; it is 50.0 [48.0, 52.0], n = 9: failed."
    assert [one.result for one in judge(gates(tmp_path, "turns: at most 60"), lab)] == [PASSED, PASSED]


def test_looking_at_many_gates_is_allowed_for(tmp_path: Path) -> None:
    """Just clear for one gate alone is not clear among five."""
    row = ("turns", 4, 40.9, 40.0, 41.8)
    alone = judge(gates(tmp_path, "turns@4: at most 40"), measured(row))
    assert alone[0].result == FAILED
    others = [(key, 4, 40.9, 40.0, 41.8) for key in ("decisions", "minutes", "options", "income")]
    text = "".join(f"{key}@4: at most 40\n" for key in ("turns", "decisions", "minutes", "options", "income"))
    lab = measured(row, *others)
    assert [one.result for one in judge(gates(tmp_path, text), lab)] == [OPEN] * 5


def test_nothing_measured_is_nothing_passed(tmp_path: Path) -> None:
    """Kingmaking is nothing for two; a figure that nobody measured fails."""
    found = judge(gates(tmp_path, "kingmaking: at most 10%"), measured(("kingmaking", 4, 0.05, 0.04, 0.06)))
    assert [(one.players, one.result) for one in found] == [(4, PASSED)]
    found = judge(gates(tmp_path, "luck@2: at most 50%"), measured(("turns", 2, 1, 1, 1)))
    assert [one.result for one in found] == [FAILED]
    assert "nothing was measured" in found[0].text
