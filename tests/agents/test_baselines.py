"""The baselines: they claim, they win, they repeat themselves, and they do not peek."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from agents import opponent, play_games, register
from agents.network import Network, Shape
from agents.planner import STYLES
from agents.policy import NetworkAgent
from agents.policy_search import NetworkSearch
from ettana_env import BatchEnv, EttanaError, Game, Rules
from ettana_env.vocabulary import NONE
from tests.agents.tables import choice, table_of
from tests.hiding import reshuffled
from tests.playing import played, rules_of

torch.manual_seed(3)
NETWORKS = {rim: Network(Rules(rim_squares=rim), Shape(hidden=(32,), hints=4)) for rim in (False, True)}


class Untrained:
    """A network of any board, as it is before it learns, drawing its actions."""

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return NetworkAgent(NETWORKS[env.rules.rim_squares], greedy=False).choose(env, which)


class Searching:
    """The same with a little search."""

    def __init__(self) -> None:
        self._by_board = {rim: NetworkSearch(network, 4, 3, 0.0, 0.02) for rim, network in NETWORKS.items()}

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return self._by_board[env.rules.rim_squares].choose(env, which)


register("untrained", Untrained)
register("searching", Searching)

AGENTS = ["random", "greedy", "planner", "planner:style=thief", "mcts:sims=12", "untrained", "searching"]


@pytest.mark.parametrize("spec", AGENTS)
def test_choices_are_legal_and_only_for_marked_games(spec: str) -> None:
    env = BatchEnv(40, rules_of("rim squares"), [2, 3, 4])
    env.reset(seed=3)
    agent = opponent(spec)
    for step in range(120):
        which = np.arange(40) % 3 != step % 3
        actions = agent.choose(env, which)
        assert (actions[~which] == NONE).all()
        assert env.masks[which, actions[which]].all()
        env.step(actions)


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("variant", ["base", "many cards", "rim squares", "mirror images", "cheap"])
def test_no_peeking(spec: str, variant: str) -> None:
    """R8.2, R8.3: the choice stays when what the seat cannot know is dealt anew."""
    for seed in range(12):
        game = played(rules_of(variant), 2 + seed % 3, seed, 6 + 9 * seed, seed)
        if not game.over and game.phase != "place":
            for again in range(3):
                assert choice(spec, reshuffled(game, game.player, 100 * seed + again)) == choice(spec, game)


@pytest.mark.parametrize("spec", AGENTS)
def test_threads_change_nothing(spec: str) -> None:
    def choices(threads: int) -> list[NDArray[Any]]:
        env = BatchEnv(23, Rules(), 3, threads=threads)
        env.reset(seed=5)
        agent, found = opponent(spec), []
        for _ in range(60):
            found.append(agent.choose(env, np.ones(23, np.bool_)))
            env.step(found[-1])
        return found

    one = choices(1)
    for threads in (2, 4):
        assert all(np.array_equal(a, b) for a, b in zip(one, choices(threads), strict=True))


@pytest.mark.parametrize("spec", ["greedy", "planner"])
def test_they_claim_what_can_be_claimed(spec: str) -> None:
    seen = 0
    for seed in range(60):
        game = played(rules_of("cheap"), 2, seed, 25, seed)
        claims = [index for index, action in _legal(game) if action["kind"] == "claim"]
        if claims:
            assert choice(spec, game) in claims
            seen += 1
    assert seen > 3


def _legal(game: Game) -> list[tuple[int, dict[str, Any]]]:
    return list(zip(game.legal_indices(), game.legal_actions(), strict=True))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_beats_random(players: int) -> None:
    results = play_games(["greedy", *["random"] * (players - 1)], games=50 * players, seed=9)
    assert results.share("greedy").low > 0.9


@pytest.mark.parametrize("players", [2, 3, 4])
def test_planning_beats_greed(players: int) -> None:
    results = play_games(["planner", *["greedy"] * (players - 1)], games=60 * players, seed=9)
    assert results.share("planner").low > 1 / players


def test_styles_differ() -> None:
    """Each style does more than the builder of what it is named for."""
    tokens, cards, thefts = {}, {}, {}
    for style in STYLES:
        results = play_games([f"planner:style={style}", "greedy", "greedy"], games=60, seed=3, keep_actions=True)
        held = taken = bought = turns = 0
        for (seed, rotation), actions in results.actions.items():
            game = Game(Rules(), 3, seed)
            for action in actions:
                while len(game.legal_indices()) == 1:
                    game.play(game.legal_indices()[0])
                if game.player == rotation:
                    kind = game.action_of(action)["kind"]
                    turns += kind == "end_turn"
                    held += int(game.record.tokens[rotation]) * (kind == "end_turn")
                    taken += kind in ("steal_card", "steal_tokens")
                    bought += kind in ("buy_action", "buy_design", "gain_tokens", "roll_again", "exchange")
                game.play(action)
        tokens[style], cards[style], thefts[style] = held / turns, bought / turns, taken / turns
    assert tokens["hoarder"] > tokens["builder"]
    assert cards["gambler"] > cards["builder"]
    assert thefts["thief"] > thefts["builder"]


def test_wrong_options_of_the_planner_are_refused() -> None:
    with pytest.raises(EttanaError, match="style must be one of builder, hoarder, thief, gambler, not 'their'"):
        opponent("planner:style=their")
    with pytest.raises(EttanaError, match="width must be from 1 to 64, not 0"):
        opponent("planner:width=0")


def test_search_beats_planning() -> None:
    """Over three greedy opponents, where there is most to gain, a little search wins more than the planner."""
    against = ["greedy"] * 3
    planner = play_games(["planner", *against], games=100, seed=21).share("planner")
    searching = play_games(["mcts:sims=40", *against], games=100, seed=21).share("mcts:sims=40")
    assert searching.share > planner.share


def test_a_budget_of_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which a simulation takes a tenth of a millisecond, 60 ms are good for 600 of them, 3 ms for 30."""
    clock, asked = [0.0], []

    def take_time(*given: Any) -> None:
        sims, actions, marked = given[7], given[-1], given[3]
        asked.append(sims)
        clock[0] += sims / 10_000
        actions[marked] = 0

    monkeypatch.setattr("agents.mcts.choose_by_search", take_time)
    monkeypatch.setattr("agents.mcts.time.perf_counter", lambda: clock[0])
    env, one = table_of(played(Rules(), 3, 4, 30, 4)), np.ones(1, np.bool_)
    for ms, sims in ((3.0, 30), (60.0, 600)):
        agent = opponent(f"mcts:ms={ms}")
        for _ in range(4):
            agent.choose(env, one)
        assert asked[-1] == pytest.approx(sims, abs=1)


