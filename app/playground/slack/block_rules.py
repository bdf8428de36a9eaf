"""Slack's limits for blocks, elements and text objects, as one table.

What is no rule here is left to the SDK's own models; the table holds what those miss, or say in other words than Slack.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

#: Says what is wrong with a value, in Slack's words; None if nothing is.
Check = Callable[[Any], str | None]


def characters(most: int) -> Check:
    """Check for a string of 1 to `most` characters."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "must provide a string"
        if not value:
            return "must be more than 0 characters"
        return f"must be less than {most + 1} characters" if len(value) > most else None

    return check


def items(most: int) -> Check:
    """Check for an array of 1 to `most` items."""

    def check(value: Any) -> str | None:
        if not isinstance(value, list):
            return "must provide an array"
        if not value:
            return "no less than 1 items allowed"
        return f"no more than {most} items allowed" if len(cast(list[Any], value)) > most else None

    return check


def word(*allowed: str) -> Check:
    """Check for one of these strings."""
    return lambda value: None if value in allowed else "must be a valid enum value"


def one_of(*types: str) -> Check:
    """Check for an object of one of these types."""

    def check(value: Any) -> str | None:
        kind = cast(dict[str, Any], value).get("type") if isinstance(value, dict) else None
        return None if kind in types else f"must be a {' or '.join(types)} object"

    return check


PLAIN = one_of("plain_text")
TEXT = one_of("plain_text", "mrkdwn")
MOST_MARKDOWN = 12_000  # characters; Slack: in one block, and in all markdown blocks of a message

#: For whatever type has such a field.
EVERY: Mapping[str, Check] = {
    "block_id": characters(255),
    "action_id": characters(255),
    "placeholder": PLAIN,
    "placeholder/text": characters(150),
}

#: `type` → path of a field within it → check; "*" is every item of an array. Lengths from Slack's Block Kit reference.
RULES: Mapping[str, Mapping[str, Check]] = {
    "section": {
        "text": TEXT,
        "text/text": characters(3000),
        "fields": items(10),
        "fields/*": TEXT,
        "fields/*/text": characters(2000),
    },
    "header": {"text": PLAIN, "text/text": characters(150)},
    "markdown": {"text": characters(MOST_MARKDOWN)},
    "actions": {"elements": items(25)},
    "context": {"elements": items(10), "elements/*": one_of("image", "plain_text", "mrkdwn")},
    "context_actions": {"elements": items(5), "elements/*": one_of("feedback_buttons", "icon_button")},
    "image": {
        "image_url": characters(3000),
        "alt_text": characters(2000),
        "title": PLAIN,
        "title/text": characters(2000),
    },
    "table": {"rows": items(100), "rows/*": items(20)},
    "container": {"child_blocks": items(10)},
    "carousel": {"elements": items(10)},
    "button": {
        "text": PLAIN,
        "text/text": characters(75),
        "value": characters(2000),
        "url": characters(3000),
        "style": word("primary", "danger"),
    },
    "static_select": {
        "options": items(100),
        "options/*/text/text": characters(75),
        "options/*/value": characters(150),
    },
    "overflow": {"options": items(5), "options/*/text/text": characters(75), "options/*/value": characters(150)},
    "mrkdwn": {"text": characters(3000)},
    "plain_text": {"text": characters(3000)},
}
