"""The rating of a column: one objective across all options, against the status quo. Pure.

Ratings that people gave, in the talk or here, are preselected. The model's are shown beside the input, and stay
proposals until a person chooses them. What people said of an option before stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from app.core.copy import decision_steps, draft_editing
from app.core.text.cutting import cut
from app.core.text.untrusted import show_brackets
from app.decision.drafts.rating_edits import CarriedRating, find_carried
from app.decision.layout.objectives import describe_measure
from app.decision.layout.parts.told_parts import list_told_of
from app.decision.record import DecisionRecord
from app.decision.rows import WHOLE_SCALE, describe_amount, find_place, is_of_before, is_unknown, note_amount
from app.decision.schema.paths import Draft, find_values
from app.decision.schema.terms import format_amount, format_signed
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_list, read_mapping, read_text, read_words
from handlers.views.editing import inputs
from handlers.views.editing.fields import SEPARATOR
from handlers.views.editing.form import Subject, build_told, build_window
from handlers.views.editing.list_window import build_list_window, build_notice
from handlers.views.editing.path import put_value
from handlers.views.editing.window import SHOWN_CHARS
from handlers.views.editing.window_state import WindowCommand, write_window_command
from handlers.views.kit import blocks, mrkdwn
from handlers.views.windows.forms import View, cut_page

OPTIONS: Final = 17
"""Options of a window: each takes five of Slack's 100 blocks where there is something to measure."""
REASON_CHARS: Final = 500
"""Limit of a rationale in definitions.json."""
LINES: Final = SHOWN_CHARS * 4
"""Limit for what is told of an option above its inputs."""
MOST_CONFIRMED: Final = 10
"""Amounts of before that a window asks about: each takes a block more."""
RATING_INPUTS: Final = (".rating", ".reason", ".doubt", ".number")
"""Ends of the names of what an option has."""
EXTREMES: Final = ("-2", "2")
"""Ratings that need a reason."""

STEPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **inputs.STEP_LABELS,
        draft_editing.DONT_KNOW: draft_editing.STEP.format(step=draft_editing.DONT_KNOW, meaning=draft_editing.UNKNOWN),
    }
)
"""The choices of a rating, best first, by their value."""

Cell = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One objective, and the part of the options that a window shows. Its subject's state names both."""

    subject: Subject

    @property
    def so_far(self) -> DecisionRecord:
        """Return what was approved before."""
        return self.subject.so_far

    @property
    def objective(self) -> str:
        """Return the objective."""
        return self.subject.about.path

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options of this part, in display order, without the status quo, which they are compared with."""
        begin = self.subject.about.part * OPTIONS
        return list_options(self.so_far)[begin : begin + OPTIONS]

    def cell(self, option: str) -> Cell:
        """Return the cell of an option; empty if there is none."""
        cells = find_values(self.subject.draft, "table.cells[]")
        return next((each for each in cells if find_place(each) == (option, self.objective)), Cell())

    @property
    def measure(self) -> Mapping[str, Any]:
        """Return what people measure the objective by; empty if that is unknown."""
        return self.so_far.find_objective(self.objective).get("performance_measure", Cell())

    def find_unit(self, option: str) -> str:
        """Return the unit in which an option's amount stands, or would stand."""
        cell = self.cell(option)
        return self.measure.get("units", "") if _read_amount(cell) is None else cell.get("quant_unit", "")

    def find_reason(self, option: str) -> str:
        """Return the reason that people gave for an option's rating, else for one against an earlier status quo."""
        carried = self._find_carried(option)
        return _read_reason(self.cell(option)) or inputs.trim(carried.reason if carried else "")

    def _find_carried(self, option: str) -> CarriedRating | None:
        return find_carried(self.subject.draft, self.so_far).get((option, self.objective))

    def describe_carried(self, option: str) -> str:
        """Return the text on an option's rating against an earlier status quo; empty if there is none."""
        found = self._find_carried(option)
        if found is None:
            return ""
        former, against = _format_step(found.rating), self.so_far.label(found.against)
        if found.proposed is None:
            return draft_editing.NOT_CARRIED.format(former=former, baseline=against)
        return draft_editing.SUBTRACTED.format(rating=_format_step(found.proposed), former=former, baseline=against)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSubmission:
    """The result of a rating form: the draft with the ratings, or the errors by input."""

    draft: Draft
    said: str = ""
    """The input in words."""
    errors: Mapping[str, str]


