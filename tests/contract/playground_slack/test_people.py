"""What people can do and see, and what Slack's client would not let them do."""

import pytest

from app.playground.slack import SlackPlayground
from app.playground.slack.values.model import Channel
from tests.contract.playground_slack.conftest import channel_id, user_id
from tests.contract.playground_slack.sdk import Bot


async def test_timestamps_are_unique_and_increase(slack: SlackPlayground):
    said = [await slack.people.says("Maya", "#general", "hi") for _ in range(200)]
    assert said == sorted(set(said))
    assert all(len(ts) == 17 and ts[10] == "." for ts in said)


async def test_same_seed_gives_the_same_ids():
    assert SlackPlayground().bot_token == SlackPlayground().bot_token
    assert SlackPlayground().workspace.channels.keys() == SlackPlayground().workspace.channels.keys()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        # Slack: &, < and > arrive escaped, mentions and links in angle brackets.
        ("a < b & c", "a &lt; b &amp; c"),
        ("<!channel> no", "&lt;!channel&gt; no"),
        ("@channel yes", "<!channel> yes"),
        ("mail me@here.org", "mail me@here.org"),
        ("see https://example.com/a?b=1&c=2.", "see <https://example.com/a?b=1&amp;c=2>."),
        ("<@U0NOBODY> hm", "&lt;@U0NOBODY&gt; hm"),
    ],
)
async def test_typed_text_is_kept_as_slack_keeps_it(slack: SlackPlayground, typed: str, kept: str):
    await slack.people.says("Maya", "#general", typed)
    assert slack.people.sees("Sam", "#general")[0].text == kept


async def test_mention_by_name_or_by_id_becomes_the_same_token(slack: SlackPlayground):
    for typed in ("@threadwise hi", f"<@{slack.bot_user_id}> hi"):
        await slack.people.says("Maya", "#general", typed)
    assert {message.text for message in slack.people.sees("Sam", "#general")} == {f"<@{slack.bot_user_id}> hi"}


async def test_rich_text_beside_a_message_says_what_was_typed(slack: SlackPlayground, bot: Bot):
    await slack.people.says("Maya", "#general", "@Sam & @here see https://example.com <3")
    [message] = (await bot.conversations_history(channel=channel_id(slack, "general")))["messages"]
    [block] = message["blocks"]
    assert block["elements"][0]["elements"] == [
        {"type": "user", "user_id": user_id(slack, "Sam")},
        {"type": "text", "text": " & "},
        {"type": "broadcast", "range": "here"},
        {"type": "text", "text": " see "},
        {"type": "link", "url": "https://example.com"},
        {"type": "text", "text": " <3"},
    ]


async def test_channel_and_thread_are_seen_apart(slack: SlackPlayground):
    root = await slack.people.says("Maya", "#general", "root")
    await slack.people.says("Sam", "#general", "reply", root)
    assert [message.text for message in slack.people.sees("Priya", "#general")] == ["root"]
    assert [message.text for message in slack.people.sees("Priya", "#general", root)] == ["root", "reply"]


async def test_people_change_only_what_they_wrote(slack: SlackPlayground):
    ts = await slack.people.says("Maya", "#general", "mine")
    for act in (
        slack.people.edits("Sam", "#general", ts, "yours"),
        slack.people.deletes("Sam", "#general", ts),
    ):
        with pytest.raises(PermissionError, match="wrote yourself"):
            await act
    assert slack.people.sees("Maya", "#general")[0].text == "mine"


async def test_direct_messages_are_closed_to_others(slack: SlackPlayground):
    dm = await slack.people.opens_dm("Maya")
    with pytest.raises(PermissionError, match="Sam is not in this conversation"):
        await slack.people.says("Sam", dm, "hi")
    with pytest.raises(PermissionError, match="Nobody can be added"):
        await slack.people.invites("Maya", dm, "Sam")


@pytest.mark.parametrize(
    ("user", "channel", "text", "problem"),
    [
        ("Nobody", "#general", "hi", "nobody called 'Nobody'"),
        ("Threadwise", "#general", "hi", "nobody called 'Threadwise'"),
        ("Maya", "#nowhere", "hi", "no channel '#nowhere'"),
        ("Maya", "#general", " ", "needs some text"),
    ],
)
async def test_impossible_message_says_what_is_wrong(
    slack: SlackPlayground, user: str, channel: str, text: str, problem: str
):
    with pytest.raises((LookupError, ValueError), match=problem):
        await slack.people.says(user, channel, text)


async def test_reply_needs_a_root(slack: SlackPlayground):
    root = await slack.people.says("Maya", "#general", "root")
    reply = await slack.people.says("Maya", "#general", "reply", root)
    for nowhere in (reply, "1700000000.000001"):
        with pytest.raises(LookupError, match="No thread starts"):
            await slack.people.says("Maya", "#general", "hi", nowhere)


async def test_people_cannot_change_what_is_not_there(slack: SlackPlayground):
    with pytest.raises(LookupError, match=r"no message 1700000000\.000001 in general"):
        await slack.people.edits("Maya", "#general", "1700000000.000001", "hi")


async def test_private_channel_is_joined_by_invitation_only(slack: SlackPlayground):
    maya = user_id(slack, "Maya")
    slack.workspace.add_channel(Channel("G0SECRET", "secret", "group", (maya,), created=0))
    with pytest.raises(PermissionError, match="someone in it has to add you"):
        await slack.people.joins("Sam", "secret")
    await slack.people.invites("Maya", "secret", "Sam")
    assert slack.people.sees("Sam", "secret")[-1].subtype == "channel_join"


async def test_joining_is_for_public_channels_and_once(slack: SlackPlayground):
    with pytest.raises(PermissionError, match="already in general"):
        await slack.people.joins("Maya", "#general")
    with pytest.raises(LookupError, match="nobody called 'Bob'"):
        await slack.people.invites("Maya", "#general", "Bob")


async def test_wait_ends_with_the_change_it_waits_for(slack: SlackPlayground, bot: Bot):
    ts = await slack.people.says("Maya", "#general", "hi")
    await bot.chat_postMessage(channel="#general", thread_ts=ts, text="hello")
    assert await slack.people.waits(lambda: slack.people.sees("Maya", "#general", ts)[1:])


async def test_wait_in_vain_fails_with_a_transcript(slack: SlackPlayground):
    root = await slack.people.says("Maya", "#general", "is anybody there?")
    await slack.people.says("Sam", "#general", "no", root)
    with pytest.raises(TimeoutError, match=r"(?s)#general\n.*Maya: is anybody there\?\n    ↳ .*Sam: no"):
        await slack.people.waits(lambda: False, timeout=0.01)
