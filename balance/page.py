"""The page all reports share: one HTML file with everything in it, for a screen, a phone and paper."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

import pandas as pd

STYLE = """
:root { color-scheme: light; --ink: #1d2129; --soft: #5b6472; --line: #dde1e7; --paper: #fff; --ground: #f5f6f8; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  color: var(--ink); background: var(--ground); }
main { max-width: 1080px; margin: 0 auto; padding: 20px 16px 60px; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 8px 0; }
h2 { font-size: 1.25rem; margin: 40px 0 10px; padding-top: 10px; border-top: 2px solid var(--line); }
h3 { font-size: 1rem; margin: 0; }
p { margin: 6px 0; }
.soft, .tick { color: var(--soft); fill: var(--soft); }
nav { display: flex; flex-wrap: wrap; gap: 4px 14px; margin: 14px 0; }
a { color: #0b5ca8; }
.verdicts { list-style: none; margin: 12px 0; padding: 0; }
.verdicts li { background: var(--paper); border-left: 5px solid #9aa3af; margin: 6px 0; padding: 7px 12px; }
.verdicts li.look { border-color: #d55e00; }
.verdicts li.fine { border-color: #009e73; }
.verdicts b { font-size: .74rem; text-transform: uppercase; letter-spacing: .04em; color: var(--soft);
  margin-right: 6px; white-space: nowrap; }
.verdicts li.look b { color: #a84300; } .verdicts li.fine b { color: #00684b; }
.said { margin-top: 16px; font-size: .95rem; }
.warning { background: #fff3d6; border-left: 5px solid #d4a017; padding: 8px 12px; margin: 10px 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 430px), 1fr)); gap: 14px;
  align-items: start; }
figure { margin: 0; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 12px;
  break-inside: avoid; }
figcaption p { font-size: .86rem; color: var(--soft); margin: 2px 0 8px; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, -apple-system, "Segoe UI", Arial, sans-serif;
  fill: var(--ink); }
svg .grid { stroke: #e6e9ee; } svg .axis { stroke: #8a93a0; } svg .bar { stroke-width: 2; }
svg .reference { stroke: #444; stroke-dasharray: 4 3; } svg .on-dark { fill: #fff; }
.wide { overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; margin: 10px 0; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; }
th, td { text-align: right; padding: 4px 10px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 150px; }
td small { color: var(--soft); display: block; font-size: .74rem; } td small span { display: inline-block; }
tr.other td { color: var(--soft); } tr.other td:first-child { padding-left: 26px; }
tr.flag td { background: #fff3e8; }
details { margin: 8px 0; } summary { cursor: pointer; color: #0b5ca8; }
td details { margin: 0; } td summary { color: var(--ink); } td details p { font-size: .8rem; color: var(--soft); }
dt { font-weight: 600; margin-top: 8px; } dd { margin: 0 0 4px 0; color: var(--soft); }
code { font: .9em ui-monospace, Consolas, monospace; overflow-wrap: anywhere; }
@media (max-width: 560px) { main { padding: 12px 10px 40px; } h1 { font-size: 1.35rem; }
  th, td { padding: 4px 5px; } figure { padding: 8px; } td small { font-size: .7rem; } td small span { display: block; }
  th:first-child, td:first-child { min-width: 96px; max-width: 130px; position: sticky; left: 0;
  background: var(--paper); overflow-wrap: anywhere; } tr.flag td:first-child { background: #fff3e8; }
  tr.other td:first-child { padding-left: 14px; } }
@media print { body { background: #fff; font-size: 11pt; } nav { display: none; } main { max-width: none; padding: 0; }
  .figures { grid-template-columns: 1fr 1fr; } h2 { break-after: avoid; } .wide { overflow: visible; }
  .verdicts li { break-inside: avoid; } a { color: inherit; text-decoration: none; } }
"""

ICON = "data:,"
"""An empty icon, so that a browser asks for none."""


def page(title: str, body: Sequence[str]) -> str:
    """The whole file."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" href="{ICON}">\n<style>{STYLE}</style>\n</head>\n<body>\n'
        "<main>\n" + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )


def figure(key: str, title: str, words: str, svg: str) -> str:
    """A picture with its heading and how to read it."""
    return (
        f'<figure id="figure-{escape(key)}"><figcaption><h3>{escape(title)}</h3><p>{escape(words)}</p></figcaption>'
        f"{svg}</figure>"
    )


SIGNS = {"look": "worth a look", "fine": "fine", "note": "to know"}
"""How serious a sentence is, in words."""


def verdict_list(rows: Sequence[tuple[str, str, str]]) -> str:
    """Sentences under what they are about: (theme, mark, words); the mark says how serious they are."""
    parts = []
    for theme, some in groupby(rows, key=lambda row: row[0]):
        items = [f'<li class="{mark}"><b>{SIGNS[mark]}</b> {_unbroken(words)}</li>' for _, mark, words in some]
        parts.append(f'<h3 class="said">{escape(theme)}</h3><ul class="verdicts">' + "\n".join(items) + "</ul>")
    return "\n".join(parts)


def _unbroken(words: str) -> str:
    """Words for a page, in which no line breaks within `n = 100`."""
    return escape(words).replace("n = ", "n&nbsp;=&nbsp;")


def marks_in_words(marks: Sequence[str]) -> str:
    """How many sentences of each kind there are."""
    counted = [f"{marks.count(mark)} {sign}" for mark, sign in SIGNS.items() if mark in marks]
    return f"Of {len(marks)} statements: {', '.join(counted)}."


def what_columns_mean(columns: Mapping[str, str], heads: Sequence[str]) -> str:
    """The definitions of a table's columns, to unfold."""
    terms = "".join(f"<dt>{escape(head)}</dt><dd>{escape(columns[head])}</dd>" for head in heads if head in columns)
    return f"<details><summary>What the columns mean</summary><dl>{terms}</dl></details>"


def with_interval(value: str, low_and_high: str, n: int) -> str:
    """A table's cell: a value with its interval and what it rests on below."""
    return f"{value}<small><span>{low_and_high}</span> <span>n = {n:,}</span></small>"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], kinds: Sequence[str] = ()) -> str:
    """A table of ready-made cells; `kinds` may give each row a class."""
    classes = list(kinds) or [""] * len(rows)
    body = "".join(
        f"<tr{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>"
        + "".join(f"<td>{cell}</td>" for cell in row)
        + "</tr>"
        for row, kind in zip(rows, classes, strict=True)
    )
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers rounded to six digits, null for what is not a number."""
    if isinstance(value, pd.DataFrame):
        return [plain(row) for row in value.to_dict("records")]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value