def list_options(so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the options that are rated."""
    return tuple(each for each in so_far.alternatives if each != so_far.baseline)


def can_rate(so_far: DecisionRecord) -> bool:
    """Return True if there is a column to rate."""
    return bool(so_far.objectives and list_options(so_far))


def build_picker(subject: Subject, notice: str = "") -> View:
    """Return the window of objectives with the progress of each. An objective with many options has several parts."""
    parts = -(-len(list_options(subject.so_far)) // OPTIONS)
    columns = [(objective, part) for objective in subject.so_far.objectives for part in range(parts)]
    shown, number, pages = cut_page(columns, subject.about.page)
    lines = [
        _build_line(Column(replace(subject, about=replace(subject.about, path=objective, part=part))), parts)
        for objective, part in shown
    ]
    body = [*build_notice(notice), blocks.build_section(draft_editing.RATE_PICK), *lines]
    return build_list_window(action_ids.RATE_LIST_WINDOW, subject, body, (number, pages))


def _build_line(column: Column, parts: int) -> blocks.Block:
    about = write_window_command(WindowCommand.RATE, f"{column.objective}:{column.subject.about.part}")
    rate = blocks.build_button(action_ids.EDITING_BUTTON, decision_steps.RATE, about)
    return blocks.build_verbatim(_describe_progress(column, parts)) | {"accessory": rate}


def build_form(column: Column) -> View:
    """Return the window of a column: the meaning of its steps, then rating, reason and doubt for each option."""
    so_far = column.so_far
    measured = describe_measure(column.measure) if "scale_levels" in column.measure else []
    body = [blocks.build_verbatim(cut("\n".join([so_far.label(column.objective), *measured]), LINES))]
    if anchors := _describe_anchors(column):
        body.append(blocks.build_verbatim(anchors))
    baseline = so_far.label(so_far.baseline) if so_far.baseline else draft_editing.STATUS_QUO
    against = cut(baseline, SHOWN_CHARS)
    body.append(blocks.build_section(draft_editing.RATE_AGAINST.format(baseline=mrkdwn.render_verbatim(against))))
    body += build_told(list_told_of(column.subject.result, (), is_uncertain=True))
    asked = [option for option in column.options if is_of_before(column.cell(option))][:MOST_CONFIRMED]
    for option in column.options:
        body += _build_option_inputs(column, option)
        if option in asked:
            body.append(_build_confirmation(column, option))
    return build_window(action_ids.RATE_FORM_WINDOW, draft_editing.RATE_TITLE, column.subject.about, body)


def is_as_shown(column: Column, view: Payload) -> bool:
    """Return True if the inputs of an open window begin as they would in a new one.

    Then nothing of this column has changed since it was opened, whatever else of the draft has.
    """
    now = [block for option in column.options for block in _build_option_inputs(column, option)]
    shown = map(read_mapping, read_list(view.get("blocks")))
    return _list_beginnings(now) == _list_beginnings(shown)


def _list_beginnings(shown: Iterable[Payload]) -> dict[str, tuple[str, str]]:
    """Return what each input begins with, by its name: a choice, or a text."""
    elements = {read_text(each.get("block_id")): read_mapping(each.get("element")) for each in shown}
    return {
        name: (read_text(read_mapping(each.get("initial_option")).get("value")), read_text(each.get("initial_value")))
        for name, each in elements.items()
        if name.endswith(RATING_INPUTS)
    }


def read(column: Column, given: Payload) -> RatingSubmission:
    """Return the submitted ratings. An unchanged option keeps its cell.

    The window may be one that was opened when a part had other options than now.
    """
    draft, said, errors = column.subject.draft, list[str](), dict[str, str]()
    rated = list_options(column.so_far)
    for option in dict.fromkeys(name.rpartition(".")[0] for name in given if name.endswith(RATING_INPUTS)):
        entry = _EnteredRating.of(column, option, given)
        if not (entry.is_cleared or entry.is_changed):
            continue
        wrong = entry.wrong() if option in rated else {_name_input(option, "rating"): draft_editing.CHANGED_BELOW}
        if wrong:
            errors |= wrong
        else:
            made = None if entry.is_cleared else entry.build()
            draft = _replace_cell(draft, column.objective, option, made)
            said.append(f"{column.so_far.label(option)} {entry.words()}")
    sentence = f"{column.so_far.label(column.objective)}: {'; '.join(said)}" if said else ""
    return RatingSubmission(draft=draft, said=sentence, errors=errors)


@dataclass(frozen=True, slots=True)
class _EnteredRating:
    """The input for one option, beside its former cell."""

    option: str
    before: Cell
    noted: str
    """The reason that the window showed."""
    rating: str
    reason: str
    doubt: str
    amount: int | float | str | None
    """The amount; the one of before if the window asked for none, and a text if it is no number."""
    unit: str
    confirms: bool
    """True if the person says that the amount of before still holds."""
    is_shown: bool
    """True if the window had a rating to choose."""

    @classmethod
    def of(cls, column: Column, option: str, given: Payload) -> _EnteredRating:
        reason = show_brackets(read_words(given, _name_input(option, "reason")))
        names = (_name_input(option, "rating"), _name_input(option, "doubt"))
        rating, doubt = (inputs.read_choice(given, name) for name in names)
        confirms = inputs.read_choice(given, _name_input(option, "amount")) == draft_editing.STILL_RIGHT
        noted, is_shown = column.find_reason(option), _name_input(option, "rating") in given
        before, number = column.cell(option), _name_input(option, "number")
        amount = _read_amount(before)
        digits = inputs.trim(read_words(given, number))
        if number in given and digits != _write_amount(before):
            amount = inputs.parse_number(digits)
        unit = column.find_unit(option)
        return cls(option, before, noted, rating, inputs.trim(reason), doubt, amount, unit, confirms, is_shown)

    @property
    def is_measured_anew(self) -> bool:
        return self.amount != _read_amount(self.before)

    @property
    def is_changed(self) -> bool:
        is_same = (self.reason, self.doubt) == (self.noted, _read_doubt(self.before)) and not self.is_measured_anew
        return self.confirms or not is_same or self.rating not in ("", _read_choice(self.before))

    @property
    def is_cleared(self) -> bool:
        """Return True if a rating that people gave was taken out, with nothing new said of it."""
        is_silent = self.reason in ("", self.noted) and self.doubt in ("", _read_doubt(self.before))
        is_new = self.confirms or (self.is_measured_anew and self.amount is not None)
        return self.is_shown and not self.rating and bool(_read_choice(self.before)) and is_silent and not is_new

    @property
    def now(self) -> str:
        """Return the effective rating: the chosen one, or the one of before if none could be chosen; empty if none."""
        return self.rating if self.is_shown else _read_choice(self.before)

    def wrong(self) -> dict[str, str]:
        """Return what is missing, by input. A rating that goes must not take a measured amount with it unseen."""
        if isinstance(self.amount, str):
            is_long = inputs.is_long_number(self.amount)
            told = draft_editing.LONG_NUMBER if is_long else draft_editing.NOT_A_NUMBER
            return {_name_input(self.option, "number"): told}
        if self.is_cleared and self.amount is None:
            return {}
        if self.is_cleared:
            told = draft_editing.HOLDS_AN_AMOUNT.format(amount=describe_amount(self.before))
            return {_name_input(self.option, "rating"): told}
        if self.is_changed and not self.now:
            return {_name_input(self.option, "rating"): draft_editing.NEEDS_A_RATING}
        if self.is_changed and self.now in EXTREMES and not self.reason:
            return {_name_input(self.option, "reason"): draft_editing.NEEDS_A_REASON}
        return {}

    def build(self) -> Cell:
        """Return the new cell, without the model's proposal. Who does not know leaves all steps open."""
        cell: Cell = {} if _is_proposal(self.before) else dict(self.before)
        doubt, is_open = cell.pop("uncertainty", {}), self.now == draft_editing.DONT_KNOW
        cell |= {"rating": 0 if is_open else int(self.now), "rationale": self.reason, "origin": "user"}
        if not self.reason:
            del cell["rationale"]
        is_former = self.doubt == _read_doubt(self.before) and not is_unknown(self.before)
        if level := "high" if is_open and (is_former or not self.doubt) else self.doubt:
            cell["uncertainty"] = {**doubt, "level": level}
        span: Cell = cell.pop("rating_range", {})
        if is_open:
            cell["rating_range"] = dict(WHOLE_SCALE)
        elif span and not is_unknown(self.before) and span["low"] <= cell["rating"] <= span["high"]:
            cell["rating_range"] = span  # else it was about another rating
        if self.is_measured_anew:
            _measure_anew(cell, self.amount, self.unit)
        elif "quant_value" in cell and (self.confirms or "amount_for" not in cell):
            _date_amount(cell, cell if self.confirms else self.before)
        return cell

    def words(self) -> str:
        """Return the input in words."""
        if self.is_cleared:
            return draft_editing.TAKEN_OUT
        rating = (
            draft_editing.UNKNOWN
            if self.now == draft_editing.DONT_KNOW
            else _format_step(int(self.now)).partition(SEPARATOR)[0]
        )
        told = _describe_rating(f"{rating}{self._tell_amount()}", " ".join(self.reason.split()), self.doubt)
        return (
            draft_editing.CONFIRMED.format(rating=told, amount=describe_amount(self.before))
            if self.confirms and not self.is_measured_anew
            else told
        )

    def _tell_amount(self) -> str:
        if not self.is_measured_anew:
            return ""
        if not isinstance(self.amount, int | float):
            return draft_editing.AMOUNT_GONE
        return draft_editing.MEASURED.format(amount=format_amount(self.amount, self.unit))


def _measure_anew(cell: Cell, amount: int | float | str | None, unit: str) -> None:
    """Put the amount into the cell, as given for its rating; without one, take out all that is said of it."""
    for name in ("quant_value", "quant_unit", "amount_for", "source"):
        cell.pop(name, None)
    if amount is not None:
        cell |= {"quant_value": amount, **({"quant_unit": unit} if unit else {})}
        _date_amount(cell, cell)


def _date_amount(cell: Cell, rated: Mapping[str, Any]) -> None:
    """Note that the cell's amount was given for this rating. It was given for none that nobody knows."""
    cell.pop("amount_for", None)
    if noted := note_amount(rated):
        cell["amount_for"] = noted


def _name_input(option: str, field: str) -> str:
    return f"{option}.{field}"


def _describe_progress(column: Column, parts: int) -> str:
    label = cut(column.so_far.label(column.objective), SHOWN_CHARS)
    if parts > 1:
        label = draft_editing.RATE_PART.format(label=label, part=column.subject.about.part + 1, parts=parts)
    given = [cell for option in column.options if (cell := column.cell(option)) and not _is_proposal(cell)]
    open_count = sum(map(is_unknown, given))
    told = draft_editing.RATE_PROGRESS.format(rated=len(given) - open_count, all=len(column.options))
    return f"{label}\n{told}{draft_editing.RATE_UNKNOWN.format(count=open_count) if open_count else ''}"


def _describe_anchors(column: Column) -> str:
    rows = find_values(column.subject.draft, "table.anchors[]")
    anchors: Cell = next((each for each in rows if each["objective_id"] == column.objective), Cell())
    told = ((label, anchors[step]) for step, label in STEPS.items() if step in anchors)
    return "\n".join(draft_editing.RATE_ANCHOR.format(step=label, meaning=meaning) for label, meaning in told)


def _build_option_inputs(column: Column, option: str) -> Iterator[blocks.Block]:
    """Yield the inputs for one option."""
    cell, label = column.cell(option), column.so_far.label(option)
    proposed = _describe_proposal(cell) or column.describe_carried(option) or _describe_range(cell)
    told, shown = [*filter(None, [proposed, *_describe_told(column, option)])], cut(label, SHOWN_CHARS)
    is_told_below = not told and shown == label  # its name is in the label of the rating
    yield blocks.DIVIDER if is_told_below else blocks.build_verbatim(cut("\n".join([label, *told]), LINES))
    rating = inputs.build_select(STEPS, _read_choice(cell), required=True)
    asked = draft_editing.RATE_LABEL.format(option=shown)
    yield _build_input(_name_input(option, "rating"), asked, rating or {})
    reason = blocks.build_text_box(REASON_CHARS, column.find_reason(option))
    yield _build_input(_name_input(option, "reason"), draft_editing.REASON_LABEL, reason)
    if (column.measure and "scale_levels" not in column.measure) or _write_amount(cell):
        yield _build_number_input(column, option)
    doubt = inputs.build_select(draft_editing.DOUBTS, _read_doubt(cell), required=False)
    yield _build_input(_name_input(option, "doubt"), draft_editing.DOUBT_LABEL, doubt or {})


def _build_number_input(column: Column, option: str) -> blocks.Block:
    unit, given = column.find_unit(option), _write_amount(column.cell(option))
    asked = draft_editing.MEASURED_IN.format(unit=cut(unit, SHOWN_CHARS)) if unit else draft_editing.MEASURED_LABEL
    box: blocks.Block = {"type": "number_input", "is_decimal_allowed": True}
    return _build_input(_name_input(option, "number"), asked, box | ({"initial_value": given} if given else {}))


def _describe_told(column: Column, option: str) -> Iterator[str]:
    """Yield what people said of an option in earlier steps, such as what it assumes."""
    for listing in list_told_of(column.subject.result, (option,), is_uncertain=False):
        yield f"{listing.title}: {'; '.join(note for item in listing.items for note in item.notes)}"


def _build_confirmation(column: Column, option: str) -> blocks.Block:
    cell = column.cell(option)
    given_for = _format_step(cell["amount_for"]["rating"]).partition(SEPARATOR)[0]
    asked = draft_editing.AMOUNT_LABEL.format(amount=inputs.cut(describe_amount(cell), SHOWN_CHARS), rating=given_for)
    select = inputs.build_select({draft_editing.STILL_RIGHT: draft_editing.STILL_RIGHT_LABEL}, "", required=False)
    return _build_input(_name_input(option, "amount"), asked, select or {})


def _build_input(name: str, label: str, element: blocks.Block) -> blocks.Block:
    return blocks.build_input(name, label, element) | {"optional": True}


def _describe_proposal(cell: Cell) -> str:
    """Return the text on the model's proposal; empty if there is none. What people gave, the inputs begin with."""
    if not _is_proposal(cell):
        return ""
    doubt = cell.get("uncertainty", {}).get("level", "")
    return draft_editing.PROPOSAL.format(
        rating=_describe_rating(_format_step(cell["rating"]), cell.get("rationale", ""), doubt)
    )


def _describe_range(cell: Cell) -> str:
    """Return the text on the range that people gave, which stays while the rating is within it; empty if none."""
    span: Cell = cell.get("rating_range", {})
    if not span or is_unknown(cell):
        return ""
    return draft_editing.RANGE_GIVEN.format(low=format_signed(span["low"]), high=format_signed(span["high"]))


def _is_proposal(cell: Cell) -> bool:
    return cell.get("origin") == "ai_suggested"


def _read_choice(cell: Cell) -> str:
    """Return the rating that people gave; empty if there is none."""
    if not cell or _is_proposal(cell):
        return ""
    return draft_editing.DONT_KNOW if is_unknown(cell) else str(cell["rating"])


def _read_reason(cell: Cell) -> str:
    """Return the reason that people gave, not the one of a proposal."""
    return "" if _is_proposal(cell) else inputs.trim(cell.get("rationale", ""))


def _read_amount(cell: Cell) -> float | None:
    """Return the amount that people gave, not the one of a proposal; None if there is none."""
    return None if _is_proposal(cell) else cell.get("quant_value")


def _write_amount(cell: Cell) -> str:
    amount = _read_amount(cell)
    return "" if amount is None else inputs.write_number(amount)


def _read_doubt(cell: Cell) -> str:
    return "" if _is_proposal(cell) else cell.get("uncertainty", {}).get("level", "")


def _format_step(rating: int) -> str:
    return STEPS[str(rating)]


def _describe_rating(rating: str, reason: str, doubt: str) -> str:
    told = draft_editing.DOUBTFUL.format(rating=rating, doubt=draft_editing.DOUBTS[doubt]) if doubt else rating
    return draft_editing.BECAUSE.format(rating=told, reason=reason) if reason else told


def _replace_cell(draft: Draft, objective: str, option: str, made: Cell | None) -> Draft:
    """Return the draft with this cell, or none, in place of the former one."""
    at = (option, objective)
    others = [each for each in find_values(draft, "table.cells[]") if find_place(each) != at]
    now = [] if made is None else [{"alternative_id": option, "objective_id": objective, **made}]
    return put_value(draft, ("table", "cells"), [*others, *now])
