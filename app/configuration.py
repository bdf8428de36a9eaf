"""What is read off the settings alone: what is missing or mixed up, limits, tools that are offered, the file reader."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from app.agent.claude.capabilities import find_window
from app.agent.claude.prices import compute_cost
from app.agent.claude.web_answer import WebSettings
from app.agent.tools.external import search_web
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.tool import ExternalTool
from app.core.conversation.usage import Usage
from app.core.errors import SettingsError
from app.core.turns.rate_limits import MINUTE, Allowance, Amount, Creation, Pace, build_amount
from app.files.file_limits import MEGABYTE, FileLimits
from app.files.process_reader import ProcessFileReader
from app.ports import FileReader
from app.runtime.limits import LimitSettings
from app.settings import Settings, list_domains, name_variable

_BEGINNINGS: Final = {
    "xoxb-": ("a bot token", "SLACK_BOT_TOKEN"),
    "xapp-": ("an app-level token", "SLACK_APP_TOKEN"),
    "sk-ant-": ("a key of the Anthropic API", "ANTHROPIC_API_KEY"),
    "xoxp-": ("the token of a person, which Threadwise does not use", ""),
}
"""What a token is, and the setting that it belongs to, by how it begins."""


def describe_swapped(name: str, value: str) -> str:
    """Return a complaint if a secret begins like that of another setting; empty if not.

    An unknown beginning may be that of a gateway's key.
    """
    for beginning, (what, belongs) in _BEGINNINGS.items():
        if value.startswith(beginning) and belongs != name:
            move = f" Move it to {belongs}." if belongs else ""
            return f"{name} begins with {beginning}: that is {what}.{move}"
    return ""


def describe_open_way(settings: Settings, name: str) -> str:
    """Return a caution if the secret of this name is sent unencrypted to another machine; empty if not."""
    ways = {"SLACK_BOT_TOKEN": "slack_api_url", "ANTHROPIC_API_KEY": "anthropic_base_url"}
    address = urlsplit(str(getattr(settings, ways[name]))) if name in ways else None
    if address is None or address.scheme == "https" or _is_own(address.hostname or ""):
        return ""
    return (
        f"{name_variable(ways[name])} begins with http://: what goes there, {name} included, can be read on the way. "
        "Use https:// outside of a network of your own."
    )


def _is_own(host: str) -> bool:
    """Return True for a name or an address of this machine."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def require(settings: Settings, *, http: bool) -> None:
    """Raise `SettingsError` that names all missing settings, or one with the token of another, with advice."""
    secret = ("SLACK_SIGNING_SECRET", settings.slack_signing_secret)
    socket = ("SLACK_APP_TOKEN", settings.slack_app_token)
    needed = (
        ("SLACK_BOT_TOKEN", settings.slack_bot_token),
        secret if http else socket,
        ("ANTHROPIC_API_KEY", settings.anthropic_api_key),
        ("THREADWISE_MASTER_KEY", settings.master_key),
    )
    if missing := [name for name, value in needed if not value.get_secret_value()]:
        named = f"{missing[0]} is" if len(missing) == 1 else f"{', '.join(missing[:-1])} and {missing[-1]} are"
        where = "docs/installation.md says where to get each; `threadwise check` tries them all"
        raise SettingsError(f"{named} not set. {where}.")
    if swapped := next(filter(None, (describe_swapped(name, value.get_secret_value()) for name, value in needed)), ""):
        raise SettingsError(swapped)


def build_limits(settings: Settings) -> LimitSettings:
    """Return the limits of people and of the workspace."""
    return LimitSettings(
        user=Allowance(
            messages=settings.messages_per_minute,
            calls=settings.answers_per_minute,
            at_once=settings.answers_at_once,
            tokens=settings.tokens_per_day,
            dollars=settings.person_dollars_per_day,
        ),
        workspace=Allowance(
            messages=settings.workspace_messages_per_minute,
            calls=settings.workspace_answers_per_minute,
            at_once=settings.workspace_answers_at_once,
            tokens=settings.workspace_tokens_per_day,
            dollars=settings.dollars_per_day,
        ),
        hold=settings.hold_seconds,
        reserve=_estimate_reserve(settings),
        creations=_build_paces(settings),
    )


def _build_paces(settings: Settings) -> Mapping[Creation, Pace]:
    """Return how much one person may create. Each limit is for an hour, except the one for searching."""
    made = (Creation.BEGINNING, Creation.CHANNEL, Creation.FILE, Creation.SCHEDULE)
    return {
        **dict.fromkeys(made, Pace(settings.creations_per_hour)),
        Creation.INVITATION: Pace(settings.invitations_per_hour),
        Creation.SEARCH: Pace(settings.searches_per_minute, MINUTE),
    }


def find_context(settings: Settings) -> int:
    """Return the tokens of a request."""
    return settings.context_tokens or find_window(settings.model)


def _estimate_reserve(settings: Settings) -> Amount:
    """Return the highest expected cost of one request: uncached input of full length, the longest answer, and searches
    of the web, if there are any.
    """
    searches = settings.web_uses if settings.web_search else 0
    usage = Usage(input_tokens=find_context(settings), output_tokens=settings.max_tokens, searches=searches)
    is_priced = settings.dollars_per_day or settings.person_dollars_per_day
    return build_amount(usage, compute_cost(settings.model, usage) if is_priced else "")


def offer_tools(settings: Settings) -> Mapping[str, ExternalTool[Any]]:
    """Return the tools that may be offered, by name: the web is searched only if that is switched on."""
    web = search_web.TOOL.name
    return {name: tool for name, tool in EXTERNAL_TOOLS.items() if name != web or settings.web_search}


def build_web(settings: Settings) -> WebSettings:
    """Return the bounds of a search of the web."""
    return WebSettings(
        model=settings.model,
        max_tokens=settings.max_tokens,
        uses=settings.web_uses,
        allowed=list_domains(settings.web_domains),
        denied=list_domains(settings.web_denied_domains),
    )


def build_file_reader(settings: Settings) -> FileReader:
    """Return the reader of people's files: one for the program, because it bounds how many it reads at once."""
    return ProcessFileReader(
        FileLimits(
            bytes=settings.file_megabytes * MEGABYTE,
            pages=settings.file_pages,
            seconds=settings.file_seconds,
            memory=settings.file_memory_megabytes * MEGABYTE,
        )
    )
