"""Methods of conversations: reading, joining, listing."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import TypeVar

from app.playground.slack.api.site import Site
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.model import Channel, ChannelKind, Message
from app.playground.slack.values.refusal import Refusal, build_refusal, build_warning
from app.playground.slack.values.surfaces import Json
from app.playground.slack.workspace.wire import SCOPE_PREFIX, build_channel, build_message

Item = TypeVar("Item")

#: Kinds of channels as users.conversations names them; the emulator has no group direct messages.
TYPES: Mapping[str, ChannelKind] = {"public_channel": "channel", "private_channel": "group", "im": "im"}


def open_dm(site: Site, args: Arguments) -> Json:
    """conversations.open: the direct messages with one person."""
    person = site.workspace.members.get(args.required("users"))
    if person is None or person.is_bot:
        raise Refusal("user_not_found")
    channel = site.workspace.dm_with(person.id)
    return {"channel": build_channel(site.workspace, channel) if args.flag("return_im") else {"id": channel.id}}


def info(site: Site, args: Arguments) -> Json:
    """conversations.info: the number of members only on request."""
    channel = site.channel(args)
    count = {"num_members": len(channel.members)} if args.flag("include_num_members") else {}
    return {"channel": build_channel(site.workspace, channel) | count}


def join(site: Site, args: Arguments) -> Json:
    """conversations.join: public channels only."""
    channel = site.channel(args)
    if channel.kind != "channel":
        raise Refusal("method_not_supported_for_channel_type")
    if site.workspace.bot_is_in(channel):
        return {"channel": build_channel(site.workspace, channel)} | build_warning("already_in_channel")
    return {"channel": build_channel(site.workspace, site.workspace.join(channel, site.app.user.id, None))}


def members(site: Site, args: Arguments) -> Json:
    """conversations.members."""
    page, answer = build_page(site.channel(args).members, args, 100)
    return {"members": list(page)} | answer


def of_member(site: Site, args: Arguments) -> Json:
    """users.conversations: the bot's channels, or those of a member; private ones only if the bot is in them too.

    Each kind needs a scope of its own. The answer contains no `is_member`.
    """
    kinds = _kinds(site, args)
    member = args.text("user") or site.app.user.id
    if member not in site.workspace.members:
        raise Refusal("user_not_found")
    listed = [
        channel
        for channel in site.workspace.channels.values()
        if channel.kind in kinds
        and member in channel.members
        and (channel.kind == "channel" or site.workspace.bot_is_in(channel))
    ]
    page, answer = build_page(listed, args, 100)
    shown = [build_channel(site.workspace, channel) for channel in page]
    for each in shown:
        each.pop("is_member", None)
    return {"channels": shown} | answer


def of_workspace(site: Site, args: Arguments) -> Json:
    """conversations.list: all public channels, and of the others those that the bot is in; fewer than 1,000 a page."""
    kinds, shown = _kinds(site, args), list[Json]()
    listed = [
        channel
        for channel in site.workspace.channels.values()
        if channel.kind in kinds and (channel.kind == "channel" or site.workspace.bot_is_in(channel))
    ]
    page, answer = build_page(listed, args, 100, 999)
    for channel in page:
        count = {} if channel.kind == "im" else {"num_members": len(channel.members)}
        shown.append(build_channel(site.workspace, channel) | count)
    return {"channels": shown} | answer


def _kinds(site: Site, args: Arguments) -> list[ChannelKind]:
    """Return the kinds of channels asked for. Each needs a scope of its own."""
    types = [word.strip() for word in (args.text("types") or "public_channel").split(",")]
    if unknown := [word for word in types if word not in TYPES]:
        raise Refusal("invalid_types", types=unknown)
    kinds: list[ChannelKind] = [TYPES[word] for word in types]
    for needed in (f"{SCOPE_PREFIX[kind]}:read" for kind in kinds):
        if needed not in site.app.scopes:
            raise Refusal("missing_scope", needed=needed, provided=",".join(sorted(site.app.scopes)))
    return kinds


def history(site: Site, args: Arguments) -> Json:
    """conversations.history: newest first, without the replies of threads."""
    channel = site.joined_channel(args)
    roots = [message for message in site.workspace.messages(channel.id) if not message.thread_ts]
    page, answer = build_page(_between(roots, args)[::-1], args, 100)
    return {"messages": _shown(site, page, args), "pin_count": 0} | answer


def replies(site: Site, args: Arguments) -> Json:
    """conversations.replies: the root, then its replies, oldest first; `ts` may also name a reply."""
    channel = site.joined_channel(args)
    root_ts = site.workspace.root_of(channel.id, args.required("ts"))
    if root_ts is None:
        raise Refusal("thread_not_found")
    root = site.workspace.message(channel.id, root_ts)
    thread = [*([root] if root else ()), *_between(site.workspace.replies(channel.id, root_ts), args)]
    page, answer = build_page(thread, args, 1000)
    return {"messages": _shown(site, page, args)} | answer


def _shown(site: Site, messages: Sequence[Message], args: Arguments) -> list[Json]:
    with_metadata = args.flag("include_all_metadata")
    return [build_message(site.workspace, message, with_metadata=with_metadata) for message in messages]


def _between(messages: list[Message], args: Arguments) -> list[Message]:
    """Return the messages between `oldest` and `latest`; those at the ends only with `inclusive`."""
    oldest, latest = _time(args, "oldest", 0.0), _time(args, "latest", float("inf"))
    if args.flag("inclusive"):
        return [message for message in messages if oldest <= float(message.ts) <= latest]
    return [message for message in messages if oldest < float(message.ts) < latest]


def _time(args: Arguments, name: str, default: float) -> float:
    try:
        return float(args.text(name) or default)
    except ValueError:
        raise Refusal(f"invalid_ts_{name}") from None


def build_page(items: Sequence[Item], args: Arguments, default: int, most: int = 1000) -> tuple[Sequence[Item], Json]:
    """Return the page that the cursor leads to, at most `most` items, and what the answer says of the next one."""
    start = _offset(args.text("cursor"))
    stop = start + args.count("limit", default, most)
    more = stop < len(items)
    cursor = base64.b64encode(f"offset:{stop}".encode()).decode() if more else ""
    return items[start:stop], {"has_more": more, "response_metadata": {"next_cursor": cursor}}


def _offset(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        word, _, offset = base64.b64decode(cursor, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise Refusal("invalid_cursor") from None
    if word != "offset" or not offset.isdecimal():
        raise Refusal("invalid_cursor")
    return int(offset)


LONGEST_NAME = 80  # characters
MOST_INVITED = 100  # people in one call


def create(site: Site, args: Arguments) -> Json:
    """conversations.create: a channel with the bot as its only member."""
    name = args.text("name")
    if problem := _wrong_name(name):
        raise Refusal(problem)
    if site.workspace.channel_named(name):
        raise Refusal("name_taken")
    kind = "group" if args.flag("is_private") else "channel"
    return {"channel": build_channel(site.workspace, site.workspace.found(name, kind, site.app.user.id))}


def _wrong_name(name: str) -> str:
    """Return Slack's code for the error in a name, empty if it has none."""
    if not name:
        return "invalid_name_required"
    if len(name) > LONGEST_NAME:
        return "invalid_name_maxlength"
    if any(
        character not in "-_" and not (character.isalnum() and character.lower() == character) for character in name
    ):
        return "invalid_name_specials"
    return "" if name.strip("-_") else "invalid_name_punctuation"


