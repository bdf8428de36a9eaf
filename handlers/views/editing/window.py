"""The window that lists a draft: lists with their items, objects, and the commands for each. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.core.copy import decision_steps, draft_editing
from app.core.text.cutting import cut
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.corrections import CORRECTIONS
from app.decision.schema.paths import Draft
from handlers.slack import action_ids
from handlers.views.editing import computed_fields
from handlers.views.editing.changes import list_targets
from handlers.views.editing.fields import (
    KEPT,
    SEPARATOR,
    ItemNames,
    describe_fields,
    describe_row,
    list_fields,
    name_row,
    walk_fields,
)
from handlers.views.editing.form import Subject
from handlers.views.editing.list_window import build_list_window, build_notice
from handlers.views.editing.path import Path, find_node, format_path, generalize, get_value, name_place
from handlers.views.editing.window_state import WindowCommand, write_window_command
from handlers.views.kit import blocks, mrkdwn
from handlers.views.windows.forms import View, cut_page

SHOWN_CHARS: Final = 300
"""Limit of a line, so that a page of long ones stays below 250 KB."""

LABELS: Mapping[WindowCommand, str] = {
    WindowCommand.EDIT: decision_steps.EDIT,
    WindowCommand.ADD: draft_editing.ADD,
    WindowCommand.UP: draft_editing.MOVE_UP,
    WindowCommand.DOWN: draft_editing.MOVE_DOWN,
    WindowCommand.MOVE: draft_editing.MOVE,
    WindowCommand.REMOVE: draft_editing.REMOVE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowLine:
    """A line of the window: the heading of a list, one of its items, or an object that stands alone."""

    path: Path
    heading: Path
    """The list or object that it belongs to."""

    @property
    def is_row(self) -> bool:
        """Return True for an item of a list."""
        return self.path != self.heading


def build_list(subject: Subject, notice: str = "") -> View:
    """Return the window on the page that its subject's state names, with `notice` at its top."""
    component, draft = subject.component, subject.draft
    shown, number, pages = cut_page(list(list_lines(component, draft)), subject.about.page)
    drawn = _LineBlocks(component, draft, subject.so_far, subject.names)
    body = build_notice(notice)
    if shown and shown[0].is_row:
        body.append(
            blocks.build_context(
                draft_editing.CONTINUED.format(title=mrkdwn.render_verbatim(drawn.title(shown[0].heading)))
            )
        )
    body += [drawn.row(line.path) if line.is_row else drawn.heading(line.path) for line in shown]
    return build_list_window(action_ids.EDIT_LIST_WINDOW, subject, body, (number, pages))


def list_lines(component: Component, draft: Draft, path: Path = ()) -> Iterator[WindowLine]:
    """Yield all lines of the window, in the order of the schema: top-level objects, and lists at any depth.

    Everything else is shown in the form of the object that contains it.
    """
    for name in find_node(component, path).get("properties", {}):
        inner: Path = (*path, name)
        is_needless = inner == (CORRECTIONS,) and not draft.get(CORRECTIONS)
        if name in KEPT or is_needless or computed_fields.is_written(component, inner):
            continue
        if _is_list(component, inner):
            yield from _list_items(component, draft, inner)
            continue
        if not path and any(walk_fields(component, inner)):
            yield WindowLine(path=inner, heading=inner)
        yield from list_lines(component, draft, inner)


def _list_items(component: Component, draft: Draft, path: Path) -> Iterator[WindowLine]:
    yield WindowLine(path=path, heading=path)
    is_deep = any(list_lines(component, {}, (*path, 0)))
    for index in range(len(get_value(draft, path) or ())):
        yield WindowLine(path=(*path, index), heading=path)
        if is_deep:
            yield from list_lines(component, draft, (*path, index))


def _is_list(component: Component, path: Path) -> bool:
    """Return True if its items are edited one by one: objects anywhere, and texts at the top level."""
    inside = find_node(component, (*path, "[]")).get("type")
    is_reference = f"{generalize(path)}[]" in component.references
    return inside == "object" or (len(path) == 1 and inside == "string" and not is_reference)


@dataclass(frozen=True, slots=True)
class _LineBlocks:
    """The lines as blocks."""

    component: Component
    draft: Draft
    so_far: DecisionRecord
    names: ItemNames

    def title(self, path: Path) -> str:
        """Return the title of a list or object, preceded by that of the item that contains it, if any."""
        if len(path) > 1 and (inside := [length for length, step in enumerate(path) if isinstance(step, int)]):
            owner = path[: inside[-1] + 1]
            words = name_row(self.component, owner, get_value(self.draft, owner), self.names)
            return SEPARATOR.join((cut(words, blocks.LABEL_CHARS), name_place(path)))
        return name_place(path)

    def heading(self, path: Path) -> blocks.Block:
        """Return the heading of a list with its count, or of an object with its content."""
        title = f"*{mrkdwn.render_verbatim(self.title(path))}*"
        if not _is_list(self.component, path):
            words = mrkdwn.render_verbatim(cut(self._words(path), SHOWN_CHARS))
            return blocks.build_section(f"{title}\n{words}") | {"accessory": _build_button(WindowCommand.EDIT, path)}
        made = blocks.build_section(f"{title} ({len(get_value(self.draft, path) or ())})")
        can_add = not computed_fields.is_written_list(self.component, path)
        return made | ({"accessory": _build_button(WindowCommand.ADD, path)} if can_add else {})

    def row(self, path: Path) -> blocks.Block:
        """Return an item with its commands."""
        row = get_value(self.draft, path)
        words = cut(describe_row(self.component, path, row, self.names), SHOWN_CHARS) or draft_editing.NOTHING_YET
        orders = self._orders(path, row)
        if not orders:
            return blocks.build_verbatim(f"{words}{SEPARATOR}{computed_fields.explain_row(self.component, path[:-1])}")
        boxes = list_targets(self.component, path[:-1])
        moves = {WindowCommand.MOVE: draft_editing.MOVE_TO.format(box=name_place(boxes[0]))} if len(boxes) == 1 else {}
        labels = {**LABELS, **moves}
        options = {write_window_command(order, format_path(path)): labels[order] for order in orders}
        return blocks.build_verbatim(words) | {"accessory": blocks.build_overflow(action_ids.EDITING_ROW, options)}

    def _words(self, path: Path) -> str:
        held = describe_fields(self.component, path, get_value(self.draft, path), self.names)
        is_object = find_node(self.component, path).get("type") == "object"
        return (
            "\n".join(f"{label}: {words}" if is_object else words for label, words in held) or draft_editing.NOTHING_YET
        )

    def _orders(self, path: Path, row: Any) -> tuple[WindowCommand, ...]:
        """Return the commands for an item. A list that is a map in the record has no order of its own."""
        edit = (WindowCommand.EDIT,) if list_fields(self.component, path, row, self.so_far) else ()
        if computed_fields.is_written_row(self.component, path[:-1], row, self.so_far):
            return edit
        is_sorted = generalize(path[:-1]) not in {keyed.path for keyed in self.component.keyed}
        last = len(get_value(self.draft, path[:-1])) - 1
        up = (WindowCommand.UP,) if is_sorted and path[-1] != 0 else ()
        down = (WindowCommand.DOWN,) if is_sorted and path[-1] != last else ()
        move = (WindowCommand.MOVE,) if list_targets(self.component, path[:-1]) else ()
        return (*edit, *up, *down, *move, WindowCommand.REMOVE)


def _build_button(order: WindowCommand, path: Path) -> blocks.Block:
    return blocks.build_button(action_ids.EDITING_BUTTON, LABELS[order], write_window_command(order, format_path(path)))
