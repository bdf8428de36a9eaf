"""The form that a click opens on top of a list. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from handlers.views.editing import edits, form, rating
from handlers.views.editing.form import Subject
from handlers.views.editing.window_state import Order
from handlers.views.windows.forms import View


def form_of(subject: Subject, order: Order, about: str) -> View | None:
    """Return the form; None if the command needs none, or if it would have no fields."""
    asked = FORMS.get(order)
    return asked(subject, about) if asked else None


def _fields(subject: Subject, path: str, *, adds: bool = False) -> View | None:
    return form.form(replace(subject, about=replace(subject.about, path=path, adds=adds)))


def _boxes(subject: Subject, path: str) -> View | None:
    """Return a form that asks for the target list, if there are several."""
    asked = replace(subject, about=replace(subject.about, path=path))
    boxes = edits.boxes(asked)
    return form.move_form(asked, boxes) if len(boxes) > 1 else None


def _column(subject: Subject, column: str) -> View:
    objective, _, part = column.partition(":")
    about = replace(subject.about, path=objective, part=int(part))
    return rating.form(about, edits.column(replace(subject, about=about)))


FORMS: Final[Mapping[Order, Callable[[Subject, str], View | None]]] = {
    Order.EDIT: _fields,
    Order.ADD: partial(_fields, adds=True),
    Order.MOVE: _boxes,
    Order.RATE: _column,
}
FILLED_IN: Final = (Order.EDIT, Order.ADD)
"""Commands that need a form."""
