"""Random play for tests: rules of every kind, and a chooser under which games go on and end."""

import functools
import random
from typing import Any

import numpy as np

from ettana_env import Game, Rules
from ettana_env.engine.distance import distance
from ettana_env.tables import tables_of
from ettana_env.vocabulary import KINDS, VERBS

Json = dict[str, Any]

EASY_DESIGNS: list[Json] = [
    {"name": "pair", "points": 1, "pattern": ["aa"]},
    {"name": "duo", "points": 1, "pattern": ["ab", "ba"]},
    {"name": "corner", "points": 2, "pattern": ["aa", ".a"]},
    {"name": "hook", "points": 1, "pattern": ["ab", ".a", ".b"]},
    {"name": "rainbow", "points": 3, "pattern": ["abcde"]},
    {"name": "far", "points": 1, "pattern": ["a...a", ".....", "..b..", ".....", "a...a"]},
    {"name": "skew", "points": 2, "pattern": ["aa.", ".bb"]},
    {"name": "four", "points": 2, "pattern": ["abc", "..d"]},
    {"name": "single", "points": 1, "pattern": ["...", ".z."]},
    {"name": "bar", "points": 2, "pattern": ["qqq"]},
    {"name": "stairs", "points": 1, "pattern": ["a..", "b.a", "..b"]},
    {"name": "six", "points": 5, "pattern": ["aaa", "aaa"]},
]
"""A deck of easy designs, so that claims are frequent; the last one needs a replaced yarn."""


def cards(each: int, **others: int) -> dict[str, int]:
    """So many action cards of each kind, but for those named."""
    return {**dict.fromkeys(KINDS, each), **others}


VARIANTS: dict[str, Json] = {
    "base": {},
    "rim squares": {"rim_squares": True, "designs": EASY_DESIGNS},
    "mirror images": {"mirror_images": True, "start_cards": {"design": 6}},
    "no preset to black": {"preset_black": False, "action_cards": {"preset": 9}, "designs": EASY_DESIGNS},
    "no collecting after roll again": {
        "roll_again_collects": False,
        "action_cards": {"roll_again": 12},
        "designs": EASY_DESIGNS,
    },
    "random placing": {"place_by_choice": False, "designs": EASY_DESIGNS},
    "no free swap": {"free_swap": False, "designs": EASY_DESIGNS},
    "no exchange": {"exchange": False, "designs": EASY_DESIGNS},
    "all switched": {
        "rim_squares": True,
        "mirror_images": True,
        "preset_black": False,
        "roll_again_collects": False,
        "place_by_choice": False,
        "free_swap": False,
        "exchange": False,
        "designs": EASY_DESIGNS,
    },
    "free of charge": {"prices": {"action": 0, "swap": 0, "design": 0}, "designs": EASY_DESIGNS},
    "cheap": {"prices": {"action": 1, "swap": 1, "design": 1}, "points_to_win": 12, "designs": EASY_DESIGNS},
    "expensive": {
        "prices": {"action": 7, "swap": 9, "design": 8},
        "tokens": {"total": 60, "start": 10},
        "designs": EASY_DESIGNS,
    },
    "poor": {"tokens": {"total": 9, "start": 2}, "designs": EASY_DESIGNS},
    "rich thieves": {
        "tokens": {"total": 999, "start": 200},
        "steal_tokens_max": 150,
        "collect_three_gives": 300,
        "designs": EASY_DESIGNS,
    },
    "cards that give nothing": {"steal_tokens_max": 0, "collect_three_gives": 0, "designs": EASY_DESIGNS},
    "no tokens": {"tokens": {"total": 0, "start": 0}, "start_cards": {"action": 4}, "designs": EASY_DESIGNS},
    "many start cards": {"start_cards": {"design": 9, "action": 9}},
    "one card of each kind": {
        "action_cards": cards(1, victory_point=0),
        "designs": EASY_DESIGNS[:4],
        "prices": {"action": 0},
        "points_to_win": 99,
        "max_turns": 60,
    },
    "few cards": {
        "action_cards": cards(0, swap=1, steal_card=2, victory_point=1, roll_again=1, tax=1),
        "prices": {"action": 1},
        "designs": EASY_DESIGNS,
    },
    "no cards at all": {
        "action_cards": cards(0),
        "start_cards": {"action": 0},
        "designs": EASY_DESIGNS,
        "points_to_win": 6,
    },
    "many cards": {"action_cards": cards(10), "start_cards": {"action": 8}, "designs": EASY_DESIGNS},
    "many victory points": {
        "action_cards": cards(1, victory_point=20),
        "start_cards": {"action": 2},
        "points_to_win": 3,
        "designs": EASY_DESIGNS,
    },
    "won at the deal": {
        "action_cards": cards(1, victory_point=40),
        "start_cards": {"action": 5},
        "points_to_win": 3,
        "place_by_choice": False,
    },
    "one design": {"designs": EASY_DESIGNS[4:5], "start_cards": {"design": 0}, "points_to_win": 4},
    "one point wins": {"points_to_win": 1},
    "few turns": {"max_turns": 7, "designs": EASY_DESIGNS},
    "few actions": {"max_actions": 25, "designs": EASY_DESIGNS},
    "one action": {"max_actions": 1},
    "no limits": {"max_turns": None, "max_actions": None, "points_to_win": 4},
}
"""Settings that differ from the base game, by a name for them."""


