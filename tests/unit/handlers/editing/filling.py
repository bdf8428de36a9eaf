"""Somebody opens a form of a step's result, and fills it in."""

from __future__ import annotations

from typing import Any

from handlers.views.editing import edits
from handlers.views.editing.edits import Edit
from handlers.views.editing.form import Subject
from handlers.views.editing.window_state import WindowCommand
from handlers.views.windows.forms import View
from tests.unit.handlers.editing.windows import sent, taken

METRIC = "performance_measure.metric"


def opened(it: Subject, order: WindowCommand, path: str) -> View:
    form = edits.build_item_form(it, order, path)
    assert form is not None
    return taken(form)


def filled(it: Subject, path: str, order: WindowCommand = WindowCommand.EDIT, **changed: Any) -> Edit:
    """What becomes of the draft when somebody fills in these fields."""
    return sent(opened(it, order, path), it, **{name.replace("__", "."): each for name, each in changed.items()})


def names(view: View) -> list[str]:
    return [block["block_id"] for block in view["blocks"] if block["type"] == "input"]
