"""Approval of a step's result: shown, approved, changed or withdrawn.

The content of a draft is opaque here: it arrives judged and is passed on unread.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from app.core.conversation.call import AskPerson
from app.core.conversation.card import NextCard, NoteCard, StepCard, StepState
from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.conversation.effect import SaveVersion, SendNotice
from app.core.conversation.news import StepEvent, StepMove
from app.core.conversation.transition import (
    Trigger,
    add_effect,
    add_note,
    clear_emoji,
    combine,
    message_at,
    queue_card,
    queue_card_close,
    queue_card_update,
    queue_ephemeral,
    queue_note_card,
)
from app.core.copy import decision_steps, texts
from app.core.decisions import phases
from app.core.errors import IllegalEvent
from app.core.pending import asking
from app.core.state import lifecycle, status
from app.core.state.interview import Interview, JudgedDraft, PhaseEvent, VouchedFigure
from app.core.state.lifecycle import LifecycleEvent
from app.core.state.question import Origin, QuestionKind
from app.core.state.status import StatusEvent
from app.core.text import labels


def require_interview(now: Conversation) -> Interview:
    """Return the interview of a step's thread. Raises `IllegalEvent` NOT_COMPONENT in any other thread."""
    if now.interview is None:
        raise IllegalEvent("NOT_COMPONENT")
    return now.interview


def is_asked(now: Conversation) -> bool:
    """Return True while a draft waits for the owner's approval."""
    return now.question is not None and now.question.origin is Origin.EXTRACTION


def is_incomplete(now: Conversation) -> bool:
    """Return True while a draft is shown for approval that cannot be approved yet, because something is missing."""
    lead = now.interview
    return is_asked(now) and lead is not None and lead.drafted is not None and bool(lead.drafted.missing)


def describe_missing(now: Conversation) -> str:
    """Describe what the draft still needs before it can be approved, as the end of a sentence; empty if nothing."""
    needed = "; ".join(list_obstacles(require_interview(now)))
    return needed if not needed or needed.endswith((".", "?")) else f"{needed}."


def list_obstacles(lead: Interview) -> tuple[str, ...]:
    """Return what keeps the draft from approval, in words: what is missing, and figures that nobody said."""
    if lead.drafted is None:
        return ()
    unsaid = (decision_steps.CONFIRM_FIGURE.format(figure=each.text) for each in lead.drafted.unsaid)
    return (*lead.drafted.missing, *unsaid)


def present(now: Conversation, drafted: JudgedDraft, trigger: Trigger, *, by: str = "", model: str = "") -> Transition:
    """Show a draft for approval in place of the open question. Lifecycle and phase have moved already."""
    lead = require_interview(now)
    shown = replace(
        lead,
        draft=drafted.draft,
        drafted=drafted,
        shown=drafted.draft,
        compared=lead.shown or ({} if now.approved else drafted.draft),
        topics=join_topics(lead, drafted),
        edition=lead.edition + 1,
        drafts=lead.drafts + 1,
        model=model,
        came_from=None,
        wanted=False,
        is_change_pressed=False,
        correcting=False,
    )
    made = asking.supersede(replace(now, interview=shown, pending=now.approved + 1), trigger)
    return combine(made, ask(made.conversation, trigger, by=by))


def join_topics(lead: Interview, drafted: JudgedDraft) -> tuple[str, ...]:
    """Return what remarks have asked about in this step, those on this draft's card among it."""
    return tuple(dict.fromkeys((*lead.topics, *drafted.topics)))


