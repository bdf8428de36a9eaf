"""The texts of an opening that are computed from the decision, by the names of their slots. Empty ones are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from app.decision.analysis.amounts.bounds import read_bounds
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Tension
from app.decision.analysis.dominance import DisputedDominance, Dominance, DominatedOption
from app.decision.analysis.quality import FULL
from app.decision.analysis.variation import IrrelevantKind
from app.decision.layout.objectives import name_scale
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.aside_parts import describe_left_out
from app.decision.layout.parts.findings.contender_parts import (
    describe_assumptions,
    describe_not_compared,
    drop_contradicted,
    list_aside,
    name_with_condition,
)
from app.decision.layout.parts.firm_parts import describe_firmness
from app.decision.layout.parts.limit_parts import list_noted, tell_beyond_left
from app.decision.layout.parts.standing_parts import describe_lead, describe_standing
from app.decision.layout.parts.told_parts import is_condition, list_conditions_of, list_leading, list_uncertain
from app.decision.record import DecisionRecord, list_rated
from app.decision.rows import is_doubtful
from app.decision.schema.component import Component
from app.decision.schema.paths import Draft, find_value, find_values, read_name
from app.decision.schema.similarity import measure_similarity
from app.decision.schema.terms import NONE_WEAKEST, explain_to_people, name_elements
from app.decision.tracing.worked_out.sums import find_topics

Slot: TypeAlias = Callable[[DecisionRecord, Component], str]

TRADEOFFS: Final = "tradeoffs"
MOST_ALONE: Final = 2
"""Options from which on their number is told."""
MOST_SAID: Final = 3
"""Sentences on the option that stands out: the lead, and two reservations."""
MOST_DOUBTS: Final = 2
"""Doubts and voices that an opening names; the details have all."""

SAME: Final = MappingProxyType(
    {
        IrrelevantKind.NO_VARIATION: "All options do the same on {objectives}.",
        IrrelevantKind.NO_VARIATION_REMAINING: "The options that are left do the same on {objectives}.",
    }
)
ALIKE: Final = 0.7
"""Share of words from which on a decision and the question that was typed are the same sentence."""

_SAYS_WHO = re.compile(
    r"(?<!who )\bdecides\b|\b(?:I|we|they|and \w+|both) (?:will )?decide\b|\bdecide (?:together|jointly)\b"
    r"|\bdecision[- ]maker\b|\b(?:final|last) (?:say|word)\b",
    re.IGNORECASE,
)
ASK_AMOUNTS: Final = "It stays until it is clear: shall a rating change, or does the difference not matter?"
DOUBTFUL: Final = "Doubtful ratings so far:"
ASK_BROKEN: Final = "• {option} breaks a limit, as you said: “{limit}”. Is it out, or does the limit give way?"
_IS_A_MUST = re.compile(r"\b(?:must|mustn't|has to be|have to be|(?:is|are|stays?) firm)\b", re.IGNORECASE)
"""Words that make a fact a limit, beside those that set one for a number."""


def _ask_which_decision(so_far: DecisionRecord, component: Component) -> str:
    """Return the question that fits how many decisions were named: one is no choice. Who decides is asked once."""
    named, texts = find_values(so_far.results.get("issue_raising"), "potential_decisions[]"), component.texts
    is_settled = _name_first_candidate(so_far, component) or (so_far.question and not named)
    if len(named) != 1 and not is_settled:
        return texts["several"]
    asked = texts["only_one"].format(decision=so_far.label(named[0]["handle"])) if len(named) == 1 else texts["typed"]
    who = (each for each in _list_facts(so_far) if _SAYS_WHO.search(read_name(each)))
    said = [so_far.label(each["handle"]).rstrip(".") for each in who]
    return f"{asked} {texts['who_noted'].format(said='; '.join(said)) if said else texts['who']}"


def _list_facts(so_far: DecisionRecord) -> list[dict[str, Any]]:
    return find_values(so_far.results.get("issue_raising"), "considerations[]")


def _list_named_limits(so_far: DecisionRecord, component: Component) -> str:
    told = ((each, read_name(each)) for each in _list_facts(so_far))
    found = (each for each, words in told if any(read_bounds(words)) or _IS_A_MUST.search(words))
    return "\n".join(f"• {so_far.tell_fact(each)}" for each in found)


def _read_typed_question(so_far: DecisionRecord, component: Component) -> str:
    """Return the question as it was typed; empty if a decision that was named says the same."""
    named = find_values(so_far.results.get("issue_raising"), "potential_decisions[]")
    is_said = any(measure_similarity(read_name(each), so_far.question) >= ALIKE for each in named)
    return "" if is_said else so_far.question


def _list_several_decisions(so_far: DecisionRecord, component: Component) -> str:
    named = find_values(so_far.results.get("issue_raising"), "potential_decisions[]")
    return "\n".join(f"• {so_far.label(each['handle'])}" for each in named) if len(named) > 1 else ""


def _name_first_candidate(so_far: DecisionRecord, component: Component) -> str:
    candidate = find_value(so_far.results.get("issue_raising"), "focal_candidate_id")
    return so_far.label(candidate) if candidate and _list_several_decisions(so_far, component) else ""


def list_courses(so_far: DecisionRecord) -> list[str]:
    """Return the courses that people named for the decision that is framed, before they were asked for options."""
    focal = find_value(so_far.results.get("problem_frame"), "focal_decision.source_decision_id")
    named = find_values(so_far.results.get("issue_raising"), "potential_decisions[]")
    return [
        course for each in named if each["handle"] == focal or len(named) == 1 for course in each.get("courses", ())
    ]


def _list_courses(so_far: DecisionRecord, component: Component) -> str:
    return "\n".join(f"• {course}" for course in list_courses(so_far))


def _describe_analysis(so_far: DecisionRecord, component: Component) -> str:
    return component.texts["analysed"] if so_far.analysis else ""


def _list_other_options(so_far: DecisionRecord, component: Component) -> str:
    return "\n".join(f"• {so_far.label(each)}" for each in so_far.alternatives if each != so_far.baseline)


def _name_first_objective(so_far: DecisionRecord, component: Component) -> str:
    first = find_value(so_far.results.get("objectives"), "fundamental_objectives[]")
    if first is None:
        return ""
    return words.add_brackets(so_far.label(first["handle"]), name_scale(first.get("performance_measure", {})))


def _ask_first_question(so_far: DecisionRecord, component: Component) -> str:
    options = [each for each in so_far.alternatives if each != so_far.baseline]
    if not options or not so_far.objectives:
        return "Which options do you want to compare, and on which objectives?"
    return f"How does {so_far.label(options[0])} compare to the status quo on {so_far.label(so_far.objectives[0])}?"


def _of_findings(tell: Callable[[DecisionRecord, Analysis, Draft], str]) -> Slot:
    """Return a text on what the analysis finds by people's verdicts, which stand beside it; empty if nothing is rated.

    In the step in which people judge the findings, it is by what they have said of them there.
    """

    def fill(so_far: DecisionRecord, component: Component) -> str:
        verdicts = so_far.results.get(TRADEOFFS, so_far.before if component.key == TRADEOFFS else {})
        analysis = so_far.analyse_by(verdicts)
        return tell(so_far, analysis, verdicts) if analysis else ""

    return fill


def _list_dominated(so_far: DecisionRecord, analysis: Analysis, verdicts: Draft) -> str:
    conditional = analysis.dominance.conditional
    told = [
        _describe_conditional(so_far, each) if each.alternative in conditional else _describe_dominated(so_far, each)
        for each in analysis.dominance.dominated
    ]
    left_out = [describe_left_out(so_far, each, verdicts) for each in analysis.dominance.dominated]
    told = [words.join_texts(both, " ") for both in zip(told, left_out, strict=True)]
    return "\n".join([*told, *(_describe_disputed(so_far, each) for each in analysis.dominance.disputed)])


def _describe_dominated(so_far: DecisionRecord, each: DominatedOption) -> str:
    by = so_far.label(each.dominated_by)
    never_worse = f"on your ratings {by} is never worse" if each.despite else f"{by} is never worse"
    doubt = "" if each.certain_by else f" {words.NOT_CERTAIN}"
    better, assumed = so_far.labels(each.better_on), _describe_assumptions(so_far, each.dominated_by)
    return f"• {so_far.label(each.alternative)} is dominated: {never_worse}, and better on {better}.{doubt}{assumed}"


def _describe_conditional(so_far: DecisionRecord, each: DominatedOption) -> str:
    by, option = so_far.label(each.dominated_by), so_far.label(each.alternative)
    return (
        f"• {option} would drop out only if what {by} counts on holds: then {by} is never worse, and better on "
        f"{so_far.labels(each.better_on)}.{_describe_assumptions(so_far, each.dominated_by)} Is {option} out whether "
        "that comes or not, or does it stay?"
    )


def _describe_assumptions(so_far: DecisionRecord, handle: str) -> str:
    told = describe_assumptions(so_far, handle)
    return f" {told}." if told else ""


def _list_set_aside(so_far: DecisionRecord, analysis: Analysis, verdicts: Draft) -> str:
    """Return the first of the options that could be set aside, or would be if ratings and amounts agreed.

    First are those of which people said that they break a limit.

    Those of which people have said whether they stay are left out, and so is the status quo, which always stays.
    """
    found = analysis.dominance
    open_ones = [each for each in found.dominated if not _is_settled(each, found, so_far, verdicts)]
    noted = (each for each in list_noted(so_far) if each[0] not in analysis.excluded)
    told = [ASK_BROKEN.format(option=so_far.label(option), limit=limit) for option, limit in noted]
    told += [_describe_set_aside(so_far, each, found.conditional, verdicts) for each in open_ones]
    told += [_describe_disputed(so_far, each) for each in found.disputed if not each.is_kept]
    rest = [f"• and {len(told) - words.FEW} more"] if len(told) > words.FEW else []
    return "\n".join(["What could be set aside:", *told[: words.FEW], *rest]) if told else ""


def _is_settled(each: DominatedOption, found: Dominance, so_far: DecisionRecord, verdicts: Draft) -> bool:
    """Return True if nobody needs to be asked whether this option stays."""
    if each.alternative in found.conditional:
        return False
    rows = find_values(verdicts, "dominated_alternatives[]")
    judged = {(row["alternative_id"], row.get("dominated_by")) for row in rows if "user_verdict" in row}
    is_kept = each.alternative in found.kept
    return is_kept or each.alternative == so_far.compared_with or (each.alternative, each.dominated_by) in judged


def _describe_beaten_status_quo(so_far: DecisionRecord, analysis: Analysis, _: Draft) -> str:
    """Return that another option is never worse than the status quo; empty if none is, or if people keep it."""
    for each in analysis.dominance.dominated:
        if each.alternative == so_far.compared_with and each.alternative not in analysis.dominance.kept:
            doubt = "" if each.certain_by else f" {words.NOT_CERTAIN}"
            beaten, by = so_far.label(each.alternative), so_far.label(each.dominated_by)
            named = f"The status quo, {beaten}," if each.alternative == so_far.baseline else beaten
            return f"{named} is beaten: {by} is never worse, and better somewhere.{doubt}"
    return ""


def _describe_set_aside(
    so_far: DecisionRecord, each: DominatedOption, conditional: tuple[str, ...], verdicts: Draft
) -> str:
    by, assumed = so_far.label(each.dominated_by), _describe_assumptions(so_far, each.dominated_by)
    doubt = "" if each.certain_by else f" {words.NOT_CERTAIN}"
    how = "is never worse on your ratings" if each.despite else "is never worse, and better somewhere"
    asked = "Is it out whether that comes or not, or does it stay?" if each.alternative in conditional else ""
    left_out = describe_left_out(so_far, each, verdicts)
    return words.join_texts([f"• {so_far.label(each.alternative)}: {by} {how}.{doubt}{assumed}", left_out, asked], " ")


def _name_same_everywhere(so_far: DecisionRecord, analysis: Analysis, _: Draft) -> str:
    """Return the objectives on which all options do the same, and those on which only the options left do."""
    groups: dict[IrrelevantKind, list[str]] = {}
    for each in analysis.irrelevant:
        groups.setdefault(each.kind, []).append(each.objective)
    return " ".join(SAME[kind].format(objectives=so_far.labels(tuple(groups[kind]))) for kind in SAME if kind in groups)


def _describe_disputed(so_far: DecisionRecord, each: DisputedDominance) -> str:
    amounts = "; ".join(
        f"on {so_far.label(objective)} it measures {so_far.describe_amount((each.alternative, objective))} against "
        f"{so_far.describe_amount((each.by, objective))}"
        for objective in each.despite
    )
    return (
        f"• {so_far.label(each.alternative)} would be dominated by {so_far.label(each.by)} on your ratings, but "
        f"{amounts}.{_describe_assumptions(so_far, each.by)} {'It is kept.' if each.is_kept else ASK_AMOUNTS}"
    )


def _list_irrelevant(so_far: DecisionRecord, analysis: Analysis, _: Draft) -> str:
    told = [f"• {so_far.label(each.objective)} does not tell the options apart." for each in analysis.irrelevant]
    return "\n".join([*told, *(f"• {so_far.label(each)} was left out by you." for each in analysis.left_out)])


def _describe_tensions(so_far: DecisionRecord, analysis: Analysis, _: Draft) -> str:
    told = drop_contradicted(so_far, analysis, analysis.list_tensions())
    return "\n".join(_describe_tension(so_far, each) for each in told if each.alternative not in analysis.given_up)


def _list_steps(so_far: DecisionRecord, analysis: Analysis, _: Draft) -> str:
    """Return a question for each option that is ahead of another by one step alone, unless people answered it."""
    rows = find_values(so_far.results.get("tradeoffs"), "practical_dominance[]")
    answered = {(each["alternative_id"], each["by"]) for each in rows if "user_verdict" in each}
    open_yet = [
        each
        for each in analysis.practical_dominance
        if each.alternative not in analysis.given_up and (each.alternative, each.by) not in answered
    ]
    label = so_far.label
    told = (
        words.ONE_STEP.format(
            alternative=label(each.alternative), by=label(each.by), objective=label(each.gives_up.objective)
        )
        for each in open_yet
    )
    return "\n".join(f"• {each}" for each in told)


def _describe_tension(so_far: DecisionRecord, each: Tension) -> str:
    alone = tuple(objective for objective in each.losses if objective not in each.shared)
    weak = {"weakest on": alone, "one of the weakest on": each.shared}
    told = [f"{how} {so_far.labels(objectives)}" for how, objectives in weak.items() if objectives]
    if each.unknown:
        told.append(f"depends on what is not known yet: {'; '.join(map(so_far.label_place, each.unknown))}")
    best = so_far.labels(each.gains) or ("" if each.unknown else "nothing")
    told = [*([f"best on {best}"] if best else []), *(told or ["weakest on nothing"])]
    return f"• {so_far.label(each.alternative)}: {'; '.join(told)}."


def _describe_headline(so_far: DecisionRecord, analysis: Analysis, _: Draft) -> str:
    if analysis.headline is None:
        return ""
    found, others, left_out = analysis.headline, len(analysis.as_opposed), describe_not_compared(so_far, analysis)
    heart = f"By your ratings, the heart of it is {so_far.label(found.one)} against {so_far.label(found.other)}."
    also = f"{words.count_noun(others, ('other pair is', 'other pairs are'))} opposed at least as often."
    return words.join_texts([heart, also if others else "", f"{left_out}." if left_out else ""], " ")


def _list_gaps(so_far: DecisionRecord, component: Component) -> str:
    if so_far.analysis is None or not so_far.analysis.missing:
        return ""
    places = "; ".join(map(so_far.label_place, so_far.analysis.missing))
    return f"These ratings are missing, so nothing is final: {places}."


def _list_left(so_far: DecisionRecord, component: Component) -> str:
    aside = list_aside(so_far)
    left = so_far.labels(each for each in so_far.alternatives if each not in aside)
    begin = "These" if [*aside] == [so_far.compared_with] else "After what was set aside, these"
    return f"{begin} are left: {left}." if aside else ""


def _describe_standout(so_far: DecisionRecord, component: Component) -> str:
    return " ".join(filter(None, (*describe_standing(component, so_far), tell_beyond_left(so_far))))


def _count_left(so_far: DecisionRecord, component: Component) -> str:
    """Return how many options are left and set aside; the status quo is counted beside them."""
    if len(so_far.alternatives) < MOST_ALONE:
        return ""
    aside = list_aside(so_far)
    left = [each for each in so_far.alternatives if each not in aside]
    options = len([each for each in left if each != so_far.compared_with])
    status_quo = f" and {so_far.zero}" if so_far.compared_with in left else ""
    others = [each for each in aside if each != so_far.compared_with]
    told = [f"Options left to weigh: {options}{status_quo}.", f"Set aside: {len(others)}." if others else ""]
    zero = f"{so_far.zero[0].upper()}{so_far.zero[1:]}"
    became = "set aside" if so_far.analysis and so_far.compared_with in so_far.analysis.given_up else "beaten"
    return words.join_texts([*told, f"{zero} is {became}." if so_far.compared_with in aside else ""], " ")


def _describe_lead(so_far: DecisionRecord, component: Component) -> str:
    """Return who stands out, without what was tried, and the first reservations; or why nobody does."""
    said = describe_lead(component, so_far)[:MOST_SAID]
    return " ".join(filter(None, (*said, tell_beyond_left(so_far))))


def _list_first_doubts(so_far: DecisionRecord, component: Component) -> str:
    """Return what the options that lead count on, then the doubts in ratings."""
    leading = list_leading(so_far) if so_far.firmness else ()
    conditions = [f"• {each}" for each in list_conditions_of(so_far, leading)]
    doubts = [_name_doubt(so_far, *each) for each in so_far.doubts if not is_condition(so_far, leading, each)]
    return _list_first("What to find out first:" if so_far.firmness else DOUBTFUL, [*conditions, *doubts])


def find_voices(so_far: DecisionRecord, names: Iterable[str]) -> list[Mapping[str, Any]]:
    """Return the considerations that share a telling word with these names, or with the name of who decides."""
    decider = find_value(so_far.results.get("problem_frame"), "decision_maker.name") or ""
    topics = find_topics(" ".join((decider, *names)))
    said = find_values(so_far.results.get("issue_raising"), "considerations[]")
    return [each for each in said if topics & find_topics(read_name(each))]


def _list_first_voices(so_far: DecisionRecord, component: Component) -> str:
    """Return what people said of the options that lead, and of who decides, as it may speak against a lead."""
    leading = list_leading(so_far)
    told = [f"• {so_far.tell_fact(each)}" for each in find_voices(so_far, map(so_far.name, leading))]
    return _list_first("To keep in mind:", told) if leading else ""


def _list_first(title: str, told: Sequence[str]) -> str:
    rest = [f"• and {len(told) - MOST_DOUBTS} more"] if len(told) > MOST_DOUBTS else []
    return "\n".join([title, *told[:MOST_DOUBTS], *rest]) if told else ""


def _list_doubts(so_far: DecisionRecord, component: Component) -> str:
    firmness = so_far.firmness
    how = "it" if firmness and any(each.alone for each in firmness.doubts) else "together with what else is open it"
    title = f"What to find out first, as {how} could change who leads:" if firmness else DOUBTFUL
    return "\n".join([title, *(_name_doubt(so_far, *each) for each in so_far.doubts)]) if so_far.doubts else ""


def _name_doubt(so_far: DecisionRecord, option: str, objective: str, cause: str) -> str:
    return f"• {so_far.label_place((option, objective))}{f': {cause}' if cause else ''}"


def _describe_firmness(so_far: DecisionRecord, component: Component) -> str:
    return " ".join(describe_firmness(so_far.firmness, partial(name_with_condition, so_far))) if so_far.firmness else ""


def _describe_evidence(so_far: DecisionRecord, component: Component) -> str:
    """Return facts of the record that may support the scores. They do not decide any score."""
    cells = list_rated(so_far)
    doubtful = [each for each in cells if is_doubtful(each)]
    objectives = find_values(so_far.results.get("objectives"), "fundamental_objectives[]")
    measured = [each for each in objectives if "performance_measure" in each]
    lines = [
        f"• {len(measured)} of {len(objectives)} objectives {'has' if len(measured) == 1 else 'have'} a measure"
        if objectives
        else "",
        f"• {len(so_far.alternatives)} options, the status quo among them" if so_far.baseline else "",
        f"• {len(doubtful)} of {len(cells)} ratings {'is' if len(doubtful) == 1 else 'are'} doubtful" if cells else "",
    ]
    return "\n".join(["What is on record:", *filter(None, lines)]) if any(lines) else ""


def _list_uncertain(so_far: DecisionRecord, component: Component) -> str:
    return "\n".join(f"• {each['description']}" for each in list_uncertain(so_far))


def _name_weakest(so_far: DecisionRecord, component: Component) -> str:
    quality = so_far.results.get("decision_quality", {})
    if quality.get("overall_score") == FULL:
        return NONE_WEAKEST
    weakest = name_elements(quality.get("weakest", ()))
    return f"{weakest} ({quality['overall_score']} %)" if weakest else ""


COMPUTED: Final[Mapping[str, Slot]] = MappingProxyType(
    {
        "question": lambda so_far, component: so_far.question,
        "typed_question": _read_typed_question,
        "named_limits": _list_named_limits,
        "which_decision": _ask_which_decision,
        "several_decisions": _list_several_decisions,
        "first_candidate": _name_first_candidate,
        "courses": _list_courses,
        "analysed": _describe_analysis,
        "surprise": lambda so_far, component: component.texts["surprise" if so_far.analysis else "go_back"],
        "terms": lambda so_far, component: explain_to_people(component.explained),
        "first_element": lambda so_far, component: explain_to_people(["elements"]).split("\n")[0].removeprefix("• "),
        "other_options": _list_other_options,
        "first_objective": _name_first_objective,
        "first_question": _ask_first_question,
        "dominated": _of_findings(_list_dominated),
        "irrelevant": _of_findings(_list_irrelevant),
        "steps": _of_findings(_list_steps),
        "tensions": _of_findings(_describe_tensions),
        "headline": _of_findings(_describe_headline),
        "set_aside": _of_findings(_list_set_aside),
        "beaten_status_quo": _of_findings(_describe_beaten_status_quo),
        "same_everywhere": _of_findings(_name_same_everywhere),
        "options_left": _count_left,
        "lead": _describe_lead,
        "find_out_first": _list_first_doubts,
        "voices": _list_first_voices,
        "gaps": _list_gaps,
        "left": _list_left,
        "standout": _describe_standout,
        "doubts": _list_doubts,
        "firmness": _describe_firmness,
        "evidence": _describe_evidence,
        "still_uncertain": _list_uncertain,
        "weakest": _name_weakest,
    }
)
