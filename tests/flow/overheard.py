"""What must not be overheard: in every flow, the logs and the database are searched for what was said.

It knows what people wrote and what the model answered from the playground alone, and reads every byte that is stored.
"""

from __future__ import annotations

import io
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import structlog
from pymongo import MongoClient

from app.logs import configure

if TYPE_CHECKING:
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


def stored(uri: str, database: str) -> bytes:
    """Every byte of every collection."""
    with MongoClient[dict[str, Any]](uri) as client:
        names = client[database].list_collection_names()
        batches: list[Any] = [batch for name in names for batch in client[database][name].find_raw_batches()]
        return b"".join(batches)


def said(chat: Chat) -> set[str]:
    """What people wrote and what the model was sent and scripted to answer, as far as it tells anything."""
    people = [
        message.text for channel in chat.slack.workspace.channels for message in chat.slack.workspace.messages(channel)
    ]
    model = [message.text for request in chat.claude.requests for message in request.prompt.messages]
    lines = [line for text in (*people, *model) for line in text.splitlines()]
    ours = chat.slack.bot_user_id
    heads = (line.replace(f"<@{ours}>", "").strip()[:HEAD] for line in lines)
    return {head for head in heads if len(head) >= TELLING}


def leaks(words: Iterable[str], heard: str, kept: bytes) -> list[str]:
    """Those words that can be read in the logs or in the database."""
    return sorted(word for word in words if word in heard or word.encode() in kept)
