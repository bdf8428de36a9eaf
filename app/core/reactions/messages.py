"""Reactions to messages that people post, edit and delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import Conversation, EarlyEdit, Message, MessageStatus, Role, Transition
from app.core.conversation.effect import ForgetFiles, Offer, PostEphemeral, RedactQuotes
from app.core.conversation.facts import MessageUse
from app.core.conversation.redaction import Redaction
from app.core.conversation.shared_file import (
    SharedFile,
    call_files,
    keep_files,
    leave_out_files,
    name_files,
    number_files,
)
from app.core.conversation.transition import (
    Trigger,
    add_effect,
    add_note,
    clear_emoji,
    combine,
    queue_emoji,
    queue_ephemeral,
    queue_show,
)
from app.core.copy import decision_steps, texts
from app.core.decisions import approval, interviewing
from app.core.events import audit_entries
from app.core.events.heard import FileDeleted, MessageChange, MessageDeleted, MessageEdited, MessagePosted
from app.core.goals import goals
from app.core.goals.speech import Intent, read_intent
from app.core.pending import answer_reading, asking, recurrence
from app.core.reactions import answers, preceding, undelivered
from app.core.reactions.answers import Given
from app.core.state import goal
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Answered, Changed, Origin, Question, QuestionEvent
from app.core.state.status import Status, TurnState
from app.core.text import labels
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.core.thread import ThreadKey
from app.core.turns import turns

LOCKED = "lock"
"""Slack's name of 🔒: the emoji for a message without permission."""

TITLE_CHARS = 80
"""Length of a title, which is the beginning of the first message."""

MOST_EARLY = 20
"""Corrections without their messages that a conversation remembers, the newest."""

EARLY_SECONDS = 3_600.0
"""Seconds for which one is remembered: Slack delivers again for less than that."""

_CHANGED = {
    "message_edited": (decision_steps.QUOTE_EDITED, decision_steps.FIGURES_EDITED),
    "message_deleted": (decision_steps.QUOTE_DELETED, decision_steps.FIGURES_DELETED),
}
"""The sentences about a changed message: that a result quotes it, and that it takes figures from it."""

_CHANGED_FOR_DRAFT = {
    "message_edited": (decision_steps.DRAFT_QUOTE_EDITED, decision_steps.DRAFT_FIGURES_EDITED),
    "message_deleted": (decision_steps.DRAFT_QUOTE_DELETED, decision_steps.DRAFT_FIGURES_DELETED),
}
"""The same for a draft that waits for approval."""

DELETED_FOR_MODEL = "The owner has deleted a message that you had read. Do nothing that it alone asked for."
"""Note to a turn under way."""

UNQUOTED = "{count} earlier messages"
"""Replacement for a summary that may quote a deleted message."""


def on_message_posted(now: Conversation, event: MessagePosted, trigger: Trigger) -> Transition:
    """Store a message. The owner's gets a reply; other people's are context for the owner's next turn.

    The first one of a conversation comes after what already stood in its thread.
    """
    event = replace(event, text=labels.name_mentioned(event.text, trigger.facts.mentioned))
    before = preceding.store_preceding(now, event, trigger)
    edits = [each for each in now.early if each.ts == event.ts]
    if edits:  # the words that it had at first are nobody's command any more
        event = replace(event, text=edits[-1].text)
        trigger = replace(trigger, facts=replace(trigger.facts, signal=None))
    after = _forget_early(before.conversation, event.ts, event.at)
    return combine(replace(before, conversation=after), _store_message(after, event, trigger))


def _remember_early(now: Conversation, event: MessageEdited) -> Conversation:
    """Return the conversation with the correction of a message that may still come, and would be kept then."""
    others = _forget_early(now, event.ts, event.at)
    is_kept = now.decision is None and now.lifecycle is not Lifecycle.COMPLETE
    if not is_kept or float(event.at) - float(event.ts) >= EARLY_SECONDS:
        return others
    early = EarlyEdit(ts=event.ts, at=event.at, text=event.text)
    return replace(others, early=(*others.early, early)[-MOST_EARLY:])


