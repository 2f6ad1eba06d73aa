"""A game record as a JSON state and back, checked on the way in."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import ConfigDict, ValidationError

from ettana_env.board import board
from ettana_env.engine.batch import Games, new_games
from ettana_env.engine.bits import holds
from ettana_env.errors import StateError
from ettana_env.rules import MAX_LIMIT, Rules
from ettana_env.validation import Flag, Model, Text, in_words, one_of, shown, whole
from ettana_env.vocabulary import (
    COLOURS,
    DIE_COLOURS,
    FACES,
    KINDS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NONE,
    OCTAGONS,
    PHASES,
    TILES_PER_NUMBER,
    VICTORY_POINT,
    YARNS_PER_COLOUR,
)

Json = dict[str, Any]

Colour: Any = one_of(COLOURS)
Kind: Any = one_of(KINDS)
Number: Any = whole(1, FACES)
Count: Any = whole(0, 2**31 - 1)
Seat: Any = whole(0, MAX_PLAYERS - 1)


class DiceState(Model):
    """The dice as they lie."""

    number: Number | None
    colour: one_of(DIE_COLOURS) | None  # type: ignore[valid-type]


class State(Model):
    """A whole game: exactly these keys."""

    model_config = ConfigDict(strict=True)

    players: whole(MIN_PLAYERS, MAX_PLAYERS)  # type: ignore[valid-type]
    yarns: list[Colour]
    tiles: list[Number | None]
    reserve_yarns: list[Colour]
    reserve_tiles: list[Number]
    pins: list[Count | None]
    tokens: list[Count]
    bank: Count
    points: list[Count]
    victory_cards: list[Count]
    action_hands: list[list[Kind]]
    design_hands: list[list[Text]]
    claimed: list[list[Text]]
    action_stack: list[Kind]
    action_discard: list[Kind]
    design_stack: list[Text]
    phase: one_of(PHASES)  # type: ignore[valid-type]
    player: Seat
    dice: DiceState
    placing_rolls: list[Number | None]
    moved: Flag
    free_swap: Flag
    acted: Flag
    preset: Flag
    turn: whole(0, MAX_LIMIT)  # type: ignore[valid-type]
    actions: whole(0, MAX_LIMIT)  # type: ignore[valid-type]
    winner: Seat | None
    truncated: Flag


BY_SEAT = (
    "pins",
    "tokens",
    "points",
    "victory_cards",
    "action_hands",
    "design_hands",
    "claimed",
    "placing_rolls",
)
FLAGS = ("moved", "free_swap", "acted", "preset")


def kinds_of(counts: Iterable[int]) -> list[str]:
    """Counts by kind as a list of kinds, in the order of the kind list."""
    return [kind for kind, count in zip(KINDS, counts, strict=True) for _ in range(count)]


def names_of(rules: Rules, bits: Any) -> list[str]:
    """A set of designs as a list of names, in deck order."""
    return [design.name for place, design in enumerate(rules.designs) if holds(bits, place)]


def write_state(rules: Rules, g: Any) -> Json:
    """The JSON state of a game record."""
    seats = range(g.players)
    squares = board(rules.rim_squares).squares
    return {
        "players": int(g.players),
        "yarns": [COLOURS[colour] for colour in g.yarns],
        "tiles": [int(number) or None for number in g.tiles[:squares]],
        "reserve_yarns": [COLOURS[colour] for colour in range(len(COLOURS)) for _ in range(g.reserve_yarns[colour])],
        "reserve_tiles": [int(number) for number in g.reserve_tiles],
        "pins": [None if g.pins[seat] == NONE else int(g.pins[seat]) for seat in seats],
        "tokens": [int(g.tokens[seat]) for seat in seats],
        "bank": int(g.bank),
        "points": [int(g.points[seat]) for seat in seats],
        "victory_cards": [int(g.victory_cards[seat]) for seat in seats],
        "action_hands": [kinds_of(g.action_hands[seat]) for seat in seats],
        "design_hands": [names_of(rules, g.design_hands[seat]) for seat in seats],
        "claimed": [names_of(rules, g.claimed[seat]) for seat in seats],
        "action_stack": [KINDS[kind] for kind in g.action_stack[: g.action_stack_size]],
        "action_discard": kinds_of(g.action_discard),
        "design_stack": [rules.designs[design].name for design in g.design_stack[: g.design_stack_size]],
        "phase": PHASES[g.phase],
        "player": int(g.player),
        "dice": {
            "number": int(g.number) or None,
            "colour": None if g.colour == NONE else DIE_COLOURS[g.colour],
        },
        "placing_rolls": [int(g.placing_rolls[seat]) or None for seat in seats],
        "moved": bool(g.moved),
        "free_swap": bool(g.free_swap),
        "acted": bool(g.acted),
        "preset": bool(g.preset),
        "turn": int(g.turn),
        "actions": int(g.actions),
        "winner": None if g.winner == NONE else int(g.winner),
        "truncated": bool(g.truncated),
    }


def seen_by(state: Json, seat: int) -> Json:
    """The view of a seat: the state with null for what it may not know (R8)."""

    def hidden(cards: Sequence[object]) -> list[None]:
        return [None] * len(cards)

    def hands(key: str) -> list[Any]:
        return [list(hand) if other == seat else hidden(hand) for other, hand in enumerate(state[key])]

    return {
        **state,
        "action_hands": hands("action_hands"),
        "design_hands": hands("design_hands"),
        "action_stack": hidden(state["action_stack"]),
        "design_stack": hidden(state["design_stack"]),
    }


def read_state(rules: Rules, state: object, seed: int) -> Games:
    """The record of a JSON state, its chance to come from `seed`; a StateError if it is no state of the game."""
    try:
        s = State.model_validate(dict(state) if isinstance(state, Mapping) else state)
    except ValidationError as error:
        raise StateError(f"state: {in_words(error, State.model_fields)}") from None
    problem = rules.unplayable(s.players)
    _need(problem is None, f"players is {s.players}: {problem}")
    _check_sizes(rules, s)
    _check_board(rules, s)
    _check_tokens(rules, s)
    _check_action_cards(rules, s)
    _check_designs(rules, s)
    _check_points(rules, s)
    _check_course(rules, s)
    return _record(rules, s, seed)


def _need(holds_true: bool, message: str) -> None:
    if not holds_true:
        raise StateError(f"state: {message}")


def _check_sizes(rules: Rules, s: State) -> None:
    sizes = dict.fromkeys(BY_SEAT, s.players)
    sizes |= {"yarns": OCTAGONS, "reserve_yarns": len(COLOURS), "reserve_tiles": 2}
    sizes["tiles"] = board(rules.rim_squares).squares
    for key, size in sizes.items():
        given = len(getattr(s, key))
        _need(given == size, f"{key} must have {size} entries, not {given}")
    _need(s.player < s.players, f"player must be a seat from 0 to {s.players - 1}, not {s.player}")
    if s.winner is not None:
        _need(s.winner < s.players, f"winner must be a seat from 0 to {s.players - 1}, not {s.winner}")


def _check_order(place: str, given: Sequence[str], order: Sequence[str], called: str) -> None:
    rank = {word: number for number, word in enumerate(order)}
    _need(
        list(given) == sorted(given, key=lambda word: rank[word]),
        f"{place} must be in the order of the {called}",
    )


def _check_board(rules: Rules, s: State) -> None:
    yarns = Counter([*s.yarns, *s.reserve_yarns])
    for colour in COLOURS:
        _need(
            yarns[colour] == YARNS_PER_COLOUR,
            f"yarns and reserve_yarns must hold {YARNS_PER_COLOUR} {colour} ones, not {yarns[colour]}",
        )
    _check_order("reserve_yarns", s.reserve_yarns, COLOURS, "colour list")
    here = board(rules.rim_squares)
    for square, number in enumerate(s.tiles):
        if square in here.tiled:
            _need(number is not None, f"tiles[{square}] must be a number, not None")
        else:
            _need(number is None, f"tiles[{square}] must be null: it is a rim square")
    tiles = Counter([*s.tiles, *s.reserve_tiles])
    for number in range(1, FACES + 1):
        _need(
            tiles[number] == TILES_PER_NUMBER,
            f"tiles and reserve_tiles must hold {TILES_PER_NUMBER} of number {number}, not {tiles[number]}",
        )
    placed = [pin for pin in s.pins if pin is not None]
    for seat, pin in enumerate(s.pins):
        if pin is not None:
            _need(pin < here.squares, f"pins[{seat}] must be a square from 0 to {here.squares - 1}, not {pin}")
            _need(placed.count(pin) == 1, f"pins[{seat}]: there are {placed.count(pin)} pins on square {pin}")


def _check_tokens(rules: Rules, s: State) -> None:
    total = s.bank + sum(s.tokens)
    _need(
        total == rules.tokens.total,
        f"tokens and bank must make {rules.tokens.total} together, not {total}",
    )


def _check_action_cards(rules: Rules, s: State) -> None:
    for seat, hand in enumerate(s.action_hands):
        _check_order(f"action_hands[{seat}]", hand, KINDS, "kind list")
        _need("victory_point" not in hand, f"action_hands[{seat}]: a victory_point card is never in a hand")
    _check_order("action_discard", s.action_discard, KINDS, "kind list")
    _need("victory_point" not in s.action_discard, "action_discard: a victory_point card is never discarded")
    cards = Counter(s.action_stack + s.action_discard + [kind for hand in s.action_hands for kind in hand])
    cards["victory_point"] += sum(s.victory_cards)
    for kind, count in zip(KINDS, rules.action_cards.counts, strict=True):
        _need(cards[kind] == count, f"there must be {count} {kind} cards in all, not {cards[kind]}")


def _check_designs(rules: Rules, s: State) -> None:
    deck = [design.name for design in rules.designs]
    lists = {"design_stack": s.design_stack}
    for key in ("design_hands", "claimed"):
        lists |= {f"{key}[{seat}]": hand for seat, hand in enumerate(getattr(s, key))}
    found: dict[str, str] = {}
    for place, names in lists.items():
        for name in names:
            _need(name in deck, f"{place}: there is no design {shown(name)} in the deck")
            _need(name not in found, f"{place}: the design {name!r} is also in {found.get(name)}")
            found[name] = place
        if place != "design_stack":
            _check_order(place, names, deck, "deck")
    for name in deck:
        _need(name in found, f"the design {name!r} is nowhere: not in a hand, claimed or in the stack")


def _check_points(rules: Rules, s: State) -> None:
    worth = {design.name: design.points for design in rules.designs}
    for seat in range(s.players):
        points = s.victory_cards[seat] + sum(worth[name] for name in s.claimed[seat])
        _need(
            s.points[seat] == points,
            f"points[{seat}] must be {points}, from claimed and victory_cards, not {s.points[seat]}",
        )
        reached = s.points[seat] >= rules.points_to_win
        _need(
            reached == (s.winner == seat),
            f"points[{seat}] is {s.points[seat]} and {rules.points_to_win} win, but winner is {s.winner}",
        )


def _check_course(rules: Rules, s: State) -> None:
    """Phase, dice, flags and limits go together."""
    for key, done, limit in (("turn", s.turn, rules.max_turns), ("actions", s.actions, rules.max_actions)):
        _need(limit is None or done <= limit, f"{key} must be at most {limit}, the limit, not {done}")
    limited = any(
        limit is not None and done >= limit
        for done, limit in ((s.turn, rules.max_turns), (s.actions, rules.max_actions))
    )
    over = s.winner is not None or limited
    _need(
        over == (s.phase == "over"),
        f"phase is {s.phase!r}, but "
        + (
            "the game is won" if s.winner is not None else "a limit is reached" if limited else "nothing ended the game"
        ),
    )
    _need(
        s.truncated == (limited and s.winner is None),
        f"truncated must be {str(not s.truncated).lower()}: it tells whether a limit ended the game",
    )
    placing = any(pin is None for pin in s.pins)
    if s.phase != "over":
        _need(placing == (s.phase == "place"), f"phase is {s.phase!r}, but pins are {s.pins}")
    if placing:
        _check_placing(rules, s)
        return
    _need(all(roll is not None for roll in s.placing_rolls), "placing_rolls must not be null after placing")
    for roll, count in Counter(s.placing_rolls).items():
        _need(
            count <= TILES_PER_NUMBER,
            f"placing_rolls: {count} players placed on a {roll}, but there are {TILES_PER_NUMBER} such tiles",
        )
    rolled = s.dice.number is not None
    _need(rolled == (s.dice.colour is not None), "dice must both be null or both be rolled")
    if s.phase != "over":
        _need(
            rolled == (s.phase == "act"),
            f"dice must be {'rolled' if not rolled else 'null'} in phase {s.phase!r}",
        )
    if not rolled:
        for flag in FLAGS:
            _need(not getattr(s, flag), f"{flag} must be false before the roll")
    _need(s.acted or not s.moved, "moved is true, so acted must be true")
    _need(s.moved or not s.free_swap, "free_swap is true, so moved must be true")
    _need(rules.free_swap or not s.free_swap, "free_swap must be false: these rules are played without it")
    _need(rules.action_cards.preset > 0 or not s.preset, "preset must be false: there are no preset cards")
    _need(
        rules.preset_black or not (s.preset and s.dice.colour == "black"),
        "preset is true, so dice.colour must not be black: these rules do not let preset name it",
    )
    if s.turn == rules.max_turns:
        _need(not rolled, "dice must be null: the turn limit ends the game between two turns")
    if s.winner is not None:
        _need(
            s.winner == s.player if rolled else s.turn == 0,
            f"winner is {s.winner}, but a game is won at the deal or by the player whose turn it is",
        )
    if rules.place_by_choice:
        _need(s.actions >= s.players, f"actions must be at least {s.players}: the pins were placed by choice")


def _check_placing(rules: Rules, s: State) -> None:
    """While pins are being placed nothing else has happened (R2.4)."""
    _need(rules.place_by_choice, "pins must not be null: these rules place them at random before the first turn")
    seat = s.player
    for other in range(s.players):
        pin, roll = s.pins[other], s.placing_rolls[other]
        _need(
            (pin is not None) == (other < seat),
            f"pins[{other}] must {'not be' if other < seat else 'be'} null while player {seat} places",
        )
        _need(
            (roll is not None) == (other <= seat),
            f"placing_rolls[{other}] must {'not be' if other <= seat else 'be'} null while player {seat} places",
        )
        _need(
            pin is None or s.tiles[pin] == roll,
            f"pins[{other}] is on a tile that shows {None if pin is None else s.tiles[pin]}; the roll was {roll}",
        )
    roll = s.placing_rolls[seat]
    _need(
        s.dice.number == roll and s.dice.colour is None,
        f"dice must show the placing roll {roll} and no colour while pins are placed",
    )
    _need(
        any(number == roll and square not in s.pins for square, number in enumerate(s.tiles)),
        f"placing_rolls[{seat}]: no free square shows {roll}",
    )
    _need(s.bank == rules.tokens.total, "bank must hold all tokens while pins are placed")
    for key in ("action_hands", "design_hands", "claimed"):
        _need(not any(getattr(s, key)), f"{key} must be empty while pins are placed")
    _need(not any(s.victory_cards), "victory_cards must be 0 while pins are placed")
    _need(not s.action_discard, "action_discard must be empty while pins are placed")
    for flag in FLAGS:
        _need(not getattr(s, flag), f"{flag} must be false while pins are placed")
    _need(s.turn == 0, f"turn must be 0 while pins are placed, not {s.turn}")
    _need(s.actions == seat, f"actions must be {seat} while player {seat} places, not {s.actions}")


def _record(rules: Rules, s: State, seed: int) -> Games:
    games = new_games(1)
    g = games[0]
    place = {design.name: number for number, design in enumerate(rules.designs)}

    def bits(names: Iterable[str]) -> np.uint64:
        return np.uint64(sum(1 << place[name] for name in names))

    def counts(kinds: Iterable[str]) -> list[int]:
        found = Counter(kinds)
        return [found[kind] for kind in KINDS]

    g.seed = seed
    g.players = s.players
    g.yarns[:] = [COLOURS.index(colour) for colour in s.yarns]
    for octagon, colour in enumerate(g.yarns):
        g.loom[colour] |= np.uint32(1 << octagon)
    g.tiles[: len(s.tiles)] = [number or 0 for number in s.tiles]
    g.reserve_yarns[:] = [s.reserve_yarns.count(colour) for colour in COLOURS]
    g.reserve_tiles[:] = s.reserve_tiles
    g.pins[:] = NONE
    for seat in range(s.players):
        g.pins[seat] = NONE if s.pins[seat] is None else s.pins[seat]
        g.tokens[seat] = s.tokens[seat]
        g.points[seat] = s.points[seat]
        g.victory_cards[seat] = s.victory_cards[seat]
        g.action_hands[seat] = counts(s.action_hands[seat])
        g.design_hands[seat] = bits(s.design_hands[seat])
        g.claimed[seat] = bits(s.claimed[seat])
        g.placing_rolls[seat] = s.placing_rolls[seat] or 0
    g.bank = s.bank
    g.action_stack_size = len(s.action_stack)
    g.action_stack[: len(s.action_stack)] = [KINDS.index(kind) for kind in s.action_stack]
    g.action_discard[:] = counts(s.action_discard)
    g.design_stack_size = len(s.design_stack)
    g.design_stack[: len(s.design_stack)] = [place[name] for name in s.design_stack]
    g.phase = PHASES.index(s.phase)
    g.player = s.player
    g.number = s.dice.number or 0
    g.colour = NONE if s.dice.colour is None else DIE_COLOURS.index(s.dice.colour)
    for flag in FLAGS:
        g[flag] = getattr(s, flag)
    g.turn, g.actions = s.turn, s.actions
    g.winner = NONE if s.winner is None else s.winner
    g.truncated = s.truncated
    # Rolls made this turn count on: a roll again must not repeat the first roll.
    g.rolls = 1 if s.dice.colour is not None else 0
    return games


assert KINDS[VICTORY_POINT] == "victory_point"
