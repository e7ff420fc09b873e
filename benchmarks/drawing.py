"""A drawing of lines as SVG: seconds on a logarithmic scale, the same text from the same figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

Line = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 220, 40, 48
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")


def draw(title: str, across: str, up: str, lines: Mapping[str, Line]) -> str:
    """Lines by name; those of even number are drawn through, those of odd number dashed. Figures of 0 count as 0.001.

    Raises:
        ValueError: there is no point to draw.
    """
    drawn = {name: [(x, max(y, 1e-3)) for x, y in line] for name, line in lines.items() if line}
    if not drawn:
        raise ValueError("nothing to draw")
    points = [point for line in drawn.values() for point in line]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low = math.floor(math.log10(min(y for _, y in points)))
    high = max(math.ceil(math.log10(max(y for _, y in points))), low + 1)

    def at(x: float, y: float) -> tuple[float, float]:
        share = (x - left) / ((right - left) or 1)
        rise = (math.log10(y) - low) / (high - low)
        return LEFT + share * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - rise * (HEIGHT - TOP - BOTTOM)

    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, 14, title, size=15),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, across, anchor="middle"),
        _text(14, TOP - 12, up),
    ]
    for power in range(low, high + 1):
        _, y = at(left, 10.0**power)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{10.0**power:g}", anchor="end"))
    foot = HEIGHT - BOTTOM + 16
    parts += [_text(at(x, 10.0**low)[0], foot, f"{x:g}", anchor="middle") for x in _marks(left, right)]
    for number, (name, line) in enumerate(drawn.items()):
        parts += _line(number, name, [at(*point) for point in line])
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(number: int, name: str, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Two neighbours share a colour: they are a pair."""
    colour = COLOURS[number // 2 % len(COLOURS)]
    dashes = ' stroke-dasharray="5 4"' if number % 2 else ""
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
    row = TOP + 10 + 20 * number
    yield f'<path d="M{WIDTH - RIGHT + 16} {row}h28" stroke="{colour}" stroke-width="2"{dashes}/>'
    yield _text(WIDTH - RIGHT + 52, row + 4, name)


def _marks(left: float, right: float) -> list[float]:
    """Round numbers along the axis, at most about ten."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000, 1e9) if (right - left) / step <= 10)
    first = math.ceil(left / step)
    return [step * k for k in range(first, math.floor(right / step) + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
