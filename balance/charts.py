"""Pictures of figures as plain SVG: no script, no font to load, the same bytes for the same numbers.

All are drawn 420 wide with text of 12, so that they can be read on a phone and printed; values are in titles too, which
a browser shows where the pointer rests.
"""

from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

WIDTH = 420
RIGHT = WIDTH - 20
"""Where plots end: the last number of an axis, centred there, must have room."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#555555")
"""Told apart by colour-blind readers too (after Okabe and Ito)."""
YARNS = {
    "green": "#2e8b57",
    "red": "#c0392b",
    "yellow": "#d4a017",
    "blue": "#2471a3",
    "purple": "#7d3c98",
    "black": "#222222",
}


class Dot(NamedTuple):
    """A value with its interval; `series` chooses the colour, `strong` fills it."""

    label: str
    value: float
    low: float
    high: float
    series: int = 0
    strong: bool = True
    note: str = ""


class Line(NamedTuple):
    """A curve, with a band if `low` and `high` are given."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    dots: bool = False


def shown(value: float, unit: str) -> str:
    """A number on an axis or in a title."""
    if not isfinite(value):
        return "–"
    if unit == "share":
        return f"{100 * value:.0f}%" if abs(100 * value - round(100 * value)) < 0.05 else f"{100 * value:.1f}%"
    if unit == "points":
        digits = 0 if abs(100 * value - round(100 * value)) < 0.05 else 1
        return signed(value, digits) if round(100 * value, 1) else "0"
    return (f"{value:,.0f}" if abs(value) >= 100 or value == round(value) else f"{value:.3g}").replace("-", "−")


