"""The first page of a report: what a board has to know of a decision, on one screen. Pure.

It is made of the newest approved results and says nothing that they do not say. What is unknown is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from app.core.state.sheet import Facts, Matrix, Section, Sheet
from app.core.text.labels import join_words, remove_stop
from app.decision.analysis.analysis import Standout, StandoutRule
from app.decision.analysis.conflict import Tension
from app.decision.analysis.ratings import At
from app.decision.layout.consequences import build_matrix
from app.decision.layout.notes_next_steps import describe_action, list_due
from app.decision.layout.parts import firm_parts, first_page_words, words
from app.decision.layout.parts.findings.contender_parts import (
    describe_assumptions,
    describe_status_quo,
    drop_contradicted,
    name_with_condition,
    part_aside,
    split_aside,
)
from app.decision.layout.parts.limit_parts import describe_beyond, describe_kept, describe_open, list_noted
from app.decision.layout.parts.result import Result, describe_date
from app.decision.layout.parts.short_names import shorten_repeats
from app.decision.layout.parts.standing_parts import leads_in_both, list_level_by_points, tell_points
from app.decision.layout.parts.told_parts import (
    CONTENDERS,
    WHEN,
    describe_when,
    list_conditions,
    list_contenders,
    list_uncertain,
    map_could_lead,
)
from app.decision.layout.problem_frame import describe_decider
from app.decision.record import DecisionRecord
from app.decision.rows import read_quality
from app.decision.rules.limit_rules import find_beyond
from app.decision.schema.component import Component
from app.decision.schema.days import format_day
from app.decision.schema.paths import find_value, find_values
from app.decision.schema.similarity import split_words
from app.decision.schema.terms import FEW, NONE_WEAKEST, load_terms, name_elements
from app.decision.tracing.worked_out.sums import find_topics

Keys = tuple[str, ...]
Row = tuple[Keys, str, str]
"""The components that a row is from, none if it is computed; its label; and what it says."""

HERE: Final = "here {amount}"
IN_DOUBT: Final = "in doubt"
_FALLBACK: Final = re.compile(
    r"(?:fall-?back|plan b|second choice)(?:\s*[:–—-]| is| would be)\s+(?P<told>.+)", re.IGNORECASE | re.DOTALL
)
"""Words by which people say what they do if their choice fails."""
_SPEAKERS: Final = frozenset({"i", "we", "the", "a", "an"})
"""Words in which the same thing may be said otherwise."""
MOST_ROWS: Final = 12
MOST_COLUMNS: Final = 10
"""Size of a table that fits one page beside the answers; a larger one stands in its step alone."""
SUMMARY: Final = 400
"""Characters of the summary."""
MEETING: Final = 2
"""Words in common from which on a next step speaks of what is to be found out."""
STEP_DAY: Final = "{day}, {step}"
ACTIONS: Final = 7
"""Next steps that are told one by one."""
WEIGHT: Final = ("high", "medium", "low")
"""What can be found out, the most important first."""
NOTHING_OLDER: Final[Mapping[str, int]] = MappingProxyType({})


def build_first_page(
    component: Component, record: DecisionRecord, decided_at: str = "", older: Mapping[str, int] = NOTHING_OLDER
) -> Sheet:
    """Return the page of a decision with all its results. `component` is the one that rates options.

    `decided_at` is the ISO time at which the leaning or the decision was approved; empty if it is not. `older` holds
    the version of each component whose result needs another look: what people said there is marked with it.
    """
    rows = tuple((label, _mark(said, keys, older)) for keys, label, said in _list_rows(record, decided_at) if said)
    facts = Facts(rows=rows or ((words.DECISION, words.NOTHING_NAMED),))
    return Sheet(sections=(shorten_repeats(facts, record.name), *_list_tables(component, record)))


def describe_firmness(record: DecisionRecord) -> str:
    """Return how firm the order of the options is: who stands out, by points too, and how often; empty if unrated."""
    label = partial(name_with_condition, record)
    shares = firm_parts.describe_firmness(record.firmness, label)[:1] if record.firmness else ()
    return words.join_texts([_describe_lead(record), tell_points(record), *shares], " ")


def _describe_lead(record: DecisionRecord) -> str:
    analysis = record.analysis
    if analysis is None:
        return ""
    if analysis.missing:
        return words.MISSING_ARE.format(cells=join_words([*map(record.label_place, analysis.missing)], words.AT_MOST))
    if record.standout:
        return _describe_standout(record, record.standout)
    if len(analysis.leaders) > 1:
        return first_page_words.LEVEL_SAID.format(options=record.labels(analysis.leaders))
    reasons = (
        first_page_words.TURNED_BY_DOUBT if record.standing.shaken_by else "",
        _tell_lead_by_points(record),
        first_page_words.NO_OTHER if len(analysis.scores) == 1 else "",
    )
    return first_page_words.NOT_FIRM[leads_in_both(record)].format(
        options=join_words(name_with_condition(record, each) for each in analysis.leaders),
        why=words.join_texts(reasons, ", and "),
    )


def _tell_lead_by_points(record: DecisionRecord) -> str:
    """Return that the one that leads on the plain sum does not lead by people's points; empty if it does."""
    if record.weighed is None or leads_in_both(record):
        return ""
    level = list_level_by_points(record)
    told = first_page_words.LEVEL_BY_POINTS.format(options=record.labels(level))
    return told if level else first_page_words.NOT_BY_POINTS


