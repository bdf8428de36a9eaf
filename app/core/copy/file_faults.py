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
    FileFault.EMPTY: "There is nothing in {name}. Please check the file and send it again.",
    FileFault.FAILED: (
        "I could not open {name} just now. That is my fault and not the file's: please send it once more, and if it "
        "happens again, tell whoever installed me."
    ),
}
MEGABYTES = "{count:,} MB"
PAGES = "{count:,} pages"
MEGABYTE = 1_000_000


def explain_fault(refused: FileRefused, name: str) -> str:
    """Return one notice about a file that was refused. `name` is shown as it is: clean it before."""
    if refused.reason is FileFault.TOO_MANY_PAGES:
        limit = PAGES.format(count=refused.limit)
    else:
        limit = MEGABYTES.format(count=max(1, refused.limit // MEGABYTE))
    return FAULTS[refused.reason].format(name=name, limit=limit)
