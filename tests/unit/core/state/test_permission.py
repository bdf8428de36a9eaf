"""What the model may do without asking: deny beats allow, the workspace is above its people, nothing spills over."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.state.permission import (
    ANY,
    LABELS,
    PermissionChoice,
    PermissionRequest,
    PermissionVerdict,
    Policy,
    Rule,
    is_overruled,
    judge,
    pair_scope,
)

NAMES = st.sampled_from(["", "a", "ab", "a b", "abc", "*", "post", "post_message", "git status; rm -rf /"])
"""Some are the beginning, the end or the middle of others, and one is what a policy calls any."""
PAIRS = st.tuples(NAMES, NAMES)


def ruled(tool: str, scope: str, *, allows: bool) -> Rule:
    return Rule(team="T1", user="U1", tool=tool, scope=scope, allows=allows, at="2026-03-01T09:00:00+00:00")


def judged(
    wanted: tuple[str, str], *rules: Rule, reads: bool = False, **policy: tuple[tuple[str, str], ...]
) -> PermissionVerdict:
    tool, scope = wanted
    return judge(PermissionRequest(tool=tool, scope=scope, reads=reads), rules, Policy(**policy)).verdict


RULES = st.lists(st.builds(ruled, NAMES, NAMES, allows=st.booleans()), max_size=6)
POLICIES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {name: st.lists(PAIRS, max_size=3).map(tuple) for name in ("denied", "allowed")}
)


@pytest.mark.req("S3-016")
def test_a_person_decides_in_one_of_four_ways() -> None:
    assert [each.value for each in PermissionChoice] == ["allow", "always", "wait", "never"]


@pytest.mark.req("S3-016", "S3-017")
def test_each_decision_has_its_label_letter_for_letter_in_this_order() -> None:
    assert LABELS == (
        (PermissionChoice.ALLOW, "Allow this time"),
        (PermissionChoice.ALWAYS, "Always allow"),
        (PermissionChoice.WAIT, "Wait and tell Claude what to do differently"),
        (PermissionChoice.NEVER, "Never allow"),
    )


def test_what_nobody_has_decided_is_asked_unless_it_only_reads() -> None:
    assert judged(("post", "C1")) is PermissionVerdict.ASK
    assert judged(("read", "C1"), reads=True) is PermissionVerdict.ALLOWED


@pytest.mark.parametrize(
    ("rank", "expected"),
    [
        (0, PermissionVerdict.DENIED),
        (1, PermissionVerdict.DENIED),
        (2, PermissionVerdict.ALLOWED),
        (3, PermissionVerdict.ALLOWED),
        (4, PermissionVerdict.ALLOWED),
    ],
    ids=["workspace deny", "never", "workspace allow", "always", "read-only"],
)
def test_each_check_decides_whatever_the_later_ones_say(rank: int, expected: PermissionVerdict) -> None:
    """T8: workspace deny, never-rule, workspace allow, always-rule, read-only."""
    it = ("post", "C1")
    rules = [ruled(*it, allows=allows) for at, allows in ((1, False), (3, True)) if at >= rank]
    policy = {name: (it,) for at, name in ((0, "denied"), (2, "allowed")) if at >= rank}
    assert judged(it, *rules, reads=True, **policy) is expected


@given(PAIRS, RULES, POLICIES, st.booleans(), st.data())
def test_a_never_beats_whatever_else_was_allowed_in_whatever_order(
    it: tuple[str, str], others: list[Rule], policy: dict[str, Any], reads: bool, data: st.DataObject
) -> None:
    rules = data.draw(st.permutations([*others, ruled(*it, allows=False), ruled(*it, allows=True)]))
    assert judged(it, *rules, reads=reads, **policy) is PermissionVerdict.DENIED


@given(PAIRS, RULES, POLICIES, st.booleans(), st.data())
def test_the_order_of_rules_never_matters(
    it: tuple[str, str], rules: list[Rule], policy: dict[str, Any], reads: bool, data: st.DataObject
) -> None:
    other = data.draw(st.permutations(rules))
    assert judged(it, *rules, reads=reads, **policy) is judged(it, *other, reads=reads, **policy)


@given(PAIRS, RULES, POLICIES, st.booleans())
@example(("git", "git status; rm -rf /"), [ruled("git", "git status", allows=True)], {}, False)
@example(("post", "C12"), [ruled("post", "C1", allows=True), ruled("post", ANY, allows=True)], {}, False)
def test_a_rule_covers_no_other_tool_and_no_other_scope(
    it: tuple[str, str], rules: list[Rule], policy: dict[str, Any], reads: bool
) -> None:
    def is_for_it(rule: Rule) -> bool:
        is_whole = rule.scope == ANY and not rule.allows
        return rule.tool == it[0] and (is_whole or rule.scope == it[1])

    own = list(filter(is_for_it, rules))
    assert judged(it, *rules, reads=reads, **policy) is judged(it, *own, reads=reads, **policy)
    others = [rule for rule in rules if rule not in own]
    assert judged(it, *others) is PermissionVerdict.ASK


@given(PAIRS, RULES, POLICIES, st.booleans(), st.tuples(st.booleans(), st.booleans()))
def test_what_the_workspace_forbids_nobody_can_allow(
    it: tuple[str, str], rules: list[Rule], policy: dict[str, Any], reads: bool, any_: tuple[bool, bool]
) -> None:
    forbidden = (ANY if any_[0] else it[0], ANY if any_[1] else it[1])
    policy = {"denied": (*policy["denied"], forbidden), "allowed": (*policy["allowed"], it)}
    for mine in (rules, [*rules, ruled(*it, allows=True)]):
        assert judged(it, *mine, reads=reads, **policy) is PermissionVerdict.DENIED


@given(PAIRS, RULES, st.booleans(), st.tuples(st.booleans(), st.booleans()))
def test_what_the_workspace_allows_is_asked_of_nobody_and_yields_to_a_never_alone(
    it: tuple[str, str], rules: list[Rule], reads: bool, any_: tuple[bool, bool]
) -> None:
    allowed = (ANY if any_[0] else it[0], ANY if any_[1] else it[1])
    is_never = any((rule.tool, rule.scope, rule.allows) == (*it, False) for rule in rules)
    expected = PermissionVerdict.DENIED if is_never else PermissionVerdict.ALLOWED
    assert judged(it, *rules, reads=reads, allowed=(allowed,)) is expected


@given(PAIRS, PAIRS, st.booleans())
def test_a_policy_about_something_else_changes_nothing(
    it: tuple[str, str], other: tuple[str, str], denies: bool
) -> None:
    if all(theirs in (own, ANY) for own, theirs in zip(it, other, strict=True)):
        return
    policy = Policy(denied=(other,)) if denies else Policy(allowed=(other,))
    assert judge(PermissionRequest(tool=it[0], scope=it[1], reads=False), (), policy).verdict is PermissionVerdict.ASK


@pytest.mark.req("IN-10")
@given(st.sampled_from(["", "said", "said otherwise"]), st.sampled_from(["", "said", "said otherwise"]), st.booleans())
def test_always_holds_for_what_a_server_said_then_and_never_holds_whatever_it_says(
    then: str, now: str, allows: bool
) -> None:
    given_once = Rule(team="T1", user="U1", tool="board__put", scope="all", allows=allows, at="", described=then)
    wanted = PermissionRequest(tool="board__put", scope="all", reads=False, described=now)
    judged = judge(wanted, [given_once], Policy())
    if not allows:
        assert judged.verdict is PermissionVerdict.DENIED
    elif then == now:
        assert (judged.verdict, judged.by) == (PermissionVerdict.ALLOWED, (given_once,))
    else:
        assert (judged.verdict, judged.changed) == (PermissionVerdict.ASK, given_once)


def test_what_is_always_allowed_is_asked_again_where_its_server_says_something_else_of_it() -> None:
    given_once = Rule(team="T1", user="U1", tool="board__put", scope="all", allows=True, at="", described="said")
    wanted = PermissionRequest(tool="board__put", scope="all", reads=False, described="said otherwise")
    judged = judge(wanted, [given_once], Policy())
    assert (judged.verdict, judged.changed) == (PermissionVerdict.ASK, given_once)


@pytest.mark.req("IN-09")
def test_always_for_one_tool_of_a_server_allows_no_other_tool_and_no_other_server() -> None:
    given_once = Rule(team="T1", user="U1", tool="board__put", scope="all", allows=True, at="", described="d")
    for other in ("board__drop", "wiki__put"):
        wanted = PermissionRequest(tool=other, scope="all", reads=False, described="d")
        assert judge(wanted, [given_once], Policy()).verdict is PermissionVerdict.ASK


@given(RULES, POLICIES, NAMES, NAMES)
def test_a_rule_that_is_told_as_overruled_allows_nothing(
    rules: list[Rule], policy: dict[str, Any], tool: str, scope: str
) -> None:
    mine = ruled(tool, scope, allows=True)
    others = [each for each in rules if (each.tool, each.scope) != (tool, scope)]
    verdict = judged((tool, scope), mine, *others, **policy)
    assert (verdict is PermissionVerdict.DENIED) == is_overruled(mine, others, Policy(**policy))


def test_never_for_a_place_overrules_always_for_what_comes_from_another_one_there() -> None:
    pair, never = ruled("post", pair_scope("C1", "C2"), allows=True), ruled("post", "C1", allows=False)
    assert is_overruled(pair, [never], Policy())
    assert not is_overruled(ruled("post", "C1", allows=True), [ruled("post", pair.scope, allows=False)], Policy())
    assert not is_overruled(never, [ruled("post", ANY, allows=False)], Policy())
