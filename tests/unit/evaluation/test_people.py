"""The persons that ship with Threadwise."""

from __future__ import annotations

import pytest

from app.core.errors import SettingsError
from app.decision.playbook.playbook import load_proact
from app.evaluation import evaluation
from app.evaluation.person import Person, load_people

PEOPLE = tuple(load_people().values())
KEYS = [each.key for each in load_proact().components]


def test_three_decisions_of_different_kinds_are_scripted_and_others_are_free() -> None:
    scripted = [each for each in PEOPLE if each.is_scripted]
    free = [each for each in PEOPLE if not each.is_scripted]
    assert len({each.kind for each in scripted}) >= 3
    assert free
    assert list(PEOPLE) == [*scripted, *free], "scripted ones come first"


@pytest.mark.parametrize("person", PEOPLE, ids=lambda each: each.key)
def test_a_person_has_something_for_each_step(person: Person) -> None:
    told = set(person.said) if person.is_scripted else {each for fact in person.facts for each in fact.steps}
    figures = {"consequences", "decision_quality"}
    assert set(KEYS) <= told | (set() if person.is_scripted else figures)
    assert told <= set(KEYS)
    assert person.ratings
    assert len(person.scores) == 7


def test_each_of_the_scripted_plants_a_contradiction_that_it_says_and_some_refuse_a_fact() -> None:
    scripted = [each for each in PEOPLE if each.is_scripted]
    for person in scripted:
        for planted in person.contradictions:
            assert any(planted.second in line for line in person.said[planted.step])
            before = [line for key in KEYS[: KEYS.index(planted.step) + 1] for line in person.said[key]]
            assert any(form in line.casefold() for line in before for form in planted.named[0])
    assert all(person.contradictions for person in scripted)
    assert any(
        refusal.words in line
        for person in scripted
        for refusal in person.refused
        for line in person.said["problem_frame"]
    )


def test_persons_are_chosen_by_their_keys_and_an_unknown_one_is_named() -> None:
    assert evaluation.choose_people(()) == PEOPLE
    assert [each.key for each in evaluation.choose_people(["office_days"])] == ["office_days"]
    with pytest.raises(SettingsError, match=r"There is no person nobody. There are: bakery_van, "):
        evaluation.choose_people(["nobody"])
