"""The first contact: the greeting of a place, the start form, and the link to the example. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.core.copy import texts
from handlers.slack import action_ids
from handlers.slack.payload import Payload, parse_object, read_control, read_element, read_state, read_text
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block, RenderedMessage
from handlers.views.windows.forms import MOST_CHARS, View, build_read_only_window
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
    return RenderedMessage(
        text=texts.WELCOME, blocks=(blocks.build_section(texts.WELCOME), blocks.build_actions(*build_buttons()))
    )


def build_start_form(channel: str) -> View:
    """Return the start form. The conversation starts in that channel, or in direct messages if it is empty."""
    field = {
        "type": "plain_text_input",
        "action_id": action_ids.START_WINDOW,
        "multiline": True,
        "min_length": 1,
        "max_length": MOST_CHARS,
        "focus_on_load": True,
    }
    label = blocks.build_plain_text(texts.START_LABEL)
    return {
        "type": "modal",
        "callback_id": action_ids.START_WINDOW,
        "private_metadata": json.dumps({"channel": channel}),
        "title": blocks.build_plain_text(texts.GET_DONE),
        "submit": blocks.build_plain_text(texts.START_SUBMIT),
        "close": blocks.build_plain_text(texts.LATER),
        "blocks": [{"type": "input", "block_id": action_ids.START_WINDOW, "label": label, "element": field}],
    }


def read_start(view: Payload) -> Start:
    """Return the submitted start form. Without words, nothing can start."""
    words = read_text(read_element(read_state(view), action_ids.START_WINDOW).get("value")).strip()
    return Start(channel=read_text(parse_object(view.get("private_metadata")).get("channel")), words=words)


def render_root(user: str, words: str) -> str:
    """Return the message that starts the thread: the person's words, in their name."""
    return texts.ASKED_BY.format(person=f"<@{user}>", words=mrkdwn.render_verbatim(words))


def build_started_window(address: str) -> View:
    """Return a window with a link to the conversation, for a person who is elsewhere."""
    link = f"<{texts.escape(address)}|{texts.OUR_MESSAGES}>"
    return build_read_only_window(texts.STARTED_TITLE, blocks.build_section(texts.STARTED.format(link=link)))


def build_notice(sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return build_read_only_window(texts.HOME, blocks.build_section(sentence))


def build_example_window(address: str) -> View:
    """Return a window with a link to the worked example."""
    link = f"<{texts.escape(address)}|{texts.OUR_MESSAGES}>"
    sentence = blocks.build_section(texts.EXAMPLE.format(link=link))
    return build_read_only_window(texts.EXAMPLE_TITLE, sentence, blocks.build_context(texts.EXAMPLE_END))
