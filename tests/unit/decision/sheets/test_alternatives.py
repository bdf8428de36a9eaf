"""Alternatives on the wall: each option with what people said of it, whole or counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.state.sheet import Grid
from app.decision.layout.issue_raising import WHOLE
from app.decision.layout.parts.words import ESSENCE_LINES, LINE
from app.decision.layout.sheets import build_sheet
from tests.unit.decision.components.worked import PLAYBOOK, before, example, minimal
from tests.unit.decision.sheets.walls import in_short, laid, of_type, titled, wall


@pytest.mark.req("S0-138")
def test_all_options_are_shown_with_the_status_quo_marked_and_the_strategy_table() -> None:
    draft = example("alternatives")
    draft["alternatives"][4] |= {"assumptions": ["The vendor keeps its word"], "broken_limits": ["Works council"]}
    shown = laid("alternatives", draft)
    told = titled(shown, "Options (5 + status quo)")
    assert [line[:2] for line in told.splitlines() if not line.startswith(" ")] == ["A1", "A2", "A3", "A4", "A5", "A6"]
    assert [line for line in told.splitlines() if "baseline" in line] == [
        "A1 Volunteer overtime rota (today) [baseline]"
    ]
    assert "  Assumes: The vendor keeps its word\n  Breaks a limit: Works council" in told
    (table,) = of_type(shown, Grid)
    assert table.header == ("Option", "S1 Who answers", "S2 Hours covered live", "S3 Depth of first answer")
    assert ("A3 Budget call centre", "Call centre", "24 hours", "Script") in table.rows
    assert "S3 Depth of first answer\n  Script · Product-trained" in titled(shown, "What the strategies are made of")


@pytest.mark.req("FA-13", "TR-18")
@pytest.mark.parametrize("key", ["issue_raising", "problem_frame", "notes_next_steps"])
def test_a_card_names_a_thing_whole_or_counts_it_among_the_rest(key: str) -> None:
    essence = laid(key, example(key)).essence
    assert "…" not in " ".join(essence)
    assert len(essence) <= ESSENCE_LINES
    assert all(len(line) <= (WHOLE if key == "issue_raising" else LINE) for line in essence)


@pytest.mark.req("FA-13", "TR-18")
def test_of_names_that_do_not_fit_a_line_the_first_ones_stand_whole_and_the_rest_is_counted() -> None:
    long = "How to cover the urgent requests of the evenings and of the weekends until the end of the winter"
    draft = minimal("issue_raising")
    draft["considerations"] = [{"handle": f"C{number}", "text": f"{long} {number}"} for number in range(1, 5)]
    told = laid("issue_raising", draft).essence
    assert f"Considerations (4): C1 {long} 1; C2 {long} 2; and 2 more" in told
    endless = ", ".join([long] * 4)
    draft["considerations"][0]["text"] = endless
    (line,) = [each for each in laid("issue_raising", draft).essence if each.startswith("Considerations")]
    assert line == f"Considerations (4): C1 {long}, {long} …; and 3 more", "one is cut after a clause"
    draft["considerations"] = draft["considerations"][:1]
    (line,) = [each for each in laid("issue_raising", draft).essence if each.startswith("Considerations")]
    assert line == f"Considerations (1): C1 {long}, {long}, {long} …"


@pytest.mark.req("FA-13", "TR-18")
def test_of_actions_that_do_not_fit_the_card_the_first_ones_stand_whole_and_the_rest_is_counted() -> None:
    what = "Call the reference customers of the partner that answered last week and ask them for the nights"
    draft = {**minimal("notes_next_steps"), "decision": {"status": "decided"}}
    draft["planned_actions"] = [
        {"handle": f"N{number}", "action": f"{what} {number}", "owner": "Ada"} for number in range(1, 9)
    ]
    essence = laid("notes_next_steps", draft).essence
    assert essence[1:] == (
        *(f"no date yet: N{number} {what} {number} – Ada" for number in range(1, 4)),
        f"no date yet: N4 {what} 4 – Ada; and 4 more",
    )


@pytest.mark.req("FA-03")
def test_an_option_of_which_only_a_name_was_said_stands_open_on_its_card_and_in_its_details() -> None:
    draft = minimal("alternatives")
    del draft["alternatives"][1]["description"]
    shown = laid("alternatives", draft)
    assert shown.essence[-1] == "Not described yet: A2 Bergen"
    assert "A2 Bergen\n  what it means: not said yet" in wall(shown)
    described = laid("alternatives", minimal("alternatives"))
    assert "said yet" not in wall(described)
    assert "Not described" not in " ".join(described.essence)


@pytest.mark.req("FA-13")
@pytest.mark.parametrize(
    ("description", "told"),
    [
        ("New compressor in the old room, about 22k", "about 22k"),
        ("It costs more than 22,000 euros", "more than 22,000 euros"),
        ("It costs no more than 22,000 euros", "no more than 22,000 euros"),
        ("Call service, about 22,000 euros a year (18,000 to 26,000)", "about 22,000 euros a year, 18,000 to 26,000"),
        ("Call service, 18–26k euros a year, or 2,000 euros once", "18–26k euros a year, 2,000 euros"),
        (
            "Call service, about 22k, between 18,000 and 26,000 euros a year",
            "about 22k, between 18,000 and 26,000 euros a year",
        ),
        ("Rent 4,000 euros a month to 2,000 euros a month and 900 euros", "4,000 euros a month, 2,000 euros a month"),
        ("Lease two reefers in the yard, 1,450 a month for both", "1,450 a month"),
        ("Costs €12.5 per ticket, 3 weeks to set up", "€12.5 per ticket"),
        ("50 euros, 1,400 EUR/month and 5 million", "50 euros, 1,400 EUR/month"),
        ("6 pallets, 4 km away; 3,000 visitors; 2,500 kg of food; lease of 2027", ""),
        ("8k a month plus 60k setup", "8k a month, 60k"),
        ("60k set-up for 60k customers; 12k one-off", "60k, 12k"),
        ("It has 900 places. 80 % of them are free", ""),
    ],
)
def test_the_card_says_of_an_option_what_people_said_that_it_costs(description: str, told: str) -> None:
    draft = minimal("alternatives")
    draft["alternatives"][1]["description"] = description
    assert laid("alternatives", draft).essence[1] == (f"A2 Bergen ({told})" if told else "A2 Bergen")
    draft["alternatives"][1]["assumptions"] = ["A room is free"]
    marks = f"{told}, counts on: A room is free" if told else "counts on: A room is free"
    assert laid("alternatives", draft).essence[1] == f"A2 Bergen ({marks})"
    draft["alternatives"][1]["assumptions"] = ["A room is free " * 12]
    assert laid("alternatives", draft).essence[1] == f"A2 Bergen ({told}{', ' * bool(told)}on a condition)"


@pytest.mark.req("FA-13")
def test_amounts_leave_no_option_out_of_the_card() -> None:
    for name, count in (("Hall", 7), ("An option with a rather long name of its very own, as people give", 0)):
        draft = minimal("alternatives")
        text = "At most 1,450 a month, or about 22,000"
        draft["alternatives"] += [
            {"handle": f"A{number}", "name": f"{name} {number}", "description": text} for number in range(3, 10)
        ]
        whole = " ".join(laid("alternatives", draft).essence)
        assert whole.count("(At most 1,450 a month, about 22,000)") == count
        assert f"A9 {name} 9" in whole


@pytest.mark.req("FA-13")
def test_an_amount_of_an_option_that_the_ratings_have_a_newer_one_of_is_not_on_its_card() -> None:
    draft = minimal("alternatives")
    draft["alternatives"][1]["description"] = "A hall for 1,450 a month"
    rated = {"table": {"cells": [{"alternative_id": "A2", "objective_id": "O1", "rating": 1}]}}
    rated["table"]["cells"][0] |= {"rationale": "1,650 a month"}
    known = before("alternatives")
    assert "1,450" in laid("alternatives", draft, known).essence[1]
    newer = replace(known, later={**known.later, "consequences": rated})
    assert laid("alternatives", draft, newer).essence[1] == "A2 Bergen"


def test_options_without_a_status_quo_claim_none() -> None:
    draft = minimal("alternatives")
    del draft["status_quo_id"], draft["alternatives"][0]["is_status_quo"]
    shown = laid("alternatives", draft)
    assert "[baseline]" not in wall(shown)
    assert in_short("alternatives", draft) == "2 options"
    assert not of_type(shown, Grid)


def test_a_strategy_that_leaves_a_column_open_shows_it() -> None:
    draft = example("alternatives")
    del draft["strategy_table"]["strategies"][2]["selections"][0]
    (table,) = of_type(build_sheet(PLAYBOOK["alternatives"], draft, before("alternatives")), Grid)
    assert table.rows[2] == ("A3 Budget call centre", "–", "24 hours", "Script")


@pytest.mark.req("FA-13")
def test_the_essence_says_of_the_status_quo_once_that_it_is_it() -> None:
    component = PLAYBOOK["alternatives"]
    told = build_sheet(component, example("alternatives"), before("alternatives")).essence
    assert "A1 Volunteer overtime rota (status quo); A2" in " ".join(told)
    assert "(today)" not in " ".join(told)


@pytest.mark.parametrize(
    ("description", "told"),
    [
        ("The town hall.", "A1 Town hall, as before [baseline]\n  The town hall."),
        ("Town hall, as before.", "A1 Town hall, as before [baseline]"),
        ("town hall", "A1 Town hall, as before [baseline]"),
        ("Town hall, as before, with its yard.", "A1 Town hall, as before, with its yard. [baseline]"),
        ("Town hall, as beforehand.", "A1 Town hall, as before [baseline]\n  Town hall, as beforehand."),
    ],
)
def test_an_option_whose_description_begins_with_its_name_says_it_once(description: str, told: str) -> None:
    draft = minimal("alternatives")
    draft["alternatives"][0] |= {"name": "Town hall, as before", "description": description}
    assert titled(laid("alternatives", draft), "Options (1 + status quo)").startswith(f"{told}\nA2")
