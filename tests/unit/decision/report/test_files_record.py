"""The JSON of a report."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.decision.report.files import write_json
from tests.unit.decision.report.dossiers import example_report, report_of, version_of


def test_every_version_is_there_also_those_that_newer_ones_have_replaced() -> None:
    versions = (version_of("objectives", 1), version_of("objectives", 2), version_of("tradeoffs"))
    loaded = json.loads(write_json(replace(report_of(), versions=versions)))["versions"]
    assert [(each["component"], each["number"]) for each in loaded] == [
        ("objectives", 1), ("objectives", 2), ("tradeoffs", 1),
    ]  # fmt: skip
    assert loaded[2]["data"] == versions[2].data
    made = ("approved_by", "prompt_version", "schema_version", "model", "based_on")
    assert [loaded[0][key] for key in made] == ["U0MAYA00001", "1", "1.0", "claude", {"objectives": 1}]


def test_who_approved_a_version_that_was_replaced_can_be_read_by_name() -> None:
    report = replace(report_of(), versions=(version_of("objectives"),), people={"U0MAYA00001": "Maya Okafor"})
    loaded = json.loads(write_json(report))
    assert loaded["people"][loaded["versions"][0]["approved_by"]] == "Maya Okafor"


def test_steps_say_how_they_stand_and_leave_what_is_in_them_to_the_versions() -> None:
    step = json.loads(write_json(example_report()))["steps"][4]
    assert step == {
        "key": "consequences", "number": 5, "title": "Consequences", "status": "needs_revision", "version": 2,
        "approved_by": "Maya Okafor", "approved_at": "2026-12-03T09:30:00Z",
        "based_on": ["Objectives v1", "Alternatives v1"],
        "outdated": ["based on Alternatives v1; v2 is approved"],
    }  # fmt: skip


def test_the_same_report_is_the_same_text_with_sorted_keys_and_letters_as_they_are() -> None:
    report = replace(report_of(question="Wohin, 東京?"), versions=(version_of("objectives", z=1, a=2),))
    text = write_json(report)
    assert "Wohin, 東京?" in text
    assert text == json.dumps(json.loads(text), ensure_ascii=False, sort_keys=True, indent=2) + "\n"
    assert json.loads(text)["schema"] == "threadwise.decision/1"


def test_a_number_that_json_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(replace(report_of(), versions=(version_of("objectives", weight=float("nan")),)))
