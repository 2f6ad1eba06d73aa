"""The words of the game and the numbers the engine uses for them.

Every name here is also the name in JSON; its position in its list is its code in a game record.
"""

from typing import Final

COLOURS: Final = ("green", "red", "yellow", "blue", "purple")
DIE_COLOURS: Final = (*COLOURS, "black")
BLACK: Final = 5

KINDS: Final = (
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
MOVE: Final = 0
SWAP: Final = 1
STEAL_CARD: Final = 2
STEAL_TOKENS: Final = 3
REPLACE: Final = 4
PRESET: Final = 5
GET_DESIGN: Final = 6
COLLECT_THREE: Final = 7
GAIN_TOKENS: Final = 8
ROLL_AGAIN: Final = 9
VICTORY_POINT: Final = 10
TAX: Final = 11

PHASES: Final = ("place", "roll", "act", "over")
PLACE: Final = 0
ROLL: Final = 1
ACT: Final = 2
OVER: Final = 3

NONE: Final = -1
"""No colour, no winner, no square: null in JSON."""

OCTAGONS: Final = 25
YARNS_PER_COLOUR: Final = 6
TILES_PER_NUMBER: Final = 3
FACES: Final = 6
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4

# Room in a record; a deck larger than this is refused by the rules.
MAX_SQUARES: Final = 36
MAX_DESIGNS: Final = 64
MAX_ACTION_CARDS: Final = 120

VERBS: Final = (
    "place",
    "roll",
    "preset",
    "step",
    "jump",
    "move_card",
    "free_swap",
    "buy_swap",
    "swap_card",
    "replace_yarn",
    "replace_tile",
    "claim",
    "exchange",
    "steal_card",
    "steal_tokens",
    "gain_tokens",
    "buy_action",
    "buy_design",
    "get_design",
    "collect_three",
    "roll_again",
    "tax",
    "end_turn",
)
"""The kinds of action, in the order of the action space."""

V_PLACE: Final = 0
V_ROLL: Final = 1
V_PRESET: Final = 2
V_STEP: Final = 3
V_JUMP: Final = 4
V_MOVE_CARD: Final = 5
V_FREE_SWAP: Final = 6
V_BUY_SWAP: Final = 7
V_SWAP_CARD: Final = 8
V_REPLACE_YARN: Final = 9
V_REPLACE_TILE: Final = 10
V_CLAIM: Final = 11
V_EXCHANGE: Final = 12
V_STEAL_CARD: Final = 13
V_STEAL_TOKENS: Final = 14
V_GAIN_TOKENS: Final = 15
V_BUY_ACTION: Final = 16
V_BUY_DESIGN: Final = 17
V_GET_DESIGN: Final = 18
V_COLLECT_THREE: Final = 19
V_ROLL_AGAIN: Final = 20
V_TAX: Final = 21
V_END_TURN: Final = 22

CARD_OF: Final = {
    "preset": "preset",
    "move_card": "move",
    "swap_card": "swap",
    "replace_yarn": "replace",
    "replace_tile": "replace",
    "steal_card": "steal_card",
    "steal_tokens": "steal_tokens",
    "gain_tokens": "gain_tokens",
    "get_design": "get_design",
    "collect_three": "collect_three",
    "roll_again": "roll_again",
    "tax": "tax",
}
"""The kind of card an action plays, for those that play one."""
