"""Who leads, stands out, is set aside or beaten otherwise than before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.core.copy import draft_changes
from app.decision.analysis.analysis import select_counting
from app.decision.analysis.scores import compute_nets, compute_scores, find_leaders
from app.decision.drafts.changes.item_names import ChangeNames
from app.decision.record import DecisionRecord
from app.decision.rows import read_verdicts
from app.decision.rules.tradeoff_rules import IN_PRACTICE
from app.decision.schema.paths import Draft, find_value, find_values


def compare_leaders(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield who leads on the plain sum instead of others, or is level with them now or no longer."""
    was, now = _find_both_leaders(before, after, names)
    if set(was) == set(now) or not _is_lead_told(before, names.so_far):
        return
    if not now:
        yield draft_changes.LEADS_NOT
    elif set(was) & set(now):
        yield from _compare_level(was, now, names)
    else:
        form = (draft_changes.LEAD_INSTEAD if was else draft_changes.LEAD_NOW)[len(now) > 1]
        yield form.format(items=names.few(now), other=names.few(was))


def _compare_level(was: tuple[str, ...], now: tuple[str, ...], names: ChangeNames) -> Iterator[str]:
    """Yield who has joined those that go on leading, and who leads with them no more."""
    stayed = [each for each in now if each in was]
    fresh, gone = [each for each in now if each not in was], [each for each in was if each not in now]
    if fresh:
        yield draft_changes.LEVEL[len(fresh) > 1].format(items=names.few(fresh), other=names.few(stayed))
    if gone and len(now) == 1:
        yield draft_changes.LEAD_NOW[0].format(items=names.few(now))
    elif gone:
        yield draft_changes.LEVEL_NOT[len(gone) > 1].format(items=names.few(gone), other=names.few(stayed))


def _find_both_leaders(before: Draft, after: Draft, names: ChangeNames) -> Iterator[tuple[str, ...]]:
    """Yield who led in the former draft and who leads now. Tradeoffs approved meanwhile have the same say in both."""
    tradeoffs = names.so_far.later.get("tradeoffs", {})
    for draft, record in ((before, names.former), (after, names.so_far)):
        yield _find_leaders(draft, record, tradeoffs)


def _find_leaders(draft: Draft, record: DecisionRecord, tradeoffs: Draft) -> tuple[str, ...]:
    """Return who leads on the plain sum, by the ratings or else by the sums of the draft; empty if that is unknown.

    Ratings count as these tradeoffs have them count. It is unknown, too, while an option that is set aside lacks one.
    """
    if find_values(draft, "table.cells[]"):
        table = record.table(draft)
        scores = compute_scores(select_counting(table, read_verdicts(tradeoffs))) if table else ()
        return find_leaders(compute_nets(scores))
    found = record.analyse_by(draft)
    if found and found.missing:
        return ()
    left = [each for each in find_values(draft, "tensions[]") if not {"gains", "net_score"}.isdisjoint(each)]
    return find_leaders({each["alternative_id"]: each.get("net_score") for each in left})


def _is_lead_told(draft: Draft, so_far: DecisionRecord) -> bool:
    """Return True if people have seen who leads: a card of ratings does not say it before the tradeoffs have."""
    return not find_values(draft, "table.cells[]") or "tradeoffs" in so_far.later


