"""Calls of the scripted demo model in a step, and the parts of people's words that they are made of. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.step.changes import without_handle
from app.playground.claude.demo.step.scene import StepScene
from app.playground.claude.demo.step.words import is_chat, is_for_us, is_meant_for_us

NOTE, SET = "note_item", "set_fields"
TEXT, LINE = 500, 100
"""Characters that the tools accept."""
_QUOTE = 200


@dataclass(frozen=True)
class Taken:
    """What was understood of people's words: the calls that note it, and the pieces that were not understood."""

    calls: Sequence[ToolCall] = ()
    left: Sequence[str] = ()


def note(path: str, fields: Mapping[str, Any], quote: str = "") -> ToolCall:
    """Return the call that notes an item of a list, with the words it comes from."""
    return ToolCall(NOTE, {"list": path, "fields": fields, **({"quote": quote[:_QUOTE]} if quote else {})})


def fill(**fields: Any) -> ToolCall:
    """Return the call that notes fields outside of lists."""
    return ToolCall(SET, {"fields": fields})


def sort_pieces(pieces: Sequence[str], *, labelled: bool = False) -> tuple[list[str], list[str]]:
    """Return the thoughts among the pieces of a text, and what may be meant for the program instead.

    With `labelled`, a handle before a thought is a label, and a thought about handles is no item.
    """
    kept, left = list[str](), list[str]()
    for piece in pieces:
        said = without_handle(piece) if labelled else piece
        if said and is_chat(said):
            continue
        (left if not said or is_meant_for_us(said) or is_for_us(said) else kept).append(said or piece)
    return kept, left


def is_needed(scene: StepScene, words: str) -> bool:
    """Return True if the step still needs something that the app calls by these words."""
    return any(words in need for need in scene.needs)


def cut(words: str, most: int) -> str:
    """Return the words, at a space cut to at most so many characters."""
    return words if len(words) <= most else words[: most - 1].rsplit(" ", 1)[0] + "…"
