"""The files that a step's draft is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.conversation.shared_file import SharedFile, name_files
from app.core.events.acts import SummaryRequested
from app.core.state.interview import DISCUSSING
from app.core.text.cutting import cut
from app.core.text.labels import join_words

NAME_CHARS = 100
"""Characters of a file's name that are told."""


def list_draft_files(now: Conversation, reply: Message) -> tuple[str, ...]:
    """List Slack's ids of the files from which a reply offers a draft: those still here, in a discussion."""
    is_open = reply.status is MessageStatus.COMPLETE and now.phase in DISCUSSING
    shared = {file.id for file in now.files}
    return tuple(each for each in reply.drafts_from if is_open and each in shared)


def find_draft_files(now: Conversation, event: SummaryRequested) -> Mapping[str, SharedFile]:
    """Return the files that are to be drafted from, under the names by which the model knows them."""
    return {name: file for name, file in name_files(now.files).items() if file.by_owner and file.id in event.files}


def name_draft_files(names: Iterable[str]) -> str:
    """Name files as people read them, each cut to `NAME_CHARS`."""
    shown = (cut(name, NAME_CHARS).replace("`", "'") for name in names)
    return join_words(f"`{name}`" for name in shown)
