"""The agents.sessions.* methods: the state of an agent app's work in a thread.

Rule: a processing session stays so until the app changes it; neither a post nor a press on Stop does.
"""

from dataclasses import replace
from typing import cast, get_args

from app.playground.slack.arguments import Arguments
from app.playground.slack.model import SESSION_STOPPED, Channel, Json, Session, SessionStatus
from app.playground.slack.refusal import Refusal, invalid, warned
from app.playground.slack.site import Site
from app.playground.slack.workspace import TIMESTAMP

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
        {} if site.app.is_subscribed(SESSION_STOPPED) else warned(f"missing_{SESSION_STOPPED}_event_subscription")
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
        raise invalid("invalid_arguments", ["must be a valid timestamp [json-pointer:/thread_ts]"])
    return channel, thread_ts


def _title(args: Arguments) -> str:
    if len(title := args.text("title")) > LONGEST_TITLE:
        raise invalid("invalid_arguments", [f"must be less than {LONGEST_TITLE + 1} characters [json-pointer:/title]"])
    return title
