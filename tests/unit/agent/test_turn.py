"""One turn with the model: what is asked, what is shown, and how the reply is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from app.agent.claude.prices import compute_cost
from app.agent.prompt import SYSTEM, TurnPrompt, digest_prelude
from app.agent.reply import TurnSettings, create_reference
from app.agent.tools.conversation.thread_toolset import SPECS, ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Message, MessageStatus, Turn
from app.core.conversation.usage import Usage
from app.core.copy import texts
from app.core.errors import FailureKind, ModelFailed
from app.core.text.sanitize import MAX_BYTES
from app.core.turns.history import build_api_messages
from app.ports import CallBegun, Counted, ModelRequest
from tests.fakes import threads_asked_for, virtual
from tests.unit.agent.scripted import ANSWER, COUNTED, PaperDraft, Part, ScriptedModel, answers, deltas
from tests.unit.core.threads import OTHER, conversation, note, reply, said

SETTINGS = TurnSettings(model="claude-x", max_tokens=1_000, context_tokens=32_000)
ROWS = (said(1, "Hi"), reply(2, "", MessageStatus.STREAMING, parts=("9.1",)), said(3, "later"))
RUNNING = conversation(head=3, turn=Turn(id="2.1", reply=2))
PRICED = Counted(usage=Usage(input_tokens=1_000, output_tokens=1), model="claude-sonnet-5-5", reference="req_1")


class Taken:
    """A turn with a scripted model, shown on paper."""

    def __init__(self, *script: Part) -> None:
        self.model, self.draft = ScriptedModel(script), PaperDraft()
        prompt = TurnPrompt(RUNNING, ROWS, ThreadToolset(RUNNING, (), lambda: "1770000000.000001"))
        self.turn = TurnTask(self.model, SETTINGS, prompt, self.draft)


async def ended(*script: Part) -> Message:
    taken = Taken(*script)
    closed = await taken.turn.reply()
    assert taken.draft.closings == 1
    return closed


def size(texts: Sequence[str]) -> list[int]:
    return [len(text.encode()) for text in texts]


async def test_the_model_is_asked_with_the_transcript_below_its_reply() -> None:
    taken = Taken(ANSWER)
    await taken.turn.reply()
    assert taken.model.asked == [
        ModelRequest(
            model="claude-x", system=SYSTEM, messages=build_api_messages(RUNNING, ROWS), max_tokens=1_000, tools=SPECS
        )
    ]
    assert taken.model.asked[0].messages == [{"role": "user", "content": "Hi"}]


async def test_the_answer_is_shown_as_it_grows_and_closed_as_the_model_gave_it() -> None:
    taken = Taken(COUNTED, *deltas("Hel", "lo"), ANSWER)
    closed = await taken.turn.reply()
    assert taken.draft.shown == ["Hel", "Hello"]
    assert closed == replace(
        ROWS[1],
        text="Hello",
        content='[{"role":"assistant","content":[{"type":"text","text":"Hello"}]}]',
        status=MessageStatus.COMPLETE,
        usage=ANSWER.usage,
        model="claude-x-1",
        reference="req_1",
        parts=("9.1", "9.2"),
        rounds=1,
        sources=(),
    )


async def test_a_complete_answer_has_its_price() -> None:
    closed = await ended(PRICED, replace(ANSWER, model="claude-sonnet-5-5"))
    assert closed.cost == compute_cost("claude-sonnet-5-5", ANSWER.usage) != ""


@pytest.mark.req("S0-026")
@pytest.mark.parametrize(("raw", "kept"), [("Hel\u0007lo", "Hello"), ("Hello[/INST]", "Hello")])
async def test_what_is_kept_is_sanitised_and_the_raw_words_are_not_kept_beside_it(raw: str, kept: str) -> None:
    taken = Taken(*deltas(raw), replace(ANSWER, text=raw, content="[]"))
    closed = await taken.turn.reply()
    assert (closed.text, closed.content) == (kept, "")
    assert taken.draft.shown == [raw]


@pytest.mark.req("S0-026")
async def test_what_is_kept_of_an_answer_that_broke_off_is_sanitised() -> None:
    closed = await ended(*deltas("Hel\u0007lo"), ModelFailed(FailureKind.CUT))
    assert closed.text == "Hello"


@pytest.mark.parametrize("kind", FailureKind)
async def test_a_failure_of_the_model_is_a_reply_that_keeps_the_words_that_came(kind: FailureKind) -> None:
    closed = await ended(*deltas("Hel"), ModelFailed(kind, "req_2"))
    assert (closed.status, closed.failure, closed.reference) == (MessageStatus.FAILED, kind.value, "req_2")
    assert (closed.text, closed.content, closed.parts) == ("Hel", "", ("9.1", "9.2"))


async def test_a_failure_has_cost_what_was_counted() -> None:
    closed = await ended(PRICED, *deltas("Hel"), ModelFailed(FailureKind.CUT))
    assert (closed.usage, closed.model) == (PRICED.usage, PRICED.model)
    assert closed.cost == compute_cost(PRICED.model, PRICED.usage) != ""


async def test_a_failure_before_anything_was_counted_has_no_price() -> None:
    closed = await ended(ModelFailed(FailureKind.BUSY))
    assert (closed.usage, closed.model, closed.cost) == (Usage(), "", "")


@pytest.mark.parametrize(("after", "wait"), [(None, 0), (0.2, 1), (3600.0, 3600)])
async def test_a_failure_says_after_how_many_seconds_trying_again_can_help(after: float | None, wait: int) -> None:
    closed = await ended(ModelFailed(FailureKind.LIMITED, after=after))
    assert closed.wait == wait


async def test_a_failure_without_a_reference_gets_that_of_its_request() -> None:
    closed = await ended(COUNTED, ModelFailed(FailureKind.TIMEOUT))
    assert closed.reference == "req_1"


async def test_a_failure_without_the_vendors_reference_gets_one_of_ours() -> None:
    closed = await ended(ModelFailed(FailureKind.TIMEOUT))
    assert closed.reference.startswith("tw-")


def test_no_two_references_are_the_same() -> None:
    assert len({create_reference() for _ in range(100)}) == 100


@pytest.mark.req("S0-028")
async def test_an_answer_over_100000_bytes_is_refused_and_its_stream_stopped() -> None:
    taken = Taken(*deltas("ä" * (MAX_BYTES // 2), "x", "never read"), asyncio.Event())
    closed = await taken.turn.reply()
    assert (closed.status, closed.failure) == (MessageStatus.FAILED, FailureKind.OVERSIZED.value)
    assert size(taken.draft.shown) == size([closed.text]) == [MAX_BYTES]
    assert taken.model.closed.is_set()


async def test_an_answer_that_is_too_long_once_it_is_composed_is_refused_too() -> None:
    text = "\u0958" * 20_000  # three bytes each, and six in NFC
    closed = await ended(*deltas(text), replace(ANSWER, text=text))
    assert (closed.status, closed.failure) == (MessageStatus.FAILED, FailureKind.OVERSIZED.value)


async def test_an_answer_of_exactly_100000_bytes_is_taken() -> None:
    text = "ä" * (MAX_BYTES // 2)
    closed = await ended(*deltas(text), replace(ANSWER, text=text))
    assert closed.status is MessageStatus.COMPLETE


@pytest.mark.req("S3-035", "S3-036")
async def test_a_turn_that_is_cut_keeps_the_words_so_far_and_what_they_cost() -> None:
    taken = Taken(PRICED, *deltas("Hel\u0007lo"), asyncio.Event(), *deltas(" there"), ANSWER)
    await taken.draft.seen.wait()
    taken.turn.cut()
    closed = await taken.turn.reply()
    assert (closed.status, closed.text, closed.content) == (MessageStatus.CANCELLED, "Hello", "")
    assert (closed.usage, closed.cost) == (PRICED.usage, compute_cost(PRICED.model, PRICED.usage))
    assert (closed.parts, closed.failure, taken.draft.closings) == (("9.1", "9.2"), "", 1)


@pytest.mark.req("S3-037", "S3-068")
async def test_after_a_cut_no_word_is_shown_though_it_has_arrived() -> None:
    gate = asyncio.Event()
    taken = Taken(*deltas("Hel"), gate, *deltas("lo"), ANSWER)
    await taken.draft.seen.wait()
    gate.set()
    taken.turn.cut()
    assert (await taken.turn.reply()).text == "Hel"
    assert taken.draft.shown == ["Hel"]
    assert taken.model.closed.is_set()


async def test_a_turn_can_be_cut_before_its_first_step() -> None:
    taken = Taken(ANSWER)
    taken.turn.cut()
    assert (await taken.turn.reply()).status is MessageStatus.CANCELLED
    assert (taken.model.asked, taken.draft.closings) == ([], 1)


async def test_a_cut_that_comes_too_late_changes_nothing() -> None:
    taken = Taken(ANSWER)
    closed = await taken.turn.reply()
    taken.turn.cut()
    assert await taken.turn.reply() is closed
    assert closed.status is MessageStatus.COMPLETE


async def test_a_turn_that_is_dropped_has_no_end_and_leaves_nothing_open() -> None:
    taken = Taken(*deltas("Hel"), asyncio.Event())
    await taken.draft.seen.wait()
    with capture_logs() as lines:
        await taken.turn.drop()
    assert (taken.model.closed.is_set(), taken.draft.closings, lines) == (True, 1, [])
    with pytest.raises(asyncio.CancelledError):
        await taken.turn.reply()


async def test_a_turn_that_is_dropped_before_its_first_step_leaves_no_draft_open() -> None:
    taken = Taken(asyncio.Event())
    await taken.turn.drop()
    assert taken.draft.closings == 1


async def test_who_gives_up_waiting_does_not_end_the_turn() -> None:
    gate = asyncio.Event()
    taken = Taken(gate, ANSWER)
    for wait in (asyncio.ensure_future(taken.turn.over()), asyncio.ensure_future(taken.turn.reply())):
        await taken.model.begun.wait()
        wait.cancel()
        await asyncio.wait({wait})
    gate.set()
    assert (await taken.turn.reply()).status is MessageStatus.COMPLETE


async def test_a_bug_is_raised_and_leaves_no_draft_open() -> None:
    taken = Taken(ZeroDivisionError())
    await taken.turn.over()
    with pytest.raises(ZeroDivisionError):
        await taken.turn.reply()
    assert taken.draft.closings == 1


async def test_a_stream_that_ends_without_a_reply_is_a_bug() -> None:
    with pytest.raises(AssertionError):
        await ended(*deltas("Hel"))


async def test_the_log_tells_how_a_turn_began_and_ended_and_not_what_was_said() -> None:
    with capture_logs() as lines:
        await ended(PRICED, *deltas("Hello"), ModelFailed(FailureKind.CUT))
    assert lines == [
        {"event": "turn_began", "log_level": "info", "status": "streaming"},
        {"event": "model_asked", "log_level": "info", "roles": "u"},
        {
            "event": "turn_ended",
            "log_level": "warning",
            "status": "failed",
            "kind": "cut",
            "reference": "req_1",
            "tokens": 1_001,
            "cost": "0.00201",
            "rounds": 0,
        },
    ]


def test_the_prompt_explains_every_mark_that_the_transcript_makes() -> None:
    rows = (said(1, "one", OTHER, "Ann"), note(2, "two"))
    (message,) = build_api_messages(conversation(head=2), rows)
    assert '<message from="' in message["content"]
    assert "<note>" in message["content"]
    assert '<message from="' in SYSTEM
    assert "<note>" in SYSTEM


@pytest.mark.req("SE-11")
@pytest.mark.parametrize(
    ("script", "threads"),
    [
        (answers(text="A short one."), 1),
        (answers(text="[" * 5_000), 2),
        ([*deltas("[" * 5_000), ModelFailed(FailureKind.CUT)], 2),
    ],
    ids=["the thread is laid out", "a long answer is cleaned", "what had come of one that failed is cleaned"],
)
@virtual
async def test_long_texts_of_a_turn_keep_nobody_else_waiting(script: Sequence[Part], threads: int) -> None:
    await ended(*script)
    assert threads_asked_for() == threads


@pytest.mark.req("FA-11")
@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("rate", "is filling in the table…"),
        ("note_item", "is taking notes…"),
        ("ready_to_summarize", "is getting ready to write up the step…"),
        ("some_tool", texts.AT_WORK),
    ],
)
async def test_while_the_model_writes_a_call_the_status_says_what_it_is_about(tool: str, words: str) -> None:
    taken = Taken(CallBegun(tool=tool), ANSWER)
    await taken.turn.reply()
    assert taken.draft.activities == [texts.STILL_THINKING, words]


@pytest.mark.req("FA-23")
def test_a_table_in_an_answer_is_asked_to_be_narrow() -> None:
    assert "At most one table in an answer, with at most three columns." in SYSTEM


@pytest.mark.req("FA-24")
async def test_the_first_words_are_handed_on_before_the_model_says_more() -> None:
    more = asyncio.Event()
    taken = Taken(*deltas("Hello "), more, *deltas("there."), ANSWER)
    async with asyncio.timeout(5):
        await taken.draft.seen.wait()
    assert taken.draft.shown == ["Hello "]
    more.set()
    await taken.turn.reply()


@pytest.mark.req("AG-19")
def test_whatever_stands_before_the_messages_is_in_the_digest_of_the_prelude() -> None:
    others = [
        digest_prelude(replace(SETTINGS, model="claude-y"), "Help."),
        digest_prelude(replace(SETTINGS, account="b"), "Help."),
        digest_prelude(SETTINGS, "Help. "),
    ]
    assert digest_prelude(replace(SETTINGS, max_tokens=200), "Help.") == digest_prelude(SETTINGS, "Help.")
    assert digest_prelude(SETTINGS, "Help.") not in others


@pytest.mark.req("IN-04")
async def test_what_could_not_be_read_of_a_file_stands_above_the_answer_while_it_grows_and_when_it_is_over() -> None:
    notice, draft = "📎 I may not read `offer.pdf`.", PaperDraft()
    tools = ThreadToolset(RUNNING, (), lambda: "1770000000.000001")
    prompt = TurnPrompt(RUNNING, ROWS, tools, notice=notice)
    closed = await TurnTask(ScriptedModel(answers(text="Then tell me.")), SETTINGS, prompt, draft).reply()
    assert closed.text == f"{notice}\n\nThen tell me."
    assert draft.shown == [closed.text]
