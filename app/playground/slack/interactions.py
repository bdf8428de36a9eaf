"""Clicks on buttons, and the response_urls that come with them.

Rule: a click is told once; a response_url works five times within half an hour.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from aiohttp import web

from app.playground.slack.arguments import read_arguments
from app.playground.slack.content import Content, read_content
from app.playground.slack.model import Json, Message
from app.playground.slack.refusal import Refusal
from app.playground.slack.site import Site
from app.playground.slack.wire import message_object

MOST_RESPONSES = 5  # Slack: uses of one response_url
RESPONSE_LIFE = 1800.0  # Slack's seconds
_BUTTONS = ("button", "icon_button")


@dataclass(frozen=True, slots=True)
class Button:
    """A button as it stands in a message."""

    block_id: str
    element: Json


@dataclass(slots=True)
class _Response:
    message: Message
    user: str
    until: float
    left: int = MOST_RESPONSES


def find_button(message: Message, action_id: str, value: str | None) -> Button:
    """Return the button with this action, and this value if one is given; LookupError if the message shows none."""
    shown = list(_buttons(message.blocks or [], ""))
    for button in shown:
        if button.element["action_id"] == action_id and value in (None, button.element.get("value")):
            return button
    offered = ", ".join(f"{button.element['action_id']}={button.element.get('value')}" for button in shown) or "none"
    raise LookupError(f"No button {action_id!r} with value {value!r} on {message.ts}; its buttons are: {offered}")


def _buttons(thing: Any, block_id: str) -> Iterator[Button]:
    if isinstance(thing, list):
        for item in cast(list[Any], thing):
            yield from _buttons(item, block_id)
    elif isinstance(thing, dict):
        node = cast(Json, thing)
        if node.get("type") in _BUTTONS and "action_id" in node:
            yield Button(block_id, node)
        for value in node.values():
            yield from _buttons(value, node.get("block_id", block_id))


class Interactions:
    """Makes block_actions payloads and serves their response_urls."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._responses: dict[str, _Response] = {}

    def block_actions(self, user: str, message: Message, button: Button) -> Json:
        """Return the payload for one click."""
        workspace, mint = self._site.workspace, self._site.workspace.mint
        person, channel = workspace.members[user], workspace.channels[message.channel]
        payload: Json = {
            "type": "block_actions",
            "user": {"id": user, "username": person.name, "name": person.name, "team_id": workspace.team.id},
            "api_app_id": workspace.app.id,
            "token": mint.secret(24),
            "container": _container(message),
            "trigger_id": f"{mint.digits(13)}.{mint.digits(12)}.{mint.secret(32)}",
            "team": {"id": workspace.team.id, "domain": workspace.team.domain},
            "enterprise": None,
            "is_enterprise_install": False,
            "channel": {"id": channel.id, "name": channel.name or "directmessage"},
            "state": {"values": {}},
            "response_url": self._response_url(user, message),
            "actions": [_action(button, mint.ts())],
        }
        # Slack leaves the message out when it was ephemeral.
        return payload if message.seen_by else payload | {"message": message_object(workspace, message)}

    def _response_url(self, user: str, message: Message) -> str:
        secret = self._site.workspace.mint.secret(24)
        self._responses[secret] = _Response(message, user, self._site.clock.now() + RESPONSE_LIFE)
        return f"{self._site.url}/response/{secret}"

    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Answer POST /response/{secret}."""
        response = self._responses.get(request.match_info["secret"])
        if response is None or response.left == 0:
            return web.Response(status=404, text="used_url")
        if self._site.clock.now() > response.until:
            return web.Response(status=404, text="expired_url")
        try:
            args = await read_arguments(request)
            if args.flag("delete_original"):
                self._delete(response.message)
            else:
                content = read_content(args, self._site.workspace.mint)
                self._say(response, content, args.values)
        except Refusal as refusal:
            return web.json_response(refusal.body, status=400)
        response.left -= 1
        return web.Response(text="ok")

    def _delete(self, original: Message) -> None:
        workspace = self._site.workspace
        if kept := workspace.ephemeral(original.channel, original.ts):
            workspace.hush(kept)
        elif posted := workspace.message(original.channel, original.ts):
            workspace.remove(posted)

    def _say(self, response: _Response, content: Content, asked: Json) -> None:
        workspace, original = self._site.workspace, response.message
        if asked.get("replace_original"):
            self._replace(original, content)
            return
        answer = Message(
            original.channel,
            workspace.mint.ts(),
            workspace.app.user.id,
            content.text,
            asked.get("thread_ts"),
            content.blocks,
            workspace.app.bot_id,
        )
        if asked.get("response_type") == "in_channel":
            workspace.post(answer)
        else:
            workspace.whisper(replace(answer, seen_by=response.user))

    def _replace(self, original: Message, content: Content) -> None:
        workspace = self._site.workspace
        if kept := workspace.ephemeral(original.channel, original.ts):
            workspace.whisper(replace(kept, text=content.text, blocks=content.blocks))
        elif posted := workspace.message(original.channel, original.ts):
            workspace.update(
                replace(
                    posted,
                    text=content.text,
                    blocks=content.blocks,
                    edit_count=posted.edit_count + 1,
                    edited_ts=posted.edited_ts if content.blocks else workspace.mint.ts(),
                )
            )


def _container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": message.seen_by is not None,
    }
    return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})


def _action(button: Button, ts: str) -> Json:
    element = button.element
    return {
        "action_id": element["action_id"],
        "block_id": button.block_id,
        "type": element["type"],
        "action_ts": ts,
        **{name: element[name] for name in ("text", "value", "style") if name in element},
    }
