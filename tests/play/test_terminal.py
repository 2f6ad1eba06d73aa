"""The terminal, as a person would use it: lines typed, what is printed, within 80 columns."""

import io
from collections.abc import Iterable

import pytest
from rich.console import Console

from agents.phrases import phrase
from ettana_env import Rules
from ettana_env.vocabulary import VERBS
from play.choices import GROUPS
from play.odds import OutlookJudge
from play.session import Session
from play.terminal import Table
from tests.play.games import after_a_roll, quiet, session


def typed(played: Session, lines: Iterable[str], colour: bool = False) -> tuple[bool, str]:
    """Type the lines, then leave; whether the game came to its end, and what was printed."""
    rest = iter(lines)
    out = io.StringIO()
    console = Console(
        file=out, width=80, force_terminal=colour, color_system="truecolor" if colour else None, highlight=False
    )

    def ask(prompt: str) -> str:
        try:
            return next(rest)
        except StopIteration:
            raise EOFError from None

    ended = Table(played, console, ask, OutlookJudge(), "greedy").play()
    return ended, out.getvalue()


def test_a_turn_with_help_hint_undo_and_leaving() -> None:
    played = after_a_roll(session())
    action = phrase(quiet(played))
    ended, printed = typed(
        played, ["?", "hint", "hint planner", action, "undo", "undo", "list", "designs", "log", "quit"]
    )
    assert not ended
    assert "greedy would: " in printed
    assert "planner would: " in printed
    assert "taken back: you " in printed
    assert "there is nothing to take back" in printed
    assert "Squares in [brackets]" in printed
    assert all(phrase(one) in printed.replace("\n", " ") for one in played.legal()[:5])


def test_what_is_not_understood_is_told_and_asked_again() -> None:
    played = after_a_roll(session())
    version = played.version
    _, printed = typed(played, ["fly", "", "step 99", "hint nobody", "list fly"])
    assert "fly is not possible now" in printed
    assert "type an action" in printed
    assert "there is no agent 'nobody'" in printed
    assert "nothing of kind 'fly'" in printed
    assert played.version == version


def test_enter_alone_does_the_only_thing() -> None:
    played = session(seed=1)
    while not (played.yours and played.game.phase == "roll" and len(played.legal()) == 1):
        if played.yours:
            played.play(played.legal()[0])
        else:
            played.answer()
    _, printed = typed(played, [""])
    assert "you rolled" in printed


def test_a_game_to_its_end() -> None:
    played = session(seed=6, names=("human", "greedy", "greedy"))

    class Lines:
        def __iter__(self) -> "Lines":
            return self

        def __next__(self) -> str:
            return phrase(played.hint("planner"))

    ended, printed = typed(played, Lines())
    assert ended
    assert "the game is over" in printed
    assert "by fitted odds" in printed


@pytest.mark.parametrize("rules", [Rules(), Rules(rim_squares=True), Rules(start_cards={"design": 9})])
def test_it_fits_a_plain_terminal(rules: Rules) -> None:
    played = Session.new(["human", "greedy", "planner", "mcts:sims=2000,style=gambler"], rules, 3)
    played.names[3] = "greedy"  # only its long name matters here
    while not played.game.over and played.game.record.turn < 8:
        if played.yours and played.game.phase == "act":
            _, printed = typed(played, [])
            lines = printed.rstrip("\n").splitlines()
            assert max(map(len, lines)) <= 80
            assert "\x1b" not in printed
            table = lines[max(n for n, line in enumerate(lines) if not line) :]
            assert len(table) <= 24, "\n".join(table)
        if played.yours:
            played.play(played.hint("greedy"))
        else:
            played.answer()


def test_colour_where_there_is_some() -> None:
    _, printed = typed(after_a_roll(session()), [], colour=True)
    assert "\x1b[" in printed


def test_every_kind_of_action_is_in_a_group() -> None:
    assert sorted(kind for kinds in GROUPS.values() for kind in kinds) == sorted(VERBS)
