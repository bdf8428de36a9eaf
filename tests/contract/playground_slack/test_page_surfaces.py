"""What the browser is told of commands, shortcuts, modals and the Home tab, and the acts it has for them.

The contract is the section "Between page and server" of docs/playground.md.
"""

import json
from typing import Any

import pytest
from aiohttp import ClientResponse, ClientSession

from app.playground.slack import Command, Shortcut, SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, admission, channel_id, user_id
from tests.contract.playground_slack.kit import (
    Json,
    acknowledging,
    actions,
    button,
    field,
    home,
    listening,
    modal,
    opening,
    option,
    plain,
    search,
    select,
)
from tests.contract.playground_slack.sdk import Bot, bolt_app


class Page:
    """Maya's page."""

    def __init__(self, slack: SlackPlayground, browser: ClientSession) -> None:
        self.slack = slack
        self.maya = user_id(slack, "Maya")
        self.general = channel_id(slack, "general")
        self._browser = browser

    async def state(self, name: str, user: str = "Maya") -> Any:
        where, params = f"{self.slack.url}/play/state", {"user": user_id(self.slack, user)}
        async with self._browser.get(where, params=params, headers=admission(self.slack)) as answer:
            return (await answer.json())[name]

    async def act(self, act: str, **body: object) -> Json:
        """Do something that succeeds."""
        status, answer = await self.tries(act, **body)
        assert status == 200, answer
        return answer

    async def tries(self, act: str, **body: object) -> tuple[int, Json]:
        where, sent = f"{self.slack.url}/play/{act}", {"user": self.maya, **body}
        async with self._browser.post(where, json=sent, headers=admission(self.slack)) as answer:
            return answer.status, await answer.json()

    async def opened(self) -> Json:
        """Type /goal and return the modal that comes."""
        await self.act("command", channel=self.general, text="/goal")
        await self.slack.people.waits(lambda: self.slack.people.modal("Maya"))
        [shown] = await self.state("modals")
        return shown


@pytest.fixture
def page(slack: SlackPlayground, browser: ClientSession) -> Page:
    return Page(slack, browser)


async def next_event(stream: ClientResponse, kind: str) -> Json:
    while True:
        line = await stream.content.readline()
        if line.startswith(b"data: ") and (told := json.loads(line.removeprefix(b"data: ")))["kind"] == kind:
            return told


async def test_state_offers_commands_and_shortcuts(start: Start, browser: ClientSession):
    options = SlackOptions(
        commands={"/threadwise": Command("Your threads", "[list]")},
        shortcuts={"archive": Shortcut("message", "Archive thread")},
    )
    page = Page(await start(options), browser)
    assert await page.state("commands") == [
        {"command": "/threadwise", "description": "Your threads", "usage_hint": "[list]"}
    ]
    assert await page.state("shortcuts") == [{"callback_id": "archive", "name": "Archive thread", "type": "message"}]
    assert (await page.state("modals"), await page.state("home")) == ([], None)


async def test_view_has_every_field_the_page_reads(slack: SlackPlayground, page: Page):
    section = {
        "type": "section",
        "block_id": "row",
        "text": {"type": "mrkdwn", "text": "*One*"},
        "accessory": button("go"),
    }
    view = modal(section, field("name", initial_value="Rota"), actions(select("size", "big")), close=plain("Back"))
    async with listening(slack, opening(slack, view)):
        shown = await page.opened()
        assert await page.state("modals", "Sam") == []
    kept = slack.people.modal("Maya")
    assert kept is not None
    assert list(shown["html"]) == ["0"]
    assert "<strong>One</strong>" in shown["html"]["0"]
    assert "<button" not in shown.pop("html")["0"]
    assert shown == {
        "id": kept.id,
        "hash": kept.hash,
        "callback_id": "goal",
        "type": "modal",
        "title": "Goal",
        "submit": "Save",
        "close": "Back",
        "blocks": kept.blocks,
        "values": {"name": {"name": "Rota"}, "controls": {"size": None}},
        "errors": {},
        "error": "",
    }


async def test_command_in_a_thread_is_refused_in_slacks_words(slack: SlackPlayground, page: Page):
    root = await slack.people.says("Maya", "#general", "root")
    tried = await page.tries("command", channel=page.general, text="/goal now", thread_ts=root)
    assert tried == (400, {"error": "/goal is not supported in threads. Sorry!"})


