"""What the server tools do in an answer: the blocks of searches, opened pages and citations, within their bounds."""

import base64
import hashlib
import hmac
import json
import re
import secrets
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from app.playground.claude.api.prompt import Json, Message, Prompt
from app.playground.claude.api.refusals import build_invalid_request
from app.playground.claude.api.script import Block, Cited, Page, Part, Turn, WebFetch, WebSearch
from app.playground.claude.api.web.definitions import FETCH, SEARCH, find_web_tool

_ALPHABET = string.ascii_letters + string.digits
_LONGEST_URL = 250  # characters, of an address that is opened
_URL = re.compile(r"https?://[^\s<>\"'()\[\]]+")


class Sealer:
    """Sealer of what the API sends back encrypted; it knows its own."""

    def __init__(self, account_key: str) -> None:
        self._key = account_key.encode()

    def seal(self, *parts: str) -> str:
        """Return the sealed form of these parts."""
        return base64.b64encode(hmac.new(self._key, "\n".join(parts).encode(), hashlib.sha256).digest()).decode()


@dataclass
class WebUses:
    """The uses of one request: how many, which pages are known, and the blocks that they leave."""

    prompt: Prompt
    sealer: Sealer
    searches: int = 0
    """Those that succeeded, which alone are billed."""
    fetches: int = 0
    _tried: dict[str, int] = field(default_factory=dict[str, int])
    _opened: list[str] = field(default_factory=list[str])
    _known: set[str] = field(default_factory=set[str])

    def expand(self, turn: Turn) -> Turn:
        """Return the turn with its web parts as the blocks that the API would send."""
        self._known |= set(_list_known(self.prompt))
        self._opened += _list_opened(self.prompt.messages)
        return replace(turn, text="", parts=[block for part in turn.parts for block in self._expand(part)])

    def _expand(self, part: Part) -> Iterator[Part]:
        match part:
            case WebSearch():
                yield from self._search(part)
            case WebFetch():
                yield from self._fetch(part)
            case Cited():
                yield self._cite(part)
            case _:
                yield part

    def _search(self, part: WebSearch) -> Iterator[Block]:
        tool, id_ = self._begin(SEARCH), _create_id()
        yield _build_use(id_, SEARCH, {"query": part.query})
        if code := self._find_excess(SEARCH, tool) or part.error:
            yield _build_result(id_, SEARCH, {"type": "web_search_tool_result_error", "error_code": code})
            return
        self.searches += 1
        found = [page for page in part.found if _is_allowed(page.url, tool)]
        if _counts(self.prompt, "server_tool_results"):
            self._known |= {page.url for page in found}
        yield _build_result(id_, SEARCH, [self._render_found(page) for page in found])

    def _fetch(self, part: WebFetch) -> Iterator[Block]:
        tool, id_ = self._begin(FETCH), _create_id()
        yield _build_use(id_, FETCH, {"url": part.page.url})
        if code := self._find_excess(FETCH, tool) or self._find_fault(part.page.url, tool) or part.error:
            yield _build_result(id_, FETCH, {"type": "web_fetch_tool_result_error", "error_code": code})
            return
        self.fetches += 1
        self._opened.append(part.page.url)
        yield _build_result(id_, FETCH, _render_opened(part.page, tool))

    def _begin(self, name: str) -> Json:
        tool = find_web_tool(self.prompt, name)
        if tool is None:
            raise build_invalid_request(f"playground: the turn uses {name}, which the request does not offer")
        self._tried[name] = self._tried.get(name, 0) + 1
        return tool

    def _find_excess(self, name: str, tool: Json) -> str:
        return "max_uses_exceeded" if self._tried[name] > (tool.get("max_uses") or self._tried[name]) else ""

    def _find_fault(self, url: str, tool: Json) -> str:
        if len(url) > _LONGEST_URL:
            return "url_too_long"
        if not _is_allowed(url, tool):
            return "url_not_allowed"
        return "" if url in self._known else "url_not_in_prior_context"

    def _render_found(self, page: Page) -> Json:
        sealed = self.sealer.seal(page.url, page.title)
        return {
            "type": "web_search_result",
            "url": page.url,
            "title": page.title,
            "encrypted_content": sealed,
            "page_age": page.age,
        }

    def _cite(self, part: Cited) -> Block:
        citations = [self._render_citation(page) for page in part.pages]
        pieces = ({"type": "citations_delta", "citation": each} for each in citations)
        deltas: list[Json] = [{"type": "text_delta", "text": part.text}, *pieces]
        return Block(
            {"type": "text", "text": "", "citations": []},
            deltas,
            {"type": "text", "text": part.text, "citations": citations},
        )

    def _render_citation(self, page: Page) -> Json:
        """Return a citation of an opened page, or else of one that was found."""
        if page.url in self._opened:
            return {
                "type": "char_location",
                "cited_text": page.text[:150],
                "document_index": self._opened.index(page.url),
                "document_title": page.title,
                "file_id": None,
                "start_char_index": 0,
                "end_char_index": len(page.text[:150]),
            }
        return {
            "type": "web_search_result_location",
            "cited_text": page.text[:150],
            "encrypted_index": self.sealer.seal(page.url, page.text[:150]),
            "title": page.title,
            "url": page.url,
        }


