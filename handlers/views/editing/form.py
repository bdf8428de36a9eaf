"""The form of one item in a draft, its submitted values, and its errors by field. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from app.core.copy import draft_editing, texts
from app.core.state.sheet import Item, Listing
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.decision.layout.parts.result import Result, limit_items
from app.decision.layout.parts.told_parts import list_told_of
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.findings import Issue, IssueKind
from app.decision.schema.handles import list_handles
from app.decision.schema.paths import Draft
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_mapping
from handlers.views.editing import inputs
from handlers.views.editing.changes import add_item, quote_hand_edit
from handlers.views.editing.fields import SEPARATOR, Field, ItemNames, describe_row, list_fields, walk_fields
from handlers.views.editing.path import Path, find_node, format_path, get_value, name_place, parse_path, put_value
from handlers.views.editing.window_state import WindowState
from handlers.views.kit import blocks, mrkdwn
from handlers.views.windows import forms
from handlers.views.windows.forms import View

BYTES: Final = 200_000
"""Limit for the fields of a form: Slack accepts 250,000 bytes of a view."""
TOLD_ITEMS: Final = 5
"""Things of a kind that a form recalls; the details of the step have all."""
TOLD_LINE: Final = 300
TOLD_CHARS: Final = 2_500
UNCERTAIN_FIELD: Final = re.compile("uncertaint|^addresses$")
"""Names of the fields that speak of an uncertainty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The item that a form edits, and the draft that contains it."""

    component: Component
    draft: Draft
    so_far: DecisionRecord
    about: WindowState

    @property
    def place(self) -> Path:
        """Return the item's path, also before it is added; empty if there is no such place."""
        path = parse_path(self.about.path, self.component)
        return (*path, len(get_value(self.draft, path) or ())) if self.about.adds and path else path

    @property
    def result(self) -> Result:
        """Return what the step is about, for what was said of it in earlier ones."""
        return Result(self.component, self.draft, self.so_far)

    @property
    def names(self) -> ItemNames:
        """Return the names of the items."""
        return ItemNames(self.draft, self.so_far)

    @property
    def entries(self) -> list[inputs.Entry]:
        """Return its fields, each with its value and its choices."""
        thing, names = get_value(self.draft, self.place), self.names
        found = list_fields(self.component, self.place, thing, self.so_far)
        values = [get_value(thing, field.name) for field in found]
        return [
            inputs.Entry(field, each, {handle: names.label(handle) for handle in self._choices(field, each)})
            for field, each in zip(found, values, strict=True)
        ]

    def _choices(self, field: Field, value: Any) -> Iterable[str]:
        """Return the handles that can be chosen in a field, and those that are chosen."""
        handles = [*list_handles([self.draft]), *self.so_far.handles]
        offered = [each for each in handles if each.rstrip("0123456789") in field.prefixes]
        present: list[str] = [value] if isinstance(value, str) else value or []
        return dict.fromkeys([*offered, *present]) if field.prefixes else ()


def build_form(subject: Subject) -> View | None:
    """Return the form; None if it has no field that can be filled in, or if there is no such place."""
    told = _build_told_of_item(subject) if subject.place else []
    shown, left_out = [*told], list[str]()
    for entry in subject.entries if subject.place else ():
        made = inputs.render_inputs(entry)
        if made and len(json.dumps([*shown, *made])) <= BYTES:
            shown += made
        elif entry.value is not None:
            left_out.append(entry.field.label)
        elif entry.field.required:
            return None
    if left_out:
        shown.append(
            blocks.build_context(draft_editing.TOO_LARGE.format(fields=mrkdwn.render_verbatim(join_words(left_out))))
        )
    if len(shown) == len(told) + bool(left_out):
        return None
    return build_window(action_ids.EDIT_FORM_WINDOW, _word_title(subject), subject.about, shown)


def _word_title(subject: Subject) -> str:
    """Return what is edited or added; without that word and cut only where there is no room."""
    what = name_place(subject.place)
    whole = (draft_editing.ADD_TITLE if subject.about.adds else draft_editing.EDIT_TITLE).format(what=what)
    return whole if len(whole) <= blocks.TITLE_CHARS else cut(what, blocks.TITLE_CHARS)


def build_told(found: Iterable[Listing]) -> list[blocks.Block]:
    """Return a paragraph with what people said in earlier steps; none if they said nothing."""
    lists = ["\n".join([each.title, *map(_describe_told, limit_items(each.items, TOLD_ITEMS))]) for each in found]
    return [blocks.build_verbatim(cut("\n\n".join(lists), TOLD_CHARS))] if lists else []


