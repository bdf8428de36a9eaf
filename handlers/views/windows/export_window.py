"""The window for picking a decision to export. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, texts
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_element, read_option, read_state
from handlers.views.kit import blocks, summary_line
from handlers.views.windows import forms
from handlers.views.windows.forms import View


def build_form(decisions: Sequence[Conversation]) -> View:
    """Return the form with these decisions, the first of which is preselected."""
    named = {
        blocks.format_address(each.thread): summary_line.flatten_line(each.name, blocks.LABEL_CHARS)
        for each in decisions[: blocks.MOST_OPTIONS]
    }
    options = blocks.build_options(named)
    element = {"type": "static_select", "options": options, "initial_option": options[0]}
    return forms.build_form(
        action_ids.EXPORT_WINDOW,
        {},
        (decision_record.EXPORT_TITLE, decision_record.EXPORT_SUBMIT, texts.CANCEL),
        blocks.build_input(action_ids.EXPORT_DECISION_FIELD, decision_record.EXPORT_LABEL, element),
        blocks.build_radio_input(
            action_ids.EXPORT_FORMAT_FIELD, decision_record.EXPORT_FORMAT, decision_record.FORMATS
        ),
        blocks.build_context(decision_record.EXPORT_HINT),
    )


def read(view: Payload, team: str) -> tuple[ThreadKey | None, str]:
    """Return the thread of the chosen decision and the word for the format; nothing where none was chosen."""
    names = (action_ids.EXPORT_DECISION_FIELD, action_ids.EXPORT_FORMAT_FIELD)
    address, word = (read_option(read_element(read_state(view), name)) for name in names)
    return blocks.parse_address(address, team), word
