"""The game as a PettingZoo AEC environment.

```python
from ettana_env import ettana_v0

env = ettana_v0.env(players=4, render_mode="ansi")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

`raw_env` raises `IllegalAction` for an illegal action; `env` wraps it as PettingZoo does: the offender loses 1 and the
game ends.

**Rewards.** An action may pay every seat at once (a win pays the winner +1 and the others −1 between them). PettingZoo
adds up what each agent was paid since its last own step, and `last()` gives it to the agent when its turn comes. After
the last action of the game all agents are done: `agent_iter` visits each of them once more, `last()` gives what it was
paid, and the only step it may take is `None`, the "dead step". So every seat receives the result of the game, also the
one that did not act last.

**Seeds.** `reset(seed=7)` plays the game of seed 7, the same as `Game(seed=7)`. A reset without a seed goes on with
seeds drawn from a generator that the last seed started; if there was none, with a fresh one. Nothing else is random.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ettana_env.engine import batch
from ettana_env.engine.barriers import OK
from ettana_env.engine.planning import FEATURES, PLAN
from ettana_env.engine.ways import WORK
from ettana_env.errors import EttanaError, StateError
from ettana_env.features import check_features
from ettana_env.game import Game, catalogue_of, check_chance, check_rules, check_seed
from ettana_env.learner import observation_space
from ettana_env.observation import layout, observe_all, state_layout
from ettana_env.pictures import Window, check_render_mode, picture
from ettana_env.rewards import reward_code
from ettana_env.rules import Rules
from ettana_env.states import Json
from ettana_env.validation import shown
from ettana_env.vocabulary import MAX_PLAYERS

__all__ = ["env", "from_dict", "raw_env"]

ILLEGAL_REWARD = -1.0
FORMAT = "ettana-env/1"
SAVED = {
    "format",
    "rules",
    "features",
    "rewards_scheme",
    "json_actions",
    "state",
    "seed",
    "chance",
    "seeds",
    "agents",
    "agent_selection",
    "skipped_selection",
    "rewards",
    "cumulative_rewards",
    "terminations",
    "truncations",
}
"""The keys of a saved environment."""


def env(**options: Any) -> AECEnv:
    """The environment with PettingZoo's usual wrappers; the options are those of `raw_env`."""
    return _wrapped(raw_env(**options))


class _Direct:
    """Makes a wrapper look up what the environment knows there, not through every wrapper in between: much faster."""

    def __init__(self, env: AECEnv, *arguments: Any, **options: Any) -> None:
        self._raw = env.unwrapped
        super().__init__(env, *arguments, **options)  # type: ignore[call-arg]


def _known_to_raw(name: str) -> property:
    return property(lambda wrapper: getattr(wrapper._raw, name))


for _name in ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
    setattr(_Direct, _name, _known_to_raw(_name))


class _TerminateIllegal(_Direct, TerminateIllegalWrapper):  # type: ignore[misc]
    pass


class _AssertOutOfBounds(_Direct, AssertOutOfBoundsWrapper):  # type: ignore[misc]
    pass


class _OrderEnforcing(_Direct, OrderEnforcingWrapper):  # type: ignore[misc]
    pass


def _wrapped(raw: "raw_env") -> AECEnv:
    return _OrderEnforcing(_AssertOutOfBounds(_TerminateIllegal(raw, illegal_reward=ILLEGAL_REWARD)))


