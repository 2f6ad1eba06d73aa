"""Chance is fair, and its kinds do not disturb one another.

All seeds are fixed, so that these tests pass or fail for good. With a fair engine a p-value below LEAST comes
up once in ten thousand tests.
"""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from ettana_env import Game, Rules
from ettana_env.engine import batch
from ettana_env.tables import tables_of
from ettana_env.vocabulary import DIE_COLOURS, KINDS, VERBS
from tests.playing import cards, content

LEAST = 1e-4
MANY = 24_000

Array = NDArray[Any]


def check_fair(counts: Sequence[float] | Array, weights: Sequence[float] | Array | None = None) -> None:
    """Are the counts as they should be: all alike, or in proportion to the weights?"""
    counts = np.asarray(counts, dtype=float).ravel()
    share = np.ones_like(counts) if weights is None else np.asarray(weights, dtype=float).ravel()
    expected = share / share.sum() * counts.sum()
    assert expected.min() >= 5, "too few for a chi-square test"
    p = float(chisquare(counts, expected).pvalue)
    assert p >= LEAST, f"p = {p:.2g}: {counts.astype(int).tolist()} instead of about {expected.round(1).tolist()}"


def check_counter(counter: Mapping[Any, int], weights: Mapping[Any, float]) -> None:
    """The same for a counter: nothing comes up but what has a weight."""
    assert set(counter) <= set(weights)
    keys = sorted(weights)
    check_fair([counter.get(key, 0) for key in keys], [weights[key] for key in keys])


def table(one: Array, other: Array, rows: int, columns: int) -> Array:
    """How often each pair came up."""
    return np.bincount(one.astype(np.int64) * columns + other, minlength=rows * columns)


def set_up(rules: Rules, players: int, count: int = MANY, first_seed: int = 0) -> batch.Games:
    """Games with seeds one after the other."""
    games = batch.new_games(count)
    seeds = np.arange(first_seed, first_seed + count, dtype=np.uint64)
    batch.set_up_slice(tables_of(rules), games, seeds, np.full(count, players, np.uint8), 0, count)
    return games


def play(rules: Rules, games: batch.Games, actions: int | Array) -> None:
    """Play an action in each game, checked to be legal."""
    chosen = np.broadcast_to(np.asarray(actions, np.int64), len(games)).copy()
    assert batch.check_slice(tables_of(rules), games, chosen, 0, len(games)) == -1
    batch.play_slice(tables_of(rules), games, chosen, 0, len(games))


def index_of(rules: Rules, kind: str, offset: int = 0) -> int:
    """The index of an action by its kind and its place among that kind."""
    return int(tables_of(rules)[0].first[VERBS.index(kind)]) + offset


def with_seeds(game: Game, count: int = MANY) -> batch.Games:
    """Many copies of a game, the chance to come of each from a seed of its own."""
    games = np.repeat(np.array([game.record], dtype=game.record.dtype), count)
    games["seed"] = np.arange(count, dtype=np.uint64)
    return games


RANDOM = Rules(place_by_choice=False)
"""The first state is dealt already: every chance of the setup shows."""


# --- Setup ---


def test_yarns_by_octagon_and_colour() -> None:
    yarns = set_up(RANDOM, 2)["yarns"]
    for octagon in range(25):
        check_fair(np.bincount(yarns[:, octagon], minlength=5))
    same = np.where(np.eye(5, dtype=bool), 4, 5)  # four of a colour are left after one of it
    for one, other in [(0, 1), (0, 24), (6, 7), (12, 17), (3, 19), (23, 24)]:
        check_fair(table(yarns[:, one], yarns[:, other], 5, 5), same)


def test_tiles_by_square_and_the_reserve() -> None:
    games = set_up(RANDOM, 2)
    tiles, reserve = games["tiles"][:, :16], games["reserve_tiles"]
    for square in range(16):
        check_fair(np.bincount(tiles[:, square] - 1, minlength=6))
    check_fair(table(reserve[:, 0] - 1, reserve[:, 1] - 1, 6, 6)[~np.eye(6, dtype=bool).ravel()])
    assert (reserve[:, 0] != reserve[:, 1]).all()
    # Of the numbers in the reserve two are left for the squares, of the others three.
    for place in (0, 1):
        check_fair(table(reserve[:, place] - 1, tiles[:, 5] - 1, 6, 6), reserve_weights())


