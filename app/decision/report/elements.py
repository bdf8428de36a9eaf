"""Elements of HTML and SVG as a tree. Only the serializer writes markup, and it escapes every text.

People's texts appear between tags and never in attributes, where HTML and XML escape differently.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from app.decision.report.wording import printable

Child = Element | str


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """Return an element. `class_` is written as `class`, `aria_label` as `aria-label`."""
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
    """Return a word or two in a frame; `kind` is its class."""
    return element("span", text, class_=f"chip {kind}")


def pairs(rows: tuple[tuple[str, str], ...]) -> Element:
    """Return a list of labels with values."""
    return element("dl", *(element("div", element("dt", label), element("dd", value)) for label, value in rows))


def wide(child: Element) -> Element:
    """Return a frame in which a child wider than a phone scrolls by itself, also by keyboard."""
    return element("div", child, class_="wide", tabindex="0", role="group", aria_label="Table")
