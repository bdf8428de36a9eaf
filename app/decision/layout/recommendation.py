"""Presenter of the recommendation: findings, the standout, if any, and the arguments against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.state.sheet import Item, Listing, Mark, Prose, Section
from app.decision.analysis.quality import ACCEPTABLE, Element
from app.decision.layout.parts import words
from app.decision.layout.parts.analysis_parts import what_if
from app.decision.layout.parts.result import Result, item, laid_out, listing, prose, texts
from app.decision.record import standing
from app.decision.schema.paths import values


def sections(result: Result) -> tuple[Section, ...]:
    """Return the summary, which ends with the owner of the decision."""
    sentence, against = _standing(result)
    return laid_out(
        prose(_weak_information(result)),
        prose(result.text("synthesis"), words.IN_SHORT),
        _standout(result, sentence),
        prose(against),
        texts(words.CONSIDER, result.all("key_considerations[]")),
        listing(words.UNKNOWNS, (_unknown(result, each) for each in result.all("remaining_uncertainties[]"))),
        _sensitivity(result),
        listing(words.YOU_WOULD_GIVE_UP, (_give_up(result, each) for each in result.all("regret_notes[]"))),
        listing(words.PREMORTEM, (_failure(result, each) for each in result.all("premortem[]"))),
        prose(words.quoted(result.text("user_leaning")), words.LEANING),
        prose(words.YOURS),
    )


def gist(result: Result) -> str:
    """Return the standout, if there is one."""
    found = result.so_far.standout
    return words.GIST_STANDS_OUT.format(option=result.label(found.alternative)) if found else words.GIST_NO_STANDOUT


def _standing(result: Result) -> tuple[str, str]:
    """Return the ratings' sentence on the standout, and the arguments against it."""
    first, *rest = standing(result.component, result.so_far) or (words.NO_STANDOUT,)
    return first, " ".join(rest)


def _standout(result: Result, sentence: str) -> Listing | Prose | None:
    """Return the standout by the ratings, never by the draft: the draft's may no longer stand out.

    People's words on a former standout are not shown for another one.
    """
    found = result.so_far.standout
    if found is None:
        return prose(sentence)
    is_same = result.one("standout_option.alternative_id") == found.alternative
    rationale = result.text("standout_option.rationale") if is_same else ""
    return listing(words.STANDS_OUT, [result.of(found.alternative, sentence, rationale, marks=(Mark.STANDS_OUT,))])


def _weak_information(result: Result) -> str:
    """Return a warning of weak information, which precedes all else. It is known once the quality is judged."""
    scored = values(result.so_far.later.get("decision_quality"), "elements[]")
    score = next((each["score"] for each in scored if each["name"] == Element.INFORMATION), ACCEPTABLE)
    return words.WEAK_INFORMATION.format(score=score) if score < ACCEPTABLE else ""


def _unknown(result: Result, each: Mapping[str, Any]) -> Item:
    path, about = each.get("resolution_path"), each.get("about", ())
    return item(
        each,
        words.IMPACT.get(each.get("impact", ""), ""),
        words.FIND_OUT.format(path=path) if path else words.NO_WAY_YET,
        words.ABOUT.format(options=result.labels(about)) if about else "",
        marks=(*(() if path else (Mark.GAP,)), *result.marks(each)),
    )


def _sensitivity(result: Result) -> Section | None:
    """Return the sensitivity in the words of the draft or, if it has none, of the analysis."""
    analysis, notes = result.so_far.analysis, result.text("sensitivity_notes")
    return what_if(result, analysis) if analysis and not notes else prose(notes, words.SENSITIVITY)


def _give_up(result: Result, each: Mapping[str, Any]) -> Item:
    return result.of(each["alternative_id"], each.get("worst_give_up", ""), words.BEARABLE[each.get("acceptable")])


def _failure(result: Result, each: Mapping[str, Any]) -> Item:
    return result.of(
        each["alternative_id"],
        each.get("failure_story", ""),
        words.EARLY_SIGNAL.format(signal=each["early_signal"]) if "early_signal" in each else "",
        words.MITIGATION.format(mitigation=each["mitigation"]) if "mitigation" in each else "",
    )
