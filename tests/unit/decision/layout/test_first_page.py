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
        "Leaning", "Decider", "Limits", "In short", "Set aside", "Contender", "Contender", "How firm this is",
        "To find out", "Weakest link", "Next steps", "Reopened by",
    ]  # fmt: skip
    assert told[1][1] == "Maya Okafor (decides alone), by 18 December 2026"
    cost = "A4 Three part-time weekend agents: 88 kEUR/year on O3 Keep extra cost low"
    assert told[2][1].startswith(f"{cost}, within the limit “At most 100,000 euro extra per year")
    assert told[3][1].startswith("Two options dropped out:")
    assert told[3][1].endswith(". …")
    said = [told[0][1], *(text for _, text in told[5:])]
    assert said[0] == (
        "A4 Three part-time weekend agents · on 3 December 2026 · If the replay does not surprise us, we hire."
    )
    against = "Against: worst or among the worst of those left on O3 Keep extra cost low (88 kEUR/year)"
    assert said[1].splitlines()[-1] == against
    assert [text.splitlines()[1][:4] for text in said[1:3]] == ["For:", "For:"]
    assert "stands out on the plain sum and by your points: it leads, and no single doubt takes" in said[3]
    assert "before 11 December" in said[4]
    assert "Number of off-hours requests" not in said[4], "it matters little"
    assert said[5].startswith("Reliable consequence information, 60 %: Replay 400 tickets")
    assert said[6].splitlines()[0] == "4 December 2026: N2 Call two more partner reference customers – Maya Okafor"


@pytest.mark.req("TR-17")
def test_a_leaning_whose_words_are_in_what_people_said_at_the_end_is_told_once() -> None:
    notes, leant = deepcopy(WHOLE.results["notes_next_steps"]), deepcopy(WHOLE.results["recommendation"])
    leant["user_leaning"] = "I lean to the part-timers."
    notes["decision"] = {"status": "leaning", "alternative_id": "A4", "in_the_users_words": "We lean to part-timers"}
    record = replace(WHOLE, results={**WHOLE.results, "notes_next_steps": notes, "recommendation": leant})
    assert answers(record)[0][1].endswith(" · on 3 December 2026 · We lean to part-timers")
    leant["user_leaning"] = "I lean to the part-timers, if they sign"
    told = answers(replace(record))[0][1]
    assert told.endswith(" · We lean to part-timers · I lean to the part-timers, if they sign")


@pytest.mark.req("TR-17")
def test_a_leaning_that_was_said_of_earlier_ratings_is_told_once_as_well() -> None:
    words = "I lean to the part-timers"
    leant = accepted("recommendation", {**example("recommendation"), "user_leaning": words}).draft
    rerated, notes = deepcopy(WHOLE.results["consequences"]), deepcopy(WHOLE.results["notes_next_steps"])
    next(each for each in rerated["table"]["cells"] if each["rating"] == 1)["rating"] = 2
    notes["decision"] = {"status": "leaning", "alternative_id": "A4", "in_the_users_words": words}
    now = {"consequences": rerated, "recommendation": leant, "notes_next_steps": notes}
    told = answers(replace(WHOLE, results={**WHOLE.results, **now}))[0][1]
    assert told.count(words) == 1
    del notes["decision"]["in_the_users_words"]
    assert f"{words}. Written for" in answers(replace(WHOLE, results={**WHOLE.results, **now}))[0][1]


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
def test_the_page_says_by_when_each_thing_is_to_be_found_out_and_asks_for_what_a_contender_counts_on() -> None:
    results = deepcopy(dict(WHOLE.results))
    for each in results["alternatives"]["alternatives"]:
        each["assumptions"] = [f"{each['handle']} gets the grant"]
    results["consequences"]["uncertainties"] = []
    results["recommendation"]["remaining_uncertainties"] = [
        {"description": "The weather"},
        {"description": "The price", "impact": "high", "resolution_path": "Ask Bo", "by_when": "2026-12-01"},
    ]
    told = dict(answers(replace(WHOLE, results=results)))["To find out"].splitlines()
    assert told == [
        "The price: Ask Bo (by when: 1 December 2026)",
        "Whether A4 Three part-time weekend agents can count on this: A4 gets the grant (by when: not said yet)",
        "Whether A5 AI triage plus paid on-call can count on this: A5 gets the grant (by when: not said yet)",
        "and 1 more",
    ]
    for each in results["alternatives"]["alternatives"]:
        del each["assumptions"]
    told = dict(answers(replace(WHOLE, results=results)))["To find out"].splitlines()
    assert told[1:] == ["The weather (by when: not said yet)"]


