"""The cheapest ways to complete a design, and which swaps and replacements make them shorter or longer.

A design is as far away as its cheapest *way*: a placement and a colour for each of its groups (see `distance`). A swap
changes the cost of a way by at most one, so the swaps that lower a design's distance are those that shorten one of its
cheapest ways. For one way, what a swap does depends only on which groups the two octagons belong to and on their
colours, so yarns are handled in classes, as sets of bits.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import how_many, lowest
from ettana_env.engine.distance import (
    BYTE,
    END,
    IMPOSSIBLE,
    count,
    cycles_of_three,
    held,
    most,
    most_cycles,
    on_board,
    way,
)
from ettana_env.engine.observe import SLOTS
from ettana_env.vocabulary import COLOURS, MAX_SQUARES, OCTAGONS

MOST_WAYS = 128 * 120
MAX_GROUPS = len(COLOURS)
PROSPECTS = 3 * SLOTS + 9
"""The numbers about a position that `prospects` writes."""
EVERYWHERE = np.uint32(0x1FFFFFF)
NOWHERE = np.uint32(0)

WORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("place", np.int32, MOST_WAYS),  # the cheapest ways of the design at hand
                ("colours", np.int32, MOST_WAYS),  # by group, three bits each
                # By octagon, those it can be swapped with so that the design gets closer; so that every cheapest way
                # gets longer.
                ("better", np.uint32, OCTAGONS),
                ("worse", np.uint32, OCTAGONS),
                # By colour put there, the octagons where a replacement does the same.
                ("better_by", np.uint32, len(COLOURS)),
                ("worse_by", np.uint32, len(COLOURS)),
                ("worse_by_here", np.uint32, len(COLOURS)),
                # One way: by group (the last is the rest of the board) and colour (by the group that wants it, the
                # last is no group), the octagons, and how many they are.
                ("octagons", np.uint32, (MAX_GROUPS + 1, MAX_GROUPS + 1)),
                ("n", np.int64, (MAX_GROUPS + 1, MAX_GROUPS + 1)),
                # By class, the octagons a swap with which makes the way shorter, and longer.
                ("shorter", np.uint32, (MAX_GROUPS + 1, MAX_GROUPS + 1)),
                ("longer", np.uint32, (MAX_GROUPS + 1, MAX_GROUPS + 1)),
                ("cells", np.int64, MAX_GROUPS),
                # What squares have to offer: which are worked out, and what.
                ("known", np.uint64),
                ("pair", np.int64, MAX_SQUARES),
                ("peak", np.float32, MAX_SQUARES),
                ("expected", np.float32, MAX_SQUARES),
                # Squares where a free swap does good, the best first, and how much it does.
                ("ranked", np.int64, MAX_SQUARES),
                ("good", np.float64, MAX_SQUARES),
                # What designs lack after an action, and how the position stands (`prospects`).
                ("left", np.int64, SLOTS),
                ("prospects", np.float32, PROSPECTS),
            ],
            align=True,
        ),
    )
)
"""Room to work in; one for each thread."""


@compiled
def keep(s: Any, n: int, place: int, colours: int) -> int:
    """Note one more cheapest way."""
    s.place[n], s.colours[n] = place, colours
    return n + 1


@compiled
def ways_of(t: Any, g: Any, s: Any, design: int) -> tuple[int, int]:
    """The distance of a design, and how many cheapest ways it has; they are noted in `s`."""
    first, last = t.place_first[design], t.place_first[design + 1]
    groups = np.int64(t.design_groups[design])
    cells = np.int64(t.design_cells[design])
    there = on_board(g)
    size0 = np.int64(t.design_size[design, 0])
    size1 = np.int64(t.design_size[design, 1])
    size2 = np.int64(t.design_size[design, 2])
    end1 = size0 + size1
    end2 = end1 + size2
    best = IMPOSSIBLE - 1
    n = 0
    for place in range(first, last):
        in0 = held(t, g, place, 0, size0)
        if groups == 1:
            for a in range(0, END, BYTE):
                cost = cells - count(in0, a)
                if count(there, a) >= size0 and cost <= best:
                    n = keep(s, n if cost == best else 0, place, a >> 3)
                    best = cost
            continue
        in1 = held(t, g, place, size0, end1)
        most1 = most(in1)
        if groups == 2:
            for a in range(0, END, BYTE):
                wrong = cells - count(in0, a)
                if count(there, a) < size0 or wrong - most1 - count(in1, a) > best:
                    continue
                for b in range(0, END, BYTE):
                    cost = wrong - count(in1, b) - min(count(in0, b), count(in1, a))
                    if b != a and count(there, b) >= size1 and cost <= best:
                        n = keep(s, n if cost == best else 0, place, a >> 3 | b)
                        best = cost
            continue
        in2 = held(t, g, place, end1, end2)
        most2 = most(in2)
        if groups == 3:
            if (cells - most(in0) - most1 - most2 + 1) >> 1 > best:
                continue
            for a in range(0, END, BYTE):
                wrong0 = cells - count(in0, a)
                if count(there, a) < size0 or (wrong0 - most1 - most2 + 1) >> 1 > best:
                    continue
                for b in range(0, END, BYTE):
                    wrong1 = wrong0 - count(in1, b)
                    if b == a or count(there, b) < size1 or (wrong1 - most2 + 1) >> 1 > best:
                        continue
                    for c in range(0, END, BYTE):
                        if c == a or c == b or count(there, c) < size2:
                            continue
                        cycles = cycles_of_three(
                            count(in0, b), count(in1, a), count(in0, c), count(in2, a), count(in1, c), count(in2, b)
                        )
                        cost = wrong1 - count(in2, c) - cycles
                        if cost <= best:
                            n = keep(s, n if cost == best else 0, place, a >> 3 | b | c << 3)
                            best = cost
            continue
        for a in range(5):
            for b in range(5):
                for c in range(5):
                    for d in range(5):
                        e = 10 - a - b - c - d
                        if a == b or a == c or a == d or b == c or b == d or c == d:
                            continue
                        if (
                            count(there, BYTE * a) < size0
                            or count(there, BYTE * b) < size1
                            or count(there, BYTE * c) < size2
                            or count(there, BYTE * d) < t.design_size[design, 3]
                            or count(there, BYTE * e) < t.design_size[design, 4]
                        ):
                            continue
                        colours = a | b << 3 | c << 6 | d << 9 | e << 12
                        sort_into_classes(t, g, s, place, colours, groups)
                        cost = cost_of(s.n, groups, cells)
                        if cost <= best:
                            n = keep(s, n if cost == best else 0, place, colours)
                            best = cost
    return (best, n) if n > 0 else (IMPOSSIBLE, 0)


@compiled
def cost_of(n: Any, groups: int, cells: int) -> int:
    """The swaps one way takes, from how many octagons of each group hold each group's colour."""
    wrong = cells
    for i in range(groups):
        wrong -= n[i, i]
    if groups == 1:
        return wrong
    if groups == 2:
        return wrong - min(n[0, 1], n[1, 0])
    if groups == 3:
        return wrong - cycles_of_three(n[0, 1], n[1, 0], n[0, 2], n[2, 0], n[1, 2], n[2, 1])
    ways = 0
    for i in range(groups):
        for j in range(groups):
            if i < j:
                pairs = min(n[i, j], n[j, i])
                wrong -= pairs
                ways += ((n[i, j] - pairs) << way(i, j)) + ((n[j, i] - pairs) << way(j, i))
    return wrong - most_cycles(ways)