async def test_submission_brings_its_values_and_answers_the_errors(slack: SlackPlayground, page: Page):
    heard: list[Json] = []
    app = opening(slack, modal(field("name"), field("tags", "checkboxes", options=[option("a"), option("b")])))

    async def submitted(ack: Any, body: Json) -> None:
        heard.append(body["view"]["state"]["values"])
        await ack(response_action="errors", errors={"name": "Taken."}) if len(heard) == 1 else await ack()

    app.view("goal")(submitted)
    async with listening(slack, app):
        view = await page.opened()
        values: Json = {"name": {"name": "Rota"}, "tags": {"tags": None}}
        empty = await page.act("view_submit", view_id=view["id"], values=values)
        assert empty == {"errors": {"tags": "Please complete this required field."}}
        values["tags"]["tags"] = ["b"]
        assert await page.act("view_submit", view_id=view["id"], values=values) == {"errors": {"name": "Taken."}}
        [shown] = await page.state("modals")
        assert (shown["errors"], shown["values"]) == (
            {"name": "Taken."},
            {"name": {"name": "Rota"}, "tags": {"tags": ["b"]}},
        )
        assert await page.act("view_submit", view_id=view["id"], values=values) == {}
    assert await page.state("modals") == []
    assert [item["value"] for item in heard[1]["tags"]["tags"]["selected_options"]] == ["b"]


async def test_action_in_a_view_brings_what_was_typed_beside_it(slack: SlackPlayground, page: Page):
    heard: list[Json] = []
    app = opening(slack, modal(field("name"), actions(select("size", "small", "big"), button("go"))))
    for action in ("size", "go"):
        app.action(action)(acknowledging(heard))
    async with listening(slack, app):
        view = await page.opened()
        where = {"view_id": view["id"], "block_id": "controls"}
        await page.act("view_action", **where, action_id="size", value="big", values={"name": {"name": "Rota"}})
        await slack.people.waits(lambda: heard)
        await page.act("view_action", **where, action_id="go", value="1")
        await slack.people.waits(lambda: len(heard) == 2)
    values = heard[1]["view"]["state"]["values"]
    assert values["name"]["name"]["value"] == "Rota"
    assert values["controls"]["size"]["selected_option"]["value"] == "big"


async def test_view_is_its_owners_alone_and_gone_once_closed(slack: SlackPlayground, page: Page):
    async with listening(slack, opening(slack, modal(notify_on_close=False))):
        view = await page.opened()
    sams = await page.tries("view_close", view_id=view["id"], user=user_id(slack, "Sam"))
    assert sams == (400, {"error": "This is no longer open."})
    await page.act("view_close", view_id=view["id"])
    assert (await page.tries("view_close", view_id=view["id"]))[0] == 400


async def test_modals_and_home_are_told_to_their_person(slack: SlackPlayground, bot: Bot, browser: ClientSession):
    maya = user_id(slack, "Maya")
    async with (
        listening(slack, opening(slack, modal(title="Goal"))),
        browser.get(f"{slack.url}/play/events", params={"user": maya}) as stream,
    ):
        await bot.views_publish(user_id=user_id(slack, "Sam"), view=home())
        await slack.people.commands("Maya", "#general", "/goal")
        [shown] = (await next_event(stream, "modals"))["modals"]
        await bot.views_update(view_id=shown["id"], view=modal(title="Better"))
        [updated] = (await next_event(stream, "modals"))["modals"]
        await slack.people.closes("Maya")
        closed = await next_event(stream, "modals")
        published = (await bot.views_publish(user_id=maya, view=home()))["view"]
        told = await next_event(stream, "home")
    assert (shown["title"], updated["title"], closed["modals"]) == ("Goal", "Better", [])
    assert (told["home"]["id"], told["home"]["blocks"]) == (published["id"], published["blocks"])


async def test_home_and_messages_tabs_are_opened(slack: SlackPlayground, bot: Bot, page: Page):
    await bot.views_publish(user_id=page.maya, view=home())
    assert (await page.state("home"))["blocks"][0]["elements"][0]["action_id"] == "start"
    opened = await page.act("home")
    assert await page.act("messages_tab") == opened
    events = await slack.people.waits(lambda: slack.journal.of("delivery")[1:] and slack.journal.of("delivery"))
    assert [entry["payload"]["event"]["tab"] for entry in events] == ["home", "messages"]
    assert opened["channel"] in {channel["id"] for channel in await page.state("channels")}


