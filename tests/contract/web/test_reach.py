"""What tools can reach in Slack, through the real SDK: what the person could see, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from app.clock import SystemClock
from app.core.errors import OutOfReach, SlackUnavailable
from app.core.thread import ThreadKey
from app.playground.slack import Fault, SlackOptions, SlackPlayground
from app.playground.slack.values.model import Channel, Member
from app.ports import MessagePage, Person, Spot
from handlers.outbound.delivery import METADATA
from handlers.outbound.pacer import Pacer, Priority
from handlers.outbound.people import People
from handlers.outbound.slack_access import (
    LISTED_PAGE,
    LISTED_PAGES,
    NOWHERE,
    REFUSED,
    UNCERTAIN,
    UNSHOWN,
    SlackWebAccess,
)
from handlers.outbound.web import SlackCaller, SlackWeb
from tests.memory_store import MemoryLedger

SECRET = "G0SECRET00"


class Place:
    """The workspace, and what Maya's tools reach in it."""

    def __init__(self, slack: SlackPlayground) -> None:
        self.slack = slack
        self.web = SlackWeb(slack.bot_token, slack.api_url)
        clock = SystemClock()
        self.line = SlackCaller(self.web, Pacer(clock, slack.team_id, MemoryLedger(clock)), clock)
        self.team, self.maya, self.sam = slack.team_id, self.user("Maya"), self.user("Sam")

    async def open(self) -> Place:
        self.reach = SlackWebAccess(self.line, await self.web.identify(), People(self.line).profile)
        return self

    async def close(self) -> None:
        await self.line.pacer.close()
        await self.web.close()
        await self.slack.stop()

    def user(self, name: str) -> str:
        member = self.slack.workspace.member(name)
        assert member
        return member.id

    def id(self, name: str) -> str:
        channel = self.slack.workspace.channel_named(name)
        assert channel
        return channel.id

    def private(self, *members: str) -> None:
        """A private channel called `secret` in which these people are."""
        made = Channel(SECRET, "secret", "group", tuple(map(self.user, members)), created=0)
        self.slack.workspace.add_channel(made)

    def link(self, channel: str) -> str:
        return f"{self.slack.url}/archives/{channel}/p1700000000000001?thread_ts=1700000000.000001&cid={channel}"

    async def sees(self, name: str, user: str = "") -> Spot:
        return await self.reach.channel(self.team, user or self.maya, name)

    async def refuses(self, name: str, user: str = "") -> str:
        with pytest.raises(OutOfReach) as raised:
            await self.sees(name, user)
        return raised.value.words

    async def reads(self, name: str, since: str = "", limit: int = 50, until: str = "") -> list[tuple[str, str, int]]:
        spot = await self.sees(name)
        stretch = MessagePage(since=since, until=until, limit=limit)
        heard = await self.reach.history(self.team, self.maya, spot, stretch)
        return [(each.name, each.text, each.replies) for each in heard]

    def posted(self, channel: str) -> list[str]:
        """The texts of what we have posted there."""
        ours = self.slack.workspace.messages(self.id(channel))
        return [message.text for message in ours if message.user == self.slack.bot_user_id]


@pytest.fixture
async def place() -> AsyncGenerator[Place]:
    slack = SlackPlayground(SlackOptions(limits=False))
    await slack.start()
    place = await Place(slack).open()
    yield place
    await place.close()


async def test_a_channel_is_found_by_name_id_mention_and_link(place: Place) -> None:
    id_ = place.id("ops")
    ops = Spot(id=id_, name="#ops", user=place.maya, private=False)
    for name in ("ops", "#ops", " #Ops ", id_, f"<#{id_}|ops>", place.link(id_)):
        assert await place.sees(name) == ops


@pytest.mark.req("AG-08")
async def test_a_private_channel_of_others_is_as_if_it_did_not_exist_by_name_id_mention_or_link(place: Place) -> None:
    place.private("Sam", "Threadwise")
    assert await place.sees("secret", place.sam) == Spot(id=SECRET, name="#secret", user=place.sam, private=True)
    for name in ("secret", SECRET, f"<#{SECRET}|secret>", place.link(SECRET), "no-such-channel", "C0NOSUCH00"):
        assert await place.refuses(name) == NOWHERE