def _describe_standout(record: DecisionRecord, found: Standout) -> str:
    option = name_with_condition(record, found.alternative)
    if found.rule is not StandoutRule.ONLY_ONE_LEFT:
        meaning = "" if map_could_lead(record) else f": {load_terms()['terms']['stands out']}"
        return first_page_words.FIRM[found.by_value].format(option=option, meaning=meaning)
    back = first_page_words.COULD_COME_BACK.format(options=record.labels(found.rivals)) if found.rivals else ""
    return words.join_texts([first_page_words.ONLY_LEFT.format(option=option), back], " ")


def _list_rows(record: DecisionRecord, decided_at: str) -> tuple[Row, ...]:
    notes = record.results.get("notes_next_steps")
    triggers = find_values(notes, "revisit_triggers[]")
    return (
        _describe_decision(record, decided_at),
        *_list_frame(record),
        (("recommendation",), words.IN_SHORT, _read_note(record, "synthesis", SUMMARY)),
        *_list_left_out(record),
        *(((), *row) for row in _list_contenders(record)),
        ((), first_page_words.COULD_STILL_LEAD, "\n".join(_list_could_lead(record))),
        ((), words.SENSITIVITY, describe_firmness(record)),
        (("recommendation",), first_page_words.TO_FIND_OUT, "\n".join(_list_unknowns(record))),
        (("decision_quality",), first_page_words.WEAKEST_LINK, _describe_weakest(record)),
        (("notes_next_steps",), words.NEXT_STEPS, "\n".join(_list_actions(record))),
        (("notes_next_steps",), words.FALLBACK, "\n".join(_list_fallbacks(find_values(notes, "notes[]")))),
        (("notes_next_steps",), words.REOPENED_BY, "; ".join(words.cut_list(triggers, words.FEW))),
    )


def _list_left_out(record: DecisionRecord) -> Iterator[Row]:
    """Yield which options are set aside, and who beats the status quo."""
    if found := record.analysis:
        told = (
            join_words(map(record.label, some), words.AT_MOST) for some in split_aside(record, found, record.firmness)
        )
        yield (), words.ASIDE, part_aside(*told)
        yield (), words.BEATEN_STATUS_QUO, describe_status_quo(found, record.compared_with, record.label)


def _list_frame(record: DecisionRecord) -> tuple[Row, ...]:
    """Return who decides by when, the limits that options break, and those that the chosen one keeps."""
    broken = [
        first_page_words.BROKEN_BY.format(limit=limit, option=record.label(option))
        for option, limit in list_noted(record)
    ]
    chosen = find_value(record.results.get("notes_next_steps"), "decision.alternative_id") or ""
    kept = words.cut_list([*describe_kept(record, chosen), *describe_open(record, chosen)], words.FEW)
    return (
        (("problem_frame",), *describe_decider(record.results.get("problem_frame", {}))),
        (("alternatives",), words.LIMITS, "\n".join(broken)),
        ((), words.LIMITS, "\n".join((*describe_beyond(find_beyond(record), record.label), *kept))),
    )


