"""What is pressed and chosen on the first message of a decision, and what is said alone."""

from __future__ import annotations

from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from handlers.slack import action_ids
from handlers.views.kit import blocks
from tests.unit.handlers.decided import hub, keep
from tests.unit.handlers.front import Front, interaction
from tests.unit.handlers.payloads import BOT, CHANNEL, MAYA

NOT_HERS = texts.NOT_OWNER.format(owner=f"<@{MAYA}>")
COMPLETE, ANNOUNCE = "files.completeUploadExternal", "files.getUploadURLExternal"


def pressed(now: Conversation, action: str, value: str, user: str = MAYA) -> dict[str, Any]:
    """A button, or a choice in the menu, on the first message of a thread."""
    act = {"action_id": action, "block_id": "b", "action_ts": "1770000300.000200"}
    picked = {"selected_option": {"value": value}} if action == action_ids.HUB_MENU else {"value": value}
    message = {"ts": now.thread.root, "user": BOT}
    container = {"type": "message", "message_ts": now.thread.root, "channel_id": CHANNEL}
    place = {"channel": {"id": CHANNEL}, "message": message, "container": container}
    return interaction("block_actions", user, actions=[act | picked], **place)


def menu(now: Conversation, value: str, user: str = MAYA) -> dict[str, Any]:
    return pressed(now, action_ids.HUB_MENU, value, user)


def looking(now: Conversation, user: str = MAYA) -> dict[str, Any]:
    return pressed(now, action_ids.RECORD, blocks.format_address(now.thread), user)


def chosen(now: Conversation | None, word: str = "html") -> dict[str, Any]:
    """What is chosen in the window of an export."""
    address = blocks.format_address(now.thread) if now else ""
    return {name: {"selected_option": {"value": value}} for name, value in (("decision", address), ("format", word))}


def whispers(front: Front) -> list[str]:
    return [call["text"] for call in front.made("chat.postEphemeral")]


async def approved(front: Front, *keys: str) -> Conversation:
    """A decision in which the example's results of these steps are approved."""
    now = await front.has(hub(1, *keys))
    await keep(front.store, now, *keys)
    return now
