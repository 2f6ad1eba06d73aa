"""Rules against rules on the same deals: what does a change do?

Every rule set plays the seeds the others play. Boards, dice, shuffles and thefts are drawn from separate streams
keyed by the seed and the moment, so a change of the rules leaves the luck alone that it does not touch; differences
are taken deal by deal.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from agents.arena import Progress
from balance.definitions import DEFINITIONS
from balance.games import table_of
from balance.measures import estimates_of
from balance.simulate import simulate
from balance.statistics import Estimate, holm, paired_difference
from balance.winning import chances_of
from ettana_env import Rules
from ettana_env.errors import EttanaError
from ettana_env.validation import shown

MOST_STEPS = 50
COMPARED = tuple(one for one in DEFINITIONS if one.column)
"""The figures that are a mean over games, and so can be compared deal by deal."""


@dataclass
class Comparison:
    """Several rule sets on the same deals. `differences` is against the first of them."""

    rules: list[Rules]
    names: list[str]
    players: tuple[int, ...]
    agents: tuple[str, ...]
    wanted: int
    seed: int
    setting: str = ""
    """The setting that is swept, if it is a sweep."""
    values: list[Any] = field(default_factory=list)
    """Its values, by rule set."""
    measures: pd.DataFrame = field(default_factory=pd.DataFrame)
    differences: pd.DataFrame = field(default_factory=pd.DataFrame)
    games: pd.DataFrame = field(default_factory=pd.DataFrame)
    notes: list[str] = field(default_factory=list)
    complete: bool = True
    """False if it was interrupted."""

    def saved(self) -> float:
        """The share of the differences' variance that playing the same deals saved, median over figures."""
        saved = self.differences["saved"].dropna() if len(self.differences) else pd.Series(dtype=float)
        return float(saved.median()) if len(saved) else float("nan")


def compare(
    rules: Sequence[Rules],
    names: Sequence[str] | None = None,
    players: Sequence[int] = (4,),
    agents: Sequence[str] = ("planner",),
    games: int = 2000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Play several rule sets on the same deals; differences of all figures against the first, paired by deal.

    The agents are the same on both sides: what people, or agents trained anew, would make of a change may differ.
    p-values are adjusted (Holm) for all figures of one rule set, number of players and agent.
    """
    if len(rules) < 2:
        raise EttanaError("a comparison needs two rule sets or more")
    called = _apart(list(names) if names is not None else [one.name for one in rules])
    counts, specs = tuple(dict.fromkeys(players)), tuple(dict.fromkeys(agents))
    result = Comparison(list(rules), called, counts, specs, games, seed)
    total = len(rules) * len(counts) * len(specs) * games
    tables: dict[tuple[str, int, str], pd.DataFrame] = {}
    rows: list[dict[str, Any]] = []
    done = 0
    for count in counts:
        for spec in specs:
            for one, name in zip(rules, called, strict=True):
                before = done

                def told(finished: int, _: int, before: int = before) -> None:
                    if progress is not None:
                        progress(before + finished, total)

                played = simulate([spec], one, count, games, seed, workers, told)
                done += games
                if played.games:
                    table = table_of(played, chances_of(played), spec)
                    tables[name, count, spec] = table
                    rows += _measured(name, count, spec, estimates_of(table, count))
                if not played.complete:
                    result.complete = False
                    result.notes.append(
                        f"Interrupted: of {games:,} {count}-player games under {name} there are {played.games:,}; "
                        "what would have followed is missing."
                    )
                    return _finished(result, tables, rows)
    return _finished(result, tables, rows)


def _finished(result: Comparison, tables: dict[tuple[str, int, str], pd.DataFrame], rows: list[Any]) -> Comparison:
    result.measures = pd.DataFrame(rows)
    parts = [table.assign(rules=name) for (name, _, _), table in tables.items()]
    result.games = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    found = []
    for (name, count, spec), table in tables.items():
        base = tables.get((result.names[0], count, spec))
        if name != result.names[0] and base is not None:
            found.append(differences(base, table).assign(rules=name, players=count, level=spec))
    result.differences = pd.concat(found, ignore_index=True) if found else pd.DataFrame()
    return result


def _measured(name: str, players: int, level: str, found: dict[str, Estimate]) -> list[dict[str, Any]]:
    return [
        {
            "rules": name,
            "key": one.key,
            "theme": one.theme,
            "players": players,
            "level": level,
            **found[one.key]._asdict(),
        }
        for one in DEFINITIONS
        if one.key in found
    ]


def differences(base: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Paired differences, other less base, of all figures of two tables of games of the same deals."""
    both = base.merge(other, on=["seed", "rotation"], suffixes=("_base", "_other"))
    rows = []
    for one in COMPARED:
        found = paired_difference(both[f"{one.column}_base"].to_numpy(), both[f"{one.column}_other"].to_numpy())
        rows.append({"key": one.key, **found._asdict()})
    table = pd.DataFrame(rows)
    table["p_adjusted"] = holm(np.where(table["n"] > 1, table["p"], np.nan))
    return table


def _apart(names: list[str]) -> list[str]:
    """Names that are all different."""
    seen: dict[str, int] = {}
    made = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return made


def sweep_values(text: str) -> tuple[str, list[Any]]:
    """A sweep such as `prices.swap=1..5`, `tokens.total=20..60..10` or `free_swap=true,false`."""
    setting, equals, values = text.partition("=")
    if not equals or not setting or not values:
        raise EttanaError(
            f"--sweep is written setting=first..last, setting=first..last..step or setting=a,b,c, not {text}"
        )
    if found := re.fullmatch(r"(\d+)\.\.(\d+)(?:\.\.(\d+))?", values):
        first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if first > last or step < 1 or (last - first) // step + 1 > MOST_STEPS:
            raise EttanaError(f"--sweep {text}: from a lower to a higher number, in {MOST_STEPS} steps at most")
        return setting, list(range(first, last + 1, step))
    words = [word.strip() for word in values.split(",")]
    known = {"true": True, "false": False, "null": None}
    if not all(word.isdigit() or word in known for word in words):
        raise EttanaError(f"--sweep {text}: values are whole numbers, true or false, not {shown(values)}")
    return setting, [known[word] if word in known else int(word) for word in words]


def changed(rules: Rules, setting: str, value: Any) -> Rules:
    """Some rules with one setting changed, named by dots: `prices.swap`."""
    outer, _, inner = setting.partition(".")
    settings = rules.to_dict()
    if outer not in settings or (inner and (not isinstance(settings[outer], dict) or inner not in settings[outer])):
        names = [key for key, one in settings.items() if key not in ("name", "designs") and not isinstance(one, dict)]
        names += [f"{key}.{part}" for key, one in settings.items() if isinstance(one, dict) for part in one]
        raise EttanaError(f"--sweep: there is no setting {shown(setting)}; there are {', '.join(names)}")
    if not inner and isinstance(settings[outer], dict):
        raise EttanaError(f"--sweep: {setting} has parts: {', '.join(f'{setting}.{part}' for part in settings[outer])}")
    word = str(value).lower()
    return rules.but(**{outer: {inner: value} if inner else value, "name": f"{setting} = {word}"})


def sweep(
    rules: Rules,
    setting: str,
    values: Sequence[Any],
    players: Sequence[int] = (4,),
    agents: Sequence[str] = ("planner",),
    games: int = 2000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """One setting over a range, all else as it is, on the same deals; differences are against the first value."""
    tried = [changed(rules, setting, value) for value in values]
    found = compare(tried, None, players, agents, games, seed, workers, progress)
    found.setting, found.values = setting, list(values)
    return found
