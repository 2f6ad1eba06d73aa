"""The planner's styles of play against each other: is there one that beats all, or does each have its match?"""

import pandas as pd

from agents.arena import Progress, play_games
from ettana_env import Rules

STYLES = ("plain", "builder", "hoarder", "thief", "gambler")
"""The planner as it is, and its styles."""


def spec_of(style: str) -> str:
    """The agent that plays a style."""
    return "planner" if style == "plain" else f"planner:style={style}"


def pairs() -> list[tuple[str, str]]:
    """Every style, alone at a table of every other."""
    return [(one, other) for one in STYLES for other in STYLES if one != other]


def style_row(
    one: str,
    other: str,
    rules: Rules | None,
    players: int,
    games: int,
    seed: int,
    workers: int,
    progress: Progress | None = None,
) -> dict[str, object] | None:
    """How often one player of a style wins among players of another; None if it was interrupted."""
    specs = [spec_of(one)] + [spec_of(other)] * (players - 1)
    results = play_games(specs, rules, None, games, seed, workers, progress)
    if not results.complete:
        return None
    share = results.share(spec_of(one))
    return {
        "players": players,
        "style": one,
        "among": other,
        "value": share.share,
        "low": share.low,
        "high": share.high,
        "n": share.games,
        "par": 1 / players,
    }


def standing(matrix: pd.DataFrame) -> pd.DataFrame:
    """Per number of players and style, its mean share over par against all the others."""
    over = matrix.assign(over=matrix["value"] - matrix["par"])
    return over.groupby(["players", "style"], sort=False)["over"].mean().reset_index()
