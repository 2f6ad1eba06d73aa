"""What the figures say, in words with numbers: the first thing a designer reads."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from balance.definitions import BY_KEY, NUMBER, POINTS, SHARE, THEMES, in_words, limits_in_words
from balance.lab import Lab

FINE, LOOK, NOTE = "fine", "look", "note"
"""Nothing to worry about; worth a look; just to know."""

SMALL_EDGE = 0.03
"""An advantage below this is small, whatever its interval says."""
STRONG_CARD = 0.05
"""An effect of a card above this is worth a look if it is clear."""
RARELY = 0.05
"""A card played or claimed less often than this once drawn is hardly used."""
LITTLE_SKILL = 0.05
"""If a step up the ladder wins less than this over par, skill matters little."""
ENOUGH_DRAWS = 30
"""Draws from which on the use of a card is spoken of."""

COUNTS = {1: "one", 2: "two", 3: "three", 4: "four"}


class Verdict(NamedTuple):
    """A sentence, its theme, and how serious it is."""

    theme: str
    mark: str
    text: str


def interval(row: Any, unit: str, of: str = "") -> str:
    """A value, words on what it is of, its 95% interval and n."""
    return f"{_interval(row, unit, of)}, n = {int(row['n']):,}"


def _interval(row: Any, unit: str, of: str = "") -> str:
    return f"{in_words(row['value'], unit)}{of} {limits_in_words(row['low'], row['high'], unit)}"


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
        if max(abs(row["low"]), abs(row["high"])) <= SMALL_EDGE:
            return FINE, "no edge to speak of"
        return NOTE, "no clear edge, but too few games to rule one out"
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
    uneven = p < 0.01
    yield Verdict(
        "fairness",
        FINE if not uneven else LOOK if gap["value"] > SMALL_EDGE else NOTE,
        f"Between the best and the worst of the {count} seats lie {100 * gap['value']:.1f} points "
        f"[{100 * gap['low']:.1f}, {100 * gap['high']:.1f}], n = {int(gap['n']):,}: "
        + (
            "no more than chance makes."
            if p > 0.05
            else f"the seats are {'clearly' if uneven else 'perhaps'} not even (p = {p:.2g})."
        ),
    )
    turns, minutes = lab.value("turns", players), lab.value("minutes", players)
    games = lab.games[(lab.games["players"] == players) & (lab.games["level"] == lab.main)]
    low, high = games["turns"].quantile([0.05, 0.95])
    yield Verdict(
        "length",
        NOTE,
        f"A {count}-player game takes {interval(turns, NUMBER, ' turns')}; nine in ten take {low:.0f} to {high:.0f}. "
        f"That may be {minutes['value']:.0f} minutes at the table (an estimate).",
    )
    yield from _course(lab, players, count)
    empty, refused = lab.value("bank_empty", players), lab.value("refused", players)
    if empty["value"] > 0.01 or refused["value"] > 0.01:
        yield Verdict(
            "tokens",
            LOOK,
            f"With {count} players the bank is empty at the start of {_interval(empty, SHARE, ' of the turns')} and "
            f"cannot pay the roll in {interval(refused, SHARE)}.",
        )
    kings = lab.value("kingmaking", players)
    if kings is not None and kings["n"] > 0:
        yield Verdict(
            "interaction",
            LOOK if kings["low"] > 0.1 else FINE,
            f"Of the turns of players who are out of the race in a {count}-player game, {_interval(kings, SHARE)} make "
            f"another player the favourite, n = {int(kings['n']):,}.",
        )


def _course(lab: Lab, players: int, count: str) -> Iterator[Verdict]:
    changes, settled = lab.value("lead_changes", players), lab.value("settled", players)
    if changes is None or changes["n"] == 0:
        return
    last, growth = lab.value("last_won", players), lab.value("lead_growth", players)
    yield Verdict(
        "course",
        FINE if settled["value"] < 0.3 else LOOK,
        f"The lead changes {_interval(changes, NUMBER, ' times')} in a {count}-player game; it is settled for the last "
        f"{interval(settled, SHARE, ' of its turns')}.",
    )
    yield Verdict(
        "course",
        FINE if last["value"] > 0.2 / players else LOOK,
        f"Whoever is last at half time of a {count}-player game still wins {interval(last, SHARE, ' of the time')} "
        f"(even: {1 / players:.0%}).",
    )
    runs = growth["low"] > 0.5
    words = "leaders run away" if runs else "leaders are caught up with" if growth["high"] < 0 else "no runaway leader"
    yield Verdict(
        "course",
        LOOK if runs else FINE,
        f"From half time to the end of a {count}-player game the leader's lead "
        f"{'grows' if growth['value'] > 0 else 'shrinks'} by {interval(_upright(growth), NUMBER, ' points')}: {words}.",
    )


def _upright(row: Any) -> dict[str, Any]:
    """A figure below nought as the size of what it is below."""
    if row["value"] > 0:
        return dict(row)
    return {**dict(row), "value": -row["value"], "low": -row["high"], "high": -row["low"]}


def _skill(lab: Lab) -> Iterator[Verdict]:
    for players in lab.players if len(lab.ladder) else ():
        table = lab.ladder[lab.ladder["players"] == players]
        for _, row in table[table["key"] == "step_up"].iterrows():
            wins = {key: row[key] + 1 / players for key in ("value", "low", "high")} | {"n": row["n"]}
            split = table[(table["upper"] == row["upper"])].set_index("key")["value"]
            others = f"{COUNTS[players - 1]} {row['lower']} player{'s' if players > 2 else ''}"
            yield Verdict(
                "skill",
                FINE if row["low"] > LITTLE_SKILL else LOOK if row["high"] < LITTLE_SKILL else NOTE,
                f"One {row['upper']} player among {others} wins {interval(wins, SHARE, ' of the games')} "
                f"(even: {1 / players:.0%}). Of the variance in who wins, {max(split['luck'], 0):.0%} goes with the "
                f"deal and {max(split['skill'], 0):.0%} with who plays.",
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
                    f"It depends on skill: with {COUNTS[players]} players the {BY_KEY[key].title} is "
                    f"{interval(above, unit)} among {one} players and {interval(below, unit)} among {other} players.",
                )


def _cards(lab: Lab) -> Iterator[Verdict]:
    for theme, what in (("cards", "card"), ("designs", "design")):
        for players in lab.players:
            table = lab.table(theme, players)
            if len(table):
                yield from _effects(table, theme, what, players)
                yield from _unused(lab, table, theme, players)


def _effects(table: pd.DataFrame, theme: str, what: str, players: int) -> Iterator[Verdict]:
    count, limit = COUNTS[players], f"{100 * STRONG_CARD:.0f} points"
    clear = table[(table["q"] < 0.05) & (table["effect"].abs() > STRONG_CARD)].sort_values("effect")
    if not len(clear):
        if table["effect"].notna().any():
            words = f"With {count} players no {what} is clearly worth {limit} more or less than the average one."
            sure = (table["high"] - table["low"]).median() / 2 <= STRONG_CARD
            yield Verdict(theme, FINE if sure else NOTE, words if sure else f"{words[:-1]}, but draws are few.")
        return
    for side, some in (("more", clear[clear["effect"] > 0][::-1]), ("less", clear[clear["effect"] < 0])):
        if len(some):
            listed = "; ".join(_effect(row) for _, row in some.head(3).iterrows())
            more = f"; and {len(some) - 3} more" if len(some) > 3 else ""
            words = f"With {count} players clearly worth over {limit} of winning {side} than the average {what}: "
            yield Verdict(theme, LOOK, f"{words}{listed}{more}.")


def _unused(lab: Lab, table: pd.DataFrame, theme: str, players: int) -> Iterator[Verdict]:
    """Cards the main agent hardly uses: is it the card, or the agent?"""
    done = "claimed" if theme == "designs" else "played"
    for _, row in table[(table["used"] < RARELY) & (table["times"] >= ENOUGH_DRAWS)].iterrows():
        words = (
            f"{row['name']} is {done} {row['used']:.1%} of the {int(row['times']):,} times {lab.main} draws it with "
            f"{COUNTS[players]} players: "
        )
        others = {}
        for level in lab.levels:
            there = lab.table(theme, players, level)
            same = there[(there["name"] == row["name"]) & (there["times"] >= ENOUGH_DRAWS)] if len(there) else there
            if level != lab.main and len(same):
                others[level] = float(same["used"].iloc[0])
        told = ", ".join(f"{level} {used:.0%}" for level, used in others.items())
        if not others:
            yield Verdict(theme, LOOK, f"{words}the card or the agent; one level of skill alone cannot tell.")
        elif max(others.values()) >= RARELY:
            yield Verdict(theme, NOTE, f"{words}that tells of the agent, for others find a use for it ({told}).")
        else:
            yield Verdict(
                theme, LOOK, f"{words}no other level finds a use for it either ({told}), so look at the card."
            )


def _effect(row: pd.Series) -> str:
    return (
        f"{row['name']} {in_words(row['effect'], POINTS)} {limits_in_words(row['low'], row['high'], POINTS)}, "
        f"n = {int(row['times']):,}"
    )


def _styles(lab: Lab) -> Iterator[Verdict]:
    for players in lab.players if len(lab.styles) else ():
        table = lab.styles[lab.styles["players"] == players]
        one_by_one = list(table.groupby("style", sort=False))
        beats = [style for style, some in one_by_one if bool((some["low"] > some["par"]).all())]
        loses = [style for style, some in one_by_one if bool((some["high"] < some["par"]).all())]
        words = f"the style {beats[0]} clearly beats every other one" if beats else "no style of play beats all others"
        words += f"; {loses[0]} clearly loses to all" if loses else ""
        yield Verdict("styles", LOOK if beats else FINE, f"With {COUNTS[players]} players {words}.")


def _defects(lab: Lab) -> Iterator[Verdict]:
    for players in lab.players:
        for key in ("truncated", "blocked"):
            row = lab.value(key, players)
            if row is not None and row["value"] > 0:
                yield Verdict(
                    "defects",
                    LOOK,
                    f"{BY_KEY[key].title.capitalize()} with {COUNTS[players]} players: {interval(row, SHARE)}.",
                )
        cards = lab.table("cards", players)
        if len(cards):
            never = cards[(cards["playable"] == 0) & (cards["times"] >= ENOUGH_DRAWS)]
            if len(never):
                yield Verdict("defects", LOOK, "Cards that could never be played: " + ", ".join(never["name"]) + ".")
    if lab.faults:
        yield Verdict("defects", LOOK, f"Agents broke {len(lab.faults)} games, which are not counted: {lab.faults[0]}")
    elif _no_defect(lab):
        yield Verdict("defects", FINE, f"No game of {len(lab.games):,} was cut off, and none came to a dead end.")


def _no_defect(lab: Lab) -> bool:
    return len(lab.games) > 0 and not (lab.games["truncated"] + lab.games["blocked"]).any()
