"""Conversion between a field's value and the inputs of a form. Pure.

A field that is submitted as it was shown is unchanged, whatever the form of its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from app.core.copy import draft_editing, texts
from app.core.text.cutting import cut
from app.core.text.untrusted import show_brackets
from app.decision.schema.terms import format_signed, load_terms
from handlers.slack.payload import Payload, read_element, read_list, read_mapping, read_option, read_text, read_words
from handlers.views.editing.fields import Field, FieldKind
from handlers.views.editing.path import name_choice
from handlers.views.kit import blocks
from handlers.views.windows.forms import MOST_CHARS

NONE: Final = "-"
"""Value of the option for no choice: not every Slack client can clear a select."""
CHECKED: Final = "true"
SHORT: Final = 150
"""Characters up to which a text gets a single-line input."""
ROOM: Final = 300
"""Characters left free in a field of lines, so that there is room for one more line."""

_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
"""Numbers that a double, and thus a document in MongoDB, can hold."""
_ANY_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
"""Numbers that Slack lets people enter; it names no greatest one."""

Options = Mapping[str, str]
"""Labels by value."""
STEP_LABELS: Final[Options] = {
    str(int(step)): draft_editing.STEP.format(step=format_signed(int(step)), meaning=line)
    for step, line in load_terms()["scale"].items()
}
"""The steps of the scale of ratings, best first."""
Shown = str | bool | tuple[str, ...]
"""A value in the form in which a window shows it; empty or False if there is none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A field with its present value. `options` are the items that can be chosen, by handle."""

    field: Field
    value: Any
    options: Options


def name_input(field: Field, piece: int = 0) -> str:
    """Return the `block_id` and `action_id` of an input. A long list has several."""
    whole = ".".join(field.name) or "value"
    return f"{whole}#{piece}" if piece else whole


def render_inputs(entry: Entry) -> list[blocks.Block]:
    """Return the inputs of a field; none if its text is too long or it has no choices."""
    field = entry.field
    if field.kind is FieldKind.LINES:
        return _build_line_inputs(entry)
    made = _build_element(entry)
    return [_build_input(entry, 0, made)] if made else []


def read_value(entry: Entry, values: Payload) -> Any:
    """Return the submitted value; None if it is empty. A field that was not shown or not changed keeps its value."""
    if name_input(entry.field) not in values:
        return entry.value
    given, before = _read_inputs(entry.field, values), format_value(entry.field, entry.value)
    return entry.value if given == before else _convert_value(entry, given)


def format_value(field: Field, value: Any) -> Shown:
    """Return a value in the form in which a window shows it."""
    match field.kind:
        case FieldKind.LINES:
            return tuple(_clean_line(each) for each in value or ())
        case FieldKind.ITEMS:
            return tuple(sorted(value or ()))
        case FieldKind.FLAG:
            return value is True
        case FieldKind.NUMBER:
            return "" if value is None else write_number(value)
        case _:
            return "" if value is None else trim(str(value))


def _build_input(entry: Entry, piece: int, element: blocks.Block) -> blocks.Block:
    field, block = entry.field, name_input(entry.field, piece)
    label = draft_editing.MORE_OF.format(label=field.label) if piece else field.label
    made = blocks.build_input(block, label, element)
    made["optional"] = not field.required or piece > 0 or field.kind is FieldKind.FLAG
    hints = [draft_editing.ONE_A_LINE] if field.kind is FieldKind.LINES else []
    hints += [
        draft_editing.HINTS.get(".".join(field.name), ""),
        draft_editing.FOR_APPROVAL if field.for_approval else "",
    ]
    hint = " ".join(filter(None, hints))
    return made | ({"hint": blocks.build_plain_text(hint)} if hint else {})


def _build_element(entry: Entry) -> blocks.Block | None:
    """Return the control of a field, if it has one."""
    field = entry.field
    match field.kind:
        case FieldKind.TEXT:
            return _build_text_input(field, str(format_value(field, entry.value)))
        case FieldKind.NUMBER:
            return _build_number_input(field, str(format_value(field, entry.value)))
        case FieldKind.DATE:
            return {"type": "datepicker"} | ({"initial_date": entry.value} if entry.value else {})
        case FieldKind.PERSON:
            return {"type": "users_select"} | ({"initial_user": entry.value} if entry.value else {})
        case FieldKind.FLAG:
            yes = blocks.build_options({CHECKED: texts.YES})
            return {"type": "checkboxes", "options": yes} | ({"initial_options": yes} if entry.value else {})
        case FieldKind.STEP:
            return build_select(STEP_LABELS, str(format_value(field, entry.value)), required=field.required)
        case FieldKind.ITEMS:
            return build_multi_select(entry.options, entry.value or ())
        case _:
            choices = entry.options or {str(each): name_choice(str(each)) for each in field.schema.get("enum", ())}
            return build_select(choices, str(format_value(field, entry.value)), required=field.required)


def build_select(choices: Options, chosen: str, *, required: bool) -> blocks.Block | None:
    """Return a select of one of these, with an option for none unless it is required."""
    if not choices:
        return None
    offered = _build_options(choices if required else {NONE: draft_editing.NONE, **choices})
    initial = [each for each in offered if each["value"] == chosen]
    select = _frame_select("static_select", offered)
    return select | ({"initial_option": initial[0]} if initial else {})


def build_multi_select(choices: Options, chosen: Iterable[str]) -> blocks.Block | None:
    """Return a select of several of these."""
    if not choices:
        return None
    offered = _build_options(choices)
    initial = [each for each in offered if each["value"] in chosen]
    select = _frame_select("multi_static_select", offered)
    return select | ({"initial_options": initial} if initial else {})


def _build_options(choices: Options) -> list[blocks.Block]:
    return blocks.build_options({value: cut(label, blocks.LABEL_CHARS) for value, label in choices.items()})


def _frame_select(kind: str, options: list[blocks.Block]) -> blocks.Block:
    """Return a select with these options, in groups if they exceed Slack's limit for one list."""
    select: blocks.Block = {"type": kind, "placeholder": blocks.build_plain_text(draft_editing.CHOOSE)}
    if len(options) <= blocks.MOST_OPTIONS:
        return select | {"options": options}
    chunks = [options[start : start + blocks.MOST_OPTIONS] for start in range(0, len(options), blocks.MOST_OPTIONS)]
    return select | {"option_groups": [{"label": each[0]["text"], "options": each} for each in chunks]}