@compiled
def sort_into_classes(t: Any, g: Any, s: Any, place: int, colours: int, groups: int) -> None:
    """Sort the octagons by the group they belong to and the group that wants their colour."""
    outside = EVERYWHERE
    for i in range(groups + 1):
        here = t.place_mask[place, i] if i < groups else outside
        outside &= ~here
        rest = here
        for k in range(groups):
            both = here & g.loom[(colours >> 3 * k) & 7]
            rest &= ~both
            s.octagons[i, k] = both
            s.n[i, k] = how_many(both)
        s.octagons[i, groups] = rest


@compiled
def find_partners(s: Any, groups: int, cells: int, cost: int, with_worse: bool) -> None:
    """For each class of octagons, those a swap with which makes this way shorter, and longer."""
    n = s.n
    for i in range(groups + 1):
        for k in range(groups + 1):
            s.shorter[i, k] = NOWHERE
            s.longer[i, k] = NOWHERE
    for i in range(groups):
        for k in range(groups + 1):
            one = s.octagons[i, k]
            # To move a yarn that lies right never makes a way shorter.
            if one == NOWHERE or (k == i and not with_worse):
                continue
            for j in range(i + 1, groups + 1):
                for m in range(groups + 1):
                    other = s.octagons[j, m]
                    if m == k or other == NOWHERE or (m == j and m < groups and not with_worse):
                        continue
                    n[i, k] -= 1
                    n[i, m] += 1
                    n[j, m] -= 1
                    n[j, k] += 1
                    change = cost_of(n, groups, cells) - cost
                    n[i, k] += 1
                    n[i, m] -= 1
                    n[j, m] += 1
                    n[j, k] -= 1
                    if change < 0:
                        s.shorter[i, k] |= other
                        s.shorter[j, m] |= one
                    elif change > 0:
                        s.longer[i, k] |= other
                        s.longer[j, m] |= one


