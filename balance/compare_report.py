"""A comparison as files: a page side by side, the figures as JSON, a row a game as Parquet."""

import json
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

from balance.charts import Dot, Line, curve, dots
from balance.compare import COMPARED, Comparison
from balance.definitions import BY_KEY, NUMBER, POINTS, SHARE, in_words, limits_in_words
from balance.figures import Figure, named
from balance.page import figure, page, plain, table, verdict_list, with_interval
from balance.report import rules_in_short
from ettana_env.rules import write_whole
from ettana_env.version import __version__

CLEAR = 0.05
CURVES = (
    "start_advantage",
    "turns",
    "decisions",
    "uncertainty",
    "settled",
    "last_won",
    "lead_changes",
    "bought_swaps",
    "claims",
    "interaction",
    "spent_on_swaps",
    "refused",
)
"""The figures drawn as curves of a sweep."""


def change_in_words(row: Any, ending: str | None = None) -> str:
    """A difference with its interval, and the number of deals unless another ending is given."""
    unit = POINTS if BY_KEY[row["key"]].unit in (SHARE, POINTS) else NUMBER
    signs = [
        f"{row[key]:+.3g}".replace("-", "−") if unit == NUMBER else in_words(row[key], POINTS)
        for key in ("difference", "low", "high")
    ]
    ending = f", n = {int(row['n']):,} deals" if ending is None else ending
    return f"{signs[0]}{' points' if unit == POINTS else ''} [{signs[1]}, {signs[2]}]{ending}"


def findings(result: Comparison) -> list[tuple[str, str, str]]:
    """What clearly changes, the clearest first: (which rules and who played them, mark, words)."""
    found: list[tuple[str, str, str]] = []
    values = result.measures.set_index(["rules", "key", "players", "level"])["value"] if len(result.measures) else None
    for _, row in result.differences.sort_values(["rules", "players", "p_adjusted", "p"], kind="stable").iterrows():
        if row["p_adjusted"] < CLEAR and row["difference"] != 0 and values is not None:
            one = BY_KEY[row["key"]]
            before, after = (
                in_words(values[name, one.key, row["players"], row["level"]], one.unit)
                for name in (result.names[0], row["rules"])
            )
            head = f"{row['rules']} against {result.names[0]}, {named(row['players'])}, {row['level']}"
            words = f"{one.title}: from {before} to {after}, {change_in_words(row)}."
            found.append((head, "look" if one.theme in ("fairness", "defects") else "note", words))
    if not found:
        found.append(("All figures", "fine", "No figure changes clearly, after allowing for how many were looked at."))
    return found


def saved_in_words(result: Comparison) -> str:
    """What playing the same deals was good for."""
    saved = result.saved()
    if saved != saved:
        return "Nothing can be said about what playing the same deals saved."
    return (
        f"Playing the same deals on both sides saved {100 * saved:.0f}% of the variance of a difference "
        f"(median over all "
        f"figures): independent deals would have needed {1 / max(1 - saved, 1e-9):.1f} times as many games."
    )


def pictures(result: Comparison) -> list[Figure]:
    """A sweep's curves, or the differences of a comparison."""
    if not len(result.differences):
        return []
    return _curves(result) if result.setting else _forest(result)


def _curves(result: Comparison) -> list[Figure]:
    numbers = [value for value in result.values if isinstance(value, int) and not isinstance(value, bool)]
    xs = [float(n) for n in numbers] if len(numbers) == len(result.values) else [*map(float, range(len(result.values)))]
    made = []
    for key in CURVES:
        lines = []
        for players in result.players:
            for level in result.agents:
                some = result.measures.query("key == @key and players == @players and level == @level")
                some = some.set_index("rules").reindex(result.names)
                if some["n"].fillna(0).min() > 0:
                    name = named(players) + (f", {level}" if len(result.agents) > 1 else "")
                    lines.append(
                        Line(name, xs, some["value"].tolist(), some["low"].tolist(), some["high"].tolist(), True)
                    )
        if lines:
            one = BY_KEY[key]
            unit = one.unit
            title = one.title[0].upper() + one.title[1:]
            words = "With the 95% interval as a band."
            drawn = curve(lines, title, result.setting, unit, floor_at=None if unit == POINTS else 0.0)
            made.append(Figure(key, one.theme, title, words, drawn))
    return made


def _forest(result: Comparison) -> list[Figure]:
    """Differences in units of a game's own spread, so that all fit one scale."""
    made = []
    spread = result.games[result.games["rules"] == result.names[0]]
    for players in result.players:
        for level in result.agents:
            rows = []
            own = spread[(spread["players"] == players) & (spread["level"] == level)]
            some = result.differences.query("players == @players and level == @level")
            others = [name for name in result.names[1:] if (some["rules"] == name).any()]
            for one in COMPARED:
                size = float(own[one.column].std())
                for n, name in enumerate(others):
                    for _, row in some[(some["rules"] == name) & (some["key"] == one.key)].iterrows():
                        if size > 0:
                            change, low, high = (row[part] / size for part in ("difference", "low", "high"))
                            clear = bool(row["p_adjusted"] < CLEAR)
                            rows.append(
                                Dot(
                                    shorten(one.title, 31, placeholder=" …"),
                                    change,
                                    low,
                                    high,
                                    n,
                                    clear,
                                    change_in_words(row),
                                )
                            )
            title = f"What changes, {named(players)}, {level}"
            words = (
                "Differences in standard deviations of a single game, with 95% intervals; filled: clear "
                "after looking at "
                "all figures at once."
            )
            drawn = dots(rows, title, "number", 0.0, others, left=210)
            made.append(Figure(f"changes-{players}-{level}", "fairness", title, words, drawn))
    return made


