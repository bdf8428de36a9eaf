"""Addresses of web pages that come from outside, in a form that can stand in a link. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import quote, urlsplit

from app.core.text.sanitize import keep_visible

LONGEST: Final = 900
"""Characters of an address; Slack links no longer one reliably."""

LONGEST_NAMED: Final = 8_000
"""Characters of an address whose page can at least be named by its title and host."""

LONGEST_LABEL: Final = 80

LONGEST_QUERY: Final = 60
"""Characters of a query that may stand behind a label. A longer one is shown: it may carry words off."""

DOMAIN: Final = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")
"""A name with a dot, in lower case: no address of a machine, and no name that only one network knows."""

_KEPT: Final = "%/:=&?~#+!$,;'@"
"""Characters that mean something in an address, and nothing in Markdown or in Slack's own text."""
_LOCAL: Final = re.compile(r"(?:.*\.)?(?:localhost|local|internal|lan|home|arpa)")
_NO_LABEL: Final = re.compile(r"[^\w\s.,;:!?%&/'’“”–—-]|_")
_POSES: Final = re.compile(r"[\w-]\.\w|:/|@")
"""What may read as another address than the link's own."""
_ENDED: Final = r"(?![\w%/?#&=~+$@*-]|[.,;:!'][\w%/?#&=~+$@-])"
"""Behind the end of an address: nothing that would continue it."""


def accept_address(given: str, longest: int = LONGEST) -> str:
    """Return an http or https address as plain ASCII that ends no link early; empty for anything else, or a longer one.

    A second call changes nothing. Nothing is added to it, and nothing is asked of its server.
    """
    if len(given) > longest or keep_visible(given) != given or re.search(r"[\s\\]", given):
        return ""
    try:
        parts = urlsplit(given)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:  # UnicodeError is one
        return ""
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _is_public(host):
        return ""
    rest = given.partition("//")[2][len(parts.netloc) :]
    begun = f"{parts.scheme}://{host}{f':{port}' if port else ''}"
    address = begun + quote(rest if rest.startswith("/") else f"/{rest}", safe=_KEPT)
    return address if len(address) <= longest else ""


def _is_public(host: str) -> bool:
    return bool(DOMAIN.fullmatch(host)) and not _LOCAL.fullmatch(host)


def find_host(address: str) -> str:
    """Return the host of an accepted address."""
    return urlsplit(address).hostname or ""


def belongs_to(address: str, domains: Collection[str]) -> bool:
    """Return True if the host of an accepted address is one of these domains or lies below one."""
    host = find_host(address)
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def write_link(title: str, address: str) -> str:
    """Return a Markdown link to an accepted address. A title that may pass as another address gives way to the host.

    A link with a long query shows its whole address, behind the title.
    """
    shown = _write_label(title) or find_host(address)
    is_long = len(urlsplit(address).query) > LONGEST_QUERY
    return f"{shown}: <{address}>" if is_long else f"[{shown}]({address})"


def name_page(title: str, host: str) -> str:
    """Return the name of a page that cannot be linked: its title and its host."""
    label = _write_label(title)
    return f"{label} ({host})" if label else host


def _write_label(title: str) -> str:
    """Return a title as words of one line; empty if it has none, or may pass as an address."""
    seen = keep_visible(title)
    label = " ".join(_NO_LABEL.sub(" ", seen).split())[:LONGEST_LABEL].strip()
    return label if re.search(r"\w", label) and not _POSES.search(seen) else ""


def names_address(text: str, address: str) -> bool:
    """Return True if the text holds this accepted address, and not only a longer one that begins with it."""
    return bool(re.search(re.escape(address) + _ENDED, text))
