"""The ids that Slack sends back: old messages hold them, all that is shown is heard, and all that is heard is shown."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest

import handlers
from app.core.events.heard import OwnerAct
from tests.pressable import is_heard, offered
from tests.unit.handlers.every_view import every_view
from tests.unit.handlers.ids import actions, ids

PRESSED = """
    answer:0 answer:1 answer:2 answer:3 answer:form answer:select archive cancel_schedule continue edit_step
    editing:button editing:row erase example home:archive home:reopen hub_menu open_step permission_revoke pick
    keep_talking rate_column record reopen retry show_all show_captured start_step step_menu still_valid stop summarize
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
    assert {*held.split()} <= {*ids(suffix).values()}


def test_what_can_be_pressed_in_old_messages_is_still_called_so() -> None:
    assert {*PRESSED.split()} <= {*actions().values()}


def test_no_two_controls_are_called_the_same() -> None:
    assert len({*actions().values()}) == len(actions())


async def test_whatever_is_shown_to_be_pressed_or_sent_is_an_event_or_belongs_to_a_surface() -> None:
    shown = {each for view in every_view() for each in offered(view)}
    unheard = [each for each in sorted(shown) if not await is_heard(*each)]
    assert not unheard, f"add a line to ACTIONS or a listener to a surface for {unheard}"


def test_whatever_has_an_id_is_shown_to_be_pressed() -> None:
    shown = {name for view in every_view() for _, name in offered(view)}
    unseen = [name for name, value in actions().items() if value not in shown]
    unseen += [name for name, value in ids("_PREFIX").items() if not any(each.startswith(value) for each in shown)]
    assert not unseen, f"no view has a control with {unseen}"


def test_whatever_window_has_an_id_is_shown() -> None:
    shown = {view.get("callback_id") for view in every_view()}
    assert not [name for name, value in ids("_WINDOW").items() if value not in shown]


def test_every_act_of_an_owner_is_made_of_something_that_they_press_send_or_write() -> None:
    texts = (path.read_text("utf-8") for path in Path(*handlers.__path__).rglob("*.py"))
    made = {node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    unmade = [act.__name__ for act in get_args(OwnerAct) if act.__name__ not in made]
    assert not unmade, f"add a line to ACTIONS, or a listener to a surface, that makes {unmade}"
