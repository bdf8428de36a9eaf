"""What a workspace allows and forbids is about tools that there are, and what a call needs is looked up once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.agent.tool_runner import ToolRunner, open_use
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.trial import Trial
from app.core.errors import SettingsError
from app.core.state.permission import ANY, Policy, Sharing
from app.core.state.tool_use import UseState
from app.core.turns.rate_limits import Creation, Pace
from app.decision.playbook.playbook import load_proact
from app.runtime.limits import Limits, LimitSettings
from app.runtime.outside.external_tools import SCOPES, Outside, check_policy
from app.runtime.outside.rule_uses import RuleUses
from app.runtime.record.reader import DecisionReader
from app.runtime.record.sayings import SayingsReader
from tests.contract.store.clock import ManualClock
from tests.unit.agent.tools.outer.afield import OPS, Afield

TOOLS = {name: EXTERNAL_TOOLS[name] for name in ("read_channel", "post_message")}
BOARD = "channel:C0BOARD00"


@pytest.mark.parametrize("policy", [Policy(), Policy(denied=(("post_message", BOARD), (ANY, BOARD)))])
def test_a_policy_about_tools_that_there_are_holds(policy: Policy) -> None:
    assert check_policy(policy, TOOLS) is policy


@pytest.mark.parametrize(
    ("policy", "setting"),
    [
        (Policy(denied=(("read_channel", ANY), ("send_mail", ANY), ("post", "C1"))), "THREADWISE_DENIED_TOOLS"),
        (Policy(allowed=(("send_mail", "C1"), ("post", ANY), ("post", "C2"))), "THREADWISE_ALLOWED_TOOLS"),
    ],
)
def test_a_tool_that_there_is_not_is_told_with_its_setting_and_those_that_there_are(
    policy: Policy, setting: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        check_policy(policy, TOOLS)
    told = f"{setting} names post, send_mail, and there is no such tool. There are post_message, read_channel."
    assert str(refused.value) == told


@pytest.mark.parametrize(
    ("tool", "scope"),
    [
        ("post_message", "#board"),
        ("post_message", "C0BOARD00"),
        (ANY, "channel:#board"),
        ("read_channel", "file:thread"),
        ("list_work", BOARD),
        ("create_file", BOARD),
    ],
)
def test_a_scope_that_a_tool_never_has_is_refused_since_it_would_forbid_nothing(tool: str, scope: str) -> None:
    with pytest.raises(SettingsError) as refused:
        check_policy(Policy(denied=((tool, scope), ("post_message", BOARD))), EXTERNAL_TOOLS)
    told = f"THREADWISE_DENIED_TOOLS names {tool}:{scope}, and there is no such scope. {SCOPES}"
    assert str(refused.value) == told


async def kept_nowhere(_uses: object) -> None:
    """Nothing is to be found after a restart here."""


def reaching(afield: Afield) -> Outside:
    """What turns have in common, where this is what they reach."""
    store, clock = afield.store, ManualClock()
    return Outside(
        tools=EXTERNAL_TOOLS,
        reach=afield.reach,
        conversations=store.conversations,
        casebook=DecisionReader(store.versions, SayingsReader(store.conversations, store.files), load_proact(), clock),
        permissions=store.permissions,
        policy=Policy(),
        uses=RuleUses(ledger=store.limits, clock=clock),
        clock=clock,
        limits=Limits(store.limits, clock, LimitSettings()),
    )


def begin_turn(outside: Outside, afield: Afield) -> ToolRunner:
    return outside.runner(Trial(afield.conversation, (), str), lambda: afield.conversation, afield.open_file)


@pytest.mark.req("AG-05")
async def test_a_channel_is_looked_up_once_in_a_turn_for_all_that_read_it_and_anew_for_a_write() -> None:
    afield = Afield()
    outside = reaching(afield)
    runner = begin_turn(outside, afield)
    for place in range(3):
        [use] = await runner.read([open_use(f"u{place}", "read_channel", {"channel": "#ops"})])
        assert not use.failed
    assert afield.reach.looks.count("#ops") == 1
    await runner.write([open_use("u9", "post_message", {"channel": "#ops", "text": "Hi"})], kept_nowhere)
    assert afield.reach.looks.count("#ops") == 2
    again = begin_turn(outside, afield)
    await again.read([open_use("u1", "read_channel", {"channel": "#ops"})])
    assert afield.reach.looks.count("#ops") == 3


@pytest.mark.req("AG-05")
async def test_channels_and_people_are_listed_once_in_a_turn_however_often_somebody_is_looked_for() -> None:
    afield = Afield()
    runner = begin_turn(reaching(afield), afield)
    for words in ("Maya", "Sam"):
        await runner.read([open_use(f"p{words}", "find_people", {"name": words})])
        await runner.read([open_use(f"c{words}", "find_channels", {"words": words})])
    looks = afield.reach.looks
    assert (looks.count("people of the workspace"), looks.count("all channels")) == (1, 1)


async def test_a_call_looks_a_channel_up_once_each_time_it_is_taken_up() -> None:
    """What a name stands for may change while somebody thinks about it, not while it is done."""
    afield, wish = Afield(), open_use("u1", "post_message", {"channel": "#ops", "text": "Lunch is at noon."})
    outside = reaching(afield)
    before = begin_turn(outside, afield)
    [asked] = await before.write([wish], kept_nowhere)
    after = begin_turn(outside, afield)
    [done] = await after.write([replace(asked, state=UseState.ALLOWED)], kept_nowhere)
    assert (asked.state, done.state, list(afield.reach.posts)) == (UseState.ASKED, UseState.DONE, ["here:u1"])
    assert afield.reach.looks == ["#ops", f"readers of {OPS.id}", "#ops"]


@pytest.mark.req("SE-04")
@pytest.mark.parametrize(
    ("sources", "spots", "is_overheard"),
    [
        ((), {}, False),
        (("C1", "tool:look", "thread:c1"), {}, False),
        (("C7",), {}, False),
        (("C7",), {"C1": Sharing.COMPANIES}, True),
        (("G0BOARD000",), {}, True),
        (("D1",), {}, True),
        (("C8OPEN",), {}, False),
        (("C8OPEN",), {"C1": Sharing.COMPANIES}, True),
        (("C8OPEN", "C9CLOSED"), {}, True),
    ],
)
async def test_results_from_elsewhere_are_known_only_while_all_readers_may_hear_of_them(
    sources: tuple[str, ...], spots: dict[str, Sharing], is_overheard: bool
) -> None:
    afield = Afield()
    afield.reach.unjoined = {"C8OPEN": True, "C9CLOSED": False}
    for place, sharing in spots.items():
        afield.reach.spots[place] = replace(afield.reach.spots[place], sharing=sharing)
    store, clock = afield.store, ManualClock()
    outside = Outside(
        tools=EXTERNAL_TOOLS,
        reach=afield.reach,
        conversations=store.conversations,
        casebook=DecisionReader(store.versions, SayingsReader(store.conversations, store.files), load_proact(), clock),
        permissions=store.permissions,
        policy=Policy(),
        uses=RuleUses(ledger=store.limits, clock=clock),
        clock=clock,
        limits=Limits(store.limits, clock, LimitSettings()),
    )
    now = replace(afield.conversation, sources=sources)
    assert await outside.is_overheard(now) is is_overheard
    direct = replace(now, thread=replace(now.thread, channel="D1"))
    assert await outside.is_overheard(direct) is False


@pytest.mark.req("SE-13")
async def test_files_that_the_model_makes_count_as_their_owners() -> None:
    afield, clock = Afield(), ManualClock()
    store = afield.store
    outside = Outside(
        tools=EXTERNAL_TOOLS,
        reach=afield.reach,
        conversations=store.conversations,
        casebook=DecisionReader(store.versions, SayingsReader(store.conversations, store.files), load_proact(), clock),
        permissions=store.permissions,
        policy=Policy(allowed=((ANY, ANY),)),
        uses=RuleUses(ledger=store.limits, clock=clock),
        clock=clock,
        limits=Limits(store.limits, clock, LimitSettings(creations={Creation.FILE: Pace(1)})),
    )
    hands = begin_turn(outside, afield)
    given = {"name": "Notes", "format": "markdown", "content": "# Hi"}
    for id_, failed in (("u1", False), ("u2", True)):
        [done] = await hands.write([open_use(id_, "create_file", given)], kept_nowhere)
        assert done.failed is failed
        clock.advance(1)
    assert len(afield.reach.files) == 1
