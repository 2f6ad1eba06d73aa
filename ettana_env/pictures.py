"""Pictures of a game: the loom with yarns, tiles and pins, every seat's cards and tokens, the dice, the last action.

Every colour also has a letter, and every pin its player's, so that nothing rests on telling colours apart. A seat's
picture shows what that seat may know; without a seat the whole table lies open.
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ettana_env.board import LOOM, board
from ettana_env.designs import Design
from ettana_env.drawing import Drawing
from ettana_env.errors import EttanaError
from ettana_env.game import Game
from ettana_env.rules import Rules
from ettana_env.states import Json
from ettana_env.text import drawn
from ettana_env.validation import shown

RENDER_MODES = ("ansi", "rgb_array", "human")

YARNS = {"green": "#3a8f5a", "red": "#c8453b", "yellow": "#e8b93a", "blue": "#3b6fb5", "purple": "#7d4e9e"}
ON_YARN = {"green": "white", "red": "white", "yellow": "#222222", "blue": "white", "purple": "white"}
SEATS = ("#1f1f1f", "#a3470c", "#0b6e75", "#8a1c5b")
GROUPS = ("#3d3d3d", "#b98d4f", "#7fa6b5", "#c9b3d6", "#e3e0d4")
PAPER = "#f7f3ea"
WOOD = "#d9c7a5"
TILE = "#fffdf7"
INK = "#2b2622"
FAINT = "#8c8377"
MARK = "#e0457b"

CELL = 84
MARGIN = 46
PANEL = 470


def check_render_mode(mode: object) -> str | None:
    """A known render mode, or None; anything else is an EttanaError."""
    if mode is not None and mode not in RENDER_MODES:
        raise EttanaError(f"render_mode must be one of {', '.join(RENDER_MODES)}, or None, not {shown(mode)}")
    return None if mode is None else str(mode)


def picture(game: Game, seat: int | None, mode: str, last_action: Json | None = None) -> Any:
    """The game as a render mode wants it: text for "ansi", else an array of pixels."""
    state = game.to_dict() if seat is None else game.view(seat)
    if mode == "ansi":
        return drawn(game.rules, state)
    return draw(game.rules, state, last_action).pixels()


def svg(game: Game, seat: int | None = None, last_action: Json | None = None) -> str:
    """The game as an SVG document: what `seat` may know, or all if it is None."""
    state = game.to_dict() if seat is None else game.view(seat)
    return draw(game.rules, state, last_action).svg()


def draw(rules: Rules, state: Json, last_action: Json | None = None) -> Drawing:
    """The picture of a state, or of a view (with null for what is hidden)."""
    side = 2 * MARGIN + LOOM * CELL
    rim = CELL // 2 if rules.rim_squares else 0
    board_side = side + 2 * rim
    seat_height = 132
    height = max(board_side + 60, 96 + seat_height * state["players"])
    title = f"Ettana: turn {state['turn']}, player {state['player']} to {state['phase']}"
    drawing = Drawing(board_side + PANEL, height, title)
    drawing.rectangle(0, 0, drawing.width, drawing.height, PAPER)
    _draw_loom(drawing, rules, state, MARGIN + rim, _touched(last_action))
    _draw_reserves(drawing, state, board_side)
    _draw_turn(drawing, state, board_side, last_action)
    for seat in range(state["players"]):
        _draw_seat(drawing, rules, state, seat, board_side, 92 + seat_height * seat)
    return drawing


def _touched(action: Json | None) -> set[int]:
    """The octagons the last action changed."""
    if action is None:
        return set()
    return {action[key] for key in ("a", "b", "octagon") if key in action}


def _octagon(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    cut = radius * 0.414
    return [
        (x - cut, y - radius),
        (x + cut, y - radius),
        (x + radius, y - cut),
        (x + radius, y + cut),
        (x + cut, y + radius),
        (x - cut, y + radius),
        (x - radius, y + cut),
        (x - radius, y - cut),
    ]


def _draw_loom(drawing: Drawing, rules: Rules, state: Json, start: int, marked: set[int]) -> None:
    inset = start - 26
    size = LOOM * CELL + 52
    drawing.rectangle(inset, inset, size, size, WOOD, "#a58f66", 2)
    for octagon, colour in enumerate(state["yarns"]):
        x = start + CELL * (octagon % LOOM + 0.5)
        y = start + CELL * (octagon // LOOM + 0.5)
        edge, width = (MARK, 5.0) if octagon in marked else ("#6d5c3d", 1.5)
        drawing.polygon(_octagon(x, y, CELL * 0.44), YARNS[colour], edge, width)
        drawing.text(x, y - 2, colour[0].upper(), 25, ON_YARN[colour])
        drawing.text(x, y + 21, str(octagon), 10, ON_YARN[colour])
    here = board(rules.rim_squares)
    shift = 0 if rules.rim_squares else 1
    for square in range(here.squares):
        row, column = divmod(square, here.side)
        x, y = start + CELL * (column + shift), start + CELL * (row + shift)
        _draw_square(drawing, state, square, x, y)


def _draw_square(drawing: Drawing, state: Json, square: int, x: float, y: float) -> None:
    half = 19
    number = state["tiles"][square]
    diamond = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
    drawing.polygon(diamond, TILE if number else "#efe6d2", "#6d5c3d", 1.2)
    if square in state["pins"]:
        seat = state["pins"].index(square)
        acts = seat == state["player"] and state["phase"] != "over"
        drawing.circle(x, y, 17, SEATS[seat], MARK if acts else "white", 3)
        drawing.text(x, y - 4 if number else y, "ABCD"[seat], 16, "white")
        if number:
            drawing.text(x, y + 9, str(number), 10, "white")
    elif number:
        drawing.text(x, y, str(number), 18, INK)


def _draw_reserves(drawing: Drawing, state: Json, side: int) -> None:
    y = side + 16
    drawing.text(MARGIN, y, "reserve", 13, FAINT, "start")
    for place, colour in enumerate(state["reserve_yarns"]):
        x = MARGIN + 74 + 30 * place
        drawing.polygon(_octagon(x, y, 13), YARNS[colour], "#6d5c3d", 1)
        drawing.text(x, y, colour[0].upper(), 13, ON_YARN[colour])
    for place, number in enumerate(state["reserve_tiles"]):
        x = MARGIN + 230 + 34 * place
        drawing.polygon([(x, y - 15), (x + 15, y), (x, y + 15), (x - 15, y)], TILE, "#6d5c3d", 1)
        drawing.text(x, y, str(number), 14, INK)
    stacks = f"bank {state['bank']}, cards {len(state['action_stack'])}+{len(state['action_discard'])}"
    drawing.text(side - MARGIN, y - 9, stacks, 12, INK, "end")
    drawing.text(side - MARGIN, y + 9, f"designs {len(state['design_stack'])}", 12, INK, "end")


def _draw_turn(drawing: Drawing, state: Json, x: int, last_action: Json | None) -> None:
    if state["phase"] == "over":
        words = "cut off by a limit" if state["winner"] is None else f"player {'ABCD'[state['winner']]} has won"
    else:
        words = f"player {'ABCD'[state['player']]} to {state['phase']}"
    drawing.text(x, 36, f"turn {state['turn']}: {words}", 19, INK, "start")
    done = [flag.replace("_", " ") for flag in ("moved", "free_swap", "acted", "preset") if state[flag]]
    last = "" if last_action is None else f"last: {in_short(last_action)}"
    drawing.text(x, 64, "; ".join(part for part in (last, ", ".join(done)) if part), 13, FAINT, "start")
    number, colour = state["dice"]["number"], state["dice"]["colour"]
    right = x + PANEL - 30
    if number is not None:
        drawing.rectangle(right - 84, 22, 36, 36, "white", INK, 2)
        drawing.text(right - 66, 40, str(number), 22, INK)
    if colour is not None:
        fill = YARNS.get(colour, "#161616")
        drawing.rectangle(right - 38, 22, 36, 36, fill, INK, 2)
        drawing.text(right - 20, 40, colour[0].upper() if colour != "black" else "K", 20, ON_YARN.get(colour, "white"))


def _draw_seat(drawing: Drawing, rules: Rules, state: Json, seat: int, x: int, y: int) -> None:
    acts = seat == state["player"] and state["phase"] != "over"
    drawing.rectangle(x, y, PANEL - 28, 122, "white", MARK if acts else "#cfc6b4", 3 if acts else 1)
    drawing.circle(x + 24, y + 24, 15, SEATS[seat])
    drawing.text(x + 24, y + 24, "ABCD"[seat], 15, "white")
    points = f"{state['points'][seat]} of {rules.points_to_win} points"
    if state["victory_cards"][seat]:
        points += f" ({state['victory_cards'][seat]} by cards)"
    drawing.text(x + 48, y + 17, points, 14, INK, "start")
    claimed = state["claimed"][seat]
    drawing.text(x + 48, y + 35, _fit("claimed: " + (", ".join(claimed) or "none"), 44), 11, FAINT, "start")
    tokens = state["tokens"][seat]
    drawing.circle(x + PANEL - 92, y + 24, 13, "#e0b75c", "#8a6d2a", 2)
    drawing.text(x + PANEL - 72, y + 24, str(tokens), 16, INK, "start")
    cards = state["action_hands"][seat]
    hidden = bool(cards) and cards[0] is None
    words = f"{len(cards)} hidden" if hidden else ", ".join(card.replace("_", " ") for card in cards) or "none"
    drawing.text(x + 12, y + 56, _fit("cards: " + words, 62), 12, INK, "start")
    _draw_designs(drawing, rules, state["design_hands"][seat], x + 12, y + 70)


def _fit(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 3] + "..."


def _draw_designs(drawing: Drawing, rules: Rules, names: list[str | None], x: float, y: float) -> None:
    by_name = {design.name: design for design in rules.designs}
    room = 9
    for place, name in enumerate(names[:room]):
        left = x + 46 * place
        drawing.rectangle(left, y, 40, 46, "#fbf8f1", "#b7ab93")
        if name is None:
            drawing.text(left + 20, y + 23, "?", 18, FAINT)
        else:
            _draw_pattern(drawing, by_name[name], left, y)
    if len(names) > room:
        drawing.text(x + 46 * room, y + 23, f"+{len(names) - room}", 13, INK, "start")


def _draw_pattern(drawing: Drawing, design: Design, x: float, y: float) -> None:
    step = 6.8
    groups = design.groups
    rows = 1 + max(row for row, _, _ in design.cells)
    columns = 1 + max(column for _, column, _ in design.cells)
    left, top = x + 20 - step * columns / 2, y + 18 - step * rows / 2
    for row, column, group in sorted(design.cells):
        place = groups.index(group)
        at = left + step * column, top + step * row
        drawing.rectangle(*at, step - 0.8, step - 0.8, GROUPS[place])
        if place == 1:  # the second group also carries a mark, for those who see no difference
            drawing.circle(at[0] + step / 2 - 0.4, at[1] + step / 2 - 0.4, 1.3, "white")
        elif place > 1:
            drawing.line(at[0], at[1] + step - 0.8, at[0] + step - 0.8, at[1], INK, 1)
    drawing.text(x + 20, y + 40, str(design.points), 9, INK)


def in_short(action: Json) -> str:
    """An action in a few words."""
    words = [str(value) for key, value in action.items() if key not in ("kind", "pay")]
    paid = "".join(f" paying {'ABCD'[seat]}" for seat in action.get("pay", []))
    return " ".join([action["kind"].replace("_", " "), *words]) + paid


class Window:
    """A window that shows pictures; needs pygame and a screen."""

    def __init__(self, title: str) -> None:
        """Get ready; the window opens with the first picture."""
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError:
            raise EttanaError(
                'render_mode "human" needs pygame: pip install pygame; "rgb_array" and "ansi" do without'
            ) from None
        self._pygame: Any = pygame
        self._title = title
        self._screen: Any = None

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a picture, opening the window if need be."""
        height, width, _ = pixels.shape
        try:
            if self._screen is None:
                self._pygame.display.init()
                self._screen = self._pygame.display.set_mode((width, height))
                self._pygame.display.set_caption(self._title)
        except self._pygame.error as error:
            raise EttanaError(
                f'no window can be opened here ({error}); use render_mode "rgb_array" or "ansi" on a machine without '
                "a screen"
            ) from None
        surface = self._pygame.surfarray.make_surface(pixels.swapaxes(0, 1))
        self._screen.blit(surface, (0, 0))
        self._pygame.event.pump()
        self._pygame.display.flip()

    def close(self) -> None:
        """Close the window."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
