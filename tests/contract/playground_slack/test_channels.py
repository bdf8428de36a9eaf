"""Channels an app makes, and whom it brings into them."""

import json
from typing import Any

import pytest
from aiohttp import ClientResponse, ClientSession

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.model import Channel
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, admission, channel_id, user_id
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import Bot, bot_of, refusal, refused


async def made(bot: Bot, name: str = "decision-rota", *, is_private: bool = True) -> str:
    """Make a channel and return its id."""
    return (await bot.conversations_create(name=name, is_private=is_private))["channel"]["id"]


def page_of(slack: SlackPlayground) -> ClientSession:
    return ClientSession(headers=admission(slack))


async def seen_by(slack: SlackPlayground, who: str) -> list[str]:
    """Return the names of the channels in a person's side bar."""
    params = {"user": user_id(slack, who)}
    async with page_of(slack) as browser, browser.get(f"{slack.url}/play/state", params=params) as answer:
        return [channel["name"] for channel in (await answer.json())["channels"]]


async def next_event(stream: ClientResponse) -> Any:
    """Return what a page is told next."""
    return json.loads((await stream.content.readline()).removeprefix(b"data: "))


async def test_private_channel_begins_with_the_bot_alone_in_it(slack: SlackPlayground, bot: Bot):
    channel = (await bot.conversations_create(name="decision-rota", is_private=True))["channel"]
    assert (channel["name"], channel["is_private"], channel["is_member"]) == ("decision-rota", True, True)
    assert (await bot.conversations_members(channel=channel["id"]))["members"] == [slack.bot_user_id]
    info = await bot.conversations_info(channel=channel["id"], include_num_members=True)
    assert info["channel"]["num_members"] == 1
    assert "decision-rota" not in await seen_by(slack, "Maya")
    with pytest.raises(PermissionError, match="someone in it has to add you"):
        await slack.people.joins("Maya", "decision-rota")


async def test_public_channel_is_in_everyones_side_bar_at_once_and_can_be_joined(slack: SlackPlayground, bot: Bot):
    params = {"user": user_id(slack, "Sam")}
    async with page_of(slack) as browser, browser.get(f"{slack.url}/play/events", params=params) as stream:
        channel = await made(bot, "open", is_private=False)
        told = await next_event(stream)
    assert (told["kind"], told["channel"]["name"], told["channel"]["is_member"]) == ("channel", "open", False)
    assert "open" in await seen_by(slack, "Sam")
    await slack.people.joins("Sam", "open")
    assert (await bot.conversations_info(channel=channel))["channel"]["is_private"] is False


async def test_invited_people_have_the_channel_at_once_and_the_app_hears_of_each(slack: SlackPlayground, bot: Bot):
    maya, sam = user_id(slack, "Maya"), user_id(slack, "Sam")
    channel = await made(bot)
    params = {"user": maya}
    async with Line(slack) as line, page_of(slack) as browser:
        async with browser.get(f"{slack.url}/play/events", params=params) as stream:
            await bot.conversations_invite(channel=channel, users=[maya, sam])
            told = await next_event(stream)
        joined = [event for _ in range(4) if (event := await line.event())["type"] == "member_joined_channel"]
    assert (told["kind"], told["channel"]["name"], told["channel"]["is_member"]) == ("channel", "decision-rota", True)
    assert [(event["user"], event["inviter"], event["channel_type"]) for event in joined] == [
        (maya, slack.bot_user_id, "G"),
        (sam, slack.bot_user_id, "G"),
    ]
    info = await bot.conversations_info(channel=channel, include_num_members=True)
    assert info["channel"]["num_members"] == 3
    assert await seen_by(slack, "Priya") == ["general", "random", "ops"]