def ask(now: Conversation, trigger: Trigger, *, by: str = "") -> Transition:
    """Ask for approval of the current draft with a new card. No question may be open."""
    lead = require_interview(now)
    assert lead.drafted is not None, "what waits for approval was judged"
    options = (lead.prepared.approve, decision_steps.REQUEST_CHANGES)
    call = AskPerson(type=QuestionKind.CONFIRMATION, prompt=_word_question(lead), options=options)
    question = asking.build_question(now, call, Origin.EXTRACTION, trigger)
    card = StepCard(
        question=question,
        owner=now.owner,
        component=lead.component,
        title=lead.prepared.title,
        draft=lead.drafts,
        edition=lead.edition,
        sheet=lead.drafted.sheet,
        missing=lead.drafted.missing,
        remarks=lead.drafted.remarks,
        unsaid=lead.drafted.unsaid,
        traces=lead.drafted.traces,
        sums=lead.drafted.sums,
        changes=lead.drafted.changes,
        edited_by=by,
        closable=now.approved > 0,
        at=trigger.at,
    )
    waiting = replace(now, question=question, status=status.move(now.status, StatusEvent.ASKED))
    made = tell_decision(queue_card(waiting, trigger, card), trigger.cause, StepEvent.WAITS)
    return tell_decision(made, trigger.cause, StepEvent.SHOWN, question.card)


def _word_question(lead: Interview) -> str:
    """Return the question of the card. One that the opening has put as well is put on the first card alone."""
    asked = lead.prepared.confirm_question
    return decision_steps.DOES_IT_FIT if lead.drafts > 1 and asked in lead.prepared.opening else asked


def show_again(now: Conversation, trigger: Trigger) -> Transition:
    """Show the waiting draft again, below the newest messages. The former card says so."""
    made = asking.supersede(now, trigger)
    rows = tuple(
        replace(row, card=replace(row.card, repeated=True) if isinstance(row.card, StepCard) else row.card)
        for row in made.messages
    )
    return combine(replace(made, messages=rows), ask(made.conversation, trigger))


def point_to_draft(now: Conversation, cause: str, user: str) -> Transition:
    """Point the owner to the draft that waits right above, with what it still needs."""
    needed = describe_missing(now)
    form = decision_steps.LACKS_ABOVE if needed else decision_steps.WAITS_ABOVE
    words = form.format(approve=require_interview(now).prepared.approve, list=texts.escape(needed))
    return Transition(conversation=queue_ephemeral(now, cause, user, words))


def approve(now: Conversation, trigger: Trigger) -> Transition:
    """Approve the draft as a version, which never changes again. Raises `IllegalEvent`.

    An effect writes the record and is repeated until the store takes it, so nobody has to approve twice.
    """
    lead = _hold(require_interview(now))
    if not is_asked(now) or lead.drafted is None:
        raise IllegalEvent("NOT_CONFIRMED")
    if list_obstacles(lead):
        lifecycle.move(now.lifecycle, LifecycleEvent.APPROVED_INCOMPLETE)
    moved = phases.move(now, PhaseEvent.APPROVED, trigger.cause)
    based_on, version, question = lead.drafted.based_on, now.pending, lead.drafted.question
    after = replace(
        moved.conversation,
        lifecycle=lifecycle.move(now.lifecycle, LifecycleEvent.APPROVED),
        pending=0,
        approved=version,
        title=build_title(lead, question) if question else now.title,
        asked=(),
        interview=replace(
            lead,
            based_on=based_on,
            changed={},
            inconsistencies=(),
            discussed=0,
            shown={},
            draft_files=(),
            is_change_pressed=False,
        ),
    )
    made = combine(moved, _replace_former(clear_emoji(after, trigger.cause, *now.queued), version, trigger))
    made = combine(made, _close_question(made.conversation, trigger, StepState.APPROVED, version))
    made = combine(made, _queue_version(made.conversation, lead.draft, version, trigger))
    made = tell_decision(made, trigger.cause, StepEvent.APPROVED)
    return combine(made, _offer_next(made.conversation, version, trigger))


def _hold(lead: Interview) -> Interview:
    """Return the interview with the draft as its approval leaves it."""
    if lead.drafted is None or lead.drafted.held is None:
        return lead
    held = lead.drafted.held
    return replace(lead, draft=held.draft, drafted=replace(lead.drafted, draft=held.draft, sheet=held.sheet, held=None))


