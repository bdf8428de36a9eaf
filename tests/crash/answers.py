"""What the scripted model says: an answer that names the messages it answers and can be told whole from cut.

A message carries a token (`q3.1`); its last letter says what the answer is like: `s` comes slowly, `l` takes pages,
`a` ends with a question whose first button says the token of its answer, which ends with `b`; before `r` something is
read, and its answer comes slowly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.playground.claude import Prompt, ToolCall
from tests.told import words

ONE = r"q\d+\.\d+[slabr]?"
TOKEN = re.compile(rf"\b{ONE}\b")
HEAD = re.compile(rf"Answer to ({ONE}(?:, {ONE})*|nobody \d+):")
END = "That is all."
WORDS, SLOW_WORDS, LONG_WORDS = 8, 60, 1_100
PARAGRAPH = 50  # words
READS = ToolCall("read_channel", {"channel": "#ops"})

_NOT_THE_OWNER_S = re.compile(r"<note>.*?</note>|<message .*?</message>|\[Earlier conversation.*?\]", re.DOTALL)


def asked(prompt: Prompt) -> tuple[str, ...]:
    """The tokens of the owner's messages that a request wants answered."""
    return tuple(dict.fromkeys(TOKEN.findall(_NOT_THE_OWNER_S.sub("", words(prompt.last_user_text)))))


def question(tokens: Sequence[str]) -> ToolCall | None:
    """What the model asks with its answer to these messages, if one of them is of that kind."""
    asking = next((token for token in tokens if token.endswith("a")), None)
    if asking is None:
        return None
    options = [f"{asking[:-1]}b", "neither of them"]
    return ToolCall("ask_user", {"type": "choice", "prompt": f"Which for {asking}?", "options": options})


def reading(tokens: Sequence[str], prompt: Prompt) -> ToolCall | None:
    """What the model reads before it answers these messages, if one of them is of that kind, until it has read it."""
    has_read = bool(prompt.messages[-1].of("tool_result"))
    return None if has_read or not any(token.endswith("r") for token in tokens) else READS


def whole(tokens: Sequence[str], history: int = 0) -> str:
    """The complete answer to these messages. Without any, `history` tells one such answer from another."""
    count = max((_words(token) for token in tokens), default=WORDS)
    name = ", ".join(tokens) or f"nobody {history}"
    words = [f"{tokens[0] if tokens else 'w'}-{number}" for number in range(count)]
    paragraphs = [" ".join(words[at : at + PARAGRAPH]) for at in range(0, count, PARAGRAPH)]
    return f"Answer to {name}: " + "\n\n".join(paragraphs) + f" {END}"


def named(words: str) -> tuple[str, ...] | None:
    """The tokens that an answer names; None if its head is not complete, or it is none."""
    head = HEAD.match(words)
    return tuple(TOKEN.findall(head[1])) if head else None


def _words(token: str) -> int:
    return {"s": SLOW_WORDS, "r": SLOW_WORDS, "l": LONG_WORDS}.get(token[-1], WORDS)
