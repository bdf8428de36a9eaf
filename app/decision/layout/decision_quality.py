"""Presenter of decision quality: seven bars, the weakest link, and ways to raise it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.core.state.sheet import Bar, Bars, Item, Mark, Section
from app.core.text.labels import join_words
from app.decision.analysis.quality import FULL, Element, Quality
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_listing, build_prose, pack_lines, select_sections
from app.decision.rows import read_quality
from app.decision.schema.terms import FEW, name_element, name_elements

SCORES: Final = "How good the decision is"
OVERALL: Final = "Overall: {score} % (the weakest link)"
WEAKEST: Final = "Weakest: {element}"
SCORED_LINE: Final = "{element} {score}"
NO_SCORE: Final = "–"
RAISED_BY: Final = "Raised by: {paths}"
UNSCORED: Final = "Not scored yet: {elements}"
ALL_FULL: Final = "More effort would not be worth its cost: you may affirm the decision."
RAISE: Final = "What would raise it"
GIST_WEAKEST: Final = "{score} % · weakest: {elements}"
GIST_SCORED: Final = "{scored} of {all} scored"
GIST_FULL: Final = "100 % on all seven elements"
OVERALL_FULL: Final = f"Overall: {GIST_FULL}"


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the scorecard. The overall score is that of the weakest element, never a mean."""
    card = read_quality(result.draft)
    return select_sections(
        Bars(
            title=SCORES,
            bars=tuple(_build_bar(result, card, element) for element in Element),
            total=_tell_overall(card),
        ),
        build_prose(_describe_quality(card)),
        build_listing(
            RAISE,
            _list_improvements(result, card),
        ),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the overall score, the weakest elements, all scores, and what would raise the weakest.

    Which scores are missing stands above these lines, with what is still needed.
    """
    card = read_quality(result.draft)
    named = (result.row("elements[]", name=each.value).get("improvement_path", "") for each in card.weakest)
    paths = [each.rstrip(".") for each in named if each and not card.affirmable]
    weakest = WEAKEST.format(element=name_elements(card.weakest)) if card.weakest and not card.affirmable else ""
    return (
        words.join_texts([_tell_overall(card), weakest], " · "),
        *pack_lines([_describe_score(result, element) for element in Element], 2),
        RAISED_BY.format(paths="; ".join(words.cut_list(paths, words.FEW))) if paths else "",
        ALL_FULL if card.affirmable else "",
    )


def _tell_overall(card: Quality) -> str:
    """Return the lowest score as that of all; empty while one is missing."""
    if card.affirmable:
        return OVERALL_FULL
    return "" if card.overall is None else OVERALL.format(score=card.overall)


def _describe_score(result: Result, element: Element) -> str:
    score = result.row("elements[]", name=element.value).get("score")
    return SCORED_LINE.format(element=name_element(element), score=NO_SCORE if score is None else score)


def write_gist(result: Result) -> str:
    """Return the weakest link, or the number of scores so far."""
    card = read_quality(result.draft)
    if card.overall is None:
        return GIST_SCORED.format(scored=len(Element) - len(card.missing), all=len(Element))
    if card.affirmable:
        return GIST_FULL
    return GIST_WEAKEST.format(score=card.overall, elements=name_elements(card.weakest))


def _build_bar(result: Result, card: Quality, element: Element) -> Bar:
    said = result.row("elements[]", name=element.value)
    return Bar(
        label=name_element(element),
        score=said.get("score"),
        note=said.get("rationale", ""),
        weakest=element in card.weakest and len(card.weakest) <= FEW,
    )


def _describe_quality(card: Quality) -> str:
    if card.missing:
        return UNSCORED.format(elements=join_words(map(name_element, card.missing)))
    return ALL_FULL if card.affirmable else ""


def _list_improvements(result: Result, card: Quality) -> Iterator[Item]:
    """Yield what would raise each element; those of which nothing was named stand together in one item."""
    bare: list[str] = []
    for element in card.improvements:
        said = result.row("elements[]", name=element.value)
        path, scored = said.get("improvement_path"), f"{name_element(element)} · {said['score']} %"
        if path and said["score"] < FULL:
            yield Item(text=scored, notes=(path,))
        elif said["score"] < FULL:
            bare.append(scored)
    if bare:
        yield Item(text="; ".join(bare), notes=(words.NOTHING_NAMED,), marks=(Mark.GAP,))
