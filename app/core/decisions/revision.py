"""Revision of a step's result: edited by its owner, restarted, closed, reopened or outdated by an earlier step.

No data is lost: a draft survives every restart, and an approved version everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.core.conversation.card import NextCard, QuestionCard, ReviewCard, StepCard
from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.conversation.news import NextStepMove, StepEvent, UpstreamChange
from app.core.conversation.transition import (
    Trigger,
    add_note,
    clear_emoji,
    combine,
    message_at,
    queue_card,
    queue_card_close,
    queue_card_update,
    queue_note_card,
)
from app.core.copy import decision_steps
from app.core.decisions import approval, interviewing, phases
from app.core.decisions.approval import is_asked, require_interview, tell_decision
from app.core.errors import IllegalEvent
from app.core.events.acts import DraftEdited, FiguresConfirmed, RestartRequested
from app.core.state import lifecycle
from app.core.state.interview import Interview, JudgedDraft, Phase, PhaseEvent, Stage
from app.core.state.lifecycle import Lifecycle, LifecycleEvent
from app.core.state.sheet import Sheet
from app.core.text.labels import join_words


def on_draft_edited(before: Conversation, event: DraftEdited, trigger: Trigger) -> Transition:
    """Continue with the form input, or show the edited result. Raises `IllegalEvent`."""
    return (apply_form if event.said else apply_edit)(before, event, trigger)


def apply_edit(now: Conversation, event: DraftEdited, trigger: Trigger) -> Transition:
    """Show the result that the owner edited, for approval. Raises `IllegalEvent`."""
    has_draft = bool(require_interview(now).draft)
    living = LifecycleEvent.EDITED_WITH_DRAFT if has_draft else LifecycleEvent.EDITED_WITHOUT_DRAFT
    lived = lifecycle.move(now.lifecycle, living)
    moved = phases.move(now, PhaseEvent.EDITED_WITH_DRAFT, trigger.cause)
    drafted = _check_draft(now, event, trigger.facts.edited_draft)
    lead = approval.vouch(require_interview(moved.conversation), drafted.entered, event.user, trigger.at)
    edited = replace(moved.conversation, lifecycle=lived, interview=lead)
    made = combine(moved, approval.note_revision(edited, drafted.draft, event.said))
    return combine(made, _show_draft(made.conversation, drafted, trigger, by=event.user))


def _check_draft(now: Conversation, event: DraftEdited, drafted: JudgedDraft | None) -> JudgedDraft:
    """Return the judged draft. Raises `IllegalEvent` if it is invalid or was made from another edition."""
    if drafted is None:
        raise IllegalEvent("BAD_EDIT")
    if event.edition != require_interview(now).edition:
        raise IllegalEvent("STALE_EDIT")
    return drafted


def apply_form(now: Conversation, event: DraftEdited, trigger: Trigger) -> Transition:
    """Add the owner's form input to the transcript, and continue the interview with it. Raises `IllegalEvent`."""
    lead = require_interview(now)
    if is_asked(now):
        return apply_edit(now, event, trigger)
    if now.lifecycle is Lifecycle.COMPLETE:
        raise IllegalEvent("CANNOT_REVISE")
    if now.phase is Phase.EXTRACT:
        raise IllegalEvent("BUSY")
    drafted = _check_draft(now, event, trigger.facts.edited_draft)
    row = Message(seq=now.head + 1, role=Role.PERSON, text=event.said, author=event.user)
    lead = approval.vouch(lead, drafted.entered, event.user, trigger.at)
    known = replace(lead, draft=drafted.draft, edition=lead.edition + 1, drafted=drafted, has_content=True)
    after = replace(
        now,
        lifecycle=lifecycle.move(now.lifecycle, LifecycleEvent.MESSAGE_POSTED),
        interview=known,
        head=row.seq,
        newest=max(now.newest, trigger.at),
        asked=(*now.asked, row.seq),
        asked_by=trigger.cause,
    )
    return Transition(conversation=after, messages=(row,))


