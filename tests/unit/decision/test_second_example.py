"""The second worked example: money and time, amounts that nobody knows, a tie, a practical dominance, and points."""

from __future__ import annotations

from datetime import date

import pytest

from app.decision.drafts.draft import Accepted, read, refresh_draft
from app.decision.layout.sheets import build_sheet
from app.decision.playbook import example
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft, find_values
from app.evaluation.person import Person
from app.evaluation.play import Line, Play, PlayedStep, Speaker
from app.evaluation.scoring import Rule, score_play
from tests.unit.decision.components.worked import KEYS, PLAYBOOK
from tests.unit.decision.sheets.walls import wall

TODAY, LONG_AFTER = date(2026, 11, 22), date(2036, 1, 1)
FIRST, SECOND = example.list_questions()


def accepted(today: date = TODAY) -> dict[str, Draft]:
    """Each step as it is judged after the ones before it."""
    results: dict[str, Draft] = {}
    for key in KEYS:
        judged = read(PLAYBOOK[key], dict(example.load_drafts(SECOND)[key]), DecisionRecord(dict(results), today))
        assert isinstance(judged, Accepted), key
        assert (judged.missing, judged.blocked) == ((), False), key
        results[key] = judged.draft
    return results


def test_each_step_can_be_approved_as_it_is() -> None:
    assert tuple(accepted()) == KEYS


@pytest.mark.parametrize("key", KEYS)
def test_each_result_can_be_shown_long_after_its_dates_are_over(key: str) -> None:
    earlier = {each: draft for each, draft in accepted().items() if KEYS.index(each) < KEYS.index(key)}
    late = refresh_draft(PLAYBOOK[key], example.load_drafts(SECOND)[key], DecisionRecord(earlier, LONG_AFTER))
    assert late.missing == ()


def test_two_options_lead_level_one_is_set_aside_and_points_put_one_ahead_by_little() -> None:
    record = DecisionRecord(accepted(), TODAY)
    found, weighed = record.analysis, record.weighed
    assert found is not None
    assert weighed is not None
    assert found.leaders == ("A2", "A3")
    assert found.dominance.left == ("A1", "A2", "A3", "A4")
    assert [(each.alternative, each.by) for each in found.practical_dominance] == [("A1", "A3")]
    assert weighed.leaders == ("A3",)
    assert weighed.values["A2"] == 175
    assert weighed.values["A3"] == pytest.approx(176.67, abs=0.01)
    assert record.standout is None


def test_points_are_told_to_one_place() -> None:
    record = DecisionRecord({key: draft for key, draft in accepted().items() if key != "tradeoffs"}, TODAY)
    sheet = build_sheet(PLAYBOOK["tradeoffs"], accepted()["tradeoffs"], record)
    assert "By these points: A3 Lease a smaller new machine 176.7, A2 Buy a new machine 175" in wall(sheet)


def test_amounts_that_nobody_knows_are_missing_and_their_ratings_doubted() -> None:
    cells = find_values(example.load_drafts(SECOND)["consequences"], "table.cells[]")
    unknown = [each for each in cells if "quant_value" not in each]
    assert [(each["alternative_id"], each["objective_id"]) for each in unknown] == [
        ("A4", "O3"),
        ("A5", "O3"),
        ("A5", "O4"),
    ]
    assert all(each["uncertainty"]["level"] in ("medium", "high") for each in unknown)


def test_every_quote_number_and_date_in_it_was_said_by_its_person() -> None:
    lines = {key: example.list_said(key, SECOND) for key in KEYS}
    steps = tuple(
        PlayedStep(
            key=key,
            title=key,
            lines=tuple(Line(speaker=Speaker.PERSON, text=text) for text in lines[key]),
            stored=example.load_drafts(SECOND)[key],
            approved=True,
        )
        for key in KEYS
    )
    person = Person(key="elif", name="The mill", kind="money and time", question=SECOND)
    found = {each.rule: each for each in score_play(Play(person=person, today=TODAY, steps=steps))}
    for rule in (Rule.QUOTES, Rule.FIGURES):
        assert found[rule].tried > 10
        assert found[rule].breaks == (), rule


def test_an_unknown_question_is_of_the_first_example() -> None:
    assert example.load_drafts("Who knows?") == example.load_drafts(FIRST) == example.load_drafts()
    assert example.list_said("objectives", "Who knows?") == example.list_said("objectives")
    assert example.load_drafts(SECOND) != example.load_drafts()
