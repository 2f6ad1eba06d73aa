"""A person at the terminal."""

import numpy as np
from numpy.typing import NDArray

from agents.phrases import grouped, understand
from ettana_env import BatchEnv
from ettana_env.errors import EttanaError
from ettana_env.text import drawn
from ettana_env.vocabulary import NONE


class Human:
    """A person at the terminal, who sees what the seat may know and types what to do."""

    games_at_once = 1

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Ask for each marked game; what is not understood is asked again."""
        actions = np.full(env.size, NONE, np.int64)
        for i in map(int, np.flatnonzero(which)):
            game = env.game(i)
            legal = game.legal_actions()
            print(f"\n{drawn(game.rules, game.view(game.player))}\n\n{grouped(legal)}")
            while actions[i] == NONE:
                try:
                    actions[i] = game.index_of(understand(input("> "), legal))
                except EOFError:
                    raise KeyboardInterrupt from None  # the terminal is gone: leave, and keep what is finished
                except EttanaError as error:
                    print(error)
        return actions
