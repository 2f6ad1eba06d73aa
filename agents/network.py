"""The network that plays: from what a seat sees to the chances of its legal actions, and how likely it is to win.

It needs torch and nothing of the training kit. It is saved as safetensors, with a JSON file beside it that says what it
was made for.
"""

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import nn

from agents.looking import Seen
from agents.scoring import OUTPUTS, PARTS, Scores, parts_of, pick, score_all, verbs_of
from ettana_env import Rules
from ettana_env.actions import Catalogue
from ettana_env.engine.planning import FEATURES, GAIN, HARM, POINTS, TOKENS, WINS
from ettana_env.errors import EttanaError
from ettana_env.observation import VERSION as OBSERVATION_VERSION
from ettana_env.observation import layout
from ettana_env.vocabulary import V_CLAIM, VERBS

FORMAT = "ettana-policy/1"

START = {GAIN: 5.0, HARM: -4.0, POINTS: 5.0, WINS: 5.0, TOKENS: 2.0}
"""The weights that features have before anything is learned: good things are good."""


class Network(nn.Module):
    """A trunk of dense layers over the observation and the best of each feature, and heads for scores and value."""

    def __init__(self, rules: Rules, hidden: tuple[int, ...] = (256, 256), hints: int = 16) -> None:
        """`hints` is the width of the small network that looks at each action; 0 for none."""
        super().__init__()
        self.rules, self.hidden, self.hints = rules, tuple(hidden), hints
        sizes = [layout(rules).size + FEATURES, *hidden]
        layers: list[nn.Module] = []
        for size, following in pairwise(sizes):
            layers += [nn.Linear(size, following), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.scores = nn.Linear(sizes[-1], OUTPUTS)
        self.hint = nn.Linear(sizes[-1], hints) if hints else None
        self.small = nn.Parameter(torch.zeros(hints, FEATURES))
        self.by_verb = nn.Parameter(torch.zeros(hints, len(VERBS)).T.contiguous())
        self.weight = nn.Parameter(torch.zeros(hints))
        self.value = nn.Linear(sizes[-1], 1)
        catalogue = Catalogue(rules)
        self._tables = parts_of(catalogue), verbs_of(catalogue)
        self._initialise()

    def _initialise(self) -> None:
        for layer in self.trunk:
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, 2**0.5)
                nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.scores.weight, 0.01)
        nn.init.zeros_(self.scores.bias)
        weights = self.scores.bias.data[PARTS:].view(len(VERBS), FEATURES)
        for feature, weight in START.items():
            weights[:, feature] = weight
        self.scores.bias.data[V_CLAIM] = 3.0
        nn.init.orthogonal_(self.value.weight, 1.0)
        nn.init.zeros_(self.value.bias)
        if self.hints:
            nn.init.normal_(self.small, 0, 0.5)
            nn.init.normal_(self.weight, 0, 0.1)

    def _trunk(self, seen: Seen) -> torch.Tensor:
        best = np.maximum.reduceat(seen.features, seen.offsets[:-1], axis=0)
        together = np.concatenate([seen.observations, best], axis=1)
        found: torch.Tensor = self.trunk(torch.from_numpy(together))
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


def save_network(network: Network, path: Path, about: Mapping[str, Any]) -> None:
    """Write `path` (safetensors) and, beside it, a JSON file that says what the network is for."""
    card = {
        "format": FORMAT,
        "observation": OBSERVATION_VERSION,
        "hidden": list(network.hidden),
        "hints": network.hints,
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
        network = Network(Rules.from_dict(card["rules"]), tuple(card["hidden"]), card["hints"])
        network.load_state_dict(load_file(path))
    except EttanaError:
        raise
    except Exception as error:
        raise EttanaError(f"{path}: is not a policy that can be read: {error}") from None
    return network, card