def html(result: Comparison) -> str:
    """The page."""
    title = f"Sweep of {result.setting}" if result.setting else " against ".join(result.names)
    body = [f"<h1>{escape(title)}</h1>"]
    body.append(
        f'<p class="soft">{result.wanted:,} games for each rule set, number of players '
        f"({', '.join(map(str, result.players))}) "
        f"and agent ({escape(', '.join(result.agents))}), on the same deals from seed {result.seed} on. "
        f"The same agents "
        "play on both sides: this says what a change does to players who keep their habits.</p>"
    )
    body += [f'<p class="warning">{escape(note)}</p>' for note in result.notes]
    body += ['<h2 id="verdicts">What changes clearly</h2>', verdict_list(findings(result))]
    body.append(f"<p>{escape(saved_in_words(result))}</p>")
    drawn = [figure(one.key, one.title, one.words, one.svg) for one in pictures(result)]
    body += ["<h2>In pictures</h2>", '<div class="figures">' + "\n".join(drawn) + "</div>", "<h2>Side by side</h2>"]
    for players in result.players:
        for level in result.agents:
            body.append(f"<h3>{named(players)}, {escape(level)}</h3>")
            body.append(_side_by_side(result, players, level))
    body += _method(result)
    return page(title, body)


def _side_by_side(result: Comparison, players: int, level: str) -> str:
    some = result.measures.query("players == @players and level == @level").set_index(["rules", "key"])
    changes = result.differences
    if len(changes):
        changes = changes.query("players == @players and level == @level").set_index(["rules", "key"])
    rows, kinds = [], []
    for one in BY_KEY.values():
        cells = [f"<details><summary>{escape(one.title)}</summary><p>{escape(one.text)}</p></details>"]
        flagged = False
        for name in result.names:
            if (name, one.key) not in some.index or some.loc[(name, one.key)]["n"] == 0:
                cells.append("–")
                continue
            row: Any = some.loc[(name, one.key)]
            cell = in_words(row["value"], one.unit)
            if (name, one.key) in changes.index:
                change: Any = changes.loc[(name, one.key)].copy()
                change["key"] = one.key
                cell += f"<small>{escape(change_in_words(change, ''))}</small>"
                flagged = flagged or bool(change["p_adjusted"] < CLEAR)
            else:
                cell = with_interval(cell, limits_in_words(row["low"], row["high"], one.unit), int(row["n"]))
            cells.append(cell)
        if set(cells[1:]) != {"–"}:
            rows.append(cells)
            kinds.append("flag" if flagged else "")
    return table(["", *result.names], rows, kinds)


def _method(result: Comparison) -> list[str]:
    base = [
        f"<dt>{escape(name)}</dt><dd><code>{escape(rules_in_short(rules))}</code></dd>"
        for name, rules in zip(result.names, result.rules, strict=True)
    ]
    return [
        '<h2 id="method">Method and seeds</h2>',
        f"<p>Seeds {result.seed} to {result.seed + result.wanted - 1}, version {__version__}. A difference "
        f"is the mean over "
        "deals of what a deal showed under one rule set less what it showed under the first, with "
        "Student's 95% interval. "
        "p-values are adjusted after Holm for all figures of one rule set, number of players and agent; what is marked "
        "stays below 5% after that. Boards, dice, shuffles and thefts come from separate streams keyed by seed and "
        "moment. Chances to win are fitted anew for each rule set.</p>",
        f"<dl>{''.join(base)}</dl>",
    ]


def comparison_json(result: Comparison) -> dict[str, Any]:
    """Everything behind the page but the single games."""
    answer: dict[str, Any] = plain(
        {
            "format": "ettana-compare/1",
            "version": __version__,
            "rules": {name: rules.to_dict() for name, rules in zip(result.names, result.rules, strict=True)},
            "setting": result.setting or None,
            "values": result.values,
            "players": list(result.players),
            "agents": list(result.agents),
            "games": result.wanted,
            "seed": result.seed,
            "notes": result.notes,
            "saved": result.saved(),
            "findings": [f"{head}: {words}" for head, _, words in findings(result)] if len(result.differences) else [],
            "measures": result.measures,
            "differences": result.differences,
        }
    )
    return answer


def write_comparison(result: Comparison, folder: str | Path) -> Path:
    """Write `report.html`, `figures.json` and `games.parquet` into a folder; the path of the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "report.html", html(result))
    write_whole(folder / "figures.json", json.dumps(comparison_json(result), indent=1, ensure_ascii=False) + "\n")
    beside = folder / "games.parquet.part"
    result.games.to_parquet(beside, index=False)
    beside.replace(folder / "games.parquet")
    return folder / "report.html"
