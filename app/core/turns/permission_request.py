"""Permission requests of a turn, and their outcome.

While a turn waits, no code runs and no process holds the conversation. The turn is stored in the conversation, and its
reply in the transcript.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.call import AskPerson, ResolveQuestion
from app.core.conversation.card import PermissionCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Transition, Turn
from app.core.conversation.effect import FinishReply, RunTurn, SavePermissionRule
from app.core.conversation.transition import (
    Trigger,
    add_effect,
    add_note,
    clear_emoji,
    combine,
    message_at,
    parse_ts,
    queue_card,
    queue_card_close,
    queue_note_card,
)
from app.core.copy import permission_cards, texts
from app.core.errors import ForbiddenMeanwhile, IllegalEvent
from app.core.events import audit_entries
from app.core.events.internal import ToolUsesReported
from app.core.goals.goals import add_tool_outputs
from app.core.pending import asking
from app.core.pending.scheduling import queue_schedule_update
from app.core.state.permission import LABELS, Coverage, PermissionChoice, Rule, list_options
from app.core.state.question import Origin, QuestionKind
from app.core.state.tool_use import (
    Use,
    UseState,
    describe_use,
    find_open_round,
    interrupt_use,
    list_accomplished,
)
from app.core.turns.model_call import NOTES, STEP_NOTES, carry_out_call, carry_out_told
from app.core.turns.unfinished import end_round

NEVER_VALUE: Final = str([choice for choice, _ in LABELS].index(PermissionChoice.NEVER))
"""Value of the button *Never* on a card."""


def on_tool_uses_reported(now: Conversation, event: ToolUsesReported, trigger: Trigger) -> Transition:
    """Store the state of the tool uses. If one needs permission, ask for it and let the turn wait.

    Raise `ForbiddenMeanwhile` if one is about to begin that its owner has forbidden since it was allowed.
    """
    turn = now.turn
    if turn is None or turn.id != event.turn:
        raise IllegalEvent("STALE_RUN")
    denied = _list_denied(turn)
    if any(use.state is UseState.STARTED and use.id in denied for use in event.uses):
        raise ForbiddenMeanwhile
    audit = _audit_rule_uses(turn, event, now.owner)
    known = _hear(replace(now, turn=_update_turn(now, turn, event)), event.heard, trigger.cause)
    asked = next((use for use in event.uses if use.state is UseState.ASKED), None)
    if asked is None:
        return Transition(conversation=known, messages=(event.reply,), audit=audit)
    waiting = replace(known, effects=tuple(e for e in now.effects if not isinstance(e, RunTurn)))
    waiting = add_effect(waiting, trigger.cause, FinishReply(reply=event.reply.seq))
    made = _apply_answers(Transition(conversation=waiting, messages=(event.reply,)), event.reply, trigger)
    made = combine(made, asking.clear_question(made.conversation, trigger.after(made)))
    return combine(made, _ask(made.conversation, asked, trigger.after(made)))


def _hear(now: Conversation, rows: Sequence[Message], cause: str) -> Conversation:
    """Return the conversation in which the turn under way has read these messages: none of them begins another one."""
    if not rows:
        return now
    read = {row.seq for row in rows}
    after = replace(
        now,
        asked=tuple(seq for seq in now.asked if seq not in read),
        heard=max(now.heard, *(row.ts for row in rows)),
        overheard=max(read),
    )
    return clear_emoji(after, cause, *(row.ts for row in rows if row.ts))


def _audit_rule_uses(turn: Turn, event: ToolUsesReported, owner: str) -> tuple[AuditEvent, ...]:
    """Audit each write that starts now because a rule allows it: once, even if it is reported again."""
    begun = {use.id for use in turn.uses if use.state in (UseState.STARTED, UseState.DONE)}
    return tuple(
        AuditEvent(type=AuditType.RULE_USED, reason=use.tool, actor=owner, after=use.target, correlation=turn.cause)
        for use in event.uses
        if use.by_rule and use.state is UseState.STARTED and use.id not in begun
    )


def _apply_answers(made: Transition, reply: Message, trigger: Trigger) -> Transition:
    """Apply the model's reading of the owner's answer now, because its question makes room for another one."""
    call = next((call for call in reply.calls if isinstance(call, ResolveQuestion)), None)
    if call is None:
        return made
    try:
        answered = carry_out_call(made.conversation, call, trigger)
    except IllegalEvent:
        # A click has answered meanwhile. The end of the turn skips the rest of the call.
        return made
    is_finished = reply.calls.index(call) < reply.finished_calls
    left = replace(
        reply,
        calls=tuple(each for each in reply.calls if each is not call),
        finished_calls=reply.finished_calls - is_finished,
    )
    return combine(made, replace(answered, messages=(left, *answered.messages)))


def _update_turn(now: Conversation, turn: Turn, event: ToolUsesReported) -> Turn:
    """Update the tool uses of the turn, and keep the results of its earlier rounds."""
    is_same = [use.id for use in turn.uses] == [use.id for use in event.uses]
    if event.rounds > turn.rounds:  # it goes on, so no process that died before has died over this round
        turn = replace(turn, fence=now.fence, taken_up=False)
    is_asked = event.reply.status is MessageStatus.HELD
    settled = event.reply.usage if is_asked else turn.settled
    denied = _list_denied(turn)
    # Whoever runs the turn may not know yet what was forbidden meanwhile.
    uses = tuple(
        replace(use, state=UseState.DENIED) if use.id in denied and use.state is UseState.ALLOWED else use
        for use in event.uses
    )
    known = replace(turn, uses=uses, rounds=event.rounds, settled=settled)
    return known if is_same else end_round(known, turn.uses)


def decide(
    now: Conversation, decision: PermissionChoice, held: Message | None, trigger: Trigger, *, is_for_all: bool = False
) -> Transition:
    """Apply the owner's choice of one of the four options, to all writes that the card lists if `is_for_all`."""
    turn, use = _find_asked_use(now)
    made = _close_question(now, decision, trigger, is_for_all=is_for_all)
    if decision is PermissionChoice.WAIT:
        made = combine(made, _interrupt(made.conversation, held, trigger))
        ask = AskPerson(type=QuestionKind.INPUT, prompt=permission_cards.DO_WHAT_INSTEAD)
        return combine(made, asking.ask(made.conversation, ask, trigger.after(made), Origin.INTERRUPT))
    state = UseState.DENIED if decision is PermissionChoice.NEVER else UseState.ALLOWED
    # A write that was only listed waits for its own turn, unless all are allowed.
    listed = UseState.ALLOWED if is_for_all else UseState.OPEN
    uses = tuple(
        replace(each, state=state if each.id == use.id else listed) if each.state is UseState.ASKED else each
        for each in turn.uses
    )
    # The fence is renewed, because processes that held the conversation during the wait did not die over this turn.
    resumed = replace(turn, uses=uses, resumed=turn.resumed + 1, fence=now.fence)
    after = replace(made.conversation, turn=resumed)
    if decision in (PermissionChoice.ALWAYS, PermissionChoice.NEVER):
        for covered in _list_covered(use):
            after = _queue_rule(after, use, covered, decision is PermissionChoice.ALWAYS, trigger)
    after = add_effect(after, trigger.cause, RunTurn(turn=turn.id))
    return combine(made, Transition(conversation=after))


