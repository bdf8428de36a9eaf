"""The thread of a step that lives, as tests write it: its interview, its draft and what its decision hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Self

from app.core.conversation.audit import AuditType
from app.core.conversation.call import (
    Call,
    ConfirmationResolved,
    DraftExtracted,
    DraftNoted,
    ExtractionExhausted,
    InconsistencyFlagged,
    InconsistencySettled,
    SummaryReady,
)
from app.core.conversation.card import NoteCard, StepCard
from app.core.conversation.conversation import Conversation, MessageStatus
from app.core.conversation.effect import RunTurn, SendNotice
from app.core.conversation.news import News, StepMove, UpstreamChange
from app.core.events.acts import DraftEdited, ReopenRequested, RestartRequested, StepClosed, SummaryRequested
from app.core.events.heard import ComponentStarted, NoticeReceived
from app.core.events.internal import EventParked, StageReached
from app.core.state.interview import (
    Inconsistency,
    Interview,
    InterviewCommand,
    JudgedDraft,
    Mode,
    Phase,
    PreparedStep,
    SourceMessage,
    Stage,
)
from app.core.state.lifecycle import Lifecycle
from app.core.state.sheet import Item, Listing, Sheet
from tests.unit.core.live import Live
from tests.unit.core.threads import OWNER, THREAD

HUB = replace(THREAD, root="1770000000.000000")

GATHERING = (Lifecycle.IN_PROGRESS, Phase.GATHER, Stage.DISCUSS)
CLARIFYING = (Lifecycle.IN_PROGRESS, Phase.CLARIFY, Stage.DISCUSS)
EXTRACTING = (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.SUMMARIZE)
CONFIRMING = (Lifecycle.CONFIRMED, Phase.CONFIRM, Stage.NONE)
COMPLETE = (Lifecycle.COMPLETE, Phase.CONFIRM, Stage.NONE)
"""What a step is in, as its thread has it: its lifecycle, its phase and the stage of that."""

PREPARED = PreparedStep(
    title="Objectives",
    opening="What outcomes matter most to you in this decision?",
    confirm_question="Would each of these matter even if nothing else changed?",
    approve="Approve",
    prompt_version="3",
    schema_version="1",
    max_turns=6,
    next_key="alternatives",
    next_title="Alternatives",
)

DRAFT: Mapping[str, Any] = {"objectives": [{"handle": "O1", "name": "Faster response"}]}
OTHER_DRAFT: Mapping[str, Any] = {"objectives": [{"handle": "O1", "name": "Fewer lost evenings"}]}


SHEET = Sheet(sections=(Listing(title="Objectives", items=(Item(text="Faster response", handle="O1"),)),))


def drafted(draft: Mapping[str, Any] = DRAFT, **values: Any) -> JudgedDraft:
    """A draft as it was judged: nothing is missing, and it was judged with the frame's first version."""
    judged = JudgedDraft(draft=draft, sheet=SHEET, based_on={"frame": 1}, gist="1 objective", items=1)
    return replace(judged, **values)


DRAFTED = drafted()
EDITED = drafted(OTHER_DRAFT, gist="another one")
LACKING = drafted(missing=("a measure of O1 <Faster response>",))

CONFLICT = Inconsistency(about="O1", one="It matters most.", other="It does not matter.")
FLAGGED = InconsistencyFlagged(found=CONFLICT)
MILD = InconsistencyFlagged(found=replace(CONFLICT, blocking=False))
SETTLED = InconsistencySettled(about="O1")
READY = SummaryReady()
YES, NO = ConfirmationResolved(approved=True), ConfirmationResolved(approved=False)
CHANGED = UpstreamChange(component="frame", title="Frame", version=2)

MATERIAL = (SourceMessage(ts="1769999999.000001", author="U7", name="Kim", text="Evenings are not covered."),)


