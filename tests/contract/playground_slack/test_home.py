"""The Home tab: opened, published person by person, and pressed on."""

from typing import Any

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, user_id
from tests.contract.playground_slack.kit import (
    Json,
    acknowledging,
    actions,
    button,
    field,
    home,
    listening,
    modal,
    plain,
    select,
)
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import Bot, bolt_app, bot_of, refusal, refused


async def test_opening_the_home_tab_tells_the_app_and_shows_what_it_published(slack: SlackPlayground):
    app = bolt_app(slack)

    async def publish(event: Json, client: Any) -> None:
        if event["tab"] == "home":
            await client.views_publish(user_id=event["user"], view=home())

    app.event("app_home_opened")(publish)
    async with listening(slack, app):
        assert slack.people.home("Maya") is None
        await slack.people.opens_home("Maya")
        await slack.people.waits(lambda: slack.people.home("Maya"))
    assert slack.people.home("Sam") is None


async def test_event_says_which_tab_and_brings_the_view_back(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        dm = await slack.people.opens_home("Maya")
        first = await line.event()
        published = (await bot.views_publish(user_id=user_id(slack, "Maya"), view=home()))["view"]
        await slack.people.opens_home("Maya")
        second = await line.event()
        await slack.people.opens_dm("Maya")
        third = await line.event()
    assert (first["type"], first["tab"], first["channel"], "view" in first) == ("app_home_opened", "home", dm, False)
    assert (second["view"]["id"], second["view"]["hash"]) == (published["id"], published["hash"])
    assert (third["tab"], "view" in third) == ("messages", False)


async def test_publishing_again_keeps_the_view_and_guards_it_with_its_hash(slack: SlackPlayground, bot: Bot):
    # Fact sheet 2.5: hash guards views.publish.
    maya = user_id(slack, "Maya")
    first = (await bot.views_publish(user_id=maya, view=home()))["view"]
    second = (await bot.views_publish(user_id=maya, view=home(actions(button("more"))), hash=first["hash"]))["view"]
    assert (second["id"], second["hash"] != first["hash"]) == (first["id"], True)
    assert await refused(bot.views_publish(user_id=maya, view=home(), hash=first["hash"])) == "hash_conflict"
    assert [entry["view"]["id"] for entry in slack.journal.of("home")] == [first["id"]] * 2


async def test_click_on_the_home_tab_carries_the_view_and_opens_a_modal(slack: SlackPlayground, bot: Bot):
    heard: list[Json] = []
    app = bolt_app(slack)

    async def start(ack: Any, body: Json) -> None:
        await ack()
        heard.append(body)
        await app.client.views_open(trigger_id=body["trigger_id"], view=modal())

    app.action("start")(start)
    async with listening(slack, app):
        view = (await bot.views_publish(user_id=user_id(slack, "Maya"), view=home()))["view"]
        await slack.people.clicks_in_home("Maya", "start")
        await slack.people.waits(lambda: slack.people.modal("Maya"))
    assert (heard[0]["container"], heard[0]["view"]["type"]) == ({"type": "view", "view_id": view["id"]}, "home")
    assert not {"message", "channel", "response_url"} & heard[0].keys()


async def test_choice_on_the_home_tab_is_in_the_state_of_the_next_click(slack: SlackPlayground, bot: Bot):
    heard: list[Json] = []
    app = bolt_app(slack)
    app.action("size")(acknowledging(heard))
    app.action("start")(acknowledging(heard))
    async with listening(slack, app):
        view = home(actions(select("size", "small", "big"), button("start")))
        await bot.views_publish(user_id=user_id(slack, "Maya"), view=view)
        await slack.people.clicks_in_home("Maya", "size", "big")
        await slack.people.waits(lambda: heard)
        await slack.people.clicks_in_home("Maya", "start")
        await slack.people.waits(lambda: len(heard) == 2)
    assert heard[1]["view"]["state"]["values"]["controls"]["size"]["selected_option"]["value"] == "big"
    assert len(slack.journal.of("home")) == 1


async def test_push_has_no_stack_to_go_on_from_the_home_tab(slack: SlackPlayground, bot: Bot):
    await bot.views_publish(user_id=user_id(slack, "Maya"), view=home())
    async with Line(slack) as line:
        await slack.people.clicks_in_home("Maya", "start")
        trigger = (await line.interaction())["trigger_id"]
    assert await refused(bot.views_push(trigger_id=trigger, view=modal())) == "not_found"


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        (home(title=plain("Hub")), "invalid additional property: title [json-pointer:/view]"),
        (home(type="modal"), "must be a valid enum value [json-pointer:/view/type]"),
        (home({"type": "markdown", "text": "hi"}), "unsupported type: markdown [json-pointer:/view/blocks/0/type]"),
        (home(*[{"type": "divider"}] * 101), "no more than 100 items allowed [json-pointer:/view/blocks]"),
    ],
)
async def test_home_slack_could_not_show_is_refused(slack: SlackPlayground, bot: Bot, view: Json, problem: str):
    answer = await refusal(bot.views_publish(user_id=user_id(slack, "Maya"), view=view))
    assert (answer["error"], problem in answer["errors"]) == ("invalid_arguments", True)
    assert slack.people.home("Maya") is None


