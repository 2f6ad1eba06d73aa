"""How a seat stands when a turn is over: its hand, the squares of all pins, what its own next turn may bring.

For the next turn every face of the number die is tried: where the pin can then go, and what the best free swap there is
good for. The board is taken as it is now, and tolls are not counted.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import bit
from ettana_env.engine.planning import look_at_square
from ettana_env.engine.prospects import (
    affordable,
    in_next_reach,
    others_squares,
    reach_by_move,
    write_hand,
)
from ettana_env.engine.ways import PROSPECTS
from ettana_env.vocabulary import FACES, MAX_PLAYERS, MAX_SQUARES, SWAP

STANDING = PROSPECTS + 2 * MAX_PLAYERS + 2
"""How many numbers `write_standing` writes."""


@compiled
def write_standing(t: Any, g: Any, s: Any, p: Any, seat: int, out: Any) -> None:
    """Write how a seat stands, from what it may know.

    First the prospects of its hand. Then for each seat, from this one on clockwise, what a roll of the colour die can
    be expected to yield where its pin stands, and the most yarns of one colour there / 4. Last, of the seat's next
    turn, the mean over the faces of the number die: of the points in reach / points to win, and of whether they are
    enough to win.
    """
    out[:] = 0
    s.known = 0
    _, now, _, _, _ = write_hand(t, g, s, p, seat)
    for k in range(PROSPECTS):
        out[k] = s.prospects[k]
    points = np.int64(g.points[seat])
    for relative in range(g.players):
        square = np.int64(g.pins[(seat + relative) % g.players])
        look_at_square(t, g, s, p, square, points, t.free_swap)
        out[PROSPECTS + 2 * relative], out[PROSPECTS + 2 * relative + 1] = s.expected[square], s.peak[square]
    write_next_turn(t, g, s, p, seat, now, out[PROSPECTS + 2 * MAX_PLAYERS :])


@compiled
def write_next_turn(t: Any, g: Any, s: Any, p: Any, seat: int, now: int, out: Any) -> None:
    """Write what the seat's next turn may bring, if the board stays as it is; `now` points are in reach anywhere."""
    points, here = np.int64(g.points[seat]), np.int64(g.pins[seat])
    swaps = affordable(t, np.int64(g.tokens[seat]), np.int64(g.action_hands[seat, SWAP]))
    taken = others_squares(g, seat) | bit(here)
    reach = np.empty(MAX_SQUARES, np.int64)
    for square in range(t.squares):
        reach[square] = reach_by_move(t, p, s, square, swaps)
    for face in range(FACES):
        most = now
        for square in range(t.squares):
            if in_next_reach(t, g, here, square, face, taken):
                most = max(most, reach[square])
        out[0] += most / t.points_to_win / FACES
        out[1] += (points + most >= t.points_to_win) / FACES
