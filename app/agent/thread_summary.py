"""The summary that stands for the messages of a thread that are no longer sent, as the model is asked for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources

from app.agent.extraction.material import build_messages, render_transcript
from app.agent.reply import TurnSettings
from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.text.marks import clean_line, write_block
from app.core.turns.history import CHARS_PER_TOKEN, SUMMARY_CHARS, list_unsummarized
from app.ports import ModelRequest

SYSTEM = resources.files("app.agent").joinpath("prompts/thread_summary.txt").read_text("utf-8").strip()

SECONDS = 45.0
"""Time for a summary, since somebody waits for the answer after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnwrittenSummary:
    """A summary that a turn has to ask for before its own first request."""

    rows: tuple[Message, ...]
    """The transcript after the rows that the summary tells of already."""
    keep: Callable[[str], Awaitable[str]]
    """Saves the summary, empty if there is none, and returns the one that is to be sent."""


def build_summary_request(
    settings: TurnSettings, conversation: Conversation, rows: tuple[Message, ...]
) -> ModelRequest:
    """Return the request for the summary: the former one, and the messages since, as many as the window holds."""
    before = write_block("summary", clean_line(conversation.summary)) if conversation.summarized else ""
    told = render_transcript(
        conversation, list_unsummarized(conversation, rows), settings.context_tokens * CHARS_PER_TOKEN
    )
    return ModelRequest(
        model=settings.model,
        system=SYSTEM,
        messages=build_messages(before, f"<transcript>\n{told}\n</transcript>"),
        max_tokens=settings.max_tokens,
    )


def accept_summary(status: MessageStatus, text: str) -> str:
    """Return the summary in a reply with this text; empty if it is unfinished, refused or too long."""
    told = text.strip()
    return told if status is MessageStatus.COMPLETE and len(told) <= SUMMARY_CHARS else ""
