"""The window in which the owner of a decision hands it over to somebody else. Pure."""

from __future__ import annotations

import json

from app.core import texts_records as words
from app.core.thread import ThreadKey
from handlers import blocks
from handlers.forms import View
from handlers.payload import Payload, mapping, text

HAND_OVER = "hand_over"
"""`callback_id` of the window, and the value of what opens it in the menu of a decision."""

TO = "to"
"""`block_id` and `action_id` of its field."""

SLACKBOT = "USLACKBOT"
"""Slack does not call it a bot."""


def form(thread: ThreadKey) -> View:
    """Ask who the decision in this thread goes to, and say what that means."""
    element = {"type": "users_select", "action_id": TO, "focus_on_load": True}
    return {
        "type": "modal",
        "callback_id": HAND_OVER,
        "private_metadata": json.dumps({"address": blocks.address(thread)}),
        "title": blocks.plain(words.HAND_OVER_TITLE),
        "submit": blocks.plain(words.HAND_OVER_SUBMIT),
        "close": blocks.plain(words.CANCEL),
        "blocks": [
            {"type": "input", "block_id": TO, "label": blocks.plain(words.HAND_OVER_LABEL), "element": element},
            blocks.section(words.HAND_OVER_MEANS),
        ],
    }


def picked(view: Payload) -> str:
    """Who was picked, by Slack's id; empty if nobody was."""
    values = mapping(mapping(view.get("state")).get("values"))
    return text(mapping(mapping(values.get(TO)).get(TO)).get("selected_user"))


def bound(thread: ThreadKey) -> str:
    """Why a decision cannot leave its owner, by where it is led; empty if it can. Slack: direct messages are *D…*."""
    return words.NOT_FROM_HERE if thread.channel.startswith("D") else ""


def refusal(person: Payload) -> str:
    """Why somebody cannot own a decision, by what Slack tells of them; empty if they can."""
    if person.get("is_bot") is True or person.get("id") == SLACKBOT:
        return words.NOT_A_BOT
    return words.NOT_ACTIVE if person.get("deleted") is True else ""
