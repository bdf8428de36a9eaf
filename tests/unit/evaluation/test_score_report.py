"""The report of an evaluation: what it names, what it adds up, and how two of them stand side by side."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.core.conversation.usage import Usage
from app.core.errors import SettingsError
from app.decision.playbook.playbook import load_proact
from app.evaluation import evaluation
from app.evaluation.evaluation import list_prompt_versions
from app.evaluation.play import Play, Spent
from app.evaluation.score_report import build_report, can_compare, render_markdown
from tests.unit.evaluation.plays import CARD, MODEL, PERSON, play, step

ABOUT: dict[str, Any] = {
    "model": "claude-x",
    "address": "api.example.com",
    "date": "2026-11-22",
    "seed": 1,
    "remark": "",
    "prompts": {"objectives": "2 (aaaa0000)"},
}
SPENT = Spent(requests=3, usage=Usage(input_tokens=10, cache_read_tokens=90, output_tokens=5), dollars=0.25)


def led() -> Play:
    """A play of two steps, the second of which was not approved."""
    asks = step(
        "objectives", (PERSON, "Cheap"), (MODEL, "Why? Who? When?"), (CARD, "Missing"), spent=SPENT, seconds=2.0
    )
    stuck = replace(step("alternatives", (PERSON, "A *van*")), approved=False, stuck="Nothing came of [it].")
    return play(asks, stuck)


@pytest.mark.req("FA-12")
def test_a_report_adds_up_steps_messages_tokens_and_cost() -> None:
    report = build_report([led(), led()], ABOUT)
    assert report["counts"] == {
        "steps_approved": 2,
        "messages": 4,
        "replies": 2,
        "requests": 6,
        "input_tokens": 200,
        "cached_tokens": 180,
        "output_tokens": 10,
        "dollars": 0.5,
        "seconds": 4.0,
        "unpriced_replies": 0,
    }
    assert report["rules"]["one_question_at_a_time"] == {"tried": 2, "broken": 2}
    assert report["people"][0]["rules"]["one_question_at_a_time"]["breaks"] == [
        {"step": "objectives", "what": "3 questions in “Why? Who? When?”"}
    ]


@pytest.mark.req("FA-12")
def test_a_report_names_the_model_and_the_version_and_text_of_each_prompt() -> None:
    versions = list_prompt_versions()
    assert list(versions) == [each.key for each in load_proact().components]
    for component in load_proact().components:
        version, digest = versions[component.key].split()
        assert version == component.prompt_version
        assert len(digest.strip("()")) == 8
    assert len(set(versions.values())) == 9, "each step has texts of its own"
    page = render_markdown(build_report([led()], {**ABOUT, "prompts": versions}))
    assert page.startswith("# Evaluation of claude-x\n")
    assert all(f"{key} {version}" in page for key, version in versions.items())


@pytest.mark.req("FA-12")
def test_the_page_shows_each_rule_each_step_and_what_broke() -> None:
    page = render_markdown(build_report([led()], ABOUT))
    assert "| One question at a time (at most two) | 0 % | 1 | 1 |" in page
    assert "| Quotes found in a message | – | 0 | 0 |" in page
    assert "| Steps approved | 1 of 9 |" in page
    assert "| objectives | yes | 1 | 1 | 15 | 0.2500 | 2.0 |" in page
    assert r"| alternatives | no: Nothing came of \[it\]. | 1 | 0 | 0 | 0.0000 | 0.0 |" in page
    assert "- objectives: 3 questions in “Why? Who? When?”" in page


def test_the_page_shows_some_broken_places_and_says_how_many_there_are() -> None:
    many = play(step("objectives", *[(MODEL, f"A? B? C? {number}") for number in range(7)]))
    page = render_markdown(build_report([many], ABOUT))
    assert page.count("3 questions in") == 5
    assert "- and 2 more, in the JSON" in page


def test_what_has_no_price_is_said_to_be_left_out() -> None:
    unpriced = play(step("objectives", spent=replace(SPENT, dollars=0.0, unpriced=2)))
    page = render_markdown(build_report([unpriced], {**ABOUT, "remark": "It is a script."}))
    assert "- 2 replies have no known price; the cost leaves them out." in page
    assert "- It is a script." in page


@pytest.mark.req("FA-12")
def test_two_reports_stand_side_by_side_with_the_prompts_that_changed() -> None:
    before = build_report([led(), led()], {**ABOUT, "model": "claude-w", "prompts": {"objectives": "1 (bbbb0000)"}})
    page = render_markdown(build_report([led()], ABOUT), before)
    assert "- Compared with claude-w of 2026-11-22, in brackets" in page
    assert "objectives 2 (aaaa0000) ← changed" in page
    assert "| One question at a time (at most two) | 0 % (0 %) | 1 | 1 |" in page
    assert "| Cost in dollars | 0.2500 (0.5000) |" in page


def test_a_rule_that_the_earlier_report_does_not_have_stands_alone() -> None:
    before: dict[str, Any] = deepcopy(dict(build_report([led()], ABOUT)))
    del before["rules"]["one_question_at_a_time"]
    del before["counts"]["seconds"]
    page = render_markdown(build_report([led()], ABOUT), before)
    assert "| One question at a time (at most two) | 0 % | 1 | 1 |" in page
    assert "| Seconds | 2 |" in page


def test_a_report_is_written_as_json_and_page_and_read_again(tmp_path: Path) -> None:
    report = build_report([led()], ABOUT)
    written = evaluation.render_files(report, None, str(tmp_path / "now.json"))
    assert [Path(name).name for name in written] == ["now.json", "now.md"]
    first = tmp_path / "now.json"
    first.write_text(written[str(first)], "utf-8")
    assert evaluation.read_report(str(first)) == json.loads(json.dumps(report))
    assert evaluation.read_report("") is None


@pytest.mark.parametrize("content", ["", "[]", '{"format": 0}', "{}"])
def test_what_is_no_report_is_refused_before_anything_is_played(tmp_path: Path, content: str) -> None:
    path = tmp_path / "old.json"
    path.write_text(content)
    with pytest.raises(SettingsError, match=r"old\.json (cannot be read as a report|is no report)"):
        evaluation.read_report(str(path))
    with pytest.raises(SettingsError, match=r"none\.json cannot be read"):
        evaluation.read_report(str(tmp_path / "none.json"))


def test_only_reports_of_the_same_format_are_compared() -> None:
    assert can_compare(build_report([], ABOUT))
    assert not can_compare({"format": 99})