def on_figures_confirmed(before: Conversation, event: FiguresConfirmed, trigger: Trigger) -> Transition:
    """Keep the owner's word for the figures on the card that nobody had said. Raises `IllegalEvent`.

    The card can then be approved, and is if the button said so and nothing else is needed.
    """
    lead = require_interview(before)
    if not is_asked(before) or lead.drafted is None:
        raise IllegalEvent("NOT_CONFIRMED")
    figures = [each.text for each in lead.drafted.unsaid]
    known = approval.vouch(lead, figures, event.user, trigger.at)
    confirmed = replace(lead.drafted, unsaid=())
    made = _replace_shown_draft(replace(before, interview=known), confirmed, trigger)
    if figures:
        told = decision_steps.VOUCHED_FOR_MODEL.format(figures=join_words(figures))
        made = combine(made, add_note(made.conversation, told))
    if not event.approves or confirmed.missing:
        return made
    return combine(made, approval.approve(made.conversation, trigger.after(made)))


def restart(now: Conversation, event: RestartRequested, trigger: Trigger) -> Transition:
    """Continue from another phase and keep the draft. Raises `IllegalEvent`."""
    living, moving = phases.read_restart(now, event, trigger.facts)
    lived = lifecycle.move(now.lifecycle, living)
    if trigger.facts.current_draft and event.phase is Phase.CONFIRM:
        moved = phases.move(replace(now, lifecycle=lived), moving, trigger.cause)
        return combine(moved, approval.present(moved.conversation, trigger.facts.current_draft, trigger))
    made = approval.withdraw(now, trigger)
    known = replace(require_interview(now), discussed=0, correcting=False)
    after = replace(made.conversation, lifecycle=lived, pending=0, interview=known)
    if event.phase is Phase.EXTRACT:
        return combine(made, interviewing.enter_extraction(after, moving, trigger.cause))
    moved = phases.move(after, moving, trigger.cause)
    told = decision_steps.RESTARTED_FOR_MODEL.format(phase=event.phase.value)
    return combine(combine(made, moved), _prompt_model(moved.conversation, told, trigger))


def close(now: Conversation, trigger: Trigger) -> Transition:
    """Close the step with its approved version and drop a draft that waits. Raises `IllegalEvent` CRITERIA."""
    lead = require_interview(now)
    event = LifecycleEvent.CLOSED_WITH_VERSION if now.approved else LifecycleEvent.CLOSED_WITHOUT_VERSION
    lived = lifecycle.move(now.lifecycle, event)
    if now.lifecycle is Lifecycle.COMPLETE and not lead.changed:
        return Transition(conversation=now)
    made = approval.withdraw(now, trigger)
    known = replace(lead, based_on={**lead.based_on, **lead.changed}, changed={}, inconsistencies=())
    after = replace(made.conversation, lifecycle=lived, stage=Stage.NONE, pending=0, interview=known, asked=())
    made = combine(made, _close_review(clear_emoji(after, trigger.cause, *now.queued), trigger.after(made)))
    made = combine(
        made, queue_note_card(made.conversation, trigger, decision_steps.LEFT_AS_IT_WAS.format(version=now.approved))
    )
    return tell_decision(made, trigger.cause, StepEvent.CLOSED, gist=_find_gist(trigger))


def reopen(now: Conversation, drafted: JudgedDraft | None, trigger: Trigger, *, asks: bool = True) -> Transition:
    """Discuss a finished step again. Its version stays valid until the next approval.

    Unless it `asks` what to change, a message of the owner follows.
    """
    lead = require_interview(now)
    lived = lifecycle.move(now.lifecycle, LifecycleEvent.REOPENED)
    moved = phases.move(now, PhaseEvent.REOPENED, trigger.cause)
    known = replace(
        lead,
        draft=drafted.draft if drafted else lead.draft,
        edition=lead.edition + 1,
        drafted=drafted,
        discussed=0,
        has_content=True,
    )
    after = replace(moved.conversation, lifecycle=lived, stage=Stage.DISCUSS, interview=known)
    made = combine(moved, _close_review(after, trigger))
    made = combine(made, queue_note_card(made.conversation, trigger, decision_steps.REOPENED_STEP))
    prompted = (
        _prompt_model(made.conversation, decision_steps.REOPENED_FOR_MODEL, trigger)
        if asks
        else add_note(made.conversation, decision_steps.TAKEN_UP_FOR_MODEL)
    )
    return tell_decision(combine(made, prompted), trigger.cause, StepEvent.REOPENED)