@compiled
def mark_swaps(s: Any, groups: int, with_worse: bool) -> bool:
    """Mark the swaps of one way's octagons; whether any swap is left that makes every way longer."""
    left = NOWHERE
    for i in range(groups + 1):
        for k in range(groups + 1):
            shorter, longer = s.shorter[i, k], s.longer[i, k]
            if shorter == NOWHERE and not with_worse:
                continue
            octagons = s.octagons[i, k]
            while octagons != NOWHERE:
                octagon = lowest(octagons)
                octagons &= octagons - np.uint32(1)
                s.better[octagon] |= shorter
                s.worse[octagon] &= longer
                left |= s.worse[octagon]
    return left != NOWHERE


@compiled
def mark_replacements(g: Any, s: Any, groups: int, cells: int, cost: int, colours: int) -> None:
    """Mark the replacements that make this way shorter or longer; one that takes a yarn it cannot spare bars it."""
    n = s.n
    for v in range(len(COLOURS)):
        if g.reserve_yarns[v] == 0:
            continue
        m = groups
        for group in range(groups):
            if (colours >> 3 * group) & 7 == v:
                m = group
        for k in range(groups + 1):
            if k == m:
                continue
            spare = k == groups or how_many(g.loom[(colours >> 3 * k) & 7]) > s.cells[k]
            for i in range(groups + 1):
                one = s.octagons[i, k]
                if one == NOWHERE:
                    continue
                if not spare:
                    s.worse_by_here[v] |= one
                elif i < groups:
                    n[i, k] -= 1
                    n[i, m] += 1
                    change = cost_of(n, groups, cells) - cost
                    n[i, k] += 1
                    n[i, m] -= 1
                    if change < 0:
                        s.better_by[v] |= one
                    elif change > 0:
                        s.worse_by_here[v] |= one


@compiled
def mark_design(t: Any, g: Any, s: Any, design: int, with_replacements: bool) -> int:
    """Mark what brings a design closer and what makes every cheapest way longer; its distance."""
    cost, ways = ways_of(t, g, s, design)
    groups = np.int64(t.design_groups[design])
    cells = np.int64(t.design_cells[design])
    s.better[:] = 0
    s.better_by[:] = 0
    s.worse[:] = EVERYWHERE if ways > 0 else NOWHERE
    s.worse_by[:] = EVERYWHERE if ways > 0 else NOWHERE
    for group in range(groups):
        s.cells[group] = t.design_size[design, group]
    with_worse = True
    for i in range(ways):
        sort_into_classes(t, g, s, s.place[i], s.colours[i], groups)
        find_partners(s, groups, cells, cost, with_worse)
        with_worse = mark_swaps(s, groups, with_worse) and with_worse
        if with_replacements:
            s.worse_by_here[:] = 0
            mark_replacements(g, s, groups, cells, cost, s.colours[i])
            for v in range(len(COLOURS)):
                s.worse_by[v] &= s.worse_by_here[v]
    return cost
