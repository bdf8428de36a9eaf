"""The effect of a click or a form on a draft: the new draft with a notice, or the problem. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from app.core.copy import draft_editing
from app.decision.schema.findings import Issue
from app.decision.schema.paths import Draft
from handlers.slack import action_ids
from handlers.slack.payload import Payload, mapping
from handlers.views.editing import changes, form, inputs, rating
from handlers.views.editing.fields import row_words
from handlers.views.editing.form import Subject
from handlers.views.editing.path import Path, at, called, written
from handlers.views.editing.path import read as path_of
from handlers.views.editing.window import SHOWN_CHARS
from handlers.views.editing.window_state import Order
from handlers.views.kit import mrkdwn


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


def done(subject: Subject, order: Order, path: str) -> Edit:
    """Return the edit for a click on a row."""
    place = path_of(path, subject.component)
    if not place or at(subject.draft, place) is None:
        return _nothing(subject)
    match order:
        case Order.UP | Order.DOWN:
            by = -1 if order is Order.UP else 1
            return _judged(subject, changes.shifted(subject.draft, place, by))
        case Order.REMOVE:
            return _removed(subject, place)
        case _:
            return _moved(subject, place, boxes(subject, place)[0])


def boxes(subject: Subject, place: Path = ()) -> tuple[Path, ...]:
    """Return the lists that an item can be moved to."""
    return changes.targets(subject.component, (place or subject.place)[:-1])


def column(subject: Subject) -> rating.Column:
    """Return the column of a window."""
    about = subject.about
    return rating.Column(draft=subject.draft, so_far=subject.so_far, objective=about.path, part=about.part)


def _filled(subject: Subject, view: Payload) -> Edit:
    draft = form.filled(subject, _values(view))
    return _nothing(subject) if draft is subject.draft else _of_a_form(subject, view, draft)


def _rated(subject: Subject, view: Payload) -> Edit:
    given = rating.read(column(subject), _values(view))
    if given.errors or not given.said:
        return Edit(draft=subject.draft, is_change=False, errors=given.errors)
    return _of_a_form(subject, view, given.draft, given.said)


def _sent_away(subject: Subject, view: Payload) -> Edit:
    chosen = inputs.chosen(_values(view), action_ids.EDIT_MOVE_FIELD)
    box = next((each for each in boxes(subject) if written(each) == chosen), None)
    if box is None:
        return _nothing(subject)
    edit = _moved(subject, subject.place, box)
    if not edit.problem:
        return edit
    return Edit(draft=edit.draft, errors={action_ids.EDIT_MOVE_FIELD: mrkdwn.plain(edit.problem)})


SENT: Mapping[str, Callable[[Subject, Payload], Edit]] = {
    action_ids.EDIT_FORM_WINDOW: _filled,
    action_ids.RATE_FORM_WINDOW: _rated,
    action_ids.EDIT_MOVE_WINDOW: _sent_away,
}
"""The handler of each submitted window."""


def _removed(subject: Subject, place: Path) -> Edit:
    draft, missed = changes.without(subject.component, subject.draft, place, subject.so_far)
    return _judged(subject, draft, draft_editing.REMOVED.format(item=_item(subject, place)), _pruned(subject, missed))


def _moved(subject: Subject, place: Path, box: Path) -> Edit:
    moved = changes.moved(subject.component, subject.draft, place, box, subject.so_far)
    said = draft_editing.MOVED.format(item=_item(subject, place), handle=moved.handle)
    left = draft_editing.LEFT_BEHIND.format(fields=", ".join(map(called, moved.left))) if moved.left else ""
    return _judged(subject, moved.draft, said, left, _pruned(subject, moved.missed))


def _judged(subject: Subject, draft: Draft, *sentences: str) -> Edit:
    judged = changes.judged(subject.component, subject.draft, draft, subject.so_far)
    if judged.issues:
        problem = draft_editing.REFUSED.format(problem=_problem(judged.issues))
        return Edit(draft=subject.draft, is_change=False, problem=mrkdwn.verbatim(problem))
    if judged.draft == subject.draft:
        return Edit(draft=subject.draft, is_change=False, problem=draft_editing.UNDONE)
    notice = "\n".join(map(mrkdwn.verbatim, filter(None, (*sentences, *judged.remarks))))
    return Edit(draft=judged.draft, notice=notice)


def _of_a_form(subject: Subject, view: Payload, draft: Draft, said: str = "") -> Edit:
    judged = changes.judged(subject.component, subject.draft, draft, subject.so_far)
    wrong = form.errors(subject, judged.issues, view)
    notice = "\n".join(map(mrkdwn.verbatim, judged.remarks))
    if judged.draft == subject.draft and not said:
        wrong = {form.input_names(view)[0]: draft_editing.UNDONE}
    return Edit(draft=judged.draft, is_change=not wrong, notice=notice, said=said, errors=wrong)


def _nothing(subject: Subject) -> Edit:
    return Edit(draft=subject.draft, is_change=False)


def _problem(issues: Iterable[Issue]) -> str:
    """Return the sentences on what is wrong, each once."""
    return " ".join(dict.fromkeys(map(form.words, issues)))


def _item(subject: Subject, place: Path) -> str:
    words = row_words(subject.component, place, at(subject.draft, place), subject.names)
    return inputs.cut(words, SHOWN_CHARS)


def _pruned(subject: Subject, missed: tuple[str, ...]) -> str:
    return draft_editing.PRUNED.format(items=", ".join(map(subject.names.label, missed))) if missed else ""


def _values(view: Payload) -> Payload:
    return mapping(mapping(view.get("state")).get("values"))
