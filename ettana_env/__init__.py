"""The game of Ettana: its rules, a compiled engine, records and environments."""

import pettingzoo
from gymnasium.envs.registration import register, registry

from ettana_env.batch_env import BatchEnv
from ettana_env.designs import Design, load_deck
from ettana_env.errors import EttanaError, IllegalAction, RecordError, RulesError, StateError
from ettana_env.game import Game
from ettana_env.gym_env import EttanaEnv, EttanaVectorEnv
from ettana_env.records import Recorder, read_record, replay
from ettana_env.rules import Rules
from ettana_env.version import __version__

__all__ = [
    "BatchEnv",
    "Design",
    "EttanaEnv",
    "EttanaError",
    "EttanaVectorEnv",
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
    "register_envs",
    "replay",
]


def register_envs() -> None:
    """Make `Ettana-v0` known to Gymnasium and `ettana_v0` to PettingZoo; importing the package does it."""
    if "Ettana-v0" not in registry:
        register(
            "Ettana-v0",
            entry_point="ettana_env.gym_env:EttanaEnv",
            vector_entry_point="ettana_env.gym_env:EttanaVectorEnv",
            order_enforce=True,
        )
    if "ettana_v0" not in pettingzoo.aec_registry:
        pettingzoo.register("aec", "ettana_v0", entry_point="ettana_env.ettana_v0:env")


register_envs()
