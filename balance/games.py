"""One row a game: everything about it that is one number, under the names the definitions use."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from balance.course import courses
from balance.simulate import Played
from balance.tally import FLOWS, INCOME
from balance.winning import Chances
from ettana_env.vocabulary import KINDS, MAX_PLAYERS, NONE, VERBS

SECONDS_A_DECISION = 6.0
"""An assumption, for the estimate of minutes: how long a person takes for a decision."""
SECONDS_A_TURN = 8.0
"""And for rolling the dice and collecting."""

ENDINGS = ("design", "victory card", "deal", "limit")
"""How a game ends: a design claimed, a victory-point card drawn in play, one dealt, nobody before a limit."""


def ending_of(tallies: NDArray[Any]) -> NDArray[Any]:
    """By game, how it ended."""
    by = tallies["ended_by"]
    found = np.where(by == VERBS.index("claim"), "design", "victory card").astype(object)
    found[(by == NONE) | (by == VERBS.index("place"))] = "deal"
    found[tallies["truncated"]] = "limit"
    return found


def table_of(played: Played, chances: Chances, level: str) -> pd.DataFrame:
    """The games as a data frame; `level` names who played, and goes into a column."""
    tallies, players = played.tallies, played.players
    seats = slice(0, players)
    winner, starter = tallies["winner"].astype(np.int64), tallies["starter"].astype(np.int64)
    won = winner != NONE
    turns = tallies["turns"].astype(np.float64)
    some_turns = np.where(turns > 0, turns, np.nan)
    points = np.sort(tallies["points"][:, seats], axis=1)[:, ::-1]
    decisions = tallies["decisions"][:, seats].sum(axis=1)
    verbs = {verb: tallies["verbs"][:, seats, n].sum(axis=1) for n, verb in enumerate(VERBS)}
    flows = {flow: tallies["flows"][:, seats, n].sum(axis=1) for n, flow in enumerate(FLOWS)}
    income = tallies["flows"][:, seats, 1:INCOME].sum(axis=(1, 2))
    drawn = _drawn(played)
    frame = pd.DataFrame(
        {
            "players": players,
            "level": level,
            "seed": tallies["seed"],
            "rotation": tallies["rotation"],
            "winner": winner,
            "starter": starter,
            "order": np.where(won & (starter != NONE), (winner - starter) % players, NONE),
            "ending": ending_of(tallies),
            "start_won": np.where(won, winner == starter, np.nan),
            "last_in_order_won": np.where(won, (winner - starter) % players == players - 1, np.nan),
            "turns": turns,
            "rounds": turns / players,
            "decisions": decisions.astype(np.float64),
            "minutes": (decisions * SECONDS_A_DECISION + turns * SECONDS_A_TURN) / 60,
            "downtime": (players - 1) * decisions / some_turns,
            "truncated": tallies["truncated"].astype(np.float64),
            "blocked": tallies["blocked"].astype(np.float64),
            "stuck": tallies["stuck"] / some_turns,
            "ended_by_card": np.where(won, ending_of(tallies) == "victory card", np.nan),
            "margin": np.where(won, points[:, 0] - points[:, 1], np.nan),
            "points_of_last": np.where(won, points[:, -1], np.nan),
            "points_by_cards": _share(tallies["victory_cards"][:, seats].sum(axis=1), points.sum(axis=1)),
            "income": income / some_turns,
            "income_of_own_roll": _share(flows["own roll"], income),
            "tolls": flows["tolls paid"].astype(np.float64),
            "spent_on_swaps": _share(flows["swaps"], flows["swaps"] + flows["action cards"] + flows["designs"]),
            "bank_empty": tallies["bank_empty"] / some_turns,
            "refused": tallies["refused"] / some_turns,
            "cards_drawn": drawn["cards"],
            "designs_drawn": drawn["designs"],
            "claims": verbs["claim"].astype(np.float64),
            "exchanges": verbs["exchange"].astype(np.float64),
            "bought_swaps": verbs["buy_swap"].astype(np.float64),
            "free_swaps": _share(tallies["taken"][:, VERBS.index("free_swap")], turns),
            "thefts": (verbs["steal_card"] + verbs["steal_tokens"]).astype(np.float64),
            "thefts_at_leader": _share(tallies["at_leader"], verbs["steal_card"] + verbs["steal_tokens"]),
            "taxes": verbs["tax"].astype(np.float64),
            "blocking": tallies["blocking"].astype(np.float64),
            "interaction": _share(
                verbs["steal_card"] + verbs["steal_tokens"] + verbs["tax"] + tallies["blocking"], turns
            ),
            "options": _share(tallies["options"].sum(axis=1), decisions),
            "real_choices": _share(decisions, tallies["actions"]),
            "rich_turns": tallies["rich_turns"] / some_turns,
            "black_rolls": _share(tallies["colours"][:, -1], tallies["colours"].sum(axis=1)),
        }
    )
    for seat in range(MAX_PLAYERS):
        frame[f"points_{seat}"] = tallies["points"][:, seat] if seat < players else np.nan
    return pd.concat([frame, courses(played, chances)], axis=1)


def _share(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """A part of a whole, not a number where there is none."""
    whole = np.asarray(whole, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, np.nan)


def _drawn(played: Played) -> dict[str, NDArray[np.float64]]:
    """Action cards (victory points included) and designs that came from the stacks, by game."""
    game = np.repeat(np.arange(played.games), played.tallies["draws"])
    designs = played.draws["card"] >= len(KINDS)
    return {
        name: np.bincount(game[which], minlength=played.games).astype(np.float64)
        for name, which in (("cards", ~designs), ("designs", designs))
    }