def is_late_ban(now: Conversation, value: str, pressed: Message | None) -> bool:
    """Return True if *Never* was pressed on a card whose writes were allowed, and one of them has not begun."""
    card = pressed.card if pressed else None
    return isinstance(card, PermissionCard) and value == NEVER_VALUE and bool(_list_allowed(now, card))


def forbid_late(now: Conversation, trigger: Trigger) -> Transition:
    """Forbid for good what a card had allowed, as far as it has not begun. The card says what comes of it."""
    row, turn = trigger.facts.pressed_card, now.turn
    assert row is not None and isinstance(row.card, PermissionCard), "the guards have looked at the card"  # noqa: PT018
    assert turn is not None, "only a turn uses tools"
    card, use = row.card, row.card.use
    ahead = [each.id for each in _list_allowed(now, card)]
    uses = tuple(replace(each, state=UseState.DENIED) if each.id in ahead else each for each in turn.uses)
    after = replace(now, turn=replace(turn, uses=uses))
    for covered in _list_covered(use):
        after = _queue_rule(after, use, covered, allows=False, trigger=trigger)
    is_part = card.all_allowed and len(ahead) < len(card.together)
    said = replace(card, forbidden=len(ahead)) if is_part else replace(card, decision=PermissionChoice.NEVER)
    closed = replace(said, all_allowed=is_part, by=now.owner, at=trigger.at)
    # It is closed already, so it is not among the open cards.
    shown = replace(trigger, facts=replace(trigger.facts, open_cards=(row,)))
    made = queue_card_close(after, shown, row.seq, closed)
    return replace(made, audit=(*made.audit, _audit_decision(use, PermissionChoice.NEVER, now.owner, turn)))


