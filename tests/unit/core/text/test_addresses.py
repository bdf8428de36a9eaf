"""Addresses of web pages: which may be shown as links, and that none ends its link early or shows another one."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.text.addresses import (
    LONGEST,
    LONGEST_NAMED,
    LONGEST_QUERY,
    accept_address,
    belongs_to,
    find_host,
    name_page,
    names_address,
    write_link,
)

PAGE = "https://prices.example.org/lorries"
SAFE = re.compile(r"https?://[a-z0-9.-]+\.[a-z][a-z0-9-]*(:\d{1,5})?/[A-Za-z0-9%/:=&?~#+!$,;'@._-]*")

hosts = st.sampled_from(
    ["example.org", "a.b.example.com", "bücher.example", "EXAMPLE.org", "example.org:8080", "x", ""]
)
schemes = st.sampled_from(["http://", "https://", "HTTPS://", "javascript:", "data:", "ftp://", "//", "", "file:///"])
HARMFUL = "()[]<>|*_`/?#&=%\"'@:~"
rests = st.one_of(
    st.text(st.sampled_from(HARMFUL + "ab"), max_size=20).map(lambda rest: f"/{rest}"),
    st.text(st.one_of(st.sampled_from(HARMFUL + "\\ \n\t\u202e\u200b"), st.characters()), max_size=30),
)
addresses = st.one_of(
    st.builds(lambda *parts: "".join(parts), schemes, hosts, rests),
    rests.map(lambda rest: f"https://example.org{rest}"),
    st.text(max_size=40),
)


@pytest.mark.req("IN-08")
@given(addresses)
def test_what_is_accepted_leads_to_a_named_host_over_http_and_cannot_end_its_link(given_: str) -> None:
    address = accept_address(given_)
    if not address:
        return
    assert SAFE.fullmatch(address)
    assert len(address) <= LONGEST
    assert accept_address(address) == address
    assert urlsplit(given_.strip()).scheme.lower() in ("http", "https")
    label = r"[^\]\[()<>|*`\n]+"
    labelled = rf"\[{label}\]\({re.escape(address)}\)"
    in_full = rf"{label}: <{re.escape(address)}>"
    assert re.fullmatch(
        in_full if len(urlsplit(address).query) > LONGEST_QUERY else labelled, write_link(given_, address)
    )


@pytest.mark.req("SE-17")
@pytest.mark.req("IN-08")
@pytest.mark.parametrize(
    "given_",
    [
        "javascript:alert(1)",
        "data:text/html,hi",
        "ftp://example.org/x",
        "//example.org/x",
        "example.org",
        "https://localhost/x",
        "https://wiki.internal/x",
        "http://127.0.0.1/x",
        "http://[::1]/x",
        "http://169.254.169.254/latest",
        "https://user:pass@example.org/",
        "https://example.org\\@evil.example/",
        "https://example.org/a b",
        "https://example.org/\u202egpj.exe",
        "https://example.org:port/",
        "https://[oops/",
        f"https://example.org/{'a' * LONGEST}",
        f"https://example.org/{'ü' * (LONGEST // 2)}",
    ],
)
def test_an_address_that_people_should_not_open_is_none(given_: str) -> None:
    assert accept_address(given_) == ""


@pytest.mark.parametrize(
    ("given_", "address"),
    [
        (PAGE, PAGE),
        ("https://Example.org", "https://example.org/"),
        ("http://example.org:8080/a?b=c#d", "http://example.org:8080/a?b=c#d"),
        ("https://example.org?q=1", "https://example.org/?q=1"),
        ("https://en.example.org/wiki/Lorry_(vehicle)", "https://en.example.org/wiki/Lorry_%28vehicle%29"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("https://example.org/a%20b", "https://example.org/a%20b"),
    ],
)
def test_an_accepted_address_leads_to_the_same_page(given_: str, address: str) -> None:
    assert accept_address(given_) == address


@pytest.mark.parametrize(
    ("address", "belongs"),
    [
        ("https://example.org/", True),
        ("https://docs.example.org/x", True),
        ("https://notexample.org/", False),
        ("https://example.org.evil.example/", False),
        ("https://evil.example/example.org", False),
    ],
)
def test_a_domain_covers_itself_and_what_lies_below_it(address: str, belongs: bool) -> None:
    assert belongs_to(address, ("example.org", "example.com")) is belongs


@pytest.mark.req("IN-08")
@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Lorry prices, 2026", "Lorry prices, 2026"),
        ("  Prices [of]\nlorries | *new*  ", "Prices of lorries new"),
        ("Login at bank.example", "prices.example.org"),
        ("https://bank", "prices.example.org"),
        ("mail maya@bank", "prices.example.org"),
        ("***", "prices.example.org"),
        ("", "prices.example.org"),
        ("a" * 200, "a" * 80),
    ],
)
def test_a_link_is_labelled_by_its_title_unless_that_passes_as_another_address(title: str, label: str) -> None:
    assert write_link(title, PAGE) == f"[{label}]({PAGE})"
    host = find_host(PAGE)
    assert name_page(title, host) == (host if label == host else f"{label} ({host})")


@pytest.mark.req("IN-08")
def test_an_address_that_is_too_long_for_a_link_is_still_known_for_its_host() -> None:
    long = f"{PAGE}/{'a' * LONGEST}"
    assert accept_address(long) == ""
    assert accept_address(long, LONGEST_NAMED) == long
    assert accept_address(f"{PAGE}/{'a' * LONGEST_NAMED}", LONGEST_NAMED) == ""


@pytest.mark.req("IN-08", "SE-17")
def test_a_link_with_a_long_query_opens_and_shows_all_of_it() -> None:
    short, long = f"{PAGE}?{'q' * 60}", f"{PAGE}?{'q' * 61}"
    assert write_link("Prices", short) == f"[Prices]({short})"
    assert write_link("Prices", long) == f"Prices: <{long}>"
    assert write_link("bank.example", long) == f"prices.example.org: <{long}>"


@pytest.mark.req("IN-08")
@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        (PAGE, True),
        (f"See [prices]({PAGE}).", True),
        (f"See {PAGE}. Or {PAGE}, or '{PAGE}'!", True),
        (f"See {PAGE}/used", False),
        (f"See {PAGE}.html and {PAGE}?year=2026 and {PAGE}-old and {PAGE}2", False),
        (f"See {PAGE}.html, or {PAGE}.", True),
        ("See https://prices.example.org/", False),
    ],
)
def test_a_text_names_an_address_only_as_a_whole(text: str, is_named: bool) -> None:
    assert names_address(text, PAGE) is is_named


def test_the_host_of_an_address_is_its_name_alone() -> None:
    assert find_host("http://example.org:8080/a") == "example.org"
