"""Removal of a deleted message's words from all places in a step that quote them.

The core knows one thing about a draft's content: an object with a `quote` repeats someone's words, and its
`message_id` names the message.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from app.core.conversation.call import Call, DraftExtracted, DraftNoted
from app.core.conversation.conversation import Message, Transition
from app.core.state.goal import TAKEN_BACK
from app.core.state.interview import Inconsistency, Interview, JudgedDraft

DELETED: Final = "deleted"
"""The `message_id` of a quote whose message was deleted."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """Deleted messages, by Slack's ts, and their words as far as they are still known."""

    messages: Collection[str]
    words: tuple[str, ...] = ()

    def from_data(self, data: Any) -> Any:
        """Return the data with a remark in place of each quote from these messages. All else stays as it is."""
        if isinstance(data, list):
            return [self.from_data(each) for each in cast("list[Any]", data)]
        if not isinstance(data, Mapping):
            return data
        known = cast("Mapping[str, Any]", data)
        if self._is_quoted_by(known):
            return {**known, "message_id": DELETED, "quote": TAKEN_BACK}
        return {name: self.from_data(each) for name, each in known.items()}

    def from_interview(self, lead: Interview) -> Interview:
        """Return the interview without these messages' words."""
        return replace(
            lead,
            draft=self.from_data(lead.draft),
            shown=self.from_data(lead.shown),
            compared=self.from_data(lead.compared),
            drafted=self._from_drafted(lead.drafted) if lead.drafted else None,
            inconsistencies=tuple(map(self._from_inconsistency, lead.inconsistencies)),
            vouched=tuple(each for each in lead.vouched if each.at not in self.messages),
        )

    def from_row(self, row: Message) -> Message:
        """Return the row without these messages' words: in its drafts, and in the inputs of its tool calls."""
        calls = tuple(map(self._from_call, row.calls))
        return replace(row, data=self._from_json(row.data), content=self._from_json(row.content), calls=calls)

    def _from_json(self, text: str) -> str:
        before = json.loads(text) if text else None
        after = self.from_data(before)
        return text if after == before else json.dumps(after, ensure_ascii=False)

    def _from_drafted(self, drafted: JudgedDraft) -> JudgedDraft:
        held = replace(drafted.held, draft=self.from_data(drafted.held.draft)) if drafted.held else None
        return replace(drafted, draft=self.from_data(drafted.draft), held=held)

    def _from_inconsistency(self, found: Inconsistency) -> Inconsistency:
        one, other = (TAKEN_BACK if self._holds(said) else said for said in (found.one, found.other))
        return replace(found, one=one, other=other)

    def _from_call(self, call: Call) -> Call:
        match call:
            case DraftNoted():
                return replace(call, draft=self.from_data(call.draft))
            case DraftExtracted():
                return replace(call, drafted=self._from_drafted(call.drafted))
            case _:
                return call

    def _is_quoted_by(self, data: Mapping[str, Any]) -> bool:
        quote, message = data.get("quote"), data.get("message_id")
        if not isinstance(quote, str):
            return False
        return message in self.messages if message else self._holds(quote)

    def _holds(self, said: str) -> bool:
        return any(_normalize(said) in _normalize(each) for each in self.words) if said.strip() else False


def remove_deleted(made: Transition) -> Transition:
    """Return the transition without words of deleted messages.

    A draft that was begun before a deletion can arrive after it, and would bring the words back.
    """
    now = made.conversation
    if now.interview is None or not now.interview.taken_back:
        return made
    gone = Redaction(now.interview.taken_back)
    after = replace(now, interview=gone.from_interview(now.interview))
    return replace(made, conversation=after, messages=tuple(map(gone.from_row, made.messages)))


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())
