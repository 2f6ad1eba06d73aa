"""Section 9: the settings that are readings of the rules, each on and off."""

from itertools import combinations

import pytest

from ettana_env import Game, IllegalAction, Rules
from ettana_env.board import board
from tests.positions import (
    BASE,
    DIE_COLOURS,
    RIM,
    Json,
    at,
    do,
    fated,
    flags,
    gains,
    inner,
    kinds,
    loom,
    offered,
    placing,
    squares,
)

INNER = [inner(square) for square in range(16)]
EDGE = [square for square in range(36) if square not in INNER]
CORNERS = [0, 5, 30, 35]
# Square 0 of the small board touches three green yarns, square 15 two.
GREENS = loom("ggybp", "grpyr", "pyrby", "rybgb", "bppbg")

SWITCHES = {
    "rim_squares": False,
    "mirror_images": False,
    "preset_black": True,
    "roll_again_collects": True,
    "place_by_choice": True,
    "free_swap": True,
    "exchange": True,
}


@pytest.mark.parametrize(("switch", "default"), SWITCHES.items())
def test_defaults(switch: str, default: bool) -> None:
    """R1.2 R6.2 R3.1 R5.10 R2.4 R4.3 R4.7 The base game is the reading named first; the other can be had."""
    assert getattr(Rules(), switch) is default
    assert getattr(BASE.but(**{switch: not default}), switch) is not default


# --- Rim squares (R1.2) ---


def touched(square: int) -> set[int]:
    """The octagons a square of the 6 × 6 grid touches: those of its four corners that are on the board."""
    row, column = divmod(square, 6)
    around = [(row - down, column - right) for down in (0, 1) for right in (0, 1)]
    return {5 * r + c for r, c in around if 0 <= r < 5 and 0 <= c < 5}


def test_36_squares_20_of_them_on_the_rim_without_a_tile() -> None:
    """R1.2 R2.2 rim squares on"""
    for seed in range(10):
        tiles = Game(RIM, players=2, seed=seed).to_dict()["tiles"]
        assert len(tiles) == 36
        assert [square for square, tile in enumerate(tiles) if tile is None] == EDGE
        assert len(EDGE) == 20


def test_16_squares_without_the_rim() -> None:
    """R1.2 rim squares off"""
    assert len(Game(players=2, seed=1).to_dict()["tiles"]) == 16


@pytest.mark.parametrize("square", range(36))
def test_what_a_square_touches(square: int) -> None:
    """R1.2 R4.3 rim squares on: four octagons inside, two on the rim, one in a corner."""
    assert len(touched(square)) == (1 if square in CORNERS else 2 if square in EDGE else 4)
    assert {octagon for octagon in board(True).touches[square] if octagon is not None} == touched(square)
    game = at(rules=RIM, pins=[square, (square + 1) % 36], free_swap=True)
    swaps = [(pair["a"], pair["b"]) for pair in offered(game, "free_swap")]
    assert swaps == list(combinations(sorted(touched(square)), 2))


def test_in_a_corner_the_free_swap_is_open_but_there_is_none() -> None:
    """R4.3 rim squares on"""
    game = at(rules=RIM, action_hands=[["move"]])
    state = do(game, "move_card", square=35)
    assert state["free_swap"]
    assert "free_swap" not in kinds(game)


@pytest.mark.parametrize(("square", "expected"), [(0, 1), (1, 2), (6, 2), (2, 1), (12, 1), (5, 0), (7, 3)])
def test_collecting_on_the_rim(square: int, expected: int) -> None:
    """R3.2 rim squares on"""
    game = fated(at(rules=RIM, phase="roll", yarns=GREENS, pins=[square, 33]), colour="green")
    before = game.to_dict()
    assert gains(before, do(game, "roll"))[0] == expected


