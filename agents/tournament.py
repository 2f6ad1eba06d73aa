"""A tournament: every agent against every other, and every mix of different agents that fills a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from agents.arena import Progress, play_games
from agents.ratings import Rating, rate
from agents.results import Results
from ettana_env.errors import EttanaError
from ettana_env.rules import Rules


def line_ups(agents: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Each agent alone against a table of each other one; then all tables of different agents."""
    pairings = [(one, *[other] * (players - 1)) for one in agents for other in agents if one != other]
    if players == 2:
        return list(combinations(agents, 2))
    return pairings + list(combinations(agents, players))


@dataclass
class Tournament:
    """What was played, by line-up, and the ratings it gives."""

    agents: tuple[str, ...]
    players: int
    played: list[Results] = field(default_factory=list)
    ratings: list[Rating] = field(default_factory=list)
    complete: bool = True

    def pairings(self) -> Iterator[tuple[str, str, Results]]:
        """Each one who met a table of another."""
        for results in self.played:
            if len(set(results.agents)) == 2:
                yield results.agents[0], results.agents[-1], results
                if self.players == 2:
                    yield results.agents[1], results.agents[0], results

    def summary(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {
            "players": self.players,
            "complete": self.complete,
            "ratings": [vars(rating) for rating in self.ratings],
            "line_ups": [results.summary() for results in self.played],
        }


def play_tournament(
    agents: Sequence[str],
    rules: Rules | None = None,
    players: int = 4,
    games: int = 400,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> Tournament:
    """Play at least `games` games in every line-up; an interrupt keeps what is done."""
    names = tuple(dict.fromkeys(agents))
    if len(names) < 2:
        raise EttanaError("a tournament needs at least two different agents")
    tournament = Tournament(names, players)
    tables = line_ups(names, players)
    blocks = -(-games // players) * players
    for number, table in enumerate(tables):

        def tell(done: int, _: int, before: int = number * blocks) -> None:
            if progress is not None:
                progress(before + done, len(tables) * blocks)

        results = play_games(table, rules, games=games, seed=seed, workers=workers, progress=tell)
        if len(results.rows):
            tournament.played.append(results)
        if not results.complete:
            tournament.complete = False
            break
    if tournament.played:
        tournament.ratings = rate(tournament.played, seed=seed)
    return tournament
