"""Methods about the app itself, its users, its reactions and its statuses."""

import re
from dataclasses import replace

from app.playground.slack.arguments import Arguments
from app.playground.slack.model import Json, Message, Reacted, Reaction, Status
from app.playground.slack.refusal import Refusal, invalid
from app.playground.slack.site import Site
from app.playground.slack.wire import user_object
from app.playground.slack.workspace import TIMESTAMP

STATUS_LIFE = 120.0  # Slack's seconds; Slack: a status goes after two minutes without a message
MOST_LOADING_MESSAGES = 10
_EMOJI = re.compile(r"^[a-z0-9_+'-]+$")


def auth_test(site: Site, args: Arguments) -> Json:
    """auth.test: who the token speaks for."""
    workspace, app = site.workspace, site.app
    return {
        "url": f"{site.url}/",
        "team": workspace.team.name,
        "user": app.user.name.casefold(),
        "team_id": workspace.team.id,
        "user_id": app.user.id,
        "bot_id": app.bot_id,
        "is_enterprise_install": False,
    }


def connections_open(site: Site, args: Arguments) -> Json:
    """apps.connections.open: an address for one WebSocket, good once."""
    return {"url": site.url.replace("http://", "ws://") + site.sockets.ticket()}


def users_info(site: Site, args: Arguments) -> Json:
    """users.info."""
    member = site.workspace.members.get(args.required("user"))
    if member is None:
        raise Refusal("user_not_found")
    return {"user": user_object(site.workspace, member)}


def reactions_add(site: Site, args: Arguments) -> Json:
    """reactions.add."""
    message, name, users = _reaction(site, args)
    if site.app.user.id in users:
        raise Refusal("already_reacted")
    _react(site, message, Reaction(name, (*users, site.app.user.id)), added=True)
    return {}


def reactions_remove(site: Site, args: Arguments) -> Json:
    """reactions.remove: a bot takes back its own only."""
    message, name, users = _reaction(site, args)
    if site.app.user.id not in users:
        raise Refusal("no_reaction")
    left = tuple(user for user in users if user != site.app.user.id)
    _react(site, message, Reaction(name, left), added=False)
    return {}


def _reaction(site: Site, args: Arguments) -> tuple[Message, str, tuple[str, ...]]:
    name = args.required("name").strip(":")
    if not _EMOJI.match(name):
        raise Refusal("invalid_name")
    if not (args.text("channel") and (timestamp := args.text("timestamp"))):
        raise Refusal("no_item_specified")
    if not TIMESTAMP.match(timestamp):
        raise Refusal("bad_timestamp")
    message = site.message(site.joined_channel(args), timestamp)
    return message, name, next((given.users for given in message.reactions if given.name == name), ())


def _react(site: Site, message: Message, reaction: Reaction, *, added: bool) -> None:
    others = tuple(given for given in message.reactions if given.name != reaction.name)
    after = replace(message, reactions=(*others, reaction) if reaction.users else others)
    site.workspace.react(after, Reacted(after, reaction.name, site.app.user.id, added))


def thread_status(site: Site, args: Arguments) -> Json:
    """assistant.threads.setStatus: gone with the bot's next message, when set empty, or after two minutes."""
    channel = site.joined_channel(args, "channel_id")
    thread_ts = args.required("thread_ts")
    if not TIMESTAMP.match(thread_ts):
        raise Refusal("invalid_thread_ts")
    if len(args.structure("loading_messages", "invalid_arguments") or ()) > MOST_LOADING_MESSAGES:
        raise invalid("invalid_arguments", ["no more than 10 items allowed [json-pointer:/loading_messages]"])
    status = site.workspace.set_status(channel.id, thread_ts, args.text("status"))
    if status.text:
        site.background.start(_expire(site, (channel.id, thread_ts), status))
    return {}


async def _expire(site: Site, thread: tuple[str, str], status: Status) -> None:
    await site.clock.sleep(STATUS_LIFE)
    if site.workspace.statuses.get(thread) is status:
        site.workspace.set_status(*thread, "")
