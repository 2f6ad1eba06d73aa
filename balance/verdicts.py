"""What the figures say, in words with numbers: the first thing a designer reads."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from balance.definitions import BY_KEY, POINTS, SHARE, THEMES, in_words
from balance.lab import Lab

FINE, LOOK, NOTE = "fine", "look", "note"
"""Nothing to worry about; worth a look; just to know."""

SMALL_EDGE = 0.02
"""An advantage below this is small, whatever its interval says."""
STRONG_CARD = 0.03
"""An effect of a card above this is worth a look if it is clear."""
RARELY = 0.05
"""A kind of action done in less of the turns it could be is hardly used."""

COUNTS = {2: "two", 3: "three", 4: "four"}


class Verdict(NamedTuple):
    """A sentence, its theme, and how serious it is."""

    theme: str
    mark: str
    text: str


def interval(row: Any, unit: str, of: str = "") -> str:
    """A value, words on what it is of, its 95% interval and n."""
    low, high = in_words(row["low"], unit).rstrip("%"), in_words(row["high"], unit).rstrip("%")
    return f"{in_words(row['value'], unit)}{of} [{low}, {high}], n = {int(row['n']):,}"


def verdicts(lab: Lab) -> list[Verdict]:
    """All sentences there is ground for, headlines first."""
    found: list[Verdict] = []
    for players in lab.players:
        if lab.value("turns", players) is not None:
            found += _of_players(lab, players)
    found += _skill(lab)
    found += _flips(lab)
    found += _cards(lab)
    found += _styles(lab)
    found += _defects(lab)
    order = list(THEMES)
    return sorted(found, key=lambda verdict: order.index(verdict.theme))


def edge_in_words(row: Any) -> tuple[str, str]:
    """How large an advantage is: a mark and words."""
    size = abs(row["value"])
    if row["low"] <= 0 <= row["high"]:
        wide = max(abs(row["low"]), abs(row["high"]))
        return FINE, "no edge to be seen" if wide <= 2 * SMALL_EDGE else "no clear edge, but too few games to be sure"
    side = "edge" if row["value"] > 0 else "handicap"
    if size < SMALL_EDGE:
        return FINE, f"a small {side}"
    return LOOK, f"a clear {side}" if size < 2.5 * SMALL_EDGE else f"a large {side}"


def _of_players(lab: Lab, players: int) -> Iterator[Verdict]:
    count = COUNTS[players]
    start = lab.value("start_advantage", players)
    mark, words = edge_in_words(start)
    wins = {
        "value": start["value"] + 1 / players,
        "low": start["low"] + 1 / players,
        "high": start["high"] + 1 / players,
    }
    wins["n"] = start["n"]
    yield Verdict(
        "fairness", mark, f"The player who starts wins {interval(wins, SHARE, f' of {count}-player games')}: {words}."
    )
    seats = lab.seats[
        (lab.seats["players"] == players) & (lab.seats["level"] == lab.main) & (lab.seats["by"] == "seat")
    ]
    p, gap = float(seats["p_even"].iloc[0]), lab.value("seat_gap", players)
    uneven = p < 0.01 and gap["value"] > SMALL_EDGE
    yield Verdict(
        "fairness",
        LOOK if uneven else FINE,
        f"Between the best and the worst of the {count} seats lie {100 * gap['value']:.1f} points "
        f"[{100 * max(gap['low'], 0):.1f}, {100 * gap['high']:.1f}], n = {int(gap['n']):,}: "
        + ("they are not even." if uneven else "as even as chance allows." if p > 0.05 else "a trace of unevenness."),
    )
    turns, minutes = lab.value("turns", players), lab.value("minutes", players)
    games = lab.games[(lab.games["players"] == players) & (lab.games["level"] == lab.main)]
    low, high = games["turns"].quantile([0.05, 0.95])
    yield Verdict(
        "length",
        NOTE,
        f"A {count}-player game takes {interval(turns, 'number', ' turns')}; nine in ten take {low:.0f} to {high:.0f}, "
        f"some {minutes['value']:.0f} minutes at the table (estimated).",
    )
    yield from _course(lab, players, count)
    empty, refused = lab.value("bank_empty", players), lab.value("refused", players)
    if empty["value"] > 0.01 or refused["value"] > 0.01:
        yield Verdict(
            "tokens",
            LOOK,
            f"With {count} players the bank is empty at the start of {interval(empty, SHARE, ' of the turns')}; it "
            f"cannot pay a roll in {interval(refused, SHARE)}.",
        )
    kings = lab.value("kingmaking", players)
    if kings is not None and kings["n"] > 0:
        yield Verdict(
            "interaction",
            LOOK if kings["low"] > 0.1 else FINE,
            f"With {count} players, {interval(kings, SHARE, ' of the turns of those out of the race')}, make "
            "another player the favourite.",
        )


def _course(lab: Lab, players: int, count: str) -> Iterator[Verdict]:
    changes, settled = lab.value("lead_changes", players), lab.value("settled", players)
    if changes is None or changes["n"] == 0:
        return
    last, growth = lab.value("last_won", players), lab.value("lead_growth", players)
    yield Verdict(
        "course",
        FINE if settled["value"] < 0.3 else LOOK,
        f"The lead changes {interval(changes, 'number', f' times in a {count}-player game')}; the winner is certain "
        f"{'only ' if settled['value'] < 0.1 else ''}for the last {interval(settled, SHARE, ' of it')}.",
    )
    yield Verdict(
        "course",
        FINE if last["value"] > 0.2 / players else LOOK,
        f"Whoever is last at half time of a {count}-player game still wins {interval(last, SHARE, ' of the time')}; "
        f"even is {1 / players:.0%}.",
    )
    runs = growth["low"] > 0.5
    words = "leaders run away" if runs else "leaders are caught up with" if growth["high"] < 0 else "no runaway leader"
    yield Verdict(
        "course",
        LOOK if runs else FINE,
        f"The half-time lead of a {count}-player game changes by {interval(growth, 'number', ' points')}, until "
        f"the end: {words}.",
    )


def _skill(lab: Lab) -> Iterator[Verdict]:
    if not len(lab.ladder):
        return
    for players in lab.players:
        table = lab.ladder[lab.ladder["players"] == players]
        for _, row in table[table["key"] == "step_up"].iterrows():
            wins = {key: row[key] + 1 / players for key in ("value", "low", "high")} | {"n": row["n"]}
            split = table[(table["upper"] == row["upper"])].set_index("key")
            luck, skill = split.loc["luck"], split.loc["skill"]
            yield Verdict(
                "skill",
                FINE if row["low"] > 0.05 else LOOK,
                f"One {row['upper']} among {players - 1} {row['lower']} wins {interval(wins, SHARE, ' of the games')} "
                f"(even: {1 / players:.0%}); of who wins, {100 * max(luck['value'], 0):.0f}% goes with the deal and "
                f"{100 * max(skill['value'], 0):.0f}% with who plays.",
            )


def _flips(lab: Lab) -> Iterator[Verdict]:
    """Headlines on which two levels clearly say the opposite."""
    for key in ("start_advantage", "last_in_order", "lead_growth"):
        for players in lab.players:
            signs: dict[int, tuple[str, Any]] = {}
            for level in lab.levels:
                row = lab.value(key, players, level)
                if row is not None and (row["low"] > 0 or row["high"] < 0):
                    signs.setdefault(1 if row["low"] > 0 else -1, (level, row))
            if len(signs) == 2:
                (one, above), (other, below) = signs[1], signs[-1]
                unit = BY_KEY[key].unit
                yield Verdict(
                    BY_KEY[key].theme,
                    LOOK,
                    f"It depends on skill: with {players} players the {BY_KEY[key].title} is {interval(above, unit)} "
                    f"among {one} players and {interval(below, unit)} among {other} players.",
                )


def _cards(lab: Lab) -> Iterator[Verdict]:
    for name, what in (("cards", "card"), ("designs", "design")):
        for players in lab.players:
            table = lab.table(name, players)
            if not len(table) or "effect" not in table:
                continue
            clear = table[(table["q"] < 0.05) & (table["effect"].abs() > STRONG_CARD)].sort_values("effect")
            for side, some in (
                ("strongest", clear[clear["effect"] > 0][::-1]),
                ("weakest", clear[clear["effect"] < 0]),
            ):
                if len(some):
                    listed = "; ".join(_effect(row) for _, row in some.head(3).iterrows())
                    more = f" ({len(some)} are clearly beyond {100 * STRONG_CARD:.0f} points)" if len(some) > 3 else ""
                    yield Verdict(name, LOOK, f"The {side} {what}s to draw with {players} players: {listed}{more}.")
            unused = table[(table["used"] < RARELY) & (table["times"] >= 30)]
            if len(unused):
                listed = ", ".join(f"{row['name']} ({row['used']:.1%})" for _, row in unused.iterrows())
                yield Verdict(name, LOOK, f"Hardly ever used with {players} players once drawn: {listed}.")


def _effect(row: pd.Series) -> str:
    return (
        f"{row['name']} {in_words(row['effect'], POINTS)} points [{in_words(row['low'], POINTS)}, "
        f"{in_words(row['high'], POINTS)}], n = {int(row['times']):,}"
    )


def _styles(lab: Lab) -> Iterator[Verdict]:
    for players in lab.players if len(lab.styles) else ():
        table = lab.styles[lab.styles["players"] == players]
        beats = [style for style, some in table.groupby("style", sort=False) if bool((some["low"] > some["par"]).all())]
        if beats:
            yield Verdict("styles", LOOK, f"With {players} players the style {beats[0]} clearly beats every other one.")
        else:
            yield Verdict("styles", FINE, f"With {players} players no style of play clearly beats all the others.")


def _defects(lab: Lab) -> Iterator[Verdict]:
    for players in lab.players:
        for key in ("truncated", "blocked"):
            row = lab.value(key, players)
            if row is not None and row["value"] > 0:
                yield Verdict(
                    "defects", LOOK, f"{BY_KEY[key].title.capitalize()} with {players} players: {interval(row, SHARE)}."
                )
        cards = lab.table("cards", players)
        if len(cards):
            never = cards[(cards["playable"] == 0) & (cards["times"] >= 30)]
            if len(never):
                yield Verdict("defects", LOOK, "Cards that could never be played: " + ", ".join(never["name"]) + ".")
    if lab.faults:
        yield Verdict("defects", LOOK, f"Agents broke {len(lab.faults)} games, which are not counted: {lab.faults[0]}")
    elif _no_defect(lab):
        yield Verdict("defects", FINE, f"No game of {len(lab.games):,} was cut off, and none came to a dead end.")


def _no_defect(lab: Lab) -> bool:
    return len(lab.games) > 0 and not (lab.games["truncated"] + lab.games["blocked"]).any()
