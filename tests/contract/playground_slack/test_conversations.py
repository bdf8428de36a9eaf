"""Channels, members, history and threads, in pages."""

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.model import Channel, Member
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.sdk import Bot, bot_of, refused

METADATA = {"event_type": "made", "event_payload": {"id": 1}}


async def test_history_is_newest_first_and_leaves_replies_out(slack: SlackPlayground, bot: Bot):
    # Slack: conversations.history shows roots; replies come from conversations.replies.
    root = await slack.people.says("Maya", "#general", "one")
    await slack.people.says("Sam", "#general", "reply", root)
    await slack.people.says("Maya", "#general", "two")
    answer = await bot.conversations_history(channel=channel_id(slack, "general"))
    assert [message["text"] for message in answer["messages"]] == ["two", "one"]
    assert answer["messages"][1]["reply_count"] == 1


async def test_history_of_a_channel_without_the_bot_is_not_in_channel(slack: SlackPlayground, bot: Bot):
    assert await refused(bot.conversations_history(channel=channel_id(slack, "random"))) == "not_in_channel"


async def test_thread_is_root_first_then_replies_in_order(slack: SlackPlayground, bot: Bot):
    root = await slack.people.says("Maya", "#general", "root")
    for text in ("one", "two"):
        await slack.people.says("Sam", "#general", text, root)
    answer = await bot.conversations_replies(channel=channel_id(slack, "general"), ts=root)
    assert [message["text"] for message in answer["messages"]] == ["root", "one", "two"]
    assert [message["thread_ts"] for message in answer["messages"]] == [root] * 3


async def test_thread_of_a_missing_message_is_thread_not_found(slack: SlackPlayground, bot: Bot):
    call = bot.conversations_replies(channel=channel_id(slack, "general"), ts="1700000000.000001")
    assert await refused(call) == "thread_not_found"


async def test_cursor_leads_through_all_pages_once(slack: SlackPlayground, bot: Bot):
    # Slack: response_metadata.next_cursor is empty on the last page.
    said = [await slack.people.says("Maya", "#general", str(number)) for number in range(5)]
    seen: list[str] = []
    cursor = ""
    for more in (True, True, False):
        page = await bot.conversations_history(channel=channel_id(slack, "general"), limit=2, cursor=cursor)
        seen += [message["ts"] for message in page["messages"]]
        cursor = page["response_metadata"]["next_cursor"]
        assert (page["has_more"], bool(cursor)) == (more, more)
    assert seen == said[::-1]


async def test_cursor_leads_through_the_replies_since_a_time_with_the_root_on_the_first_page_alone(
    slack: SlackPlayground, bot: Bot
):
    # Slack: pages after the first leave the root out; `oldest` itself is not included.
    root = await slack.people.says("Maya", "#general", "root")
    said = [await slack.people.says("Sam", "#general", str(number), root) for number in range(5)]
    pages: list[list[str]] = []
    cursor = ""
    while not pages or cursor:
        page = await bot.conversations_replies(
            channel=channel_id(slack, "general"), ts=root, oldest=said[0], limit=3, cursor=cursor
        )
        pages.append([message["ts"] for message in page["messages"]])
        cursor = page["response_metadata"]["next_cursor"]
    assert pages == [[root, *said[1:3]], said[3:]]


@pytest.mark.parametrize("cursor", ["!", "bm9wZQ=="])
async def test_made_up_cursor_is_refused(slack: SlackPlayground, bot: Bot, cursor: str):
    call = bot.conversations_history(channel=channel_id(slack, "general"), cursor=cursor)
    assert await refused(call) == "invalid_cursor"


@pytest.mark.parametrize("limit", ["0", "1001", "many"])
async def test_limit_out_of_range_is_refused(slack: SlackPlayground, bot: Bot, limit: str):
    call = bot.api_call(
        "conversations.history", http_verb="GET", params={"channel": channel_id(slack, "general"), "limit": limit}
    )
    assert await refused(call) == "invalid_limit"


async def test_ends_of_a_range_belong_to_it_only_when_inclusive(slack: SlackPlayground, bot: Bot):
    # Slack: messages at oldest or latest are left out unless inclusive is set.
    first, second, third = [await slack.people.says("Maya", "#general", text) for text in ("1", "2", "3")]
    general = channel_id(slack, "general")
    between = await bot.conversations_history(channel=general, oldest=first, latest=third)
    whole = await bot.conversations_history(channel=general, oldest=first, latest=third, inclusive=True)
    assert [message["ts"] for message in between["messages"]] == [second]
    assert [message["ts"] for message in whole["messages"]] == [third, second, first]
    assert await refused(bot.conversations_history(channel=general, oldest="yesterday")) == "invalid_ts_oldest"


