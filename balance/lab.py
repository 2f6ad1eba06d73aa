"""A whole study: games of several numbers of players and levels of skill, and every figure made of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pandas as pd

from agents.arena import Progress
from balance.counts import actions_of, board_of, branching_of, endings_of, tokens_of
from balance.course import curves
from balance.definitions import BY_KEY
from balance.effects import cards_and_designs
from balance.games import table_of
from balance.measures import COLUMNS, as_rows, estimates_of, seat_shares
from balance.simulate import Meddle, Played, simulate
from balance.skill import levels_there_are, steps_between
from balance.styles import pairs, style_rows
from balance.winning import calibration, chances_of
from ettana_env import Rules
from ettana_env.difficulty import Difficulty, measure
from ettana_env.errors import EttanaError
from ettana_env.game import check_rules
from ettana_env.opponents import known, opponent
from ettana_env.validation import shown

PART, FEWEST = 10, 200
"""Other levels than those asked for, and the ladder, get a tenth of the games, and at least so many."""
PART_OF_STYLES, FEWEST_OF_STYLES = 50, 60
"""And so a pairing of styles."""
BOARDS = 4000
"""Random boards on which the difficulty of designs is measured."""

TABLES = ("cards", "designs", "actions", "tokens", "board", "endings", "branching", "curves", "calibration")
"""What a study has a table of beside the figures, the games and the seats, all with players and level."""


@dataclass
class Lab:
    """A study: `measures` has every figure, `games` one row a game, `tables` the rest by name; all are data frames."""

    rules: Rules
    players: tuple[int, ...]
    agents: tuple[str, ...]
    """Who was asked for; the first is the one most of the report is about."""
    levels: tuple[str, ...]
    """All who were measured, the weakest first."""
    wanted: int
    """Games asked for, for each number of players and agent."""
    seed: int
    measures: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=COLUMNS))
    games: pd.DataFrame = field(default_factory=pd.DataFrame)
    seats: pd.DataFrame = field(default_factory=pd.DataFrame)
    ladder: pd.DataFrame = field(default_factory=pd.DataFrame)
    styles: pd.DataFrame = field(default_factory=pd.DataFrame)
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    surprise: dict[tuple[int, str], tuple[float, float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What a reader must know: what was left out and why."""
    complete: bool = True
    """False if it was interrupted."""

    @property
    def main(self) -> str:
        """The agent most of the report is about."""
        return self.agents[0]

    def value(self, key: str, players: int, level: str | None = None) -> Any:
        """One figure as a row (value, low, high, n), or None if there is none."""
        table = self.measures
        found = table[(table["key"] == key) & (table["players"] == players) & (table["level"] == (level or self.main))]
        return found.iloc[0] if len(found) else None

    def table(self, name: str, players: int | None = None, level: str | None = None) -> pd.DataFrame:
        """A table of one number of players and a level, the main one unless another is named."""
        table = self.tables.get(name, pd.DataFrame())
        if not len(table):
            return table
        table = table[table["level"] == (level or self.main)]
        return table if players is None else table[table["players"] == players]


