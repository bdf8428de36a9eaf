"""Links of the model lead where they say, or are text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handlers.views.kit.mrkdwn import WORD_JOINER, disarm_links, disarm_links_prefix

PIECES = st.one_of(
    st.sampled_from(
        ["[", "]", "(", ")", "](", "](https://", "](javascript:", "<", ">", "<https://", "<javascript:", "|"]
    ),
    st.sampled_from(["`", "``", "```", "~~~", "bank.com", "evil.com", "https://bank.com/x", "/", ":", " ", "\n", "\\"]),
    st.sampled_from(["!", "a", "- ", "    ", "> ", "x" * 290, "@", "?", "#", "https://ann@", "HTTP://", "x" * 62]),
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)


@given(TEXTS)
@example(f"[a](https://b.c?{'x' * 62}) [d](https://e.f?{'x' * 62})")
def test_nothing_of_a_text_is_lost_and_only_joiners_and_brackets_of_addresses_are_added(text: str) -> None:
    shown = re.sub(rf"{WORD_JOINER}\(<(https?://[^<>]*)>(?=\))", r"(\1", disarm_links(text))
    assert shown.replace(WORD_JOINER, "") == text


@given(TEXTS)
def test_an_honest_text_is_left_as_it_is(text: str) -> None:
    once = disarm_links(text)
    assert disarm_links(once) == once


@given(TEXTS, st.data())
@example("[`a](javascript:x)`", None)
@example("`[a](javascript:x)` [bank.com](https://evil.com/x)", None)
@example("```[a](javascript:x)```", None)
@example("<https://evil.com|bank.com> <javascript:x>", None)
@example("https://bank.com@evil.com [a](https://b@c) <https://d@e> [x](https://f.g/h?" + "i" * 62 + "#j)", None)
@example("```https://bank.com@evil.com", None)
@example("](https://[`" + "x" * 260, None)
@example("[](https://](`", None)
@example("see [a](https://b.c?" + "x" * 62 + ") [d](https://e.f) <https://g.h?" + "x" * 700 + ">", None)
@example("``a](https:// `` `b](c)``", None)
@example("[x](https://ok.example)", None)
@example("[a](https://b.c/" + "x" * 1_200 + ") [d](https://e.f/(g(h))) [i](https://j.k/(l", None)
def test_what_is_given_of_a_growing_text_only_ever_grows(text: str, data: st.DataObject | None) -> None:
    cuts = range(len(text)) if data is None else sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    given_so_far = [disarm_links_prefix(text[:cut]) for cut in cuts]
    for earlier, later in zip(given_so_far, [*given_so_far[1:], disarm_links(text)], strict=False):
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
        "[json.loads(x)](https://docs.example) and [logging.info()](https://docs.example) and [two.-fold](https://a.example)",
        "[![build](https://a.example/b.svg)](https://a.example/c)",
        "`handlers[name](argument)` and ``x[0](y)`` and `[a](javascript:b)`",
        "```python\nhandlers[name](argument)\n[a](javascript:b)\n<std::string>\n[x]: y\n```",
        "- item\n  ```\n  handlers[name](argument)\n  ```",
        r"\[not a link](javascript:x)".replace("](", r"\]("),
        "a[1:]: b, [x] and (y), x < y",
    ],
)
def test_good_links_and_code_stay_as_they_are(text: str) -> None:
    assert disarm_links(text) == text


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
        ("[bank.com](https://bank.com@evil.com/)", "[bank.com]^(https:^//bank.com@evil.com/)"),
        ("[bank.com](https://bank.com.evil.com/)", "[bank.com]^(https://bank.com.evil.com/)"),
        ("[see [bank.com]](https://evil.com)", "[see [bank.com]]^(https://evil.com)"),
        ("[ann@bank.com](mailto:eve@evil.com)", "[ann@bank.com]^(mailto:eve@evil.com)"),
        ("[bank.com(log in)](https://evil.com)", "[bank.com(log in)]^(https://evil.com)"),
        ("[bank.com- log in](https://evil.com)", "[bank.com- log in]^(https://evil.com)"),
        ("[a](https://" + "x" * 300 + ")", "[a]^(https:^//" + "x" * 300 + ")"),
        ("<https://evil.com|bank.com>", "<^https://evil.com|bank.com>"),
        ("<javascript:alert(1)>", "<^javascript:alert(1)>"),
        ("[1]: javascript:x", "[1]^: javascript:x"),
        ("> - [a b]: <https://evil.com>", "> - [a b]^: <https://evil.com>"),
        ("`a` ` [a](javascript:x)", "`a` ` [a]^(javascript:x)"),
        ("```\ncode\n```\n[a](javascript:x)", "```\ncode\n```\n[a]^(javascript:x)"),
    ],
)
def test_other_links_become_text_that_shows_their_address(text: str, disarmed: str) -> None:
    assert disarm_links(text) == disarmed.replace("^", WORD_JOINER)


@pytest.mark.parametrize(
    ("so_far", "given_now"),
    [
        ("see [a](", "see [a]"),
        ("see [a](https://exam", "see [a]"),
        ("see [a](https://example.com/", "see [a]"),
        ("see [a](https://example.com/ ", "see [a](https://example.com/ "),
        ("see <https://exam", "see "),
        ("see `x[0](y) +", "see `x[0]"),
        ("see `x[0](y)`", "see `x[0]"),
        ("see `x[0](y)` ", "see `x[0](y)` "),
        ("```x[0](y)", "```x[0]"),
        ("```py\nx[0](y) +", "```py\nx[0](y) +"),
        ("a < b and c", "a < b and c"),
        ("a \\", "a "),
    ],
)
def test_what_is_not_decided_is_held_back(so_far: str, given_now: str) -> None:
    assert disarm_links_prefix(so_far) == given_now


LONG = "x" * 61


@pytest.mark.parametrize(
    "label",
    [
        "internal.acme.corp",
        "paypal.com/login",
        "see acme.zip/x",
        "bank.anything",
        "ｂａｎｋ．ｃｏｍ",
        "bank\u3002com",
        "b\u0430nk.com",
        "bank\ufe0f.com",
        "10.0.0.1",
        "https://intranet",
        "docs.evil.example.bank",
        "xn--bcher-kva.xn--p1ai",
        "bücher.example",
        "*bank*.**com**",
    ],
)
@pytest.mark.req("SE-17")
def test_a_label_that_looks_like_another_host_loses_its_link_whatever_its_ending(label: str) -> None:
    assert disarm_links(f"[{label}](https://evil.example/x)") == f"[{label}]{WORD_JOINER}(https://evil.example/x)"


@pytest.mark.parametrize(
    "text",
    [
        "[app.py](https://evil.example) [the README.md, v1.2.3 and 3.11.7](https://evil.example/a)",
        "[e.g. this, i.e. that, z.B. U.S. p.m.](https://evil.example)",
        "[asyncio.run() and Ph.D.](https://evil.example) [Wait… what?](https://evil.example)",
        "[bücher.example](https://xn--bcher-kva.example/x) [BANK.com](https://login.bank.com)",
        "[a..ü.b](https://..ü.b) [ü..example](https://ü..example)",
        f"[a](https://evil.example/{'x' * 500}?{'x' * 60}#{'x' * 300})",
        f"[a](https://acme.slack.com/archives/C1/p1?{LONG}) and https://evil.example/?{LONG}",
        "[ann](mailto:ann@bank.example) and mail ann@bank.example, https://bank.example/@ann",
        "`https://ann@bank.example` and [wiki](https://en.example/a_(b)?c=(d)#e)",
    ],
)
@pytest.mark.req("SE-17")
def test_names_of_files_versions_and_abbreviations_keep_their_link(text: str) -> None:
    assert disarm_links(text) == text


@pytest.mark.parametrize(
    ("text", "disarmed"),
    [
        ("https://user@evil.example", "https:^//user@evil.example"),
        ("see HTTPS://bank.com:x@evil.example/y.", "see HTTPS:^//bank.com:x@evil.example/y."),
        ("https://bank.com(@evil.example", "https:^//bank.com(@evil.example"),
        ("<https://bank.com@evil.example>", "<^https:^//bank.com@evil.example>"),
        ("[a](https://bank.com@evil.example)", "[a]^(https:^//bank.com@evil.example)"),
        ("[a](https://bank.com(@evil.example)", "[a]^(https:^//bank.com(@evil.example)"),
        ("https://bank.com`@evil.example", "https:^//bank.com`@evil.example"),
        (f"https://{'x' * 256}", f"https:^//{'x' * 256}"),
        (f"[bank.example](https://evil.example?{LONG})", f"[bank.example]^(https://evil.example?{LONG})"),
        (f"[a](https://evil.example/((x))?{LONG})", f"[a]^(https://evil.example/((x))?{LONG})"),
        (f"[a](https://evil.example/{'x' * 990})", f"[a]^(https://evil.example/{'x' * 990})"),
    ],
)
@pytest.mark.req("SE-17")
def test_user_data_and_addresses_that_hide_something_are_shown_and_lead_nowhere(text: str, disarmed: str) -> None:
    assert disarm_links(text) == disarmed.replace("^", WORD_JOINER)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"[a](https://evil.example?{LONG})", f"[a]^(<https://evil.example?{LONG}>)"),
        (f"![a](https://evil.example/x(y)?{LONG}#z)", f"![a]^(<https://evil.example/x(y)?{LONG}#z>)"),
        (f"[a]( HTTPS://slack.com.evil.example?{LONG})!", f"[a]^(<HTTPS://slack.com.evil.example?{LONG}>)!"),
        (f"[a](<https://evil.example?{LONG}>)", f"[a]^(<https://evil.example?{LONG}>)"),
        (f"[a](<https://evil.example?{LONG})", f"[a]^(<^https://evil.example?{LONG})"),
        (f"[a](https://evil.example?{LONG} 'b')", f"[a]^(https://evil.example?{LONG} 'b')"),
        (f"[a](mailto:ann@bank.example?body={LONG})", f"[a]^(<mailto:ann@bank.example?body={LONG}>)"),
        (f"[a](https://b.example?{LONG * 12}) [c](x:y)", f"[a]^(<https://b.example?{LONG * 12}>) [c]^(x:y)"),
        (
            f"[a](https://b.example?{LONG}) [c](https://d.example)",
            f"[a]^(<https://b.example?{LONG}>) [c](https://d.example)",
        ),
    ],
)
@pytest.mark.req("SE-17", "IN-08")
def test_a_long_query_of_a_foreign_host_is_shown_in_full_and_its_address_is_the_link(text: str, shown: str) -> None:
    assert disarm_links(text) == shown.replace("^", WORD_JOINER)
    assert disarm_links(disarm_links(text)) == disarm_links(text)
    assert disarm_links(text).startswith(disarm_links_prefix(text))


@pytest.mark.req("SE-17")
def test_whether_a_growing_address_hides_something_is_awaited() -> None:
    assert disarm_links_prefix("see https://bank.com") == "see https:"
    assert disarm_links_prefix("see https://bank.com/") == "see https://bank.com/"
    assert disarm_links_prefix("see https://bank.com@e") == f"see https:{WORD_JOINER}//bank.com@e"
    assert disarm_links_prefix(f"see [a](https://evil.example/?{'x' * 60}") == "see [a]"
    assert len(disarm_links_prefix("[a](https://evil.example/" + "x" * 1_100)) > 1_000
