"""What people type is understood, or they are told what is possible; the person's agent asks until it is."""

import builtins
from typing import Any

import numpy as np
import pytest

from agents import opponent, play_games
from agents.phrases import grouped, phrase, understand
from ettana_env import EttanaError, Game, Rules
from tests.agents.tables import table_of
from tests.playing import VARIANTS, played, rules_of


@pytest.mark.parametrize("variant", ["base", "many cards", "rim squares"])
def test_every_action_can_be_typed(variant: str) -> None:
    for seed in range(20):
        game = played(rules_of(variant), 3, seed, 5 + 7 * seed, seed)
        legal = game.legal_actions()
        for action in legal:
            assert understand(phrase(action), legal) == action
    assert variant in VARIANTS


LEGAL: list[dict[str, Any]] = [
    {"kind": "step", "square": 6, "pay": []},
    {"kind": "step", "square": 6, "pay": [1]},
    {"kind": "step", "square": 9, "pay": [1]},
    {"kind": "swap_card", "a": 3, "b": 17},
    {"kind": "buy_swap", "a": 3, "b": 17},
    {"kind": "claim", "design": "temple-steps"},
    {"kind": "end_turn"},
]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("step 6", 0),
        ("step 6 pay 1", 1),
        ("st 9", 2),
        ("swap 3 17", 3),
        ("buy_swap 3 17", 4),
        ("claim temple", 5),
        ("end", 6),
        ("end turn", 6),
        ("swap 17 3", 3),
        ("buy swap 17 3", 4),
        ("step 9 pay b", 2),
        ("step 6 pay B", 1),
    ],
)
def test_short_forms(text: str, place: int) -> None:
    assert understand(text, LEGAL) == LEGAL[place]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "type an action"),
        ("fly", "fly is not possible now; possible: step, swap_card"),
        ("step", "which of these: step 6, step 6 pay B"),
        ("step 1", "does not fit; there are: step 6"),
    ],
)
def test_what_is_not_understood(text: str, message: str) -> None:
    with pytest.raises(EttanaError, match=message):
        understand(text, LEGAL)


def test_groups() -> None:
    assert grouped(LEGAL).splitlines()[0] == "step 6 | 6 pay B | 9 pay B"
    assert all(len(line) <= 40 for line in grouped(LEGAL, width=40).splitlines())


def test_a_person_is_asked_until_understood(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(Rules(), 2, 5)
    answers = iter(["dance", phrase(game.legal_actions()[0])])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(answers))
    chosen = opponent("human").choose(table_of(game), np.ones(1, np.bool_))
    assert chosen.tolist() == game.legal_indices()[:1]
    printed = capsys.readouterr().out
    assert "dance is not possible now" in printed
    hidden = game.view(game.player)["design_stack"]
    assert set(hidden) == {None}


def test_a_person_who_leaves_ends_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(builtins, "input", leave)
    results = play_games(["human", "random"], games=2)
    assert not results.complete
    assert len(results.rows) == 0
