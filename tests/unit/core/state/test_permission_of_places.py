"""What a rule for a place is worth: for which pair of places, and for a target that stands as it stood."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.state.permission import (
    ChannelKind,
    Judgement,
    PermissionRequest,
    PermissionVerdict,
    Policy,
    Rule,
    Sharing,
    Standing,
    Target,
    judge,
)

PRIVATE = Standing(kind=ChannelKind.PRIVATE)
SHARED = Standing(kind=ChannelKind.PRIVATE, sharing=Sharing.ORG)
PUBLIC = Standing(kind=ChannelKind.PUBLIC)
OPS = Target(place="C1", name="#ops", kind=ChannelKind.PRIVATE)

ALLOWED, DENIED, ASK = PermissionVerdict.ALLOWED, PermissionVerdict.DENIED, PermissionVerdict.ASK
ALL: Any = {"allowed": (("*", "*"),)}


def ruled(scope: str, *, allows: bool = True, standing: Standing | None = PRIVATE, tool: str = "post") -> Rule:
    return Rule(team="T1", user="U1", tool=tool, scope=scope, allows=allows, at="2026-03-01", standing=standing)


def wanted(scope: str = "to C1", standing: Standing | None = PRIVATE, **values: Any) -> PermissionRequest:
    usual: dict[str, Any] = {"reads": False, "target": OPS}
    return PermissionRequest(tool="post", scope=scope, standing=standing, **(usual | values))


FROM_BOTH: Any = {"sources": ("#a", "#b"), "conflicts": ("#a", "#b")}
FROM_ONE: Any = {"sources": ("#a", "#b"), "conflicts": ("#a",)}
OPEN: Any = {"sources": ("#a", "#b")}


@pytest.mark.parametrize(
    ("values", "scopes", "never", "policy", "verdict", "by"),
    [
        (FROM_ONE, ["to C1 from #a"], [], {}, ALLOWED, ["to C1 from #a"]),
        (FROM_ONE, ["to C1 from #b"], [], {}, ASK, []),
        (FROM_ONE, ["to C1"], [], {}, ASK, []),
        (FROM_ONE, ["to C2 from #a"], [], {}, ASK, []),
        (FROM_ONE, [], [], ALL, ASK, []),
        (FROM_BOTH, ["to C1 from #b"], [], {}, ASK, []),
        (FROM_BOTH, ["to C1 from #b", "to C1 from #a"], [], {}, ALLOWED, ["to C1 from #a", "to C1 from #b"]),
        (OPEN, ["to C1"], [], {}, ALLOWED, ["to C1"]),
        (OPEN, ["to C1 from #a", "to C1 from #b"], [], {}, ASK, []),
        (OPEN, [], [], ALL, ALLOWED, []),
        (OPEN, ["to C1"], ["to C1 from #b"], ALL, DENIED, []),
        (OPEN, ["to C1"], ["to C1 from #c"], {}, ALLOWED, ["to C1"]),
        (OPEN, ["to C1"], ["to C2 from #a"], {}, ALLOWED, ["to C1"]),
        (FROM_BOTH, [], ["to C1"], {}, DENIED, []),
        ({**FROM_BOTH, "granted": True}, [], [], {}, ALLOWED, []),
        ({**FROM_BOTH, "granted": True}, [], ["to C1 from #a"], {}, DENIED, []),
        ({**FROM_BOTH, "reads": True}, [], [], {}, ALLOWED, []),
    ],
)
def test_what_not_all_may_read_needs_a_rule_for_each_pair_of_places_and_a_never_for_a_pair_counts_always(
    values: dict[str, Any],
    scopes: list[str],
    never: list[str],
    policy: dict[str, Any],
    verdict: PermissionVerdict,
    by: list[str],
) -> None:
    rules = [*map(ruled, scopes), *(ruled(scope, allows=False) for scope in never)]
    judgement = judge(wanted(**values), rules, Policy(**policy))
    assert (judgement.verdict, [rule.scope for rule in judgement.by]) == (verdict, by)
    assert (judgement.standing, judgement.changed) == (PRIVATE if verdict is ASK else None, None)


@pytest.mark.parametrize(
    ("scope", "then", "now", "is_enough"),
    [
        ("to C1", PRIVATE, PRIVATE, True),
        ("to C1", PRIVATE, None, True),
        ("to C1", PRIVATE, PUBLIC, False),
        ("to C1", PUBLIC, PRIVATE, False),
        ("to C1", SHARED, PRIVATE, False),
        ("to C1", PRIVATE, Standing(kind=ChannelKind.PRIVATE, member=True), False),
        ("to C1", None, PRIVATE, True),
        ("to C1", None, PUBLIC, True),
        ("to C1", None, SHARED, False),
        ("to C1", None, None, True),
        ("a file", PRIVATE, PRIVATE, True),
        ("a file", PUBLIC, PRIVATE, True),
        ("a file", PRIVATE, PUBLIC, False),
        ("a file", SHARED, PRIVATE, True),
        ("a file", SHARED, SHARED, True),
        ("a file", PRIVATE, SHARED, False),
        ("a file", PUBLIC, SHARED, False),
        ("a file", SHARED, PUBLIC, False),
        ("a file", PRIVATE, Standing(kind=ChannelKind.DIRECT, member=True), True),
    ],
)
def test_a_rule_is_enough_only_where_the_target_stands_as_it_did_or_more_narrowly_if_it_names_no_place(
    scope: str, then: Standing | None, now: Standing | None, is_enough: bool
) -> None:
    given = ruled(scope, standing=then)
    expected = Judgement(verdict=ALLOWED, by=(given,))
    asked = Judgement(verdict=ASK, standing=now, changed=given)
    assert judge(wanted(scope, now), [given], Policy()) == (expected if is_enough else asked)


def test_a_rule_that_names_a_place_is_not_compared_where_the_target_is_not_known() -> None:
    given = ruled("to C1", standing=PUBLIC)
    assert judge(wanted(standing=PRIVATE, target=None), [given], Policy()).verdict is ALLOWED


def test_where_several_rules_are_needed_one_that_was_given_for_another_standing_is_not_enough() -> None:
    fits, differs = ruled("to C1 from #a"), ruled("to C1 from #b", standing=PUBLIC)
    judgement = judge(wanted(**FROM_BOTH), [fits, differs], Policy())
    assert judgement == Judgement(verdict=ASK, standing=PRIVATE, changed=differs)


def test_a_rule_for_another_tool_is_none_for_this_one() -> None:
    others = [ruled("to C1", tool="upload"), ruled("to C1", allows=False, tool="upload")]
    assert judge(wanted(), others, Policy()).verdict is ASK


@pytest.mark.parametrize("pair", [("post", "to C2"), ("upload", "to C1"), ("upload", "*"), ("*", "to C2")])
def test_a_policy_about_another_tool_or_scope_decides_nothing(pair: tuple[str, str]) -> None:
    for policy in (Policy(denied=(pair,)), Policy(allowed=(pair,))):
        assert judge(wanted(), (), policy).verdict is ASK
