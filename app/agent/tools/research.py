"""Tools to look something up in a decision: they read and change nothing. Others can be given to a box (S4-056)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from pydantic import Field

from app.agent.tools.tool import Input, schema_of
from app.core.marks import clean_name
from app.core.model import Message, Role
from app.core.steps import moment
from app.decision.comparing import plain
from app.decision.noting import as_text
from app.decision.so_far import SoFar

HITS: Final = 10
"""Rows of one search; the newest are told."""

EXCERPT: Final = 200
"""Characters of a row: as many as a quote may have."""

SPOKEN: Final = (Role.PERSON, Role.ASSISTANT)
US: Final = "Threadwise"


@dataclass(frozen=True, slots=True)
class Ground:
    """What can be looked at: the rows of the thread, and what the decision holds so far."""

    rows: tuple[Message, ...]
    so_far: SoFar


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, nothing if nothing was, and what to do with it."""

    found: tuple[Any, ...]
    action: str


I = TypeVar("I", bound=Input)  # noqa: E741


@dataclass(frozen=True, slots=True)
class ResearchTool(Generic[I]):
    """A tool that looks something up."""

    name: str
    description: str
    input: type[I]
    look: Callable[[Ground, I], Found]

    def spec(self) -> dict[str, Any]:
        """The tool as the API wants it."""
        return {"name": self.name, "description": self.description, "input_schema": schema_of(self.input)}


class Read(Input):
    """Input of `read_step`."""

    step: str = Field(min_length=1, max_length=60, description="Its name, such as problem_frame.")


class Search(Input):
    """Input of `search_thread`."""

    words: str = Field(min_length=1, max_length=200, description="Words that all have to be in one message.")


def _read(ground: Ground, given: Read) -> Found:
    results = ground.so_far.results
    result = results.get("_".join(plain(given.step).split()))
    if result is None:
        return Found((), f"Ask people what you need. Approved steps: {', '.join(results) or 'none yet'}.")
    return Found(tuple(as_text(result).splitlines()), "Use it as it was approved; only people can change it.")


def _search(ground: Ground, given: Search) -> Found:
    wanted = plain(given.words).split()
    rows = [row for row in ground.rows if row.role in SPOKEN and row.is_sendable and row.text]
    hits = [row for row in rows if all(word in plain(row.text) for word in wanted)]
    if not hits:
        return Found((), "Nobody has written that here: ask people about it.")
    return Found(tuple(_told(row, wanted) for row in hits[-HITS:]), "Quote it letter for letter where you use it.")


def _told(row: Message, wanted: list[str]) -> dict[str, str]:
    ts = row.ts or next(iter(row.parts), "")
    return {
        "who": clean_name(row.author_name or row.author) if row.role is Role.PERSON else US,
        **({"user": row.author} if row.role is Role.PERSON else {}),
        "when": moment(ts).isoformat(" ", "minutes") if ts else "",
        "quote": _excerpt(row.text, wanted),
    }


def _excerpt(text: str, wanted: list[str]) -> str:
    """The words around the first of those that were wanted, letter for letter."""
    at = max(text.casefold().find(wanted[0]) if wanted else 0, 0)
    begin = max(min(at - EXCERPT // 4, len(text) - EXCERPT), 0)
    return text[begin : begin + EXCERPT].strip()


READ = ResearchTool("read_step", "Read what an earlier step of this decision found, as it was approved.", Read, _read)

SEARCH = ResearchTool(
    "search_thread", "Find messages of this thread that contain words: who wrote them, and when.", Search, _search
)

RESEARCH: Final[tuple[ResearchTool[Any], ...]] = (READ, SEARCH)
"""The ones that ship."""
