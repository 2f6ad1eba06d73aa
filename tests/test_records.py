"""Game records: written while playing, read back checked; a cut or a lie is told with its line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ettana_env import EttanaError, Game, IllegalAction, Recorder, RecordError, Rules, __version__, read_record, replay
from tests.playing import EASY_DESIGNS, VARIANTS, Chooser, Json, mixture, rules_of
from tests.positions import position

SHORT = Rules(name="short", designs=EASY_DESIGNS, points_to_win=4, start_cards={"design": 3, "action": 4})


def write_game(path: Path, game: Game, choice: int = 1, most: int = 10**9, compact: bool = False) -> list[Json]:
    """Play a game into a record; the states after its actions."""
    choose = Chooser(choice)
    states: list[Json] = []
    with Recorder(path, game, compact=compact) as recorder:
        while not game.over and len(states) < most:
            recorder.play(choose(game))
            states.append(game.to_dict())
    return states


def fault(path: Path, content: bytes) -> RecordError:
    """The error with which a record of this content is refused, by both readers alike."""
    path.write_bytes(content)
    with pytest.raises(RecordError) as caught:
        read_record(path)
    with pytest.raises(RecordError) as again:
        list(replay(path))
    assert (str(again.value), again.value.line) == (str(caught.value), caught.value.line)
    assert str(caught.value).startswith(f"{path}: line {caught.value.line}: ")
    assert len(str(caught.value)) < 600
    return caught.value


def as_bytes(lines: list[Json]) -> bytes:
    """Lines as a record has them."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[Json]:
    """The lines of a short game's record."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    write_game(path, Game(SHORT, 3, seed=11))
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# --- Writing and reading -----------------------------------------------------------------------------


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_was_played_is_read_back(variant: str, compact: bool, tmp_path: Path) -> None:
    rules = rules_of(variant)
    rules = rules.but(max_actions=min(100, rules.max_actions or 100))
    players = 2 + len(variant) % 3
    game = Game(rules, players, seed=len(variant))
    first = game.to_dict()
    states = write_game(tmp_path / "game.jsonl", game, compact=compact)
    record = read_record(tmp_path / "game.jsonl")
    assert (record.rules, record.players, record.seed) == (rules, players, len(variant))
    assert (record.engine, record.names) == (__version__, [f"player_{seat}" for seat in range(players)])
    assert record.first.to_dict() == first
    assert [step.game.to_dict() for step in record.steps] == states
    assert [step.seat for step in record.steps] == [before["player"] for before in [first, *states][:-1]]
    last = {**game.to_dict(), "turns": game.to_dict()["turn"]}
    assert record.result == {key: last[key] for key in ("winner", "points", "turns", "actions", "truncated")}
    assert [step.action for step in replay(tmp_path / "game.jsonl")] == [step.action for step in record.steps]


def test_mixed_rules(tmp_path: Path) -> None:
    for seed in range(6):
        states = write_game(tmp_path / f"{seed}.jsonl", Game(mixture(seed).but(max_actions=60), 2 + seed % 3, seed))
        assert [step.game.to_dict() for step in replay(tmp_path / f"{seed}.jsonl")] == states


def test_the_lines_are_as_documented(lines: list[Json]) -> None:
    header, *steps, result = lines
    assert list(header) == ["format", "rules", "players", "seed", "engine", "names", "state"]
    assert header["format"] == "ettana-record/1"
    assert header["rules"] == SHORT.to_dict()
    assert header["state"] == Game(SHORT, 3, seed=11).to_dict()
    assert all(list(step) == ["seat", "action", "state"] for step in steps)
    assert list(result) == ["winner", "points", "turns", "actions", "truncated"]


def test_a_game_without_a_seed(tmp_path: Path) -> None:
    rules = Rules(points_to_win=1)
    game = Game.from_dict(position(3, rules, tokens=[9, 9, 9]), rules, seed=4)
    states = write_game(tmp_path / "game.jsonl", game)
    record = read_record(tmp_path / "game.jsonl")
    assert (record.seed, record.first.seed) == (None, None)
    assert [step.game.to_dict() for step in record.steps] == states
    with pytest.raises(EttanaError, match="a compact record needs a game with a seed, recorded from its first state"):
        Recorder(tmp_path / "other.jsonl", Game.from_dict(position()), compact=True)
    assert not (tmp_path / "other.jsonl").exists()


def test_a_game_recorded_from_its_middle_has_no_seed(tmp_path: Path) -> None:
    game = Game(SHORT, 2, seed=3)
    for _ in range(5):
        game.play(game.legal_indices()[0])
    with pytest.raises(EttanaError, match="recorded from its first state"):
        Recorder(tmp_path / "game.jsonl", game.copy(), compact=True)
    states = write_game(tmp_path / "game.jsonl", game)
    record = read_record(tmp_path / "game.jsonl")
    assert record.seed is None
    assert record.steps[-1].game.to_dict() == states[-1]


@pytest.mark.parametrize("compact", [False, True])
def test_a_game_over_at_the_deal(compact: bool, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = Game(rules_of("won at the deal"), 2, seed=1)
    assert game.over
    assert write_game(path, game, compact=compact) == []
    assert len(path.read_bytes().splitlines()) == 2
    assert read_record(path).steps == []
    assert read_record(path).result["winner"] == game.winner


def test_the_games_of_a_record_have_their_own_chance(lines: list[Json], tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(as_bytes(lines))
    record = read_record(tmp_path / "game.jsonl")
    for start in (record.first, record.steps[2].game, record.steps[9].game):
        replayed = start.copy()
        for step in record.steps[start.record.actions :]:
            replayed.play(step.action)
            assert replayed.to_dict() == step.game.to_dict()
    write_game(tmp_path / "again.jsonl", record.first.copy(), choice=5, compact=True)
    assert read_record(tmp_path / "again.jsonl").result["winner"] is not None
    record.steps[0].game.play(record.steps[1].action)
    assert record.steps[1].game.record.actions == 2
    assert record.first.record.actions == 0


def test_an_illegal_action_writes_nothing_and_the_game_goes_on(tmp_path: Path) -> None:
    game = Game(SHORT, 2, seed=8)
    path = tmp_path / "game.jsonl"
    illegal: list[Any] = [
        -1,
        10**6,
        "roll",
        [0],
        None,
        True,
        {"kind": "end_turn"},
        {"kind": "rol"},
        game.actions.first[3],
    ]
    with Recorder(path, game) as recorder:
        choose = Chooser(8)
        while not game.over:
            before, written = game.to_dict(), path.read_bytes()
            for action in illegal if game.phase != "act" else illegal[:6]:
                with pytest.raises(IllegalAction):
                    recorder.play(action)
            assert game.to_dict() == before
            assert path.read_bytes() == written
            recorder.play(game.action_of(choose(game)))
        with pytest.raises(IllegalAction, match="the game is over"):
            recorder.play({"kind": "roll"})
    assert read_record(path).result["winner"] == game.winner


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("mine", encoding="utf-8")
    for wrong in (path, tmp_path, tmp_path / "none" / "game.jsonl", "a\0b"):
        with pytest.raises(EttanaError, match="cannot write the record: "):
            Recorder(wrong, Game(SHORT, 2, seed=1))
    assert path.read_text(encoding="utf-8") == "mine"


def test_names(tmp_path: Path) -> None:
    names = ["Ann", "织\u200d", ""]
    with Recorder(tmp_path / "game.jsonl", Game(rules_of("one action"), 3, seed=1), names=names) as recorder:
        recorder.play(recorder.game.legal_indices()[0])
    assert read_record(tmp_path / "game.jsonl").names == names
    wrong: list[Any] = [["Ann"], ["Ann", "Bo", 3], "abc", ["Ann", "Bo", "\ud800"], 5, {"Ann": 1, "Bo": 2, "Cy": 3}]
    for given in wrong:
        with pytest.raises(EttanaError, match="names must be 3 texts, one a seat, not "):
            Recorder(tmp_path / "other.jsonl", Game(SHORT, 3, seed=1), names=given)
    assert not (tmp_path / "other.jsonl").exists()


def test_a_closed_record_plays_nothing(tmp_path: Path) -> None:
    game = Game(SHORT, 3, seed=1)
    recorder = Recorder(tmp_path / "game.jsonl", game)
    recorder.close()
    before = game.to_dict()
    with pytest.raises(EttanaError, match="the record is closed"):
        recorder.play(game.legal_indices()[0])
    assert game.to_dict() == before


# --- Cut files ---------------------------------------------------------------------------------------


def test_cut_after_every_line(lines: list[Json], tmp_path: Path) -> None:
    for kept in range(len(lines)):
        error = fault(tmp_path / "cut.jsonl", as_bytes(lines[:kept]))
        assert error.line == kept + 1
        assert ("the record is empty" if kept == 0 else "the record breaks off before the closing line") in str(error)
        if kept:
            steps = replay(tmp_path / "cut.jsonl")
            assert [next(steps).action for _ in range(kept - 1)] == [line["action"] for line in lines[1:kept]]
            with pytest.raises(RecordError):
                next(steps)


def test_cut_in_every_line(lines: list[Json], tmp_path: Path) -> None:
    whole = as_bytes(lines)
    start = 0
    for number, raw in enumerate(whole.splitlines(keepends=True), start=1):
        for cut in (1, len(raw) - 2):
            error = fault(tmp_path / "cut.jsonl", whole[: start + cut])
            assert error.line == number
            assert "is not JSON, the file seems cut here: " in str(error)
        start += len(raw)


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path, "a\0b"):
        with pytest.raises(RecordError, match="cannot be read: ") as caught:
            read_record(path)
        assert caught.value.line == 0


# --- Doctored lines ----------------------------------------------------------------------------------

Change = Callable[[Json], object]

HEADER: list[tuple[str, Change]] = [
    ("format must be 'ettana-record/1', not 'ettana-record/2'", lambda h: h.update(format="ettana-record/2")),
    ("format must be 'ettana-record/1', not None", lambda h: h.pop("format")),
    ("must have the keys format, rules,", lambda h: h.pop("engine")),
    ("must have the keys format, rules,", lambda h: h.update(extra=1)),
    ("seed must be a whole number from 0 to 2**63 - 1, or null, not -1", lambda h: h.update(seed=-1)),
    ("seed must be a whole number from 0 to 2**63 - 1, or null, not True", lambda h: h.update(seed=True)),
    (
        "seed must be a whole number from 0 to 2**63 - 1, or null, not 9223372036854775808",
        lambda h: h.update(seed=2**63),
    ),
    ("the seed gives another first state: yarns is ", lambda h: h.update(seed=12)),
    ("engine must be text, not 1", lambda h: h.update(engine=1)),
    ("players is 2; the state has 3", lambda h: h.update(players=2)),
    ("players is 3.0; the state has 3", lambda h: h.update(players=3.0)),
    ("names must be 3 texts, not ['a', 'b']", lambda h: h.update(names=["a", "b"])),
    ("names must be 3 texts, not 'abc'", lambda h: h.update(names="abc")),
    ("names must be 3 texts, not ['a', 'b', '\\ud800']", lambda h: h.update(names=["a", "b", "\ud800"])),
    ("rules: must be a mapping of settings, not None", lambda h: h.update(rules=None)),
    ("rules: points_to_win must be a whole number", lambda h: h["rules"].update(points_to_win="4")),
    ("rules: designs must be a list, not 'deck.yaml'", lambda h: h["rules"].update(designs="deck.yaml")),
    ("rules lack exchange", lambda h: h["rules"].pop("exchange")),
    ("rules lack prices.swap", lambda h: h["rules"]["prices"].pop("swap")),
    ("state: bank is missing", lambda h: h["state"].pop("bank")),
    ("state: tokens and bank must make 48 together, not 47", lambda h: h["state"].update(bank=47)),
    ("state: it must be a mapping, not None", lambda h: h.update(state=None)),
    ("the seed gives another first state: yarns is ", lambda h: h["state"]["yarns"].reverse()),
]

STEP: list[tuple[str, Change]] = [
    ("seat is 4, but it is the turn of player ", lambda s: s.update(seat=4)),
    ("seat is None, but it is the turn of player ", lambda s: s.update(seat=None)),
    ("seat is '0', but it is the turn of player ", lambda s: s.update(seat="0")),
    ("must have the keys seat, action", lambda s: s.pop("seat")),
    ("must have the keys seat, action", lambda s: s.pop("action")),
    ("must have the keys seat, action", lambda s: s.update(note="x")),
    ("action must be an object, not 3", lambda s: s.update(action=3)),
    ("action must be an object, not ['roll']", lambda s: s.update(action=["roll"])),
    ("there is no kind 'rol' (did you mean 'roll'?)", lambda s: s["action"].update(kind="rol")),
    ("there is no kind None", lambda s: s["action"].pop("kind")),
    ("has the keys kind", lambda s: s["action"].update(extra=1)),
    ("illegal action", lambda s: s.update(action={"kind": "steal_card", "seat": 7})),
    ("state: turn is missing", lambda s: s["state"].pop("turn")),
    ("state: tokens and bank must make 48 together, not ", lambda s: s["state"].update(bank=s["state"]["bank"] + 1)),
    ("does not lead to this state: yarns is ", lambda s: s["state"]["yarns"].reverse()),
    ("does not lead to this state: actions is ", lambda s: s["state"].update(actions=s["state"]["actions"] + 1)),
    ("state: it must be a mapping, not 'x'", lambda s: s.update(state="x")),
]

RESULT: list[tuple[str, Change]] = [
    ("the closing line is not what was played: winner is None", lambda r: r.update(winner=None)),
    ("the closing line is not what was played: points is ", lambda r: r["points"].reverse()),
    ("the closing line is not what was played: points is [True,", lambda r: r.update(points=[True, *r["points"][1:]])),
    ("the closing line is not what was played: points is ", lambda r: r.update(points=[float(p) for p in r["points"]])),
    ("the closing line is not what was played: turns is ", lambda r: r.update(turns=r["turns"] + 1)),
    ("the closing line is not what was played: actions is ", lambda r: r.update(actions=float(r["actions"]))),
    ("the closing line is not what was played: truncated is 0", lambda r: r.update(truncated=0)),
    ("must have the keys winner, points, turns, actions, truncated, not ", lambda r: r.pop("turns")),
    ("must have the keys winner, points, turns, actions, truncated, not ", lambda r: r.update(extra=1)),
]


def doctored(lines: list[Json], place: int, change: Change) -> list[Json]:
    """The lines with one of them changed."""
    changed = json.loads(json.dumps(lines))
    change(changed[place])
    return changed  # type: ignore[no-any-return]


def test_doctored_headers(lines: list[Json], tmp_path: Path) -> None:
    for message, change in HEADER:
        error = fault(tmp_path / "lie.jsonl", as_bytes(doctored(lines, 0, change)))
        assert message in str(error)
        assert error.line == 1


@pytest.mark.parametrize("number", range(len(STEP)))
def test_doctored_steps(number: int, lines: list[Json], tmp_path: Path) -> None:
    message, change = STEP[number]
    for place in range(1, len(lines) - 2, 8):
        assert fault(tmp_path / "lie.jsonl", as_bytes(doctored(lines, place, change))).line == place + 1
    place = next(place for place, line in enumerate(lines) if line.get("action") == {"kind": "roll"})
    assert message in str(fault(tmp_path / "lie.jsonl", as_bytes(doctored(lines, place, change))))


def test_doctored_results(lines: list[Json], tmp_path: Path) -> None:
    for message, change in RESULT:
        error = fault(tmp_path / "lie.jsonl", as_bytes(doctored(lines, -1, change)))
        assert message in str(error)
        assert error.line == len(lines)


def test_lines_left_out_doubled_or_added(lines: list[Json], tmp_path: Path) -> None:
    path = tmp_path / "lie.jsonl"
    for place in range(1, len(lines) - 1, 4):
        assert fault(path, as_bytes(lines[:place] + lines[place + 1 :])).line == place + 1
        assert fault(path, as_bytes(lines[: place + 1] + lines[place:])).line == place + 2
        closed = fault(path, as_bytes([*lines[:place], lines[-1]]))
        assert (closed.line, "comes before the game is over" in str(closed)) == (place + 1, True)
    for extra in (lines[-1], lines[-2], {}):
        error = fault(path, as_bytes([*lines, extra]))
        assert (error.line, "nothing may follow the closing line" in str(error)) == (len(lines) + 1, True)
    assert fault(path, as_bytes(lines) + b"\n").line == len(lines) + 1


def test_lines_that_are_no_objects(lines: list[Json], tmp_path: Path) -> None:
    raw = as_bytes(lines).splitlines(keepends=True)
    cases = [(b"[]\n", "must be an object, not []"), (b"\n", "is not JSON: "), (b"\xff\xfe\n", "is not UTF-8 text")]
    cases += [(b"[" * 100_000 + b"\n", "is not JSON: "), (b"{" + b"1" * 5000 + b"}\n", "is not JSON: ")]
    cases += [(b'{"a": ' + b"1" * 5000 + b"}\n", "is not JSON: Exceeds the limit"), (b"null\n", "not None")]
    for place in (0, 1, len(raw) // 2, len(raw) - 1):
        for bad, message in cases:
            error = fault(tmp_path / "lie.jsonl", b"".join([*raw[:place], bad, *raw[place + 1 :]]))
            assert message in str(error)
            assert error.line == place + 1
        key = next(iter(lines[place])).encode()
        twice = raw[place].replace(b"{", b'{"' + key + b'": 1, ', 1)
        error = fault(tmp_path / "lie.jsonl", b"".join([*raw[:place], twice, *raw[place + 1 :]]))
        assert f"the key {key.decode()!r} stands twice" in str(error)
        assert error.line == place + 1


def test_a_step_to_a_state_of_fewer_players(lines: list[Json], tmp_path: Path) -> None:
    other = Game(SHORT, 2, seed=1)
    for place in range(1, len(lines) - 1):
        lie = doctored(lines, place, lambda step: step.update(state=other.to_dict()))
        error = fault(tmp_path / "lie.jsonl", as_bytes(lie))
        assert "players is 2, but 3 play" in str(error)
        assert error.line == place + 1


def test_chance_that_cannot_be(tmp_path: Path) -> None:
    """The starter did not roll highest: a lie no single state shows."""
    game = next(game for game in (Game(SHORT, 2, seed) for seed in range(99)) if game.record.number == 1)
    path = tmp_path / "game.jsonl"
    with Recorder(path, game) as recorder:
        while game.phase == "place":
            recorder.play(game.legal_indices()[0])
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    after = lines[2]["state"]
    assert after["player"] == 1
    assert after["placing_rolls"][1] > 1
    lines[0]["seed"] = None
    assert fault(path, as_bytes(lines)).line == 4
    for key in ("tokens", "points", "victory_cards", "action_hands", "design_hands"):
        after[key].reverse()
    after["player"] = 0
    error = fault(path, as_bytes(lines))
    assert (error.line, "player 0 starts, but did not roll highest: " in str(error)) == (3, True)


# --- Compact records, other engines ------------------------------------------------------------------


def compacted(lines: list[Json]) -> list[Json]:
    """The lines without the states of the steps."""
    return [lines[0], *({"seat": line["seat"], "action": line["action"]} for line in lines[1:-1]), lines[-1]]


def test_compact_records_that_lie(lines: list[Json], tmp_path: Path) -> None:
    path = tmp_path / "lie.jsonl"
    compact = compacted(lines)
    path.write_bytes(as_bytes(compact))
    assert [step.game.to_dict() for step in replay(path)] == [line["state"] for line in lines[1:-1]]
    for place in range(1, len(compact) - 1, 3):
        lie = doctored(compact, place, lambda step: step.update(action={"kind": "place", "square": 99}))
        error = fault(path, as_bytes(lie))
        assert (error.line, "illegal action" in str(error)) == (place + 1, True)
        if place > 1:
            assert fault(path, as_bytes([*compact[:place], lines[place], *compact[place + 1 :]])).line == place + 1
    error = fault(path, as_bytes(doctored(compact, 0, lambda header: header.update(seed=None))))
    assert (error.line, "a record without states needs a seed" in str(error)) == (2, True)
    assert fault(path, as_bytes(doctored(compact, -1, lambda result: result.update(turns=0)))).line == len(compact)


def test_the_note_on_other_engines(lines: list[Json], tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    note = f"(the record was written by engine '9.9'; this is {__version__})"

    def elsewhere(header: Json) -> None:
        header.update(engine="9.9", seed=12)

    error = fault(path, as_bytes(doctored(compacted(lines), 0, elsewhere)))
    assert (error.line, "the seed gives another first state: " in str(error), note in str(error)) == (1, True, True)
    other = doctored(compacted(lines), 0, lambda header: header.update(engine="9.9"))
    path.write_bytes(as_bytes(other))
    assert read_record(path).engine == "9.9"
    for place in (3, len(other) - 1):
        lie = {"seat": lines[3]["seat"], "action": {"kind": "tax", "x": 1}} if place == 3 else {**lines[-1], "turns": 0}
        assert note in str(fault(path, as_bytes([*other[:place], lie, *other[place + 1 :]])))
    path.write_bytes(as_bytes(doctored(lines, 0, elsewhere)))
    record = read_record(path)
    assert (record.seed, record.first.seed) == (12, None)
    assert record.steps[-1].game.to_dict() == lines[-2]["state"]


def test_a_record_replays_without_its_seed(lines: list[Json], tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(as_bytes(doctored(lines, 0, lambda header: header.update(seed=None))))
    assert [step.game.to_dict() for step in replay(tmp_path / "game.jsonl")] == [line["state"] for line in lines[1:-1]]
    (tmp_path / "game.jsonl").write_bytes(as_bytes(lines)[:-1])  # the last line's end is no part of it
    assert len(read_record(tmp_path / "game.jsonl").steps) == len(lines) - 2


def test_a_seed_belongs_to_a_first_state(lines: list[Json], tmp_path: Path) -> None:
    late = doctored(lines, 0, lambda header: header.update(state=lines[4]["state"]))
    error = fault(tmp_path / "late.jsonl", as_bytes([late[0], *lines[5:]]))
    assert (error.line, "state is not the first state of a game, but a seed is given" in str(error)) == (1, True)
    late[0]["seed"] = None
    (tmp_path / "late.jsonl").write_bytes(as_bytes([late[0], *lines[5:]]))
    assert len(read_record(tmp_path / "late.jsonl").steps) == len(lines) - 6


def test_an_unfinished_record_is_gone_on_with_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Recorder(path, Game(Rules(), 2, 3), compact=True) as recorder:
        for _ in range(6):
            recorder.play(recorder.game.legal_indices()[0])
    with pytest.raises(RecordError, match="breaks off"):
        read_record(path)
    record = read_record(path, unfinished=True)
    assert record.fault is not None
    assert (len(record.steps), record.result, record.compact) == (6, {}, True)
    whole = path.read_bytes()
    with Recorder.going_on(path, record) as recorder:
        before = recorder.game.copy()
        recorder.play(recorder.game.legal_indices()[0])
        assert path.read_bytes() != whole
        recorder.take_back(before)
        assert path.read_bytes() == whole
        while not recorder.game.over:
            recorder.play(recorder.game.legal_indices()[-1])
        with pytest.raises(EttanaError, match="no action to take back"):
            recorder.take_back(before)
    finished = read_record(path)
    assert finished.steps[-1].game.over
    with pytest.raises(EttanaError, match="nothing to go on with"):
        Recorder.going_on(path, finished)
