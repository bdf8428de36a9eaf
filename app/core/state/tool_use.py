"""The tool uses of one round of a turn: what the model wants done outside, and how far each has come (T7, T8)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.core.state.permission import Covered, Standing
from app.core.text.marks import clean_result

INTERRUPT_USER = "[Request interrupted by user]"
"""S3-013, to the letter."""

INTERRUPT_TOOL = "[Request interrupted by user for tool use]"
"""S3-014, to the letter."""

INTERRUPT_EXPLANATION = (
    "The user doesn't want to proceed with this tool use. "
    "The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). "
    "STOP what you are doing and wait for the user to tell "
    "you how to proceed."
)
"""S3-015, to the letter."""

NOT_WANTED: Final = f"{INTERRUPT_TOOL}\n\n{INTERRUPT_EXPLANATION}"
"""What is told of a use that the owner does not want to go on with."""

DENIED = "Permission to use {tool} denied"
"""Domain §2.14."""

UNKNOWN_OUTCOME = "It is not known whether this was done. Do not repeat it; ask the owner to look."

QUOTED_CHARS = 200
"""Of what was to be done, by which it is told from others like it."""


class UseState(StrEnum):
    """How far a use has come."""

    OPEN = "open"
    """Nothing has been done about it."""
    ASKED = "asked"
    """The owner is asked."""
    ALLOWED = "allowed"
    DENIED = "denied"
    STARTED = "started"
    """It may have been done: it is never begun again (design §3)."""
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """Something that work has brought forth, and that people will want to find again."""

    name: str
    address: str = ""
    """Where it stands; empty if nobody tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One tool use, as the model wrote it and as the owner is asked about it."""

    id: str
    """The model's: also the key under which it is done once."""
    tool: str
    input: str
    """JSON, sanitised."""
    state: UseState = UseState.OPEN
    result: str = ""
    """What the model is told, once it is done."""
    failed: bool = False
    since: str = ""
    """Slack's ts of the moment before it was first attempted."""
    title: str = ""
    """Of one that is asked about: what it would do, in plain words."""
    shown: str = ""
    scope: str = ""
    covers: str = ""
    makes: str = ""
    """What comes of it, by name; empty if nothing is left of it."""
    address: str = ""
    """Where that stands, once it is done."""
    sources: tuple[str, ...] = ()
    """The places that its result came from."""
    target: str = ""
    """Slack's id of the channel whose readers read what it writes."""
    standing: Standing | None = None
    """How that channel stood when the owner was asked."""
    remarks: tuple[str, ...] = ()
    """Why the owner is asked although there may be a rule."""
    ruled: tuple[Covered, ...] = ()
    """What a decision for good covers; empty if that is the scope."""
    by_rule: bool = False
    """True if a rule of the owner allowed it."""

    @property
    def is_unsure(self) -> bool:
        """True if nobody knows whether it was done."""
        return self.state is UseState.STARTED or (self.state is UseState.DONE and self.result == UNKNOWN_OUTCOME)

    def block(self) -> dict[str, Any]:
        """The block that tells the model what came of it (S3-010, S3-011)."""
        result = self.result if self.result == NOT_WANTED else clean_result(self.result)
        return build_result_block(self.id, result, failed=self.failed)


def build_result_block(use: str, result: str, *, failed: bool) -> dict[str, Any]:
    """The API's block with what came of a use, by its id."""
    told: dict[str, Any] = {"type": "tool_result", "tool_use_id": use, "content": result}
    return told | {"is_error": True} if failed else told


def list_outputs(uses: Iterable[Use]) -> tuple[Made, ...]:
    """What has come of those that are done."""
    done = (use for use in uses if use.state is UseState.DONE and not use.failed)
    return tuple(Made(name=use.makes, address=use.address) for use in done if use.makes)


def find_open_round(content: str) -> list[str]:
    """The ids of the uses at the end of what a turn has said: of these nothing has been told yet (I12)."""
    said = json.loads(content or "[]")
    return [block["id"] for block in said[-1]["content"] if block["type"] == "tool_use"] if said else []


def interrupt_use(use: Use) -> Use:
    """A use that the owner does not want to go on with (S3-012); one that is done stays as it is."""
    if use.state is UseState.DONE:
        return use
    return Use(
        id=use.id,
        tool=use.tool,
        input=use.input,
        state=UseState.DONE,
        result=NOT_WANTED,
        failed=True,
    )


def describe_use(use: Use) -> str:
    """What a use does, in words that tell it from others like it."""
    words = " ".join(use.shown.split())
    quoted = f" (“{words[:QUOTED_CHARS]}”)" if words else ""
    return f"{use.title}{quoted}"


def list_accomplished(uses: Iterable[Use]) -> tuple[str, ...]:
    """What was done outside of what may not be done twice."""
    return tuple(describe_use(use) for use in uses if use.state is UseState.DONE and use.title and not use.failed)
