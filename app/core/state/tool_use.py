"""The tool uses of one round of a turn, and how far each has come."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.core.state.permission import Coverage, Standing
from app.core.text.marks import clean_result

INTERRUPT_USER = "[Request interrupted by user]"
"""Fixed wording."""

INTERRUPT_TOOL = "[Request interrupted by user for tool use]"
"""Fixed wording."""

INTERRUPT_EXPLANATION = (
    "The user doesn't want to proceed with this tool use. "
    "The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). "
    "STOP what you are doing and wait for the user to tell "
    "you how to proceed."
)
"""Fixed wording."""

NOT_WANTED: Final = f"{INTERRUPT_TOOL}\n\n{INTERRUPT_EXPLANATION}"
"""Result of a use that the owner has stopped."""

DENIED = (
    "Permission to use {tool} denied. It was forbidden for good, by the owner or for this workspace: say so where it "
    "matters. `/threadwise permissions` shows by what."
)
"""The first words are fixed."""

UNKNOWN_OUTCOME = "It is not known whether this was done. Do not repeat it; ask the owner to look."

QUOTED_CHARS = 200
"""Characters of the input that tell a use from similar ones."""

_INNER_QUOTES = str.maketrans("“”", "‘’")
"""Within a quotation, others have single marks."""


class UseState(StrEnum):
    """State of a tool use."""

    OPEN = "open"
    """Not begun."""
    ASKED = "asked"
    """Waiting for the owner's permission."""
    ALLOWED = "allowed"
    DENIED = "denied"
    STARTED = "started"
    """Possibly done: never begun again, because some actions must not happen twice."""
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """A result of work that people will want to find again."""

    name: str
    address: str = ""
    """Its address; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One tool use, as the model wrote it and as the owner is asked about it."""

    id: str
    """Id from the model, also the key under which the call is done once."""
    tool: str
    input: str
    """Sanitized JSON."""
    state: UseState = UseState.OPEN
    result: str = ""
    """The result for the model, once done."""
    failed: bool = False
    since: str = ""
    """Slack's ts of the moment before it was first attempted."""
    title: str = ""
    """For a request of permission: the action in plain words."""
    shown: str = ""
    scope: str = ""
    covers: str = ""
    described: str = ""
    """Digest of what its server said of the tool when the owner was asked; empty for our own tools."""
    said_of: str = ""
    """That in words; empty if it said nothing."""
    makes: str = ""
    """Name of its result; empty if it leaves none."""
    address: str = ""
    """Address of that result, once done."""
    sources: tuple[str, ...] = ()
    """Sources of its result."""
    target: str = ""
    """Slack's id of the channel that it writes to."""
    standing: Standing | None = None
    """Properties of that channel when the owner was asked."""
    remarks: tuple[str, ...] = ()
    """Reasons for asking the owner although there may be a rule."""
    ruled: tuple[Coverage, ...] = ()
    """What a permanent decision covers; empty if that is the scope."""
    recommended: bool = False
    """True if the owner has often allowed the same, so that the card recommends to allow it for good."""
    by_rule: bool = False
    """True if a rule of the owner allowed it."""

    @property
    def is_unsure(self) -> bool:
        """Return True if the outcome is unknown: the use may or may not have been done."""
        return self.state is UseState.STARTED or (self.state is UseState.DONE and self.result == UNKNOWN_OUTCOME)

    def block(self) -> dict[str, Any]:
        """Return the API's block with the result for the model."""
        result = self.result if self.result == NOT_WANTED else clean_result(self.result)
        return build_result_block(self.id, result, failed=self.failed)


def build_result_block(use: str, result: str, *, failed: bool) -> dict[str, Any]:
    """Return the API's block with the result of the use with this id."""
    told: dict[str, Any] = {"type": "tool_result", "tool_use_id": use, "content": result}
    return told | {"is_error": True} if failed else told


def list_outputs(uses: Iterable[Use]) -> tuple[ToolOutput, ...]:
    """Return the results of the uses that are done."""
    done = (use for use in uses if use.state is UseState.DONE and not use.failed)
    return tuple(ToolOutput(name=use.makes, address=use.address) for use in done if use.makes)


def find_open_round(content: str) -> list[str]:
    """Return the ids of the uses at the end of a turn's messages: they have no result yet."""
    said = json.loads(content or "[]")
    return [block["id"] for block in said[-1]["content"] if block["type"] == "tool_use"] if said else []


def interrupt_use(use: Use) -> Use:
    """Return the use as rejected by the owner; one that is done stays as it is."""
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
    """Return the action of a use, in words that tell it from similar ones."""
    words = " ".join(use.shown.split()).translate(_INNER_QUOTES)
    quoted = f" (“{words[:QUOTED_CHARS]}”)" if words else ""
    return f"{use.title}{quoted}"


def list_accomplished(uses: Iterable[Use]) -> tuple[str, ...]:
    """Return the actions done that must not be done twice."""
    return tuple(describe_use(use) for use in uses if use.state is UseState.DONE and use.title and not use.failed)