class StepThread(Live):
    """The thread of a step, begun unless it is told not to."""

    def __init__(self, now: Conversation | None = None, *, begins: bool = True, slow: bool = False, **how: Any) -> None:
        super().__init__(now or Conversation(id="c1", thread=THREAD, owner=OWNER), slow=slow)
        if begins:
            event = started(self, **how)
            self.apply(event, event.receipt)

    @property
    def lead(self) -> Interview:
        assert self.now.interview
        return self.now.interview

    @property
    def at(self) -> tuple[Lifecycle, Phase | None, Stage]:
        """Where it is: lifecycle, phase and stage."""
        return self.now.lifecycle, self.now.phase, self.now.stage

    @property
    def runs(self) -> bool:
        """True while a turn or an extraction is under way, and asked for once."""
        asked_for = [effect.turn for effect in self.now.effects if isinstance(effect, RunTurn)]
        assert asked_for == ([self.now.turn.id] if self.now.turn else [])
        return self.now.turn is not None

    @property
    def waits(self) -> StepCard:
        """The card of the draft that waits for an OK."""
        assert self.now.question
        card = self.rows[self.now.question.card].card
        assert isinstance(card, StepCard)
        return card

    @property
    def told(self) -> list[str]:
        """What the newest event tells the decision."""
        return [tell.news.on.value for tell in self.new(SendNotice) if isinstance(tell.news, StepMove)]

    @property
    def hops(self) -> list[tuple[str, str]]:
        """The phases that the newest event went through."""
        return self.path(AuditType.PHASE_TRANSITION)

    def notes(self, calls: Mapping[str, Any] = DRAFT) -> DraftNoted:
        """The call that makes this of the draft that is there now."""
        return DraftNoted(draft=calls, edition=self.lead.edition)

    def answers(self, text: str = "I see.", *calls: Call, ready: bool = False) -> Self:
        """The owner writes, and the model answers and calls for this."""
        return self.says("It is about evenings.").replies(text, *calls, ready=ready)

    def extracts(self, found: JudgedDraft = DRAFTED) -> Self:
        """The extraction under way comes to this draft."""
        assert self.now.phase is Phase.EXTRACT
        return self.replies("", DraftExtracted(drafted=found, attempts=1), model="claude")

    def exhausts(self, *issues: str) -> Self:
        """No attempt of the extraction under way is valid."""
        return self.replies("", ExtractionExhausted(issues=issues, attempts=4))

    def fails(self) -> Self:
        return self.replies("", status=MessageStatus.FAILED)

    def reaches(self, stage: Stage) -> Self:
        self.apply(StageReached(stage=stage), "stage")
        return self

    def signals(self, signal: InterviewCommand = InterviewCommand.DONE) -> Self:
        return self.does(SummaryRequested, signal=signal)

    def edit(self, found: JudgedDraft | None = EDITED, edition: int | None = None, said: str = "") -> DraftEdited:
        edition = self.lead.edition if edition is None else edition
        draft: Mapping[str, Any] = found.draft if found else {}
        return self.event(DraftEdited, draft=draft, edition=edition, edited_draft=found, said=said)

    def edits(self, found: JudgedDraft | None = EDITED, edition: int | None = None, said: str = "") -> Self:
        event = self.edit(found, edition, said)
        self.apply(event, event.receipt)
        return self

    def restart(self, phase: Phase, found: JudgedDraft | None = DRAFTED) -> RestartRequested:
        """The wish to go on from a phase."""
        return self.event(RestartRequested, phase=phase, current_draft=found)

    def restarts(self, phase: Phase, found: JudgedDraft | None = DRAFTED) -> Self:
        event = self.restart(phase, found)
        self.apply(event, event.receipt)
        return self

    def close(self) -> StepClosed:
        return self.event(StepClosed)

    def closes(self) -> Self:
        event = self.close()
        self.apply(event, event.receipt)
        return self

    def reopening(self, found: JudgedDraft | None = DRAFTED, user: str = OWNER) -> ReopenRequested:
        return self.event(ReopenRequested, user, updated_draft=found)

    def reopens(self, found: JudgedDraft | None = DRAFTED) -> Self:
        event = self.reopening(found)
        self.apply(event, event.receipt)
        return self

    def hears(self, what: News, found: JudgedDraft | None = None) -> Self:
        event = news(self, what, updated_draft=found)
        self.apply(event, event.receipt)
        return self

    def gives_up(self) -> Self:
        """The work on its turn is given up."""
        self.apply(EventParked(reference="tw-1", at=self.ts, reply=self.reply), "blamed")
        return self


def started(live: Live, mode: Mode = Mode.INTERACTIVE, **how: Any) -> ComponentStarted:
    """The first message of a step's thread was posted."""
    live.event(SummaryRequested, signal=InterviewCommand.DONE)
    found = {"prepared": PREPARED} | {name: how.pop(name) for name in ("prepared", "example_draft") if name in how}
    begun = ComponentStarted(
        receipt="step:1", thread=THREAD, at=live.ts, user=OWNER, decision=HUB, component="objectives", mode=mode
    )
    live.found.pop(begun.receipt, None)
    return live.finds(replace(begun, **how), **found)


def news(live: Live, what: News, **found: Any) -> NoticeReceived:
    """Another conversation tells this."""
    moment = live.event(SummaryRequested, signal=InterviewCommand.DONE)
    told = NoticeReceived(receipt=f"news:{moment.receipt}", thread=THREAD, at=live.ts, news=what)
    return live.finds(told, **found)


def ready() -> StepThread:
    """Set up, and nobody has written yet."""
    return StepThread()


def gathering() -> StepThread:
    step = StepThread().answers()
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.GATHER, Stage.DISCUSS)
    return step


def clarifying() -> StepThread:
    step = gathering().answers("These do not fit.", FLAGGED)
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.CLARIFY, Stage.DISCUSS)
    return step


def extracting() -> StepThread:
    step = gathering().signals()
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.SUMMARIZE)
    return step


def confirming(found: JudgedDraft = DRAFTED) -> StepThread:
    step = extracting().extracts(found).posts_cards()
    assert step.at == (Lifecycle.CONFIRMED, Phase.CONFIRM, Stage.NONE)
    return step


def complete() -> StepThread:
    step = confirming().clicks("0").posts_cards()
    assert step.at == (Lifecycle.COMPLETE, Phase.CONFIRM, Stage.NONE)
    return step


def reopened() -> StepThread:
    """A finished step that is discussed once more; the model has asked what changed."""
    return complete().reopens().replies("What has changed?").posts_cards()


IN_PHASE = {
    Phase.INTRO: lambda: StepThread().says("It is about evenings.").fails(),
    Phase.GATHER: gathering,
    Phase.CLARIFY: clarifying,
    Phase.EXTRACT: extracting,
    Phase.CONFIRM: confirming,
}
"""A step in each phase; but for extract nothing is under way."""


def says(step: StepThread, words: str) -> int:
    """How often that stands in the thread, in words of ours."""
    return sum(isinstance(row.card, NoteCard) and row.card.text == words for row in step.transcript)


def noting(begun: Callable[[], StepThread] | None = None) -> StepThread:
    """A discussion in which something was noted."""
    step = (begun or gathering)()
    return step.answers("Noted.", step.notes())
