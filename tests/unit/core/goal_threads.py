"""A free thread that goes after its goals, as the tests write it: who says what, and where that leads."""

from __future__ import annotations

from app.core.goals import moves
from app.core.state.goal import Call, Goal, GoalPhase, GoalState, GoalType, PhaseChange

WISH = "I want to build a todo app"
ALL_TOLD = "Add, delete, mark complete with React components"


class Thread:
    """Talks until it is where a test begins. `changes` is what the newest words moved."""

    def __init__(self, state: GoalState | None = None) -> None:
        self.state = state or GoalState()
        self.changes: tuple[PhaseChange, ...] = ()
        self.refused: tuple[str, ...] = ()
        self._time = 0

    @property
    def phase(self) -> GoalPhase:
        return self.state.phase

    @property
    def path(self) -> list[GoalPhase]:
        """The phases that the newest words led to, in order."""
        return [change.after for change in self.changes]

    @property
    def goal(self) -> Goal:
        assert self.state.goal, "no goal is pursued"
        return self.state.goal

    def known(self) -> dict[str, str]:
        return {info.name: info.value for info in self.goal.info if info.value}

    def _at(self) -> str:
        self._time += 1
        return str(self._time)

    def says(self, text: str, *, running: bool = False) -> GoalPhase:
        moved = moves.on_message(self.state, text, self._at(), running=running)
        self.state, self.changes = moved.state, moved.changes
        return self.phase

    def hears(self, text: str = "I see.", *calls: Call) -> GoalPhase:
        moved = moves.on_reply(self.state, text, calls, self._at())
        self.state, self.changes, self.refused = moved.state, moved.changes, moved.refused
        return self.phase

    def is_silent(self, *, busy: bool = False) -> GoalPhase:
        moved = moves.on_idle(self.state, self._at(), busy=busy)
        self.state, self.changes = moved.state, moved.changes
        return self.phase


def thread(phase: GoalPhase, type_: GoalType = GoalType.ARTIFACT_CREATION) -> Thread:
    """One that has come to this phase by talk alone, with a goal of this type where there is one."""
    wish = {
        GoalType.ARTIFACT_CREATION: WISH,
        GoalType.QUESTION_ANSWER: "What is a monad?",
        GoalType.TASK_EXECUTION: "Fix the login page",
        GoalType.EXPLORATION: "Show me the way",
    }[type_]
    made = Thread()
    if phase is GoalPhase.IDLE:
        made.says("bye")
    for text, reached in (
        (wish, GoalPhase.UNDERSTANDING),
        ("sounds good", GoalPhase.PLANNING),
        ("go ahead", GoalPhase.EXECUTING),
    ):
        if made.phase is phase:
            return made
        assert made.says(text) is reached
    if made.phase is not phase:
        made.hears("<artifact title='First'>")
    if made.phase is not phase:
        made.says("Perfect!")
    assert made.phase is phase
    return made
