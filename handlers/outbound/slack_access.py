"""Access of tools to Slack. Implements `app.ports.SlackAccess`.

A tool names, reads and posts only where the person and the app both have access, which is checked for each call. A
channel that they cannot see is refused in the same words as one that does not exist.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from datetime import timedelta
from typing import Any, TypeVar

from app.core.conversation.shared_file import ATTACHED
from app.core.errors import NotJoined, OutOfReach, SlackRefused, SlackUnavailable
from app.core.owners import Membership
from app.core.state.permission import Sharing
from app.core.state.readers import Readers
from app.core.thread import ThreadKey
from app.ports import Heard, ListedChannel, Listing, MessagePage, Person, Profile, Spot
from handlers.outbound.delivery import File, begin_thread, share
from handlers.outbound.pacer import Priority, switch_person
from handlers.outbound.people import belongs_to, read_person_name, read_standing
from handlers.outbound.web import Answer, SlackCaller, SlackIdentity, find_next_page
from handlers.slack import permalinks
from handlers.slack.payload import TOMBSTONE
from handlers.views.kit import blocks, mrkdwn

ProfileOf = Callable[[str, str], Awaitable[Profile]]
"""Returns a person's profile: team and user."""

PAGE = 200
"""Page size. Slack allows 999, and recommends no more than this."""

PEOPLE = 60
"""People whose names are looked up for one reading, the first authors. Slack allows some 100 such lookups a minute."""

MOST_READERS, MEMBERS_PAGE = 10_000, 1_000
"""Limits of the people listed for one channel, and of one of Slack's pages: ten calls of some 100 a minute. The readers
beyond that are not compared."""

KINDS = "public_channel,private_channel"
UNARCHIVED: Mapping[str, str] = {"exclude_archived": "true"}

LISTED_PAGE, LISTED_PAGES = 999, 5
"""Items of one page, which Slack wants below 1,000, and pages of one list: Slack allows some 20 such calls a minute, of
which nobody gets more than half."""

CHANNELS_OF_GUEST = 12
"""Channels of a guest whose members are looked up, the first ones."""

MOST_LOOKED_UP = 60
"""People whose membership is looked up at once: more would use up the minute's lookups of others."""

DIRECT = "your direct messages"
GROUP = "a group conversation"

SOMEBODY = "somebody"
"""The name of everyone else who is mentioned."""

SKEW = timedelta(minutes=1)
"""Difference that Slack's clock and ours may have."""

POSTED_FOR = "Posted for {owner} by Threadwise"
FILE = "📄 {title}"

NOWHERE = (
    "There is no such channel that the owner can see and you are in. If there is one, somebody in it can type "
    "/invite @Threadwise there."
)
NOT_IN = "You are not in {name}. Somebody in it can type /invite @Threadwise there."
GONE = "{name} is archived, and you are not in it: it cannot be read or posted to any more. Say so."
ARCHIVED = "This channel is archived: it can be read, but nothing can be posted in it."
REFUSED = "Slack does not allow that here."
UNSHOWN = "Slack cannot show this text as it is. Write it plainly, without tables and nested lists."
TOO_MANY = "There are too many people in it to look all of them up."
UNCERTAIN = "Nobody knows whether the file has arrived. Ask the owner to look before you create it once more."
WORDS = {
    "channel_not_found": NOWHERE,
    "not_in_channel": NOWHERE,
    "is_archived": ARCHIVED,
    "thread_not_found": "This thread is not there any more.",
    "invalid_blocks": UNSHOWN,
    "msg_blocks_too_long": "This text is too long for one message.",
    "missing_scope": "Threadwise was not given the permission for that when it was installed.",
}
"""The text for the model by Slack's error code; for other codes it is `REFUSED`."""

ABRIDGED = ("is_restricted", "is_ultra_restricted", "is_stranger", "deleted")
"""Slack's flags of people who do not see all public channels."""

SAID = frozenset({None, "bot_message", "file_share", "me_message", "thread_broadcast"})
"""Subtypes of messages with people's or apps' text; the others are about joining, leaving and the like."""

