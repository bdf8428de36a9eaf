"""The interview of a step: its beginning, its owner's commands, and the way into an extraction.

Two points decide. Before a reply, only explicit commands of the owner do. After a reply, the model's calls and the
quality of the draft do (`interview_turns`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.core.conversation.card import NotesCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition, read_turn_state
from app.core.conversation.effect import FinishReply
from app.core.conversation.transition import (
    Trigger,
    add_effect,
    combine,
    queue_card,
    queue_ephemeral,
)
from app.core.copy import decision_steps
from app.core.decisions import approval, phases
from app.core.decisions.approval import is_asked, require_interview
from app.core.decisions.drafting_files import find_draft_files, name_draft_files
from app.core.events.acts import SummaryRequested
from app.core.events.heard import MessagePosted
from app.core.pending import asking
from app.core.state import interview, lifecycle
from app.core.state.interview import (
    DISCUSSING,
    Interview,
    InterviewCommand,
    Mode,
    Phase,
    PhaseEvent,
    SourceMessage,
    Stage,
)
from app.core.state.lifecycle import LifecycleEvent
from app.core.state.status import TurnState

EXTENSION = 10
"""Turns that *Keep talking* adds."""

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
    after = add_effect(after, trigger.cause, FinishReply(reply=row.seq))
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


def set_up(now: Conversation, lead: Interview, cause: str) -> Transition:
    """Set the interview up. Its opening is the first reply and comes from a template."""
    ready = lifecycle.move(now.lifecycle, LifecycleEvent.INITIALISED)
    placed = phases.place(replace(now, interview=lead), Phase.INTRO, (), LifecycleEvent.INITIALISED.value, cause)
    row = _build_opening(now.head + 1, lead)
    after = replace(placed.conversation, lifecycle=ready, head=row.seq, answered=row.seq)
    if not lead.example:  # there the result replaces the opening
        after = add_effect(after, cause, FinishReply(reply=row.seq))
    return combine(placed, Transition(conversation=after, messages=(row,)))
