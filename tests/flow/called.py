"""Turns in which the model calls a tool, what it was told of it, and what people can press in a message."""

from __future__ import annotations

from typing import Any

from app.playground.claude import Pace, Text, ToolCall, Turn
from app.playground.slack.values.controls import find_controls
from app.playground.slack.values.model import Message
from tests.flow.chat import Chat

SPEAKING = Pace(chunk=4, seconds=0.015)
"""Slow enough that the first words are shown while the rest is still to come. What is over before its first words can
be shown may take two of the few places that Slack has for posts, and a thread with cards waits for the next."""


def spoken(*turns: Turn | str) -> list[Turn]:
    """These turns; the plain words among them at a speaking pace."""
    return [Turn(text=turn, pace=SPEAKING) if isinstance(turn, str) else turn for turn in turns]


def calls(tool: str, text: str = "", /, **given: Any) -> Turn:
    """The model says something, if anything, and calls one tool."""
    said = [Text(text)] if text else []
    return Turn(parts=[*said, ToolCall(tool, given)])


def asks(prompt: str, *options: str, **more: Any) -> Turn:
    """The model asks the owner to choose."""
    return calls("ask_user", type="choice", prompt=prompt, options=list(options), **more)


def results(chat: Chat) -> list[tuple[str, bool]]:
    """What the model was told of its calls in the newest request, and whether that was a refusal."""
    found = chat.claude.requests[-1].prompt.messages[-1].of("tool_result")
    return [(result["content"], bool(result.get("is_error"))) for result in found]


def labels(message: Message) -> list[str]:
    """What stands on the buttons of a message."""
    shown = find_controls(message.blocks or [])
    return [control.element["text"]["text"] for control in shown if control.type == "button"]
