"""Section 1: what is in the box."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from ettana_env import Game, Rules, RulesError
from ettana_env.board import board
from tests.positions import (
    BASE,
    CARDS,
    COLOURS,
    DIE_COLOURS,
    RIM,
    Json,
    at,
    do,
    fated,
    inner,
    kinds,
    offered,
    position,
    squares,
)

SEEDS = range(20)


def touched(square: int) -> set[int]:
    """The octagons round a square, as R1.2 says."""
    row, column = divmod(square, 4)
    return {5 * (row + down) + column + right for down in (0, 1) for right in (0, 1)}


def test_25_octagons_hold_one_yarn_each() -> None:
    """R1.1"""
    for seed in SEEDS:
        yarns = Game(seed=seed).to_dict()["yarns"]
        assert len(yarns) == 25
        assert set(yarns) == set(COLOURS)


def test_octagons_are_numbered_row_by_row() -> None:
    """R1.1 A player on square (2, 1) swaps octagons (2, 1) and (3, 2): 5r + c makes them 11 and 17."""
    game = at(pins=[9, 15], free_swap=True)
    before = game.to_dict()["yarns"]
    after = do(game, "free_swap", a=5 * 2 + 1, b=5 * 3 + 2)["yarns"]
    assert (after[11], after[17]) == (before[17], before[11])


def test_16_squares_each_with_a_tile() -> None:
    """R1.2"""
    tiles = Game(seed=1).to_dict()["tiles"]
    assert len(tiles) == 16
    assert None not in tiles


@pytest.mark.parametrize("square", range(16))
def test_a_square_touches_four_octagons(square: int) -> None:
    """R1.2 The free swap is among the four octagons round the pin, and only those."""
    game = at(pins=[square, (square + 1) % 16], free_swap=True)
    pairs = offered(game, "free_swap")
    assert {octagon for pair in pairs for octagon in (pair["a"], pair["b"])} == touched(square)
    assert len(pairs) == 6
    assert set(board(False).touches[square]) == touched(square)


@pytest.mark.parametrize("square", range(16))
def test_squares_are_adjacent_in_a_row_or_a_column(square: int) -> None:
    """R1.2 With a roll of 1 a step goes to each neighbour and never diagonally."""
    row, column = divmod(square, 4)
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    expected = sorted(4 * r + c for r, c in around if 0 <= r < 4 and 0 <= c < 4)
    far = next(other for other in range(16) if other not in (*expected, square))
    game = at(number=1, pins=[square, far])
    assert squares(game, "step") == expected


def test_30_yarns_six_of_each_colour() -> None:
    """R1.3"""
    for seed in SEEDS:
        state = Game(seed=seed).to_dict()
        assert Counter(state["yarns"] + state["reserve_yarns"]) == dict.fromkeys(COLOURS, 6)


def test_18_tiles_three_of_each_number() -> None:
    """R1.4"""
    for seed in SEEDS:
        state = Game(seed=seed).to_dict()
        assert Counter(state["tiles"] + state["reserve_tiles"]) == dict.fromkeys(range(1, 7), 3)


def test_48_tokens_what_nobody_holds_is_the_banks() -> None:
    """R1.5 After a deal to four players the bank has 48 - 4 × 2."""
    game = Game(players=4, seed=3)
    while game.phase == "place":
        game.play(game.legal_indices()[0])
    state = game.to_dict()
    assert state["tokens"] == [2, 2, 2, 2]
    assert state["bank"] == 40


def random_game(rules: Rules, players: int, seed: int, length: int) -> Iterator[Json]:
    """The states of a game of random actions."""
    game, random = Game(rules, players, seed), Random(seed)
    for _ in range(length):
        yield game.to_dict()
        if game.over:
            return
        # A kind first, then one of it: otherwise nearly everything would be swaps.
        kind = random.choice(sorted(kinds(game)))
        do(game, kind, **random.choice(offered(game, kind)))


@pytest.mark.parametrize("rules", [BASE, RIM], ids=["base", "rim"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_ever_lost_or_doubled(rules: Rules, players: int) -> None:
    """R1.1 R1.3 R1.4 R1.5 R1.7 R1.8 R1.9 The parts of the game stay what they are, whatever is played."""
    names = sorted(design.name for design in rules.designs)
    for state in random_game(rules, players, seed=players, length=400):
        assert Counter(state["yarns"] + state["reserve_yarns"]) == dict.fromkeys(COLOURS, 6)
        assert len(state["yarns"]) == 25
        tiles = [tile for tile in state["tiles"] + state["reserve_tiles"] if tile]
        assert Counter(tiles) == dict.fromkeys(range(1, 7), 3)
        assert state["bank"] + sum(state["tokens"]) == 48
        assert min(state["bank"], *state["tokens"]) >= 0
        hands = [kind for hand in state["action_hands"] for kind in hand]
        assert "victory_point" not in hands + state["action_discard"]
        cards = Counter(hands + state["action_stack"] + state["action_discard"])
        cards["victory_point"] += sum(state["victory_cards"])
        assert cards == dict.fromkeys(CARDS, 3)
        in_hands = [name for key in ("design_hands", "claimed") for hand in state[key] for name in hand]
        assert sorted(in_hands + state["design_stack"]) == names
        placed = [pin for pin in state["pins"] if pin is not None]
        assert len(set(placed)) == len(placed)


def test_the_dice_have_six_faces_each() -> None:
    """R1.6 Each of the 36 outcomes comes up about as often: 50 times in 1800 rolls, give or take."""
    state = position(phase="roll")
    rolls: Counter[tuple[int, str]] = Counter()
    for seed in range(1800):
        dice = do(Game.from_dict(state, BASE, seed), "roll")["dice"]
        rolls[dice["number"], dice["colour"]] += 1
    assert set(rolls) == {(number, colour) for number in range(1, 7) for colour in DIE_COLOURS}
    assert all(20 <= times <= 80 for times in rolls.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_one_pin(players: int) -> None:
    """R1.7"""
    game = Game(players=players, seed=5)
    assert game.to_dict()["pins"] == [None] * players
    while game.phase == "place":
        game.play(game.legal_indices()[0])
    assert len(set(game.to_dict()["pins"])) == players


@pytest.mark.parametrize("players", [0, 1, 5, -2])
def test_only_two_to_four_play(players: int) -> None:
    """R1.7"""
    with pytest.raises(RulesError, match="players must be 2 to 4"):
        Game(players=players)


def test_hands_have_no_size_limit() -> None:
    """R1.7 A player with 31 action cards and 35 designs buys one more of each."""
    hand = [kind for kind in CARDS if kind != "victory_point" for _ in range(3)][:-1]
    designs = [design.name for design in BASE.designs]
    game = at(action_hands=[hand], top_cards=["tax"], design_hands=[designs[1:]])
    assert {"buy_action", "buy_design"} <= kinds(game)
    assert len(do(game, "buy_action")["action_hands"][0]) == 33
    assert do(game, "buy_design")["design_hands"][0] == designs


def test_36_action_cards_three_of_each_kind() -> None:
    """R1.8"""
    for seed in SEEDS:
        stack = Game(seed=seed).to_dict()["action_stack"]
        assert Counter(stack) == dict.fromkeys(CARDS, 3)


def test_36_design_cards_all_different() -> None:
    """R1.9"""
    assert len(BASE.designs) == 36
    assert len({design.name for design in BASE.designs}) == 36
    assert len({design.pattern for design in BASE.designs}) == 36
    assert all(design.points >= 1 for design in BASE.designs)
    stack = Game(seed=2).to_dict()["design_stack"]
    assert sorted(stack) == sorted(design.name for design in BASE.designs)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_what_a_seat_pays_goes_to_another_place_on_the_table(seat: int) -> None:
    """R1.5 A theft and a purchase both keep the 48."""
    game = fated(at(4, action_hands=[["steal_tokens"]], tokens=[2, 4, 4, 4]))
    do(game, "steal_tokens", seat=seat)
    state = do(game, "buy_action")
    assert state["bank"] + sum(state["tokens"]) == 48
    assert state["tokens"][0] == 2


def test_the_inner_squares_of_the_larger_board() -> None:
    """R1.2 Square (r, c) of the small board is square (r + 1, c + 1) of the 6 × 6 grid."""
    assert [inner(square) for square in range(16)] == list(board(True).tiled)
