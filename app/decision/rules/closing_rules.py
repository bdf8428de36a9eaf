"""Rules for tradeoffs, recommendation, decision quality, notes and next steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from app.core.text.labels import join_words
from app.decision.analysis.quality import FULL, Element
from app.decision.analysis.swing import FULL_SWING
from app.decision.record import DecisionRecord, list_rated
from app.decision.rows import BY_PEOPLE, is_doubtful
from app.decision.rules import action_rules
from app.decision.rules.framing_rules import list_last_words
from app.decision.schema.days import format_day, tells_time
from app.decision.schema.findings import Finding, Issue, Remark
from app.decision.schema.paths import Draft, find_places, find_value, find_values
from app.decision.schema.similarity import find_telling_words, normalize, shares_half
from app.decision.schema.terms import format_signed, name_element

VERDICTS: Final = (
    "you should choose", "you should take", "you should pick", "you should go with", "you must choose",
    "the best choice is", "the best option is", "the right choice is", "i recommend", "we recommend",
    "die beste wahl ist", "die beste option ist", "die richtige wahl ist", "ich empfehle", "wir empfehlen",
)  # fmt: skip
STILL_TO_SAY: Final[Mapping[str, str]] = MappingProxyType({"needs_approval": "approve", "recommends": "decide"})
"""What is still to be done about a decision that is called made, by how far the decider decides."""
_HANDLE = re.compile(r"\b[AO][0-9]{1,3}\b")


def kept_options(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Say of a dominated option that is kept that no rating holds the reason: an objective may be missing.

    Where all that dominates it counts on something, that is reason enough.
    """
    for each in find_values(draft, "dominated_alternatives[]"):
        over = (so_far.counts_on_more(by, each["alternative_id"]) for by in each.get("all_dominators", ()))
        if each.get("user_verdict") == "keep" and not each.get("disputed_on") and not all(over):
            kept = so_far.label(each["alternative_id"])
            yield Remark(
                f"You keep {kept} although another option is never worse. No rating holds your reason yet.",
                about=[(each["alternative_id"],)],
            )


