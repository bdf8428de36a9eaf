"""Rules for the server tools `web_search` and `web_fetch` as a request offers them."""

from collections.abc import Callable, Mapping
from typing import Any

from app.playground.claude.api.prompt import Json, Prompt, is_array, is_object
from app.playground.claude.api.refusals import build_invalid_request

SEARCH, FETCH = "web_search", "web_fetch"
VERSIONS: Mapping[str, tuple[str, ...]] = {
    SEARCH: ("20250305", "20260209", "20260318"),
    FETCH: ("20250910", "20260209", "20260309", "20260318"),
}

NEWEST = "20260318"
"""Only some models take it."""

_COMMON = frozenset(
    {
        "type",
        "name",
        "allowed_callers",
        "allowed_domains",
        "blocked_domains",
        "cache_control",
        "defer_loading",
        "max_uses",
        "strict",
    }
)
_FIELDS = {
    SEARCH: _COMMON | {"user_location"},
    FETCH: _COMMON | {"citations", "max_content_tokens", "url_sources"},
}
_SINCE = {"use_cache": "20260309", "response_inclusion": "20260318"}
"""Fields of later versions; the first is of `web_fetch` alone."""

_CALLERS = ("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521")
_SOURCES = ("user_input", "client_tool_results", "server_tool_results")


def find_web_tool(prompt: Prompt, name: str) -> Json | None:
    """Return the server tool of this name as the request offers it."""
    return next((tool for tool in prompt.tools if str(tool.get("type")).startswith(f"{name}_")), None)


def check_web_tools(prompt: Prompt) -> None:
    """Refuse the first web tool that is not as the API wants it."""
    for n, tool in enumerate(prompt.tools):
        for name in VERSIONS:
            if str(tool.get("type")).startswith(f"{name}_"):
                _check_tool(prompt, tool, name, f"tools.{n}")


def _check_tool(prompt: Prompt, tool: Json, name: str, place: str) -> None:
    version = str(tool["type"]).removeprefix(f"{name}_")
    if version not in VERSIONS[name]:
        known = ", ".join(f"'{name}_{each}'" for each in VERSIONS[name])
        raise build_invalid_request(
            f"{place}: Input tag '{tool['type']}' found using 'type' does not match any of the expected tags: {known}"
        )
    if not prompt.model.searches and version == NEWEST:
        raise build_invalid_request(f"'{prompt.model.id}' does not support tool types: {tool['type']}.")
    _check_fields(tool, name, version, f"{place}.{tool['type']}")
    if tool.get("url_sources") is not None:
        _check_url_sources(prompt, tool["url_sources"], f"{place}.{tool['type']}.url_sources")


def _check_fields(tool: Json, name: str, version: str, where: str) -> None:
    if tool.get("name") != name:
        raise build_invalid_request(f"{where}.name: Input should be '{name}'")
    for field in tool:
        if not _is_known(field, name, version):
            raise build_invalid_request(f"{where}.{field}: Extra inputs are not permitted")
    for field, check in _CHECKS.items():
        if tool.get(field) is not None:
            check(tool[field], f"{where}.{field}")
    if tool.get("allowed_domains") is not None and tool.get("blocked_domains") is not None:
        raise build_invalid_request(f"{where}: allowed_domains and blocked_domains cannot be used together")


def _is_known(field: str, name: str, version: str) -> bool:
    if field in _SINCE:
        return version >= _SINCE[field] and (field != "use_cache" or name == FETCH)
    return field in _FIELDS[name]


def _check_count(value: Any, where: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise build_invalid_request(f"{where}: Input should be greater than 0")


def _check_domains(value: Any, where: str) -> None:
    if not is_array(value) or not all(isinstance(each, str) and each for each in value):
        raise build_invalid_request(f"{where}: Input should be a list of domains")
    if any("://" in each for each in value):
        raise build_invalid_request(f"{where}: domains must not include a scheme such as https://")


def _check_callers(value: Any, where: str) -> None:
    if not is_array(value) or not all(each in _CALLERS for each in value):
        raise build_invalid_request(f"{where}: Input should be {', '.join(map(repr, _CALLERS))}")


def _check_citations(value: Any, where: str) -> None:
    if not is_object(value) or not isinstance(value.get("enabled"), bool):
        raise build_invalid_request(f"{where}.enabled: Input should be a valid boolean")


_CHECKS: Mapping[str, Callable[[Any, str], None]] = {
    "max_uses": _check_count,
    "max_content_tokens": _check_count,
    "allowed_domains": _check_domains,
    "blocked_domains": _check_domains,
    "allowed_callers": _check_callers,
    "citations": _check_citations,
}


def _check_url_sources(prompt: Prompt, value: Any, where: str) -> None:
    """Require known sources; a filter by tools must name tools of the same request."""
    if not is_object(value) or not set(value) <= set(_SOURCES):
        raise build_invalid_request(f"{where}: Input should have the fields {', '.join(_SOURCES)}")
    names = {tool.get("name") for tool in prompt.tools}
    for source, chosen in value.items():
        kinds = ("all", "none") if source == "user_input" else ("all", "none", "only", "except")
        kind = chosen.get("type") if is_object(chosen) else None
        if kind not in kinds:
            raise build_invalid_request(f"{where}.{source}.type: Input should be {', '.join(map(repr, kinds))}")
        for each in chosen.get("tools", ()) if kind in ("only", "except") else ():
            if not is_object(each) or each.get("type") != "tool_reference" or each.get("name") not in names:
                raise build_invalid_request(f"{where}.{source}.tools: each must name a tool of this request")
