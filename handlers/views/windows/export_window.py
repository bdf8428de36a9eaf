"""The window for picking a decision to export. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, texts
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_element, read_option, read_state
from handlers.views.kit import blocks, summary_line
from handlers.views.kit.blocks import Block
from handlers.views.windows.forms import View


def build_form(decisions: Sequence[Conversation]) -> View:
    """Return the form with these decisions, the first of which is preselected."""
    named = {
        blocks.format_address(each.thread): summary_line.flatten_line(each.name, blocks.LABEL_CHARS)
        for each in decisions[: blocks.MOST_OPTIONS]
    }
    return {
        "type": "modal",
        "callback_id": action_ids.EXPORT_WINDOW,
        "title": blocks.build_plain_text(decision_record.EXPORT_TITLE),
        "submit": blocks.build_plain_text(decision_record.EXPORT_SUBMIT),
        "close": blocks.build_plain_text(texts.CANCEL),
        "blocks": [
            _build_input(
                action_ids.EXPORT_DECISION_FIELD, decision_record.EXPORT_LABEL, "static_select", named.items()
            ),
            _build_input(
                action_ids.EXPORT_FORMAT_FIELD,
                decision_record.EXPORT_FORMAT,
                "radio_buttons",
                decision_record.FORMATS.items(),
            ),
            blocks.build_context(decision_record.EXPORT_HINT),
        ],
    }


def read(view: Payload, team: str) -> tuple[ThreadKey | None, str]:
    """Return the thread of the chosen decision and the word for the format; nothing where none was chosen."""
    names = (action_ids.EXPORT_DECISION_FIELD, action_ids.EXPORT_FORMAT_FIELD)
    address, word = (read_option(read_element(read_state(view), name)) for name in names)
    return blocks.parse_address(address, team), word


def _build_input(name: str, label: str, kind: str, options: Iterable[tuple[str, str]]) -> Block:
    listed = [{"text": blocks.build_plain_text(label), "value": value} for value, label in options]
    element: Block = {"type": kind, "action_id": name, "options": listed, "initial_option": listed[0]}
    return {"type": "input", "block_id": name, "label": blocks.build_plain_text(label), "element": element}
