"""Turns: begun when something is unanswered, ended well or badly, asked for once more."""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.call import Call, StepCall, WorkCall
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Step, Turn
from app.core.conversation.effect import FinishReply, RunTurn
from app.core.conversation.transition import Trigger, add_effect, build_effect_id, clear_emoji, combine, message_at
from app.core.copy import texts
from app.core.decisions import interviewing
from app.core.errors import FailureKind, IllegalEvent
from app.core.events import audit_entries
from app.core.events.acts import ContinuePressed, RetryPressed, StopRequested
from app.core.events.internal import EpochStarted, StageReached, TurnEnded, WorkParked
from app.core.goals.goals import add_tool_outputs, follow_reply
from app.core.pending import asking
from app.core.state import lifecycle
from app.core.state.goal import Call as GoalCall
from app.core.state.goal import GoalPhase, list_goal_outputs
from app.core.state.interview import Phase, PhaseOn, Stage
from app.core.text.marks import FORM
from app.core.turns import permission_request, scheduled_run
from app.core.turns.directive import build_directive
from app.core.turns.model_call import carry_out_call

RETRIABLE_STATES = frozenset({MessageStatus.FAILED, MessageStatus.INTERRUPTED})

ANSWERED = frozenset({MessageStatus.COMPLETE, MessageStatus.TRUNCATED, MessageStatus.LIMITED})
"""How a reply ends that the model has meant: what it called for counts."""


def settle(made: Step, trigger: Trigger) -> Step:
    """At rest with something unanswered, or an extraction to do: start a turn. With nothing of that, a run that is due.

    Its reply gets its row before the model is asked. What was said before an extraction is heard after it.
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


def on_retry_pressed(now: Conversation, event: RetryPressed, trigger: Trigger) -> Step:
    """Answer again in the same Slack messages, in a row of its own: what was written since the failure is read too."""
    failed = event.target
    if failed is None or not _can_be_retried(failed) or failed.seq < now.answered:
        raise IllegalEvent("QUESTION_CLOSED")
    # Who pressed saw the last message of it, even if whoever posted that died before it was written down.
    parts = failed.parts if event.ts in failed.parts else (*failed.parts, event.ts)
    # What was still to be shown of the failure is overtaken.
    shown = tuple(e for e in now.effects if not (isinstance(e, FinishReply) and e.reply == failed.seq))
    again, once_more = replace(now, effects=shown), replace(failed, parts=parts)
    if failed.stage is Stage.NONE:
        made = scheduled_run.retry(again, failed.seq, trigger)
        begun = combine(made, _begin(made.conversation, trigger, once_more))
        # It is answered anew: that it was stopped while it used tools is not told, or the words would seem answered.
        untold = (replace(failed, acted=False),) if failed.acted else ()
        return replace(begun, messages=(*untold, *begun.messages))
    if now.phase not in interviewing.DISCUSSING:  # a draft is shown: whatever it came from, it was not this
        raise IllegalEvent("QUESTION_CLOSED")
    entered = interviewing.enter_extraction(again, PhaseOn.DONE_WITH_CONTENT, trigger.cause)
    return combine(entered, _begin(entered.conversation, trigger, once_more))


def _can_be_retried(reply: Message) -> bool:
    """True for what went wrong, and for what was stopped before its first word: that may have been a mistake."""
    stopped_early = reply.status is MessageStatus.CANCELLED and not reply.text.strip()
    return reply.status in RETRIABLE_STATES or stopped_early


def on_continue_pressed(now: Conversation, event: ContinuePressed, trigger: Trigger) -> Step:
    """Ask for the rest in the owner's name; the reply that was cut off is whole with what follows, and shows so."""
    cut = event.target
    # It is COMPLETE already if the save that made it so did not come to the state.
    if cut is None or cut.status not in ANSWERED or cut.seq < now.answered:
        raise IllegalEvent("QUESTION_CLOSED")
    wish = Message(seq=now.head + 1, role=Role.PERSON, text=texts.GO_ON, author=event.user)
    newest = max(now.newest, event.at)
    after = replace(now, head=wish.seq, newest=newest, asked=(*now.asked, wish.seq), asked_by=trigger.cause)
    after = add_effect(after, FinishReply(id=build_effect_id(after, trigger.cause), reply=cut.seq))
    after = replace(after, offering=0)
    return Step(conversation=after, messages=(replace(cut, status=MessageStatus.COMPLETE, failure="", wait=0), wish))


def on_turn_ended(now: Conversation, event: TurnEnded, trigger: Trigger) -> Step:
    """The turn is over: what the model called for counts, if it meant its answer; then the phase of the goal moves."""
    if now.turn is None or now.turn.id != event.turn:
        raise IllegalEvent("STALE_RUN")
    return _end_turn(now, event.reply, trigger, ready=event.ready)