def from_dict(data: Mapping[str, Any], render_mode: str | None = None) -> AECEnv:
    """The environment that `to_dict` described, wrapped, in the middle of its game."""
    wrapped = _wrapped(raw_env.from_dict(data, render_mode))
    if wrapped.unwrapped.agents:
        vars(wrapped).update(_has_reset=True, _has_updated=True)
    return wrapped


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's name
    """The bare environment.

    Agents are `player_0` … in seat order. An observation is a dict: `observation`, the float32 vector of
    `ettana_env.observation` seen from that agent's seat; `action_mask`, int8, 1 for what it may do now (all 0 for an
    agent that is not to act); with `features="planning"` also `action_features`. `state()` is the whole truth
    as one float32 vector (`ettana_env.observation.state_layout`).

    `copy.deepcopy`, pickle, and `to_dict` / `from_dict` in the middle of a game give an environment that goes on
    identically.
    """

    metadata = {  # noqa: RUF012 - PettingZoo's form
        "name": "ettana_v0",
        "render_modes": ["ansi", "rgb_array", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        players: int = 4,
        features: str | None = None,
        rewards: str = "zero_sum",
        json_actions: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Set up the table.

        `features="planning"` adds `action_features` to observations. `rewards` names a scheme of `ettana_env.rewards`.
        `json_actions=True` puts the legal actions as JSON, by index, into the acting agent's info; that is costly.
        """
        super().__init__()
        self.rules = check_rules(rules)
        self.players = self.rules.check_players(players)
        self.features, self.reward_scheme, self.json_actions = features, rewards, bool(json_actions)
        self._planning = check_features(features)
        self._scheme = reward_code(rewards)
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(self.players)]
        self._size = layout(self.rules).size
        self._action_count = len(catalogue_of(self.rules))
        self._action_space = spaces.Discrete(self._action_count)
        self._observation_space = observation_space(self.rules, features)
        self.state_space = state_layout(self.rules).space()
        self._seeds = np.random.default_rng()
        self._room, self._plan = np.zeros(1, WORK), np.zeros(1, PLAN)
        self._paid = np.zeros(MAX_PLAYERS, np.float64)
        self._window: Window | None = None
        self._last_action: Json | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same for every agent; `docs/actions.md` has its layout."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. PettingZoo's `options` are accepted and mean nothing here."""
        if seed is not None:
            self._seeds = np.random.default_rng(check_seed(seed))
        chosen = int(self._seeds.integers(2**62)) if seed is None else check_seed(seed)
        self.game = Game(self.rules, self.players, chosen)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self.game.over
        self.terminations = dict.fromkeys(self.agents, over and not self.game.truncated)
        self.truncations = dict.fromkeys(self.agents, over and self.game.truncated)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if over:
            self._paid[:] = 0
            batch.pay_one(self.game._tables, self.game._games, 0, self._scheme, self._paid)
            self.rewards = dict(zip(self.agents, self._paid.tolist(), strict=False))
            self._cumulative_rewards = dict(self.rewards)
        self._turn_to_player()
        self._skip_agent_selection = None
        self._last_action = None
        if self.render_mode == "human":
            self.render()

    def _turn_to_player(self) -> None:
        agent = self.possible_agents[self.game.player]
        self.agent_selection = agent
        if self.json_actions:
            self.infos = {agent: {} for agent in self.agents}
            legal = zip(self.game.legal_indices(), self.game.legal_actions(), strict=True)
            self.infos[agent] = {"legal_actions": dict(legal)}

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees now; a copy of its own."""
        self._need_game()
        if agent not in self.possible_agents:
            raise EttanaError(f"an agent must be one of {', '.join(self.possible_agents)}, not {shown(agent)}")
        seat = self.possible_agents.index(agent)
        tables, games = self.game._tables, self.game._games
        vector = np.empty(self._size, np.float32)
        mask = np.zeros(self._action_count, np.int8)
        acts = batch.look_one(tables, games, 0, seat, vector, mask)
        seen: dict[str, NDArray[Any]] = {"observation": vector, "action_mask": mask}
        if self._planning:
            seen["action_features"] = np.zeros((self._action_count, FEATURES), np.float32)
            if acts:
                batch.features_one(tables, games, 0, self._room, self._plan, seen["action_features"])
        return seen

    def state(self) -> NDArray[np.float32]:
        """The whole truth, hidden cards and stacks included: for a central critic."""
        self._need_game()
        return observe_all(self.game)

    def step(self, action: int | None) -> None:
        """Play the selected agent's action: an index of the action space, or None for an agent that is done."""
        self._need_game()
        if not self.agents:
            raise EttanaError("the game is over and every agent is done: call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise EttanaError(f"{agent} must act: None is only for an agent that is done")
        index = self.game.index_of(action)
        if self.render_mode is not None:
            self._last_action = self._in_json(index)
        game, paid = self.game, self._paid
        if batch.try_one(game._tables, game._games, 0, index, self._scheme, paid) != OK:
            game.play(index)  # which raises, and says why
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, paid.tolist(), strict=False))
        if game.over:
            self.terminations = dict.fromkeys(self.agents, not game.truncated)
            self.truncations = dict.fromkeys(self.agents, game.truncated)
        self._turn_to_player()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _in_json(self, action: int) -> Json | None:
        """A legal action as JSON; None for any other, which the game is about to refuse."""
        return self.game.action_of(action) if action in self.game.legal_indices() else None

    def render(self) -> Any:
        """The whole table: text, an array of pixels, or shown in a window."""
        if self.render_mode is None:
            gymnasium.logger.warn("render was called, but no render_mode was given to the environment")
            return None
        self._need_game()
        drawn = picture(self.game, None, self.render_mode, self._last_action)
        if self.render_mode != "human":
            return drawn
        self._window = self._window or Window("Ettana")
        self._window.show(drawn)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _need_game(self) -> None:
        if not hasattr(self, "game"):
            raise EttanaError("call reset first: no game has been started")

    def to_dict(self) -> dict[str, Any]:
        """The environment in the middle of its game, as plain JSON."""
        self._need_game()
        return {
            "format": FORMAT,
            "rules": self.rules.to_dict(),
            "features": self.features,
            "rewards_scheme": self.reward_scheme,
            "json_actions": self.json_actions,
            "state": self.game.to_dict(),
            "seed": self.game.seed,
            "chance": self.game.chance,
            "seeds": self._seeds.bit_generator.state,
            "agents": list(self.agents),
            "agent_selection": self.agent_selection,
            "skipped_selection": self._skip_agent_selection,
            "rewards": dict(self.rewards),
            "cumulative_rewards": dict(self._cumulative_rewards),
            "terminations": dict(self.terminations),
            "truncations": dict(self.truncations),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], render_mode: str | None = None) -> "raw_env":
        """The environment that `to_dict` described; what is not of its form is a StateError."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise StateError(f"environment: format must be {FORMAT!r}, not {shown(data)}")
        if missing := sorted(SAVED - set(data)):
            raise StateError(f"environment: {missing[0]} is missing")
        if strange := sorted(map(str, set(data) - SAVED)):
            raise StateError(f"environment: {strange[0]} is not a known key")
        check_chance(data["chance"])
        try:
            rules = Rules.from_dict(data["rules"])
            game = Game.from_dict(data["state"], rules, chance=data["chance"])
            game.seed = data["seed"]
            made = cls(rules, game.players, data["features"], data["rewards_scheme"], data["json_actions"], render_mode)
            made.game = game
            made._seeds.bit_generator.state = data["seeds"]
            agents = list(data["agents"])
            if not set(agents) <= set(made.possible_agents):
                raise StateError(f"environment: agents must be some of {made.possible_agents}, not {agents}")
            made.agents = agents
            made.infos = {agent: {} for agent in agents}
            made.rewards = {agent: float(data["rewards"][agent]) for agent in data["rewards"]}
            made._cumulative_rewards = {agent: float(data["cumulative_rewards"][agent]) for agent in agents}
            made.terminations = {agent: bool(data["terminations"][agent]) for agent in agents}
            made.truncations = {agent: bool(data["truncations"][agent]) for agent in agents}
        except KeyError as error:
            raise StateError(f"environment: {error.args[0]} is missing") from None
        except (TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
            if isinstance(error, EttanaError):
                raise
            raise StateError(f"environment: {error}") from None
        if agents and not game.over:
            made._turn_to_player()
        selected = data["agent_selection"]
        if selected not in made.possible_agents or (not game.over and selected != made.possible_agents[game.player]):
            raise StateError(f"environment: agent_selection cannot be {shown(selected)}")
        if not game.over and agents != made.possible_agents:
            raise StateError(f"environment: agents must be {made.possible_agents} while the game goes on, not {agents}")
        made.agent_selection = selected
        made._skip_agent_selection = data["skipped_selection"]
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_window": None}
