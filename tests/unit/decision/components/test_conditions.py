"""An option that counts on something sets no other aside in silence, and leads only as long as that holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.layout.first_page import build_first_page, describe_firmness
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, accepted, cell, rated, remarks
from tests.unit.decision.sheets.walls import titled

ROWS = {"A1": [0, 0], "A2": [1, -1], "A3": [2, -1]}
"""A3 is never worse than A2; A1 is today."""
SUBSIDY = {"A3": ["The subsidy comes."]}
HELD = "as long as this holds: The subsidy comes"


def decision(
    assumed: Mapping[str, list[str]] = SUBSIDY,
    key: str = "tradeoffs",
    rows: dict[str, list[int]] | None = None,
    **doubt: str,
) -> DecisionRecord:
    so_far = rated(rows or ROWS, key, **doubt)
    for each in so_far.results["alternatives"]["alternatives"]:
        if each["handle"] in assumed:
            each["assumptions"] = assumed[each["handle"]]
    return so_far


def said(verdict: str, **more: Any) -> Draft:
    row = {"alternative_id": "A2", "user_verdict": verdict, **more}
    return {"user_understanding": "Quiet nights against cost.", "dominated_alternatives": [row]}


UNSAID: Draft = {"user_understanding": "Quiet nights against cost."}


def left(so_far: DecisionRecord, draft: Draft = UNSAID) -> list[str]:
    found = so_far.analyse_by(draft)
    assert found
    return [*found.dominance.left]


@pytest.mark.req("TR-06", "FA-15")
def test_an_option_that_only_a_conditional_one_dominates_stays_until_people_decide() -> None:
    assert left(decision({})) == ["A1", "A3"]
    assert left(decision()) == ["A1", "A2", "A3"]
    assert left(decision(), said("set_aside")) == ["A1", "A3"], "said in words, whatever comes"
    assert left(decision(), said("keep", reason="If it is refused")) == ["A1", "A2", "A3"]
    both = {"A2": ["the subsidy  comes"], "A3": ["The subsidy comes"]}
    assert left(decision(both)) == ["A1", "A3"], "both hang on the same thing"
    assert left(decision({**both, "A2": ["We hire"]})) == ["A1", "A2", "A3"]
    free = {**ROWS, "A4": [1, 0]}
    assert left(decision(rows=free)) == ["A3", "A4"], "another one that counts on nothing is never worse"


@pytest.mark.req("TR-13", "FA-15")
def test_what_the_leading_option_counts_on_is_to_be_found_out_before_a_doubt_in_another_one() -> None:
    close = {"A1": [0, 0], "A2": [1, 1], "A3": [2, 1]}
    opening = write_opening(
        PLAYBOOK["recommendation"], decision(key="recommendation", rows=close, A2_O1="high", A2_O2="high")
    )
    first = opening.partition("What to find out first:\n")[2].splitlines()[0]
    assert first == "• Whether A3 Way A3 can count on this: The subsidy comes"


def test_one_thing_to_find_out_first_is_named_once_though_a_rating_is_doubtful_for_it() -> None:
    close = {"A1": [0, 0], "A2": [1, 1], "A3": [2, 1]}
    so_far = decision(key="recommendation", rows=close, A3_O1="high", A3_O2="high")
    causes = iter(("whether the subsidy comes", "nobody has tried it"))
    for each in so_far.results["consequences"]["table"]["cells"]:
        if each["alternative_id"] == "A3":
            each["uncertainty"]["driver"] = next(causes)
    opening = write_opening(PLAYBOOK["recommendation"], so_far)
    first = opening.partition("What to find out first:\n")[2].partition("\n\n")[0]
    assert first.splitlines() == [
        "• Whether A3 Way A3 can count on this: The subsidy comes",
        "• A3 Way A3 on O2 Aim O2: nobody has tried it",
    ]


@pytest.mark.req("TR-05")
@pytest.mark.parametrize("low", [0, 2])
def test_where_ranges_may_turn_what_a_condition_brings_about_both_are_told(low: int) -> None:
    so_far = decision()
    cell(so_far, "A3", "O1")["rating_range"] = {"low": low, "high": 2}
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], UNSAID, so_far), "Drops out only if what another counts on holds")
    assert "A3 counts on: The subsidy comes" in told
    assert ("Within the ranges you gave, this could turn out otherwise." in told) == (low < 2)


@pytest.mark.req("FA-15")
def test_the_condition_is_asked_about_on_every_card_that_would_drop_the_option() -> None:
    so_far = decision()
    draft = accepted("tradeoffs", UNSAID, so_far).draft
    sheet = build_sheet(PLAYBOOK["tradeoffs"], draft, so_far)
    (listed,) = [each for each in sheet.sections if each.title == "Drops out only if what another counts on holds"]
    assert "A3 counts on: The subsidy comes" in repr(listed)
    assert "stays until you say that it is out" in repr(listed)
    assert not [each for each in sheet.sections if each.title in ("Set aside", "Kept all the same")]
    assert any(each.startswith("Drops out only if what another counts on holds: A2") for each in sheet.essence)
    asked = remarks("tradeoffs", UNSAID, so_far)
    assert "would drop out only if what A3" in asked
    opening = write_opening(PLAYBOOK["tradeoffs"], so_far)
    assert "A3 counts on: The subsidy comes. Is it out whether that comes or not, or does it stay?" in opening
    told = COMPUTED["dominated"](so_far, PLAYBOOK["tradeoffs"])
    assert "would drop out only if what A3" in told
    assert "is dominated" not in told
    settled = decision({})
    assert "drop out only if" not in remarks("tradeoffs", UNSAID, settled)
    assert "is dominated" in COMPUTED["dominated"](settled, PLAYBOOK["tradeoffs"])
    assert "does it stay" not in write_opening(PLAYBOOK["tradeoffs"], settled)
    assert "drop out only if" not in remarks("tradeoffs", said("set_aside"), so_far)


@pytest.mark.req("TR-18")
def test_a_question_about_options_with_long_names_has_room_on_its_card() -> None:
    so_far = decision(key="recommendation", A3_O2="high")
    for each in so_far.results["alternatives"]["alternatives"]:
        each["name"] = f"{each['name']} with a print shop that addresses and mails each copy by itself"
    for each in so_far.results["objectives"]["fundamental_objectives"]:
        each["description"] += " and keep older members who do not read on screens a part of all that it does for them"
    so_far = replace(so_far, results={**so_far.results})
    for key, draft in (("tradeoffs", UNSAID), ("recommendation", {"synthesis": "Both are level."})):
        found = remarks(key, draft, so_far).splitlines()
        assert found
        assert [each for each in found if len(each) > 200 or "…." in each] == []


@pytest.mark.req("FA-15")
def test_today_is_not_said_to_be_beaten_by_what_may_not_come() -> None:
    rows = {"A1": [0, 0], "A2": [1, 0]}
    counts = decision({"A2": ["The subsidy comes"]}, rows=rows)
    assert "another option is never worse" not in remarks("tradeoffs", UNSAID, counts)
    assert "another option is never worse" in remarks("tradeoffs", UNSAID, decision({}, rows=rows))
    draft = accepted("tradeoffs", UNSAID, counts).draft
    assert "The status quo" not in repr(build_sheet(PLAYBOOK["tradeoffs"], draft, counts))


@pytest.mark.req("FA-15")
def test_whoever_keeps_today_because_of_a_condition_is_not_asked_about_it_again() -> None:
    kept: Draft = {
        "user_understanding": "Quiet nights against cost.",
        "dominated_alternatives": [{"alternative_id": "A1", "user_verdict": "keep", "reason": "If it is refused"}],
    }
    counts, sure = (decision(each, rows={"A1": [0, 0], "A2": [1, 0]}) for each in ({"A2": ["The subsidy comes"]}, {}))
    assert remarks("tradeoffs", kept, counts) == ""
    assert remarks("tradeoffs", kept, sure) == (
        "You keep A1 Way A1 although another option is never worse. No rating holds your reason yet."
    )
    assert titled(build_sheet(PLAYBOOK["tradeoffs"], kept, counts), "The status quo") == (
        "On your own ratings, A2 Way A2 is never worse than A1 Way A1, and better on O1 Aim O1. A1 Way A1 stays in the "
        "table, as the zero of the scale. A2 counts on: The subsidy comes. You keep it: If it is refused"
    )
    asked = titled(build_sheet(PLAYBOOK["tradeoffs"], UNSAID, sure), "The status quo")
    assert asked.endswith("What would changing cost that no objective names?")


@pytest.mark.req("TR-01", "TR-12", "FA-15")
def test_a_lead_is_told_only_as_long_as_what_it_counts_on_holds() -> None:
    so_far = decision(key="recommendation", rows={"A1": [0, 0], "A2": [0, 2], "A3": [2, 1]})
    told = write_opening(PLAYBOOK["recommendation"], so_far)
    assert f"({HELD}) stands out" in told
    assert f"({HELD}) comes first in" in COMPUTED["firmness"](so_far, PLAYBOOK["recommendation"])
    sheet = build_sheet(PLAYBOOK["recommendation"], {}, so_far)
    assert f"({HELD}) stands out" in " ".join(sheet.essence)
    assert f"({HELD}) comes first" in repr(sheet.sections)
    assert write_gist(PLAYBOOK["recommendation"], {}, so_far).endswith("stands out, on a condition")
    assert f"({HELD}) stands out" in describe_firmness(so_far)
    assert f"({HELD})" in repr(build_first_page(PLAYBOOK["consequences"], so_far))
    shaky = decision(key="recommendation", rows={"A1": [0, 0], "A3": [1, 0]}, A3_O1="high")
    assert f"({HELD}) leads on the plain sum" in describe_firmness(shaky)
    sure = replace(so_far, results={**so_far.results, "alternatives": decision({}).results["alternatives"]})
    assert HELD not in write_opening(PLAYBOOK["recommendation"], sure)


@pytest.mark.req("FA-15")
def test_the_card_of_tradeoffs_names_what_a_lead_counts_on_or_that_it_counts_on_something() -> None:
    so_far = decision(rows={"A1": [0, 0], "A2": [0, 2], "A3": [2, 1]})
    assert f"Leads on the plain sum: A3 Way A3 ({HELD})" in build_sheet(PLAYBOOK["tradeoffs"], {}, so_far).essence
    long = decision({"A3": ["The subsidy comes " * 12]}, rows={"A1": [0, 0], "A2": [0, 2], "A3": [2, 1]})
    assert "Leads on the plain sum: A3 Way A3, on a condition" in build_sheet(PLAYBOOK["tradeoffs"], {}, long).essence
    level = decision({"A3": ["The subsidy comes " * 12]}, rows={"A1": [0, 0], "A2": [1, 2], "A3": [2, 1]})
    told = build_sheet(PLAYBOOK["tradeoffs"], {}, level).essence
    assert "Level on the plain sum: A2 Way A2; A3 Way A3, on a condition" in told
    sure = decision({}, rows={"A1": [0, 0], "A2": [0, 2], "A3": [2, 1]})
    assert "Leads on the plain sum: A3 Way A3" in build_sheet(PLAYBOOK["tradeoffs"], {}, sure).essence


@pytest.mark.req("FA-15")
def test_who_leans_to_an_option_is_told_with_it_what_it_counts_on() -> None:
    so_far = decision(key="notes_next_steps", rows={"A1": [0, 0], "A2": [0, 2], "A3": [2, 1]})
    draft = {"decision": {"status": "leaning", "alternative_id": "A3"}}
    card = build_sheet(PLAYBOOK["notes_next_steps"], draft, so_far)
    assert f"Decision: A3 Way A3 ({HELD}) · leaning" in card.essence
    page = build_first_page(
        PLAYBOOK["consequences"], replace(so_far, results={**so_far.results, "notes_next_steps": draft})
    )
    assert f"('Leaning', 'A3 Way A3 ({HELD})')" in repr(page)


@pytest.mark.req("TR-18")
def test_where_the_decision_stands_is_not_cut_off_its_line_by_a_long_name_or_condition() -> None:
    name = "The print shop that addresses and mails each copy"
    for length, told in ((1, f"A3 {name}, on a condition"), (3, "A3 The print shop that…, on a condition")):
        so_far = decision({"A3": ["The subsidy comes " * 12]}, "notes_next_steps")
        so_far.results["alternatives"]["alternatives"][2]["name"] = " and ".join([name] * length)
        draft = {"decision": {"status": "decided", "alternative_id": "A3"}}
        assert build_sheet(PLAYBOOK["notes_next_steps"], draft, so_far).essence[0] == f"Decision: {told} · decided"


@pytest.mark.req("FA-15")
def test_a_question_on_one_step_and_what_ranges_leave_open_name_the_condition() -> None:
    rows = {"A1": [0, 0, 0], "A2": [1, 0, 0], "A3": [0, 2, 1]}
    so_far = decision(rows=rows)
    draft = accepted("tradeoffs", UNSAID, so_far).draft
    sheet = build_sheet(PLAYBOOK["tradeoffs"], draft, so_far)
    (asked,) = [each for each in sheet.sections if each.title == "Is one step worth it?"]
    assert "A3 counts on: The subsidy comes" in repr(asked)
    wide = decision(rows={"A1": [0, 0], "A2": [1, 0], "A3": [0, 1]})
    wide.results["consequences"]["table"]["cells"][-2]["rating_range"] = {"low": 0, "high": 2}
    sheet = build_sheet(PLAYBOOK["tradeoffs"], accepted("tradeoffs", UNSAID, wide).draft, wide)
    (open_still,) = [each for each in sheet.sections if each.title == "Not settled by what is known"]
    assert "A3 counts on: The subsidy comes" in repr(open_still)


def test_what_may_drop_out_on_a_condition_is_not_told_as_what_can_be_set_aside() -> None:
    before: Draft = {**UNSAID, "dominated_alternatives": list[Draft]()}
    after = accepted("tradeoffs", UNSAID, decision()).draft
    assert not [each for each in describe_changes(before, after, decision()) if "can be set aside" in each]
    plain = accepted("tradeoffs", UNSAID, decision({})).draft
    assert [each for each in describe_changes(before, plain, decision({})) if "can be set aside" in each]


def test_a_dominator_that_counts_on_nothing_is_the_one_that_is_shown() -> None:
    rows = {"A1": [0, 0], "A2": [1, -1], "A3": [2, 0], "A4": [2, -1]}
    found = decision(rows=rows).analyse_by(UNSAID)
    assert found
    shown = {each.alternative: each.dominated_by for each in found.dominance.dominated}
    assert shown["A2"] == "A4"
    assert found.dominance.conditional == ("A1", "A4")
    assert "A2" not in found.dominance.left


@pytest.mark.req("FA-22")
def test_a_condition_of_what_leads_is_named_as_an_open_point_until_a_day_is_said_by_which_it_is_known() -> None:
    so_far = decision(key="recommendation")
    asked = "A3 Way A3 counts on this: The subsidy comes. By when will you know whether it holds?"
    draft: Draft = {"synthesis": "x" * 60, "key_considerations": ["a"]}
    open_point: dict[str, Any] = {"description": "Whether the subsidy comes"}

    def told(so_far: DecisionRecord, **more: Any) -> str:
        return remarks("recommendation", {**draft, "remaining_uncertainties": [open_point | more]}, so_far)

    assert asked in remarks("recommendation", draft, so_far)
    assert accepted("recommendation", draft, so_far).missing == ()
    assert asked in told(so_far)
    assert asked in told(so_far, resolution_path="Ask the ministry")
    assert asked not in told(so_far, by_when="2027-03-01")
    assert asked not in told(so_far, resolution_path="Ask the ministry before Easter")
    assert asked in told(so_far, description="Whether it rains", by_when="2027-03-01")
    for dated in ("by March", "in March", "after the vote", "on Monday", "next time", "bis Ende Juni", "nächste Woche"):
        assert "counts on" not in told(decision({"A3": [f"The subsidy comes {dated}."]}, "recommendation")), dated
    assert "counts on" in told(decision({"A3": ["The subsidy may come."]}, "recommendation"))
    assert "counts on" not in told(decision({"A2": ["The subsidy comes."]}, "recommendation")), "it does not lead"
