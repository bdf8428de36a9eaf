"""What is code in a Markdown text, and what is open at its end."""

from __future__ import annotations

import pytest

from app.core.text.markdown import (
    DEEPEST_ITEMS,
    DEEPEST_MARKS,
    LONGEST_LABEL,
    LONGEST_MARK,
    Blocks,
    LineKind,
    find_open_link,
    find_open_marks,
    find_paragraph,
)

TEXT, OPENS, CODE, CLOSES = LineKind.TEXT, LineKind.OPENS, LineKind.CODE, LineKind.CLOSES


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a\n```py\nx\n```\nb", [TEXT, OPENS, CODE, CLOSES, TEXT]),
        ("````\n```\n````", [OPENS, CODE, CLOSES]),
        ("~~~\n```\n\n~~~~", [OPENS, CODE, CODE, CLOSES]),
        ("```\n``` py\n```", [OPENS, CODE, CLOSES]),
        ("```a`b\n", [TEXT, TEXT]),
        ("    ```\n", [TEXT, TEXT]),
        ("- a\n  ```\n  x\n\n  ```\n", [TEXT, OPENS, CODE, CODE, CLOSES, TEXT]),
        ("- ```\n  x\ny\n", [OPENS, CODE, TEXT, TEXT]),
        ("1. a\n   - b\n     ```\n     x\n     ```", [TEXT, TEXT, OPENS, CODE, CLOSES]),
        ("- a\n\n      ```\n", [TEXT, TEXT, TEXT, TEXT]),
        ("- a\nb\n  ```\nx", [TEXT, TEXT, OPENS, CODE]),
        ("-\n  ```\n  x", [TEXT, OPENS, CODE]),
        ("* * *\n    ```", [TEXT, TEXT]),
        ("> ```\n> x\n> ```\n", [OPENS, CODE, CLOSES, TEXT]),
        ("> ```\n> x\ny", [OPENS, CODE, TEXT]),
        ("- a\n> b\n  ```\nx", [TEXT, TEXT, OPENS, CODE]),
        ("```\n> x\n```", [OPENS, CODE, CLOSES]),
    ],
)
def test_each_line_is_known_for_what_it_is(text: str, kinds: list[LineKind]) -> None:
    blocks = Blocks()
    assert [blocks.take(f"{line}\n") for line in text.split("\n")] == kinds


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("a **b", ["**"]),
        ("a **b *c", ["**", "*"]),
        ("a ***b", ["**", "*"]),
        ("a ***b*", ["**"]),
        ("a **b*", ["*"]),
        ("a **b *c**", ["*"]),
        ("a ~~b **c~~ d", []),
        ("a `b **c", ["`"]),
        ("a ``b ` c`` *d", ["*"]),
        (r"`a \` *b", ["*"]),
        (r"\*a \`b", []),
        ("2 * 3 ** 4", []),
        ("snake_case_name and _a", ["_"]),
        ("(*a", ["*"]),
        ("[**a** b](https://x.example/*_(_)) https://x.example/_a", []),
        ("<https://x.example/_a*b>", []),
        ("_a " * 50, ["_"] * DEEPEST_MARKS),
        ("*" * 50 + "a", ["**"] * DEEPEST_MARKS),
        ("`" * (LONGEST_MARK + 1) + "a", []),
    ],
)
def test_open_marks_are_found(text: str, marks: list[str]) -> None:
    assert find_open_marks(text) == marks


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a [b", "a "),
        ("a [b]", "a "),
        ("a [b](c", "a "),
        ("a [b](c)", "a [b](c)"),
        ("a [b] c", "a [b] c"),
        ("a [![b](c)", "a "),
        ("a [![b](c)](d", "a "),
        ("a [b [c] d", "a "),
        ("a [b](c\nd", "a [b](c\nd"),
        ("a ] b", "a ] b"),
        (r"a \[b", r"a \[b"),
        ("a <https://b", "a "),
        ("a <https://b> c", "a <https://b> c"),
        ("a <https://b c", "a <https://b c"),
        ("a [b <https://c", "a "),
        ("a <https://c[b", "a "),
        ("[" + "b" * LONGEST_LABEL, "[" + "b" * LONGEST_LABEL),
    ],
)
def test_an_open_link_begins_at_its_outermost_bracket(text: str, shown: str) -> None:
    assert text[: find_open_link(text)] == shown


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("a\nb", "a\nb"),
        ("a\n\nb", "b"),
        ("a\n>\n> b", "> b"),
        ("- a\n  - b\nc", "  - b\nc"),
        ("1. a", "1. a"),
        ("# a\nb", "b"),
        ("a\n---\nb", "b"),
        ("```\n", ""),
        ("| a |\n| b |\nc", "c"),
    ],
)
def test_marks_reach_no_further_than_their_paragraph(text: str, last: str) -> None:
    assert text[find_paragraph(text) :] == last


@pytest.mark.parametrize("text", ["- " * 1_000, "".join(f"{'  ' * depth}- a\n" for depth in range(20))])
def test_lists_deeper_than_anybody_reads_are_text_of_the_deepest(text: str) -> None:
    blocks = Blocks()
    for line in text.splitlines():
        blocks.take(f"{line}x\n")
    assert blocks.items == [2 * (depth + 1) for depth in range(DEEPEST_ITEMS)]
