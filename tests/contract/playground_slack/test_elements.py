"""Selects, menus and pickers in messages, and selects whose options the app is asked for."""

from typing import Any

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.kit import (
    Json,
    acknowledging,
    actions,
    button,
    field,
    listening,
    modal,
    opened,
    opening,
    option,
    plain,
    search,
    select,
)
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import Bot, bolt_app, bot_of, refusal

OVERFLOW = {"type": "overflow", "action_id": "menu", "options": [option("edit", "Edit"), option("drop", "Drop")]}


async def posted(bot: Bot, *blocks: Json) -> str:
    """Post these blocks and return the message's ts."""
    return (await bot.chat_postMessage(channel="#general", text="hi", blocks=list(blocks)))["ts"]


async def chosen(slack: SlackPlayground, line: Line, ts: str, action_id: str, value: Any) -> Json:
    """Choose in a message and return what the app hears."""
    await slack.people.chooses("Maya", "#general", ts, action_id, value)
    return await line.interaction()


@pytest.mark.parametrize(
    ("element", "value", "said"),
    [
        (select("it", "small", "big"), "big", {"selected_option": option("big", "Big")}),
        ({**OVERFLOW, "action_id": "it"}, "drop", {"selected_option": option("drop", "Drop")}),
        ({"type": "radio_buttons", "action_id": "it", "options": [option("a")]}, "a", {"selected_option": option("a")}),
        (
            {"type": "checkboxes", "action_id": "it", "options": [option("a")]},
            ["a"],
            {"selected_options": [option("a")]},
        ),
        ({"type": "checkboxes", "action_id": "it", "options": [option("a")]}, [], {"selected_options": []}),
        ({"type": "datepicker", "action_id": "it"}, "2026-11-21", {"selected_date": "2026-11-21"}),
        ({"type": "timepicker", "action_id": "it"}, "14:30", {"selected_time": "14:30"}),
        ({"type": "users_select", "action_id": "it"}, "Sam", {}),
    ],
)
async def test_choice_is_told_in_the_form_of_its_element(
    slack: SlackPlayground, bot: Bot, element: Json, value: Any, said: Json
):
    async with Line(slack) as line:
        payload = await chosen(slack, line, await posted(bot, actions(element)), "it", value)
    [action] = payload["actions"]
    assert (action["type"], action["action_id"], action["block_id"]) == (element["type"], "it", "controls")
    assert said.items() <= action.items()
    assert action.get("selected_user", user_id(slack, "Sam")) == user_id(slack, "Sam")


async def test_state_of_a_message_holds_every_element_and_keeps_what_was_chosen(slack: SlackPlayground, bot: Bot):
    first = select("size", "small", "big", initial_option=option("small", "Small"))
    ts = await posted(bot, actions(first, {"type": "datepicker", "action_id": "day"}, OVERFLOW, button("go")))
    async with Line(slack) as line:
        await chosen(slack, line, ts, "size", "big")
        await chosen(slack, line, ts, "day", "2026-12-24")
        await slack.people.clicks("Maya", "#general", ts, "go")
        mayas = await line.interaction()
        await slack.people.clicks("Sam", "#general", ts, "go")
        sams = await line.interaction()
    assert mayas["state"]["values"] == {
        "controls": {
            "size": {"type": "static_select", "selected_option": option("big", "Big")},
            "day": {"type": "datepicker", "selected_date": "2026-12-24"},
        }
    }
    assert sams["state"]["values"]["controls"]["size"]["selected_option"] == option("small", "Small")
    assert mayas["message"]["ts"] == ts
    assert (mayas["channel"]["id"], "response_url" in mayas) == (channel_id(slack, "general"), True)


async def test_update_that_makes_another_element_of_it_forgets_what_was_chosen(slack: SlackPlayground, bot: Bot):
    ts = await posted(bot, actions(select("it", "small", "big"), button("go")))
    async with Line(slack) as line:
        await chosen(slack, line, ts, "it", "big")
        changed = [actions({"type": "datepicker", "action_id": "it"}, button("go"))]
        await bot.chat_update(channel=channel_id(slack, "general"), ts=ts, text="hi", blocks=changed)
        await slack.people.clicks("Maya", "#general", ts, "go")
        payload = await line.interaction()
    assert payload["state"]["values"]["controls"]["it"] == {"type": "datepicker", "selected_date": None}


async def test_accessory_of_a_section_is_chosen_in_too(slack: SlackPlayground, bot: Bot):
    section = {"type": "section", "block_id": "row", "text": plain("One"), "accessory": OVERFLOW}
    async with Line(slack) as line:
        payload = await chosen(slack, line, await posted(bot, section), "row/menu", "Edit")
    assert (payload["actions"][0]["block_id"], payload["actions"][0]["selected_option"]["value"]) == ("row", "edit")


async def test_input_in_a_message_is_silent_until_a_button_is_pressed(slack: SlackPlayground, bot: Bot):
    ts = await posted(bot, field("note"), actions(button("go")))
    async with Line(slack) as line:
        await slack.people.chooses("Maya", "#general", ts, "note", "hello")
        await slack.people.clicks("Maya", "#general", ts, "go")
        payload = await line.interaction()
    assert payload["actions"][0]["action_id"] == "go"
    assert payload["state"]["values"]["note"]["note"]["value"] == "hello"


