"""What the words of a reply show of the work."""

import pytest

from app.core.goals.intent import asks_for, find_artefacts, gives_answer, says_done, starts_work


@pytest.mark.req("S1-061")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<artifact type='react'>const a = 1</artifact>", ("react",)),
        ('Here:\n<artifact type="react" title="Todo app">```jsx```</artifact>', ("react",)),
        ('<artifact title="Todo app">', ("Todo app",)),
        ("<artifact>x</artifact> <ARTIFACT identifier='b'>", ("artifact", "artifact")),
        ("write `<artifact type='react'>` yourself", ()),
        ("```\n<artifact>\n```", ()),
        ("an artifact, <artifacts>", ()),
    ],
)
def test_an_artifact_is_announced_by_its_element_outside_of_code(text: str, names: tuple[str, ...]):
    assert find_artefacts(text) == names


@pytest.mark.req("S1-043")
@pytest.mark.parametrize(
    "text",
    [
        "I'll create a React todo app component",
        "Great! I will now go ahead and build it.",
        "Thanks. I’m working on it.",
        "Let me start",
        "Starting now.",
    ],
)
def test_ill_create_starts_the_work(text: str):
    assert starts_work(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'll create a plan first",
        "I'll start by asking a few questions",
        "I'll create it once you approve",
        "If you agree, I'll build it",
        "I'll create a React component. Shall I?",
        "Let me know",
        "I'll make sure of it",
        "I won't create anything",
        "You said: I'll create",
        "> I'll create it",
        "Do you want me to create it?",
    ],
)
def test_a_plan_a_condition_or_a_question_starts_nothing(text: str):
    assert not starts_work(text)


@pytest.mark.req("S1-046")
@pytest.mark.parametrize(
    "text",
    [
        "Done!",
        "It's done.",
        "I moved it all.\nAll done.",
        "The work is complete",
        "Here it is: a list",
        "I've built the form.",
    ],
)
def test_done_is_a_sentence_of_its_own(text: str):
    assert says_done(text)


@pytest.mark.req("S1-046")
@pytest.mark.parametrize(
    "text",
    [
        "Done?",
        "Is it done?",
        "Not done yet.",
        "Almost done.",
        "Once it is done, I'll tell you.",
        "I've created a plan.",
        "I've finished half of it?",
        "abandoned",
        "`done`",
    ],
)
def test_not_done_is_not_done(text: str):
    assert not says_done(text)


@pytest.mark.parametrize(
    ("text", "answers"), [("It is a monoid.", True), ("Which one do you mean?", False), (" ", False)]
)
def test_an_answer_says_something_and_does_not_end_in_a_question(text: str, answers: bool):
    assert gives_answer(text) is answers


@pytest.mark.req("S1-027")
def test_a_question_that_names_the_information_asks_for_it():
    assert asks_for("Nice. Which component type shall it be?", "component_type")
    assert asks_for("Do you have requirements?", "requirements")
    assert not asks_for("What features do you need?", "requirements")
    assert not asks_for("The requirements are clear. Shall I?", "requirements")
