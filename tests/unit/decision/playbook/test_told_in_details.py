"""What the details of a later step repeat of earlier ones, and for what they name another step."""

from __future__ import annotations

import re

import pytest

from app.core.state.sheet import Prose, Sheet
from app.decision.drafts.draft import Accepted
from app.decision.layout.sheets import build_sheet, recall
from app.decision.playbook.example import list_questions, load_drafts
from app.decision.record import DecisionRecord
from app.runtime.record.step_context import StepContext
from tests.unit.decision.components.told import ASSUMED, TODAY, WHY, known
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example, minimal
from tests.unit.decision.sheets.walls import titled, wall


@pytest.mark.req("FA-15", "TR-17")
@pytest.mark.parametrize(
    ("key", "title", "step"),
    [
        *((key, "Why it is rated so, as approved", "Consequences") for key in ("tradeoffs", "recommendation")),
        *((key, "What the options assume, as approved", "Alternatives") for key in KEYS[KEYS.index("consequences") :]),
        *((key, "Uncertain, as approved", "Issue raising") for key in KEYS[KEYS.index("consequences") :]),
        *((key, "What you said about the findings", "Tradeoffs") for key in KEYS[KEYS.index("recommendation") :]),
    ],
)
def test_the_details_of_each_later_step_say_which_step_has_all_of_it_and_repeat_nothing_of_what_they_do_not_name(
    key: str, title: str, step: str
) -> None:
    sheet = recall(PLAYBOOK[key], Sheet(), DecisionRecord(known(key), TODAY, {}))
    assert f"{title}: see {step}" in titled(sheet, "In other steps").splitlines()
    assert title not in [each.title for each in sheet.sections]


@pytest.mark.req("FA-15")
@pytest.mark.parametrize(
    ("key", "title", "told"),
    [
        ("tradeoffs", "Why it is rated so, as approved", WHY),
        ("recommendation", "Why it is rated so, as approved", "Same knowledge as the day team"),
        ("tradeoffs", "What the options assume, as approved", ASSUMED),
    ],
)
def test_what_was_told_of_the_options_that_a_later_step_names_stands_in_its_details(
    key: str, title: str, told: str
) -> None:
    so_far = DecisionRecord(known(key), TODAY, {})
    sheet = StepContext(PLAYBOOK[key], so_far, {}).judge(Accepted(minimal(key))).sheet
    assert told in titled(sheet, title)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize(("key", "is_whole"), [("tradeoffs", True), ("recommendation", False)])
def test_the_details_name_another_step_for_the_rest_of_what_stands_above_and_for_nothing_that_is_whole_there(
    key: str, is_whole: bool
) -> None:
    sheet = recall(PLAYBOOK[key], build_sheet(PLAYBOOK[key], example(key), before(key)), before(key))
    why = "Why it is rated so, as approved"
    assert why in [each.title for each in sheet.sections]
    elsewhere = [each for each in titled(sheet, "In other steps").splitlines() if each.startswith(why)]
    assert elsewhere == ([] if is_whole else [f"{why}, the rest: see Consequences"])


@pytest.mark.parametrize("words", ["A3 leads", "Of all:\nA3 leads", "Between two\u2028A3"])
def test_an_option_that_is_named_right_after_a_line_break_is_named(words: str) -> None:
    sheet = recall(
        PLAYBOOK["recommendation"],
        Sheet(sections=(Prose(text=words),)),
        DecisionRecord(known("recommendation"), TODAY, {}),
    )
    assert re.search(r"^A3\b", titled(sheet, "Why it is rated so, as approved"), re.MULTILINE)


def test_no_option_that_a_sheet_names_is_left_out_of_the_approved_reasons() -> None:
    for question in list_questions():
        drafts = load_drafts(question)
        for key in ("tradeoffs", "recommendation"):
            earlier = {each.key for each in PLAYBOOK.earlier(key)}
            so_far = DecisionRecord({each: dict(drafts[each]) for each in earlier}, TODAY)
            bare = build_sheet(PLAYBOOK[key], dict(drafts[key]), so_far)
            named = {*re.findall(r"\bA\d\b", wall(bare))} - {so_far.baseline}
            told = titled(recall(PLAYBOOK[key], bare, so_far), "Why it is rated so, as approved")
            assert {*re.findall(r"^A\d", told, re.MULTILINE)} == named, (question, key)
