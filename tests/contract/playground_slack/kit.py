"""Block Kit for tests, and a Bolt app that opens a modal by a command."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from app.playground.slack import SlackPlayground, View
from tests.contract.playground_slack.line import Json, Line
from tests.contract.playground_slack.sdk import bolt_app, bolt_socket, ignore


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def option(value: str, text: str = "") -> Json:
    return {"text": plain(text or value), "value": value}


def button(action_id: str, value: str = "1") -> Json:
    return {"type": "button", "action_id": action_id, "value": value, "text": plain(value)}


def select(action_id: str, *values: str, **fields: Any) -> Json:
    return {
        "type": "static_select",
        "action_id": action_id,
        "options": [option(value, value.title()) for value in values],
        **fields,
    }


def search(action_id: str, **fields: Any) -> Json:
    return {"type": "external_select", "action_id": action_id, **fields}


def actions(*elements: Json, block_id: str = "controls") -> Json:
    return {"type": "actions", "block_id": block_id, "elements": list(elements)}


def field(block_id: str, kind: str = "plain_text_input", *, block: Json | None = None, **element: Any) -> Json:
    """Return an input block whose element has the block's name too."""
    control = {"type": kind, "action_id": block_id, **element}
    return {"type": "input", "block_id": block_id, "label": plain(block_id), "element": control, **(block or {})}


def modal(*blocks: Json, title: str = "Goal", **fields: Any) -> Json:
    return {
        "type": "modal",
        "callback_id": "goal",
        "title": plain(title),
        "submit": plain("Save"),
        "blocks": list(blocks) or [field("name")],
        **fields,
    }


def home(*blocks: Json, **fields: Any) -> Json:
    return {"type": "home", "blocks": list(blocks) or [actions(button("start"))], **fields}


@asynccontextmanager
async def listening(slack: SlackPlayground, app: Any) -> AsyncGenerator[Any]:
    """Connect an app that has something for every interaction the test does not care for."""
    app.event("message")(ignore)
    app.event("app_home_opened")(ignore)
    async with bolt_socket(slack, app):
        yield app


def opening(slack: SlackPlayground, view: Json) -> Any:
    """Return a Bolt app that answers /goal with this modal."""
    app = bolt_app(slack)

    async def open_first(ack: Any, body: Json) -> None:
        await ack()
        await app.client.views_open(trigger_id=body["trigger_id"], view=view)

    app.command("/goal")(open_first)
    return app


async def opened(slack: SlackPlayground, who: str = "Maya") -> View:
    """Type /goal and return the modal that comes."""
    await slack.people.commands(who, "#general", "/goal")
    view = await slack.people.waits(lambda: slack.people.modal(who))
    assert view is not None
    return view


async def triggered(slack: SlackPlayground, line: Line, who: str = "Maya") -> str:
    """Type /goal and return the trigger_id that the app is given."""
    await slack.people.commands(who, "#general", "/goal")
    return (await line.interaction())["trigger_id"]


def acknowledging(heard: list[Json]) -> Callable[[Any, Json], Awaitable[None]]:
    """Return a listener that acknowledges and keeps what it heard."""

    async def listen(ack: Any, body: Json) -> None:
        heard.append(body)
        await ack()

    return listen
