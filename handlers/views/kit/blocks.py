"""Messages as Block Kit: pure functions that turn our values into Slack's dictionaries, and the elements they use.

Every message has a plain-text twin, which notifications and screen readers use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.core.conversation.call import OfferDecision
from app.core.conversation.conversation import ANSWERED, ROUNDS, Message, MessageStatus
from app.core.conversation.effect import Offer
from app.core.conversation.transition import parse_ts
from app.core.copy import decision_steps, texts
from app.core.errors import FailureKind
from app.core.state.tool_use import ToolOutput
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.core.thread import ThreadKey
from handlers.slack import action_ids, permalinks
from handlers.slack.payload import read_thread
from handlers.views.kit import mrkdwn

Block = dict[str, Any]


LABEL_CHARS = 75
"""Slack's limit for the label of a button, and of an option."""

TITLE_CHARS = 24
"""Slack's limit for a modal's title."""

MOST_OPTIONS = 100
"""Slack's limit for the options of a select."""

FALLBACK_CHARS = 3_900
"""Characters of a `text`. Slack: `chat.update` refuses more than 4,000."""

MOST_MADE, MADE_CHARS = 8, 60
"""Outputs of a turn that a reply lists below it, and characters of each name: escaped, they fit Slack's limit."""

MOST_UNSAID = 20
"""Figures that nobody said which are named below a reply; of the others, their number is told."""

MOST_DRAFTED = 50
"""Files that one button drafts from: their ids fit Slack's limit for its value."""

OFFERS: Mapping[Offer, tuple[str, str, str | None]] = {
    Offer.ARCHIVE: (action_ids.ARCHIVE, texts.ARCHIVE, None),
    Offer.ERASE: (action_ids.ERASE, texts.ERASE, "danger"),
    Offer.REOPEN: (action_ids.REOPEN, texts.REOPEN, None),
    Offer.DISCUSS: (action_ids.REOPEN, decision_steps.DISCUSS_AGAIN, None),
}
"""The button of each offer about the thread that it stands in: its action, label and style."""


@dataclass(frozen=True, slots=True)
class RenderedMessage:
    """One Slack message: its blocks and their plain-text twin."""

    text: str
    blocks: tuple[Block, ...]

    @property
    def fallback(self) -> str:
        """Return the text as notices and screen readers give it: beside blocks, Slack leaves a date in it as it is."""
        return mrkdwn.write_dates_out(self.text) if self.blocks else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlace:
    """Thread of a card, and the address under which Slack shows the workspace's messages, with a slash at the end."""

    thread: ThreadKey
    workspace_url: str
    hub: ThreadKey | None = None
    """The hub of the decision, if it is the thread of a step."""


def render_page(markdown: str, closing: tuple[Block, ...] = ()) -> RenderedMessage:
    """Render a page of an answer. Slack renders Markdown itself in a `markdown` block (12,000 characters at most)."""
    body: tuple[Block, ...] = ({"type": "markdown", "text": markdown},) if markdown else ()
    spoken = markdown or next((_extract_text(block) for block in closing), "")
    return RenderedMessage(text=cut(texts.escape(spoken), FALLBACK_CHARS), blocks=(*body, *closing))


def render_unformatted(markdown: str, closing: tuple[Block, ...] = ()) -> RenderedMessage:
    """Render the same text without markup, if Slack refuses to render it. Slack never parses rich text."""
    element = {"type": "rich_text_section", "elements": [{"type": "text", "text": markdown or " "}]}
    body: Block = {"type": "rich_text", "elements": [element]}
    return RenderedMessage(text=cut(texts.escape(markdown), FALLBACK_CHARS), blocks=(body, *closing))


def render_sentence(sentence: str, *below: Block) -> RenderedMessage:
    """Render a sentence in mrkdwn, with blocks below it."""
    return RenderedMessage(text=sentence, blocks=(build_section(sentence), *below))


def build_stop_button(reply: int) -> tuple[Block, ...]:
    """Build the button below an answer that is still growing."""
    return (build_actions(build_button(action_ids.STOP, texts.STOP, str(reply))),)


def render_offer(sentence: str, offered: Offer, place: CardPlace, about: str = "") -> RenderedMessage:
    """Render a sentence with its offer's buttons. Their values begin with the root of the thread that they act on."""
    return render_sentence(sentence, build_actions(*_build_offer(offered, place, about)))