def on_stop_requested(now: Conversation, event: StopRequested, trigger: Trigger) -> Step:
    """The owner has seen enough of this answer, or wants nothing in its place. A run of the schedule counts as made.

    An answer that had come to its end before it could be stopped is whole, and so counts what it called for.
    """
    if now.turn is None:
        made = asking.withdraw(now, trigger)
        return combine(made, scheduled_run.end(made.conversation, (), trigger.after(made))) if now.planned else made
    made = permission_request.withdraw(
        now, trigger
    )  # first: a run of the schedule that has asked something is not made
    return combine(made, _end_turn(made.conversation, event.partial, trigger.after(made)))


def _end_turn(now: Conversation, reply: Message | None, trigger: Trigger, *, ready: bool = False) -> Step:
    assert reply is not None, "who ends a turn brings its reply, closed"
    made = close_turn(now, reply, trigger)
    if now.phase is Phase.EXTRACT:
        if reply.status is MessageStatus.COMPLETE:
            return interviewing.end_extraction(made, reply, trigger)
        return interviewing.break_off(made, trigger)
    if reply.status in ANSWERED:
        made = _remind_of_question(_carry_out_calls(made, reply, trigger, ready=ready), reply, trigger)
    else:
        made = interviewing.follow_failed_turn(made, trigger)
    return _end_run(_add_outputs(made, now, reply), reply, trigger)


def _add_outputs(made: Step, before: Conversation, reply: Message) -> Step:
    """What tools have made belongs to the goal; with the result that is put up for review all of it is told."""
    assert before.turn is not None, "who ends a turn has one"
    things = before.turn.all_made
    now = add_tool_outputs(made.conversation, things)
    is_new = things or before.goals.phase is not GoalPhase.REVIEWING
    if now.goals.goal is None or now.goals.phase is not GoalPhase.REVIEWING or not is_new:
        return replace(made, conversation=now)
    told = replace(message_at(made.messages, reply.seq), made=list_goal_outputs(now.goals.goal))
    return combine(made, Step(conversation=now, messages=(told,)))


def _end_run(made: Step, reply: Message, trigger: Trigger) -> Step:
    now = made.conversation
    # A run that has asked something goes on with the answer: only then it has been made.
    if now.question or not 0 < now.planned < reply.seq:
        return made
    trigger = trigger.after(made)
    if reply.status in RETRIABLE_STATES:
        return combine(made, scheduled_run.fail(now, reply, trigger))
    return combine(made, scheduled_run.end(now, reply.calls if reply.status in ANSWERED else (), trigger))


def _carry_out_calls(made: Step, reply: Message, trigger: Trigger, *, ready: bool) -> Step:
    if not lifecycle.can_generate_response(made.conversation.lifecycle):
        return made  # what it answered was approved meanwhile: nothing it called for can count any more
    for call in reply.calls:
        if not isinstance(call, GoalCall | StepCall | WorkCall):
            made = _try_call(made, call, trigger.after(made))
    if made.conversation.interview:
        return interviewing.follow_turn(made, reply, trigger.after(made), ready=ready)
    on_goal = tuple(call for call in reply.calls if isinstance(call, GoalCall))
    return combine(made, follow_reply(made.conversation, reply.text, on_goal, trigger.at, trigger.cause))


def _try_call(made: Step, call: Call, trigger: Trigger) -> Step:
    """The model was told how its call went; meanwhile something may have come in between, and then it means nothing."""
    now = made.conversation
    try:
        return combine(made, carry_out_call(now, call, trigger))
    except IllegalEvent as refusal:
        return replace(made, audit=(*made.audit, audit_entries.audit_refused_call(now, refusal.code, trigger.cause)))


def _remind_of_question(made: Step, reply: Message, trigger: Trigger) -> Step:
    """A question that is older than this answer, and still open after it, is pointed at below it."""
    asked = made.conversation.question
    if asked is None or asked.card > reply.seq:
        return made
    shown_in = next((row.parts[0] for row in trigger.cards if row.seq == asked.card and row.parts), "")
    reminding = replace(message_at(made.messages, reply.seq), still_open=shown_in)
    return combine(made, Step(conversation=made.conversation, messages=(reminding,)))


