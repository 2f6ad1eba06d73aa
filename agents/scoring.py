"""The scores of legal actions, their softmax, and its slope: compiled, over the legal actions alone.

A network gives, for every position, a number for each *part* an action can have (its verb, its square, octagons, …), a
weight for each feature by verb, and `hints` for a small network that looks at one action at a time. The score of an
action is the sum of its parts, of its features by their weights, and of what the small network says of it. Torch sees
one function with a slope; nothing of the size of the action space is ever made.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ettana_env.actions import Catalogue
from ettana_env.compiled import compiled
from ettana_env.vocabulary import COLOURS, DIE_COLOURS, FACES, MAX_SQUARES, NONE, OCTAGONS, VERBS

SLOTS = 8
"""Places in the hand that have a part of their own; later ones share the last."""

MOST_PARTS = 3

KINDS_OF_PARTS = {
    "verb": len(VERBS),
    "place": MAX_SQUARES,
    "step": MAX_SQUARES,
    "jump": MAX_SQUARES,
    "move_card": MAX_SQUARES,
    "pay": 8,
    "free_swap": OCTAGONS,
    "any_swap": OCTAGONS,
    "replace_yarn": OCTAGONS,
    "colour": len(COLOURS),
    "replace_tile": MAX_SQUARES,
    "tile": 2,
    "claim": SLOTS,
    "exchange": SLOTS,
    "steal_card": 4,
    "steal_tokens": 4,
    "gain_tokens": FACES + 1,
    "preset": len(DIE_COLOURS),
}
"""The parts by kind, and how many there are of each."""

FIRST = dict(zip(KINDS_OF_PARTS, np.cumsum([0, *KINDS_OF_PARTS.values()])[:-1].tolist(), strict=True))
PARTS = sum(KINDS_OF_PARTS.values())


def flat_parts(catalogue: Catalogue) -> NDArray[np.int16]:
    """By action, a part of its own: what a plain network has."""
    table = np.full((len(catalogue), MOST_PARTS), NONE, np.int16)
    table[:, 0] = np.arange(len(catalogue))
    return table


def parts_of(catalogue: Catalogue) -> NDArray[np.int16]:
    """By action, its parts, NONE after the last."""
    table = np.full((len(catalogue), MOST_PARTS), NONE, np.int16)
    for index, (verb, a, b) in enumerate(catalogue.parts):
        name = VERBS[verb]
        parts = [verb]
        if name in ("place", "jump", "move_card", "steal_card", "steal_tokens", "gain_tokens", "preset"):
            parts.append(FIRST[name] + a)
        elif name == "step":
            parts += [FIRST["step"] + a, FIRST["pay"] + b]
        elif name in ("free_swap", "buy_swap", "swap_card"):
            swap = FIRST["free_swap" if name == "free_swap" else "any_swap"]
            parts += [swap + a, swap + b]
        elif name == "replace_yarn":
            parts += [FIRST["replace_yarn"] + a, FIRST["colour"] + b]
        elif name == "replace_tile":
            parts += [FIRST["replace_tile"] + a, FIRST["tile"] + b]
        elif name in ("claim", "exchange"):
            parts.append(FIRST[name] + min(a, SLOTS - 1))
        table[index, : len(parts)] = parts
    return table


def verbs_of(catalogue: Catalogue) -> NDArray[np.int16]:
    """By action, its verb."""
    return np.array([parts.verb for parts in catalogue.parts], np.int16)


@compiled
def alike(verbs: Any, actions: Any, features: Any, e: int) -> bool:
    """Does a legal action differ from the one before in its parts alone? Most swaps do: the rest is done once."""
    if verbs[actions[e]] != verbs[actions[e - 1]]:
        return False
    for f in range(features.shape[1]):
        if features[e, f] != features[e - 1, f]:
            return False
    return True


@compiled
def look_closely(row: int, verb: int, features: Any, hints: Any, small: Any, by_verb: Any, z: Any) -> None:
    """What the small network sees of an action with these features, before anything below 0 is cut off."""
    for k in range(hints.shape[1]):
        z[k] = hints[row, k] + by_verb[verb, k]
    for f in range(len(features)):
        x = features[f]
        if x != 0:
            for k in range(hints.shape[1]):
                z[k] += small[f, k] * x


@compiled
def score_row(
    row: int, first: int, last: int, parts: Any, verbs: Any, actions: Any, features: Any, out: Any, hints: Any,
    small: Any, by_verb: Any, weight: Any, z: Any, chances: Any,
) -> float:  # fmt: skip
    """Write the softmax of one position's scores to `chances`; the logarithm of its total. `z` is room to work in."""
    count = features.shape[1]
    weights_start = out.shape[1] - by_verb.shape[0] * count
    most = -1e30
    shared = np.float32(0)
    for e in range(first, last):
        action = actions[e]
        if e == first or not alike(verbs, actions, features, e):
            verb = verbs[action]
            shared = np.float32(0)
            base = weights_start + verb * count
            for f in range(count):
                shared += out[row, base + f] * features[e, f]
            look_closely(row, verb, features[e], hints, small, by_verb, z)
            for k in range(hints.shape[1]):
                shared += weight[k] * max(z[k], np.float32(0))
        score = shared
        for k in range(MOST_PARTS):
            if parts[action, k] >= 0:
                score += out[row, parts[action, k]]
        chances[e] = score
        most = max(most, score)
    total = 0.0
    for e in range(first, last):
        chances[e] = np.exp(chances[e] - most)
        total += chances[e]
    for e in range(first, last):
        chances[e] /= total
    return most + np.log(total)