@pytest.mark.req("TR-17")
def test_what_a_contender_counts_on_stands_once_and_has_the_day_of_the_step_that_finds_it_out() -> None:
    results = deepcopy(dict(WHOLE.results))
    best = next(each for each in results["alternatives"]["alternatives"] if each["handle"] == "A4")
    best["assumptions"] = ["The city and the landlord allow agents in the yard"]
    results["consequences"]["uncertainties"] = []
    results["recommendation"]["remaining_uncertainties"] = []
    results["notes_next_steps"]["planned_actions"] = [
        {"handle": "N1", "action": "Ask landlord and city in writing", "due_date": "2027-01-15"},
        {"handle": "N2", "action": "Ask landlord and city again"},
        {"handle": "N3", "action": "Ask the landlord about agents", "due_date": "2026-12-01", "status": "completed"},
        {"handle": "N4", "action": "Clear the yard before winter comes", "due_date": "2026-12-01"},
    ]
    record = replace(WHOLE, results=results)
    assert dict(answers(record))["To find out"] == (
        "Whether A4 Three part-time weekend agents can count on this: "
        "The city and the landlord allow agents in the yard (by when: 15 January 2027, N1)"
    )
    said = {"description": "whether city and landlord say yes in writing", "by_when": "15 January"}
    results["recommendation"]["remaining_uncertainties"] = [said]
    told = dict(answers(record))["To find out"]
    assert told == "whether city and landlord say yes in writing (by when: 15 January)"


@pytest.mark.req("TR-17")
def test_the_leaning_is_told_with_the_condition_and_the_fallback_that_people_gave_with_it() -> None:
    results = deepcopy(dict(WHOLE.results))
    results["recommendation"]["user_leaning"] = "A4 if the city says yes by 15 January, otherwise A5"
    results["notes_next_steps"]["decision"]["in_the_users_words"] = "Not decided yet."
    told = dict(answers(replace(WHOLE, results=results)))["Leaning"]
    assert told.endswith("Not decided yet. · A4 if the city says yes by 15 January, otherwise A5")


@pytest.mark.req("TR-17")
def test_beside_the_words_of_a_decision_stands_no_earlier_leaning() -> None:
    results = deepcopy(dict(WHOLE.results))
    results["recommendation"]["user_leaning"] = "I tend to A4"
    results["notes_next_steps"]["decision"] |= {"status": "decided", "in_the_users_words": "We go with A4."}
    assert dict(answers(replace(WHOLE, results=results)))["Decided"].endswith(" · We go with A4.")
    del results["notes_next_steps"]["decision"]["in_the_users_words"]
    assert dict(answers(replace(WHOLE, results=results)))["Decided"].endswith(" · I tend to A4")


@pytest.mark.req("TR-17")
def test_the_lines_of_a_contender_have_its_amounts_where_they_rest_on_some() -> None:
    record = rated({"A1": [0, 0], "A2": [2, 1], "A3": [1, 2]}, "notes_next_steps")
    record.results["objectives"]["fundamental_objectives"][0]["performance_measure"] = {
        "metric": "Cost", "direction": "minimize", "units": "euro", "baseline": 90000,
    }  # fmt: skip
    amounts = {"A2": 20000, "A3": 66000.5}
    for each in record.results["consequences"]["table"]["cells"]:
        if each["objective_id"] == "O1" and each["alternative_id"] in amounts:
            each |= {"quant_value": amounts[each["alternative_id"]], "quant_unit": "euro"}
    first, second = [text.splitlines()[1:] for label, text in answers(replace(record)) if label == "Contender"]
    assert first[0] == "For: best or among the best of those left on O1 Aim O1 (20,000 euro)"
    assert second == [
        "For: best or among the best of those left on O2 Aim O2",
        "Against: worst or among the worst of those left on O1 Aim O1 (66,000.5 euro)",
    ]
    leaning = {"decision": {"status": "leaning", "alternative_id": "A3"}}
    rows = {"A1": [0, 0, 0], "A2": [2, -1, 0], "A3": [1, 0, 0], "A4": [0, 1, 0]}
    nowhere = rated(rows, "notes_next_steps")
    nowhere.results["objectives"]["fundamental_objectives"][0] |= record.results["objectives"][
        "fundamental_objectives"
    ][0]
    for each in nowhere.results["consequences"]["table"]["cells"]:
        if each["objective_id"] == "O1" and each["alternative_id"] in amounts:
            each |= {"quant_value": amounts[each["alternative_id"]], "quant_unit": "euro"}
    told = answers(replace(nowhere, results={**nowhere.results, "notes_next_steps": leaning}))
    chosen = next(text for label, text in told if label == "Contender")
    assert chosen.splitlines()[-1].startswith("Against: other options are better on O1 Aim O1 (here 66,000.5 euro)")


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
        "For: better than the status quo on O1 Aim O1 and O2 Aim O2",
        "Against: other options are better on O1 Aim O1, O2 Aim O2, O3 Aim O3 and O4 Aim O4",
    ]
    assert rival.startswith("A4 Way A4")