def _describe_told(item: Item) -> str:
    return cut("• " + SEPARATOR.join([f"{item.handle} {item.text}".strip(), *item.notes]), TOLD_LINE)


def _build_told_of_item(subject: Subject) -> list[blocks.Block]:
    """Return what was said of the things that an item refers to, or can refer to while it is new."""
    path, thing = subject.place, get_value(subject.draft, subject.place)
    fields = [field for field in walk_fields(subject.component, path) if field.prefixes]
    values = (get_value(thing, field.name) for field in fields)
    chosen = {handle for value in values if value for handle in ([value] if isinstance(value, str) else value)}
    offered = {handle for entry in subject.entries for handle in entry.options} if thing is None else set[str]()
    spoken_of = (*path, *(name for field in walk_fields(subject.component, path) for name in field.name))
    is_uncertain = any(UNCERTAIN_FIELD.search(str(step)) for step in spoken_of)
    return build_told(list_told_of(subject.result, chosen or offered, is_uncertain=is_uncertain))


def build_move_form(subject: Subject, boxes: Iterable[Path]) -> View:
    """Return a form that names an item and asks for its target list."""
    item = describe_row(subject.component, subject.place, get_value(subject.draft, subject.place), subject.names)
    choices = {format_path(each): name_place(each) for each in boxes}
    select = inputs.build_select(choices, "", required=True)
    field = blocks.build_input(action_ids.EDIT_MOVE_FIELD, draft_editing.MOVE_LABEL, select or {})
    told = blocks.build_verbatim(cut(item, TOLD_LINE))
    return build_window(action_ids.EDIT_MOVE_WINDOW, draft_editing.MOVE_TITLE, subject.about, [told, field])


def build_window(callback: str, title: str, about: WindowState, body: list[blocks.Block]) -> View:
    """Return a window with a submit button."""
    return forms.build_form(callback, asdict(about), (title, draft_editing.SAVE, texts.CANCEL), *body)


def fill_in(subject: Subject, values: Payload) -> Draft:
    """Return the draft with the submitted values; the same object if nothing was changed."""
    place, thing = subject.place, get_value(subject.draft, subject.place)
    is_object = find_node(subject.component, place).get("type") == "object"
    made: Any = thing if thing is not None or not is_object else {}
    for entry in subject.entries:
        made = put_value(made, entry.field.name, inputs.read_value(entry, values))
    if made == thing or (made in ({}, None) and thing is None):
        return subject.draft
    if subject.about.adds:
        return add_item(subject.component, subject.draft, place[:-1], made, subject.so_far)
    return put_value(subject.draft, place, quote_hand_edit(subject.component, place, thing, made) or None)


def map_errors(subject: Subject, issues: Iterable[Issue], view: Payload) -> dict[str, str]:
    """Return the errors by input. An error that belongs to no input goes to the first."""
    names = list_input_names(view)
    told: dict[str, list[str]] = {}
    for issue in issues:
        told.setdefault(_find_input(issue, subject.place, names), []).append(_describe_issue_at(issue, subject.place))
    return {name: " ".join(dict.fromkeys(sentences)) for name, sentences in told.items()}


def list_input_names(view: Payload) -> list[str]:
    """Return the `block_id` of each input of a view, in order."""
    return [
        str(block.get("block_id"))
        for block in map(read_mapping, view.get("blocks", ()))
        if block.get("type") == "input"
    ]


def describe_issue(issue: Issue) -> str:
    """Return an issue as a sentence."""
    if issue.kind is IssueKind.MISSING:
        return draft_editing.NEEDED.format(requirement=issue.requirement)
    if inputs.is_long_number(issue.provided):
        return draft_editing.LONG_NUMBER
    problem = f"{issue.problem[:1].upper()}{issue.problem[1:]}"
    return draft_editing.PROBLEM.format(problem=problem, requirement=issue.requirement)


def _describe_issue_at(issue: Issue, place: Path) -> str:
    """Return an issue as a sentence, with the name of the item if it is another one."""
    here, what = ".".join(map(str, place)), describe_issue(issue)
    if f"{issue.field}.".startswith(f"{here}."):
        return what
    steps = tuple(int(step) if step.isdigit() else step for step in issue.field.split("."))
    return draft_editing.ELSEWHERE.format(what=name_place(steps), problem=what)


def _find_input(issue: Issue, place: Path, names: list[str]) -> str:
    """Return the input of the field, or of the nearest field that contains it."""
    here = ".".join(map(str, place))
    inside = issue.field.removeprefix(here).removeprefix(".") if issue.field.startswith(here) else ""
    best = [name for name in names if f"{inside}.".startswith(f"{name}.")]
    return max(best, key=len, default=names[0])
