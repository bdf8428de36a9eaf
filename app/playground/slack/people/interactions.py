"""Payloads of people's actions on the app's controls: clicks, choices, searches, commands, shortcuts, modals.

Builds them by Slack's reference of interaction payloads; sends nothing.
"""

from app.playground.slack.api.site import Site
from app.playground.slack.people.response_urls import Origin, ResponseUrls
from app.playground.slack.values.controls import BUTTONS, Control, build_state_values, find_controls
from app.playground.slack.values.model import Channel, Message
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.entries import Entries, Surface
from app.playground.slack.workspace.wire import build_message, build_view, find_team

_SHOWN_IN_ACTIONS = ("text", "value", "style", "placeholder", "confirm")
_COMMAND_CHANNELS = {"im": "directmessage", "group": "privategroup"}


def find_button(surface: Surface, action_id: str, value: str | None) -> Control:
    """Return the button with this action, and this value if one is given; LookupError if there is none."""
    shown = [control for control in find_controls(surface.blocks or []) if control.type in BUTTONS]
    for button in shown:
        if button.action_id == action_id and value in (None, button.element.get("value")):
            return button
    offered = ", ".join(f"{button.action_id}={button.element.get('value')}" for button in shown) or "none"
    raise LookupError(
        f"No button {action_id!r} with value {value!r} on {_name_surface(surface)}; its buttons are: {offered}"
    )


def _name_surface(surface: Surface) -> str:
    return surface.ts if isinstance(surface, Message) else surface.label("title") or surface.type


class Interactions:
    """Maker of the payloads, each with its own trigger and response_url if Slack gives them."""

    def __init__(self, site: Site, entries: Entries, response_urls: ResponseUrls) -> None:
        self._site = site
        self._entries = entries
        self._response_urls = response_urls

    def block_actions(self, user: str, surface: Surface, control: Control, state: Json) -> Json:
        """Return the payload for one click or choice; `state` is what the control says after it."""
        view_id = surface.id if isinstance(surface, View) else None
        return (
            self._common("block_actions", user)
            | {"trigger_id": self._site.triggers.hand_out(user, view_id)}
            | self._surface(user, surface)
            | self._answerable(user, surface)
            | {"actions": [self._action(control, state)]}
        )

    def suggestion(self, user: str, surface: Surface, control: Control, query: str) -> Json:
        """Return the payload that asks the app for the options of a search."""
        asked = {"action_id": control.action_id, "block_id": control.block_id, "value": query}
        return self._common("block_suggestion", user) | self._surface(user, surface) | asked

    def submission(self, view: View) -> Json:
        """Return the payload for a modal's submit button."""
        return self._common("view_submission", view.user) | {
            "trigger_id": self._site.triggers.hand_out(view.user, view.id),
            "view": build_view(self._site.workspace, view, with_state=True),
            "response_urls": [],
        }

    def closed(self, view: View, *, cleared: bool) -> Json:
        """Return the payload for a modal closed without submitting."""
        shown = build_view(self._site.workspace, view, with_state=True)
        return self._common("view_closed", view.user) | {"view": shown, "is_cleared": cleared}

    def command(self, user: str, channel: Channel, command: str, text: str) -> Json:
        """Return the payload for a slash command: flat, because over HTTP it is a form."""
        workspace = self._site.workspace
        return {
            "token": workspace.mint.secret(24),
            "team_id": workspace.team.id,
            "team_domain": workspace.team.domain,
            "channel_id": channel.id,
            "channel_name": _COMMAND_CHANNELS.get(channel.kind, channel.name),
            "user_id": user,
            "user_name": workspace.members[user].name.casefold(),
            "command": command,
            "text": text,
            "api_app_id": workspace.app.id,
            "is_enterprise_install": "false",
            "response_url": self._response_urls.hand_out(Origin(user, channel.id)),
            "trigger_id": self._site.triggers.hand_out(user),
        }

    def shortcut(self, user: str, callback_id: str, message: Message | None) -> Json:
        """Return the payload for a shortcut: on a message, or a global one, which knows no channel."""
        workspace = self._site.workspace
        payload = self._common("message_action" if message else "shortcut", user) | {
            "callback_id": callback_id,
            "action_ts": workspace.mint.ts(),
            "trigger_id": self._site.triggers.hand_out(user),
        }
        if message is None:
            return payload
        shown = {"message_ts": message.ts, "message": build_message(workspace, message)}
        return payload | shown | self._channel(message) | self._answerable(user, message)

    # --- what payloads are made of ---------------------------------------------------------------

    def _common(self, kind: str, user: str) -> Json:
        workspace = self._site.workspace
        name = workspace.members[user].name
        return {
            "type": kind,
            "user": {"id": user, "username": name, "name": name, "team_id": find_team(workspace, user)},
            "api_app_id": workspace.app.id,
            "token": workspace.mint.secret(24),
            "team": {"id": workspace.team.id, "domain": workspace.team.domain},
            "enterprise": None,
            "is_enterprise_install": False,
        }

    def _surface(self, user: str, surface: Surface) -> Json:
        workspace = self._site.workspace
        if isinstance(surface, View):
            current = workspace.views.find(surface.id) or surface
            container = {"type": "view", "view_id": surface.id}
            return {"container": container, "view": build_view(workspace, current, with_state=True)}
        state = {"values": build_state_values(surface.blocks or [], self._entries.values(user, surface))}
        shown: Json = {"container": _build_container(surface), "state": state} | self._channel(surface)
        # Slack leaves the message out when it was ephemeral.
        return shown if surface.seen_by else shown | {"message": build_message(workspace, surface)}

    def _channel(self, message: Message) -> Json:
        channel = self._site.workspace.channels[message.channel]
        return {"channel": {"id": channel.id, "name": channel.name or "directmessage"}}

    def _answerable(self, user: str, surface: Surface) -> Json:
        if isinstance(surface, View):
            return {}
        return {"response_url": self._response_urls.hand_out(Origin(user, surface.channel, surface))}

    def _action(self, control: Control, state: Json) -> Json:
        element = control.element
        names = (*_SHOWN_IN_ACTIONS, *((control.kind.initial,) if control.kind else ()))
        return {
            "action_id": control.action_id,
            "block_id": control.block_id,
            "action_ts": self._site.workspace.mint.ts(),
            **{name: element[name] for name in names if name in element},
            **state,
        }


def _build_container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": message.seen_by is not None,
    }
    return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})
