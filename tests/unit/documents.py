"""Markdown as models write it, generated; and what people see of Markdown, by an independent judge."""

from __future__ import annotations

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

_JUDGE = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

WORD = st.text("abcdefgh äßñ中", min_size=1, max_size=9).map(lambda text: text.replace(" ", "").strip() or "x")
WORDS = st.lists(WORD, min_size=1, max_size=8).map(" ".join)
LONG = st.one_of(
    st.integers(290, 330).map(lambda count: "lorem ipsum " * count),
    st.integers(3_500, 4_000).map("x".__mul__),
    st.integers(70, 80).map(lambda count: "**bold** and [label text](https://example.com/a_b) " * count),
    st.integers(320, 350).map(lambda count: f"**{'bold words ' * count}end** after"),
)
ADDRESS = st.sampled_from(
    ["https://example.com", "https://example.com/a_b*c_(d)?e=f&g=h#i", "http://example.org/" + "long/" * 30]
)


CODE = st.one_of(WORDS.map("`{}`".format), st.just("``a ` b``"), st.just("`x = y[0](z) * *p | q`"))
_MARKED = ["**{}**", "*{}*", "_{}_", "***{}***", "~~{}~~", "**a *{}* b**", "**~~{}~~ _b_**", "_a `b` **{}**_", "{}"]
_LINKED = ["[{}]({})", "[**{}** `b`]({})", "**[{}]({})**", "![{}]({})", "[![{}](http://a.example/b.png)]({})"]
INLINE = st.one_of(
    st.tuples(st.sampled_from(_MARKED), st.one_of(WORDS, CODE)).map(lambda drawn: drawn[0].format(drawn[1])),
    st.tuples(st.sampled_from(_LINKED), WORDS, ADDRESS).map(lambda drawn: drawn[0].format(*drawn[1:])),
    CODE,
    ADDRESS.map("<{}>".format),
    WORDS.map("{} &amp; 👩\u200d🚀 e\u0301".format),
)
SENTENCE = st.lists(INLINE, min_size=1, max_size=4).map(", ".join).map("So {}.".format)
LANGUAGE = st.sampled_from(["", "python", "c++", "objective-c", "diff", "json title=x"])
LINE_OF_CODE = st.sampled_from(
    ["x = y[0](z)", "| a | b |", "# heading", "**bold**", "- item", "", "    indented", "[link](", "~~", "``", "1."]
)


@st.composite
def fences(draw: st.DrawFn, indent: str = "") -> str:
    mark = draw(st.sampled_from(["```", "````", "~~~", "~~~~~"]))
    lines = draw(st.lists(LINE_OF_CODE, max_size=6)) * draw(st.sampled_from([1, 1, 1, 40]))
    inner = draw(st.sampled_from([[], ["```"], ["~~~"]])) if mark in ("````", "~~~~~") else []
    body = [f"{mark}{draw(LANGUAGE)}", *lines, *inner, mark]
    return "\n".join(f"{indent}{line}" if line else "" for line in body)


