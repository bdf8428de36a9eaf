"""The first contact: the greeting of a place, the start form, and the link to the example. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.core.copy import texts
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_control, read_state, read_text, read_words
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block, RenderedMessage
from handlers.views.windows import forms
from handlers.views.windows.forms import View
from handlers.views.windows.new_decision import QUESTION_CHARS


class StartKind(StrEnum):
    """The kinds of beginnings."""

    DECISION = "decision"
    TASK = "task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A submitted start form. `channel` is that of its button; empty if there was none."""

    channel: str
    words: str


def build_buttons() -> list[Block]:
    """Return the three buttons to begin with."""
    labels: Mapping[StartKind, str] = {
        StartKind.DECISION: texts.MAKE_DECISION,
        StartKind.TASK: texts.GET_DONE,
    }
    begins = [
        blocks.build_button(f"{action_ids.START_PREFIX}{each}", label, each.value) for each, label in labels.items()
    ]
    return [*begins, blocks.build_button(action_ids.EXAMPLE, texts.SEE_EXAMPLE, action_ids.EXAMPLE)]


def read_question(body: Payload) -> str:
    """Return the question that the pressed button begins a decision with; empty if it has none."""
    question = read_text(read_control(body).get("value"))
    return "" if question == StartKind.DECISION else question[:QUESTION_CHARS]


def render_greeting() -> RenderedMessage:
    """Return the greeting of a place."""
    return blocks.render_sentence(texts.WELCOME, blocks.build_actions(*build_buttons()))


def build_start_form(channel: str) -> View:
    """Return the start form. The conversation starts in that channel, or in direct messages if it is empty."""
    return forms.build_form(
        action_ids.START_WINDOW,
        {"channel": channel},
        (texts.GET_DONE, texts.START_SUBMIT, texts.LATER),
        forms.build_words_input(action_ids.START_WINDOW, texts.START_LABEL),
    )


def read_start(view: Payload) -> Start:
    """Return the submitted start form. Without words, nothing can start."""
    words = read_words(read_state(view), action_ids.START_WINDOW).strip()
    return Start(channel=read_text(forms.read_about(view).get("channel")), words=words)


def render_root(user: str, words: str) -> str:
    """Return the message that starts the thread: the person's words, in their name."""
    return texts.ASKED_BY.format(person=f"<@{user}>", words=mrkdwn.render_verbatim(words))


def build_started_window(address: str) -> View:
    """Return a window with a link to the conversation, for a person who is elsewhere."""
    link = blocks.format_link(address, texts.OUR_MESSAGES)
    return forms.build_notice(texts.STARTED_TITLE, texts.STARTED.format(link=link))


def build_notice(sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return forms.build_notice(texts.HOME, sentence)


def build_example_window(address: str) -> View:
    """Return a window with a link to the worked example."""
    link = blocks.format_link(address, texts.OUR_MESSAGES)
    sentence = blocks.build_section(texts.EXAMPLE.format(link=link))
    return forms.build_read_only_window(texts.EXAMPLE_TITLE, sentence, blocks.build_context(texts.EXAMPLE_END))
