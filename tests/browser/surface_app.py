"""A small Bolt app with every surface an app has: commands, shortcuts, modals, elements in messages, a Home tab."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from app.playground.slack import Command, Shortcut, SlackPlayground
from tests.contract.playground_slack.sdk import bolt_app, bolt_socket

COMMANDS = {
    "/threadwise": Command("List, archive and reopen your threads", "[list | archive | reopen]"),
    "/decide": Command("Start a decision"),
}
SHORTCUTS = {"archive": Shortcut("message", "Archive thread"), "decide": Shortcut("global", "New decision")}
THREADS = ("Rota plan", "Weekly digest", "Winter rota")

Json = dict[str, Any]


def text(words: str) -> Json:
    return {"type": "plain_text", "text": words}


def mrkdwn(words: str) -> Json:
    return {"type": "mrkdwn", "text": words}


def option(words: str, more: str = "") -> Json:
    return {"text": text(words), "value": words} | ({"description": text(more)} if more else {})


def field(name: str, element: str, **more: Any) -> Json:
    """An input block and its element, both named alike and labelled by that name."""
    around = {key: more.pop(key) for key in ("hint", "optional") if key in more}
    return {
        "type": "input",
        "block_id": name,
        "label": text(name.capitalize()),
        "element": {"type": element, "action_id": name, **more},
        **around,
    }


def button(action: str, words: str, **more: Any) -> Json:
    return {"type": "button", "action_id": action, "text": text(words), "value": words, **more}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "block_id": "actions", "elements": list(elements)}


def section(words: str, **more: Any) -> Json:
    return {"type": "section", "text": mrkdwn(words), **more}


def modal(callback: str, title: str, *blocks: Json, submit: str | None = None) -> Json:
    sent = {"submit": text(submit)} if submit else {}
    return {
        "type": "modal",
        "callback_id": callback,
        "title": text(title),
        "blocks": list(blocks),
        "notify_on_close": True,
        **sent,
    }


def decision(*more: Json, hint: str = "Everybody here will see it.") -> Json:
    """The modal of /decide."""
    return modal(
        "decision",
        "New decision",
        section("One *question*, in a few words.", fields=[mrkdwn("*Where* #general"), mrkdwn("*For* all of us")]),
        field("name", "plain_text_input", placeholder=text("How do we …?"), hint=text(hint)),
        field("kind", "static_select", options=[option("People", "Who does it"), option("Tools"), option("Time")]),
        field("thread", "external_select", min_query_length=2, optional=True),
        field("tell", "checkboxes", options=[option("Sam"), option("Priya")], optional=True),
        *more,
        actions(button("more", "Add a reason"), button("start", "Look ahead", style="primary")),
        submit="Start",
    )


class SurfaceApp:
    """The app; what it hears can be awaited, and it answers no submission while it may not."""

    def __init__(self, slack: SlackPlayground) -> None:
        self.slack = slack
        self.heard: list[Json] = []
        self.leads_to = "https://example.org"
        """Address of the link in the modal on top of another."""
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.app: Any = bolt_app(slack)
        self.app.command("/threadwise")(self._lists)
        for opener in (self.app.command("/decide"), self.app.shortcut("decide")):
            opener(self._asks)
        self.app.shortcut("archive")(self._archives)
        self.app.options("thread")(self._suggests)
        self.app.action("more")(self._adds)
        self.app.action("start")(self._looks_ahead)
        self.app.action("open")(self._shows_thread)
        self.app.action("count")(self._counts)
        self.app.action("choice")(self._hears)
        self.app.view("decision")(self._takes)
        self.app.view_closed("decision")(self._hears)
        self.app.view_closed("ahead")(self._hears)
        self.app.event("app_home_opened")(self._opened)

    async def hears(self, kind: str) -> Json:
        """Wait for the first thing of a type that was not yet asked for."""
        found = (await self.slack.people.waits(lambda: [body for body in self.heard if body["type"] == kind]))[0]
        self.heard.remove(found)
        return found

    async def _hears(self, ack: Any, body: Json) -> None:
        self.heard.append(body)
        await ack()

    async def _lists(self, ack: Any, body: Json) -> None:
        await ack(f"Nothing to {body['text']} yet.")

    async def _asks(self, ack: Any, body: Json, client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=decision())

    async def _archives(self, ack: Any, body: Json, client: Any) -> None:
        await ack()
        view = modal("archive", "Archive thread", section(f"> {body['message']['text']}"), submit="Archive")
        await client.views_open(trigger_id=body["trigger_id"], view=view)

    async def _suggests(self, ack: Any, body: Json) -> None:
        await ack(options=[option(name) for name in THREADS if body["value"].lower() in name.lower()])

    async def _adds(self, ack: Any, body: Json, client: Any) -> None:
        await ack()
        reason = field("reason", "plain_text_input", multiline=True)
        view = decision(reason, hint="It can be changed later.")
        await client.views_update(view_id=body["view"]["id"], hash=body["view"]["hash"], view=view)

    async def _looks_ahead(self, ack: Any, body: Json, client: Any) -> None:
        await ack()
        view = modal("ahead", "What comes next", section(f"Issues, frame, objectives: <{self.leads_to}|an example>."))
        await client.views_push(trigger_id=body["trigger_id"], view=view)

    async def _shows_thread(self, ack: Any, body: Json, client: Any) -> None:
        await ack()
        await client.views_open(
            trigger_id=body["trigger_id"], view=modal("thread", "Rota plan", section("Since Monday"))
        )

    async def _takes(self, ack: Any, body: Json) -> None:
        await self.may_answer.wait()
        if body["view"]["state"]["values"]["name"]["name"]["value"] == "taken":
            await ack(response_action="errors", errors={"name": "There is one of that name."})
            return
        self.heard.append(body)
        await ack()

    async def _opened(self, event: Json, client: Any) -> None:
        self.heard.append(event | {"type": f"opened_{event['tab']}"})
        if event["tab"] == "home":
            await client.views_publish(user_id=event["user"], view=home(0))

    async def _counts(self, ack: Any, body: Json, client: Any) -> None:
        await ack()
        count = int(body["actions"][0]["value"]) + 1
        await client.views_publish(user_id=body["user"]["id"], view=home(count))


def home(count: int) -> Json:
    """The Home tab after so many presses on its button."""
    waiting = section("*Rota plan* waits for you\n#ops, since Monday", accessory=button("open", "Open thread"))
    header = {"type": "header", "text": text("Good morning")}
    again = actions(button("count", "Make a decision", style="primary") | {"value": str(count)})
    return {"type": "home", "blocks": [header, section(f"Decisions so far: {count}"), waiting, again]}


@asynccontextmanager
async def open_surface_app(slack: SlackPlayground) -> AsyncGenerator[SurfaceApp]:
    surfaces = SurfaceApp(slack)
    async with bolt_socket(slack, surfaces.app):
        yield surfaces