@st.composite
def tables(draw: st.DrawFn) -> str:
    columns = draw(st.integers(1, 4))
    row = st.lists(st.one_of(WORDS, WORDS.map("**{}**".format), st.just("`x`")), min_size=columns, max_size=columns)
    rows = draw(st.lists(row, min_size=1, max_size=4)) * draw(st.sampled_from([1, 1, 1, 30]))
    lines = [draw(row), ["---"] * columns, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


@st.composite
def lists(draw: st.DrawFn, depth: int = 0) -> str:
    indent = "   " * depth
    mark = draw(st.sampled_from(["-  ", "*  ", "1. "]))
    items: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        items.append(f"{indent}{mark}{draw(SENTENCE)}")
        match draw(st.integers(0, 7)):
            case 0 if depth < 3:
                items.append(draw(lists(depth + 1)))
            case 1:
                items.append(draw(fences(f"{indent}   ")))
            case 2:
                items.append(f"\n{indent}   {draw(SENTENCE)}\n")
            case _:
                pass
    return "\n".join(items)


BLOCK = st.one_of(
    SENTENCE,
    st.lists(SENTENCE, min_size=2, max_size=3).map("\n".join),
    SENTENCE.map("## {}".format),
    SENTENCE.map("> {0}\n> {0}".format),
    SENTENCE.map("> {}\n>\n> ```\n> code\n> ```".format),
    st.just("---"),
    fences(),
    tables(),
    lists(),
)
DOCUMENTS = st.one_of(
    st.lists(BLOCK, min_size=1, max_size=6).map("\n\n".join),
    st.lists(BLOCK | LONG, min_size=1, max_size=3).map("\n\n".join),
    st.lists(BLOCK, min_size=1, max_size=2).map(
        lambda blocks: "\n\n".join([*blocks, ""]) * (9_000 // len("".join(blocks)))
    ),
)
"""Whole and well-formed: every mark in them is markup, but for those in code and after a backslash."""

SOUP = st.lists(
    st.one_of(
        WORDS,
        st.sampled_from([*"*_~`[]()|#>-+!\\&<: \n\t", "**", "~~", "```", "~~~", "````", "](", "\n\n", "\n- ", "\n1. "]),
        st.sampled_from(["\n    ", "```py\n", "\n```\n", "| a | b |\n|---|---|\n", "\n---\n", "\n===\n", "https://"]),
        st.sampled_from(["\n> ", "\n# ", "2026"]),
    )
    | LONG,
    max_size=30,
).map("".join)
"""Anything, mostly ill-formed."""

_MARGIN = st.lists(st.sampled_from(["- ", "1. ", "10) ", "> ", "  ", "    ", "\t"]), max_size=3).map("".join)
_INFO = (
    WORDS | st.sampled_from([5, 290, 320, 700]).map("lorem ipsum ".__mul__) | st.sampled_from(["y" * 4_000, "~" * 50])
)
FENCED = st.lists(
    st.one_of(
        st.tuples(_MARGIN, st.sampled_from(["```", "````", "~~~", "~~~ "]), _INFO | st.just("")).map("".join),
        st.tuples(_MARGIN, WORDS | LONG).map("".join),
        st.tuples(_MARGIN, WORDS).map(lambda drawn: "\n".join(["".join(drawn)] * 500)),
    ),
    max_size=5,
).map("\n".join)
"""Fences in lists and quotes, with words of any length after their mark; hardly any is closed."""


def seen(markdown: str) -> str:
    """What people read, but for what is code and addresses."""
    leaves = _leaves(markdown)
    bare = {index + 1 for index, token in enumerate(leaves) if token.info == "auto"}
    return "".join(
        token.content for index, token in enumerate(leaves) if token.type in ("text", "softbreak") and index not in bare
    )


def words(markdown: str) -> str:
    """All letters and digits that people read, code and descriptions of pictures included."""
    return "".join(ch for token in _leaves(markdown) for ch in token.content if ch.isalnum())


def raw_words(text: str) -> str:
    """All letters and digits there are."""
    return "".join(filter(str.isalnum, text))


def ends_outside_of_code(markdown: str) -> bool:
    """Say whether what is said after it is a paragraph of its own."""
    last = _JUDGE.parse(f"{markdown}\n\nafter")[-2]
    return last.content == "after" and last.level == 1


def is_within(part: str, whole: str) -> bool:
    """Say whether all characters of a text are in another in the same order."""
    rest = iter(whole)
    return all(ch in rest for ch in part)


def _leaves(markdown: str) -> list[Token]:
    """The tokens with text; one of a picture holds its description."""
    leaves: list[Token] = []
    for token in _JUDGE.parse(markdown):
        leaves += token.children or ([token] if token.type in ("fence", "code_block") else [])
    return leaves
