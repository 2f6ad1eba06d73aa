"""The game of Ettana: its rules, a compiled engine, records and environments."""

from ettana_env.designs import Design, load_deck
from ettana_env.errors import EttanaError, IllegalAction, RecordError, RulesError, StateError
from ettana_env.game import Game
from ettana_env.records import Recorder, read_record, replay
from ettana_env.rules import Rules
from ettana_env.version import __version__

__all__ = [
    "Design",
    "EttanaError",
    "Game",
    "IllegalAction",
    "RecordError",
    "Recorder",
    "Rules",
    "RulesError",
    "StateError",
    "__version__",
    "load_deck",
    "read_record",
    "replay",
]
