"""Messages, members and channels in the form of Slack's API and events."""

from datetime import datetime, timedelta
from urllib.parse import quote
from zoneinfo import ZoneInfo

from app.playground.slack.values.composer import build_rich_text
from app.playground.slack.values.controls import build_state_values
from app.playground.slack.values.model import Channel, File, Member, Message
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.workspace import Workspace

#: The prefix of a channel's scopes (`im:history`) and its `channel_type` in events.
SCOPE_PREFIX = {"channel": "channels", "group": "groups", "im": "im"}
#: The scope for creating a channel and inviting people; Slack has two words for it.
MANAGING_SCOPE = {"channel": "channels:manage", "group": "groups:write", "im": "im:write"}


def build_message(workspace: Workspace, message: Message, *, with_metadata: bool = False) -> Json:
    """Return a message as history, replies and events show it. Metadata is included only on request."""
    body: Json = {"type": "message", "user": message.user, "ts": message.ts, "text": message.text}
    team = find_team(workspace, message.user)
    elsewhere = {"user_team": team, "source_team": team} if team != workspace.team.id else {}
    body |= {"team": team} | elsewhere | _build_authorship(workspace, message) | _build_location(workspace, message)
    if message.subtype:
        body["subtype"] = message.subtype
    if message.edited_ts:
        body["edited"] = {"user": message.user, "ts": message.edited_ts}
    if message.reactions:
        body["reactions"] = [
            {"name": given.name, "users": list(given.users), "count": len(given.users)} for given in message.reactions
        ]
    if message.files:
        body |= {"files": [_build_heard_file(workspace, file) for file in message.files], "upload": False}
    if with_metadata and message.metadata:
        body["metadata"] = message.metadata
    return body


def _build_authorship(workspace: Workspace, message: Message) -> Json:
    if message.bot_id:
        blocks: Json = {"blocks": message.blocks} if message.blocks else {}
        return {
            "bot_id": message.bot_id,
            "app_id": workspace.app.id,
            "bot_profile": build_bot_profile(workspace),
        } | blocks
    if message.client_msg_id:
        blocks = {"blocks": build_rich_text(message.text, message.client_msg_id[:5])}
        return {"client_msg_id": message.client_msg_id} | blocks
    return {}


def _build_location(workspace: Workspace, message: Message) -> Json:
    if message.thread_ts:
        root = workspace.message(message.channel, message.thread_ts)
        return {"thread_ts": message.thread_ts} | ({"parent_user_id": root.user} if root else {})
    replies = workspace.replies(message.channel, message.ts)
    if not replies:
        return {}
    users = list(dict.fromkeys(reply.user for reply in replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(replies),
        "reply_users": users,
        "reply_users_count": len(users),
        "latest_reply": replies[-1].ts,
        "is_locked": False,
        "subscribed": False,
    }


def find_team(workspace: Workspace, user: str) -> str:
    """Return the workspace of a person."""
    member = workspace.members.get(user)
    return (member.team if member else "") or workspace.team.id


def _build_heard_file(workspace: Workspace, file: File) -> Json:
    """Return a file as messages show it: of some, only that `files.info` is to be asked."""
    if file.mode == "tombstone":
        return {"id": file.id, "mode": "tombstone"}
    if file.is_checked:
        known = {"id": file.id, "created": file.created, "timestamp": file.created, "user": file.user}
        return known | {"mode": "file_access", "file_access": "check_file_info"}
    return build_file(workspace, file)


def build_file(workspace: Workspace, file: File) -> Json:
    """Return a file as `files.info`, files.completeUploadExternal and most messages show it."""
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "filetype": file.name.rpartition(".")[2],
        "size": file.size,
        "user": file.user,
        "user_team": workspace.team.id,
        "mode": file.mode,
        "editable": file.mode == "snippet",
        "is_external": bool(file.external_url),
        "external_type": file.external_type,
        "is_public": False,
        "file_access": "visible",
        "permalink": file.permalink,
        **_build_addresses(workspace, file),
    }


def _build_addresses(workspace: Workspace, file: File) -> Json:
    """Return where the bytes are: with Slack, for who has a token, or with another service."""
    if file.external_url:
        return {"url_private": file.external_url}
    address = f"{workspace.url}/files-pri/{workspace.team.id}-{file.id}"
    return {
        "url_private": f"{address}/{quote(file.name)}",
        "url_private_download": f"{address}/download/{quote(file.name)}",
    }


def build_bot_profile(workspace: Workspace) -> Json:
    """Return the author card that Slack adds to a bot's messages."""
    app = workspace.app
    return {
        "id": app.bot_id,
        "app_id": app.id,
        "user_id": app.user.id,
        "name": app.user.name,
        "deleted": False,
        "updated": 1_700_000_000,
        "team_id": workspace.team.id,
        "icons": {"image_36": "", "image_48": "", "image_72": ""},
    }


def build_user(workspace: Workspace, member: Member) -> Json:
    """Return a member as users.info does, with the current offset of their zone."""
    now = datetime.now(ZoneInfo(member.tz))
    return {
        "id": member.id,
        "team_id": find_team(workspace, member.id),
        "name": member.name.casefold(),
        "real_name": member.real_name,
        "deleted": False,
        "tz": member.tz,
        "tz_label": now.tzname(),
        "tz_offset": round((now.utcoffset() or timedelta()).total_seconds()),
        "is_bot": member.is_bot,
        "is_admin": False,
        "is_app_user": False,
        "is_restricted": member.is_guest,
        "is_ultra_restricted": member.is_ultra_restricted,
        "profile": {
            "real_name": member.real_name,
            "display_name": member.name,
            "title": member.title,
            "team": find_team(workspace, member.id),
        },
        **({"is_stranger": True} if member.team else {}),
    }


def build_channel(workspace: Workspace, channel: Channel) -> Json:
    """Return a channel as conversations.info does."""
    common: Json = {
        "id": channel.id,
        "created": channel.created,
        "is_archived": False,
        "is_im": channel.kind == "im",
        "context_team_id": workspace.team.id,
    }
    if channel.kind == "im":
        return common | {"user": channel.members[0], "is_user_deleted": False, "priority": 0}
    return common | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_mpim": False,
        "is_private": channel.kind == "group",
        "is_general": channel.name == "general",
        "is_member": workspace.bot_is_in(channel),
        "is_shared": channel.is_shared,
        "is_ext_shared": channel.is_shared,
        "is_org_shared": False,
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": channel.purpose, "creator": "", "last_set": 0},
    }


def build_view(workspace: Workspace, view: View, *, with_state: bool) -> Json:
    """Return a view as interactions show it. Answers to the app's own calls contain no state."""
    return {
        "id": view.id,
        "team_id": workspace.team.id,
        "app_id": workspace.app.id,
        "bot_id": workspace.app.bot_id,
        "app_installed_team_id": workspace.team.id,
        "hash": view.hash,
        "root_view_id": view.root_id,
        "previous_view_id": view.previous_id,
        "state": {"values": build_state_values(view.blocks, view.values) if with_state else {}},
        **_VIEW_DEFAULTS,
        **view.given,
    }


_VIEW_DEFAULTS: Json = {
    "private_metadata": "",
    "callback_id": "",
    "external_id": "",
    "title": None,
    "submit": None,
    "close": None,
    "clear_on_close": False,
    "notify_on_close": False,
}
