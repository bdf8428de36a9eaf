"""The hands of a turn in doubt: what may have been done, what has changed meanwhile, what a policy forbids."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.agent.tool_runner import AWAY, FAILED, RENAMED, open_use
from app.agent.tools.context import Access, PermissionPrompt
from app.agent.tools.tool import ExternalTool
from app.core.errors import OutOfReach, Retryable, SlackRefused, SlackUnavailable
from app.core.state.permission import Judgement, PermissionRequest, PermissionVerdict, Policy
from app.core.state.permission import judge as judged_by
from app.core.state.tool_use import UNKNOWN_OUTCOME, Use, UseState
from tests.unit.agent.outer_tools import Given, Workshop, fails, forever

ALLOWED = {"ops": PermissionVerdict.ALLOWED}
PUT = open_use("p1", "put", {"to": "ops", "text": "Hi"})
LOST = SlackUnavailable("x", after=0.0, ambiguous=True)


async def written(shop: Workshop, use: Use) -> Use:
    (done,) = await shop.hands.write([use], shop.report)
    return done


@pytest.mark.parametrize(
    "later",
    [
        [OutOfReach("There is no such channel.")],
        [SlackRefused("conversations.history", "not_in_channel")],
        [SlackUnavailable("x", after=0.0)] * 2,
        [Retryable("x", 0.0), OutOfReach("No.")],
    ],
)
async def test_what_may_have_been_done_stays_unknown_whatever_the_next_attempts_come_to(later: list[Exception]) -> None:
    use = await written(Workshop(ALLOWED, puts=fails(LOST, *later)), PUT)
    assert (use.result, use.failed) == (UNKNOWN_OUTCOME, True)


@pytest.mark.parametrize(
    ("use", "since"),
    [
        (PUT, ["", "1770000000.000009", "1770000000.000009"]),
        (replace(PUT, state=UseState.STARTED, since="1760000000.000001"), ["1760000000.000001"] * 3),
    ],
)
async def test_what_was_attempted_before_is_looked_for_and_what_was_not_is_not(use: Use, since: list[str]) -> None:
    shop = Workshop(ALLOWED, puts=fails(LOST, LOST))
    await written(shop, use)
    assert [moment for _, moment in shop.contexts[-3:]] == since


async def test_what_may_have_been_done_and_is_found_done_is_told_as_done() -> None:
    use = await written(Workshop(ALLOWED, puts=fails(LOST)), PUT)
    assert (use.result, use.failed) == ("at last", False)


async def test_what_is_called_otherwise_than_on_the_card_is_not_done_although_it_was_allowed() -> None:
    shop = Workshop()
    asked = await written(shop, PUT)
    allowed = replace(asked, state=UseState.ALLOWED)
    assert (await written(shop, replace(allowed, title="post to #board"))).result == RENAMED
    assert shop.done == []
    assert not (await written(shop, allowed)).failed


DENIED = Policy(denied=(("look", "attic"),))


@pytest.mark.parametrize(("to", "failed"), [("attic", True), ("ops", False)])
async def test_a_policy_may_deny_a_reading_tool_one_scope(to: str, failed: bool) -> None:
    judged: list[PermissionRequest] = []

    async def judge(wanted: PermissionRequest) -> Judgement:
        judged.append(wanted)
        return judged_by(wanted, (), DENIED)

    async def purpose(_field: object, given: Given) -> PermissionPrompt:
        return PermissionPrompt(title="", shown="", scope=given.to, covers="")

    async def run(_field: object, given: Given) -> str:
        return given.to

    look = ExternalTool(name="look", description="x", input=Given, access=Access.READ, run=run, prompt=purpose)
    hands = replace(Workshop().hands, tools={"look": look}, judge=judge)
    (use,) = await hands.read([open_use("l1", "look", {"to": to})])
    assert (use.failed, use.result == to) == (failed, not failed)
    assert judged == [PermissionRequest(tool="look", scope=to, reads=True)]


async def test_what_nobody_can_judge_in_time_is_not_done_and_not_asked_about() -> None:
    async def judge(_wanted: PermissionRequest) -> Judgement:
        await asyncio.sleep(60)
        raise AssertionError("by then nobody waits any more")

    shop = Workshop(seconds=0.01)
    (use,) = await replace(shop.hands, judge=judge).write([PUT], shop.report)
    assert (use.state, use.result, use.failed, shop.done) == (UseState.DONE, AWAY, True, [])


async def test_a_reading_tool_that_cannot_tell_its_scope_reads_nothing() -> None:
    async def purpose(_field: object, _given: Given) -> PermissionPrompt:
        raise OutOfReach("Nowhere.")

    async def run(_field: object, _given: Given) -> str:
        raise AssertionError("nothing is read")

    look = ExternalTool(name="look", description="x", input=Given, access=Access.READ, run=run, prompt=purpose)
    (use,) = await replace(Workshop().hands, tools={"look": look}).read([open_use("l1", "look", {})])
    assert (use.result, use.failed) == ("Nowhere.", True)


async def test_of_what_leaves_nothing_behind_nobody_has_to_look_whether_it_was_done() -> None:
    use = await written(Workshop(ALLOWED, puts=forever, seconds=0.01, repeatable=True), PUT)
    assert (use.result, use.failed) == (AWAY, True)
    use = await written(Workshop(ALLOWED, puts=fails(ValueError("a bug")), repeatable=True), PUT)
    assert (use.result, use.failed) == (FAILED, True)


@pytest.mark.parametrize("state", [UseState.OPEN, UseState.ALLOWED])
async def test_what_leaves_nothing_behind_is_saved_as_not_begun_while_it_runs_and_done_again(state: UseState) -> None:
    asked = replace(PUT, state=state, title="post to #ops", scope="ops")
    shop = Workshop(ALLOWED, puts=fails(), repeatable=True)
    use = await written(shop, asked)
    assert shop.told == [(("p1", state.value),), (("done", "Hi"),), (("p1", "done"),)]
    assert (use.result, use.since) == ("at last", "")


@pytest.mark.req("AG-01")
async def test_a_tool_may_take_longer_than_others() -> None:
    async def slowly(_given: Given) -> str:
        await asyncio.sleep(0.05)
        return "at last"

    use = await written(Workshop(ALLOWED, puts=slowly, seconds=0.01, own_seconds=5.0), PUT)
    assert use.result == "at last"
