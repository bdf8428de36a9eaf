"""What the model wrote is safe to store and show, whole or while it grows."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.errors import TooLong
from app.core.text.sanitize import MARKER_SPACES, MARKS_COMPOSED, MAX_BYTES, cut_safe_prefix, purify, sanitize

MARKERS = ("```system", "```assistant", "[INST]", "[/INST]", "<|system|>", "<|assistant|>")

PIECES = st.one_of(
    st.sampled_from(
        [
            *MARKERS,
            "[IN",
            "ST]",
            "[",
            "]",
            "/",
            "INST",
            "<",
            "|",
            ">",
            "```",
            "``",
            "`",
            "sys",
            "tem",
            "m",
            "t",
            "assistan",
        ]
    ),
    st.sampled_from(
        [" ", "  ", "\t", "\n", "\r\n", "\u00a0", "a", "Z", "_", "1", "é", "e", "\u0301", "\u0323", "\u1fef"]
    ),
    st.sampled_from(["👩", "\u200d", "\u200c", "\ufe0f", "🏽", "🇩", "🇪", "\ud83d", "\udc69", "\udb40", "\udc01", "中"]),
    st.sampled_from(["\u1100", "\u1161", "\u11a8", "م", "क", "\u094d", "\u202e", "\u2066", "\u200b", "\x00", "\x1b"]),
    st.text(max_size=2),
)
TEXTS = st.lists(PIECES, max_size=30).map("".join)


def has_marker(text: str) -> bool:
    squeezed = "".join(text.lower().split())
    return any(marker.lower() in squeezed for marker in MARKERS[2:])


@given(TEXTS)
@example("e" + "\u0344" * 16 + "\u0958" + "\u0315\u0301" * 16)
def test_sanitising_twice_changes_nothing(text: str) -> None:
    once = sanitize(text)
    assert sanitize(once) == once


@pytest.mark.req("S0-026")
@given(TEXTS, st.data())
@example("```systemx", None)
@example("e[INST]\u0301", None)
@example("e\u200b\u0301", None)
@example(" \u0301", None)
@example("<[INST]|system|>", None)
@example("[[IN[INST]ST]INST]x", None)
@example("e" + "\u0315\u0301" * 16 + "x", None)
def test_what_is_shown_of_a_growing_text_only_ever_grows(text: str, data: st.DataObject | None) -> None:
    cuts = range(len(text) + 1) if data is None else sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    shown = [cut_safe_prefix(text[:cut]) for cut in cuts]
    for earlier, later in zip(shown, [*shown[1:], sanitize(text)], strict=True) if shown else ():
        assert later.startswith(earlier)


@given(TEXTS)
def test_what_is_shown_of_a_growing_text_is_itself_safe(text: str) -> None:
    shown = cut_safe_prefix(text)
    shown.encode()
    assert not has_marker(shown)
    assert unicodedata.is_normalized("NFC", shown)


@given(TEXTS.map(lambda text: "".join(ch for ch in text if ch.isascii() and ch.isprintable())))
def test_no_more_than_fifty_characters_are_held_back_of_a_marker_that_is_begun(text: str) -> None:
    held = purify(text).removeprefix(cut_safe_prefix(text))
    assert all(len(begun) <= 50 for begun in re.split(r"(?=[\[<`])", held))


@pytest.mark.req("S0-022", "S0-028")
@pytest.mark.parametrize("text", ["x" * (MAX_BYTES + 1), "é" * (MAX_BYTES // 2) + "x", "\u0958" * (MAX_BYTES // 3)])
def test_a_text_of_more_bytes_than_allowed_is_refused_with_both_numbers(text: str) -> None:
    with pytest.raises(TooLong) as refused:
        sanitize(text)
    assert refused.value.maximum == MAX_BYTES
    assert refused.value.actual > MAX_BYTES


@pytest.mark.req("S0-028")
def test_a_text_of_as_many_bytes_as_allowed_is_taken() -> None:
    assert sanitize("é" * (MAX_BYTES // 2)) == "é" * (MAX_BYTES // 2)


def test_what_is_refused_at_the_end_could_be_shown_while_it_grew() -> None:
    assert cut_safe_prefix("x" * MAX_BYTES + "y\n") == "x" * MAX_BYTES + "y\n"


@pytest.mark.req("S0-027")
def test_the_length_is_that_of_the_text_as_it_came() -> None:
    with pytest.raises(TooLong):
        sanitize("\x00" * (MAX_BYTES + 1))


@pytest.mark.req("S0-029")
@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("a\x00b\x07\x1b[0m\x7f\x85", "ab[0m"),
        ("line\r\nnext\tcell\n", "line\nnext\tcell\n"),
        ("abc\u202edef\u2066x\u2069\u200e\u200f\u061c", "abcdefx"),
        ("zero\u200bwidth\u2060\ufeff\u00ad x\u200dy\u200cz", "zerowidth xyz"),
        ("\U000e0041\U000e0042", ""),
        ("\udb40\udc41", ""),
        (
            "👩\u200d👩\u200d👦 ❤\ufe0f\u200d🔥 👍🏽 👩🏽\u200d🚀",
            "👩\u200d👩\u200d👦 ❤\ufe0f\u200d🔥 👍🏽 👩🏽\u200d🚀",
        ),
        ("👩\u200d 👩\u200dx \u200d👩", "👩 👩x 👩"),
        ("می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"),
        ("שָ\u034f", "שָ\u034f"),
    ],
)
def test_only_what_nobody_can_see_is_taken_out(raw: str, safe: str) -> None:
    assert sanitize(raw) == unicodedata.normalize("NFC", safe)


@pytest.mark.req("S0-023", "S0-030")
@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("spelled", [str, str.upper, str.title])
def test_each_marker_is_removed_however_its_letters_are_written(marker: str, spelled: type[str]) -> None:
    safe = sanitize(f"before {spelled(marker)} after")
    assert marker.lower() not in safe.lower()
    assert safe.split() == ["before", *(["```"] if "`" in marker else []), "after"]


@pytest.mark.req("S0-030")
@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("[IN[INST]ST]", ""),
        ("[IN" * 50 + "ST]" * 50 + "x", "x"),
        ("<|sys<|assistant|>tem|>", ""),
        ("[I[/INST]NST]x<|sys[INST]tem|>", "x"),
        ("[ INST ][/ inst][\u00a0INST\t]< | system | >", ""),
        ("[" + " " * (MARKER_SPACES + 1) + "INST]", "[" + " " * (MARKER_SPACES + 1) + "INST]"),
        ("```sys[INST]tem\nx\n```", "``` \nx\n```"),
        ("\u1fef\u1fef\u1fefsystem\nx", "``` \nx"),
        ("[INST\u200d]\u0301!", "!"),
        ("e[INST]\u0301", "e"),
        ("[INST\n]", "[INST\n]"),
    ],
)
def test_no_marker_is_left_by_the_removal_of_another(raw: str, safe: str) -> None:
    assert sanitize(raw) == safe


@pytest.mark.req("S0-030")
@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("```system\ncode\n```\n", "``` \ncode\n```\n"),
        ("````system\n```\n````", "```` \n```\n````"),
        ("``` Assistant prompt\ncode\n```", "```  prompt\ncode\n```"),
        ("```system system\ncode", "``` \ncode"),
        ("```system``` is", "``` ``` is"),
        ("```systemverilog\n```", "```systemverilog\n```"),
        ("```systemd\n```", "```systemd\n```"),
        ("```system", "``` "),
        ("```\nsystem\n```", "```\nsystem\n```"),
        ("the system and the assistant", "the system and the assistant"),
    ],
)
def test_a_fence_loses_its_language_and_stays_a_fence(raw: str, safe: str) -> None:
    assert sanitize(raw) == safe


@pytest.mark.req("S0-031")
@given(st.text(st.characters(min_codepoint=0xD000, max_codepoint=0xE0FF) | st.characters(), max_size=40))
def test_whatever_comes_can_be_written_as_utf_8(text: str) -> None:
    sanitize(text).encode()
    cut_safe_prefix(text).encode()


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        pytest.param(
            "\ud83d\ude00 \ud83d \ude00 \ud83d[INST]\ude00",
            "😀 \ufffd \ufffd \ufffd\ufffd",
            marks=pytest.mark.req("S0-031"),
            id="halves are joined, and a lone half is replaced",
        ),
        pytest.param("e\u0301 \u1100\u1161", "\u00e9 \uac00", id="what is composed of two is stored as one"),
        pytest.param(
            "[IN\x00ST] <|\u200bsystem|>", " ", marks=pytest.mark.req("S0-027"), id="a marker that is hidden is found"
        ),
    ],
)
def test_a_text_is_kept_in_whole_characters_that_people_see(raw: str, kept: str) -> None:
    assert sanitize(raw) == kept


@pytest.mark.parametrize(("marks", "ordered"), [(MARKS_COMPOSED, True), (MARKS_COMPOSED + 2, False)])
def test_marks_are_ordered_unless_they_are_more_than_any_language_puts_on_a_letter(marks: int, ordered: bool) -> None:
    assert unicodedata.is_normalized("NFC", purify("x" + "\u0315\u0301" * (marks // 2))) is ordered


@pytest.mark.parametrize(
    ("so_far", "shown"),
    [
        ("", ""),
        ("Hello", "Hell"),
        ("Hello.", "Hello."),
        ("Hello. \ud83d", "Hello. "),
        ("caf\u0065\u0301", "caf"),
        ("x 👩\u200d👩", "x "),
        ("x 🇩🇪", "x "),
        ("\u0301", ""),
        ("see [IN", "see "),
        ("see [ / inst ", "see "),
        ("see [1] and", "see [1] an"),
        ("a < b,", "a < b,"),
        ("a <| sys", "a "),
        ("a <| system |", "a "),
        ("a <| sys ", "a <| sys "),
        ("```", "```"),
        ("``` sys ", "``` sys "),
        ("``` sys", "```"),
        ("```system", "```"),
        ("```system\n", "``` \n"),
        ("```system\nx = 1;", "``` \nx = 1;"),
    ],
)
def test_what_may_still_change_is_held_back(so_far: str, shown: str) -> None:
    assert cut_safe_prefix(so_far) == shown


@pytest.mark.parametrize(("half", "shown"), [(0xD7FF, "Hello"), (0xD800, "Hell"), (0xDBFF, "Hell"), (0xDC00, "Hello")])
def test_half_a_character_holds_back_the_one_before_it_with_which_it_may_become_one(half: int, shown: str) -> None:
    assert cut_safe_prefix("Hello" + chr(half)) == shown