@pytest.mark.req("AG-08")
async def test_whoever_has_left_a_private_channel_reads_and_posts_no_more_in_it(place: Place) -> None:
    place.private("Maya", "Threadwise")
    await place.slack.people.says("Maya", "secret", "the plan")
    spot = await place.sees("secret")
    assert await place.reads("secret") == [("Maya", "the plan", 0)]
    channel = place.slack.workspace.channels[SECRET]
    place.slack.workspace.channels[SECRET] = replace(channel, members=(place.sam, place.slack.bot_user_id))
    with pytest.raises(OutOfReach, match="no such channel"):
        await place.reach.history(place.team, place.maya, spot, MessagePage(limit=10))
    with pytest.raises(OutOfReach, match="no such channel"):
        await place.reach.post(place.team, spot, "hello", "k1", "1.000000")
    assert place.posted("secret") == []


@pytest.mark.req("AG-08")
async def test_a_spot_that_somebody_else_could_see_opens_nothing(place: Place) -> None:
    place.private("Sam", "Threadwise")
    theirs = await place.sees("secret", place.sam)
    with pytest.raises(OutOfReach):
        await place.reach.history(place.team, place.maya, theirs, MessagePage(limit=10))


async def test_where_we_are_not_the_way_in_is_told(place: Place) -> None:
    assert "not in #random" in (by_id := await place.refuses(place.id("random")))
    by_name = await place.refuses("random")
    place.private("Maya")
    hidden = await place.refuses(SECRET)
    assert all("/invite @Threadwise" in words for words in (by_id, by_name, hidden))
    assert "secret" not in hidden


@pytest.mark.req("AG-08")
async def test_of_direct_messages_only_the_persons_own_are_in_reach(place: Place) -> None:
    own, other = [(await place.slack.people.opens_dm(name)) for name in ("Maya", "Sam")]
    assert await place.sees(own) == Spot(id=own, name="Maya", user=place.maya, private=True)
    assert await place.refuses(other) == NOWHERE


async def test_history_gives_the_newest_oldest_first_as_people_read_it(place: Place) -> None:
    says = place.slack.people.says
    await says("Maya", "#ops", "too old")
    since = await says("Sam", "#ops", "a & b, @Maya <https://example.com>")
    root = await says("Maya", "#ops", "and?")
    await says("Sam", "#ops", "in the thread", root)
    await place.line.say("chat.postMessage", Priority.FINAL, channel=place.id("ops"), text="ours")
    shown = [("Sam", "a & b, @Maya <https://example.com>", 0), ("Maya", "and?", 1), ("Threadwise", "ours", 0)]
    assert await place.reads("ops", limit=3) == shown
    assert await place.reads("ops", since=since) == shown[1:]


async def test_history_before_a_moment_goes_on_where_a_page_of_it_began(place: Place) -> None:
    posted = [await place.slack.people.says("Maya", "#ops", str(number)) for number in range(5)]
    pages = [await place.reads("ops", since=posted[0], until=until, limit=2) for until in ("", posted[3], posted[1])]
    assert [[text for _, text, _ in page] for page in pages] == [["3", "4"], ["1", "2"], []]
    assert [text for _, text, _ in await place.reads("ops", until=posted[1])][-1] == "0"


async def test_history_looks_past_comings_and_goings_and_pages(place: Place) -> None:
    await place.slack.people.says("Maya", "#ops", "first")
    channel = place.slack.workspace.channels[place.id("ops")]
    for _ in range(250):
        place.slack.workspace.join(replace(channel, members=()), place.sam, None)
    place.slack.workspace.channels[channel.id] = channel
    await place.slack.people.says("Sam", "#ops", "last")
    assert [text for _, text, _ in await place.reads("ops", limit=2)] == ["first", "last"]


async def test_of_a_long_thread_the_newest_are_given(place: Place) -> None:
    root = await place.slack.people.says("Maya", "#ops", "root")
    for number in range(250):
        await place.slack.people.says("Sam", "#ops", str(number), root)
    thread = ThreadKey(team=place.team, channel=place.id("ops"), root=root)
    newest = await place.reach.thread(thread, MessagePage(limit=2))
    assert [each.text for each in newest] == ["248", "249"]
    before = await place.reach.thread(thread, MessagePage(limit=2, until=newest[0].ts))
    assert [each.text for each in before] == ["246", "247"]
    assert len(await place.reach.thread(thread, MessagePage(limit=500))) == 251
    with pytest.raises(OutOfReach, match="not there any more"):
        await place.reach.thread(replace(thread, root="1700000000.000009"), MessagePage(limit=2))


