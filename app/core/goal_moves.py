"""Effects of messages, replies, model calls and silence on the goal of a free thread.

The model's calls come first, the rules on words second; the table decides what is possible. Each function returns the
new state and the changes of phase. It knows no clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from app.core.errors import IllegalEvent
from app.core.goal import REQUIRED, Call, Goal, GoalState, InfoCall, Moved, PhaseCall
from app.core.goal_calls import called, finished
from app.core.goal_phase import WORKING, GoalOn, InfoOn
from app.core.goal_reply import artefacts, asks_for, gives_answer, says_done, starts_work
from app.core.goal_steps import again, informed, move, next_id, settled
from app.core.goal_wishes import stated, told
from app.core.goal_words import Heard, Saying, heard, points_back
from app.core.states import GoalPhase

MAX_UNDERSTANDING_EXCHANGES = 3
"""With more replies than this in understanding, a plan is made on assumptions."""

_MEANINGS: Final[Mapping[Saying | None, GoalOn]] = MappingProxyType(
    {
        None: GoalOn.PERSON_SPOKE,
        Saying.DROPPED: GoalOn.DROPPED,
        Saying.LEFT: GoalOn.LEFT,
        Saying.PLEASED: GoalOn.SATISFIED,
        Saying.FINISHED: GoalOn.SATISFIED,
        Saying.APPROVED: GoalOn.APPROVED,
        Saying.AGREED: GoalOn.AGREED,
        Saying.ASSENTED: GoalOn.PERSON_SPOKE,
        Saying.CHANGES: GoalOn.CHANGES_WANTED,
    }
)
_MEANINGS_OF_A_PLAN: Final[Mapping[Saying | None, GoalOn]] = MappingProxyType(
    {**_MEANINGS, Saying.PLEASED: GoalOn.AGREED, Saying.ASSENTED: GoalOn.APPROVED}
)
"""While there is a plan, "perfect" agrees to it and a bare yes approves it."""

_CONFIRMS_LEAVING: Final = frozenset(
    {Saying.ASSENTED, Saying.AGREED, Saying.APPROVED, Saying.LEFT, Saying.DROPPED, Saying.PLEASED}
)
_LEAVES_ALONE: Final = frozenset({Saying.DROPPED, Saying.LEFT, Saying.PLEASED, Saying.FINISHED})
"""Words that do not resume a goal that ended by silence."""


def on_person(state: GoalState, text: str, at: str, *, running: bool = False) -> Moved:
    """Apply a message of the owner, before the reply.

    While a turn is live (`running`), "never mind" and "bye" end the turn alone; the goal stays.
    """
    said = heard(text)
    moved = Moved(state=replace(state, turns=state.turns + 1, leaving=False, lapsed=False, resumed=False))
    if running and said.saying in (Saying.DROPPED, Saying.LEFT):
        return moved
    if state.leaving and said.saying in _CONFIRMS_LEAVING:
        return move(moved, GoalOn.DROPPED, at)
    if state.phase in WORKING:
        return _at_work(moved, said, text, at)
    return _at_rest(moved, said, text, at, lapsed=state.lapsed)


def on_assistant(state: GoalState, text: str, calls: tuple[Call, ...], at: str) -> Moved:
    """Apply a reply: its calls in order, else its words.

    A call that is no longer possible is skipped and named in `refused`; the model was told when it made the call.
    """
    asked = state.exchanges + (state.phase is GoalPhase.UNDERSTANDING)
    moved = Moved(state=replace(state, turns=state.turns + 1, exchanges=asked))
    for call in calls:
        try:
            moved = called(moved, call, at)
        except IllegalEvent:
            moved = replace(moved, refused=(*moved.refused, type(call).__name__))
    if not any(isinstance(call, InfoCall) for call in calls):
        moved = _having_asked(moved, text)
    if not any(isinstance(call, PhaseCall) for call in calls):
        moved = _having_worked(moved, text, at)
    if moved.state.phase is GoalPhase.UNDERSTANDING and moved.state.exchanges > MAX_UNDERSTANDING_EXCHANGES:
        moved = move(moved, GoalOn.ASKED_ENOUGH, at)
    moved = move(moved, GoalOn.ASSISTANT_SPOKE, at)
    return replace(moved, state=replace(moved.state, guessed=False))


def apply_call(state: GoalState, call: Call, at: str) -> Moved:
    """Return the effect of one call, to tell the model at once. Raises `IllegalEvent` with words for it.

    `on_assistant` applies the same call when the turn's end is saved.
    """
    return called(Moved(state=state), call, at)


def on_idle(state: GoalState, at: str, *, busy: bool = False) -> Moved:
    """Apply silence: no change while a turn, a schedule or an open question explains it."""
    return move(Moved(state=state), GoalOn.IDLED_BUSY if busy else GoalOn.IDLED, at)


def is_idle(last_person_message_at: float, now: float, minutes: int) -> bool:
    """Return True if the person has been silent for that long or longer; both times in seconds."""
    return now - last_person_message_at >= minutes * 60


def _at_work(moved: Moved, said: Heard, text: str, at: str) -> Moved:
    before = moved.state.phase
    meanings = _MEANINGS_OF_A_PLAN if before is GoalPhase.PLANNING else _MEANINGS
    event = meanings[said.saying]
    if event is GoalOn.LEFT and before is GoalPhase.EXECUTING:
        return replace(moved, state=replace(moved.state, leaving=True))
    after = move(moved, event, at)
    if after.state.goal is None:
        return _having_ended(after, said.rest, at)
    if before is GoalPhase.UNDERSTANDING:
        return settled(_having_told(after, text), at)
    # Changes lead back to understanding with all information kept. Its completeness is judged after the changes are
    # known.
    return _having_told(after, text) if after.state.phase is GoalPhase.UNDERSTANDING else after


def _at_rest(moved: Moved, said: Heard, text: str, at: str, *, lapsed: bool) -> Moved:
    state = moved.state
    if said.saying is Saying.DROPPED:
        return _having_ended(move(moved, GoalOn.DROPPED, at), said.rest, at)
    if (
        said.saying is Saying.CHANGES
        and state.phase is not GoalPhase.GREETING
        and state.completed
        and points_back(text)
    ):
        return _having_told(move(moved, GoalOn.RESULT_REOPENED, at, again(state, at)), text)
    wishing = _having_wished(moved, text, at)
    if wishing is not None:
        return wishing
    if lapsed and said.saying not in _LEAVES_ALONE:
        back = move(moved, GoalOn.GOAL_RESUMED, at, again(state, at))
        back = replace(back, state=replace(back.state, resumed=True))
        return settled(_having_told(back, text), at)
    return move(moved, _MEANINGS[said.saying], at)


def _having_ended(moved: Moved, rest: str, at: str) -> Moved:
    """Apply the rest of "Perfect, now build …" or "Perfect, bye" after the first part has ended a goal."""
    if heard(rest).saying is Saying.LEFT:
        return move(moved, GoalOn.LEFT, at)
    return _having_wished(moved, rest, at) or moved


def _having_wished(moved: Moved, text: str, at: str) -> Moved | None:
    """Set a goal that a rule recognizes, which the model may correct in its next reply; None if there is none."""
    wish = stated(text)
    if wish is None:
        return None
    goal = Goal(
        id=next_id(moved.state),
        type=wish.type,
        description=wish.description,
        info=REQUIRED[wish.type],
        created_at=at,
    )
    after = settled(_having_told(move(moved, GoalOn.GOAL_STATED, at, goal), text), at)
    return replace(after, state=replace(after.state, guessed=True))


def _having_told(moved: Moved, text: str) -> Moved:
    goal = moved.state.goal
    assert goal is not None, "asked only where a goal is pursued"
    for name, value in told(goal, text).items():
        moved = informed(moved, InfoOn.PROVIDED, name, value)
    return moved


def _having_asked(moved: Moved, text: str) -> Moved:
    goal = moved.state.goal
    for info in goal.missing if goal else ():
        if asks_for(text, info.name):
            moved = informed(moved, InfoOn.ASKED, info.name)
    return moved


def _having_worked(moved: Moved, text: str, at: str) -> Moved:
    """Apply a reply without calls: it starts work, finishes it, or answers."""
    goal = moved.state.goal
    if goal is None:
        return moved
    shown = artefacts(text)
    answers = goal.is_answered and gives_answer(text)
    if moved.state.phase is GoalPhase.PLANNING and (shown or answers or starts_work(text)):
        moved = move(moved, GoalOn.WORK_STARTED, at)
    at_it = moved.state.phase is GoalPhase.EXECUTING
    if at_it and (shown or answers or says_done(text)):
        return finished(moved, shown, at)
    if moved.state.phase is GoalPhase.UNDERSTANDING and goal.is_answered and (shown or answers):
        return finished(moved, shown, at)
    return moved
