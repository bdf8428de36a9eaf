"""Tools to look something up in a decision. They change nothing. An interview's toolset may be given other ones."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from app.agent.tools.interview.notes import DISCUSSION
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import Input, PureTool
from app.agent.tools.trial import InterviewTrial
from app.core.conversation.conversation import Message, Role
from app.core.conversation.transition import parse_ts
from app.core.text.marks import clean_name
from app.decision.drafts.noting import render_text
from app.decision.schema.similarity import normalize

HITS: Final = 10
"""Messages of one search, the newest ones."""

EXCERPT: Final = 200
"""Characters of a message: as many as a quote may have."""

SPOKEN: Final = (Role.PERSON, Role.ASSISTANT)
US: Final = "Threadwise"


class Read(Input):
    """Input of `read_step`."""

    step: str = Field(min_length=1, max_length=60, description="Its name, such as problem_frame.")


class Search(Input):
    """Input of `search_thread`."""

    words: str = Field(min_length=1, max_length=200, description="Words that all have to be in one message.")


def _read(trial: InterviewTrial, given: Read) -> ToolResult:
    results = trial.notebook.so_far.results
    result = results.get("_".join(normalize(given.step).split()))
    if result is None:
        return _report(given, [], f"Ask people what you need. Approved steps: {', '.join(results) or 'none yet'}.")
    return _report(given, render_text(result).splitlines(), "Use it as it was approved; only people can change it.")


def _search(trial: InterviewTrial, given: Search) -> ToolResult:
    wanted = normalize(given.words).split()
    spoken = [each for each in trial.messages if each.role in SPOKEN and each.is_sendable and each.text]
    hits = [each for each in spoken if all(word in normalize(each.text) for word in wanted)]
    if not hits:
        return _report(given, [], "Nobody has written that here: ask people about it.")
    return _report(
        given, [_render_hit(each, wanted) for each in hits[-HITS:]], "Quote it letter for letter where you use it."
    )


def _report(given: Input, found: list[Any], action: str) -> ToolResult:
    return ToolResult(report_findings(given.model_dump(), action, found=found))


def _render_hit(message: Message, wanted: list[str]) -> dict[str, str]:
    ts = message.ts or next(iter(message.parts), "")
    return {
        "who": clean_name(message.author_name or message.author) if message.role is Role.PERSON else US,
        **({"user": message.author} if message.role is Role.PERSON else {}),
        "when": parse_ts(ts).isoformat(" ", "minutes") if ts else "",
        "quote": _cut_excerpt(message.text, wanted),
    }


def _cut_excerpt(text: str, wanted: list[str]) -> str:
    """Return the text around the first of the wanted words, letter for letter."""
    at = max(text.casefold().find(wanted[0]) if wanted else 0, 0)
    begin = max(min(at - EXCERPT // 4, len(text) - EXCERPT), 0)
    return text[begin : begin + EXCERPT].strip()


READ = PureTool(
    name="read_step",
    description="Read what an earlier step of this decision found, as it was approved.",
    input=Read,
    availability=DISCUSSION,
    run=_read,
)

SEARCH = PureTool(
    name="search_thread",
    description="Find messages of this thread that contain words: who wrote them, and when.",
    input=Search,
    availability=DISCUSSION,
    run=_search,
)

RESEARCH: Final[tuple[PureTool[InterviewTrial, Any], ...]] = (READ, SEARCH)
"""The ones that ship."""
