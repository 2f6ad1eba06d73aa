"""How far the board is from a design: the fewest swaps of any two yarns that complete it (R6.1).

Take one placement and one colour for each of its groups. A cell of the placement that holds another colour
is misplaced. The swaps that put a set of yarns right split it into cycles, and a cycle of k yarns takes k - 1
swaps. A cycle through the rest of the board needs only one octagon there, whatever its colour ends up as, so
it costs one swap for each misplaced cell in it. A cycle among misplaced cells alone, each holding the colour
that the next one wants, saves one swap. So the distance is

    misplaced cells - the most cycles that can be made of misplaced cells, none used twice

and the least of these over all placements and colours is exact. A colour is possible for a group only if the
board has as many yarns of it as the group has cells; nothing else can stand in the way.

Cycles of two can always be taken first. If some best choice does not use a cell x of group A wanting into B
together with a cell y of B wanting into A: where only one of them is in a cycle, give that cycle up for (x y);
where both are, in two cycles, the rest of the two makes a closed way, so (x y) and a cycle out of that way do
as well. After that no two groups want into each other both ways, and with three groups only one cycle of
three is left to take, as often as it goes. With four or five groups what is left is searched.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import how_many, lowest
from ettana_env.engine.setup import lay_yarns

IMPOSSIBLE = 99
"""The distance of a design that needs more yarns of a colour than the board has; more than any real one."""

# Counts by colour are packed into one number, a byte a colour; a colour is named by the place of its byte.
BYTE = 8
END = 5 * BYTE


@compiled
def count(packed: int, colour: int) -> int:
    """One of the packed counts."""
    return (packed >> colour) & 255


@compiled
def held(t: Any, g: Any, place: int, start: int, stop: int) -> int:
    """How many of some octagons of a placement hold each colour, packed."""
    packed = 0
    for i in range(start, stop):
        packed += 1 << BYTE * np.int64(g.yarns[t.place_cells[place, i]])
    return packed


@compiled
def on_board(g: Any) -> int:
    """How many yarns of each colour the board has, packed."""
    packed = 0
    for colour in range(5):
        packed |= how_many(g.loom[colour]) << BYTE * colour
    return packed


@compiled
def most(packed: int) -> int:
    """The largest of the packed counts."""
    return max(
        max(
            max(packed & 255, (packed >> BYTE) & 255),
            max((packed >> 2 * BYTE) & 255, (packed >> 3 * BYTE) & 255),
        ),
        packed >> 4 * BYTE,
    )


@compiled
def distance(t: Any, g: Any, design: int) -> int:
    """The fewest swaps of any two yarns that complete the design: 0 if it is complete, or IMPOSSIBLE."""
    return distance_below(t, g, design, IMPOSSIBLE)


@compiled
def distance_below(t: Any, g: Any, design: int, limit: int) -> int:
    """The distance if it is less than `limit`, else `limit`; the lower the limit, the faster."""
    first, last = t.place_first[design], t.place_first[design + 1]
    groups = np.int64(t.design_groups[design])
    cells = np.int64(t.design_cells[design])
    there = on_board(g)
    size0 = np.int64(t.design_size[design, 0])
    size1 = np.int64(t.design_size[design, 1])
    size2 = np.int64(t.design_size[design, 2])
    end1 = size0 + size1
    end2 = end1 + size2
    best = limit
    for place in range(first, last):
        if best <= 0:
            break
        # At best every group has the colour it holds most of, and cycles of two put the others right.
        in0 = held(t, g, place, 0, size0)
        right = most(in0)
        if groups == 1:
            for a in range(0, END, BYTE):
                if count(there, a) >= size0:
                    best = min(best, cells - count(in0, a))
            continue
        in1 = held(t, g, place, size0, end1)
        right += most(in1)
        if groups == 2:
            if (cells - right + 1) >> 1 < best:
                best = of_two(there, cells, size0, size1, in0, in1, best)
            continue
        in2 = held(t, g, place, end1, end2)
        right += most(in2)
        if groups == 3:
            if (cells - right + 1) >> 1 < best:
                best = of_three(there, cells, size0, size1, size2, in0, in1, in2, best)
            continue
        size3 = np.int64(t.design_size[design, 3])
        in3 = held(t, g, place, end2, end2 + size3)
        in4 = held(t, g, place, end2 + size3, cells)  # nothing if there are four groups
        right += most(in3) + most(in4)
        if (cells - right + 1) >> 1 < best:
            size4 = cells - end2 - size3
            best = of_five(there, cells, size0, size1, size2, size3, size4, in0, in1, in2, in3, in4, best)
    return best


@compiled
def of_two(there: int, cells: int, size0: int, size1: int, in0: int, in1: int, best: int) -> int:
    """The least of `best` and the distances of one placement of two groups."""
    for a in range(0, END, BYTE):
        if count(there, a) < size0:
            continue
        wrong = cells - count(in0, a)
        from1 = count(in1, a)
        for b in range(0, END, BYTE):
            if b != a and count(there, b) >= size1:
                best = min(best, wrong - count(in1, b) - min(count(in0, b), from1))
    return best


@compiled
def cycles_of_three(at01: int, at10: int, at02: int, at20: int, at12: int, at21: int) -> int:
    """The most cycles among misplaced cells of three groups; atij are cells of group i with the colour of j."""
    pair01, pair02, pair12 = min(at01, at10), min(at02, at20), min(at12, at21)
    onwards = min(min(at01 - pair01, at12 - pair12), at20 - pair02)
    backwards = min(min(at10 - pair01, at21 - pair12), at02 - pair02)
    return pair01 + pair02 + pair12 + onwards + backwards


@compiled
def of_three(
    there: int, cells: int, size0: int, size1: int, size2: int, in0: int, in1: int, in2: int, best: int
) -> int:
    """The least of `best` and the distances of one placement of three groups."""
    most1, most2 = most(in1), most(in2)
    for a in range(0, END, BYTE):
        wrong0 = cells - count(in0, a)
        if count(there, a) < size0 or (wrong0 - most1 - most2 + 1) >> 1 >= best:
            continue
        for b in range(0, END, BYTE):
            wrong1 = wrong0 - count(in1, b)
            if b == a or count(there, b) < size1 or (wrong1 - most2 + 1) >> 1 >= best:
                continue
            for c in range(0, END, BYTE):
                if c == a or c == b or count(there, c) < size2:
                    continue
                cycles = cycles_of_three(
                    count(in0, b), count(in1, a), count(in0, c), count(in2, a), count(in1, c), count(in2, b)
                )
                best = min(best, wrong1 - count(in2, c) - cycles)
    return best


@compiled
def of_five(
    there: int,
    cells: int,
    size0: int,
    size1: int,
    size2: int,
    size3: int,
    size4: int,
    in0: int,
    in1: int,
    in2: int,
    in3: int,
    in4: int,
    best: int,
) -> int:
    """The least of `best` and the distances of one placement of four or five groups (the fifth may be empty)."""
    for a in range(0, END, BYTE):
        if count(there, a) < size0:
            continue
        for b in range(0, END, BYTE):
            if b == a or count(there, b) < size1:
                continue
            for c in range(0, END, BYTE):
                if c == a or c == b or count(there, c) < size2:
                    continue
                wrong = cells - count(in0, a) - count(in1, b) - count(in2, c)
                for d in range(0, END, BYTE):
                    e = 10 * BYTE - a - b - c - d  # the colour left over
                    if d == a or d == b or d == c or count(there, d) < size3 or count(there, e) < size4:
                        continue
                    m = wrong - count(in3, d) - count(in4, e)
                    if (m + 1) >> 1 >= best:
                        continue
                    ways = (
                        ways_from(0, in0, a, b, c, d, e)
                        | ways_from(1, in1, a, b, c, d, e)
                        | ways_from(2, in2, a, b, c, d, e)
                        | ways_from(3, in3, a, b, c, d, e)
                        | ways_from(4, in4, a, b, c, d, e)
                    )
                    for one in range(4):
                        for other in range(one + 1, 5):
                            pairs = min(ways >> way(one, other) & 7, ways >> way(other, one) & 7)
                            ways -= (pairs << way(one, other)) + (pairs << way(other, one))
                            m -= pairs
                    if m < best or m - how_many_ways(ways) // 3 < best:
                        best = min(best, m - most_cycles(ways))
    return best


# For four or five groups: the misplaced cells as ways from group to group, three bits for how many of each.


@compiled
def way(one: int, other: int) -> int:
    """The place of the ways from one group to another: of cells of the one with the colour of the other."""
    return 3 * (4 * one + other - (other > one))


@compiled
def ways_from(group: int, inside: int, a: int, b: int, c: int, d: int, e: int) -> int:
    """The ways from one group to all the others."""
    ways = 0
    if group != 0:
        ways |= count(inside, a) << way(group, 0)
    if group != 1:
        ways |= count(inside, b) << way(group, 1)
    if group != 2:
        ways |= count(inside, c) << way(group, 2)
    if group != 3:
        ways |= count(inside, d) << way(group, 3)
    if group != 4:
        ways |= count(inside, e) << way(group, 4)
    return ways


@compiled
def how_many_ways(ways: int) -> int:
    """All the ways together."""
    total = 0
    while ways > 0:
        total += ways & 7
        ways >>= 3
    return total


@compiled
def most_cycles(ways: int) -> int:
    """The most cycles of three or more groups that can be made of the ways; a search."""
    if how_many_ways(ways) < 3:
        return 0
    place = lowest(np.uint64(ways)) // 3
    one = place // 4
    two = place % 4 + (place % 4 >= one)
    found = most_cycles(ways & ~(7 << 3 * place))  # with no cycle through the first way
    taken = ways - (1 << 3 * place)
    for three in range(5):
        if three == one or three == two or ways >> way(two, three) & 7 == 0:
            continue
        to_three = taken - (1 << way(two, three))
        if ways >> way(three, one) & 7 > 0:
            found = max(found, 1 + most_cycles(to_three - (1 << way(three, one))))
        for four in range(5):
            if four == one or four == two or four == three or ways >> way(three, four) & 7 == 0:
                continue
            to_four = to_three - (1 << way(three, four))
            if ways >> way(four, one) & 7 > 0:
                found = max(found, 1 + most_cycles(to_four - (1 << way(four, one))))
            five = 10 - one - two - three - four
            if ways >> way(four, five) & 7 > 0 and ways >> way(five, one) & 7 > 0:
                to_five = to_four - (1 << way(four, five))
                found = max(found, 1 + most_cycles(to_five - (1 << way(five, one))))
    return found


@compiled
def distances_slice(tables: Any, games: Any, out: Any, start: int, stop: int) -> None:
    """Lay a board from each game's seed and write every design's distance from it."""
    for i in range(start, stop):
        games[i].loom[:] = 0
        lay_yarns(games[i])
        for design in range(tables[0].designs):
            out[i, design] = distance(tables[0], games[i], design)
