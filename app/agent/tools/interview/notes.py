"""Tools to note what is said in the interview of a step. The component's own schema describes their inputs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, Literal

from pydantic import Field

from app.agent.tools.interview.said_ratings import SpokenRatings
from app.agent.tools.output import ToolResult
from app.agent.tools.tool import Input, PureTool
from app.agent.tools.trial import InterviewTrial
from app.core.conversation.conversation import Role
from app.core.errors import IllegalEvent
from app.core.state.interview import Mode, Phase
from app.decision.drafts.computed_tradeoffs import find_put_aside
from app.decision.drafts.draft import Rejected
from app.decision.drafts.notebook import CELLS, SWINGS, DraftChange, ItemAddress
from app.decision.rows import SUGGESTED, find_place, note_amount
from app.decision.schema.component import Component, find_subschema
from app.decision.schema.outline import (
    build_fields_schema,
    build_item_schema,
    holds_quotes,
    list_lists,
    list_single_fields,
)
from app.decision.schema.paths import find_values
from app.decision.tracing.figures import read_figures
from app.decision.tracing.said import SaidFigures
from app.decision.tracing.statements import list_said

DISCUSSION: Final = frozenset({Phase.INTRO, Phase.GATHER, Phase.CLARIFY})
"""Phases in which the draft is talked about."""

RECORDABLE: Final = DISCUSSION | {Phase.CONFIRM}
"""Phases in which the draft can be changed. One that waits for the owner's OK is shown again then."""

Fields = Field(description="What is said of it, as in note_item; null takes something out.")
Name = Field(
    min_length=1,
    max_length=500,
    description="Its handle (A2); without one, the handles it is about (A2:O1) or its words.",
)
List = Field(default="", description="Its list, if its name stands in several.")
QUOTE_CHARS: Final = 200
QUOTED: Final = "Words a person wrote, letter for letter. Without them the owner is asked to check the item."
UNQUOTED: Final = " {lists} keep none."
UNSPOKEN: Final = (
    "nobody rated {options} on it: kept and shown as your suggestion. Ask for it; if somebody did rate it, call again "
    "with their words as a quote"
)
RANGED: Final = "{option}: people said {low:+d} to {high:+d}: call again with low and high as well"
STALE: Final = (
    "{rating}: the range {low:+d} to {high:+d} was given for {was:+d}, not for {now:+d}: ask what it is now, and note "
    "it as rating_range"
)
REPEATED: Final = (
    "points: {points} were given on {objective} for another range than the ratings have now, and nobody has said them "
    "again. Ask what the range of now is worth; nothing was noted."
)
_KEEPS: Final = re.compile(
    r"\b(?:same|still|keep|kept|stays?|unchanged|leave|as before|holds?|gleich\w*|selbe\w*|bleib\w*)\b", re.IGNORECASE
)
"""Words by which people say a number again without naming it."""
Quote = Field(default="", max_length=QUOTE_CHARS)


class Note(Input):
    """Input of `note_item`."""

    list: str
    fields: dict[str, Any]
    quote: str = Quote


class Change(Input):
    """Input of `change_item`."""

    item: str = Name
    fields: dict[str, Any] = Fields
    quote: str = Quote
    list: str = List


class Drop(Input):
    """Input of `drop_item`."""

    item: str = Name
    list: str = List


class Move(Input):
    """Input of `move_item`."""

    item: str = Name
    to: str
    fields: dict[str, Any] = Field(default={}, description="What it wants more in the other list.")
    list: str = List


class Set(Input):
    """Input of `set_fields`."""

    fields: dict[str, Any]


class Rating(Input):
    """How one option does."""

    option: str = Field(min_length=1, max_length=20, description="Its handle. The status quo: 0 with an amount.")
    rating: int = Field(ge=-2, le=2, description="Steps better (+) or worse (-) than the status quo, as people said.")
    reason: str = Field(default="", max_length=500, description="What people base it on, if said.")
    doubt: Literal["", "low", "medium", "high"] = Field(default="", description="How unsure people are of it.")
    doubt_from: str = Field(default="", max_length=500, description="What the doubt comes from.")
    low: int | None = Field(default=None, ge=-2, le=2, description="The lowest that people hold possible.")
    high: int | None = Field(default=None, ge=-2, le=2, description="The highest that people hold possible.")
    amount: float | None = Field(default=None, description="What it measures there, if people say it.")
    source: str = Field(default="", max_length=500, description="Where the amount is from, if said.")