def on_upstream_change(
    now: Conversation, news: UpstreamChange, drafted: JudgedDraft | None, trigger: Trigger
) -> Transition:
    """Follow a new version of a step that this one builds on. Nothing is deleted, and people are told."""
    lead = require_interview(now)
    if news.version == 0:
        return Transition(conversation=replace(now, interview=_forget_upstream(lead, news.component)))
    if news.version <= max(known.get(news.component, 0) for known in (lead.changed, lead.based_on)):
        return _tell_again(now, news, drafted, trigger)
    lead = replace(lead, changed={**lead.changed, news.component: news.version})
    told = replace(now, interview=lead)
    if now.lifecycle is Lifecycle.COMPLETE:
        # An open card tells all that has changed, also if it is another step's turn to be looked at.
        is_due = not news.quiet or _find_review(trigger) is not None
        return _show_review(told, news, drafted, trigger) if is_due else Transition(conversation=told)
    words = decision_steps.GROUND_CHANGED.format(title=news.title, version=news.version)
    made = queue_note_card(told, trigger, words)
    note = decision_steps.CHANGED_FOR_MODEL.format(title=news.title, version=news.version)
    # There is no draft, or too little to judge. The model is told what has changed and updates a draft itself.
    if drafted is None:
        return combine(made, add_note(made.conversation, note))
    if is_asked(now):
        return combine(made, _show_draft(made.conversation, drafted, trigger))
    known = replace(lead, draft=drafted.draft, edition=lead.edition + 1, drafted=drafted)
    return combine(made, add_note(replace(made.conversation, interview=known), note))


def _tell_again(now: Conversation, news: UpstreamChange, drafted: JudgedDraft | None, trigger: Trigger) -> Transition:
    """Show what is known already if it was recorded quietly, and it is this step's turn to be looked at."""
    is_recorded = require_interview(now).changed.get(news.component) == news.version
    shown = _find_review(trigger)
    is_shown = f"{news.title} v{news.version}" in _list_causes(shown) and news.later in ((), _list_later(shown))
    if news.quiet or now.lifecycle is not Lifecycle.COMPLETE or not is_recorded or is_shown:
        return Transition(conversation=now)
    return _show_review(now, news, drafted, trigger)


def _forget_upstream(lead: Interview, component: str) -> Interview:
    """Return the interview without any version of this component that it builds on."""

    def without(known: Mapping[str, int]) -> Mapping[str, int]:
        return {key: version for key, version in known.items() if key != component}

    judged = replace(lead.drafted, based_on=without(lead.drafted.based_on)) if lead.drafted else None
    return replace(lead, based_on=without(lead.based_on), changed=without(lead.changed), drafted=judged)


def change_owner(now: Conversation, owner: str, trigger: Trigger) -> Transition:
    """Set a new owner, who also answers the open question."""
    if owner == now.owner:
        return Transition(conversation=now)
    after = replace(now, owner=owner, owner_name="", zone="")
    made = queue_note_card(after, trigger, decision_steps.HANDED_OVER.format(person=f"<@{owner}>"))
    if now.question is None:
        return made
    card = message_at(trigger.facts.open_cards, now.question.card).card
    assert isinstance(card, QuestionCard | StepCard), "what is asked stands on a card"
    return combine(made, queue_card_update(made.conversation, trigger, now.question.card, replace(card, owner=owner)))


def follow_next_step(now: Conversation, news: NextStepMove, trigger: Trigger) -> Transition:
    """Let the card that offers to start the next step lead to its thread once it has begun."""
    for row in trigger.facts.open_cards:
        if isinstance(row.card, NextCard) and row.card.next_key == news.component and row.card.begun != news.thread:
            return queue_card_update(now, trigger, row.seq, replace(row.card, begun=news.thread))
    return Transition(conversation=now)


