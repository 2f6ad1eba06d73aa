"""A study as files: one HTML page, its figures as JSON, and a row a game as Parquet."""

import json
from html import escape
from pathlib import Path
from typing import Any

from balance.definitions import BY_KEY, DEFINITIONS, POINTS, THEMES, in_words, limits_in_words
from balance.figures import figures_of, named
from balance.gates import Judged
from balance.lab import BOARDS, FEWEST, FEWEST_OF_STYLES, PART, PART_OF_STYLES, Lab
from balance.page import figure, marks_in_words, page, plain, table, verdict_list, with_interval
from balance.report_tables import tables_of
from balance.tally import MOST_TURNS
from balance.verdicts import verdicts
from ettana_env.rules import Rules, write_whole
from ettana_env.version import __version__

FORMAT = "ettana-balance/1"


def figures_json(lab: Lab, judged: list[Judged] | None = None) -> dict[str, Any]:
    """Everything behind the report but the single games."""
    told: dict[str, Any] = {
        "format": FORMAT,
        "version": __version__,
        "rules": lab.rules.to_dict(),
        "players": list(lab.players),
        "agents": list(lab.agents),
        "levels": list(lab.levels),
        "games": lab.wanted,
        "seed": lab.seed,
        "notes": lab.notes,
        "faults": lab.faults,
        "verdicts": [verdict._asdict() for verdict in verdicts(lab)],
        "gates": [one._asdict() for one in judged or ()],
        "definitions": {one.key: {"title": one.title, "unit": one.unit, "text": one.text} for one in DEFINITIONS},
        "measures": lab.measures,
        "seats": lab.seats,
        "ladder": lab.ladder,
        "styles": lab.styles,
        **lab.tables,
    }
    answer: dict[str, Any] = plain(told)
    return answer