def reserve_weights() -> Array:
    """How likely a number of the reserve goes with a number on a square."""
    return np.where(np.eye(6, dtype=bool), 2.0, (2 + 4 * 3) / 5)


def test_action_stack_by_place() -> None:
    stack = set_up(Rules(), 2)["action_stack"]
    for place in range(36):
        check_fair(np.bincount(stack[:, place], minlength=12))
    for one, other in [(34, 35), (0, 1), (0, 35), (17, 30)]:
        check_fair(table(stack[:, one], stack[:, other], 12, 12), np.where(np.eye(12, dtype=bool), 2, 3))


def test_design_stack_by_place() -> None:
    stack = set_up(Rules(), 2)["design_stack"]
    for place in range(36):
        check_fair(np.bincount(stack[:, place], minlength=36))
    top, next_one = stack[:, 35], stack[:, 34]
    assert (top != next_one).all()
    check_fair(table(top % 6, next_one % 6, 6, 6), np.where(np.eye(6, dtype=bool), 5, 6))


def test_the_deal_is_fair_to_every_seat() -> None:
    games = set_up(RANDOM, 4)
    for seat in range(4):
        hands = games["design_hands"][:, seat]
        check_fair([int((hands == np.uint64(1 << design)).sum()) for design in range(36)])
        kinds = games["action_hands"][:, seat].sum(axis=0)
        kinds[KINDS.index("victory_point")] = games["victory_cards"][:, seat].sum()
        check_fair(kinds)


def test_random_placing() -> None:
    for rules, on_board in ((RANDOM, range(16)), (RANDOM.but(rim_squares=True), None)):
        games = set_up(rules, 4)
        squares = list(on_board or [6 * r + c for r in range(1, 5) for c in range(1, 5)])
        tiles, pins, rolls = games["tiles"], games["pins"], games["placing_rolls"]
        check_fair(np.bincount(rolls[:, 0] - 1, minlength=6))
        for seat in range(4):
            assert set(np.unique(pins[:, seat])) == set(squares)
            check_fair(np.bincount(pins[:, seat], minlength=36)[squares])
        choices: dict[int, Counter[int]] = {2: Counter(), 3: Counter()}
        for game in range(0, MANY, 4):  # which of the squares that show the number, in their order
            showing = [square for square in squares if tiles[game, square] == rolls[game, 0]]
            choices[len(showing)][showing.index(pins[game, 0])] += 1
        for number, counts in choices.items():
            check_counter(counts, dict.fromkeys(range(number), 1.0))


def test_ties_for_the_start_are_fair() -> None:
    for players in (2, 3, 4):
        games = set_up(RANDOM, players)
        rolls = games["placing_rolls"][:, :players]
        tied = rolls == rolls.max(axis=1, keepdims=True)
        assert tied[np.arange(MANY), games["player"]].all()
        for who in itertools.chain.from_iterable(
            itertools.combinations(range(players), size) for size in range(2, min(players, 3) + 1)
        ):
            pattern = np.isin(np.arange(players), who)
            starters = games["player"][(tied == pattern).all(axis=1)]
            check_fair(np.bincount(starters, minlength=players)[list(who)])


def test_placing_rolls_of_different_seats_are_independent() -> None:
    rolls = set_up(RANDOM, 2)["placing_rolls"]
    check_fair(table(rolls[:, 0] - 1, rolls[:, 1] - 1, 6, 6))  # two squares at least show a number


# --- Dice ---


def dice_of_turns(turns: int, count: int, first_seed: int = 0) -> tuple[Array, Array]:
    """Number and colour dice by game and turn; the players move as soon as they can and do nothing else."""
    rules = RANDOM.but(points_to_win=99, tokens={"total": 0, "start": 0})
    games = set_up(rules, 3, count, first_seed)
    numbers, colours = np.empty((count, turns), np.int64), np.empty((count, turns), np.int64)
    masks = np.zeros((count, int(tables_of(rules)[0].action_count)), np.bool_)
    steps, swaps = index_of(rules, "step"), index_of(rules, "free_swap")
    for turn in range(turns):
        play(rules, games, index_of(rules, "roll"))
        numbers[:, turn], colours[:, turn] = games["number"] - 1, games["colour"]
        batch.mask_slice(tables_of(rules), games, masks, 0, count)
        move = masks[:, steps:swaps]
        play(rules, games, np.where(move.any(axis=1), steps + move.argmax(axis=1), -1))
        play(rules, games, index_of(rules, "end_turn"))
    return numbers, colours


