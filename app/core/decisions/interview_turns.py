"""The turns of an interview: their calls applied, the phase moved, and an extraction ended or broken off.

The component's needs are unknown here: events bring the draft already judged.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import assert_never

from app.core.conversation.call import (
    Call,
    ConfirmationResolved,
    DraftExtracted,
    DraftNoted,
    ExtractionExhausted,
    InconsistencyFlagged,
    InconsistencySettled,
    SummaryReady,
    SummaryRefused,
)
from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.conversation.transition import Trigger, add_note, combine
from app.core.copy import decision_steps
from app.core.decisions import approval, interviewing, phases
from app.core.decisions.approval import is_asked, require_interview
from app.core.errors import IllegalEvent
from app.core.events import audit_entries
from app.core.state import interview, lifecycle
from app.core.state.interview import DISCUSSING, JudgedDraft, Phase, PhaseEvent, Stage
from app.core.state.lifecycle import LifecycleEvent
from app.core.text.question_marks import asks

TurnCall = (
    DraftNoted | InconsistencyFlagged | InconsistencySettled | SummaryReady | SummaryRefused | ConfirmationResolved
)
"""Calls that the model may make in a discussion."""

ANSWERS = 2
"""Replies after which a step with content offers a summary below each reply.

By then the opening, which offers it too, is out of sight.
"""

CORRECTIONS = 2
"""Turns after a request for changes in which a draft that was only corrected is shown again without an extraction.

