"""Options that contend for a decision, what they count on, and the heart of the choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import comb
from typing import Final

from app.core.state.sheet import Prose
from app.core.text.labels import join_words
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Conflict, Tension
from app.decision.firmness.firmness import Firmness
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_prose
from app.decision.record import DecisionRecord

AS_LONG_AS: Final = " (as long as this holds: {assumptions})"
NOT_COMPARED: Final = "Not compared for it, as nobody knows all of it yet: {objectives}"


def name_with_condition(so_far: DecisionRecord, handle: str) -> str:
    """Return the name of an option with what it counts on, which is what a lead of it hangs on."""
    found = so_far.list_assumptions(handle)
    return so_far.label(handle) + (AS_LONG_AS.format(assumptions="; ".join(found)) if found else "")


def describe_assumptions(so_far: DecisionRecord, handle: str) -> str:
    """Return what an option counts on, as people said in Alternatives; empty if that is nothing."""
    told = so_far.list_assumptions(handle)
    return words.COUNTS_ON.format(handle=handle, assumptions="; ".join(told)) if told else ""


def list_aside(record: DecisionRecord) -> tuple[str, ...]:
    """Return the options that are not compared, a beaten status quo among them."""
    found = record.analysis
    compared = found.compared if found else record.alternatives
    return tuple(each for each in record.alternatives if each not in compared)


def split_aside(record: DecisionRecord, found: Analysis, firmness: Firmness | None) -> tuple[list[str], list[str]]:
    """Return the options that are set aside, or given up for one far ahead; apart, those that are not surely out.

    The status quo is among them only if people gave it up: it stays the zero of the scale, whatever beats it.
    """
    stays = ({*found.dominance.left} | {record.compared_with}) - {*found.given_up}
    beaten = (each.alternative for each in found.dominance.dominated)
    options = dict.fromkeys((*beaten, *found.excluded, *record.alternatives))
    aside = [each for each in options if each not in stays]
    back = {*found.open_ones, *(firmness.firsts if firmness else ())}
    return [each for each in aside if each not in back], [each for each in aside if each in back]


def part_aside(surely: str, perhaps: str) -> str:
    """Return in one text what is set aside and what a range could bring back."""
    return words.join_texts([surely, words.ASIDE_PERHAPS.format(options=perhaps) if perhaps else ""])


def describe_status_quo(analysis: Analysis, baseline: str | None, label: Callable[[str], str]) -> str:
    """Return who beats the status quo, which is left out of the choice then; empty if nobody does."""
    found = analysis.dominance
    beaten = [each for each in found.dominated if each.alternative == baseline and baseline not in found.kept]
    told = (words.BEATEN_BY[bool(each.certain_by)].format(option=label(each.dominated_by)) for each in beaten)
    return next(told, "")


def drop_contradicted(record: DecisionRecord, analysis: Analysis, tensions: Iterable[Tension]) -> list[Tension]:
    """Return the options without gains and losses that amounts of those still compared deny.

    Two options can be rated alike and measure unlike: then one is not the worst, which the other one is alone, and the
    other one not the best.
    """
    measured, left = record.measured, analysis.compared

    def drop(option: Tension) -> Tension:
        behind = {objective for each in left for objective in measured.find_worse(option.alternative, each)}
        ahead = {objective for each in left for objective in measured.find_worse(each, option.alternative)}
        gains = tuple(each for each in option.gains if each not in behind)
        return replace(option, gains=gains, losses=tuple(each for each in option.losses if each not in ahead))

    weak = Counter(objective for each in analysis.contending for objective in drop(each).losses)

    def is_shared(option: Tension, objective: str) -> bool:
        return objective in option.losses and (weak[objective] > 1 or option.alternative not in left)

    return [
        replace(each, shared=tuple(one for one in each.shared if is_shared(each, one))) for each in map(drop, tensions)
    ]


def describe_heart(result: Result, analysis: Analysis) -> Prose | None:
    """Return people's words on the heart of the decision, and the objectives that the ratings oppose most often."""
    found, said = analysis.headline, result.told("headline_conflict.statement")
    if of_then := result.text("headline_conflict.said_of.objectives"):
        said = words.SAID_OF.format(said=said, objectives=of_then)
    if found is None:
        return build_prose(said, words.HEART)
    pairs = comb(len(analysis.contenders), 2)
    form = words.CONFLICT if pairs > 1 else words.BY_RATINGS
    opposed = form.format(
        opposed=_name_opposed(result, found),
        discordant=found.discordant,
        pairs=pairs,
        options=result.few(analysis.contenders, words.FEW),
    )
    others = join_words([_name_opposed(result, each) for each in analysis.as_opposed], words.AT_MOST)
    also = words.AS_OPPOSED.format(others=others) if others else ""
    left_out = describe_not_compared(result.so_far, analysis)
    return build_prose(words.join_texts([said, opposed, also, left_out], "\n"), words.HEART)


def describe_not_compared(record: DecisionRecord, analysis: Analysis) -> str:
    """Return the objectives that may be opposed more often, as nobody knows all ratings there; empty without any."""
    both = (each for each in analysis.pairs if {each.one, each.other} <= {*analysis.contenders})
    unknown = dict.fromkeys(objective for each in both for objective in each.unknown)
    return NOT_COMPARED.format(objectives=record.labels(unknown)) if unknown else ""


def describe_conflict(result: Result, analysis: Analysis) -> str:
    """Return the two objectives that are most often opposed, in a line; empty if there are none."""
    found = analysis.headline
    return words.BY_RATINGS.format(opposed=_name_opposed(result, found)) if found else ""


def _name_opposed(result: Result, each: Conflict) -> str:
    return words.OPPOSED.format(one=result.label(each.one), other=result.label(each.other))
