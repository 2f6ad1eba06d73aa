"""One seed gives one course of events: the same board, dice and order of cards whatever is played, by whom, how."""

import itertools
from collections import Counter

import pytest

from ettana_env import Game, Rules
from ettana_env.vocabulary import KINDS, VERBS
from tests.playing import EASY_DESIGNS, Chooser, Json, mixture, rules_of

OTHERS = {
    "other players": (Rules(), 2),
    "rim squares": (Rules(rim_squares=True), 3),
    "random placing": (Rules(place_by_choice=False), 3),
    "other numbers": (Rules(prices={"swap": 1}, points_to_win=20, tokens={"total": 99, "start": 7}), 4),
    "switches": (Rules(exchange=False, free_swap=False, mirror_images=True, preset_black=False), 3),
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("seed", [0, 1, 77, 2**63 - 1])
def test_one_seed_gives_one_board_and_order_of_cards(other: str, seed: int) -> None:
    rules, players = OTHERS[other]
    base, state = Game(Rules(), 3, seed).to_dict(), Game(rules, players, seed).to_dict()
    assert state["yarns"] == base["yarns"]
    assert [number for number in state["tiles"] if number is not None] == base["tiles"]
    assert state["reserve_tiles"] == base["reserve_tiles"]
    assert base["action_stack"][: len(state["action_stack"])] == state["action_stack"]
    assert base["design_stack"][: len(state["design_stack"])] == state["design_stack"]
    if rules.place_by_choice:
        assert len(state["action_stack"]) == 36
        assert state["placing_rolls"][0] == base["placing_rolls"][0]


def dice_by_turn(game: Game, choose: Chooser, steps: int) -> dict[tuple[int, int], tuple[int, str | None]]:
    """By turn and roll within it, what the dice showed; no colour where preset fixed it."""
    found: dict[tuple[int, int], tuple[int, str | None]] = {}
    rolls: Counter[int] = Counter()
    for _ in range(steps):
        if game.over:
            break
        index = choose(game)
        kind, turn = VERBS[game.actions.parts[index].verb], int(game.record.turn)
        game.play(index)
        if kind in ("roll", "preset", "roll_again"):
            state: Json = game.to_dict()["dice"]
            found[turn, rolls[turn]] = (state["number"], None if kind == "preset" else state["colour"])
            rolls[turn] += 1
    return found


def test_one_seed_gives_the_same_dice_turn_by_turn() -> None:
    """Whatever is played, under whatever rules, by however many."""
    rolling = Rules(action_cards={"roll_again": 40, "preset": 12}, start_cards={"action": 6}, points_to_win=99)
    shared, again = 0, 0
    for seed in range(5):
        plain = dice_by_turn(Game(rolling, 4, seed), Chooser(seed), 250)
        for number, rules in enumerate([rolling, rules_of("base"), mixture(seed), rolling.but(rim_squares=True)]):
            other = dice_by_turn(Game(rules, 2 + number % 3, seed), Chooser(1000 + number), 250)
            for when in set(plain) & set(other):
                assert plain[when][0] == other[when][0]
                if plain[when][1] is not None and other[when][1] is not None:
                    assert plain[when][1] == other[when][1]
                shared += 1
                again += when[1] > 0
    assert shared > 300
    assert again > 5


def test_an_action_card_more_leaves_the_order_of_the_others() -> None:
    for seed, kind in itertools.product(range(6), KINDS):
        base = Game(Rules(), 2, seed).to_dict()["action_stack"]
        more = Game(Rules(action_cards={kind: 4}), 2, seed).to_dict()["action_stack"]
        places = [place for place, card in enumerate(more) if card == kind]
        assert any(more[:place] + more[place + 1 :] == base for place in places)


def test_a_design_more_or_less_leaves_the_order_of_the_others() -> None:
    deck = [design.to_dict() for design in Rules().designs]
    names = [design["name"] for design in deck]
    for seed in range(6):
        base = Game(Rules(), 2, seed).to_dict()["design_stack"]
        assert sorted(base) == sorted(names)
        for gone in (0, 17, 35):
            fewer = Game(Rules(designs=deck[:gone] + deck[gone + 1 :]), 2, seed).to_dict()["design_stack"]
            assert fewer == [name for name in base if name != names[gone]]
        more = Game(Rules(designs=[*EASY_DESIGNS, *deck]), 2, seed).to_dict()["design_stack"]
        assert [name for name in more if name in names] == base
        assert Game(Rules(designs=deck[::-1]), 2, seed).to_dict()["design_stack"] == base
