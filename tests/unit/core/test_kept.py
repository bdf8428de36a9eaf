"""What is kept as JSON and read back is the same: every kind of event, effect, card, call and news."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from app.core.conversation.call import (
    Call,
    CancelSchedule,
    CompleteRun,
    ContinueRun,
    DraftExtracted,
    DraftNoted,
    ExtractionExhausted,
    KeptCall,
    OfferDecision,
    ResolveQuestion,
    StepCall,
    SummaryRefused,
    YieldRun,
)
from app.core.conversation.card import (
    Card,
    FiledCard,
    GroundCard,
    HubCard,
    NextCard,
    NoteCard,
    NotesCard,
    PermissionCard,
    QuestionCard,
    ReviewCard,
    ScheduleCard,
)
from app.core.conversation.conversation import Conversation, Message, Role
from app.core.conversation.effect import (
    Effect,
    Erase,
    FinishReply,
    ForgetFiles,
    Offer,
    OpenStep,
    PostEphemeral,
    PublishHome,
    React,
    RedactQuotes,
    RunTurn,
    SavePermissionRule,
    SaveVersion,
    SendDirectMessage,
    SendNotice,
    ShowCard,
    Unreact,
    UpdateStepHead,
)
from app.core.conversation.news import DecisionErased, NameChange, News, NextStepMove, OwnerChange, StepEvent
from app.core.events.heard import InboxEvent, SlackEvent, build_file_deleted
from app.core.state.goal import Call as GoalCall
from app.core.state.interview import HeldDraft, MissingGround, Mode, VouchedFigure
from app.core.state.permission import Rule
from app.core.state.question import Question, QuestionKind
from app.core.state.schedule import Schedule, ScheduleKind
from tests.unit.core.hubs import HubThread, move, under_way
from tests.unit.core.interviews import (
    CHANGED,
    DRAFTED,
    FLAGGED,
    HUB,
    MATERIAL,
    READY,
    SETTLED,
    SHEET,
    YES,
    StepThread,
    complete,
    confirming,
    extracting,
    news,
    reopened,
    started,
)
from tests.unit.core.live import CHOICE, DAILY
from tests.unit.core.lives import permitting, waiting
from tests.unit.core.occurrences import from_the_decision, one_of_each
from tests.unit.core.threads import OWNER, deleted, edited, said

QUESTION = Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which?", options=("one", "two"), card=2)
SCHEDULE = Schedule(kind=ScheduleKind.CRON, zone="UTC", cron="0 9 * * *", instruction="Send it.")
TOLD: tuple[News, ...] = (
    move("frame", StepEvent.APPROVED, based_on={"issues": 1}),
    CHANGED,
    NextStepMove(component="objectives", thread=HUB),
    OwnerChange(owner=OWNER),
    NameChange(name="Where do we meet?"),
)

RULE = Rule(team="T1", user=OWNER, tool="post_message", scope="channel:C2", allows=True, at="2026-02-02T02:40:00+00:00")

CALLS: tuple[Call, ...] = (
    CHOICE,
    ResolveQuestion(value="1"),
    DAILY,
    CancelSchedule(),
    OfferDecision(question="Where do we meet?"),
    ContinueRun(update={"a": [1, None, True]}, step="rate", message="So far."),
    CompleteRun(update={"a": {"b": 2}}, silent=True),
    YieldRun(),
    DraftNoted(draft={"a": [1, None, True]}, edition=3, vouched=(VouchedFigure(text="10", by=OWNER, at="1.1"),)),
    SummaryRefused(missing=("a name",)),
    FLAGGED,
    SETTLED,
    READY,
    YES,
    DraftExtracted(drafted=replace(DRAFTED, held=HeldDraft(draft={"a": 1}, sheet=DRAFTED.sheet)), attempts=2),
    ExtractionExhausted(issues=("no measure",), attempts=4),
)
EFFECTS: tuple[Effect, ...] = (
    RunTurn(id="c:0", turn="1.1"),
    FinishReply(id="c:1", reply=1),
    ShowCard(id="c:2", card=2),
    PostEphemeral(id="c:3", user=OWNER, text="Hi", offer=Offer.REOPEN),
    React(id="c:4", ts="1.1", name="lock"),
    Unreact(id="c:5", ts="1.1", name="lock"),
    PublishHome(id="c:6", user=OWNER),
    Erase(id="c:7", user=OWNER),
    SendDirectMessage(id="c:12", user=OWNER, text="Hi", since="1.1"),
    SaveVersion(id="c:8", row=4, version=2),
    SavePermissionRule(id="c:10", rule=RULE),
    RedactQuotes(id="c:11", message="1.1"),
    ForgetFiles(id="c:12", files=("F1", "F2")),
    OpenStep(id="c:9", component="frame", mode=Mode.DIRECT, material=MATERIAL),
    UpdateStepHead(id="c:13", component="frame"),
    *(SendNotice(id=f"d:{place}", thread=HUB, news=told) for place, told in enumerate((*TOLD, DecisionErased()))),
)
CARDS: tuple[Card, ...] = (
    QuestionCard(question=QUESTION, owner=OWNER),
    ScheduleCard(schedule=SCHEDULE, next_run="2026-03-02T08:00:00+00:00", at="1.1"),
    FiledCard(by=OWNER, at="1.1"),
    confirming().waits,
    HubCard(decision=under_way().decision, owner=OWNER),
    ReviewCard(title="Objectives", causes=("Frame v2",), version=1, sheet=SHEET),
    NextCard(title="Objectives", version=1, next_key="alternatives", next_title="Alternatives", decision=HUB),
    GroundCard(step=MissingGround(title="Consequences", thread=HUB), decision=HUB),
    NotesCard(title="Objectives", sheet=SHEET, missing=("a measure",)),
    NoteCard(text="A fact."),
    permitting().card(PermissionCard),
)


def kinds(union: Any) -> set[type[Any]]:
    """The members of a union, of an annotated one too, and of those within it."""
    inner = get_args(union)
    members = inner if inner else (union,)
    return {kind for member in members if not isinstance(member, type) for kind in kinds(member)} | {
        member for member in members if isinstance(member, type)
    }


def test_there_is_one_of_each_kind() -> None:
    goal_calls = kinds(GoalCall)
    assert {type(call) for call in CALLS} | goal_calls == kinds(Call)
    assert kinds(StepCall) <= {type(call) for call in CALLS}
    assert {type(effect) for effect in EFFECTS} == kinds(get_args(Effect)[0])
    assert {type(card) for card in CARDS} == kinds(get_args(Card)[0])
    assert {type(told) for told in (*TOLD, DecisionErased())} == kinds(get_args(News)[0])


def test_effects_are_read_back_as_they_were() -> None:
    kept = TypeAdapter(tuple[Effect, ...])
    assert kept.validate_json(kept.dump_json(EFFECTS)) == EFFECTS


def test_cards_and_calls_are_read_back_with_their_row() -> None:
    kept = TypeAdapter(Message)
    for place, card in enumerate(CARDS, 1):
        row = Message(seq=place, role=Role.CARD, text="", card=card, data='{"a": 1}')
        assert kept.validate_json(kept.dump_json(row)) == row
    row = Message(seq=1, role=Role.ASSISTANT, text="x", calls=CALLS)
    assert kept.validate_json(kept.dump_json(row)) == row


def test_a_call_is_known_by_its_name() -> None:
    kept = TypeAdapter[Call](KeptCall)
    for call in CALLS:
        assert kept.validate_json(kept.dump_json(call)) == call


@pytest.mark.parametrize("live", [waiting(), confirming(), HubThread()], ids=["free", "step", "decision"])
def test_events_are_read_back_as_they_were_taken_in(live: Any) -> None:
    row = said(1, "Hi")
    events = [
        *one_of_each(live),
        *from_the_decision(live),
        edited(row, "Ho"),
        deleted(row),
        build_file_deleted(live.now.thread, "F1", "2.1"),
    ]
    events += [news(live, move("frame", on)) for on in StepEvent]
    assert {type(event) for event in events} == kinds(InboxEvent)
    kept = TypeAdapter[Any](SlackEvent)
    for event in events:
        assert kept.validate_json(kept.dump_json(event)) == event


@pytest.mark.parametrize(
    "now",
    [
        StepThread().now,
        extracting().now,
        confirming().now,
        complete().hears(CHANGED).now,
        reopened().now,
        HubThread().now,
        under_way().gives("U9").now,
    ],
)
def test_a_conversation_is_read_back_as_it_was(now: Conversation) -> None:
    kept = TypeAdapter(Conversation)
    assert kept.validate_json(kept.dump_json(now)) == now


def test_the_material_of_a_step_is_taken_in_with_it() -> None:
    event = started(StepThread(begins=False), mode=Mode.DIRECT, material=MATERIAL)
    kept = TypeAdapter[Any](SlackEvent)
    assert kept.validate_json(kept.dump_json(event)).material == MATERIAL