SWITCHES = (
    "rim_squares",
    "mirror_images",
    "preset_black",
    "roll_again_collects",
    "place_by_choice",
    "free_swap",
    "exchange",
)


@functools.cache
def rules_of(variant: str) -> Rules:
    """The rules of one of VARIANTS."""
    return Rules(name=variant, **VARIANTS[variant])


@functools.cache
def mixture(seed: int) -> Rules:
    """Rules with every setting drawn at random; four can be dealt in."""
    draw = random.Random(seed)
    action_cards = {kind: draw.choice([0, 1, 1, 2, 3, 5]) for kind in KINDS}
    action_cards["move"] += 1
    deck = [*Rules().designs[:24], *Rules(designs=EASY_DESIGNS).designs]
    designs = draw.sample([design.to_dict() for design in deck], draw.choice([1, 2, 5, 12, 24, 36]))
    total = draw.choice([0, 5, 12, 48, 200])
    return Rules(
        name=f"mixture {seed}",
        points_to_win=draw.choice([1, 2, 4, 8, 20]),
        tokens={"total": total, "start": draw.randint(0, min(total // 4, 9))},
        start_cards={
            "design": draw.randint(0, min(len(designs) // 4, 4)),
            "action": draw.randint(0, min(sum(action_cards.values()) // 4, 5)),
        },
        prices={key: draw.choice([0, 1, 2, 3, 5]) for key in ("action", "swap", "design")},
        steal_tokens_max=draw.choice([0, 1, 2, 5]),
        collect_three_gives=draw.choice([0, 1, 3, 10]),
        action_cards=action_cards,
        designs=designs,
        max_turns=draw.choice([None, 3, 30, 1000]),
        max_actions=draw.choice([None, 40, 400, 20_000]),
        **{flag: draw.random() < 0.5 for flag in SWITCHES},
    )


# How much a kind of action is wanted by a chooser, 2 unless named.
WANTED = {
    "claim": 60.0,
    "end_turn": 3.0,
    "exchange": 2.5,
    "buy_design": 3.0,
    "roll_again": 6.0,
    "preset": 5.0,
    "replace_yarn": 5.0,
}
SWAPS = ("free_swap", "buy_swap", "swap_card")


class Chooser:
    """Chooses legal actions at random, from a seed: first the kind, then one of that kind.

    It claims what it can and leans towards swaps that bring a design of the hand nearer, so that games are
    won in a few hundred actions and every kind of action is played.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, game: Game) -> int:
        """The index of a legal action; the game must not be over."""
        parts = game.actions.parts
        by_kind: dict[str, list[int]] = {}
        for index in game.legal_indices():
            by_kind.setdefault(VERBS[parts[index].verb], []).append(index)
        kinds = list(by_kind)
        kind = self._random.choices(kinds, [WANTED.get(kind, 2.0) for kind in kinds])[0]
        if kind in SWAPS:
            tried = self._random.sample(by_kind[kind], min(10, len(by_kind[kind])))
            return min(tried, key=lambda index: nearest(game, index))
        return self._random.choice(by_kind[kind])


def nearest(game: Game, swap: int) -> int:
    """How many swaps away from a design of the player's hand the board is after this one."""
    hand = int(game.record.design_hands[game.player])
    after = game.copy()
    after.play(swap)
    tables = tables_of(game.rules)
    held = [design for design in range(len(game.rules.designs)) if hand >> design & 1]
    return min((distance(tables[0], after.record, design) for design in held), default=0)


def played(rules: Rules, players: int, seed: int, steps: int, chooser_seed: int) -> Game:
    """A game after so many steps, or at its end."""
    game = Game(rules, players, seed)
    choose = Chooser(chooser_seed)
    for _ in range(steps):
        if game.over:
            break
        game.play(choose(game))
    return game


def content(games: Any) -> bytes:
    """All fields of a game record, or of an array of them; the gaps between the fields hold anything."""
    return b"".join(np.asarray(games[name]).tobytes() for name in games.dtype.names)