def test_wrong_options_of_the_search_are_refused() -> None:
    for spec, message in {
        "mcts:sims=0": "sims must be from 1 to 1000000",
        "mcts:ms=-1": "ms must be from 0",
        "mcts:rounds=-1": "rounds must be from 0 to 64",
        "mcts:style=bold": "mcts: style must be one of",
    }.items():
        with pytest.raises(EttanaError, match=message):
            opponent(spec)


# --- Wins this turn, found by trying everything -------------------------------------------------------


def can_win(game: Game, depth: int) -> bool:
    """Is there a win this turn in so many actions that hold no chance? Every sequence is tried."""
    seat = game.player
    for index, action in _legal(game):
        if action["kind"] not in CERTAIN_KINDS:
            continue
        after = game.copy()
        after.play(index)
        if after.winner == seat or (depth > 1 and not after.over and can_win(after, depth - 1)):
            return True
    return False


CERTAIN_KINDS = ("claim", "step", "jump", "free_swap")


def test_the_planner_finds_wins_this_turn() -> None:
    """Whatever can be won by a claim, a free swap and a claim, or a move, a free swap and a claim, it wins.

    Tried exhaustively, with no tokens and no cards, so that these are all there is.
    """
    rules = Rules(points_to_win=1, tokens={"total": 0, "start": 0}, start_cards={"design": 2, "action": 0})
    won, lost = 0, 0
    for seed in range(150):
        game = played(rules, 2, seed, 3 + seed % 3, seed)
        if game.over or game.phase != "act":
            continue
        if not can_win(game, 3):
            lost += 1
            continue
        seat = game.player
        while not game.over and game.player == seat:
            game.play(choice("planner", game))
        assert game.winner == seat, seed
        won += 1
    assert won >= 20
    assert lost >= 5