_ADDRESS = re.compile(r"<#([CDG][A-Z0-9]+)(?:\|[^<>]*)?>|/archives/([CDG][A-Z0-9]+)(?![A-Z0-9])")
_ID = re.compile(r"[CDG][A-Z0-9]{7,}")
"""Names of channels are in lower case."""
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")

T = TypeVar("T")


class SlackWebAccess:
    """One workspace, as its people see it."""

    def __init__(self, line: SlackCaller, us: SlackIdentity, profile_of: ProfileOf) -> None:
        self._line, self._us, self._profile_of = line, us, profile_of

    async def channel(self, team: str, user: str, name: str) -> Spot:
        """See `SlackAccess.channel`. A link to a message names its channel."""
        with switch_person(user):
            id_ = _find_id(name) or await self._find_named(name)
        return await self._require_visible(team, user, id_)

    async def channels(self, team: str, user: str) -> Listing[ListedChannel]:
        """See `SlackAccess.channels`."""
        with switch_person(user):
            mine = await self._list("users.conversations", "channels", types=KINDS, user=user, **UNARCHIVED)
            public = await self._list("conversations.list", "channels", types="public_channel", **UNARCHIVED)
            sees_all = await self._sees_all(team, user)
        theirs = {channel["id"] for channel in mine.entries}
        seen = [channel for channel in public.entries if sees_all or channel["id"] in theirs]
        # Slack lists a private channel of theirs only if the app is in it, and tells nothing of that.
        private = [{**channel, "is_member": True} for channel in mine.entries if not _is_public(channel)]
        entries = tuple(_read_channel(channel, user) for channel in (*seen, *private))
        return Listing(entries=entries, is_cut=mine.is_cut or public.is_cut)

    async def people(self, team: str, user: str, within: str) -> Listing[Person]:
        """See `SlackAccess.people`. Guests see the members of their channels that the app can list."""
        with switch_person(user):
            near = await self._list_members(within) if within else None
            if not await self._sees_all(team, user):
                mine = await self._list("users.conversations", "channels", types=KINDS, user=user, **UNARCHIVED)
                # Slack allows about 100 such lookups a minute.
                known = [await self._list_members(channel["id"]) for channel in mine.entries[:CHANNELS_OF_GUEST]]
                theirs = frozenset[str]().union(*known)
                near = theirs if near is None else near & theirs
            listed = await self._list("users.list", "members")
        found = [person for person in listed.entries if near is None or person["id"] in near]
        return Listing(entries=tuple(_read_people(found, team)), is_cut=listed.is_cut)

    async def sees(self, team: str, user: str, channel: str) -> bool:
        """Return whether a person can see a channel now. Raise `OutOfReach` if Slack gives us no access to it."""
        if channel.startswith("D"):
            return await _translate_refusal(self._line.open_direct(user)) == channel
        found: Answer = (await self._ask("conversations.info", channel=channel))["channel"]
        return (_is_public(found) and await self._sees_all(team, user)) or await self._is_member(channel, user)

    async def readers(self, team: str, user: str, place: str) -> Readers:
        """See `SlackAccess.readers`. Raise `OutOfReach` if Slack gives us no access."""
        if place.startswith("D"):
            await self._direct(team, user, place)
            return Readers(name=DIRECT, people=frozenset({user}))
        channel: Answer = (await self._ask("conversations.info", channel=place))["channel"]
        people, is_cut = set[str](), False
        async with aclosing(self._all("conversations.members", "members", MEMBERS_PAGE, channel=place)) as members:
            async for member in members:
                if is_cut := len(people) == MOST_READERS:
                    break
                people.add(str(member))
        is_public = _is_public(channel)
        return Readers(
            name=_read_name(channel),
            people=frozenset(people - {self._us.bot_user}),
            everyone=is_public,
            # A shared public channel can be read by people outside of it, whom nothing lists.
            beyond=is_cut or (is_public and _read_sharing(channel) is not Sharing.NONE),
        )

    async def guests(self, team: str, people: frozenset[str]) -> frozenset[str]:
        """See `SlackAccess.guests`. Raise `OutOfReach` for more people than are looked up at once."""
        if len(people) > MOST_LOOKED_UP:
            raise OutOfReach(TOO_MANY)
        listed = sorted(people)
        full = await asyncio.gather(*(self._sees_all(team, user) for user in listed))
        return frozenset(user for user, is_full in zip(listed, full, strict=True) if not is_full)

    async def history(self, team: str, user: str, spot: Spot, stretch: MessagePage) -> tuple[Heard, ...]:
        """See `SlackAccess.history`."""
        await self._require_visible(team, user, spot.id)
        # With `oldest` alone, Slack returns the messages nearest to it first.
        now = f"{(self._line.clock.now() + SKEW).timestamp():.6f}" if stretch.since else ""
        ends = {"oldest": stretch.since, "latest": stretch.until or now}
        span = {end: ts for end, ts in ends.items() if ts}
        newest: list[Answer] = []
        with switch_person(user):
            async with aclosing(self._all("conversations.history", "messages", channel=spot.id, **span)) as messages:
                async for message in messages:
                    newest += [message] if _is_said(message) else []
                    if len(newest) == stretch.limit:
                        break
        return await self._read_messages(team, newest[::-1])

    async def answered(self, team: str, user: str, spot: Spot, stretch: MessagePage) -> Listing[Heard]:
        """See `SlackAccess.answered`."""
        await self._require_visible(team, user, spot.id)
        before = min((each for each in (stretch.since, stretch.until) if each), key=float)
        older, is_cut = list[Answer](), False
        with switch_person(user):
            async with aclosing(self._all("conversations.history", "messages", channel=spot.id, latest=before)) as said:
                async for message in said:
                    if is_cut := len(older) == stretch.limit:
                        break
                    older.append(message)
        recent = [each for each in older if float(each.get("latest_reply") or 0) > float(stretch.since)]
        heard = await self._read_messages(team, [each for each in recent if _is_said(each)][::-1])
        return Listing(entries=heard, is_cut=is_cut)

    async def thread(self, thread: ThreadKey, stretch: MessagePage) -> tuple[Heard, ...]:
        """See `SlackAccess.thread`. Slack lists a thread from its start, so all of it is read."""
        where = {"channel": thread.channel, "ts": thread.root}
        async with aclosing(self._all("conversations.replies", "messages", **where)) as messages:
            said = {str(message["ts"]): message async for message in messages if _is_said(message)}
        since, until = float(stretch.since or 0), float(stretch.until or "inf")
        meant = [each for ts, each in said.items() if since <= float(ts) < until]
        return await self._read_messages(thread.team, meant[-stretch.limit :])

    async def post(self, team: str, spot: Spot, text: str, key: str, since: str) -> str:
        """See `SlackAccess.post`. The text is Markdown, notifies no one, and says for whom it was posted."""
        await self._require_visible(team, spot.user, spot.id)
        owner = mrkdwn.render_verbatim((await self._profile_of(team, spot.user)).name)
        shown = blocks.render_page(
            mrkdwn.disarm_mentions(text), (blocks.build_context(POSTED_FOR.format(owner=owner)),)
        )
        earlier = f"{max(float(since) - SKEW.total_seconds(), 0):.6f}" if since else ""
        ts = await _translate_refusal(begin_thread(self._line, spot.id, key, shown, earlier))
        return permalinks.link_thread(self._us.url, ThreadKey(team=team, channel=spot.id, root=ts))

    async def file(self, thread: ThreadKey, name: str, content: bytes, title: str) -> str:
        """See `SlackAccess.file`. At most once: a file that may have arrived is not sent again."""
        comment = FILE.format(title=mrkdwn.render_verbatim(title))
        try:
            return await _translate_refusal(
                share(self._line, thread, File(name=name, content=content, comment=comment))
            )
        except SlackUnavailable as error:
            if not error.ambiguous:
                raise
            raise OutOfReach(UNCERTAIN) from error

    async def _require_visible(self, team: str, user: str, id_: str) -> Spot:
        """Return the channel if this person can see it and the app is in it. The lookups count for the person."""
        with switch_person(user):
            return await self._look_up(team, user, id_)

    async def _look_up(self, team: str, user: str, id_: str) -> Spot:
        if id_.startswith("D"):
            return await self._direct(team, user, id_)
        channel: Answer = (await self._ask("conversations.info", channel=id_))["channel"]
        is_public = _is_public(channel)
        if not (is_public and await self._sees_all(team, user)) and not await self._is_member(id_, user):
            raise OutOfReach(NOWHERE)
        name = f"#{channel.get('name', '')}"
        if not channel.get("is_member"):
            words = GONE if channel.get("is_archived") else NOT_IN
            raise NotJoined(words.format(name=name), is_public=is_public)
        return Spot(id=id_, name=name, user=user, private=not is_public, sharing=_read_sharing(channel))

    async def _direct(self, team: str, user: str, id_: str) -> Spot:
        """Return the person's direct messages with the app; those of others are recognised without reading them."""
        if await _translate_refusal(self._line.open_direct(user)) != id_:
            raise OutOfReach(NOWHERE)
        return Spot(id=id_, name=(await self._profile_of(team, user)).name, user=user, private=True)

    async def _sees_all(self, team: str, user: str) -> bool:
        """Return True if they can open any public channel. Guests, and people of other workspaces, see only their own.

        A person who has left the company sees none.
        """
        person: Answer = (await self._ask("users.info", user=user))["user"]
        return belongs_to(person, team) and not any(person.get(each) for each in ABRIDGED)

    async def _is_member(self, id_: str, user: str) -> bool:
        async with aclosing(self._all("conversations.members", "members", channel=id_)) as members:
            async for member in members:
                if member == user:
                    return True
        return False

    async def _find_named(self, name: str) -> str:
        """Return the id of the channel of this name among those that the app is in; the others are never listed.

        Slack's normalised names have no accents. Such a name counts if it is that of a single channel.
        """
        wanted = unicodedata.normalize("NFC", name.strip().removeprefix("#").lower())
        alike = set[str]()
        async with aclosing(self._all("users.conversations", "channels", types=KINDS)) as channels:
            async for channel in channels:
                if wanted == channel.get("name"):
                    return str(channel["id"])
                if wanted == channel.get("name_normalized"):
                    alike.add(str(channel["id"]))
        if len(alike) == 1:
            return alike.pop()
        raise OutOfReach(NOWHERE)

    async def _list_members(self, channel: str) -> frozenset[str]:
        members = await self._list("conversations.members", "members", channel=channel)
        return frozenset(map(str, members.entries))

    async def _list(self, method: str, items: str, **where: str) -> Listing[Any]:
        """Return what the first pages of a method list."""
        found, count = list[Any](), 0
        try:
            async with aclosing(self._line.pages(method, Priority.QUESTION, limit=LISTED_PAGE, **where)) as pages:
                async for page in pages:
                    found += page.get(items, [])
                    count += 1
                    if count == LISTED_PAGES:
                        return Listing(entries=tuple(found), is_cut=bool(find_next_page(page)))
        except SlackRefused as error:
            raise _build_error(error) from error
        return Listing(entries=tuple(found))

    async def _read_messages(self, team: str, messages: Sequence[Answer]) -> tuple[Heard, ...]:
        authors = (str(message["user"]) for message in messages if message.get("user"))
        mentioned = (user for message in messages for user in _MENTION.findall(str(message.get("text") or "")))
        users = [*dict.fromkeys((*authors, *mentioned))][:PEOPLE]
        profiles = await asyncio.gather(*(self._profile_of(team, user) for user in users))
        names = {user: profile.name for user, profile in zip(users, profiles, strict=True)}
        return tuple(_read_message(message, names, self._us.bot_user) for message in messages)

    async def _all(self, method: str, items: str, limit: int = PAGE, /, **where: str) -> AsyncGenerator[Any]:
        """Yield the items that a method lists, page by page."""
        try:
            async with aclosing(self._line.pages(method, Priority.QUESTION, limit=limit, **where)) as pages:
                async for page in pages:
                    for item in page.get(items, []):
                        yield item
        except SlackRefused as error:
            raise _build_error(error) from error

    async def _ask(self, method: str, **arguments: Any) -> Answer:
        return await _translate_refusal(self._line.say(method, Priority.QUESTION, **arguments))