def compare_points(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield who leads by people's points, where these put others first before."""
    weighed = names.former.weigh(before), names.so_far.weigh(after)
    was, now = (each.leaders if each else () for each in weighed)
    if was and now and set(was) != set(now):
        yield draft_changes.BY_POINTS[len(now) > 1].format(items=names.few(now), other=names.few(was))


def compare_standouts(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield who stands out now, or no longer does."""
    was, now = (find_value(draft, "standout_option.alternative_id") for draft in (before, after))
    if now and now != was:
        yield draft_changes.STANDS_OUT.format(one=names.short(now))
    elif was and not now:
        yield draft_changes.STANDS_OUT_NOT.format(one=names.short(was))


def compare_firmness(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield who comes first most often over what people call possible, if it did not before and does not lead anew."""
    if not find_values(after, "tensions[]"):
        return
    records = ((before, names.former), (after, names.so_far))
    was, now = (found.most_often if (found := record.firmness_by(draft)) else "" for draft, record in records)
    led, leads = _find_both_leaders(before, after, names)
    if was and now and was != now and (now in led or now not in leads):
        yield draft_changes.COMES_FIRST.format(one=names.short(now), other=names.short(was))


def compare_dominated(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield who can be set aside now, who is in again, and whom people kept beside another one than now."""
    told_kept = dict(_tell_kept(before, after, names))
    was, now = _list_aside(before, names.former), _list_aside(after, names.so_far)
    former = names.former.analyse_by(before)
    counted = names.so_far.map_counted(after)
    back_in = [each for each in counted if former and each in former.dropped]
    yield from (draft_changes.COUNTED_ZERO.format(one=names.short(each)) for each in back_in if counted[each])
    if others := [each for each in back_in if not counted[each]]:
        yield draft_changes.COUNTED[len(others) > 1].format(items=names.few(others))
    if fresh := [each for each in now if each not in (*was, *told_kept, *back_in)]:
        yield draft_changes.SET_ASIDE.format(items=names.few(fresh))
    analysis = names.so_far.analyse_by(after)
    out = (*now, *analysis.dropped, *analysis.given_up) if analysis else now
    if back := [each for each in was if each not in out and each in names.so_far.alternatives]:
        yield draft_changes.BACK[len(back) > 1].format(items=names.few(back))
    yield from told_kept.values()


def compare_practical(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield who is given up now because one step is not worth it, and of whom that is asked as it was not before."""
    was, now = names.former.analyse_by(before), names.so_far.analyse_by(after)
    given_up = now.given_up if now else ()
    if fresh := [each for each in given_up if was is None or each not in was.given_up]:
        yield draft_changes.NOT_WORTH.format(items=names.few(fresh))
    asked, former = (
        {each["alternative_id"] for each in find_values(some, f"{IN_PRACTICE}[]")} for some in (after, before)
    )
    if news := [each for each in names.so_far.alternatives if each in asked - former and each not in given_up]:
        yield draft_changes.STEP_ASKED.format(items=names.few(news))


def compare_status_quo(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield that the status quo is beaten or no longer so. It is never set aside, so it is told of apart."""
    today = names.so_far.compared_with
    was, now = (
        any(each["alternative_id"] == today for each in _list_beaten(draft, record))
        for draft, record in ((before, names.former), (after, names.so_far))
    )
    if today and was != now:
        yield (draft_changes.BEATEN if now else draft_changes.BEATEN_NOT).format(one=names.short(today))


def _list_aside(draft: Draft, record: DecisionRecord) -> list[str]:
    """Return the dominated options that the draft's sheet lists as set aside: neither the status quo nor a kept one."""
    beaten = [each for each in _list_beaten(draft, record) if each.get("user_verdict") != "keep"]
    return [each["alternative_id"] for each in beaten if each["alternative_id"] != record.compared_with]


def _list_beaten(draft: Draft, record: DecisionRecord) -> list[Mapping[str, Any]]:
    """Return the findings on dominated options, without those that people have to decide first.

    These are the ones that amounts speak for, and the ones that depend on what another option counts on.
    """
    analysis = record.analyse_by(draft)
    conditional = analysis.dominance.conditional if analysis else ()
    return [
        each
        for each in _list_found(draft)
        if each["alternative_id"] not in conditional
        and (not each.get("disputed_on") or each.get("user_verdict") == "set_aside")
    ]


def _tell_kept(before: Draft, after: Draft, names: ChangeNames) -> Iterator[tuple[str, str]]:
    """Yield each option that people kept beside another one than the one that dominates it now, and what to tell."""
    kept, open_now = _map_dominators(before, "keep"), _map_dominators(after, None)
    analysis = names.so_far.analyse_by(after)
    undominated = (
        {*analysis.dominance.left} - {each["alternative_id"] for each in _list_found(after)} if analysis else ()
    )
    for option, former in kept.items():
        one, other = names.short(option), open_now.get(option, former)
        if other != former:
            yield option, draft_changes.KEPT.format(one=one, other=names.short(other), former=names.short(former))
        elif option in undominated and option != names.so_far.compared_with:
            yield option, draft_changes.KEPT_FREE.format(one=one)


def _list_found(draft: Draft) -> list[Mapping[str, Any]]:
    return find_values(draft, "dominated_alternatives[]")


def _map_dominators(draft: Draft, verdict: str | None) -> dict[str, str]:
    """Return the dominated options with this verdict, or with none, each with the option that dominates it."""
    return {
        each["alternative_id"]: each["dominated_by"]
        for each in _list_found(draft)
        if each.get("user_verdict") == verdict and "dominated_by" in each
    }