async def test_a_post_pings_nobody_and_says_for_whom_it_is(place: Place) -> None:
    spot = await place.sees("ops")
    address = await place.reach.post(place.team, spot, f"**Hi** <!channel> @here <@{place.sam}>", "c1:t1", "1.000000")
    (message,) = [each for each in place.slack.workspace.messages(spot.id) if each.bot_id]
    assert address == f"{place.slack.url}/archives/{spot.id}/p{message.ts.replace('.', '')}"
    body, footer = message.blocks or []
    assert body["text"].startswith("**Hi**")
    assert not any(ping in f"{message.text} {body['text']}" for ping in ("<!", "<@", "@here", "@channel"))
    assert footer["elements"][0]["text"] == "Posted for Maya by Threadwise"
    assert message.metadata == {"event_type": METADATA, "event_payload": {"key": "c1:t1"}}
    assert message.thread_ts is None


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
async def test_a_post_whose_fate_is_unknown_is_made_once(place: Place, fault: str) -> None:
    spot = await place.sees("ops")
    since = await place.slack.people.says("Sam", "#ops", "before")
    place.slack.faults.add(Fault("chat.postMessage", fault))  # pyright: ignore[reportArgumentType]
    with pytest.raises(SlackUnavailable) as raised:
        await place.reach.post(place.team, spot, "Once.", "k1", since)
    assert raised.value.ambiguous
    addresses = {await place.reach.post(place.team, spot, "Once.", "k1", since) for _ in range(2)}
    assert (len(addresses), place.posted("ops")) == (1, ["Once."])
    await place.reach.post(place.team, spot, "Once.", "k2", since)
    assert place.posted("ops") == ["Once.", "Once."]


async def test_a_post_whose_fate_is_unknown_is_found_although_our_clock_is_ahead_of_slacks(place: Place) -> None:
    spot = await place.sees("ops")
    since = f"{float(await place.slack.people.says('Sam', '#ops', 'before')) + 30:.6f}"
    place.slack.faults.add(Fault("chat.postMessage", "drop_after"))
    with pytest.raises(SlackUnavailable):
        await place.reach.post(place.team, spot, "Once.", "k1", since)
    await place.reach.post(place.team, spot, "Once.", "k1", since)
    assert place.posted("ops") == ["Once."]


async def channels(place: Place, user: str) -> dict[str, bool]:
    """The channels that somebody sees, with whether we are in each."""
    listing = await place.reach.channels(place.team, user)
    assert all(each.spot.user == user for each in listing.entries)
    return {each.spot.name: each.joined for each in listing.entries}


@pytest.mark.req("AG-08")
async def test_the_channels_of_a_person_are_all_public_ones_and_their_private_ones_with_us(place: Place) -> None:
    place.private("Sam", "Threadwise")
    public = {"#general": True, "#random": False, "#ops": True}
    assert await channels(place, place.maya) == public
    assert await channels(place, place.sam) == {**public, "#secret": True}
    place.private("Sam")
    assert await channels(place, place.sam) == public, "Slack tells us nothing of a private channel without us"
    theirs = await place.reach.channels(place.team, place.sam)
    assert (theirs.entries[2].spot, theirs.is_cut) == (await place.sees("ops", place.sam), False)


def add_guest(place: Place, *where: str) -> str:
    """A guest who is in these channels."""
    guest = Member("U0GUEST01", "Gil", "Gil Ray", "Etc/UTC", is_guest=True, title="Painter")
    workspace = place.slack.workspace
    workspace.members[guest.id] = guest
    for name in where:
        channel = workspace.channels[place.id(name)]
        workspace.channels[channel.id] = replace(channel, members=(*channel.members, guest.id))
    return guest.id


@pytest.mark.req("AG-08")
async def test_a_guest_sees_only_their_channels_and_the_people_in_them(place: Place) -> None:
    guest = add_guest(place, "ops", "random")
    for name, members in (("ops", (guest, place.sam)), ("random", (guest,))):
        channel = place.slack.workspace.channels[place.id(name)]
        place.slack.workspace.channels[channel.id] = replace(channel, members=(*members, place.slack.bot_user_id))
    assert await channels(place, guest) == {"#ops": True, "#random": True}
    assert await people(place, guest) == {"Gil", "Sam"}
    assert await people(place, guest, place.id("random")) == {"Gil"}


async def people(place: Place, user: str, within: str = "") -> set[str]:
    return {each.name for each in (await place.reach.people(place.team, user, within)).entries}