async def _translate_refusal(act: Awaitable[T]) -> T:
    """Await a call, and raise Slack's refusal as a text for the model."""
    try:
        return await act
    except SlackRefused as error:
        raise _build_error(error) from error


def _build_error(error: SlackRefused) -> OutOfReach:
    return OutOfReach(WORDS.get(error.code, REFUSED))


def _is_public(channel: Answer) -> bool:
    return bool(channel.get("is_channel")) and not channel.get("is_private")


def _read_sharing(channel: Answer) -> Sharing:
    """Return who shares a channel; for a kind of sharing that is unknown, other companies."""
    if channel.get("is_ext_shared"):
        return Sharing.COMPANIES
    if channel.get("is_pending_ext_shared") or channel.get("pending_shared"):
        return Sharing.PENDING
    if channel.get("is_org_shared"):
        return Sharing.ORG
    return Sharing.COMPANIES if channel.get("is_shared") else Sharing.NONE


def _read_name(channel: Answer) -> str:
    return GROUP if channel.get("is_mpim") else f"#{channel.get('name', '')}"


def _read_channel(channel: Answer, user: str) -> ListedChannel:
    spot = Spot(
        id=str(channel["id"]),
        name=_read_name(channel),
        user=user,
        private=not _is_public(channel),
        sharing=_read_sharing(channel),
    )
    purpose: Answer = channel.get("purpose") or {}
    return ListedChannel(
        spot=spot,
        purpose=mrkdwn.resolve_markup(str(purpose.get("value") or "")),
        joined=bool(channel.get("is_member")),
    )


