"""Played games as JSON Lines: written while playing, read back with every step checked."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedRandom
from os import SEEK_END
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ettana_env.errors import EttanaError, IllegalAction, RecordError
from ettana_env.game import MAX_SEED, Game
from ettana_env.rules import Rules
from ettana_env.states import Json, read_state
from ettana_env.validation import shown
from ettana_env.version import __version__
from ettana_env.vocabulary import CARD_OF, DIE_COLOURS, FACES, KINDS, NONE

FORMAT = "ettana-record/1"
HEADER_KEYS = ("format", "rules", "players", "seed", "engine", "names", "state")
RESULT_KEYS = ("winner", "points", "turns", "actions", "truncated")


def result_of(game: Game) -> Json:
    """The closing line of a game's record."""
    g = game.record
    return {
        "winner": game.winner,
        "points": [int(points) for points in g.points[: game.players]],
        "turns": int(g.turn),
        "actions": int(g.actions),
        "truncated": game.truncated,
    }


def are_names(names: object, players: int) -> bool:
    """Is it a list of texts that can be written, one a seat?"""
    if not isinstance(names, list | tuple) or len(names) != players:
        return False
    return all(isinstance(name, str) and not any("\ud800" <= sign <= "\udfff" for sign in name) for name in names)


class Recorder:
    """Plays a game and writes it down, line by line, so that a cut leaves what was played.

    Use it as a context manager, or call `close`. `compact` leaves the states out of the action lines; they
    are rebuilt from the seed on reading, so it needs a game with a seed, recorded from its first state. An
    existing file is not overwritten.
    """

    def __init__(self, path: str | Path, game: Game, names: Sequence[str] | None = None, compact: bool = False) -> None:
        seed = game.seed if game.record.actions == 0 else None
        if compact and seed is None:
            raise EttanaError("a compact record needs a game with a seed, recorded from its first state")
        if names is None:
            names = [f"player_{seat}" for seat in range(game.players)]
        if not are_names(names, game.players):
            raise EttanaError(f"names must be {game.players} texts, one a seat, not {shown(names)}")
        try:
            self._file: BufferedRandom = Path(path).open("xb+")  # noqa: SIM115 - closed by close()
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or error
            raise EttanaError(f"{path}: cannot write the record: {problem}") from None
        self.game = game
        self._compact = compact
        self._ends: list[int] = []
        self._write(
            {
                "format": FORMAT,
                "rules": game.rules.to_dict(),
                "players": game.players,
                "seed": seed,
                "engine": __version__,
                "names": list(names),
                "state": game.to_dict(),
            }
        )
        self._end_if_over()

    def play(self, action: int | Mapping[str, Any]) -> None:
        """Play an action in the game and write its line; an illegal one raises and writes nothing."""
        if self._file.closed:
            raise EttanaError("the record is closed: nothing more can be written to it")
        index = self.game.index_of(action)
        line: Json = {"seat": self.game.player}
        if index in self.game.legal_indices():
            line["action"] = self.game.action_of(index)
        self.game.play(index if isinstance(action, int) else action)
        if not self._compact:
            line["state"] = self.game.to_dict()
        self._write(line)
        self._end_if_over()

    @classmethod
    def going_on(cls, path: str | Path, record: "Record") -> Self:
        """Go on with a record that breaks off, as `read_record(path, unfinished=True)` gave it."""
        if record.result:
            raise EttanaError(f"{path}: the game is over: there is nothing to go on with")
        recorder = cls.__new__(cls)
        try:
            recorder._file = Path(path).open("r+b")  # noqa: SIM115 - closed by close()
        except OSError as error:
            raise EttanaError(f"{path}: cannot write the record: {error.strerror}") from None
        recorder.game = record.steps[-1].game.copy() if record.steps else record.first.copy()
        recorder._compact, recorder._ends = record.compact, list(record.ends)
        recorder._cut()
        recorder._file.seek(-1, SEEK_END)
        if recorder._file.read() != b"\n":  # the cut took just the end of the line
            recorder._file.write(b"\n")
            recorder._file.flush()
            recorder._ends[-1] += 1
        recorder._end_if_over()
        return recorder

    def take_back(self, before: Game) -> None:
        """Strike out the last action's line; `before` is the game as it was before it, and the one played on with."""
        if len(self._ends) < 2 or self.game.over:
            raise EttanaError("there is no action to take back")
        self._ends.pop()
        self._cut()
        self.game = before

    def close(self) -> None:
        """Close the file; a game that is not over leaves a record that breaks off."""
        self._file.close()

    def _end_if_over(self) -> None:
        if self.game.over:
            self._write(result_of(self.game))

    def _write(self, line: Json) -> None:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        self._file.write(text.encode("utf-8"))
        self._file.flush()
        self._ends.append(self._file.tell())

    def _cut(self) -> None:
        """Leave nothing behind the last line that counts."""
        self._file.truncate(self._ends[-1])
        self._file.seek(self._ends[-1])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass
class Step:
    """One action of a record: who played what, and the game after it (a copy of your own)."""

    seat: int
    action: Json
    game: Game


