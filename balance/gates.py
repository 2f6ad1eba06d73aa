"""Gates: what a designer demands of the figures, checked by a program.

```yaml
start_advantage: within 3 points      # for every number of players
turns@4: from 15 to 40                # for four players alone
truncated: at most 0.1%
last_won: at least 5%
```

A gate fails if the figure is clearly on the wrong side: its interval, widened (Holm) for the number of gates looked at,
lies beyond the limit. If only the estimate is beyond, the gate is open: more games would tell.
"""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from balance.definitions import BY_KEY, NUMBER, POINTS, in_words, limits_in_words
from balance.lab import Lab
from balance.statistics import Z, holm
from ettana_env.designs import read_yaml
from ettana_env.errors import EttanaError
from ettana_env.validation import did_you_mean, shown

PASSED, OPEN, FAILED = "passed", "open", "failed"

_NUMBER = r"([+-]?\d+(?:\.\d+)?)\s*(%|points?|)"
FORMS = {
    "within": re.compile(rf"within {_NUMBER}$"),
    "at most": re.compile(rf"at most {_NUMBER}$"),
    "at least": re.compile(rf"at least {_NUMBER}$"),
    "from": re.compile(rf"from {_NUMBER} to {_NUMBER}$"),
}


class Gate(NamedTuple):
    """One demand: a figure, for one number of players or all, between two limits."""

    key: str
    players: int | None
    low: float
    high: float
    text: str


class Judged(NamedTuple):
    """What came of a gate."""

    gate: str
    players: int
    level: str
    result: str
    value: float
    low: float
    high: float
    p: float
    text: str

    @property
    def mark(self) -> str:
        """How the report marks it."""
        return {PASSED: "fine", OPEN: "note", FAILED: "look"}[self.result]


def load_gates(path: str | Path) -> list[Gate]:
    """The gates of a YAML file; an error names the file and the line's key."""
    data = read_yaml(path)
    if not isinstance(data, dict) or not data:
        raise EttanaError(f"{path}: must be a mapping of figures to limits, not {shown(data)}")
    return [_read(str(path), key, value) for key, value in data.items()]


def _read(path: str, name: object, value: object) -> Gate:
    key, _, count = str(name).partition("@")
    if key not in BY_KEY:
        raise EttanaError(f"{path}: there is no figure {shown(key)}{did_you_mean(key, BY_KEY)}")
    if count not in ("", "2", "3", "4"):
        raise EttanaError(f"{path}: {name} must be for @2, @3 or @4 players, not @{count}")
    words = " ".join(str(value).split())
    unit = BY_KEY[key].unit
    for form, pattern in FORMS.items():
        if found := pattern.match(words):
            limits = [
                _limit(path, str(name), number, sign, unit)
                for number, sign in zip(found.groups()[::2], found.groups()[1::2], strict=True)
            ]
            low, high = {
                "within": (-abs(limits[0]), abs(limits[0])),
                "at most": (-math.inf, limits[0]),
                "at least": (limits[0], math.inf),
                "from": (limits[0], limits[-1]),
            }[form]
            if low > high:
                raise EttanaError(f"{path}: {name}: the first limit must not be above the second: {words}")
            return Gate(key, int(count) if count else None, low, high, words)
    raise EttanaError(
        f"{path}: {name} must be “within X”, “at most X”, “at least X” or “from X to Y”, not {shown(value)}"
    )


def _limit(path: str, name: str, number: str, sign: str, unit: str) -> float:
    if unit == NUMBER:
        if sign:
            raise EttanaError(f"{path}: {name} is a plain number, with neither % nor points")
        return float(number)
    if not sign:
        raise EttanaError(f"{path}: {name} is a share: write {number}% or {number} points")
    return float(number) / 100


def check_gates(gates: list[Gate], players: Sequence[int]) -> None:
    """Refuse gates for numbers of players that are not to be measured."""
    for gate in gates:
        if gate.players is not None and gate.players not in players:
            counts = ", ".join(map(str, players))
            raise EttanaError(f"--gate: {gate.key}@{gate.players} is for {gate.players} players; {counts} are to play")


def judge(gates: list[Gate], lab: Lab) -> list[Judged]:
    """What comes of every gate, for each number of players and the main agent; what was not measured is not passed."""
    cases: list[tuple[Gate, int, Any]] = [
        (gate, players, lab.value(gate.key, players))
        for gate in gates
        for players in (lab.players if gate.players is None else (gate.players,))
    ]
    nothing = [(gate, players) for gate, players, row in cases if row is None or row["n"] == 0]
    cases = [case for case in cases if case[:2] not in nothing]
    seen = {gate for gate, _, _ in cases}
    beyond = [_beyond(gate, row) for gate, _, row in cases]
    adjusted = holm(np.array([p for _, p in beyond]))
    found = [
        _judged(gate, players, lab.main, row, outside, float(p))
        for (gate, players, row), (outside, _), p in zip(cases, beyond, adjusted, strict=True)
    ]
    # A figure may be nothing for two players, such as kingmaking; but what was measured for nobody is not passed.
    return found + [_unmeasured(gate, players, lab.main) for gate, players in nothing if gate not in seen]


def _unmeasured(gate: Gate, players: int, level: str) -> Judged:
    text = f"{gate.key} with {players} players must be {gate.text}; nothing was measured of it: failed."
    return Judged(gate.key, players, level, FAILED, math.nan, math.nan, math.nan, math.nan, text)


def _beyond(gate: Gate, row: Any) -> tuple[bool, float]:
    """Is the estimate beyond a limit, and how likely is that if the truth is not?"""
    value = row["value"]
    error = max(row["high"] - value, value - row["low"]) / Z  # one side may be cut at nought
    distance = max(gate.low - value, value - gate.high)
    if distance <= 0:
        return False, 1.0
    return True, float(norm.sf(distance / error)) if error > 0 else 0.0  # all games alike: no error


def _judged(gate: Gate, players: int, level: str, row: Any, outside: bool, p: float) -> Judged:
    unit = BY_KEY[gate.key].unit
    result = PASSED if not outside else FAILED if p < 0.05 else OPEN
    word = " points" if unit == POINTS else ""
    found = f"{in_words(row['value'], unit)}{word} {limits_in_words(row['low'], row['high'], unit)}"
    ending = {
        PASSED: "passed",
        OPEN: "open: beyond the limit, but not clearly; more games would tell",
        FAILED: "failed",
    }[result]
    text = f"{gate.key} with {players} players must be {gate.text}; it is {found}, n = {int(row['n']):,}: {ending}."
    return Judged(gate.key, players, level, result, row["value"], row["low"], row["high"], p, text)
