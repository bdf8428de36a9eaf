"""Arbitrary histories of a free thread: whatever is said, called or left unsaid, its goal and its phase agree."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.core.goals.moves import on_idle, on_message, on_reply
from app.core.state.goal import (
    MILESTONES,
    WORKING,
    Call,
    ChangesWanted,
    GoalChange,
    GoalDropped,
    GoalNamed,
    GoalPhase,
    GoalState,
    GoalStatus,
    GoalType,
    InfoAsked,
    InfoRecorded,
    PhaseChange,
    PlanProposed,
    Satisfied,
    WorkFinished,
    WorkStarted,
)

WORDS = st.sampled_from(
    [
        "I want to build a todo app",
        "What is a monad?",
        "Fix the login page",
        "Show me the way",
        "Add, delete, mark complete with React components",
        "sounds good",
        "go ahead",
        "yes",
        "Perfect! Now build a calculator",
        "Perfect, bye",
        "thanks",
        "good morning",
        "Thanks, bye",
        "make it blue",
        "never mind",
        "bye",
        "hm",
    ]
)
REPLIES = st.sampled_from(
    [
        "What are the requirements?",
        "I'll build it.",
        "All done.",
        "<artifact type='react'>",
        "I'll build it. All done.",
        "Hm",
    ]
)
CALLS: st.SearchStrategy[Call] = st.one_of(
    st.builds(GoalNamed, type=st.sampled_from(GoalType), description=st.just("do it")),
    st.sampled_from(
        [
            InfoRecorded(name="requirements", value="lists"),
            InfoRecorded(name="component_type", value="React"),
            InfoRecorded(name="target", value="footer"),
            InfoAsked(name="component_type"),
            PlanProposed(),
            WorkStarted(),
            WorkFinished(artefacts=("it",)),
            GoalDropped(),
            Satisfied(),
            ChangesWanted(),
        ]
    ),
)
NEVER = {
    *((before, after) for before in (GoalPhase.GREETING, GoalPhase.IDLE) for after in list(GoalPhase)[2:6]),
    (GoalPhase.COMPLETED, GoalPhase.EXECUTING),
    (GoalPhase.REVIEWING, GoalPhase.PLANNING),
}


class History(RuleBasedStateMachine):
    """A thread that lives, and what must hold after everything that happens to it."""

    def __init__(self) -> None:
        super().__init__()
        self.state = GoalState()
        self.before = self.state
        self.changes: tuple[PhaseChange, ...] = ()
        self.spoken = 0
        self.time = 0

    def _took(self, moved: GoalChange, messages: int) -> None:
        self.before, self.state, self.changes = self.state, moved.state, moved.changes
        self.spoken += messages

    def _at(self) -> str:
        self.time += 1
        return str(self.time)

    @rule(text=WORDS, running=st.booleans())
    def person_says(self, text: str, running: bool) -> None:
        self._took(on_message(self.state, text, self._at(), running=running), 1)

    @rule(text=REPLIES, calls=st.lists(CALLS, max_size=3))
    def assistant_says(self, text: str, calls: list[Call]) -> None:
        self._took(on_reply(self.state, text, tuple(calls), self._at()), 1)

    @rule(busy=st.booleans())
    def nobody_says_anything(self, busy: bool) -> None:
        self._took(on_idle(self.state, self._at(), busy=busy), 0)

    @invariant()
    def a_goal_is_pursued_exactly_in_the_working_phases(self) -> None:
        assert (self.state.goal is not None) is (self.state.phase in WORKING)
        assert self.state.goal is None or self.state.goal.status is GoalStatus.ACTIVE

    @invariant()
    def goals_that_ended_stay_as_they_are_in_their_order(self) -> None:
        kept, more = self.before.completed, self.state.completed
        assert more[: len(kept)] == kept
        assert all(each.status is not GoalStatus.ACTIVE and each.completed_at for each in more)
        ids = [each.id for each in (*more, *([self.state.goal] if self.state.goal else []))]
        assert ids == [f"G{number}" for number in range(1, len(ids) + 1)]

    @invariant()
    def nothing_is_left_that_was_delivered(self) -> None:
        assert all(each.status is GoalStatus.COMPLETED for each in self.state.completed if each.delivered)
        assert self.state.goal is None or not self.state.goal.delivered

    @invariant()
    def turns_count_every_message(self) -> None:
        assert self.state.turns == self.spoken

    @invariant()
    def the_hops_are_one_path_that_never_leads_where_it_must_not(self) -> None:
        path = [self.before.phase, *(change.after for change in self.changes)]
        assert [change.before for change in self.changes] == path[:-1]
        assert path[-1] is self.state.phase
        assert not {(change.before, change.after) for change in self.changes} & NEVER
        assert all(
            change.milestone is (change.after in MILESTONES and change.after is not change.before)
            for change in self.changes
        )

    @invariant()
    def what_is_only_for_a_time_ends_with_it(self) -> None:
        assert not self.state.lapsed or self.state.phase in (GoalPhase.IDLE, GoalPhase.GREETING)
        assert not self.state.assuming or self.state.phase is GoalPhase.PLANNING
        assert not self.state.leaving or self.state.phase is GoalPhase.EXECUTING
        assert not self.state.guessed or self.state.goal is not None


TestHistory = History.TestCase
TestHistory.settings = settings(stateful_step_count=20)
