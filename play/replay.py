"""A played game made ready to watch: what happened in words, how the chances to win went, and what turned the game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.phrases import phrase
from ettana_env.records import Record
from ettana_env.states import Json, seen_by
from play.odds import Judge, Judgement
from play.page import facts, in_script, static
from play.telling import LETTERS, told

LEAST = 0.10
"""A chance to win must change by so much for it to be called a turning point."""
MOST = 5
"""So many turning points are named at most: the greatest."""


@dataclass(frozen=True)
class TurningPoint:
    """A seat's chance to win changed much between two moments at which it can be told.

    Moments are counted in actions played. `step` is the action in between that did it, as far as one can say: the last
    claim, or else the last action that is no roll and does not just end the turn.
    """

    seat: int
    start: int
    end: int
    before: float
    after: float
    step: int


class Watched:
    """A record with the table at every moment (moment n is after n actions) and a judge's word on it."""

    def __init__(self, record: Record, judge: Judge) -> None:
        """Work everything out; the record may break off."""
        self.record, self.about = record, judge.about
        games = [record.first, *(step.game for step in record.steps)]
        self.states = [game.to_dict() for game in games]
        taken: list[int | None] = [game.index_of(step.action) for game, step in zip(games, record.steps, strict=False)]
        self.judgements: list[Judgement] = judge.judge(games, taken=[*taken, None])
        kinds = [step.action["kind"] for step in record.steps]
        self.turning_points = turning_points([one.chances for one in self.judgements], kinds)

    def text(self, n: int, viewer: int | None = None) -> str:
        """What action n (from 1) was, told to a seat, or to one who sees everything."""
        before, after = self.states[n - 1], self.states[n]
        if viewer is not None:
            before, after = seen_by(before, viewer), seen_by(after, viewer)
        return told(before, self.record.steps[n - 1].action, after)


def turning_points(chances: Sequence[Sequence[float | None]], kinds: Sequence[str]) -> list[TurningPoint]:
    """The greatest changes of any seat's chance, in the order of the game; one at most for one stretch of it.

    `chances` are by moment and seat, `kinds` those of the actions between the moments.
    """

    def cause(start: int, end: int) -> int:
        telling = [n for n in range(start + 1, end + 1) if kinds[n - 1] == "claim"]
        telling = telling or [n for n in range(start + 1, end + 1) if kinds[n - 1] not in ("roll", "end_turn")]
        return telling[-1] if telling else end

    found = []
    for seat in range(len(chances[0])):
        known = [(n, value) for n, moment in enumerate(chances) if (value := moment[seat]) is not None]
        for (start, before), (end, after) in pairwise(known):
            if abs(after - before) >= LEAST:
                found.append(TurningPoint(seat, start, end, before, after, cause(start, end)))
    kept: list[TurningPoint] = []
    for point in sorted(found, key=lambda one: -abs(one.after - one.before)):
        if len(kept) < MOST and all(point.end <= other.start or other.end <= point.start for other in kept):
            kept.append(point)
    return sorted(kept, key=lambda one: one.end)


def as_lines(watched: Watched, viewer: int | None = None) -> Iterator[str]:
    """The game as text, a line an action, told to a seat or to one who sees everything."""
    record, states = watched.record, watched.states
    seed = "" if record.seed is None else f", seed {record.seed}"
    yield f"rules {record.rules.name}, {record.players} players{seed}, engine {record.engine}"
    yield "   ".join(f"{LETTERS[seat]} {name}" for seat, name in enumerate(record.names))
    shown = None
    for n, step in enumerate(record.steps, start=1):
        before = states[n - 1]
        heading = (
            "placing"
            if before["phase"] == "place"
            else f"turn {before['turn'] + 1}: {LETTERS[step.seat]} {record.names[step.seat]}"
        )
        if heading != shown:
            points = "-".join(map(str, before["points"]))
            yield ""
            yield (
                heading
                if heading == "placing"
                else f"{heading}   points {points}{_odds(watched.judgements[n - 1], viewer)}"
            )
            shown = heading
        mark = f"{LETTERS[step.seat]} " if before["phase"] == "place" else ""
        yield f"  {mark}{watched.text(n, viewer)}"
    yield ""
    yield ending(record)
    for point in watched.turning_points:
        if viewer in (None, point.seat):
            turn = states[point.step - 1]["turn"] + 1
            yield (
                f"turning point in turn {turn}: {LETTERS[point.seat]} {point.before:.0%} → {point.after:.0%} "
                f"({LETTERS[record.steps[point.step - 1].seat]} {watched.text(point.step, viewer)})"
            )
    if any(value is not None for one in watched.judgements for value in one.chances):
        yield f"chances to win by {watched.about}"


