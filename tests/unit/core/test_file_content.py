"""What was read of a file."""

from __future__ import annotations

from app.core.file_content import FileContent, FileKind


def test_content_is_cut_if_a_part_of_it_was_left_out() -> None:
    whole = FileContent(kind=FileKind.TEXT, media_type="text/plain", title="a.txt", text="x")
    assert not whole.is_cut
    part = FileContent(kind=FileKind.TEXT, media_type="text/plain", title="a.txt", text="x", left_out="the end")
    assert part.is_cut
