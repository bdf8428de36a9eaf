"""Texts on files that Slack does not give to the app; the same rules as in `app.core.copy.texts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.core.copy.file_faults import MEGABYTE
from app.core.errors import FetchFault, FileNotFetched

FAULTS: Final[Mapping[FetchFault, str]] = {
    FetchFault.NO_SCOPE: (
        "I may not read {name}: in this workspace I lack Slack's permission `files:read`. Please ask whoever installed "
        "me to reinstall the app with it, or paste the part that matters here."
    ),
    FetchFault.LOGIN_PAGE: (
        "Slack gave me a login page instead of {name}. Please send the file again. If that does not help, ask whoever "
        "installed me to reinstall the app."
    ),
    FetchFault.HIDDEN: "Slack does not show me {name}. Please upload a copy here, or paste the part that matters.",
    FetchFault.EXTERNAL: (
        "{name} lies with another service, where I cannot read it. Please download it and upload it here."
    ),
    FetchFault.DELETED: "{name} was deleted before I could read it. Please send it again if it matters here.",
    FetchFault.ELSEWHERE: "{name} does not lie with Slack, and I fetch files only from there. Please upload it here.",
    FetchFault.TOO_LARGE: (
        "{name} is too large for me: I read {limit} MB at most. Please send the part that matters here."
    ),
    FetchFault.TOO_MANY: (
        "I did not read {name}: I read at most {limit} of the files of a message. Please send it in the next one."
    ),
    FetchFault.UNAVAILABLE: "Slack did not give me {name} just now. Please ask me again in a moment.",
}
NOTICE: Final = "📎 {problem}"
"""A line above the answer."""

IS_READING: Final = "is reading your files…"
"""What the thread's status says meanwhile."""

PAGE: Final = "page {first}"
PAGES: Final = "pages {first} to {last}"
"""What an answer from a document cites, behind its name."""

A_FILE: Final = "a file"
"""Stands for a name that Slack keeps back."""


def explain_fetch_fault(failed: FileNotFetched, name: str) -> str:
    """Return one notice about a file that was not fetched. `name` is shown as it is: clean it before."""
    is_size = failed.reason is FetchFault.TOO_LARGE
    limit = f"{max(1, failed.limit // MEGABYTE) if is_size else failed.limit:,}"
    said = FAULTS[failed.reason].format(name=name, limit=limit)
    return said[:1].upper() + said[1:] if name == A_FILE else said
