"""Who plays: baselines by name, other people's agents, and the arena in which they meet."""

from agents.arena import play_games
from agents.contract import FriendlyAgent, load_code
from agents.results import Results, Share
from ettana_env.opponents import known, opponent, register

__all__ = ["FriendlyAgent", "Results", "Share", "known", "load_code", "opponent", "play_games", "register"]
