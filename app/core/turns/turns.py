"""Turns: started for unanswered messages, ended, retried and continued."""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.call import StepCall, WorkCall
from app.core.conversation.conversation import ANSWERED, Conversation, Message, MessageStatus, Role, Transition, Turn
from app.core.conversation.effect import FinishReply, RunTurn
from app.core.conversation.transition import Trigger, add_effect, clear_emoji, combine, message_at
from app.core.copy import texts
from app.core.decisions import interview_turns, interviewing
from app.core.errors import FailureKind, IllegalEvent
from app.core.events import audit_entries
from app.core.events.acts import ContinuePressed, RetryPressed, StopRequested
from app.core.events.internal import EpochStarted, EventParked, StageReached, ThreadSummarized, TurnEnded
from app.core.goals.goals import add_tool_outputs, follow_reply
from app.core.pending import asking, scheduling
from app.core.state import lifecycle
from app.core.state.goal import Call as GoalCall
from app.core.state.goal import GoalPhase, list_goal_outputs
from app.core.state.interview import DISCUSSING, JudgedDraft, Phase, PhaseEvent, Stage
from app.core.state.question import Origin
from app.core.state.schedule import ScheduleKind
from app.core.text import question_marks
from app.core.text.marks import FORM
from app.core.turns import permission_request, scheduled_run, sources
from app.core.turns.directive import build_directive
from app.core.turns.model_call import carry_out_told, try_call

RETRIABLE_STATES = frozenset({MessageStatus.FAILED, MessageStatus.INTERRUPTED})


def settle(made: Transition, trigger: Trigger) -> Transition:
    """Start a turn if none is active and a message is unanswered, an extraction is wanted, or a run is due.

    The reply is stored before the model is asked. Messages from before an extraction are answered after it.
    """
    now = made.conversation
    if interviewing.wants_extraction(now):
        return combine(made, _begin(now, trigger))
    if now.turn:
        return made
    if scheduled_run.is_due(now):
        made = combine(made, scheduled_run.begin(now, trigger.at))
    now = made.conversation
    return combine(made, _begin(now, trigger)) if now.unanswered else made


def on_retry_pressed(now: Conversation, event: RetryPressed, trigger: Trigger) -> Transition:
    """Answer again in the same Slack messages with a new reply, which also reads messages since the failure.

    A reply with finished rounds stays as it is, and another one goes on from there. An extraction goes on itself.
    """
    failed = trigger.facts.pressed_reply
    if failed is None or not _can_be_retried(failed) or failed.seq < now.answered:
        raise IllegalEvent("QUESTION_CLOSED")
    # The button stands under the last Slack message, even if its process died before it stored that one.
    parts = failed.parts if event.ts in failed.parts else (*failed.parts, event.ts)
    if failed.unfinished and failed.rounds:
        return _go_on(now, replace(failed, parts=parts), event, trigger)
    # The failure need no longer be shown.
    shown = tuple(e for e in now.effects if not (isinstance(e, FinishReply) and e.reply == failed.seq))
    again, once_more = replace(now, effects=shown), replace(failed, parts=parts)
    if failed.stage is Stage.NONE:
        made = scheduled_run.retry(again, failed.seq, trigger)
        begun = combine(made, _begin(made.conversation, trigger, once_more))
        # What the new reply takes the place of is not sent to the model, or the message would seem answered.
        untold = (replace(failed, acted=False, unfinished=False),) if failed.acted or failed.unfinished else ()
        return replace(begun, messages=(*untold, *begun.messages))
    # The draft that is shown came from another extraction.
    if now.phase not in DISCUSSING:
        raise IllegalEvent("QUESTION_CLOSED")
    entered = interviewing.enter_extraction(again, PhaseEvent.DONE_WITH_CONTENT, trigger.cause)
    return combine(entered, _begin(entered.conversation, trigger, once_more))


def _can_be_retried(reply: Message) -> bool:
    """Return True for a failed reply, or one that was stopped before its first word, perhaps by mistake."""
    stopped_early = reply.status is MessageStatus.CANCELLED and not reply.text.strip()
    return reply.status in RETRIABLE_STATES or stopped_early


def on_continue_pressed(now: Conversation, event: ContinuePressed, trigger: Trigger) -> Transition:
    """Ask for the rest in the owner's name. The reply that was cut off becomes complete and is shown so."""
    cut = trigger.facts.pressed_reply
    # It is COMPLETE already if the save that completed it failed before it wrote the state.
    if cut is None or cut.status not in ANSWERED or cut.seq < now.answered:
        raise IllegalEvent("QUESTION_CLOSED")
    return _go_on(now, cut, event, trigger)


