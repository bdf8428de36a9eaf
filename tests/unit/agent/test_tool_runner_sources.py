"""What tools bring has labels, and what writes is judged with all of them: no tool can forget to say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.agent.tool_runner import RENAMED, open_use
from app.agent.tools.context import PermissionPrompt
from app.agent.tools.output import ToolResult
from app.core.state.permission import (
    ChannelKind,
    Coverage,
    Judgement,
    PermissionRequest,
    PermissionVerdict,
    Rule,
    Sharing,
    Standing,
    Target,
)
from app.core.state.tool_use import Use, UseState
from tests.unit.agent.outer_tools import Given, Workshop

BOARD, OPS = "G0BOARD000", "C0000000OPS"
TARGET = Target(place=OPS, name="#ops", kind=ChannelKind.PUBLIC)
PUT = open_use("p1", "put", {"to": "ops", "text": "Hi"})


async def written(shop: Workshop, use: Use = PUT, known: Sequence[str] = (), *, target: Target = TARGET) -> Use:
    """What becomes of a use of a tool that says where it writes."""

    async def purpose(_field: object, given: Given) -> PermissionPrompt:
        return PermissionPrompt(title="post to #ops", shown=given.text, scope="ops", covers="posting", target=target)

    put = replace(shop.hands.tools["put"], prompt=purpose)
    (done,) = await replace(shop.hands, tools={"put": put}).write([use], shop.report, known)
    return done


@pytest.mark.req("SE-04")
async def test_what_a_tool_brought_that_does_not_say_from_where_is_labelled_by_the_tool() -> None:
    (use,) = await Workshop().hands.read([open_use("l1", "look", {})])
    assert use.sources == ("tool:look",)


@pytest.mark.req("SE-04")
async def test_what_a_tool_brought_has_the_labels_that_it_tells() -> None:
    shop = Workshop()

    async def look(_field: object, given: Given) -> ToolResult:
        return ToolResult(given.to, (BOARD,))

    tool = replace(shop.hands.tools["look"], run=look)
    (use,) = await replace(shop.hands, tools={"look": tool}).read([open_use("l1", "look", {})])
    assert (use.result, use.sources) == ("ops", (BOARD,))


@pytest.mark.req("SE-04")
async def test_what_writes_is_judged_with_where_it_writes_and_all_that_is_known() -> None:
    shop = Workshop()
    await written(shop, known=[BOARD])
    wanted = PermissionRequest(tool="put", scope="ops", reads=False, covers="posting", target=TARGET, sources=(BOARD,))
    assert shop.judged == [wanted]
    await written(shop, replace(PUT, state=UseState.ALLOWED, scope="ops", title="post to #ops"))
    assert shop.judged[-1] == replace(wanted, sources=(), granted=True)


@pytest.mark.req("SE-04")
async def test_what_was_judged_stands_in_the_use_for_the_card_and_for_the_rule() -> None:
    standing = Standing(kind=ChannelKind.PUBLIC, member=True)
    covers = (Coverage(scope="ops from board", label="posting with words from #board"),)
    judgement = Judgement(verdict=PermissionVerdict.ASK, standing=standing, remarks=("Why",), covers=covers)

    async def judge(_wanted: PermissionRequest) -> Judgement:
        return judgement

    (asked,) = await replace(Workshop().hands, judge=judge).write([PUT], Workshop().report)
    assert (asked.standing, asked.remarks, asked.ruled, asked.by_rule) == (standing, ("Why",), covers, False)


@pytest.mark.req("SE-05")
async def test_a_use_tells_that_a_rule_has_allowed_it() -> None:
    rule = Rule(team="T1", user="U1", tool="put", scope="ops", allows=True, at="")

    async def judge(_wanted: PermissionRequest) -> Judgement:
        return Judgement(verdict=PermissionVerdict.ALLOWED, by=(rule,))

    shop = Workshop()
    (done,) = await replace(shop.hands, judge=judge).write([PUT], shop.report)
    assert (done.state, done.by_rule) == (UseState.DONE, True)


@pytest.mark.req("SE-05")
@pytest.mark.parametrize(
    ("now", "is_done"),
    [
        (TARGET, True),
        (replace(TARGET, sharing=Sharing.COMPANIES), False),
        (replace(TARGET, kind=ChannelKind.PRIVATE), False),
    ],
)
async def test_what_was_allowed_for_another_circle_of_readers_is_not_done(now: Target, is_done: bool) -> None:
    allowed = replace(
        PUT,
        state=UseState.ALLOWED,
        scope="ops",
        title="post to #ops",
        standing=Standing(kind=ChannelKind.PUBLIC, member=True),
    )
    use = await written(Workshop(), allowed, target=now)
    assert (use.failed, use.result == RENAMED) == (not is_done, not is_done)


@pytest.mark.parametrize("other", [{"scope": "board"}, {"title": "post to #board"}, {"described": "d0"}])
async def test_what_was_allowed_under_another_name_is_not_done_although_as_many_can_read_it(
    other: dict[str, str],
) -> None:
    standing = Standing(kind=TARGET.kind, sharing=TARGET.sharing, member=True)
    allowed = replace(PUT, state=UseState.ALLOWED, scope="ops", title="post to #ops", standing=standing)
    shop = Workshop()
    use = await written(shop, replace(allowed, **other))
    assert (use.failed, use.result, shop.done) == (True, RENAMED, [])
    assert not (await written(shop, allowed)).failed


async def test_what_a_write_makes_is_named_in_the_use_so_that_the_owner_finds_it() -> None:
    async def made(_field: object, given: Given) -> PermissionPrompt:
        return PermissionPrompt(
            title="post to #ops", shown=given.text, scope="ops", covers="", makes="message in #ops", target=TARGET
        )

    shop = Workshop({"ops": PermissionVerdict.ALLOWED})
    runner = replace(shop.hands, tools={"put": replace(shop.hands.tools["put"], prompt=made)})
    [done] = await runner.write([PUT], shop.report)
    assert (done.makes, done.target) == ("message in #ops", OPS)


@pytest.mark.parametrize(("then", "is_done"), [("d1", True), ("d0", False), ("", False)])
async def test_what_a_server_says_of_its_tool_is_judged_kept_for_the_rule_and_the_same_when_it_is_done(
    then: str, is_done: bool
) -> None:
    async def described(_field: object, given: Given) -> PermissionPrompt:
        return PermissionPrompt(title="post to #ops", shown=given.text, scope="ops", covers="posting", described="d1")

    shop = Workshop()
    runner = replace(shop.hands, tools={"put": replace(shop.hands.tools["put"], prompt=described)})
    (asked,) = await runner.write([PUT], shop.report)
    assert (asked.state, asked.described, shop.judged[0].described) == (UseState.ASKED, "d1", "d1")
    allowed = replace(asked, state=UseState.ALLOWED, described=then)
    (done,) = await runner.write([allowed], shop.report)
    assert (done.failed, done.result == RENAMED) == (not is_done, not is_done)


async def test_only_what_reads_may_be_used_again() -> None:
    assert Workshop().hands.reading == {"look"}


async def test_beside_a_write_that_is_asked_about_only_open_writes_are_looked_at_and_what_is_done_stays_done() -> None:
    shop = Workshop()
    done = replace(PUT, id="p0", state=UseState.DONE, result="There.")
    call, later = open_use("c1", "note", {}), replace(PUT, id="p2")
    uses = await shop.hands.write([PUT, done, call, later], shop.report)
    assert [each.state for each in uses] == [UseState.ASKED, UseState.DONE, UseState.OPEN, UseState.ASKED]
    assert uses[1:3] == [done, call]
    assert [each.ahead for each in shop.judged] == [False, True]


async def test_each_read_that_ends_is_told_of_and_nothing_else() -> None:
    told = list[str]()
    uses = [open_use("l1", "look", {}), PUT, open_use("l2", "look", {})]
    await Workshop().hands.read(uses, lambda use: told.append(use.id))
    assert sorted(told) == ["l1", "l2"]
