"""Files in threads: Slack gives an address, receives the bytes there, and shares the file as a message.

At most once: a file that may have arrived is not sent again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.core.thread import ThreadKey
from handlers.line import Line
from handlers.pacer import Priority
from handlers.web import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file and its comment, in mrkdwn."""

    name: str
    content: bytes
    comment: str


async def share(line: Line, thread: ThreadKey, file: File) -> str:
    """Upload a file into a thread and return its address; empty if Slack gives none.

    Raise `SlackUnavailable`, `SlackRefused` and `StoreUnavailable`.
    """
    announced = await line.say(
        "files.getUploadURLExternal", Priority.QUESTION, filename=file.name, length=len(file.content)
    )
    await line.web.upload(str(announced["upload_url"]), file.content)
    completed = await line.say(
        "files.completeUploadExternal",
        Priority.QUESTION,
        files=json.dumps([{"id": announced["file_id"], "title": file.name}]),
        channel_id=thread.channel,
        thread_ts=thread.root,
        initial_comment=file.comment,
    )
    shared: list[Answer] = completed.get("files") or [{}]
    return str(shared[0].get("permalink") or "")
