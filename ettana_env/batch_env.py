"""Self-play in batches: N games as arrays, one call a step, no Python per game."""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ettana_env.actions import Catalogue
from ettana_env.engine import selfplay
from ettana_env.engine.batch import Games, in_threads, new_games
from ettana_env.engine.planning import FEATURES, PLAN
from ettana_env.engine.ways import WORK
from ettana_env.errors import EttanaError, IllegalAction
from ettana_env.features import check_features
from ettana_env.game import Game, catalogue_of, check_rules, check_seed
from ettana_env.observation import Layout, layout
from ettana_env.rewards import reward_code
from ettana_env.rules import Rules
from ettana_env.tables import tables_of
from ettana_env.validation import shown, whole_number
from ettana_env.vocabulary import NONE

MAX_FIRST_SEED = 2**62


class BatchEnv:
    """N games that one policy plays from every seat.

    ```python
    env = BatchEnv(1024, players=4, features="planning")
    env.reset(seed=7)
    while True:
        actions = policy(env.observations, env.masks)     # one for each game, for the seat in env.seats
        env.step(actions)
        env.rewards, env.terminated, env.truncated        # of that step
    ```

    All arrays are made once and written in place; take a copy of what must outlive the next step. They are read-only
    to callers. A step plays one action in every game (NONE, -1, leaves a game alone). A game that ends is started anew
    in the same step: `terminated` or `truncated` is true, `rewards` and the `ended_…` arrays tell how it ended, and
    observation, mask and seat are those of the new game; a seed whose game is over at once is passed over. With
    `autoreset=False` it stays over instead (its seat is NONE, its mask all false) until `restart`.

    Rewards are paid to every seat for whatever happened in the step, not only to the seat that acted: a learner adds up
    each seat's rewards from one of its decisions to its next.

    With `forced=True` actions that leave no choice (a single legal one, such as a roll with no preset card in hand) are
    played inside, and every decision handed out is a real one.

    Game i starts with seed `seed + i`, and the next game in its place has the seed `N` further on, so no two games of a
    run share one; `Game(rules, players, seed=int(env.seeds[i]))` is the same game. Neither the number of threads nor
    anything else changes what a seed gives.
    """

    def __init__(
        self,
        games: int,
        rules: Rules | None = None,
        players: int | Sequence[int] = 4,
        *,
        features: str | None = None,
        rewards: str = "zero_sum",
        forced: bool = False,
        autoreset: bool = True,
        turn_ends: bool = False,
        threads: int = 1,
    ) -> None:
        """Make room for `games` games.

        `players` is one number for all, or several that are dealt out in turn (`[2, 3, 4]` plays a third of each).
        `features="planning"` fills `action_features` as well; `rewards` names a scheme of `ettana_env.rewards`.
        `turn_ends` keeps games as they were when a turn ended, before what was forced after it.
        """
        self.rules = check_rules(rules)
        self.size = _positive("games", games)
        self.threads = _positive("threads", threads)
        self.forced, self.autoreset = bool(forced), bool(autoreset)
        self.players = _players(self.rules, players, self.size)
        self._scheme = reward_code(rewards)
        self._tables = tables_of(self.rules)
        self._games = new_games(self.size)
        self._turn_ends = new_games(self.size if turn_ends else 0)
        self._rows = np.zeros(self.size, selfplay.ROW)
        self._rows["players"] = self.players
        self._legal = np.zeros((self.size, len(self.actions) + 1), np.int16)
        self._masks = np.zeros((self.size, len(self.actions)), np.bool_)
        self._observations = np.zeros((self.size, self.layout.size), np.float32)
        with_features = check_features(features)
        shape = (self.size if with_features else 0, len(self.actions), FEATURES)
        self._features = np.zeros(shape, np.float32)
        self._work_rooms = {start: np.zeros(1, WORK) for start in self._starts()}
        self._plans = np.zeros(max(shape[0], 1), PLAN)
        self._ready = False

    def _starts(self) -> list[int]:
        return [self.size * i // self.threads for i in range(self.threads)]

    @property
    def actions(self) -> Catalogue:
        """The action space."""
        return catalogue_of(self.rules)

    @property
    def layout(self) -> Layout:
        """The layout of an observation."""
        return layout(self.rules)

    def _shown(self, array: NDArray[Any]) -> NDArray[Any]:
        view = array.view()
        view.flags.writeable = False
        return view

    @property
    def observations(self) -> NDArray[np.float32]:
        """(N, observation size): what the seat to act sees."""
        return self._shown(self._observations)

    @property
    def masks(self) -> NDArray[np.bool_]:
        """(N, actions): which are legal; `.view(np.int8)` gives the same as whole numbers."""
        return self._shown(self._masks)

    @property
    def action_features(self) -> NDArray[np.float32]:
        """(N, actions, features) if they were asked for, else of length 0."""
        return self._shown(self._features)

    @property
    def legal(self) -> NDArray[np.int16]:
        """(N, actions + 1): the legal actions of each game, rising, as many as `legal_counts` says; then anything."""
        return self._shown(self._legal)

    @property
    def legal_counts(self) -> NDArray[np.int32]:
        """(N,): how many actions are legal."""
        return self._shown(self._rows["count"])

    @property
    def seats(self) -> NDArray[np.int8]:
        """(N,): the seat to act."""
        return self._shown(self._rows["seat"])

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """(N,): the seed of each game."""
        return self._shown(self._rows["seed"])

    @property
    def rewards(self) -> NDArray[np.float32]:
        """(N, 4): what the last step paid to each seat; absent seats get 0."""
        return self._shown(self._rows["reward"])

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """(N,): whether the last step ended the game by a win."""
        return self._shown(self._rows["terminated"])

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """(N,): whether the last step ran into a limit."""
        return self._shown(self._rows["truncated"])

    @property
    def turn_over(self) -> NDArray[np.bool_]:
        """(N,): whether the last step ended a turn; always False unless `turn_ends` were asked for."""
        return self._shown(self._rows["turn_over"])

    @property
    def turn_ends(self) -> Games:
        """The engine's own records of games as they were when the turn ended, where `turn_over`; if asked for."""
        return self._shown(self._turn_ends)

    @property
    def ended_winners(self) -> NDArray[np.int8]:
        """(N,): who won the game that ended last in this place; NONE (-1) if nobody."""
        return self._shown(self._rows["ended_winner"])

    @property
    def ended_points(self) -> NDArray[np.int16]:
        """(N, 4): every seat's points in the game that ended last."""
        return self._shown(self._rows["ended_points"])

    @property
    def ended_turns(self) -> NDArray[np.int32]:
        """(N,): turns of the game that ended last."""
        return self._shown(self._rows["ended_turns"])

    @property
    def ended_actions(self) -> NDArray[np.int32]:
        """(N,): actions of the game that ended last, forced ones included."""
        return self._shown(self._rows["ended_actions"])

    @property
    def ended_seeds(self) -> NDArray[np.uint64]:
        """(N,): the seed of the game that ended last."""
        return self._shown(self._rows["ended_seed"])

    @property
    def games(self) -> Games:
        """The engine's own records, for compiled code."""
        return self._shown(self._games)

    @classmethod
    def of_games(cls, games: Sequence[Game]) -> "BatchEnv":
        """A batch with a copy of each of these games as it stands, to ask agents about them.

        All must be under the same rules. It starts no games anew.
        """
        if not games or any(game.rules != games[0].rules for game in games):
            raise EttanaError("a batch is made of one game or more, all under the same rules")
        env = cls(len(games), games[0].rules, [game.players for game in games], autoreset=False)
        env._rows["stride"], env._rows["ended_winner"] = env.size, NONE
        env.set_games(np.ones(env.size, np.bool_), np.concatenate([game._games for game in games]))
        return env

    def game(self, i: int) -> Game:
        """A copy of one game as a friendly object."""
        number = whole_number(i)
        if number is None or not 0 <= number < self.size:
            raise EttanaError(f"a game must be from 0 to {self.size - 1}, not {shown(i)}")
        self._need_reset()
        return Game._of_record(self.rules, self._games[i : i + 1].copy(), int(self._rows[i].seed))

    def reset(self, seed: int | NDArray[np.integer[Any]] | None = None) -> None:
        """Start all games: game i with `seed + i`, or with `seed[i]` of an array; with no seed, from a fresh one."""
        self._rows["seed"] = self._first_seeds(seed)
        self._rows["stride"] = self.size
        self._rows["ended_winner"] = NONE
        self._ready = True
        self._start(np.ones(self.size, np.bool_))

    def _first_seeds(self, seed: int | NDArray[np.integer[Any]] | None) -> NDArray[np.uint64]:
        if isinstance(seed, np.ndarray) and seed.ndim > 0:
            if (
                seed.shape != (self.size,)
                or seed.dtype.kind not in "iu"
                or seed.min() < 0
                or seed.max() > MAX_FIRST_SEED
            ):
                raise EttanaError(f"seeds must be {self.size} whole numbers from 0 to 2**62, not {shown(seed)}")
            return seed.astype(np.uint64)
        first = secrets.randbelow(MAX_FIRST_SEED) if seed is None else check_seed(seed)
        if first > MAX_FIRST_SEED:
            raise EttanaError(f"seed must be from 0 to 2**62, so that there is room for those that follow, not {seed}")
        return np.arange(self.size, dtype=np.uint64) + np.uint64(first)

    def restart(self, which: NDArray[np.bool_]) -> None:
        """Start the marked games anew, each with its next seed: for `autoreset=False`."""
        self._need_reset()
        marked = self._check_marks(which)
        self._rows["seed"][marked] += np.uint64(self.size)
        self._start(marked)

    def set_games(self, which: NDArray[np.bool_], records: Games) -> None:
        """Put whole games (records as in `games`, of a batch of the same rules) in the marked places and go on there.

        It is for searches: copy `games`, change the copies by compiled code, and play them out here. Each game's own
        seed, which decides the chance to come, is in its record.
        """
        marked = self._check_marks(which)
        if records.dtype != self._games.dtype or len(records) != int(marked.sum()):
            raise EttanaError(f"{int(marked.sum())} places are marked; as many game records must be given")
        self._games[marked] = records
        self._rows["seed"][marked] = records["seed"]
        self._rows["players"][marked] = records["players"]
        self._rows["carried"][marked] = 0
        self._ready = True
        self._play(np.where(marked, selfplay.GO_ON, NONE))

    def _check_marks(self, which: object) -> NDArray[np.bool_]:
        marked = np.asarray(which)
        if marked.shape != (self.size,) or marked.dtype != np.bool_:
            raise EttanaError(f"games are marked by {self.size} booleans, one a game, not {shown(which)}")
        return marked

    def _start(self, which: NDArray[np.bool_]) -> None:
        self._play(np.where(which, selfplay.START, NONE))

    def _play(self, actions: NDArray[np.int64]) -> None:
        def one(start: int, stop: int) -> None:
            selfplay.step_slice(
                self._tables,
                self._games,
                self._rows,
                self._legal,
                self._masks,
                self._observations,
                self._features,
                self._work_rooms[start],
                self._plans,
                actions,
                self._turn_ends,
                self._scheme,
                self.forced,
                self.autoreset,
                start,
                stop,
            )

        in_threads(self.threads, self.size, one)
        if self.autoreset and not self._rows["count"].all():
            raise EttanaError(f"rules {self.rules.name!r} leave nothing to decide: game after game is over at once")

    def step(self, actions: NDArray[Any] | Sequence[int]) -> None:
        """Play one action in each game. An illegal one raises IllegalAction before anything is played."""
        self._need_reset()
        given = self.check_shape(actions)
        i = selfplay.find_illegal(self._masks, given, 0, self.size)
        if i != NONE:
            self._refuse(i, int(given[i]))
        self._play(given)

    def check_shape(self, actions: object) -> NDArray[np.int64]:
        """`actions` as an array with a whole number for each game; else an EttanaError."""
        given = np.asarray(actions)
        if given.shape != (self.size,) or given.dtype.kind not in "iu":
            raise EttanaError(f"step takes {self.size} action indices, one a game, not {shown(actions)}")
        if given.dtype.kind == "u":
            given = np.minimum(given, len(self.actions))  # too large is out of range, not another number
        return given.astype(np.int64, copy=False)

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.game(i).play(action)
        except IllegalAction as error:
            raise IllegalAction(error.action, f"in game {i}: {error.reason}") from None
        raise IllegalAction(action, f"in game {i}: it is not legal")

    def random_actions(self, which: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """A random legal action for every game, or for those marked (NONE for the others).

        It is worked out from the game's seed and the moment, so it repeats with the seed.
        """
        self._need_reset()
        marked = np.ones(self.size, np.bool_) if which is None else self._check_marks(which)
        actions = np.full(self.size, NONE, np.int64)
        in_threads(
            self.threads,
            self.size,
            partial(selfplay.choose_random_slice, self._games, self._rows, self._legal, marked, actions),
        )
        return actions

    def _need_reset(self) -> None:
        if not self._ready:
            raise EttanaError("call reset first: no game has been started")


def _positive(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise EttanaError(f"{name} must be a whole number from 1 up, not {shown(value)}")
    return int(value)


def _players(rules: Rules, players: int | Sequence[int], size: int) -> NDArray[np.int8]:
    counts = list(players) if isinstance(players, list | tuple | range | np.ndarray) else [players]
    if not counts:
        raise EttanaError("players must be a number or several, not an empty list")
    each = [rules.check_players(number) for number in counts]
    return np.array([each[i % len(each)] for i in range(size)], np.int8)
