"""What earlier steps have found, for the model: a line each, the table as a grid.

A component names the findings that it works on. What is missing among them is said, so that nobody speaks of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from app.core.conversation.redaction import DELETED
from app.core.copy.decision_steps import NOT_KNOWN
from app.core.text import labels
from app.core.text.labels import remove_stop
from app.core.text.marks import clean_line
from app.core.turns.state_changes import Section
from app.decision.layout.parts.limit_parts import list_noted, tell_beyond
from app.decision.layout.parts.told_parts import is_remaining, is_same_uncertainty, list_own_ratings, list_uncertain
from app.decision.layout.problem_frame import AUTHORITY, word_authority
from app.decision.playbook.opening_texts import COMPUTED, find_voices, list_courses
from app.decision.playbook.openings import list_lacking
from app.decision.record import DecisionRecord
from app.decision.rows import BY_PEOPLE, SUGGESTED, is_of_before, is_unknown, read_span
from app.decision.rules.limit_rules import is_same_limit
from app.decision.schema.component import Component
from app.decision.schema.corrections import CORRECTIONS
from app.decision.schema.paths import BY_HAND, Draft, find_value, find_values, read_name
from app.decision.schema.similarity import measure_similarity, normalize
from app.decision.schema.terms import format_amount, format_change
from app.decision.tracing.unsaid_claims import DRIVER, UNSAID

Lines: TypeAlias = Callable[[DecisionRecord, Component], Iterable[str]]

GRID: Final = "Ratings approved (option and steps; ? is a doubt; amounts in brackets):"
STANDS: Final = "Approved: {steps}"
OLDER: Final = "{title} was made before steps it builds on changed, and may need another look: {told}"
CHANGED: Final = "What has changed since this step was approved:"
OF_BEFORE: Final = "from before its rating changed"
TOLD: Final = ("problem_frame", "objectives", "alternatives")
"""The components whose result has a line of its own among the basics."""
FINDS: Final = "tradeoffs"
"""The component whose notes say what is set aside, kept and left out."""
PAYS: Final = "fair: {improved} for {paid}"
SUGGESTED_MARK: Final = " (suggested, nobody said it)"
LEANING: Final = "user_leaning"
AFFECTED: Final = "affected_party"
"""The role of people who have no say."""
LEFT_OUT: Final = "left out of the choice by them (do not ask about it)"
COUNTED: Final[Mapping[bool, str]] = MappingProxyType(
    {
        False: "left out by them, which counts for nothing as two options have to stay",
        True: "left out by them, which counts for nothing as the others are compared with it",
    }
)
"""Of the option that ratings compare with (True), and of another one."""
DECIDES: Final = "decision_maker"
CONSIDERED: Final = frozenset({"considerations", "voices"})
"""The findings of what people gave to consider."""
ALIKE: Final = 1 / 2
"""Share of words from which on a limit says what a consideration does."""
UNKNOWNS: Final = "unknowns"
"""The finding of what the recommendation calls uncertain."""
ROLES: Final[Mapping[str, str]] = MappingProxyType({"advisor": "advisor", AFFECTED: "affected"})
"""Roles as the model is told them; most people have a stake."""
REASONS: Final = 40
"""Reasons that are told; a wide table has more than a turn has room for."""
QUOTED: Final = ' · "{quote}" (message {message})'


def list_findings(
    component: Component, so_far: DecisionRecord, noted: Mapping[str, Any] | None = None
) -> tuple[Section, ...]:
    """Return what is known when this component begins, without its own notes. Empty sections are left out.

    Facts that `noted` corrects are marked, and what people noted of findings counts for what is computed.
    """
    if noted and CORRECTIONS in noted:
        so_far = replace(so_far, noted=dict(noted))
    if component.key == FINDS:
        so_far = replace(so_far, results={**so_far.results, FINDS: dict(noted or so_far.before)})
    known = [
        Section("", tuple(_list_basics(so_far))),
        Section(CHANGED, so_far.changes),
        *(Section(FINDINGS[name][0], tuple(FINDINGS[name][1](so_far, component))) for name in component.findings),
        Section("", tuple(f"Not there: {each}" for each in list_lacking(component, so_far))),
    ]
    return tuple(each for each in known if each.lines)


def render_grid(cells: Iterable[Mapping[str, Any]], so_far: DecisionRecord) -> tuple[str, ...]:
    """Return a line for each objective that is rated: the options with their ratings, doubts and amounts."""
    options = {each: place for place, each in enumerate(so_far.alternatives)}
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for cell in cells:
        rows.setdefault(cell["objective_id"], []).append(cell)
    for row in rows.values():
        row.sort(key=lambda cell: options.get(cell["alternative_id"], len(options)))
    return tuple(f"{objective}: {', '.join(_render_row(row))}" for objective, row in rows.items())


def _render_row(row: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the options with their ratings. One unit of all amounts stands with the first."""
    measured = [cell for cell in row if "quant_value" in cell]
    is_one = len({cell.get("quant_unit", "") for cell in measured}) == 1
    for cell in row:
        yield _render_cell(cell, "" if is_one and cell is not measured[0] else cell.get("quant_unit", ""))