async def test_button_is_clicked_and_not_chosen_in(slack: SlackPlayground, bot: Bot):
    ts = await posted(bot, actions(button("go")))
    with pytest.raises(LookupError, match="go is a button"):
        await slack.people.chooses("Maya", "#general", ts, "go", "1")
    with pytest.raises(LookupError, match=r"There is no 'size' to choose in; there is: go \(button\)"):
        await slack.people.chooses("Maya", "#general", ts, "size", "1")


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        # Slack's reference of elements: the blocks each may stand in, 5 entries in a menu, 75 and 150 characters.
        (
            actions({"type": "multi_static_select", "action_id": "a", "options": [option("a")]}),
            "unsupported type: multi_static_select [json-pointer:/blocks/0/elements/0/type]",
        ),
        (
            actions({**OVERFLOW, "options": [option(str(number)) for number in range(6)]}),
            "no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]",
        ),
        (
            actions(select("a", "x" * 151)),
            "must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]",
        ),
    ],
)
async def test_element_in_a_message_past_a_limit_is_refused(bot: Bot, block: Json, problem: str):
    answer = await refusal(bot.chat_postMessage(channel="#general", text="hi", blocks=[block]))
    assert (answer["error"], problem in answer["errors"]) == ("invalid_blocks", True)


# --- options that the app is asked for -------------------------------------------------------------


def offering(slack: SlackPlayground, heard: list[Json], element: Json, **answer: Any) -> Any:
    """Return a Bolt app with a searching select in a modal, and its answer to every search."""
    view = modal({"type": "input", "block_id": "which", "label": plain("Which"), "element": element})
    app = opening(slack, view)

    async def offer(ack: Any, body: Json) -> None:
        heard.append(body)
        await ack(**answer)

    app.options("find")(offer)
    return app


async def test_search_in_a_modal_is_asked_of_the_app_and_its_options_can_be_chosen(slack: SlackPlayground):
    heard: list[Json] = []
    submitted: list[Json] = []
    app = offering(slack, heard, search("find", min_query_length=0), options=[option("1", "Rota"), option("2", "Hub")])
    app.view("goal")(acknowledging(submitted))
    async with listening(slack, app):
        view = await opened(slack)
        assert await slack.people.types_search("Maya", "find", "") == [option("1", "Rota"), option("2", "Hub")]
        await slack.people.fills("Maya", find="Hub")
        await slack.people.submits("Maya")
    [asked] = heard
    assert (asked["type"], asked["action_id"], asked["block_id"], asked["value"]) == (
        "block_suggestion",
        "find",
        "which",
        "",
    )
    assert (asked["container"], asked["view"]["id"]) == ({"type": "view", "view_id": view.id}, view.id)
    assert not {"trigger_id", "response_url", "message"} & asked.keys()
    assert submitted[0]["view"]["state"]["values"]["which"]["find"]["selected_option"] == option("2", "Hub")


async def test_search_in_a_message_names_the_message(slack: SlackPlayground, bot: Bot):
    heard: list[Json] = []
    app = bolt_app(slack)

    async def offer(ack: Any, body: Json) -> None:
        heard.append(body)
        await ack(option_groups=[{"label": plain("Mine"), "options": [option("1", "Rota")]}])

    app.options("find")(offer)
    async with listening(slack, app):
        ts = await posted(bot, actions(search("find")))
        offered = await slack.people.types_search("Maya", "find", "rot", channel="#general", ts=ts)
    assert offered == [option("1", "Rota")]
    assert (heard[0]["container"]["message_ts"], heard[0]["channel"]["id"]) == (ts, channel_id(slack, "general"))
    assert heard[0]["message"]["ts"] == ts


@pytest.mark.parametrize(("element", "asked"), [({}, 1), ({"min_query_length": 1}, 3), ({"min_query_length": 0}, 4)])
async def test_search_asks_only_once_enough_is_typed(slack: SlackPlayground, element: Json, asked: int):
    # Slack's reference of external_select: min_query_length, three characters if not named.
    heard: list[Json] = []
    async with listening(slack, offering(slack, heard, search("find", **element), options=[option("1")])):
        await opened(slack)
        for typed in ("", "r", "ro", "rot"):
            await slack.people.types_search("Maya", "find", typed)
    assert len(heard) == asked


@pytest.mark.parametrize(
    "options",
    [
        # Slack: at most a hundred options, of 75 characters, with values of 150.
        [option(str(number)) for number in range(101)],
        [option("1", "x" * 76)],
        [option("x" * 151)],
    ],
)
async def test_search_answered_past_a_limit_offers_nothing(slack: SlackPlayground, options: list[Json]):
    async with listening(slack, offering(slack, [], search("find", min_query_length=0), options=options)):
        await opened(slack)
        failures: list[Any] = []
        slack.workspace.watch(failures.append)
        assert await slack.people.types_search("Maya", "find", "") == []
    assert failures[0].method == "block_suggestion"


async def test_search_that_finds_nothing_is_no_failure(slack: SlackPlayground):
    async with listening(slack, offering(slack, [], search("find", min_query_length=0), options=[])):
        await opened(slack)
        failures: list[Any] = []
        slack.workspace.watch(failures.append)
        assert await slack.people.types_search("Maya", "find", "") == []
    assert failures == []


async def test_search_bolt_has_no_listener_for_offers_nothing(start: Start):
    # Fact sheet 3.1: what no listener acknowledges within three seconds is lost.
    slack = await start(SlackOptions(limits=False, time_scale=30.0))
    app = bolt_app(slack)
    failures: list[Any] = []
    slack.workspace.watch(failures.append)
    async with listening(slack, app):
        ts = await posted(bot_of(slack), actions(search("find")))
        assert await slack.people.types_search("Maya", "find", "rot", channel="#general", ts=ts) == []
    assert failures[-1].error == "the app did not answer this search"
