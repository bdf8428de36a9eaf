"""The cards of a step: its draft with the owner's actions, and the cards below an approved step. Pure.

A card says the essence of a result; *Show details* opens the rest in a window. A card from before results had an
essence shows all of them, in several messages if need be, with its buttons in the last one. An outdated draft is one
short message; the details of one that is to change can still be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from app.core.conversation.card import GroundCard, NextCard, NoteCard, NotesCard, ReviewCard, StepCard, StepState
from app.core.copy import decision_steps
from app.core.state.interview import FileTrace, UnsaidFigure
from app.core.state.sheet import Item, Listing, Prose, Section
from app.core.text.cutting import cut, cut_before_end
from app.core.text.labels import join_words
from app.decision.layout.parts.result import RATED
from handlers.slack import action_ids, permalinks
from handlers.views.cards.sheet_pages import render_sections
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block, CardPlace, RenderedMessage
from handlers.views.kit.packing import Group, pack_messages
from handlers.views.kit.rich_text import Line, build_blocks, build_text
from handlers.views.kit.summary_line import DOT

NOTE_CHARS, CAUSES_CHARS = 3_000, 500
"""Slack's limit for a line of small print, and ours for a list of changes. Longer texts are cut."""

MOST_PLACES = 3
"""Cells or pages of one file that a card names; the details name all."""

MOST_WARNINGS, LINE_CHARS = 4, 200
"""Warnings that a card shows, and characters of a line. With the essence, it has at most 12 lines above its buttons:
what has a line of its own besides takes the place of a warning.
"""

CHANGES_CHARS = 300
"""Characters of the line of changes: three of them fit."""

MOST_GROUNDS = 3
"""Changed steps whose changes a notice tells, one less with a line to check; the sentence above names all of them."""

ESSENCE_CHARS = 330
"""Characters of a line of the essence, one of which may be a summary in whole sentences."""

CLOSED: Mapping[StepState, str] = {
    StepState.CHANGING: decision_steps.CHANGING,
    StepState.SUPERSEDED: decision_steps.SUPERSEDED,
    StepState.WITHDRAWN: decision_steps.WITHDRAWN,
}


def render_step(card: StepCard, seq: int, place: CardPlace) -> tuple[RenderedMessage, ...]:
    """Return a draft. `seq` is the card's row, which the answering buttons carry."""
    match card.state:
        case StepState.OPEN:
            return _render_waiting(card, seq, place)
        case StepState.APPROVED:
            return _render_approved(card, seq, place)
        case _:
            return _render_outdated(card, seq)


def render_review(card: ReviewCard, seq: int, place: CardPlace) -> tuple[RenderedMessage, ...]:
    """Return the notice in a finished step that its basis has changed, with the result that would follow now."""
    form = decision_steps.REVIEWED if card.done else decision_steps.REVIEW
    causes = mrkdwn.render_verbatim(cut(join_words(card.causes), CAUSES_CHARS))
    sentence = form.format(title=mrkdwn.render_verbatim(card.title), version=card.version, causes=causes)
    if card.done:
        return (blocks.render_sentence(sentence),)
    root = place.thread.root
    leave = () if card.missing else (blocks.build_button(action_ids.STILL_VALID, decision_steps.STILL_VALID, root),)
    buttons = blocks.build_actions(blocks.build_button(action_ids.REOPEN, decision_steps.DISCUSS_AGAIN, root), *leave)
    follows = Prose(title=decision_steps.FOLLOWS_NOW, text="")
    if card.sheet.essence:
        later = decision_steps.LOOK_LATER.format(titles=join_words(card.later)) if card.later else ""
        lines = (
            *_list_grounds(card, LINE_CHARS, MOST_GROUNDS - bool(card.sheet.to_check)),
            *_tell(decision_steps.NEEDED, card.missing),
            *_tell(decision_steps.WOULD_CHANGE, card.changes, CHANGES_CHARS),
            *_tell(decision_steps.NOTICE, card.remarks, CHANGES_CHARS),
            *_list_essence(card.sheet.short),
            Line(build_text(cut(later, LINE_CHARS), "italic")),
        )
        buttons["elements"].append(_build_details_button(seq))
        return _render_pages(sentence, card.title, ((blocks.build_section(sentence), *build_blocks(lines), buttons),))
    shown = (follows, *card.sheet.sections) if card.sheet.sections else ()
    told = (*_list_grounds(card, NOTE_CHARS), *_tell(decision_steps.NEEDED, card.missing))
    head = (blocks.build_section(sentence), *build_blocks(told))
    return _render_pages(sentence, card.title, (head, *render_sections(shown), (buttons,)))


