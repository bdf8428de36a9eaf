"""A turn that waits to be allowed something, that its process has left, or whose words have asked people something."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.agent.prompt import BackgroundLimits, TurnPrompt
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import ROUNDS, Message, MessageStatus, Role, Turn
from app.core.conversation.usage import Usage
from app.core.copy import texts
from app.core.errors import FailureKind, ModelFailed
from app.core.state.permission import PermissionVerdict
from app.core.state.tool_use import UseState
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Workshop, fails, forever
from tests.unit.agent.outside_turns import FREELY, LOOK, PLAN, PUT, ROW, RUNNING, SETTINGS, Outside, because, resumed
from tests.unit.agent.scripted import COST, PaperDraft, Part, ScriptedModel, answers, deltas
from tests.unit.agent.test_rounds import ROWS, Taken


@pytest.mark.req("S3-028")
async def test_what_is_to_be_asked_about_holds_the_turn_before_anything_is_done() -> None:
    taken = Outside(answers(LOOK, PUT, replace(PUT, id="p2"), text="I post it."))
    closed = await taken.closed()
    assert (closed.status, closed.text, closed.acted) == (MessageStatus.HELD, "I post it.", True)
    assert [use.state for use in taken.turn.uses] == [UseState.DONE, UseState.ASKED, UseState.ASKED]
    assert (taken.shop.done, taken.turn.rounds, closed.usage) == ([], 1, COST)
    assert [message["role"] for message in json.loads(closed.content)] == ["assistant"]


@pytest.mark.parametrize(("state", "done"), [(UseState.ALLOWED, [("p1", "Hi")]), (UseState.DENIED, [])])
async def test_a_turn_goes_on_from_its_row_and_its_uses_as_if_it_had_never_waited(
    state: UseState, done: list[tuple[str, str]]
) -> None:
    first = Outside(answers(PLAN, LOOK, PUT, text="I post it."))
    held = await first.closed()
    now = resumed(held, first.turn, state)
    taken = Outside(answers(text="That is it."), now=now, row=held, shop=Workshop(looks=fails(AssertionError())))
    closed = await taken.closed()
    assert (closed.status, closed.text) == (MessageStatus.COMPLETE, "I post it.\n\nThat is it.")
    assert taken.shop.done == done
    assert (closed.usage, closed.rounds) == (COST + COST, 2)
    assert closed.calls == held.calls
    (before, results) = taken.sent(0)
    assert before == json.loads(held.content)[0]
    assert [block["tool_use_id"] for block in results["content"]] == ["t2", "l1", "p1"]
    assert results["content"][1]["content"] == "ops: attic"
    assert [message["role"] for message in json.loads(closed.content)] == ["assistant", "user", "assistant"]


async def test_the_next_use_of_the_round_is_asked_about_in_its_turn() -> None:
    first = Outside(answers(PUT, replace(PUT, id="p2", input={"to": "attic"})))
    held = await first.closed()
    taken = Outside(now=resumed(held, first.turn, UseState.ALLOWED), row=held)
    again = await taken.closed()
    assert (again.status, taken.model.asked) == (MessageStatus.HELD, [])
    assert [use.state for use in taken.turn.uses] == [UseState.DONE, UseState.ASKED]
    assert again.usage == held.usage


@pytest.mark.req("S3-024")
async def test_the_rounds_before_it_waited_count_among_the_twenty_five() -> None:
    first = Outside(answers(PUT))
    held = await first.closed()
    now = resumed(held, first.turn, UseState.ALLOWED)
    now = replace(now, turn=replace(now.turn, rounds=ROUNDS - 1)) if now.turn else now
    taken = Outside(answers(LOOK), answers(text="never"), now=now, row=held)
    closed = await taken.closed()
    assert (ROUNDS, len(taken.model.asked)) == (25, 1)
    assert (closed.status, closed.rounds) == (MessageStatus.LIMITED, 25)
    assert json.loads(closed.content)[-1]["role"] == "user"


async def test_what_is_only_asked_about_is_not_shown_as_being_done() -> None:
    taken = Outside(answers(PUT))
    await taken.closed()
    assert taken.draft.shown == []


async def test_what_a_stretch_cost_is_kept_though_the_next_one_is_cut_before_its_first_word() -> None:
    first = Outside(answers(PUT))
    held = await first.closed()
    shop = Workshop(puts=forever)
    taken = Outside(now=resumed(held, first.turn, UseState.ALLOWED), row=held, shop=shop)
    while not shop.done:
        await asyncio.sleep(0)
    taken.turn.cut()
    closed = await taken.closed()
    assert (closed.usage, closed.reference, closed.model) == (held.usage, held.reference, held.model)
    assert closed.usage != Usage()


async def test_a_later_word_in_the_same_message_is_no_longer_than_a_message_may_be() -> None:
    first = Outside([*deltas("I post it."), *answers(PUT)])
    held = await first.closed()
    long = "x" * 100_000
    taken = Outside([*deltas(long), *answers()], now=resumed(held, first.turn, UseState.DENIED), row=held)
    assert (await taken.closed()).status is MessageStatus.FAILED


async def test_what_was_thought_before_a_message_was_taken_back_is_not_sent_when_the_turn_goes_on() -> None:
    first = Outside(answers(PUT, text="I post it."))
    held = await first.closed()
    now = replace(resumed(held, first.turn, UseState.DENIED), plain=2)
    taken = Outside(answers(text="That is it."), now=now, row=held)
    await taken.closed()
    said, results = taken.sent(0)
    assert [block["type"] for block in said["content"]] == ["text", "tool_use"]
    assert [block["type"] for block in results["content"]] == ["tool_result"]


async def test_who_was_asked_to_go_on_before_it_waited_is_not_asked_so_again() -> None:
    first = Outside(because("who_knows", text="Let me look."), answers(PUT))
    held = await first.closed()
    now = resumed(held, first.turn, UseState.DENIED)
    taken = Outside(because("who_knows", text="I should look."), answers(text="never"), now=now, row=held)
    assert (await taken.closed()).status is MessageStatus.COMPLETE
    assert len(taken.model.asked) == 1


LEFT = "Half of it was"
TAKEN_UP = replace(RUNNING, turn=Turn(id="2.1", reply=2, taken_up=True))


def taken(*scripts: list[Part]) -> Outside:
    return Outside(*scripts, now=TAKEN_UP, row=replace(ROW, text=LEFT, parts=("9.1",)))


@pytest.mark.req("MW-21")
async def test_what_stood_there_stays_until_there_is_more() -> None:
    it = taken([*deltas("Half", " of it was told", " anew."), *answers(text="Half of it was told anew.")[-1:]])
    closed = await it.closed()
    assert it.draft.shown == ["Half of it was told", "Half of it was told anew."]
    assert (closed.text, closed.status) == ("Half of it was told anew.", MessageStatus.COMPLETE)


async def test_an_answer_that_comes_out_shorter_is_shown_whole_in_the_end() -> None:
    assert (await taken(answers(text="Short.")).closed()).text == "Short."


@pytest.mark.req("MW-21")
@pytest.mark.parametrize("how", ["fails", "is stopped"])
async def test_if_going_on_comes_to_nothing_the_words_that_stood_there_stay(how: str) -> None:
    waits = asyncio.Event()
    end = ModelFailed(FailureKind.BUSY) if how == "fails" else waits
    it = taken([*deltas("Half"), end])
    if how == "is stopped":
        await it.model.begun.wait()
        it.turn.cut()
    closed = await it.closed()
    assert closed.text == LEFT
    assert closed.status is (MessageStatus.FAILED if how == "fails" else MessageStatus.CANCELLED)


async def test_a_round_that_is_over_has_overtaken_what_stood_there() -> None:
    it = taken(answers(LOOK, text="I look."), [*deltas("So"), ModelFailed(FailureKind.BUSY)])
    closed = await it.closed()
    doing = texts.USING.format(tools="Using look")
    assert it.draft.shown == [f"I look.\n\n{doing}", "I look.\n\nSo"]
    assert closed.text == "I look.\n\nSo"


@pytest.mark.req("MW-21", "AG-02")
async def test_each_round_is_kept_when_it_is_over_with_calls_results_and_words() -> None:
    it = Outside(answers(LOOK, text="I look."), answers(LOOK, text="And again."), answers(text="Done."))
    await it.closed()
    assert [(row.rounds, row.stands, uses, rounds) for row, uses, rounds in it.reports] == [
        (1, "I look.", (), 1),
        (2, "I look.\n\nAnd again.", (), 2),
    ]
    assert [row.content for row, _, _ in it.reports] == [_content(it, 1), _content(it, 2)]


def _content(it: Outside, place: int) -> str:
    return json.dumps(it.sent(place), ensure_ascii=False, separators=(",", ":"))


async def test_one_that_wrote_is_kept_when_it_has_written_and_not_once_more() -> None:
    it = Outside(answers(PUT, text="I post it."), answers(text="Done."), shop=Workshop(FREELY))
    await it.closed()
    assert len(it.reports) == 2


@pytest.mark.req("FA-01")
async def test_what_a_reply_asked_before_its_process_died_is_still_asked_when_it_goes_on() -> None:
    it = Outside(answers(LOOK, text="Who pays?"), answers(text="Noted."))
    await it.closed()
    kept = it.reports[0][0]
    assert kept.asks
    assert (await Outside(answers(text="Noted."), now=TAKEN_UP, row=replace(ROW, asks=kept.asks)).closed()).asks
    assert not (await Outside(answers(text="Noted."), now=TAKEN_UP).closed()).asks


async def test_a_round_without_a_tool_is_kept_as_well() -> None:
    it = Outside(because("pause_turn", text="First"), answers(text="second."))
    await it.closed()
    assert [(row.text, uses, rounds) for row, uses, rounds in it.reports] == [("First", (), 1)]


def test_of_a_reply_that_waits_all_words_stand() -> None:
    row = Message(seq=2, role=ROW.role, text="I post it.", status=MessageStatus.HELD)
    assert row.stands == "I post it."
    assert replace(row, status=MessageStatus.STREAMING, standing=6).stands == "I post"


ASKS = "I see. How soon do you need it?"
GOAL = ToolUse(id="t1", name="set_goal", input={"type": "question_answer", "description": "Find a room."})
START = ToolUse(id="t2", name="start_work", input={})
LOOKS = ToolUse(id="t3", name="look", input={"place": "ops"})


async def closed_after(*scripts: list[Part]) -> tuple[Message, int]:
    """The reply, and how often the model was asked."""
    taken = Taken(*scripts)
    return await taken.closed(), len(taken.model.asked)


async def test_a_reply_that_asks_and_notes_ends_without_another_request() -> None:
    row, requests = await closed_after(answers(GOAL, text=ASKS))
    assert (row.status, row.text, requests) == (MessageStatus.COMPLETE, ASKS, 1)
    assert [message["role"] for message in json.loads(row.content)] == ["assistant", "user"]
    assert len(row.calls) == 1


@pytest.mark.parametrize(
    ("uses", "text"),
    [
        ((GOAL,), "I note that."),
        ((GOAL,), "Is it the hall? I note that first."),
        ((GOAL,), ""),
        ((START,), ASKS),
        ((replace(GOAL, input={"type": "wish"}),), ASKS),
        ((GOAL, ToolUse(id="t4", name="fly", input={})), ASKS),
    ],
    ids=["nothing is asked", "more is to come", "nothing is said", "work begins", "refused", "one is refused"],
)
async def test_a_reply_goes_on_if_there_may_be_more_to_say(uses: tuple[ToolUse, ...], text: str) -> None:
    row, requests = await closed_after(answers(*uses, text=text), answers(text="And now?"))
    assert requests == 2
    assert row.text.endswith("And now?")


@pytest.mark.req("FA-01")
@pytest.mark.parametrize("last", ["I am at it.", ""])
async def test_a_question_that_other_words_follow_after_a_call_is_still_asked_by_the_reply(last: str) -> None:
    row, requests = await closed_after(answers(START, text=ASKS), answers(text=last))
    assert (row.asks, requests) == (True, 2)
    assert not (await closed_after(answers(START, text="I look."), answers(text=last)))[0].asks


async def test_what_was_refused_is_noted_in_a_further_request_and_then_the_reply_ends() -> None:
    wrong = replace(GOAL, input={"type": "wish"})
    row, requests = await closed_after(answers(wrong, text=ASKS), answers(replace(GOAL, id="t2")))
    assert (row.text, requests, len(row.calls)) == (ASKS, 2, 1)


async def test_while_the_rest_is_noted_the_status_does_not_say_that_the_answer_is_thought_about() -> None:
    taken = Taken(answers(replace(GOAL, input={"type": "wish"}), text=ASKS), answers(text=""))
    await taken.closed()
    assert taken.draft.activities == [texts.STILL_THINKING, texts.WRITING_DOWN]


async def outside(*scripts: list[Part], has_news: Callable[[], bool] = bool, run: bool = False) -> ScriptedModel:
    """The model after a turn with tools that reach outside."""
    model, shop = ScriptedModel(*scripts), Workshop({"ops": PermissionVerdict.ALLOWED})
    alone = BackgroundLimits(seconds=60, gives_way=bool) if run else None
    tools = ThreadToolset(RUNNING, (), lambda: "1770000000.000001")
    prompt = TurnPrompt(RUNNING, ROWS, tools, outside=shop.hands, has_news=has_news, unattended=alone)
    await TurnTask(model, SETTINGS, prompt, PaperDraft()).reply()
    return model


async def test_words_before_something_was_read_are_no_answer_to_it() -> None:
    model = await outside(answers(LOOKS, text=ASKS), answers(GOAL), answers(text="It is free. Do you take it?"))
    assert len(model.asked) == 3


async def test_a_reply_that_asks_after_something_was_read_ends_as_well() -> None:
    model = await outside(answers(LOOKS), answers(GOAL, text=ASKS))
    assert len(model.asked) == 2


async def test_a_reply_goes_on_with_what_the_owner_has_written_meanwhile() -> None:
    model = await outside(answers(GOAL, text=ASKS), answers(text="By May."), has_news=lambda: True)
    assert len(model.asked) == 2


async def test_a_run_that_nobody_reads_goes_on_to_its_end() -> None:
    model = await outside(answers(GOAL, text=ASKS), answers(text="Done."), run=True)
    assert len(model.asked) == 2


async def test_a_question_that_was_answered_between_two_requests_is_asked_no_more() -> None:
    """Otherwise a step that the model ends with its next words would wait for an answer that was given already."""
    written = Message(seq=len(ROWS) + 9, role=Role.PERSON, text="In May.", author="U1", ts="1770000000.000009")
    came = [(written,), ()]

    async def hear(_: int) -> tuple[Message, ...]:
        return came.pop(0)

    async def ask(*scripts: list[Part]) -> Message:
        tools = ThreadToolset(RUNNING, (), lambda: "1770000000.000001")
        prompt = TurnPrompt(RUNNING, ROWS, tools, hear=hear, has_news=lambda: bool(came[0]))
        return await TurnTask(ScriptedModel(*scripts), SETTINGS, prompt, PaperDraft()).reply()

    closed = await ask(answers(GOAL, text=ASKS), answers(text="In May, then."))
    assert (closed.heard, closed.asks) == ((written.seq,), False)
    came[:] = [(written,), ()]
    assert (await ask(answers(GOAL, text=ASKS), answers(text="In May. At what time?"))).asks