def _build_offer(offered: Offer, place: CardPlace, about: str) -> Iterator[Block]:
    root = place.thread.root
    if offered is Offer.OPEN_STEP:
        address = permalinks.link_thread(place.workspace_url, replace(place.thread, root=about))
        yield build_link_button(action_ids.OPEN_STEP, decision_steps.GO_TO_STEP, address)
        return
    if offered is Offer.DISCUSS_OTHER:
        yield build_button(action_ids.REOPEN, decision_steps.DISCUSS_AGAIN, about)
        return
    action, label, style = OFFERS[offered]
    if about:
        yield build_button(action_ids.GO_ON_WITH, texts.GO_ON_WITH, f"{root}:{about}", "primary")
    yield build_button(action, label, root, style)


def render_outputs(things: Sequence[ToolOutput]) -> Block:
    """List below a reply the outputs of its work, with a link for each known address."""
    shown = [_link_output(each) for each in things[:MOST_MADE]]
    more = [texts.MADE_MORE.format(count=len(things) - MOST_MADE)] if len(things) > MOST_MADE else []
    return build_context(texts.MADE.format(things=" · ".join((*shown, *more))))


def _link_output(thing: ToolOutput) -> str:
    label = mrkdwn.render_verbatim(cut(" ".join(thing.name.split()), MADE_CHARS))
    return format_link(thing.address, label) if thing.address else label


def render_open_question(address: str) -> Block:
    """Render the reminder below a reply of the open question at that address."""
    return build_context(texts.STILL_OPEN.format(link=format_link(address, texts.QUESTION_ABOVE)))


def render_turns_left(count: int) -> Block:
    """Say below a reply after how many more the discussion ends by itself."""
    return build_context(decision_steps.ENDS_SOON.format(count=count) if count > 1 else decision_steps.ENDS_NEXT)


def build_interview_actions(
    root: str, *, opens: bool = False, rated: bool = False, ends_soon: bool = False, details: str = ""
) -> Block:
    """Build the controls of a step in progress, below its opening if it `opens`.

    `root` is the root of its thread, `rated` tells if the step rates options, `ends_soon` if its end was announced.
    `details` is the opening's `seq` if it says in short what is known; else empty.
    """
    draft = (build_button(action_ids.DRAFT_IT, decision_steps.DRAFT_IT, root),) if opens else ()
    more = (build_button(action_ids.SHOW_ALL, decision_steps.SHOW_DETAILS, details),) if opens and details else ()
    keep = (build_button(action_ids.KEEP_TALKING, decision_steps.KEEP_TALKING, root),) if ends_soon else ()
    rate = (build_button(action_ids.RATE, decision_steps.RATE, root),) if rated else ()
    return build_actions(
        build_button(action_ids.SUMMARIZE, decision_steps.SUMMARIZE, root),
        build_button(action_ids.SHOW, decision_steps.SHOW, root),
        *more,
        *draft,
        *keep,
        *rate,
    )


def build_draft_actions(files: Sequence[str]) -> Block:
    """Build the button below a reply that drafts the step from these files, at least one."""
    label = decision_steps.DRAFT_FROM_FILE if len(files) == 1 else decision_steps.DRAFT_FROM_FILES
    return build_actions(build_button(action_ids.DRAFT_FROM_FILES, label, ",".join(files[:MOST_DRAFTED])))


def render_activity(reply: Message) -> tuple[Block, ...]:
    """Say below a reply in a line what its tools have looked at and done, with the details for the owner."""
    if not reply.activity or reply.status in (MessageStatus.STREAMING, MessageStatus.HELD, MessageStatus.DELETED):
        return ()
    line: Block = build_verbatim(texts.TRACE.format(line=reply.activity))
    details = build_button(action_ids.SHOW_ALL, texts.SHOW_DETAILS, str(reply.seq))
    return ({**line, "accessory": details} if reply.content else line,)


def render_start(reply: Message) -> tuple[Block, ...]:
    """Offer below a reply to begin a guided decision, if it has called for that."""
    offered = [call.question for call in reply.calls if isinstance(call, OfferDecision)]
    if not offered or reply.status not in ANSWERED:
        return ()
    return (build_actions(build_button(action_ids.START_DECISION, texts.MAKE_DECISION, offered[-1])),)


def render_unsaid(reply: Message) -> tuple[Block, ...]:
    """Say below a reply which of its amounts and dates nobody said."""
    if not reply.unsaid or reply.status is MessageStatus.DELETED:
        return ()
    named = join_words((f'"{each}"' for each in reply.unsaid), MOST_UNSAID)
    return (build_context(texts.UNSAID_FIGURES.format(figures=named)),)