def _read_people(people: Iterable[Answer], team: str) -> Iterator[Person]:
    """Yield the members and guests of the workspace among these users."""
    for person in people:
        standing = read_standing(person, team)
        if standing not in (Membership.MEMBER, Membership.GUEST):
            continue
        profile: Answer = person.get("profile") or {}
        yield Person(
            user=str(person["id"]),
            name=read_person_name(person) or str(person["id"]),
            full_name=str(person.get("real_name") or profile.get("real_name") or ""),
            title=str(profile.get("title") or ""),
            guest=standing is Membership.GUEST,
        )


def _find_id(words: str) -> str:
    """Return the id of a channel in a reference to it; empty for a name."""
    if found := _ADDRESS.search(words):
        return found[1] or found[2]
    bare = words.strip()
    return bare if _ID.fullmatch(bare) else ""


def _is_said(message: Answer) -> bool:
    return message.get("subtype") in SAID


def _read_message(message: Answer, names: dict[str, str], bot_user: str) -> Heard:
    named = _MENTION.sub(lambda found: f"@{names.get(found[1], SOMEBODY)}", str(message.get("text") or ""))
    listed: list[Answer] = message.get("files") or []
    shared = (file for file in listed if file.get("id") and file.get("mode") != TOMBSTONE)
    files = tuple((str(file["id"]), str(file.get("name") or "")) for file in shared)
    attached = "".join(f"\n{ATTACHED.format(name=name)}" for _, name in files)
    return Heard(
        ts=str(message["ts"]),
        name=names.get(str(message.get("user") or "")) or _name_app(message),
        text=f"{mrkdwn.resolve_markup(named)}{attached}".strip(),
        user=str(message.get("user") or ""),
        replies=int(message.get("reply_count") or 0),
        is_ours=message.get("user") == bot_user,
        files=files,
    )


def _name_app(message: Answer) -> str:
    """Return the name of an app without a user."""
    profile: Answer = message.get("bot_profile") or {}
    return str(message.get("username") or profile.get("name") or "An app")