def _go_on(now: Conversation, cut: Message, event: ContinuePressed | RetryPressed, trigger: Trigger) -> Transition:
    wish = Message(seq=now.head + 1, role=Role.PERSON, text=texts.GO_ON, author=event.user)
    after = replace(
        now,
        head=wish.seq,
        newest=max(now.newest, event.at),
        spoken=max(now.spoken, event.at),
        asked=(*now.asked, wish.seq),
        asked_by=trigger.cause,
        offering=0,
    )
    whole = replace(cut, status=MessageStatus.COMPLETE, failure="", wait=0)
    if not _has_words(cut):  # nothing of it is left to be shown, so the next reply takes its place
        begun = _begin(after, trigger, cut)
        return replace(begun, messages=(replace(whole, parts=()), wish, *begun.messages))
    after = add_effect(after, trigger.cause, FinishReply(reply=cut.seq))
    return Transition(conversation=after, messages=(whole, wish))


def on_turn_ended(now: Conversation, event: TurnEnded, trigger: Trigger) -> Transition:
    """End the turn. If the reply is complete, apply the model's calls, then move the phase of the goal."""
    if now.turn is None or now.turn.id != event.turn:
        raise IllegalEvent("STALE_RUN")
    return _end_turn(now, event.reply, trigger, ready=trigger.facts.draft_ready, drafted=trigger.facts.corrected_draft)


def on_stop_requested(now: Conversation, event: StopRequested, trigger: Trigger) -> Transition:
    """Stop the active turn, or withdraw the question of an interrupted one. A stopped run is not repeated.

    A reply that was complete before the stop stays complete, and its calls are applied. Beside the question whether a
    schedule should go on, the word is an answer.
    """
    if now.turn is None and scheduled_run.is_asked(now):
        return scheduled_run.stop(now, trigger)
    # First, because a run with an open question would not end.
    made = permission_request.withdraw(now, trigger) if now.turn else asking.withdraw(now, trigger)
    return _stop_work(made, trigger)


def stop_everything(now: Conversation, trigger: Trigger) -> Transition:
    """Withdraw the open question, end the pause of a run, and stop the active turn, in this order.

    A draft that waits for approval stays. A question that the stopped turn had just asked is withdrawn, too. A turn
    that has shown nothing ends without a line, because an answer follows.
    """
    made = _withdraw_question(now, trigger)
    stopped = trigger.facts.closed_reply
    made = _stop_work(made, trigger) if now.turn is None or stopped else made
    made = _leave_unsaid(made, stopped) if stopped else made
    return combine(made, _withdraw_question(made.conversation, trigger.after(made)))


def _leave_unsaid(made: Transition, stopped: Message) -> Transition:
    """Drop the line that says how a turn ended, if the turn has shown nothing. The next turn takes over its status."""
    if _has_shown(stopped):
        return made
    now = made.conversation
    left = tuple(e for e in now.effects if not (isinstance(e, FinishReply) and e.reply == stopped.seq))
    return replace(made, conversation=replace(now, effects=left, offering=0))


def _has_shown(reply: Message) -> bool:
    return bool(_has_words(reply) or reply.parts)


def _has_words(reply: Message) -> bool:
    return bool(reply.text.strip() or reply.activity)


def _withdraw_question(now: Conversation, trigger: Trigger) -> Transition:
    if now.question is None or now.question.origin is Origin.EXTRACTION:
        return Transition(conversation=now)
    if scheduled_run.is_asked(now) and now.schedule and now.schedule.kind is not ScheduleKind.CRON:
        return scheduled_run.stop(now, trigger)  # it would run again at once
    return asking.withdraw(now, trigger)


def _stop_work(made: Transition, trigger: Trigger) -> Transition:
    """End the active turn, or the run whose question has been withdrawn."""
    now, trigger = made.conversation, trigger.after(made)
    if now.turn:
        return combine(made, _end_turn(now, trigger.facts.closed_reply, trigger))
    return combine(made, scheduled_run.break_off(now, trigger)) if now.planned else made


def _end_turn(
    now: Conversation,
    reply: Message | None,
    trigger: Trigger,
    *,
    ready: bool = False,
    drafted: JudgedDraft | None = None,
) -> Transition:
    assert reply is not None, "who ends a turn brings its reply, closed"
    made = close_turn(now, reply, trigger)
    if now.phase is Phase.EXTRACT:
        if reply.status is MessageStatus.COMPLETE:
            return interview_turns.end_extraction(made, reply, trigger)
        return interview_turns.break_off(made, trigger)
    if reply.status in ANSWERED:
        made = _carry_out_calls(made, reply, trigger, ready=ready, drafted=drafted)
        made = _remind_of_question(made, reply, trigger)
    else:
        if reply.unfinished and lifecycle.can_generate_response(made.conversation.lifecycle):
            made = carry_out_told(made, reply, trigger)
        made = interview_turns.follow_failed_turn(made, trigger.after(made))
    return _end_run(_add_outputs(made, now, reply), reply, trigger)


