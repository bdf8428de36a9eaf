"""What each option left gains and gives up: against all others, against one, and for a single step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from app.core.state.sheet import Facts, Item, Listing, Mark
from app.core.text.labels import join_words
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Pair, PracticalDominance, Tension
from app.decision.analysis.ratings import Steps
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.aside_parts import describe_apart
from app.decision.layout.parts.findings.contender_parts import describe_assumptions, drop_contradicted
from app.decision.layout.parts.result import (
    Result,
    build_line,
    build_listing,
    limit_items,
    select_notes,
)
from app.decision.schema.terms import format_signed

NOT_KNOWN_OF_IT: Final = "Not known: {objectives}"
PAIRS: Final = 15
"""All pairs of six options. If there are more, pairs with a leading option come first."""


def list_options(result: Result, analysis: Analysis) -> Listing | None:
    """List the gains and losses of each option left, then what people said that the others win and give up."""
    told = drop_contradicted(result.so_far, analysis, analysis.list_tensions())
    left = {each.alternative for each in told}
    others = [row for row in result.all("tensions[]") if row["alternative_id"] not in left]
    return build_listing(
        words.EACH_OPTION,
        (
            *(_build_tension(result, analysis, each) for each in told),
            *(
                result.of(row["alternative_id"], _describe_statement(row))
                for row in others
                if "statement" in row and row["alternative_id"] in result.so_far.alternatives
            ),
        ),
    )


def _describe_statement(row: Mapping[str, Any]) -> str:
    """Return what people said that an option wins and gives up, and when if the ratings are others now."""
    said = row.get("statement", "")
    return words.SAID_OF.format(said=said, objectives=row["said_of"]["objectives"]) if "said_of" in row else said


def list_pairs(result: Result, analysis: Analysis) -> Listing | None:
    """List the gains and costs of one option against another; the one with the larger sum comes first."""
    sums = {score.alternative: score.net or 0 for score in analysis.scores}
    turned = [each.turned if sums[each.other] > sums[each.one] else each for each in analysis.pairs]
    turned.sort(key=lambda each: -sums[each.one])
    found = [_build_pair(result, each) for each in turned if each.better or each.worse]
    return build_listing(words.PAIRS, limit_items(found, PAIRS))


def list_practical(result: Result, analysis: Analysis) -> Listing | None:
    """List pairs where one step stands against a large gain: a question, never a finding.

    Of an option that people gave up, only those that they answered are told: nothing is left to ask of it.
    """
    told = [
        each
        for each in analysis.practical_dominance
        if each.alternative not in analysis.given_up or "user_verdict" in _find_answer(result, each)
    ]
    return build_listing(words.WORTH_IT, limit_items([_build_question(result, analysis, each) for each in told]))


def list_give_ups(result: Result, analysis: Analysis) -> Facts | None:
    """Return the options with the smallest largest and the smallest total regret; None with nothing to compare."""
    compared = analysis.regrets.each
    if len(compared) < 2:
        return None
    largest = {each.alternative: each.worst for each in compared}
    together = {each.alternative: each.total for each in compared}
    return Facts(
        title=words.GIVE_UPS,
        rows=(
            (words.SMALLEST_WORST, _describe_least(result, largest)),
            (words.SMALLEST_TOTAL, _describe_least(result, together)),
        ),
    )


def _build_tension(result: Result, analysis: Analysis, each: Tension) -> Item:
    said = result.row("tensions[]", alternative_id=each.alternative)
    alone = [objective for objective in each.losses if objective not in each.shared]
    return result.of(
        each.alternative,
        words.GAINS.format(objectives=result.labels(each.gains)) if each.gains else "",
        *_describe_losses(result, each, alone),
        words.ONE_OF_WEAKEST.format(objectives=result.labels(each.shared)) if each.shared else "",
        *_list_open_places(result, each),
        words.ALL_ROUNDER if each.all_rounder else "",
        words.ONLY_ONE if analysis.compared == (each.alternative,) else "",
        _describe_statement(said),
        marks=(
            *((Mark.BASELINE,) if each.alternative == result.so_far.compared_with else ()),
            *((Mark.SET_ASIDE,) if each.alternative in analysis.given_up else ()),
        ),
    )


def _list_open_places(result: Result, each: Tension) -> Iterator[str]:
    """Yield the objectives on which the option may be the best or the worst, and whose ratings keep that open.

    Those that the same options keep open stand together.
    """
    by_options = dict[tuple[str, ...], list[str]]()
    for objective in dict.fromkeys(at[1] for at in each.unknown):
        by_options.setdefault(tuple(at[0] for at in each.unknown if at[1] == objective), []).append(objective)
    for options, objectives in by_options.items():
        named = join_words(map(result.label, options), words.AT_MOST)
        yield words.OPEN_PLACE.format(objective=result.labels(objectives), options=named)


def _describe_losses(result: Result, each: Tension, losses: Sequence[str]) -> Iterator[str]:
    """Yield what others left have more of; an option that is rated like the status quo takes nothing away."""
    changed = [objective for objective in losses if objective in (*each.better, *each.worse)]
    if changed:
        yield words.GIVES_UP.format(objectives=result.labels(changed))
    if same := [objective for objective in losses if objective not in changed]:
        is_status_quo = each.alternative == result.so_far.compared_with
        yield words.NO_BETTER[is_status_quo].format(objectives=result.labels(same), baseline=result.so_far.zero)


def _build_pair(result: Result, each: Pair) -> Item:
    unknown = NOT_KNOWN_OF_IT.format(objectives=result.labels(each.unknown)) if each.unknown else ""
    return Item(
        text=words.INSTEAD.format(one=result.label(each.one), other=result.label(each.other)),
        notes=select_notes([_describe_steps(result, each.better), _describe_steps(result, each.worse), unknown]),
    )


def _find_answer(result: Result, each: PracticalDominance) -> Mapping[str, Any]:
    return result.row("practical_dominance[]", alternative_id=each.alternative, by=each.by)


def _build_question(result: Result, analysis: Analysis, each: PracticalDominance) -> Item:
    said = _find_answer(result, each)
    beaten, by, is_gain_open = result.label(each.alternative), result.label(each.by), each.gain.is_open
    return Item(
        text=words.ONE_STEP.format(alternative=beaten, by=by, objective=result.label(each.gives_up.objective)),
        notes=select_notes(
            [
                _measure_step(result, each),
                words.ONE_STEP_RANGED.format(how=words.LEEWAY[each.step.ends]) if each.step.is_open else "",
                words.BRINGS.format(by=by, gains=_describe_steps(result, each.gains), alternative=beaten),
                words.GAINS_RANGED.format(by=by, how=words.LEEWAY[each.gain.ends]) if is_gain_open else "",
                *_list_measured_better(result, analysis, each),
                describe_assumptions(result.so_far, each.by),
                words.join_texts([words.VERDICTS.get(said.get("user_verdict", ""), ""), said.get("reason", "")], " "),
            ]
        ),
    )


def _list_measured_better(result: Result, analysis: Analysis, each: PracticalDominance) -> Iterator[str]:
    """Yield where amounts speak for the option beside the step that its ratings lead by."""
    measured = result.so_far.measured
    told = (*analysis.left_out, each.gives_up.objective)
    for objective in measured.find_worse(each.by, each.alternative):
        if objective not in told:
            yield describe_apart(result, objective, (each.alternative, each.by))


def _measure_step(result: Result, each: PracticalDominance) -> str:
    """Return the amounts that the step stands for; empty unless both are known."""
    objective = each.gives_up.objective
    amount, other = (result.so_far.describe_amount((one, objective)) for one in (each.alternative, each.by))
    return words.STEP_MEASURES.format(amount=amount, other=other) if amount and other else ""


def _describe_steps(result: Result, found: Iterable[Steps]) -> str:
    return join_words([f"{format_signed(each.steps)} {result.label(each.objective)}" for each in found])


def _describe_least(result: Result, steps: Mapping[str, int]) -> str:
    least = min(steps.values())
    options = result.labels(each for each, given in steps.items() if given == least)
    return build_line(options, words.count_noun(least, words.STEP))