def _forget_early(now: Conversation, ts: str, at: str) -> Conversation:
    """Return the conversation without the corrections of this message, and those that are old at this time."""
    held = (each for each in now.early if each.ts != ts and float(at) - float(each.at) < EARLY_SECONDS)
    return replace(now, early=tuple(held))


def _store_message(now: Conversation, event: MessagePosted, trigger: Trigger) -> Transition:
    shared = number_files(now.files, event.files)
    event = replace(event, text=call_files(event.text, shared), files=shared)
    row = Message(
        seq=now.head + 1,
        role=Role.PERSON,
        text=event.text,
        ts=event.ts,
        author=event.user,
        author_name=trigger.facts.author.name,
        late=event.ts < now.heard,
    )
    if now.decision:
        return _on_hub_message(now, event, trigger)
    files = keep_files(now.files, event.files, seq=row.seq, ts=row.ts, by_owner=row.author == now.owner)
    after = replace(now, head=row.seq, newest=max(now.newest, event.ts), files=files)
    if event.user != now.owner:
        return _on_other_message(now, after, row, event, trigger)
    author = trigger.facts.author
    zone = author.zone if recurrence.is_zone(author.zone) else now.zone
    begun, title = answers.begin_conversation(after), now.title or _build_title(event.text)
    name = author.name or now.owner_name
    after = replace(begun, title=title, owner_name=name, zone=zone, spoken=max(now.spoken, event.ts))
    made = Transition(conversation=after, messages=(row,))
    return combine(made, _on_owner_message(after, event, trigger)) if event.addressed else made


def _on_hub_message(now: Conversation, event: MessagePosted, trigger: Trigger) -> Transition:
    """Point a person who addresses the app to the steps. The hub has no interview, so no message is kept."""
    speaks_to_us = event.opens or (event.user == now.owner and event.addressed)
    after = queue_ephemeral(now, trigger.cause, event.user, decision_steps.HUB_HINT) if speaks_to_us else now
    return Transition(conversation=after)


def _on_other_message(
    now: Conversation, after: Conversation, row: Message, event: MessagePosted, trigger: Trigger
) -> Transition:
    if not event.opens:
        return Transition(conversation=after, messages=(row,))
    ask_elsewhere = f" {texts.ASK_ELSEWHERE}" if trigger.facts.author.may_begin else ""
    text = texts.OTHERS_ARE_HEARD.format(owner=f"<@{now.owner}>") + ask_elsewhere
    after = queue_emoji(queue_ephemeral(after, trigger.cause, event.user, text), trigger.cause, event.ts, LOCKED)
    return Transition(
        conversation=after,
        messages=(row,),
        audit=(audit_entries.audit_refusal(now, event, "NOT_OWNER", trigger.cause),),
    )


def ends_turn(now: Conversation, event: MessagePosted) -> bool:
    """Return True if the message ends the active turn: the owner's "never mind", unless it was written before."""
    is_meant = now.turn is not None and event.ts >= now.turn.since
    return is_meant and event.user == now.owner and event.addressed and _ends_everything(now, event.text)


def _ends_everything(now: Conversation, text: str) -> bool:
    """Return True for "never mind" and the like, unless the open question offers these words as an answer."""
    if now.decision or read_intent(text).saying is not Intent.DROPPED:
        return False
    return now.question is None or (now.question.origin is not Origin.EXTRACTION and not _names_option(now, text))


def _names_option(now: Conversation, text: str) -> bool:
    assert now.question is not None, "only a question has options"
    given = answer_reading.understand(now.question, text)
    return isinstance(given, Answered) and given.option is not None


def _on_owner_message(now: Conversation, event: MessagePosted, trigger: Trigger) -> Transition:
    """Let "never mind" end what is going on, and the open question read the rest. Then handle it like any other."""
    if _ends_everything(now, event.text):
        made = turns.stop_everything(now, trigger)
        return combine(made, _hear(made.conversation, event, trigger.after(made)))
    return _hear(now, event, trigger)


