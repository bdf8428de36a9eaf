"""Which goal somebody states, and what they tell of it."""

import pytest

from app.core.goals.intent import StatedGoal, find_details, find_goal
from app.core.state.goal import REQUIRED, Goal, GoalType, InfoStatus, RequiredInfo

ARTIFACT, QUESTION, TASK, EXPLORATION = (
    GoalType.ARTIFACT_CREATION,
    GoalType.QUESTION_ANSWER,
    GoalType.TASK_EXECUTION,
    GoalType.EXPLORATION,
)
SMALL_TALK = [
    "Hello",
    "Thanks",
    "Yes",
    "Ok",
    "Looks good",
    "",
    "How are you?",
    "What's up?",
    "that makes sense",
    "make sure it works",
    "Makes sense.",
    "I don't want to build anything",
    "don't fix it",
    "When I was young I made apps",
    "Update: all is fine",
    "Change of plans, see you",
    "Make it blue",
    "> build an app",
    "I think we should talk about what to build",
]


def goal(type_: GoalType, **values: str) -> Goal:
    """One that already knows these values."""
    info = tuple(
        RequiredInfo(name=each.name, label=each.label, status=InfoStatus.PROVIDED, value=values[each.name])
        if each.name in values
        else each
        for each in REQUIRED[type_]
    )
    return Goal(id="G1", type=type_, description="Something", info=info)


def kind(text: str) -> GoalType | None:
    wish = find_goal(text)
    return wish.type if wish else None


@pytest.mark.req("S1-018")
@pytest.mark.parametrize(
    "text",
    [
        "I want to build a todo app",
        "create a report",
        "Hi Claude, could you make me a website?",
        "we'd like to design a form",
        "I need a React component with validation",
        "My name is Ann. I want to build a todo app. What do you need?",
    ],
)
def test_build_create_and_make_want_an_artifact(text: str):
    assert kind(text) is ARTIFACT


@pytest.mark.req("S1-020")
@pytest.mark.parametrize(
    "text",
    [
        "What is a monad",
        "How do I center a div?",
        "Why does it fail?",
        "When was Rome founded",
        "Where do I find it?",
        "who's in charge",
        "Which colour works?",
        "can you explain closures",
        "tell me about Rome",
        "what makes a good report?",
    ],
)
def test_a_question_wants_an_answer(text: str):
    assert kind(text) is QUESTION


@pytest.mark.req("S1-021")
@pytest.mark.parametrize(
    "text",
    [
        "Fix the login page",
        "I need to update the docs",
        "can you modify this",
        "please change the title",
        "optimise it",
    ],
)
def test_fix_update_and_change_want_a_task_done(text: str):
    assert kind(text) is TASK


@pytest.mark.req("S1-023")
@pytest.mark.parametrize(
    "text", ["Help me build an app", "Show me the way", "I'm trying to learn Rust", "I want to learn"]
)
def test_help_me_show_me_and_im_trying_want_to_explore(text: str):
    assert kind(text) is (EXPLORATION if text != "I want to learn" else None)


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_states_no_goal(text: str):
    assert find_goal(text) is None


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("I want to build a todo app.", "Build a todo app"),
        ("Could you create a report?", "Create a report"),
        ("ok, what is a monad?", "What is a monad?"),
        ("I'd like an app", "An app"),
    ],
)
def test_a_goal_is_described_by_what_is_wanted(text: str, description: str):
    wish = find_goal(text)

    assert wish == StatedGoal(wish.type if wish else ARTIFACT, description)


@pytest.mark.req("S1-025")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I want to build a todo app", {}),
        ("I need a React component with validation", {"component_type": "React", "requirements": "validation"}),
        (
            "Add, delete, mark complete with React components",
            {"component_type": "React", "requirements": "CRUD"},
        ),
        ("Full CRUD, with search", {"requirements": "CRUD, search"}),
        ("in vue please, with login", {"component_type": "Vue", "requirements": "authentication"}),
        ("create a short report", {"component_type": "Report"}),
        ("I want to build a todo app with a form", {}),
        ("how do people react to add-ons?", {}),
        (
            "The component type is a widget. Requirements: must be fast",
            {"component_type": "A widget", "requirements": "Must be fast"},
        ),
        ("The requirements are not clear", {}),
    ],
)
def test_what_is_told_of_an_artifact_is_found(text: str, found: dict[str, str]):
    assert find_details(goal(ARTIFACT), text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Change the title to Welcome", {"target": "The title", "desired_change": "Welcome"}),
        ("I want to fix the login page", {"target": "The login page"}),
        ("fix it", {}),
        ("The page should redirect home", {"desired_change": "Redirect home"}),
        ("the target is the footer", {"target": "The footer"}),
    ],
)
def test_what_is_told_of_a_task_is_found(text: str, found: dict[str, str]):
    assert find_details(goal(TASK), text) == found


def test_a_pattern_replaces_nothing_that_is_known_but_a_correction_does():
    known = goal(ARTIFACT, component_type="React", requirements="CRUD")

    assert find_details(known, "with validation, in Vue") == {}
    assert find_details(known, "No: the requirements are validation and search") == {
        "requirements": "Validation and search"
    }


def test_what_the_model_wants_to_know_is_found_by_its_name():
    trip = Goal(id="G1", type=ARTIFACT, description="A trip", info=(RequiredInfo(name="max_budget", label="Budget"),))

    assert find_details(trip, "Our max budget is 500 euros") == {"max_budget": "500 euros"}
