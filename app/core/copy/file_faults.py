"""Texts on files that cannot be read; the same rules as in `app.core.copy.texts`."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.errors import FileFault, FileRefused

FAULTS: Mapping[FileFault, str] = {
    FileFault.UNKNOWN_KIND: (
        "I cannot read {name}: its content is none of the kinds that I know. Please send it as a picture (PNG, JPEG, "
        "GIF, WebP), PDF, Word (.docx), Excel (.xlsx), CSV or text."
    ),
    FileFault.TOO_LARGE: "{name} is too large for me: I read {limit} at most. Please send the part that matters here.",
    FileFault.BROKEN: "{name} seems to be damaged, so I cannot open it. Please save it again and send the new file.",
    FileFault.LOCKED: "{name} is locked with a password. Please send a copy without one.",
    FileFault.TOO_MANY_PAGES: (
        "{name} has too many pages for me: I read {limit} at most. Please send the pages that matter here."
    ),
    FileFault.TOO_LONG_TO_READ: (
        "Reading {name} took too long, so I gave it up. Please send a simpler copy, or the part that matters here."
    ),
    FileFault.TOO_MUCH_MEMORY: (
        "{name} grows too large when I open it, so I gave it up. Please send a simpler copy, or the part that matters "
        "here."
    ),
    FileFault.ONLY_PICTURES: (
        "{name} is made of pictures of pages, as from a scanner, and there are too many for me to look at. Please send "
        "fewer pages, or a copy with text in it."
    ),
    FileFault.EMPTY: "There is nothing in {name}. Please check the file and send it again.",
    FileFault.FAILED: (
        "I could not open {name} just now. That is my fault and not the file's: please send it once more, and if it "
        "happens again, tell whoever installed me."
    ),
}
READ_WITHOUT = "I read {name} without {left_out}."
TEXT_ALONE = "Of {name} I read the text alone and not its pictures, because it is long."
IS_LONG = "{it} is long: I have its beginning in view, and look up the rest when I need it."
MEGABYTES = "{count:,} MB"
PAGES = "{count:,} pages"
MEGABYTE = 1_000_000


def describe_gap(name: str, left_out: str = "", *, is_text_alone: bool = False, is_long: bool = False) -> str:
    """Return one notice about what was not read of a file, or is not in view; empty if that is nothing."""
    alone = TEXT_ALONE.format(name=name) if is_text_alone else ""
    without = READ_WITHOUT.format(name=name, left_out=left_out) if left_out else ""
    long = IS_LONG.format(it="It" if alone or without else name) if is_long else ""
    return " ".join(filter(None, (alone, without, long)))


def explain_fault(refused: FileRefused, name: str) -> str:
    """Return one notice about a file that was refused. `name` is shown as it is: clean it before."""
    if refused.reason is FileFault.TOO_MANY_PAGES:
        limit = PAGES.format(count=refused.limit)
    else:
        limit = MEGABYTES.format(count=max(1, refused.limit // MEGABYTE))
    return FAULTS[refused.reason].format(name=name, limit=limit)
