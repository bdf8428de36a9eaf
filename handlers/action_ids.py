"""The ids that Slack sends back: of what is pressed or chosen, of windows, of their fields, and of shortcuts.

Old messages in Slack hold them, so that none of them ever changes. A name without a suffix is an `action_id`; a
`_PREFIX` is what several of those begin with; a `_WINDOW` and a `_SHORTCUT` are a `callback_id`; a `_FIELD` is the
`block_id` and `action_id` of an input; a `_BLOCK` is a `block_id`.
"""

from __future__ import annotations

from typing import Final

# Below replies.

RETRY: Final = "retry"
CONTINUE: Final = "continue"
STOP: Final = "stop"
"""The value of these three is the `seq` of the reply they stand under."""

# About a whole thread.

ARCHIVE: Final = "archive"
ERASE: Final = "erase"
REOPEN: Final = "reopen"
"""The value of these three is the ts of the root of the thread: Slack does not promise that an ephemeral message says
in which thread it stands."""

CANCEL_SCHEDULE: Final = "cancel_schedule"
"""Its value is the `seq` of its card, as a newer plan may have taken its place; in old messages, the ts of the root."""

HOME_ARCHIVE: Final = "home:archive"
HOME_REOPEN: Final = "home:reopen"
"""Beside a conversation at Home; the value of both is `channel:root`."""

# Questions.

ANSWER_PREFIX: Final = "answer:"
"""Of each control that answers a question. An option's value is `seq:place`, the row of the question's card and which
option it is, counted from 0; where the card may show another question in time, the question's id follows after another
colon."""

ANSWER_BUTTONS: Final = tuple(f"{ANSWER_PREFIX}{place}" for place in range(4))
"""One for each option, by its place: a question with more options shows them in a select."""

ANSWER_SELECT: Final = f"{ANSWER_PREFIX}select"

ANSWER_FORM: Final = f"{ANSWER_PREFIX}form"
"""The button that opens a form for an answer in words; its value is the `seq` of the question's card."""

ANSWER_WINDOW: Final = "answer"
"""That form; its only field goes by the same name."""

# Decisions.

DECIDE_WINDOW: Final = "decide"
DECIDE_QUESTION_FIELD: Final = "question"
DECIDE_PEOPLE_FIELD: Final = "people"
DECIDE_PLACE_FIELD: Final = "place"

START_STEP: Final = "start_step"
"""The buttons and the select that start a step; the value is `component:channel:root`: which one, and the decision's
thread."""

OPEN_STEP: Final = "open_step"
"""The link that leads to a step. Slack follows it, and only wants to hear that we heard of it."""

RECORD: Final = "record"
"""*Record so far*; its value is `channel:root`, of the decision's thread."""

RECORD_WINDOW: Final = "record"
RECORD_PAGE_PREFIX: Final = "record_page:"
"""The value of these buttons is the number of a page, counted from 0."""
RECORD_EXPORT_PREFIX: Final = "record_export:"
"""The value of these buttons is the word for a format."""

EXPORT_WINDOW: Final = "export"
EXPORT_DECISION_FIELD: Final = "decision"
EXPORT_FORMAT_FIELD: Final = "format"

HUB_MENU: Final = "hub_menu"
"""The menu of a decision, on its first message. The value of what is picked is `export:html`, `export:markdown`,
`export:json`, `hand_over`, `close` or `reopen`."""

HAND_OVER_WINDOW: Final = "hand_over"
"""Also the value of what opens it in the menu of a decision."""
HAND_OVER_FIELD: Final = "to"

# Steps; the value of the buttons is the ts of the root of the step's thread, in which they stand.

EDIT: Final = "edit_step"
RATE: Final = "rate_column"
SUMMARIZE: Final = "summarize"
SHOW: Final = "show_captured"
STILL_VALID: Final = "still_valid"

STEP_MENU: Final = "step_menu"
"""The menu on a step's card, in the step's thread. The value of what is picked is `restart:phase`, with the phase that
is begun again (`intro`, `gather`, `clarify`, `extract`), or `close`: leave it as it was approved."""

# The windows in which a draft is edited.

EDIT_LIST_WINDOW: Final = "edit_list"
EDIT_FORM_WINDOW: Final = "edit_form"
EDIT_MOVE_WINDOW: Final = "edit_move"
EDIT_MOVE_FIELD: Final = "box"
RATE_LIST_WINDOW: Final = "rate_pick"
RATE_FORM_WINDOW: Final = "rate_form"

EDITING_PREFIX: Final = "editing:"
"""Of each control in these windows; its value is `order:path`."""
EDITING_ROW: Final = f"{EDITING_PREFIX}row"
EDITING_BUTTON: Final = f"{EDITING_PREFIX}button"

NOTICE_BLOCK: Final = "notice"
"""The sentence on top, so that the next one takes its place."""

# Permissions.

REVOKE: Final = "permission_revoke"
"""Beside a rule; its value is the mark of that."""

PERMISSIONS_WINDOW: Final = "permissions"
PERMISSIONS_PAGE_PREFIX: Final = "permissions_page:"

SHOW_ALL: Final = "show_all"
"""On the card that asks for a permission; its value is the `seq` of the card."""

SHOW_ALL_WINDOW: Final = "showing"
SHOW_ALL_PAGE_PREFIX: Final = "show_all_page:"
"""The value of the buttons that turn pages is the number of one, counted from 0."""

# Conversations begun and picked.

START_PREFIX: Final = "start:"
"""Of the buttons that begin something; what is begun follows, and is their value."""
START_WINDOW: Final = "start"
"""Where a task is written; its only field goes by the same name."""
START_BLOCK: Final = "begin"

EXAMPLE: Final = "example"
"""Lays out the worked example."""

PICK: Final = "pick"
"""The select in which a conversation is searched, and its `block_id`."""

ARCHIVE_WINDOW: Final = "archive"
REOPEN_WINDOW: Final = "reopen"

# Shortcuts.

ARCHIVE_SHORTCUT: Final = "archive_thread"
REOPEN_SHORTCUT: Final = "reopen_thread"
DRAFT_SHORTCUT: Final = "draft_from_thread"
NEW_CONVERSATION_SHORTCUT: Final = "new_conversation"
