"""Small sets as bits: designs by their place in the deck (64 bits), octagons (25), squares (36)."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from ettana_env.compiled import compiled

ONE = np.uint64(1)


def lowest(bits: Any) -> int:
    """The place of the lowest bit that is set; `bits` is an unsigned 64-bit number, not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def how_many(bits: Any) -> int:
    """The number of bits set in an unsigned 64-bit number."""
    return int(bits).bit_count()


@intrinsic
def _trailing_zeros(_context: Any, bits: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), emit


@intrinsic
def _population(_context: Any, bits: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), emit


@overload(lowest)
def _lowest(bits: Any) -> Any:
    def implementation(bits: Any) -> Any:
        return np.int64(_trailing_zeros(np.uint64(bits)))

    return implementation


@overload(how_many)
def _how_many(bits: Any) -> Any:
    def implementation(bits: Any) -> Any:
        return np.int64(_population(np.uint64(bits)))

    return implementation


@compiled
def bit(place: int) -> np.uint64:
    """The set holding `place` alone."""
    return ONE << np.uint64(place)


@compiled
def holds(bits: np.uint64, place: int) -> bool:
    """Is `place` in the set?"""
    return (bits >> np.uint64(place)) & ONE != 0


@compiled
def nth(bits: np.uint64, n: int) -> int:
    """The place of the set's n-th member, counted from 0; NONE (-1) if it has not so many."""
    while bits != 0:
        if n == 0:
            return lowest(bits)
        bits &= bits - ONE
        n -= 1
    return -1