After more talk, an extraction also looks for what nobody noted.
"""


def follow_turn(
    made: Transition, reply: Message, trigger: Trigger, *, ready: bool, drafted: JudgedDraft | None = None
) -> Transition:
    """Apply the calls of a successful turn of the discussion, then move the phase.

    `drafted` is the draft that the calls leave, judged, if it waits for approval or is being corrected.
    """
    before = {each.about for each in require_interview(made.conversation).inconsistencies}
    refused: list[Call] = []
    for call in reply.calls:
        if isinstance(call, TurnCall):
            try:
                made = combine(made, _apply_call(made.conversation, call, trigger.after(made), reply.seq))
            except IllegalEvent as refusal:
                refused.append(call)
                note = audit_entries.audit_refused_call(made.conversation, refusal.code, trigger.cause)
                made = replace(made, audit=(*made.audit, note))
    now, lead = made.conversation, require_interview(made.conversation)
    if is_asked(now) and lead.drafted is None:
        return combine(made, _follow_correction(now, drafted, trigger.after(made), model=reply.model))
    if now.phase not in DISCUSSING:
        return made
    counted = replace(now, interview=replace(lead, discussed=lead.discussed + 1))
    if drafted and _is_correction(counted, reply):
        return combine(made, _show_correction(counted, drafted, trigger.after(made), model=reply.model))
    summary = any(isinstance(call, SummaryReady) and call not in refused for call in reply.calls)
    event = _read_event(counted, reply, before, ready=ready, summary=summary)
    led = combine(made, _advance(counted, event, trigger, waits=_is_asking(reply)))
    offers = _offers_summary(led.conversation, reply, ready=ready)
    shown = replace(reply, offers=offers, turns_left=_announce_end(led.conversation))
    return combine(led, Transition(conversation=led.conversation, messages=(shown,))) if shown != reply else led


def follow_finished_calls(made: Transition, reply: Message, trigger: Trigger) -> Transition:
    """Apply what the finished rounds of a turn have noted, which broke off then.

    A draft that waits for approval is shown again if it was corrected. It stays as people have seen it if it could not
    be shown with what was noted, and the model is told so.
    """
    calls, drafted = [call for call in reply.calls if isinstance(call, TurnCall)], trigger.facts.corrected_draft
    if calls and made.conversation.phase not in DISCUSSING and drafted is None:
        return combine(made, add_note(made.conversation, decision_steps.NOT_NOTED_FOR_MODEL))
    for call in calls:
        with suppress(IllegalEvent):  # an event since the model's request made it impossible
            made = combine(made, _apply_call(made.conversation, call, trigger.after(made), reply.seq))
    now = made.conversation
    if drafted and is_asked(now) and require_interview(now).drafted is None:
        return combine(made, approval.present(now, drafted, trigger.after(made), model=reply.model))
    return made


def _is_asking(reply: Message) -> bool:
    """Return True if a reply asks something, so that the discussion goes on with the answer."""
    return reply.asks or asks(reply.text)


def _follow_correction(now: Conversation, drafted: JudgedDraft | None, trigger: Trigger, *, model: str) -> Transition:
    """Show a draft again that changed while it waited for approval. An invalid one is discussed."""
    return approval.present(now, drafted, trigger, model=model) if drafted else approval.change(now, trigger)


def _is_correction(now: Conversation, reply: Message) -> bool:
    """Return True if this turn corrected a draft, as was asked for, and nothing is left to talk about."""
    lead = require_interview(now)
    is_blocked = any(each.blocking for each in lead.inconsistencies)
    is_soon = lead.correcting and lead.discussed <= CORRECTIONS
    return is_soon and not (is_blocked or lead.wanted or now.question or _is_asking(reply))


def _show_correction(now: Conversation, drafted: JudgedDraft, trigger: Trigger, *, model: str) -> Transition:
    """Show a corrected draft for approval, without an extraction."""
    lived = lifecycle.move(now.lifecycle, LifecycleEvent.EDITED_WITH_DRAFT)
    moved = phases.move(replace(now, lifecycle=lived), PhaseEvent.EDITED_WITH_DRAFT, trigger.cause)
    return combine(moved, approval.present(moved.conversation, drafted, trigger, model=model))


def _offers_summary(now: Conversation, reply: Message, *, ready: bool) -> bool:
    """Return True if the discussion continues and its reply offers a summary.

    A question that was asked without a word stands alone: buttons above it would hang on nothing.
    """
    if now.question and not reply.text:
        return False
    lead = require_interview(now)
    is_under_way = lead.discussed >= ANSWERS or now.approved > 0
    return now.phase in DISCUSSING and (ready or (lead.has_content and is_under_way))


def _announce_end(now: Conversation) -> int:
    """Return the number of turns left if the reply says it, at least 1; 0 if it says nothing."""
    lead = require_interview(now)
    left = interviewing.count_turns_left(lead)
    return max(left, 1) if now.phase in DISCUSSING and lead.has_content and left <= interviewing.ANNOUNCED else 0


def follow_failed_turn(made: Transition, trigger: Trigger) -> Transition:
    """Follow a turn that failed or was stopped.

    An extraction returns to the discussion. A summary that was requested meanwhile begins.
    """
    now = made.conversation
    if now.interview and now.interview.wanted and now.phase in DISCUSSING:
        return combine(made, interviewing.enter_extraction(now, PhaseEvent.DONE_WITH_CONTENT, trigger.cause))
    return break_off(made, trigger)


def break_off(made: Transition, trigger: Trigger) -> Transition:
    """Return from an extraction to the phase where it began, without a summary. Its reply offers *Retry*."""
    now = made.conversation
    if now.interview is None:
        return made
    from_clarify = now.interview.came_from is Phase.CLARIFY
    quiet = replace(now, interview=replace(now.interview, came_from=None, wanted=False))
    if not interviewing.is_extracting(now):
        return replace(made, conversation=quiet)
    event = PhaseEvent.BROKEN_OFF_AFTER_CLARIFY if from_clarify else PhaseEvent.BROKEN_OFF_AFTER_GATHER
    back = phases.move(quiet, event, trigger.cause)
    lived = lifecycle.move(now.lifecycle, LifecycleEvent.EXTRACTION_FAILED)
    tried = next((row.attempts for row in made.messages if row.stage is not Stage.NONE), ())
    made = replace(made, audit=(*made.audit, *audit_entries.audit_broken_extraction(tried, trigger.cause)))
    return combine(made, replace(back, conversation=replace(back.conversation, lifecycle=lived)))


def end_extraction(made: Transition, reply: Message, trigger: Trigger) -> Transition:
    """End an extraction with a draft to approve, or with questions about invalid data."""
    call = next(iter(reply.calls), None)
    ended = call if isinstance(call, DraftExtracted | ExtractionExhausted) else None
    if ended:
        made = replace(made, audit=(*made.audit, *audit_entries.audit_extraction(ended, trigger.cause)))
    match ended:
        case DraftExtracted(drafted=drafted):
            return combine(made, present_draft(made.conversation, drafted, trigger.after(made), model=reply.model))
        case ExtractionExhausted(issues=issues):
            return combine(made, _ask_about_issues(made.conversation, issues, trigger))
        case _:
            return break_off(made, trigger)


def present_draft(now: Conversation, drafted: JudgedDraft, trigger: Trigger, *, model: str = "") -> Transition:
    """Show valid data for approval."""
    moved = phases.move(now, PhaseEvent.VALIDATED, trigger.cause)
    lived = lifecycle.move(now.lifecycle, LifecycleEvent.VALIDATED)
    return combine(moved, approval.present(replace(moved.conversation, lifecycle=lived), drafted, trigger, model=model))


def _apply_call(now: Conversation, call: TurnCall, trigger: Trigger, reply: int) -> Transition:
    lead = require_interview(now)
    match call:
        case DraftNoted():
            return _note_draft(now, call)
        case InconsistencyFlagged():
            others = tuple(each for each in lead.inconsistencies if each.about != call.found.about)
            return Transition(conversation=replace(now, interview=replace(lead, inconsistencies=(*others, call.found))))
        case InconsistencySettled():
            left = tuple(each for each in lead.inconsistencies if each.about != call.about)
            return Transition(conversation=replace(now, interview=replace(lead, inconsistencies=left)))
        case ConfirmationResolved(approved=approved):
            # The model judged a reply to an earlier draft.
            if now.question and now.question.card > reply:
                raise IllegalEvent("QUESTION_CLOSED")
            return approval.approve(now, trigger) if approved else approval.change(now, trigger)
        case SummaryRefused():
            return Transition(conversation=replace(now, interview=replace(lead, refused_gap=call.missing)))
        case SummaryReady():
            ready = PhaseEvent.SUMMARIZE_WITH_CONTENT if lead.has_content else PhaseEvent.SUMMARIZE_WITHOUT_CONTENT
            # The move only checks the call. The extraction begins after all calls of the turn.
            interview.move(now.phase or interview.INITIAL, ready)
            return Transition(conversation=now)
        case _:
            assert_never(call)


def _note_draft(now: Conversation, call: DraftNoted) -> Transition:
    """Replace the draft, unless the owner has edited it meanwhile, or approved it. Raises `IllegalEvent`."""
    lead = require_interview(now)
    if call.edition != lead.edition or not (now.phase in DISCUSSING or is_asked(now)):
        raise IllegalEvent("STALE_RUN")
    vouched = tuple(dict.fromkeys((*lead.vouched, *call.vouched)))
    noted = replace(lead, draft=call.draft, edition=lead.edition + 1, drafted=None, vouched=vouched)
    return Transition(conversation=replace(now, interview=noted))


def take_in_notes(now: Conversation, reply: Message) -> Conversation:
    """Return the conversation with what the reply has noted while it is still written."""
    for call in reply.calls:
        if isinstance(call, DraftNoted):
            with suppress(IllegalEvent):
                now = _note_draft(now, call).conversation
    return now


def _read_event(now: Conversation, reply: Message, before: set[str], *, ready: bool, summary: bool) -> PhaseEvent:
    """Return the interview event of this turn. Readiness is tested before inconsistency."""
    lead = require_interview(now)
    # An inconsistency that was flagged in intro is judged with the next turn.
    found = [each for each in lead.inconsistencies if now.phase is Phase.GATHER or each.about not in before]
    blocked = any(each.blocking for each in lead.inconsistencies)
    if lead.wanted:
        return PhaseEvent.DONE_WITH_CONTENT
    if now.question is not None:
        return PhaseEvent.INCONSISTENT if found else PhaseEvent.ANSWERED
    # Nobody has spoken since data that could not be corrected: it would come to the same again, without end.
    waits = _is_asking(reply) or (reply.seq == lead.gave_up + 1 and not reply.heard)
    if summary and not waits:
        return PhaseEvent.SUMMARIZE_WITH_CONTENT
    if ready and not blocked and not waits:
        return PhaseEvent.READY
    if found:
        return PhaseEvent.INCONSISTENT
    settled = now.phase is Phase.CLARIFY and not lead.inconsistencies
    return PhaseEvent.CLARIFIED if settled else PhaseEvent.ANSWERED


def _advance(now: Conversation, event: PhaseEvent, trigger: Trigger, *, waits: bool) -> Transition:
    """Move the phase by this event. The maximum number of turns ends the discussion, but no reply that asks does."""
    if event in (PhaseEvent.DONE_WITH_CONTENT, PhaseEvent.SUMMARIZE_WITH_CONTENT):
        return interviewing.enter_extraction(now, event, trigger.cause)
    if event is PhaseEvent.READY and now.phase is not Phase.INTRO:
        return interviewing.enter_extraction(now, event, trigger.cause)
    made = phases.move(now, event, trigger.cause)
    lead = require_interview(made.conversation)
    waits = waits or made.conversation.question is not None
    if not waits and lead.has_content and interviewing.count_turns_left(lead) == 0:
        return combine(
            made, interviewing.enter_extraction(made.conversation, PhaseEvent.TURNS_EXHAUSTED, trigger.cause)
        )
    return made


def _ask_about_issues(now: Conversation, issues: tuple[str, ...], trigger: Trigger) -> Transition:
    """Tell the model which data it could not correct, so that it asks about it."""
    moved = phases.move(now, PhaseEvent.ATTEMPTS_EXHAUSTED, trigger.cause)
    lived = lifecycle.move(now.lifecycle, LifecycleEvent.EXTRACTION_FAILED)
    listed = "; ".join(issues)
    row = Message(seq=now.head + 1, role=Role.NOTE, text=decision_steps.EXHAUSTED_FOR_MODEL.format(issues=listed))
    lead = replace(require_interview(now), came_from=None, discussed=0, gave_up=row.seq)
    after = replace(
        moved.conversation,
        lifecycle=lived,
        interview=lead,
        head=row.seq,
        asked=(*now.asked, row.seq),
        asked_by=trigger.cause,
    )
    return combine(moved, Transition(conversation=after, messages=(row,)))
