"""The deck workshop: every design of a deck drawn, measured, priced, and watched in play."""

import json
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from agents.arena import Progress
from balance.charts import WIDTH
from balance.definitions import COLUMNS_OF_CARDS, POINTS, in_words, limits_in_words
from balance.effects import cards_and_designs
from balance.page import figure, page, plain, table, verdict_list, what_columns_mean, with_interval
from balance.simulate import simulate
from ettana_env import Rules
from ettana_env.designs import Design, canonical, load_deck
from ettana_env.difficulty import measure
from ettana_env.rules import write_whole
from ettana_env.version import __version__

COLUMNS_OF_DECKS = {
    "suggested": "The points its difficulty suggests, by the bounds the deck that comes along was priced by.",
    "ready-made": "The chance that a random board already completes it.",
}
FILLS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#555555")


def rules_with(deck: str | Path, rules: Rules | None = None) -> Rules:
    """Some rules (the base game's) with a file's deck; one too small for the deal is dealt as far as it goes."""
    designs = load_deck(deck)
    rules = rules or Rules()
    each = min(rules.start_cards.design, len(designs) // 4)
    return rules.but(designs=[design.to_dict() for design in designs], start_cards={"design": each})


def inspect_deck(
    rules: Rules,
    boards: int = 20_000,
    games: int = 1000,
    players: int = 4,
    agent: str = "planner",
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """One row a design: difficulty on random boards, suggested points, what becomes of it in play, and what is wrong.

    `ready` is the chance that a random board has it, `swaps` the mean of the fewest swaps to complete it, `flags`
    what a designer should look at. With `games` 0 nothing is played.
    """
    measured = measure(rules, boards, seed, workers)
    rows: list[dict[str, Any]] = []
    seen: dict[Any, str] = {}
    for one in measured:
        design = one.design
        form = canonical(design.cells, rules.mirror_images)
        flags = []
        if form in seen:
            flags.append(f"the same as {seen[form]}")
        seen.setdefault(form, design.name)
        ready = one.ready if one.possible else (0.0, 0.0, 0.0)
        row = {"name": design.name, "points": design.points, "places": one.placements, "ready": ready[0]}
        row |= {"ready_low": ready[1], "ready_high": ready[2]}
        row |= (
            {"swaps": one.mean, "swaps_error": one.mean_error} if one.possible else {"swaps": None, "swaps_error": None}
        )
        row["suggested"] = one.suggested_points if one.possible else None
        if not one.possible:
            flags.append("impossible on a new board: a group needs more yarns of a colour than the board has")
        elif design.points != one.suggested_points:
            flags.append(f"mispriced: worth {design.points}, its difficulty suggests {one.suggested_points}")
        if one.possible and design.points >= rules.points_to_win:
            flags.append(f"wins the game alone: it is worth {design.points}, and {rules.points_to_win} win")
        rows.append(row | {"flags": "; ".join(flags)})
    found = pd.DataFrame(rows)
    if games:
        found = _in_play(found, rules, games, players, agent, seed, workers, progress)
    return found


def _in_play(
    found: pd.DataFrame,
    rules: Rules,
    games: int,
    players: int,
    agent: str,
    seed: int,
    workers: int,
    progress: Progress | None,
) -> pd.DataFrame:
    played = simulate([agent], rules, players, games, seed, workers, progress)
    _, designs = cards_and_designs(played)
    kept = designs[["name", "times", "used", "lost", "rounds", "effect", "low", "high", "q"]]
    together = found.merge(kept.rename(columns={"used": "claimed", "lost": "exchanged"}), on="name", how="left")
    flags = together["flags"].tolist()
    for n, row in together.iterrows():
        more = []
        if row["times"] >= 30 and row["claimed"] < 0.05:
            more.append(f"hardly ever claimed: {row['claimed']:.1%} of {int(row['times']):,} times")
        flags[int(str(n))] = "; ".join(filter(None, [flags[int(str(n))], *more]))
    together["flags"] = flags
    together.attrs = {"games": played.games, "players": players, "agent": agent, "complete": played.complete}
    return together


def drawing(design: Design, cell: int = 22) -> str:
    """A design as SVG: each group in a colour of its own, octagons as on the card."""
    height = cell * 5 + 8
    left = (WIDTH - cell * 5) / 2
    parts = []
    cells = {(row, column): group for row, column, group in design.cells}
    for row in range(5):
        for column in range(5):
            x, y = left + cell * (column + 0.5), 4 + cell * (row + 0.5)
            group = cells.get((row, column))
            fill = FILLS[design.groups.index(group)] if group else "none"
            edge = "#333" if group else "#ddd"
            a, b = cell * 0.46, cell * 0.2
            corners = [(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)]
            around = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
            parts.append(f'<polygon points="{around}" fill="{fill}" stroke="{edge}"></polygon>')
    return (
        f'<svg viewBox="{left - 4:.0f} 0 {cell * 5 + 8} {height}" role="img" aria-label="{escape(design.name)}" '
        f'xmlns="http://www.w3.org/2000/svg" style="max-width:130px">' + "".join(parts) + "</svg>"
    )


def html(found: pd.DataFrame, rules: Rules, boards: int, seed: int) -> str:
    """The page."""
    by_name = {design.name: design for design in rules.designs}
    flagged = found[found["flags"] != ""]
    title = f"A deck of {len(found)} designs"
    body = [f"<h1>{escape(title)}</h1>", '<h2 id="verdicts">What it says</h2>']
    verdict = [
        (str(row["name"]), "look", f"{row['flags'][0].upper()}{row['flags'][1:]}.") for _, row in flagged.iterrows()
    ]
    body.append(
        verdict_list(verdict or [("deck", "fine", "No duplicates, none impossible, all priced by their difficulty.")])
    )
    body.append('<h2>The designs</h2><div class="figures deck">')
    for n, row in found.iterrows():
        words = (
            f"{row['points']} {'point' if row['points'] == 1 else 'points'}; {row['swaps']:.2f} ± "
            f"{row['swaps_error']:.2f} "
            f"swaps away, ready-made {row['ready']:.2%} [{row['ready_low']:.2%}, {row['ready_high']:.2%}]; suggested "
            f"{row['suggested']:.0f}."
            if row["suggested"] == row["suggested"] and row["suggested"] is not None
            else f"{row['points']} points; no new board can complete it."
        )
        if "claimed" in found and row["times"] == row["times"]:
            words += f" Claimed {row['claimed']:.0%} of {int(row['times']):,} times it was drawn."
        body.append(figure(f"design-{n}", str(row["name"]), words, drawing(by_name[str(row["name"])])))
    body.append("</div>")
    body.append(_rows(found))
    told = found.attrs
    play = (
        f" In play: {told['games']:,} games of {told['players']} {escape(str(told['agent']))} players"
        f"{'' if told['complete'] else ' (interrupted)'}; effects as in the balance report."
        if told
        else ""
    )
    body += [
        '<h2 id="method">Method and seeds</h2>',
        f"<p>Difficulty: the fewest swaps that complete a design, exact, on {boards:,} random boards from "
        f"seed {seed} on, "
        f"with 95% intervals.{play} Version {__version__}.</p>",
    ]
    return page(title, body)


def _rows(found: pd.DataFrame) -> str:
    played = "claimed" in found
    heads = [
        "design",
        "points",
        "suggested",
        "swaps away",
        "ready-made",
        *(["claimed", "rounds", "effect"] if played else []),
    ]
    rows = []
    for _, row in found.iterrows():
        possible = row["suggested"] is not None and row["suggested"] == row["suggested"]
        cells = [escape(str(row["name"])), str(row["points"]), f"{row['suggested']:.0f}" if possible else "–"]
        cells += [f"{row['swaps']:.2f}" if possible else "–", f"{row['ready']:.2%}"]
        if played:
            drawn = row["times"] == row["times"]
            cells += [f"{row['claimed']:.0%}", f"{row['rounds']:.1f}"] if drawn else ["–", "–"]
            known = drawn and row["effect"] == row["effect"]
            limits = limits_in_words(row["low"], row["high"], POINTS) if known else ""
            cells.append(with_interval(in_words(row["effect"], POINTS), limits, int(row["times"])) if known else "–")
        rows.append(cells)
    meaning = what_columns_mean(COLUMNS_OF_CARDS | COLUMNS_OF_DECKS, heads)
    return meaning + table(heads, rows, ["flag" if row["flags"] else "" for _, row in found.iterrows()])


def write_deck(found: pd.DataFrame, folder: str | Path, rules: Rules, boards: int, seed: int) -> Path:
    """Write `report.html` and `figures.json` into a folder; the path of the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "report.html", html(found, rules, boards, seed))
    told = {
        "format": "ettana-designs/1",
        "version": __version__,
        "boards": boards,
        "seed": seed,
        "designs": plain(found),
    }
    write_whole(folder / "figures.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    return folder / "report.html"