def study(
    rules: Rules | None = None,
    players: Sequence[int] = (4,),
    agents: Sequence[str] = ("planner",),
    games: int = 2000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
    levels: bool = True,
    styles: bool = True,
    meddle: Meddle | None = None,
) -> Lab:
    """Simulate and measure everything.

    Each of `agents` plays `games` games with itself for each number of `players`. With `levels` the other agents of
    the ladder (greedy, planner and the trained ppo; random, if there is no ppo for this board) play a tenth of that,
    and neighbours on the ladder meet; with `styles` the planner's styles of play meet. The same seed gives the same
    study on any number of workers. An interrupt (Ctrl-C) keeps what is finished.
    """
    rules = check_rules(rules)
    counts = tuple(rules.check_players(number) for number in dict.fromkeys(players))
    asked = tuple(dict.fromkeys(agents))
    if not counts or not asked:
        raise EttanaError("a study needs a number of players and an agent")
    if type(games) is not int or games < 2:
        raise EttanaError(f"games must be a whole number from 2 up, not {shown(games)}")
    for spec in asked:
        opponent(spec)
    everyone = levels_there_are(asked, rules) if levels else asked
    lab = Lab(rules, counts, asked, everyone, games, seed)
    fewer = min(games, max(FEWEST, games // PART))
    each = min(games, max(FEWEST_OF_STYLES, games // PART_OF_STYLES))
    rest = [spec for spec in everyone if spec not in asked]
    rungs = list(zip(everyone[1:], everyone[:-1], strict=True)) if levels else []
    meetings = len(pairs()) if styles and "planner" in known() else 0
    bar = _Bar(progress, len(counts) * (games * len(asked) + fewer * (len(rest) + len(rungs)) + each * meetings))
    try:
        _measure_all(lab, games, fewer, rest, workers, bar, meddle)
        _climb(lab, rungs, fewer, workers, bar)
        if meetings:
            _meet(lab, each, workers, bar)
    except _Enough:
        lab.complete = False
    except KeyboardInterrupt:  # while measuring, not while playing
        lab.complete = False
        lab.notes.append("Interrupted: what would have followed is missing.")
    if len(lab.games):
        lab.seats = seat_shares(lab.games)
    return lab


class _Enough(Exception):  # noqa: N818 - no error: the study ends early
    """An interrupt: what is finished is kept, nothing more is begun."""


class _Bar:
    """One bar for all parts of a study."""

    def __init__(self, told: Progress | None, total: int) -> None:
        self._told, self._total, self._before = told, total, 0

    def part(self, size: int) -> Progress | None:
        """The progress of a part of so many games."""
        before = self._before
        self._before += size
        told = self._told
        if told is None:
            return None
        return lambda done, _: told(min(before + done, self._total), self._total)


def _measure_all(
    lab: Lab, games: int, fewer: int, rest: list[str], workers: int, bar: _Bar, meddle: Meddle | None
) -> None:
    collected: dict[str, list[pd.DataFrame]] = {name: [] for name in TABLES}
    rows: list[dict[str, Any]] = []
    tables: list[pd.DataFrame] = []
    try:
        for players in lab.players:
            for level in (*lab.agents, *rest):
                wanted = games if level in lab.agents else fewer
                played = simulate([level], lab.rules, players, wanted, lab.seed, workers, bar.part(wanted), meddle)
                lab.faults += played.faults
                if played.games:
                    _take_in(lab, played, level, collected, rows, tables)
                if not played.complete:
                    lab.notes.append(_interrupted(played, level, wanted))
                    raise _Enough
    finally:
        lab.measures = pd.DataFrame(rows, columns=COLUMNS)
        if tables:
            lab.games = pd.concat(tables, ignore_index=True)
        lab.tables = {name: pd.concat(parts, ignore_index=True) for name, parts in collected.items() if parts}


def _interrupted(played: Played, level: str, wanted: int) -> str:
    text = (
        f"Interrupted: of {wanted:,} {played.players}-player games of {level} there are {played.games:,}, "
        "and what would have followed is missing."
    )
    if played.hurried:
        text += " They are the first to finish of those begun, so short games are too many among them."
    return text


def _take_in(
    lab: Lab,
    played: Played,
    level: str,
    collected: dict[str, list[pd.DataFrame]],
    rows: list[dict[str, Any]],
    tables: list[pd.DataFrame],
) -> None:
    players = played.players
    chances = chances_of(played)
    games = table_of(played, chances, level)
    tables.append(games)
    rows += as_rows(estimates_of(games, players), players, level)
    lab.surprise[players, level] = (chances.surprise, chances.know_nothing)
    cards, designs = cards_and_designs(played)
    found: dict[str, Callable[[], pd.DataFrame]] = {
        "cards": lambda: cards,
        "designs": lambda: with_difficulty(designs, lab.rules, lab.seed),
        "actions": lambda: actions_of(played),
        "tokens": lambda: tokens_of(played),
        "board": lambda: board_of(played),
        "endings": lambda: endings_of(played),
        "branching": lambda: branching_of(played),
        "curves": lambda: curves(played, chances),
        "calibration": lambda: calibration(chances),
    }
    for name, make in found.items():
        table = make()
        table.insert(0, "players", players)
        table.insert(1, "level", level)
        collected[name].append(table)


@lru_cache(maxsize=16)
def _difficulties(rules: Rules, seed: int) -> dict[str, Difficulty]:
    return {one.design.name: one for one in measure(rules, BOARDS, seed)}


def with_difficulty(designs: pd.DataFrame, rules: Rules, seed: int) -> pd.DataFrame:
    """The table of designs with their points and measured difficulty."""
    measured = _difficulties(rules, seed)
    found = designs.copy()
    found["points"] = [measured[name].design.points for name in found["name"]]
    found["swaps"] = [measured[name].mean if measured[name].possible else float("nan") for name in found["name"]]
    found["ready"] = [measured[name].ready[0] if measured[name].possible else 0.0 for name in found["name"]]
    return found


def _climb(lab: Lab, rungs: list[tuple[str, str]], games: int, workers: int, bar: _Bar) -> None:
    rows: list[dict[str, Any]] = []
    complete = True
    for players in lab.players if rungs else ():
        told = bar.part(games * len(rungs))
        steps, complete = steps_between(rungs, lab.rules, players, games, lab.seed, workers, told)
        if not complete:
            lab.notes.append("Interrupted: the ladder of skill is not complete.")
            break
        for step in steps:
            for key, figure in (("step_up", step.wins), ("luck", step.split.luck), ("skill", step.split.skill)):
                rows.append({"players": players, "upper": step.upper, "lower": step.lower, "key": key})
                rows[-1] |= figure._asdict()
    lab.ladder = pd.DataFrame(rows)
    if rows:
        more = lab.ladder.assign(level=lab.ladder["upper"], theme=[BY_KEY[key].theme for key in lab.ladder["key"]])
        lab.measures = pd.concat([lab.measures, more[COLUMNS]], ignore_index=True)
    if not complete:
        raise _Enough


def _meet(lab: Lab, games: int, workers: int, bar: _Bar) -> None:
    rows: list[dict[str, object]] = []
    for players in lab.players:
        some, complete = style_rows(lab.rules, players, games, lab.seed, workers, bar.part(games * len(pairs())))
        if not complete:
            lab.notes.append("Interrupted: the styles of play are not complete.")
            break
        rows += some
    lab.styles = pd.DataFrame(rows)