def close_turn(now: Conversation, reply: Message | None, trigger: Trigger) -> Step:
    """The turn under way is over, with this reply; what it had done outside is not forgotten."""
    assert reply is not None, "who ends a turn brings its reply, closed"
    after = replace(now, turn=None, effects=tuple(e for e in now.effects if not isinstance(e, RunTurn)))
    after = replace(after, offering=reply.seq if _offers_more(reply) else 0)
    after = add_effect(after, FinishReply(id=build_effect_id(after, trigger.cause), reply=reply.seq))
    made = Step(conversation=after, messages=(reply,), audit=(audit_entries.audit_turn(now, reply),))
    if now.turn is None or reply.status in ANSWERED:
        return made
    return combine(made, permission_request.note_accomplished(after, now.turn, trigger))


def on_event_parked(now: Conversation, event: WorkParked, trigger: Trigger) -> Step:
    """Drop what cannot be done, and say so in the reply it was for, or in one of its own."""
    reply = event.reply or Message(seq=now.head + 1, role=Role.ASSISTANT, text="")
    failed = replace(reply, status=MessageStatus.FAILED, failure=FailureKind.INTERNAL.value, reference=event.reference)
    kept = tuple(e for e in now.effects if e.id != event.effect and not isinstance(e, RunTurn))
    seq = failed.seq
    head = max(now.head, seq)
    after = replace(now, effects=kept, turn=None, head=head, answered=max(now.answered, seq), offering=seq)
    after = add_effect(after, FinishReply(id=build_effect_id(after, trigger.cause), reply=seq))
    made = Step(
        conversation=after, messages=(failed,), audit=(audit_entries.audit_turn(now, failed),) if now.turn else ()
    )
    made = combine(made, permission_request.withdraw(after, trigger))
    if now.turn:
        made = combine(made, permission_request.note_accomplished(made.conversation, now.turn, trigger))
    made = interviewing.follow_failed_turn(made, trigger)
    return _end_run(made, failed, trigger)


def on_stage_reached(before: Conversation, event: StageReached, trigger: Trigger) -> Step:
    """Remember how far the extraction under way is."""
    return Step(conversation=replace(before, stage=event.stage))


def on_epoch_started(now: Conversation, event: EpochStarted, trigger: Trigger) -> Step:
    """Send less from now on. Of the replies that are still sent all but the one to come have lost what was before."""
    assert now.turn is not None, "an epoch begins with a turn"
    plain = max(now.plain, now.turn.reply - 1)
    kept = {"standing": event.standing, "quiet": event.quiet}
    return Step(conversation=replace(now, since=event.since, summary=event.summary, plain=plain, **kept))


def _begin(now: Conversation, trigger: Trigger, retried: Message | None = None) -> Step:
    cause, at = trigger.cause, trigger.at
    asked_by, since = now.asked_by if now.asked else cause, max(now.newest, at) if retried else now.newest
    seq = now.head + 1
    turn = Turn(id=f"{seq}.{now.version + 1}", reply=seq, fence=now.fence, cause=asked_by, since=since)
    is_extraction = interviewing.is_extracting(now)
    told = "" if is_extraction else build_directive(now, at or now.newest)
    reply = Message(
        seq=seq,
        role=Role.ASSISTANT,
        text="",
        status=MessageStatus.STREAMING,
        parts=retried.parts if retried else (),
        directive=told,
        stage=now.stage if is_extraction else Stage.NONE,
        kept_at=at or now.newest,
    )
    plain = now.plain if now.form == FORM else seq - 1  # what came before the older replies reads otherwise now
    begun = replace(now, head=seq, turn=turn, plain=plain, form=FORM)
    if is_extraction:
        return Step(conversation=_queue_turn(begun, cause, turn), messages=(reply,))
    after = clear_emoji(replace(begun, asked=(), answered=seq, heard=now.newest), cause, *now.queued)
    return Step(conversation=_queue_turn(_withdraw_offer(after, retried, cause), cause, turn), messages=(reply,))


def _withdraw_offer(now: Conversation, retried: Message | None, cause: str) -> Conversation:
    """What stood below the reply before, to have it made anew, goes: it would be refused from now on."""
    seq, after = now.offering, replace(now, offering=0)
    is_shown = any(isinstance(effect, FinishReply) and effect.reply == seq for effect in now.effects)
    if not seq or is_shown or (retried and retried.seq == seq):
        return after
    return add_effect(after, FinishReply(id=build_effect_id(after, cause), reply=seq))


def _offers_more(reply: Message) -> bool:
    """True if the reply is shown with a button by which its owner can have it made anew, or have the rest."""
    if reply.status is MessageStatus.FAILED:
        return reply.failure in texts.RETRYABLE
    return reply.status in (MessageStatus.TRUNCATED, MessageStatus.LIMITED) or _can_be_retried(reply)


def _queue_turn(now: Conversation, cause: str, turn: Turn) -> Conversation:
    return add_effect(now, RunTurn(id=build_effect_id(now, cause), turn=turn.id))
