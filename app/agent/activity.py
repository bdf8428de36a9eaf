"""What people read of the tools of a turn: what is being done, and in one line what was done. Nothing is quoted."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from app.agent.tools.context import Access
from app.agent.tools.output import count_items
from app.agent.tools.tool import ExternalTool
from app.core.copy import texts
from app.core.state.tool_use import UNKNOWN_OUTCOME, Use
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.core.text.sanitize import purify
from app.ports.servers import name_tool_and_server

T = TypeVar("T")

Tools = Mapping[str, ExternalTool[Any]]

NAMED: Final = 4
"""Things that a line names; the others are counted."""

PHRASE_CHARS: Final = 80
"""Characters of the words about one of them."""

_ONE: Final = re.compile(r"1 (\w+)")
_LOOKS: Final = re.compile(r"[*_~`|\n]")
"""Characters that would look otherwise in the line, or end it."""


def describe_work(uses: Sequence[Use], tools: Tools, done: int = 0) -> str:
    """Return what these tools are about to do for the line that stands meanwhile; empty if there are none.

    `done` of them have ended.
    """
    words = join_words(dict.fromkeys(_describe_use(use.input, tools[use.tool]) for use in uses), NAMED)
    if not words:
        return ""
    counted = texts.HOW_MANY_DONE.format(done=done, count=len(uses)) if len(uses) > 1 else ""
    return texts.USING.format(tools=f"{words[:1].upper()}{words[1:]}{counted}")


def trace_uses(said: Sequence[dict[str, Any]], tools: Tools) -> Iterator[tuple[Access, str]]:
    """Yield for each use of these tools that was done, or may have been, whether it read or wrote, and what of.

    `said` is the turn as the API's messages. It can take long.
    """
    for tool, given, block in _list_ended(said, tools):
        result = str(block["content"])
        if not block.get("is_error"):
            yield tool.access, _describe(tool.trace, result) or _name_done(tool)
        elif result == UNKNOWN_OUTCOME:
            yield tool.access, texts.PERHAPS_DONE.format(what=_describe_use(json.dumps(given), tool))


def list_results(
    said: Sequence[dict[str, Any]], tools: Tools, since: int = 0
) -> Iterator[tuple[ExternalTool[Any], str]]:
    """Yield each successful use of these tools with its result, in the messages from `since` on.

    `said` is the turn as the API's messages.
    """
    for tool, _, block in _list_ended(said, tools, since):
        if not block.get("is_error"):
            yield tool, block["content"]


def _list_ended(
    said: Sequence[dict[str, Any]], tools: Tools, since: int = 0
) -> Iterator[tuple[ExternalTool[Any], Any, Mapping[str, Any]]]:
    """Yield each use of these tools with its input and the block of its result, in the messages from `since` on."""
    calls: dict[str, dict[str, Any]] = {}
    for at, message in enumerate(said):
        for block in cast("list[dict[str, Any]]", message["content"]):
            if block["type"] == "tool_use":
                calls[block["id"]] = block
            elif block["type"] == "tool_result":
                call = calls[block["tool_use_id"]]
                if at >= since and call["name"] in tools:
                    yield tools[call["name"]], call.get("input"), block


def read_fields(read: Callable[[Any], T], fields: str, otherwise: T) -> T:
    """Return what a tool reads in its own input or result. What is not as the tool wants or gives it is `otherwise`."""
    try:
        return read(json.loads(fields))
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return otherwise


def describe_traces(traces: Iterable[tuple[Access, str]]) -> str:
    """Return the line that stays below a reply; empty if nothing was done outside of the thread."""
    known = list(traces)
    looked = join_words(_count_alike(words for access, words in known if access is Access.READ), NAMED)
    wrote = join_words(_count_times(words for access, words in known if access is Access.WRITE), NAMED)
    parts = [texts.LOOKED_AT.format(things=looked) if looked else "", wrote]
    line = "; ".join(filter(None, parts))
    return f"{line[:1].upper()}{line[1:]}"


def _describe_use(given: str, tool: ExternalTool[Any]) -> str:
    return _describe(tool.working, given) or texts.USING_TOOL.format(tool=name_tool_and_server(tool.name))


def _name_done(tool: ExternalTool[Any]) -> str:
    name = name_tool_and_server(tool.name)
    return name if tool.access is Access.READ else texts.USED_TOOL.format(tool=name)


def _describe(tell: Callable[[Any], str], fields: str) -> str:
    return cut(_LOOKS.sub(" ", " ".join(purify(read_fields(tell, fields, "")).split())), PHRASE_CHARS)


def _count_alike(phrases: Iterable[str]) -> list[str]:
    """Return each phrase once: what was counted as one is counted together."""
    counted = Counter(phrases)
    return [
        count_items(count, one[1]) if count > 1 and (one := _ONE.fullmatch(phrase)) else phrase
        for phrase, count in counted.items()
    ]


def _count_times(phrases: Iterable[str]) -> list[str]:
    """Return each phrase once, with how often it is there if that is more than once."""
    counted = Counter(phrases).items()
    return [texts.TIMES.format(what=what, count=count) if count > 1 else what for what, count in counted]
