"""Elements of HTML and SVG as a tree: markup is only ever written by the serialiser, which escapes every text.

Texts of people stand between tags and never in attributes, where HTML and XML escape differently.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from app.decision.report.wording import printable

Child = Element | str


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """Make an element. `class_` is written as `class`, `aria_label` as `aria-label`."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + printable(child)
        else:
            last.tail = (last.tail or "") + printable(child)
    return made


def chip(text: str, kind: str) -> Element:
    """A word or two in a frame; `kind` is its class."""
    return element("span", text, class_=f"chip {kind}")


def pairs(rows: tuple[tuple[str, str], ...]) -> Element:
    """Labels and values."""
    return element("dl", *(element("div", element("dt", label), element("dd", value)) for label, value in rows))


def wide(child: Element) -> Element:
    """What may be wider than a phone scrolls by itself, by keyboard as well."""
    return element("div", child, class_="wide", tabindex="0", role="group", aria_label="Table")
