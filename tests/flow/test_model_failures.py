"""When the model fails: a kind sentence, a reference, and *Retry* where it helps."""

from __future__ import annotations

import json

import pytest

from app.agent.claude.retry import PAUSES
from app.agent.endings import CUT_CALL, CUT_EARLY
from app.core.copy import texts
from app.core.errors import FailureKind
from app.playground.claude import Cut, HttpFault, NoAnswer, Text, Thinking, ToolCall, Turn
from app.playground.claude.api.script import Part
from app.playground.slack.values.model import Message
from tests.contract.model.gateway import HTML, OPENAI, PLAIN, Gateway, standing
from tests.flow.chat import Chat, chatting, text_of
from tests.told import words

REQUESTS = 1 + len(PAUSES)
"""How often the model is asked before a person hears that it is away."""

AWAY = [Turn(text="", fault=HttpFault(529))] * REQUESTS

KINDS = [
    (HttpFault(529), FailureKind.BUSY, True),
    (HttpFault(500), FailureKind.BUSY, True),
    (HttpFault(429, retry_after=1), FailureKind.LIMITED, True),
    (HttpFault(429, error_code="enforced_spend_limit_reached"), FailureKind.SPENT, False),
    (HttpFault(401), FailureKind.MISCONFIGURED, False),
    (HttpFault(403), FailureKind.MISCONFIGURED, False),
    (HttpFault(404), FailureKind.MISCONFIGURED, False),
    (HttpFault(413), FailureKind.TOO_LONG, False),
    (HttpFault(400), FailureKind.INVALID, False),
    (Cut("overloaded", after=8), FailureKind.BUSY, True),
    (Cut("dropped", after=8), FailureKind.CUT, True),
    (Cut("ended", after=8), FailureKind.CUT, True),
    (Cut("malformed", after=8), FailureKind.CUT, True),
]


async def ends(chat: Chat, said: str, words: str) -> tuple[str, Message]:
    """A thread in which the answer has ended with these words, and its message."""
    thread = await chat.says(said)
    shown = await chat.sees(words, thread=thread)
    await chat.rests()
    return thread, shown


@pytest.mark.parametrize(("fault", "kind", "retry"), KINDS, ids=lambda value: str(value)[:40])
async def test_a_failure_is_told_kindly_with_a_reference(
    mongo_uri: str, fault: HttpFault | Cut, kind: FailureKind, retry: bool
) -> None:
    async with chatting(mongo_uri) as chat:
        chat.will_answer(*[Turn(text="I was about to say something.", fault=fault)] * REQUESTS)
        thread = await chat.says("@Threadwise hi")
        failed = await chat.sees(texts.FAILURES[kind].replace("*", "*"), thread=thread)
        assert "Reference `" in text_of(failed)
        assert (texts.RETRY in text_of(failed)) is retry
        if isinstance(fault, Cut):
            assert "I was" in text_of(failed)


async def test_retry_after_what_was_asked_is_deleted_asks_the_model_nothing_and_says_why(chat: Chat) -> None:
    chat.will_answer(*AWAY)
    thread, failed = await ends(chat, "@Threadwise hi", texts.RETRY)
    await chat.slack.people.deletes("Maya", "#general", thread)
    await chat.rests()
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    await chat.sees(texts.TAKEN_BACK, thread=thread)
    assert len(chat.claude.requests) == REQUESTS


LONG = {"retry-after": "600"}
GATEWAYS = [
    (Gateway(401, OPENAI, "application/json"), FailureKind.MISCONFIGURED, False),
    (Gateway(403, HTML), FailureKind.MISCONFIGURED, False),
    (Gateway(404, b""), FailureKind.MISCONFIGURED, False),
    (Gateway(200, HTML), FailureKind.MISCONFIGURED, False),
    (Gateway(413, HTML), FailureKind.TOO_LONG, False),
    (Gateway(408, HTML, headers=LONG), FailureKind.TIMEOUT, True),
    (Gateway(429, PLAIN, "application/json", LONG), FailureKind.LIMITED, True),
    (Gateway(503, OPENAI, "application/json", LONG, torn=True), FailureKind.BUSY, True),
]
"""Those that would be asked once more want us to wait for longer than anybody would."""


