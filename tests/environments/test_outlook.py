"""What the next turn may bring: recomputed the slow way, from its definition."""

from typing import Any

import numpy as np
import pytest

from agents.foresight import Foresight
from ettana_env import BatchEnv, Game
from ettana_env.engine.distance import distance
from ettana_env.engine.observe import SLOTS
from ettana_env.engine.standings import STANDING
from ettana_env.engine.ways import PROSPECTS
from ettana_env.features import ACTION_FEATURES, action_features
from ettana_env.vocabulary import VERBS
from tests.hiding import reshuffled
from tests.plain.board import neighbours
from tests.playing import played, rules_of

Json = dict[str, Any]
NAMES = [feature.name for feature in ACTION_FEATURES]
RICH = {"start_cards": {"design": 3, "action": 6}, "tokens": {"total": 200, "start": 20}}


def some_game(variant: str, seed: int) -> Game:
    return played(rules_of(variant).but(**RICH), 2 + seed % 3, seed, 18 + 9 * seed, seed)


def ends_of_walks(game: Game, start: int, steps: int) -> set[int]:
    """R4.1a: where walks of so many steps end, whatever is in their way."""
    rules = {"rim_squares": game.rules.rim_squares}
    walks = [[start]]
    for _ in range(steps):
        walks = [[*walk, square] for walk in walks for square in neighbours(rules, walk[-1]) if square not in walk]
    return {walk[-1] for walk in walks}


def next_squares(game: Game, state: Json, seat: int, start: int, number: int) -> set[int]:
    """Where the seat's pin could go from `start` with that number, tolls not counted."""
    others = {pin for other, pin in enumerate(state["pins"]) if other != seat}
    jumps = {square for square, tile in enumerate(state["tiles"]) if tile == number and square != start}
    return (ends_of_walks(game, start, number) | jumps) - others


def standing_on(game: Game, state: Json, seat: int, square: int) -> Game:
    """The same table with the seat to act, its move made to a square, its free swap to come."""
    pins = [square if other == seat else pin for other, pin in enumerate(state["pins"])]
    dice = {"number": 1, "colour": "black"}
    then = {"phase": "act", "player": seat, "pins": pins, "dice": dice, "moved": True, "free_swap": True, "acted": True}
    return Game.from_dict({**state, **then, "preset": False}, game.rules, seed=1)


def free_swaps(game: Game) -> list[dict[str, float]]:
    rows = action_features(game)
    free = [i for i in game.legal_indices() if VERBS[game.actions.parts[i].verb] == "free_swap"]
    return [dict(zip(NAMES, map(float, rows[i]), strict=True)) for i in free]


def good_on(game: Game, state: Json, seat: int, square: int) -> float:
    """How much the best free swap on a square does: one that wins, else the most gain less harm, above 0."""
    swaps = free_swaps(standing_on(game, state, seat, square))
    winning = [swap for swap in swaps if swap["wins"] and swap["points"]]
    good = winning or [swap for swap in swaps if swap["gain"] > swap["harm"]]
    return max(0.0, max((swap["gain"] - swap["harm"] for swap in good), default=0.0))


def outlook(game: Game, seat: int, start: int) -> float:
    """The mean over the faces of the die of the most a free swap does on a square then in reach."""
    state = game.to_dict()
    others = {pin for other, pin in enumerate(state["pins"]) if other != seat}
    good = {square: good_on(game, state, seat, square) for square in range(len(state["tiles"])) if square not in others}
    best = [
        max((good[square] for square in next_squares(game, state, seat, start, number)), default=0.0)
        for number in range(1, 7)
    ]
    return sum(best) / 6


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("variant", ["base", "rim squares"])
def test_the_outlook_of_a_move(variant: str, seed: int) -> None:
    game = some_game(variant, seed)
    if game.over or game.record.moved:
        return
    rows = action_features(game)
    expected: dict[int, float] = {}
    for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
        found = float(rows[index, NAMES.index("outlook")])
        if action["kind"] in ("step", "jump", "move_card"):
            square = action["square"]
            if square not in expected:
                expected[square] = outlook(game, game.player, square)
            assert found == pytest.approx(expected[square], abs=1e-6)
        else:
            assert found == 0


def test_some_outlooks_are_good_and_differ() -> None:
    """The test above would say little if all were nought."""
    found = []
    for seed in range(8):
        game = some_game("base", seed)
        if not game.over and not game.record.moved:
            found.append(action_features(game)[:, NAMES.index("outlook")])
    assert len(np.unique(np.round(np.concatenate(found), 4))) > 10


def seen_by(game: Game, seat: int) -> np.ndarray[Any, Any]:
    """What a foresight sees of how the seat stands."""
    env = BatchEnv.of_games([game])
    return Foresight(game.rules, ["points"], ()).look(env, env.games, np.array([0]), np.array([seat]))[0, -STANDING:]


def in_reach(game: Game, seat: int, state: Json, lacks: dict[int, int]) -> int:
    """The points that the seat's tokens and swap cards complete, the nearest design first, then the one worth most."""
    swaps = state["action_hands"][seat].count("swap") + state["tokens"][seat] // game.rules.prices.swap
    points = 0
    for design in sorted(lacks, key=lambda design: (lacks[design], -game.rules.designs[design].points)):
        if lacks[design] <= swaps:
            swaps -= lacks[design]
            points += game.rules.designs[design].points
    return points


@pytest.mark.parametrize("seed", range(6))
def test_how_a_seat_stands(seed: int) -> None:
    """For every seat, at any time: its outlook, what the squares yield, what the next turn puts in reach."""
    game = some_game("base", seed)
    if game.over or game.phase == "place":
        return
    state = game.to_dict()
    for seat in range(game.players):
        found = seen_by(game, seat)
        assert len(found) == STANDING
        here = state["pins"][seat]
        assert found[PROSPECTS - 1] == pytest.approx(4 * outlook(game, seat, here), abs=1e-5)
        for relative in range(game.players):
            row, column = divmod(state["pins"][(seat + relative) % game.players], 4)
            near = [state["yarns"][5 * (row + i) + column + j] for i in (0, 1) for j in (0, 1)]
            yields, peak = found[PROSPECTS + 2 * relative : PROSPECTS + 2 * relative + 2]
            assert yields == pytest.approx(4 / 6)
            assert peak == max(near.count(colour) for colour in near) / 4
        hand = int(game.record.design_hands[seat])
        held = [design for design in range(len(game.rules.designs)) if hand >> design & 1][:SLOTS]
        now = {design: int(distance(game._tables[0], game.record, design)) for design in held}
        stays = in_reach(game, seat, state, now)
        reach, wins = 0.0, 0.0
        for number in range(1, 7):
            most = stays
            for square in next_squares(game, state, seat, here, number):
                closer = [swap for swap in free_swaps(standing_on(game, state, seat, square)) if swap["gain"] > 0]
                most = max([most, *(round(swap["reach"] * game.rules.points_to_win) for swap in closer)])
            reach += most / game.rules.points_to_win / 6
            wins += (state["points"][seat] + most >= game.rules.points_to_win) / 6
        assert found[-2] == pytest.approx(reach, abs=1e-5)
        assert found[-1] == pytest.approx(wins, abs=1e-5)


def test_what_is_hidden_stays_hidden_when_a_turn_is_over() -> None:
    """R8.2, R8.3: how a seat stands does not change when what it cannot know is dealt anew."""
    for seed in range(12):
        game = some_game("base", seed)
        if not game.over and game.phase != "place":
            for seat in range(game.players):
                assert np.array_equal(seen_by(reshuffled(game, seat, seed), seat), seen_by(game, seat))
