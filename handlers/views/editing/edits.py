"""The effect of a click or a form on a draft: the new draft with a notice, the problem, or a form on top. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from app.core.copy import draft_editing
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.decision.schema.paths import Draft
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_state
from handlers.views.editing import changes, form, inputs, rating
from handlers.views.editing.fields import describe_row
from handlers.views.editing.form import Subject
from handlers.views.editing.path import Path, format_path, get_value, parse_path
from handlers.views.editing.window import SHOWN_CHARS
from handlers.views.editing.window_state import WindowCommand, WindowState
from handlers.views.kit import mrkdwn
from handlers.views.windows.forms import View

FILLED_IN: Final = (WindowCommand.EDIT, WindowCommand.ADD)
"""Clicks that need a form."""

CHANGES_NOTHING: Final = (WindowCommand.RATE, WindowCommand.PAGE)
"""The clicks that only show something, and can show it as it stands now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The outcome for a draft."""

    draft: Draft
    is_change: bool = True
    notice: str = ""
    """Notice on the change, as mrkdwn."""
    said: str = ""
    """The input in words, if the interview is to continue with it."""
    problem: str = ""
    """Reason for which a click fails, as mrkdwn."""
    errors: Mapping[str, str] = field(default_factory=dict[str, str])
    """Reasons for which a form fails, by input."""


def build_item_form(subject: Subject, order: WindowCommand, about: str) -> View | None:
    """Return the form that a click opens on top; None if it needs none, or if the form would have no fields."""
    asked = FORMS.get(order)
    return asked(subject, about) if asked else None


def _build_fields_form(subject: Subject, path: str, *, adds: bool = False) -> View | None:
    return form.build_form(replace(subject, about=replace(subject.about, path=path, adds=adds)))


def _build_move_form(subject: Subject, path: str) -> View | None:
    """Return a form that asks for the target list, if there are several."""
    asked = replace(subject, about=replace(subject.about, path=path))
    boxes = _list_boxes(asked, asked.place)
    return form.build_move_form(asked, boxes) if len(boxes) > 1 else None


def _build_column_form(subject: Subject, column: str) -> View:
    objective, _, part = column.partition(":")
    about = replace(subject.about, path=objective, part=int(part))
    return rating.build_form(rating.Column(replace(subject, about=about)))


FORMS: Final[Mapping[WindowCommand, Callable[[Subject, str], View | None]]] = {
    WindowCommand.EDIT: _build_fields_form,
    WindowCommand.ADD: partial(_build_fields_form, adds=True),
    WindowCommand.MOVE: _build_move_form,
    WindowCommand.RATE: _build_column_form,
}


def apply_click(subject: Subject, order: WindowCommand, path: str) -> Edit:
    """Return the edit for a click on a row."""
    place = parse_path(path, subject.component)
    if not place or get_value(subject.draft, place) is None:
        return _keep_draft(subject)
    match order:
        case WindowCommand.UP | WindowCommand.DOWN:
            by = -1 if order is WindowCommand.UP else 1
            return _judge(subject, changes.shift_item(subject.draft, place, by))
        case WindowCommand.REMOVE:
            return _remove(subject, place)
        case _:
            return _move(subject, place, _list_boxes(subject, place)[0])


def _list_boxes(subject: Subject, place: Path) -> tuple[Path, ...]:
    """Return the lists that the item at this place can be moved to."""
    return changes.list_targets(subject.component, place[:-1])


def _apply_fields(subject: Subject, view: Payload) -> Edit:
    draft = form.fill_in(subject, read_state(view))
    return _keep_draft(subject) if draft is subject.draft else _judge_form(subject, view, draft)


def _apply_ratings(subject: Subject, view: Payload) -> Edit:
    given = rating.read(rating.Column(subject), read_state(view))
    if given.errors or not given.said:
        return Edit(draft=subject.draft, is_change=False, errors=given.errors)
    return _judge_form(subject, view, given.draft, given.said)


def _apply_move(subject: Subject, view: Payload) -> Edit:
    chosen = inputs.read_choice(read_state(view), action_ids.EDIT_MOVE_FIELD)
    box = next((each for each in _list_boxes(subject, subject.place) if format_path(each) == chosen), None)
    if box is None:
        return _keep_draft(subject)
    edit = _move(subject, subject.place, box)
    if not edit.problem:
        return edit
    return Edit(draft=edit.draft, errors={action_ids.EDIT_MOVE_FIELD: mrkdwn.resolve_markup(edit.problem)})


def is_outdated(callback: str, subject: Subject, about: WindowState, view: Payload) -> bool:
    """Return True if a form, which was opened `about` one state, has to be filled in anew for the stored one.

    A column is outdated only if its own ratings have changed: who rates one after the other does not wait for the
    answers to those before.
    """
    if subject.about == replace(about, since=""):
        return False
    return callback != action_ids.RATE_FORM_WINDOW or not rating.is_as_shown(rating.Column(subject), view)


SENT: Mapping[str, Callable[[Subject, Payload], Edit]] = {
    action_ids.EDIT_FORM_WINDOW: _apply_fields,
    action_ids.RATE_FORM_WINDOW: _apply_ratings,
    action_ids.EDIT_MOVE_WINDOW: _apply_move,
}
"""The handler of each submitted window."""


def _remove(subject: Subject, place: Path) -> Edit:
    draft, missed = changes.remove_item(subject.component, subject.draft, place, subject.so_far)
    return _judge(
        subject, draft, draft_editing.REMOVED.format(item=_name_item(subject, place)), _describe_pruned(subject, missed)
    )


def _move(subject: Subject, place: Path, box: Path) -> Edit:
    moved = changes.move_item(subject.component, subject.draft, place, box, subject.so_far)
    said = draft_editing.MOVED.format(item=_name_item(subject, place), handle=moved.handle)
    fields = join_words(map(draft_editing.name_field, moved.left))
    left = draft_editing.LEFT_BEHIND.format(fields=fields) if fields else ""
    return _judge(subject, moved.draft, said, left, _describe_pruned(subject, moved.missed))


def _judge(subject: Subject, draft: Draft, *sentences: str) -> Edit:
    judged = changes.judge_change(subject.component, subject.draft, draft, subject.so_far)
    if judged.issues:
        problem = draft_editing.REFUSED.format(problem=" ".join(dict.fromkeys(map(form.describe_issue, judged.issues))))
        return Edit(draft=subject.draft, is_change=False, problem=mrkdwn.render_verbatim(problem))
    if judged.draft == subject.draft:
        return Edit(draft=subject.draft, is_change=False, problem=draft_editing.UNDONE)
    notice = "\n".join(map(mrkdwn.render_verbatim, filter(None, (*sentences, *judged.remarks))))
    return Edit(draft=judged.draft, notice=notice)


def _judge_form(subject: Subject, view: Payload, draft: Draft, said: str = "") -> Edit:
    judged = changes.judge_change(subject.component, subject.draft, draft, subject.so_far)
    wrong = form.map_errors(subject, judged.issues, view)
    notice = "\n".join(map(mrkdwn.render_verbatim, judged.remarks))
    if judged.draft == subject.draft and not said:
        wrong = {form.list_input_names(view)[0]: draft_editing.UNDONE}
    return Edit(draft=judged.draft, is_change=not wrong, notice=notice, said=said, errors=wrong)


def _keep_draft(subject: Subject) -> Edit:
    return Edit(draft=subject.draft, is_change=False)


def _name_item(subject: Subject, place: Path) -> str:
    words = describe_row(subject.component, place, get_value(subject.draft, place), subject.names)
    return cut(words, SHOWN_CHARS)


def _describe_pruned(subject: Subject, missed: tuple[str, ...]) -> str:
    return draft_editing.PRUNED.format(items=join_words(map(subject.names.label, missed))) if missed else ""
