"""The action catalogue: one flat space, its layout worked out from the rules.

The layout is the same for 2, 3 and 4 players and for every deck; only rim squares change it. Opponents go by
relative seat (1 is the next to play) and designs by their place in the holder's hand, so what an index means as
JSON depends on the state; what it does is always the same.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from ettana_env.board import NEAR_PAIRS, PAIRS, board
from ettana_env.rules import Rules
from ettana_env.vocabulary import COLOURS, DIE_COLOURS, FACES, MAX_DESIGNS, MAX_PLAYERS, OCTAGONS, VERBS

OPPONENTS = MAX_PLAYERS - 1
PAYEES = 1 << OPPONENTS
"""Sets of opponents a walk can pay."""


class Parts(NamedTuple):
    """What an action is made of: a verb and up to two arguments, 0 where it has none.

    | verb | a | b |
    |---|---|---|
    | place, jump, move_card | square | |
    | preset | colour of the die | |
    | step | square | set of relative seats paid, bit 0 for the next seat |
    | free_swap, buy_swap, swap_card | octagon | octagon, a < b |
    | replace_yarn | octagon | colour |
    | replace_tile | square | place in the tile reserve, 0 or 1 |
    | claim, exchange | place in the hand | |
    | steal_card, steal_tokens | relative seat, 1 to 3 | |
    | gain_tokens | number | |
    """

    verb: int
    a: int
    b: int


class Catalogue:
    """The action space of one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.board = board(rules.rim_squares)

    def _arguments(self, verb: str) -> Iterator[tuple[int, int]]:
        if verb in ("place", "jump"):
            return ((square, 0) for square in self.board.tiled)
        if verb == "preset":
            return ((colour, 0) for colour in range(len(DIE_COLOURS)))
        if verb == "step":
            return ((square, paid) for square in range(self.board.squares) for paid in range(PAYEES))
        if verb == "move_card":
            return ((square, 0) for square in range(self.board.squares))
        if verb == "free_swap":
            return iter(NEAR_PAIRS)
        if verb in ("buy_swap", "swap_card"):
            return iter(PAIRS)
        if verb == "replace_yarn":
            return ((octagon, colour) for octagon in range(OCTAGONS) for colour in range(len(COLOURS)))
        if verb == "replace_tile":
            return ((square, place) for square in self.board.tiled for place in (0, 1))
        if verb in ("claim", "exchange"):
            return ((place, 0) for place in range(MAX_DESIGNS))
        if verb in ("steal_card", "steal_tokens"):
            return ((seat, 0) for seat in range(1, OPPONENTS + 1))
        if verb == "gain_tokens":
            return ((number, 0) for number in range(1, FACES + 1))
        return iter([(0, 0)])

    @cached_property
    def parts(self) -> tuple[Parts, ...]:
        """By index, what the action is made of."""
        return tuple(Parts(v, a, b) for v, verb in enumerate(VERBS) for a, b in self._arguments(verb))

    @cached_property
    def index(self) -> dict[Parts, int]:
        """The index of the action made of these parts."""
        return {parts: index for index, parts in enumerate(self.parts)}

    @cached_property
    def first(self) -> tuple[int, ...]:
        """By verb, its first index; then the size of the space."""
        sizes = [sum(1 for _ in self._arguments(verb)) for verb in VERBS]
        return tuple(sum(sizes[:verb]) for verb in range(len(VERBS) + 1))

    def __len__(self) -> int:
        return self.first[-1]

    def table(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| indices | how many | kind | which one |", "|---|--:|---|---|"]
        for verb, name in enumerate(VERBS):
            start, stop = self.first[verb], self.first[verb + 1]
            span = f"{start}" if stop == start + 1 else f"{start}–{stop - 1}"
            lines.append(f"| {span} | {stop - start} | `{name}` | {self._which(name)} |")
        return "\n".join(lines)

    def _which(self, verb: str) -> str:
        squares, side = self.board.squares, self.board.side
        return {
            "place": f"the square: the {len(self.board.tiled)} with a tile, in order",
            "jump": f"the square: the {len(self.board.tiled)} with a tile, in order",
            "preset": "the colour: " + ", ".join(DIE_COLOURS),
            "step": f"8 × square + payees; square 0–{squares - 1} is {side} × row + column; payees: 1 for the "
            "next seat + 2 for the one after + 4 for the third",
            "move_card": f"the square, 0–{squares - 1}",
            "free_swap": "octagons `a < b` that touch one square, in order of (a, b)",
            "buy_swap": "octagons `a < b`, in order of (a, b)",
            "swap_card": "octagons `a < b`, in order of (a, b)",
            "replace_yarn": "5 × octagon + colour of the reserve",
            "replace_tile": "2 × square (the 16 with a tile, in order) + place in the tile reserve",
            "claim": "the design's place in the hand, which is kept in deck order",
            "exchange": "the design's place in the hand, which is kept in deck order",
            "steal_card": "from the next seat, the one after, the third",
            "steal_tokens": "from the next seat, the one after, the third",
            "gain_tokens": "the number named, 1–6",
        }.get(verb, "")