def _render_cell(cell: Mapping[str, Any], unit: str) -> str:
    span = read_span(cell)
    possible = f" ({_sign(span['low'])} to {_sign(span['high'])})" if span else ""
    doubt = "?" if find_value(cell, "uncertainty.level") in ("medium", "high") else ""
    idea = SUGGESTED_MARK if cell.get("origin") == SUGGESTED else ""
    told = NOT_KNOWN if is_unknown(cell) else f"{_sign(cell['rating'])}{doubt}{possible}"
    rated = f"{cell['alternative_id']} {told}{idea}"
    if "quant_value" not in cell:
        return rated
    parts = [format_amount(cell["quant_value"]), unit, OF_BEFORE if is_of_before(cell) else ""]
    return f"{rated} [{' '.join(filter(None, parts))}]"


def _sign(rating: int) -> str:
    return f"{rating:+d}" if rating else "0"


def _list_labels(so_far: DecisionRecord, handles: Iterable[str]) -> str:
    """Return handles with their names between commas alone: no "and" that could be of a name."""
    return ", ".join(remove_stop(so_far.label(each)) for each in handles)


def _list_basics(so_far: DecisionRecord) -> Iterator[str]:
    """Yield the question, and a line for each step and each kind of thing that later steps refer to."""
    frame = so_far.results.get("problem_frame")
    named = (
        ("The question as it was typed", so_far.question),
        ("The decision", find_value(frame, "focal_decision.statement")),
        ("Objectives", _list_labels(so_far, so_far.objectives)),
        ("Options", _list_labels(so_far, so_far.alternatives)),
        ("Status quo", so_far.baseline),
        ("By the newest amounts", tell_beyond(so_far)),
        ("Limits broken, as they said", "; ".join(f"{option}: {limit}" for option, limit in list_noted(so_far))),
    )
    yield from (f"{name}: {clean_line(words)}" for name, words in named if words)
    if standing := [f"{each.title} v{each.version}" for each in so_far.steps if not each.is_outdated]:
        yield STANDS.format(steps=", ".join(standing))
    yield from (
        OLDER.format(title=each.title, told=", ".join(filter(None, (f"v{each.version}", each.gist))))
        for each in so_far.steps
        if each.is_outdated
    )


