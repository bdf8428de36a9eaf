"""The turn of a held conversation: what the model is sent, what comes of each piece of its stream, and how it ends."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Turn
from app.core.conversation.effect import PostEphemeral
from app.core.conversation.shared_file import SharedFile
from app.core.copy import file_access, texts
from app.core.errors import FailureKind, ModelFailed
from app.core.events.acts import StopRequested
from app.core.owners import Membership, Owners
from app.core.state.interview import Mode, Phase
from app.core.state.status import TurnState
from app.core.text.marks import FORM
from app.core.turns.history import CHARS_PER_TOKEN
from app.core.turns.rate_limits import Allowance, sum_tokens
from app.decision.playbook.step_prompt import build_system_prompt
from app.ports import ModelReply, TextDelta
from app.runtime.limits import Limits, LimitSettings
from tests.unit.agent.scripted import COST, COUNTED, Part, answers, deltas
from tests.unit.core.interviews import StepThread
from tests.unit.decision.components.worked import KEYS, PLAYBOOK
from tests.unit.voiced import TURN, Voiced

DOCUMENT = Path(__file__).parents[3] / "docs" / "decisions.md"


def sent(voiced: Voiced) -> str:
    """The words of the newest request, but for its system prompt."""
    return "".join(str(message["content"]) for message in voiced.model.asked[-1].messages)


# --- what the model is sent


@pytest.mark.req("S0-237")
@pytest.mark.parametrize("key", KEYS)
async def test_every_turn_of_a_step_has_its_system_prompt_however_long_the_talk_was(key: str) -> None:
    budget = PLAYBOOK[key].context_tokens * CHARS_PER_TOKEN
    for texts_ in (["Hello"], ["x" * (budget // 3)] * 4):
        voiced = Voiced(answers(text="I see."))
        await voiced.begins(key, *texts_)
        await voiced.answering.end()
        assert voiced.model.asked[-1].system == build_system_prompt(PLAYBOOK[key], Mode.INTERACTIVE)


async def test_the_newest_user_turn_says_what_the_phase_wants() -> None:
    voiced = Voiced(answers(text="I see."))
    await voiced.begins("issue_raising", "Hello", phase=Phase.CLARIFY)
    await voiced.answering.end()
    assert f"<step>\nPhase: clarify\n{PLAYBOOK['issue_raising'].guidance[Phase.CLARIFY]}" in sent(voiced)


@pytest.mark.req("S0-239")
@pytest.mark.parametrize("key", ["notes_next_steps", "issue_raising", "consequences"])
@pytest.mark.parametrize(("beyond", "is_cut"), [(-4_000, False), (-200, True), (200, True)])
async def test_what_is_reserved_for_the_answer_is_never_filled_with_what_was_said(
    key: str, beyond: int, is_cut: bool
) -> None:
    component, voiced = PLAYBOOK[key], Voiced(answers(text="I see."))
    left = component.context_tokens - component.reserved_tokens
    await voiced.begins(key, *["x" * (left + beyond)] * CHARS_PER_TOKEN)
    await voiced.answering.end()
    assert ("[Earlier conversation summarized: " in sent(voiced)) is is_cut
    whole = len(sent(voiced)) + len(voiced.model.asked[-1].system)
    assert whole <= left * CHARS_PER_TOKEN, "what stands beside the talk counts as well"


# --- the stream, piece by piece


@pytest.mark.req("S0-257")
async def test_each_piece_of_text_belongs_to_a_row_that_was_there_before_and_the_last_event_is_the_whole() -> None:
    voiced = Voiced([*deltas("Where ", "do you ", "meet?"), *answers(text="")[-1:]])
    row = await voiced.begins("issue_raising", "Hello")
    assert voiced.hold.conversation.turn is not None
    assert voiced.hold.conversation.turn.reply == row.seq
    closed = await voiced.answering.end()
    assert voiced.outlet.paper.shown == ["Where ", "Where do you ", "Where do you meet?"]
    assert (closed.seq, closed.status) == (row.seq, MessageStatus.COMPLETE)
    assert voiced.outlet.paper.closings == 1, "nothing of it is shown after the last event"


@pytest.mark.req("S0-258")
async def test_a_failure_names_the_row_and_what_kind_it_was_and_keeps_what_had_come() -> None:
    voiced = Voiced([*deltas("Where "), COUNTED, ModelFailed(FailureKind.BUSY, reference="req_9")])
    row = await voiced.begins("issue_raising", "Hello")
    closed = await voiced.answering.end()
    assert (closed.seq, closed.status, closed.failure) == (row.seq, MessageStatus.FAILED, FailureKind.BUSY.value)
    assert (closed.text, closed.reference) == ("Where ", "req_9")


@pytest.mark.req("S0-259")
async def test_a_whole_answer_has_its_row_its_text_its_tokens_and_its_cost() -> None:
    voiced = Voiced(answers(text="Where do you meet?"))
    row = await voiced.begins("issue_raising", "Hello")
    closed = await voiced.answering.end()
    assert (closed.seq, closed.text, closed.usage) == (row.seq, "Where do you meet?", COST)
    assert closed.cost == "0.00004", "ten tokens at two dollars a million, and two at ten"


@pytest.mark.req("S0-261", "S0-262")
async def test_a_stream_that_is_cut_is_closed_at_once_and_its_row_keeps_what_had_come() -> None:
    voiced = Voiced([*deltas("Where "), asyncio.Event()])
    row = await voiced.begins("issue_raising", "Hello")
    await voiced.outlet.paper.seen.wait()
    assert not voiced.model.closed.is_set()
    cut = await voiced.answering.cut(MessageStatus.CANCELLED)
    assert voiced.model.closed.is_set()
    assert (cut.seq, cut.status, cut.text) == (row.seq, MessageStatus.CANCELLED, "Where ")


async def test_a_turn_that_was_begun_elsewhere_is_closed_as_its_row_stands() -> None:
    voiced = Voiced([asyncio.Event()])
    row = await voiced.begins("issue_raising", "Hello")
    await voiced.model.begun.wait()
    await voiced.answering.drop()
    assert voiced.model.closed.is_set(), "two processes would write the same reply"
    voiced.holds(voiced.hold.conversation)
    cut = await voiced.answering.cut(MessageStatus.INTERRUPTED)
    assert cut == replace(row, status=MessageStatus.INTERRUPTED)


@pytest.mark.req("S0-263")
def test_stop_where_nothing_is_written_finds_no_stream_and_says_so() -> None:
    step = StepThread().answers()
    assert step.refuses(step.event(StopRequested)) == "NO_STREAM"
    (told,) = step.new(PostEphemeral)
    assert told.text.startswith("Nothing is being written here")


# --- files


FILE = SharedFile(id="F1", name="costs.csv", seq=1, by_owner=True)


async def begun_with(voiced: Voiced, *files: SharedFile) -> Message:
    """Begin to answer a message with a file, and go on when that is read. Of the files these are shared by then."""
    voiced.source.holds["F1"] = b"Berlin 1200"
    row = await voiced.begins("issue_raising", "Hello", files=(FILE,))
    assert voiced.answering.is_reading
    assert voiced.model.asked == [], "nothing is asked before the file is read"
    await voiced.answering.over()
    voiced.hold.conversation = replace(voiced.hold.conversation, files=files)
    await voiced.answering.begin()
    return row


@pytest.mark.req("IN-05")
async def test_a_file_that_is_taken_away_while_it_is_read_is_neither_sent_nor_kept() -> None:
    voiced = Voiced(answers(text="I see."))
    await begun_with(voiced)
    await voiced.answering.end()
    assert "Berlin 1200" not in sent(voiced)
    assert await voiced.store.files.list(voiced.hold.conversation) == ()


async def test_the_reply_that_showed_that_a_file_is_read_is_the_one_that_grows() -> None:
    voiced = Voiced(answers(text="I see."))
    row = await begun_with(voiced, FILE)
    closed = await voiced.answering.end()
    assert "Berlin 1200" in sent(voiced)
    assert (closed.seq, closed.text, len(voiced.outlet.keepers)) == (row.seq, "I see.", 1)
    assert (voiced.outlet.paper.activities[0], voiced.outlet.paper.shown) == (file_access.IS_READING, ["I see."])


# --- budgets


FEW = LimitSettings(user=Allowance(tokens=1), workspace=Allowance())


@pytest.mark.req("SE-07")
async def test_an_extraction_is_looked_at_before_each_of_its_requests() -> None:
    voiced = Voiced(answers(text="They meet on Mondays."), answers(text="Never asked."), limits=FEW)
    await voiced.begins("issue_raising", "Hello", phase=Phase.EXTRACT)
    closed = await voiced.answering.end()
    assert (closed.status, closed.failure, len(voiced.model.asked)) == (
        MessageStatus.FAILED,
        FailureKind.SPENT_TODAY,
        1,
    )
    assert closed.wait > 0


@pytest.mark.req("SE-07")
async def test_what_an_answer_used_is_counted_once_although_it_was_counted_between_its_requests() -> None:
    scripts = (answers(text=text) for text in ("They meet on Mondays.", "Nothing.", "Nothing."))
    voiced = Voiced(*scripts, limits=LimitSettings())
    await voiced.begins("issue_raising", "Hello", phase=Phase.EXTRACT)
    closed = await voiced.answering.end()
    await voiced.answering.settle(closed)
    now = voiced.hold.conversation
    used = Limits(voiced.store.limits, voiced.clock, LimitSettings()).tokens_today(now.thread.team, now.owner)
    assert (await used, len(voiced.model.asked)) == (3 * sum_tokens(COST), 3)


# --- the document of it


@pytest.mark.req("S0-277")
def test_the_events_of_a_reply_are_documented_under_the_names_that_they_have() -> None:
    told = DOCUMENT.read_text("utf-8").partition("## Events of a reply that is being written")[2]
    of_rows = {field.name for field in fields(Message)} & set(re.findall(r"`row\.(\w+)`", told))
    assert of_rows == {"seq", "text", "status", "failure", "reference", "usage", "cost"}
    of_events = {
        kind.__name__: {field.name for field in fields(kind)} & set(re.findall(rf"`{kind.__name__}\.(\w+)`", told))
        for kind in (TextDelta, ModelReply)
    }
    assert of_events == {"TextDelta": {"text"}, "ModelReply": {"text", "status", "usage"}}
    assert f'"{texts.NO_STREAM}"' in told


@pytest.mark.req("SE-12")
@pytest.mark.parametrize(
    ("standing", "owners", "is_answered"),
    [
        (Membership.GUEST, Owners.MEMBERS, False),
        (Membership.FORMER, Owners.MEMBERS, False),
        (Membership.FORMER, Owners.ANYONE, False),
        (Membership.STRANGER, Owners.ANYONE, True),
        (Membership.MEMBER, Owners.MEMBERS, True),
        (None, Owners.MEMBERS, True),
    ],
)
async def test_an_owner_who_has_become_a_guest_or_left_the_company_gets_no_answer_and_spends_nothing(
    standing: Membership | None, owners: Owners, is_answered: bool
) -> None:
    voiced = Voiced(answers(text="Where do you meet?"), owners=owners)
    voiced.outlet.standing = standing
    await voiced.begins("issue_raising", "Hello")
    closed = await voiced.answering.end()
    assert (closed.failure == FailureKind.NOT_THEIRS, len(voiced.model.asked)) == (not is_answered, is_answered)


KEY = "issue_raising"
THOUGHT = {"type": "thinking", "thinking": "", "signature": "s1"}
CALL: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "ready_to_summarize", "input": {}}
CAME = {"type": "tool_result", "tool_use_id": "t1", "content": "noted"}
ROUND: list[dict[str, Any]] = [
    {"role": "assistant", "content": [THOUGHT, CALL]},
    {"role": "user", "content": [CAME]},
]


def written(seq: int, text: str) -> Message:
    return Message(seq=seq, role=Role.PERSON, text=text, author="U0MAYA001", ts=f"9.{seq}")


def replied(seq: int, *said: dict[str, Any], **values: Any) -> Message:
    content = json.dumps(said) if said else ""
    return Message(seq=seq, role=Role.ASSISTANT, text=values.pop("text", ""), content=content, acted=True, **values)


class Going:
    """A step whose turn has made this many requests, the reply before it after another prelude than now."""

    def __init__(self, rounds: int, *, long: bool = False) -> None:
        scripts: list[list[Part]] = [answers(text="So.")] * 2
        self.voiced, self.rounds, self.long = Voiced(*scripts), rounds, long

    async def begins(self, **values: Any) -> Conversation:
        former = {"role": "assistant", "content": [THOUGHT, {"type": "text", "text": "Which ones?"}]}
        words = "x" * 4 * TURN.context_tokens if self.long else "Vans, I think."
        reply = replied(4, *(ROUND if self.rounds else ()), status=MessageStatus.STREAMING, rounds=self.rounds)
        rows = (written(1, words), replied(2, former, text="Which ones?", prelude="former"), written(3, "Two"), reply)
        now = await self.voiced.step(KEY, rows=rows)
        turn = Turn(id="4.1", reply=4, cause="r1", since="1770000100.000000", rounds=self.rounds)
        self.voiced.holds(replace(now, run=TurnState.STREAMING, turn=turn, form=FORM, **values))
        await self.voiced.answering.begin()
        await self.voiced.answering.end()
        return self.voiced.hold.conversation

    def thoughts(self) -> int:
        """How many thoughts the last request sends back."""
        return json.dumps([*self.voiced.model.asked[-1].messages]).count('"type": "thinking"')


@pytest.mark.req("AG-19")
@pytest.mark.parametrize(("rounds", "plain", "thoughts"), [(0, 3, 0), (1, 0, 2)])
async def test_another_prelude_begins_an_epoch_with_the_turn_and_never_while_its_round_is_open(
    rounds: int, plain: int, thoughts: int
) -> None:
    going = Going(rounds)
    assert (await going.begins()).plain == plain
    assert going.thoughts() == thoughts


@pytest.mark.req("AG-19")
@pytest.mark.parametrize(("rounds", "since"), [(0, 1), (1, 0)])
async def test_a_history_that_is_too_long_is_cut_when_a_turn_begins_and_never_while_its_round_is_open(
    rounds: int, since: int
) -> None:
    assert (await Going(rounds, long=True).begins()).since == since


@pytest.mark.req("AG-19", "AG-05")
@pytest.mark.parametrize(("rounds", "asked"), [(0, 2), (1, 1)])
async def test_a_summary_that_is_due_is_written_when_a_turn_begins_and_never_while_its_round_is_open(
    rounds: int, asked: int
) -> None:
    going = Going(rounds)
    now = await going.begins(since=1, summary="1 earlier messages discussed: Vans", summary_due=1)
    assert len(going.voiced.model.asked) == asked
    assert (now.summary_due == 0) is (rounds == 0)
