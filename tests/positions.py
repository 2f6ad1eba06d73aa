"""Hand-made positions: say what matters, the rest is filled in so that nothing is lost or doubled.

The usual board (squares are numbered row by row, and so are octagons):

    yarns            tiles
    g r y b p        1 2 3 4
    y b p g r        5 6 1 2
    p g r y b        3 4 5 6
    r y b p g        1 2 3 4
    b p g r y

No two neighbouring octagons are alike, not even diagonally; 5 and 6 are the tiles in reserve, one yarn of
each colour too. The pins of seats 0 to 3 stand on squares 0, 15, 3 and 12. Seat 0 has rolled and is to act.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ettana_env import Game, Rules
from ettana_env.vocabulary import VERBS

Json = dict[str, Any]

COLOURS = ("green", "red", "yellow", "blue", "purple")
DIE_COLOURS = (*COLOURS, "black")
CARDS = (
    "move",
    "swap",
    "steal_card",
    "steal_tokens",
    "replace",
    "preset",
    "get_design",
    "collect_three",
    "gain_tokens",
    "roll_again",
    "victory_point",
    "tax",
)
LOOM = ("grybp", "ybpgr", "pgryb", "rybpg", "bpgry")
TILES = (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4)
PINS = (0, 15, 3, 12)
FLAGS = ("acted", "moved", "free_swap", "preset")

BASE = Rules()
RIM = BASE.but(rim_squares=True)


def loom(*rows: str) -> list[str]:
    """The 25 yarns of five rows of initials."""
    names = {name[0]: name for name in COLOURS}
    return [names[initial] for row in rows for initial in row]


SELVEDGE = loom("grybp", "gbyrr", "gpybb", "rybpg", "ppgry")
"""A board that completes the design selvedge (columns 0 and 2), with one yarn of each colour in reserve."""


def inner(square: int) -> int:
    """The number a square of the small board has on the board with rim squares."""
    return 6 * (square // 4 + 1) + square % 4 + 1


def tiles_on(rules: Rules, tiles: Sequence[int]) -> list[int | None]:
    """16 tiles as the board of `rules` has them."""
    if not rules.rim_squares:
        return list(tiles)
    on_rim: list[int | None] = [None] * 36
    for square, number in enumerate(tiles):
        on_rim[inner(square)] = number
    return on_rim


def left_over(everything: Iterable[Any], *used: Iterable[Any]) -> list[Any]:
    """What of `everything` is not in use, in its order; an error if more is in use than there is."""
    spare = Counter(thing for things in used for thing in things)
    rest = []
    for thing in everything:
        if spare[thing]:
            spare[thing] -= 1
        else:
            rest.append(thing)
    missing = +spare
    if missing:
        raise ValueError(f"the position uses more than there is of {dict(missing)}")
    return rest


def in_order(things: Iterable[str], order: Sequence[str]) -> list[str]:
    """`things` in the order of `order`."""
    return sorted(things, key=order.index)


def by_seat(players: int, given: Sequence[Any]) -> list[Any]:
    """The hands given, and empty ones for the seats that are left out."""
    return [list(hand) for hand in given] + [[] for _ in range(players - len(given))]


def position(players: int = 2, rules: Rules = BASE, **changes: Any) -> Json:
    """A valid state of the act phase with some things changed; everything else follows from them.

    Beside the keys of a state there are `number` and `colour` for the dice, and `top_cards` and
    `top_designs`: what lies on top of the stacks, the next to be drawn last. A list by seat may be too short;
    the other seats then have nothing. Cards that are named nowhere are in the stack; if the stack is given
    they are in the discard; if that is given too, in the last seat's hand. Victory-point cards that are then
    left over lie before the last seat. Designs go to the stack, or to the last seat's hand if that is given.
    """
    given = dict(changes)
    tiles = given.pop("tiles", TILES)
    tiles = list(tiles) if len(tiles) == 36 else tiles_on(rules, tiles)
    yarns = given.pop("yarns", loom(*LOOM))
    usual_pins = [inner(pin) for pin in PINS] if rules.rim_squares else list(PINS)
    tokens = given.pop("tokens", [5] * players)
    phase = given.pop("phase", "act")
    rolled = phase == "act"
    number, colour = (
        given.pop("number", 2 if rolled else None),
        given.pop("colour", "black" if rolled else None),
    )
    free_swap = given.pop("free_swap", False)
    moved = given.pop("moved", free_swap)
    state: Json = {
        "players": players,
        "yarns": list(yarns),
        "tiles": tiles,
        "reserve_yarns": left_over([colour for colour in COLOURS for _ in range(6)], yarns),
        "reserve_tiles": left_over(sorted([*range(1, 7)] * 3), [tile for tile in tiles if tile]),
        "pins": usual_pins[:players],
        "tokens": list(tokens),
        "bank": rules.tokens.total - sum(tokens),
        **_cards(players, rules, given),
        **_designs(players, rules, given),
        "phase": phase,
        "player": 0,
        "dice": {"number": number, "colour": colour},
        "placing_rolls": [6, 5, 4, 3][:players],
        "moved": moved,
        "free_swap": free_swap,
        "acted": moved,
        "preset": False,
        "turn": 3,
        "actions": 20,
        "winner": None,
        "truncated": False,
    }
    worth = {design.name: design.points for design in rules.designs}
    state["points"] = [
        state["victory_cards"][seat] + sum(worth[name] for name in state["claimed"][seat]) for seat in range(players)
    ]
    unknown = set(given) - set(state)
    if unknown:
        raise ValueError(f"a position has no {sorted(unknown)}")
    return {**state, **given}


def _cards(players: int, rules: Rules, given: Json) -> Json:
    """The action cards, taken out of `given`."""
    deck = [kind for kind in CARDS for _ in range(getattr(rules.action_cards, kind))]
    hands = [in_order(hand, CARDS) for hand in by_seat(players, given.pop("action_hands", []))]
    revealed = (list(given.pop("victory_cards", [])) + [0] * players)[:players]
    top = list(given.pop("top_cards", []))
    stack = given.pop("action_stack", None)
    discard = given.pop("action_discard", None)
    spare = left_over(
        deck,
        *hands,
        ["victory_point"] * sum(revealed),
        top,
        stack or [],
        discard if discard is not None else [],
    )
    if stack is None:
        stack = spare + top
    else:
        revealed[-1] += spare.count("victory_point")
        spare = [kind for kind in spare if kind != "victory_point"]
        if discard is None:
            discard = spare
        else:
            hands[-1] = in_order(hands[-1] + spare, CARDS)
    return {
        "victory_cards": revealed,
        "action_hands": hands,
        "action_stack": list(stack),
        "action_discard": in_order(discard or [], CARDS),
    }


def _designs(players: int, rules: Rules, given: Json) -> Json:
    """The design cards, taken out of `given`."""
    deck = [design.name for design in rules.designs]
    hands = [in_order(hand, deck) for hand in by_seat(players, given.pop("design_hands", []))]
    claimed = [in_order(cards, deck) for cards in by_seat(players, given.pop("claimed", []))]
    top = list(given.pop("top_designs", []))
    stack = given.pop("design_stack", None)
    spare = left_over(deck, *hands, *claimed, top, stack or [])
    if stack is None:
        stack = spare + top
    else:
        hands[-1] = in_order(hands[-1] + spare, deck)
    return {"design_hands": hands, "claimed": claimed, "design_stack": list(stack)}


def placing(players: int = 2, rules: Rules = BASE, pins: Sequence[int] = (), roll: int = 1, **changes: Any) -> Json:
    """A state in which the seats before have placed on `pins` and the next one has rolled `roll`."""
    seat = len(pins)
    unplaced = [None] * (players - seat)
    state = position(players, rules, tokens=[0] * players, phase="roll", **changes)
    shown = [state["tiles"][pin] for pin in pins]
    return state | {
        "pins": [*pins, *unplaced],
        "placing_rolls": [*shown, roll, *unplaced[1:]],
        "phase": "place",
        "player": seat,
        "dice": {"number": roll, "colour": None},
        "turn": 0,
        "actions": seat,
    }


def at(players: int = 2, rules: Rules = BASE, seed: int = 1, **changes: Any) -> Game:
    """The game at a position, to be played on."""
    return Game.from_dict(position(players, rules, **changes), rules, seed)


def fated(game: Game, **fate: Any) -> Game:
    """The game with its chance fixed, told in words: `number`, `colour`, `gain`, `stolen`, `starter`, `reshuffled`."""
    words = {
        "number": 1,
        "colour": "black",
        "gain": 1,
        "stolen": CARDS[0],
        "starter": 0,
        "reshuffled": [],
        **fate,
    }
    codes = {
        **words,
        "colour": DIE_COLOURS.index(words["colour"]),
        "stolen": CARDS.index(words["stolen"]),
        "reshuffled": [CARDS.index(kind) for kind in words["reshuffled"]],
    }
    return game.with_fate(codes)


def do(game: Game, kind: str, **arguments: Any) -> Json:
    """Play an action; the state after it."""
    game.play({"kind": kind, **arguments})
    return game.to_dict()


def kinds(game: Game) -> set[str]:
    """The kinds of action that are legal now."""
    parts = game.actions.parts
    return {VERBS[parts[index].verb] for index in game.legal_indices()}


def offered(game: Game, kind: str) -> list[Json]:
    """The legal actions of one kind, without the kind."""
    parts, verb = game.actions.parts, VERBS.index(kind)
    actions = [game.action_of(index) for index in game.legal_indices() if parts[index].verb == verb]
    return [{key: value for key, value in action.items() if key != "kind"} for action in actions]


def squares(game: Game, kind: str) -> list[int]:
    """The squares a kind of action can go to or name now, rising, each once."""
    return sorted({action["square"] for action in offered(game, kind)})


def flags(state: Json) -> tuple[bool, ...]:
    """`acted moved free_swap preset`, in this order."""
    return tuple(state[flag] for flag in FLAGS)


def gains(before: Json, after: Json) -> list[int]:
    """By seat, the tokens gained from one state to another."""
    return [now - then for then, now in zip(before["tokens"], after["tokens"], strict=True)]