def _odds(judgement: Judgement, viewer: int | None) -> str:
    told_to = [
        f"{LETTERS[seat]} {value:.0%}"
        for seat, value in enumerate(judgement.chances)
        if value is not None and viewer in (None, seat)
    ]
    return f"   to win {', '.join(told_to)}" if told_to else ""


def ending(record: Record) -> str:
    """How the game ended, or that it has not, in a line."""
    if not record.result:
        return f"the record breaks off after {len(record.steps)} actions"
    after = f"after {record.result['turns']} turns and {record.result['actions']} actions"
    points = ", ".join(f"{LETTERS[seat]} {points}" for seat, points in enumerate(record.result["points"]))
    winner = record.result["winner"]
    if winner is None:
        return f"cut off by a limit {after}; points: {points}"
    return f"{LETTERS[winner]} {record.names[winner]} has won {after}; points: {points}"


def summary(watched: Watched) -> Json:
    """The game as one JSON object: who, how it ended, every action in words, the chances and the turning points."""
    record = watched.record
    return {
        "rules": record.rules.name,
        "players": record.players,
        "seed": record.seed,
        "names": record.names,
        "result": record.result or None,
        "judge": watched.about,
        "turning_points": [vars(point) for point in watched.turning_points],
        "steps": [
            {
                "seat": step.seat,
                "turn": watched.states[n - 1]["turn"],
                "action": step.action,
                "words": watched.text(n),
                **_judged(watched.judgements[n - 1]),
            }
            for n, step in enumerate(record.steps, start=1)
        ],
    }


def _judged(judgement: Judgement) -> Json:
    found: Json = {}
    if any(value is not None for value in judgement.chances):
        found["chances"] = [None if value is None else round(value, 4) for value in judgement.chances]
    if judgement.choices:
        found["choices"] = [[phrase(choice.action), round(choice.chance, 4)] for choice in judgement.choices]
        found["taken"] = None if judgement.taken is None else round(judgement.taken, 4)
    return found


def as_html(watched: Watched, title: str) -> str:
    """The game as one page that needs nothing else: no server, no network."""
    record = watched.record
    steps = []
    for n, step in enumerate(record.steps, start=1):
        text = watched.text(n)
        told_to = [watched.text(n, seat) for seat in range(record.players)]
        before, after = _slim(watched.states[n - 1]), _slim(watched.states[n])
        line: Json = {
            "seat": step.seat,
            "action": step.action,
            "words": phrase(step.action),
            "text": text,
            "change": {key: value for key, value in after.items() if value != before[key]},
        }
        steps.append(line | ({"told": told_to} if set(told_to) != {text} else {}))
    data = {
        **facts(record.rules, record.names),
        "title": title,
        "first": _slim(watched.states[0]),
        "steps": steps,
        "judged": [_judged(one) for one in watched.judgements],
        "judge": watched.about,
        "turning_points": [vars(point) for point in watched.turning_points],
        "ending": ending(record),
        "fault": None if record.fault is None else str(record.fault),
    }
    page = static("replay.html")
    for mark, content in (
        ("{{style}}", static("style.css") + static("replay.css")),
        ("{{board}}", static("board.js")),
        ("{{replay}}", static("replay.js")),
        ("{{data}}", in_script(data)),  # the last: what it holds is nobody's mark
    ):
        page = page.replace(mark, content, 1)
    return page


def _slim(state: Json) -> Json:
    """A state with the stacks as numbers: their order is nobody's to see, and long."""
    return state | {key: len(state[key]) for key in ("action_stack", "design_stack")}