def _list_allowed(now: Conversation, card: PermissionCard) -> list[Use]:
    """Return the uses of the turn under way that do what a card is about, are allowed, and have not begun."""
    about = (card.use.tool, card.use.scope)
    uses = now.turn.uses if now.turn else ()
    return [each for each in uses if each.state is UseState.ALLOWED and (each.tool, each.scope) == about]


def _list_denied(turn: Turn) -> frozenset[str]:
    return frozenset(use.id for use in turn.uses if use.state is UseState.DENIED)


def redirect(now: Conversation, held: Message | None, trigger: Trigger) -> Transition:
    """Interrupt the turn as *Wait* does. The owner has already written what to do instead."""
    made = _close_question(now, PermissionChoice.WAIT, trigger)
    return combine(made, _interrupt(made.conversation, held, trigger))


def withdraw(now: Conversation, trigger: Trigger) -> Transition:
    """Withdraw the permission question of a turn that has ended."""
    is_asked = now.question is not None and now.question.origin is Origin.PERMISSION
    return asking.withdraw(now, trigger) if is_asked else Transition(conversation=now)


def note_accomplished(now: Conversation, turn: Turn, trigger: Trigger) -> Transition:
    """Tell the model what an unfinished turn has done outside, so that it does not repeat it.

    The outcome of a use that had only started is unknown. It is never repeated automatically, and people are told.
    """
    made, done = Transition(conversation=now), (*turn.done, *list_accomplished(turn.uses))
    if done:
        made = add_note(now, permission_cards.DONE_FOR_MODEL.format(done="; ".join(done)))
    for use in (*turn.unsure, *(use for use in turn.uses if use.is_unsure)):
        words = permission_cards.UNKNOWN_FOR_MODEL.format(tool=use.tool, what=describe_use(use))
        made = combine(made, add_note(made.conversation, words))
        told = permission_cards.OUTCOME_UNKNOWN.format(title=texts.escape(use.title))
        made = combine(made, queue_note_card(made.conversation, trigger, told))
    return made


def answer_open_uses(reply: Message, turn: Turn) -> Message:
    """Give each open use of an aborted turn a result, so that the reply can be sent to the API."""
    # No round is open if the model's content was not kept, because then only its text is sent.
    # Nor if the reply was closed already, by a save that failed before it wrote the state.
    if not find_open_round(reply.content):
        return reply
    said: list[dict[str, Any]] = json.loads(reply.content)
    said.append({"role": "user", "content": [interrupt_use(use).block() for use in turn.uses]})
    return replace(reply, content=json.dumps(said, ensure_ascii=False, separators=(",", ":")))


def _ask(now: Conversation, use: Use, trigger: Trigger) -> Transition:
    turn = now.turn
    assert turn is not None, "only a turn asks for permission"
    asked = [each for each in turn.uses if each.state is UseState.ASKED]
    call = AskPerson(type=QuestionKind.CHOICE, prompt=use.title, options=list_options(len(asked)))
    question = asking.build_question(now, call, Origin.PERMISSION, trigger)
    # Reads, and calls on the conversation itself, are done by now and have no title.
    wishes = [each for each in turn.uses if each.title or each.state is UseState.OPEN]
    card = PermissionCard(
        question=question,
        owner=now.owner,
        # One button allows all of them: it shows the reasons for asking about any.
        use=replace(use, remarks=tuple(dict.fromkeys(remark for use in asked for remark in use.remarks))),
        place=wishes.index(use) + 1,
        count=len(wishes),
        at=trigger.at,
        together=tuple(map(describe_use, asked)) if len(asked) > 1 else (),
    )
    made = queue_card(replace(now, question=question), trigger, card)
    return combine(made, queue_schedule_update(made.conversation, trigger))


