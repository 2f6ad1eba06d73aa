"""The picture of docs/architecture.md: the rooms from above, and the way of the data through the game."""

from dataclasses import dataclass
from html import escape

from ettana_env.pictures import FAINT, INK, PAPER, SEATS, TILE, WOOD

WIDTH, HEIGHT = 980, 640
FONT = "Verdana, 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Box:
    """A named thing, with lines on what it is."""

    x: int
    y: int
    width: int
    height: int
    name: str
    lines: tuple[str, ...]
    fill: str = TILE

    def svg(self) -> str:
        """The box with its texts, the name in the middle of the top line."""
        middle = self.x + self.width / 2
        top = self.y + self.height / 2 - 9 * len(self.lines) + 5
        texts = [_text(middle, top, self.name, 15, INK, "bold")]
        texts += [_text(middle, top + 19 + 17 * n, line, 12, INK) for n, line in enumerate(self.lines)]
        return (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" rx="7" fill="{self.fill}" '
            f'stroke="{FAINT}" stroke-width="1.5"/>\n' + "\n".join(texts)
        )


ROOMS = (
    Box(30, 64, 380, 58, "ettana_cli", ("the command: it parses, calls, prints",), WOOD),
    Box(30, 162, 118, 96, "play", ("terminal, pages,", "replays"), WOOD),
    Box(161, 162, 118, 96, "balance", ("measure, compare,", "report"), WOOD),
    Box(292, 162, 118, 96, "train", ("self-play PPO,", "runs, league"), WOOD),
    Box(30, 298, 380, 74, "agents", ("baselines, search, policies, people;", "the arena where they meet"), WOOD),
    Box(30, 412, 380, 74, "ettana_env", ("the game: rules, engine, records,", "environments"), WOOD),
)

WAY = (
    Box(520, 64, 190, 58, "configs/*.yaml", ("rules, decks",), PAPER),
    Box(520, 162, 190, 72, "rules, designs", ("what is played,", "read and checked")),
    Box(520, 274, 190, 72, "tables", ("walks, placements,", "prices: made once")),
    Box(760, 162, 190, 72, "state", ("one game,", "one NumPy record")),
    Box(
        520,
        386,
        430,
        100,
        "engine",
        (
            "legal · play · chance · hidden · observe",
            "plain functions, compiled by Numba,",
            "over one record or thousands",
        ),
    ),
    Box(520, 526, 126, 84, "Game", ("one game, JSON,", "records, pictures")),
    Box(656, 526, 164, 84, "ettana_v0", ("AEC, Gymnasium:", "one decision at a time")),
    Box(830, 526, 120, 84, "BatchEnv", ("arrays in,", "arrays out")),
)

ARROWS = (
    *((x, 124, x, 158) for x in (89, 220, 351)),
    *((x, 260, x, 294) for x in (89, 220, 351)),
    (220, 374, 220, 408),
    (615, 124, 615, 158),
    (615, 236, 615, 270),
    (615, 348, 615, 382),
    (840, 236, 840, 382),
    (870, 382, 870, 238),
    *((x, 488, x, 522) for x in (583, 738, 890)),
)


def _text(x: float, y: float, text: str, size: int, fill: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" font-weight="{weight}" text-anchor="middle">'
        f"{escape(text)}</text>"
    )


def architecture() -> str:
    """docs/architecture.svg."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="{FONT}" role="img">\n'
        "<title>The rooms of the kit, and the way of the data through the game</title>\n"
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0 L10 5 L0 10 z" fill="{SEATS[1]}"/></marker></defs>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>\n'
    )
    arrows = "\n".join(
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{SEATS[1]}" stroke-width="2" marker-end="url(#tip)"/>'
        for x1, y1, x2, y2 in ARROWS
    )
    parts = [
        _text(220, 36, "Rooms: imports only go down", 16, INK, "bold"),
        _text(735, 36, "Inside ettana_env: the way of the data", 16, INK, "bold"),
        f'<line x1="465" y1="20" x2="465" y2="{HEIGHT - 20}" stroke="{FAINT}" stroke-dasharray="3 5"/>',
        arrows,
        *(box.svg() for box in (*ROOMS, *WAY)),
        _text(220, 530, "Whoever chooses a move, person, search or network,", 12, INK),
        _text(220, 548, "sees what its seat may know and names a legal action.", 12, INK),
        _text(220, 566, "The engine alone decides what that does.", 12, INK),
    ]
    return head + "\n".join(parts) + "\n</svg>\n"
