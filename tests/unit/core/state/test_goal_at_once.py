"""Goals that need nothing, work that comes with its plan, and which replies count as questions (T5)."""

import pytest

from app.core.goals.moves import Asking, on_reply
from app.core.state.goal import (
    Call,
    GoalNamed,
    GoalPhase,
    GoalType,
    InfoAsked,
    PlanProposed,
    WorkFinished,
    WorkStarted,
)
from tests.unit.core.goal_threads import Thread, thread

GREETING, UNDERSTANDING, PLANNING, EXECUTING, REVIEWING, COMPLETED, IDLE = GoalPhase
HAIKU = GoalNamed(type=GoalType.ARTIFACT_CREATION, description="A haiku", info=())


@pytest.mark.req("AG-16")
@pytest.mark.parametrize("named", [(), (HAIKU,)], ids=["recognized", "named"])
def test_what_can_be_made_at_once_is_made_in_the_first_answer(named: tuple[Call, ...]) -> None:
    chat = Thread()
    chat.says("Create a haiku")

    assert chat.hears("Old pond …", *named, WorkFinished(artefacts=("Haiku",))) is REVIEWING
    assert chat.refused == ()
    assert chat.path[-3:] == [PLANNING, EXECUTING, REVIEWING]
    assert (chat.goal.artefacts, chat.goal.missing) == (("Haiku",), ())


@pytest.mark.req("AG-16")
def test_plan_and_work_come_in_one_call() -> None:
    chat = Thread()
    chat.says("Create a haiku")
    assert chat.hears("First five syllables.", WorkStarted()) is EXECUTING
    assert chat.path == [PLANNING, EXECUTING]

    planned = thread(PLANNING)
    assert planned.hears("Here it is: …", WorkFinished()) is REVIEWING
    assert planned.path == [EXECUTING, REVIEWING]


@pytest.mark.req("AG-16")
@pytest.mark.parametrize("begun", [WorkStarted(), WorkFinished()])
def test_what_was_asked_for_and_not_told_keeps_the_work_from_beginning(begun: Call) -> None:
    chat = thread(UNDERSTANDING)
    chat.hears("What are the requirements?")

    assert chat.hears("So be it.", begun) is UNDERSTANDING
    assert chat.refused == (type(begun).__name__,)


@pytest.mark.req("AG-16")
def test_only_replies_that_ask_count_towards_enough_asked() -> None:
    chat = thread(UNDERSTANDING)
    for _ in range(9):
        assert chat.hears("That is a lot to think about.") is UNDERSTANDING
    assert chat.state.exchanges == 0
    for text, calls in (("Which one?", ()), ("Tell me the kind.", (InfoAsked(name="component_type"),)), ("What? ", ())):
        assert chat.hears(text, *calls) is UNDERSTANDING

    assert chat.hears("And for whom?") is PLANNING
    assert chat.state.assuming


@pytest.mark.req("AG-16", "AG-17")
@pytest.mark.parametrize("most", [0, 1, 5])
def test_a_question_on_a_card_counts_and_how_many_are_enough_can_be_set(most: int) -> None:
    chat = thread(UNDERSTANDING)
    for _ in range(most):
        chat.state = on_reply(chat.state, "Please choose.", (), "9", Asking(by_card=True, most=most)).state
        assert chat.phase is UNDERSTANDING

    assert on_reply(chat.state, "Please choose.", (), "9", Asking(by_card=True, most=most)).state.phase is PLANNING


@pytest.mark.req("AG-16")
def test_a_turn_that_ends_in_a_question_has_not_answered() -> None:
    chat = thread(UNDERSTANDING, GoalType.QUESTION_ANSWER)

    assert chat.hears("Do you mean in Haskell?") is UNDERSTANDING
    by_card = on_reply(chat.state, "It depends on the language.", (), "9", Asking(by_card=True))
    assert by_card.state.phase is UNDERSTANDING
    assert chat.hears("A monad is a monoid in the category of endofunctors.") is REVIEWING


def test_a_plan_may_still_come_before_all_is_known() -> None:
    assert thread(UNDERSTANDING).hears("First a list.", PlanProposed()) is UNDERSTANDING
