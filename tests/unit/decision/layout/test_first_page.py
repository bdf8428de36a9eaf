"""The first page of a report: what a board has to know, each thing once, and nothing that the record does not say."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace

import pytest

from app.core.state.sheet import Facts, Listing, Matrix, Prose, Sheet
from app.decision.layout.first_page import NOTHING_OLDER, build_first_page, describe_firmness
from app.decision.record import DecisionRecord
from app.decision.report.dossier import Report, drop_repeats
from app.decision.report.html_report import write_html
from app.decision.report.markdown_report import write_markdown
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, accepted, example, rated
from tests.unit.decision.report.dossiers import report_of, step_of

RATES = PLAYBOOK["consequences"]
WHOLE = DecisionRecord({key: accepted(key, example(key)).draft for key in KEYS}, TODAY)
APPROVED_AT = "2026-12-03T09:30:00Z"


def answers(
    record: DecisionRecord, at: str = APPROVED_AT, older: Mapping[str, int] = NOTHING_OLDER
) -> list[tuple[str, str]]:
    facts, *_ = build_first_page(RATES, record, at, older).sections
    assert isinstance(facts, Facts)
    return [*facts.rows]


def reported(page: Sheet) -> Report:
    return replace(report_of(Prose(text="Details")), first_page=page)


@pytest.mark.req("TR-17")
def test_the_page_of_the_example_says_what_is_leant_to_who_contends_how_firm_and_who_does_what() -> None:
    told = answers(WHOLE)
    assert [label for label, _ in told] == [
        "Leaning", "Decider", "In short", "Contender", "Contender", "How firm this is",
        "To find out", "Weakest link", "Next steps",
    ]  # fmt: skip
    assert told[1][1] == "Maya Okafor (decides alone), by 18 December 2026"
    assert told[2][1].startswith("Two options dropped out:")
    assert told[2][1].endswith(". …")
    said = [told[0][1], *(text for _, text in told[3:])]
    assert said[0] == (
        "A4 Three part-time weekend agents · on 3 December 2026 · If the replay does not surprise us, we hire."
    )
    assert said[1].splitlines()[-1] == "Against: worst or among the worst on O3 Keep extra cost low"
    assert [text.splitlines()[1][:4] for text in said[1:3]] == ["For:", "For:"]
    assert "stands out" in said[3]
    assert "before 11 December" in said[4]
    assert "Number of off-hours requests" not in said[4], "it matters little"
    assert said[5].startswith("Reliable Consequence Information, 60 %: Replay 400 tickets")
    assert said[6].splitlines()[0] == "4 December 2026: N2 Call two more partner reference customers – Maya Okafor"


@pytest.mark.req("TR-17")
def test_the_page_says_what_a_contender_counts_on_and_which_limit_an_option_breaks() -> None:
    options = deepcopy(WHOLE.results["alternatives"])
    best = next(each for each in options["alternatives"] if each["handle"] == "A4")
    best |= {"assumptions": ["We find three people"], "broken_limits": ["At most 100,000 euro"]}
    told = answers(replace(WHOLE, results={**WHOLE.results, "alternatives": options}))
    contender = next(text for label, text in told if label == "Contender")
    assert contender.splitlines()[1] == "A4 counts on: We find three people"
    assert dict(told)["Limits"].splitlines()[-1] == "A4 Three part-time weekend agents breaks: At most 100,000 euro"
    unframed = replace(WHOLE, results={"problem_frame": {"focal_decision": {"deadline": "2027-01-31"}}})
    assert answers(unframed) == [("By when", "31 January 2027")]
    named = {"decision_maker": {"name": "Priya"}}
    assert answers(replace(WHOLE, results={"problem_frame": named})) == [("Decider", "Priya (role not said yet)")]


@pytest.mark.req("TR-17")
def test_what_people_lean_to_contends_although_others_lead_and_none_is_without_an_against() -> None:
    record = rated(
        {"A1": [0, 0, 0, 0], "A2": [2, 2, -1, -1], "A3": [1, 1, 0, 0], "A4": [2, 1, -1, 1], "A5": [0, 0, 1, -1]},
        "notes_next_steps",
    )
    assert [text.split(" ")[0] for label, text in answers(record) if label == "Contender"] == ["A4", "A2"]
    leaning = {"decision": {"status": "leaning", "alternative_id": "A3"}}
    told = answers(replace(record, results={**record.results, "notes_next_steps": leaning}))
    chosen, rival = [text for label, text in told if label == "Contender"]
    assert chosen.splitlines() == [
        "A3 Way A3",
        "For: better than today on O1 Aim O1, O2 Aim O2",
        "Against: another option is the best on O1 Aim O1, O2 Aim O2, O3 Aim O3, O4 Aim O4",
    ]
    assert rival.startswith("A4 Way A4")


@pytest.mark.req("TR-17")
def test_a_contender_that_is_nowhere_an_extreme_is_told_against_today() -> None:
    record = rated({"A1": [0, 0], "A2": [2, -2], "A3": [1, -1], "A4": [-1, 1]}, "notes_next_steps")
    leaning = {"decision": {"status": "leaning", "alternative_id": "A3"}}
    told = answers(replace(record, results={**record.results, "notes_next_steps": leaning}))
    chosen = next(text for label, text in told if label == "Contender")
    assert chosen.splitlines() == [
        "A3 Way A3",
        "For: better than today on O1 Aim O1",
        "Against: worse than today on O2 Aim O2",
    ]


@pytest.mark.req("TR-17")
def test_nothing_named_yet_is_said_once_where_nothing_is_known() -> None:
    bare = DecisionRecord({}, TODAY)
    assert answers(bare) == [("Decision", "Nothing named yet.")]
    assert write_markdown(reported(build_first_page(RATES, bare))).count("Nothing named yet") == 1
    leaning = replace(WHOLE, results={"recommendation": {"user_leaning": "Hire."}})
    assert answers(leaning) == [("Where you lean", "Hire.")]
    undated = {"planned_actions": [{"handle": "N1", "description": "Call"}], "decision": {"status": "decided"}}
    assert answers(replace(WHOLE, results={"notes_next_steps": undated}), "") == [
        ("Next steps", "no date yet: N1 Call – nobody yet")
    ]


@pytest.mark.req("TR-17")
def test_how_firm_the_order_is_says_only_what_the_ratings_say() -> None:
    assert describe_firmness(DecisionRecord({}, TODAY)) == ""
    assert "is the only option that is left" in describe_firmness(rated({"A1": [0], "A2": [1]}, "notes_next_steps"))
    assert "stands out" in describe_firmness(rated({"A1": [0, 0], "A2": [2, -1]}, "notes_next_steps"))
    assert describe_firmness(rated({"A1": [0, 0], "A2": [1, -1]}, "notes_next_steps")).startswith("Level on the plain")
    shaky = rated({"A1": [0, 0], "A2": [2, -1]}, "notes_next_steps", A2_O1="high")
    assert "does not stand out" in describe_firmness(shaky)
    missing = rated({"A1": [0, 0], "A2": [1, -1]}, "notes_next_steps")
    del missing.results["consequences"]["table"]["cells"][-1]
    told = "Ratings are missing, so nothing here is final. Missing: A2 Way A2 on O2 Aim O2."
    assert describe_firmness(missing) == told
    assert [label for label, _ in answers(missing)].count("Contender") <= 1


@pytest.mark.req("TR-17", "FA-23")
def test_both_reports_begin_with_that_page_and_the_web_page_has_the_table_in_colours_with_numbers() -> None:
    report = reported(build_first_page(RATES, WHOLE, APPROVED_AT))
    text, page = write_markdown(report), write_html(report)
    assert text.index("- **Leaning:**") < text.index("- **Owner:**") < text.index("Details")
    board, details = page.index('class="board"'), page.index('aria-labelledby="contents"')
    assert board < page.index("Leaning") < page.index("tile plus-2") < page.index('class="legend"') < details
    assert ">+2</text>" in page[board:details]
    assert ">−1?</text>" in page[board:details]
    assert "size: A4" in page
    assert "break-before: page" in page
    assert "Reasons" not in page[board:details]


@pytest.mark.req("FA-23")
def test_a_table_that_no_page_holds_stays_in_its_step() -> None:
    small = build_first_page(RATES, rated({f"A{n}": [0, 1] for n in range(1, 13)}, "notes_next_steps"))
    large = build_first_page(RATES, rated({f"A{n}": [0, 1] for n in range(1, 15)}, "notes_next_steps"))
    assert [isinstance(each, Matrix) for each in (*small.sections, *large.sections)] == [False, True, False]
    assert write_html(reported(Sheet(sections=(Prose(text="Anything"),)))).count("Anything") == 1


@pytest.mark.req("TR-17")
def test_a_section_that_stands_in_an_earlier_step_is_not_told_again() -> None:
    said = Listing(title="What one step would change", items=())
    bare = Prose(text="Ratings are missing.")
    steps = (step_of(said, bare), step_of(said, bare, Prose(text="More"), number=2), replace(step_of(), sheet=None))
    first, second, none = drop_repeats(steps)
    assert first.sheet == steps[0].sheet
    assert second.sheet == Sheet(sections=(bare, Prose(text="More")))
    assert none.sheet is None


@pytest.mark.req("FA-16")
def test_a_leaning_alone_is_marked_with_the_version_of_the_step_it_was_said_in() -> None:
    leaning = replace(WHOLE, results={"recommendation": {"user_leaning": "Hire."}})
    ((_, said),) = answers(leaning, older={"recommendation": 2, "notes_next_steps": 1})
    assert said == "Hire.\n(From v2 of that step; what it builds on has changed since.)"
    assert answers(replace(WHOLE, results={}), older={"recommendation": 2}) == [("Decision", "Nothing named yet.")]
