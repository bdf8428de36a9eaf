"""A turn that does something outside: it waits to be allowed, goes on where it was, and tells what it does."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.agent.hands import AFTER_QUESTION, UNCLEAN
from app.agent.synthesis import BEGINNING
from app.agent.tools.box import Toolbox
from app.agent.turn import ROUNDS, Prompt, RunningTurn, TurnSettings
from app.core import texts
from app.core.model import Conversation, Message, MessageStatus, Turn, Usage
from app.core.permissions import Verdict
from app.core.question import Question, QuestionKind
from app.core.uses import Use, UseState
from app.ports import ModelReply, ToolUse
from tests.unit.agent.outer_tools import Workshop, fails, forever
from tests.unit.agent.scripted import COST, PaperDraft, Part, ScriptedModel, answers, cut_off, deltas
from tests.unit.core.threads import conversation, reply, said

SETTINGS = TurnSettings(model="claude-sonnet-5-5", max_tokens=1_000, context_tokens=32_000)
ROW = reply(2, "", MessageStatus.STREAMING)
RUNNING = conversation(head=2, turn=Turn(id="2.1", reply=2))
FREELY = {"ops": Verdict.ALLOWED}

PUT = ToolUse(id="p1", name="put", input={"to": "ops", "text": "Hi"})
LOOK = ToolUse(id="l1", name="look", input={"text": "attic"})
ASK = ToolUse(id="t1", name="ask_user", input={"type": "input", "prompt": "What?"})
PLAN = ToolUse(id="t2", name="propose_plan", input={})


class Outside:
    """A turn with a scripted model, tools that reach outside, and what it saves on its way."""

    def __init__(
        self,
        *scripts: list[Part],
        shop: Workshop | None = None,
        now: Conversation = RUNNING,
        row: Message = ROW,
        autonomous: bool = True,
    ) -> None:
        self.model, self.draft, self.shop = ScriptedModel(*scripts), PaperDraft(), shop or Workshop()
        self.tools = Toolbox(now, (), lambda: "1770000000.000001").restored(row.calls)
        self.reports: list[tuple[Message, tuple[Use, ...], int]] = []
        prompt = Prompt(now, (said(1, "Hi"), row), self.tools, outside=self.shop.hands, report=self._report)
        self.turn = RunningTurn(self.model, replace(SETTINGS, autonomous=autonomous), prompt, self.draft)

    async def _report(self, row: Message, uses: tuple[Use, ...], rounds: int) -> None:
        self.reports.append((row, uses, rounds))

    async def closed(self) -> Message:
        return await self.turn.reply()

    def sent(self, place: int) -> list[dict[str, Any]]:
        """What a request says after the words of the person."""
        return list(self.model.asked[place].messages[1:])


def because(reason: str, *uses: ToolUse, text: str = "") -> list[Part]:
    """An answer with another stop reason."""
    *before, end = answers(*uses, text=text)
    assert isinstance(end, ModelReply)
    return [*before, replace(end, uses=(), stop_reason=reason)]


def resumed(held: Message, turn: RunningTurn, state: UseState, **more: Any) -> Conversation:
    """The conversation after its owner has decided about what was asked."""
    uses = tuple(replace(use, state=state) if use.state is UseState.ASKED else use for use in turn.uses)
    under_way = Turn(id="2.1", reply=2, uses=uses, rounds=turn.rounds, **more)
    return replace(RUNNING, turn=under_way)


@pytest.mark.req("S3-009", "S3-022", "S3-046")
async def test_what_is_allowed_is_done_and_the_model_goes_on() -> None:
    taken = Outside(answers(PUT, text="I post it."), answers(text="Done."), shop=Workshop(FREELY))
    closed = await taken.closed()
    assert (closed.status, closed.text, closed.rounds) == (MessageStatus.COMPLETE, "I post it.\n\nDone.", 2)
    assert taken.shop.done == [("p1", "Hi")]
    assert taken.sent(1)[-1] == {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "p1", "content": "ops: Hi"}],
    }


@pytest.mark.req("S3-003", "S3-048", "S3-050")
async def test_reads_writes_and_calls_of_one_round_have_their_results_in_order_in_one_message() -> None:
    wrong = replace(LOOK, id="l2", input={"text": 1, "more": 1})
    taken = Outside(answers(PUT, PLAN, LOOK, wrong), answers(LOOK), answers(text="Well."), shop=Workshop(FREELY))
    closed = await taken.closed()
    results = taken.sent(1)[-1]
    assert results["role"] == "user"
    assert [block["tool_use_id"] for block in results["content"]] == ["p1", "t2", "l1", "l2"]
    assert [block.get("is_error") for block in results["content"]] == [None, None, None, True]
    assert (closed.rounds, len(taken.model.asked)) == (3, 3)


async def test_before_and_after_what_cannot_be_done_twice_the_row_is_saved_with_all_that_was_said() -> None:
    taken = Outside(answers(PUT, text="I post it."), answers(text="Done."), shop=Workshop(FREELY))
    await taken.closed()
    begun, done = taken.reports
    for row, _, rounds in (begun, done):
        assert (row.status, row.text, rounds) == (MessageStatus.STREAMING, "I post it.", 1)
        assert [message["role"] for message in json.loads(row.content)] == ["assistant"]
    assert [[use.state for use in uses] for _, uses, _ in (begun, done)] == [[UseState.STARTED], [UseState.DONE]]


@pytest.mark.req("S3-028")
async def test_what_is_to_be_asked_about_holds_the_turn_before_anything_is_done() -> None:
    taken = Outside(answers(LOOK, PUT, replace(PUT, id="p2"), text="I post it."))
    closed = await taken.closed()
    assert (closed.status, closed.text, closed.acted) == (MessageStatus.HELD, "I post it.", True)
    assert [use.state for use in taken.turn.uses] == [UseState.DONE, UseState.ASKED, UseState.OPEN]
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


@pytest.mark.req("S3-070")
async def test_where_the_loop_is_not_autonomous_each_round_ends_with_its_results_kept() -> None:
    closed = await Outside(answers(LOOK), autonomous=False).closed()
    assert (closed.status, closed.text, closed.acted) == (MessageStatus.LIMITED, "", True)
    assert [message["role"] for message in json.loads(closed.content)] == ["assistant", "user"]


@pytest.mark.req("S0-010")
@pytest.mark.parametrize(
    ("use", "text"),
    [
        (replace(PUT, input={"to": "ops", "text": "Hi[/INST]"}), "Well."),
        (replace(PUT, input={"to": "ops", "te\u0007xt": "Hi"}), "Well."),
        (PUT, "Well[/INST]."),
    ],
)
async def test_what_would_have_to_be_cleaned_is_not_carried_out(use: ToolUse, text: str) -> None:
    taken = Outside(answers(use, text=text), answers(text="Sorry."), shop=Workshop(FREELY))
    closed = await taken.closed()
    assert (taken.shop.done, closed.status) == ([], MessageStatus.COMPLETE)
    assert taken.sent(1)[-1]["content"][0]["content"] == UNCLEAN


async def test_what_is_wanted_beside_a_question_waits_for_its_answer() -> None:
    taken = Outside(answers(PUT, ASK, LOOK), shop=Workshop(FREELY, looks=fails(AssertionError())))
    closed = await taken.closed()
    assert (closed.status, taken.shop.done) == (MessageStatus.COMPLETE, [])
    results = json.loads(closed.content)[1]["content"]
    assert [(block["tool_use_id"], block["content"] == AFTER_QUESTION) for block in results] == [
        ("p1", True),
        ("t1", False),
        ("l1", True),
    ]


@pytest.mark.req("S3-031")
@pytest.mark.parametrize("status", [MessageStatus.TRUNCATED, MessageStatus.REFUSED, MessageStatus.COMPLETE])
async def test_a_use_that_was_cut_off_or_refused_is_never_carried_out(status: MessageStatus) -> None:
    taken = Outside(cut_off(PUT, text="I", status=status), shop=Workshop(FREELY))
    closed = await taken.closed()
    assert (closed.status, taken.shop.done, closed.acted) == (status, [], False)


async def test_an_answer_that_pauses_is_sent_back_and_goes_on_as_one() -> None:
    taken = Outside(because("pause_turn", text="First"), answers(text="second."))
    closed = await taken.closed()
    assert (closed.text, closed.status, closed.rounds) == ("First\n\nsecond.", MessageStatus.COMPLETE, 2)
    (paused,) = taken.sent(1)
    assert (paused["role"], paused["content"][1]["text"]) == ("assistant", "First")
    (whole,) = json.loads(closed.content)
    assert [block["type"] for block in whole["content"]] == ["thinking", "text", "thinking", "text"]


@pytest.mark.req("S3-032")
async def test_for_a_reason_nobody_knows_the_model_is_asked_to_go_on_once() -> None:
    unknown = because("who_knows", text="Let me look.")
    taken = Outside(unknown, because("who_knows", text="I should look."), answers(text="never"))
    closed = await taken.closed()
    assert (len(taken.model.asked), closed.text, closed.status) == (
        2,
        "Let me look.\n\nI should look.",
        MessageStatus.COMPLETE,
    )
    assert [message["role"] for message in taken.sent(1)] == ["assistant", "user"]


@pytest.mark.parametrize("rest", ["", " "])
async def test_what_nudged_the_model_in_vain_is_sent_again_as_words(rest: str) -> None:
    closed = await Outside(because("who_knows", text="Let me look."), answers(text=rest)).closed()
    last = json.loads(closed.content)[-1]
    assert (last["role"], [block["type"] for block in last["content"]]) == ("user", ["text"])


@pytest.mark.req("S3-008", "S3-023")
@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("end_turn", "Let me look."),
        ("content_filtered", "Let me look."),
        ("guardrail_intervened", "Let me look."),
        ("who_knows", "That is all."),
        ("who_knows", "Let me know what you think."),
    ],
)
async def test_known_reasons_decide_and_who_waits_for_the_person_does_not_go_on(reason: str, text: str) -> None:
    taken = Outside(because(reason, text=text))
    assert ((await taken.closed()).status, len(taken.model.asked)) == (MessageStatus.COMPLETE, 1)


async def test_while_a_question_is_open_nothing_is_gone_on_with() -> None:
    asked = replace(RUNNING, question=Question(id="1.1", kind=QuestionKind.INPUT, prompt="What?"))
    taken = Outside(because("who_knows", text="Let me look."), now=asked)
    await taken.closed()
    assert len(taken.model.asked) == 1


@pytest.mark.req("S3-062", "S3-076")
async def test_a_turn_that_ends_without_a_word_tells_what_its_tools_came_to_and_not_to_the_model() -> None:
    with capture_logs() as lines:
        closed = await Outside(answers(LOOK, text="I look."), answers()).closed()
    assert closed.text == f"I look.\n\n{BEGINNING}\n\n- look: ops: attic"
    assert BEGINNING not in closed.content
    assert [line["reference"] for line in lines if line["event"] == "synthesis"] == ["synthesis_c1:2"]


@pytest.mark.parametrize(
    "scripts",
    [
        [answers(LOOK), answers(text="Three vans.")],
        [answers(PLAN), answers()],
        [answers(LOOK), cut_off(PUT)],
        [answers(ASK, LOOK)],
    ],
    ids=["with words", "of calls alone", "cut off", "with a question"],
)
async def test_nothing_is_told_for_a_model_that_spoke_or_did_not_mean_to_end(scripts: list[list[Part]]) -> None:
    assert BEGINNING not in (await Outside(*scripts).closed()).text


async def test_what_is_being_done_is_shown_until_there_are_words_again() -> None:
    taken = Outside(answers(LOOK, PUT, text="Well:"), answers(text="Done."), shop=Workshop(FREELY))
    await taken.closed()
    doing = [texts.USING.format(tools=name) for name in ("look", "put")]
    assert taken.draft.shown == ["Well:", *(f"Well:\n\n{each}" for each in doing), "Well:\n\nDone."]


async def test_what_is_only_asked_about_is_not_shown_as_being_done() -> None:
    taken = Outside(answers(PUT))
    await taken.closed()
    assert taken.draft.shown == []


@pytest.mark.req("S3-006", "S3-007", "S3-060")
async def test_a_turn_that_is_cut_while_it_does_something_begins_nothing_more_however_often_it_is_cut() -> None:
    shop = Workshop(FREELY, puts=forever)
    taken = Outside(answers(PUT, replace(PUT, id="p2"), text="I post it."), shop=shop)
    while not shop.done:
        await asyncio.sleep(0)
    waiting = [asyncio.ensure_future(taken.closed()) for _ in range(3)]
    taken.turn.cut()
    taken.turn.cut()
    closed, *others = await asyncio.gather(*waiting)
    assert all(other is closed for other in others)
    assert (closed.status, closed.text, closed.content, closed.calls) == (
        MessageStatus.CANCELLED,
        "I post it.",
        "",
        (),
    )
    assert ([key for key, _ in shop.done], len(taken.model.asked)) == (["p1"], 1)
    taken.turn.cut()
    assert await taken.closed() is closed


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
