"""Citations of documents as people read them: name and pages, in the words of the answer themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from app.core.copy import file_access
from app.core.text.marks import clean_line

PAGES: Final = "page_location"
_FORMATTING: Final = re.compile(r"[*`~\[\]<>|\\]+")


def name_pages(citations: Iterable[Mapping[str, Any]]) -> str:
    """Return the documents and pages that a block cites, each once: "offer.pdf, page 3"; empty if it cites none."""
    places = (_name_place(each) for each in citations if each.get("type") == PAGES)
    return "; ".join(dict.fromkeys(places))


def append_pages(text: str, places: str) -> str:
    """Return what stands behind a text that is from these places, so that white space at its end stays at the end."""
    if not places or places in text:
        return ""
    gap = text[len(text.rstrip()) :]
    return f"{'' if gap else ' '}({places}){gap}"


def _name_place(citation: Mapping[str, Any]) -> str:
    first, last = citation["start_page_number"], citation["end_page_number"] - 1  # the end is the page behind the last
    words = file_access.PAGES if last > first else file_access.PAGE
    name = " ".join(_FORMATTING.sub(" ", clean_line(citation.get("document_title") or "")).split())
    return ", ".join(filter(None, (name, words.format(first=first, last=last))))
