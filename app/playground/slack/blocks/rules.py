"""Slack's limits for blocks, elements and text objects, as one table.

It holds only the limits that the SDK's own models miss, or word differently from Slack.
"""

from collections.abc import Mapping

from app.playground.slack.blocks.checks import (
    Check,
    allow_null,
    check_decimal,
    check_flag,
    require_at_most,
    require_between,
    require_characters,
    require_fields,
    require_items,
    require_one_of,
    require_word,
)

PLAIN = require_one_of("plain_text")
TEXT = require_one_of("plain_text", "mrkdwn")
MOST_MARKDOWN = 12_000  # characters; Slack: in one block, and in all markdown blocks of a message
MOST_IN_TABLES = 10_000  # characters; measured by others: in all cells of a message
MOST_TEXT = 13_200  # characters; measured: all blocks of one message together, then msg_blocks_too_long

#: For every type with such a field.
EVERY: Mapping[str, Check] = {
    "block_id": require_characters(255),
    "action_id": require_characters(255),
    "placeholder": PLAIN,
    "placeholder/text": require_characters(150),
    "confirm": require_fields(("title", "text", "confirm", "deny"), ("style",)),
    "confirm/title": PLAIN,
    "confirm/title/text": require_characters(100),
    "confirm/text": TEXT,
    "confirm/text/text": require_characters(300),
    "confirm/confirm": PLAIN,
    "confirm/confirm/text": require_characters(30),
    "confirm/deny": PLAIN,
    "confirm/deny/text": require_characters(30),
    "max_selected_items": require_between(1),
    "initial_options": require_items(100),
    "initial_users": require_items(100),
    "focus_on_load": check_flag,
}

_OPTION = require_fields(("text", "value"), ("description", "url"))
_FEW_OPTIONS: Mapping[str, Check] = {
    "options/*": _OPTION,
    "options/*/text": TEXT,
    "options/*/text/text": require_characters(75),
    "options/*/value": require_characters(150),
    "options/*/description": PLAIN,
    "options/*/description/text": require_characters(75),
}
#: For a select, and for the answer to a search in one.
OPTIONS: Mapping[str, Check] = {
    **_FEW_OPTIONS,
    "options": require_items(100),
    "options/*/text": PLAIN,
    "option_groups": require_items(100),
    "option_groups/*": require_fields(("label", "options")),
    "option_groups/*/label": PLAIN,
    "option_groups/*/label/text": require_characters(75),
    "option_groups/*/options": require_items(100),
    "option_groups/*/options/*": _OPTION,
    "option_groups/*/options/*/text": PLAIN,
    "option_groups/*/options/*/text/text": require_characters(75),
    "option_groups/*/options/*/value": require_characters(150),
}

_ANYWHERE = ("section", "actions", "input")
#: Type of an element → types of the blocks that may contain it. From the pages of Slack's reference of block elements.
PLACES: Mapping[str, tuple[str, ...]] = {
    "button": ("section", "actions"),
    "checkboxes": _ANYWHERE,
    "channels_select": _ANYWHERE,
    "conversations_select": _ANYWHERE,
    "datepicker": _ANYWHERE,
    "datetimepicker": ("actions", "input"),
    "email_text_input": ("input",),
    "file_input": (),  # people upload no files here
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

#: Type → required fields that the SDK's models do not require.
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "checkboxes": ("options",),
    "number_input": ("is_decimal_allowed",),
    "overflow": ("options",),
    "radio_buttons": ("options",),
    "raw_text": ("text",),
}

#: "view" and "external_options" are no types of Slack's: a whole view, and an app's answer to a search.
#: `type` → path of a field within it → check; "*" is every item of an array. Lengths from Slack's Block Kit reference.
RULES: Mapping[str, Mapping[str, Check]] = {
    "section": {
        "text": TEXT,
        "text/text": require_characters(3000),
        "fields": require_items(10),
        "fields/*": TEXT,
        "fields/*/text": require_characters(2000),
    },
    "header": {"text": PLAIN, "text/text": require_characters(150)},
    "markdown": {"text": require_characters(MOST_MARKDOWN)},
    "actions": {"elements": require_items(25)},
    "context": {"elements": require_items(10), "elements/*": require_one_of("image", "plain_text", "mrkdwn")},
    "context_actions": {"elements": require_items(5), "elements/*": require_one_of("feedback_buttons", "icon_button")},
    "image": {
        "image_url": require_characters(3000),
        "alt_text": require_characters(2000),
        "title": PLAIN,
        "title/text": require_characters(2000),
    },
    "table": {
        "rows": require_items(100),
        "rows/*": require_items(20),
        # Slack's reference names raw_number too; others saw it refused.
        "rows/*/*": require_one_of("raw_text", "rich_text"),
        "column_settings": require_items(20, least=0),
        "column_settings/*": allow_null(require_fields((), ("align", "is_wrapped"))),
        "column_settings/*/align": require_word("left", "center", "right"),
        "column_settings/*/is_wrapped": check_flag,
    },
    "raw_text": {"text": require_characters(MOST_IN_TABLES)},
    "rich_text": {"elements": require_items(MOST_TEXT)},
    "rich_text_section": {"elements": require_items(MOST_TEXT)},
    "text": {"text": require_characters(MOST_TEXT)},  # within rich text
    "container": {"child_blocks": require_items(10)},
    "carousel": {"elements": require_items(10)},
    "button": {
        "text": PLAIN,
        "text/text": require_characters(75),
        "value": require_characters(2000),
        "url": require_characters(3000),
        "style": require_word("primary", "danger"),
    },
    "input": {
        "label": PLAIN,
        "label/text": require_characters(2000),
        "hint": PLAIN,
        "hint/text": require_characters(2000),
        "optional": check_flag,
        "dispatch_action": check_flag,
    },
    "plain_text_input": {
        "min_length": require_between(0, 3000),
        "max_length": require_between(1, 3000),
        "initial_value": require_at_most(3000),
        "multiline": check_flag,
    },
    "number_input": {
        "is_decimal_allowed": check_flag,
        "initial_value": check_decimal,
        "min_value": check_decimal,
        "max_value": check_decimal,
    },
    "static_select": OPTIONS,
    "external_options": OPTIONS,
    "multi_static_select": OPTIONS,
    "radio_buttons": _FEW_OPTIONS | {"options": require_items(10)},
    "checkboxes": _FEW_OPTIONS | {"options": require_items(10)},
    "overflow": _FEW_OPTIONS
    | {"options": require_items(5), "options/*/text": PLAIN, "options/*/url": require_characters(3000)},
    "datetimepicker": {"initial_date_time": require_between(1_000_000_000, 9_999_999_999)},
    "view": {
        "title": PLAIN,
        "title/text": require_characters(24),
        "submit": PLAIN,
        "submit/text": require_characters(24),
        "close": PLAIN,
        "close/text": require_characters(24),
        "blocks": require_items(100),
        "private_metadata": require_at_most(3000),
        "callback_id": require_at_most(255),
        "external_id": require_at_most(255),
    },
    "mrkdwn": {"text": require_characters(3000)},
    "plain_text": {"text": require_characters(3000)},
}
