"""The PettingZoo form: the field's own checks, and what they leave out."""

import copy
import json
import pickle
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import pytest
import supersuit
from gymnasium import spaces
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.save_observation import save_observation
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from ettana_env import EttanaError, Game, IllegalAction, Rules, StateError, ettana_v0
from ettana_env.observation import decode_state
from ettana_env.rules import configs_folder
from tests.playing import rules_of

RULES_FILES = sorted((configs_folder() / "rules").glob("*.yaml"))

# PettingZoo keeps a list of its own environments that may give dicts; for all others it warns of just these two.
DICT_WARNINGS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


def with_no_other_warning(check: Callable[[], object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in DICT_WARNINGS:
            warnings.filterwarnings("ignore", message=message)
        check()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("path", RULES_FILES, ids=lambda path: path.stem)
def test_pettingzoo_checks(path: Path, players: int) -> None:
    rules = Rules.load(path)
    with_no_other_warning(lambda: api_test(ettana_v0.env(rules=rules, players=players), num_cycles=1500))
    with_no_other_warning(lambda: seed_test(lambda: ettana_v0.env(rules=rules, players=players), num_cycles=200))


def test_with_planning_features() -> None:
    with_no_other_warning(lambda: api_test(ettana_v0.env(features="planning"), num_cycles=300))


def test_max_cycles() -> None:
    """PettingZoo's `max_cycles_test` is for parallel environments; here the limit of actions is kept to the action."""
    env = ettana_v0.env(rules=Rules(max_actions=40))
    env.reset(seed=1)
    steps = 0
    for agent in env.agent_iter():
        _, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else random_action(env, agent))
        steps += not (termination or truncation)
    assert steps == 40


def test_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with_no_other_warning(lambda: render_test(ettana_v0.env))


def test_saving_an_observation(tmp_path: Path) -> None:
    """PettingZoo saves observations that are pictures: a vector is refused, a picture of the table is saved."""
    env = ettana_v0.env(render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="Observations must be Box"):
        save_observation(env, save_dir=str(tmp_path))
    shape = env.render().shape
    pictured = supersuit.observation_lambda_v0(
        env, lambda seen, space, agent: env.render(), lambda space: spaces.Box(0, 255, shape, np.uint8)
    )
    pictured.reset(seed=1)
    save_observation(pictured, save_dir=str(tmp_path))
    assert len(list(tmp_path.rglob("player_0.png"))) == 1


def test_pettingzoo_knows_it_by_name() -> None:
    env = pettingzoo.make("aec", "ettana_v0", players=2)
    env.reset(seed=1)
    assert len(env.agents) == 2


def random_action(env: Any, agent: str) -> int:
    mask = env.observe(agent)["action_mask"]
    return int(random.Random(int(mask.sum()) + int(env.unwrapped.game.record.actions)).choice(np.flatnonzero(mask)))


def play_on(env: Any, steps: int) -> list[Any]:
    """Play random actions and tell everything that was seen."""
    told: list[Any] = []
    for agent in env.agent_iter(steps):
        seen, reward, termination, truncation, info = env.last()
        told.append((agent, {key: value.tobytes() for key, value in seen.items()}, reward, termination, truncation))
        told.append(sorted(info))
        env.step(None if termination or truncation else random_action(env, agent))
    return told


def in_json(env: Any) -> Any:
    return ettana_v0.from_dict(json.loads(json.dumps(env.unwrapped.to_dict())))


def raw_in_json(env: Any) -> Any:
    return ettana_v0.raw_env.from_dict(json.loads(json.dumps(env.unwrapped.to_dict())))


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "json": in_json,
    "raw json": raw_in_json,
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("steps", [0, 3, 50, 333])
def test_a_copy_goes_on_identically(way: str, steps: int) -> None:
    env = ettana_v0.env(players=3, features="planning", rewards="shaped", rules=rules_of("rim squares"))
    env.reset(seed=steps)
    play_on(env, steps)
    other = COPIES[way](env)
    before = env.unwrapped.to_dict()
    assert play_on(other, 400) == play_on(env, 400)
    assert env.unwrapped.to_dict() != before
    env.reset()
    other.reset()
    assert env.unwrapped.game.seed == other.unwrapped.game.seed


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_among_the_dead_steps_goes_on_identically(way: str) -> None:
    env = ettana_v0.env(players=4, rules=Rules(max_actions=30))
    env.reset(seed=2)
    play_on(env, 32)
    assert len(env.agents) < 4
    other = COPIES[way](env)
    assert play_on(other, 10) == play_on(env, 10)
    assert env.agents == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_mask_agrees_with_step_for_every_action(players: int) -> None:
    env = ettana_v0.raw_env(players=players)
    env.reset(seed=players)
    for steps in range(45):
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"]
        for action in range(len(mask)) if steps % 6 == 0 else ():
            tried = copy.copy(env)
            tried.game = env.game.copy()
            tried.terminations, tried.truncations = dict(env.terminations), dict(env.truncations)
            tried._cumulative_rewards = dict(env._cumulative_rewards)
            if mask[action]:
                tried.step(action)
                assert tried.game.record.actions == env.game.record.actions + 1
            else:
                with pytest.raises(IllegalAction):
                    tried.step(action)
                assert tried.game.to_dict() == env.game.to_dict()
        env.step(random_action(env, agent))


def test_an_agent_that_is_not_to_act_has_an_empty_mask() -> None:
    env = ettana_v0.env(features="planning")
    env.reset(seed=1)
    for agent in env.agents:
        seen = env.observe(agent)
        assert seen["action_mask"].any() == (agent == env.agent_selection)
        assert env.observation_space(agent).contains(seen)


def to_the_end(env: Any) -> dict[str, float]:
    """Play to the end; what every agent was paid in all."""
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last()
        paid[agent] += reward
        env.step(None if termination or truncation else random_action(env, agent))
    return paid


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_receives_the_result(players: int) -> None:
    """R7.1: zero-sum, the winner +1, and the dead steps bring it to those who did not act last."""
    env = ettana_v0.env(players=players, rules=rules_of("many victory points"))
    env.reset(seed=3)
    paid = to_the_end(env)
    winner = env.unwrapped.game.winner
    assert winner is not None
    expected = dict.fromkeys(env.possible_agents, -1 / (players - 1)) | {f"player_{winner}": 1.0}
    assert paid == pytest.approx(expected)


def test_truncation_pays_nothing() -> None:
    """R7.2."""
    env = ettana_v0.env(rules=Rules(max_actions=25))
    env.reset(seed=3)
    assert set(to_the_end(env).values()) == {0.0}
    assert env.unwrapped.game.truncated


def test_other_rewards() -> None:
    rules = rules_of("many victory points")
    finals = {}
    for scheme in ("win", "points_difference", "shaped"):
        env = ettana_v0.env(players=3, rules=rules, rewards=scheme)
        env.reset(seed=5)
        finals[scheme] = to_the_end(env)
        game = env.unwrapped.game
    points = [int(number) for number in game.record.points[:3]]
    winner = game.winner
    for seat in range(3):
        agent, others = f"player_{seat}", [points[other] for other in range(3) if other != seat]
        assert finals["win"][agent] == float(seat == winner)
        assert finals["points_difference"][agent] == pytest.approx((points[seat] - sum(others) / 2) / 3)
    dealt = Game(rules, 3, 5).to_dict()["points"]
    assert dealt == [0, 0, 0]
    # Points dealt at the end of placing are scored by the deal, not by an action of their owner.
    assert sum(finals["shaped"].values()) == pytest.approx(0, abs=1e-9)


def test_shaped_rewards_pay_each_point_at_once() -> None:
    env = ettana_v0.env(players=2, rewards="shaped", rules=rules_of("cheap"))
    env.reset(seed=4)
    for agent in env.agent_iter(3000):
        _, _, termination, truncation, _ = env.last()
        if termination or truncation:
            break
        seat = int(agent[-1])
        before = int(env.unwrapped.game.record.points[seat])
        env.step(random_action(env, agent))
        scored = int(env.unwrapped.game.record.points[seat]) - before
        if scored and not env.unwrapped.game.over:
            assert env.rewards[agent] == pytest.approx(0.05 * scored)
            assert env.rewards[f"player_{1 - seat}"] == pytest.approx(-0.05 * scored)
            return
    raise AssertionError("nobody scored")


def test_illegal_actions(caplog: pytest.LogCaptureFixture) -> None:
    raw = ettana_v0.raw_env()
    raw.reset(seed=1)
    before = raw.game.to_dict()
    with pytest.raises(IllegalAction, match="belongs to the 'act' phase"):
        raw.step(int(raw.action_space("player_0").n) - 1)
    assert raw.game.to_dict() == before
    with pytest.raises(EttanaError, match="None is only for an agent that is done"):
        raw.step(None)
    env = ettana_v0.env()
    env.reset(seed=1)
    env.step(env.action_space("player_0").n - 1)
    assert "Illegal move" in caplog.text
    assert all(env.terminations.values())
    assert env.rewards["player_0"] == -1
    outside = ettana_v0.env()
    outside.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        outside.step(99_999)


def test_seeds() -> None:
    env = ettana_v0.env(players=3)
    env.reset(seed=11)
    assert env.unwrapped.game.to_dict() == Game(Rules(), 3, 11).to_dict()
    following = []
    for _ in range(2):
        env.reset(seed=11)
        env.reset()
        following.append(env.unwrapped.game.seed)
    assert following[0] == following[1] != 11
    fresh = ettana_v0.env()
    fresh.reset()
    again = ettana_v0.env()
    again.reset()
    assert fresh.unwrapped.game.seed != again.unwrapped.game.seed


def test_json_actions_only_when_asked() -> None:
    env = ettana_v0.env(json_actions=True)
    env.reset(seed=1)
    for agent in env.agent_iter(30):
        seen, *_, info = env.last()
        assert list(info["legal_actions"]) == np.flatnonzero(seen["action_mask"]).tolist()
        assert list(info["legal_actions"].values()) == env.unwrapped.game.legal_actions()
        env.step(random_action(env, agent))
    plain = ettana_v0.env()
    plain.reset(seed=1)
    assert plain.last()[-1] == {}


def test_state_is_the_whole_truth() -> None:
    env = ettana_v0.env(players=2)
    env.reset(seed=8)
    play_on(env, 40)
    assert env.unwrapped.state_space.contains(env.state())
    assert decode_state(Rules(), env.state()) == env.unwrapped.game.to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "players must be 2 to 4, not 5"),
        ({"rewards": "zero"}, "rewards must be one of zero_sum, win, points_difference, shaped, not 'zero'"),
        ({"features": "plan"}, 'features must be "planning" or None'),
        ({"render_mode": "svg"}, "render_mode must be one of ansi, rgb_array, human"),
        ({"player": 3}, "unexpected keyword argument"),
        ({"rules": "base"}, "rules must be a Rules object"),
    ],
)
def test_nothing_given_is_silently_ignored(options: dict[str, Any], message: str) -> None:
    with pytest.raises((EttanaError, TypeError), match=message):
        ettana_v0.env(**options)


