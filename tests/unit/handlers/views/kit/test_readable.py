"""Data of tools as people read it: lines with names and values, no ids, no JSON, bounded."""

from __future__ import annotations

import json

import pytest

from app.core.copy import permission_cards
from app.core.state.decision import ComponentStatus
from app.core.state.status import Kind, Status
from handlers.views.kit.readable import LONGEST, render_data, render_input


def read(data: object) -> list[str]:
    return render_data(json.dumps(data)).split("\n")


@pytest.mark.req("AG-04", "NC-06")
def test_arguments_and_results_are_lines_that_people_can_read() -> None:
    assert read({"channel": "#ops", "limit": 20, "since": None}) == ["channel: #ops", "limit: 20"]
    told = {
        "result": "success",
        "query": {"channel": "#ops"},
        "messages": [
            "…(2 more before)",
            {"from": "Sam", "user": "U0123ABCD", "at": "2027-01-31 09:00+01:00", "text": "Van 4\nis broken"},
            {"from": "Ann", "at": "10:00", "text": "Oh", "answers": [{"from": "Sam", "at": "10:01", "text": "Yes"}]},
        ],
        "action": "Answer from it.",
    }
    assert read(told) == [
        "messages:",
        "    …(2 more before)",
        "    Sam, 2027-01-31 09:00: Van 4",
        "        is broken",
        "    from: Ann",
        "    at: 10:00",
        "    text: Oh",
        "    answers:",
        "        Sam, 10:01: Yes",
    ]


@pytest.mark.req("NC-06")
def test_what_a_tool_was_given_is_told_by_names_that_people_know() -> None:
    assert render_input({"limit": 20}) == ""
    given = {"channel": "#ops", "limit": 20, "until": "2027-01-31T09:00", "since": ""}
    assert render_input(given).split("\n") == ["channel: #ops", "before: 2027-01-31 09:00"]
    assert render_input({"file": "F0123ABCD", "first": 3, "last": 0}) == "from number: 3"
    assert render_input({"query": "rents in Leipzig"}) == "words: rents in Leipzig"
    assert render_input({"step": "problem_frame"}) == "step: problem frame"


@pytest.mark.req("NC-06")
def test_states_of_conversations_and_steps_are_told_in_words() -> None:
    assert read({"kind": "component", "status": "waiting_input"}) == [
        "kind: step of a decision",
        "status: waiting for you",
    ]
    words = (*Kind, *Status, *ComponentStatus)
    assert [word for word in words if word not in permission_cards.STATES] == [Kind.DECISION]
    assert read({"status": "delivered", "text": "free"}) == ["status: delivered", "text: free"]


@pytest.mark.req("AG-04", "NC-06")
def test_no_id_is_shown() -> None:
    shown = render_data(
        json.dumps({"user": "U0123ABCD", "channel": "C0123ABCD", "about": {"thread": "C0123ABCD:1.0"}, "open": True})
    )
    assert shown == "about:\nopen: yes"
    assert read({"since": "2027-01-31T09:00:22-05:00"}) == ["since: 2027-01-31 09:00"]
    assert render_data(json.dumps(["C0123ABCD:1770000000.000001", "OPS", False])) == "OPS\nno"


def test_what_is_no_json_is_shown_as_it_is_and_nothing_grows_without_end() -> None:
    assert render_data("It is late.") == "It is late."
    assert render_data("") == ""
    assert render_data("{}") == ""
    assert len(render_data(json.dumps({"said": "x" * 50_000}))) <= LONGEST
    deep: object = "x"
    for _ in range(40):
        deep = {"a": deep}
    assert render_data(json.dumps(deep)).startswith("a:")
    assert render_data("[" * 100_000).startswith("[[")
