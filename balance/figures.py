"""The pictures of a study, theme by theme."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from balance.charts import Dot, Line, bars, curve, dots, heat, matrix, scatter
from balance.lab import Lab
from balance.styles import STYLES
from balance.tally import STAGES

SHOWN_DESIGNS = 40
PLAIN = {"place", "roll", "end_turn"}


class Figure(NamedTuple):
    """A picture, what it shows, and how to read it."""

    key: str
    theme: str
    title: str
    words: str
    svg: str


def named(players: int) -> str:
    """How a number of players is called."""
    return f"{players} players"


def figures_of(lab: Lab) -> list[Figure]:
    """All pictures there is something to show in."""
    if not len(lab.games):
        return []
    found: list[Figure] = []
    for make in MAKERS:
        found += make(lab)
    return found


def _seats(lab: Lab) -> list[Figure]:
    made = []
    for by, title, words in (
        ("order", "Wins by place in the order of play", "The first is the one who starts. The line is an even share."),
        ("seat", "Wins by seat", "Seat 0 places its pin first; who starts is settled by the dice."),
    ):
        rows = []
        for players in lab.players:
            table = lab.seats[(lab.seats["players"] == players) & (lab.seats["by"] == by)]
            for level in lab.levels:
                some = table[table["level"] == level]
                rows += [
                    Dot(
                        f"{players}p, {_place(by, int(row['place']))}",
                        row["value"] - 1 / players,
                        row["low"] - 1 / players,
                        row["high"] - 1 / players,
                        lab.levels.index(level),
                        level == lab.main,
                        f"n = {row['n']:,}",
                    )
                    for _, row in some.iterrows()
                ]
        rows.sort(key=lambda row: row.label)
        made.append(
            Figure(
                f"wins-by-{by}",
                "fairness",
                title,
                words + " Percentage points over it, 95% intervals; colours are levels of skill.",
                dots(rows, title, "points", 0.0, lab.levels),
            )
        )
    return made


def _place(by: str, place: int) -> str:
    return f"seat {place}" if by == "seat" else ("1st", "2nd", "3rd", "4th")[place]


def _games(lab: Lab, players: int, level: str | None = None) -> pd.DataFrame:
    games = lab.games
    return games[(games["players"] == players) & (games["level"] == (level or lab.main))]


def _length(lab: Lab) -> list[Figure]:
    lines = []
    main = lab.games[lab.games["level"] == lab.main]["turns"]
    top = float(np.quantile(main, 0.995)) if len(main) else 1.0
    width = max(1, round(top / 30))
    edges = np.arange(0, top + 2 * width, width)
    for players in lab.players:
        turns = _games(lab, players)["turns"]
        counts, _ = np.histogram(np.clip(turns, 0, edges[-1] - width / 2), bins=edges)
        lines.append(
            Line(named(players), (edges[:-1] + width / 2).tolist(), (counts / max(len(turns), 1) / width).tolist())
        )
    spread = []
    for players in lab.players:
        for n, level in enumerate(lab.levels):
            turns = _games(lab, players, level)["turns"]
            if len(turns):
                low, middle, high = np.quantile(turns, [0.05, 0.5, 0.95])
                spread.append(Dot(named(players), middle, low, high, n, level == lab.main, f"n = {len(turns):,}"))
    return [
        Figure(
            "turns",
            "length",
            "How long games last",
            f"Share of games by turns, all players' turns together; {lab.main}.",
            curve(lines, "How long games last", "turns"),
        ),
        Figure(
            "turns-by-level",
            "length",
            "Length by level of skill",
            "Median turns; the bar spans from the shortest 5% to the longest 5% of games (a spread, not an error).",
            dots(spread, "Length by level of skill", "number", None, lab.levels),
        ),
    ]


def _endings(lab: Lab) -> list[Figure]:
    names = [str(name) for name in lab.table("endings", lab.players[0])["ending"]]
    values = [lab.table("endings", players)["share"].tolist() for players in lab.players]
    return [
        Figure(
            "endings",
            "ending",
            "How games end",
            "By the last point: a design claimed, a victory-point card drawn, the deal itself, or a limit.",
            bars(names, values, [named(players) for players in lab.players], "How games end", "share"),
        )
    ]


def _course(lab: Lab) -> list[Figure]:
    openness, winners, foreseen = [], [], []
    for players in lab.players:
        table = lab.table("curves", players)
        if not len(table):
            continue
        error = 1.96 * table["uncertainty_error"]
        openness.append(
            Line(
                named(players),
                table["progress"].tolist(),
                table["uncertainty"].tolist(),
                (table["uncertainty"] - error).tolist(),
                (table["uncertainty"] + error).tolist(),
            )
        )
        winners.append(
            Line(
                named(players),
                table["progress"].tolist(),
                table["winner"].tolist(),
                table["winner_low"].tolist(),
                table["winner_high"].tolist(),
            )
        )
        seen = lab.table("calibration", players)
        foreseen.append(
            Line(
                named(players),
                seen["foreseen"].tolist(),
                seen["won"].tolist(),
                seen["low"].tolist(),
                seen["high"].tolist(),
                True,
            )
        )
    if not openness:
        return []
    return [
        Figure(
            "uncertainty",
            "course",
            "How open games are, from start to end",
            "100%: every player as likely to win; 0%: certain. Mean over games, with its 95% band.",
            curve(openness, "Uncertainty over a game", "part of the game played", "share", "share"),
        ),
        Figure(
            "winner",
            "course",
            "The later winner's chance",
            "Median over games; the band holds eight games in ten.",
            curve(winners, "The later winner's chance", "part of the game played", "share", "share"),
        ),
        Figure(
            "calibration",
            "course",
            "Can the chances be trusted?",
            "Of positions in which a player was given some chance, the share that player won, on games "
            "the model was not "
            "fitted to. On the dotted line the chances are what they claim; bands are 95% intervals.",
            curve(foreseen, "Calibration", "chance given; up: games won", "share", "share", diagonal=True),
        ),
    ]


def _skill(lab: Lab) -> list[Figure]:
    if not len(lab.ladder):
        return []
    rungs = list(dict.fromkeys(f"{row['upper']} over {row['lower']}" for _, row in lab.ladder.iterrows()))
    made = []
    for keys, key, title, words, unit in (
        (
            ("step_up",),
            "ladder",
            "What skill is worth",
            "Wins of one stronger player among weaker ones, over par.",
            "points",
        ),
        (
            ("luck", "skill"),
            "luck",
            "Deal, players, and how they meet",
            "Shares of the variance in who wins that go with the seat of the deal (luck) and with who plays (skill).",
            "share",
        ),
    ):
        rows = []
        for _, row in lab.ladder.iterrows():
            if row["key"] in keys:
                series = rungs.index(f"{row['upper']} over {row['lower']}")
                label = f"{row['players']}p" + (f", {row['key']}" if len(keys) > 1 else "")
                rows.append(Dot(label, row["value"], row["low"], row["high"], series, True, f"n = {row['n']:,}"))
        rows.sort(key=lambda row: row.label)
        made.append(Figure(key, "skill", title, words, dots(rows, title, unit, 0.0, rungs)))
    return made


def _tokens(lab: Lab) -> list[Figure]:
    made = []
    for side, title in (("in", "Where tokens come from"), ("out", "Where tokens go")):
        tables = [lab.table("tokens", players) for players in lab.players]
        tables = [table[table["side"] == side] for table in tables]
        made.append(
            Figure(
                f"tokens-{side}",
                "tokens",
                title,
                f"Tokens a player a game; {lab.main}.",
                bars(
                    [str(flow) for flow in tables[0]["flow"]],
                    [table["per_player"].tolist() for table in tables],
                    [named(players) for players in lab.players],
                    title,
                ),
            )
        )
    return made


def _effects(lab: Lab, name: str, theme: str, what: str) -> list[Figure]:
    rows: list[tuple[float, Dot]] = []
    first = lab.table(name, lab.players[-1])
    if not len(first):
        return []
    ranked = first.sort_values("effect", ascending=False, na_position="last")["name"].tolist()
    for n, players in enumerate(lab.players):
        table = lab.table(name, players).set_index("name")
        for place, card in enumerate(ranked):
            if card in table.index and np.isfinite(table.loc[card, "effect"]):
                row: Any = table.loc[card]
                flagged = bool(row["q"] < 0.05)
                dot = Dot(str(card), row["effect"], row["low"], row["high"], n, flagged, f"n = {row['times']:,} draws")
                rows.append((place + n / 10, dot))
    rows.sort(key=lambda pair: pair[0])
    if not rows:  # too few draws to say anything
        return []
    many = len(lab.players) > 1 and name == "designs"
    if many:  # one number of players at a time, or the picture has no end
        rows = [(place, dot) for place, dot in rows if dot.series == len(lab.players) - 1]
    title = f"What drawing {what} is worth"
    return [
        Figure(
            f"{name}-effect",
            theme,
            title,
            "Percentage points of winning over the average card drawn in a like position (points, lead, tokens, round, "
            "place in the order), 95% intervals. Filled: still clear after looking at all of them at once (q below 5%)."
            + (f" {named(lab.players[-1])}; the others are in the table." if many else ""),
            dots([dot for _, dot in rows], title, "points", 0.0, () if many else [named(n) for n in lab.players]),
        )
    ]


def _cards(lab: Lab) -> list[Figure]:
    table = lab.table("cards", lab.players[-1])
    if not len(table):
        return []
    use = bars(
        [str(name) for name in table["name"]],
        [lab.table("cards", n).set_index("name")["used"].reindex(table["name"]).tolist() for n in lab.players],
        [named(n) for n in lab.players],
        "Cards drawn that are played",
        "share",
    )
    words = "Of the cards of a kind that come to a player, the share that is played; the rest is stolen or never used."
    return [
        *_effects(lab, "cards", "cards", "a card"),
        Figure("cards-used", "cards", "Cards that are played", words, use),
    ]


def _designs(lab: Lab) -> list[Figure]:
    table = lab.table("designs", lab.players[-1])
    if not len(table):
        return []
    worth = sorted({int(points) for points in table["points"]})
    claimed = [
        (row["swaps"], row["used"], str(row["name"]), worth.index(int(row["points"]))) for _, row in table.iterrows()
    ]
    powers = [
        (row["swaps"], row["effect"], str(row["name"]), worth.index(int(row["points"]))) for _, row in table.iterrows()
    ]
    names = [f"{points} points" if points != 1 else "1 point" for points in worth]
    players = named(lab.players[-1])
    return [
        *_effects(lab, "designs", "designs", "a design"),
        Figure(
            "designs-price",
            "designs",
            "Points against difficulty",
            f"Each design by the fewest swaps it is away on random boards and by what drawing it is worth; {players}. "
            "If points were a fair price for difficulty, all would lie near the dotted line.",
            scatter(powers, "Points against difficulty", "mean swaps away", "effect on winning", "points", names),
        ),
        Figure(
            "designs-claimed",
            "designs",
            "Designs that are claimed",
            f"Of the times a design comes to a player, the share that is claimed; {players}.",
            scatter(claimed, "Designs claimed", "mean swaps away", "claimed", "share", names),
        ),
    ]


def _actions(lab: Lab) -> list[Figure]:
    table = lab.table("actions", lab.players[-1])
    if not len(table):
        return []
    table = table[~table["action"].isin(PLAIN)]
    verbs = [str(verb) for verb in table["action"]]
    taken = [lab.table("actions", n).set_index("action")["taken"].reindex(verbs).tolist() for n in lab.players]
    return [
        Figure(
            "actions-by-stage",
            "actions",
            "What is done, by stage of the game",
            f"Times a turn; opening: nobody has a third of the points to win; end: someone has two thirds; "
            f"{named(lab.players[-1])}.",
            bars(verbs, [table[stage].tolist() for stage in STAGES], STAGES, "Actions by stage", "number"),
        ),
        Figure(
            "actions-taken",
            "actions",
            "Done when it can be",
            "Of the turns in which a kind of action is legal at some moment, those in which it is done.",
            bars(verbs, taken, [named(n) for n in lab.players], "Done when it can be", "share"),
        ),
    ]


def _board(lab: Lab) -> list[Figure]:
    players = lab.players[-1]
    made = []
    for what, key, title, words in (
        ("square", "squares", "Squares stood on", "Share of turns that end on each square, in percent."),
        ("octagon", "octagons", "Octagons in claims", "Share of the cells of claimed designs, in percent."),
    ):
        for level in sorted(lab.levels, key=lambda level: level != lab.main):
            some = lab.table("board", players, level)
            if len(some):
                shares = some[some["what"] == what]["share"].tolist()
                called = f"{title}, {level}"
                picture = heat(shares, round(len(shares) ** 0.5), called)
                one_key = key if level == lab.main else f"{key}-{level}"
                made.append(Figure(one_key, "board", called, f"{words} {named(players)}.", picture))
    table = lab.table("board", players)
    if not len(table):
        return made
    names = [str(name) for name in table[table["what"] == "claimed colour"]["which"]]
    values = []
    for what in ("rolled colour", "claimed colour"):
        some = table[table["what"] == what].set_index("which")["share"]
        values.append(some.reindex([*names, "black"]).tolist())
    made.append(
        Figure(
            "colours",
            "board",
            "Colours",
            f"Share of the rolls, and of the cells of claimed designs. {named(players)}.",
            bars([*names, "black"], values, ["rolled", "in claims"], "Colours", "share"),
        )
    )
    return made


def _styles(lab: Lab) -> list[Figure]:
    made = []
    for players in lab.players if len(lab.styles) else ():
        table = lab.styles[lab.styles["players"] == players]
        over = {(row["style"], row["among"]): row["value"] - row["par"] for _, row in table.iterrows()}
        n = int(table["n"].iloc[0]) if len(table) else 0
        widest = float((table["high"] - table["low"]).max() / 2) if len(table) else 0.0
        values = [[over.get((one, other), float("nan")) for other in STYLES] for one in STYLES]
        made.append(
            Figure(
                f"styles-{players}",
                "styles",
                f"Styles against each other, {named(players)}",
                f"One player of the row's style among players of the column's: wins over par, in percentage points; "
                f"n = {n:,} games each, give or take {100 * widest:.1f}.",
                matrix(STYLES, STYLES, values, "Styles against each other"),
            )
        )
    return made


def _interaction(lab: Lab) -> list[Figure]:
    rows = []
    for key, label in (("thefts", "thefts"), ("taxes", "taxes"), ("blocking", "blocking swaps"), ("tolls", "tolls")):
        for n, players in enumerate(lab.players):
            found = lab.value(key, players)
            if found is not None:
                rows.append(Dot(label, found["value"], found["low"], found["high"], n, True, f"n = {found['n']:,}"))
    return [
        Figure(
            "interaction",
            "interaction",
            "What players do to each other",
            f"Times a game (tolls: tokens), 95% intervals; {lab.main}.",
            dots(rows, "Interaction", "number", None, [named(n) for n in lab.players]),
        )
    ]


def _choice(lab: Lab) -> list[Figure]:
    table = lab.table("branching", lab.players[-1])
    if not len(table):
        return []
    stages = [table[table["stage"] == stage] for stage in STAGES]
    return [
        Figure(
            "branching",
            "choice",
            "How much there is to choose from",
            f"Share of decisions by the number of legal actions, by stage of the game; {named(lab.players[-1])}.",
            bars(
                [str(size) for size in stages[0]["actions"]],
                [stage["share"].tolist() for stage in stages],
                STAGES,
                "Legal actions at a decision",
                "share",
            ),
        )
    ]


MAKERS: tuple[Callable[[Lab], list[Figure]], ...] = (
    _seats,
    _length,
    _endings,
    _course,
    _skill,
    _tokens,
    _cards,
    _designs,
    _actions,
    _board,
    _styles,
    _interaction,
    _choice,
)
