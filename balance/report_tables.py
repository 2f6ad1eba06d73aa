"""The tables of a study that unfold: every card, design, kind of action and flow of tokens, at every level of skill."""

from collections.abc import Callable, Sequence
from html import escape

import pandas as pd

from balance.definitions import COLUMNS_OF_ACTIONS, COLUMNS_OF_CARDS, POINTS, SHARE, in_words, limits_in_words
from balance.figures import named
from balance.lab import Lab
from balance.page import table, what_columns_mean, with_interval


def tables_of(lab: Lab, theme: str) -> str:
    """The tables that belong to a theme; nothing if there are none."""
    if theme in ("cards", "designs"):
        heads = heads_of_cards(theme)
        return what_columns_mean(COLUMNS_OF_CARDS, heads) + _each(lab, theme, f"All {theme}", cards_rows)
    if theme == "actions":
        heads = ("action", *COLUMNS_OF_ACTIONS)
        return what_columns_mean(COLUMNS_OF_ACTIONS, heads) + _each(lab, theme, "All actions", _actions_rows)
    if theme == "tokens":
        return _each(lab, theme, "Where tokens come from and go", _tokens_rows)
    return ""


def _each(lab: Lab, name: str, title: str, rows_of: Callable[[pd.DataFrame, str], str]) -> str:
    """One table for each number of players and level, the main level first."""
    parts = []
    for players in lab.players:
        for level in sorted(lab.levels, key=lambda level: level != lab.main):
            found = lab.table(name, players, level)
            if len(found):
                summary = f"{title}, {named(players)}, {escape(level)}"
                parts.append(f"<details><summary>{summary}</summary>{rows_of(found, name)}</details>")
    return "".join(parts)


def heads_of_cards(name: str) -> Sequence[str]:
    """The columns of the table of cards, or of designs."""
    if name == "designs":
        return "design", "points", "swaps away", "a game", "claimed", "lost", "kept", "rounds", "effect", "q"
    return "card", "a game", "played", "lost", "kept", "could be played", "rounds", "effect", "q"


def cards_rows(found: pd.DataFrame, name: str) -> str:
    """A table of cards or designs with what becomes of them and their effects."""
    found = found.sort_values("effect", ascending=False, na_position="last")
    rows = []
    for _, row in found.iterrows():
        shown = {
            "points": f"{row['points']:.0f}" if "points" in found else "",
            "swaps away": in_words(row["swaps"], "number") if "swaps" in found else "",
            "a game": f"{row['per_game']:.2f}",
            "played": f"{row['used']:.0%}",
            "claimed": f"{row['used']:.0%}",
            "lost": f"{row['lost']:.0%}",
            "kept": f"{row['held']:.0%}",
            "could be played": f"{row['playable']:.0%}",
            "rounds": in_words(row["rounds"], "number"),
            "effect": with_interval(
                in_words(row["effect"], POINTS), limits_in_words(row["low"], row["high"], POINTS), int(row["times"])
            ),
            "q": "–" if row["q"] != row["q"] else f"{row['q']:.3f}",
        }
        rows.append([escape(str(row["name"])), *(shown[head] for head in heads_of_cards(name)[1:])])
    kinds = ["flag" if row["q"] < 0.05 else "" for _, row in found.iterrows()]
    return table(heads_of_cards(name), rows, kinds)


def _actions_rows(found: pd.DataFrame, _: str) -> str:
    rows = [
        [
            escape(str(row["action"])),
            f"{row['per_game']:.2f}",
            in_words(row["offered"], SHARE),
            with_interval(
                in_words(row["taken"], SHARE), limits_in_words(row["low"], row["high"], SHARE), int(row["n"])
            ),
        ]
        for _, row in found.iterrows()
    ]
    return table(("action", *COLUMNS_OF_ACTIONS), rows)


def _tokens_rows(found: pd.DataFrame, _: str) -> str:
    heads = ("flow", "", "tokens a player a game", "of the winner")
    rows = [
        [escape(str(row["flow"])), str(row["side"]), f"{row['per_player']:.2f}", in_words(row["winners"], "number")]
        for _, row in found.iterrows()
    ]
    return table(heads, rows)
