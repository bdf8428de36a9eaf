"""Parts whose values are read off the settings alone: limits, the tools that are offered, and the reader of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.agent.claude.capabilities import find_window
from app.agent.claude.prices import compute_cost
from app.agent.claude.web_answer import WebSettings
from app.agent.tools.external import search_web
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.tool import ExternalTool
from app.core.conversation.usage import Usage
from app.core.turns.rate_limits import MINUTE, Allowance, Amount, Creation, Pace, build_amount
from app.files.file_limits import MEGABYTE, FileLimits
from app.files.process_reader import ProcessFileReader
from app.ports import FileReader
from app.runtime.limits import LimitSettings
from app.settings import Settings, list_domains


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
