"""Rules about pairs of places, and about targets as they were: what a rule for good covers and what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.state.permission import (
    ChannelKind,
    PermissionRequest,
    PermissionVerdict,
    Policy,
    Rule,
    Sharing,
    Standing,
    Target,
    judge,
    pair_scope,
)

OPS = Target(place="C0000000OPS", name="#ops", kind=ChannelKind.PUBLIC)
PUBLIC = Standing(kind=ChannelKind.PUBLIC, member=True)
SCOPE, BOARD, HR = "channel:C0000000OPS", "G0BOARD000", "G0HR000000"
POST = PermissionRequest(tool="post", scope=SCOPE, reads=False, target=OPS, standing=PUBLIC)
READ = replace(POST, sources=(BOARD,), conflicts=(BOARD,))
ANYTHING = Policy(allowed=(("*", "*"),))


def rule(scope: str = SCOPE, standing: Standing | None = PUBLIC, *, allows: bool = True) -> Rule:
    return Rule(team="T1", user="U1", tool="post", scope=scope, allows=allows, at="2026-03-01", standing=standing)


@pytest.mark.req("SE-04")
@pytest.mark.parametrize("policy", [Policy(), ANYTHING, Policy(allowed=(("post", SCOPE),))])
def test_a_conflict_is_asked_about_whatever_rule_or_policy_there_is(policy: Policy) -> None:
    assert judge(READ, (rule(), rule(pair_scope(SCOPE, HR))), policy).verdict is PermissionVerdict.ASK


@pytest.mark.req("SE-04")
def test_a_rule_for_a_pair_covers_that_source_and_that_target_alone() -> None:
    pair = rule(pair_scope(SCOPE, BOARD))
    assert judge(READ, (pair,), Policy()).by == (pair,)
    both = replace(READ, sources=(BOARD, HR), conflicts=(BOARD, HR))
    assert judge(both, (pair,), Policy()).verdict is PermissionVerdict.ASK
    other = replace(READ, scope="channel:C0RANDOM0", target=replace(OPS, place="C0RANDOM0"))
    assert judge(other, (pair,), Policy()).verdict is PermissionVerdict.ASK
    assert judge(POST, (pair,), Policy()).verdict is PermissionVerdict.ASK
    pairs = (pair, rule(pair_scope(SCOPE, HR)))
    assert judge(both, pairs, Policy()).by == pairs


@pytest.mark.req("SE-04")
def test_never_for_a_pair_counts_whenever_that_source_is_known() -> None:
    never = rule(pair_scope(SCOPE, BOARD), allows=False)
    known = replace(POST, sources=(BOARD,))
    assert judge(known, (never, rule()), ANYTHING).verdict is PermissionVerdict.DENIED
    assert judge(replace(known, granted=True), (never,), Policy()).verdict is PermissionVerdict.DENIED
    assert judge(POST, (never, rule()), Policy()).verdict is PermissionVerdict.ALLOWED


STANDINGS = st.builds(
    Standing, kind=st.sampled_from(ChannelKind), sharing=st.sampled_from(Sharing), member=st.booleans()
)


@pytest.mark.req("SE-05")
@given(STANDINGS, STANDINGS)
def test_a_rule_about_a_channel_covers_it_as_it_was_and_asks_whatever_has_changed(
    then: Standing, now: Standing
) -> None:
    judgement = judge(replace(POST, standing=now), (rule(standing=then),), Policy())
    assert (judgement.verdict is PermissionVerdict.ALLOWED) == (then == now)
    assert judgement.changed == (None if then == now else rule(standing=then))


@pytest.mark.req("SE-05")
@given(STANDINGS)
def test_a_rule_from_before_covers_what_is_shared_with_nobody(now: Standing) -> None:
    judgement = judge(replace(POST, standing=now), (rule(standing=None),), Policy())
    assert (judgement.verdict is PermissionVerdict.ALLOWED) == (now.sharing is Sharing.NONE)


@pytest.mark.req("SE-05")
@pytest.mark.parametrize(
    ("then", "now", "covers"),
    [
        (ChannelKind.DIRECT, ChannelKind.PUBLIC, False),
        (ChannelKind.PRIVATE, ChannelKind.PUBLIC, False),
        (ChannelKind.PUBLIC, ChannelKind.PRIVATE, True),
        (ChannelKind.PUBLIC, ChannelKind.DIRECT, True),
    ],
)
def test_a_rule_about_no_channel_covers_none_with_a_wider_circle(
    then: ChannelKind, now: ChannelKind, covers: bool
) -> None:
    files = replace(POST, scope="file:thread", standing=Standing(kind=now))
    given_then = rule("file:thread", Standing(kind=then))
    assert (judge(files, (given_then,), Policy()).verdict is PermissionVerdict.ALLOWED) == covers
    shared = replace(files, standing=Standing(kind=now, sharing=Sharing.COMPANIES))
    assert judge(shared, (given_then,), Policy()).verdict is PermissionVerdict.ASK


def test_a_tool_without_a_channel_is_covered_by_the_scope_alone() -> None:
    assert judge(replace(POST, standing=None, target=None), (rule(),), Policy()).by == (rule(),)


def test_what_the_owner_has_just_allowed_needs_no_rule_and_uses_none() -> None:
    granted = judge(replace(READ, granted=True), (rule(),), Policy())
    assert (granted.verdict, granted.by) == (PermissionVerdict.ALLOWED, ())