def write_report(lab: Lab, folder: str | Path, judged: list[Judged] | None = None) -> Path:
    """Write `report.html`, `figures.json` and `games.parquet` into a folder; the path of the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "report.html", html(lab, judged))
    text = json.dumps(figures_json(lab, judged), indent=1, ensure_ascii=False)
    write_whole(folder / "figures.json", text + "\n")
    beside = folder / "games.parquet.part"
    lab.games.to_parquet(beside, index=False)
    beside.replace(folder / "games.parquet")
    return folder / "report.html"


def html(lab: Lab, judged: list[Judged] | None = None) -> str:
    """The page."""
    title = f"Balance of {lab.rules.name}"
    pictures = figures_of(lab)
    body = [f"<h1>{escape(title)}</h1>", f'<p class="soft">{escape(_what(lab))}</p>']
    body += [f'<p class="warning">{escape(note)}</p>' for note in lab.notes]
    if judged:
        body += ["<h2>Gates</h2>", verdict_list([(one.gate, one.mark, one.text) for one in judged])]
    said = verdicts(lab)
    body.append('<h2 id="verdicts">What it says</h2>')
    body.append(f"<p>{marks_in_words([one.mark for one in said])}</p>")
    body.append(verdict_list([(THEMES[one.theme], one.mark, one.text) for one in said]))
    shown = [
        theme for theme in THEMES if any(one.theme == theme for one in pictures) or theme in set(lab.measures["theme"])
    ]
    links = [f'<a href="#{theme}">{escape(THEMES[theme])}</a>' for theme in shown]
    body.append("<nav>" + "".join([*links, '<a href="#method">Method and seeds</a>']) + "</nav>")
    for theme in shown:
        body.append(f'<h2 id="{theme}">{escape(THEMES[theme])}</h2>')
        drawn = [figure(one.key, one.title, one.words, one.svg) for one in pictures if one.theme == theme]
        if drawn:
            body.append('<div class="figures">' + "\n".join(drawn) + "</div>")
        body.append(measures_table(lab, theme))
        body.append(tables_of(lab, theme))
    body += _method(lab)
    return page(title, body)


def _what(lab: Lab) -> str:
    counts = ", ".join(map(str, lab.players))
    return (
        f"Rules “{lab.rules.name}”, {counts} players, {lab.wanted:,} games each among {', '.join(lab.agents)} players; "
        f"{len(lab.games):,} games measured in all, seed {lab.seed}. Every figure has its 95% interval and "
        f"the number of "
        "games (n) it rests on. What holds for these agents need not hold for people."
    )


def measures_table(lab: Lab, theme: str) -> str:
    """The figures of a theme: one row each, the other levels of skill below; the definition unfolds."""
    rows, kinds = [], []
    table_of = lab.measures[lab.measures["theme"] == theme]
    for key in dict.fromkeys(table_of["key"]):
        one = BY_KEY[key]
        levels = [level for level in lab.levels if (table_of[table_of["key"] == key]["level"] == level).any()]
        levels.sort(key=lambda level: level != lab.main)
        for n, level in enumerate(levels):
            name = (
                f"<details><summary>{escape(one.title)}</summary><p>{escape(one.text)}</p></details>"
                if n == 0
                else escape(level)
            )
            rows.append([name, *(_cell(lab.value(key, players, level), one.unit) for players in lab.players)])
            kinds.append("other" if n else "")
    if not rows:
        return ""
    heads = [f"{lab.main} players", *(named(players) for players in lab.players)]
    return table(heads, rows, kinds)


def _cell(row: Any, unit: str) -> str:
    if row is None or row["n"] == 0:
        return "–"
    unit_word = " points" if unit == POINTS else ""
    alike = row["low"] != row["low"] and row["n"] > 1
    limits = "in every game," if alike else limits_in_words(row["low"], row["high"], unit)
    return with_interval(in_words(row["value"], unit) + unit_word, limits, int(row["n"]))


def _method(lab: Lab) -> list[str]:
    fits = "; ".join(
        f"{named(players)}, {level}: surprise {found:.3f}, {1 - found / nothing:.0%} less than knowing nothing"
        for (players, level), (found, nothing) in lab.surprise.items()
    )
    terms = {
        "Games": f"For each number of players, {lab.wanted:,} games of each agent asked for with itself; the other "
        f"levels of skill and every step of the ladder get one {PART}th of it, a pairing of styles one "
        f"{PART_OF_STYLES}th, but at least {FEWEST} and {FEWEST_OF_STYLES}. A game has a seed, from {lab.seed} on; "
        "deals that different agents play are played in every rotation of the seats.",
        "Intervals": "95%. Shares of games: Wilson's; means: Student's; games of one deal, turns of one "
        "game and draws of "
        "one game are not taken for independent.",
        "Chances to win": "At the start of every turn each player has a strength, a weighted sum of "
        "points, designs and how "
        "near they are, tokens, cards, and how soon it is their turn; chances are in proportion to exp(strength). "
        "Hands are seen. Half of the games are judged by weights fitted to the other half, and the other way "
        f"round; the calibration plot shows both. Games of more than {MOST_TURNS} turns are left out. Fits: {fits}.",
        "Effects of cards": "A linear regression of winning on which card was drawn, over all draws from "
        "the stacks, with "
        "the holder's points, lead, tokens, the round, the place in the order and how the card came; errors by "
        "game. q-values after Benjamini and Hochberg, over all cards or designs of one number of players and level.",
        "Difficulty of designs": f"The fewest swaps to complete it, exact, on {BOARDS:,} random boards.",
        "Luck and skill": "Variance components over deals played in all rotations. The interval of luck is by drawing "
        "the deals anew, that of skill the square of the interval of what the one player is ahead; what is estimated "
        "below nought is shown as nought.",
        "Minutes": BY_KEY["minutes"].text,
        "Agents": "These are programs: greedy looks one action ahead, planner thinks through its turn. A finding that "
        "changes from one level to the next is likely to change again for people.",
    }
    settings = [f"<dt>{escape(key)}</dt><dd>{escape(text)}</dd>" for key, text in terms.items()]
    command = (
        f"ettana balance --rules RULES.yaml --agents {','.join(lab.agents)} "
        f"--players {','.join(map(str, lab.players))} --games {lab.wanted} --seed {lab.seed} --out report/"
    )
    return [
        '<h2 id="method">Method and seeds</h2>',
        f"<p>To have this report again: <code>{escape(command)}</code>, with version {__version__} and "
        f"these rules:</p>",
        f"<p><code>{escape(rules_in_short(lab.rules))}</code></p>",
        f"<dl>{''.join(settings)}</dl>",
    ]


def rules_in_short(rules: Rules) -> str:
    """The settings of some rules that are not those of the base game."""
    base, mine = Rules().to_dict(), rules.to_dict()
    changed = {key: mine[key] for key in mine if mine[key] != base[key] and key != "designs"}
    text = json.dumps(changed, ensure_ascii=False) if changed else "the base game"
    if mine["designs"] != base["designs"]:
        text += f", with a deck of {len(rules.designs)} designs"
    return text
