"""Content of the page: channels, threads, windows and Home."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from app.playground.journal import Journal
from app.playground.slack.api.web_api import WebApi
from app.playground.slack.page.inline import Names
from app.playground.slack.page.message import render_message
from app.playground.slack.page.tour import TourStop
from app.playground.slack.values.block_fields import read_mapping
from app.playground.slack.values.controls import find_controls, read_plain_value
from app.playground.slack.values.model import (
    CallFailed,
    Change,
    Channel,
    DmOpened,
    File,
    FileDeleted,
    Founded,
    HomeOpened,
    HomeShown,
    Joined,
    Message,
    ModalsChanged,
    Posted,
    Reacted,
    Removed,
    Session,
    SessionChanged,
    StatusShown,
    StopPressed,
    Updated,
    Whispered,
)
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.workspace import Workspace

_DRAWN_BY_THE_PAGE = ("actions", "input")


def render_view(view: View, names: Names) -> Json:
    """Return one view; `names` has the names of people and channels by id."""
    return {
        "id": view.id,
        "hash": view.hash,
        "callback_id": view.callback_id,
        "type": view.type,
        "title": view.label("title"),
        "submit": view.label("submit"),
        "close": view.label("close"),
        "blocks": view.blocks,
        "html": {
            str(index): render_message("", [_hide_pressed(block)], names)
            for index, block in enumerate(view.blocks)
            if block["type"] not in _DRAWN_BY_THE_PAGE
        },
        "values": _collect_values(view),
        "errors": dict(view.errors),
        "error": view.trouble,
    }


def _hide_pressed(block: Json) -> Json:
    pressed = read_mapping(block.get("accessory")).get("type") not in (None, "image")
    return {name: value for name, value in block.items() if name != "accessory" or not pressed}


def _collect_values(view: View) -> Json:
    values: dict[str, dict[str, Any]] = {}
    for control in find_controls(view.blocks):
        if control.kind:
            values.setdefault(control.block_id, {})[control.action_id] = read_plain_value(control, view.values)
    return values


SHOWN_ERRORS = 20


class PageView:
    """Content of people's pages."""

    def __init__(self, workspace: Workspace, api: WebApi, journal: Journal, banner: str | None) -> None:
        self._workspace = workspace
        self._api = api
        self._journal = journal
        self._banner = banner
        self.tour: Sequence[TourStop] = ()
        """What the page shows a newcomer who is in all of its places."""

    def state(self, user: str) -> Json:
        """Return all that a person's page shows."""
        workspace = self._workspace
        mine = [channel for channel in workspace.channels.values() if self._is_visible(channel, user)]
        knows_all = all(user in workspace.channels[stop.channel].members for stop in self.tour)
        return {
            "team": {"id": workspace.team.id, "name": workspace.team.name},
            "me": user,
            "bot": workspace.app.user.id,
            "banner": self._banner,
            "tour": [asdict(stop) for stop in self.tour if knows_all],
            "users": [
                {
                    "id": member.id,
                    "name": member.name,
                    "real_name": member.real_name,
                    "is_bot": member.is_bot,
                    "tz": member.tz,
                }
                for member in workspace.members.values()
            ],
            "channels": [self._channel(channel, user) for channel in mine],
            "messages": {channel.id: self._messages(channel, user) for channel in mine if user in channel.members},
            "statuses": [
                {"channel": channel, "thread_ts": thread_ts, "status": status.text}
                for (channel, thread_ts), status in workspace.statuses.items()
                if user in workspace.channels[channel].members
            ],
            "sessions": [
                self._session(session)
                for session in workspace.sessions.values()
                if user in workspace.channels[session.channel].members
            ],
            "commands": [
                {"command": name, "description": command.description, "usage_hint": command.usage_hint}
                for name, command in (workspace.app.commands or {}).items()
            ],
            "shortcuts": [
                {"callback_id": callback_id, "name": shortcut.name, "type": shortcut.type}
                for callback_id, shortcut in workspace.app.shortcuts.items()
            ],
            "modals": [self._surface(view) for view in workspace.views.stack(user)],
            "home": self._surface(home) if (home := workspace.views.home(user)) else None,
            "strip": self._strip(),
        }

    def event(self, change: Change, user: str) -> Json | None:
        """Return a change for a person's page; None if they may not see it."""
        match change:
            case CallFailed(at, method, error, status):
                failure = {"at": at, "method": method, "error": error, "status": status}
                return {"kind": "error", "error": failure}
            case StatusShown(channel, thread_ts, status):
                told: Json = {"kind": "status", "channel": channel, "status": status, "thread_ts": thread_ts}
                return told if user in self._workspace.channels[channel].members else None
            case SessionChanged(session):
                told = {"kind": "session"} | self._session(session)
                return told if user in self._workspace.channels[session.channel].members else None
            case StopPressed() | FileDeleted():
                return None
            case ModalsChanged() | HomeShown():
                return self._about_views(change, user)
            case Founded(channel) | DmOpened(channel) | HomeOpened(channel) | Joined(channel):
                visible = self._is_visible(channel, user)
                return {"kind": "channel", "channel": self._channel(channel, user)} if visible else None
            case Posted() | Updated() | Removed() | Whispered() | Reacted():
                return self._about_message(change, user)

    def _about_views(self, change: ModalsChanged | HomeShown, user: str) -> Json | None:
        match change:
            case ModalsChanged(whose, stack):
                shown = [self._surface(view) for view in stack]
                return {"kind": "modals", "modals": shown} if whose == user else None
            case HomeShown(view):
                return {"kind": "home", "home": self._surface(view)} if view.user == user else None

    def _about_message(self, change: Posted | Updated | Removed | Whispered | Reacted, user: str) -> Json | None:
        message = change.message
        if user not in self._workspace.channels[message.channel].members or message.seen_by not in (None, user):
            return None
        return {"kind": _KINDS[type(change)], "channel": message.channel, "message": self.message(message)}

    def _names(self) -> dict[str, str]:
        names = {member.id: member.name for member in self._workspace.members.values()}
        return names | {channel.id: channel.name for channel in self._workspace.channels.values()}

    def _surface(self, view: View) -> Json:
        return render_view(view, self._names())

    def message(self, message: Message) -> Json:
        """Return one message."""
        return {
            "ts": message.ts,
            "thread_ts": message.thread_ts,
            "user": message.user,
            "bot_id": message.bot_id,
            "text": message.text,
            "blocks": message.blocks,
            "html": render_message(message.text, message.blocks, self._names()),
            "edited": message.edited_ts is not None,
            "edit_count": message.edit_count,
            "reactions": [{"name": given.name, "users": list(given.users)} for given in message.reactions],
            "files": [
                {"id": file.id, "name": file.name, "title": file.title, "mimetype": file.mimetype, "size": file.size}
                for file in message.files
            ],
            "ephemeral": message.seen_by is not None,
            "tombstone": message.is_tombstone,
        }

    def file(self, file_id: str, user: str) -> File | None:
        """Find a file in a conversation this person is in."""
        workspace = self._workspace
        mine = [channel.id for channel in workspace.channels.values() if user in channel.members]
        shared = (file for channel in mine for message in workspace.messages(channel) for file in message.files)
        return next((file for file in shared if file.id == file_id), None)

    def _session(self, session: Session) -> Json:
        return {
            "channel": session.channel,
            "thread_ts": session.thread_ts,
            "status": session.status,
            "title": session.title,
            "stoppable": self._workspace.shows_stop(session),
        }

    def _messages(self, channel: Channel, user: str) -> list[Json]:
        everything = [*self._workspace.messages(channel.id), *self._workspace.ephemerals(channel.id, user)]
        return [self.message(message) for message in sorted(everything, key=lambda message: message.ts)]

    def _is_visible(self, channel: Channel, user: str) -> bool:
        return channel.kind == "channel" or user in channel.members

    def _channel(self, channel: Channel, user: str) -> Json:
        return {
            "id": channel.id,
            "name": channel.name or self._workspace.app.user.name,
            "is_im": channel.kind == "im",
            "is_private": channel.kind != "channel",
            "is_member": user in channel.members,
            "bot_is_member": self._workspace.bot_is_in(channel),
        }

    def _strip(self) -> Json:
        failed = [call for call in self._journal.of("call") if not call["answer"].get("ok")][-SHOWN_ERRORS:]
        errors = [
            {
                "at": call["at"],
                "method": call["method"],
                "error": call["answer"].get("error", "connection dropped"),
                "status": call["status"],
            }
            for call in failed
        ]
        return {"errors": errors, "calls": dict(self._api.calls), "unknown": dict(self._api.unknown)}


_KINDS = {
    Posted: "message",
    Updated: "changed",
    Removed: "deleted",
    Whispered: "ephemeral",
    Reacted: "reaction",
}