def signed(value: float, digits: int) -> str:
    """A difference of shares as percentage points, with its sign."""
    return f"{100 * value:+.{digits}f}".replace("-", "−")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers that cover a range."""
    if not high > low:
        high = low + 1
    raw = (high - low) / count
    size = 10 ** floor(log10(raw))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= raw * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


def svg(height: float, parts: Sequence[str], label: str) -> str:
    """A picture."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {_number(height)}" role="img" aria-label="{escape(label)}" '
        f'xmlns="http://www.w3.org/2000/svg">' + "".join(parts) + "</svg>"
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Words at a place."""
    with_class = f' class="{kind}"' if kind else ""
    return f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}"{with_class}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid", more: str = "") -> str:
    """A straight line."""
    ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
    return f'<line {ends} class="{kind}"{more}></line>'


def legend(names: Sequence[str], y: float = 14, left: float = 8) -> list[str]:
    """The names of the series, in their colours."""
    parts, x = [], left
    for n, name in enumerate(names):
        parts.append(f'<circle cx="{_number(x + 4)}" cy="{y - 4}" r="4" fill="{COLOURS[n % len(COLOURS)]}"></circle>')
        parts.append(text(x + 12, y, name))
        x += 24 + 6.6 * len(name)
    return parts


def dots(
    rows: Sequence[Dot],
    label: str,
    unit: str = "share",
    reference: float | None = None,
    series: Sequence[str] = (),
    left: float = 110,
) -> str:
    """Values with their intervals, one below the other; those of one label stand together, apart from the next."""
    rows = [row for row in rows if isfinite(row.value)]
    groups = [list(some) for _, some in groupby(rows, key=lambda row: row.label)]
    top = 26.0 if series else 8.0
    several = any(len(some) > 1 for some in groups)
    each, gap = (13.0, 9.0) if several else (17.0, 0.0)
    bottom = top + each * len(rows) + gap * len(groups) + 2
    ends = [end for row in rows for end in (row.low, row.high, row.value) if isfinite(end)]
    ends += [reference] if reference is not None else []
    marks = ticks(min(ends, default=0), max(ends, default=1))

    def at(value: float) -> float:
        return left + (value - marks[0]) / (marks[-1] - marks[0]) * (RIGHT - left)

    parts = legend(series) if series else []
    for mark in marks:
        parts += [
            line(at(mark), top, at(mark), bottom),
            text(at(mark), bottom + 15, shown(mark, unit), "middle", "tick"),
        ]
    if reference is not None:
        parts.append(line(at(reference), top, at(reference), bottom, "reference"))
    y = top + gap / 2
    for some in groups:
        parts.append(text(left - 8, y + each * len(some) / 2 + 4, some[0].label, "end"))
        for row in some:
            parts += _dot(row, y + each / 2, at, marks, unit)
            y += each
        y += gap
        if several and some is not groups[-1]:
            parts.append(line(0, y - gap / 2, RIGHT, y - gap / 2))
    return svg(bottom + 24, parts, label)


def _dot(row: Dot, y: float, at: Callable[[float], float], marks: Sequence[float], unit: str) -> list[str]:
    colour = COLOURS[row.series % len(COLOURS)]
    told = f"{row.label}: {shown(row.value, unit)} [{shown(row.low, unit)}, {shown(row.high, unit)}] {row.note}"
    low = max(row.low, marks[0]) if isfinite(row.low) else row.value
    high = min(row.high, marks[-1]) if isfinite(row.high) else row.value
    fill = colour if row.strong else "#fff"
    return [
        f"<g><title>{escape(told.strip())}</title>",
        line(at(low), y, at(high), y, "bar", f' stroke="{colour}"'),
        f'<circle cx="{_number(at(row.value))}" cy="{_number(y)}" r="4" fill="{fill}" stroke="{colour}" '
        'stroke-width="1.5"></circle></g>',
    ]


def curve(
    lines: Sequence[Line],
    label: str,
    x_title: str,
    unit: str = "share",
    x_unit: str = "number",
    height: float = 230,
    floor_at: float | None = 0.0,
    diagonal: bool = False,
) -> str:
    """Curves with bands."""
    ys = [y for one in lines for y in (*one.y, *one.low, *one.high) if isfinite(y)]
    xs = [x for one in lines for x in one.x]
    low = min(ys, default=0.0) if floor_at is None else min(floor_at, *ys, 0.0) if ys else 0.0
    marks, across = ticks(low, max(ys, default=1.0)), ticks(min(xs, default=0.0), max(xs, default=1.0))
    many = len(lines) > 1
    left, right, top, bottom = 56, RIGHT, 28 if many else 10, height - 38

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            left + (x - across[0]) / (across[-1] - across[0]) * (right - left),
            bottom - (y - marks[0]) / (marks[-1] - marks[0]) * (bottom - top),
        )

    parts = legend([one.name for one in lines]) if many else []
    for mark in marks:
        y = at(across[0], mark)[1]
        parts += [line(left, y, right, y), text(left - 6, y + 4, shown(mark, unit), "end", "tick")]
    for mark in across:
        x = at(mark, marks[0])[0]
        parts += [line(x, bottom, x, bottom + 4, "axis"), text(x, bottom + 17, shown(mark, x_unit), "middle", "tick")]
    parts.append(text((left + right) / 2, height - 4, x_title, "middle", "tick"))
    if diagonal:
        parts.append(line(*at(0, 0), *at(1, 1), "reference"))
    for n, one in enumerate(lines):
        colour = COLOURS[n % len(COLOURS)]
        path = " ".join(f"{_number(px)},{_number(py)}" for px, py in map(at, one.x, one.y))
        if one.low:
            edge = [*map(at, one.x, one.low), *reversed([*map(at, one.x, one.high)])]
            around = " ".join(f"{_number(px)},{_number(py)}" for px, py in edge)
            parts.append(f'<polygon points="{around}" fill="{colour}" opacity="0.18"></polygon>')
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"></polyline>')
        for x, y in zip(one.x, one.y, strict=True) if one.dots else ():
            px, py = at(x, y)
            told = f"{one.name} {shown(x, x_unit)}: {shown(y, unit)}"
            parts.append(
                f'<circle cx="{_number(px)}" cy="{_number(py)}" r="3.5" fill="{colour}"><title>{escape(told)}</title>'
                "</circle>"
            )
    return svg(height, parts, label)


def bars(
    labels: Sequence[str],
    values: Sequence[Sequence[float]],
    series: Sequence[str],
    label: str,
    unit: str = "number",
    left: float = 110,
) -> str:
    """Lying bars, those of one label below each other; `values` is by series, then by label."""
    top = 26.0 if len(series) > 1 else 8.0
    thick = 9.0 if len(series) > 1 else 13.0
    each = thick * len(series) + 7
    bottom = top + each * len(labels)
    most = max((value for one in values for value in one if isfinite(value)), default=1.0)
    marks = ticks(0, most or 1.0)

    def at(value: float) -> float:
        return left + value / marks[-1] * (RIGHT - left)

    parts = legend(series) if len(series) > 1 else []
    for mark in marks:
        parts += [
            line(at(mark), top, at(mark), bottom),
            text(at(mark), bottom + 15, shown(mark, unit), "middle", "tick"),
        ]
    for n, name in enumerate(labels):
        parts.append(text(left - 8, top + each * n + (each - 7) / 2 + 4, name, "end"))
        for k, one in enumerate(values):
            if isfinite(one[n]):
                told = f"{name}, {series[k]}: {shown(one[n], unit)}" if series else f"{name}: {shown(one[n], unit)}"
                parts.append(
                    f'<rect x="{left}" y="{_number(top + each * n + thick * k)}" width="{_number(at(one[n]) - left)}" '
                    f'height="{thick - 1}" fill="{COLOURS[k % len(COLOURS)]}"><title>{escape(told)}</title></rect>'
                )
    return svg(bottom + 24, parts, label)


def _shade(share: float) -> str:
    """From white to deep blue."""
    share = min(max(share, 0.0), 1.0)
    return "#" + "".join(f"{round(255 + (deep - 255) * share):02x}" for deep in (0, 84, 147))


def _both_ways(value: float, most: float) -> str:
    """White in the middle, blue above, orange below."""
    share = min(abs(value) / most, 1.0) if most > 0 else 0.0
    deep = (0, 114, 178) if value > 0 else (213, 94, 0)
    return "#" + "".join(f"{round(255 + (colour - 255) * share):02x}" for colour in deep)


def heat(values: Sequence[float], side: int, label: str, unit: str = "share") -> str:
    """A square board, the darker the more; the number stands on each cell."""
    cell = min(300 / side, 60)
    left = (WIDTH - cell * side) / 2
    most, least = max(values, default=1.0), min(values, default=0.0)
    parts = []
    for n, value in enumerate(values):
        x, y = left + cell * (n % side), 6 + cell * (n // side)
        share = (value - 0.7 * least) / (most - 0.7 * least) if most > 0.7 * least else 0.0
        parts.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(cell - 2)}" height="{_number(cell - 2)}" rx="4" '
            f'fill="{_shade(share)}" stroke="#aaa"><title>{n}: {shown(value, unit)}</title></rect>'
        )
        kind = "on-dark" if share > 0.55 else ""
        parts.append(text(x + cell / 2 - 1, y + cell / 2 + 4, f"{100 * value:.1f}", "middle", kind))
    return svg(cell * side + 12, parts, label)


def matrix(rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float]], label: str) -> str:
    """A table of differences in percentage points, coloured by sign and size."""
    left, cell, tall = 84.0, (WIDTH - 84.0 - 8) / max(len(columns), 1), 34.0
    most = max((abs(value) for row in values for value in row if isfinite(value)), default=1.0)
    parts = [text(left + cell * (n + 0.5), 16, name, "middle") for n, name in enumerate(columns)]
    for r, name in enumerate(rows):
        y = 24 + tall * r
        parts.append(text(left - 8, y + tall / 2 + 4, name, "end"))
        for c, value in enumerate(values[r]):
            x = left + cell * c
            fill = _both_ways(value, 1.6 * most) if isfinite(value) else "#f3f3f3"
            parts.append(
                f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(cell - 2)}" height="{tall - 2}" '
                f'fill="{fill}">'
                "</rect>"
            )
            if isfinite(value):
                parts.append(text(x + cell / 2 - 1, y + tall / 2 + 4, shown(value, "points"), "middle"))
    return svg(24 + tall * len(rows) + 6, parts, label)


def scatter(
    points: Sequence[tuple[float, float, str, int]],
    label: str,
    x_title: str,
    y_title: str,
    unit: str = "points",
    names: Sequence[str] = (),
    height: float = 300,
) -> str:
    """Points at (x, y) with a name each and a colour by series; the names of the outermost stand beside them."""
    points = [point for point in points if isfinite(point[0]) and isfinite(point[1])]
    across = ticks(min((p[0] for p in points), default=0), max((p[0] for p in points), default=1))
    up = ticks(min((p[1] for p in points), default=0), max((p[1] for p in points), default=1))
    left, right, top, bottom = 48, RIGHT, 28, height - 38

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            left + (x - across[0]) / (across[-1] - across[0]) * (right - left),
            bottom - (y - up[0]) / (up[-1] - up[0]) * (bottom - top),
        )

    parts = legend(names) if names else []
    for mark in up:
        y = at(across[0], mark)[1]
        parts += [line(left, y, right, y), text(left - 6, y + 4, shown(mark, unit), "end", "tick")]
    for mark in across:
        x = at(mark, up[0])[0]
        parts += [line(x, bottom, x, bottom + 4, "axis"), text(x, bottom + 17, shown(mark, "number"), "middle", "tick")]
    if up[0] < 0 < up[-1]:
        parts.append(line(left, at(0, 0)[1], right, at(0, 0)[1], "reference"))
    places = []
    for x, y, name, series in points:
        px, py = at(x, y)
        places.append((px, py))
        parts.append(
            f'<circle cx="{_number(px)}" cy="{_number(py)}" r="4.5" fill="{COLOURS[series % len(COLOURS)]}" '
            f'opacity="0.85"><title>{escape(name)}: {shown(x, "number")}, {shown(y, unit)}</title></circle>'
        )
    ordered = sorted(range(len(points)), key=lambda n: points[n][1])
    taken = [(px - 5, py - 5, px + 5, py + 5) for px, py in places]
    for n in dict.fromkeys([*ordered[::-1][:4], *ordered[:4]]):
        if found := _room(places[n], 6.2 * len(points[n][2]), taken, (left, top, WIDTH, bottom)):
            taken.append(found)
            parts.append(text(found[0], found[3] - 2, points[n][2], "start", "tick"))
    parts.append(text((left + right) / 2, height - 4, f"{x_title}; up: {y_title}", "middle", "tick"))
    return svg(height, parts, label)


Box = tuple[float, float, float, float]


def _room(point: tuple[float, float], wide: float, taken: Sequence[Box], within: Box) -> Box | None:
    """A box beside, above or below a point for its name, free of what is there already; None if there is none."""
    x, y = point
    for left, top in ((x + 7, y - 6), (x - 7 - wide, y - 6), (x - wide / 2, y - 20), (x - wide / 2, y + 8)):
        box = (left, top, left + wide, top + 12)
        inside = within[0] <= left and box[2] <= within[2] and within[1] <= top and box[3] <= within[3]
        if inside and not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken
        ):
            return box
    return None