def render_ending(reply: Message, *, overtaken: bool = False) -> tuple[Block, ...]:
    """Say below a reply how it ended, if not well, and offer a remedy, unless a later reply has `overtaken` it."""
    below = _render_ending(reply)
    return tuple(block for block in below if not (overtaken and block["type"] == "actions"))


def _render_ending(reply: Message) -> tuple[Block, ...]:
    has_words = bool(reply.text.strip())
    match reply.status:
        case MessageStatus.FAILED:
            return _render_failure(reply, has_words)
        case MessageStatus.INTERRUPTED:
            return (
                build_context(texts.INTERRUPTED if has_words else texts.INTERRUPTED_EARLY),
                _build_retry_button(reply.seq),
            )
        case MessageStatus.CANCELLED:
            return (
                (build_context(texts.STOPPED),)
                if has_words
                else (build_context(texts.STOPPED_EARLY), _build_retry_button(reply.seq))
            )
        case MessageStatus.TRUNCATED:
            return (build_context(texts.TRUNCATED), _build_continue_button(reply.seq))
        case MessageStatus.LIMITED:
            said = () if _is_pause(reply) else (build_context(_explain_limit(reply)),)
            return (*said, _build_continue_button(reply.seq))
        case MessageStatus.REFUSED:
            return (build_context(texts.REFUSED_IN_RUN if reply.by_schedule else texts.REFUSED),)
        case MessageStatus.DELETED:  # it was discarded, and another reply replaces it without a notice
            return ()
        case _:
            nothing = texts.EMPTY_IN_RUN if reply.by_schedule else texts.EMPTY
            return () if has_words or reply.acted else (build_context(nothing),)


def _is_pause(reply: Message) -> bool:
    """Return True for a pause after each round, whose line says all: its owner goes on as often as they like."""
    return bool(reply.activity) and not reply.failure and reply.rounds < ROUNDS


def _explain_limit(reply: Message) -> str:
    """Say why a reply stopped between two rounds. One whose request was too long goes on, unlike one that failed so."""
    if reply.failure == FailureKind.TOO_LONG:
        return texts.READ_TOO_MUCH
    return _explain_failure(reply) if reply.failure else texts.LIMITED


def _render_failure(reply: Message, has_words: bool) -> tuple[Block, ...]:
    kind = FailureKind(reply.failure)
    is_early = kind is FailureKind.CUT and not has_words
    sentence = texts.CUT_EARLY if is_early else _explain_failure(reply)
    referred = f"{sentence} {texts.format_reference(reply.reference)}" if reply.reference else sentence
    return (build_context(referred), *((_build_retry_button(reply.seq),) if kind in texts.RETRYABLE else ()))


def _explain_failure(reply: Message) -> str:
    wait = texts.format_wait(reply.wait) if reply.wait else texts.A_MOMENT
    told = texts.FAILURES | texts.FAILURES_OF_RUNS if reply.by_schedule else texts.FAILURES
    return told[FailureKind(reply.failure)].format(wait=wait)


def _build_continue_button(reply: int) -> Block:
    return build_actions(build_button(action_ids.CONTINUE, texts.CONTINUE, str(reply)))


def _build_retry_button(reply: int) -> Block:
    return build_actions(build_button(action_ids.RETRY, texts.RETRY, str(reply)))


def _extract_text(block: Block) -> str:
    parts = (block["text"],) if "text" in block else block.get("elements", ())
    return next((str(part.get("text", "")) for part in parts), "")


DIVIDER: Final[Block] = {"type": "divider"}
"""A line between two parts of a view."""


def build_header(words: str) -> Block:
    """Build the title of a part of a view. Slack: 150 characters."""
    return {"type": "header", "text": build_plain_text(words)}


