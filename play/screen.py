"""The table on a plain terminal of 80 columns: the loom, the seats, one's own hand, what can be done.

Nothing rests on colour alone: yarns and pins have letters, squares that can be reached have brackets.
"""

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from ettana_env.board import LOOM, board
from ettana_env.pictures import ON_YARN, YARNS
from ettana_env.rules import Rules
from ettana_env.states import Json
from play.telling import LETTERS

SEAT_STYLES = ("bold white on #1f1f1f", "bold white on #a3470c", "bold white on #0b6e75", "bold white on #8a1c5b")
DESIGN_WIDTH = 15
REACHED_BY = ("place", "step", "jump")


def table(
    rules: Rules, view: Json, labels: Sequence[str], seat: int, legal: Sequence[Json], away: dict[str, int | None]
) -> Text:
    """The whole table as `seat` sees it; `away` tells how many swaps each of its designs is from complete."""
    reached = {action["square"] for action in legal if action["kind"] in REACHED_BY}
    loom = _loom(rules, view, reached)
    seats = _seats(rules, view, labels, seat)
    width = 42
    lines = []
    for row in range(max(len(loom), len(seats))):
        line = loom[row] if row < len(loom) else Text()
        line.append(" " * max(1, width - line.cell_len))
        if row < len(seats):
            line.append_text(seats[row])
        lines.append(line)
    lines.append(_supply(view))
    lines += hand(rules, view, seat, away)
    return Text("\n").join(lines)


def _yarn(colour: str, text: str) -> Text:
    return Text(text, style=f"bold {ON_YARN[colour]} on {YARNS[colour]}")


def _loom(rules: Rules, view: Json, reached: set[int]) -> list[Text]:
    here = board(rules.rim_squares)
    pitch = 7 if rules.rim_squares else 8

    def squares(row: int) -> Text:
        line = Text("" if rules.rim_squares else "   ")
        for square in range(here.side * row, here.side * (row + 1)):
            line.append_text(_square(view, square, square in reached, pitch))
        return line

    def yarns(row: int) -> Text:
        line = Text("    " if rules.rim_squares else "")
        for octagon in range(LOOM * row, LOOM * (row + 1)):
            colour = view["yarns"][octagon]
            line.append_text(_yarn(colour, f" {colour[0].upper()}{octagon:<2} "))
            line.append(" " * (pitch - 5))
        return line

    lines = []
    for row in range(LOOM):
        if rules.rim_squares:
            lines.append(squares(row))
        lines.append(yarns(row))
        if not rules.rim_squares and row < LOOM - 1:
            lines.append(squares(row))
    return [*lines, squares(LOOM)] if rules.rim_squares else lines


def _square(view: Json, square: int, reached: bool, width: int) -> Text:
    """A square as `index:tile`, or `index:letter` where a pin stands."""
    left, right = ("[", "]") if reached else (" ", " ")
    number = view["tiles"][square]
    text = Text(f"{' ' * (square < 10)}{left}", style="bold")
    text.append(f"{square}:", style="dim" if not reached else "bold")
    if square in view["pins"]:
        seat = view["pins"].index(square)
        text.append(LETTERS[seat], style=SEAT_STYLES[seat])
    else:
        text.append(str(number or "·"), style="bold")
    text.append(right, style="bold")
    text.append(" " * (width - text.cell_len))
    return text


def _seats(rules: Rules, view: Json, labels: Sequence[str], own: int) -> list[Text]:
    lines = []
    for seat in range(view["players"]):
        acts = seat == view["player"] and view["phase"] != "over"
        line = Text("▶" if acts else " ", style="bold")
        line.append(f" {LETTERS[seat]} ", style=SEAT_STYLES[seat])
        who = labels[seat].partition(" ")[2]
        line.append(f" {who[:16]:<16}", style="bold" if acts else "")
        line.append(f" {view['points'][seat]} of {rules.points_to_win} points")
        lines.append(line)
        cards, designs = len(view["action_hands"][seat]), len(view["design_hands"][seat])
        more = f"      tokens {view['tokens'][seat]}   cards {cards}   designs {designs}"
        lines.append(Text(more))
    if view["phase"] == "over":
        ending = "cut off by a limit" if view["winner"] is None else f"{labels[view['winner']]} won"
        lines.append(Text(f"  the game is over: {ending}", style="bold"))
    else:
        lines.append(_dice(view))
    return lines


def _dice(view: Json) -> Text:
    number, colour = view["dice"]["number"], view["dice"]["colour"]
    line = Text(f"  turn {view['turn'] + 1}")
    if number is not None:
        line.append("   dice ")
        line.append(f" {number} ", style="bold reverse")
        if colour is not None:
            line.append(" ")
            line.append_text(
                _yarn(colour, f" {colour} ") if colour in YARNS else Text(" black ", "bold white on black")
            )
    return line


def _supply(view: Json) -> Text:
    line = Text(f"bank {view['bank']}   reserve ", style="dim")
    for colour in view["reserve_yarns"]:
        line.append_text(_yarn(colour, colour[0].upper()))
    line.append(
        f" {view['reserve_tiles'][0]} {view['reserve_tiles'][1]}   stacks: {len(view['action_stack'])} cards "
        f"(+{len(view['action_discard'])} discarded), {len(view['design_stack'])} designs"
    )
    return line


def hand(rules: Rules, view: Json, seat: int, away: dict[str, int | None], every: bool = False) -> list[Text]:
    """The seat's own cards, and its designs as patterns: the nearest five, or with `every` all of them."""
    counts = Counter(view["action_hands"][seat])
    cards = ", ".join(f"{kind}{f' ×{count}' if count > 1 else ''}" for kind, count in counts.items())
    line = Text("cards  ", style="dim")
    line.append(cards or "none", style="")
    by_name = {design.name: design for design in rules.designs}
    names = sorted(view["design_hands"][seat], key=lambda name: _or_last(away.get(name)))
    a_row = 80 // DESIGN_WIDTH
    shown = names if every else names[:a_row]
    if len(shown) < len(names):
        line.append(f"   and {len(names) - len(shown)} more designs: type designs", style="dim")
    lines = [line]
    for first in range(0, len(shown), a_row):
        some = [by_name[name] for name in shown[first : first + a_row]]
        lines.append(
            Text("").join(Text(f"{design.name[: DESIGN_WIDTH - 1]:<{DESIGN_WIDTH}}", "bold") for design in some)
        )
        captions = [_caption(design.points, away.get(design.name)) for design in some]
        for row in range(max(len(design.pattern) for design in some)):
            cells = [design.pattern[row] if row < len(design.pattern) else "" for design in some]
            beside = [captions[n][row] if row < 2 else "" for n in range(len(some))]
            lines.append(
                Text(
                    "".join(
                        f" {cell:<5} {words:<{DESIGN_WIDTH - 7}}" for cell, words in zip(cells, beside, strict=True)
                    )
                )
            )
        if max(len(design.pattern) for design in some) < 2:
            lines.append(Text("".join(f" {'':<5} {caption[1]:<{DESIGN_WIDTH - 7}}" for caption in captions)))
    return lines


def _caption(points: int, away: int | None) -> tuple[str, str]:
    return f"{points} pt", "done!" if away == 0 else "no way" if away is None else f"{away} away"


def _or_last(away: int | None) -> int:
    return 99 if away is None else away
