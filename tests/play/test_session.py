"""A person's game: taking back, saving, going on, and nothing seen that the seat may not know."""

import json
from pathlib import Path

import numpy as np
import pytest

from agents import FriendlyAgent, register
from ettana_env import EttanaError, IllegalAction, read_record
from ettana_env.states import Json
from play.session import QUIET, Session, line_up_of, seat_of
from play.telling import told
from tests.play.games import after_a_roll, quiet, session, to_your_turn


def test_quiet_actions_are_taken_back_exactly(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = after_a_roll(session(path=path))
    before, text, version = played.game.to_dict(), path.read_text(), played.version
    played.play(quiet(played))
    assert path.read_text() != text
    played.undo()
    assert played.game.to_dict() == before
    assert path.read_text() == text
    assert played.version == version + 2
    assert not played.can_undo  # what comes before is the roll
    played.close()


def test_a_whole_turn_of_quiet_actions_is_taken_back() -> None:
    played = after_a_roll(session(seed=8))
    states: list[Json] = []
    while any(action["kind"] in QUIET for action in played.legal()) and len(states) < 4:
        states.append(played.game.to_dict())
        played.play(quiet(played))
    assert len(states) > 1
    while states:
        played.undo()
        assert played.game.to_dict() == states.pop()


@pytest.mark.parametrize("kind", ["roll", "buy_action", "buy_design", "end_turn", "exchange"])
def test_what_shows_something_hidden_stands(kind: str) -> None:
    for seed in range(40):
        played = session(seed=seed)
        for _ in range(60):
            if played.game.over:
                break
            to_your_turn(played)
            wanted = [action for action in played.legal() if action["kind"] == kind]
            if wanted:
                played.play(wanted[0])
                assert not played.can_undo
                with pytest.raises(EttanaError, match="nothing to take back"):
                    played.undo()
                return
            played.play(played.hint("greedy"))
    pytest.fail(f"no {kind} in all these games")


def test_every_undo_leads_to_the_same_cards_and_dice() -> None:
    """Taking back must not be a way to other luck."""
    played, straight = after_a_roll(session(seed=9)), after_a_roll(session(seed=9))
    played.play(quiet(played))
    played.undo()
    for one in (played, straight):
        one.play(quiet(one))
        while one.yours and one.game.phase != "over":
            one.play(one.hint("greedy"))
        one.answer()
    assert played.game.to_dict() == straight.game.to_dict()


def test_a_saved_game_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = after_a_roll(session(seed=5, path=path))
    played.play(quiet(played))
    played.close()
    again = Session.resume(path)
    assert again.game.to_dict() == played.game.to_dict()
    assert again.game.chance == played.game.chance
    assert again.events == played.events
    assert again.seat == played.seat
    again.undo()  # this turn's actions can still be taken back
    played._recorder = None  # it goes on elsewhere, unsaved
    played.undo()
    while not again.game.over:
        for one in (played, again):
            if one.yours:
                one.play(one.hint("greedy"))
            else:
                one.answer()
    assert again.game.to_dict() == played.game.to_dict()
    again.close()
    record = read_record(path)
    assert record.result["winner"] == again.game.winner
    with pytest.raises(EttanaError, match="the game is over; watch it"):
        Session.resume(path)


@pytest.mark.parametrize("cut", [1, 30, 400])
def test_a_file_cut_in_the_middle_of_a_line_goes_on_before_it(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "game.jsonl"
    played = after_a_roll(session(path=path))
    played.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    again = Session.resume(path)
    again.close()
    lines = whole.splitlines(keepends=True)
    assert path.read_bytes() == (whole if cut == 1 else b"".join(lines[:-1]))
    again = to_your_turn(Session.resume(path))
    again.play(again.legal()[0])
    again.close()
    assert read_record(path, unfinished=True).steps[-1].game.to_dict() == again.game.to_dict()


def test_a_doctored_file_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    after_a_roll(session(path=path)).close()
    lines = path.read_text().splitlines()
    line = json.loads(lines[2])
    line["state"]["tokens"][0] += 1
    line["state"]["bank"] -= 1
    lines[2] = json.dumps(line)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(EttanaError, match="line 3"):
        Session.resume(path)
    assert path.read_text() == "\n".join(lines) + "\n"


def test_a_game_without_a_person_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session(path=path).close()
    path.write_text(path.read_text().replace('"human"', '"planner"'))
    with pytest.raises(EttanaError, match="no person plays here"):
        Session.resume(path)


def test_illegal_and_untimely_actions_change_nothing() -> None:
    played = to_your_turn(session())
    before = played.game.to_dict(), played.version
    with pytest.raises(IllegalAction):
        played.play({"kind": "end_turn"})
    with pytest.raises(EttanaError, match="it is your turn"):
        played.answer()
    assert (played.game.to_dict(), played.version) == before
    played.play(played.legal()[0])
    assert not played.yours
    with pytest.raises(EttanaError, match="it is the turn of B greedy, not yours"):
        played.play({"kind": "roll"})
    with pytest.raises(EttanaError, match="not your turn"):
        played.hint("greedy")


def test_the_view_and_the_events_hide_what_the_seat_may_not_know() -> None:
    played = session(seed=2, names=("human", "planner", "planner"))
    secret: set[str] = set()
    while not played.game.over:
        if played.yours:
            played.play(played.hint("greedy"))
        else:
            played.answer()
        state, view = played.game.to_dict(), played.view()
        assert set(view["action_stack"] + view["design_stack"]) <= {None}
        for seat in (1, 2):
            assert set(view["action_hands"][seat] + view["design_hands"][seat]) <= {None}
        mine = {*state["design_hands"][0], *(name for claimed in state["claimed"] for name in claimed)}
        secret |= {*state["design_hands"][1], *state["design_hands"][2]} - mine
        others = [event.text for event in played.events if event.seat != 0]
        hidden = {*state["design_hands"][1], *state["design_hands"][2]}
        assert not any(name in text for name in hidden for text in others)
    assert secret


def test_an_exchange_is_told_with_the_design_to_its_player_alone() -> None:
    for seed in range(30):
        played = session(seed=seed)
        to_your_turn(played)
        while not played.game.over:
            to_your_turn(played)
            exchange = next((action for action in played.legal() if action["kind"] == "exchange"), None)
            if exchange is None:
                played.play(played.legal()[0])
                continue
            before = played.game.copy()
            played.play(exchange)
            assert exchange["design"] in played.events[-1].text
            assert told(before.view(1), exchange, played.game.view(1), 1) == "exchanged a design"
            return
    pytest.fail("no exchange in all these games")


def test_agents_that_break_leave_the_game_intact() -> None:
    def crash(view: object, legal: object, draw: object) -> dict[str, object]:
        raise RuntimeError("tired")

    register("crashing", lambda: FriendlyAgent(crash))
    played = session(names=("crashing", "human"), seed=1)
    before = played.game.to_dict()
    with pytest.raises(EttanaError, match=r"crashing: .*tired"):
        played.answer()
    assert played.game.to_dict() == before


def test_line_ups_and_seats() -> None:
    assert line_up_of(["planner"], 3, 1) == ["planner", "human", "planner"]
    assert seat_of("c", 3) == seat_of("2", 3) == 2
    with pytest.raises(EttanaError, match="one of A, B, not 'C'"):
        seat_of("C", 2)
    with pytest.raises(EttanaError, match="one of the 2 seats must be human"):
        Session.new(["greedy", "greedy"])
    with pytest.raises(EttanaError, match="one person plays"):
        session().hint("human")
    with pytest.raises(EttanaError, match="no agent 'planer'"):
        Session.new(["human", "planer"])


def test_quiet_actions_hold_no_chance() -> None:
    """Whatever can be taken back leads to the same table whatever the dice and the cards are."""
    played = session(seed=4)
    found: set[str] = set()
    while not played.game.over:
        if not played.yours:
            played.answer()
            continue
        for action in played.legal():
            if action["kind"] in QUIET and action["kind"] not in found:
                one, other = played.game.copy(), played.game.determinize(0, np.random.default_rng(1))
                one.play(action)
                other.play(action)
                assert one.view(0) == other.view(0)
                found.add(action["kind"])
        played.play(played.hint("greedy"))
    assert {"step", "jump", "free_swap", "claim"} <= found
