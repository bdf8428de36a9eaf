"""Who comes, looks and begins."""

from __future__ import annotations

from typing import Any

from app.core.errors import StoreUnavailable
from app.core.events.heard import SlackEvent
from app.ports import Acceptance
from handlers.views.windows import welcome
from tests.unit.handlers.front import happened, sent, written
from tests.unit.handlers.payloads import BOT, CHANNEL, MAYA

POST, EPHEMERAL, DIRECT = "chat.postMessage", "chat.postEphemeral", "D0DIRECT1"
IN_CHANNEL = welcome.build_start_form(CHANNEL)
ANYWHERE = welcome.build_start_form("")


class Closed:
    """An intake that accepts nothing, beside a store that can be read."""

    async def accept(self, event: SlackEvent) -> Acceptance:
        raise StoreUnavailable


def joined(user: str = BOT, channel: str = CHANNEL) -> dict[str, Any]:
    return happened("member_joined_channel", user=user, channel=channel)


def looked(user: str = MAYA) -> dict[str, Any]:
    return happened("app_home_opened", user=user, channel=DIRECT, tab="messages")


def begun(view: dict[str, Any], words: str | None = "Find a *van* <!here>") -> dict[str, Any]:
    return sent(view, start=written(words))


def failed(sentence: str) -> dict[str, Any]:
    return {"response_action": "errors", "errors": {"start": sentence}}


def actions(blocks: list[dict[str, Any]]) -> list[str]:
    return [each["action_id"] for block in blocks if block["type"] == "actions" for each in block["elements"]]
