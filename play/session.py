"""A person's game: who sits where, what the person may see and do, taking back, hints, and the record on disk."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from agents import opponent
from ettana_env import BatchEnv, EttanaError, Game, Recorder, Rules, read_record
from ettana_env.engine.distance import IMPOSSIBLE, distance
from ettana_env.opponents import Opponent
from ettana_env.states import Json, seen_by
from play.telling import LETTERS, told

PERSON = "human"
"""The name a person's seat has in a record."""

QUIET = frozenset(
    {
        "step",
        "jump",
        "move_card",
        "free_swap",
        "buy_swap",
        "swap_card",
        "replace_yarn",
        "replace_tile",
        "claim",
        "steal_tokens",
        "collect_three",
        "tax",
    }
)
"""Actions that show the player nothing new: no roll, no card drawn or stolen. They can be taken back."""


@dataclass(frozen=True)
class Event:
    """Something that happened: who did it, in which turn, and what, as the person may know it."""

    seat: int
    turn: int
    text: str


@dataclass(frozen=True)
class _Move:
    action: Json
    before: Game


def seat_of(text: str, players: int) -> int:
    """The seat that a letter (A to D) or a number (from 0) names; else an EttanaError."""
    known = {LETTERS[seat].lower(): seat for seat in range(players)} | {str(seat): seat for seat in range(players)}
    if text.lower() not in known:
        raise EttanaError(f"a seat must be one of {', '.join(LETTERS[:players])}, not {text!r}")
    return known[text.lower()]


def line_up_of(opponents: Sequence[str], players: int, seat: int) -> list[str]:
    """Who sits where: the person in `seat`, the opponents in the others, the last one named filling the table."""
    if not 1 <= len(opponents) <= players - 1:
        raise EttanaError(f"{len(opponents)} opponents are named for {players} players, one of them you")
    others = [*opponents, *[opponents[-1]] * (players - 1 - len(opponents))]
    return [*others[:seat], PERSON, *others[seat:]]


