"""Removal of what was deleted from all places of a conversation that repeat it.

The core knows one thing about a draft's content: an object with a `quote` repeats someone's words, and its
`message_id` names the message. In results of tools, an object with a `text` and a `user` is what that person wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, cast

from app.core.conversation.call import Call, DraftExtracted, DraftNoted
from app.core.conversation.card import Card, QuestionCard
from app.core.conversation.conversation import Message, Transition
from app.core.state.goal import TAKEN_BACK
from app.core.state.interview import Inconsistency, Interview, JudgedDraft
from app.core.state.tool_use import Use

DELETED: Final = "deleted"
"""The `message_id` of a quote whose message was deleted."""

TOLD: Final = 200
"""Characters by which a message is found again in what a tool has read: a long one may be cut there."""

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Redaction:
    """Deleted messages, by Slack's ts, and their words as far as they are still known; or deleted files."""

    messages: Collection[str]
    words: tuple[str, ...] = ()
    author: str = ""
    """Slack's user id of whoever wrote the messages."""
    files: Collection[str] = ()
    """The names by which the model asked for the files."""

    def from_data(self, data: Any) -> Any:
        """Return the data with a remark in place of each quote from these messages. All else stays as it is."""
        if isinstance(data, list):
            return [self.from_data(each) for each in cast("list[Any]", data)]
        if not isinstance(data, Mapping):
            return data
        known = cast("Mapping[str, Any]", data)
        if self._is_quoted_by(known):
            return {**known, "message_id": DELETED, "quote": TAKEN_BACK}
        content = known.get("content")
        if known.get("type") == "tool_result" and isinstance(content, str):
            return {**known, "content": self._from_result(content)}
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
        """Return the row without these messages' words, and without what it has read of these files.

        They go from its drafts, from inputs and results of its tool calls, and from the card of an answered question.
        """
        calls = tuple(map(self._from_call, row.calls))
        data, content = self._from_json(row.data), self._from_json(row.content)
        return replace(row, data=data, content=content, calls=calls, card=self._from_card(row.card))

    def from_use(self, use: Use) -> Use:
        """Return the use of a tool without what it has read of this."""
        return replace(use, result=self._from_result(use.result))

    def _from_json(self, text: str) -> str:
        before = json.loads(text) if text else None
        after = self.from_data(before)
        return text if after == before else json.dumps(after, ensure_ascii=False)

    def _from_result(self, content: str) -> str:
        """Return the result of a tool without what it has read of this. Words of the app are no JSON, and stay."""
        try:
            found = json.loads(content)
        except ValueError:
            return content
        if not isinstance(found, Mapping):
            return content
        known = cast("Mapping[str, Any]", found)
        after = {**known, "text": TAKEN_BACK} if self._is_of_file(known) else self._from_read(known)
        return content if after == found else json.dumps(after, ensure_ascii=False)

    def _is_of_file(self, found: Mapping[str, Any]) -> bool:
        query = found.get("query")
        if not isinstance(query, Mapping) or "text" not in found:
            return False
        return cast("Mapping[str, Any]", query).get("file") in self.files

    def _from_read(self, found: Any) -> Any:
        if isinstance(found, list):
            return [self._from_read(each) for each in cast("list[Any]", found)]
        if not isinstance(found, Mapping):
            return found
        known = cast("Mapping[str, Any]", found)
        after = {name: self._from_read(each) for name, each in known.items()}
        return {**after, "text": TAKEN_BACK} if self._is_written_in(known) else after

    def _is_written_in(self, read: Mapping[str, Any]) -> bool:
        text, user = read.get("text"), read.get("user")
        if not isinstance(text, str) or not user or user != self.author or not self._may_be_of(read.get("at")):
            return False
        words = f" {_list_words(text)} "
        return any((told := _list_words(each)) and f" {told} "[:TOLD] in words for each in self.words)

    def _may_be_of(self, at: Any) -> bool:
        """Return False if a tool has told another minute than that of these messages."""
        try:
            minute = datetime.fromisoformat(at).timestamp() // 60
        except (TypeError, ValueError):
            return True
        return any(float(ts) // 60 == minute for ts in self.messages)

    def _from_card(self, card: Card | None) -> Card | None:
        """Return the card. A free answer goes from it with the message that gave it, also if the model read it so.

        What a person typed has the time of its message, which may have other words since.
        """
        if not isinstance(card, QuestionCard) or card.by != self.author or card.answer in card.question.options:
            return card
        is_later = card.mapped or any(ts >= card.question.asked_at for ts in self.messages)
        is_its_own = card.at in self.messages and not card.mapped
        is_gone = is_its_own or (is_later and self._holds(card.answer.rstrip("…")))
        return replace(card, answer=TAKEN_BACK, outdated=False) if is_gone else card

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


def _list_words(text: str) -> str:
    """Return only the words: tools that read clean the text, and may cut it."""
    return " ".join(_WORD.findall(text.casefold()))


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())
