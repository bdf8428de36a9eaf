"""The ids that Slack sends back for controls, windows, fields and shortcuts.

Old messages in Slack contain them, so none of them ever changes. A name without a suffix is an `action_id`, and a
`_PREFIX` is the beginning of several. A `_WINDOW` and a `_SHORTCUT` are a `callback_id`. A `_FIELD` is the `block_id`
and `action_id` of an input, and a `_BLOCK` is a `block_id`.
"""

from __future__ import annotations

from typing import Final

# Below replies.

RETRY: Final = "retry"
CONTINUE: Final = "continue"
STOP: Final = "stop"
"""Their value is the `seq` of the reply above them."""

# About a whole thread.

ARCHIVE: Final = "archive"
ERASE: Final = "erase"
REOPEN: Final = "reopen"
"""The value of these three is the ts of the thread's root, because Slack may omit the thread of an ephemeral
message."""

GO_ON_WITH: Final = "go_on_with"
"""Its value is `root:message`: the root of the thread, and the ts of a message that was refused there."""

CANCEL_SCHEDULE: Final = "cancel_schedule"
"""Its value is the `seq` of its card, because a newer schedule may have replaced it; in old messages, the root's ts."""

PAUSE_SCHEDULE: Final = "pause_schedule"
RESUME_SCHEDULE: Final = "resume_schedule"
"""Their value is the `seq` of the card."""

HOME_ARCHIVE: Final = "home:archive"
HOME_REOPEN: Final = "home:reopen"
"""Buttons beside a conversation at Home; the value of both is `channel:root`."""

# Questions.

ANSWER_PREFIX: Final = "answer:"
"""Prefix of each control that answers a question. An option's value is `seq:place`: the row of the question's card, and
the option's position from 0. If the card can show another question later, a colon and the question's id follow."""

ANSWER_BUTTONS: Final = tuple(f"{ANSWER_PREFIX}{place}" for place in range(4))
"""One for each option by its position. A question with more options shows them in a select."""

ALLOW_ALL_BUTTON: Final = f"{ANSWER_PREFIX}4"
"""The fifth option of a permission card, which allows all writes that it lists."""

ANSWER_SELECT: Final = f"{ANSWER_PREFIX}select"

ANSWER_FORM: Final = f"{ANSWER_PREFIX}form"
"""The button that opens a form for a written answer; its value is the `seq` of the question's card."""

ANSWER_WINDOW: Final = "answer"
"""The form for a written answer, and the name of its only field."""

# Decisions.

DECIDE_WINDOW: Final = "decide"
DECIDE_QUESTION_FIELD: Final = "question"
DECIDE_MATERIAL_FIELDS: Final = tuple(f"material:{place}" for place in range(4))
"""Fields of one text, in their order."""
DECIDE_PEOPLE_FIELD: Final = "people"
DECIDE_PLACE_FIELD: Final = "place"

START_STEP: Final = "start_step"
"""The buttons and the select that start a step. The value is `component:channel:root` with the decision's thread."""

OPEN_STEP: Final = "open_step"
"""The link that leads to a step. Slack follows it by itself, and only expects an acknowledgement."""

RECORD: Final = "record"
"""*Record so far*; its value is `channel:root` of the decision's thread."""

THREADS: Final = "home:threads"
"""The button beside a decision at Home; its value is `channel:root` of the decision's thread."""

RECORD_WINDOW: Final = "record"
RECORD_PAGE_PREFIX: Final = "record_page:"
"""The value of these buttons is the number of a page, counted from 0."""
RECORD_EXPORT_PREFIX: Final = "record_export:"
"""The value of these buttons is the word for a format."""

EXPORT_WINDOW: Final = "export"
EXPORT_DECISION_FIELD: Final = "decision"
EXPORT_FORMAT_FIELD: Final = "format"

HUB_MENU: Final = "hub_menu"
"""The menu on a decision's hub. Its values are `export:html`, `export:markdown`, `export:json`, `hand_over`, `close`
and `reopen`."""

HAND_OVER_WINDOW: Final = "hand_over"
"""Also the value of its entry in a decision's menu."""
HAND_OVER_FIELD: Final = "to"

# Steps; the value of the buttons is the ts of the root of the step's thread, which contains them.

EDIT: Final = "edit_step"
RATE: Final = "rate_column"
SUMMARIZE: Final = "summarize"
SHOW: Final = "show_captured"
KEEP_TALKING: Final = "keep_talking"
DRAFT_IT: Final = "draft_it"
"""The button that opens the form of a draft; its value is the root of the step's thread."""
DRAFT_WINDOW: Final = "draft_step"
DRAFT_FROM_FILES: Final = "draft_from_files"
"""*Draft from this file*; its value is Slack's ids of the files, with commas between them."""
STILL_VALID: Final = "still_valid"

CONFIRM_FIGURES: Final = "confirm_figures"
"""The button on a draft's card below figures that nobody said. Its value is that of an option: `seq:0:question`."""

STEP_MENU: Final = "step_menu"
"""The menu on a step's card, in the step's thread. Its values are `restart:phase`, with the phase to repeat (`intro`,
`gather`, `clarify`, `extract`), and `close`, which leaves the step as it was approved."""

# The windows for editing a draft.

EDIT_LIST_WINDOW: Final = "edit_list"
EDIT_FORM_WINDOW: Final = "edit_form"
EDIT_MOVE_WINDOW: Final = "edit_move"
EDIT_MOVE_FIELD: Final = "box"
RATE_LIST_WINDOW: Final = "rate_pick"
RATE_FORM_WINDOW: Final = "rate_form"

EDITING_PREFIX: Final = "editing:"
"""Prefix of each control in these windows; its value is `command:path`."""
EDITING_ROW: Final = f"{EDITING_PREFIX}row"
EDITING_BUTTON: Final = f"{EDITING_PREFIX}button"

NOTICE_BLOCK: Final = "notice"
"""The sentence at the top of a window, so that the next one replaces it."""

# Permissions.

REVOKE: Final = "permission_revoke"
"""The button beside a rule; its value is `permissions.mark`."""

FORBID_TOOL: Final = "permission_forbid"
"""The select of the tools that a person can forbid themselves; an option's value is the tool's name."""

PERMISSIONS_WINDOW: Final = "permissions"
PERMISSIONS_PAGE_PREFIX: Final = "permissions_page:"

SHOW_ALL: Final = "show_all"
"""The button on a permission card and on a step's card; its value is the `seq` of the card."""

SHOW_ALL_WINDOW: Final = "showing"
SHOW_ALL_PAGE_PREFIX: Final = "show_all_page:"
"""The value of these buttons is the number of a page, counted from 0."""

# Starting and picking conversations.

START_PREFIX: Final = "start:"
"""Prefix of the buttons to begin with; the kind of beginning follows, and is their value."""
START_DECISION: Final = f"{START_PREFIX}decision"
"""The value below a reply is the question to begin with."""
START_WINDOW: Final = "start"
"""The form for a task, and the name of its only field."""
START_BLOCK: Final = "begin"

EXAMPLE: Final = "example"
"""The button that creates the worked example."""

PICK: Final = "pick"
"""The select for searching a conversation, and its `block_id`."""

ARCHIVE_WINDOW: Final = "archive"
REOPEN_WINDOW: Final = "reopen"

# Shortcuts.

ARCHIVE_SHORTCUT: Final = "archive_thread"
REOPEN_SHORTCUT: Final = "reopen_thread"
DRAFT_SHORTCUT: Final = "draft_from_thread"
NEW_CONVERSATION_SHORTCUT: Final = "new_conversation"
