"""Limits that options break by their newest amounts, in words: as a finding, or as something to check."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from app.core.state.sheet import Item, Listing
from app.core.text.labels import join_words
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.contender_parts import split_aside
from app.decision.layout.parts.result import Result, build_line, build_listing, build_whole_line
from app.decision.record import DecisionRecord
from app.decision.rules.limit_rules import (
    BeyondLimit,
    CheckedLimit,
    check_limits,
    find_beyond,
    is_same_limit,
    list_kept,
)
from app.decision.rules.written_amounts import find_newer
from app.decision.schema.paths import find_values

MAY_BREAK_MARK: Final = "check a limit"
MAY_BREAK: Final = "May break a limit: {limit}"
OPTION_BEYOND: Final = "{limit} ({amount} on {objective})"
BEYOND: Final = MappingProxyType({True: "Breaks a limit", False: "Check a limit"})
"""Titles for amounts beyond a limit that speaks of them, and beyond one that may speak of another thing (False)."""
AGAINST_LIMIT: Final = "{options}, against “{limit}”"
CHECKED: Final = "Limits, checked against amounts"
CHECKED_COUNT: Final = "{known} of {all} checked"
ALL_KEPT: Final = "no option with a known amount breaks one"
ONLY_TODAY: Final = f"{ALL_KEPT}, except the status quo"
SOME_BROKEN: Final = "{count} broken by an option"
SAID_BROKEN: Final = "{count} broken, as you said"
KEPT_BY: Final = "Kept on {objective}: {options}"
BROKEN_BY: Final = "Broken on {objective}: {options}"
OPEN_FOR: Final = "Kept or broken on {objective}, by where it lies in its range: {options}"
AMOUNT_OPEN: Final = "No amount that can be compared: {options}"
NOTED_BY: Final = "Broken, as you said: {options}"
NOT_CHECKED: Final = "Not checked: no amount certainly tells whether it is kept."
OVER: Final = "{options} ({allowed})"
AT_AMOUNT: Final = "{option} with {amount}"
KEPT: Final = "{option}: {amount} on {objective}, within the limit “{limit}”"
OPEN: Final = "{option}: no amount is known that tells whether it keeps the limit “{limit}”"
IN_RANGE: Final = "{option}: {amount} on {objective} may be beyond the limit “{limit}”"
ON_OBJECTIVE: Final = "On {objective}"
ASK_LIMIT: Final = "Does the limit speak of {objective}?"
GIST: Final = MappingProxyType({True: "{options} beyond a limit", False: "{options} perhaps beyond a limit"})
SAID_BREAKS: Final = "Breaks a limit, as you said"
NEWER: Final = (
    "Newest amount, from Consequences: {amount} on {objective}. Its own text has another: from before, or of a part."
)

Label = Callable[[str], str]


def list_beyond(beyond: Iterable[BeyondLimit], label: Label) -> Iterator[Listing]:
    """Yield a list of broken limits, and one of those that may speak of another thing."""
    found = tuple(beyond)
    for is_certain, title in BEYOND.items():
        items = (_build_item(each, label) for each in found if each.is_certain is is_certain)
        if listing := build_listing(title, items):
            yield listing


def describe_beyond(beyond: Iterable[BeyondLimit], label: Label) -> Iterator[str]:
    """Yield a line for each limit that options break, or may break."""
    for each in sorted(beyond, key=lambda one: not one.is_certain):
        told = AGAINST_LIMIT.format(options=_name_options(each, label), limit=each.limit)
        yield build_line(BEYOND[each.is_certain], told)


def list_noted(so_far: DecisionRecord) -> Iterator[tuple[str, str]]:
    """Yield each option of which people said that it breaks a limit, and that limit, unless its amount tells it."""
    alternatives = find_values(so_far.results.get("alternatives"), "alternatives[]")
    noted = [(each["handle"], limit) for each in alternatives for limit in each.get("broken_limits", ())]
    beyond = find_beyond(so_far) if noted else ()
    for option, limit in noted:
        if not any(option in dict(one.options) and is_same_limit(limit, one.limit) for one in beyond):
            yield option, limit


def describe_noted(so_far: DecisionRecord, surely: Collection[str], label: Label) -> Iterator[str]:
    """Yield a line for each such limit, without options that are surely set aside."""
    for option, limit in list_noted(so_far):
        if option not in surely:
            yield build_line(SAID_BREAKS, AGAINST_LIMIT.format(options=label(option), limit=limit))


def describe_kept(so_far: DecisionRecord, option: str) -> Iterator[str]:
    """Yield a line for each limit that an option keeps, with its amount beside it."""
    for limit, objective, amount in list_kept(so_far, option):
        yield KEPT.format(option=so_far.label(option), amount=amount, objective=so_far.label(objective), limit=limit)


def describe_open(so_far: DecisionRecord, option: str) -> Iterator[str]:
    """Yield a line for each limit on what is measured that the option may break: by its range, or without an amount."""
    for each in check_limits(so_far):
        for _, objective, amount in (one for one in each.open if one[0] == option):
            name, at = so_far.label(option), so_far.label(objective)
            yield IN_RANGE.format(option=name, amount=amount, objective=at, limit=each.limit)
        if option in each.unknown:
            yield OPEN.format(option=so_far.label(option), limit=each.limit)


def list_checked(result: Result) -> Listing | None:
    """List each limit of the frame with the options that keep and break it by their amounts, or that it is open."""
    return build_listing(
        CHECKED,
        (
            Item(text=each.limit, notes=tuple(_tell_checked(each, result.label)) or (NOT_CHECKED,))
            for each in check_limits(result.so_far, result.draft)
        ),
    )


def describe_checked(so_far: DecisionRecord) -> str:
    """Return how many limits of the frame amounts have checked, and if options break one; empty without limits.

    It agrees with the lines that name what breaks a limit.
    """
    found, beyond = tuple(check_limits(so_far)), [each for each in find_beyond(so_far) if each.is_certain]
    breaking = {(each.limit, option) for each in beyond for option, _ in each.options}
    broken = {limit for limit, option in breaking if option != so_far.baseline}
    known = [each for each in found if each.kept or each.limit in broken]
    kept = (ONLY_TODAY if breaking else ALL_KEPT) if known else ""
    told = SOME_BROKEN.format(count=len(broken)) if broken else kept
    counted = words.join_texts([CHECKED_COUNT.format(known=len(known), all=len(found)), told], ", ")
    noted = [each for each in found if each.noted and each.limit not in broken]
    said = SAID_BROKEN.format(count=len(noted)) if noted else ""
    return words.join_texts([counted, said], "; ") if found else ""


def _tell_checked(each: CheckedLimit, label: Label) -> Iterator[str]:
    for title, found in ((KEPT_BY, each.kept), (BROKEN_BY, each.broken), (OPEN_FOR, each.open)):
        objectives = dict.fromkeys(objective for _, objective, _ in found)
        for at in objectives:
            named = [AT_AMOUNT.format(option=label(one), amount=amount) for one, where, amount in found if where == at]
            yield title.format(objective=label(at), options=join_words(named))
    if each.unknown:
        yield AMOUNT_OPEN.format(options=join_words(map(label, each.unknown)))
    if each.noted:
        yield NOTED_BY.format(options=join_words(map(label, each.noted)))


def write_broken(beyond: Iterable[BeyondLimit], label: Label) -> str:
    """Return a line with each option that certainly breaks a limit, its amount and what is allowed; empty if none does.

    Where that does not fit, the options have no names.
    """
    broken = [each for each in beyond if each.is_certain]
    told, short = ([_write_over(each, name) for each in broken] for name in (label, str))
    whole = build_line(BEYOND[True], "; ".join(told))
    return whole if len(whole) <= words.LINE else build_whole_line(BEYOND[True], short)


def _write_over(each: BeyondLimit, label: Label) -> str:
    named = join_words([AT_AMOUNT.format(option=label(option), amount=amount) for option, amount in each.options])
    return OVER.format(options=named, allowed=each.allowed)


def name_to_check(beyond: Iterable[BeyondLimit], label: Label) -> str:
    """Return a line that names the options beyond limits that may speak of another thing; empty if there are none."""
    named = dict.fromkeys(option for each in beyond if not each.is_certain for option, _ in each.options)
    return build_line(BEYOND[False], join_words([*map(label, named)], words.FEW))


def tell_beyond(so_far: DecisionRecord) -> str:
    """Return a sentence for each limit that options break by the approved amounts; empty if there is none."""
    return _tell(find_beyond(so_far), so_far.label)


def tell_beyond_left(so_far: DecisionRecord) -> str:
    """Return the same of the options that can still be chosen, and of what people said that they break."""
    surely = split_aside(so_far, so_far.analysis, so_far.firmness)[0] if so_far.analysis else ()
    noted = (f"{each}." for each in describe_noted(so_far, surely, so_far.label))
    return words.join_texts([_tell(list_beyond_left(so_far, surely), so_far.label), *noted], " ")


def list_beyond_left(so_far: DecisionRecord, surely: Collection[str]) -> Iterator[BeyondLimit]:
    """Yield what options break or may break, without those that are surely set aside: no choice hangs on them."""
    for each in find_beyond(so_far):
        if left := tuple(one for one in each.options if one[0] not in surely):
            yield replace(each, options=left)


def _tell(beyond: Iterable[BeyondLimit], label: Label) -> str:
    return " ".join(f"{each}." for each in describe_beyond(beyond, label))


def list_limits_of(option: str, beyond: Iterable[BeyondLimit], label: Label) -> Iterator[str]:
    """Yield the limits that this option breaks, or may break, with its amount."""
    for each in beyond:
        if amount := dict(each.options).get(option):
            told = OPTION_BEYOND.format(limit=each.limit, amount=amount, objective=label(each.objective))
            yield (words.BREAKS if each.is_certain else MAY_BREAK).format(limit=told)


def write_mark(option: str, beyond: Iterable[BeyondLimit], *, is_noted: bool) -> str:
    """Return in a few words that this option breaks, or may break, a limit; empty if it breaks none.

    `is_noted` if people said so when they described it.
    """
    found = [each.is_certain for each in beyond if option in dict(each.options)]
    return words.BREAKING if is_noted or any(found) else MAY_BREAK_MARK if found else ""


def list_newer(option: Mapping[str, Any], so_far: DecisionRecord) -> Iterator[str]:
    """Yield the newest amounts of an option whose own text states other ones."""
    for objective, amount in find_newer(option, so_far):
        yield NEWER.format(amount=amount, objective=so_far.label(objective))


def write_beyond_gist(beyond: Iterable[BeyondLimit]) -> str:
    """Return which options break a limit, in a few words; empty if none does."""
    found = tuple(beyond)
    is_certain = any(each.is_certain for each in found)
    named = (option for each in found if each.is_certain is is_certain for option, _ in each.options)
    options = join_words([*dict.fromkeys(named)], words.FEW)
    return GIST[is_certain].format(options=options) if options else ""


def _build_item(each: BeyondLimit, label: Label) -> Item:
    objective = label(each.objective)
    asked = () if each.is_certain else (ASK_LIMIT.format(objective=objective),)
    return Item(
        text=AGAINST_LIMIT.format(options=_name_options(each, label), limit=each.limit),
        notes=(ON_OBJECTIVE.format(objective=objective), *asked),
    )


def _name_options(each: BeyondLimit, label: Label) -> str:
    named = [AT_AMOUNT.format(option=label(option), amount=amount) for option, amount in each.options]
    return join_words(named, words.FEW)
