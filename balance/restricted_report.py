"""What restricted play showed, as files: a page, the figures as JSON."""

import json
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from balance.charts import Dot, dots
from balance.definitions import POINTS, in_words, limits_in_words
from balance.figures import named
from balance.page import figure, page, plain, table, verdict_list, with_interval
from balance.report import rules_in_short
from ettana_env.rules import Rules, write_whole
from ettana_env.version import __version__


def in_sentences(found: pd.DataFrame) -> list[tuple[str, str, str]]:
    """A sentence for each thing left out: (what, mark, words)."""
    rows = []
    for _, row in found.iterrows():
        told = (
            f"A {row['level']} that never uses {row['without']} wins {row['wins']:.1%} "
            f"[{row['par'] - row['high']:.1%}, "
            f"{row['par'] - row['low']:.1%}], n = {int(row['n']):,}, of {int(row['players'])}-player games instead of "
            f"{row['par']:.1%}: "
        )
        clear = row["q"] < 0.05
        if not clear:
            told += "no clear difference."
        elif row["loss"] > 0:
            told += f"it is worth {100 * row['loss']:.1f} points."
        else:
            told += f"these agents are better off without it, by {-100 * row['loss']:.1f} points."
        rows.append((str(row["without"]), "look" if clear and row["loss"] < 0 else "note" if clear else "fine", told))
    return rows


def html(found: pd.DataFrame, rules: Rules, games: int, seed: int, complete: bool) -> str:
    """The page."""
    title = f"What actions are worth in {rules.name}"
    body = [
        f"<h1>{escape(title)}</h1>",
        '<p class="soft">Restricted play: one player who never uses something, nor counts on it, among '
        "players of the same "
        "kind who may. What it loses of an even share of wins is what that is worth to them.</p>",
    ]
    if not complete:
        body.append('<p class="warning">Interrupted: only deals that were finished in all seats are counted.</p>')
    body += ['<h2 id="verdicts">What it says</h2>', verdict_list(in_sentences(found))]
    levels = list(dict.fromkeys(found["level"]))
    drawn = []
    for players in dict.fromkeys(found["players"]):
        some = found[found["players"] == players].sort_values("loss", ascending=False, kind="stable")
        rows = [
            Dot(str(row["without"]), row["loss"], row["low"], row["high"], levels.index(row["level"]), row["q"] < 0.05)
            for _, row in some.iterrows()
        ]
        heading = f"Loss without it, {named(players)}"
        words = "Percentage points of winning, 95% intervals; filled: clear after looking at all of them (q below 5%)."
        drawn.append(figure(f"worth-{players}", heading, words, dots(rows, heading, "points", 0.0, levels)))
    body.append('<div class="figures">' + "\n".join(drawn) + "</div>")
    cells = [
        [
            escape(str(row["without"])),
            named(row["players"]),
            escape(str(row["level"])),
            f"{row['wins']:.1%}",
            with_interval(
                in_words(row["loss"], POINTS), limits_in_words(row["low"], row["high"], POINTS), int(row["n"])
            ),
            f"{row['q']:.3f}",
        ]
        for _, row in found.iterrows()
    ]
    body.append(table(["without", "players", "agent", "wins", "loss", "q"], cells))
    body += [
        '<h2 id="method">Method and seeds</h2>',
        f"<p>{games:,} games each, deals from seed {seed} on, each in every rotation of the seats; "
        f"intervals know that games "
        "of a deal are alike; q-values after Benjamini and Hochberg. The restricted player thinks in a "
        "game without what "
        f"it must not use. Version {__version__}; rules: <code>{escape(rules_in_short(rules))}</code>.</p>",
    ]
    return page(title, body)


def worth_json(found: pd.DataFrame, rules: Rules, games: int, seed: int, complete: bool) -> dict[str, Any]:
    """The figures."""
    answer: dict[str, Any] = plain(
        {
            "format": "ettana-restricted/1",
            "version": __version__,
            "rules": rules.to_dict(),
            "games": games,
            "seed": seed,
            "complete": complete,
            "worth": found,
        }
    )
    return answer


def write_worth(
    found: pd.DataFrame, folder: str | Path, rules: Rules, games: int, seed: int, complete: bool = True
) -> Path:
    """Write `report.html` and `figures.json` into a folder; the path of the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "report.html", html(found, rules, games, seed, complete))
    text = json.dumps(worth_json(found, rules, games, seed, complete), indent=1, ensure_ascii=False)
    write_whole(folder / "figures.json", text + "\n")
    return folder / "report.html"
