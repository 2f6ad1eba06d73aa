"""Each card's part in winning, adjusted: among cards drawn in like positions, what does it matter which one it was?

Leaders draw more cards, and early draws leave more time; so a card's holders win for reasons that are not the card's.
But which card comes from the shuffled stack is chance. So all draws are compared with each other, by a regression of
"the one who drew it won" on the card and on the position it came in (points, lead, tokens, round, place in the order,
how it came). A card's effect is what it adds to the chance to win over the average card. Errors are those of whole
games.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from balance.simulate import Played
from balance.statistics import Z, benjamini_hochberg
from balance.tally import FATES, HELD, HOW, LOST, STOLEN, USED
from ettana_env.vocabulary import KINDS

LEAST = 30
"""Draws below which no effect is worked out."""


def draws_of(played: Played) -> pd.DataFrame:
    """One row a card that came to a player: which, to whom, when, how, in what position, and what became of it."""
    draws, tallies, players = played.draws, played.tallies, played.players
    game = np.repeat(np.arange(played.games), tallies["draws"])
    names = np.array([*KINDS, *(design.name for design in played.rules.designs)], dtype=object)
    seat = draws["seat"].astype(np.int64)
    return pd.DataFrame(
        {
            "game": game,
            "card": draws["card"].astype(np.int64),
            "name": names[draws["card"]],
            "seat": seat,
            "order": (seat - tallies["starter"][game]) % players,
            "how": np.array(HOW, dtype=object)[draws["how"]],
            "turn": draws["turn"].astype(np.int64),
            "points": draws["points"].astype(np.int64),
            "lead": draws["lead"].astype(np.int64),
            "tokens": draws["tokens"].astype(np.int64),
            "fate": np.array(FATES, dtype=object)[draws["fate"]],
            "rounds": np.where(draws["done"] >= 0, draws["done"] - draws["turn"], np.nan) / players,
            "playable": draws["playable"],
            "won": seat == tallies["winner"][game],
        }
    )


def adjusted(draws: pd.DataFrame, players: int, target: int) -> pd.DataFrame:
    """Per card of some draws: its effect on winning over the average card, 95% interval, p and q; the raw one beside.

    Stolen cards are left out: a hand is no shuffled stack.
    """
    draws = draws[draws["how"] != HOW[STOLEN]]
    cards, counts = np.unique(draws["card"], return_counts=True)
    cards = cards[counts >= LEAST]
    draws = draws[draws["card"].isin(cards)]
    columns = ["card", "draws", "raw", "effect", "low", "high", "p", "q"]
    if len(cards) < 2 or draws["won"].nunique() < 2:
        return pd.DataFrame(columns=columns)
    which = np.searchsorted(cards, draws["card"])
    won = draws["won"].to_numpy(np.float64)
    card = np.zeros((len(draws), len(cards)))
    card[np.arange(len(draws)), which] = 1
    position = _position(draws, players, target)
    inputs = np.hstack([card, position])
    inverse = np.linalg.pinv(inputs.T @ inputs)
    weights = inverse @ (inputs.T @ won)
    rest = (won - inputs @ weights)[:, None] * inputs
    game = draws["game"].to_numpy()
    starts = np.flatnonzero(np.r_[True, game[1:] != game[:-1]])
    by_game = np.add.reduceat(rest, starts, axis=0)
    games = len(starts)
    spread = inverse @ (by_game.T @ by_game) @ inverse * games / max(games - 1, 1)
    share = card.mean(axis=0)
    contrast = np.eye(len(cards)) - share[None, :]
    effect = contrast @ weights[: len(cards)]
    error = np.sqrt(np.diag(contrast @ spread[: len(cards), : len(cards)] @ contrast.T))
    raw = (card.T @ won) / card.sum(axis=0) - won.mean()
    p = 2 * norm.sf(np.abs(effect) / np.where(error > 0, error, np.inf))
    found = pd.DataFrame({"card": cards, "draws": card.sum(axis=0).astype(np.int64), "raw": raw, "effect": effect})
    found["low"], found["high"] = effect - Z * error, effect + Z * error
    found["p"], found["q"] = p, benjamini_hochberg(p)
    return found[columns]


def _position(draws: pd.DataFrame, players: int, target: int) -> NDArray[np.float64]:
    """The position a card came in, as columns with a mean of nought."""
    points, lead = draws["points"].to_numpy() / target, draws["lead"].to_numpy() / target
    rounds = draws["turn"].to_numpy() / players
    parts = [points, points**2, lead, lead**2, rounds, np.sqrt(rounds), draws["tokens"].to_numpy() / 10]
    parts += [draws["order"] == place for place in range(1, players)]
    parts += [draws["how"] == how for how in HOW[1:]]
    columns = np.stack([np.asarray(part, np.float64) for part in parts], axis=1)
    centred: NDArray[np.float64] = columns - columns.mean(axis=0)
    return centred


def fates(draws: pd.DataFrame, games: int) -> pd.DataFrame:
    """Per card: how often it comes, is used (played or claimed), lost or kept to the end, and how long it takes."""
    groups = draws.groupby("card", sort=True)
    used = draws[draws["fate"].isin([FATES[USED], "scored"])]
    held_back = draws[draws["fate"] == FATES[HELD]]
    found = pd.DataFrame({"name": groups["name"].first(), "times": groups.size()})
    found["per_game"] = found["times"] / games
    found["used"] = used.groupby("card").size().reindex(found.index, fill_value=0) / found["times"]
    lost = draws[draws["fate"] == FATES[LOST]].groupby("card").size()
    found["lost"] = lost.reindex(found.index, fill_value=0) / found["times"]
    found["held"] = held_back.groupby("card").size().reindex(found.index, fill_value=0) / found["times"]
    found["rounds"] = used.groupby("card")["rounds"].mean().reindex(found.index)
    found["playable"] = groups["playable"].mean()
    return found.reset_index()


def cards_and_designs(played: Played) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two tables, of action cards and of designs: what becomes of them, and their adjusted effects on winning."""
    draws = draws_of(played)
    tables = []
    for first, last in ((0, len(KINDS)), (len(KINDS), len(KINDS) + len(played.rules.designs))):
        some = draws[(draws["card"] >= first) & (draws["card"] < last)]
        effect = adjusted(some, played.players, played.rules.points_to_win)
        table = fates(some, played.games).merge(effect, on="card", how="left")
        tables.append(table.drop(columns=["draws"]))
    return tables[0], tables[1]
