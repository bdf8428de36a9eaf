"""One turn with the model: what is asked, what is shown, and how the reply is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.agent.turn import MAX_REPLY_BYTES, SYSTEM, TurnSettings, new_reference, take_turn
from app.core.context import api_messages
from app.core.errors import FailureKind, ModelFailed
from app.core.model import Conversation, Message, MessageStatus, Turn, Usage
from app.ports import ModelReply, ModelRequest, TextDelta
from tests.unit.core.threads import OTHER, conversation, note, reply, said

SETTINGS = TurnSettings(model="claude-x", max_tokens=1_000, context_tokens=32_000)
ROWS = (said(1, "Hi"), reply(2, "", MessageStatus.STREAMING, parts=("9.1",)), said(3, "later"))
RUNNING = conversation(head=3, turn=Turn(id="2.1", reply=2))
ANSWER = ModelReply(
    text="Hello",
    content='[{"type":"text","text":"Hello"}]',
    status=MessageStatus.COMPLETE,
    usage=Usage(input_tokens=7, output_tokens=2),
    model="claude-x-1",
    reference="req_1",
)


class ScriptedModel:
    """Implements `Model`: says what it was told to say, and raises what it was told to raise."""

    def __init__(self, *script: TextDelta | ModelReply | Exception) -> None:
        self._script = script
        self.asked: list[ModelRequest] = []
        self.closed = asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        self.asked.append(request)
        try:
            for part in self._script:
                if isinstance(part, Exception):
                    raise part
                yield part
        finally:
            self.closed.set()


class PaperDraft:
    """Implements `Draft`: keeps what it was offered."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.closed = False

    def show(self, text: str) -> None:
        assert not self.closed
        self.shown.append(text)

    async def close(self) -> tuple[str, ...]:
        self.closed = True
        return ("9.1", "9.2")


async def ended(model: ScriptedModel, draft: PaperDraft, now: Conversation = RUNNING) -> Message:
    return await take_turn(model, SETTINGS, now, ROWS, draft)


def deltas(*texts: str) -> list[TextDelta]:
    return [TextDelta(text=text) for text in texts]


async def test_the_model_is_asked_with_the_transcript_below_its_reply() -> None:
    model = ScriptedModel(ANSWER)
    await ended(model, PaperDraft())
    assert model.asked == [
        ModelRequest(model="claude-x", system=SYSTEM, messages=api_messages(RUNNING, ROWS), max_tokens=1_000)
    ]
    assert model.asked[0].messages == [{"role": "user", "content": "Hi"}]


async def test_the_answer_is_shown_as_it_grows_and_closed_as_the_model_gave_it() -> None:
    draft = PaperDraft()
    closed = await ended(ScriptedModel(*deltas("Hel", "lo"), ANSWER), draft)
    assert draft.shown == ["Hel", "Hello"]
    assert draft.closed
    assert closed == replace(
        ROWS[1],
        text="Hello",
        content=ANSWER.content,
        status=MessageStatus.COMPLETE,
        usage=ANSWER.usage,
        model="claude-x-1",
        reference="req_1",
        parts=("9.1", "9.2"),
    )


@pytest.mark.parametrize("kind", FailureKind)
async def test_a_failure_of_the_model_is_a_reply_that_keeps_the_words_that_came(kind: FailureKind) -> None:
    draft = PaperDraft()
    closed = await ended(ScriptedModel(*deltas("Hel"), ModelFailed(kind, "req_2")), draft)
    assert (closed.status, closed.failure, closed.reference) == (MessageStatus.FAILED, kind.value, "req_2")
    assert (closed.text, closed.content, closed.parts) == ("Hel", "", ("9.1", "9.2"))
    assert draft.closed


async def test_a_failure_without_the_vendors_reference_gets_one_of_ours() -> None:
    closed = await ended(ScriptedModel(ModelFailed(FailureKind.TIMEOUT)), PaperDraft())
    assert closed.reference.startswith("tw-")


def test_no_two_references_are_the_same() -> None:
    assert len({new_reference() for _ in range(100)}) == 100


async def test_an_answer_over_100000_bytes_is_refused_and_its_stream_stopped() -> None:
    model, draft = ScriptedModel(*deltas("ä" * (MAX_REPLY_BYTES // 2), "x", "never read"), ANSWER), PaperDraft()
    closed = await ended(model, draft)
    assert (closed.status, closed.failure) == (MessageStatus.FAILED, FailureKind.OVERSIZED.value)
    assert [len(text.encode()) for text in draft.shown] == [MAX_REPLY_BYTES]
    assert "never read" not in closed.text
    await model.closed.wait()


async def test_an_answer_of_exactly_100000_bytes_is_taken() -> None:
    text = "ä" * (MAX_REPLY_BYTES // 2)
    closed = await ended(ScriptedModel(*deltas(text), replace(ANSWER, text=text)), PaperDraft())
    assert closed.status is MessageStatus.COMPLETE


async def test_a_bug_is_raised_and_leaves_no_draft_open() -> None:
    draft = PaperDraft()
    with pytest.raises(ZeroDivisionError):
        await ended(ScriptedModel(ZeroDivisionError()), draft)
    assert draft.closed


async def test_a_stream_that_ends_without_a_reply_is_a_bug() -> None:
    with pytest.raises(AssertionError):
        await ended(ScriptedModel(*deltas("Hel")), PaperDraft())


def test_the_prompt_explains_every_mark_that_the_transcript_makes() -> None:
    rows = (said(1, "one", OTHER, "Ann"), note(2, "two"))
    (message,) = api_messages(conversation(head=2), rows)
    assert '<message from="' in message["content"]
    assert "<note>" in message["content"]
    assert '<message from="' in SYSTEM
    assert "<note>" in SYSTEM
