"""Search of the web by the model's own tools: the request that holds a query alone, and what comes back.

The blocks are those of the API's server tools `web_search` and `web_fetch`. Their text was written by anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final, cast

from app.core.text.addresses import LONGEST_NAMED, accept_address, belongs_to
from app.ports import ModelRequest

SYSTEM: Final = resources.files("app.agent").joinpath("prompts/web_search.txt").read_text("utf-8").strip()

SEARCH, FETCH = "web_search", "web_fetch"
VERSION: Final = "20260318"

PAGE_TOKENS: Final = 8_000
"""Tokens of a page that is opened; what stands further down is not read."""

MOST_SOURCES: Final = 8

_RESULTS: Final = frozenset({"web_search_tool_result", "web_fetch_tool_result"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Bounds of a search: the model that searches, the length of its answer (tokens), how often, and where."""

    model: str = ""
    max_tokens: int = 8_000
    uses: int = 5
    """Searches of one query, and pages that it may open."""
    allowed: tuple[str, ...] = ()
    """The only domains, each with those below it; empty for all. Not together with `denied`."""
    denied: tuple[str, ...] = ()
    """Domains that are left out, each with those below it."""

    def allows(self, address: str) -> bool:
        """Return True if an accepted address may be read and shown."""
        return (not self.allowed or belongs_to(address, self.allowed)) and not belongs_to(address, self.denied)


NO_WEB: Final = WebSettings()
"""For a turn in which the web is not searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSource:
    """A page that words came from. `url` is an accepted address of any length, the title its own and unclean."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswer:
    """What was found: the model's words, unclean, with the numbers of their sources behind them."""

    text: str
    sources: tuple[WebSource, ...]
    faults: tuple[str, ...]
    """The API's codes of what went wrong, each once."""
    is_cut: bool = False
    """True if it ended before its last word."""

    @property
    def is_partial(self) -> bool:
        """Return True if not all was looked at that the model wanted to look at."""
        return self.is_cut or bool(self.faults)


def build_search_request(settings: WebSettings, messages: Sequence[dict[str, Any]]) -> ModelRequest:
    """Return the request for these messages: the query, and after it the parts of an answer that was paused."""
    domains: dict[str, Any] = {}
    if settings.allowed:
        domains["allowed_domains"] = list(settings.allowed)
    if settings.denied:
        domains["blocked_domains"] = list(settings.denied)
    # Code that runs at the vendor's may not call them: only what the model itself asks for counts as a use.
    common = {"max_uses": settings.uses, "allowed_callers": ["direct"], **domains}
    found = {"type": "only", "tools": [{"type": "tool_reference", "name": SEARCH}]}
    fetch = {
        "type": f"{FETCH}_{VERSION}",
        "name": FETCH,
        "max_content_tokens": PAGE_TOKENS,
        "citations": {"enabled": True},
        # Only pages that the search has found are opened, so that no address can carry words to its server.
        "url_sources": {
            "user_input": {"type": "none"},
            "client_tool_results": {"type": "none"},
            "server_tool_results": found,
        },
        **common,
    }
    return ModelRequest(
        model=settings.model,
        system=SYSTEM,
        messages=messages,
        max_tokens=settings.max_tokens,
        tools=({"type": f"{SEARCH}_{VERSION}", "name": SEARCH, **common}, fetch),
    )


def count_uses(blocks: Iterable[Mapping[str, Any]]) -> int:
    """Return how often a search or a page was asked for in these blocks, whichever was more."""
    asked = Counter(each["name"] for each in blocks if each["type"] == "server_tool_use")
    return max(asked[SEARCH], asked[FETCH])


def read_answer(settings: WebSettings, blocks: Sequence[Mapping[str, Any]], *, is_cut: bool = False) -> WebAnswer:
    """Return what the blocks of an answer say. Sources that are no allowed web address are left out."""
    reader = _Reader(settings, [each["content"] for each in blocks if each["type"] in _RESULTS])
    last = max((place for place, each in enumerate(blocks) if each["type"] in _RESULTS), default=-1)
    text = "".join(map(reader.render, (each for each in blocks[last + 1 :] if each["type"] == "text")))
    faults = tuple(dict.fromkeys(reader.faults))
    return WebAnswer(text=text.strip(), sources=reader.list_sources(), faults=faults, is_cut=is_cut)


@dataclass
class _Reader:
    """Reader of one answer, which numbers its sources as they are cited."""

    settings: WebSettings
    results: Sequence[Any]
    cited: dict[str, WebSource] = field(default_factory=dict[str, WebSource])
    """By address, in the order of their numbers."""

    @property
    def faults(self) -> list[str]:
        """The codes of the results that are errors."""
        return [str(each["error_code"]) for each in self._list_objects() if "error_code" in each]

    def render(self, block: Mapping[str, Any]) -> str:
        """Return the words of a text block with the numbers of what they cite."""
        citations: Sequence[Mapping[str, Any]] = block.get("citations") or ()
        numbers = dict.fromkeys(number for each in citations if (number := self._count(each)))
        return str(block["text"]) + "".join(f" [{number}]" for number in numbers)

    def list_sources(self) -> tuple[WebSource, ...]:
        """Return the cited sources; if nothing is cited, the pages that were found."""
        return tuple(self.cited.values()) or tuple(self._list_found().values())[:MOST_SOURCES]

    def _count(self, citation: Mapping[str, Any]) -> int:
        """Return the number of a citation's source; 0 if it has none that may be shown."""
        source = self._find_source(citation)
        if source is None or (source.url not in self.cited and len(self.cited) >= MOST_SOURCES):
            return 0
        self.cited.setdefault(source.url, source)
        return [*self.cited].index(source.url) + 1

    def _find_source(self, citation: Mapping[str, Any]) -> WebSource | None:
        if "url" in citation:
            return self._accept(citation.get("title"), citation["url"])
        opened = [each for each in self._list_objects() if each["type"] == "web_fetch_result"]
        place = citation.get("document_index")
        if not isinstance(place, int) or not 0 <= place < len(opened):
            return None
        return self._accept(citation.get("document_title"), opened[place]["url"])

    def _list_found(self) -> dict[str, WebSource]:
        return {source.url: source for each in self._list_results() if (source := self._accept(*each))}

    def _list_results(self) -> Iterator[tuple[Any, Any]]:
        """Yield title and address of each page that was found."""
        for each in self.results:
            for page in cast("list[dict[str, Any]]", each) if isinstance(each, list) else ():
                yield page["title"], page["url"]

    def _list_objects(self) -> list[dict[str, Any]]:
        """Return the results that are an opened page or an error."""
        return [cast("dict[str, Any]", each) for each in self.results if isinstance(each, dict)]

    def _accept(self, title: Any, url: Any) -> WebSource | None:
        address = accept_address(str(url), LONGEST_NAMED)
        return WebSource(title=str(title or ""), url=address) if address and self.settings.allows(address) else None