def _list_frame(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    frame = so_far.results.get("problem_frame")
    named = (
        ("Who decides", ", ".join(_list_decider(frame or {}, so_far))),
        ("Decide by", find_value(frame, "focal_decision.deadline")),
        (
            "Scope",
            find_value(frame, "focal_decision.scope") if not find_values(frame, "focal_decision.in_scope[]") else "",
        ),
        ("In scope", "; ".join(find_values(frame, "focal_decision.in_scope[]"))),
        ("Out of scope", "; ".join(find_values(frame, "focal_decision.out_of_scope[]"))),
        ("Limits", "; ".join(find_values(frame, "focal_decision.constraints[]"))),
        ("People", "; ".join(_tell_party(each, so_far, component) for each in find_values(frame, "parties[]"))),
    )
    return (f"{name}: {words}" for name, words in named if words)


def _list_decider(frame: Draft, so_far: DecisionRecord) -> Iterator[str]:
    """Yield who decides, and how. That somebody decides alone goes without saying, and what nobody said is left out."""
    name, role, rule = (find_value(frame, f"decision_maker.{each}") for each in ("name", "role", "decision_rule"))
    is_alone = find_value(frame, AUTHORITY) == "sole"
    is_told = not is_alone and AUTHORITY not in so_far.suggested.get("problem_frame", ())
    yield from filter(None, (name, role, word_authority(frame) if is_told else "", rule))


def _tell_party(party: Mapping[str, Any], so_far: DecisionRecord, component: Component) -> str:
    """Return somebody; once there are options also their part, and where considerations count what concerns them.

    Who decides is told as that, and their concerns are aims.
    """
    role = party.get("role", "")
    told = [ROLES[role]] if so_far.alternatives and role in ROLES else []
    if so_far.alternatives and role != DECIDES and not CONSIDERED.isdisjoint(component.findings):
        told += map(clean_line, party.get("concerns", ()))
    return ": ".join(filter(None, (f"{party['handle']} {party['name']}", ", ".join(told))))


def _quote_items(step: str, path: str) -> Lines:
    """Return the lines of items that a step found, each with the words it comes from and their message."""

    def list_items(so_far: DecisionRecord, component: Component) -> Iterator[str]:
        for item in find_values(so_far.results.get(step), f"{path}[]"):
            notes: list[str] = [*item.get("courses", ()), *([item["notes"]] if "notes" in item else [])]
            more = "; ".join(map(clean_line, notes))
            told = f"- {item['handle']} {read_name(item)}{f' ({more})' if more else ''}"
            corrected = so_far.tell_correction(item)
            yield f"{told} – {corrected}" if corrected else told + _quote(read_name(item), item.get("evidence", ()))

    return list_items


def _quote(words: str, evidence: Sequence[Mapping[str, Any]]) -> str:
    """Return the words that an item comes from, unless they are its own, and their message.

    There is none if it was typed, and none any more if it was deleted.
    """
    quoted = next((each for each in evidence if each.get("message_id", BY_HAND) not in (BY_HAND, DELETED)), None)
    if quoted is None:
        return ""
    if normalize(quoted["quote"]) == normalize(words):
        return f" (message {quoted['message_id']})"
    return QUOTED.format(quote=quoted["quote"], message=quoted["message_id"])


def _list_voices(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    """Yield the considerations on an option or course, or on an aim by which options are judged, or of who has a say.

    What a limit says is told with the frame.
    """
    options = (so_far.name(each) for each in so_far.alternatives if each != so_far.baseline)
    parties = find_values(so_far.results.get("problem_frame"), "parties[]")
    heard = (each["name"] for each in parties if each.get("role") != AFFECTED)
    limits = find_values(so_far.results.get("problem_frame"), "focal_decision.constraints[]")
    named = (*options, *_list_aims(so_far)) if so_far.alternatives else list_courses(so_far)
    for each in find_voices(so_far, (*named, *heard)):
        if not any(_says(limit, read_name(each)) for limit in limits):
            yield f"- {so_far.tell_fact(each)}"


def _says(limit: str, words: str) -> bool:
    """Return True if a limit names the same number as these words, and is much like them."""
    return is_same_limit(limit, words) and measure_similarity(limit, words) >= ALIKE


def _list_aims(so_far: DecisionRecord) -> Iterator[str]:
    for each in find_values(so_far.results.get("objectives"), "fundamental_objectives[]"):
        yield f"{read_name(each)} {find_value(each, 'performance_measure.metric') or ''}"


def _list_measures(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    for each in find_values(so_far.results.get("objectives"), "fundamental_objectives[]"):
        measure = each.get("performance_measure", {})
        told = [measure.get(name) for name in ("metric", "direction", "units", "target")]
        told += [f"today {format_amount(measure['baseline'])}"] if "baseline" in measure else []
        told += [f"levels: {', '.join(measure['scale_levels'])}"] if measure.get("scale_levels") else []
        if words := ", ".join(str(part) for part in told if part is not None):
            yield f"{each['handle']}: {words}"


def _list_ratings(so_far: DecisionRecord, component: Component) -> Iterable[str]:
    return render_grid(find_values(so_far.results.get("consequences"), "table.cells[]"), so_far)


def _list_reasons(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    return list_reasons(list_own_ratings(so_far), so_far)


def list_reasons(cells: Iterable[Mapping[str, Any]], so_far: DecisionRecord) -> Iterator[str]:
    """Yield why options are rated so, as people said or typed it: a line for each option.

    Its reasons stand in the order of the objectives, whichever was rated first.
    """
    places = {each: place for place, each in enumerate(so_far.objectives)}
    given = [each for each in cells if each.get("rationale")]
    given.sort(key=lambda each: places.get(each["objective_id"], len(places)))
    named = ((each["alternative_id"], f"{each['objective_id']} {labels.shorten(each['rationale'])}") for each in given)
    yield from _join_by_item(islice(named, REASONS))
    if len(given) > REASONS:
        yield f"- and {len(given) - REASONS} more, which are on record"


def _join_by_item(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield one line for each item, since the state knows a line by the item with which it begins."""
    found: dict[str, list[str]] = {}
    for item, words in told:
        found.setdefault(item, []).append(words)
    yield from (f"- {item}: {'; '.join(said)}" for item, said in found.items())


def _list_courses(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    return (f"- {course}" for course in map(clean_line, list_courses(so_far)))


def _list_options(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    options = find_values(so_far.results.get("alternatives"), "alternatives[]")
    return (f"- {each['handle']}: {clean_line(each['description'])}" for each in options if "description" in each)


def _list_assumptions(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    options = find_values(so_far.results.get("alternatives"), "alternatives[]")
    return _join_by_item((each["handle"], words) for each in options for words in each.get("assumptions", ()))


def _list_uncertainties(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    """Yield what people named as uncertain, with what it depends on; not what is told as still uncertain."""
    for each in find_values(so_far.results.get("issue_raising"), "uncertainties[]"):
        if UNKNOWNS not in component.findings or not is_remaining(so_far, read_name(each)):
            driver = f" ({_tell_driver(each, so_far)})" if DRIVER in each else ""
            yield f"- {each['handle']} {read_name(each)}{driver}" + _quote(read_name(each), each.get("evidence", ()))


def _tell_driver(each: Mapping[str, Any], so_far: DecisionRecord) -> str:
    is_suggested = f"{each['handle']}.{DRIVER}" in so_far.suggested.get("issue_raising", ())
    return f"depends on: {each[DRIVER]}{UNSAID if is_suggested else ''}"


def _compute(*names: str) -> Lines:
    """Return the lines of texts that are computed, as an opening has them."""

    def list_computed(so_far: DecisionRecord, component: Component) -> Iterator[str]:
        for name in names:
            lines = COMPUTED[name](so_far, component).splitlines()
            yield from (so_far.shorten(line) for line in lines if not line.endswith(":"))

    return list_computed


def _list_understanding(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    tradeoffs = so_far.results.get("tradeoffs")
    for place in ("user_understanding", "headline_conflict.statement"):
        if words := find_value(tradeoffs, place):
            is_suggested = place in so_far.suggested.get("tradeoffs", ())
            yield f"- {words}{UNSAID}" if is_suggested else f'- "{words}"'
    yield from _join_by_item(_list_verdicts(so_far))


def _list_trades(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    """Yield what people said that options win and give up, and the even swaps that they would make."""
    tradeoffs = so_far.results.get("tradeoffs")
    said = [each for each in find_values(tradeoffs, "tensions[]") if "statement" in each]
    trades = [(so_far.label(each["alternative_id"]), each["statement"]) for each in said]
    swaps = [
        (so_far.label(each["alternative_id"]), _tell_swap(each, so_far.name_unit if is_fitting else None))
        for each, is_fitting in so_far.check_swaps(tradeoffs or {})
    ]
    yield from _join_by_item((*trades, *swaps))


def _tell_swap(swap: Mapping[str, Any], name_unit: Callable[[str], str] | None) -> str:
    """Return a swap in a few words, with units if its amounts are those of now."""
    improved, paid = (_tell_change(swap[side], name_unit) for side in ("improve", "pay_with"))
    return PAYS.format(improved=improved, paid=paid)


def _tell_change(side: Mapping[str, Any], name_unit: Callable[[str], str] | None) -> str:
    objective = side["objective_id"]
    start, end = format_change(side["from"], side["to"], name_unit(objective) if name_unit else "")
    return f"{objective} {start} to {end}"


def _list_verdicts(so_far: DecisionRecord) -> Iterator[tuple[str, str]]:
    """Yield what people said of each finding, with the item that it is about."""
    tradeoffs = so_far.results.get("tradeoffs")
    for path, other, finding in (
        ("dominated_alternatives[]", "dominated_by", "dominated"),
        ("practical_dominance[]", "by", "practically dominated"),
    ):
        for each in find_values(tradeoffs, path):
            if verdict := each.get("user_verdict"):
                by = f" beside {so_far.label(each[other])}" if other in each else ""
                told = f"{finding}{by}, they said {verdict.replace('_', ' ')}"
                yield so_far.label(each["alternative_id"]), told + _tell_why(each)
    counted = so_far.map_counted(tradeoffs or {})
    for each in find_values(tradeoffs, "dropped_alternatives[]"):
        option = each["alternative_id"]
        told = COUNTED[counted[option]] if option in counted else LEFT_OUT
        yield so_far.label(option), told + _tell_why(each)
    for each in find_values(tradeoffs, "irrelevant_objectives[]"):
        if each.get("kind") in BY_PEOPLE:
            yield so_far.label(each["objective_id"]), "left out by them" + _tell_why(each)


def _tell_why(verdict: Mapping[str, Any]) -> str:
    return f", because {verdict['reason']}" if "reason" in verdict else ""


def _list_linked(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    for name in ("already_made", "deferred"):
        yield from _quote_items("problem_frame", f"decision_hierarchy.{name}")(so_far, component)


def _list_unknowns(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    """Yield what is still uncertain, what it depends on, as was said in the beginning, and how it can be found out."""
    raised = [each for each in find_values(so_far.results.get("issue_raising"), "uncertainties[]") if DRIVER in each]
    for each in list_uncertain(so_far):
        told = filter(None, (each.get("resolution_path"), f"by {each['by_when']}" if "by_when" in each else ""))
        how, name = ", ".join(told), read_name(each)
        same = [_tell_driver(one, so_far) for one in raised if is_same_uncertainty(read_name(one), name)]
        notes = "; ".join([*same, *([f"to find out: {how}"] if how else [])])
        yield f"- {name}" + (f" ({notes})" if notes else "")


def _list_mirror(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    """Yield what people leaned to, what matters for the choice, and how each option could fail."""
    mirror = so_far.results.get("recommendation")
    if words := find_value(mirror, LEANING):
        is_suggested = LEANING in so_far.suggested.get("recommendation", ())
        yield f"They lean: {words}{UNSAID}" if is_suggested else f'They lean: "{words}"'
    yield from (f"- {clean_line(words)}" for words in find_values(mirror, "key_considerations[]"))
    stories = find_values(mirror, "premortem[]")
    yield from _join_by_item((so_far.label(each["alternative_id"]), _tell_failure(each)) for each in stories)


def _tell_failure(story: Mapping[str, Any]) -> str:
    named = (("it went wrong", "failure_story"), ("early sign", "early_signal"), ("against it", "mitigation"))
    return "; ".join(f"{name}: {story[field].rstrip('.')}" for name, field in named if field in story)


def _list_raising(so_far: DecisionRecord, component: Component) -> Iterator[str]:
    """Yield what would raise the weakest elements, as people said."""
    quality = so_far.results.get("decision_quality")
    weakest = find_values(quality, "weakest[]")
    for each in find_values(quality, "elements[]"):
        if each["name"] in weakest and "improvement_path" in each:
            yield f"- {each['name']}: {clean_line(each['improvement_path'])}"


FINDINGS: Final[Mapping[str, tuple[str, Lines]]] = MappingProxyType(
    {
        "frame": ("The frame:", _list_frame),
        "courses": ("Courses named for it before (do not ask for them again):", _list_courses),
        "decisions": ("Decisions named before:", _quote_items("issue_raising", "potential_decisions")),
        "wishes": ("Wanted, as they said before:", _quote_items("issue_raising", "objectives")),
        "considerations": ("To keep in mind:", _quote_items("issue_raising", "considerations")),
        "voices": ("To keep in mind:", _list_voices),
        "uncertainties": ("Uncertain, as they said before:", _list_uncertainties),
        "reasons": ("Why it is rated so, as they said (do not ask again):", _list_reasons),
        "options": ("What the options are, as they said:", _list_options),
        "assumptions": ("What the options assume, as they said:", _list_assumptions),
        "ways": ("Ways to get it, as they said before:", _quote_items("objectives", "means_objectives")),
        "linked": ("Decided already or put off:", _list_linked),
        "measures": ("How the objectives are measured:", _list_measures),
        "ratings": (GRID, _list_ratings),
        "analysis": (
            "What the ratings show (computed):",
            _compute("dominated", "steps", "irrelevant", "tensions", "headline", "gaps", "left"),
        ),
        "standing": ("Whether an option stands out (computed):", _compute("standout", "firmness")),
        "doubts": ("Doubtful ratings that matter:", _compute("doubts")),
        "understanding": ("The tradeoff in their words:", _list_understanding),
        "trades": ("What the options win and give up, as they said:", _list_trades),
        "unknowns": ("Still uncertain:", _list_unknowns),
        "evidence": ("What is on record:", _compute("evidence")),
        "mirror": ("What matters for the choice, as approved:", _list_mirror),
        "weakest": ("The weakest element of quality:", _compute("weakest")),
        "raising": ("What would raise it, as they said:", _list_raising),
    }
)
"""Headings and lines, by the names that components use."""
