"""Agents by name: a registry of who can play a seat, and the reading of specs such as `greedy` or `name:key=value`.

An agent chooses for many games at once, so that it can be compiled: `choose(env, which)` gives an action for every game
that `which` marks, and NONE for the others. It may use only what the seat to act may know. Other packages add theirs
with `register`, or by an entry point in the group `ettana.agents` that names a function making the agent: its keyword
arguments, with types and defaults, are the options a spec can set.
"""

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ettana_env.batch_env import BatchEnv
from ettana_env.errors import EttanaError
from ettana_env.validation import did_you_mean, shown

GROUP = "ettana.agents"


class Opponent(Protocol):
    """Plays some seats of some games."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A legal action for the seat to act in each marked game; NONE (-1) for the others."""


class RandomOpponent:
    """Plays any legal action, each as likely; the same for one seed at one moment."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A random legal action for each marked game."""
        return env.random_actions(which)


_KNOWN: dict[str, Callable[..., Opponent]] = {"random": RandomOpponent}
_BROKEN: dict[str, str] = {}


def register(name: str, make: Callable[..., Opponent]) -> None:
    """Let `name`, or `name:key=value,…` with keyword arguments of `make`, stand for the agent that `make` gives."""
    if not name or set(name) & set(":,= "):
        raise EttanaError(f"an agent's name must have no colon, comma, equals sign or space, not {shown(name)}")
    _KNOWN[name] = make


def known() -> dict[str, Callable[..., Opponent]]:
    """All agents that can be named, by name."""
    for name in names():
        _load(name)
    return dict(sorted(_KNOWN.items()))


def _load(name: str) -> None:
    """Load the agent that an installed package offers under a name, if one does and it is not known yet."""
    for entry in entry_points(group=GROUP, name=name):
        if name not in _KNOWN and name not in _BROKEN:
            try:
                register(name, entry.load())
            except Exception as error:  # somebody's package is broken: their agent is missing, the others play
                _BROKEN[name] = f"{type(error).__name__}: {error}"


def names() -> list[str]:
    """The names of all agents, without loading any: some take their time."""
    return sorted({*_KNOWN, *(entry.name for entry in entry_points(group=GROUP))})


def broken() -> dict[str, str]:
    """The agents that an installed package offers but that cannot be loaded, by name, and why."""
    known()
    return dict(sorted(_BROKEN.items()))


def options_of(make: Callable[..., Opponent]) -> dict[str, inspect.Parameter]:
    """The options a spec can set for an agent: the keyword arguments of what makes it."""
    return dict(inspect.signature(make).parameters)


def opponent(spec: object) -> Opponent:
    """The agent that a spec such as `random` names; what cannot be understood is an EttanaError."""
    if not isinstance(spec, str):
        raise EttanaError(f"an agent must be named by text, not {shown(spec)}")
    name, _, text = spec.partition(":")
    _load(name)
    if name in _BROKEN and name not in _KNOWN:
        raise EttanaError(f"the agent {name} is installed but cannot be loaded: {_BROKEN[name]}")
    if name not in _KNOWN:
        raise EttanaError(f"there is no agent {shown(spec)}; known: {', '.join(names())}{did_you_mean(name, names())}")
    return _KNOWN[name](**_read_options(spec, text, options_of(_KNOWN[name])))


def _read_options(spec: str, text: str, known_options: dict[str, inspect.Parameter]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    needed = [name for name, option in known_options.items() if option.default is inspect.Parameter.empty]
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        if not equals and not found and len(needed) == 1:
            key, equals, value = needed[0], "=", part  # the one option it must have needs no name
        if not equals or key in found:
            raise EttanaError(f"agent {shown(spec)}: options are written key=value, each once, not {shown(part)}")
        if key not in known_options:
            names = ", ".join(known_options) or "none"
            raise EttanaError(f"agent {shown(spec)} has no option {key!r}; it has: {names}")
        kind = known_options[key].annotation
        try:
            found[key] = kind(value) if kind in (int, float) else value
        except ValueError:
            raise EttanaError(f"agent {shown(spec)}: {key} must be of type {kind.__name__}, not {value!r}") from None
    if lacking := [name for name in needed if not found.get(name)]:
        name = spec.partition(":")[0]
        raise EttanaError(f"agent {shown(spec)} needs its option {lacking[0]}: {name}:{lacking[0]}=…")
    return found


def opponents_for(specs: str | Sequence[str], most: int) -> list[Opponent]:
    """The opponents of up to `most` seats after the learner's: one spec for all, or one each."""
    if not isinstance(specs, str | list | tuple):
        raise EttanaError(f"opponents must be a spec or a list of specs, not {shown(specs)}")
    given = [specs] * most if isinstance(specs, str) else list(specs)
    if len(given) == 1:
        given = given * most
    if len(given) != most:
        raise EttanaError(f"opponents must be 1 or {most} specs, one for each other seat, not {len(given)}")
    made = {spec: opponent(spec) for spec in dict.fromkeys(given)}
    return [made[spec] for spec in given]