async def test_thread_that_others_wrote_is_read_by_the_app_that_is_a_member(slack: SlackPlayground, bot: Bot):
    channel = await made(bot)
    await bot.conversations_invite(channel=channel, users=f"{user_id(slack, 'Maya')},{user_id(slack, 'Sam')}")
    root = await slack.people.says("Maya", "decision-rota", "which van?")
    await slack.people.says("Sam", "decision-rota", "the red one", root)
    messages = (await bot.conversations_replies(channel=channel, ts=root))["messages"]
    assert [(message["text"], message["user"]) for message in messages] == [
        ("which van?", user_id(slack, "Maya")),
        ("the red one", user_id(slack, "Sam")),
    ]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        # Slack's reference of conversations.create: small letters, digits, hyphens and underscores, at most 80 of them.
        ("", "invalid_name_required"),
        ("x" * 81, "invalid_name_maxlength"),
        ("Decision", "invalid_name_specials"),
        ("night cover", "invalid_name_specials"),
        ("night.cover", "invalid_name_specials"),
        ("#night", "invalid_name_specials"),
        ("-_-", "invalid_name_punctuation"),
        ("general", "name_taken"),
    ],
)
async def test_name_that_no_channel_may_have_is_refused(bot: Bot, name: str, code: str):
    assert await refused(bot.conversations_create(name=name, is_private=True)) == code


@pytest.mark.parametrize("name", ["x" * 80, "größe_2-b", "2026"])
async def test_name_within_the_rules_is_taken(bot: Bot, name: str):
    assert (await bot.conversations_create(name=name))["channel"]["name"] == name


async def test_name_of_a_private_channel_the_bot_cannot_see_is_taken_too(slack: SlackPlayground, bot: Bot):
    slack.workspace.add_channel(Channel("G0SECRET", "secret", "group", (user_id(slack, "Maya"),), created=0))
    assert await refused(bot.conversations_create(name="secret")) == "name_taken"


async def test_one_wrong_person_keeps_all_out_unless_forced(slack: SlackPlayground, bot: Bot):
    # Slack's reference of conversations.invite: an error for each, the first of them as the answer's own.
    channel, maya = await made(bot), user_id(slack, "Maya")
    answer = await refusal(bot.conversations_invite(channel=channel, users=["U0NOBODY", maya, slack.bot_user_id]))
    assert answer["error"] == "user_not_found"
    assert answer["errors"] == [
        {"user": "U0NOBODY", "ok": False, "error": "user_not_found"},
        {"user": slack.bot_user_id, "ok": False, "error": "cant_invite_self"},
    ]
    assert (await bot.conversations_members(channel=channel))["members"] == [slack.bot_user_id]
    forced = await bot.conversations_invite(channel=channel, users=["U0NOBODY", maya], force=True)
    assert [error["error"] for error in forced["errors"]] == ["user_not_found"]
    assert (await bot.conversations_members(channel=channel))["members"] == [slack.bot_user_id, maya]
    assert await refused(bot.conversations_invite(channel=channel, users=maya)) == "already_in_channel"
    assert await refused(bot.conversations_invite(channel=channel, users=maya, force=True)) == "already_in_channel"


async def test_invitation_needs_people_and_a_channel_the_bot_is_in(slack: SlackPlayground, bot: Bot):
    maya = user_id(slack, "Maya")
    assert await refused(bot.conversations_invite(channel=await made(bot), users=" ,")) == "no_user"
    assert await refused(bot.conversations_invite(channel=channel_id(slack, "random"), users=maya)) == "not_in_channel"
    dm = await slack.people.opens_dm("Maya")
    refusing = bot.conversations_invite(channel=dm, users=user_id(slack, "Sam"))
    assert await refused(refusing) == "method_not_supported_for_channel_type"


@pytest.mark.parametrize(
    ("is_private", "needed", "other"),
    [(True, "groups:write", "channels:manage"), (False, "channels:manage", "groups:write")],
)
async def test_each_kind_of_channel_is_managed_with_a_scope_of_its_own(
    start: Start, is_private: bool, needed: str, other: str
):
    slack = await start(SlackOptions(limits=False, scopes=BOT_SCOPES - {needed}))
    bot, sam = bot_of(slack), user_id(slack, "Sam")
    answer = await refusal(bot.conversations_create(name="new", is_private=is_private))
    assert (answer["error"], answer["needed"]) == ("missing_scope", needed)
    kind = "group" if is_private else "channel"
    slack.workspace.add_channel(Channel("C0OURS", "ours", kind, (slack.bot_user_id,), created=0))
    invited = await refusal(bot.conversations_invite(channel="C0OURS", users=sam))
    assert (invited["error"], invited["needed"]) == ("missing_scope", needed)
    assert other in slack.options.scopes
    await made(bot, "other", is_private=not is_private)