async def test_metadata_is_read_back_only_when_asked_for(slack: SlackPlayground, bot: Bot):
    # Slack: history and replies leave metadata out unless include_all_metadata is set.
    posted = await bot.chat_postMessage(channel="#general", text="hi", metadata=METADATA)
    place = {"channel": posted["channel"], "ts": posted["ts"]}
    without = await bot.conversations_replies(**place)
    with_it = await bot.conversations_replies(**place, include_all_metadata=True)
    assert "metadata" not in without["messages"][0]
    assert with_it["messages"][0]["metadata"] == METADATA


async def test_opening_direct_messages_twice_gives_one_channel(slack: SlackPlayground, bot: Bot):
    opened = [(await bot.conversations_open(users=user_id(slack, "Maya")))["channel"]["id"] for _ in range(2)]
    assert opened == [await slack.people.opens_dm("Maya")] * 2
    info = (await bot.conversations_info(channel=opened[0]))["channel"]
    assert (info["is_im"], info["user"]) == (True, user_id(slack, "Maya"))
    assert await refused(bot.conversations_open(users="U0NOBODY")) == "user_not_found"


async def test_joining_lets_the_bot_speak(slack: SlackPlayground, bot: Bot):
    random = channel_id(slack, "random")
    assert (await bot.conversations_info(channel=random))["channel"]["is_member"] is False
    assert (await bot.conversations_join(channel=random))["channel"]["is_member"] is True
    assert (await bot.conversations_join(channel=random))["warning"] == "already_in_channel"
    assert (await bot.chat_postMessage(channel=random, text="hi"))["ok"]


async def test_joining_direct_messages_is_refused(slack: SlackPlayground, bot: Bot):
    dm = await slack.people.opens_dm("Maya")
    assert await refused(bot.conversations_join(channel=dm)) == "method_not_supported_for_channel_type"


async def test_members_come_in_pages(slack: SlackPlayground, bot: Bot):
    page = await bot.conversations_members(channel=channel_id(slack, "general"), limit=3)
    rest = await bot.conversations_members(
        channel=channel_id(slack, "general"), cursor=page["response_metadata"]["next_cursor"]
    )
    assert {*page["members"], *rest["members"]} == slack.workspace.members.keys()


async def test_own_channels_are_listed_by_kind_without_private_ones_of_others(slack: SlackPlayground, bot: Bot):
    # Slack: users.conversations gives public channels unless other types are named, and leaves is_member out.
    maya = user_id(slack, "Maya")
    slack.workspace.add_channel(Channel("G0SECRET", "secret", "group", (maya,), created=0))
    slack.workspace.add_channel(Channel("G0SHARED", "shared", "group", (maya, slack.bot_user_id), created=0))

    async def names(**arguments: str) -> list[str]:
        return [channel["name"] for channel in (await bot.users_conversations(**arguments))["channels"]]

    assert await names() == ["general", "ops"]
    assert await names(types="public_channel,private_channel") == ["general", "ops", "shared"]
    assert await names(types="private_channel", user=maya) == ["shared"]
    assert await names(user=maya) == ["general", "random", "ops"]
    page = await bot.users_conversations(limit=1)
    assert (len(page["channels"]), "is_member" in page["channels"][0]) == (1, False)
    assert page["response_metadata"]["next_cursor"]
    assert await refused(bot.users_conversations(types="club")) == "invalid_types"
    assert await refused(bot.users_conversations(user="U0NOBODY")) == "user_not_found"


async def test_each_kind_of_own_channels_needs_its_scope(start: Start):
    bot = bot_of(await start(SlackOptions(scopes=BOT_SCOPES - {"groups:read"})))
    assert (await bot.users_conversations())["ok"]
    assert await refused(bot.users_conversations(types="public_channel,private_channel")) == "missing_scope"


