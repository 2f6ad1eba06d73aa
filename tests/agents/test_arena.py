"""The arena: whole blocks, honest intervals, faults reported, interrupts survived."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import FriendlyAgent, load_code, opponent, play_games, register
from agents.results import share_of, write_records
from ettana_env import BatchEnv, EttanaError, Game, Rules
from ettana_env.records import read_record
from ettana_env.vocabulary import NONE
from tests.playing import rules_of


def test_blocks_are_one_deal_in_all_rotations() -> None:
    results = play_games(["greedy", "random", "random"], games=20, seed=40, keep_actions=True)
    assert len(results.rows) == 21
    assert results.rows["seed"].tolist() == [40 + i // 3 for i in range(21)]
    assert results.rows["rotation"].tolist() == [i % 3 for i in range(21)]
    won = results.rows[results.rows["winner"] != NONE]
    assert ((won["winner_agent"] + won["rotation"]) % 3 == won["winner"]).all()
    assert results.complete
    assert sum(results.decisions.values()) == results.rows["decisions"].sum()


def test_every_game_can_be_rebuilt_from_its_decisions() -> None:
    results = play_games(["greedy", "random"], games=10, seed=3, keep_actions=True)
    for row in results.rows:
        game = Game(Rules(), 2, int(row["seed"]))
        for action in results.actions[int(row["seed"]), int(row["rotation"])]:
            while len(game.legal_indices()) == 1:
                game.play(game.legal_indices()[0])
            game.play(action)
        while not game.over:
            game.play(game.legal_indices()[0])
        assert (game.winner if game.winner is not None else NONE) == row["winner"]
        assert int(game.record.actions) == row["actions"]
        assert game.record.points.tolist() == row["points"].tolist()


def test_workers_change_nothing() -> None:
    one = play_games(["greedy", "random"], games=60, seed=1)
    two = play_games(["greedy", "random"], games=60, seed=1, workers=3)
    assert np.array_equal(one.rows, two.rows)


def test_equal_agents_win_their_part() -> None:
    results = play_games(["greedy"] * 4, games=400, seed=5)
    assert results.share("greedy").wins == (results.rows["winner"] != NONE).sum()
    shares = [results.seat_share(seat) for seat in range(4)]
    assert sum(share.wins for share in shares) == results.share("greedy").wins
    assert all(share.low < share.share < share.high for share in shares)
    assert 0 < results.mean_points("greedy") < 10


def test_intervals_know_the_blocks() -> None:
    rng = np.random.default_rng(1)
    alike = rng.integers(0, 2, 500)
    blocks = np.full(500, 4)
    clustered = share_of(4 * alike, blocks)
    independent = share_of(rng.binomial(4, 0.5, 500), blocks)
    assert clustered.high - clustered.low > 1.8 * (independent.high - independent.low)
    assert independent.high - independent.low == pytest.approx(2 * 1.96 * (0.25 / 2000) ** 0.5, rel=0.1)
    # When every deal is won exactly once in its four rotations there is next to no doubt left.
    certain = share_of(np.ones(500, np.int64), blocks)
    assert certain.high - certain.low < 0.6 * (independent.high - independent.low)
    assert share_of(np.zeros(0, np.int64), np.zeros(0, np.int64)).games == 0
    for games in range(1, 60):  # whatever the rounding
        for wins in (0, games):
            share = share_of(np.array([wins]), np.array([games]))
            assert 0 <= share.low <= share.share <= share.high <= 1
    never = share_of(np.zeros(50, np.int64), np.full(50, 4))
    assert never.low == pytest.approx(0, abs=1e-12)
    assert 0.05 < never.high < 0.1


def claimer(view: dict[str, Any], legal: list[dict[str, Any]], draw: random.Random) -> dict[str, Any]:
    """The example of a friendly agent."""
    claims = [action for action in legal if action["kind"] == "claim"]
    return claims[0] if claims else draw.choice(legal)


def test_a_friendly_agent_sees_only_its_view() -> None:
    seen = []

    def look(view: dict[str, Any], legal: list[dict[str, Any]], draw: random.Random) -> dict[str, Any]:
        seen.append(view)
        return claimer(view, legal, draw)

    register("looker", lambda: FriendlyAgent(look))
    results = play_games(["looker", "random"], rules_of("many victory points"), games=4, seed=1)
    assert len(results.rows) == 4
    for view in seen:
        other = 1 - view["player"]
        assert set(view["action_hands"][other]) <= {None}
        assert set(view["design_stack"]) <= {None}
    again = play_games(["looker", "random"], rules_of("many victory points"), games=4, seed=1)
    assert np.array_equal(results.rows, again.rows)


def test_a_broken_agent_is_reported_and_not_counted() -> None:
    def crash(view: dict[str, Any], legal: list[dict[str, Any]], draw: random.Random) -> dict[str, Any]:
        if view["turn"] >= 3:
            raise ZeroDivisionError("oh")
        return draw.choice(legal)

    register("crasher", lambda: FriendlyAgent(crash))
    register("cheat", lambda: FriendlyAgent(lambda view, legal, draw: {"kind": "claim", "design": "all"}))
    crashed = play_games(["crasher", "greedy"], games=6, seed=2)
    assert len(crashed.rows) + len(crashed.faults) == 6
    assert crashed.faults[0].why == "the agent crashed: ZeroDivisionError: oh"
    assert crashed.faults[0].state["turn"] >= 3
    cheated = play_games(["cheat", "greedy"], games=6, seed=2)
    assert len(cheated.faults) == 6
    assert "which is not legal" in cheated.faults[0].why
    assert {fault.agent for fault in cheated.faults} == {"cheat"}


class Wild:
    """Answers with an index that is out of range."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.full(env.size, 10**9, np.int64)