@pytest.mark.req("TR-17")
def test_a_contender_that_is_nowhere_an_extreme_is_told_against_the_status_quo() -> None:
    record = rated({"A1": [0, 0], "A2": [2, -2], "A3": [1, -1], "A4": [-1, 1]}, "notes_next_steps")
    leaning = {"decision": {"status": "leaning", "alternative_id": "A3"}}
    told = answers(replace(record, results={**record.results, "notes_next_steps": leaning}))
    chosen = next(text for label, text in told if label == "Contender")
    assert chosen.splitlines() == [
        "A3 Way A3",
        "For: better than the status quo on O1 Aim O1",
        "Against: worse than the status quo on O2 Aim O2",
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


@pytest.mark.req("TR-17")
def test_a_list_that_is_cut_says_so_and_a_step_to_take_keeps_its_whole_name() -> None:
    name = "Give the landlord his answer, after the decision of the mayor's office {n}"
    steps = [
        {"handle": f"N{n}", "action": name.format(n=n), "owner": "Maya", "due_date": f"2027-04-{n:02}"}
        for n in range(1, 10)
    ]
    unknown = [{"description": f"Thing {n}", "resolution_path": "Ask by May"} for n in range(5)]
    results = {"notes_next_steps": {"planned_actions": steps}, "recommendation": {"remaining_uncertainties": unknown}}
    told = dict(answers(DecisionRecord(results, TODAY)))
    assert told["Next steps"].splitlines()[0] == f"1 April 2027: N1 {name.format(n=1)} – Maya"
    assert told["Next steps"].splitlines()[-1] == "and 2 more"
    assert told["To find out"].splitlines()[-1] == "and 2 more"
    results["notes_next_steps"]["planned_actions"] = steps[:6]
    assert len(dict(answers(DecisionRecord(results, TODAY)))["Next steps"].splitlines()) == 6


@pytest.mark.req("TR-17")
def test_the_summary_has_room_for_the_trade_and_ends_where_a_sentence_ends() -> None:
    lead = (
        "On the plain sum the annex (A2) leads with +1, but no option stands out: its +2 on kids is a guess of Priya's."
    )
    aside = (
        "Renew, the bus and the annex with a Saturday bus are set aside, also with hours after 2 p.m. and on Saturday."
    )
    trade = "Closing costs 92,000 less a year and strains nobody, and gives up the kids."

    def told(*sentences: str) -> str:
        record = DecisionRecord({"recommendation": {"synthesis": " ".join(sentences)}}, TODAY)
        return dict(answers(record))["In short"]

    assert told(lead, aside, trade) == f"{lead} {aside} {trade}"
    assert told(lead, aside, trade, aside, trade) == f"{lead} {aside} {trade} …"


@pytest.mark.req("TR-17")
def test_the_page_says_what_people_fall_back_on_and_what_would_reopen_the_decision() -> None:
    notes = {
        "notes": [
            "Fallback: if the school says no, close",
            "Second choice is the bus",
            "The fallback position is weak",
        ],
        "revisit_triggers": ["The school says no", "Nobody comes back", "Few visits", "A new rule"],
    }
    told = dict(answers(DecisionRecord({"notes_next_steps": notes}, TODAY), older={"notes_next_steps": 2}))
    mark = "(From v2 of that step; what it builds on has changed since.)"
    assert told["Fallback"] == f"if the school says no, close\nthe bus\n{mark}"
    assert told["Reopened by"].startswith("The school says no; Nobody comes back; Few visits; and 1 more\n")
    assert {"Fallback", "Reopened by"}.isdisjoint(dict(answers(DecisionRecord({}, TODAY))))