def _mark(said: str, sources: Keys, older: Mapping[str, int]) -> str:
    """Return the words, marked with the version they are from if its step needs another look."""
    marks = [words.OF_VERSION.format(version=older[each]) for each in sources if each in older]
    return words.join_texts([said, *marks[:1]], "\n") if said else ""


def _describe_decision(record: DecisionRecord, decided_at: str) -> Row:
    """Return the decision or the leaning, in people's words if there are any, with its day and its components."""
    notes = record.results.get("notes_next_steps")
    status, option = find_value(notes, "decision.status"), find_value(notes, "decision.alternative_id")
    own = find_value(notes, "decision.in_the_users_words")
    leaning, bare = _read_note(record, "user_leaning"), find_value(record.results.get("recommendation"), "user_leaning")
    if own and (status == "decided" or split_words(bare or "") <= split_words(own) | _SPEAKERS):
        leaning = ""  # people have said since what it came to
    said = words.join_texts([*dict.fromkeys((own, leaning))], " · ")
    day = first_page_words.ON_DAY.format(day=format_day(decided_at)) if decided_at and status else ""
    is_open = bool(option or own) and not status
    parts = [name_with_condition(record, option) if option else "", day, said, words.STATUS_OPEN if is_open else ""]
    sources = [
        *(["notes_next_steps"] if status or option or own else []),
        *(["recommendation"] if leaning else []),
    ]
    label = first_page_words.STANDINGS.get(status or "", words.DECISION if is_open else words.LEANING)
    return tuple(sources), label, words.join_texts(parts, " · ")


def _read_note(record: DecisionRecord, field: str, most: int = 0) -> str:
    """Return a note of the recommendation, cut if `most` is given, and marked if it was written for earlier ratings."""
    draft = record.results.get("recommendation", {})
    text = find_value(draft, field) or ""
    short = words.cut_sentences(text, most) if most else text
    return words.add_sentence(short, describe_date(draft, field, text, record))


def _list_contenders(record: DecisionRecord) -> Iterator[tuple[str, str]]:
    """Yield the option that people lean to and the best of the others on the plain sum, each with its two sides.

    While people lean to none, it is the best two.
    """
    if record.analysis is None:
        return
    known = drop_contradicted(record, record.analysis, list_contenders(record))
    for each in known[:CONTENDERS]:
        lines = [
            record.label(each.alternative),
            describe_assumptions(record, each.alternative),
            _describe_side(
                record,
                each.alternative,
                ((first_page_words.SPEAKS_FOR, each.gains), (first_page_words.BETTER_THAN_STATUS_QUO, each.better)),
            ),
            _describe_side(record, each.alternative, _list_weaknesses(record, each, known)),
        ]
        yield first_page_words.CONTENDER, words.join_texts(lines, "\n")


def _list_could_lead(record: DecisionRecord) -> Iterator[str]:
    for option, objectives in map_could_lead(record).items():
        told = join_words([*map(record.label, objectives)], words.AT_MOST)
        yield first_page_words.NOT_KNOWN_ON.format(option=record.label(option), objectives=told)


def _list_weaknesses(
    record: DecisionRecord, option: Tension, compared: Iterable[Tension]
) -> tuple[tuple[str, Keys], ...]:
    """Return what speaks against an option, the strongest first."""
    best_of_others = {objective for each in compared for objective in each.gains} - {*option.gains}
    objectives = find_values(record.results.get("objectives"), "fundamental_objectives[].handle")
    unknown = record.rated.unknown if record.rated else ()
    return (
        (first_page_words.SPEAKS_AGAINST, option.losses),
        (first_page_words.WORSE_THAN_STATUS_QUO, option.worse),
        (first_page_words.BETTER_ELSEWHERE, tuple(each for each in objectives if each in best_of_others)),
        (first_page_words.UNKNOWN_OF_IT, tuple(each for each in objectives if (option.alternative, each) in unknown)),
    )


def _describe_side(record: DecisionRecord, option: str, sides: Iterable[tuple[str, Keys]]) -> str:
    """Return the first line that names an objective, with the option's amounts and doubts; empty if none does."""
    form, named = next(((form, named) for form, named in sides if named), ("", ()))
    is_bare, is_of_others = form == first_page_words.UNKNOWN_OF_IT, form == first_page_words.BETTER_ELSEWHERE
    told = [record.label(each) if is_bare else _name_objective(record, (option, each), is_of_others) for each in named]
    return form.format(objectives=join_words(told), baseline=record.zero)


