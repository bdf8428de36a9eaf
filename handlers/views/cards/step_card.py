"""The cards of a step: its draft with the owner's actions, and the cards below an approved step. Pure.

A card of several messages has its buttons in the last one. An outdated draft is one short message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.core.conversation.card import NextCard, NoteCard, ReviewCard, StepCard, StepState
from app.core.copy import decision_steps, texts
from app.core.state.sheet import Item, Listing, Prose, Section
from handlers.slack import action_ids, permalinks
from handlers.views.cards.sheet_pages import groups
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block, Place, Rendered
from handlers.views.kit.packing import Group, messages
from handlers.views.kit.summary_line import DOT, cut

RATED = "consequences"
"""The component in which options are rated, one column at a time."""

NOTE_CHARS, CAUSES_CHARS = 3_000, 500
"""Slack's limit for a line of small print, and ours for a list of changes. Longer texts are cut."""

CLOSED: Mapping[StepState, str] = {
    StepState.CHANGING: decision_steps.CHANGING,
    StepState.SUPERSEDED: decision_steps.SUPERSEDED,
    StepState.WITHDRAWN: decision_steps.WITHDRAWN,
}


def step(card: StepCard, seq: int, place: Place) -> tuple[Rendered, ...]:
    """Return a draft. `seq` is the card's row, which the answering buttons carry."""
    match card.state:
        case StepState.OPEN:
            return _waiting(card, seq, place)
        case StepState.APPROVED:
            return _approved(card, place.thread.root)
        case _:
            return _put_aside(card)


def review(card: ReviewCard, place: Place) -> tuple[Rendered, ...]:
    """Return the notice in a finished step that its basis has changed, with the result that would follow now."""
    form = decision_steps.REVIEWED if card.done else decision_steps.REVIEW
    causes = mrkdwn.verbatim(cut(", ".join(card.causes), CAUSES_CHARS))
    sentence = form.format(title=mrkdwn.verbatim(card.title), version=card.version, causes=causes)
    if card.done:
        return (Rendered(text=sentence, blocks=(blocks.section(sentence),)),)
    root = place.thread.root
    buttons = blocks.actions(
        blocks.button(action_ids.REOPEN, texts.REOPEN, root),
        blocks.button(action_ids.STILL_VALID, decision_steps.STILL_VALID, root),
    )
    follows = Prose(title=decision_steps.FOLLOWS_NOW, text="")
    shown = (follows, *card.sheet.sections) if card.sheet.sections else ()
    return _rendered(sentence, card.title, ((blocks.section(sentence),), *groups(shown), (buttons,)))


def following(card: NextCard, place: Place) -> tuple[Rendered, ...]:
    """Return the notice below an approved step that it is recorded, with an offer of the next one."""
    recorded = decision_steps.RECORDED.format(title=mrkdwn.verbatim(card.title), version=card.version)
    if not card.next_key or card.version > 1:  # after a later version the next step has usually begun
        hub = blocks.linked(permalinks.of_thread(place.workspace_url, card.decision), decision_steps.THE_DECISION)
        form = decision_steps.GO_ON_FROM_HUB if card.next_key else decision_steps.LAST_STEP
        sentence = f"{recorded} {form.format(hub=hub)}"
        return (Rendered(text=sentence, blocks=(blocks.section(sentence),)),)
    label = cut(decision_steps.START_NEXT.format(title=card.next_title), blocks.LABEL_CHARS)
    start = blocks.button(action_ids.START_STEP, label, f"{card.next_key}:{blocks.address(card.decision)}", "primary")
    return (Rendered(text=recorded, blocks=(blocks.section(recorded), blocks.actions(start))),)


def note(card: NoteCard) -> tuple[Rendered, ...]:
    """Return a fact about the thread in small print."""
    text = cut(card.text, NOTE_CHARS)
    return (Rendered(text=text, blocks=(blocks.context(text),)),)


