"""The window for picking a decision to export. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core import texts_records as words
from app.core.model import Conversation
from app.core.thread import ThreadKey
from handlers import action_ids, blocks, glance
from handlers.blocks import Block
from handlers.forms import View
from handlers.payload import Payload, mapping, text
from handlers.records import addressed

MOST = 100
"""Slack's limit for the options of a select."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The submitted choice; empty where none was made."""

    address: str
    word: str

    def thread(self, team: str) -> ThreadKey | None:
        """Return the thread of the chosen decision."""
        return addressed(self.address, team)


def form(decisions: Sequence[Conversation]) -> View:
    """Return the form with these decisions, the first of which is preselected."""
    named = {blocks.address(each.thread): glance.one_line(each.title, blocks.LABEL_CHARS) for each in decisions[:MOST]}
    return {
        "type": "modal",
        "callback_id": action_ids.EXPORT_WINDOW,
        "title": blocks.plain(words.EXPORT_TITLE),
        "submit": blocks.plain(words.EXPORT_SUBMIT),
        "close": blocks.plain(words.CANCEL),
        "blocks": [
            _input(action_ids.EXPORT_DECISION_FIELD, words.EXPORT_LABEL, "static_select", named.items()),
            _input(action_ids.EXPORT_FORMAT_FIELD, words.EXPORT_FORMAT, "radio_buttons", words.FORMATS.items()),
            blocks.context(words.EXPORT_HINT),
        ],
    }


def read(view: Payload) -> Wanted:
    """Return the submitted choice of a view."""
    values = mapping(mapping(view.get("state")).get("values"))
    address, word = (
        text(mapping(mapping(mapping(values.get(name)).get(name)).get("selected_option")).get("value"))
        for name in (action_ids.EXPORT_DECISION_FIELD, action_ids.EXPORT_FORMAT_FIELD)
    )
    return Wanted(address=address, word=word)


def _input(name: str, label: str, kind: str, options: Iterable[tuple[str, str]]) -> Block:
    listed = [{"text": blocks.plain(label), "value": value} for value, label in options]
    element: Block = {"type": kind, "action_id": name, "options": listed, "initial_option": listed[0]}
    return {"type": "input", "block_id": name, "label": blocks.plain(label), "element": element}
