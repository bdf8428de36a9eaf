"""Posting, changing, deleting: what a bot may say."""

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.sdk import Bot, bot_of, refused

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}
METADATA = {"event_type": "made", "event_payload": {"id": 1}}


async def test_posting_where_the_bot_is_no_member_is_not_in_channel(bot: Bot):
    # Slack: without chat:write.public a bot posts only in channels it is in.
    assert await refused(bot.chat_postMessage(channel="#random", text="hi")) == "not_in_channel"


async def test_chat_write_public_opens_public_channels(start: Start):
    slack = await start(SlackOptions(scopes=BOT_SCOPES | {"chat:write.public"}))
    assert (await bot_of(slack).chat_postMessage(channel="#random", text="hi"))["ok"]


async def test_unknown_channel_is_channel_not_found(bot: Bot):
    assert await refused(bot.chat_postMessage(channel="C0NOWHERE", text="hi")) == "channel_not_found"


async def test_posting_to_a_person_opens_their_direct_messages(slack: SlackPlayground, bot: Bot):
    answer = await bot.chat_postMessage(channel=user_id(slack, "Sam"), text="hi")
    assert [message.text for message in slack.people.sees("Sam", answer["channel"])] == ["hi"]


@pytest.mark.parametrize("says", [{}, {"text": ""}, {"text": "  "}, {"blocks": []}])
async def test_message_without_content_is_no_text(bot: Bot, says: dict[str, object]):
    # Slack: no_text where neither text nor blocks say anything.
    assert await refused(bot.api_call("chat.postMessage", json={"channel": "#general", **says})) == "no_text"


async def test_post_past_40000_characters_is_cut_with_a_warning(bot: Bot):
    # Slack: chat.postMessage truncates text past 40,000 characters and warns message_truncated.
    answer = await bot.chat_postMessage(channel="#general", text="x" * 40_001)
    assert (len(answer["message"]["text"]), answer["warning"]) == (40_000, "message_truncated")


async def test_update_past_4000_characters_is_refused_as_msg_too_long(slack: SlackPlayground, bot: Bot):
    # Slack: chat.update refuses text past 4,000 characters, which chat.postMessage takes.
    posted = await bot.chat_postMessage(channel="#general", text="x" * 4_001)
    channel, ts = posted["channel"], posted["ts"]
    assert await refused(bot.chat_update(channel=channel, ts=ts, text="x" * 4_001)) == "msg_too_long"
    assert (await bot.chat_update(channel=channel, ts=ts, text="x" * 4_000))["ok"]


async def test_markdown_text_conflicts_with_text_and_with_blocks(bot: Bot):
    # Slack: markdown_text cannot be used with text or blocks.
    for other in ({"text": "hi"}, {"blocks": [SECTION]}):
        call = bot.api_call("chat.postMessage", json={"channel": "#general", "markdown_text": "hi", **other})
        assert await refused(call) == "markdown_text_conflict"


async def test_markdown_text_past_12000_characters_is_msg_too_long(bot: Bot):
    # Slack: markdown_text holds 12,000 characters.
    call = bot.chat_postMessage(channel="#general", markdown_text="x" * 12_001)
    assert await refused(call) == "msg_too_long"


async def test_updating_what_another_wrote_is_cant_update_message(slack: SlackPlayground, bot: Bot):
    ts = await slack.people.says("Maya", "#general", "mine")
    call = bot.chat_update(channel=channel_id(slack, "general"), ts=ts, text="yours")
    assert await refused(call) == "cant_update_message"


async def test_deleting_what_another_wrote_is_cant_delete_message(slack: SlackPlayground, bot: Bot):
    ts = await slack.people.says("Maya", "#general", "mine")
    assert await refused(bot.chat_delete(channel=channel_id(slack, "general"), ts=ts)) == "cant_delete_message"


async def test_update_of_a_missing_message_is_message_not_found(slack: SlackPlayground, bot: Bot):
    call = bot.chat_update(channel=channel_id(slack, "general"), ts="1700000000.000001", text="hi")
    assert await refused(call) == "message_not_found"


async def test_channel_names_work_for_posting_only(bot: Bot):
    # Slack: chat.postMessage resolves a name, chat.update needs the id.
    posted = await bot.chat_postMessage(channel="general", text="hi")
    assert await refused(bot.chat_update(channel="general", ts=posted["ts"], text="ho")) == "channel_not_found"


async def test_only_an_update_of_text_shows_as_edited(slack: SlackPlayground, bot: Bot):
    # Slack: the "edited" mark shows if text is used, not if blocks are.
    posted = await bot.chat_postMessage(channel="#general", text="one")
    place = {"channel": posted["channel"], "ts": posted["ts"]}
    await bot.chat_update(**place, text="two", blocks=[SECTION])
    [by_blocks] = slack.people.sees("Maya", "#general")
    await bot.chat_update(**place, text="three")
    [by_text] = slack.people.sees("Maya", "#general")
    assert (by_blocks.edited_ts, by_blocks.edit_count) == (None, 1)
    assert by_text.edited_ts is not None
    assert by_text.edit_count == 2


