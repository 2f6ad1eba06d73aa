"""The network that plays: from what a seat sees to the chances of its legal actions, and how likely it is to win.

It needs torch and nothing of the training kit. It is saved as safetensors, with a JSON file beside it that says what it
was made for.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import nn

from agents.foresight import Foresight
from agents.looking import Looker, Seen
from agents.scoring import PARTS, Scores, flat_parts, parts_of, pick, score_all, verbs_of
from ettana_env import Rules
from ettana_env.actions import Catalogue
from ettana_env.engine.planning import FEATURES, GAIN, HARM, POINTS, REACH, TOKENS, WINS
from ettana_env.engine.ways import PROSPECTS
from ettana_env.errors import EttanaError
from ettana_env.observation import VERSION as OBSERVATION_VERSION
from ettana_env.observation import layout
from ettana_env.vocabulary import V_CLAIM, VERBS

FORMAT = "ettana-policy/1"

START = {GAIN: 5.0, HARM: -4.0, POINTS: 5.0, WINS: 5.0, TOKENS: 2.0, REACH: 2.0}
"""The weights that features have before anything is learned: good things are good."""


WITHOUT = ("yarns", "tiles", "reserve_tiles", "pins", "placing_rolls", "claimed", "held", "slots")
"""What a network does best without: where which yarn lies, and which design is which. Features and prospects say what
that means for the hand, whichever way the board is turned and whatever the colours."""


@dataclass(frozen=True)
class Shape:
    """How a network is built."""

    hidden: tuple[int, ...] = (256, 256)
    """Widths of the dense layers of the trunk."""
    hints: int = 16
    """Width of the small network that looks at each legal action; 0 for none."""
    head: str = "parts"
    """`parts`: the score of an action is a sum over its parts; `flat`: every action has an output of its own."""
    features: int = FEATURES
    """How many of the action features it looks at, from the first."""
    prospects: bool = True
    """Whether it sees how the hand stands (`ettana_env.engine.prospects`)."""
    without: tuple[str, ...] = WITHOUT
    """Parts of the observation that it does not look at."""
    foresight: tuple[int, ...] = (128, 128)
    """Widths of the layers that value a turn that is over; none: such turns are not valued."""

    def __post_init__(self) -> None:
        """The order in which parts are left out does not matter."""
        object.__setattr__(self, "without", tuple(sorted(self.without)))


class Network(nn.Module):
    """A trunk of dense layers over the position and the best of each feature, and heads for scores and value."""

    def __init__(self, rules: Rules, shape: Shape | None = None) -> None:
        """A fresh network for the board and action space of the rules."""
        super().__init__()
        self.rules, self.shape = rules, shape or Shape()
        catalogue = Catalogue(rules)
        flat = self.shape.head == "flat"
        self._tables = (flat_parts if flat else parts_of)(catalogue), verbs_of(catalogue)
        self._parts = len(catalogue) if flat else PARTS
        inputs = sum(part.size for name, part in layout(rules).items() if name not in self.shape.without)
        inputs += PROSPECTS * self.shape.prospects + self.shape.features
        sizes = [inputs, *self.shape.hidden]
        layers: list[nn.Module] = []
        for size, following in pairwise(sizes):
            layers += [nn.Linear(size, following), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        hints, features = self.shape.hints, self.shape.features
        self.scores = nn.Linear(sizes[-1], self._parts + len(VERBS) * features)
        self.hint = nn.Linear(sizes[-1], hints) if hints else None
        self.small = nn.Parameter(torch.zeros(features, hints))
        self.by_verb = nn.Parameter(torch.zeros(len(VERBS), hints))
        self.weight = nn.Parameter(torch.zeros(hints))
        self.value = nn.Linear(sizes[-1], 1)
        self._initialise()
        self.foresight = Foresight(rules, self._seen_parts(), self.shape.foresight) if self.shape.foresight else None

    def looker(self) -> Looker:
        """What looks at a batch as this network needs it."""
        return Looker(self._seen_parts(), self.shape.features, self.shape.prospects)

    def _seen_parts(self) -> list[str]:
        return [name for name in layout(self.rules) if name not in self.shape.without]

    def check_board(self, rules: Rules) -> None:
        """Refuse rules whose board is not the one the network was made for."""
        if rules.rim_squares != self.rules.rim_squares:
            raise EttanaError(f"the policy was made for another board than that of rules {rules.name!r}")

    def copy(self) -> "Network":
        """Another one with the same weights."""
        network = Network(self.rules, self.shape)
        network.load_state_dict(self.state_dict())
        return network

    def _initialise(self) -> None:
        for layer in self.trunk:
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, 2**0.5)
                nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.scores.weight, 0.01)
        nn.init.zeros_(self.scores.bias)
        weights = self.scores.bias.data[self._parts :].view(len(VERBS), self.shape.features)
        for feature, weight in START.items():
            if feature < self.shape.features:
                weights[:, feature] = weight
        if self.shape.head == "parts":
            self.scores.bias.data[V_CLAIM] = 3.0
        nn.init.orthogonal_(self.value.weight, 1.0)
        nn.init.zeros_(self.value.bias)
        if self.shape.hints:
            nn.init.normal_(self.small, 0, 0.5)
            nn.init.normal_(self.weight, 0, 0.1)

    def _trunk(self, seen: Seen) -> torch.Tensor:
        best = np.maximum.reduceat(seen.features, seen.offsets[:-1], axis=0)
        found: torch.Tensor = self.trunk(torch.from_numpy(np.concatenate([seen.inputs, best], axis=1)))
        return found

    def _heads(self, seen: Seen) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
        body = self._trunk(seen)
        hints = self.hint(body) if self.hint is not None else torch.zeros(len(body), 0)
        parts = self.scores(body), hints, self.small, self.by_verb, self.weight
        return parts, self.value(body).flatten()

    def judge(self, seen: Seen, chosen: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The value, the logarithm of the chance of each chosen action (by place among the legal), and the entropy."""
        parts, value = self._heads(seen)
        log_chosen, entropy = Scores.apply(  # type: ignore[no-untyped-call]
            *parts, seen, chosen, self._tables
        )
        return value, log_chosen, entropy

    @torch.no_grad()
    def chances(self, seen: Seen) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The chance of every legal action, end to end, and the value."""
        parts, value = self._heads(seen)
        chances = np.empty(len(seen.actions), np.float32)
        rows = len(seen.offsets) - 1
        score_all(  # type: ignore[call-arg]
            seen.offsets, np.zeros(rows, np.int64), *self._tables, seen.actions, seen.features,
            *(part.numpy() for part in parts), chances, np.empty(rows, np.float32), np.empty(rows, np.float32),
        )  # fmt: skip
        return chances, value.numpy()

    def choose(self, seen: Seen, draws: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]:
        """By row: the place of an action (see `pick` for the draws), the logarithm of its chance, and the value."""
        chances, value = self.chances(seen)
        chosen = np.empty(len(draws), np.int64)
        pick(seen.offsets, chances, draws, chosen)
        return chosen, np.log(np.maximum(chances[seen.offsets[:-1] + chosen], 1e-30)), value


def shape_of(given: Mapping[str, Any]) -> Shape:
    """The shape that a JSON object (or settings of a run) describes."""
    settings: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return Shape(**settings)


def save_network(network: Network, path: Path, about: Mapping[str, Any]) -> None:
    """Write `path` (safetensors) and, beside it, a JSON file that says what the network is for."""
    card = {
        "format": FORMAT,
        "observation": OBSERVATION_VERSION,
        "network": asdict(network.shape),
        "rules": network.rules.to_dict(),
        **about,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    _in_place(path, lambda part: save_file(network.state_dict(), part))
    _in_place(path.with_suffix(".json"), lambda part: part.write_text(text, encoding="utf-8"))


def _in_place(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place, then move it there."""
    part = path.with_name(path.name + ".part")
    write(part)
    part.replace(path)


def load_network(path: Path) -> tuple[Network, dict[str, Any]]:
    """The network in `path`, and what the JSON file beside it says; what does not fit is an EttanaError."""
    beside = path.with_suffix(".json")
    for file in (path, beside):
        if not file.is_file():
            raise EttanaError(f"{file}: there is no such file")
    try:
        card = json.loads(beside.read_text(encoding="utf-8"))
        if not isinstance(card, dict) or card.get("format") != FORMAT:
            raise EttanaError(f"{beside}: format must be {FORMAT!r}")
        if card.get("observation") != OBSERVATION_VERSION:
            raise EttanaError(
                f"{beside}: made for version {card.get('observation')} of the observation, "
                f"this is version {OBSERVATION_VERSION}"
            )
        network = Network(Rules.from_dict(card["rules"]), shape_of(card["network"]))
        network.load_state_dict(load_file(path))
    except EttanaError:
        raise
    except Exception as error:
        raise EttanaError(f"{path}: is not a policy that can be read: {error}") from None
    return network, card
