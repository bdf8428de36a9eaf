"""Presenter of the recommendation: findings, the standout, if any, and the arguments against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.core.state.sheet import Item, Listing, Mark, Prose, Section
from app.decision.analysis.quality import ACCEPTABLE, Element
from app.decision.analysis.ratings import At
from app.decision.firmness.firmness import NOTABLE
from app.decision.layout.alternatives import ON_CONDITION
from app.decision.layout.parts import words
from app.decision.layout.parts.firm_parts import describe_share, list_firmness, list_first_to_know
from app.decision.layout.parts.limit_parts import tell_beyond_left
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    build_prose,
    build_texts,
    build_whole_line,
    drop_said,
    select_sections,
)
from app.decision.layout.parts.standing_parts import describe_standing, tell_lead
from app.decision.layout.parts.told_parts import WHEN, describe_lateness, describe_when, list_leading
from app.decision.schema.paths import find_values

IN_DETAILS: Final = "see the details"
"""What stands in brackets instead of ratings whose names are too long for a line."""
MORE_OFTEN: Final = "{option} comes first more often: in {share} of what you call possible."


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the summary, which ends with the owner of the decision."""
    summary = result.note("synthesis")
    sentence, points, against = (drop_said(each, summary) for each in _describe_standing(result))
    return select_sections(
        build_prose(_describe_weak_information(result)),
        build_prose(summary, words.IN_SHORT),
        _build_standout(result, sentence),
        build_prose(words.join_texts([points, against], " ")),
        build_texts(words.CONSIDER, result.notes("key_considerations[]")),
        build_listing(
            words.UNKNOWNS, (_build_unknown(result, each) for each in result.all("remaining_uncertainties[]"))
        ),
        list_first_to_know(result, result.so_far.firmness),
        list_firmness(result, result.so_far.firmness),
        build_prose(result.note("sensitivity_notes"), words.YOUR_NOTES),
        build_listing(words.YOU_WOULD_GIVE_UP, (_build_give_up(result, each) for each in result.all("regret_notes[]"))),
        build_listing(words.PREMORTEM, (_build_failure(result, each) for each in result.all("premortem[]"))),
        build_prose(result.note("user_leaning"), words.LEANING),
        build_prose(words.YOURS),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the summary, where people lean, what stands out, what speaks against it, and what is unknown."""
    summary = result.note("synthesis")
    shown = words.cut_sentences(summary, words.SUMMARY)
    sentence, points, against = (drop_said(each, shown) for each in _describe_standing(result))
    unknown = [
        WHEN.format(told=told, when=describe_when(each)) if "by_when" in each else told
        for each in result.all("remaining_uncertainties[]")
        if (told := each.get("description", ""))
    ]
    return (
        words.join_texts([_describe_weak_information(result), build_line(words.IN_SHORT, summary)], " "),
        build_line(words.LEANING, result.note("user_leaning")),
        sentence if len(sentence) <= words.LINE else _name_level(result) or _tell_unfirm(result) or sentence,
        words.join_texts([points, _name_more_often_first(result)], " "),
        result.brief(against),
        build_whole_line(words.UNKNOWNS, unknown),
    )


def _name_more_often_first(result: Result) -> str:
    """Return the option that comes first notably more often than those that lead on the plain sum; empty if none."""
    found, leading = result.so_far.firmness, list_leading(result.so_far)
    if found is None or not found.firsts or not leading:
        return ""
    most, share = next(iter(found.firsts.items()))
    if share - max(found.firsts.get(each, 0.0) for each in leading) < NOTABLE:
        return ""
    return MORE_OFTEN.format(option=result.short(most), share=describe_share(share, exact=found.exact))


def _name_level(result: Result) -> str:
    """Return the options that are level, by short names, so that a card names each; empty if they are not."""
    found = result.so_far.analysis
    if result.so_far.standout or found is None or len(found.leaders) < 2:
        return ""
    named = [
        f"{result.short(each)}{words.ON_CONDITION if result.so_far.list_assumptions(each) else ''}"
        for each in found.leaders
    ]
    return words.join_texts([words.NO_STANDOUT, build_line(words.LEVEL, "; ".join(named))], " ")


def _tell_unfirm(result: Result) -> str:
    """Return why the one that leads does not stand out, by a short name: its end says it. Empty if one stands out."""

    def name(option: str) -> str:
        return words.add_brackets(result.short(option), ON_CONDITION if result.so_far.list_assumptions(option) else "")

    def name_place(at: At) -> str:
        return f"{result.short(at[0])} on {result.short(at[1])}"

    if result.so_far.standout:
        return ""
    told = tell_lead(result.component, result.so_far, name, name_place)
    return told if len(told) <= words.LINE else tell_lead(result.component, result.so_far, name, lambda _: IN_DETAILS)


def write_gist(result: Result) -> str:
    """Return the standout, if there is one."""
    found = result.so_far.standout
    if found is None:
        return words.GIST_NO_STANDOUT
    if result.so_far.list_assumptions(found.alternative):
        return f"{words.GIST_STANDS_OUT.format(option=result.short(found.alternative))}{words.ON_CONDITION}"
    return words.GIST_STANDS_OUT.format(option=result.label(found.alternative))


def _describe_standing(result: Result) -> tuple[str, str, str]:
    """Return the ratings' sentence on the standout, what people's points say, and the arguments against it."""
    first, points, *rest = describe_standing(result.component, result.so_far) or (words.NO_STANDOUT, "")
    return first, points, words.join_texts([tell_beyond_left(result.so_far), *rest], " ")


def _build_standout(result: Result, sentence: str) -> Listing | Prose | None:
    """Return the standout by the ratings, never by the draft: the draft's may no longer stand out.

    People's words on a former standout are not shown for another one.
    """
    found = result.so_far.standout
    if found is None:
        return build_prose(sentence)
    is_same = result.one("standout_option.alternative_id") == found.alternative
    said = f"{result.note('synthesis')} {sentence}"
    rationale = drop_said(result.note("standout_option.rationale"), said) if is_same else ""
    return build_listing(
        words.STANDS_OUT, [result.of(found.alternative, sentence, rationale, marks=(Mark.STANDS_OUT,))]
    )


def _describe_weak_information(result: Result) -> str:
    """Return a warning of weak information, which precedes all else. It is known once the quality is judged."""
    scored = find_values(result.so_far.later.get("decision_quality"), "elements[]")
    score = next((each["score"] for each in scored if each["name"] == Element.INFORMATION), ACCEPTABLE)
    return words.WEAK_INFORMATION.format(score=score) if score < ACCEPTABLE else ""


def _build_unknown(result: Result, each: Mapping[str, Any]) -> Item:
    path, about = each.get("resolution_path"), each.get("about", ())
    return build_item(
        each,
        words.IMPACT.get(each.get("impact", ""), ""),
        words.FIND_OUT.format(path=path) if path else words.NO_WAY_YET,
        build_line(words.BY_WHEN, describe_when(each)),
        describe_lateness(each, result.so_far),
        words.ABOUT.format(options=result.labels(about)) if about else "",
        marks=(*(() if path else (Mark.GAP,)), *result.marks(each)),
    )


def _build_give_up(result: Result, each: Mapping[str, Any]) -> Item:
    told = result.mark_note("regret_notes[].worst_give_up", each.get("worst_give_up", ""))
    return result.of(each["alternative_id"], told, words.BEARABLE[each.get("acceptable")])


def _build_failure(result: Result, each: Mapping[str, Any]) -> Item:
    return result.of(
        each["alternative_id"],
        each.get("failure_story", ""),
        words.EARLY_SIGNAL.format(signal=each["early_signal"]) if "early_signal" in each else "",
        words.MITIGATION.format(mitigation=each["mitigation"]) if "mitigation" in each else "",
    )
