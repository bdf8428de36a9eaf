"""Check of a modal or a Home tab, with Slack's words for a refusal.

Rule: a view that people would see broken is refused as a whole; single blocks are checked as in messages.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from app.playground.slack.block_problems import at, block_problems, broken_rules
from app.playground.slack.blocks import with_ids
from app.playground.slack.refusal import Refusal, invalid
from app.playground.slack.render_json import mappings_in
from app.playground.slack.surfaces import Json

MOST_BYTES = 250_000  # Slack: then view_too_large

_COMMON = frozenset({"type", "blocks", "private_metadata", "callback_id", "external_id"})
#: Type of a view → the fields it may have.
_FIELDS: Mapping[str, frozenset[str]] = {
    "modal": _COMMON | {"title", "submit", "close", "clear_on_close", "notify_on_close"},
    "home": _COMMON,
}
#: Blocks that views show; tables, markdown and what streams are for messages only.
_BLOCKS = frozenset({"actions", "context", "divider", "header", "image", "input", "rich_text", "section", "video"})


def check_view(view: Any, kind: str, name: Callable[[], str]) -> Json:
    """Return a view as Slack stores it, if it may be shown as a "modal" or "home"; else raise Slack's refusal."""
    if not isinstance(view, dict):
        raise invalid("invalid_arguments", [at("/view", "must provide an object")])
    given = cast(Json, view)
    if problems := list(dict.fromkeys(_problems(given, kind))):
        raise invalid("invalid_arguments", [at("/view", "failed to match all allowed schemas"), *problems])
    if len(json.dumps(given).encode()) > MOST_BYTES:
        raise Refusal("view_too_large")
    return given | {"blocks": with_ids(given["blocks"], name)}


def _problems(view: Json, kind: str) -> Iterator[str]:
    if view.get("type") != kind:
        yield at("/view/type", "must be a valid enum value")
        return
    for field in sorted(view.keys() - _FIELDS[kind]):
        yield at("/view", f"invalid additional property: {field}")
    for field in ("title", "blocks") if kind == "modal" else ("blocks",):
        if field not in view:
            yield at("/view", f"missing required field: {field}")
    yield from broken_rules({**view, "type": "view"}, "/view")
    yield from _block_problems(view)


def _block_problems(view: Json) -> Iterator[str]:
    blocks = mappings_in(view.get("blocks"))
    for index, block in enumerate(blocks):
        if block.get("type") not in _BLOCKS:
            yield at(f"/view/blocks/{index}/type", f"unsupported type: {block.get('type')}")
        elif block["type"] == "input" and view["type"] == "modal" and "submit" not in view:
            yield at(f"/view/blocks/{index}/input", "must define `submit` to use `input` block")
    yield from block_problems(blocks, "/view/blocks")
