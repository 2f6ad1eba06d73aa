"""The planner's styles of play against each other: is there one that beats all, or does each have its match?"""

from agents.arena import Progress
from balance.meetings import meet
from ettana_env import Rules

STYLES = ("builder", "hoarder", "thief", "gambler")
"""The planner's styles; builder is the planner as it is."""


def spec_of(style: str) -> str:
    """The agent that plays a style."""
    return f"planner:style={style}"


def pairs() -> list[tuple[str, str]]:
    """Every style, alone at a table of every other."""
    return [(one, other) for one in STYLES for other in STYLES if one != other]


def style_rows(
    rules: Rules | None = None,
    players: int = 4,
    games: int = 200,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[list[dict[str, object]], bool]:
    """For every pair, how often one player of a style wins among players of another; False if interrupted."""
    both = pairs()
    met, complete = meet(
        [[spec_of(one)] + [spec_of(other)] * (players - 1) for one, other in both],
        rules,
        games,
        seed,
        workers,
        progress,
    )
    rows: list[dict[str, object]] = [
        {"players": players, "style": one, "among": other, **found.first_wins()._asdict(), "par": 1 / players}
        for (one, other), found in zip(both, met, strict=True)
    ]
    return rows, complete
