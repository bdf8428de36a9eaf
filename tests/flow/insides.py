"""What people must never read: in every flow, all that was shown to them is searched for our insides.

It looks at every text that a call of Slack's Web API puts before people or has read aloud to them: messages, what is
read of them, windows, Home, status lines, alternative texts. What people or the model wrote is theirs to repeat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from app.decision.schema.paths import is_list, is_object
from app.playground.claude import Text, ToolCall
from tests.flow.overheard import texts

if TYPE_CHECKING:
    from tests.flow.chat import Chat

SHOWN: Final = ("markdown_text", "status", "alt_text", "accessibility_label", "loading_messages")
"""Arguments and fields that people read, apart from texts and titles."""

_MENTION = re.compile(r"<[@#][^<>\n]*>")
_DATE = re.compile(r"<![^<>\n]*>")
_LINK = re.compile(r"<(?:https?|mailto|slack)[^<>|\s]*(?:\|([^<>]*))?>")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\s]+\)")
_ADDRESS = re.compile(r"(?:https?|slack)://\S+")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_EMOJI = re.compile(r":[a-z+-][a-z0-9_+-]*:")

INSIDES: Final[Mapping[str, re.Pattern[str]]] = {
    "a mark in brackets": re.compile(r"\[(?:/?INST|[A-Z][a-z]+(?: [a-z]+)+[^\[\]\n]*)\](?!\()"),
    "a tool's error": re.compile(
        r"tool_use_error|Traceback|[A-Z]\w+Error\b|names nothing that is noted|\bvalidation error"
    ),
    "an id": re.compile(
        r"\b(?:[UWCDGTBFA]0[A-Z0-9]{6,}|\d{10}\.\d{6}|(?:toolu|msg|req|srvtoolu)_\w{6,}"
        r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+"
        r"|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,})\b"
    ),
    "a word of the code": re.compile(r"(?<![\w/.@#-])[a-z]+(?:_[a-z]+)+(?![\w/.-])"),
    "a raw moment": re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d"),
    "raw markup": re.compile(r"<[@#!][^<>\n]*>?"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A text before people."""

    text: str
    names: bool
    """True where Slack puts a name in the place of a mention."""
    dates: bool
    """True where Slack puts a date in the place of its own."""


def find_all(chat: Chat) -> list[str]:
    """What people were shown in this flow that is ours alone, with the text around it."""
    theirs = "\n".join(_theirs(chat))
    calls = chat.slack.journal.of("call")
    found = {each for call in calls for shown in shown_by(call["args"]) for each in find_insides(shown, theirs)}
    return sorted(found)


def find_insides(shown: Shown, theirs: str = "") -> Iterator[str]:
    """What in this text is ours alone: its kind, itself and the text."""
    plain = _EMOJI.sub(
        " ", _CODE.sub(" ", _ADDRESS.sub(" ", _MARKDOWN_LINK.sub(r"\1", _LINK.sub(r" \1 ", shown.text))))
    )
    if shown.names:
        plain = _MENTION.sub(" ", plain)
    if shown.dates:
        plain = _DATE.sub(" ", plain)
    for kind, pattern in INSIDES.items():
        yield from (f"{kind}: {one[0]!r} in {shown.text!r}" for one in pattern.finditer(plain) if one[0] not in theirs)


def shown_by(args: Mapping[str, Any]) -> Iterator[Shown]:
    """What one call shows. The text of a message with blocks is read aloud, and shown in notices."""
    yield from _walk(args, top=True)


def _walk(thing: Any, *, top: bool = False) -> Iterator[Shown]:
    if is_list(thing):
        yield from (shown for each in thing for shown in _walk(each))
    if not is_object(thing):
        return
    own = thing.get("text")
    if isinstance(own, str):
        rendered = top or thing.get("type") in ("mrkdwn", "markdown")
        yield Shown(own, names=rendered, dates=rendered and not (top and thing.get("blocks")))
    for key, value in thing.items():
        if key == "initial_comment":
            yield Shown(str(value), names=True, dates=True)
        elif key in SHOWN:
            yield from (Shown(str(each), names=False, dates=False) for each in (value if is_list(value) else [value]))
        elif not isinstance(value, str):
            yield from _walk(value)


def _theirs(chat: Chat) -> Iterable[str]:
    """What people wrote anywhere, and what the model was told to say."""
    ours = chat.slack.bot_user_id
    workspace = chat.slack.workspace
    messages = [message for channel in workspace.channels for message in workspace.messages(channel)]
    yield from (message.text for message in messages if message.user != ours)
    yield from (part.text for turn in chat.scripted for part in turn.parts if isinstance(part, Text))
    yield from (
        word
        for turn in chat.scripted
        for part in turn.parts
        if isinstance(part, ToolCall)
        for word in texts(part.input)
    )
    yield from (word for entry in chat.slack.journal.of("delivery") for word in texts(entry["payload"].get("view")))