@pytest.mark.req("AG-08")
async def test_people_are_the_members_and_guests_of_the_workspace_and_nobody_else(place: Place) -> None:
    guest = add_guest(place, "ops")
    stranger = Member("U0STRANGER", "Olga", "Olga", "Europe/Oslo", team="T0OTHER")
    place.slack.workspace.members[stranger.id] = stranger
    listing = await place.reach.people(place.team, place.maya, "")
    names = {each.name for each in listing.entries}
    assert names >= {"Maya", "Sam", "Priya", "Gil"}
    assert not names & {"Threadwise", "Slackbot", "slackbot", "Olga"}
    told = next(each for each in listing.entries if each.user == guest)
    assert told == Person(user=guest, name="Gil", full_name="Gil Ray", title="Painter", guest=True)
    place.private("Maya", "Threadwise")
    assert await people(place, place.maya, SECRET) == {"Maya"}


@pytest.mark.req("AG-08")
async def test_a_listing_is_read_page_by_page_up_to_a_limit_and_tells_if_there_is_more(place: Place) -> None:
    most = LISTED_PAGE * LISTED_PAGES
    for number in range(most - len(place.slack.workspace.members) - 1):  # Slackbot is listed as well
        id_ = f"U{number:09}"
        place.slack.workspace.members[id_] = Member(id_, id_, id_, "Europe/Oslo")
    bots = 2
    listing = await place.reach.people(place.team, place.maya, "")
    assert (len(listing.entries), listing.is_cut) == (most - bots, False)
    add_guest(place)
    listing = await place.reach.people(place.team, place.maya, "")
    assert (len(listing.entries), listing.is_cut) == (most - bots, True)
    calls = [each for each in place.slack.journal.of("call") if each["method"] == "users.list"]
    assert len(calls) == 2 * LISTED_PAGES


async def test_a_post_that_was_never_attempted_is_not_looked_for(place: Place) -> None:
    spot = await place.sees("ops")
    place.slack.faults.add(Fault("conversations.history", "http_429", retry_after=7))
    await place.reach.post(place.team, spot, "Once.", "k1", "")
    assert place.posted("ops") == ["Once."]
    with pytest.raises(SlackUnavailable):
        await place.reach.post(place.team, spot, "Once.", "k1", "1.000000")


READING = ["users.conversations", "conversations.info", "users.info", "conversations.history"]


@pytest.mark.parametrize("method", READING)
async def test_when_slack_asks_us_to_wait_that_is_no_answer_for_the_model(place: Place, method: str) -> None:
    place.slack.faults.add(Fault(method, "http_429", retry_after=7))
    with pytest.raises(SlackUnavailable) as raised:
        await place.reads("ops")
    assert (raised.value.after, raised.value.ambiguous) == (7, False)


async def test_a_post_that_slack_finds_too_early_was_not_made(place: Place) -> None:
    spot = await place.sees("ops")
    place.slack.faults.add(Fault("chat.postMessage", "http_429", retry_after=7))
    with pytest.raises(SlackUnavailable) as raised:
        await place.reach.post(place.team, spot, "hello", "k1", "1.000000")
    assert (raised.value.after, raised.value.ambiguous, place.posted("ops")) == (7, False, [])


@pytest.mark.parametrize(("code", "words"), [("invalid_blocks", UNSHOWN), ("restricted_action", REFUSED)])
async def test_what_slack_refuses_is_told_in_words_without_its_code(place: Place, code: str, words: str) -> None:
    spot = await place.sees("ops")
    place.slack.faults.add(Fault("chat.postMessage", "error", code=code))
    with pytest.raises(OutOfReach) as raised:
        await place.reach.post(place.team, spot, "hello", "k1", "1.000000")
    assert raised.value.words == words


async def test_a_file_stands_in_its_thread_and_is_never_sent_twice(place: Place) -> None:
    root = await place.slack.people.says("Maya", "#ops", "root")
    thread = ThreadKey(team=place.team, channel=place.id("ops"), root=root)
    address = await place.reach.file(thread, "rota.csv", b"a,b\r\n", "Rota for <!here>")
    (file,) = place.slack.people.files("Sam", "#ops", root)
    assert (file.name, file.content, file.permalink) == ("rota.csv", b"a,b\r\n", address)
    assert "<!here>" not in place.slack.people.sees("Sam", "#ops", root)[-1].text
    place.slack.faults.add(Fault("files.getUploadURLExternal", "http_429"))
    with pytest.raises(SlackUnavailable):
        await place.reach.file(thread, "two.csv", b"1", "Two")
    place.slack.faults.add(Fault("files.completeUploadExternal", "drop_after"))
    with pytest.raises(OutOfReach, match="has arrived") as raised:
        await place.reach.file(thread, "three.csv", b"1", "Three")
    assert raised.value.words == UNCERTAIN
    assert [each.name for each in place.slack.people.files("Sam", "#ops", root)] == ["rota.csv", "three.csv"]