def test_wrappers_people_use() -> None:
    for wrap in (
        OrderEnforcingWrapper,
        AssertOutOfBoundsWrapper,
        supersuit.clip_reward_v0,
        lambda env: supersuit.reward_lambda_v0(env, lambda reward: 2 * reward),
        lambda env: supersuit.nan_noop_v0(env, 0),
    ):
        env = wrap(ettana_v0.env(rules=rules_of("many victory points")))
        env.reset(seed=6)
        paid = to_the_end(env)
        assert max(paid.values()) > 0


def test_a_game_won_at_the_deal_is_over_at_once() -> None:
    env = ettana_v0.env(players=2, rules=rules_of("won at the deal"))
    for seed in range(40):
        env.reset(seed=seed)
        if env.unwrapped.game.over:
            break
    paid = to_the_end(env)
    assert sorted(paid.values()) == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", "other", "format must be 'ettana-env/1'"),
        ("state", {}, "players is missing"),
        ("chance", {"seed": 1}, "chance must have the keys"),
        ("chance", {"seed": -1, "rolls": 0, "thefts": 0, "gains": 0, "reshuffles": 0}, "chance: seed must be"),
        ("agents", ["player_9"], "agents must be some of"),
        ("rewards_scheme", "none", "rewards must be one of"),
        ("seeds", {}, "environment: "),
        ("terminations", None, "environment: "),
    ],
)
def test_a_doctored_save_is_refused(key: str, value: object, message: str) -> None:
    env = ettana_v0.raw_env(players=2)
    with pytest.raises(EttanaError, match="call reset first"):
        env.to_dict()
    env.reset(seed=1)
    data = env.to_dict()
    with pytest.raises(EttanaError, match=message):
        ettana_v0.from_dict({**data, key: value})
    del data[key]
    with pytest.raises(StateError, match=f"{key} is missing|format must be"):
        ettana_v0.from_dict(data)


def test_misuse_is_told_what_to_do() -> None:
    raw = ettana_v0.raw_env(players=2)
    for use in (raw.state, raw.to_dict, lambda: raw.step(0), lambda: raw.observe("player_0")):
        with pytest.raises(EttanaError, match="call reset first"):
            use()
    raw.reset(seed=1)
    with pytest.raises(EttanaError, match="one of player_0, player_1, not 'player_7'"):
        raw.observe("player_7")
    while raw.agents:
        done = raw.terminations[raw.agent_selection] or raw.truncations[raw.agent_selection]
        raw.step(None if done else raw.game.legal_indices()[0])
    with pytest.raises(EttanaError, match="every agent is done: call reset"):
        raw.step(None)
