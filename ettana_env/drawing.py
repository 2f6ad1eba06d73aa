"""A picture as a list of shapes, drawn as SVG or as pixels: the same picture in documents, arrays and windows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Anchor = Literal["start", "middle", "end"]
SMOOTH = 2
"""Pixels are drawn so many times larger and then made smaller, which smooths edges."""

FONT = "Verdana, DejaVu Sans, sans-serif"
PIL_ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


@dataclass(frozen=True)
class Polygon:
    """A closed shape."""

    points: tuple[tuple[float, float], ...]
    fill: str
    stroke: str | None = None
    width: float = 1


@dataclass(frozen=True)
class Circle:
    """A disc."""

    x: float
    y: float
    radius: float
    fill: str
    stroke: str | None = None
    width: float = 1


@dataclass(frozen=True)
class Line:
    """A straight line."""

    x0: float
    y0: float
    x1: float
    y1: float
    stroke: str
    width: float = 1


@dataclass(frozen=True)
class Text:
    """A line of text, centred on its height."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: Anchor = "middle"


@dataclass
class Drawing:
    """A picture of a certain size, as shapes in the order they are drawn."""

    width: int
    height: int
    title: str
    shapes: list[Polygon | Circle | Line | Text] = field(default_factory=list)

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str, stroke: str | None = None, line: float = 1
    ) -> None:
        """Add a rectangle."""
        corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
        self.shapes.append(Polygon(corners, fill, stroke, line))

    def polygon(self, points: Sequence[tuple[float, float]], fill: str, stroke: str | None, width: float) -> None:
        """Add a polygon."""
        self.shapes.append(Polygon(tuple(points), fill, stroke, width))

    def circle(self, x: float, y: float, radius: float, fill: str, stroke: str | None = None, width: float = 1) -> None:
        """Add a disc."""
        self.shapes.append(Circle(x, y, radius, fill, stroke, width))

    def line(self, x0: float, y0: float, x1: float, y1: float, stroke: str, width: float = 1) -> None:
        """Add a line."""
        self.shapes.append(Line(x0, y0, x1, y1, stroke, width))

    def text(self, x: float, y: float, text: str, size: float, fill: str, anchor: Anchor = "middle") -> None:
        """Add a line of text."""
        self.shapes.append(Text(x, y, text, size, fill, anchor))

    def svg(self) -> str:
        """The picture as an SVG document."""
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" font-family="{FONT}" role="img">',
            f"<title>{escape(self.title)}</title>",
            *(_svg(shape) for shape in self.shapes),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def pixels(self) -> NDArray[np.uint8]:
        """The picture as an array of red, green and blue, (height, width, 3)."""
        image = Image.new("RGB", (self.width * SMOOTH, self.height * SMOOTH), "white")
        canvas = ImageDraw.Draw(image)
        for shape in self.shapes:
            _paint(canvas, shape)
        return np.asarray(image.resize((self.width, self.height), Image.Resampling.LANCZOS)).copy()


def _svg(shape: Polygon | Circle | Line | Text) -> str:
    match shape:
        case Polygon():
            points = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
            return f'<polygon points="{points}" fill="{shape.fill}"{_stroke(shape)}/>'
        case Circle():
            return (
                f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" fill="{shape.fill}"{_stroke(shape)}/>'
            )
        case Line():
            ends = f'x1="{shape.x0:g}" y1="{shape.y0:g}" x2="{shape.x1:g}" y2="{shape.y1:g}"'
            return f'<line {ends} stroke="{shape.stroke}" stroke-width="{shape.width:g}"/>'
        case Text():
            where = f'x="{shape.x:g}" y="{shape.y:g}" text-anchor="{shape.anchor}" dominant-baseline="central"'
            return f'<text {where} font-size="{shape.size:g}" fill="{shape.fill}">{escape(shape.text)}</text>'


def _stroke(shape: Polygon | Circle) -> str:
    return f' stroke="{shape.stroke}" stroke-width="{shape.width:g}"' if shape.stroke else ""


@lru_cache(maxsize=32)
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def _paint(canvas: ImageDraw.ImageDraw, shape: Polygon | Circle | Line | Text) -> None:
    s = SMOOTH
    match shape:
        case Polygon():
            points = [(x * s, y * s) for x, y in shape.points]
            canvas.polygon(points, fill=shape.fill)
            if shape.stroke:
                canvas.line(
                    [*points, points[0], points[1]], fill=shape.stroke, width=round(shape.width * s), joint="curve"
                )
        case Circle():
            x, y, r = shape.x * s, shape.y * s, shape.radius * s
            width = round(shape.width * s) if shape.stroke else 0
            canvas.ellipse((x - r, y - r, x + r, y + r), fill=shape.fill, outline=shape.stroke, width=width)
        case Line():
            ends = (shape.x0 * s, shape.y0 * s, shape.x1 * s, shape.y1 * s)
            canvas.line(ends, fill=shape.stroke, width=round(shape.width * s))
        case Text():
            where, anchor = (shape.x * s, shape.y * s), PIL_ANCHORS[shape.anchor]
            canvas.text(where, shape.text, fill=shape.fill, font=_font(round(shape.size * s)), anchor=anchor)