def _add_outputs(made: Transition, before: Conversation, reply: Message) -> Transition:
    """Add the tools' outputs to the goal, and show all of them with a result that is up for review."""
    assert before.turn is not None, "who ends a turn has one"
    things = before.turn.all_made
    now = add_tool_outputs(made.conversation, things)
    is_new = things or before.goals.phase is not GoalPhase.REVIEWING
    if now.goals.goal is None or now.goals.phase is not GoalPhase.REVIEWING or not is_new:
        return replace(made, conversation=now)
    told = replace(message_at(made.messages, reply.seq), made=list_goal_outputs(now.goals.goal))
    return combine(made, Transition(conversation=now, messages=(told,)))


def _end_run(made: Transition, reply: Message, trigger: Trigger) -> Transition:
    now = made.conversation
    # A run that asked a question continues with the answer, so it has not ended yet.
    if now.question or not 0 < now.planned < reply.seq:
        return made
    trigger = trigger.after(made)
    if reply.status in RETRIABLE_STATES:
        return combine(made, scheduled_run.fail(now, reply, trigger))
    if reply.status in ANSWERED:
        return combine(made, scheduled_run.end(now, reply.calls, trigger))
    return combine(made, scheduled_run.break_off(now, trigger))


def _carry_out_calls(
    made: Transition, reply: Message, trigger: Trigger, *, ready: bool, drafted: JudgedDraft | None
) -> Transition:
    # The step was approved meanwhile, so no call of this turn can apply.
    if not lifecycle.can_generate_response(made.conversation.lifecycle):
        return made
    for call in reply.calls:
        if not isinstance(call, GoalCall | StepCall | WorkCall):
            made = try_call(made, call, trigger.after(made))
    if made.conversation.interview:
        return interview_turns.follow_turn(made, reply, trigger.after(made), ready=ready, drafted=drafted)
    return combine(made, follow_reply(made.conversation, reply, trigger))


def _remind_of_question(made: Transition, reply: Message, trigger: Trigger) -> Transition:
    """Link an older question that is still open below this reply, unless the reply asks it again."""
    asked = made.conversation.question
    if asked is None or asked.card > reply.seq:
        return made
    if asked.origin is Origin.MODEL and question_marks.repeats(reply.text, asked.prompt):
        return made
    shown_in = next((row.parts[0] for row in trigger.facts.open_cards if row.seq == asked.card and row.parts), "")
    reminding = replace(message_at(made.messages, reply.seq), still_open=shown_in)
    return combine(made, Transition(conversation=made.conversation, messages=(reminding,)))


def close_quietly(now: Conversation, reply: Message | None, trigger: Trigger) -> Transition:
    """Close the active turn as `close_turn` does, without a line if it has shown nothing: a card says what ends it."""
    made = close_turn(now, reply, trigger)
    if reply is None or _has_shown(reply):
        return made
    dropped = replace(message_at(made.messages, reply.seq), status=MessageStatus.DELETED)
    return combine(made, Transition(conversation=replace(made.conversation, offering=0), messages=(dropped,)))


def close_turn(now: Conversation, reply: Message | None, trigger: Trigger) -> Transition:
    """Close the active turn with this reply. What an unfinished turn has done outside is noted."""
    assert reply is not None, "who ends a turn brings its reply, closed"
    # A message in its content, or what its tools have read, may have been deleted.
    if reply.seq <= now.plain and (reply.heard or sources.has_results(reply)):
        reply = replace(reply, content="")
    after = replace(
        now,
        turn=None,
        effects=tuple(e for e in now.effects if not isinstance(e, RunTurn)),
        offering=reply.seq if _offers_more(reply) else 0,
    )
    after = add_effect(after, trigger.cause, FinishReply(reply=reply.seq))
    made = Transition(conversation=after, messages=(reply,), audit=(audit_entries.audit_turn(now, reply),))
    if now.turn is None or reply.status in ANSWERED:
        return made
    return combine(made, permission_request.note_accomplished(after, now.turn, trigger))


