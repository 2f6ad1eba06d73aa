"""The batch: the same games as one by one, on any number of threads, with rewards and resets where they belong."""

import numpy as np
import pytest
from numpy.typing import NDArray

from ettana_env import BatchEnv, EttanaError, Game, IllegalAction, Rules, ettana_v0
from ettana_env.vocabulary import NONE
from tests.playing import rules_of

ARRAYS = (
    "observations",
    "masks",
    "action_features",
    "seats",
    "seeds",
    "rewards",
    "terminated",
    "truncated",
    "legal_counts",
    "ended_winners",
    "ended_points",
    "ended_turns",
    "ended_actions",
    "ended_seeds",
)


def snapshot(env: BatchEnv) -> dict[str, NDArray[np.generic]]:
    return {name: getattr(env, name).copy() for name in ARRAYS}


def assert_same(one: dict[str, NDArray[np.generic]], other: dict[str, NDArray[np.generic]]) -> None:
    for name in ARRAYS:
        assert np.array_equal(one[name], other[name]), name


@pytest.mark.parametrize("variant", ["base", "rim squares", "random placing", "many victory points"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_games_as_one_by_one(variant: str, players: int) -> None:
    """Batch, `Game` and the AEC form agree at every step: observation, mask, features, seat and rewards."""
    rules = rules_of(variant)
    size, seed = 3, 40
    env = BatchEnv(size, rules, players, features="planning")
    env.reset(seed=seed)
    singles = []
    for i in range(size):
        single = ettana_v0.raw_env(rules=rules, players=players, features="planning")
        single.reset(seed=seed + i)
        singles.append(single)
    seeds = [seed + i for i in range(size)]
    for _ in range(250):
        actions = env.random_actions()
        for i, single in enumerate(singles):
            assert int(env.seeds[i]) == seeds[i]
            assert single.agent_selection == f"player_{env.seats[i]}"
            seen = single.observe(single.agent_selection)
            assert np.array_equal(seen["observation"], env.observations[i])
            assert np.array_equal(seen["action_mask"], env.masks[i])
            assert np.array_equal(seen["action_features"], env.action_features[i])
            single.step(int(actions[i]))
        env.step(actions)
        for i, single in enumerate(singles):
            paid = [single.rewards[f"player_{seat}"] for seat in range(players)]
            assert env.rewards[i, :players] == pytest.approx(paid)
            assert not env.rewards[i, players:].any()
            assert bool(env.terminated[i] or env.truncated[i]) == single.game.over
            if single.game.over:
                assert int(env.ended_seeds[i]) == seeds[i]
                assert int(env.ended_winners[i]) == (NONE if single.game.winner is None else single.game.winner)
                assert env.ended_points[i].tolist() == single.game.record.points.tolist()
                assert int(env.ended_turns[i]) == single.game.record.turn
                seeds[i] += size
                single.reset(seed=seeds[i])


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_threads_change_nothing(threads: int) -> None:
    one = BatchEnv(17, rules_of("many victory points"), [2, 3, 4], features="planning", forced=True)
    many = BatchEnv(17, rules_of("many victory points"), [2, 3, 4], features="planning", forced=True, threads=threads)
    one.reset(seed=5)
    many.reset(seed=5)
    for _ in range(120):
        assert_same(snapshot(one), snapshot(many))
        actions = one.random_actions()
        assert np.array_equal(actions, many.random_actions())
        one.step(actions)
        many.step(actions)


def test_mixed_numbers_of_players() -> None:
    env = BatchEnv(7, players=[2, 4])
    assert env.players.tolist() == [2, 4, 2, 4, 2, 4, 2]
    env.reset(seed=1)
    for _ in range(400):
        env.step(env.random_actions())
        assert (env.seats < env.players).all()


def test_forced_moves_are_played_inside() -> None:
    """The same game, and nothing that is handed out leaves no choice."""
    env = BatchEnv(1, rules_of("cheap"), 2, forced=True, autoreset=False)
    env.reset(seed=9)
    game = Game(rules_of("cheap"), 2, seed=9)
    decisions = 0
    while env.seats[0] != NONE:
        while len(game.legal_indices()) == 1:
            game.play(game.legal_indices()[0])
        assert env.legal_counts[0] > 1
        assert env.game(0).to_dict() == game.to_dict()
        action = env.random_actions()
        env.step(action)
        game.play(int(action[0]))
        decisions += 1
    while not game.over:
        game.play(game.legal_indices()[0])
    assert env.game(0).to_dict() == game.to_dict()
    assert decisions < game.record.actions


def test_rewards_of_forced_moves_are_paid_in_the_same_step() -> None:
    env = BatchEnv(64, Rules(max_turns=3), 2, forced=True, rewards="points_difference")
    plain = BatchEnv(64, Rules(max_turns=3), 2, rewards="points_difference")
    totals = []
    for batch in (env, plain):
        batch.reset(seed=1)
        ended = np.zeros(64, bool)
        total = np.zeros((64, 4))
        while not ended.all():
            batch.step(batch.random_actions(~ended))
            total[~ended] += batch.rewards[~ended]
            ended |= batch.terminated | batch.truncated
        totals.append(total)
    assert np.abs(totals[0].sum(axis=1)).max() < 1e-5


def test_an_action_of_none_leaves_its_game_alone() -> None:
    env = BatchEnv(4)
    env.reset(seed=2)
    before = env.game(2).to_dict()
    actions = env.random_actions()
    actions[2] = NONE
    env.step(actions)
    assert env.game(2).to_dict() == before
    assert not env.rewards[2].any()
    assert env.game(1).record.actions == 1


def test_without_autoreset_a_game_stays_over_until_restart() -> None:
    rules = Rules(max_actions=30)
    env = BatchEnv(3, rules, autoreset=False)
    env.reset(seed=3)
    for _ in range(30):
        env.step(env.random_actions())
    assert env.truncated.all()
    assert (env.seats == NONE).all()
    assert not env.masks.any()
    env.step(np.full(3, NONE))
    assert not env.truncated.any()
    env.restart(np.array([False, True, False]))
    assert env.seats.tolist()[0] == NONE
    assert env.game(1).to_dict() == Game(rules, 4, seed=3 + 1 + 3).to_dict()
    with pytest.raises(IllegalAction, match="in game 0"):
        env.step(env.random_actions(np.array([False, True, False])) * 0)


def test_illegal_actions_play_nothing() -> None:
    env = BatchEnv(3)
    env.reset(seed=4)
    before = [env.game(i).to_dict() for i in range(3)]
    for bad in (len(env.actions) - 1, len(env.actions), 10**15, -2):
        actions = env.random_actions()
        actions[1] = bad
        with pytest.raises(IllegalAction, match="in game 1"):
            env.step(actions)
        assert [env.game(i).to_dict() for i in range(3)] == before


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(2, np.int64), "step takes 3 action indices"),
        (np.zeros((3, 1), np.int64), "step takes 3 action indices"),
        (np.zeros(3), "step takes 3 action indices"),
        ("abc", "step takes 3 action indices"),
        (None, "step takes 3 action indices"),
    ],
)
def test_wrong_shapes_are_refused(actions: NDArray[np.int64], message: str) -> None:
    env = BatchEnv(3)
    with pytest.raises(EttanaError, match="call reset first"):
        env.step(actions)
    env.reset(seed=1)
    with pytest.raises(EttanaError, match=message):
        env.step(actions)
    with pytest.raises(EttanaError, match="games are marked by 3 booleans"):
        env.restart(np.zeros(3))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games must be a whole number from 1 up, not 0"),
        ({"games": 2.5}, "games must be a whole number from 1 up"),
        ({"threads": 0}, "threads must be"),
        ({"players": 5}, "players must be 2 to 4"),
        ({"players": []}, "not an empty list"),
        ({"rewards": "sum"}, "rewards must be one of"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(EttanaError, match=message):
        BatchEnv(**{"games": 2, **options})  # type: ignore[arg-type]


def test_arrays_are_written_in_place_and_read_only() -> None:
    env = BatchEnv(2)
    env.reset(seed=1)
    seen = env.observations
    before = seen.copy()
    env.step(env.random_actions())
    assert not np.array_equal(seen, before)
    assert np.shares_memory(seen, env.observations)
    for name in ARRAYS:
        if len(getattr(env, name)):
            with pytest.raises(ValueError, match="read-only"):
                getattr(env, name)[0] = 0
    assert env.masks.view(np.int8).dtype == np.int8


def test_a_reset_starts_all_over() -> None:
    env = BatchEnv(5, features="planning")
    env.reset(seed=8)
    first = snapshot(env)
    for _ in range(50):
        env.step(env.random_actions())
    env.reset(seed=8)
    again = snapshot(env)
    for name in ("observations", "masks", "action_features", "seats", "seeds", "rewards"):
        assert np.array_equal(first[name], again[name]), name


def test_games_that_end_at_the_deal_are_passed_over() -> None:
    env = BatchEnv(50, rules_of("won at the deal"), 2)
    env.reset(seed=1)
    assert (env.legal_counts > 0).all()
    assert set((env.seeds - 1) % 50) == set(range(50))


def test_seeds_one_by_one() -> None:
    env = BatchEnv(3, players=2)
    env.reset(seed=np.array([5, 5, 2**62]))
    assert env.game(0).to_dict() == env.game(1).to_dict() == Game(Rules(), 2, 5).to_dict()
    assert env.game(2).to_dict() == Game(Rules(), 2, 2**62).to_dict()
    for bad in (np.array([1, 2]), np.array([1, 2, -3]), np.array([1.0, 2, 3])):
        with pytest.raises(EttanaError, match="seeds must be 3 whole numbers"):
            env.reset(seed=bad)
    with pytest.raises(EttanaError, match=r"from 0 to 2\*\*62"):
        env.reset(seed=2**63 - 1)


def test_forced_moves_change_no_rewards() -> None:
    """Under every scheme each seat is paid the same in all, whether forced moves are handed out or not."""
    rules = rules_of("many victory points").but(place_by_choice=False, action_cards={"preset": 0}, max_turns=60)
    for scheme in ("zero_sum", "win", "points_difference", "shaped"):
        for seed in range(12):
            totals = []
            for forced in (False, True):
                env = BatchEnv(1, rules, 3, rewards=scheme, forced=forced, autoreset=False)
                env.reset(seed=seed)
                total = env.rewards[0].astype(np.float64)
                while env.seats[0] != NONE:
                    legal = env.legal[0, : env.legal_counts[0]]
                    env.step(legal[-1:].astype(np.int64))
                    total += env.rewards[0]
                totals.append(total)
            assert totals[0] == pytest.approx(totals[1], abs=1e-5)


def test_marks_and_large_numbers_are_checked() -> None:
    env = BatchEnv(4)
    env.reset(seed=1)
    with pytest.raises(EttanaError, match="games are marked by 4 booleans"):
        env.random_actions(np.array([True]))
    with pytest.raises(IllegalAction, match="in game 0"):
        env.step(np.full(4, 2**64 - 1, np.uint64))
    for number in (-1, 4, "0"):
        with pytest.raises(EttanaError, match="a game must be from 0 to 3"):
            env.game(number)  # type: ignore[arg-type]


def test_games_can_be_put_in_and_played_on() -> None:
    """For searches: a copy of a game, put in another place of another batch, goes on as the game itself does."""
    env = BatchEnv(6, Rules(), [2, 3, 4], autoreset=False)
    env.reset(seed=11)
    for _ in range(40):
        env.step(env.random_actions())
    other = BatchEnv(5, Rules(), 4, autoreset=False)
    marked = np.array([True, False, True, False, True])
    other.set_games(marked, env.games[[1, 2, 5]].copy())
    assert other.seats[marked].tolist() == env.seats[[1, 2, 5]].tolist()
    assert np.array_equal(other.observations[marked], env.observations[[1, 2, 5]])
    assert np.array_equal(other.masks[marked], env.masks[[1, 2, 5]])
    while (env.seats[[1, 2, 5]] != NONE).any():
        actions = np.where(env.seats != NONE, env.random_actions(), NONE)
        env.step(actions)
        there = np.full(5, NONE)
        there[marked] = actions[[1, 2, 5]]
        other.step(there)
        assert np.array_equal(other.rewards[marked], env.rewards[[1, 2, 5]])
    assert np.array_equal(other.games["points"][marked], env.games["points"][[1, 2, 5]])
    with pytest.raises(EttanaError, match="3 places are marked"):
        other.set_games(marked, env.games[:2].copy())


@pytest.mark.parametrize("variant", ["base", "rim squares"])
def test_games_are_kept_as_they_were_when_a_turn_ended(variant: str) -> None:
    """Before what was forced after it: played action by action, the game passes through just that state."""
    rules = rules_of(variant)
    env = BatchEnv(16, rules, [2, 3, 4], forced=True, turn_ends=True)
    env.reset(seed=6)
    kept = 0
    for _ in range(120):
        before = [env.game(i) for i in range(env.size)]
        actions = env.random_actions()
        env.step(actions)
        for i in np.flatnonzero(env.turn_over):
            game, turn = before[i], before[i].to_dict()["turn"]
            game.play(int(actions[i]))
            while game.to_dict()["turn"] == turn:
                (forced,) = game.legal_indices()
                game.play(forced)
            assert Game._of_record(rules, env.turn_ends[i : i + 1].copy(), 0).to_dict() == game.to_dict()
            kept += 1
        for i in np.flatnonzero(~env.turn_over & ~env.terminated & ~env.truncated):
            assert env.games["turn"][i] == before[i].to_dict()["turn"]
    assert kept > 100
    plain = BatchEnv(4, rules, 2, forced=True)
    plain.reset(seed=6)
    for _ in range(60):
        plain.step(plain.random_actions())
        assert not plain.turn_over.any()
    assert len(plain.turn_ends) == 0
