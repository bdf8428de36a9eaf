"""Links of the model lead where they say, or are text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handlers.links import WORD_JOINER, honest, honest_prefix

PIECES = st.one_of(
    st.sampled_from(
        ["[", "]", "(", ")", "](", "](https://", "](javascript:", "<", ">", "<https://", "<javascript:", "|"]
    ),
    st.sampled_from(["`", "``", "```", "~~~", "bank.com", "evil.com", "https://bank.com/x", "/", ":", " ", "\n", "\\"]),
    st.sampled_from(["!", "a", "- ", "    ", "> ", "x" * 290]),
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)


@given(TEXTS)
def test_nothing_of_a_text_is_lost_and_only_joiners_are_added(text: str) -> None:
    assert honest(text).replace(WORD_JOINER, "") == text


@given(TEXTS)
def test_an_honest_text_is_left_as_it_is(text: str) -> None:
    once = honest(text)
    assert honest(once) == once


@given(TEXTS, st.data())
@example("[`a](javascript:x)`", None)
@example("`[a](javascript:x)` [bank.com](https://evil.com/x)", None)
@example("```[a](javascript:x)```", None)
@example("<https://evil.com|bank.com> <javascript:x>", None)
def test_what_is_given_of_a_growing_text_only_ever_grows(text: str, data: st.DataObject | None) -> None:
    cuts = range(len(text)) if data is None else sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    given_so_far = [honest_prefix(text[:cut]) for cut in cuts]
    for earlier, later in zip(given_so_far, [*given_so_far[1:], honest(text)], strict=False):
        assert later.startswith(earlier)


@pytest.mark.parametrize(
    "text",
    [
        "see [the plan](https://example.com/plan_(b)?x=1#y) and <https://example.com> and <mailto:a@b.example>",
        "[docs](http://example.com 'title') and [docs](<https://example.com>) ![chart](https://example.com/c.png)",
        "[example.com/plan](https://example.com/plan) and [www.example.com](https://example.com)",
        "[example.com](https://docs.example.com/x) and [https://example.com](https://EXAMPLE.com:443/)",
        "[README.md](https://example.com/README.md) and [Node.js](https://nodejs.org)",
        "[ann@example.com](mailto:ann@example.com)",
        "[![build](https://a.example/b.svg)](https://a.example/c)",
        "`handlers[name](argument)` and ``x[0](y)`` and `[a](javascript:b)`",
        "```python\nhandlers[name](argument)\n[a](javascript:b)\n<std::string>\n[x]: y\n```",
        "- item\n  ```\n  handlers[name](argument)\n  ```",
        r"\[not a link](javascript:x)".replace("](", r"\]("),
        "a[1:]: b, [x] and (y), x < y",
    ],
)
def test_good_links_and_code_stay_as_they_are(text: str) -> None:
    assert honest(text) == text


@pytest.mark.parametrize(
    ("text", "disarmed"),
    [
        ("[a](javascript:alert)", "[a]^(javascript:alert)"),
        ("![a](data:text/html,x)", "![a]^(data:text/html,x)"),
        ("[a](&#106;avascript:x)", "[a]^(&#106;avascript:x)"),
        ("[a]( \tfile:///x)", "[a]^( \tfile:///x)"),
        ("[a](/etc/x)", "[a]^(/etc/x)"),
        ("[a\nb](https://example.com)", "[a\nb]^(https://example.com)"),
        ("[https://bank.com](https://evil.com/)", "[https://bank.com]^(https://evil.com/)"),
        ("[**bank.com**](https://evil.com)", "[**bank.com**]^(https://evil.com)"),
        ("[bank\\.com](https://evil.com)", "[bank\\.com]^(https://evil.com)"),
        ("[bank&#46;com](https://evil.com)", "[bank&#46;com]^(https://evil.com)"),
        ("[bank.com](https://bank.com@evil.com/)", "[bank.com]^(https://bank.com@evil.com/)"),
        ("[bank.com](https://bank.com.evil.com/)", "[bank.com]^(https://bank.com.evil.com/)"),
        ("[see [bank.com]](https://evil.com)", "[see [bank.com]]^(https://evil.com)"),
        ("[ann@bank.com](mailto:eve@evil.com)", "[ann@bank.com]^(mailto:eve@evil.com)"),
        ("[a](https://" + "x" * 300 + ")", "[a]^(https://" + "x" * 300 + ")"),
        ("<https://evil.com|bank.com>", "<^https://evil.com|bank.com>"),
        ("<javascript:alert(1)>", "<^javascript:alert(1)>"),
        ("[1]: javascript:x", "[1]^: javascript:x"),
        ("> - [a b]: <https://evil.com>", "> - [a b]^: <https://evil.com>"),
        ("`a` ` [a](javascript:x)", "`a` ` [a]^(javascript:x)"),
        ("```\ncode\n```\n[a](javascript:x)", "```\ncode\n```\n[a]^(javascript:x)"),
    ],
)
def test_other_links_become_text_that_shows_their_address(text: str, disarmed: str) -> None:
    assert honest(text) == disarmed.replace("^", WORD_JOINER)


@pytest.mark.parametrize(
    ("so_far", "given_now"),
    [
        ("see [a](", "see [a]"),
        ("see [a](https://exam", "see [a]"),
        ("see [a](https://example.com/", "see [a]"),
        ("see [a](https://example.com/ ", "see [a](https://example.com/ "),
        ("see <https://exam", "see "),
        ("see `x[0](y) +", "see `x[0]"),
        ("see `x[0](y)`", "see `x[0](y)`"),
        ("```x[0](y)", "```x[0]"),
        ("```py\nx[0](y) +", "```py\nx[0](y) +"),
        ("a < b and c", "a < b and c"),
        ("a \\", "a "),
    ],
)
def test_what_is_not_decided_is_held_back(so_far: str, given_now: str) -> None:
    assert honest_prefix(so_far) == given_now