def on_event_parked(now: Conversation, event: EventParked, trigger: Trigger) -> Transition:
    """Drop the event or effect that failed, and say so in its reply, or in a new one."""
    reply = event.reply or Message(seq=now.head + 1, role=Role.ASSISTANT, text="")
    failed = replace(reply, status=MessageStatus.FAILED, failure=FailureKind.INTERNAL.value, reference=event.reference)
    kept = tuple(e for e in now.effects if e.id != event.effect and not isinstance(e, RunTurn))
    seq = failed.seq
    after = replace(
        now, effects=kept, turn=None, head=max(now.head, seq), answered=max(now.answered, seq), offering=seq
    )
    after = add_effect(after, trigger.cause, FinishReply(reply=seq))
    made = Transition(
        conversation=after, messages=(failed,), audit=(audit_entries.audit_turn(now, failed),) if now.turn else ()
    )
    made = combine(made, permission_request.withdraw(after, trigger))
    if now.turn:
        made = combine(made, permission_request.note_accomplished(made.conversation, now.turn, trigger))
    made = interview_turns.follow_failed_turn(made, trigger)
    return _end_run(made, failed, trigger)


def on_stage_reached(before: Conversation, event: StageReached, trigger: Trigger) -> Transition:
    """Store the stage of the active extraction."""
    return Transition(conversation=replace(before, stage=event.stage))


def on_epoch_started(now: Conversation, event: EpochStarted, trigger: Trigger) -> Transition:
    """Apply a new epoch. All earlier replies become text only, because what came before them has changed."""
    assert now.turn is not None, "an epoch begins with a turn"
    after = replace(
        now,
        since=event.since,
        summary=event.summary,
        standing=event.standing,
        quiet=event.quiet,
        plain=max(now.plain, now.turn.reply - 1),
        # Its summary has to tell of more messages.
        summary_due=now.version + 1 if event.since > now.since else now.summary_due,
    )
    return Transition(conversation=after)


def on_thread_summarized(now: Conversation, event: ThreadSummarized, trigger: Trigger) -> Transition:
    """Replace the quotes in the summary by what the model wrote. Without that they stay until the next epoch.

    It is ignored if a message in it was changed or deleted meanwhile. The next turn then has it written again.
    """
    if event.due != now.summary_due:
        return Transition(conversation=now)
    after = replace(now, summary_due=0)
    if event.summary:
        after = replace(after, summary=event.summary, summarized=now.since)
    return Transition(conversation=after, audit=(audit_entries.audit_summary(now, event),))


def _begin(now: Conversation, trigger: Trigger, retried: Message | None = None) -> Transition:
    cause, at = trigger.cause, trigger.at
    asked_by, since = now.asked_by if now.asked else cause, max(now.newest, at) if retried else now.newest
    seq = now.head + 1
    is_extraction = interviewing.is_extracting(now)
    finished = retried if is_extraction else None
    turn = Turn(
        id=f"{seq}.{now.version + 1}",
        reply=seq,
        fence=now.fence,
        cause=asked_by,
        since=since,
        rounds=finished.rounds if finished and finished.content else 0,
    )
    told = "" if is_extraction else build_directive(now, at or now.newest)
    reply = Message(
        seq=seq,
        role=Role.ASSISTANT,
        text="",
        status=MessageStatus.STREAMING,
        parts=retried.parts if retried else (),
        directive=told,
        by_schedule=scheduling.is_running(now),
        stage=now.stage if is_extraction else Stage.NONE,
        kept_at=at or now.newest,
    )
    if finished:
        reply = replace(reply, content=finished.content, rounds=turn.rounds, sources=finished.sources)
    # Older replies were made after messages in another format.
    plain = now.plain if now.form == FORM else seq - 1
    begun = replace(now, head=seq, turn=turn, plain=plain, form=FORM)
    if is_extraction:
        return Transition(conversation=_queue_turn(begun, cause, turn), messages=(reply,))
    begun = interviewing.end_direct_mode(begun) if now.asked else begun
    after = clear_emoji(replace(begun, asked=(), answered=seq, heard=now.newest), cause, *now.queued)
    return Transition(conversation=_queue_turn(_withdraw_offer(after, retried, cause), cause, turn), messages=(reply,))


def _withdraw_offer(now: Conversation, retried: Message | None, cause: str) -> Conversation:
    """Remove the buttons below the previous reply, which would be refused from now on."""
    seq, after = now.offering, replace(now, offering=0)
    is_shown = any(isinstance(effect, FinishReply) and effect.reply == seq for effect in now.effects)
    if not seq or is_shown or (retried and retried.seq == seq):
        return after
    return add_effect(after, cause, FinishReply(reply=seq))


def _offers_more(reply: Message) -> bool:
    """Return True if the reply is shown with *Retry* or *Continue*."""
    if reply.status is MessageStatus.FAILED:
        return reply.failure in texts.RETRYABLE
    return reply.status in (MessageStatus.TRUNCATED, MessageStatus.LIMITED) or _can_be_retried(reply)


def _queue_turn(now: Conversation, cause: str, turn: Turn) -> Conversation:
    return add_effect(now, cause, RunTurn(turn=turn.id))