def test_an_illegal_index_is_a_fault() -> None:
    register("wild", Wild)
    results = play_games(["wild", "random"], games=4, seed=1)
    assert len(results.faults) == 4
    assert len(results.rows) == 0
    assert results.share("wild").games == 0


def test_an_interrupt_keeps_what_is_done() -> None:
    told = []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        if done >= 10:
            raise KeyboardInterrupt

    results = play_games(["greedy", "greedy"], games=200, seed=1, progress=stop)
    assert not results.complete
    assert 10 <= len(results.rows) < 200
    assert told[0][1] == 200
    whole = play_games(["greedy", "greedy"], games=200, seed=1)
    for row in results.rows:
        assert row in whole.rows


def test_games_won_at_the_deal_count() -> None:
    results = play_games(["random", "random"], rules_of("won at the deal"), games=60, seed=1)
    assert len(results.rows) == 60
    assert (results.rows["actions"] == 0).any()
    assert results.rows["seed"].tolist() == [1 + i // 2 for i in range(60)]


def test_code_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from agents import FriendlyAgent, register\n"
        "register('last', lambda: FriendlyAgent(lambda view, legal, draw: legal[-1]))\n"
    )
    load_code(file)
    assert len(play_games(["last", "random"], rules_of("few turns"), games=4).rows) == 4
    with pytest.raises(EttanaError, match="there is no such file"):
        load_code(tmp_path / "none.py")
    file.write_text("import nothing_of_that_name\n")
    with pytest.raises(EttanaError, match=r"mine\.py: ModuleNotFoundError"):
        load_code(file)


class Tuned:
    """An agent with options."""

    def __init__(self, level: int = 1, risk: float = 0.5, mood: str = "calm") -> None:
        self.options = (level, risk, mood)

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return env.random_actions(which)


def test_specs() -> None:
    register("tuned", Tuned)
    assert vars(opponent("tuned:level=3,mood=wild"))["options"] == (3, 0.5, "wild")
    for spec, message in (
        ("tuned:level=x", "level must be of type int, not 'x'"),
        ("tuned:speed=1", "has no option 'speed'; it has: level, risk, mood"),
        ("tuned:level", "options are written key=value"),
        ("tuned:level=1,level=2", "each once"),
        ("gredy", "did you mean 'greedy'"),
    ):
        with pytest.raises(EttanaError, match=message):
            opponent(spec)
    with pytest.raises(EttanaError, match="games must be a whole number"):
        play_games(["random", "random"], games=0)
    with pytest.raises(EttanaError, match="players must be 2 to 4, not 5"):
        play_games(["random"] * 5)


def test_rows_records_and_a_summary(tmp_path: Path) -> None:
    results = play_games(["greedy", "random"], players=3, games=6, seed=11, keep_actions=True)
    assert results.agents == ("greedy", "random", "random")
    table = results.table()
    assert len(table) == 6
    for (_, line), row in zip(table.iterrows(), results.rows, strict=True):
        seats = [line[f"agent_{seat}"] for seat in range(3)]
        assert seats == results.names(int(row["rotation"]))
        assert line["winner_agent"] == seats[int(row["winner"])]
        assert [line[f"points_{seat}"] for seat in range(3)] == row["points"][:3].tolist()
    paths = write_records(results, tmp_path / "records")
    assert len(paths) == 6
    for path in paths:
        seed, rotation = map(int, path.stem.split("-"))
        record = read_record(path)
        assert list(record.names) == results.names(rotation)
        (row,) = results.rows[(results.rows["seed"] == seed) & (results.rows["rotation"] == rotation)]
        assert record.result is not None
        assert record.result["winner"] == (None if row["winner"] == NONE else row["winner"])
        assert record.result["actions"] == row["actions"]
    summary = json.loads(json.dumps(results.summary()))
    assert [agent["name"] for agent in summary["agents"]] == ["greedy", "random"]
    assert summary["agents"][1]["par"] == pytest.approx(2 / 3)
    assert sum(agent["wins"] for agent in summary["agents"]) == sum(seat["wins"] for seat in summary["seats"])


def test_games_that_are_cut_off_are_told_apart() -> None:
    results = play_games(["random"] * 4, Rules(max_turns=5), games=4, seed=1)
    assert [game["seed"] for game in results.summary()["truncated"]] == [1, 1, 1, 1]
    assert set(results.actions) == {(1, rotation) for rotation in range(4)}
    assert results.share("random").wins == 0


def test_line_ups_are_checked() -> None:
    with pytest.raises(EttanaError, match="3 agents are named for 2 players"):
        play_games(["random", "greedy", "random"], players=2)
    with pytest.raises(EttanaError, match="must be an agent"):
        play_games([])