def test_stepping_on_and_along_the_rim() -> None:
    """R4.1a rim squares on"""
    assert squares(at(rules=RIM, pins=[0, 35], number=1), "step") == [1, 6]
    assert squares(at(rules=RIM, pins=[0, 35], number=2), "step") == [2, 7, 12]
    assert do(at(rules=RIM, number=1), "step", square=1, pay=[])["pins"][0] == 1


def test_jumps_go_to_tiles_only() -> None:
    """R4.1b rim squares on"""
    for number in range(1, 7):
        game = at(rules=RIM, number=number)
        tiles = game.to_dict()["tiles"]
        assert squares(game, "jump") == [
            square for square in INNER if tiles[square] == number and square not in game.to_dict()["pins"]
        ]


def test_a_move_card_goes_to_the_rim_too() -> None:
    """R4.1c rim squares on"""
    game = at(rules=RIM, action_hands=[["move"]])
    assert len(squares(game, "move_card")) == 34
    assert do(game, "move_card", square=35)["pins"][0] == 35


def test_pins_are_placed_on_tiles_only() -> None:
    """R2.4 rim squares on"""
    game = Game.from_dict(placing(2, RIM, roll=5), RIM)
    assert squares(game, "place") == [inner(4), inner(10)]
    with pytest.raises(IllegalAction, match="no tile"):
        game.play({"kind": "place", "square": 0})


def test_only_tiles_are_replaced() -> None:
    """R5.5 rim squares on"""
    game = at(rules=RIM, action_hands=[["replace"]])
    pins = game.to_dict()["pins"]
    assert squares(game, "replace_tile") == [square for square in INNER if square not in pins]


def test_an_opponent_on_the_rim_takes_toll() -> None:
    """R4.2 rim squares on"""
    game = at(rules=RIM, pins=[0, 1], number=2)
    assert do(game, "step", square=2, pay=[1])["tokens"] == [4, 6]


# --- Mirror images (R6.2) ---


@pytest.mark.parametrize("mirror_images", [False, True])
def test_mirror_images(mirror_images: bool) -> None:
    """R6.2 The board has the pinwheel's mirror image and not the pinwheel."""
    rules = BASE.but(mirror_images=mirror_images)
    as_is = loom("grpyb", "prybp", "brgyp", "ypbpg", "rybgy")
    other_way = [colour for row in range(5) for colour in reversed(as_is[5 * row : 5 * row + 5])]
    assert "claim" in kinds(at(rules=rules, yarns=as_is, design_hands=[["pinwheel"]]))
    assert ("claim" in kinds(at(rules=rules, yarns=other_way, design_hands=[["pinwheel"]]))) == mirror_images


# --- Preset to black (R3.1) ---


def test_preset_to_black_allowed() -> None:
    """R3.1 preset to black allowed"""
    game = at(phase="roll", action_hands=[["preset"]])
    assert [action["colour"] for action in offered(game, "preset")] == list(DIE_COLOURS)


def test_preset_to_black_not_allowed() -> None:
    """R3.1 preset to black not allowed: the five colours only, and the die itself still shows black."""
    rules = BASE.but(preset_black=False)
    game = at(rules=rules, phase="roll", action_hands=[["preset"]])
    assert [action["colour"] for action in offered(game, "preset")] == list(DIE_COLOURS[:5])
    with pytest.raises(IllegalAction, match="black"):
        game.play({"kind": "preset", "colour": "black"})
    assert do(fated(game, colour="black"), "roll")["dice"]["colour"] == "black"


# --- Collecting after roll again (R5.10) ---


@pytest.mark.parametrize("collects", [True, False])
def test_collecting_after_roll_again(collects: bool) -> None:
    """R5.10 A colour gives tokens, or not."""
    rules = BASE.but(roll_again_collects=collects)
    game = fated(at(rules=rules, yarns=GREENS, action_hands=[["roll_again"]]), number=4, colour="green")
    before = game.to_dict()
    state = do(game, "roll_again")
    assert gains(before, state) == ([3, 2] if collects else [0, 0])
    assert state["dice"] == {"number": 4, "colour": "green"}


