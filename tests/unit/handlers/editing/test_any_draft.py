"""What holds for any draft of any step: everything is in reach, nothing is lost by looking, nothing dangles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.decision.drafts.draft import Accepted, read
from app.decision.schema.handles import find_dangling, list_handles
from app.decision.schema.paths import Draft
from handlers.views.editing import edits
from handlers.views.editing.form import BYTES
from handlers.views.editing.window_state import WindowCommand
from tests.properties import limit_examples
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before
from tests.unit.handlers.editing.windows import drafts, offered, pages, said, sent, subject, taken

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
CHANGING = (WindowCommand.UP, WindowCommand.DOWN, WindowCommand.MOVE, WindowCommand.REMOVE)
few = settings(limit_examples(20), suppress_health_check=SLOW)


@few
@given(drafts())
def test_every_item_is_reached_by_the_pages_and_slack_shows_each_page(case: tuple[str, Draft]) -> None:
    it = subject(*case)
    views = [taken(view) for view in pages(it)]
    words = "\n".join(map(said, views))
    assert all(handle in words for handle in list_handles([it.draft]) if handle != hidden(it.draft))


def hidden(draft: Draft) -> str:
    """The focal decision of the tiers is the server's."""
    tiers: dict[str, Any] = draft.get("decision_hierarchy", {})
    return tiers.get("focal", {}).get("handle", "")


@few
@given(drafts(), st.data())
def test_a_form_that_is_opened_and_sent_unchanged_changes_nothing(case: tuple[str, Draft], data: st.DataObject) -> None:
    it = subject(*case)
    presses = [each for view in pages(it) for each in offered(view) if each[0] is WindowCommand.EDIT]
    for order, path in data.draw(st.lists(st.sampled_from(presses), max_size=4)) if presses else ():
        form = edits.build_item_form(it, order, path)
        if form:  # else there is nothing to choose from
            edit = sent(form, it)
            assert (edit.is_change, dict(edit.errors)) == (False, {})
            assert edit.draft == it.draft


@few
@given(drafts(), st.data())
def test_nothing_that_is_pressed_leaves_anything_dangling_or_a_draft_that_is_refused(
    case: tuple[str, Draft], data: st.DataObject
) -> None:
    key, draft = case
    it, component = subject(key, draft), PLAYBOOK[key]
    presses = [each for view in pages(it) for each in offered(view) if each[0] in CHANGING]
    for order, path in data.draw(st.lists(st.sampled_from(presses), max_size=3)) if presses else ():
        edit = edits.apply_click(it, order, path)
        assert find_dangling(component, edit.draft, it.so_far.handles) == ()
        assert isinstance(read(component, edit.draft, it.so_far), Accepted)
        assert bool(edit.problem) is not edit.is_change


@pytest.mark.parametrize("key", KEYS)
def test_every_form_of_the_example_is_one_that_slack_shows(key: str) -> None:
    it = subject(key)
    for order, path in (each for view in pages(it) for each in offered(view)):
        form = edits.build_item_form(it, order, path)
        assert form is None or len(str(taken(form))) < BYTES


@pytest.mark.parametrize("key", KEYS)
def test_an_empty_draft_has_everything_to_add(key: str) -> None:
    it = replace(subject(key, {}), so_far=before(key))
    for order, path in (each for view in pages(it) for each in offered(view)):
        form = edits.build_item_form(it, order, path)
        assert form is None or taken(form)
