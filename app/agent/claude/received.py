"""The reply that a stream builds up, as plain dictionaries: the SDK's objects of each event cost more than all else.

Only what is read here is required of an event. One that contradicts those before it raises an error of the kind that
malformed JSON raises, or `LookupError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import pydantic_core

from app.core.conversation.usage import Usage
from app.core.copy import file_access
from app.core.text.marks import clean_line
from app.ports import CallBegun, Counted, ModelEvent, TextDelta

TAKES_INPUT = ("tool_use", "server_tool_use")
"""Types of blocks whose input arrives as pieces of JSON."""
PAGES: Final = "page_location"
_FORMATTING: Final = re.compile(r"[*`~\[\]<>|\\]+")


class ReceivedMessage:
    """One message of the model, from its first event on."""

    def __init__(self, reference: str, *, names_pages: bool = False) -> None:
        """With `names_pages`, citations of documents become words behind the text that they belong to."""
        self._reference, self._names_pages = reference, names_pages
        self._message: dict[str, Any] = {}
        self._inputs: dict[int, str] = {}
        self._open = ""
        """Type of the block that is being sent."""

    @property
    def is_speaking(self) -> bool:
        """Return True within a text. Of a thought nothing may be sent, and of a call only whole fields."""
        return self._open == "text"

    @property
    def stop_reason(self) -> str | None:
        """Return why the model stopped; None if the stream has not said."""
        return self._message.get("stop_reason")

    @property
    def model(self) -> str:
        """Return the model that answers."""
        return str(self._message["model"])

    @property
    def usage(self) -> Usage:
        """Return what the message has cost so far."""
        usage: dict[str, Any] = self._message["usage"]
        tools: dict[str, Any] = usage.get("server_tool_use") or {}
        return Usage(
            input_tokens=usage["input_tokens"],
            output_tokens=usage["output_tokens"],
            cache_read_tokens=usage.get("cache_read_input_tokens") or 0,
            cache_write_tokens=usage.get("cache_creation_input_tokens") or 0,
            searches=tools.get("web_search_requests") or 0,
        )

    def list_content(self) -> list[dict[str, Any]]:
        """Return the blocks, with what has arrived of the inputs of calls.

        Calls that are to be carried out came as a whole. Raise `ValueError` if one did not: half of an input may do
        something else than the whole.
        """
        content: list[dict[str, Any]] = self._message["content"]
        is_cut = self.stop_reason != "tool_use"
        read = {index: pydantic_core.from_json(text, allow_partial=is_cut) for index, text in self._inputs.items()}
        return [{**block, "input": read[index]} if index in read else block for index, block in enumerate(content)]

    def add(self, event: dict[str, Any]) -> ModelEvent | None:
        """Add an event, and return what it tells; None if that is nothing, or it came before the message."""
        kind = event["type"]
        if kind == "message_start":
            self._message = {**event["message"], "content": list(event["message"]["content"])}
            return self._count()
        if not self._message:
            return None
        match kind:
            case "message_delta":
                return self._add_end(event)
            case "content_block_start":
                return self._add_block(event["content_block"])
            case "content_block_delta":
                return self._add_piece(event["index"], event["delta"])
            case "content_block_stop":
                self._open = ""
                return self._add_pages(event["index"]) if self._names_pages else None
            case _:
                return None

    def _count(self) -> Counted:
        return Counted(usage=self.usage, model=self.model, reference=self._reference)

    def _add_end(self, event: dict[str, Any]) -> Counted:
        """Counts are totals, so they replace the former ones; one that is left out stays as it was."""
        counted = {name: count for name, count in event["usage"].items() if count is not None}
        self._message["usage"] = {**self._message["usage"], **counted}
        self._message["stop_reason"] = event["delta"].get("stop_reason")
        return self._count()

    def _add_block(self, block: dict[str, Any]) -> CallBegun | None:
        self._open = block["type"]
        self._message["content"].append(dict(block))
        return CallBegun(tool=block["name"]) if block["type"] == "tool_use" else None

    def _add_pages(self, index: int) -> TextDelta | None:
        """End a text with the pages that it cites. The citations are dropped: as words, they are sent again with it."""
        block: dict[str, Any] = self._message["content"][index]
        if block["type"] != "text":
            return None
        added = append_pages(block["text"], name_pages(block.pop("citations", None) or ()))
        block["text"] += added
        return TextDelta(text=added) if added else None

    def _add_piece(self, index: int, piece: dict[str, Any]) -> TextDelta | None:
        block: dict[str, Any] = self._message["content"][index]
        match piece["type"], block["type"]:
            case "text_delta", "text":
                block["text"] += piece["text"]
                return TextDelta(text=piece["text"])
            case "input_json_delta", kind if kind in TAKES_INPUT:
                if text := self._inputs.get(index, "") + piece["partial_json"]:
                    self._inputs[index] = text
            case "citations_delta", "text":
                block["citations"] = [*(block.get("citations") or ()), piece["citation"]]
            case "thinking_delta", "thinking":
                block["thinking"] += piece["thinking"]
            case "signature_delta", "thinking":
                block["signature"] = piece["signature"]
            case _:
                pass
        return None


def name_pages(citations: Iterable[Mapping[str, Any]]) -> str:
    """Return the documents and pages that a block cites, each once: "offer.pdf, page 3"; empty if it cites none."""
    places = (_name_place(each) for each in citations if each.get("type") == PAGES)
    return "; ".join(dict.fromkeys(places))


def append_pages(text: str, places: str) -> str:
    """Return what stands behind a text that is from these places, so that white space at its end stays at the end."""
    if not places or places in text:
        return ""
    gap = text[len(text.rstrip()) :]
    return f"{'' if gap else ' '}({places}){gap}"


def _name_place(citation: Mapping[str, Any]) -> str:
    first, last = citation["start_page_number"], citation["end_page_number"] - 1  # the end is the page behind the last
    words = file_access.PAGES if last > first else file_access.PAGE
    name = " ".join(_FORMATTING.sub(" ", clean_line(citation.get("document_title") or "")).split())
    return ", ".join(filter(None, (name, words.format(first=first, last=last))))