def invite(site: Site, args: Arguments) -> Json:
    """conversations.invite: all of those named or, unless forced, none."""
    channel = site.joined_channel(args)
    if channel.kind == "im":
        raise Refusal("method_not_supported_for_channel_type")
    listed = [user.strip() for user in args.text("users").split(",")]
    named = list(dict.fromkeys(user for user in listed if user))
    if not named:
        raise Refusal("no_user")
    if len(named) > MOST_INVITED:
        raise build_refusal("invalid_arguments", [f"no more than {MOST_INVITED} users allowed"])
    problems = {user: problem for user in named if (problem := _uninvitable(site, channel, user))}
    errors: list[Json] = [{"user": user, "ok": False, "error": problem} for user, problem in problems.items()]
    welcome = [user for user in named if user not in problems]
    if errors and not (args.flag("force") and welcome):
        raise Refusal(errors[0]["error"], errors=errors)
    for user in welcome:
        channel = site.workspace.join(channel, user, site.app.user.id)
    return {"channel": build_channel(site.workspace, channel)} | ({"errors": errors} if errors else {})


def _uninvitable(site: Site, channel: Channel, user: str) -> str:
    if user == site.app.user.id:
        return "cant_invite_self"
    if user not in site.workspace.members:
        return "user_not_found"
    return "already_in_channel" if user in channel.members else ""