def _replace_former(now: Conversation, version: int, trigger: Trigger) -> Transition:
    """Have the card of the version before tell which one replaces it, so that one card alone offers a discussion."""
    for row in trigger.facts.open_cards:
        if isinstance(row.card, StepCard) and row.card.state is StepState.APPROVED and row.seq in now.cards:
            return queue_card_close(now, trigger, row.seq, replace(row.card, replaced=version))
    return Transition(conversation=now)


def build_title(lead: Interview, name: str) -> str:
    """Return what the thread of a step is called, in a decision of this name."""
    return labels.shorten(" · ".join(filter(None, (lead.prepared.title, name))))


def name_step(now: Conversation, name: str) -> Conversation:
    """Return the thread of a step in a decision that is called by this name from now on."""
    return replace(now, title=build_title(require_interview(now), name))


def _offer_next(now: Conversation, version: int, trigger: Trigger) -> Transition:
    """Offer to start the next step; after a later version only if it has still not begun, and in one place."""
    lead = require_interview(now)
    next_ = NextCard(
        title=lead.prepared.title,
        version=version,
        next_key=lead.prepared.next_key,
        next_title=lead.prepared.next_title,
        decision=lead.decision,
    )
    offered = _find_offer(now, trigger)
    if lead.example or (version > 1 and offered is None):
        return Transition(conversation=now)
    if offered is None:
        return queue_card(now, trigger, next_, changes=bool(next_.next_key))
    seq, before = offered
    words = decision_steps.RECORDED.format(title=before.title, version=before.version)
    closed = queue_card_close(now, trigger, seq, NoteCard(text=words))
    return combine(closed, queue_card(closed.conversation, trigger, next_))


def _find_offer(now: Conversation, trigger: Trigger) -> tuple[int, NextCard] | None:
    """Return the card with the button that starts the next step, and its `seq`; None if there is none."""
    open_ = ((row.seq, row.card) for row in trigger.facts.open_cards if row.seq in now.cards)
    return next(((seq, card) for seq, card in open_ if isinstance(card, NextCard) and card.begun is None), None)


def vouch(lead: Interview, figures: Iterable[str], by: str, at: str) -> Interview:
    """Return the interview with figures that this person stands for. One that is known already keeps its first."""
    known = {each.text for each in lead.vouched}
    added = (VouchedFigure(text=each, by=by, at=at) for each in dict.fromkeys(figures) if each not in known)
    return replace(lead, vouched=(*lead.vouched, *added))


def change(now: Conversation, trigger: Trigger) -> Transition:
    """Continue the interview with the draft, because the owner wants changes. Raises `IllegalEvent`."""
    lead = require_interview(now)
    if not is_asked(now):
        raise IllegalEvent("NOT_CONFIRMED")
    moved = phases.move(now, PhaseEvent.CHANGE_REQUESTED, trigger.cause)
    after = replace(
        moved.conversation,
        lifecycle=lifecycle.move(now.lifecycle, LifecycleEvent.CHANGE_REQUESTED),
        pending=0,
        interview=replace(lead, discussed=0, is_change_pressed=False, correcting=True),
    )
    made = combine(moved, _close_question(after, trigger, StepState.CHANGING))
    return tell_decision(made, trigger.cause, StepEvent.WAITS_NO_MORE)


def ask_for_changes(now: Conversation, user: str, trigger: Trigger) -> Transition:
    """Ask the owner to write what should change in the waiting draft. Its card stays as it is until they do."""
    lead = require_interview(now)
    words = decision_steps.WRITE_CHANGES if list_obstacles(lead) else decision_steps.WRITE_CHANGES_OR_APPROVE
    if lead.is_change_pressed:
        return Transition(conversation=queue_ephemeral(now, trigger.cause, user, words))
    pressed = replace(now, interview=replace(lead, is_change_pressed=True))
    made = add_note(pressed, decision_steps.CHANGES_PRESSED_FOR_MODEL)
    return combine(made, queue_note_card(made.conversation, trigger, words))


