"""Play in the terminal: the table is shown, a line is read, the others answer."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from agents.phrases import phrase, understand
from ettana_env.errors import EttanaError
from play.choices import short_forms
from play.odds import Judge
from play.screen import SEAT_STYLES, hand, table
from play.session import Event, Session
from play.telling import LETTERS

HELP = """\
Type what you do; words may be shortened, and Enter alone does the only thing there is to do.
  step 6, step 6 pay b     walk to square 6 (paying player B on the way); also jump 6, move 6 (card)
  swap 3 17                swap two yarns: the free swap if it is open, else a card, else bought; or say
                           which: free 3 17, swap_card 3 17, buy_swap 3 17
  replace 3 red            replace_yarn and replace_tile: with the replace card
  claim, exchange NAME     a design, by the start of its name
  buy card, buy design     as it says; card alone will do
  end                      end the turn
and beside the game:
  hint [agent]             what an agent would do, such as: hint mcts:sims=200
  undo                     take back, until something hidden was shown (a roll, a card)
  list [kind]              everything you can do, spelt out
  designs, log, table      all your designs; what happened lately; the table again
  quit                     leave; the game is saved and can be gone on with
On the board, R12 is the red yarn on octagon 12, and 6:4 the square 6 with a tile that shows 4 (or 6:B, player B's
pin). Squares in [brackets] can be reached."""

BESIDE = ("help", "hint", "undo", "list", "designs", "log", "table", "quit")
EVENTS_KEPT = 30


class Table:
    """A person's session on a console; `ask` reads a line, as `input` does."""

    def __init__(
        self,
        session: Session,
        console: Console,
        ask: Callable[[str], str] = input,
        judge: Judge | None = None,
        adviser: str = "planner",
    ) -> None:
        """`adviser` gives the hints if none is named; `judge`, if given, tells the person's chance to win."""
        self._session, self._console, self._ask = session, console, ask
        self._judge, self._adviser = judge, adviser
        self._chance: float | None = None

    def play(self) -> bool:
        """Play until the game is over (True) or the person leaves (False)."""
        for event in self._session.events[-8:]:
            self._tell(event)
        while not self._session.game.over:
            try:
                if not self._session.yours:
                    self._tell(self._session.answer())
                    continue
                self._show()
                if not self._turn():
                    return False
            except (EOFError, KeyboardInterrupt):
                self._console.print()
                return False
        self._chance = None
        self._show()
        return True

    def _turn(self) -> bool:
        """Read lines until one changes the table; False if the person leaves."""
        while True:
            line = self._ask("> ").strip()
            try:
                word, _, rest = line.partition(" ")
                beside = [name for name in BESIDE if len(word) > 1 and name.startswith(word.lower())]
                if line in ("?", "h", "q", "u"):
                    beside = [{"?": "help", "h": "hint", "q": "quit", "u": "undo"}[line]]
                if beside == ["quit"]:
                    return False
                if beside == ["undo"]:
                    self._say(f"taken back: you {self._session.undo()}")
                    return True
                if beside:
                    self._beside(beside[0], rest.strip())
                    continue
                legal = self._session.legal()
                action = legal[0] if not line and len(legal) == 1 else understand(line, legal)
                self._session.play(action)
                self._tell(self._session.events[-1])
                return True
            except EttanaError as error:
                self._say(f"{error}   (? for help)", "yellow")

    def _beside(self, what: str, rest: str) -> None:
        """Whatever leaves the table as it is."""
        session = self._session
        if what == "help":
            self._say(HELP)
        elif what == "hint":
            spec = rest or self._adviser
            with self._console.status(f"{spec} is thinking"):
                action = session.hint(spec)
            self._say(f"{spec} would: {phrase(action)}", "cyan")
        elif what == "list":
            self._list(rest)
        elif what == "designs":
            for line in hand(session.game.rules, session.view(), session.seat, session.swaps_away(), every=True):
                self._console.print(line)
        elif what == "log":
            for event in session.events[-EVENTS_KEPT:]:
                self._tell(event)
        else:
            self._show()

    def _list(self, kind: str) -> None:
        wanted = [phrase(action) for action in self._session.legal() if action["kind"].startswith(kind)]
        if not wanted:
            raise EttanaError(f"nothing of kind {kind!r} is possible now")
        self._say(", ".join(wanted))

    def _show(self) -> None:
        session = self._session
        legal = session.legal()
        labels = [session.label(seat) for seat in range(session.game.players)]
        self._console.print()
        view = session.view()
        self._console.print(table(session.game.rules, view, labels, session.seat, legal, session.swaps_away()))
        self._judge_now()
        if self._chance is not None and self._judge is not None:
            self._say(f"you win {self._chance:.0%}   by {self._judge.about}", "dim")
        for group, forms in short_forms(legal, session.game.rules):
            line = Text(f"{group:<6} ", style="dim")
            line.append(forms, style="default")
            line.truncate(self._console.width - 1, overflow="ellipsis")
            self._console.print(line, no_wrap=True)

    def _judge_now(self) -> None:
        if self._judge is not None and not self._session.game.over:
            chance = self._judge.judge([self._session.game])[0].chances[self._session.seat]
            self._chance = self._chance if chance is None else chance

    def _tell(self, event: Event) -> None:
        line = Text(f" {LETTERS[event.seat]} ", style=SEAT_STYLES[event.seat])
        who = "you" if event.seat == self._session.seat else self._session.names[event.seat]
        line.append(f" {who} {event.text}", style="default")
        self._console.print(line)

    def _say(self, text: str, style: str = "default") -> None:
        self._console.print(Text(text, style=style))
