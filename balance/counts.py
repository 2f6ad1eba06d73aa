"""Tables of counts: what players do and when, where tokens go, which parts of the board are used, how much choice."""

from typing import Any

import numpy as np
import pandas as pd

from balance.games import ENDINGS, ending_of
from balance.simulate import Played
from balance.statistics import ratio_of
from balance.tally import BINS, FLOWS, INCOME, STAGES
from ettana_env.vocabulary import COLOURS, DIE_COLOURS, NONE, OCTAGONS, VERBS


def actions_of(played: Played) -> pd.DataFrame:
    """Per kind of action: times a game, and of the turns in which it was legal, those in which it was done."""
    tallies = played.tallies
    rows: list[dict[str, Any]] = []
    for n, verb in enumerate(VERBS):
        rate = ratio_of(tallies["taken"][:, n], tallies["offered"][:, n])
        row = {"action": verb, "per_game": tallies["verbs"][:, :, n].sum(axis=1).mean()}
        row |= {"offered": ratio_of(tallies["offered"][:, n], tallies["turns"]).value}
        row |= {"taken": rate.value, "low": rate.low, "high": rate.high, "n": rate.n}
        for stage, name in enumerate(STAGES):
            row[name] = ratio_of(tallies["verbs_by_stage"][:, stage, n], tallies["turns_by_stage"][:, stage]).value
        rows.append(row)
    return pd.DataFrame(rows)


def tokens_of(played: Played) -> pd.DataFrame:
    """Per source and use: tokens a player a game, all players and winners alone."""
    tallies, players = played.tallies, played.players
    won = np.flatnonzero(tallies["winner"] != NONE)
    of_winner = tallies["flows"][won, tallies["winner"][won]]
    rows = []
    for n, flow in enumerate(FLOWS):
        side = "in" if n < INCOME else "out"
        mean = tallies["flows"][:, :players, n].mean()
        winners = of_winner[:, n].mean() if len(won) else np.nan
        rows.append({"flow": flow, "side": side, "per_player": mean, "winners": winners})
    return pd.DataFrame(rows)


def board_of(played: Played) -> pd.DataFrame:
    """Shares of the turns that ended on each square, of the claimed cells on each octagon, and of colours."""
    tallies = played.tallies
    squares = 36 if played.rules.rim_squares else 16
    rows: list[dict[str, Any]] = []
    for what, names, column in (
        ("square", range(squares), "stood"),
        ("octagon", range(OCTAGONS), "octagons"),
        ("claimed colour", COLOURS, "claim_colours"),
        ("rolled colour", DIE_COLOURS, "colours"),
        ("rolled number", range(1, 7), "numbers"),
    ):
        counts = tallies[column].sum(axis=0)
        total = max(int(counts.sum()), 1)
        rows += [
            {"what": what, "which": str(name), "count": int(counts[n]), "share": counts[n] / total}
            for n, name in enumerate(names)
        ]
    return pd.DataFrame(rows)


def endings_of(played: Played) -> pd.DataFrame:
    """How games end."""
    found = ending_of(played.tallies)
    rows = []
    for name in ENDINGS:
        rate = ratio_of((found == name).astype(np.float64), np.ones(played.games))
        rows.append({"ending": name, "share": rate.value, "games": int((found == name).sum())})
    return pd.DataFrame(rows)


def branching_of(played: Played) -> pd.DataFrame:
    """How many legal actions decisions have, by stage of the game, in powers of two."""
    tallies = played.tallies
    rows: list[dict[str, Any]] = []
    for stage, name in enumerate(STAGES):
        counts = tallies["branching"][:, stage].sum(axis=0)
        total = max(int(counts.sum()), 1)
        mean = tallies["options"][:, stage].sum() / max(int(tallies["choices"][:, stage].sum()), 1)
        for size in range(1, BINS):
            label = f"{2**size}–{2 ** (size + 1) - 1}" if size < BINS - 1 else f"{2**size} up"
            rows.append({"stage": name, "actions": label, "share": counts[size] / total, "mean": mean})
    return pd.DataFrame(rows)
