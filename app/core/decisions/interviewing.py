"""The interview of a step: started, continued after each turn, summarized, restarted.

Two points decide. Before a reply, only explicit commands of the owner do. After a reply, the model's calls and the
quality of the draft do. The component's needs are unknown here: events bring the draft already judged.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from app.core.conversation.card import NotesCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition, read_turn_state
from app.core.conversation.effect import FinishReply
from app.core.conversation.transition import (
    Trigger,
    add_effect,
    add_note,
    build_effect_id,
    combine,
    queue_card,
    queue_ephemeral,
)
from app.core.copy import decision_steps
from app.core.decisions import approval, phases
from app.core.decisions.approval import is_asked, require_interview
from app.core.decisions.drafting_files import find_draft_files, name_draft_files
from app.core.errors import IllegalEvent
from app.core.events import audit_entries
from app.core.events.acts import SummaryRequested
from app.core.events.heard import MessagePosted
from app.core.pending import asking
from app.core.state import interview, lifecycle
from app.core.state.interview import (
    DISCUSSING,
    Interview,
    InterviewCommand,
    JudgedDraft,
    Mode,
    Phase,
    PhaseEvent,
    SourceMessage,
    Stage,
)
from app.core.state.lifecycle import LifecycleEvent
from app.core.state.status import TurnState
from app.core.text.question_marks import asks

TurnCall = (
    DraftNoted | InconsistencyFlagged | InconsistencySettled | SummaryReady | SummaryRefused | ConfirmationResolved
)
"""Calls that the model may make in a discussion."""

ANSWERS = 2
"""Replies after which a step with content offers a summary below each reply.

By then the opening, which offers it too, is out of sight.
"""

EXTENSION = 10
"""Turns that *Keep talking* adds."""

CORRECTIONS = 2
"""Turns after a request for changes in which a draft that was only corrected is shown again without an extraction.

After more talk, an extraction also looks for what nobody noted.
"""

ANNOUNCED = 3
"""Number of turns before the maximum at which a reply first says that the discussion will end."""


def is_extracting(now: Conversation) -> bool:
    """Return True if the next or active turn is an extraction."""
    return now.phase is Phase.EXTRACT


def wants_extraction(now: Conversation) -> bool:
    """Return True if an extraction must start as soon as no turn is active."""
    return is_extracting(now) and now.turn is None


def on_summary_requested(now: Conversation, event: SummaryRequested | MessagePosted, trigger: Trigger) -> Transition:
    """Enter the extraction at the owner's command, or show the notes or the draft that waits for approval."""
    lead = require_interview(now)
    if isinstance(event, SummaryRequested) and event.signal is InterviewCommand.KEEP_TALKING:
        return _extend(now, event, trigger)
    if is_asked(now):
        return _show_waiting(now, event, trigger)
    if now.phase is Phase.EXTRACT:
        return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, decision_steps.ALREADY_WORKING))
    if _read_command(event, trigger) is InterviewCommand.SHOW:
        return _show_notes(now, event, trigger)
    if isinstance(event, SummaryRequested) and event.signal is InterviewCommand.DRAFT:
        if event.files and not find_draft_files(now, event):
            return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, decision_steps.FILE_GONE))
        return _draft_directly(now, event, trigger)
    done = PhaseEvent.DONE_WITH_CONTENT if lead.has_content else PhaseEvent.DONE_WITHOUT_CONTENT
    if interview.move(now.phase or interview.INITIAL, done) is not Phase.EXTRACT:
        return Transition(
            conversation=queue_ephemeral(now, trigger.cause, event.user, decision_steps.NOTHING_TO_SUMMARISE)
        )
    return request_extraction(_acknowledge(now, event.user, trigger.cause), done, trigger.cause)


def _show_waiting(now: Conversation, event: SummaryRequested | MessagePosted, trigger: Trigger) -> Transition:
    """Show the draft that waits, unless its card stands right above and only its end was wanted."""
    assert now.question is not None, "a draft waits with a question"
    is_below = now.head > now.question.card + isinstance(event, MessagePosted)
    if is_below or _read_command(event, trigger) is InterviewCommand.SHOW:
        return approval.show_again(now, trigger)
    return approval.point_to_draft(now, trigger.cause, event.user)


