"""What becomes of a deleted message's words in the step that quoted them: they go, and what was made of them stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.call import DraftExtracted
from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import Message, Role
from app.core.conversation.effect import RedactQuotes, ShowCard
from app.core.conversation.redaction import DELETED, Redaction
from app.core.state.goal import TAKEN_BACK
from app.core.state.interview import Inconsistency, VouchedFigure
from app.core.state.question import Question, QuestionKind, QuestionState
from tests.unit.core.interviews import FLAGGED, READY, StepThread, complete, confirming, drafted, extracting, gathering
from tests.unit.core.live import INPUT, Live
from tests.unit.core.threads import OTHER, OWNER, deleted

WORDS = "It is about evenings."
"""What the owner says in each of these threads first."""

REMARK = {"message_id": DELETED, "quote": TAKEN_BACK}


def quoting(message: str = "", quote: str = "about  Evenings", name: str = "Faster response") -> Mapping[str, Any]:
    """A draft with one item that quotes a message."""
    source = {"message_id": message} if message else {}
    return {"objectives": [{"handle": "O1", "name": name, "evidence": [{"quote": quote, **source}]}]}


UNQUOTED = {"objectives": [{"handle": "O1", "name": "Faster response", "evidence": [REMARK]}]}


def first(step: StepThread) -> Message:
    return next(row for row in step.transcript if row.role is Role.PERSON)


def deletes(step: StepThread, row: Message | None = None) -> StepThread:
    """The owner deletes a message, the first one unless another is meant."""
    event = deleted(row or first(step))
    step.apply(event, event.receipt, quoting=tuple(step.transcript))
    return step


# --- from data


@pytest.mark.parametrize(
    ("quote", "gone", "goes"),
    [
        (quoting("1.1"), Redaction({"1.1"}), True),
        (quoting("1.2"), Redaction({"1.1"}, (WORDS,)), False),
        (quoting(), Redaction({"1.1"}, ("Else.", WORDS)), True),
        (quoting(), Redaction({"1.1"}), False),
        (quoting(quote=" "), Redaction({"1.1"}, (WORDS,)), False),
        (quoting("by hand"), Redaction({"1.1"}, (WORDS,)), False),
        (quoting(quote=7), Redaction({"1.1"}, (WORDS,)), False),  # pyright: ignore[reportArgumentType]
    ],
    ids=["named", "of another", "same words", "no words", "empty", "written by hand", "no text"],
)
def test_a_quote_goes_with_its_message_and_with_its_words_where_no_message_is_named(
    quote: Mapping[str, Any], gone: Redaction, goes: bool
) -> None:
    assert gone.from_data(quote) == (UNQUOTED if goes else quote)


def test_quotes_go_from_what_tools_were_called_with_and_from_what_was_approved() -> None:
    wish = [{"role": "assistant", "content": [{"type": "tool_use", "input": {"quote": "about evenings", "list": "x"}}]}]
    row = Message(seq=1, role=Role.NOTE, text="", data=json.dumps(quoting()), content=json.dumps(wish))
    without = Redaction({"1.1"}, (WORDS,)).from_row(row)
    assert json.loads(without.data) == UNQUOTED
    assert "evenings" not in without.content
    assert '"list": "x"' in without.content


def test_a_row_that_quotes_nothing_of_it_stays_as_it_is_to_the_letter() -> None:
    row = Message(seq=1, role=Role.NOTE, text="", data='{"a":[1, {"quote":"Else"}]}', content='[ {"b": null}]')
    assert Redaction({"1.1"}, (WORDS,)).from_row(row) == row


# --- from what tools have read, and from answers


def read(found: str) -> Message:
    """A reply with the result of a tool."""
    result = {"type": "tool_result", "tool_use_id": "t1", "content": found}
    return Message(
        seq=1, role=Role.ASSISTANT, text="Read.", content=json.dumps([{"role": "user", "content": [result]}])
    )


def brought(row: Message) -> Any:
    return json.loads(row.content)[0]["content"][0]["content"]


def heard(text: str, user: str = OWNER) -> dict[str, str]:
    return {"from": "Ann", "user": user, "text": text}


def listed(*entries: Mapping[str, Any]) -> str:
    return json.dumps({"query": {"file": "a.csv"}, "messages": entries})


@pytest.mark.parametrize(
    "entry",
    [heard(WORDS), heard(f"@Threadwise {WORDS}"), {**heard("Else."), "answers": [heard("It is   about evenings!")]}],
    ids=["as it is", "with a mention", "an answer below another"],
)
def test_what_a_tool_has_read_of_a_message_goes_with_it(entry: dict[str, Any]) -> None:
    row = read(listed(entry, heard("Another.")))
    told = brought(Redaction({"1.1"}, (WORDS,), author=OWNER).from_row(row))
    assert "evenings" not in told
    assert TAKEN_BACK in told
    assert "Another." in told


@pytest.mark.parametrize(
    "found",
    [
        listed(heard(WORDS, OTHER)),
        listed({"text": WORDS}),
        listed(heard("About something else.")),
        listed({**heard(WORDS), "text": 7}),
        WORDS,
        json.dumps([WORDS]),
    ],
    ids=["of somebody else", "of nobody", "other words", "no text", "words of the app", "no object"],
)
def test_what_a_tool_has_read_of_others_stays_to_the_letter(found: str) -> None:
    row = read(found)
    assert Redaction({"1.1"}, ("", WORDS), author=OWNER, files=("b.csv",)).from_row(row) == row


@pytest.mark.parametrize(
    ("entry", "goes"),
    [
        (heard("ok"), True),
        (heard("@Threadwise OK!"), True),
        (heard("We took Berlin."), False),
        ({**heard("ok"), "at": "1970-01-01 01:00+01:00"}, True),
        ({**heard("ok"), "at": "1970-01-01 01:01+01:00"}, False),
        ({**heard("ok"), "at": ""}, True),
        ({**heard("ok"), "at": None}, True),
    ],
    ids=["it", "with a mention", "within a word", "its minute", "of another minute", "of no time", "of nothing"],
)
def test_a_short_message_takes_none_with_it_that_only_looks_alike(entry: dict[str, Any], *, goes: bool) -> None:
    row = read(listed(entry))
    told = brought(Redaction({"1.1"}, ("ok",), author=OWNER).from_row(row))
    assert (TAKEN_BACK in told) is goes


@pytest.mark.parametrize("found", [{"type": "tool_result"}, {"type": "tool_result", "content": ["a"]}])
def test_an_input_that_looks_like_a_result_stays_as_the_model_gave_it(found: dict[str, Any]) -> None:
    assert Redaction({"1"}).from_data([found]) == [found]


def test_a_long_message_that_a_tool_cut_goes_as_well() -> None:
    row = read(listed(heard(f"{WORDS * 20} …")))
    assert "evenings" not in brought(Redaction({"1.1"}, (WORDS * 40,), author=OWNER).from_row(row))


def test_what_a_tool_has_read_of_a_file_goes_with_it_and_its_name_stays() -> None:
    row = read(json.dumps({"query": {"file": "a.csv"}, "text": "B3: 937"}))
    assert json.loads(brought(Redaction((), files=("a.csv",)).from_row(row))) == {
        "query": {"file": "a.csv"},
        "text": TAKEN_BACK,
    }
    assert Redaction((), files=("b.csv",)).from_row(row) == row
    unasked = read(json.dumps({"query": "a.csv", "text": "B3: 937"}))
    assert Redaction((), files=("a.csv",)).from_row(unasked) == unasked


ASKED = Question(id="1", kind=QuestionKind.CHOICE, prompt="When?", options=("Mornings",), other=True, asked_at="1.0")
ANSWERED = QuestionCard(question=ASKED, owner=OWNER, state=QuestionState.ANSWERED, answer="about evenings", by=OWNER)


@pytest.mark.parametrize(
    ("card", "message", "goes"),
    [
        (ANSWERED, "1.1", True),
        (ANSWERED, "0.9", False),
        (replace(ANSWERED, mapped=True), "0.9", True),
        (replace(ANSWERED, answer="about even…"), "1.1", True),
        (replace(ANSWERED, answer="Nights"), "1.1", False),
        (replace(ANSWERED, question=replace(ASKED, options=("About evenings", "about evenings"))), "1.1", False),
        (replace(ANSWERED, by=OTHER), "1.1", False),
    ],
    ids=["given by it", "said before", "read in it", "cut", "other words", "a button's", "of somebody else"],
)
def test_a_free_answer_goes_from_its_card_with_the_message_that_gave_it(
    card: QuestionCard, message: str, goes: bool
) -> None:
    row = Message(seq=1, role=Role.CARD, text="", card=card)
    after = Redaction({message}, (WORDS,), author=OWNER).from_row(row).card
    assert after == (replace(card, answer=TAKEN_BACK) if goes else card)


def test_the_card_of_an_answer_that_is_deleted_is_shown_without_it() -> None:
    live = Live().talks("Hi", INPUT).posts_cards().says("It is 5432 a month")
    row = next(row for row in live.transcript if row.text == "It is 5432 a month")
    live.replies().apply(deleted(row), "d", targets=(row,), quoting=tuple(live.transcript))
    assert [effect.card for effect in live.new(ShowCard)] == [live.shown(QuestionCard).seq]
    assert "5432" not in f"{live.now} {live.transcript}"


# --- from a step


@pytest.mark.parametrize("message", ["", "its own"])
def test_a_draft_that_waits_for_approval_loses_the_quote_and_nothing_else(message: str) -> None:
    step = extracting()
    step.extracts(drafted(quoting(message and first(step).ts))).posts_cards()
    edition = step.lead.edition
    deletes(step)
    assert step.lead.drafted is not None
    assert step.lead.draft == step.lead.drafted.draft == UNQUOTED
    assert (step.waits.missing, step.lead.edition) == ((), edition), "an open window of it may still be saved"
    assert "evenings" not in f"{step.now} {step.transcript}".casefold()


def test_a_draft_of_a_message_that_was_not_deleted_keeps_its_quote() -> None:
    step = extracting()
    step.extracts(drafted(quoting(first(step).ts))).posts_cards().says("More.").replies()
    before = step.lead.draft
    deletes(step, next(row for row in step.transcript if row.text == "More."))
    assert step.lead.draft == before


def test_what_was_approved_is_kept_without_the_quote_and_stays_approved() -> None:
    step = extracting()
    step.extracts(drafted(quoting(first(step).ts))).posts_cards().clicks("0").posts_cards()
    message = first(step).ts
    deletes(step)
    assert [effect.message for effect in step.new(RedactQuotes)] == [message]
    assert step.now.approved == 1
    assert [json.loads(row.data) for row in step.transcript if row.data] == [UNQUOTED]


def test_before_anything_is_approved_there_is_nothing_to_take_it_out_of() -> None:
    assert deletes(confirming()).new(RedactQuotes) == []
    assert deletes(complete()).new(RedactQuotes) != []


def test_a_draft_that_was_under_way_when_its_message_was_deleted_comes_without_the_quote() -> None:
    step = extracting()
    message = first(step).ts
    deletes(step).extracts(drafted(quoting(message)))
    assert step.lead.draft == UNQUOTED
    (came,) = [call for row in step.transcript for call in row.calls if isinstance(call, DraftExtracted)]
    assert came.drafted.draft == UNQUOTED


def test_no_message_that_was_deleted_comes_back_with_a_draft_though_another_one_was_deleted_later() -> None:
    step = extracting().says("More.")
    message, later = first(step).ts, next(row for row in step.transcript if row.text == "More.")
    deletes(deletes(step), later)
    assert step.lead.taken_back == (message, later.ts)
    assert step.extracts(drafted(quoting(message))).lead.draft == UNQUOTED


def test_a_figure_that_a_message_was_given_for_counts_as_said_until_the_message_is_deleted() -> None:
    step = gathering().says("10 would.")
    figure = VouchedFigure(text="10", by=OWNER, at=first(step).ts)
    for _ in range(2):
        step.replies("Noted.", replace(step.notes(quoting(first(step).ts)), vouched=(figure,))).says("More.")
        assert step.lead.vouched == (figure,)
    assert deletes(step).lead.vouched == ()


def test_what_is_noted_in_a_turn_that_had_read_the_message_counts_without_the_quote() -> None:
    step = gathering().says("More.")
    notes = step.notes(quoting(first(step).ts))
    deletes(step).replies("Noted.", notes, READY)
    assert step.lead.draft == UNQUOTED
    assert step.reply.seq == step.now.head, "the result is written next"


def test_a_window_that_was_open_when_the_message_was_deleted_brings_no_quote_back() -> None:
    step = gathering()
    message = first(step).ts
    deletes(step).edits(drafted(quoting(message)), said="I changed O1.")
    assert step.lead.draft == UNQUOTED


def test_the_reply_under_way_is_written_by_whoever_writes_it() -> None:
    step = gathering().says("More.")
    step.rows[step.reply.seq] = replace(step.reply, data=json.dumps(quoting(first(step).ts)))
    deletes(step)
    assert step.reply.seq not in [row.seq for row in step.made.messages]


def test_two_things_that_do_not_fit_are_told_without_what_was_deleted() -> None:
    found = Inconsistency(about="O1", one="About evenings", other="It does not matter.")
    step = gathering().answers("These do not fit.", replace(FLAGGED, found=found))
    assert deletes(step).lead.inconsistencies == (replace(found, one=TAKEN_BACK),)


def test_in_a_free_thread_nothing_is_looked_for() -> None:
    live = Live().talks(WORDS)
    event = deleted(next(row for row in live.transcript if row.role is Role.PERSON))
    live.apply(event, event.receipt)
    assert live.new(RedactQuotes) == []
