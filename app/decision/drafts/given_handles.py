"""Every handle that was ever given in the thread of a step, in drafts that were discarded as well."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from app.core.conversation.call import Call, DraftExtracted, DraftNoted
from app.core.conversation.conversation import Message
from app.core.state.interview import Interview
from app.decision.schema.handles import list_handles

_HANDLE: Final = re.compile(r'\\"item\\": ?\\"([A-Z]{1,2}[0-9]{1,3})\\"')
"""A handle in the result of a tool, which is JSON in JSON."""


def collect_handles(messages: Iterable[Message], lead: Interview | None = None) -> Iterator[str]:
    """Yield every handle that was ever given in a thread, and in the drafts that its interview holds.

    None of them is given to another item.
    """
    if lead:
        yield from list_handles([lead.draft, lead.drafted.draft if lead.drafted else {}])
    for message in messages:
        yield from _HANDLE.findall(message.content)
        yield from list_handles([json.loads(message.data or "{}"), *(_read_draft(call) for call in message.calls)])


def _read_draft(call: Call) -> Mapping[str, Any]:
    match call:
        case DraftNoted():
            return call.draft
        case DraftExtracted():
            return call.drafted.draft
        case _:
            return {}
