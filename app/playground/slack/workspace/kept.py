"""A workspace as JSON, so that a later emulator with the same seed goes on with it.

Kept are channels, messages with their files, and agent sessions. What only lasts while somebody looks is not: modals,
the Home tab, statuses, entries that were not sent.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from pydantic import ConfigDict, TypeAdapter

from app.playground.slack.values.model import Channel, Message, Session
from app.playground.slack.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept; `messages` are everybody's, `whispers` those that only one person sees."""

    channels: tuple[Channel, ...]
    messages: tuple[Message, ...]
    whispers: tuple[Message, ...]
    sessions: tuple[Session, ...]

    __pydantic_config__ = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")


_KEPT = TypeAdapter(Kept)


def serialize(workspace: Workspace) -> bytes:
    """Return what is kept of a workspace."""
    channels = tuple(workspace.channels.values())
    people = [member.id for member in workspace.members.values()]
    return _KEPT.dump_json(
        Kept(
            channels=channels,
            messages=tuple(each for channel in channels for each in workspace.messages(channel.id)),
            whispers=tuple(w for c in channels for person in people for w in workspace.ephemerals(c.id, person)),
            sessions=tuple(workspace.sessions.values()),
        )
    )


def restore(workspace: Workspace, content: bytes) -> None:
    """Put back what `serialize` returned, into a workspace of the same seed that nobody watches yet.

    Raise ValueError if it is not such content.
    """
    kept = _KEPT.validate_json(content)
    for channel in kept.channels:
        workspace.add_channel(channel)
    for message in kept.messages:
        workspace.post(message)
    for whisper in kept.whispers:
        workspace.whisper(whisper)
    for session in kept.sessions:
        workspace.put_session(session)
    workspace.mint.random.seed(secrets.randbits(128))  # its next ids must not be those that it gave before
