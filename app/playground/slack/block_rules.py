"""Slack's limits for blocks, elements and text objects, as one table.

What is no rule here is left to the SDK's own models; the table holds what those miss, or say in other words than Slack.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

#: Says what is wrong with a value, in Slack's words; None if nothing is.
Check = Callable[[Any], str | None]


def at_most(most: int) -> Check:
    """Check for a string of at most `most` characters, none at all among them."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "must provide a string"
        return f"must be less than {most + 1} characters" if len(value) > most else None

    return check


def characters(most: int) -> Check:
    """Check for a string of 1 to `most` characters."""
    short_enough = at_most(most)
    return lambda value: "must be more than 0 characters" if value == "" else short_enough(value)


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


def between(least: int, most: int) -> Check:
    """Check for an integer within these bounds."""

    def check(value: Any) -> str | None:
        if not isinstance(value, int):
            return "must provide an integer"
        if value < least:
            return f"must be greater than or equal to {least}"
        return f"must be less than or equal to {most}" if value > most else None

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
    "confirm/title/text": characters(100),
    "confirm/text/text": characters(300),
    "confirm/confirm/text": characters(30),
    "confirm/deny/text": characters(30),
}

_FEW_OPTIONS: Mapping[str, Check] = {
    "options/*/text/text": characters(75),
    "options/*/value": characters(150),
    "options/*/description": PLAIN,
    "options/*/description/text": characters(75),
}
#: Of a select, and of what answers one that searches.
OPTIONS: Mapping[str, Check] = {
    **_FEW_OPTIONS,
    "options": items(100),
    "options/*/text": PLAIN,
    "option_groups": items(100),
    "option_groups/*/label": PLAIN,
    "option_groups/*/label/text": characters(75),
    "option_groups/*/options": items(100),
    "option_groups/*/options/*/text": PLAIN,
    "option_groups/*/options/*/text/text": characters(75),
    "option_groups/*/options/*/value": characters(150),
}

_ANYWHERE = ("section", "actions", "input")
#: Type of an element → types of the blocks it may stand in. From the pages of Slack's reference of block elements.
PLACES: Mapping[str, tuple[str, ...]] = {
    "button": ("section", "actions"),
    "checkboxes": _ANYWHERE,
    "channels_select": _ANYWHERE,
    "conversations_select": _ANYWHERE,
    "datepicker": _ANYWHERE,
    "datetimepicker": ("actions", "input"),
    "email_text_input": ("input",),
    "file_input": (),  # the playground has no files
    "external_select": _ANYWHERE,
    "multi_channels_select": ("section", "input"),
    "multi_conversations_select": ("section", "input"),
    "multi_external_select": ("section", "input"),
    "multi_static_select": ("section", "input"),
    "multi_users_select": ("section", "input"),
    "number_input": ("input",),
    "overflow": ("section", "actions"),
    "plain_text_input": ("input",),
    "radio_buttons": _ANYWHERE,
    "rich_text_input": (),  # nor an editor of rich text
    "static_select": _ANYWHERE,
    "timepicker": _ANYWHERE,
    "url_text_input": ("input",),
    "users_select": _ANYWHERE,
}

#: Type → fields it must have, where the SDK's models do not ask for them.
REQUIRED: Mapping[str, tuple[str, ...]] = {"number_input": ("is_decimal_allowed",)}

#: "view" and "external_options" are no types of Slack's: a whole view, and an app's answer to a search.
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
    "input": {"label": PLAIN, "label/text": characters(2000), "hint": PLAIN, "hint/text": characters(2000)},
    "plain_text_input": {"min_length": between(0, 3000), "max_length": between(1, 3000)},
    "static_select": OPTIONS,
    "external_options": OPTIONS,
    "multi_static_select": OPTIONS,
    "radio_buttons": _FEW_OPTIONS | {"options": items(10)},
    "checkboxes": _FEW_OPTIONS | {"options": items(10)},
    "overflow": _FEW_OPTIONS | {"options": items(5)},
    "datetimepicker": {"initial_date_time": between(1_000_000_000, 9_999_999_999)},
    "view": {
        "title": PLAIN,
        "title/text": characters(24),
        "submit": PLAIN,
        "submit/text": characters(24),
        "close": PLAIN,
        "close/text": characters(24),
        "blocks": items(100),
        "private_metadata": at_most(3000),
        "callback_id": at_most(255),
        "external_id": at_most(255),
    },
    "mrkdwn": {"text": characters(3000)},
    "plain_text": {"text": characters(3000)},
}
