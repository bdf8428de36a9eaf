"""The Events API's inner events for a change, and the envelope around them.

Rule: the bot gets events only of conversations it is in, and only with the scopes for them. Pure apart from fresh ids.
"""

import time
from collections.abc import Iterable, Iterator

from app.playground.slack.values.block_fields import read_mapping
from app.playground.slack.values.model import (
    SESSION_STOPPED,
    Change,
    Channel,
    DmOpened,
    File,
    FileDeleted,
    HomeOpened,
    Joined,
    Message,
    Posted,
    Reacted,
    Removed,
    StopPressed,
    Updated,
)
from app.playground.slack.values.surfaces import Json
from app.playground.slack.workspace.wire import SCOPE_PREFIX, build_message, build_view, find_team
from app.playground.slack.workspace.workspace import Workspace

#: Slack: an event reaches an app only with its scope; `message` needs the history scope of its kind of channel.
_SCOPES = {
    "app_mention": "app_mentions:read",
    "file_deleted": "files:read",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
    "member_joined_channel": "channels:read",
    SESSION_STOPPED: "chat:write",
}


def build_payloads(workspace: Workspace, change: Change) -> list[Json]:
    """Return the event_callback payloads of one change, in order; most changes cause none or one."""
    app = workspace.app
    return [
        _wrap_event(workspace, event)
        for event in _build_events(workspace, change)
        if _list_scopes(event) <= app.scopes and app.is_subscribed(_find_subscription(event))
    ]


def _find_subscription(event: Json) -> str:
    """Return the name under which a manifest subscribes to this event."""
    return f"message.{SCOPE_PREFIX[event['channel_type']]}" if event["type"] == "message" else event["type"]


def _list_scopes(event: Json) -> frozenset[str]:
    if event["type"] == "message":
        kind = event["channel_type"]
        return frozenset({f"{SCOPE_PREFIX[kind]}:history"})
    scope = _SCOPES.get(event["type"])
    return frozenset({scope} if scope else ())


def _build_events(workspace: Workspace, change: Change) -> Iterator[Json]:
    match change:
        case DmOpened() | HomeOpened():
            yield _build_home_opened(workspace, change)
        case Joined():
            if workspace.bot_is_in(change.channel):
                yield _build_member_joined(workspace, change)
        case Posted() | Updated() | Removed() | Reacted():
            channel = workspace.channels[change.message.channel]
            if workspace.bot_is_in(channel) and not change.message.seen_by:
                yield from _build_message_events(workspace, channel, change)
        case FileDeleted(file, channels):
            yield from _build_file_deleted(workspace, file, channels)
        case StopPressed():
            yield _build_session_stopped(workspace, change)
        case _:
            return


def _build_message_events(
    workspace: Workspace, channel: Channel, change: Posted | Updated | Removed | Reacted
) -> Iterator[Json]:
    match change:
        case Posted(message):
            yield from _build_mention(workspace, channel, message)
            yield build_message(workspace, message) | _build_location(channel, message.ts)
        case Updated(message, previous):
            if message.edited_ts != previous.edited_ts:  # unfurls and the app's own updates mention nobody anew
                yield from _build_mention(workspace, channel, message)
            yield _build_hidden(workspace, channel, "message_changed") | {
                "message": build_message(workspace, message),
                "previous_message": build_message(workspace, previous),
            }
        case Removed(message):
            yield _build_hidden(workspace, channel, "message_deleted") | {
                "deleted_ts": message.ts,
                "previous_message": build_message(workspace, message),
            }
        case Reacted():
            yield _build_reaction(workspace, change)


def _build_mention(workspace: Workspace, channel: Channel, message: Message) -> Iterator[Json]:
    """Yield the `app_mention` of a message that mentions the app. Slack sends it for each edit as well."""
    bot = workspace.app.user.id
    if channel.kind != "im" and message.user != bot and f"<@{bot}>" in message.text:
        yield build_message(workspace, message) | {
            "type": "app_mention",
            "channel": channel.id,
            "event_ts": message.edited_ts or message.ts,
        }


def _build_location(channel: Channel, event_ts: str) -> Json:
    return {"channel": channel.id, "channel_type": channel.kind, "event_ts": event_ts}


def _build_hidden(workspace: Workspace, channel: Channel, subtype: str) -> Json:
    ts = workspace.mint.ts()
    return {"type": "message", "subtype": subtype, "hidden": True, "ts": ts} | _build_location(channel, ts)


def _build_reaction(workspace: Workspace, change: Reacted) -> Json:
    return {
        "type": "reaction_added" if change.added else "reaction_removed",
        "user": change.user,
        "reaction": change.name,
        "item": {"type": "message", "channel": change.message.channel, "ts": change.message.ts},
        "item_user": change.message.user,
        "event_ts": workspace.mint.ts(),
    }


def _build_member_joined(workspace: Workspace, change: Joined) -> Json:
    event: Json = {
        "type": "member_joined_channel",
        "user": change.user,
        "channel": change.channel.id,
        "channel_type": "C" if change.channel.kind == "channel" else "G",
        "team": workspace.team.id,
        "event_ts": workspace.mint.ts(),
    }
    return event | ({"inviter": change.inviter} if change.inviter else {})


def _build_session_stopped(workspace: Workspace, change: StopPressed) -> Json:
    return {
        "type": SESSION_STOPPED,
        "channel": change.session.channel,
        "thread_ts": change.session.thread_ts,
        "user": change.user,
        "streaming_message_ts": [],  # the emulator has no native streams that Slack could have ended
        "event_ts": workspace.mint.ts(),
    }


def _build_file_deleted(workspace: Workspace, file: File, channels: Iterable[str]) -> Iterator[Json]:
    if any(workspace.bot_is_in(workspace.channels[channel]) for channel in channels):
        yield {"type": "file_deleted", "file_id": file.id, "event_ts": workspace.mint.ts()}


def _build_home_opened(workspace: Workspace, change: DmOpened | HomeOpened) -> Json:
    entity = {"type": "slack#/types/channel_id", "value": change.channel.id, "team_id": workspace.team.id}
    view = workspace.views.home(change.user) if isinstance(change, HomeOpened) else None
    return {
        "type": "app_home_opened",
        "user": change.user,
        "channel": change.channel.id,
        "tab": "home" if isinstance(change, HomeOpened) else "messages",
        "context": {"entities": [entity]},
        "event_ts": workspace.mint.ts(),
        **({"view": build_view(workspace, view, with_state=True)} if view else {}),
    }


def _wrap_event(workspace: Workspace, event: Json) -> Json:
    """Return the envelope. Slack: of a shared channel its `team_id` is where the event comes from, so it may be the
    other company; where the app is installed is in `authorizations`.
    """
    app, team, mint = workspace.app, workspace.team, workspace.mint
    channel = workspace.channels.get(str(event.get("channel")))
    return {
        "token": mint.secret(24),
        "team_id": find_team(workspace, _find_author(event)),
        "context_team_id": team.id,
        "context_enterprise_id": None,
        "api_app_id": app.id,
        "event": event,
        "type": "event_callback",
        "event_id": mint.id("Ev"),
        "event_time": int(time.time()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team.id,
                "user_id": app.user.id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": channel is not None and channel.is_shared,
        "event_context": f"4-{mint.secret(32)}",
    }


def _find_author(event: Json) -> str:
    said = read_mapping(event.get("message")) or read_mapping(event.get("previous_message")) or event
    return str(said.get("user"))
