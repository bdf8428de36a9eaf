"""The form that a click opens on top of a list. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from handlers.views.editing import edits, form, rating
from handlers.views.editing.form import Subject
from handlers.views.editing.window_state import WindowCommand
from handlers.views.windows.forms import View


def build_item_form(subject: Subject, order: WindowCommand, about: str) -> View | None:
    """Return the form; None if the command needs none, or if it would have no fields."""
    asked = FORMS.get(order)
    return asked(subject, about) if asked else None


def _build_fields_form(subject: Subject, path: str, *, adds: bool = False) -> View | None:
    return form.build_form(replace(subject, about=replace(subject.about, path=path, adds=adds)))


def _build_move_form(subject: Subject, path: str) -> View | None:
    """Return a form that asks for the target list, if there are several."""
    asked = replace(subject, about=replace(subject.about, path=path))
    boxes = edits.list_boxes(asked)
    return form.build_move_form(asked, boxes) if len(boxes) > 1 else None


def _build_column_form(subject: Subject, column: str) -> View:
    objective, _, part = column.partition(":")
    about = replace(subject.about, path=objective, part=int(part))
    return rating.build_form(about, edits.find_column(replace(subject, about=about)))


FORMS: Final[Mapping[WindowCommand, Callable[[Subject, str], View | None]]] = {
    WindowCommand.EDIT: _build_fields_form,
    WindowCommand.ADD: partial(_build_fields_form, adds=True),
    WindowCommand.MOVE: _build_move_form,
    WindowCommand.RATE: _build_column_form,
}
FILLED_IN: Final = (WindowCommand.EDIT, WindowCommand.ADD)
"""Commands that need a form."""
