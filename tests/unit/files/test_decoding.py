"""Text in the encodings that programs write, and what is no text."""

from __future__ import annotations

import pytest

from app.core.errors import FileFault
from app.core.file_content import FileKind
from tests.unit.files.sample_files import make_image, make_pdf, make_workbook, parse, refuse

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>steal()</script><text>Plan</text></svg>'
PROGRAM = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00>\x00" + bytes(range(256)) * 20
WINDOWS_PROGRAM = (
    b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff" + bytes(200) + b"This program cannot be run in DOS mode."
)
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
LOCKED_OFFICE = OLD_OFFICE + "EncryptedPackage".encode("utf-16-le") + bytes(600)


@pytest.mark.req("IN-02")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_text_of_every_usual_encoding_is_read_to_the_letter(encoding: str) -> None:
    found = parse("Größe: 5 €\r\nnaïve – fin\r".encode(encoding))
    assert (found.kind, found.media_type) == (FileKind.TEXT, "text/plain")
    assert found.text == "Größe: 5 €\nnaïve – fin\n"


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("plan.md", b"# Plan\n- one", "text/markdown"),
        ("data.json", b'{"price": 12}', "application/json"),
        ("noname", b"[1, 2]", "application/json"),
        ("notes.txt", b"[draft] {do not send}", "text/plain"),
        ("deep.json", b"[" * 100_000, "text/plain"),
        ("main.py", b"#!/usr/bin/env python\nimport os\n", "text/plain"),
        ("page.html", b"<!doctype html><html><p>Hello</p></html>", "text/plain"),
        ("minutes.txt", b"BM said that MZ agrees: PK and GIF8 come later.", "text/plain"),
        ("drawing.svg", SVG, "text/plain"),
        ("formats.txt", b"A PDF begins with %PDF- and its version.", "text/plain"),
    ],
)
def test_text_of_every_kind_stays_as_it_is(name: str, content: bytes, media_type: str) -> None:
    found = parse(content, name)
    assert (found.kind, found.text, found.media_type) == (FileKind.TEXT, content.decode(), media_type)


@pytest.mark.req("IN-03")
def test_a_drawing_that_could_hold_a_script_is_text_and_never_a_picture() -> None:
    found = parse(SVG, "drawing.png")
    assert (found.kind, found.data) == (FileKind.TEXT, b"")


@pytest.mark.req("IN-03", "IN-04")
@pytest.mark.parametrize("name", ["offer.pdf", "board.xlsx", "photo.png", "notes.txt", "data.csv", "paper.docx", ""])
@pytest.mark.parametrize("content", [PROGRAM, WINDOWS_PROGRAM], ids=["linux", "windows"])
def test_a_program_is_of_no_known_kind_whatever_it_is_called(content: bytes, name: str) -> None:
    assert refuse(content, name).reason is FileFault.UNKNOWN_KIND


@pytest.mark.req("IN-03")
@pytest.mark.parametrize(
    ("content", "kind"),
    [(make_image(), FileKind.IMAGE), (make_pdf(["a"]), FileKind.PDF), (make_workbook(A=[["a"]]), FileKind.TABLE)],
    ids=["image", "pdf", "workbook"],
)
def test_a_wrong_name_does_not_change_what_a_file_is(content: bytes, kind: FileKind) -> None:
    assert {parse(content, name).kind for name in ("a.txt", "a.csv", "a.docx", "a.exe", "")} == {kind}


@pytest.mark.req("IN-04")
@pytest.mark.parametrize(
    "content",
    [
        OLD_OFFICE,
        b"{\\rtf1 \\b Offer}",
        b"%!PS-Adobe-3.0\nshowpage",
        b"\x1f\x8b\x08\x00" + bytes(range(200)),
        b"BM" + bytes(90),
    ],
    ids=["old office", "rtf", "postscript", "gzip", "bmp"],
)
def test_what_nobody_can_read_as_text_is_of_no_known_kind(content: bytes) -> None:
    assert refuse(content).reason is FileFault.UNKNOWN_KIND


@pytest.mark.req("IN-04")
def test_an_office_file_with_a_password_is_locked() -> None:
    assert refuse(LOCKED_OFFICE, "board.xlsx").reason is FileFault.LOCKED


@pytest.mark.req("IN-04")
@pytest.mark.parametrize("content", [b" \r\n\t\n", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_nothing_but_blanks_is_empty(content: bytes) -> None:
    assert refuse(content).reason is FileFault.EMPTY


@pytest.mark.req("IN-04")
def test_half_a_character_at_the_end_of_a_file_is_a_broken_file() -> None:
    assert refuse("price".encode("utf-16")[:-1]).reason is FileFault.BROKEN


def test_one_stray_control_character_keeps_no_log_from_being_read() -> None:
    assert parse(b"x" * 200 + b"\x07\n").text
    assert refuse(b"x" * 50 + b"\x07\n").reason is FileFault.UNKNOWN_KIND


@pytest.mark.req("IN-03")
def test_a_zero_byte_is_in_no_text() -> None:
    assert refuse(b"x" * 1_000 + b"\0").reason is FileFault.UNKNOWN_KIND


@pytest.mark.req("IN-02")
def test_what_is_left_out_of_a_long_text_is_said() -> None:
    found = parse(b"x" * 1_501, characters=1_500)
    assert (found.text, found.left_out) == ("x" * 1_500, "everything after the first 1,500 characters")
    assert not parse(b"x" * 1_500, characters=1_500).left_out


@pytest.mark.req("IN-02")
@pytest.mark.parametrize("name", ["notes.txt", "notes.md"])
def test_no_number_is_cut_at_the_end_of_a_long_text(name: str) -> None:
    found = parse(b"12345\n" * 40 + b"67890 " * 400, name, characters=1_003)
    assert found.text.split()[-1] == "67890"
    assert 990 < len(found.text) <= 1_003


def test_a_name_is_shown_in_one_short_line() -> None:
    assert parse(b"x", "a\nb\t" + "c" * 300).title == "a b " + "c" * 196
