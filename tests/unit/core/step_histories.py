"""Arbitrary histories of a step's thread: everything that people, the model and other threads can do to an interview.

What must hold after every step is said by the test that inherits from this.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from app.core.conversation.call import Call, DraftExtracted, ExtractionExhausted, ResolveQuestion
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.news import DecisionErased, OwnerChange, UpstreamChange
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    EraseConfirmed,
    EraseRequested,
    HelpRequested,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    StepClosed,
    StopRequested,
    SummaryRequested,
)
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.events.internal import EventParked, StageReached, TurnEnded
from app.core.machine import apply
from app.core.state.interview import InterviewCommand, JudgedDraft, Mode, Phase, Stage
from app.core.state.status import Status, TurnState
from tests.unit.core.interviews import (
    DRAFTED,
    EDITED,
    FLAGGED,
    LACKING,
    MATERIAL,
    MILD,
    NO,
    OTHER_DRAFT,
    READY,
    SETTLED,
    YES,
    StepThread,
    news,
    started,
)
from tests.unit.core.live import CHOICE, CONFIRMATION
from tests.unit.core.living import LivingThread
from tests.unit.core.threads import OTHER, OWNER, THREAD

PEOPLE = st.sampled_from([OWNER, OWNER, OWNER, OTHER])
MANNERS = st.sampled_from([(True, True), (False, True), (False, True), (False, False)])
SAYINGS = st.sampled_from(["yes", "no", "okay, but O1 is wrong", "1", "why?"])
SIGNALS = st.sampled_from([None, None, None, InterviewCommand.DONE, InterviewCommand.SHOW])
FOUND: st.SearchStrategy[JudgedDraft | None] = st.sampled_from([DRAFTED, EDITED, LACKING, None])
ENDINGS = st.sampled_from(
    [
        *[MessageStatus.COMPLETE] * 5,
        MessageStatus.TRUNCATED,
        MessageStatus.FAILED,
        MessageStatus.INTERRUPTED,
        MessageStatus.CANCELLED,
        MessageStatus.REFUSED,
    ]
)
CALLS: tuple[Call, ...] = (FLAGGED, MILD, SETTLED, READY, YES, NO, ResolveQuestion(value="1"))
CALLED = st.tuples(
    st.lists(st.sampled_from(CALLS), max_size=2), st.sampled_from([None, None, None, CHOICE, CONFIRMATION])
)
FINDINGS: tuple[tuple[Call, ...], ...] = (
    (DraftExtracted(drafted=DRAFTED, attempts=1),),
    (DraftExtracted(drafted=EDITED, attempts=2),),
    (DraftExtracted(drafted=LACKING, attempts=1),),
    (ExtractionExhausted(issues=("no measure",), attempts=4),),
    (),
)
TURNING: tuple[type[Any], ...] = (StopRequested, ArchiveRequested, ArchiveConfirmed, StepClosed, ReopenRequested)
BEGINNINGS: tuple[dict[str, Any], ...] = (
    {},
    {"mode": Mode.DIRECT, "material": MATERIAL},
    {"example": True, "example_draft": DRAFTED},
)


class StepHistory(LivingThread[StepThread]):
    """The thread of a step."""

    def __init__(self) -> None:
        super().__init__(StepThread(begins=False, slow=True))
        self.versions = {"frame": 1}

    def acts(self, kind: type[Any], user: str, **values: Any) -> bool:
        """Somebody does something; the answer that it ends is cut, as the session does."""
        event = self.live.event(kind, user, **values)
        if apply.ends_turn(self.now, event, self.live.facts(event)):
            cut = replace(self.live.reply, text=self.words(), status=MessageStatus.CANCELLED)
            self.live.finds(event, closed_reply=cut)
        return self.happens(event)

    @precondition(lambda self: not self.now.interview)
    @rule(how=st.sampled_from(BEGINNINGS), early=st.booleans())
    def begin(self, how: dict[str, Any], early: bool) -> None:
        """It is set up; somebody may have written before that, and be answered already."""
        if early:
            self.happens(self.live.message(self.words(), opens=True), self.words())
        event = started(self.live, **how)
        self.happens(event)

    @precondition(lambda self: self.now.interview)
    @rule(user=PEOPLE, manner=MANNERS, saying=st.one_of(st.none(), SAYINGS), signal=SIGNALS)
    def write(self, user: str, manner: tuple[bool, bool], saying: str | None, signal: InterviewCommand | None) -> None:
        opens, addressed = manner
        text = saying or self.words()
        event = self.live.message(text, user, opens=opens, addressed=addressed, signal=signal)
        self.happens(event)

    @precondition(lambda self: self.now.question)
    @rule(user=PEOPLE, value=st.sampled_from(["0", "0", "1", "yes", "eleven"]))
    def click(self, user: str, value: str) -> None:
        event = self.live.click(value, user)
        self.happens(event)

    @precondition(lambda self: self.now.run is TurnState.STREAMING)
    @rule(
        status=ENDINGS, called=CALLED, finding=st.sampled_from(FINDINGS), ready=st.booleans(), noted=st.integers(0, 3)
    )
    def end_turn(
        self,
        status: MessageStatus,
        called: tuple[list[Call], Call | None],
        finding: tuple[Call, ...],
        ready: bool,
        noted: int,
    ) -> None:
        """The turn comes to its end; of a draft that it noted it may have seen another edition."""
        assert self.now.turn
        reply = self.live.reply
        calls, asks = called
        step = self.live.lead.edition if self.now.interview else 0
        notes = (
            [replace(self.live.notes(OTHER_DRAFT), edition=step - noted // 3)] if noted and self.now.interview else []
        )
        spoken = (*calls, *notes, *([asks] if asks else []))
        made = finding if reply.stage is not Stage.NONE else spoken
        text = "" if reply.stage is not Stage.NONE else self.words() + ("?" if noted == 1 else "")
        ended = replace(reply, text=text, status=status, calls=made, acted=bool(made))
        event = TurnEnded(turn=self.now.turn.id, reply=ended, at=self.live.ts)
        self.live.seconds += 1
        self.happens(event, self.now.turn.id, draft_ready=ready)

    @precondition(lambda self: self.now.run is TurnState.STREAMING)
    @rule(stage=st.sampled_from([Stage.SUMMARIZE, Stage.SERIALIZE]))
    def reach_a_stage(self, stage: Stage) -> None:
        self.happens(StageReached(stage=stage), self.words())

    @precondition(lambda self: self.now.interview)
    @rule(user=PEOPLE, found=FOUND, stale=st.booleans(), said=st.booleans())
    def edit(self, user: str, found: JudgedDraft | None, stale: bool, said: bool) -> None:
        event = self.live.edit(found, self.live.lead.edition - stale, self.words() if said else "")
        self.happens(replace(event, user=user), event.receipt)

    @precondition(lambda self: self.now.interview)
    @rule(phase=st.sampled_from(Phase), found=FOUND)
    def restart(self, phase: Phase, found: JudgedDraft | None) -> None:
        self.acts(RestartRequested, self.now.owner, phase=phase, current_draft=found)

    @precondition(lambda self: self.now.interview)
    @rule(user=PEOPLE, signal=st.sampled_from(InterviewCommand))
    def ask_for_a_summary(self, user: str, signal: InterviewCommand) -> None:
        self.acts(SummaryRequested, user, signal=signal)

    @precondition(lambda self: self.now.interview)
    @rule(user=PEOPLE, kind=st.sampled_from(TURNING), found=FOUND)
    def turn_elsewhere(self, user: str, kind: type[Any], found: JudgedDraft | None) -> None:
        brought = {"updated_draft": found} if kind is ReopenRequested else {}
        self.acts(kind, user, **brought)

    @precondition(lambda self: self.now.status is Status.ARCHIVED)
    @rule()
    def unarchive(self) -> None:
        self.acts(ReopenRequested, self.now.owner)

    @precondition(lambda self: self.now.interview)
    @rule(version=st.integers(0, 1), found=FOUND, owner=st.sampled_from([None, None, OWNER, OTHER]))
    def hear(self, version: int, found: JudgedDraft | None, owner: str | None) -> None:
        """What it builds on has a new version, or one that was told before; or somebody else owns it now."""
        self.versions["frame"] += version
        told = UpstreamChange(component="frame", title="Frame", version=self.versions["frame"])
        event = news(self.live, OwnerChange(owner=owner) if owner else told, updated_draft=found)
        self.happens(event)

    @precondition(lambda self: self.now.interview and self.now.head)
    @rule(data=st.data(), kind=st.sampled_from([RetryPressed, RetryPressed, ContinuePressed]))
    def press(self, data: st.DataObject, kind: type[Any]) -> None:
        replies = [row for row in self.live.transcript if row.role is Role.ASSISTANT][-3:]
        row = data.draw(st.sampled_from(replies))
        self.acts(kind, self.now.owner, reply=row.seq)

    @precondition(lambda self: self.now.interview)
    @rule(data=st.data(), gone=st.booleans())
    def take_back(self, data: st.DataObject, gone: bool) -> None:
        said: list[Message] = [row for row in self.live.transcript if row.role is Role.PERSON and row.ts]
        if said:
            row = data.draw(st.sampled_from(said))
            here: dict[str, Any] = {"receipt": self.words(), "thread": THREAD, "ts": row.ts, "at": self.live.ts}
            deletion = MessageDeleted(**here)
            edit = MessageEdited(**here, user=row.author, text=self.words())
            self.happens(deletion if gone else edit, here["receipt"])

    @precondition(lambda self: self.now.interview)
    @rule(what=st.sampled_from(["park", "status", "forget", "warn", "nothing"]))
    def disturb(self, what: str) -> None:
        """What is rare."""
        match what:
            case "park":
                reply = self.live.reply if self.now.turn else None
                parked = EventParked(reference="tw-1", at=self.live.ts, reply=reply)
                self.happens(parked, self.words())
            case "status":
                self.acts(HelpRequested, self.now.owner, word="status")
            case "warn":
                self.acts(EraseRequested, self.now.owner)
            case _:
                pass

    @precondition(lambda self: self.now.interview)
    @rule(by_decision=st.booleans(), really=st.integers(0, 9))
    def forget(self, by_decision: bool, really: int) -> None:
        if really:
            return
        if by_decision:
            event = news(self.live, DecisionErased())
            self.happens(event)
        else:
            self.acts(EraseConfirmed, self.now.owner)
