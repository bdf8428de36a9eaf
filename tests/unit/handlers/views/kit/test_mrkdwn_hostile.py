"""Answers made to be slow to read: the chain from the model to Slack takes a few steps for each character of them.

Each text takes well under half a second of the processor, and took from two seconds to half a minute or for ever where
a pattern or a loop went over the same characters again and again.
"""

from __future__ import annotations

import time

import pytest

from app.core.errors import TooLong
from app.core.text.sanitize import MAX_BYTES, purify, sanitize
from handlers.views.kit.mrkdwn import split_pages, split_previews

LENGTH = 40_000
MOST_SECONDS = 1.5
"""Of the processor, so that a busy machine makes little of it."""
LONGEST_MESSAGE = 4_000
"""Characters; Slack's limit."""


def filled(pattern: str, length: int = LENGTH) -> str:
    return pattern * (length // len(pattern))


REPEATED = (
    *("*", "_", "~", "`", "[", "]", "(", "<", ">", "@", "&", "\\", "|", "-", " ", "\t", "a", "🏠", "\u0301"),
    *("](", "]:", "[a", "[a](", "[a](http://b.c)", "](a", "[ ", "< ", "<!", "<a", "<http://b ", "@here"),
    *("- ", "> ", "1. ", "| ", "*a ", "_a", "~~ ", "`a", "\\`", "&#", "&amp;", "www.", "a.", "m ", "[INST]", "[ INST"),
)
EMPTY_CELLS = filled("   |", 800)
SHAPED = {
    "a table of empty cells": f"| - |\n| - |{EMPTY_CELLS} off |\n| - |\n|{EMPTY_CELLS} off |\n|:-{EMPTY_CELLS} off",
    "a row of empty cells": f"| a |\n| - |{filled('   |')} off |\n",
    "many tables": filled("| a |\n| - |   |   |   |   |   |   |   |   |   |   |   |   |   | off |\n\n"),
    "list in list": f"{filled('- ')}x",
    "numbers in lists": f"{filled('1. - ')}x",
    "quote in quote": f"{filled('> ')}x",
    "deep lists": "\n".join("  " * depth + "- a" for depth in range(300)),
    "deep quotes": "\n".join("> " * depth + "a" for depth in range(300)),
    "a rule that is none": f"{filled('-    ')}x",
    "spaces before a word": f"{filled(' ')}x y",
    "spaces after a word": f"x{filled(' ')}",
    "spaces after a mark": f"-{filled(' ')}x y",
    "brackets that may define": f"{filled(' ')}[a{filled(']:')}",
    "a label that may name hosts": f"[{filled(f'[-{filled(chr(97) + chr(46), 250)}-b]', 25_000)}](http://b.example)",
    "a link within links": f"[{filled('[a]')}](http://b.example)",
    "an address that never ends": f"[a]({filled('(a)')}",
    "a fence within a line": f"{filled('```')}[",
    "a mention that never ends": f"<@{filled('a')}",
    "markers that nearly end": f"[INST]{filled('[ / INST')}{filled(']')}",
    "marks out of order": f"a{chr(0x315) * LENGTH}{chr(0x300) * LENGTH}",
    "empty lines": filled("\n", 16_000),
    "all of it": filled("[a `*_ ~~<b|c> ](]: &# \\- > | - | \t```\n"),
}
TEXTS = {**{f"{pattern!r} repeated": filled(pattern) for pattern in REPEATED}, **SHAPED}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", TEXTS.values(), ids=[ascii(name) for name in TEXTS])
def test_no_text_holds_up_everybody_else(text: str) -> None:
    began = time.process_time()
    shown = [*split_previews(text), *split_pages(purify(text))]
    assert time.process_time() - began < MOST_SECONDS
    assert max(map(len, shown), default=0) <= LONGEST_MESSAGE
    assert len(shown) <= 2 * (text.count("\n") + len(text) // 1_500 + 1)


def test_an_answer_one_character_too_long_is_refused_but_was_shown_while_it_grew() -> None:
    answer = "🏠" * (MAX_BYTES // len("🏠".encode()) + 1)
    assert "".join(split_previews(answer)) == answer[:-1]
    with pytest.raises(TooLong):
        sanitize(answer)
