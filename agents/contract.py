"""What an agent is, and the easy way to write one.

An agent has a method `choose(env, which)`: for every game of a `BatchEnv` that `which` marks it answers with a legal
action (an index) for the seat to act, and NONE for the others; it may use only what that seat may know. The baselines
do so compiled. For one's own ideas a function from a view to an action is enough:

```python
# my_agent.py
from agents import FriendlyAgent, register


def choose(view, legal, draw):
    claims = [action for action in legal if action["kind"] == "claim"]
    return claims[0] if claims else draw.choice(legal)


register("claimer", lambda: FriendlyAgent(choose))
```

`view` is what the seat may know, `legal` its legal actions, both as JSON; `draw` is a `random.Random` that repeats with
the game's seed. `load_code("my_agent.py")` runs such a file, and `claimer` can be named like any other agent.
"""

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ettana_env import BatchEnv
from ettana_env.errors import EttanaError
from ettana_env.states import Json
from ettana_env.vocabulary import NONE

Choice = Callable[[Json, list[Json], random.Random], Json]


class AgentFault(EttanaError):  # noqa: N818 - it is the agent's
    """An agent crashed or answered with something that is no legal action; `game` is the game's place in the batch."""

    def __init__(self, game: int, why: str) -> None:
        super().__init__(f"in game {game}: {why}")
        self.game, self.why = game, why


class FriendlyAgent:
    """An agent from a function `choose(view, legal, draw)` that answers with one of the legal actions."""

    def __init__(self, choose: Choice) -> None:
        """Wrap the function; it is called once for every decision, in Python."""
        self._choose = choose

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The function's choice for each marked game; AgentFault if it crashes or is not legal."""
        actions = np.full(env.size, NONE, np.int64)
        for i in map(int, np.flatnonzero(which)):
            game = env.game(i)
            legal = game.legal_actions()
            draw = random.Random(f"{int(env.seeds[i])} {game.player} {game.record.actions}")
            try:
                answer = self._choose(game.view(game.player), legal, draw)
            except Exception as error:
                raise AgentFault(i, f"the agent crashed: {type(error).__name__}: {error}") from error
            if answer not in legal:
                raise AgentFault(i, f"the agent answered {answer!r}, which is not legal")
            actions[i] = game.index_of(answer)
        return actions


def load_code(path: str | Path) -> None:
    """Run a Python file that registers agents. It runs with all rights of this program: load only what you trust."""
    file = Path(path)
    if not file.is_file():
        raise EttanaError(f"{path}: there is no such file")
    spec = importlib.util.spec_from_file_location(f"agent_code_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise EttanaError(f"{path}: is not a Python file")
    module: Any = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise EttanaError(f"{path}: {type(error).__name__}: {error}") from error