def _build_text_input(field: Field, words: str) -> blocks.Block | None:
    """Return a text input; None if the text exceeds Slack's limit."""
    if len(words) > MOST_CHARS:
        return None
    most = max(min(field.schema.get("maxLength", MOST_CHARS), MOST_CHARS), len(words))
    return blocks.build_text_box(most, words) | {"multiline": most > SHORT}


def _build_number_input(field: Field, digits: str) -> blocks.Block:
    limits = {"min_value": field.schema.get("minimum"), "max_value": field.schema.get("maximum")}
    box: blocks.Block = {"type": "number_input", "is_decimal_allowed": field.schema["type"] == "number"}
    box |= {key: str(limit) for key, limit in limits.items() if limit is not None}
    return box | ({"initial_value": digits} if digits else {})


def _build_line_inputs(entry: Entry) -> list[blocks.Block]:
    lines = format_value(entry.field, entry.value)
    assert isinstance(lines, tuple), "lines are shown as lines"
    if any(len(line) > MOST_CHARS for line in lines):
        return []
    pieces = ["\n".join(piece) for piece in _split_lines(lines)] or [""]
    boxes = [blocks.build_text_box(MOST_CHARS, piece) for piece in pieces]
    return [_build_input(entry, index, box) for index, box in enumerate(boxes)]


def _split_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines in chunks that fit one input each."""
    piece: list[str] = []
    for line in lines:
        if piece and len("\n".join([*piece, line])) > MOST_CHARS - ROOM:
            yield piece
            piece = []
        piece.append(line)
    if piece:
        yield piece


def _read_inputs(field: Field, values: Payload) -> Shown:
    """Return the submitted inputs of a field in the form in which values are shown."""
    state = read_element(values, name_input(field))
    match field.kind:
        case FieldKind.LINES:
            pieces = (key for key in values if key.partition("#")[0] == name_input(field))
            lines = (line for key in pieces for line in read_words(values, key).splitlines())
            return tuple(_clean_line(line) for line in lines if line.strip())
        case FieldKind.ITEMS:
            return tuple(
                sorted(read_text(read_mapping(each).get("value")) for each in read_list(state.get("selected_options")))
            )
        case FieldKind.FLAG:
            return bool(read_list(state.get("selected_options")))
        case FieldKind.DATE:
            return read_text(state.get("selected_date"))
        case FieldKind.PERSON:
            return read_text(state.get("selected_user"))
        case FieldKind.CHOICE | FieldKind.ITEM | FieldKind.STEP:
            return read_choice(values, name_input(field))
        case _:
            return trim(read_text(state.get("value")))


def read_choice(values: Payload, block: str) -> str:
    """Return the chosen value of a select; empty if none is chosen."""
    value = read_option(read_element(values, block))
    return "" if value == NONE else value


def _convert_value(entry: Entry, given: Shown) -> Any:
    """Return the value of a changed input; None if it is empty."""
    match entry.field.kind:
        case FieldKind.LINES if isinstance(given, tuple):
            known = {_clean_line(each): each for each in entry.value or ()}
            return [known.get(line) or show_brackets(line) for line in given] or None
        case FieldKind.TEXT if isinstance(given, str):
            return show_brackets(given) or None
        case FieldKind.ITEMS if isinstance(given, tuple):
            order = [*(entry.value or ()), *entry.options]
            return [each for each in dict.fromkeys(order) if each in given] or None
        case FieldKind.CHOICE:
            return next((each for each in entry.field.schema["enum"] if str(each) == given), None)
        case FieldKind.STEP:
            return int(given) if isinstance(given, str) and given in STEP_LABELS else None
        case FieldKind.NUMBER if isinstance(given, str):
            return parse_number(given)
        case _:
            return given if given != "" else None


def write_number(value: float) -> str:
    """Return a number as an input of numbers begins with it: in digits, without groups."""
    return format(Decimal(str(value)), "f")


def parse_number(digits: str) -> int | float | str | None:
    """Return the number. Text that is none, or a number that is too long, stays as it is: the field refuses it."""
    if not _NUMBER.fullmatch(digits):
        return digits or None
    return float(digits) if "." in digits else int(digits)


def is_long_number(entered: object) -> bool:
    """Return True for the text of a number that has more digits than can be kept."""
    return isinstance(entered, str) and bool(_ANY_NUMBER.fullmatch(entered)) and not _NUMBER.fullmatch(entered)


def _clean_line(words: str) -> str:
    return " ".join(words.split())


def trim(words: str) -> str:
    """Return a text as a form submits it: with Slack's line ends and without surrounding space."""
    return "\n".join(words.splitlines()).strip()