def _waiting(card: StepCard, seq: int, place: Place) -> tuple[Rendered, ...]:
    title, owner = mrkdwn.verbatim(card.title), f"<@{card.owner}>"
    sentence = decision_steps.WAITS_FOR_OK.format(owner=owner, title=title, draft=card.draft)
    body: tuple[Section, ...] = (
        *_told(decision_steps.STILL_NEEDED, card.missing),
        *card.sheet.sections,
        *_told(decision_steps.NOTICED, card.remarks),
    )
    asked = tuple(block for group in groups((Prose(title=card.question.prompt, text=""),)) for block in group)
    foot = (*asked, _buttons(card, seq, place.thread.root), blocks.context(_small_print(card)))
    return _rendered(sentence, card.title, ((blocks.section(sentence),), *groups(body), foot))


def _told(title: str, sentences: tuple[str, ...]) -> tuple[Section, ...]:
    return (Listing(title=title, items=tuple(Item(text=each) for each in sentences)),) if sentences else ()


def _buttons(card: StepCard, seq: int, root: str) -> Block:
    approve, change = card.question.options
    asked = card.question.id
    answers = (
        blocks.button(action_ids.ANSWER_BUTTONS[0], approve, f"{seq}:0:{asked}", "primary"),
        blocks.button(action_ids.ANSWER_BUTTONS[1], change, f"{seq}:1:{asked}"),
    )
    edit = blocks.button(action_ids.EDIT, decision_steps.EDIT, root)
    rate = (blocks.button(action_ids.RATE, decision_steps.RATE, root),) if card.component == RATED else ()
    return blocks.actions(*(answers[1:] if card.missing else answers), edit, *rate, _menu(card))


def _menu(card: StepCard) -> Block:
    options = {f"restart:{phase}": label for phase, label in decision_steps.RESTARTS.items()}
    if card.closable:
        options["close"] = decision_steps.LEAVE_APPROVED
    surely = blocks.confirm(
        decision_steps.LEAVE_TITLE, decision_steps.LEAVE_WARNING, decision_steps.LEAVE_YES, decision_steps.LEAVE_NO
    )
    return blocks.overflow(action_ids.STEP_MENU, options) | {"confirm": surely}


def _small_print(card: StepCard) -> str:
    hint = decision_steps.CHANGE_HINT if card.missing else decision_steps.APPROVE_HINT
    edited = decision_steps.EDITED_BY.format(person=f"<@{card.edited_by}>") if card.edited_by else ""
    return DOT.join(filter(None, (hint, edited)))


def _approved(card: StepCard, root: str) -> tuple[Rendered, ...]:
    """Return an approved result with a button to discuss it again."""
    sentence = decision_steps.APPROVED.format(title=mrkdwn.verbatim(card.title), version=card.version, **_closing(card))
    reopen = blocks.actions(blocks.button(action_ids.REOPEN, texts.REOPEN, root))
    return _rendered(sentence, card.title, ((blocks.section(sentence),), *groups(card.sheet.sections), (reopen,)))


def _put_aside(card: StepCard) -> tuple[Rendered, ...]:
    sentence = decision_steps.DRAFT.format(title=mrkdwn.verbatim(card.title), draft=card.draft)
    why = blocks.context(CLOSED[card.state].format(**_closing(card)))
    return (Rendered(text=sentence, blocks=(blocks.section(sentence), why)),)


def _closing(card: StepCard) -> Mapping[str, str]:
    return {"person": f"<@{card.by}>", "time": blocks.time_of(card.at)}


def _rendered(sentence: str, title: str, shown: Iterable[Group]) -> tuple[Rendered, ...]:
    pages = messages(shown)
    names = (
        decision_steps.PART.format(title=mrkdwn.verbatim(title), number=number, count=len(pages))
        for number in range(2, len(pages) + 1)
    )
    return tuple(Rendered(text=name, blocks=page) for name, page in zip((sentence, *names), pages, strict=True))
