"""The model's data: read under limits, cleaned of markup, and never told of in an error."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import ExtractionError, ExtractionFailure
from app.core.text.sanitize import MAX_BYTES, purify
from app.core.text.untrusted import CUT, MAX_DEPTH, Json, clean, parse, show_brackets

STRINGS = st.text("abc é<>/&;! =\"'", max_size=20)
DATA: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=12,
)
MARKUP = st.lists(
    st.sampled_from(
        ["<", ">", "/", "script", "<script>", "</script>", "<b>", "</b>", "<i x='", "'", '"', "a", " ", "="]
    )
    | st.sampled_from(["<!--", "-->", "<![CDATA[", "]]>", "<?", "<img src=x onerror=y>", "<x onload=y>", "text"])
    | st.sampled_from(["&lt;", "&gt;", "&#60;", "[INST]", "\u200b"]),
    max_size=25,
).map("".join)


class Tags(HTMLParser):
    """Notes what a browser could take for a tag of consequence."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag, *(name for name, _ in attrs if name.startswith("on"))]


@pytest.mark.req("S0-024")
@given(DATA)
def test_data_within_the_limits_is_read_as_it_was_written(data: Json) -> None:
    assert parse(json.dumps(data)) == data


@pytest.mark.req("S0-034", "S0-024")
@pytest.mark.parametrize(
    "raw",
    ["", "{", "{'a': 1}", '{"a": 1} and so on', "```json\n{}\n```", "NaN", "-Infinity", "1e999", "9" * 5_000, '"\n"'],
)
def test_what_is_no_json_is_refused_as_malformed(raw: str) -> None:
    with pytest.raises(ExtractionError) as refused:
        parse(raw)
    assert refused.value.kind is ExtractionFailure.MALFORMED


@pytest.mark.req("S0-033")
def test_json_of_more_bytes_than_allowed_is_refused_as_too_long() -> None:
    with pytest.raises(ExtractionError) as refused:
        parse(json.dumps("é" * (MAX_BYTES // 2), ensure_ascii=False))
    assert refused.value.kind is ExtractionFailure.TOO_LONG


@pytest.mark.req("S0-033")
@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_json_deeper_than_allowed_is_refused_however_deep(bracket: str) -> None:
    closing = {"[": "]"}.get(bracket, "}")
    assert parse(bracket * (MAX_DEPTH - 1) + "[]" + closing * (MAX_DEPTH - 1))
    for depth in (MAX_DEPTH + 1, 15_000):
        with pytest.raises(ExtractionError) as refused:
            parse(bracket * depth)
        assert refused.value.kind is ExtractionFailure.TOO_DEEP


def test_brackets_in_a_string_are_no_depth() -> None:
    assert parse(json.dumps(["[" * 50 + '\\"{{'])) == ["[" * 50 + '\\"{{']


@pytest.mark.req("S0-032")
def test_the_raw_text_is_sanitised_before_it_is_read() -> None:
    assert parse('{"a"\x00: \u200b"x[INST]y"}') == {"a": "xy"}


@pytest.mark.req("S0-025")
@pytest.mark.parametrize("raw", ['{"secret plan": ', "secret plan" * 10_000, "[" * 30 + "secret plan"])
def test_an_error_tells_nothing_of_the_content(raw: str) -> None:
    with pytest.raises(ExtractionError) as refused:
        parse(raw)
    error = refused.value
    assert "secret" not in f"{error!r} {error}"
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


@pytest.mark.req("S0-036", "S0-039")
def test_strings_are_cleaned_wherever_they_are_and_nothing_else_is_touched() -> None:
    value: Json = {"<b>key</b>": ["<b>x</b>", {"y": ["\u202ez[INST]"]}], "n": 1.5, "i": 10**30, "t": True, "none": None}
    assert clean(value) == {"<b>key</b>": ["x", {"y": ["z"]}], "n": 1.5, "i": 10**30, "t": True, "none": None}


@pytest.mark.req("S0-039")
@given(DATA)
def test_cleaning_keeps_the_shape(data: Json) -> None:
    def shape(value: Json) -> object:
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        if isinstance(value, list):
            return [shape(item) for item in value]
        return str if isinstance(value, str) else value

    assert shape(clean(data)) == shape(data)


@pytest.mark.req("S0-037")
@given(MARKUP)
def test_no_tag_is_left_whatever_its_removal_brings_together(text: str) -> None:
    said = clean(text)
    assert isinstance(said, str)
    assert not {"script", "b", "i", "img", "onerror", "onload"} & set(Tags(said).found)
    assert purify(said) == said


@pytest.mark.req("S0-037")
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("<p>one <b>bold</b> word</p>", "one bold word"),
        ("one <![1]> word<![foo bar]>", "one  word"),
        ("one <![ word", "one <![ word"),
        ("a<script>steal()</script>b<STYLE>p{}</STYLE>c", "abc"),
        ("a<script>if (x<b) steal()", "a"),
        ("<script/>steal()</script>a<br/>b", "ab"),
        ("a<script>if (x<b>0) '</b>'</script>b</ b>c", "abc"),
        ("<scr<script>ipt>steal()</script>x", "<scrx"),
        ("<scr[INST]ipt>steal()</script>x", "x"),
        ("&lt;script&gt;steal()&lt;/script&gt;x", "x"),
        ("<img src=x onerror=steal()>x<whatever onclick='y'>", "x"),
        ("a<!-- note -->b<!DOCTYPE html>c<?php x ?>d", "abcd"),
        ("</script>a</b>", "a"),
        ("<i x='<i x='>a", "i x='i x='>a"),
        ("<x y='<' onload=z>a", "x y='<' onload=z>a"),
        ("<b" * 9 + ">" * 9, "b" * 4 + ">" * 4),
    ],
)
def test_tags_go_and_the_words_stay(raw: str, said: str) -> None:
    assert clean(raw) == said


@pytest.mark.parametrize(
    "text",
    [
        "a < b and x<y",
        "if x<y and y>z",
        "List<String> or Map<K, V>",
        "I <3 it -> so",
        "<https://example.com/a?b=c>",
        "https://example.com/?a=1&region=eu&copy=2",
        "AT&T & me; &nosuch;",
        "<a href='half",
        "</Key> ends it",
        "I </3 it -> so",
        "a <List on Map> of them",
        "<https://example.com/only/one>",
    ],
)
def test_what_only_looks_like_markup_stays(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("raw", "said"),
    [("Tom &amp; Ann", "Tom & Ann"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("a&#0;&#x200b;b &eacute;", "a\ufffdb é")],
)
def test_entities_are_resolved_once(raw: str, said: str) -> None:
    assert clean(raw) == said


@pytest.mark.req("S0-038")
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("x" * 10_000, "x" * 10_000),
        ("x" * 10_001, "x" * 10_000 + CUT),
        ("é" * 10_001, "é" * 10_000 + CUT),
        ("x" * 9_999 + "👩\u200d🚀", "x" * 9_999 + CUT),
        ("x" * 10_000 + "👍", "x" * 10_000 + CUT),
        ("x" + "\u0301" * 10_000, "x" + "\u0301" * 9_999 + CUT),
    ],
)
def test_a_long_string_is_cut_between_characters_as_people_see_them(raw: str, said: str) -> None:
    assert clean(raw) == said


