"""The ids that Slack sends back: old messages hold them, so that they are what they were."""

from __future__ import annotations

import pytest

from tests.unit.handlers.ids import actions, ids

PRESSED = """
    answer:form answer:select archive cancel_schedule continue edit_step editing:button editing:row erase example
    home:archive home:reopen hub_menu open_step permission_revoke pick rate_column record reopen retry show_all
    show_captured start_step step_menu still_valid stop summarize
"""
PREFIXES = "answer: editing: permissions_page: record_export: record_page: show_all_page: start:"
WINDOWS = """
    answer archive decide edit_form edit_list edit_move export hand_over permissions rate_form rate_pick record reopen
    showing start
"""
FIELDS = "box decision format people place question to"
BLOCKS = "begin notice"
SHORTCUTS = "archive_thread draft_from_thread new_conversation reopen_thread"


@pytest.mark.parametrize(
    ("suffix", "held"),
    [
        ("_PREFIX", PREFIXES),
        ("_WINDOW", WINDOWS),
        ("_FIELD", FIELDS),
        ("_BLOCK", BLOCKS),
        ("_SHORTCUT", SHORTCUTS),
    ],
)
def test_what_old_messages_and_open_windows_hold_is_still_called_so(suffix: str, held: str) -> None:
    assert sorted(ids(suffix).values()) == held.split()


def test_what_can_be_pressed_in_old_messages_is_still_called_so() -> None:
    assert sorted(actions().values()) == PRESSED.split()
