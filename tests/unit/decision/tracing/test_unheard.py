"""People are asked about somebody in the thread of whose words a draft has nothing."""

from __future__ import annotations

import pytest

from app.core.conversation.conversation import Message, Role
from app.decision.tracing.message_uses import find_unheard

SAID = "I disagree with the part-timers: two of the three would come from my team, and I was not asked."
ASKED = "Sam wrote in this thread. Does any of it belong in here?"


def wrote(text: str, name: str = "Sam", ts: str = "2.1") -> Message:
    return Message(seq=1, role=Role.PERSON, text=text, author="U2", author_name=name, ts=ts)


def asked(notes: list[str], *rows: Message) -> list[str]:
    return [each.text for each in find_unheard({"notes": notes}, rows)]


@pytest.mark.parametrize(
    ("notes", "questions"),
    [
        ([], [ASKED]),
        (["Ask Jonas on Monday about the works council"], [ASKED]),
        (["Two would come from a team that was not asked"], []),
        (["Sam is against it"], []),
    ],
)
def test_a_draft_without_words_or_name_of_somebody_who_wrote_is_asked_about(
    notes: list[str], questions: list[str]
) -> None:
    assert asked(notes, wrote(SAID)) == questions


def test_a_greeting_is_not_asked_about_and_all_messages_of_one_person_count_together() -> None:
    assert asked([], wrote("Good morning, all!")) == []
    assert (
        asked(["The new heater fails in frost"], wrote("Hello there, everybody"), wrote("The heater fails in frost"))
        == []
    )
    assert asked([], wrote(SAID, name="")) == [ASKED.replace("Sam", "Somebody")]


def test_several_people_are_asked_about_in_one_sentence_and_each_once() -> None:
    both = [wrote("Red lorries arrive late"), wrote("Blue bicycles break daily", "Ana", "2.2")]
    (one,) = find_unheard({}, both)
    assert one.text == ASKED.replace("Sam", "Sam and Ana")
    (anew,) = find_unheard({}, [*both, wrote("And two vans are broken", ts="3.1")], one.topics)
    assert anew.text == ASKED
    assert not [*find_unheard({}, both, one.topics)]


def test_the_question_is_asked_anew_only_after_another_message() -> None:
    first, again, later = (
        next(find_unheard({}, [wrote(SAID), *more])) for more in ([], [], [wrote("And I still disagree.", ts="3.1")])
    )
    assert first.topics == again.topics != later.topics
    assert not first.blocking


def test_whose_words_an_item_quotes_was_heard_however_it_is_put() -> None:
    evidence = [{"quote": "I was not asked", "message_id": "2.1"}]
    draft = {"objectives": [{"handle": "O1", "description": "Keep everybody on board", "evidence": evidence}]}
    assert [*find_unheard(draft, [wrote(SAID)])] == []
    assert [each.text for each in find_unheard(draft, [wrote(SAID, ts="3.1")])] == [ASKED], "another message is quoted"


def test_german_words_that_say_nothing_are_no_part_of_what_somebody_said() -> None:
    said = wrote("Nein, das bekommt von mir eine 3. Die Proben waren flau. Das ist für mich auch nach wie vor die -1.")
    assert asked(["Die Proben waren flau"], said) == []
    assert asked(["Das ist nicht für mich, das ist von uns, die wir auch noch da sind"], said) == [ASKED]