def _hear(now: Conversation, event: MessagePosted, trigger: Trigger) -> Transition:
    # A message from before the question answers something else: it may approve only what its author has seen.
    # A step without its component decides nothing either.
    has_seen = now.question is not None and float(event.ts) >= float(now.question.asked_at or 0)
    is_unseen = undelivered.is_question_unseen(now)
    if is_unseen and now.run is TurnState.AWAITING:  # this brings the card; as news it would undo what is allowed there
        return Transition(conversation=now)
    has_seen = has_seen and not is_unseen
    is_answer = has_seen and not trigger.facts.component_missing
    given = answer_reading.understand(now.question, event.text) if now.question and is_answer else None
    if made := answers.decide_in_words(now, event, given, trigger):
        return made
    if now.interview:
        return _on_interview_message(now, event, given, trigger)
    made = goals.follow_message(
        answers.queue_for_reply(now, trigger.cause, event.ts), event.text, trigger, idle=trigger.facts.was_idle
    )
    return answers.answer_in_words(made, given, trigger)


def _on_interview_message(now: Conversation, event: MessagePosted, given: Given | None, trigger: Trigger) -> Transition:
    """Apply an explicit command such as done or show before any reply."""
    if trigger.facts.signal:
        return interviewing.on_summary_requested(now, event, trigger)
    known = replace(now, interview=replace(approval.require_interview(now), has_content=True))
    made = Transition(conversation=answers.queue_for_reply(known, trigger.cause, event.ts))
    is_answer = isinstance(given, Answered | Changed)
    if now.question and now.phase is Phase.INTRO and not is_answer:
        return combine(made, _close_first_question(made.conversation, now.question, event.text, trigger))
    return answers.answer_in_words(made, given, trigger)


def _close_first_question(now: Conversation, asked: Question, text: str, trigger: Trigger) -> Transition:
    """Close the step's first question with the option that a message begins with, else without an answer."""
    place = labels.find_in_lead(asked.options, text)
    if place is None:
        return asking.withdraw(now, trigger)
    return asking.answer(now, Answered(asked.options[place], place), trigger, QuestionEvent.RESOLVE)


def on_message_edited(now: Conversation, event: MessageEdited, trigger: Trigger) -> Transition:
    """Replace the text of a message, also of one that comes later. If a turn has read it, add a note instead.

    What a message of another channel says now stays there.
    """
    text = labels.name_mentioned(event.text, trigger.facts.mentioned)
    event = replace(event, text=call_files(text, [each for each in now.files if each.ts == event.ts]))
    if not trigger.facts.targets:
        return Transition(conversation=_remember_early(now, event))
    said = [row for row in trigger.facts.targets if row.status is not MessageStatus.DELETED]
    if not said:
        return Transition(conversation=now)
    newest = said[-1]
    if event.origin and event.origin.channel != now.thread.channel:  # its new words are for who reads that channel
        return Transition(conversation=_tell_of_use(now, newest.author, event, trigger))
    after = replace(now, title=_build_title(event.text)) if _is_title_source(now, said) else now
    if said[0].seq <= now.since:
        # The summary itself is replaced when the next turn begins: a turn under way must find what it was begun with.
        after = replace(after, summarized=0, summary_due=now.version + 1)
    after = _tell_of_use(after, newest.author, event, trigger)
    made = _mark_answers(after, event, trigger)
    if newest.seq > max(now.answered, now.overheard):  # no turn has read it, so no note is needed
        return replace(made, messages=(*made.messages, replace(newest, text=event.text)))
    note = replace(newest, seq=now.head + 1, role=Role.NOTE, text=event.text)
    made = combine(made, Transition(conversation=replace(made.conversation, head=note.seq), messages=(note,)))
    return _amend(made) if newest.author == now.owner else made


def _amend(made: Transition) -> Transition:
    """Let the turn under way read the note that was just added, which is about a message of the owner.

    What waits on a card is decided by who reads the card.
    """
    now = made.conversation
    is_at_work = now.turn is not None and now.run is not TurnState.AWAITING
    return replace(made, conversation=replace(now, amended=now.head)) if is_at_work else made


def _mark_answers(now: Conversation, event: MessageEdited, trigger: Trigger) -> Transition:
    """Let the card of a question tell whether the message that answered it says something else now.

    The answer on it stays: that is what was acted on.
    """
    changed = list[Message]()
    for row in trigger.facts.quoting:
        card = row.card
        if not isinstance(card, QuestionCard) or card.mapped or card.at != event.ts:
            continue
        is_outdated = answers.format_typed(card.question, event.text) != card.answer
        if is_outdated != card.outdated:
            changed.append(replace(row, card=replace(card, outdated=is_outdated)))
            now = queue_show(now, trigger.cause, row.seq)
    return Transition(conversation=now, messages=tuple(changed))


