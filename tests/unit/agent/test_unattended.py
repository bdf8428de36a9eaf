"""A run of a schedule, for which nobody waits: how it ends, what it shows, what it may not do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from app.agent.prompt import BackgroundLimits, TurnPrompt
from app.agent.tool_runner import ToolRunner
from app.agent.tools.context import Access, TurnContext
from app.agent.tools.conversation.schedule_tools import RUN_ENDED
from app.agent.tools.conversation.thread_toolset import AFTER_RUN, ThreadToolset
from app.agent.tools.tool import ExternalTool, Nothing
from app.agent.turn import GOES_FIRST, NOT_ALONE, TurnTask
from app.core.conversation.call import CompleteRun, ContinueRun, YieldRun
from app.core.conversation.conversation import Message, MessageStatus
from app.core.errors import FailureKind, OutOfBudget
from app.core.state.permission import PermissionVerdict
from app.core.state.tool_use import Use, UseState
from app.ports import ToolUse
from tests.fakes import virtual
from tests.unit.agent.outer_tools import Called, Workshop
from tests.unit.agent.outside_turns import SETTINGS
from tests.unit.agent.scripted import PaperDraft, Part, ScriptedModel, answers
from tests.unit.core.live import Live
from tests.unit.core.lives import in_background

LOOK = ToolUse(id="l1", name="look", input={})
PLAN = ToolUse(id="p1", name="propose_plan", input={})


def complete(**given: Any) -> ToolUse:
    return ToolUse(id="c1", name="complete_work", input=given)


def go_on(**given: Any) -> ToolUse:
    return ToolUse(id="g1", name="continue_work", input=given)


async def _look(_context: TurnContext, _given: Nothing) -> str:
    return "Nothing new."


def _context_of(key: str, _since: str, _reads: bool) -> Any:
    return Called(key)


HANDS = ToolRunner(
    tools=MappingProxyType(
        {"look": ExternalTool(name="look", description="", input=Nothing, access=Access.READ, run=_look)}
    ),
    context_of=_context_of,
)


class Running:
    """A run with a scripted model, one script for each request, shown on paper."""

    def __init__(
        self,
        *scripts: list[Part],
        live: Live | None = None,
        gives_way: Callable[[], bool] = lambda: False,
        seconds: float = 60,
        hands: ToolRunner = HANDS,
        autonomous: bool = True,
    ) -> None:
        self.model, self.draft = ScriptedModel(*scripts), PaperDraft()
        live = live or in_background().wait(7 * 60).is_due()
        now, rows = live.now, tuple(live.transcript)
        tools = ThreadToolset(now, live.cards, lambda: "1770099999.000001")
        prompt = TurnPrompt(
            now, rows, tools, outside=hands, unattended=BackgroundLimits(seconds=seconds, gives_way=gives_way)
        )
        self.turn = TurnTask(self.model, replace(SETTINGS, autonomous=autonomous), prompt, self.draft)

    async def closed(self) -> Message:
        return await self.turn.reply()

    def told(self) -> list[tuple[str, bool]]:
        """What the model was told of its calls in the newest request."""
        blocks = self.model.asked[-1].messages[-1]["content"]
        return [(block["content"], bool(block.get("is_error"))) for block in blocks]


async def test_a_run_ends_with_the_call_that_ends_it_and_asks_the_model_no_more() -> None:
    run = Running(answers(complete(state_update={"seen": 3}), text="Here it is."))
    closed = await run.closed()
    assert (closed.status, closed.text, len(run.model.asked)) == (MessageStatus.COMPLETE, "Here it is.", 1)
    assert closed.calls == (CompleteRun(update={"seen": 3}),)
    assert RUN_ENDED in closed.content


async def test_the_message_of_a_call_is_the_last_word_of_its_run() -> None:
    run = Running(answers(go_on(message="More tomorrow.", next_step="rate", state_update={"n": 1}), text="One half."))
    closed = await run.closed()
    assert closed.text == "One half.\n\nMore tomorrow."
    assert closed.calls == (ContinueRun(update={"n": 1}, step="rate", message="More tomorrow."),)


@pytest.mark.req("AG-04")
async def test_a_silent_run_leaves_no_word_whatever_it_had_said() -> None:
    run = Running(answers(LOOK), answers(complete(silent=True, message="Nothing new."), text="I looked."))
    closed = await run.closed()
    assert (closed.text, closed.acted, closed.status) == ("", True, MessageStatus.COMPLETE)
    assert closed.activity == "", "nor does it say what it has looked at"


@pytest.mark.parametrize(
    "last", [answers(complete(silent=True)), answers(complete(message="Two.")), answers(text="So.")]
)
async def test_of_a_run_nothing_is_shown_before_its_end_neither_words_nor_what_it_is_doing(last: list[Part]) -> None:
    run = Running(answers(LOOK, text="I look at what is new."), last)
    await run.closed()
    assert run.draft.shown == []


async def test_a_silent_run_takes_nothing_back_that_people_have_read_while_it_waited_for_one_of_them() -> None:
    live = in_background().wait(7 * 60).is_due()
    assert live.now.turn
    wish: dict[str, Any] = {"type": "tool_use", "id": "l1", "name": "look", "input": {}}
    content = json.dumps([{"role": "assistant", "content": [wish]}])
    held = replace(live.reply, text="May I?", status=MessageStatus.HELD, content=content)
    turn = replace(live.now.turn, uses=(Use(id="l1", tool="look", input="{}", state=UseState.ALLOWED),), rounds=1)
    live.now, live.rows[held.seq] = replace(live.now, turn=turn), held
    run = Running(answers(complete(silent=True), text="Done, and nothing new."), live=live)
    assert (await run.closed()).text == "May I?"


async def test_a_run_is_not_ended_before_what_was_called_beside_it_has_been_seen() -> None:
    run = Running(answers(LOOK, complete(silent=True)), answers(complete(message="Two new ones.")))
    closed = await run.closed()
    assert run.told() == [("Nothing new.", False), (NOT_ALONE, True)]
    assert (closed.text, closed.calls) == ("Two new ones.", (CompleteRun(message="Two new ones."),))


async def test_after_the_end_of_a_run_nothing_is_called_for() -> None:
    run = Running(answers(complete(), PLAN))
    closed = await run.closed()
    assert AFTER_RUN in closed.content
    assert closed.calls == (CompleteRun(),)


async def test_outside_of_a_run_its_end_is_refused_and_the_turn_goes_on() -> None:
    run = Running(answers(complete()), answers(text="Hello."), live=in_background().says("Hi"))
    closed = await run.closed()
    [(told, refused)] = run.told()
    assert ("Only a run" in told, refused) == (True, True)
    assert (closed.text, closed.calls) == ("Hello.", ())


@pytest.mark.parametrize("text", ["", "I have read half."])
async def test_a_run_gives_way_between_two_rounds_with_what_it_has_said(text: str) -> None:
    run = Running(answers(LOOK, text=text), gives_way=lambda: True)
    closed = await run.closed()
    assert (closed.status, closed.text, closed.calls) == (MessageStatus.COMPLETE, text, (YieldRun(),))
    assert (closed.acted, "Nothing new." in closed.content, len(run.model.asked)) == (True, True, 1)


@pytest.mark.req("SE-07")
async def test_a_run_that_meets_the_budget_goes_on_later_with_all_that_it_has_done() -> None:
    run = Running(answers(LOOK, text="I have read half."), [OutOfBudget(3_600)])
    closed = await run.closed()
    assert (closed.status, closed.text, closed.calls) == (MessageStatus.COMPLETE, "I have read half.", (YieldRun(),))
    assert "Nothing new." in closed.content


@pytest.mark.parametrize("is_wanted", [True, False])
async def test_a_run_asks_for_no_permission_while_its_owner_waits_for_an_answer(is_wanted: bool) -> None:
    shop = Workshop({"attic": PermissionVerdict.ALLOWED})
    puts = [ToolUse(id=id_, name="put", input={"to": to, "text": id_}) for id_, to in (("p1", "attic"), ("p2", "ops"))]
    run = Running(answers(*puts, text="I post."), gives_way=lambda: is_wanted, hands=shop.hands)
    closed = await run.closed()
    assert shop.done == [("p1", "p1")]
    if not is_wanted:
        assert (closed.status, [use.state for use in run.turn.uses]) == (
            MessageStatus.HELD,
            [UseState.DONE, UseState.ASKED],
        )
        return
    assert (closed.status, closed.calls, run.turn.uses) == (MessageStatus.COMPLETE, (YieldRun(),), ())
    results = json.loads(closed.content)[-1]["content"]
    assert [(block["content"] == GOES_FIRST, bool(block.get("is_error"))) for block in results] == [
        (False, False),
        (True, True),
    ]


async def test_a_run_goes_on_by_itself_where_answers_wait_for_continue() -> None:
    run = Running(answers(LOOK), answers(complete(message="The digest.")), autonomous=False)
    closed = await run.closed()
    assert (closed.status, closed.text, closed.rounds) == (MessageStatus.COMPLETE, "The digest.", 2)


async def test_a_run_that_has_ended_gives_no_way() -> None:
    run = Running(answers(complete()), gives_way=lambda: True)
    assert (await run.closed()).calls == (CompleteRun(),)
    spoken = Running(answers(text="Here it is."), gives_way=lambda: True)
    assert (await spoken.closed()).calls == ()


async def test_a_run_goes_on_while_nobody_has_written() -> None:
    asked = iter([False, True])
    run = Running(answers(LOOK), answers(LOOK), gives_way=lambda: next(asked))
    assert (await run.closed()).rounds == 2


async def test_a_run_that_takes_too_long_has_failed() -> None:
    run = Running([asyncio.Event()], seconds=0.01)
    closed = await run.closed()
    assert (closed.status, closed.failure) == (MessageStatus.FAILED, FailureKind.TIMEOUT)
    assert run.model.closed.is_set()


@pytest.mark.req("AG-01")
@virtual
async def test_a_run_that_is_out_of_time_between_two_rounds_ends_with_what_it_has() -> None:
    def late() -> None:
        asyncio.get_running_loop().call_later(70, slow.set)

    slow = asyncio.Event()
    run = Running([late, slow, *answers(LOOK, text="I look.")], answers(text="Done."), seconds=60)
    first = await run.closed()
    assert (first.status, first.failure) == (MessageStatus.FAILED, FailureKind.TIMEOUT), "within a round it fails"

    async def tarry(_context: TurnContext, _given: Nothing) -> str:
        await asyncio.sleep(29)
        return "Nothing new."

    tool = ExternalTool(name="look", description="", input=Nothing, access=Access.READ, run=tarry)
    hands = ToolRunner(tools=MappingProxyType({"look": tool}), context_of=_context_of)
    looks = [answers(replace(LOOK, id=f"l{number}"), text=f"{number}.") for number in range(4)]
    run = Running(*looks, seconds=60, hands=hands)
    closed = await run.closed()
    assert (closed.status, closed.failure, closed.text) == (MessageStatus.LIMITED, "", "0.\n\n1.\n\n2.")