class Rate(Input):
    """Input of `rate`."""

    objective: str = Field(min_length=1, max_length=20, description="Its handle.")
    unit: str = Field(default="", max_length=100, description="Unit of the amounts.")
    quote: str = Field(default="", max_length=QUOTE_CHARS, description="Their words, if you were told of unsaid ones.")
    ratings: list[Rating] = Field(min_length=1, max_length=50)


def _note(trial: InterviewTrial, given: Note) -> ToolResult:
    trial.check_quote(given.quote)
    trial.check_words(given.fields)
    if given.list == SWINGS:
        _check_points(trial, str(given.fields.get("objective_id")), given.fields)
    before = trial.draft
    noted = trial.change(lambda book, draft: book.note(draft, given.list, given.fields, given.quote), given.quote)
    return trial.report_change("noted", noted, _list_names(given.fields), **_tell_left(trial, before))


def _change(trial: InterviewTrial, given: Change) -> ToolResult:
    trial.check_quote(given.quote)
    trial.check_words(given.fields)
    _check_points(trial, given.item.upper(), given.fields)
    at = ItemAddress(given.item, given.list)
    fields = {_IN_DRAFT.get(name, name) if ":" in given.item else name: each for name, each in given.fields.items()}
    before = trial.draft
    changed = trial.change(lambda book, draft: book.change(draft, at, fields, given.quote), given.quote)
    _, colon, objective = changed.name.partition(":")
    stale = _ask_range(before, trial.draft, changed.name) if "rating_range" not in fields else ()
    told = _ask(trial, objective, *stale) if colon else _tell_left(trial, before)
    return trial.report_change("changed", changed, [given.item, *_list_names(given.fields)], **told)


def _check_points(trial: InterviewTrial, objective: str, fields: Mapping[str, Any]) -> None:
    """Raise `IllegalEvent` if points only repeat those for a former range, and people have not just said them."""
    row = find_put_aside(trial.draft, trial.notebook.so_far).get(objective, {}) if "points" in fields else {}
    if not row or row["former"]["points"] != fields["points"] or trial.interview.mode is Mode.DIRECT:
        return
    replies = [each.seq for each in trial.messages if each.role is Role.ASSISTANT and each.text]
    since = replies[-2] if len(replies) > 1 else 0
    heard = [*list_said(trial.conversation, (each for each in trial.messages if each.seq >= since))]
    wanted = read_figures(str(fields["points"]))
    if not (any(_KEEPS.search(each.text) for each in heard) or all(map(SaidFigures.of(heard).knows, wanted))):
        told = REPEATED.format(points=fields["points"], objective=trial.notebook.so_far.label(objective))
        raise IllegalEvent("INVALID", told)


def _drop(trial: InterviewTrial, given: Drop) -> ToolResult:
    before = trial.draft
    dropped = trial.change(lambda book, draft: book.drop(draft, ItemAddress(given.item, given.list)))
    return trial.report_change("dropped", dropped, [given.item], **_tell_left(trial, before))