async def test_update_of_text_alone_takes_the_blocks_away(slack: SlackPlayground, bot: Bot):
    # Slack: blocks that an update with text does not repeat are removed.
    posted = await bot.chat_postMessage(channel="#general", text="one", blocks=[SECTION])
    await bot.chat_update(channel=posted["channel"], ts=posted["ts"], text="two")
    assert slack.people.sees("Maya", "#general")[0].blocks is None


async def test_update_keeps_metadata_that_it_does_not_mention(slack: SlackPlayground, bot: Bot):
    # Slack: metadata absent from an update stays, empty metadata removes it.
    posted = await bot.chat_postMessage(channel="#general", text="one", metadata=METADATA)
    place = {"channel": posted["channel"], "ts": posted["ts"]}
    kept = await bot.chat_update(**place, text="two")
    cleared = await bot.chat_update(**place, text="three", metadata={})
    assert kept["message"]["metadata"] == METADATA
    assert "metadata" not in cleared["message"]


async def test_metadata_without_an_event_type_is_refused(bot: Bot):
    call = bot.chat_postMessage(channel="#general", text="hi", metadata={"event_payload": {}})
    assert await refused(call) == "invalid_metadata_format"


async def test_reply_to_a_reply_lands_under_its_root(slack: SlackPlayground, bot: Bot):
    # Slack: a thread has one level.
    root = await slack.people.says("Maya", "#general", "root")
    reply = await slack.people.says("Sam", "#general", "reply", root)
    posted = await bot.chat_postMessage(channel="#general", text="hi", thread_ts=reply)
    assert posted["message"]["thread_ts"] == root


async def test_thread_ts_that_names_no_message_posts_top_level(bot: Bot):
    # Measured: Slack takes such a post and puts it into the channel.
    posted = await bot.chat_postMessage(channel="#general", text="hi", thread_ts="1700000000.000001")
    assert "thread_ts" not in posted["message"]


async def test_absurd_thread_ts_is_refused(bot: Bot):
    call = bot.chat_postMessage(channel="#general", text="hi", thread_ts="yesterday")
    assert await refused(call) == "invalid_thread_ts"


async def test_deleted_root_with_replies_stays_as_a_tombstone(slack: SlackPlayground, bot: Bot):
    posted = await bot.chat_postMessage(channel="#general", text="root")
    await slack.people.says("Maya", "#general", "reply", posted["ts"])
    await bot.chat_delete(channel=posted["channel"], ts=posted["ts"])
    root, reply = slack.people.sees("Maya", "#general", posted["ts"])
    assert root.is_tombstone
    assert reply.text == "reply"
    call = bot.chat_update(channel=posted["channel"], ts=posted["ts"], text="back")
    assert await refused(call) == "message_not_found"


async def test_deleted_message_without_replies_is_gone(slack: SlackPlayground, bot: Bot):
    posted = await bot.chat_postMessage(channel="#general", text="hi")
    await bot.chat_delete(channel=posted["channel"], ts=posted["ts"])
    assert slack.people.sees("Maya", "#general") == []
    assert await refused(bot.chat_delete(channel=posted["channel"], ts=posted["ts"])) == "message_not_found"


async def test_ephemeral_message_is_seen_by_one_and_cannot_be_updated(slack: SlackPlayground, bot: Bot):
    # Slack: an ephemeral message cannot be updated, and no history shows it.
    general = channel_id(slack, "general")
    posted = await bot.chat_postEphemeral(channel=general, user=user_id(slack, "Maya"), text="psst")
    assert [message.text for message in slack.people.sees("Maya", "#general")] == ["psst"]
    assert slack.people.sees("Sam", "#general") == []
    assert (await bot.conversations_history(channel=general))["messages"] == []
    assert await refused(bot.chat_update(channel=general, ts=posted["message_ts"], text="!")) == "message_not_found"


async def test_ephemeral_message_to_a_stranger_of_the_channel_is_refused(slack: SlackPlayground, bot: Bot):
    call = bot.chat_postEphemeral(channel=channel_id(slack, "general"), user="U0NOBODY", text="psst")
    assert await refused(call) == "user_not_in_channel"


async def test_permalink_of_a_reply_names_its_thread(slack: SlackPlayground, bot: Bot):
    general = channel_id(slack, "general")
    root = await slack.people.says("Maya", "#general", "root")
    reply = await slack.people.says("Maya", "#general", "reply", root)
    link = (await bot.chat_getPermalink(channel=general, message_ts=reply))["permalink"]
    assert link == f"{slack.url}/archives/{general}/p{reply.replace('.', '')}?thread_ts={root}&cid={general}"
    missing = bot.chat_getPermalink(channel=general, message_ts="1700000000.000001")
    assert await refused(missing) == "message_not_found"
