"""Options that contend for a decision, and what ratings and amounts alike say about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Tension
from app.decision.firmness.firmness import Firmness
from app.decision.layout.parts import words
from app.decision.record import DecisionRecord


def list_aside(record: DecisionRecord) -> tuple[str, ...]:
    """Return the options that are not compared, a beaten status quo among them."""
    found = record.analysis
    left = found.dominance.left if found else record.alternatives
    return tuple(each for each in record.alternatives if each not in left or (found and each in found.given_up))


def split_aside(record: DecisionRecord, found: Analysis, firmness: Firmness | None) -> tuple[list[str], list[str]]:
    """Return the options that are set aside, or given up for one far ahead; apart, those that are not surely out.

    The status quo is not among them: it stays the zero of the scale.
    """
    stays = {*found.dominance.left} - {*found.given_up} | {record.compared_with}
    beaten = (each.alternative for each in found.dominance.dominated)
    options = dict.fromkeys((*beaten, *found.excluded, *record.alternatives))
    aside = [each for each in options if each not in stays]
    back = {*found.open_ones, *(each.alternative for each in firmness.firsts)} if firmness else {*found.open_ones}
    return [each for each in aside if each not in back], [each for each in aside if each in back]


def part_aside(surely: str, perhaps: str) -> str:
    """Return in one text what is set aside and what a range could bring back."""
    return words.join_texts([surely, words.ASIDE_PERHAPS.format(options=perhaps) if perhaps else ""])


def describe_status_quo(analysis: Analysis, baseline: str | None, label: Callable[[str], str]) -> str:
    """Return who beats the status quo, which is left out of the choice then; empty if nobody does."""
    found = analysis.dominance
    beaten = [each for each in found.dominated if each.alternative == baseline and baseline not in found.kept]
    told = (words.BEATEN_BY if each.certain_by else words.PERHAPS_BEATEN_BY for each in beaten)
    return next((form.format(option=label(each.dominated_by)) for form, each in zip(told, beaten, strict=True)), "")


def drop_contradicted(record: DecisionRecord, analysis: Analysis, tensions: Iterable[Tension]) -> list[Tension]:
    """Return the options without gains and losses that amounts of those still compared deny.

    Two options can be rated alike and measure unlike: then one is not the worst, and the other one not the best.
    """
    measured = record.measured
    left = [each.alternative for each in analysis.contending]

    def drop(option: Tension) -> Tension:
        behind = {objective for each in left for objective in measured.find_worse(option.alternative, each)}
        ahead = {objective for each in left for objective in measured.find_worse(each, option.alternative)}
        losses, shared = (tuple(each for each in some if each not in ahead) for some in (option.losses, option.shared))
        gains = tuple(each for each in option.gains if each not in behind)
        return replace(option, gains=gains, losses=losses, shared=shared)

    return [*map(drop, tensions)]