def _tell_left(trial: InterviewTrial, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are left, if a verdict has changed that."""
    was, now = map(trial.notebook.list_left, (before, trial.draft))
    return {"left": ", ".join(now)} if now != was else {}


def _move(trial: InterviewTrial, given: Move) -> ToolResult:
    trial.check_words(given.fields)
    at = ItemAddress(given.item, given.list)
    moved = trial.change(lambda book, draft: book.move(draft, at, given.to, given.fields))
    return trial.report_change("moved", moved, [given.item])


def _set(trial: InterviewTrial, given: Set) -> ToolResult:
    trial.check_words(given.fields)
    filled = trial.change(lambda book, draft: book.fill(draft, given.fields))
    return trial.report_change("set", filled, [filled.name])


def _rate(trial: InterviewTrial, given: Rate) -> ToolResult:
    """Note the ratings. One that is refused does not keep the others out, and one that nobody gave is a suggestion."""
    trial.check_quote(given.quote)
    rated, refused = list[DraftChange](), list[str]()
    unsaid, told = _judge_words(trial, given)
    for each in given.ratings:
        try:
            rated.append(_rate_one(trial, given, each, is_said=each.option not in unsaid))
        except IllegalEvent as refusal:
            refused.append(f"{each.option}: {refusal.detail}")
    if not rated:
        raise IllegalEvent("INVALID", "; ".join(refused))
    told |= {**({"refused": refused} if refused else {}), **_ask(trial, given.objective)}
    altered = {each.name: dict(each.altered) for each in rated if each.altered}
    whole = replace(rated[-1], name=", ".join(each.name for each in rated), altered=altered)
    return trial.report_change("rated", whole, [whole.name], **told)


def _ask_range(before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yield the question for the range of a rating that was changed without it: it was given for another one."""
    was, now = (_find_cell(each, name) for each in (before, after))
    if now and "rating_range" in now and was and was["rating"] != now["rating"]:
        yield STALE.format(rating=name, was=was["rating"], now=now["rating"], **now["rating_range"])


def _find_cell(draft: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    return next((each for each in find_values(draft, f"{CELLS}[]") if ":".join(find_place(each)) == name), None)


def _ask(trial: InterviewTrial, objective: str, *more: str) -> dict[str, list[str]]:
    """Return what the ratings on an objective give reason to ask."""
    asked = [*more, *trial.question_ratings(objective)]
    return {"ask": asked} if asked else {}


def _list_names(fields: Mapping[str, Any]) -> list[str]:
    """Return what an item may be called by these fields of it."""
    return [each for each in fields.values() if isinstance(each, str)]


def _judge_words(trial: InterviewTrial, given: Rate) -> tuple[list[str], dict[str, Any]]:
    """Return the options whose ratings nobody gave, and what the model is told of those and of ranges."""
    so_far, objective = trial.notebook.so_far, given.objective
    if trial.interview.mode is Mode.DIRECT or objective not in so_far.objectives:
        return [], {}
    spoken = SpokenRatings(trial.messages, so_far)
    known = [each for each in given.ratings if each.option in so_far.alternatives and each.option != so_far.baseline]
    noted = find_values(trial.draft, f"{CELLS}[]")
    stands = {(*find_place(each), each["rating"]) for each in noted if each.get("origin") != SUGGESTED}
    new = [] if given.quote else [each for each in known if (each.option, objective, each.rating) not in stands]
    unsaid = [each.option for each in new if not spoken.knows(each.option, objective)]
    told: dict[str, Any] = {"suggested": UNSPOKEN.format(options=", ".join(unsaid))} if unsaid else {}
    single = [each for each in known if each.option not in unsaid and each.low is None and each.high is None]
    spans = [(each, spoken.find_range(each.option, objective)) for each in single]
    ranged = [
        RANGED.format(option=each.option, low=span[0], high=span[1])
        for each, span in spans
        if span and span[0] <= each.rating <= span[1]
    ]
    return unsaid, {**told, **({"ranges": ranged} if ranged else {})}


def _rate_one(trial: InterviewTrial, whole: Rate, given: Rating, *, is_said: bool) -> DraftChange:
    trial.check_words([given.reason, given.doubt_from, given.source])
    cell: dict[str, Any] = {"alternative_id": given.option, "objective_id": whole.objective, "rating": given.rating}
    cell |= {} if is_said else {"origin": SUGGESTED}
    if given.reason:
        cell["rationale"] = given.reason
    if given.doubt:
        cell["uncertainty"] = {"level": given.doubt, **({"driver": given.doubt_from} if given.doubt_from else {})}
    if given.low is not None or given.high is not None:
        low, high = (given.rating if each is None else each for each in (given.low, given.high))
        cell["rating_range"] = {"low": low, "high": high}
    if given.amount is not None:
        cell["quant_value"] = given.amount
        cell["amount_for"] = note_amount(cell)
        cell |= {"quant_unit": whole.unit} if whole.unit else {}
        cell |= {"source": given.source} if given.source else {}
    rated = trial.change(lambda book, draft: _name_as_given(book.rate(draft, cell)), whole.quote)
    lost = {
        **({"doubt_from": None} if given.doubt_from and not given.doubt else {}),
        **({"source": None} if given.source and given.amount is None else {}),
    }
    return replace(rated, altered={**rated.altered, **lost}) if lost else rated


def _name_as_given(made: DraftChange | Rejected) -> DraftChange | Rejected:
    """Return the change of a rating with its fields named as `Rating` names them."""
    if isinstance(made, Rejected):
        return Rejected(tuple(replace(each, field=_AS_GIVEN.get(each.field, each.field)) for each in made.issues))
    return replace(made, altered={_AS_GIVEN.get(name, name): each for name, each in made.altered.items()})


_AS_GIVEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "alternative_id": "option",
        "objective_id": "objective",
        "rationale": "reason",
        "uncertainty": "doubt",
        "uncertainty.driver": "doubt_from",
        "rating_range": "low and high",
        "quant_value": "amount",
        "quant_unit": "unit",
    }
)
"""Fields of a rating in a draft, as its tool calls them."""