def conditions_open(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about an option that would drop out only if what another one counts on holds."""
    analysis = so_far.analyse_by(draft)
    for each in analysis.dominance.dominated if analysis else ():
        if analysis and each.alternative in analysis.dominance.conditional:
            by, option = so_far.label(each.dominated_by), so_far.label(each.alternative)
            yield Remark(
                f"{option} would drop out only if what {by} counts on holds. Is {each.alternative} out whether that "
                "comes or not, or does it stay?",
                about=[(each.alternative, each.dominated_by)],
            )


def amounts_disagree(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about an option that only the ratings would set aside, while an amount speaks for it and nobody keeps it."""
    analysis = so_far.analyse_by(draft)
    for each in [one for one in analysis.dominance.disputed if not one.is_kept] if analysis else ():
        by, option, objective = so_far.label(each.by), so_far.label(each.alternative), each.despite[0]
        amount, other = (so_far.describe_amount((each, objective)) for each in (each.alternative, each.by))
        yield Remark(
            f"On your ratings {by} is never worse than {option}, but on {so_far.label(objective)} {option} measures "
            f"{amount} against {other}. Shall a rating change, or does the difference not matter?",
            about=[(each.alternative, each.by, objective, amount, other)],
        )


def something_counts(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask which objectives count if people left out all of them."""
    analysis = so_far.analyse_by(draft)
    gone = {
        each["objective_id"] for each in find_values(draft, "irrelevant_objectives[]") if each.get("kind") in BY_PEOPLE
    }
    if analysis and gone and not analysis.left_out and gone.issuperset(so_far.objectives):
        yield Remark("You left out every objective, so all of them count. Which ones should?", blocking=True)


def baseline_beaten(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Remark that the status quo is dominated: by people's own ratings, acting is never worse.

    Nothing is remarked where people keep it, or have still to say what they do with it.
    """
    analysis = so_far.analyse_by(draft)
    if analysis and analysis.dominance.baseline_dominated and so_far.compared_with not in analysis.dominance.kept:
        baseline = so_far.label(so_far.compared_with or "")
        yield Remark(f"On your own ratings another option is never worse than {baseline}. What would changing cost?")


def nothing_separates(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for a missing objective if none tells the options apart."""
    analysis = so_far.analyse_by(draft)
    if analysis and analysis.nothing_separates:
        yield Remark("No objective tells the options apart. What matters that is not in the list?")


def ties(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about options with equal ratings: they differ in another way, or they are one."""
    analysis = so_far.analyse_by(draft)
    for group in analysis.dominance.ties if analysis else ():
        yield Remark(f"{so_far.labels(group)} are rated alike. What else differs, or are they the same?", about=[group])


def former_points(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask again for points that were given for a range which the ratings no longer have."""
    analysis = so_far.analyse_by(draft)
    swings = analysis.swings if analysis else ()
    given = {row["objective_id"]: row["former"] for row in find_values(draft, "swing_weights[]") if "former" in row}
    for each in swings:
        if former := given.get(each.objective):
            yield Remark(
                f"On {so_far.label(each.objective)}, {former['points']} points were given for going from "
                f"{format_signed(former['worst'])} to {format_signed(former['best'])}, but your ratings go from "
                f"{format_signed(each.worst)} to {format_signed(each.best)}. How many points is that worth?",
                about=[(each.objective, former["points"], former["worst"], former["best"], each.worst, each.best)],
            )


def missing_points(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Say what keeps points from counting: an objective without any, or none with the most."""
    analysis, given = so_far.analyse_by(draft), so_far.select_points(draft)
    asked = {row["objective_id"] for row in find_values(draft, "swing_weights[]") if "former" in row}
    swings = [each.objective for each in analysis.swings] if analysis else []
    lacking = [each for each in swings if each not in given and each not in asked]
    if given and lacking:
        verb = "has" if len(lacking) == 1 else "have"
        yield Remark(
            f"Your points put the options in no order yet: {so_far.labels(lacking)} {verb} none, where the options "
            "differ as well. What is that change worth beside the others?",
            about=[(each,) for each in lacking],
        )
    elif given and FULL_SWING not in given.values() and not asked:
        yield Remark(
            "Your points put the options in no order yet: the change that matters most gets 100, and none has that. "
            "What are the others worth beside it?",
            about=[tuple(given)],
        )


def no_verdict(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Reject a verdict in the synthesis, which only describes. People decide."""
    synthesis = normalize(find_value(draft, "synthesis") or "")
    for verdict in VERDICTS:
        if verdict in synthesis:
            yield Issue("synthesis", "text that describes and chooses nothing", "it decides for people", verdict)


def named_handles(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that texts name only existing handles."""
    for path in ("synthesis", "sensitivity_notes", "standout_option.rationale", "key_considerations[]"):
        for place in find_places(draft, path):
            for handle in dict.fromkeys(_HANDLE.findall(place.value)):
                if handle not in so_far.handles:
                    required = "a text that names only options and objectives that exist"
                    yield Issue(place.name, required, f"names {handle}, which is not there", handle)


def doubts_covered(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for an uncertainty on each doubtful option left.

    It covers the option if it refers to it or repeats its words.
    """
    known = find_values(draft, "remaining_uncertainties[]")
    about = {handle for each in known for handle in each.get("about", ())}
    said = find_telling_words(" ".join(f"{each['description']} {each.get('resolution_path', '')}" for each in known))
    for handle in dict.fromkeys(each[0] for each in so_far.doubts):
        places = {objective: driver for option, objective, driver in so_far.doubts if option == handle}
        if handle not in about and not find_telling_words(" ".join(places.values())) & said:
            told = (f"{so_far.label(each)} ({why})" if why else so_far.label(each) for each, why in places.items())
            yield Remark(
                f"Also uncertain: {so_far.label(handle)} on {join_words(told)}. How could you find out?",
                about=[(handle, objective) for objective in places],
            )


def conditions_dated(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask by when it is known whether what a leading option counts on holds, unless that is told."""
    leading = so_far.analysis.leaders if so_far.analysis else ()
    for each in find_values(so_far.results.get("alternatives"), "alternatives[]"):
        for assumed in each.get("assumptions", ()) if each["handle"] in leading else ():
            if not tells_time(assumed) and not _is_dated(find_telling_words(assumed), draft):
                yield Remark(
                    f"{so_far.label(each['handle'])} counts on this: {assumed.rstrip('.')}. By when will you know "
                    "whether it holds?",
                    about=[(each["handle"], normalize(assumed))],
                )


def _is_dated(topic: frozenset[str], draft: Draft) -> bool:
    """Return True if the draft says by when something is known that has at least half of these words."""
    known = find_values(draft, "remaining_uncertainties[]")
    dated = [each for each in known if each.get("by_when") or tells_time(each.get("resolution_path", ""))]
    return any(shares_half(topic, find_telling_words(each["description"])) for each in dated)


CONFIDENT: Final = 90
"""Score from which many doubtful ratings lead to a question."""
MANY_DOUBTS: Final = 1 / 3
"""Share of the ratings against the status quo."""


def elements_once(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that the scores are of different elements."""
    names = find_values(draft, "elements[].name")
    for index, place in enumerate(find_places(draft, "elements[].name")):
        if place.value in names[:index]:
            yield Issue(place.name, "each element once", "there twice", place.value)


def evidence_for_scores(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask once about a score that is far from the evidence of the record."""
    cells = list_rated(so_far)
    doubtful = [each for each in cells if is_doubtful(each)]
    for each in find_values(draft, "elements[]"):
        sure = each["name"] == Element.INFORMATION and each["score"] >= CONFIDENT
        if sure and cells and len(doubtful) / len(cells) >= MANY_DOUBTS:
            of = f"{len(doubtful)} of {len(cells)}"
            told = f"{of} ratings {'is' if len(doubtful) == 1 else 'are'} doubtful"
            yield Remark(
                f"{name_element(each['name'])} has {each['score']} %, but {told}. Does it hold?",
                about=[(each["name"], each["score"], of)],
            )


def one_more_week(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask one test question if all scores are full."""
    scores = find_values(draft, "elements[].score")
    if len(scores) == len(Element) and min(scores) == FULL:
        yield Remark("All seven at 100 %: would one more week of work change anything?")


def affirmation(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require 100 % on all elements before a decision is affirmed."""
    overall = find_value(so_far.results.get("decision_quality"), "overall_score")
    if "decision_affirmation" in draft and overall != FULL:
        problem = f"the overall decision quality is {overall} %" if overall is not None else "nothing is scored yet"
        yield Issue("decision_affirmation", f"left out below {FULL} %", problem, draft["decision_affirmation"])


def due_dates(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require future dates for new plans; ask about what the decision needs and would have only after its day.

    To carry the decision out comes after it, and is not asked about.
    """
    old = find_values(so_far.before, "planned_actions[].handle")
    deadline = find_value(so_far.results.get("problem_frame"), "focal_decision.deadline")
    for place in find_places(draft, "planned_actions[]"):
        due = place.value.get("due_date")
        is_new = place.value["handle"] not in old and place.value.get("status") != "completed"
        if due and is_new and date.fromisoformat(due) < so_far.today:
            yield Issue(f"{place.name}.due_date", f"{so_far.today} or later, or left out", "lies in the past", due)
        comes_late = deadline and due and due > deadline and place.value.get("status") != "completed"
        if comes_late and (need := action_rules.find_need(place.value, draft, so_far)):
            yield Remark(
                f"“{place.value['action']}” works on “{need}” and is due {format_day(due)}, after the decision on "
                f"{format_day(deadline)}. Is that meant?",
                about=[(place.value["handle"], due, deadline)],
            )


def who_and_when(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask once for the owners and the days of steps, because without them nobody tends to do these."""
    asked = dict[tuple[str, ...], list[Mapping[str, Any]]]()
    for each in find_values(draft, "planned_actions[]"):
        lacking = tuple(
            words for name, words in (("owner", "who does it"), ("due_date", "by when")) if name not in each
        )
        if lacking and each.get("status") != "completed":
            asked.setdefault(lacking, []).append(each)
    if asked:
        told = (
            f"{' and '.join(lacking)}: {action_rules.name_few([each['action'] for each in steps])}?"
            for lacking, steps in asked.items()
        )
        about = [(each["handle"], words) for lacking, steps in asked.items() for each in steps for words in lacking]
        yield Remark(" ".join(f"{each[:1].upper()}{each[1:]}" for each in told), about=about)


def decision_status(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for the state in which the decision ends, and whether it is made by who has the last word."""
    status = find_value(draft, "decision.status")
    frame = so_far.results.get("problem_frame", {})
    authority = find_value(frame, "decision_maker.authority")
    if not status:
        yield Remark("Where does the decision stand: decided, leaning or deferred?")
    elif status == "decided" and (still := STILL_TO_SAY.get(authority or "")):
        others = [*list_last_words(frame)]
        told = f"{join_words(others) or 'somebody else'} {still}{'' if others[1:] else 's'} this"
        yield Remark(f"By the problem frame, {told}. Have they, or is it a leaning until then?", about=[(status,)])