@dataclass
class Record:
    """A whole record, every step of it checked."""

    rules: Rules
    players: int
    seed: int | None
    engine: str
    names: list[str]
    first: Game
    steps: list[Step] = field(default_factory=list)
    result: Json = field(default_factory=dict)
    """The closing line; empty if the record breaks off."""
    fault: RecordError | None = None
    """Why the rest of the record is missing, if `unfinished` or `faulty` let it pass."""
    compact: bool = False
    ends: list[int] = field(default_factory=list)
    """By line, how many bytes of the file end with it."""


def read_record(path: str | Path, unfinished: bool = False, faulty: bool = False) -> Record:
    """Read a whole record and check it; a RecordError names the line where it breaks off or lies.

    With `unfinished` a record may break off, even in the middle of its last line: what is whole of it is given. With
    `faulty` it may lie as well: what comes before the lie is given. `fault` then says what is wrong.
    """
    reader = _Reader(path)
    record = Record(
        reader.game.rules, reader.game.players, reader.seed, reader.engine, reader.names, reader.game.copy()
    )
    try:
        for step in reader.steps():
            record.steps.append(step)
    except RecordError as fault:
        if not (faulty or (unfinished and reader.cut)):
            raise
        record.fault = fault
    record.result, record.compact = reader.result, reader.compact
    record.ends = reader.ends[: len(record.steps) + 1]
    return record


def replay(path: str | Path) -> Iterator[Step]:
    """The checked steps of a record, one by one; what comes before a fault is still given."""
    yield from _Reader(path).steps()