@pytest.mark.req("AG-08")
async def test_channels_of_the_workspace_are_listed_with_membership_and_without_private_ones_of_others(
    slack: SlackPlayground, bot: Bot
):
    # Slack: conversations.list gives all public channels with is_member, and private ones that the bot is in.
    maya = user_id(slack, "Maya")
    slack.workspace.add_channel(Channel("G0SECRET", "secret", "group", (maya,), created=0))
    slack.workspace.add_channel(Channel("G0SHARED", "shared", "group", (maya, slack.bot_user_id), created=0))

    async def listed(**arguments: str) -> dict[str, bool]:
        channels = (await bot.conversations_list(**arguments))["channels"]
        return {channel["name"]: channel["is_member"] for channel in channels}

    assert await listed() == {"general": True, "random": False, "ops": True}
    assert await listed(types="private_channel") == {"shared": True}
    pages = [await bot.conversations_list(limit=2)]
    pages.append(await bot.conversations_list(limit=2, cursor=pages[0]["response_metadata"]["next_cursor"]))
    assert [len(page["channels"]) for page in pages] == [2, 1]
    assert pages[0]["channels"][0]["num_members"] == len(slack.workspace.members)
    assert "num_members" not in (await bot.conversations_list(types="im"))["channels"]
    assert await refused(bot.conversations_list(types="club")) == "invalid_types"
    assert await refused(bot.conversations_list(limit=1000)) == "invalid_limit"


@pytest.mark.req("AG-08")
@pytest.mark.parametrize(
    ("lacks", "method", "arguments"),
    [
        ("channels:read", "conversations.list", {}),
        ("groups:read", "conversations.list", {"types": "public_channel,private_channel"}),
        ("users:read", "users.list", {"limit": 10}),
    ],
)
async def test_listing_people_and_channels_needs_the_scope_of_what_is_listed(
    start: Start, lacks: str, method: str, arguments: dict[str, str]
):
    bot = bot_of(await start(SlackOptions(scopes=BOT_SCOPES - {lacks})))
    assert await refused(bot.api_call(method, http_verb="GET", params=arguments)) == "missing_scope"


@pytest.mark.req("AG-08")
async def test_people_are_listed_in_pages_with_bots_and_slackbot_and_nobody_of_another_company(
    slack: SlackPlayground, bot: Bot
):
    # Slack: users.list includes Slackbot, which it does not call a bot.
    stranger = Member("U0STRANGER", "Olga", "Olga", "Europe/Oslo", team="T0OTHER")
    slack.workspace.members[stranger.id] = stranger
    first = await bot.users_list(limit=2)
    rest = await bot.users_list(limit=100, cursor=first["response_metadata"]["next_cursor"])
    listed = [*first["members"], *rest["members"]]
    assert len(first["members"]) == 2
    assert {member["id"] for member in listed} == {"USLACKBOT", *slack.workspace.members} - {stranger.id}
    assert {member["id"] for member in listed if member["is_bot"]} == {slack.bot_user_id}
    assert await refused(bot.users_list(limit=1001)) == "invalid_limit"


@pytest.mark.req("AG-08")
async def test_more_people_than_fit_into_one_answer_are_listed_with_a_limit_alone(slack: SlackPlayground, bot: Bot):
    # Slack: without a limit, a large workspace is answered with limit_required.
    assert (await bot.users_list())["ok"]
    for number in range(1_000):
        id_ = f"U{number:09}"
        slack.workspace.members[id_] = Member(id_, id_, id_, "Europe/Oslo")
    assert await refused(bot.users_list()) == "limit_required"
    assert len((await bot.users_list(limit=1_000))["members"]) == 1_000


@pytest.mark.req("AG-08")
@pytest.mark.parametrize("method", ["conversations.list", "users.list"])
async def test_twenty_first_listing_in_a_minute_is_too_early(start: Start, method: str):
    # Slack: both are Tier 2, twenty a minute per workspace.
    bot = bot_of(await start(SlackOptions()))
    for _ in range(20):
        assert (await bot.api_call(method, http_verb="GET", params={"limit": 1}))["ok"]
    assert await refused(bot.api_call(method, http_verb="GET", params={"limit": 1})) == "ratelimited"


async def test_private_channel_without_the_bot_does_not_exist_for_it(slack: SlackPlayground, bot: Bot):
    # Slack: channel_not_found hides a private channel from those outside.
    maya = user_id(slack, "Maya")
    slack.workspace.add_channel(Channel("G0SECRET", "secret", "group", (maya,), created=0))
    assert await refused(bot.conversations_info(channel="G0SECRET")) == "channel_not_found"
    await slack.people.invites("Maya", "secret", "Threadwise")
    assert (await bot.conversations_info(channel="G0SECRET"))["channel"]["is_private"] is True


async def test_call_without_its_channel_names_the_missing_field(bot: Bot):
    call = bot.api_call("conversations.info", http_verb="GET", params={})
    assert await refused(call) == "invalid_arguments"