@pytest.fixture(scope="module")
def dice() -> tuple[Array, Array]:
    return dice_of_turns(8, 6000)


def test_the_dice_are_fair_and_independent(dice: tuple[Array, Array]) -> None:
    numbers, colours = dice
    check_fair(np.bincount(numbers.ravel(), minlength=6))
    check_fair(np.bincount(colours.ravel(), minlength=6))
    check_fair(table(numbers.ravel(), colours.ravel(), 6, 6))
    for turn in range(8):
        check_fair(table(numbers[:, turn], colours[:, turn], 6, 6))


def test_turns_are_independent(dice: tuple[Array, Array]) -> None:
    for rolled in dice:
        for apart in (1, 2, 3):
            check_fair(table(rolled[:, :-apart].ravel(), rolled[:, apart:].ravel(), 6, 6))
    numbers, colours = dice
    check_fair(table(numbers[:, :-1].ravel(), colours[:, 1:].ravel(), 6, 6))
    check_fair(table(colours[:, :-1].ravel(), numbers[:, 1:].ravel(), 6, 6))


def test_consecutive_seeds_are_independent(dice: tuple[Array, Array]) -> None:
    for rolled in dice:
        for apart in (1, 2, 64):
            check_fair(table(rolled[:-apart].ravel(), rolled[apart:].ravel(), 6, 6))
    numbers, colours = dice
    check_fair(table(numbers[:-1].ravel(), colours[1:].ravel(), 6, 6))
    games = set_up(RANDOM, 2)
    for key, size in (("placing_rolls", 6), ("reserve_tiles", 6)):
        values = games[key][:, 0] - 1
        check_fair(table(values[:-1], values[1:], size, size))
    yarns = games["yarns"][:, 7]
    check_fair(table(yarns[:-1], yarns[1:], 5, 5))


def test_seeds_far_apart_are_independent() -> None:
    for step in (2**32, 2**62):
        near, far = dice_of_turns(1, 6000)[0], dice_of_turns(1, 6000, step)[0]
        check_fair(table(near[:, 0], far[:, 0], 6, 6))


def test_kinds_of_chance_are_independent(dice: tuple[Array, Array]) -> None:
    games = set_up(RANDOM, 2, 6000)
    number, colour = dice[0][:, 0], dice[1][:, 0]
    check_fair(table(number, games["yarns"][:, 0], 6, 5))
    check_fair(table(colour, games["tiles"][:, 0] - 1, 6, 6))
    check_fair(table(number, games["placing_rolls"][:, 0] - 1, 6, 6))
    check_fair(table(number, games["reserve_tiles"][:, 0] - 1, 6, 6))


# --- Chance in play ---


def acting(rules: Rules, **changes: Any) -> Game:
    """A game of two where player 0 has rolled and done nothing, with some of its state changed."""
    game = next(game for game in (Game(rules, 2, seed) for seed in range(100)) if game.player == 0 and not game.over)
    state = game.to_dict()
    state |= {"phase": "act", "dice": {"number": 3, "colour": "red"}}
    hands: list[list[str]] = changes.pop("action_hands")
    state |= changes
    stack = Counter(dict(zip(KINDS, rules.action_cards.counts, strict=True)))
    for kind in [*hands[0], *hands[1], *state["action_discard"]]:
        assert stack[kind] > 0
        stack[kind] -= 1
    stack["victory_point"] -= sum(state["victory_cards"])
    state["action_hands"] = [sorted(hand, key=KINDS.index) for hand in hands]
    state["action_stack"] = list(stack.elements())
    return Game.from_dict(state, rules, seed=0)


def test_theft_takes_each_card_alike() -> None:
    hand = ["move", "move", "move", "tax", "swap", "swap"]
    game = acting(RANDOM, action_hands=[["steal_card"], hand])
    games = with_seeds(game)
    play(RANDOM, games, game.index_of({"kind": "steal_card", "seat": 1}))
    taken = Counter(KINDS[int(kind)] for kind in games["action_hands"][:, 0].argmax(axis=1))
    check_counter(taken, {kind: float(count) for kind, count in Counter(hand).items()})