def _find_asked_use(now: Conversation) -> tuple[Turn, Use]:
    assert now.turn is not None, "only a turn waits for a permission"
    return now.turn, next(use for use in now.turn.uses if use.state is UseState.ASKED)


def _close_question(
    now: Conversation, decision: PermissionChoice, trigger: Trigger, *, is_for_all: bool = False
) -> Transition:
    asked, (turn, use) = now.question, _find_asked_use(now)
    assert asked is not None, "a turn that waits has asked"
    card = message_at(trigger.facts.open_cards, asked.card).card
    assert isinstance(card, PermissionCard), "what is asked for permission stands on a card of its own"
    decided = [each for each in turn.uses if each.state is UseState.ASKED] if is_for_all else [use]
    forbidden = sum(_is_forbidden(each, decision, trigger) for each in decided)
    closed = replace(card, decision=decision, all_allowed=is_for_all, forbidden=forbidden, by=now.owner, at=trigger.at)
    made = asking.close_answered(now, closed, trigger)
    audit = (_audit_decision(each, decision, now.owner, turn) for each in decided)
    return replace(made, audit=(*made.audit, *audit))


def _audit_decision(use: Use, decision: PermissionChoice, owner: str, turn: Turn) -> AuditEvent:
    return AuditEvent(
        type=AuditType.PERMISSION_DECISION, reason=use.tool, actor=owner, after=decision.value, correlation=turn.cause
    )


def _is_forbidden(use: Use, decision: PermissionChoice, trigger: Trigger) -> bool:
    """Return True if a rule forbids an allowed use all the same. *Always* replaces those on its own scopes."""
    if decision not in (PermissionChoice.ALLOW, PermissionChoice.ALWAYS):
        return False
    replaced = {each.scope for each in _list_covered(use)} if decision is PermissionChoice.ALWAYS else set[str]()
    return bool(trigger.facts.bans.get(use.id, frozenset()) - replaced)


def _list_covered(use: Use) -> tuple[Coverage, ...]:
    return use.ruled or (Coverage(scope=use.scope, label=use.covers),)


def _interrupt(now: Conversation, held: Message | None, trigger: Trigger) -> Transition:
    """Abort the round without any further use, and give the model a result for each."""
    turn = now.turn
    assert turn is not None, "only a turn under way can be interrupted"
    assert held is not None, "whoever interrupts a turn brings its reply along"
    whole = replace(answer_open_uses(held, turn), status=MessageStatus.COMPLETE, acted=True)
    after = add_tool_outputs(replace(now, turn=None), turn.all_made)
    if whole.activity:  # the line on what was done before stands below the reply from now on
        after = add_effect(after, trigger.cause, FinishReply(reply=whole.seq))
    audit = audit_entries.audit_turn(now, replace(whole, status=MessageStatus.CANCELLED))
    made = Transition(conversation=after, messages=(whole,), audit=(audit,))
    told = held.calls[: held.finished_calls]
    noted = tuple(each for each in held.calls[held.finished_calls :] if isinstance(each, NOTES | STEP_NOTES))
    made = carry_out_told(made, replace(whole, calls=(*told, *noted)), trigger)
    if len(told) + len(noted) < len(held.calls):
        made = combine(made, add_note(made.conversation, permission_cards.NOT_KEPT_FOR_MODEL))
    return combine(made, queue_note_card(made.conversation, trigger, permission_cards.INTERRUPTED))


def _queue_rule(now: Conversation, use: Use, covered: Coverage, allows: bool, trigger: Trigger) -> Conversation:
    rule = Rule(
        team=now.thread.team,
        user=now.owner,
        tool=use.tool,
        scope=covered.scope,
        allows=allows,
        at=parse_ts(trigger.at).isoformat(),
        label=covered.label,
        standing=use.standing,
        described=use.described,
    )
    return add_effect(now, trigger.cause, SavePermissionRule(rule=rule))