@pytest.mark.req("S0-038")
def test_a_string_longer_than_an_answer_may_be_is_cut_too() -> None:
    assert clean("x" * (MAX_BYTES + 1)) == "x" * 10_000 + CUT


def test_data_that_was_read_elsewhere_is_held_to_the_same_depth() -> None:
    value: Json = "x"
    for _ in range(MAX_DEPTH):
        value = [value]
    clean(value)
    with pytest.raises(ExtractionError):
        clean([value])


@pytest.mark.parametrize(
    "text",
    [
        "<a " * 33_000,
        "<" + "a" * 100_000,
        "<a x='" * 16_000,
        "<!--" * 25_000,
        "<b>" * 33_000,
        "<" * 100_000,
    ],
)
def test_tags_without_an_end_cost_no_more_than_others(text: str) -> None:
    # In quadratic time these took minutes; the suite's own limit for a test would end it.
    assert isinstance(clean(text), str)


@given(MARKUP)
def test_no_word_that_a_person_typed_is_taken_for_markup(text: str) -> None:
    """Once its brackets are shown, cleaning drops nothing but what no text may hold."""
    shown = show_brackets(text)
    kept = clean(shown)
    assert isinstance(kept, str)
    assert kept == purify(re.sub("&(lt|gt|#60);", lambda entity: html.unescape(entity[0]), shown))
    assert Tags(kept).found == []


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a<b>c", "a‹b>c"),
        ("If costs <a or b> 3", "If costs ‹a or b> 3"),
        ("1 < 2 <script>x</script>", "1 ‹ 2 ‹script>x‹/script>"),
        ("&lt;b&gt; R&amp;D", "‹b&gt; R&amp;D"),
        ("1 < 2, List<String> & <3", "1 < 2, List<String> & <3"),
    ],
)
def test_brackets_that_would_hide_words_are_shown_as_other_ones_and_the_rest_stays(typed: str, shown: str) -> None:
    assert show_brackets(typed) == shown
