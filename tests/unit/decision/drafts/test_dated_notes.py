"""Notes on an earlier table of ratings say what is otherwise in it now, and nothing that is not."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest

from app.agent.extraction.submission import judge
from app.decision.drafts.dated_notes import find_change, hold_notes, list_notes
from app.decision.drafts.draft import Accepted, refresh_draft
from app.decision.drafts.notebook import DraftChange, DraftEditor, ItemAddress
from app.decision.layout.sheets import build_sheet
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.decision.tracing.said import SaidFigures
from tests.unit.decision.components.worked import PLAYBOOK, accepted, rated
from tests.unit.decision.sheets.walls import titled

Rows = dict[str, list[int]]

NOTE: Draft = {"user_understanding": "Speed against cost."}
ROWS: Rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 1]}
RERATED = "some have changed since."


def mark(draft: Draft, so_far: DecisionRecord) -> str:
    """What is said behind the note of a draft of tradeoffs."""
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], draft, so_far), "In your own words")
    return told.removeprefix("Speed against cost.").removeprefix(" Written for earlier ratings; ")


def asked(draft: Draft, so_far: DecisionRecord) -> list[str]:
    """The remarks on notes of a draft that is opened again."""
    found = refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(draft), so_far).remarks
    return [each.text for each in found if "still hold" in each.text]


@pytest.mark.req("TR-07")
@pytest.mark.parametrize(
    ("now", "told"),
    [
        ({"A1": [0, 0], "A2": [2, -1]}, "options have been added or taken out since."),
        ({**ROWS, "A4": [1, 1]}, "options have been added or taken out since."),
        ({"A1": [0] * 3, "A2": [2, -1, 1], "A3": [-1, 1, 0]}, "objectives have been added or taken out since."),
        ({"A1": [0], "A2": [2]}, "options and objectives have been added or taken out since."),
        ({**ROWS, "A2": [2, 0]}, RERATED),
        ({**ROWS, "A2": [2, 0], "A4": [1, 1]}, RERATED),
        (ROWS, ""),
    ],
)
def test_a_note_on_another_table_does_not_say_that_ratings_changed_if_none_did(now: Rows, told: str) -> None:
    draft, so_far = accepted("tradeoffs", NOTE, rated(ROWS)).draft, rated(now)
    assert mark(draft, so_far) == told
    again = refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(draft), so_far).draft
    assert mark(again, so_far) == told, "also once the step was opened again"
    many = "Written for other options or objectives: “Speed against cost”. Does it still hold?"
    rerated = "Written for earlier ratings: “Speed against cost”. Does it still hold?"
    assert asked(draft, so_far) == ([] if not told else [rerated] if told == RERATED else [many])


@pytest.mark.req("TR-07")
def test_the_question_about_notes_of_before_names_them() -> None:
    former, now = rated(ROWS, "recommendation"), rated({**ROWS, "A2": [2, 0]}, "recommendation")
    texts = {"user_leaning": "To A2.", "key_considerations": ["Oslo is near."]}
    draft = accepted("recommendation", texts, former).draft
    found = [each.text for each in refresh_draft(PLAYBOOK["recommendation"], draft, now).remarks]
    assert "Written for earlier ratings: “To A2” and “Oslo is near”. Do they still hold?" in found


@pytest.mark.req("TR-07")
def test_a_rating_that_came_for_known_options_and_objectives_is_a_change_of_ratings() -> None:
    level = {**ROWS, "A3": [-1, 0]}
    so_far, full = rated(level), rated(level)
    table = so_far.results["consequences"]["table"]
    table["cells"] = table["cells"][:-1]
    draft = accepted("tradeoffs", NOTE, so_far).draft
    assert mark(draft, full) == RERATED
    assert mark(draft, so_far) == ""


@pytest.mark.req("TR-07")
def test_a_note_names_the_version_of_the_ratings_of_before_options_were_added() -> None:
    draft = accepted("tradeoffs", NOTE, replace(rated(ROWS), numbers={"consequences": 1})).draft
    now = replace(rated({**ROWS, "A4": [1, 1]}), numbers={"consequences": 2})
    assert mark(draft, now) == (" Written for version 1 of the ratings; options have been added or taken out since.")


def test_the_table_of_a_note_is_kept_once_and_as_long_as_a_note_on_it_stands() -> None:
    former, now = rated(ROWS, "recommendation"), rated({**ROWS, "A4": [1, 1]}, "recommendation")
    texts = {"synthesis": "Oslo is near for most of us, and the sums agree.", "user_leaning": "To A2."}
    draft = accepted("recommendation", texts, former).draft
    assert ["table" in each for each in draft["written_for"]] == [True, False]
    anew = {**draft, "synthesis": "Bergen is nearer for most of us, and the sums agree."}
    after = accepted("recommendation", anew, now).draft
    first, second = after["written_for"]
    assert first["table"] == "O1 O2; A1 0 0; A2 2 -1; A3 -1 1; A4 1 1"
    assert second["table"] == "O1 O2; A1 0 0; A2 2 -1; A3 -1 1", "what stood beside the first note belongs to it too"
    silent = {name: each for name, each in draft.items() if name != "written_for"}
    same = accepted("recommendation", silent, replace(now, before=draft)).draft
    assert same["written_for"] == draft["written_for"], "a repeated text is no new one"


@pytest.mark.req("TR-07")
def test_a_note_that_was_stored_without_its_table_is_marked_as_before() -> None:
    draft = accepted("tradeoffs", NOTE, rated(ROWS)).draft
    for each in draft["written_for"]:
        del each["table"]
    more = rated({**ROWS, "A4": [1, 1]})
    assert mark(draft, more) == RERATED
    assert refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(draft), more).draft["written_for"] == draft["written_for"]


@pytest.mark.req("TR-07")
def test_a_note_that_is_noted_again_or_said_to_hold_is_one_on_the_ratings_of_now() -> None:
    former, now = rated(ROWS, "recommendation"), rated({**ROWS, "A2": [2, 0]}, "recommendation")
    texts = {"user_leaning": "To A2.", "key_considerations": ["A late start is bearable.", "Oslo is near."]}
    draft = accepted("recommendation", texts, former).draft
    component, asked_before = PLAYBOOK["recommendation"], find_old(draft, now)
    assert asked_before == ["To A2.", "A late start is bearable.", "Oslo is near."]
    editor = DraftEditor(component, now)
    again = editor.fill(draft, {"user_leaning": "To A2."})
    assert isinstance(again, DraftChange)
    item = "A late start is bearable."
    again = editor.change(again.draft, ItemAddress(item, "key_considerations"), {"text": item})
    assert isinstance(again, DraftChange)
    assert find_old(again.draft, now) == ["Oslo is near."]
    judged = judge(component, texts, replace(now, before=draft), SaidFigures(), again.draft)
    assert isinstance(judged, Accepted)
    assert find_old(judged.draft, now) == ["Oslo is near."], "also once the result was written"
    held = hold_notes(draft, now)
    assert find_old(held, now) == []
    assert find_old(draft, now) == asked_before
    assert hold_notes(held, now) is held


@pytest.mark.req("TR-07")
def test_a_note_that_is_shortened_on_a_card_keeps_its_mark() -> None:
    former, now = rated(ROWS, "recommendation"), rated({**ROWS, "A2": [2, 0]}, "recommendation")
    texts = {"synthesis": "A2 and A3 are level on the plain sum. " + "The one is quick, the other one is cheap. " * 9}
    sheet = build_sheet(PLAYBOOK["recommendation"], accepted("recommendation", texts, former).draft, now)
    (told,) = [each for each in sheet.essence if each.startswith("In short")]
    assert told.startswith("In short: A2 and A3 are level on the plain sum.")
    assert told.endswith(f"Written for earlier ratings; {RERATED}")
    assert len(told) <= 330, "a card shows no more of it"


def find_old(draft: Draft, so_far: DecisionRecord) -> list[str]:
    """The notes of a draft that were written for other ratings."""
    return [text for field, text in list_notes(draft) if find_change(draft, field, text, so_far)]