def _name_objective(record: DecisionRecord, at: At, is_of_others: bool) -> str:
    """Return an objective with an option's amount, and with the doubt of its rating where that is what is told."""
    amount, rated = record.describe_amount(at), record.rated
    cell = rated.cells.get(at) if rated else None
    notes = words.join_texts(
        [
            HERE.format(amount=amount) if amount and is_of_others else amount,
            IN_DOUBT if cell and cell.doubtful and not is_of_others else "",
        ],
        ", ",
    )
    return words.add_brackets(record.label(at[1]), notes)


def _list_unknowns(record: DecisionRecord) -> Iterator[str]:
    """Yield what is to be found out, and by when: what weighs most, what a contender counts on, and then the rest."""
    found: dict[str, list[str]] = {weight: [] for weight in WEIGHT}
    for each in list_uncertain(record):
        told = words.join_texts([each["description"], each.get("resolution_path", "")], ": ")
        found[each.get("impact", WEIGHT[1])].append(_add_when(record, told, each))
    heavy, usual, _ = found.values()
    conditions = [_add_when(record, each, {}) for each in list_conditions(record)]
    yield from words.cut_list((*heavy, *conditions, *usual), words.FEW)


def _add_when(record: DecisionRecord, told: str, each: Mapping[str, Any]) -> str:
    """Return the words with by when that is to be found out: else the day of a next step that speaks of the same."""
    when = describe_when(each)
    if when == words.NOT_SAID:
        when = _find_day(record, find_topics(told)) or when
    return WHEN.format(told=told, when=when) if when else told


def _find_day(record: DecisionRecord, topics: frozenset[str]) -> str:
    """Return the day and handle of the first open step with at least half of its words, and two, among these."""
    for each in _list_due(record):
        own = find_topics(each.get("action", ""))
        if "due_date" in each and len(own & topics) >= max(MEETING, len(own) / 2):
            return STEP_DAY.format(day=format_day(each["due_date"]), step=each["handle"])
    return ""


def _describe_weakest(record: DecisionRecord) -> str:
    quality = record.results.get("decision_quality", {})
    card = read_quality(quality)
    if card.affirmable:
        return NONE_WEAKEST
    paths = {each["name"]: each.get("improvement_path", "") for each in find_values(quality, "elements[]")}
    rows = [[each] for each in card.weakest] if len(card.weakest) <= FEW else [card.weakest]
    told = ((name_elements(row), [path for each in row if (path := paths.get(each.value, ""))]) for row in rows)
    return "\n".join(_describe_weak(named, card.overall, raised_by) for named, raised_by in told)


def _describe_weak(named: str, score: int | None, raised_by: Sequence[str]) -> str:
    ways = raised_by if len(raised_by) == 1 else words.cut_list([*map(remove_stop, raised_by)], words.FEW)
    return words.join_texts([first_page_words.SCORED.format(element=named, score=score), "; ".join(ways)], ": ")


def _list_actions(record: DecisionRecord) -> tuple[str, ...]:
    told = [describe_action(each, record.label(each["handle"])) for each in _list_due(record)]
    return words.cut_list(told, ACTIONS)


def _list_due(record: DecisionRecord) -> list[Mapping[str, Any]]:
    """Return the next steps that are not done, the earliest first."""
    return list_due(find_values(record.results.get("notes_next_steps"), "planned_actions[]"))


def _list_fallbacks(notes: Iterable[str]) -> Iterator[str]:
    """Yield the notes that call themselves a fallback, without that word."""
    for found in map(_FALLBACK.match, notes):
        if found:
            yield found["told"]


def _list_tables(component: Component, record: DecisionRecord) -> tuple[Section, ...]:
    draft = record.results.get(component.key, {})
    made: Matrix | None = build_matrix(Result(component, draft, record)) if draft else None
    fits = made is not None and len(made.rows) <= MOST_ROWS and len(made.columns) <= MOST_COLUMNS
    return (shorten_repeats(made, record.name),) if made and fits else ()
