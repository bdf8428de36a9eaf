"""Options that contend for a decision, and what ratings and amounts alike say about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Tension
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft


def list_aside(record: DecisionRecord) -> tuple[str, ...]:
    """Return the options that are not compared: those set aside, and those given up for one that is ahead by far."""
    found = record.analysis
    left = found.dominance.left if found else record.alternatives
    return tuple(each for each in record.alternatives if each not in left or (found and each in found.given_up))


def split_aside(record: DecisionRecord) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the same, those that could come back apart."""
    aside, back = list_aside(record), list_back(record, record.results.get("tradeoffs", {}))
    return tuple(each for each in aside if each not in back), tuple(each for each in aside if each in back)


def list_back(record: DecisionRecord, tradeoffs: Draft) -> frozenset[str]:
    """Return the options that by these verdicts are not surely out: a range may bring them back, or a doubt first."""
    analysis, firmness = record.analyse_by(tradeoffs), record.firmness_by(tradeoffs)
    firsts = [each.alternative for each in firmness.firsts] if firmness else []
    return frozenset((*(analysis.open_ones if analysis else ()), *firsts))


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