_IN_DRAFT: Final[Mapping[str, str]] = MappingProxyType(
    {_AS_GIVEN[name]: name for name in ("rationale", "quant_value", "quant_unit")}
)
"""The same the other way, where a rating is changed and called by its option and objective: *A2:O1*."""


def _find_open_lists(component: Component) -> list[str]:
    """Return the lists that are filled item by item. Ratings have a tool of their own."""
    return [path for path in list_lists(component) if path != CELLS]


def _build_note_schema(component: Component) -> dict[str, Any]:
    paths = _find_open_lists(component)
    said = {path: find_subschema(component.json_schema, [*path.split(".")]) or {} for path in paths}
    told = "; ".join(f"{path}: {schema['description']}" for path, schema in said.items() if "description" in schema)
    return {
        "list": {"type": "string", "enum": paths, **({"description": told} if told else {})},
        "fields": {"type": "object", "anyOf": list(_merge_alike(build_item_schema(component, path) for path in paths))},
        **_build_quote_schema(component),
    }


def _build_quote_schema(component: Component) -> dict[str, Any]:
    """Return the quote as a property; None where no items hold the words that they come from."""
    paths = _find_open_lists(component)
    without = [path for path in paths if not holds_quotes(component, path)]
    if without == paths:
        return {"quote": None}
    told = QUOTED + (UNQUOTED.format(lists=", ".join(without)) if without else "")
    return {"quote": {"type": "string", "maxLength": QUOTE_CHARS, "description": told}}


def _merge_alike(schemas: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield each schema once, with the names of all lists whose items it describes."""
    lists = dict[str, list[str]]()
    for each in schemas:
        lists.setdefault(json.dumps(each["properties"]), []).append(each["title"])
    yield from ({"title": ", ".join(names), "properties": json.loads(fields)} for fields, names in lists.items())


NOTE = PureTool(
    name="note_item",
    description="Note what was said, in people's words, as soon as it was said.",
    input=Note,
    run=_note,
    availability=RECORDABLE,
    properties=_build_note_schema,
)

CHANGE = PureTool(
    name="change_item",
    description="Change an item, or correct an earlier consideration. What you do not give stays as it is.",
    input=Change,
    run=_change,
    availability=RECORDABLE,
    properties=_build_quote_schema,
)

DROP = PureTool(
    name="drop_item",
    description="Take an item out that people do not want. What refers to it goes as well.",
    input=Drop,
    run=_drop,
    availability=RECORDABLE,
)

MOVE = PureTool(
    name="move_item",
    description="Put an item into the list where it belongs.",
    input=Move,
    run=_move,
    availability=RECORDABLE,
    properties=lambda _: {"to": {"type": "string", "description": "Another list of note_item."}},
    suits=lambda component: len(_find_open_lists(component)) > 1,
)

SET = PureTool(
    name="set_fields",
    description="Note what stands in no list. What you do not give stays; null takes something out.",
    input=Set,
    run=_set,
    availability=RECORDABLE,
    properties=lambda component: {"fields": build_fields_schema(component)},
    suits=lambda component: bool(list_single_fields(component)),
)

RATE = PureTool(
    name="rate",
    description="Note the ratings that people gave on one objective, several options at once. A rating that is there "
    "already is replaced. Never rate yourself.",
    input=Rate,
    run=_rate,
    availability=RECORDABLE,
    suits=lambda component: CELLS in list_lists(component),
)

RECORDING: Final[tuple[PureTool[InterviewTrial, Any], ...]] = (NOTE, CHANGE, DROP, MOVE, SET, RATE)