def list_review(card: ReviewCard) -> tuple[Section, ...]:
    """Return all that has changed for a finished step, and its result as it would be now."""
    grounds = (section for title, told in _select_grounds(card) for section in _list_sentences(title, told))
    return (
        *grounds,
        *_list_sentences(decision_steps.STILL_NEEDED, card.missing),
        *_list_sentences(_title(decision_steps.WOULD_CHANGE), card.changes),
        *_list_sentences(decision_steps.NOTICED, card.remarks),
        *card.sheet.sections,
    )


def _title(line: str) -> str:
    """Return what stands before the colon of a line, as the title of a list."""
    return line.rstrip(": ")


def _select_grounds(card: ReviewCard) -> list[tuple[str, tuple[str, ...]]]:
    """Return what has changed in each step that this one builds on, without what the card tells anyway."""
    known, found = {*card.changes}, list[tuple[str, tuple[str, ...]]]()
    for title, changes in card.grounds.items():
        if fresh := tuple(each for each in changes if each not in known):
            found.append((title, fresh))
        known |= {*changes}
    return found


def _list_grounds(card: ReviewCard, most: int, count: int = MOST_GROUNDS) -> Iterator[Line]:
    """Yield a line of what has changed in each of the first `count` steps that this one builds on."""
    for title, changes in _select_grounds(card)[:count]:
        yield from _tell(decision_steps.CHANGED_THERE.format(title=title), changes, most)


def render_next(card: NextCard, place: CardPlace) -> tuple[RenderedMessage, ...]:
    """Return the notice below an approved step that it is recorded, with an offer of the next one or of the report."""
    recorded = decision_steps.RECORDED.format(title=mrkdwn.render_verbatim(card.title), version=card.version)
    if card.next_key:
        return (blocks.render_sentence(recorded, blocks.build_actions(_build_next_button(card, place))),)
    ended = decision_steps.LAST_STEP.format(hub=blocks.link_decision(place.workspace_url, card.decision))
    value = blocks.format_address(card.decision)
    record = blocks.build_button(action_ids.RECORD, decision_steps.WHOLE_RECORD, value)
    return (blocks.render_sentence(f"{recorded} {ended}", blocks.build_actions(record)),)


def _build_next_button(card: NextCard, place: CardPlace) -> Block:
    """Return the button that starts the next step, or leads to it once it has begun."""
    form = decision_steps.OPEN_NEXT if card.begun else decision_steps.START_NEXT
    label = cut(form.format(title=card.next_title), blocks.LABEL_CHARS)
    if card.begun:
        return blocks.build_link_button(
            action_ids.OPEN_STEP, label, permalinks.link_thread(place.workspace_url, card.begun)
        )
    value = f"{card.next_key}:{blocks.format_address(card.decision)}"
    return blocks.build_button(action_ids.START_STEP, label, value, "primary")


def render_ground(card: GroundCard, place: CardPlace) -> tuple[RenderedMessage, ...]:
    """Return the link to the step whose result is missing, or to the decision, where it can be started."""
    title, thread = card.step.title, card.step.thread
    form = decision_steps.GO_TO_GROUND if thread else decision_steps.START_GROUND
    sentence = form.format(title=mrkdwn.render_verbatim(title))
    label = decision_steps.OPEN_NEXT.format(title=title) if thread else decision_steps.OPEN_DECISION
    address = permalinks.link_thread(place.workspace_url, thread or card.decision)
    link = blocks.build_link_button(action_ids.OPEN_STEP, cut(label, blocks.LABEL_CHARS), address)
    return (blocks.render_sentence(sentence, blocks.build_actions(link)),)