def withdraw(now: Conversation, trigger: Trigger) -> Transition:
    """Withdraw the open question, if there is one. A draft that waited for approval is kept."""
    if now.question is None:
        return Transition(conversation=now)
    made = asking.withdraw(now, trigger)
    return tell_decision(made, trigger.cause, StepEvent.WAITS_NO_MORE) if is_asked(now) else made


def note_revision(now: Conversation, draft: Mapping[str, Any], said: str = "") -> Transition:
    """Keep a draft that a person edited, as a note for the model. It tells what was `said`, if a form has words."""
    told = decision_steps.RATED_FOR_MODEL if said else decision_steps.EDITED_FOR_MODEL
    text = told.format(version=require_interview(now).drafts, said=said)
    row = Message(seq=now.head + 1, role=Role.NOTE, text=text, data=json.dumps(draft, ensure_ascii=False))
    return Transition(conversation=replace(now, head=row.seq), messages=(row,))


def tell_decision(made: Transition, cause: str, on: StepEvent, card: int = 0, gist: str = "") -> Transition:
    """Return the transition with a notice to the decision of the progress of its step.

    `card` is the `seq` of the card that is shown, if it is one; `gist` says what a version that stays comes to now.
    """
    now, lead = made.conversation, require_interview(made.conversation)
    move = StepMove(component=lead.component, thread=now.thread, on=on, card=card, gist=gist)
    if on is StepEvent.WAITS:
        move = replace(move, lacks=is_incomplete(now))
    if on is StepEvent.APPROVED and lead.drafted:
        judged = lead.drafted
        move = replace(move, version=now.approved, gist=judged.gist, deadline=judged.deadline, question=judged.question)
    if on in (StepEvent.APPROVED, StepEvent.ERASED) and lead.drafted:
        move = replace(move, handles=lead.drafted.handles)
    if on in (StepEvent.APPROVED, StepEvent.CLOSED):
        move = replace(move, based_on=lead.based_on)
    return replace(made, conversation=add_effect(now, cause, SendNotice(thread=lead.decision, news=move)))


def _close_question(now: Conversation, trigger: Trigger, state: StepState, version: int = 0) -> Transition:
    asked, lead = now.question, require_interview(now)
    assert asked is not None, "whoever answers was asked"
    card = message_at(trigger.facts.open_cards, asked.card).card
    assert isinstance(card, StepCard), "what waits for approval is shown on a card of its own"
    is_built_on = version > 1 and bool(lead.prepared.next_key) and _find_offer(now, trigger) is None
    heard = StatusEvent.ANSWERED_WITH_SCHEDULE if now.schedule else StatusEvent.ANSWERED_WITHOUT_SCHEDULE
    after = replace(now, question=None, status=status.move(now.status, heard))
    closed = replace(
        card,
        sheet=lead.drafted.sheet if version and lead.drafted else card.sheet,
        state=state,
        by=now.owner,
        at=trigger.at,
        version=version,
        decision=lead.decision if is_built_on else None,
    )
    queue = queue_card_update if state is StepState.APPROVED else queue_card_close  # a later version replaces it
    return queue(after, trigger, asked.card, closed)


def _queue_version(now: Conversation, draft: Mapping[str, Any], version: int, trigger: Trigger) -> Transition:
    row = Message(
        seq=now.head + 1, role=Role.NOTE, text="", data=json.dumps(draft, ensure_ascii=False), author=now.owner
    )
    after = replace(now, head=row.seq)
    keep = SaveVersion(row=row.seq, version=version)
    return Transition(conversation=add_effect(after, trigger.cause, keep), messages=(row,))
