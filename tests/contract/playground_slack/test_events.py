"""What the app hears of what people and the bot do."""

from dataclasses import replace

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.model import Member
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.line import Json, Line
from tests.contract.playground_slack.sdk import Bot


async def test_mention_is_heard_twice_with_one_ts_and_two_event_ids(slack: SlackPlayground):
    # Slack: a mention in a joined channel yields app_mention and message.
    async with Line(slack) as line:
        ts = await slack.people.says("Maya", "#general", "@Threadwise hello")
        both = [(await line.envelope())["payload"] for _ in range(2)]
    assert {payload["event"]["type"] for payload in both} == {"app_mention", "message"}
    assert [payload["event"]["ts"] for payload in both] == [ts, ts]
    assert {payload["event"]["text"] for payload in both} == {f"<@{slack.bot_user_id}> hello"}
    assert len({payload["event_id"] for payload in both}) == 2


async def test_event_wrapper_names_team_app_and_authorization(slack: SlackPlayground):
    async with Line(slack) as line:
        ts = await slack.people.says("Maya", "#general", "hello")
        payload = (await line.envelope())["payload"]
    assert (payload["type"], payload["team_id"], payload["api_app_id"]) == (
        "event_callback",
        slack.team_id,
        slack.app_id,
    )
    assert payload["authorizations"][0]["user_id"] == slack.bot_user_id
    assert payload["is_ext_shared_channel"] is False
    event = payload["event"]
    assert (event["user"], event["ts"], event["channel_type"]) == (user_id(slack, "Maya"), ts, "channel")
    assert event["blocks"][0]["type"] == "rich_text"


async def test_what_a_member_of_another_company_says_is_wrapped_with_their_team_and_our_authorization(
    slack: SlackPlayground,
):
    # java-slack-sdk 629: in a shared channel, `team_id` is the workspace that the event comes from.
    uma = Member("U0STRANG1", "Uma", "Uma Berg", "Etc/UTC", team="T0OTHER01")
    slack.workspace.members[uma.id] = uma
    general = slack.workspace.channels[channel_id(slack, "general")]
    slack.workspace.channels[general.id] = replace(general, is_shared=True)
    async with Line(slack) as line:
        await slack.people.joins("Uma", "#general")
        await line.envelope()
        ts = await slack.people.says("Uma", "#general", "hello")
        said = (await line.envelope())["payload"]
        await slack.people.edits("Uma", "#general", ts, "hello there")
        changed = (await line.envelope())["payload"]
    for payload in (said, changed):
        assert (payload["team_id"], payload["context_team_id"]) == ("T0OTHER01", slack.team_id)
        assert payload["authorizations"][0]["team_id"] == slack.team_id
        assert payload["is_ext_shared_channel"] is True


async def test_nothing_is_heard_of_a_channel_without_the_bot(slack: SlackPlayground):
    # Slack: a bot hears only the channels it is in; a mention elsewhere reaches people only.
    async with Line(slack) as line:
        await slack.people.says("Maya", "#random", "@Threadwise hello")
        await slack.people.says("Maya", "#general", "here")
        assert (await line.event())["text"] == "here"
    assert [message.user for message in slack.people.sees("Sam", "#random")] == [user_id(slack, "Maya")]


async def test_events_the_app_did_not_subscribe_to_are_never_sent(start: Start):
    # Slack: an app gets the events it subscribed to, and only with their scopes.
    slack = await start(SlackOptions(events=frozenset({"message.channels"})))
    async with Line(slack) as line:
        dm = await slack.people.opens_dm("Maya")
        await slack.people.says("Maya", dm, "unheard")
        await slack.people.says("Maya", "#general", "@Threadwise heard once")
        assert (await line.event())["type"] == "message"
        await slack.people.says("Maya", "#general", "and again")
        assert (await line.event())["text"] == "and again"


async def test_direct_message_is_a_message_of_type_im_and_no_mention(slack: SlackPlayground):
    # Slack: direct messages give only message events, with channel_type im.
    async with Line(slack) as line:
        dm = await slack.people.opens_dm("Maya")
        opened = await line.event()
        await slack.people.says("Maya", dm, "@Threadwise one")
        await slack.people.says("Maya", dm, "two")
        heard = [await line.event() for _ in range(2)]
    assert (opened["type"], opened["tab"], opened["channel"]) == ("app_home_opened", "messages", dm)
    assert [(event["type"], event["channel_type"]) for event in heard] == [("message", "im")] * 2


async def test_bots_own_post_is_echoed_with_its_authorship(slack: SlackPlayground, bot: Bot):
    # Slack: an app hears its own messages, with bot_id and bot_profile.
    async with Line(slack) as line:
        await bot.chat_postMessage(channel="#general", text=f"I am <@{slack.bot_user_id}>")
        event = await line.event()
        assert (event["type"], event["user"]) == ("message", slack.bot_user_id)
        assert event["bot_profile"]["id"] == event["bot_id"]
        await slack.people.says("Maya", "#general", "next")
        assert (await line.event())["text"] == "next"


