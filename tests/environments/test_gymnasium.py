"""One learner against opponents: Gymnasium's own checks, the vector, and its autoreset."""

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ettana_env import BatchEnv, EttanaEnv, EttanaError, EttanaVectorEnv, Game, IllegalAction, Rules
from ettana_env.observation import decode
from ettana_env.opponents import opponent, register
from ettana_env.vocabulary import NONE
from tests.playing import rules_of


def first_legal(masks: NDArray[Any]) -> int:
    return int(np.flatnonzero(masks)[-1])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("features", [None, "planning"])
def test_gymnasium_checks(players: int, features: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("ettana_env:Ettana-v0", players=players, features=features, render_mode="rgb_array")
        check_env(env.unwrapped)
        env.close()


def test_make_by_its_short_name() -> None:
    env = gymnasium.make("Ettana-v0", players=2, opponents=["random"], seat=1)
    seen, info = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    assert info == {"seat": 1}


@pytest.mark.parametrize("seat", [0, 2, "random"])
def test_the_learner_sees_its_own_seat(seat: int | str) -> None:
    env = EttanaEnv(players=3, seat=seat)
    seats = set()
    for seed in range(12):
        seen, info = env.reset(seed=seed)
        view = decode(env.rules, seen["observation"])
        assert view["player"] == info["seat"]
        assert view["design_hands"][info["seat"]] == [name for name in view["design_hands"][info["seat"]] if name]
        seats.add(info["seat"])
    assert seats == ({0, 1, 2} if seat == "random" else {seat})


def play(env: EttanaEnv, seed: int) -> list[tuple[bytes, float, bool, bool]]:
    seen, _ = env.reset(seed=seed)
    told: list[tuple[bytes, float, bool, bool]] = []
    over = False
    while not over and len(told) < 400:
        assert np.array_equal(env.action_masks(), seen["action_mask"].astype(bool))
        seen, reward, terminated, truncated, info = env.step(first_legal(env.action_masks()))
        told.append((seen["observation"].tobytes(), reward, terminated, truncated))
        over = terminated or truncated
        assert env.observation_space.contains(seen)
        if over:
            assert not seen["action_mask"].any()
            assert terminated == (info["winner"] is not None)
            assert reward == (0.0 if truncated else 1.0 if info["winner"] == info["seat"] else -1 / 2)
    return told


def test_a_seed_gives_the_same_game() -> None:
    env = EttanaEnv(rules_of("many victory points"), players=3)
    assert play(env, 4) == play(env, 4) == play(EttanaEnv(rules_of("many victory points"), players=3), 4)
    assert play(env, 4) != play(env, 5)


def test_games_end_with_a_result() -> None:
    env = EttanaEnv(rules_of("many victory points"), players=3)
    results = [play(env, seed)[-1][1] for seed in range(20)]
    assert set(results) == {1.0, -0.5}


def seed_after_reset(env: EttanaEnv) -> int:
    env.reset()
    return int(env._games.batch.seeds[0])


def test_resets_without_a_seed_follow_the_last_one() -> None:
    env = EttanaEnv(players=2)
    env.reset(seed=6)
    one = [seed_after_reset(env) for _ in range(3)]
    env.reset(seed=6)
    assert [seed_after_reset(env) for _ in range(3)] == one
    assert len(set(one)) == 3


def test_illegal_actions() -> None:
    env = EttanaEnv(players=2)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    seen, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"]
    assert not seen["action_mask"].any()
    with pytest.raises(EttanaError, match="call reset"):
        env.step(0)
    strict = EttanaEnv(players=2, illegal="raise")
    strict.reset(seed=1)
    before = strict._games.batch.game(0).to_dict()
    with pytest.raises(IllegalAction):
        strict.step(illegal)
    assert strict._games.batch.game(0).to_dict() == before
    strict.step(first_legal(strict.action_masks()))


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_identically(way: Any) -> None:
    env = EttanaEnv(players=3, features="planning")
    env.reset(seed=2)
    for _ in range(15):
        env.step(first_legal(env.action_masks()))
    other = way(env)
    for _ in range(30):
        action = first_legal(env.action_masks())
        one, two = env.step(action), other.step(action)
        assert all(np.array_equal(one[0][key], two[0][key]) for key in one[0])
        assert one[1:4] == two[1:4]
        if one[2] or one[3]:
            break


class Stubborn:
    """Always plays the first legal action."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        actions = np.full(env.size, NONE, np.int64)
        actions[which] = env.legal[which, 0]
        return actions


def test_opponents_by_name() -> None:
    register("stubborn", Stubborn)
    env = EttanaEnv(players=2, opponents="stubborn", seat=0)
    env.reset(seed=3)
    game = Game(Rules(), 2, seed=3)
    for _ in range(60):
        action = first_legal(env.action_masks())
        assert env._games.batch.game(0).to_dict() == game.to_dict()
        game.play(action)
        while game.player == 1 and not game.over:
            game.play(game.legal_indices()[0])
        env.step(action)
    with pytest.raises(EttanaError, match=r"there is no agent 'stuborn'; known: .*did you mean 'stubborn'"):
        opponent("stuborn")
    with pytest.raises(EttanaError, match="agent 'random:level=3' has no option 'level'; it has: none"):
        opponent("random:level=3")
    with pytest.raises(EttanaError, match="options are written key=value"):
        opponent("random:fast")
    with pytest.raises(EttanaError, match="must have no colon"):
        register("a:b", Stubborn)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": ["random", "random"]}, "opponents must be 1 or 3 specs"),
        ({"opponents": [7]}, "named by text"),
        ({"seat": 4}, 'seat must be from 0 to 3, or "random"'),
        ({"seat": "first"}, "seat must be"),
        ({"illegal": "ignore"}, 'illegal must be "terminate" or "raise"'),
        ({"rules": {}}, "rules must be a Rules object"),
        ({"render_mode": "png"}, "render_mode must be"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises((EttanaError, TypeError), match=message):
        EttanaEnv(**options)
    with pytest.raises(EttanaError, match="reset has no options"):
        EttanaEnv().reset(options={"level": 1})


def test_the_vector_is_many_of_the_single_one() -> None:
    """The same seeds, the same games; autoreset in the same step, with the end in `final_obs`."""
    rules = rules_of("many victory points")
    vector = EttanaVectorEnv(4, rules, players=3, features="planning", threads=2)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, infos = vector.reset(seed=20)
    singles = [EttanaEnv(rules, players=3, features="planning", illegal="raise") for _ in range(4)]
    seeds = [20 + i for i in range(4)]
    expected = [env.reset(seed=seed)[0] for env, seed in zip(singles, seeds, strict=True)]
    endings = 0
    for _ in range(150):
        assert vector.observation_space.contains(seen)
        for i in range(4):
            assert all(np.array_equal(seen[key][i], expected[i][key]) for key in seen)
            assert infos["seat"][i] == singles[i]._games.seats[0]
        actions = np.array([first_legal(mask) for mask in vector.masks])
        seen, rewards, terminated, truncated, infos = vector.step(actions)
        for i, env in enumerate(singles):
            expected[i], reward, over, cut, info = env.step(int(actions[i]))
            assert (rewards[i], terminated[i], truncated[i]) == (np.float32(reward), over, cut)
            if over or cut:
                endings += 1
                final = infos["final_obs"][i]
                assert all(np.array_equal(final[key], expected[i][key]) for key in final)
                assert infos["_final_obs"][i]
                assert infos["final_info"]["winner"][i] == info["winner"]
                seeds[i] += 4
                expected[i], _ = env.reset(seed=seeds[i])
                while int(env._games.batch.seeds[0]) != int(vector._games.batch.seeds[i]):  # passed over
                    seeds[i] += 4
                    expected[i], _ = env.reset(seed=seeds[i])
    assert endings > 5


def test_the_vector_by_name() -> None:
    env = gymnasium.make_vec("ettana_env:Ettana-v0", num_envs=3, vectorization_mode="vector_entry_point", players=2)
    seen, _ = env.reset(seed=1)
    assert seen["observation"].shape[0] == 3
    with pytest.raises(EttanaError, match="one whole number"):
        env.reset(seed=[1, 2, 3])  # type: ignore[arg-type]


def test_illegal_actions_in_the_vector() -> None:
    lenient = EttanaVectorEnv(2, players=2, illegal="terminate")
    lenient.reset(seed=1)
    actions = np.array([first_legal(lenient.masks[0]), int(np.flatnonzero(~lenient.masks[1])[0])])
    _, rewards, terminated, _, infos = lenient.step(actions)
    assert (rewards[1], bool(terminated[1]), bool(terminated[0])) == (-1.0, True, False)
    assert infos["_final_obs"].tolist() == [False, True]
    strict = EttanaVectorEnv(2, players=2)
    strict.reset(seed=1)
    with pytest.raises(IllegalAction, match="in game 1"):
        strict.step(actions)


def test_no_action_is_no_action() -> None:
    env = EttanaEnv(players=2)
    for action in (-1, 2**64 - 1):
        env.reset(seed=1)
        assert env.step(np.uint64(action) if action > 0 else action)[1:3] == (-1.0, True)
        assert not env.action_masks().any()
    strict = EttanaEnv(players=2, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction, match="in game 0: it is no action"):
        strict.step(-1)


class Silent:
    """Never answers."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.full(env.size, NONE, np.int64)


def test_what_would_never_end_is_given_up() -> None:
    register("silent", Silent)
    silent = EttanaEnv(players=2, opponents="silent", seat=1)
    with pytest.raises(EttanaError, match="an opponent gave no action"):
        silent.reset(seed=1)
    with pytest.raises(EttanaError, match="ends before the learner's first decision"):
        EttanaEnv(Rules(max_actions=1), players=2, seat=1).reset(seed=1)
    nothing = Rules(max_actions=1, place_by_choice=False, action_cards={"preset": 0})
    with pytest.raises(EttanaError, match="leave nothing to decide"):
        BatchEnv(2, nothing, 2, forced=True).reset(seed=1)
