"""Parts whose values are read off the settings alone: limits, and the reader of files."""

from __future__ import annotations

from collections.abc import Mapping

from app.agent.claude.capabilities import find_window
from app.agent.claude.prices import compute_cost
from app.core.conversation.usage import Usage
from app.core.turns.rate_limits import MINUTE, Allowance, Amount, Creation, Pace, build_amount
from app.files.file_limits import MEGABYTE, FileLimits
from app.files.process_reader import ProcessFileReader
from app.ports import FileReader
from app.runtime.limits import LimitSettings
from app.settings import Settings


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
    """Return the highest expected cost of one request: uncached input of full length, and the longest answer."""
    usage = Usage(input_tokens=find_context(settings), output_tokens=settings.max_tokens)
    is_priced = settings.dollars_per_day or settings.person_dollars_per_day
    return build_amount(usage, compute_cost(settings.model, usage) if is_priced else "")


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