async def test_edit_is_message_changed_with_both_texts(slack: SlackPlayground):
    async with Line(slack) as line:
        ts = await slack.people.says("Maya", "#general", "one")
        await slack.people.edits("Maya", "#general", ts, "two")
        await line.event()
        event = await line.event()
    assert (event["subtype"], event["message"]["ts"], event["message"]["text"]) == ("message_changed", ts, "two")
    assert event["previous_message"]["text"] == "one"
    assert event["message"]["edited"]["user"] == user_id(slack, "Maya")
    assert event["ts"] != ts


async def test_a_mention_is_told_again_with_each_edit(slack: SlackPlayground):
    async with Line(slack) as line:
        ts = await slack.people.says("Maya", "#general", "one")
        await line.event()
        await slack.people.edits("Maya", "#general", ts, "@Threadwise one")
        mention, changed = await line.event(), await line.event()
    assert (mention["type"], mention["ts"], changed["subtype"]) == ("app_mention", ts, "message_changed")
    assert mention["edited"]["user"] == user_id(slack, "Maya")


async def test_bots_update_is_message_changed_too(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        posted = await bot.chat_postMessage(channel="#general", text="one")
        await bot.chat_update(channel=posted["channel"], ts=posted["ts"], text="two")
        await line.event()
        event = await line.event()
    assert (event["subtype"], event["message"]["bot_id"]) == ("message_changed", slack.workspace.app.bot_id)


async def test_deletion_is_message_deleted_with_the_previous_message(slack: SlackPlayground):
    async with Line(slack) as line:
        ts = await slack.people.says("Maya", "#general", "one")
        await slack.people.deletes("Maya", "#general", ts)
        await line.event()
        event = await line.event()
    assert (event["subtype"], event["deleted_ts"], event["previous_message"]["text"]) == ("message_deleted", ts, "one")


async def test_deletion_of_a_root_with_replies_is_a_change_into_a_tombstone(slack: SlackPlayground):
    # Slack: a deleted root with replies becomes a tombstone.
    async with Line(slack) as line:
        root = await slack.people.says("Maya", "#general", "root")
        await slack.people.says("Sam", "#general", "reply", root)
        await slack.people.deletes("Maya", "#general", root)
        events = [await line.event() for _ in range(3)]
    assert (events[2]["subtype"], events[2]["message"]["subtype"]) == ("message_changed", "tombstone")
    assert events[1]["parent_user_id"] == user_id(slack, "Maya")


async def test_invited_bot_hears_that_it_joined(slack: SlackPlayground):
    async with Line(slack) as line:
        await slack.people.invites("Maya", "#random", "Threadwise")
        event = await line.event()
    assert (event["type"], event["user"], event["inviter"]) == (
        "member_joined_channel",
        slack.bot_user_id,
        user_id(slack, "Maya"),
    )
    assert event["channel"] == channel_id(slack, "random")


async def test_reaction_is_heard_with_its_message(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        ts = await slack.people.says("Maya", "#general", "hi")
        await line.event()
        place: Json = {"channel": channel_id(slack, "general"), "timestamp": ts, "name": "eyes"}
        await bot.reactions_add(**place)
        await bot.reactions_remove(**place)
        added, removed = [await line.event() for _ in range(2)]
    assert (added["type"], removed["type"]) == ("reaction_added", "reaction_removed")
    assert added["item"]["ts"] == ts


async def test_event_without_its_scope_is_not_delivered(start: Start):
    # Slack: message events need the history scope of the channel's kind.
    slack = await start(SlackOptions(scopes=BOT_SCOPES - {"channels:history"}))
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.says("Maya", "#general", "@Threadwise hello")
        assert (await line.event())["type"] == "app_mention"


async def test_ephemeral_message_is_not_heard(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        await bot.chat_postEphemeral(channel=channel_id(slack, "general"), user=user_id(slack, "Maya"), text="psst")
        await slack.people.says("Maya", "#general", "hello")
        assert (await line.event())["text"] == "hello"


async def test_events_arrive_in_the_order_they_happened(slack: SlackPlayground):
    async with Line(slack) as line:
        for number in range(50):
            await slack.people.says("Maya", "#general", str(number))
        assert [(await line.event())["text"] for _ in range(50)] == [str(number) for number in range(50)]


async def test_delivered_again_is_the_same_event_in_another_envelope(slack: SlackPlayground):
    # Seen in the wild: Slack delivers an acknowledged event twice, the second time with retry_attempt 0.
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        first = await line.envelope()
        slack.deliver_again(first["payload"]["event_id"])
        second = await line.envelope()
    assert second["payload"] == first["payload"]
    assert (second["retry_attempt"], second["envelope_id"] == first["envelope_id"]) == (0, False)


async def test_it_is_delivering_from_what_a_person_does_until_the_app_has_answered(slack: SlackPlayground):
    async with Line(slack) as line:
        assert not slack.is_delivering
        await slack.people.says("Maya", "#general", "hello")
        assert slack.is_delivering
        envelope = await line.receive()
        assert slack.is_delivering
        await line.acknowledge(envelope)
        await slack.people.waits(lambda: not slack.is_delivering)