@pytest.mark.req("MW-19")
async def test_what_a_gateway_answers_instead_of_the_model_is_told_by_its_status(mongo_uri: str) -> None:
    async with standing(Gateway()) as gateway, chatting(mongo_uri, anthropic_base_url=gateway.url) as chat:
        for each, kind, retry in GATEWAYS:
            gateway.becomes(each)
            thread = await chat.says("@Threadwise hi")
            failed = await chat.sees(texts.FAILURES[kind], thread=thread)
            assert "Reference `" in text_of(failed)
            assert (texts.RETRY in text_of(failed)) is retry, each
    logged = [json.loads(line) for line in chat.heard.getvalue().splitlines()]
    assert [row["kind"] for row in logged if row["event"] == "turn_ended"] == [kind for _, kind, _ in GATEWAYS]
    assert gateway.asked == len(GATEWAYS)
    answered = {(row["url"], row["status"], row["kind"]) for row in logged if row["event"] == "gateway_answered"}
    assert (gateway.url, 403, "misconfigured") in answered


@pytest.mark.req("AG-01")
async def test_a_model_that_never_answers_is_given_up_in_time(mongo_uri: str) -> None:
    async with chatting(mongo_uri, request_seconds=0.5) as chat:
        chat.will_answer(*[Turn(text="x", fault=NoAnswer())] * REQUESTS)
        thread = await chat.says("@Threadwise hi")
        await chat.sees(texts.FAILURES[FailureKind.TIMEOUT], thread=thread)


@pytest.mark.req("AG-01")
async def test_a_stream_that_stalls_is_given_up_in_time(mongo_uri: str) -> None:
    async with chatting(mongo_uri, request_seconds=0.8) as chat:
        chat.will_answer(Turn(text="I was about to", fault=Cut("pings_only", after=5, every=0.1)))
        thread = await chat.says("@Threadwise hi")
        failed = await chat.sees(texts.FAILURES[FailureKind.TIMEOUT], thread=thread)
        assert "I was" in text_of(failed)


@pytest.mark.req("AG-01")
async def test_silence_within_the_words_has_a_limit_of_its_own_which_is_not_that_of_a_thought(mongo_uri: str) -> None:
    async with chatting(mongo_uri, idle_seconds=0.5, silent_seconds=90.0, request_seconds=90.0) as chat:
        chat.will_answer(Turn(text="I was about to", fault=Cut("pings_only", after=5, every=0.1)))
        thread = await chat.says("@Threadwise hi")
        failed = await chat.sees(texts.FAILURES[FailureKind.TIMEOUT], thread=thread)
        assert "I was" in text_of(failed)


async def test_retry_answers_in_the_same_message(chat: Chat) -> None:
    chat.will_answer(*AWAY, "Here I am again.")
    thread, failed = await ends(chat, "@Threadwise hi", texts.RETRY)
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    answer = await chat.sees("Here I am again.", thread=thread)
    await chat.rests()
    assert answer.ts == failed.ts
    assert [text_of(m) for m in chat.thread(thread)] == ["Here I am again."]
    assert words(chat.claude.requests[-1].prompt.last_user_text) == "hi"


@pytest.mark.req("S0-044")
async def test_only_the_owner_may_retry(chat: Chat) -> None:
    chat.will_answer(*AWAY)
    thread, failed = await ends(chat, "@Threadwise hi", texts.RETRY)
    await chat.slack.people.clicks("Sam", "#general", failed.ts, "retry")
    await chat.sees("can do that here", who="Sam", thread=thread)
    assert len(chat.claude.requests) == REQUESTS


async def test_a_late_second_click_on_retry_is_told_that_it_is_done(chat: Chat) -> None:
    chat.will_answer(*AWAY, "Done now.")
    thread, failed = await ends(chat, "@Threadwise hi", texts.RETRY)
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    await chat.sees("Done now.", thread=thread)
    await chat.rests()
    assert len(chat.claude.requests) == REQUESTS + 1