async def test_home_may_have_inputs_without_a_submit_button(slack: SlackPlayground, bot: Bot):
    assert (await bot.views_publish(user_id=user_id(slack, "Maya"), view=home(field("name"))))["ok"]


async def test_home_of_nobody_is_refused(slack: SlackPlayground, bot: Bot):
    for nobody in ("U0NOBODY", slack.bot_user_id):
        assert await refused(bot.views_publish(user_id=nobody, view=home())) == "user_not_found"
    with pytest.raises(LookupError, match="published no Home"):
        await slack.people.clicks_in_home("Maya", "start")


async def test_external_id_of_a_home_is_one_persons(slack: SlackPlayground, bot: Bot):
    # node-slack-sdk 1012: publishing one external_id for two people is refused for the second.
    view = home(external_id="hub")
    for _ in range(2):
        await bot.views_publish(user_id=user_id(slack, "Maya"), view=view)
    assert await refused(bot.views_publish(user_id=user_id(slack, "Sam"), view=view)) == "duplicate_external_id"


async def test_bot_invited_to_a_channel_hears_of_itself_through_bolt(start: Start):
    # Fact sheet 3.1: Bolt drops the app's own events, except member_joined_channel and member_left_channel.
    slack = await start(SlackOptions(limits=False, events=frozenset({"member_joined_channel"})))
    heard: list[Json] = []
    app = bolt_app(slack)

    async def joined(event: Json) -> None:
        heard.append(event)

    app.event("member_joined_channel")(joined)
    async with listening(slack, app):
        await slack.people.invites("Maya", "#random", "Threadwise")
        await slack.people.waits(lambda: heard)
    assert (heard[0]["user"], heard[0]["inviter"]) == (slack.bot_user_id, user_id(slack, "Maya"))


async def test_people_live_in_zones_of_their_own(slack: SlackPlayground, bot: Bot):
    users = [(await bot.users_info(user=user_id(slack, name)))["user"] for name in ("Maya", "Sam", "Priya")]
    assert [user["tz"] for user in users] == ["America/New_York", "Europe/Berlin", "Asia/Kolkata"]
    assert users[2]["tz_offset"] == 19_800
    assert users[1]["tz_offset"] - users[0]["tz_offset"] in (18_000, 21_600)
    assert all(user["tz_label"] for user in users)


async def test_number_of_members_is_told_only_when_asked_for(slack: SlackPlayground):
    # Slack, conversations.info: num_members comes with include_num_members.
    bot, general = bot_of(slack), slack.workspace.channel_named("general")
    assert general is not None
    assert "num_members" not in (await bot.conversations_info(channel=general.id))["channel"]
    asked = await bot.conversations_info(channel=general.id, include_num_members=True)
    assert asked["channel"]["num_members"] == 4