def render_notes(card: NotesCard, seq: int) -> tuple[RenderedMessage, ...]:
    """Return what is noted so far in a discussion, in short. `seq` is the card's row, which the button carries."""
    sentence = decision_steps.NOTED_SO_FAR.format(title=mrkdwn.render_verbatim(card.title))
    foot = blocks.build_context(decision_steps.NOTHING_HAS_ENDED)
    if not card.sheet.essence:
        shown = render_sections(list_notes(card))
        return _render_pages(sentence, card.title, ((blocks.build_section(sentence),), *shown, (foot,)))
    lines = (
        *_tell(decision_steps.NEEDED, card.missing),
        *_list_essence(card.sheet.short),
    )
    buttons = blocks.build_actions(_build_details_button(seq))
    return _render_pages(sentence, card.title, ((blocks.build_section(sentence), *build_blocks(lines), buttons, foot),))


def list_notes(card: NotesCard) -> tuple[Section, ...]:
    """Return all that is noted so far, below what is still needed."""
    return (*_list_sentences(decision_steps.STILL_NEEDED, card.missing), *card.sheet.sections)


def render_note(card: NoteCard) -> tuple[RenderedMessage, ...]:
    """Return a fact about the thread in small print."""
    text = cut(card.text, NOTE_CHARS)
    return (RenderedMessage(text=text, blocks=(blocks.build_context(text),)),)


def _render_waiting(card: StepCard, seq: int, place: CardPlace) -> tuple[RenderedMessage, ...]:
    title, owner = mrkdwn.render_verbatim(card.title), f"<@{card.owner}>"
    form = decision_steps.LACKS if card.missing else decision_steps.WAITS_FOR_OK
    sentence = form.format(owner=owner, title=title, draft=card.draft)
    asked = tuple(block for group in render_sections((Prose(title=card.question.prompt, text=""),)) for block in group)
    foot = (*asked, _build_buttons(card, seq, place.thread.root), blocks.build_context(_render_small_print(card)))
    if card.sheet.essence:
        head = (blocks.build_section(sentence), *build_blocks(_list_lines(card)))
        return _render_pages(sentence, card.title, ((*head, *foot),))
    return _render_pages(
        sentence, card.title, ((blocks.build_section(sentence),), *render_sections(list_whole(card)), foot)
    )


def list_whole(card: StepCard) -> tuple[Section, ...]:
    """Return all that is known of a draft: what is to be settled, of which the card names the first, and its result."""
    changes = card.changes if card.state is StepState.OPEN else ()
    return (
        *_list_sentences(decision_steps.STILL_NEEDED, card.missing),
        *_list_unsaid(card.unsaid),
        *_list_sentences(decision_steps.NOTICED, card.remarks),
        *_list_sentences(_title(decision_steps.SINCE), changes),
        *card.sheet.sections,
        *_list_sentences(decision_steps.WORKED_OUT, card.sums),
        *_list_sentences(decision_steps.FROM_FILES, tuple(map(_describe_trace, card.traces))),
    )


def _list_lines(card: StepCard) -> Iterator[Line]:
    """Yield what changed, what needs attention, and the essence."""
    yield from _tell(decision_steps.SINCE, card.changes, CHANGES_CHARS)
    most = MOST_WARNINGS - sum(map(bool, (card.sheet.to_check, card.sums, card.traces)))
    warnings = _list_warnings(card, most)
    shown = warnings if len(warnings) <= most else warnings[: most - 1]
    for title, told in shown:
        yield from _tell(title, told, CHANGES_CHARS if len(told) > 1 else LINE_CHARS)
    if rest := sum(len(told) for _, told in warnings[len(shown) :]):
        yield Line(build_text(decision_steps.MORE_TO_SETTLE.format(count=rest), "italic"))
    yield from _tell(decision_steps.WORKED_OUT_LINE, card.sums)
    yield from _tell(decision_steps.FROM_FILES_LINE, tuple(_name_places(card.traces)))
    yield from _list_essence(card.sheet.short)