def test_two_thefts_of_one_turn_are_independent() -> None:
    hand = ["move", "swap", "tax", "preset"]
    game = acting(RANDOM, action_hands=[["steal_card", "steal_card"], hand])
    games = with_seeds(game)
    steal = game.index_of({"kind": "steal_card", "seat": 1})
    play(RANDOM, games, steal)
    first = games["action_hands"][:, 0].copy()
    play(RANDOM, games, steal)
    second = games["action_hands"][:, 0] - first
    first[:, KINDS.index("steal_card")] = 0
    second[:, KINDS.index("steal_card")] = 0
    pairs = zip(first.argmax(axis=1), second.argmax(axis=1), strict=True)
    taken = Counter((KINDS[int(one)], KINDS[int(other)]) for one, other in pairs)
    check_counter(taken, dict.fromkeys(itertools.permutations(hand, 2), 1.0))


@pytest.mark.parametrize("number", range(1, 7))
def test_gain_rolls(number: int) -> None:
    game = acting(RANDOM, action_hands=[["gain_tokens", "gain_tokens"], []])
    games = with_seeds(game)
    named = game.index_of({"kind": "gain_tokens", "number": number})
    before = games["tokens"][:, 0].copy()
    play(RANDOM, games, named)
    first = games["tokens"][:, 0] - before
    play(RANDOM, games, named)
    second = games["tokens"][:, 0] - before - first
    assert set(np.unique([first, second])) == ({0, number} if number > 1 else {1})
    if number > 1:
        lost, won = number - 1, 7 - number
        check_fair(table(first // number, second // number, 2, 2), [lost * lost, lost * won, won * lost, won * won])
    assert (games["number"] == 3).all()


def test_roll_again() -> None:
    game = acting(RANDOM, action_hands=[["roll_again", "roll_again"], []])
    games = with_seeds(game)
    rolls = []
    for _ in range(2):
        play(RANDOM, games, game.index_of({"kind": "roll_again"}))
        rolls.append((games["number"] - 1, games["colour"].copy()))
        check_fair(table(*rolls[-1], 6, 6))
    check_fair(table(rolls[0][0], rolls[1][0], 6, 6))
    check_fair(table(rolls[0][1], rolls[1][1], 6, 6))


def test_preset_rolls_the_number_alone() -> None:
    game = acting(RANDOM, action_hands=[["preset"], []])
    state = game.to_dict()
    state |= {"phase": "roll", "dice": {"number": None, "colour": None}}
    game = Game.from_dict(state, RANDOM, seed=0)
    games = with_seeds(game)
    play(RANDOM, games, game.index_of({"kind": "preset", "colour": "blue"}))
    assert (games["colour"] == DIE_COLOURS.index("blue")).all()
    check_fair(np.bincount(games["number"] - 1, minlength=6))


def test_reshuffle_orders() -> None:
    discard = ["move", "swap", "swap", "tax"]
    rules = RANDOM.but(action_cards=cards(0, move=1, swap=2, tax=1), start_cards={"action": 0})
    tokens = {"tokens": [10, 2], "bank": 36}
    game = acting(rules, action_hands=[[], []], action_discard=discard, **tokens)
    games = with_seeds(game)
    play(rules, games, game.index_of({"kind": "buy_action"}))
    assert (games["action_stack_size"] == 3).all()
    orders: Counter[tuple[str, ...]] = Counter()
    for stack, drawn in zip(games["action_stack"], games["action_hands"][:, 0].argmax(axis=1), strict=True):
        orders[tuple(KINDS[int(kind)] for kind in [*stack[:3], drawn])] += 1
    check_counter(orders, dict.fromkeys(set(itertools.permutations(discard)), 1.0))


def test_two_reshuffles_of_one_game_are_independent() -> None:
    rules = RANDOM.but(
        action_cards=cards(0, tax=1, move=1, collect_three=1),
        start_cards={"action": 0},
        prices={"action": 0},
    )
    game = acting(rules, action_hands=[["tax"], []], action_discard=["move", "collect_three"])
    games = with_seeds(game, 6000)
    orders = []
    for _ in range(2):  # draw both, play both: the same two kinds come back in some order
        play(rules, games, index_of(rules, "buy_action"))
        orders.append(games["action_hands"][:, 0, KINDS.index("move")].copy())
        play(rules, games, index_of(rules, "buy_action"))
        games["action_discard"], games["action_hands"][:, 0] = games["action_hands"][:, 0].copy(), 0
        games["action_discard"][:, KINDS.index("tax")] = 0
        games["action_hands"][:, 0, KINDS.index("tax")] = 1
    check_fair(table(orders[0], orders[1], 2, 2))


# --- Hidden cards ---


def test_hidden_hands_are_drawn_fairly() -> None:
    game = Game(RANDOM, 3, 4)
    state, seat, draws = game.to_dict(), 1, 5000
    unseen: dict[str, Counter[str]] = {kind: Counter(state[f"{kind}_stack"]) for kind in ("action", "design")}
    for other in (0, 2):
        for kind in unseen:
            unseen[kind].update(state[f"{kind}_hands"][other])
    rng = np.random.default_rng(1)
    hands: dict[tuple[str, int], Counter[str]] = {(kind, other): Counter() for kind in unseen for other in (0, 2)}
    tops: dict[str, Counter[str]] = {kind: Counter() for kind in unseen}
    for _ in range(draws):
        drawn = game.determinize(seat, rng).to_dict()
        for kind, other in hands:
            hands[kind, other].update(drawn[f"{kind}_hands"][other])
        for kind in unseen:
            tops[kind][drawn[f"{kind}_stack"][-1]] += 1
    in_hands = {kind: count for kind, count in unseen["action"].items() if kind != "victory_point"}
    for other in (0, 2):
        check_counter(hands["design", other], dict.fromkeys(unseen["design"], 1.0))
        assert len(state["action_hands"][other]) == 1
        check_counter(hands["action", other], {kind: float(count) for kind, count in in_hands.items()})
    check_counter(tops["design"], dict.fromkeys(unseen["design"], 1.0))
    # The stack holds all the victory points, and of every other card the same share.
    stack = len(state["action_stack"])
    points = unseen["action"]["victory_point"]
    share = (stack - points) / sum(in_hands.values())
    weights = {kind: count * share for kind, count in in_hands.items()}
    check_counter(tops["action"], weights | {"victory_point": float(points)})


def test_hidden_hands_of_several_cards_are_drawn_fairly() -> None:
    """Of two cards in hand every pair is as likely as the number of ways to take it."""
    rules = RANDOM.but(action_cards=cards(0, move=3, swap=2, tax=2), start_cards={"action": 2})
    game = Game(rules, 2, 0)
    state = game.to_dict()
    unseen = [*state["action_stack"], *state["action_hands"][1]]
    ways = Counter(tuple(sorted(pair)) for pair in itertools.combinations(unseen, 2))
    rng = np.random.default_rng(2)
    drawn = Counter(tuple(sorted(game.determinize(0, rng).to_dict()["action_hands"][1])) for _ in range(4000))
    check_counter(drawn, {pair: float(count) for pair, count in ways.items()})


def test_the_chance_after_a_draw_is_fair() -> None:
    game = acting(RANDOM, action_hands=[["roll_again"], []])
    rng = np.random.default_rng(3)
    dice: Counter[tuple[int, str]] = Counter()
    for _ in range(4000):
        drawn = game.determinize(0, rng)
        drawn.play({"kind": "roll_again"})
        rolled = drawn.to_dict()["dice"]
        dice[rolled["number"], rolled["colour"]] += 1
    check_counter(dice, dict.fromkeys(itertools.product(range(1, 7), DIE_COLOURS), 1.0))


# --- Random play ---


def test_random_choices_are_fair() -> None:
    """The engine's own random player takes each legal action alike; none of these needs chance."""
    game = acting(RANDOM, action_hands=[["tax"], []], tokens=[0, 0], bank=48)
    many = 6000
    games = np.repeat(np.array([game.record], dtype=game.record.dtype), many)
    keys = np.arange(many, dtype=np.uint64)
    nothing = np.zeros((0, 0), np.bool_), batch.new_games(0)
    assert batch.play_random_slice(tables_of(RANDOM), games, keys, *nothing, 1, 0, many) == many
    ways: Counter[bytes] = Counter()  # a step and a jump can lead to one state
    for index in game.legal_indices():
        after = game.copy()
        after.play(index)
        ways[content(after.record)] += 1
    assert len(ways) > 5
    found = Counter(content(record) for record in games)
    check_counter(found, {state: float(count) for state, count in ways.items()})
