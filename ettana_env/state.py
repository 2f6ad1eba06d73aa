"""One whole game as a NumPy record. A batch is an array of them; a copy is an assignment."""

import numpy as np

from ettana_env.vocabulary import KINDS, MAX_ACTION_CARDS, MAX_DESIGNS, MAX_PLAYERS, MAX_SQUARES, OCTAGONS

GAME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seed", np.uint64),  # all chance to come is worked out from it
                ("design_hands", np.uint64, MAX_PLAYERS),  # sets of designs by place in the deck
                ("claimed", np.uint64, MAX_PLAYERS),
                ("loom", np.uint32, 5),  # by colour, the set of octagons that hold it: `yarns` turned round
                ("turn", np.int32),  # turns finished
                ("actions", np.int32),  # actions taken
                # How often each kind of chance was used: this turn, and (reshuffles) this game.
                ("rolls", np.uint32),
                ("thefts", np.uint32),
                ("gains", np.uint32),
                ("reshuffles", np.uint32),
                ("tokens", np.int16, MAX_PLAYERS),
                ("bank", np.int16),
                ("points", np.int16, MAX_PLAYERS),
                ("yarns", np.uint8, OCTAGONS),
                ("tiles", np.uint8, MAX_SQUARES),  # 0 where there is none
                ("reserve_yarns", np.uint8, 5),  # how many of each colour
                ("reserve_tiles", np.uint8, 2),
                ("pins", np.int8, MAX_PLAYERS),  # NONE while not placed
                ("victory_cards", np.uint8, MAX_PLAYERS),
                ("action_hands", np.uint8, (MAX_PLAYERS, len(KINDS))),  # how many of each kind
                ("action_discard", np.uint8, len(KINDS)),
                ("action_stack", np.uint8, MAX_ACTION_CARDS),  # the next to be drawn last
                ("action_stack_size", np.uint8),
                ("design_stack", np.uint8, MAX_DESIGNS),  # the next to be drawn last
                ("design_stack_size", np.uint8),
                ("placing_rolls", np.uint8, MAX_PLAYERS),  # 0 while not rolled
                ("players", np.uint8),
                ("phase", np.uint8),
                ("player", np.uint8),
                ("number", np.uint8),  # the number die, 0 while not rolled
                ("colour", np.int8),  # the colour die, NONE while not rolled
                ("moved", np.bool_),
                ("free_swap", np.bool_),
                ("acted", np.bool_),
                ("preset", np.bool_),
                ("winner", np.int8),  # NONE if nobody
                ("truncated", np.bool_),
            ],
            align=True,
        ),
    )
)
"""The record of one game."""