def _list_warnings(card: StepCard, most: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return the warnings, by title: all that is missing as one.

    If there are too many, so are the figures that nobody said, and the last line takes all further notices.
    """
    needed = [(decision_steps.NEEDED, card.missing)] if card.missing else []
    unsaid = [(_title_unsaid(each), _describe_unsaid(each)) for each in card.unsaid]
    single = [(title, (told,)) for title, told in unsaid]
    alone = most - len(needed) - len(single)
    if len(card.remarks) > alone:
        titles = dict.fromkeys(title for title, _ in unsaid)
        single = [(title, tuple(told for each, told in unsaid if each == title)) for title in titles]
        alone = max(1, most - len(needed) - len(single)) - 1
    noticed = [(each,) for each in card.remarks[:alone]]
    noticed += [card.remarks[alone:]] if card.remarks[alone:] else []
    return [*needed, *single, *((decision_steps.NOTICE, told) for told in noticed)]


def _list_essence(lines: Iterable[str]) -> Iterator[Line]:
    yield from (Line(build_text(cut(each, ESSENCE_CHARS)), 0) for each in lines)


def _name_places(traces: tuple[FileTrace, ...]) -> Iterator[str]:
    """Yield each file with the first places in it that the draft is from."""
    for file in dict.fromkeys(each.file for each in traces):
        places = list(dict.fromkeys(each.place for each in traces if each.file == file and each.place))
        told = join_words(places, MOST_PLACES)
        yield f"{file} ({told})" if told else file


def _describe_trace(trace: FileTrace) -> str:
    where = ", ".join(filter(None, (trace.file, trace.place)))
    what = decision_steps.ABOUT.format(about=trace.about, text=trace.text) if trace.about else trace.text
    return decision_steps.TRACE.format(what=what, where=where)


def _tell(title: str, sentences: tuple[str, ...], most: int = LINE_CHARS) -> Iterator[Line]:
    """Yield one line of these sentences, if there are any: the first that fit whole, and the number of the others."""
    if sentences:
        told = [" ".join(each.split()) for each in sentences]
        fitting = (_join(told[:count], len(told) - count) for count in range(len(told), 0, -1))
        room = most - len(_join([""], len(told) - 1))
        first = _join([cut_before_end(told[0], room)], len(told) - 1)
        said = next((each for each in fitting if len(each) <= most), first)
        yield Line((*build_text(title, "bold"), *build_text(said)))


def _join(told: list[str], rest: int) -> str:
    return "; ".join([*told, *([decision_steps.AND_MORE.format(count=rest)] if rest else [])])


def _list_sentences(title: str, sentences: tuple[str, ...]) -> tuple[Section, ...]:
    return (Listing(title=title, items=tuple(Item(text=each) for each in sentences)),) if sentences else ()


def _build_buttons(card: StepCard, seq: int, root: str) -> Block:
    approve, change = card.question.options
    asked = card.question.id
    answers = (
        blocks.build_button(action_ids.ANSWER_BUTTONS[0], approve, f"{seq}:0:{asked}", "primary"),
        blocks.build_button(action_ids.ANSWER_BUTTONS[1], change, f"{seq}:1:{asked}"),
    )
    edit = blocks.build_button(action_ids.EDIT, decision_steps.EDIT, root)
    rate = (blocks.build_button(action_ids.RATE, decision_steps.RATE, root),) if card.component == RATED else ()
    first = _build_confirmation(card, seq) if card.unsaid else () if card.missing else answers[:1]
    details = (_build_details_button(seq),) if card.sheet.essence else ()
    return blocks.build_actions(*first, answers[1], edit, *rate, *details, _build_menu(card))


def _build_confirmation(card: StepCard, seq: int) -> tuple[Block, ...]:
    """Return the button with which the owner stands for the figures that nobody said.

    It approves as well if nothing else is needed.
    """
    label = decision_steps.THAT_IS_RIGHT if len(card.unsaid) == 1 else decision_steps.THESE_ARE_RIGHT
    if not card.missing:
        label = decision_steps.RIGHT_AND_APPROVED.format(right=label, approve=card.question.options[0])
    value = f"{seq}:{int(not card.missing)}:{card.question.id}"
    return (blocks.build_button(action_ids.CONFIRM_FIGURES, cut(label, blocks.LABEL_CHARS), value, "primary"),)


def _list_unsaid(unsaid: tuple[UnsaidFigure, ...]) -> Iterator[Section]:
    """Yield the figures that nobody said, and those that do not stand in the files of the draft."""
    for files in dict.fromkeys(each.files for each in unsaid):
        title = decision_steps.NOT_IN_FILES.format(files=files) if files else decision_steps.NOBODY_SAID
        yield from _list_sentences(title, tuple(_describe_unsaid(each) for each in unsaid if each.files == files))


def _title_unsaid(figure: UnsaidFigure) -> str:
    return decision_steps.NOT_IN_FILES_LINE.format(files=figure.files) if figure.files else decision_steps.UNSAID_LINE


def _describe_unsaid(figure: UnsaidFigure) -> str:
    return decision_steps.UNSAID.format(figure=figure.text, where=figure.where)


def _build_details_button(seq: int) -> Block:
    return blocks.build_button(action_ids.SHOW_ALL, decision_steps.SHOW_DETAILS, str(seq))


def _build_menu(card: StepCard) -> Block:
    options = {f"restart:{phase}": label for phase, label in decision_steps.RESTARTS.items()}
    if card.closable:
        options["close"] = decision_steps.LEAVE_APPROVED
    surely = blocks.build_confirm(
        decision_steps.LEAVE_TITLE, decision_steps.LEAVE_WARNING, decision_steps.LEAVE_YES, decision_steps.LEAVE_NO
    )
    return blocks.build_overflow(action_ids.STEP_MENU, options) | {"confirm": surely}


def _render_small_print(card: StepCard) -> str:
    hint = decision_steps.CHANGE_HINT if card.missing else decision_steps.APPROVE_HINT
    hint = decision_steps.UNSAID_HINT if card.unsaid else hint
    edited = decision_steps.EDITED_BY.format(person=f"<@{card.edited_by}>") if card.edited_by else ""
    return DOT.join(filter(None, (hint, edited)))


def _render_approved(card: StepCard, seq: int, place: CardPlace) -> tuple[RenderedMessage, ...]:
    """Return an approved result with a button to discuss it again, unless a later version has replaced it."""
    sentence = decision_steps.APPROVED.format(
        title=mrkdwn.render_verbatim(card.title), version=card.version, **_read_closing(card)
    )
    if card.replaced:
        sentence = f"{sentence}\n{decision_steps.REPLACED.format(version=card.replaced)}"
    elif card.decision:
        hub = blocks.link_decision(place.workspace_url, card.decision)
        sentence = f"{sentence}\n{decision_steps.GO_ON_FROM_HUB.format(hub=hub)}"
    again = blocks.build_button(action_ids.REOPEN, decision_steps.DISCUSS_AGAIN, place.thread.root)
    reopen = () if card.replaced else (again,)
    head = blocks.build_section(sentence)
    if card.sheet.essence:
        lines = build_blocks(_list_essence(card.sheet.essence))
        buttons = blocks.build_actions(*reopen, _build_details_button(seq))
        return _render_pages(sentence, card.title, ((head, *lines, buttons),))
    shown = render_sections(card.sheet.sections)
    foot = ((blocks.build_actions(*reopen),),) if reopen else ()
    return _render_pages(sentence, card.title, ((head,), *shown, *foot))


def _render_outdated(card: StepCard, seq: int) -> tuple[RenderedMessage, ...]:
    """Return what became of a draft. While people say what is to change, its details can be read."""
    sentence = decision_steps.DRAFT.format(title=mrkdwn.render_verbatim(card.title), draft=card.draft)
    form = decision_steps.SHOWN_AGAIN if card.repeated else CLOSED[card.state]
    why = blocks.build_context(form.format(**_read_closing(card)))
    is_readable = card.state is StepState.CHANGING and card.sheet.sections
    details = (blocks.build_actions(_build_details_button(seq)),) if is_readable else ()
    return (blocks.render_sentence(sentence, why, *details),)


def _read_closing(card: StepCard) -> Mapping[str, str]:
    return {"person": f"<@{card.by}>", "time": blocks.format_time(card.at)}


def _render_pages(sentence: str, title: str, shown: Iterable[Group]) -> tuple[RenderedMessage, ...]:
    pages = pack_messages(shown)
    names = (
        decision_steps.PART.format(title=mrkdwn.render_verbatim(title), number=number, count=len(pages))
        for number in range(2, len(pages) + 1)
    )
    return tuple(RenderedMessage(text=name, blocks=page) for name, page in zip((sentence, *names), pages, strict=True))