class _Reader:
    """Reads a record line by line, playing along."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.line = 0
        self.result: Json = {}
        self.cut = False
        self.compact = False
        self.ends: list[int] = []
        self._other_start = ""
        self._lines = self._read_lines()
        self._read_header(next(self._lines, None))

    def _fault(self, message: str) -> RecordError:
        return RecordError(f"{self.path}: line {self.line}: {message}", self.line)

    def _read_lines(self) -> Iterator[Json]:
        try:
            file = Path(self.path).open("rb")  # noqa: SIM115 - closed below
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or error
            raise RecordError(f"{self.path}: cannot be read: {problem}", 0) from None
        with file:
            for number, raw in enumerate(file, start=1):
                self.line = number
                try:
                    line = json.loads(raw.decode("utf-8"), object_pairs_hook=_object)
                except UnicodeDecodeError:
                    raise self._fault("is not UTF-8 text") from None
                except (ValueError, RecursionError) as error:
                    self.cut = not raw.endswith(b"\n")
                    cut = ", the file seems cut here" if self.cut else ""
                    raise self._fault(f"is not JSON{cut}: {error}") from None
                if not isinstance(line, dict):
                    raise self._fault(f"must be an object, not {shown(line)}")
                self.ends.append(len(raw) + (self.ends[-1] if self.ends else 0))
                yield line
        self.line += 1

    def _read_header(self, header: Json | None) -> None:
        if header is None:
            raise self._fault("the record is empty")
        if header.get("format") != FORMAT:
            raise self._fault(f"format must be {FORMAT!r}, not {shown(header.get('format'))}")
        self._check_keys(header, HEADER_KEYS)
        seed, names, engine = header["seed"], header["names"], header["engine"]
        if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
            raise self._fault(f"seed must be a whole number from 0 to 2**63 - 1, or null, not {shown(seed)}")
        if not isinstance(engine, str):
            raise self._fault(f"engine must be text, not {shown(engine)}")
        self.seed, self.engine = seed, engine
        try:
            rules = Rules.from_dict(header["rules"])
            if missing := _missing(header["rules"], rules.to_dict()):
                raise self._fault(f"rules lack {', '.join(missing)}")
            self.game = Game.from_dict(header["state"], rules, seed=0)
        except EttanaError as error:
            raise error if isinstance(error, RecordError) else self._fault(str(error)) from None
        if type(header["players"]) is not int or header["players"] != self.game.players:
            raise self._fault(f"players is {shown(header['players'])}; the state has {self.game.players}")
        if not are_names(names, self.game.players):
            raise self._fault(f"names must be {self.game.players} texts, not {shown(names)}")
        self.names = names
        g = self.game.record
        if seed is not None and (g.actions > 0 or g.turn > 0 or self.game.phase == "act"):
            raise self._fault("state is not the first state of a game, but a seed is given")
        if seed is not None:
            rebuilt = Game(rules, self.game.players, seed)
            if difference := _difference(self.game.to_dict(), rebuilt.to_dict()):
                self._other_start = f"the seed gives another first state: {difference}{self._version_note()}"
                if engine == __version__:
                    raise self._fault(self._other_start)
            else:
                self.game = rebuilt

    def _check_keys(self, line: Json, keys: Sequence[str]) -> None:
        if set(line) != set(keys):
            raise self._fault(f"must have the keys {', '.join(keys)}, not {shown(list(line), 200)}")

    def steps(self) -> Iterator[Step]:
        """The action lines and, checked at the end, the result line."""
        compact: bool | None = None
        for line in self._lines:
            if self.game.over:
                self._check_keys(line, RESULT_KEYS)
                self._check_result(line)
                self.result = line
                for _ in self._lines:
                    raise self._fault("nothing may follow the closing line")
                return
            if "action" not in line and "winner" in line:
                raise self._fault("the closing line comes before the game is over")
            if compact is None:
                compact = "state" not in line
                self.compact = compact
                if compact:
                    self._start_from_seed()
            self._check_keys(line, ("seat", "action") if compact else ("seat", "action", "state"))
            yield self._step(line)
        self.cut = True
        raise self._fault("the record breaks off before the closing line")

    def _start_from_seed(self) -> None:
        if self.seed is None:
            raise self._fault("a record without states needs a seed")
        if self._other_start:
            self.line = 1
            raise self._fault(self._other_start)

    def _version_note(self) -> str:
        if self.engine == __version__:
            return ""
        return f" (the record was written by engine {shown(self.engine)}; this is {__version__})"

    def _step(self, line: Json) -> Step:
        seat = self.game.player
        if type(line["seat"]) is not int or line["seat"] != seat:
            raise self._fault(f"seat is {shown(line['seat'])}, but it is the turn of player {seat}")
        action = line["action"]
        if not isinstance(action, dict):
            raise self._fault(f"action must be an object, not {shown(action)}")
        try:
            if "state" in line:
                self._play_to(action, line["state"])
            else:
                self.game.play(action)
        except IllegalAction as error:
            raise self._fault(f"{error}{self._version_note()}") from None
        return Step(seat, action, self.game.copy())

    def _play_to(self, action: Json, after: object) -> None:
        """Play an action with the chance that the state after it shows, and compare."""
        index = self.game.index_of(action)
        try:
            read_state(self.game.rules, after, 0)
        except EttanaError as error:
            raise self._fault(str(error)) from None
        assert isinstance(after, dict)
        if after["players"] != self.game.players:
            raise self._fault(f"players is {after['players']}, but {self.game.players} play")
        following = self.game.copy()
        following.play(action)
        if following.to_dict() == after:
            self.game = following
            return
        following = self.game.with_fate(fate_of(self.game, action, after))
        following.play(action)
        if difference := _difference(after, following.to_dict()):
            raise self._fault(f"{self.game.action_of(index)} does not lead to this state: {difference}")
        if self.game.phase == "place" and following.phase != "place":
            rolls = after["placing_rolls"]
            if rolls[after["player"]] != max(rolls):
                raise self._fault(f"player {after['player']} starts, but did not roll highest: {rolls}")
        self.game = self.game.after(following)

    def _check_result(self, line: Json) -> None:
        if difference := _difference(line, result_of(self.game)):
            raise self._fault(f"the closing line is not what was played: {difference}{self._version_note()}")


def _object(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        key = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {key!r} stands twice")
    return found


def _difference(given: Json, right: Json) -> str:
    """The first key where two dicts differ, in words; nothing if they are the same."""
    for key, value in right.items():
        if not _same(given[key], value):
            return f"{key} is {shown(given[key])}, but should be {shown(value)}"
    return ""


def _same(given: object, right: object) -> bool:
    """Are they the same JSON? In Python alone, true would equal 1 and 1.0."""
    if isinstance(given, list) and isinstance(right, list):
        return len(given) == len(right) and all(map(_same, given, right))
    return type(given) is type(right) and given == right


def _missing(given: Json, whole: Json) -> list[str]:
    """The keys of `whole`, nested ones too, that `given` lacks."""
    missing = [key for key in whole if key not in given]
    for key, value in whole.items():
        if isinstance(value, dict) and key in given:
            missing += [f"{key}.{part}" for part in value if part not in given[key]]
    return missing


def fate_of(game: Game, action: Json, after: Json) -> Json:
    """What chance must have given for `action` in `game` to lead to the state `after`.

    If nothing can, the fate is one that leads elsewhere, so that a comparison shows the difference.
    """
    before = game.to_dict()
    seat = game.player
    kind = action["kind"]
    fate: Json = {"number": after["dice"]["number"] or 0, "starter": after["player"]}
    fate["colour"] = NONE if after["dice"]["colour"] is None else DIE_COLOURS.index(after["dice"]["colour"])
    if kind == "gain_tokens":
        gained = after["tokens"][seat] > before["tokens"][seat]
        fate["gain"] = FACES if gained else max(action["number"] - 1, 1)
    if kind == "steal_card":
        victim = action["seat"]
        hand = Counter(before["action_hands"][victim])
        lost = hand - Counter(after["action_hands"][victim])
        fate["stolen"] = KINDS.index(next(iter(lost or hand), KINDS[0]))
    pool: Counter[str] = Counter(before["action_discard"])
    if kind in CARD_OF:
        pool[CARD_OF[kind]] += 1
    drawn = list((pool - Counter(after["action_stack"])).elements())
    stack = [*after["action_stack"], *drawn]
    if Counter(stack) != pool:
        stack = list(pool.elements())
    fate["reshuffled"] = [KINDS.index(card) for card in stack]
    return fate