def on_message_deleted(now: Conversation, event: MessageDeleted, trigger: Trigger) -> Transition:
    """Erase the text of a message, also from notes, title and summary.

    Replies that have read it are sent as text only from now on.
    """
    targets = trigger.facts.targets
    if not targets:  # the inbox does not take it in when it comes
        return Transition(conversation=_forget_early(now, event.ts, event.at))
    # Deleted messages are included: the save that erased them may have failed before it wrote the state.
    first = targets[0].seq
    held = [row for row in targets if row.status is not MessageStatus.DELETED]
    erased = tuple(replace(row, text="", status=MessageStatus.DELETED) for row in held)
    left = [each for each in now.files if each.ts != event.ts]
    words = tuple(leave_out_files(row.text) for row in held)
    gone = Redaction({event.ts}, words, author=targets[0].author, files=_name_gone(now, left))
    after = replace(
        _redact_state(clear_emoji(now, trigger.cause, event.ts), gone, event.ts, trigger),
        title="" if _is_title_source(now, targets) else now.title,
        asked=tuple(seq for seq in now.asked if seq != first),
        goals=reduce(goal.forget_message, (row.text for row in held if row.text), now.goals),
        plain=now.head if first <= max(now.answered, now.overheard) else now.plain,
    )
    if first <= now.since:
        after = replace(after, summary=UNQUOTED.format(count=now.since), summarized=0, summary_due=now.version + 1)
    after = _tell_of_use(after, targets[0].author, event, trigger)
    after = _forget_files(after, left, trigger.cause)
    told = {row.seq for row in held}
    made = Transition(conversation=after, messages=erased)
    made = combine(made, _redact_rows(after, gone, told, trigger))
    is_read = held and first <= max(now.answered, now.overheard)
    if now.turn is None or not is_read or targets[0].author != now.owner:
        return made
    return _amend(combine(made, add_note(made.conversation, DELETED_FOR_MODEL)))


def on_file_deleted(now: Conversation, event: FileDeleted, trigger: Trigger) -> Transition:
    """Erase what is kept of a file. Replies that have read it are sent as text only from now on."""
    gone = [each for each in now.files if each.id == event.file]
    # Somebody else's file may have been read as well, by a tool.
    is_read = any(each.seq <= max(now.answered, now.overheard) for each in gone)
    left = [each for each in now.files if each.id != event.file]
    after = _forget_files(now, left, trigger.cause)
    after = replace(after, plain=now.head) if is_read else after
    return _redact_rows(after, Redaction((), files=_name_gone(now, left)), set(), trigger)


def _name_gone(now: Conversation, left: Sequence[SharedFile]) -> tuple[str, ...]:
    """Return the names by which the model has asked for the files that are not left."""
    known = {each.id for each in left}
    return tuple(name for name, file in name_files(now.files).items() if file.id not in known)


def _forget_files(now: Conversation, left: Sequence[SharedFile], cause: str) -> Conversation:
    """Return the conversation with these files alone. What is kept of the others is erased."""
    known = {each.id for each in left}
    gone = tuple(dict.fromkeys(each.id for each in now.files if each.id not in known))
    after = replace(now, files=tuple(left))
    return add_effect(after, cause, ForgetFiles(files=gone)) if gone else after


def _tell_of_use(now: Conversation, author: str, event: MessageChange, trigger: Trigger) -> Conversation:
    """Tell the author, and the owner, which approved results and drafts use a message that has changed."""
    people = dict.fromkeys((author, now.owner))
    if event.origin and trigger.facts.uses:
        now, people = _tell_at_origin(now, author, event, event.origin, trigger), {now.owner: None}
    for use in trigger.facts.uses:
        quote, figures = (_CHANGED if use.version else _CHANGED_FOR_DRAFT)[event.kind]
        what, known = figures if use.figures else quote, decision_steps.OWNER_KNOWS
        known = known if use.version else decision_steps.DRAFT_OWNER_KNOWS
        stands = [decision_steps.NOT_IN_CURRENT] if use.current else []
        for user in people:
            follows, offer = _offer_discussion(now, use) if user == now.owner else (known, None)
            words = " ".join((what, *stands, follows)).format(
                person=decision_steps.YOU if user == author else f"<@{author}>",
                title=texts.escape(use.title),
                version=use.version,
                figures=texts.escape(join_words(use.figures)),
                current=use.current,
                owner=f"<@{now.owner}>",
            )
            told = PostEphemeral(
                user=user,
                text=words,
                offer=offer,
                about=use.elsewhere if offer else "",
            )
            now = add_effect(now, trigger.cause, told)
    return now