def build_section(sentence: str) -> Block:
    """Build a paragraph of mrkdwn, 3,000 characters at most."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": sentence}}


def build_verbatim(verbatim: str) -> Block:
    """Build a paragraph in which nothing is markup, 3,000 characters at most."""
    return {"type": "section", "text": build_plain_text(verbatim)}


def build_context(sentence: str) -> Block:
    """Build a line of small print in mrkdwn, 3,000 characters at most."""
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": sentence}]}


def build_verbatim_context(verbatim: str) -> Block:
    """Build a line of small print in which nothing is markup, 3,000 characters at most."""
    return {"type": "context", "elements": [build_plain_text(verbatim)]}


def build_reason(sentence: str) -> Block:
    """Build a line on why a permission is asked for. The sentence may hold names that people gave."""
    return build_context(f"🔒 {mrkdwn.render_verbatim(sentence)}")


def build_actions(*controls: Block) -> Block:
    """Build a row of buttons and selects, 25 at most."""
    return {"type": "actions", "elements": list(controls)}


def build_button(action: str, label: str, value: str, style: str | None = None) -> Block:
    """Build a button. Slack: `LABEL_CHARS` of label, 2,000 of value; `style` is primary or danger."""
    made: Block = {"type": "button", "action_id": action, "value": value, "text": build_plain_text(label)}
    return made | {"style": style} if style else made


def build_select(action: str, placeholder: str, options: Mapping[str, str]) -> Block:
    """Build a list to choose one of. Slack: 100 options, of 150 characters of value and `LABEL_CHARS` of label."""
    return {
        "type": "static_select",
        "action_id": action,
        "placeholder": build_plain_text(placeholder),
        "options": build_options(options),
    }


def build_overflow(action: str, options: Mapping[str, str]) -> Block:
    """Build a menu behind three dots. Slack: 5 options, of 150 characters of value and `LABEL_CHARS` of label."""
    return {"type": "overflow", "action_id": action, "options": build_options(options)}


def build_options(labels: Mapping[str, str]) -> list[Block]:
    """Build what can be chosen in a list or a menu, by value."""
    return [{"text": build_plain_text(label), "value": value} for value, label in labels.items()]


def build_input(name: str, label: str, element: Block) -> Block:
    """Build a labelled field of a form. `name` is the id of the field, and of its one element."""
    return {
        "type": "input",
        "block_id": name,
        "label": build_plain_text(label),
        "element": {**element, "action_id": name},
    }


def build_radio_input(name: str, label: str, choices: Mapping[str, str]) -> Block:
    """Build a field with a choice of one. The first is chosen at the beginning."""
    options = build_options(choices)
    return build_input(name, label, {"type": "radio_buttons", "options": options, "initial_option": options[0]})


def build_text_box(most: int, initial: str = "") -> Block:
    """Build the element for several lines of words, `most` characters at most. Slack's limit is 3,000."""
    box: Block = {"type": "plain_text_input", "multiline": True, "max_length": most}
    return box | ({"initial_value": initial} if initial else {})


def build_link_button(action: str, label: str, address: str) -> Block:
    """Build a button that is a link. Slack: 3,000 characters of address."""
    return {"type": "button", "action_id": action, "url": address, "text": build_plain_text(label), "style": "primary"}


def build_confirm(title: str, sentence: str, yes: str, no: str) -> Block:
    """Build Slack's confirmation dialog of a click. Slack: 100 characters of title, 300 of sentence, 30 of answer."""
    return {
        "title": build_plain_text(title),
        "text": build_plain_text(sentence),
        "confirm": build_plain_text(yes),
        "deny": build_plain_text(no),
    }


def format_address(thread: ThreadKey) -> str:
    """Return the name of a thread within its workspace, as the values of our buttons hold it: `channel:root`."""
    return f"{thread.channel}:{thread.root}"


def parse_address(address: str, team: str) -> ThreadKey | None:
    """Return the thread of such an address; None for anything else."""
    channel, _, root = address.partition(":")
    return read_thread({"ts": root}, team, channel)


def format_link(place: str, label: str) -> str:
    """Return a link in mrkdwn to an address, with a label of ours."""
    return f"<{texts.escape(place)}|{label}>"


def link_decision(workspace_url: str, decision: ThreadKey) -> str:
    """Return a link in mrkdwn to the thread of a decision."""
    return format_link(permalinks.link_thread(workspace_url, decision), decision_steps.THE_DECISION)


def format_time(ts: str) -> str:
    """Return the time of day of a message in mrkdwn, on the reader's own clock."""
    return mrkdwn.render_time(parse_ts(ts), "{time}", f"{parse_ts(ts):%H:%M} UTC")


def format_day(ts: str) -> str:
    """Return a day in mrkdwn, with its year, on the reader's own calendar."""
    moment = parse_ts(ts)
    return mrkdwn.render_time(moment, "{date_short}", f"{moment.day} {moment:%b %Y} (UTC)")


def build_plain_text(text: str) -> Block:
    """Build a text object in which nothing is markup."""
    return {"type": "plain_text", "text": text}
