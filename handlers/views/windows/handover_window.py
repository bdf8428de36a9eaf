"""The window in which the owner hands a decision over to another person. Pure."""

from __future__ import annotations

from app.core.copy import decision_record, texts
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_element, read_state, read_text
from handlers.views.kit import blocks
from handlers.views.windows import forms
from handlers.views.windows.forms import View


def build_form(thread: ThreadKey) -> View:
    """Return the form for the decision's next owner, with an explanation."""
    element = {"type": "users_select", "focus_on_load": True}
    return forms.build_form(
        action_ids.HAND_OVER_WINDOW,
        {"address": blocks.format_address(thread)},
        (decision_record.HAND_OVER_TITLE, decision_record.HAND_OVER_SUBMIT, texts.CANCEL),
        blocks.build_input(action_ids.HAND_OVER_FIELD, decision_record.HAND_OVER_LABEL, element),
        blocks.build_section(decision_record.HAND_OVER_MEANS),
    )


def read_person(view: Payload) -> str:
    """Return the chosen person's id in Slack; empty if there is none."""
    return read_text(read_element(read_state(view), action_ids.HAND_OVER_FIELD).get("selected_user"))


def explain_bound(thread: ThreadKey) -> str:
    """Return why a decision cannot change its owner in this place; empty if it can."""
    return decision_record.NOT_FROM_HERE if thread.direct else ""