def _tell_at_origin(
    now: Conversation, author: str, event: MessageChange, origin: ThreadKey, trigger: Trigger
) -> Conversation:
    """Tell the author where they wrote the message, in words that do not say what other people decide."""
    is_edited, is_owner = isinstance(event, MessageEdited), author == now.owner
    told = PostEphemeral(
        user=author,
        text=" ".join(
            (
                decision_steps.SOURCE_EDITED if is_edited else decision_steps.SOURCE_DELETED,
                decision_steps.ASKED_IN_STEP if is_owner else decision_steps.DECISION_OWNER_KNOWS,
            )
        ),
        offer=Offer.OPEN_STEP if is_owner else None,
        about=now.thread.root if is_owner else "",
        channel=origin.channel,
        # Slack shows nothing private in a thread without replies. Its first message stands in the channel.
        place=origin.root if event.ts != origin.root else "",
    )
    return add_effect(now, trigger.cause, told)


def _offer_discussion(now: Conversation, use: MessageUse) -> tuple[str, Offer | None]:
    """Return what the owner can do about the result that uses the message."""
    if not use.version:
        return decision_steps.SHOULD_DRAFT_FOLLOW, None
    if use.elsewhere:
        is_open, offer = use.is_discussed, Offer.OPEN_STEP if use.is_discussed else Offer.DISCUSS_OTHER
    else:
        is_open = now.lifecycle is not Lifecycle.COMPLETE
        offer = None if is_open else Offer.REOPEN if now.status is Status.ARCHIVED else Offer.DISCUSS
    return decision_steps.SAY_IF_IT_FOLLOWS if is_open else decision_steps.SHOULD_IT_FOLLOW, offer


def _redact_state(now: Conversation, gone: Redaction, ts: str, trigger: Trigger) -> Conversation:
    """Remove quotes of the message from the interview, and also from versions and later drafts."""
    if now.interview is None:
        return now
    lead = gone.from_interview(now.interview)
    after = replace(now, interview=replace(lead, taken_back=(*lead.taken_back, ts)))
    if not (now.approved or trigger.facts.uses):
        return after
    return add_effect(after, trigger.cause, RedactQuotes(message=ts))


def _redact_rows(now: Conversation, gone: Redaction, told: set[int], trigger: Trigger) -> Transition:
    """Write the redacted messages, and show redacted cards so. A reply under way is left out: its turn's end writes it.

    A reply that read one of the deleted rows `told` between two rounds keeps its text only, unless it still waits.
    """
    turn, is_held, changed = now.turn, now.run is TurnState.AWAITING, list[Message]()
    under_way = turn.reply if turn else 0
    if turn and is_held:
        now = replace(now, turn=replace(turn, uses=tuple(map(gone.from_use, turn.uses))))
    for row in trigger.facts.quoting:
        is_bare = row.seq != under_way and told.intersection(row.heard)
        after = replace(row, content="") if is_bare else gone.from_row(row)
        if after != row and (row.seq != under_way or is_held):
            changed.append(after)
            now = queue_show(now, trigger.cause, row.seq) if after.card != row.card else now
    return Transition(conversation=now, messages=tuple(changed))


def _is_title_source(now: Conversation, versions: Sequence[Message]) -> bool:
    """Return True if the title is made from this message.

    A save that failed halfway may have changed the first message's text already.
    """
    is_name = versions[0].seq == 1 or any(_build_title(row.text) == now.title for row in versions)
    return is_name and versions[0].author == now.owner


def _build_title(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return cut(line, TITLE_CHARS)
