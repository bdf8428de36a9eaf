"""Methods of an app: authentication, people, assistants and views."""

import re
from dataclasses import replace
from typing import cast, get_args

from app.playground.slack.api.methods_conversations import build_page
from app.playground.slack.api.site import Site
from app.playground.slack.blocks.views import check_view
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.model import (
    SESSION_STOPPED,
    Channel,
    Member,
    Message,
    Reacted,
    Reaction,
    Session,
    SessionStatus,
    Status,
)
from app.playground.slack.values.refusal import Refusal, build_refusal, build_warning
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.wire import build_user, build_view
from app.playground.slack.workspace.workspace import TIMESTAMP

STATUS_LIFE = 120.0  # Slack's seconds; Slack: a status goes after two minutes without a message
MOST_LOADING_MESSAGES = 10
MOST_AT_ONCE = 1000  # people of one page, and of a call without a limit
CACHE_TS = 1_700_000_000
SLACKBOT = Member("USLACKBOT", "slackbot", "Slackbot", "America/Los_Angeles")
"""Slack lists it with people, and does not call it a bot."""
_EMOJI = re.compile(r"^[a-z0-9_+'-]+$")


def auth_test(site: Site, args: Arguments) -> Json:
    """auth.test: the identity that belongs to the token."""
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
    return {"user": build_user(site.workspace, member)}


def users_list(site: Site, args: Arguments) -> Json:
    """users.list: people, bots and Slackbot, but nobody of another company; of many, only with a limit."""
    everybody = [SLACKBOT, *(member for member in site.workspace.members.values() if not member.team)]
    if not args.given("limit") and len(everybody) > MOST_AT_ONCE:
        raise Refusal("limit_required")
    page, answer = build_page(everybody, args, MOST_AT_ONCE)
    answer.pop("has_more")
    return {"members": [build_user(site.workspace, member) for member in page], "cache_ts": CACHE_TS} | answer


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
    """assistant.threads.setStatus: cleared by the bot's next message, by an empty status, or after two minutes."""
    channel = site.joined_channel(args, "channel_id")
    thread_ts = args.required("thread_ts")
    if not TIMESTAMP.match(thread_ts):
        raise Refusal("invalid_thread_ts")
    if len(args.structure("loading_messages", "invalid_arguments") or ()) > MOST_LOADING_MESSAGES:
        raise build_refusal("invalid_arguments", ["no more than 10 items allowed [json-pointer:/loading_messages]"])
    status = site.workspace.set_status(channel.id, thread_ts, args.text("status"))
    if status.text:
        site.background.start(_expire(site, (channel.id, thread_ts), status))
    return {}


async def _expire(site: Site, thread: tuple[str, str], status: Status) -> None:
    await site.clock.sleep(STATUS_LIFE)
    if site.workspace.statuses.get(thread) is status:
        site.workspace.set_status(*thread, "")


LONGEST_TITLE = 200  # characters


def set_status(site: Site, args: Arguments) -> Json:
    """agents.sessions.setStatus: the first call begins the session, and only that one may name it."""
    channel, thread_ts = _thread(site, args)
    if (status := args.required("status")) not in get_args(SessionStatus):
        raise Refusal("invalid_status")
    if (initiator := args.text("initiator_user_id")) and initiator not in channel.members:
        raise Refusal("user_not_found")
    title = _title(args)
    known = site.workspace.sessions.get((channel.id, thread_ts))
    session = Session(channel.id, thread_ts, cast(SessionStatus, status), known.title if known else title)
    site.workspace.put_session(session)
    answer: Json = {"status": session.status, "agent_status": session.status, "title": session.title}
    return answer | (
        {}
        if site.app.is_subscribed(SESSION_STOPPED)
        else build_warning(f"missing_{SESSION_STOPPED}_event_subscription")
    )


def rename(site: Site, args: Arguments) -> Json:
    """agents.sessions.rename: for a session that was begun."""
    channel, thread_ts = _thread(site, args)
    args.required("title")
    title = _title(args)
    known = site.workspace.sessions.get((channel.id, thread_ts))
    if known is None:
        raise Refusal("session_not_found")
    site.workspace.put_session(replace(known, title=title))
    return {"title": title}


def _thread(site: Site, args: Arguments) -> tuple[Channel, str]:
    if not site.app.is_agent:
        raise Refusal("feature_disabled")
    channel = site.channel(args, "channel_id")
    if not site.workspace.bot_is_in(channel):
        raise Refusal("not_authorized")
    if not (thread_ts := args.text("thread_ts")):
        raise Refusal("thread_ts_required")
    if not TIMESTAMP.match(thread_ts):
        raise build_refusal("invalid_arguments", ["must be a valid timestamp [json-pointer:/thread_ts]"])
    return channel, thread_ts


def _title(args: Arguments) -> str:
    if len(title := args.text("title")) > LONGEST_TITLE:
        raise build_refusal(
            "invalid_arguments", [f"must be less than {LONGEST_TITLE + 1} characters [json-pointer:/title]"]
        )
    return title


def open_modal(site: Site, args: Arguments) -> Json:
    """views.open: a modal for the person whose interaction gave the trigger."""
    given = _given(site, args, "modal")
    trigger = site.triggers.exchange(args.required("trigger_id"))
    return _answer(site, site.workspace.views.open(trigger.user, given))


def push(site: Site, args: Arguments) -> Json:
    """views.push: a modal on top of the one whose interaction gave the trigger."""
    given = _given(site, args, "modal")
    trigger = site.triggers.exchange(args.required("trigger_id"))
    if trigger.view_id is None:
        raise Refusal("not_found")
    return _answer(site, site.workspace.views.push(trigger.user, given))


def update(site: Site, args: Arguments) -> Json:
    """views.update: of an open modal or a Home tab; with a hash, only if the view has not changed since."""
    view = _named(site, args)
    given = _given(site, args, view.type, but=view)
    _check_hash(args, view)
    return _answer(site, site.workspace.views.renew(view, given))


def publish(site: Site, args: Arguments) -> Json:
    """views.publish: one person's Home tab."""
    person = site.workspace.members.get(args.required("user_id"))
    if person is None or person.is_bot:
        raise Refusal("user_not_found")
    before = site.workspace.views.home(person.id)
    given = _given(site, args, "home", but=before)
    if before:
        _check_hash(args, before)
    return _answer(site, site.workspace.views.publish(person.id, given))


def _named(site: Site, args: Arguments) -> View:
    view_id, external_id = args.text("view_id"), args.text("external_id")
    if view_id and external_id:
        raise build_refusal("invalid_arguments", ["Cannot provide both `view_id` and `external_id`"])
    if not (view_id or external_id):
        raise build_refusal("invalid_arguments", ["missing required field: view_id"])
    views = site.workspace.views
    view = views.find(view_id) if view_id else views.find_external(external_id)
    if view is None:
        raise Refusal("not_found")
    return view


def _given(site: Site, args: Arguments, kind: str, but: View | None = None) -> Json:
    view = args.structure("view", "invalid_arguments")
    given = check_view(view, kind, lambda: site.workspace.mint.secret(5))
    external_id = given.get("external_id")
    holder = site.workspace.views.find_external(external_id) if external_id else None
    if holder and (but is None or holder.id != but.id):
        raise Refusal("duplicate_external_id")
    return given


def _check_hash(args: Arguments, view: View) -> None:
    if args.text("hash") not in ("", view.hash):
        raise Refusal("hash_conflict")


def _answer(site: Site, view: View) -> Json:
    return {"view": build_view(site.workspace, view, with_state=False)}