@compiled
def score_all(
    offsets: Any, chosen: Any, parts: Any, verbs: Any, actions: Any, features: Any, out: Any, hints: Any,
    small: Any, by_verb: Any, weight: Any, chances: Any, log_chosen: Any, entropy: Any,
) -> None:  # fmt: skip
    """The chances of all legal actions, the logarithm of the chosen one's (its place in `chosen`), and the entropy."""
    z = np.empty(hints.shape[1], np.float32)
    for row in range(len(offsets) - 1):
        first, last = offsets[row], offsets[row + 1]
        score_row(row, first, last, parts, verbs, actions, features, out, hints, small, by_verb, weight, z, chances)
        total = 0.0
        for e in range(first, last):
            if chances[e] > 0:
                total -= chances[e] * np.log(chances[e])
        entropy[row] = total
        log_chosen[row] = np.log(max(chances[first + chosen[row]], np.float32(1e-30)))


@compiled
def slopes(
    offsets: Any, chosen: Any, parts: Any, verbs: Any, actions: Any, features: Any, hints: Any, small: Any,
    by_verb: Any, weight: Any, chances: Any, entropy: Any, by_log: Any, by_entropy: Any, to_out: Any, to_hints: Any,
    to_small: Any, to_by_verb: Any, to_weight: Any,
) -> None:  # fmt: skip
    """Add to the slopes of everything the scores are made of."""
    count = features.shape[1]
    weights_start = to_out.shape[1] - by_verb.shape[0] * count
    z = np.empty(hints.shape[1], np.float32)
    for row in range(len(offsets) - 1):
        first, last = offsets[row], offsets[row + 1]
        shared = np.float32(0)
        for e in range(first, last):
            p = chances[e]
            slope = -by_log[row] * p
            if p > 0:
                slope -= by_entropy[row] * p * (np.log(p) + entropy[row])
            if e == first + chosen[row]:
                slope += by_log[row]
            action = actions[e]
            for k in range(MOST_PARTS):
                if parts[action, k] >= 0:
                    to_out[row, parts[action, k]] += slope
            shared += slope
            if e + 1 < last and alike(verbs, actions, features, e + 1):
                continue
            verb = verbs[action]
            base = weights_start + verb * count
            for f in range(count):
                to_out[row, base + f] += shared * features[e, f]
            look_closely(row, verb, features[e], hints, small, by_verb, z)
            for k in range(hints.shape[1]):
                seen = max(z[k], np.float32(0))
                to_weight[k] += shared * seen
                z[k] = shared * weight[k] if seen > 0 else np.float32(0)
                to_hints[row, k] += z[k]
                to_by_verb[verb, k] += z[k]
            for f in range(count):
                x = features[e, f]
                if x != 0:
                    for k in range(hints.shape[1]):
                        to_small[f, k] += z[k] * x
            shared = np.float32(0)


@compiled
def pick(offsets: Any, chances: Any, draws: Any, chosen: Any) -> None:
    """By row, the place of a legal action: drawn by the chances with a number from 0 to 1, or the likeliest if < 0."""
    for row in range(len(offsets) - 1):
        first, last = offsets[row], offsets[row + 1]
        place = 0
        if draws[row] < 0:
            for e in range(first, last):
                if chances[e] > chances[first + place]:
                    place = e - first
        else:
            left = draws[row]
            place = last - first - 1
            for e in range(first, last):
                left -= chances[e]
                if left < 0:
                    place = e - first
                    break
        chosen[row] = place


class Scores(torch.autograd.Function):
    """The logarithm of the chance of the chosen actions, and the entropy, with slopes."""

    @staticmethod
    def forward(
        ctx: Any, out: Any, hints: Any, small: Any, by_verb: Any, weight: Any, seen: Any, chosen: Any, tables: Any
    ) -> Any:
        """`seen` is a Seen, `chosen` the place of each row's action among its legal ones, `tables` parts and verbs."""
        arrays = [tensor.detach().numpy() for tensor in (out, hints, small, by_verb, weight)]
        rows = len(seen.offsets) - 1
        chances = np.empty(len(seen.actions), np.float32)
        log_chosen, entropy = np.empty(rows, np.float32), np.empty(rows, np.float32)
        score_all(seen.offsets, chosen, *tables, seen.actions, seen.features, *arrays, chances, log_chosen, entropy)
        ctx.kept = seen, chosen, tables, arrays, chances, entropy
        return torch.from_numpy(log_chosen), torch.from_numpy(entropy)

    @staticmethod
    def backward(ctx: Any, by_log: Any, by_entropy: Any) -> Any:
        """The slopes of everything the scores are made of."""
        seen, chosen, tables, arrays, chances, entropy = ctx.kept
        _, hints, small, by_verb, weight = arrays
        to = [np.zeros_like(array) for array in arrays]
        slopes(
            seen.offsets, chosen, *tables, seen.actions, seen.features, hints, small, by_verb, weight, chances, entropy,
            by_log.contiguous().numpy(), by_entropy.contiguous().numpy(), *to,
        )  # fmt: skip
        return *map(torch.from_numpy, to), None, None, None
