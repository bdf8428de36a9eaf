"""What the words of a reply show of the work; which goal somebody states, and that it is taken for no more."""

import pytest

from app.core.goals.intent import (
    StatedGoal,
    asks_for,
    find_artefacts,
    find_details,
    find_goal,
    gives_answer,
    says_done,
    starts_work,
)
from app.core.goals.moves import apply_call
from app.core.state.goal import REQUIRED, Goal, GoalNamed, GoalPhase, GoalState, GoalType, InfoStatus, RequiredInfo
from tests.unit.core.goal_threads import Thread


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


REMINDERS = [
    "Remind me every Monday to update the sheet",
    "Please create a weekly reminder for the report",
    "Can you make me a reminder to change the filter?",
    "I want you to write me a reminder",
    "Update me every Friday on the budget",
    "write to us tomorrow about the page",
]
REMARKS = [
    "Design is important to us",
    "The update went out on Friday",
    "Change is hard.",
    "Update from the meeting: the script is late",
    "Build failed again",
    "Draft two was better",
]
WORK = [
    ("Fix what is broken", GoalType.TASK_EXECUTION),
    ("Change the date from Monday to Friday", GoalType.TASK_EXECUTION),
    ("Change from weekly to monthly billing", GoalType.TASK_EXECUTION),
    ("Fix failed tests", GoalType.TASK_EXECUTION),
    ("Update the docs that are out of date", GoalType.TASK_EXECUTION),
    ("Draft my will", GoalType.ARTIFACT_CREATION),
    ("Write a reminder e-mail to the team", GoalType.ARTIFACT_CREATION),
    ("Create a page that has a search", GoalType.ARTIFACT_CREATION),
    ("What is a weekly reminder?", GoalType.QUESTION_ANSWER),
]


@pytest.mark.req("FA-29")
@pytest.mark.parametrize("text", [*REMINDERS, *REMARKS])
def test_a_reminder_or_a_remark_states_no_goal_and_asks_for_nothing(text: str) -> None:
    chat = Thread()

    assert chat.says(text) is GoalPhase.GREETING
    assert chat.state.goal is None


@pytest.mark.parametrize(("text", "type_"), WORK)
def test_work_is_still_recognised_beside_words_of_reminders_and_remarks(text: str, type_: GoalType) -> None:
    wish = find_goal(text)
    assert wish
    assert wish.type is type_


def name(state: GoalState, type_: GoalType, info: tuple[tuple[str, str], ...] | None) -> tuple[GoalPhase, Goal]:
    after = apply_call(state, GoalNamed(type=type_, description="Remind them", info=info), "now").state
    assert after.goal
    return after.phase, after.goal


@pytest.mark.req("FA-29")
@pytest.mark.parametrize("info", [None, ()])
@pytest.mark.parametrize("type_", list(GoalType))
def test_a_goal_that_the_model_names_requires_nothing_that_the_words_did_not_call_for(
    type_: GoalType, info: tuple[tuple[str, str], ...] | None
) -> None:
    chat = Thread()
    chat.says("Remind me every Monday to update the sheet")

    phase, goal = name(chat.state, type_, info)

    assert goal.info == ()
    assert phase is (GoalPhase.UNDERSTANDING if goal.is_answered else GoalPhase.PLANNING)


@pytest.mark.req("S1-022", "FA-29")
def test_the_model_keeps_drops_or_replaces_what_the_persons_words_call_for() -> None:
    chat = Thread()
    chat.says("I want to fix the login page")

    kept = name(chat.state, GoalType.TASK_EXECUTION, None)[1].info
    assert [(each.name, each.value) for each in kept] == [("target", "The login page"), ("desired_change", "")]
    assert {each.name for each in kept} == {each.name for each in REQUIRED[GoalType.TASK_EXECUTION]}
    phase, bare = name(chat.state, GoalType.TASK_EXECUTION, ())
    assert (phase, bare.info) == (GoalPhase.PLANNING, ())
    assert name(chat.state, GoalType.ARTIFACT_CREATION, None)[1].info == ()
    other = name(chat.state, GoalType.TASK_EXECUTION, (("browser", "Which browser"),))[1].info
    assert [each.name for each in other] == ["browser"]
