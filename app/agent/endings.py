"""Endings of a turn: the decision to ask the model once more, and the summary in place of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.agent.activity import list_results, read_fields
from app.agent.tools.tool import ExternalTool
from app.core.conversation.conversation import MessageStatus
from app.core.copy import texts
from app.core.text.addresses import DOMAIN, accept_address, name_page, names_address, write_link
from app.core.text.cutting import cut
from app.core.text.question_marks import asks
from app.core.text.sanitize import purify
from app.ports import ModelReply

PAUSED = "pause_turn"
"""Stop reason of a partial reply that must be sent back unchanged."""

KNOWN = frozenset(
    {"end_turn", "stop_sequence", "max_tokens", "refusal", "tool_use", "content_filtered", "guardrail_intervened"}
)
"""Stop reasons that decide by themselves; after any other, the text decides."""

DONE = frozenset({"end_turn", "stop_sequence"})
"""Those of them with which the model says that it is done."""

NUDGE = "Go on."
DO_IT = "You ended before you did what you announced. Do it now, or say in a sentence why you cannot."
PLAN_IT = (
    "You promised something for later, and nothing is planned here: it would not be done. Plan it with schedule_work "
    "now, or say in a sentence that you will not do it by yourself."
)

CUT_CALL = (
    "[Cut off at the greatest length of an answer: my call was not carried out. It has to be shorter, or in parts.]"
)
CUT_EARLY = "[Cut off at the greatest length of an answer before its first word. It has to be shorter.]"

BEGINNING = "Based on the tool executions:"
"""Fixed wording."""

BULLET_CHARS = 240
"""Characters of the sentence of one tool."""

MOST_BULLETS = 10
MOST_LINKS = 20

USED = "Used: {tool}."
"""The sentence of a tool that has no words for its result."""


def summarize_results(said: Sequence[dict[str, Any]], tools: Mapping[str, ExternalTool[Any]]) -> str:
    """Return a bullet for each successful result of these tools since the last text; empty if there is none.

    `said` is the turn as the API's messages.
    """
    spoken = (
        at
        for at, message in enumerate(said)
        if any(block["type"] == "text" and block["text"].strip() for block in message["content"])
    )
    bullets = [_render_bullet(*each) for each in list_results(said, tools, since=max(spoken, default=0))]
    return "\n".join((BEGINNING, *bullets[:MOST_BULLETS])) if bullets else ""


def cite_pages(said: Sequence[dict[str, Any]], tools: Mapping[str, ExternalTool[Any]], text: str) -> str:
    """Return a list of links to the web pages that the results of these tools come from; empty if there are none.

    A page that the text names already is left out; one whose address is too long for a link is named.
    `said` is the turn as the API's messages.
    """
    links: dict[str, str] = {}
    for tool, result in list_results(said, tools):
        for title, url in read_fields(tool.links, result, ()):
            address = accept_address(url)
            if address and not names_address(text, address):
                links.setdefault(address, f"- {write_link(title, address)}")
            elif DOMAIN.fullmatch(url):
                page = name_page(title, url)
                links.setdefault(page, f"- {texts.LONG_SOURCE.format(page=page)}")
    return texts.SOURCES.format(links="\n".join([*links.values()][:MOST_LINKS])) if links else ""


def explain_cut(reply: ModelReply) -> list[dict[str, Any]]:
    """Return a block that tells the model what is lost of a reply that was cut at its greatest length, if anything.

    Of its words nothing is lost. Without the block it would repeat a call that is too long, or go on from nothing.
    """
    if reply.status is not MessageStatus.TRUNCATED:
        return []
    has_call = any(block["type"] == "tool_use" for block in json.loads(reply.content))
    lost = CUT_CALL if has_call else "" if reply.text.strip() else CUT_EARLY
    return [{"type": "text", "text": lost}] if lost else []


def collect_newest_words(said: Sequence[dict[str, Any]], is_outside: Callable[[str], bool]) -> str:
    """Return the model's words of a turn since people last wrote, or a tool was last called that reaches outside.

    `said` is the turn as the API's messages; `is_outside` judges the tool of a name.
    """
    words = ""
    for message in said:
        for block in message["content"]:
            if block["type"] == "text":
                words = words + block["text"] if message["role"] == "assistant" else ""
            elif block["type"] == "tool_use" and is_outside(block["name"]):
                words = ""
    return words


def _render_bullet(tool: ExternalTool[Any], result: str) -> str:
    words = " ".join(purify(read_fields(tool.tell, result, "")).split())
    return f"- {cut(words, BULLET_CHARS) or USED.format(tool=tool.name.replace('_', ' '))}"


PHRASES = (
    "let me",
    "i'll now",
    "i will now",
    "next, i",
    "continuing with",
    "moving on to",
    "i'll proceed",
    "let's",
    "i need to",
    "i should",
)
WAITING = ("let me know", "let's see what you")


_ANNOUNCED = re.compile(
    r"(?:(?:ok|okay|sure|right|all right|great|good|now|then|first|next|so|and)\b[,!]?\s+)*"
    r"(?:let me (?!know\b)|i'll now\b|i will now\b|i'm now going to\b|i am now going to\b|now i'll\b|next,? i'll\b"
    r"|i'll go ahead and\b)"
)
_AT_ONCE = re.compile(
    r"(?:i'll|i will) (?:add|change|check|close|compare|correct|create|delete|do|fetch|find|get|go|look|make|move|open"
    r"|post|put|read|remove|search|send|set|share|start|update|write)\b.*"
    r"(?<!for )(?<!by )\b(?:now|right away|straight away|at once|immediately)\W*"
)
_PROMISED = re.compile(
    r"(?:i'll|i will) (?:also |then )?(?:ask|check|come back|do|follow up|get back|nudge|ping|post|remind|report|send"
    r"|tell)\b"
)
_DAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekday|day|morning|evening|week|month|hour)s?"
_AT_A_TIME = re.compile(
    rf"\b(?:(?:every|each) (?:\w+ )?{_DAYS}|daily|weekly|monthly|tomorrow|tonight|next {_DAYS}|on {_DAYS}|at \d"
    r"|in (?:an?|\d+|two|three) (?:minute|hour|day|week)s?)\b"
)
_LATER = re.compile(r"\b(?:if|once|when|whenever|unless|until|after|as soon as|tomorrow|later)\b")
_SENTENCE = re.compile(r"(?<=[.!:\u2026])\s+|\n+")


def announces_act(text: str) -> bool:
    """Return True if the last sentence announces something that is to be done at once, and waits for nobody."""
    last = (_split_sentences(text) or [""])[-1]
    is_announced = _ANNOUNCED.match(last) or _AT_ONCE.fullmatch(last)
    return bool(is_announced) and not _LATER.search(last) and not asks(text)


def promises_later(text: str) -> bool:
    """Return True if the text promises to do something by itself at a time, and waits for no answer.

    Only its first and its last sentence are read: what stands between may be a letter that it drafts for somebody.
    """
    sentences = _split_sentences(text)
    ends = (*sentences[:1], *sentences[-1:])
    return not asks(text) and any(_PROMISED.match(each) and _AT_A_TIME.search(each) for each in ends)


def _split_sentences(text: str) -> list[str]:
    """Return the sentences in the form that the patterns match: small, with straight apostrophes."""
    return [each.strip() for each in _SENTENCE.split(text.lower().replace("\u2019", "'")) if each.strip()]


def choose_nudge(stop_reason: str, text: str, *, is_planned: bool) -> dict[str, Any] | None:
    """Return the message that asks the model once more after a reply without a use; None if the reply ends the turn.

    `is_planned` tells that something is done later by itself, or that nothing can be planned.
    """
    if stop_reason not in DONE:
        is_unsure = stop_reason not in KNOWN and needs_continuation(text)
        return _build_nudge(NUDGE) if is_unsure else None
    if announces_act(text):
        return _build_nudge(DO_IT)
    return _build_nudge(PLAN_IT) if not is_planned and promises_later(text) else None


def was_nudged(said: Sequence[dict[str, Any]]) -> bool:
    """Return True if the model was asked once more in this turn, which `said` is as the API's messages."""
    return any(_build_nudge(words) in said for words in (NUDGE, DO_IT, PLAN_IT))


def _build_nudge(words: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": words}]}


def needs_continuation(text: str) -> bool:
    """Return True if the text announces more work and does not wait for an answer."""
    if asks(text):
        return False
    said = text.lower().replace("\u2019", "'").strip()
    for waiting in WAITING:
        said = said.replace(waiting, "")
    return any(phrase in said for phrase in PHRASES)