@pytest.mark.parametrize("collects", [True, False])
def test_drawing_after_roll_again(collects: bool) -> None:
    """R5.10 R3.3 Black draws a card, or not."""
    rules = BASE.but(roll_again_collects=collects)
    game = fated(at(rules=rules, action_hands=[["roll_again"]], top_cards=["tax"]), colour="black")
    assert do(game, "roll_again")["action_hands"][0] == (["tax"] if collects else [])


def test_the_first_roll_collects_in_any_case() -> None:
    """R3.2 R5.10 collecting after roll again off"""
    rules = BASE.but(roll_again_collects=False)
    game = fated(at(rules=rules, phase="roll", yarns=GREENS), colour="green")
    before = game.to_dict()
    assert gains(before, do(game, "roll")) == [3, 2]


# --- Placing a pin (R2.4) ---


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pins_placed_at_random(players: int) -> None:
    """R2.4 R2.5 R2.6 The game starts with the first roll, placed and dealt; the highest roll starts."""
    rules = BASE.but(place_by_choice=False)
    for seed in range(60):
        game = Game(rules, players, seed)
        state = game.to_dict()
        assert (state["phase"], state["turn"], state["actions"]) == ("roll", 0, 0)
        assert "roll" in kinds(game)
        assert len(set(state["pins"])) == players
        assert [state["tiles"][pin] for pin in state["pins"]] == state["placing_rolls"]
        assert state["placing_rolls"][state["player"]] == max(state["placing_rolls"])
        assert state["tokens"] == [2] * players
        assert [len(hand) for hand in state["design_hands"]] == [1] * players
        cards = [len(state["action_hands"][seat]) + state["victory_cards"][seat] for seat in range(players)]
        assert cards == [1] * players
        assert state["dice"] == {"number": None, "colour": None}
        assert flags(state) == (False, False, False, False)


def test_every_free_square_of_the_number_can_come_up() -> None:
    """R2.4 placing at random: the pin is not always on the first one."""
    places = set()
    for seed in range(200):
        state = Game(BASE.but(place_by_choice=False), 2, seed).to_dict()
        roll, pin = state["placing_rolls"][0], state["pins"][0]
        places.add([square for square, tile in enumerate(state["tiles"]) if tile == roll].index(pin))
    assert places == {0, 1, 2}


def test_pins_placed_by_choice() -> None:
    """R2.4"""
    assert Game(players=2, seed=1).phase == "place"


# --- Free swap (R4.3) and exchange (R4.7) ---


@pytest.mark.parametrize("allowed", [True, False])
@pytest.mark.parametrize("move", ["step", "jump", "move_card"])
def test_the_free_swap_on_and_off(allowed: bool, move: str) -> None:
    """R4.3 Off: the flag stays false, too."""
    rules = BASE.but(free_swap=allowed)
    game = at(rules=rules, action_hands=[["move"]])
    arguments: dict[str, Json] = {
        "step": {"square": 5, "pay": []},
        "jump": {"square": 7},
        "move_card": {"square": 9},
    }
    state = do(game, move, **arguments[move])
    assert flags(state) == (True, True, allowed, False)
    assert ("free_swap" in kinds(game)) == allowed


@pytest.mark.parametrize("allowed", [True, False])
def test_the_exchange_on_and_off(allowed: bool) -> None:
    """R4.7"""
    game = at(rules=BASE.but(exchange=allowed), design_hands=[["seed"]])
    assert ("exchange" in kinds(game)) == allowed


@pytest.mark.parametrize(
    ("switch", "action"),
    [
        ("free_swap", {"kind": "free_swap", "a": 0, "b": 1}),
        ("exchange", {"kind": "exchange", "design": "seed"}),
    ],
)
def test_what_is_off_is_refused_in_words(switch: str, action: Json) -> None:
    """R4.3 R4.7"""
    game = at(rules=BASE.but(**{switch: False}), design_hands=[["seed"]])
    with pytest.raises(IllegalAction, match="without the"):
        game.play(action)