def new_file(folder: Path, seed: int | None) -> Path:
    """A name for a new record in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EttanaError(f"{folder}: cannot be made a folder for the record: {error.strerror}") from None
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-seed{seed}"
    path, number = folder / f"{stem}.jsonl", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.jsonl"
    return path


class Session:
    """One person against agents.

    `names` has a spec for every agent's seat, and "human" for the person's, one only. `version` grows with every
    change, so that whoever acts on an older table can be told. Nothing here shows more than the person's seat may know,
    but for `game`, which is the whole truth.
    """

    def __init__(self, game: Game, names: Sequence[str], recorder: Recorder | None = None) -> None:
        """Sit down at `game`; with a recorder of that game, every action is written as it is played."""
        if len(names) != game.players or list(names).count(PERSON) != 1:
            raise EttanaError(f"one of the {game.players} seats must be {PERSON}, not {', '.join(names)}")
        self.game, self.names, self.version = game, list(names), 0
        self.seat = self.names.index(PERSON)
        self._recorder = recorder
        self._moves: list[_Move] = []
        self.events: list[Event] = []
        self._agents: dict[str, Opponent] = {}
        for name in self.names:
            if name != PERSON:
                self._agent(name)  # a misspelt one is told now, not when its turn comes

    @classmethod
    def new(
        cls, names: Sequence[str], rules: Rules | None = None, seed: int | None = None, path: Path | None = None
    ) -> "Session":
        """A fresh game; with a path it is saved there as it goes."""
        session = cls(Game(rules, len(names), seed), names)
        if path is not None:
            session.save_to(path)
        return session

    def save_to(self, path: Path) -> None:
        """Save the game in a new file from here on, as it goes."""
        self._recorder = Recorder(path, self.game, self.names)

    @classmethod
    def resume(cls, path: Path) -> "Session":
        """Go on with a saved game, and save it in the same file."""
        record = read_record(path, unfinished=True)
        if record.result:
            raise EttanaError(f"{path}: the game is over; watch it with: ettana replay {path}")
        if record.names.count(PERSON) != 1:
            raise EttanaError(f"{path}: no person plays here: the names are {', '.join(record.names)}")
        session = cls(record.first, record.names)
        for step in record.steps:
            session._note(step.action, session.game, step.game)
            session.game = step.game
        session._recorder = Recorder.going_on(path, record)
        session.game = session._recorder.game
        return session

    def close(self) -> None:
        """Close the record; it can be gone on with."""
        if self._recorder is not None:
            self._recorder.close()

    # --- What the person sees ---

    @property
    def yours(self) -> bool:
        """Is it the person who is to act?"""
        return not self.game.over and self.game.player == self.seat

    def view(self) -> Json:
        """The table as the person may see it."""
        return self.game.view(self.seat)

    def legal(self) -> list[Json]:
        """What the person may do now; nothing while others are to act."""
        return self.game.legal_actions() if self.yours else []

    def label(self, seat: int) -> str:
        """A seat's letter and who sits there."""
        return f"{LETTERS[seat]} {'you' if seat == self.seat else self.names[seat]}"

    def swaps_away(self) -> dict[str, int | None]:
        """By design in the person's hand, the fewest swaps that complete it; None if the yarns are not there."""
        found: dict[str, int | None] = {}
        deck = [design.name for design in self.game.rules.designs]
        for name in self.view()["design_hands"][self.seat]:
            away = int(distance(self.game._tables[0], self.game.record, deck.index(name)))
            found[name] = None if away >= IMPOSSIBLE else away
        return found

    # --- What the person does ---

    def play(self, action: int | Json) -> None:
        """Play the person's action; an illegal one raises IllegalAction and changes nothing."""
        if self.game.over:
            raise EttanaError("the game is over")
        if not self.yours:
            raise EttanaError(f"it is the turn of {self.label(self.game.player)}, not yours")
        self._do(action)

    @property
    def can_undo(self) -> bool:
        """Can the last action be taken back: the person's own, in this turn, with nothing hidden shown by it?"""
        return self.yours and bool(self._moves) and self._moves[-1].action["kind"] in QUIET and self._own_last()

    def _own_last(self) -> bool:
        before = self._moves[-1].before
        return before.player == self.seat and bool(before.record.turn == self.game.record.turn)

    def undo(self) -> str:
        """Take the last action back and tell what it was; an EttanaError if that cannot be."""
        if not self.can_undo:
            raise EttanaError("there is nothing to take back: rolls, drawn or stolen cards and ended turns stand")
        move, event = self._moves.pop(), self.events.pop()
        before = move.before
        if self._recorder is not None:
            self._recorder.take_back(before)
        self.game = before
        self.version += 1
        return event.text

    def hint(self, spec: str) -> Json:
        """What an agent would do in the person's place, by what the person may know."""
        if not self.yours:
            raise EttanaError("it is not your turn: there is nothing to advise")
        return self.game.action_of(self.choice(spec, self.game))

    # --- What the others do ---

    def answer(self, chosen: int | None = None) -> Event:
        """Let the agent whose turn it is play one action; `chosen`, if its `choice` was asked for before."""
        if self.game.over or self.yours:
            raise EttanaError("it is your turn" if self.yours else "the game is over")
        self._do(self.choice(self.names[self.game.player], self.game) if chosen is None else chosen)
        return self.events[-1]

    def warm_up(self, *more: str) -> None:
        """Let every agent, and `more`, think once about another game, so that what must be compiled is."""
        elsewhere = Game(self.game.rules, self.game.players, seed=1)
        for spec in dict.fromkeys([*self.names, *more]):
            if spec != PERSON:
                self.choice(spec, elsewhere)

    def _agent(self, spec: str) -> Opponent:
        if spec.partition(":")[0] == PERSON:
            raise EttanaError("one person plays; the others must be agents, as `ettana agents` lists them")
        if spec not in self._agents:
            self._agents[spec] = opponent(spec)
        return self._agents[spec]

    def choice(self, spec: str, game: Game) -> int:
        """What an agent would do as the seat to act in `game`; an EttanaError if it breaks down."""
        agent = self._agent(spec)
        legal = game.legal_indices()
        if len(legal) == 1:
            return legal[0]
        chosen = self._ask(agent, spec, game)
        if chosen not in legal:
            raise EttanaError(f"{spec} answered {chosen}, which is not legal; the game stands as it was")
        return chosen

    def _ask(self, agent: Opponent, spec: str, game: Game) -> int:
        try:
            return int(agent.choose(BatchEnv.of_games([game]), np.ones(1, np.bool_))[0])
        except EttanaError as error:
            raise EttanaError(f"{spec}: {error}") from error
        except Exception as error:
            raise EttanaError(f"{spec} crashed ({type(error).__name__}: {error}); the game stands as it was") from error

    def _do(self, action: int | Json) -> None:
        before = self.game.copy()
        index = before.index_of(action)
        if self._recorder is not None:
            self._recorder.play(action)
        else:
            self.game.play(action)
        self._note(before.action_of(index), before, self.game)
        self.version += 1

    def _note(self, action: Json, before: Game, after: Game) -> None:
        seen = seen_by(before.to_dict(), self.seat), seen_by(after.to_dict(), self.seat)
        self._moves.append(_Move(action, before))
        self.events.append(Event(before.player, int(before.record.turn), told(seen[0], action, seen[1], self.seat)))
