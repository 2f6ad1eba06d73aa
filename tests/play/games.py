"""Sessions to test with: small, quick, and the same every time."""

from pathlib import Path

from ettana_env import Game, Recorder, Rules
from ettana_env.states import Json
from play.session import QUIET, Session


def session(seed: int = 5, path: Path | None = None, names: tuple[str, ...] = ("human", "greedy")) -> Session:
    """A fresh game against greedy."""
    return Session.new(names, Rules(), seed, path)


def to_your_turn(played: Session) -> Session:
    """Let the others play until the person is to act, the game being under way."""
    while not played.yours:
        played.answer()
    return played


def after_a_roll(played: Session) -> Session:
    """Play on until the person has rolled and must choose what to do."""
    while to_your_turn(played).game.phase != "act":
        played.play(played.legal()[0])
    return played


def quiet(played: Session) -> Json:
    """A legal action that shows nothing new."""
    return next(action for action in played.legal() if action["kind"] in QUIET)


def whole_game(path: Path, names: tuple[str, ...] = ("planner", "greedy", "random"), seed: int = 3) -> Path:
    """A finished game of agents as a record."""
    played = Session.new(("human", *names[1:]), Rules(), seed)
    game = Game(Rules(), len(names), seed)
    with Recorder(path, game, names) as recorder:
        while not game.over:
            recorder.play(played.choice(names[game.player], game))
    return path