def _list_known(prompt: Prompt) -> Iterator[str]:
    """Yield the addresses in the conversation so far that may be opened."""
    if _counts(prompt, "user_input"):
        for message in prompt.messages:
            yield from _URL.findall(message.text) if message.role == "user" else ()
    for message in prompt.messages if _counts(prompt, "server_tool_results") else ():
        for block in message.of("web_search_tool_result"):
            yield from (each["url"] for each in block["content"] if isinstance(each, dict))


def _counts(prompt: Prompt, source: str) -> bool:
    """Return True if `url_sources` of the request lets this source, or the search of it, name what is opened."""
    tool: Json = find_web_tool(prompt, FETCH) or {}
    sources: Json = tool.get("url_sources") or {}
    chosen: Json = sources.get(source) or {"type": "all"}
    names = [str(each["name"]) for each in chosen.get("tools", ())]
    return {"all": True, "none": False, "only": SEARCH in names, "except": SEARCH not in names}[chosen["type"]]


def _list_opened(messages: Sequence[Message]) -> list[str]:
    blocks = [block for message in messages for block in message.of("web_fetch_tool_result")]
    return [block["content"]["url"] for block in blocks if "url" in block["content"]]


def _is_allowed(url: str, tool: Json) -> bool:
    host = urlsplit(url).hostname or ""
    allowed, blocked = tool.get("allowed_domains"), tool.get("blocked_domains") or ()
    return (allowed is None or _is_below(host, allowed)) and not _is_below(host, blocked)


def _is_below(host: str, domains: Sequence[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _create_id() -> str:
    return "srvtoolu_01" + "".join(secrets.choice(_ALPHABET) for _ in range(22))


def _build_use(id_: str, name: str, given: Json) -> Block:
    start: Json = {"type": "server_tool_use", "id": id_, "name": name, "input": {}, "caller": {"type": "direct"}}
    words = json.dumps(given, ensure_ascii=False)
    deltas = [{"type": "input_json_delta", "partial_json": each} for each in ("", words[:7], words[7:])]
    return Block(start, deltas, {**start, "input": given})


def _build_result(id_: str, name: str, content: Any) -> Block:
    return Block({"type": f"{name}_tool_result", "tool_use_id": id_, "content": content, "caller": {"type": "direct"}})


def _render_opened(page: Page, tool: Json) -> Json:
    most = 4 * int(tool.get("max_content_tokens") or 1_000_000)
    document = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": page.text[:most]},
        "title": page.title,
        "citations": tool.get("citations"),
    }
    return {
        "type": "web_fetch_result",
        "url": page.url,
        "content": document,
        "retrieved_at": "2026-11-01T00:00:00Z",
    }