@pytest.mark.req("MW-20")
async def test_a_retry_goes_away_when_a_later_answer_overtakes_it_and_an_old_click_is_answered_kindly(
    chat: Chat,
) -> None:
    chat.will_answer(*AWAY, "Later, then.", "And once more.")
    thread, failed = await ends(chat, "@Threadwise hi", texts.RETRY)
    await chat.says("are you there?", thread=thread)
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    await chat.sees(texts.ALREADY_DONE, thread=thread)
    await chat.sees("Later, then.", thread=thread)
    await chat.rests()
    first, second = [message for message in chat.thread(thread) if not message.seen_by]
    assert (first.ts, text_of(second)) == (failed.ts, "Later, then.")
    assert texts.FAILURES[FailureKind.BUSY] in text_of(first)
    assert texts.RETRY not in text_of(first)
    await chat.says("and?", thread=thread)
    await chat.sees("And once more.", thread=thread)
    await chat.rests()
    edits = [call["args"]["ts"] for call in chat.calls("chat.update")]
    assert edits.count(failed.ts) == 1, "what was taken away is not taken away again"


async def test_an_answer_that_was_too_long_goes_on_by_a_button(chat: Chat) -> None:
    chat.will_answer(Turn(text="And then", stop_reason="max_tokens"), "it ended.")
    thread, cut = await ends(chat, "@Threadwise a story", texts.TRUNCATED)
    await chat.slack.people.clicks("Maya", "#general", cut.ts, "continue")
    await chat.sees("it ended.", thread=thread)
    await chat.rests()
    assert words(chat.claude.requests[-1].prompt.last_user_text) == texts.GO_ON
    assert [text_of(message) for message in chat.thread(thread)] == ["And then", "it ended."]


@pytest.mark.parametrize(
    "last", [Thinking("What next?"), ToolCall("update_goal", {}, raw='{"a')], ids=["thought", "call"]
)
async def test_an_answer_that_was_cut_behind_a_second_thought_goes_on(chat: Chat, last: Part) -> None:
    parts = [Thinking("A story."), Text("And then"), Thinking("How does it end?"), last]
    chat.will_answer(Turn(parts=parts, stop_reason="max_tokens"), "it ended.")
    thread, cut = await ends(chat, "@Threadwise a story", texts.TRUNCATED)
    await chat.slack.people.clicks("Maya", "#general", cut.ts, "continue")
    await chat.sees("it ended.", thread=thread)


@pytest.mark.parametrize(
    ("part", "lost"),
    [(Thinking("What now?"), CUT_EARLY), (ToolCall("create_file", {}, raw='{"name": "a.md", "con'), CUT_CALL)],
    ids=["thought", "call"],
)
async def test_an_answer_that_was_cut_before_its_first_word_is_made_in_the_same_message_by_a_model_that_knows_it(
    chat: Chat, part: Part, lost: str
) -> None:
    chat.will_answer(Turn(parts=[part], stop_reason="max_tokens"), "A short one.")
    thread, cut = await ends(chat, "@Threadwise write all of it into a file", texts.TRUNCATED)
    await chat.slack.people.clicks("Maya", "#general", cut.ts, "continue")
    await chat.sees("A short one.", thread=thread)
    await chat.rests()
    assert [(each.ts, text_of(each)) for each in chat.thread(thread)] == [(cut.ts, "A short one.")]
    asked, told, again = chat.claude.requests[-1].prompt.messages
    assert (asked.role, told.text, words(again.text)) == ("user", lost, texts.GO_ON)


async def test_a_refusal_is_told_as_one(chat: Chat) -> None:
    chat.will_answer(
        Turn(text="", stop_reason="refusal", stop_details={"type": "refusal", "category": None, "explanation": None})
    )
    thread = await chat.says("@Threadwise something bad")
    await chat.sees(texts.REFUSED, thread=thread)


async def test_what_was_corrected_after_a_failure_is_read_by_the_retry(chat: Chat) -> None:
    chat.will_answer(*AWAY, "Rome.")
    thread, failed = await ends(chat, "@Threadwise what is the capital of Frnace?", texts.RETRY)
    await chat.slack.people.edits("Maya", "#general", thread, "@Threadwise what is the capital of Italy?")
    await chat.settled_inbox(2)
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    answer = await chat.sees("Rome.", thread=thread)
    assert answer.ts == failed.ts
    assert "Italy" in chat.claude.requests[-1].prompt.last_user_text


async def test_a_flow_in_which_the_api_would_not_take_a_request_fails_however_it_looks(mongo_uri: str) -> None:
    async def flow() -> None:
        async with chatting(mongo_uri) as chat:
            thread = await chat.says("@Threadwise hi")
            await chat.sees(texts.FAILURES[FailureKind.INVALID], thread=thread)

    with pytest.raises(AssertionError, match="no scripted turn answers"):
        await flow()