def _show_draft(now: Conversation, drafted: JudgedDraft, trigger: Trigger, *, by: str = "") -> Transition:
    """Show a changed draft on the card that waits, if there is one.

    While a turn is active it uses a new card, because that turn's verdict is about the old one.
    """
    if is_asked(now) and now.turn is None:
        return _replace_shown_draft(now, drafted, trigger, by=by)
    return approval.present(now, drafted, trigger, by=by, model="" if by else require_interview(now).model)


def _replace_shown_draft(now: Conversation, drafted: JudgedDraft, trigger: Trigger, *, by: str = "") -> Transition:
    """Show this draft on the card that waits, so that the owner approves what is visible."""
    lead, asked = require_interview(now), now.question
    assert asked is not None, "a card waits"
    card = message_at(trigger.facts.open_cards, asked.card).card
    assert isinstance(card, StepCard), "what waits for approval is shown on a card of its own"
    topics, edition = approval.join_topics(lead, drafted), lead.edition + 1
    known = replace(lead, draft=drafted.draft, drafted=drafted, shown=drafted.draft, topics=topics, edition=edition)
    question = replace(asked, id=f"{now.version + 1}.{asked.card}", asked_at=trigger.at)
    shown = replace(
        card,
        question=question,
        edition=known.edition,
        sheet=drafted.sheet,
        missing=drafted.missing,
        remarks=drafted.remarks,
        unsaid=drafted.unsaid,
        traces=drafted.traces,
        sums=drafted.sums,
        changes=drafted.changes,
        edited_by=by or card.edited_by,
        at=trigger.at,
    )
    made = queue_card_update(replace(now, interview=known, question=question), trigger, asked.card, shown)
    if bool(card.missing) == bool(drafted.missing):
        return made
    return tell_decision(made, trigger.cause, StepEvent.WAITS)


def _show_review(now: Conversation, news: UpstreamChange, drafted: JudgedDraft | None, trigger: Trigger) -> Transition:
    """Show the owner of a finished step what a new version would change."""
    lead, cause = require_interview(now), f"{news.title} v{news.version}"
    open_ = _find_review(trigger)
    before = (each for each in _list_causes(open_) if not each.startswith(f"{news.title} v"))
    card = ReviewCard(
        title=lead.prepared.title,
        causes=news.causes or (*before, cause),
        version=now.approved,
        sheet=drafted.sheet if drafted else Sheet(),
        grounds=drafted.grounds if drafted else {},
        changes=drafted.changes if drafted else (),
        remarks=drafted.remarks if drafted else (),
        missing=drafted.missing if drafted else (),
        gist=drafted.gist if drafted else "",
        later=_list_later(open_) if news.quiet else news.later,  # quiet news knows nothing of the others
    )
    if open_:
        return queue_card_update(now, trigger, open_.seq, card)
    made = queue_card(now, trigger, card)
    return tell_decision(made, trigger.cause, StepEvent.SHOWN, made.conversation.head)


def _find_gist(trigger: Trigger) -> str:
    """Return what the approved version comes to now, as its notice says; empty if it has none."""
    row = _find_review(trigger)
    return row.card.gist if row and isinstance(row.card, ReviewCard) else ""


def _find_review(trigger: Trigger) -> Message | None:
    return next((row for row in trigger.facts.open_cards if isinstance(row.card, ReviewCard)), None)


def _list_causes(row: Message | None) -> tuple[str, ...]:
    return row.card.causes if row and isinstance(row.card, ReviewCard) else ()


def _list_later(row: Message | None) -> tuple[str, ...]:
    return row.card.later if row and isinstance(row.card, ReviewCard) else ()


def _close_review(now: Conversation, trigger: Trigger) -> Transition:
    reviews = (row for row in trigger.facts.open_cards if isinstance(row.card, ReviewCard))
    open_ = next((row for row in reviews if row.seq in now.cards), None)
    if open_ is None or not isinstance(open_.card, ReviewCard):
        return Transition(conversation=now)
    return queue_card_close(now, trigger, open_.seq, replace(open_.card, done=True))


def _prompt_model(now: Conversation, text: str, trigger: Trigger) -> Transition:
    """Add a note that the model must answer in the thread."""
    made = add_note(now, text)
    after = made.conversation
    return replace(made, conversation=replace(after, asked=(*after.asked, after.head), asked_by=trigger.cause))
