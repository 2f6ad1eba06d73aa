"""Who plays the other seats when one learner plays against named agents.

An opponent chooses for many games at once, so that it can be compiled: `choose(env, which)` gives an action for every
game that `which` marks and NONE for the others. Other packages add theirs with `register`, or by an entry point in the
group `ettana.opponents` that names a function from the text after the colon (`name:options`) to an opponent.
"""

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ettana_env.batch_env import BatchEnv
from ettana_env.errors import EttanaError
from ettana_env.validation import did_you_mean, shown


class Opponent(Protocol):
    """Plays some seats of some games."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A legal action for the seat to act in each marked game; NONE (-1) for the others."""


class RandomOpponent:
    """Plays any legal action, each as likely; the same for one seed at one moment."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A random legal action for each marked game."""
        return env.random_actions(which)


def _random(options: str) -> Opponent:
    if options:
        raise EttanaError(f"the opponent random has no options, but {options!r} is given")
    return RandomOpponent()


_KNOWN: dict[str, Callable[[str], Opponent]] = {"random": _random}


def register(name: str, make: Callable[[str], Opponent]) -> None:
    """Let `name` or `name:options` stand for the opponent that `make(options)` gives."""
    _KNOWN[name] = make


def opponent(spec: object) -> Opponent:
    """The opponent that a spec such as `random` names; an unknown one is an EttanaError."""
    if not isinstance(spec, str):
        raise EttanaError(f"an opponent must be named by text, not {shown(spec)}")
    name, _, options = spec.partition(":")
    if name not in _KNOWN:
        for entry in entry_points(group="ettana.opponents", name=name):
            register(name, entry.load())
    if name not in _KNOWN:
        raise EttanaError(f"there is no opponent {shown(spec)}; known: {', '.join(_KNOWN)}{did_you_mean(name, _KNOWN)}")
    return _KNOWN[name](options)


def opponents_for(specs: str | Sequence[str], most: int) -> list[Opponent]:
    """The opponents of up to `most` seats after the learner's: one spec for all, or one each."""
    given = [specs] * most if isinstance(specs, str) else list(specs)
    if len(given) == 1:
        given = given * most
    if len(given) != most:
        raise EttanaError(f"opponents must be 1 or {most} specs, one for each other seat, not {len(given)}")
    made = {spec: opponent(spec) for spec in dict.fromkeys(given)}
    return [made[spec] for spec in given]
