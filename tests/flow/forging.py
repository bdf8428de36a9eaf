"""Requests with Slack's own signature that nobody at Slack has made: sent again, or in the name of somebody else."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import aiohttp
from slack_sdk.signature import SignatureVerifier

from app.playground.slack.values.controls import Control, find_controls
from app.playground.slack.values.model import Message
from tests.flow.chat import Chat

Payload = dict[str, Any]


async def sends(chat: Chat, body: str, *, form: bool = True, at: float | None = None) -> int:
    """Post a body with a right signature of that time, now if none is given; gives the HTTP status."""
    stamp = str(int(time.time() if at is None else at))
    signature = SignatureVerifier(chat.slack.signing_secret).generate_signature(timestamp=stamp, body=body)
    headers = {
        "content-type": f"application/{'x-www-form-urlencoded' if form else 'json'}",
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": signature or "",
    }
    url = f"http://127.0.0.1:{chat.settings.http_port}/slack/events"
    async with aiohttp.ClientSession() as session, session.post(url, data=body, headers=headers) as answer:
        return answer.status


def form(payload: Mapping[str, Any]) -> str:
    """An interaction as Slack posts it."""
    return urlencode({"payload": json.dumps(payload)})


def delivered(chat: Chat, kind: str) -> list[Payload]:
    """The payloads of one type that Slack has delivered, oldest first."""
    return [entry["payload"] for entry in chat.slack.journal.of("delivery") if entry["payload"].get("type") == kind]


def forged(payload: Payload, user: str, **instead: Any) -> Payload:
    """The same in somebody else's name, with these fields instead."""
    made = copy.deepcopy(payload) | instead
    made["user"] = {**made["user"], "id": user}
    return made


def clicks(message: Message, channel: str, template: Payload, user: str) -> Iterator[Payload]:
    """Everything that a message offers, pressed or picked by somebody else, each value of it."""
    where = {"channel_id": channel, "message_ts": message.ts, "thread_ts": message.thread_ts or message.ts}
    shown = {"ts": message.ts, "thread_ts": message.thread_ts or message.ts, "text": message.text, "user": message.user}
    for control in find_controls(message.blocks or []):
        for action in acts(control):
            yield forged(
                template,
                user,
                actions=[action],
                container={"type": "message", "is_ephemeral": False, **where},
                channel={"id": channel, "name": "directmessage"},
                message=shown,
            )


def acts(control: Control) -> Iterator[Payload]:
    """What can be done with a control."""
    about = {"action_id": control.action_id, "block_id": control.block_id, "type": control.type}
    for place, option in enumerate(control.element.get("options") or [control.element]):
        chosen = {"value": str(control.element.get("value", "")), "selected_option": option}
        yield {**about, **chosen, "action_ts": f"{time.time():.4f}{place:02}"}


def in_view(view: Payload, template: Payload, user: str) -> Iterator[Payload]:
    """Everything that a window offers, pressed by somebody else; and the window sent, with words of theirs in it."""
    for control in find_controls(view.get("blocks", [])):
        for action in acts(control):
            container = {"type": "view", "view_id": view["id"]}
            made = forged(template, user, actions=[action], container=container, view=_with(view, {}))
            yield {name: value for name, value in made.items() if name not in ("message", "channel")}
    values: dict[str, Any] = {}
    for control in find_controls(view.get("blocks", [])):
        option = next(iter(control.element.get("options") or []), None)
        given = {"type": control.type, "value": "Forged words", "selected_option": option, "selected_user": user}
        values.setdefault(control.block_id, {})[control.action_id] = given
    sent = forged(template, user, type="view_submission", view=_with(view, values), response_urls=[])
    yield {name: value for name, value in sent.items() if name not in ("message", "channel", "container", "actions")}


def _with(view: Payload, values: Mapping[str, Any]) -> Payload:
    return {**view, "state": {"values": values}}
