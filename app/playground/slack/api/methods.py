"""The table of the emulator's Web API methods: function, token, scope and rate limit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from app.playground.slack.api import methods_app, methods_conversations, methods_messages
from app.playground.slack.api.site import FILES_SCOPE, Site
from app.playground.slack.api.tiers import POSTING, TIER_2, TIER_3, TIER_4, Tier
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.surfaces import Json

#: Stands for the scope that manages channels of the kind of the call.
MANAGING = "*:manage"


@dataclass(frozen=True, slots=True)
class Method:
    """One row: "*" in a scope stands for the kind of the channel named, as in `im:history`."""

    call: Callable[[Site, Arguments], Json]
    scope: str | None = None
    tier: Tier | None = None
    """None if Slack names no number ("special")."""
    token: Literal["bot", "app"] = "bot"


METHODS: Mapping[str, Method] = {
    "agents.sessions.rename": Method(methods_app.rename, "chat:write", TIER_3),
    "agents.sessions.setStatus": Method(methods_app.set_status, "chat:write", TIER_3),
    "apps.connections.open": Method(methods_app.connections_open, None, TIER_3, token="app"),
    "assistant.threads.setStatus": Method(methods_app.thread_status, "chat:write"),
    "auth.test": Method(methods_app.auth_test),
    "chat.delete": Method(methods_messages.delete, "chat:write", TIER_3),
    "chat.getPermalink": Method(methods_messages.permalink),
    "chat.postEphemeral": Method(methods_messages.post_ephemeral, "chat:write", TIER_4),
    "chat.postMessage": Method(methods_messages.post_message, "chat:write", POSTING),
    "chat.update": Method(methods_messages.update, "chat:write", TIER_3),
    "conversations.create": Method(methods_conversations.create, MANAGING, TIER_2),
    "conversations.history": Method(methods_conversations.history, "*:history", TIER_3),
    "conversations.info": Method(methods_conversations.info, "*:read", TIER_3),
    "conversations.invite": Method(methods_conversations.invite, MANAGING, TIER_3),
    "conversations.join": Method(methods_conversations.join, "channels:join", TIER_3),
    "conversations.list": Method(methods_conversations.of_workspace, None, TIER_2),
    "conversations.members": Method(methods_conversations.members, "*:read", TIER_4),
    "conversations.open": Method(methods_conversations.open_dm, "im:write", TIER_3),
    "conversations.replies": Method(methods_conversations.replies, "*:history", TIER_3),
    "files.completeUploadExternal": Method(methods_messages.complete_upload, "files:write", TIER_4),
    "files.getUploadURLExternal": Method(methods_messages.upload_url, "files:write", TIER_4),
    "files.info": Method(methods_messages.file_info, FILES_SCOPE, TIER_4),
    "reactions.add": Method(methods_app.reactions_add, "reactions:write", TIER_3),
    "reactions.remove": Method(methods_app.reactions_remove, "reactions:write", TIER_2),
    "users.conversations": Method(methods_conversations.of_member, None, TIER_3),
    "users.info": Method(methods_app.users_info, "users:read", TIER_4),
    "users.list": Method(methods_app.users_list, "users:read", TIER_2),
    "views.open": Method(methods_app.open_modal, None, TIER_4),
    "views.publish": Method(methods_app.publish, None, TIER_4),
    "views.push": Method(methods_app.push, None, TIER_4),
    "views.update": Method(methods_app.update, None, TIER_4),
}