def _acknowledge(now: Conversation, user: str, cause: str) -> Conversation:
    """Tell that a command was heard which waits for the active turn, since nothing else shows it."""
    if read_turn_state(now.turn) is not TurnState.STREAMING:
        return now
    return queue_ephemeral(now, cause, user, decision_steps.AFTER_THIS_ANSWER)


def _read_command(event: SummaryRequested | MessagePosted, trigger: Trigger) -> InterviewCommand | None:
    return event.signal if isinstance(event, SummaryRequested) else trigger.facts.signal


def _show_notes(now: Conversation, event: SummaryRequested | MessagePosted, trigger: Trigger) -> Transition:
    """Show the notes of the discussion, which goes on."""
    notes = trigger.facts.notes
    if notes is None:
        return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, decision_steps.NOTHING_NOTED))
    card = NotesCard(title=require_interview(now).prepared.title, sheet=notes.sheet, missing=notes.missing)
    return queue_card(now, trigger, card, changes=False)


def count_turns_left(lead: Interview) -> int:
    """Return the number of turns after which the discussion ends by itself, at least 0."""
    return max(lead.prepared.max_turns + lead.extra_turns - lead.discussed, 0)


def _extend(now: Conversation, event: SummaryRequested, trigger: Trigger) -> Transition:
    """Let the discussion go on beyond its maximum, once for each announcement of its end."""
    lead = require_interview(now)
    if now.phase not in DISCUSSING or lead.wanted:
        words = decision_steps.ENDED_ALREADY
    elif count_turns_left(lead) > ANNOUNCED:
        words = decision_steps.GOES_ON_ALREADY
    else:
        now = replace(now, interview=replace(lead, extra_turns=lead.extra_turns + EXTENSION))
        words = decision_steps.GOES_ON.format(count=EXTENSION)
    return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, words))


def request_extraction(now: Conversation, event: PhaseEvent, cause: str) -> Transition:
    """Enter the extraction now, or after the active turn."""
    if read_turn_state(now.turn) is TurnState.STREAMING:
        return Transition(conversation=replace(now, interview=replace(require_interview(now), wanted=True)))
    return enter_extraction(now, event, cause)


def enter_extraction(now: Conversation, event: PhaseEvent, cause: str) -> Transition:
    """Enter the extraction. `settle` then starts its turn. Raises `IllegalEvent`."""
    lead, made = require_interview(now), phases.move(now, event, cause)
    known = replace(
        lead,
        wanted=False,
        correcting=False,
        refused_gap=(),
        came_from=Phase.CLARIFY if now.phase is Phase.CLARIFY else Phase.GATHER,
        # In interactive mode the talk since the last draft counts, and so does all of it.
        draft_files=() if lead.mode is Mode.INTERACTIVE else lead.draft_files,
    )
    return replace(made, conversation=replace(made.conversation, stage=find_first_stage(lead), interview=known))


def end_direct_mode(now: Conversation) -> Conversation:
    """Lead the step in interactive mode, because a person has spoken and can be asked."""
    if now.interview is None or now.interview.mode is Mode.INTERACTIVE:
        return now
    return replace(now, interview=replace(now.interview, mode=Mode.INTERACTIVE))


def _draft_directly(now: Conversation, event: SummaryRequested, trigger: Trigger) -> Transition:
    """Add what the owner brings, with an opening of its own, and extract in direct mode. Nothing is asked any more."""
    withdrawn = asking.withdraw(now, trigger) if now.question else Transition(conversation=now)
    now, trigger = withdrawn.conversation, trigger.after(withdrawn)
    named, first = find_draft_files(now, event), now.head + 1
    lead = replace(
        require_interview(now),
        mode=Mode.DIRECT,
        has_content=True,
        draft_files=tuple(file.id for file in named.values()),
        drafted_since=first,
    )
    files = name_draft_files(named)
    for_model = decision_steps.DRAFTING_FROM_FILES_FOR_MODEL if files else decision_steps.DRAFTING_FOR_MODEL
    said = (
        Message(seq=first, role=Role.NOTE, text=for_model.format(files=files)),
        *build_material_rows(event.material, first + 1),
    )
    row = _build_opening(first + len(said), lead, files)
    lived = lifecycle.move(now.lifecycle, LifecycleEvent.MESSAGE_POSTED)
    after = replace(now, lifecycle=lived, interview=lead, head=row.seq)
    after = add_effect(after, FinishReply(id=build_effect_id(after, trigger.cause), reply=row.seq))
    made = combine(withdrawn, Transition(conversation=after, messages=(*said, row)))
    return combine(made, request_extraction(after, PhaseEvent.DONE_WITH_CONTENT, trigger.cause))


