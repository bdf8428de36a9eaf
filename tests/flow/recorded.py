"""Two records side by side: the same but for their ids, which have to be such as the source's schemas want them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from app.decision.schema.paths import is_list, is_object

ADDED = frozenset({"handle", "baseline_id", "amount_for", "written_for"})
"""What the server keeps besides: what each item is called, which option was the status quo when it was rated, and for
which ratings amounts and texts were given."""


def differences(kept: Any, worked: Any, ids: dict[str, str], place: str) -> Iterator[str]:
    """Where a record differs from the one it should be; `ids` learns which of its ids stands for which of that."""
    if is_object(kept) and is_object(worked):
        ours = {":".join(ids.get(part, part) for part in key.split(":")): each for key, each in kept.items()}
        yield from (f"{place}.{key}" for key in sorted((ours.keys() ^ worked.keys()) - ADDED))
        for key in (key for key in worked if key in ours):
            yield from differences(ours[key], worked[key], ids, f"{place}.{key}")
    elif is_list(kept) and is_list(worked) and len(kept) == len(worked):
        for index, (one, other) in enumerate(zip(kept, worked, strict=True)):
            yield from differences(one, other, ids, f"{place}.{index}")
    elif isinstance(kept, str) and isinstance(worked, str) and is_id(kept):
        if ids.setdefault(kept, worked) != worked:
            yield place
    elif kept != worked:
        yield place


def is_id(text: str) -> bool:
    """True for an id of the server's."""
    try:
        return UUID(text).version == 4
    except ValueError:
        return False
