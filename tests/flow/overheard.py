"""What must not be overheard: in every flow, the logs and the database are searched for what was said.

It knows what people wrote and what the model answered from the playground alone, and reads every byte that is stored.
"""

from __future__ import annotations

import io
import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import structlog

from app.decision.schema.paths import is_list, is_object
from app.logs import configure
from app.playground.claude import Cited, CitedPages, Text, Thinking, ToolCall
from app.playground.claude.api.script import Part
from handlers.views.kit.summary_line import DOT
from tests.mongo import Documents

if TYPE_CHECKING:
    from app.playground.slack.values.model import File
    from tests.flow.chat import Chat

TELLING = 9
"""A text of fewer characters may well stand in a log for some other reason."""

HEAD = 24
"""Characters of a text that are looked for: a line of a log may be broken anywhere behind."""


@contextmanager
def listening() -> Generator[io.StringIO]:
    """Collect every log at its most talkative, of our own and of libraries, for the length of the block."""
    before, heard = structlog.get_config(), io.StringIO()
    configure("debug", as_json=True, stream=heard)
    try:
        yield heard
    finally:
        structlog.configure(**before)


def stored(database: Documents) -> bytes:
    """Every byte of every collection."""
    names = database.list_collection_names()
    batches: list[Any] = [batch for name in names for batch in database[name].find_raw_batches()]
    return b"".join(batches)


def said(chat: Chat) -> set[str]:
    """What people wrote and what the model was sent and scripted to answer, as far as it tells anything.

    Also its system prompt, what came of its tools, what stands on cards, what was written in windows, what is in files,
    and how channels are called.
    """
    workspace = chat.slack.workspace
    messages = [message for channel in workspace.channels for message in workspace.messages(channel)]
    shown = [text for message in messages for text in (message.text, *of_blocks(message.blocks))]
    files = [text for message in messages for file in message.files for text in _of_file(file)]
    names = [channel.name for channel in workspace.channels.values()]
    prompts = [message for request in chat.claude.requests for message in request.prompt.messages]
    called = [text for message in prompts for text in texts(message.of("tool_use"))]
    results = [text for message in prompts for result in message.of("tool_result") for text in _of_result(result)]
    systems = {block["text"] for request in chat.claude.requests for block in request.prompt.system}
    scripted = [text for turn in chat.scripted for part in turn.parts for text in _of_part(part)]
    model = [*called, *results, *systems, *scripted, *(message.text for message in prompts)]
    said = (*shown, *files, *names, *_written(chat), *model)
    lines = [part for text in said for line in text.splitlines() for part in line.split(DOT)]
    ours = chat.slack.bot_user_id
    heads = (line.replace(f"<@{ours}>", "").strip()[:HEAD] for line in lines)
    return {head for head in heads if len(head) >= TELLING}


def _of_file(file: File) -> Iterator[str]:
    """What stands in a file; of JSON its texts, because its keys stand in our logs as well."""
    content = file.content.decode(errors="replace")
    yield from texts(json.loads(content)) if file.name.endswith(".json") else (content,)


def _of_part(part: Part) -> Iterator[str]:
    """What the model says, thinks or calls for in a part of an answer."""
    match part:
        case Text(text) | Thinking(text) | Cited(text=text) | CitedPages(text=text):
            yield text
        case ToolCall():
            yield from texts(dict(part.input))
        case _:
            pass


def _of_result(result: Mapping[str, Any]) -> Iterator[str]:
    """What a tool told the model: the texts of its JSON, or its words."""
    try:
        yield from texts(json.loads(result["content"]))
    except ValueError:
        yield result["content"]


def _written(chat: Chat) -> Iterator[str]:
    """What people wrote in the fields of windows; what they picked there are values of ours."""
    for entry in chat.slack.journal.of("delivery"):
        view: dict[str, Any] = entry["payload"].get("view") or {}
        fields: dict[str, dict[str, dict[str, Any]]] = view.get("state", {}).get("values", {})
        states = (state for block in fields.values() for state in block.values())
        yield from (str(state["value"]) for state in states if state.get("value"))


def of_blocks(thing: Any) -> Iterator[str]:
    """What can be read in blocks: every text of theirs, and not what kind it is."""
    if is_object(thing):
        own = thing.get("text")
        yield from (own,) if isinstance(own, str) else ()
        yield from (text for value in thing.values() for text in of_blocks(value))
    elif is_list(thing):
        yield from (text for value in thing for text in of_blocks(value))


def texts(thing: Any) -> Iterator[str]:
    """Every text in a value, however deep it is. One word alone is as likely a constant of ours: a kind, a list."""
    if isinstance(thing, str):
        yield from (thing,) if " " in thing else ()
    elif is_object(thing) or is_list(thing):
        yield from (text for value in (thing.values() if is_object(thing) else thing) for text in texts(value))


def leaks(words: Iterable[str], heard: str, kept: bytes) -> list[str]:
    """Those words that can be read in the logs or in the database."""
    return sorted(word for word in words if word in heard or word.encode() in kept)