async def test_home_is_pressed_like_any_view(slack: SlackPlayground, bot: Bot, page: Page):
    heard: list[Json] = []
    app = bolt_app(slack)
    app.action("start")(acknowledging(heard))
    async with listening(slack, app):
        view = (await bot.views_publish(user_id=page.maya, view=home()))["view"]
        await page.act("view_action", view_id=view["id"], action_id="start")
        await slack.people.waits(lambda: heard)
    assert heard[0]["view"]["id"] == view["id"]
    refusal = (400, {"error": "Only a modal can be submitted or closed."})
    assert await page.tries("view_submit", view_id=view["id"], values={}) == refusal
    assert await page.tries("view_close", view_id=view["id"]) == refusal


def rows(*names: str) -> Json:
    """A Home as an app makes it that names no blocks: a button and a menu for each row, all of one action."""
    menus = [{"type": "overflow", "action_id": "row", "options": [option(f"drop-{name}")]} for name in names]
    buttons = [button("go") | {"value": name} for name in names]
    body = [{"type": "actions", "elements": [press, menu]} for press, menu in zip(buttons, menus, strict=True)]
    return {"type": "home", "blocks": body}


async def test_what_is_pressed_while_the_app_shows_it_anew_is_still_pressed(
    slack: SlackPlayground, bot: Bot, page: Page
):
    heard: list[Json] = []
    app = bolt_app(slack)
    app.action("go")(acknowledging(heard))
    app.action("row")(acknowledging(heard))
    async with listening(slack, app):
        view = (await bot.views_publish(user_id=page.maya, view=rows("rota", "van")))["view"]
        _, van = (block["block_id"] for block in view["blocks"])
        await bot.views_publish(user_id=page.maya, view=rows("depot", "rota", "van"))
        seen = {"view_id": view["id"], "block_id": van}
        await page.act("view_action", **seen, action_id="go", value="van")
        await page.act("view_action", **seen, action_id="row", value="drop-van")
        await slack.people.waits(lambda: heard[1:])
        await bot.views_publish(user_id=page.maya, view=rows("depot", "rota"))
        gone = await page.tries("view_action", **seen, action_id="go", value="van")
    pressed, chosen = (body["actions"][0] for body in heard)
    assert (pressed["value"], chosen["selected_option"]["value"]) == ("van", "drop-van")
    assert gone == (400, {"error": "This has changed just now. Please look again."})


async def test_search_answers_options_and_groups(slack: SlackPlayground, bot: Bot, page: Page):
    app = opening(slack, modal({"type": "input", "label": plain("x"), "element": search("flat")}))

    async def flat(ack: Any) -> None:
        await ack(options=[option("1", "Rota")])

    async def grouped(ack: Any) -> None:
        await ack(option_groups=[{"label": plain("Mine"), "options": [option("2", "Hub")]}])

    app.options("flat")(flat)
    app.options("grouped")(grouped)
    async with listening(slack, app):
        view = await page.opened()
        in_modal = await page.act("suggest", view_id=view["id"], action_id="flat", query="rot")
        message = await bot.chat_postMessage(channel="#general", text="hi", blocks=[actions(search("grouped"))])
        place = {"channel": page.general, "ts": message["ts"]}
        in_message = await page.act("suggest", **place, action_id="grouped", block_id="controls", query="hub")
        await page.act("choose", **place, action_id="grouped", block_id="controls", value="2")
    assert in_modal == {"options": [{"text": "Rota", "value": "1"}], "groups": []}
    assert in_message == {"options": [], "groups": [{"label": "Mine", "options": [{"text": "Hub", "value": "2"}]}]}


async def test_shortcuts_are_used(start: Start, browser: ClientSession):
    shortcuts = {"archive": Shortcut("message", "Archive"), "find": Shortcut("global", "Find")}
    slack = await start(SlackOptions(shortcuts=shortcuts))
    page = Page(slack, browser)
    heard: list[Json] = []
    app = bolt_app(slack)
    for callback_id in shortcuts:
        app.shortcut(callback_id)(acknowledging(heard))
    async with listening(slack, app):
        ts = await slack.people.says("Sam", "#general", "hi")
        await page.act("shortcut", channel=page.general, ts=ts, callback_id="archive")
        await slack.people.waits(lambda: heard)
        await page.act("global_shortcut", callback_id="find")
        await slack.people.waits(lambda: len(heard) == 2)
    assert [payload["type"] for payload in heard] == ["message_action", "shortcut"]


async def test_message_keeps_a_place_for_what_the_page_draws(slack: SlackPlayground, bot: Bot, page: Page):
    await bot.chat_postMessage(channel="#general", text="hi", blocks=[actions(button("go"), select("size", "big"))])
    [message] = (await page.state("messages"))[page.general]
    assert '<span class="control" data-block-id="controls" data-action-id="size"></span>' in message["html"]
    assert 'data-action-id="go"' in message["html"]
