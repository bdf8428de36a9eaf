"""The figures of a report as SVG: a tile for a rating, a bar for a score.

Colour never stands alone: a tile shows its number, doubt is hatched and has a question mark, and every figure has a
title. The colours are in the style sheet, because they differ between light, dark and print.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from app.core.sheet import Bar, Rating
from app.decision.quality import ACCEPTABLE
from app.decision.report import wording
from app.decision.report.elements import element

SHADES = {2: "plus-2", 1: "plus-1", 0: "zero", -1: "minus-1", -2: "minus-2", None: "unknown"}
"""Class of a tile by rating: from blue for better to orange for worse, which all kinds of colour vision distinguish."""

_HATCHING = "".join(f"M{x} 48L{x + 48} 0" for x in range(-44, 260, 12))
"""Slanting lines, wider than the widest tile; the tile clips them."""


def tile(rating: Rating, title: str) -> Element:
    """Return a cell of the heat map.

    It has no `viewBox`, so its number has the same size in a cell of any width.
    """
    hatching = [element("path", d=_HATCHING, class_="hatching")] if rating.doubtful else []
    return element(
        "svg",
        element("title", title),
        element("rect", width="100%", height="100%"),
        *hatching,
        element("text", wording.rated(rating), x="50%", y="50%", dy="0.35em", text_anchor="middle"),
        class_=f"tile {SHADES[rating.value]}",
        role="img",
    )


def bar(shown: Bar) -> Element:
    """Return a score on a scale of 0 to 100, with a line at the acceptable score."""
    filled = [element("rect", class_="score", width=str(shown.score), height="20")] if shown.score else []
    return element(
        "svg",
        element("title", f"{wording.scored(shown)}; acceptable from {ACCEPTABLE} %"),
        element("rect", class_="track", width="100", height="20"),
        *filled,
        element("path", d=f"M{ACCEPTABLE} -4V24", class_="line"),
        class_=f"bar {_reach(shown.score)}",
        viewBox="0 -4 100 28",
        preserveAspectRatio="none",
        role="img",
    )


def _reach(score: int | None) -> str:
    if score is None:
        return "missing"
    return "enough" if score >= ACCEPTABLE else "short"
