"""A state as readable text."""

from typing import Any

from ettana_env.board import LOOM, board
from ettana_env.rules import Rules


def drawn(rules: Rules, state: dict[str, Any]) -> str:
    """The loom with its squares between the yarns, then every seat, then the turn.

    A yarn is the first letter of its colour; a square is its tile's number, or the letter of the pin that
    stands on it (A for seat 0). Cards that are null, as in a view, show as `?`.
    """
    lines = [*_loom(rules, state), ""]
    for seat in range(state["players"]):
        lines.append(_seat_line(state, seat))
    lines.append(
        f"bank {state['bank']}   yarn reserve {_letters(state['reserve_yarns'])}   "
        f"tile reserve {state['reserve_tiles'][0]} {state['reserve_tiles'][1]}   "
        f"action stack {len(state['action_stack'])}, discard {len(state['action_discard'])}   "
        f"design stack {len(state['design_stack'])}"
    )
    lines.append(_turn_line(state))
    return "\n".join(lines)


def _loom(rules: Rules, state: dict[str, Any]) -> list[str]:
    here = board(rules.rim_squares)
    pins = {square: "ABCD"[seat] for seat, square in enumerate(state["pins"]) if square is not None}

    def squares(row: int) -> str:
        numbers = range(here.side * row, here.side * (row + 1))
        return "   ".join(pins.get(square, str(state["tiles"][square] or "·")) for square in numbers)

    yarns = ["   ".join(_letters(state["yarns"][LOOM * row : LOOM * (row + 1)])) for row in range(LOOM)]
    if rules.rim_squares:
        return [line for row in range(LOOM) for line in (squares(row), f"  {yarns[row]}")] + [squares(LOOM)]
    lines = [yarns[0]]
    for row in range(LOOM - 1):
        lines += [f"  {squares(row)}", yarns[row + 1]]
    return lines


def _letters(colours: list[str]) -> str:
    return "".join(colour[0].upper() for colour in colours)


def _cards(cards: list[str | None]) -> str:
    return ", ".join("?" if card is None else card for card in cards) or "none"


def _seat_line(state: dict[str, Any], seat: int) -> str:
    mark = ">" if seat == state["player"] and state["phase"] != "over" else " "
    return (
        f"{mark} player {seat} ({'ABCD'[seat]})  points {state['points'][seat]}  tokens {state['tokens'][seat]}  "
        f"actions: {_cards(state['action_hands'][seat])}  designs: {_cards(state['design_hands'][seat])}  "
        f"claimed: {_cards(state['claimed'][seat])}"
    )


def _turn_line(state: dict[str, Any]) -> str:
    if state["phase"] == "over":
        ending = "truncated" if state["winner"] is None else f"player {state['winner']} has won"
        return f"turn {state['turn']}, over: {ending}"
    dice = state["dice"]
    rolled = " ".join(str(dice[key]) for key in ("number", "colour") if dice[key] is not None)
    done = [flag.replace("_", " ") for flag in ("moved", "free_swap", "acted", "preset") if state[flag]]
    parts = [f"turn {state['turn']}", f"player {state['player']} to {state['phase']}"]
    parts += [f"dice {rolled}"] * bool(rolled) + [", ".join(done)] * bool(done)
    return "   ".join(parts)