def build_material_rows(material: Iterable[SourceMessage], first: int) -> tuple[Message, ...]:
    """Return the rows of what was said or written elsewhere, numbered from `first`."""
    return tuple(
        Message(seq=seq, role=Role.PERSON, text=said.text, ts=said.ts, author=said.author, author_name=said.name)
        for seq, said in enumerate(material, first)
    )


def _build_opening(seq: int, lead: Interview, files: str = "") -> Message:
    """Return the first words of a step: a question, or what is drafted where nobody is asked, and from which files."""
    is_direct = lead.mode is Mode.DIRECT and not lead.example
    drafting = decision_steps.DRAFTING_FROM_FILES if files else decision_steps.DRAFTING
    text = drafting.format(title=lead.prepared.title, files=files) if is_direct else lead.prepared.opening
    return Message(seq=seq, role=Role.ASSISTANT, text=text, status=MessageStatus.COMPLETE, offers=True)


def find_first_stage(lead: Interview) -> Stage:
    """Return the first stage of an extraction. In direct mode, where nobody answers, it is a discussion."""
    return Stage.DISCUSS if lead.mode is Mode.DIRECT else Stage.SUMMARIZE


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
    led = combine(made, _advance(counted, event, trigger, waits=is_asking(reply)))
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


def is_asking(reply: Message) -> bool:
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
    return is_soon and not (is_blocked or lead.wanted or now.question or is_asking(reply))


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
    left = count_turns_left(lead)
    return max(left, 1) if now.phase in DISCUSSING and lead.has_content and left <= ANNOUNCED else 0


def follow_failed_turn(made: Transition, trigger: Trigger) -> Transition:
    """Follow a turn that failed or was stopped.

    An extraction returns to the discussion. A summary that was requested meanwhile begins.
    """
    now = made.conversation
    if now.interview and now.interview.wanted and now.phase in DISCUSSING:
        return combine(made, enter_extraction(now, PhaseEvent.DONE_WITH_CONTENT, trigger.cause))
    return break_off(made, trigger)


def break_off(made: Transition, trigger: Trigger) -> Transition:
    """Return from an extraction to the phase where it began, without a summary. Its reply offers *Retry*."""
    now = made.conversation
    if now.interview is None:
        return made
    from_clarify = now.interview.came_from is Phase.CLARIFY
    quiet = replace(now, interview=replace(now.interview, came_from=None, wanted=False))
    if not is_extracting(now):
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
    waits = is_asking(reply) or (reply.seq == lead.gave_up + 1 and not reply.heard)
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
        return enter_extraction(now, event, trigger.cause)
    if event is PhaseEvent.READY and now.phase is not Phase.INTRO:
        return enter_extraction(now, event, trigger.cause)
    made = phases.move(now, event, trigger.cause)
    lead = require_interview(made.conversation)
    waits = waits or made.conversation.question is not None
    if not waits and lead.has_content and count_turns_left(lead) == 0:
        return combine(made, enter_extraction(made.conversation, PhaseEvent.TURNS_EXHAUSTED, trigger.cause))
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


def set_up(now: Conversation, lead: Interview, cause: str) -> Transition:
    """Set the interview up. Its opening is the first reply and comes from a template."""
    ready = lifecycle.move(now.lifecycle, LifecycleEvent.INITIALISED)
    placed = phases.place(replace(now, interview=lead), Phase.INTRO, (), LifecycleEvent.INITIALISED.value, cause)
    row = _build_opening(now.head + 1, lead)
    after = replace(placed.conversation, lifecycle=ready, head=row.seq, answered=row.seq)
    if not lead.example:  # there the result replaces the opening
        after = add_effect(after, FinishReply(id=build_effect_id(after, cause), reply=row.seq))
    return combine(placed, Transition(conversation=after, messages=(row,)))
