"""What the model is told came of a call, in the order of ADR-008: the result, the query, what came, and what to do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def told(query: Mapping[str, Any], action: str, **came: Any) -> str:
    """A call that was carried out; it had no results if all that came of it is empty."""
    result = "success" if any(came.values()) else "no_results"
    return json.dumps({"result": result, "query": query, **came, "action": action}, ensure_ascii=False)
