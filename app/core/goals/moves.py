"""Moves of a free thread's goal: what a message, a reply, a call of the model or silence makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Final, assert_never

from app.core.errors import IllegalEvent
from app.core.goals.intent import (
    asks_for,
    find_artefacts,
    find_details,
    find_goal,
    gives_answer,
    names_result,
    says_done,
    starts_work,
)
from app.core.goals.speech import LONGEST_LINE, Intent, MessageIntent, format_line, points_back, read_intent
from app.core.state.goal import (
    ENDS,
    GOAL_STATUS,
    INFO_STATUS,
    MILESTONES,
    PASSED,
    REASONS,
    REQUIRED,
    TABLE,
    WORKING,
    Call,
    ChangesWanted,
    Goal,
    GoalChange,
    GoalDropped,
    GoalEvent,
    GoalNamed,
    GoalPhase,
    GoalState,
    GoalStatus,
    GoalType,
    InfoAsked,
    InfoCall,
    InfoEvent,
    InfoRecorded,
    InfoStatus,
    PhaseCall,
    PhaseChange,
    PlanProposed,
    RequiredInfo,
    Satisfied,
    WorkFinished,
    WorkStarted,
)
from app.core.state.table import find_next_state, find_refusal
from app.core.text.question_marks import asks


def move(moved: GoalChange, event: GoalEvent, at: str, new: Goal | None = None) -> GoalChange:
    """Apply one event; `new` is the goal that it brings. Raises `IllegalEvent` if the table refuses it."""
    state = moved.state
    after = find_next_state(TABLE, state.phase, event)
    if after is None or (after is state.phase and new is None):
        return moved
    ended = (_end_goal(state.goal, event, at),) if state.goal and event in ENDS else ()
    entered = replace(
        state,
        phase=after,
        goal=new or (None if ended else state.goal),
        completed=(*state.completed, *ended),
        exchanges=0 if after is GoalPhase.UNDERSTANDING else state.exchanges,
        guessed=False,
        leaving=False,
        assuming=event is GoalEvent.ASKED_ENOUGH,
        lapsed=event is GoalEvent.IDLED and (bool(ended) or state.lapsed),
    )
    return replace(moved, state=entered, changes=(*moved.changes, *_list_hops(state.phase, after, event)))


def revive_goal(state: GoalState, at: str) -> Goal:
    """Return the goal that ended last as a new one, with all its information."""
    ended = state.completed[-1]
    id_ = build_goal_id(state)
    return replace(ended, id=id_, status=GoalStatus.ACTIVE, created_at=at, completed_at="", delivered=False)


def build_goal_id(state: GoalState) -> str:
    """Return the id of the next goal of the thread."""
    return f"G{len(state.completed) + (state.goal is not None) + 1}"


def record_info(moved: GoalChange, event: InfoEvent, name: str, value: str = "") -> GoalChange:
    """Record that information was asked for or provided.

    Raises `IllegalEvent`, with words for the model, if unknown.
    """
    goal = moved.state.goal
    if goal is None or all(info.name != name for info in goal.info):
        needed = ", ".join(info.name for info in goal.info) if goal else ""
        raise IllegalEvent("ILLEGAL", f"Nothing of that name is needed. Needed: {needed or 'nothing'}.")
    info = tuple(
        replace(each, status=status, value=value or each.value)
        if each.name == name and (status := find_next_state(INFO_STATUS, each.status, event))
        else each
        for each in goal.info
    )
    return replace(moved, state=replace(moved.state, goal=replace(goal, info=info)))


def plan_if_informed(moved: GoalChange, at: str) -> GoalChange:
    """Start planning if all required information is known. A question that requires none waits for its answer."""
    goal = moved.state.goal
    is_planned = goal and (goal.info or not goal.is_answered)
    if moved.state.phase is GoalPhase.UNDERSTANDING and goal and is_planned and not goal.missing:
        return move(moved, GoalEvent.INFO_COMPLETE, at)
    return moved


def _end_goal(goal: Goal, event: GoalEvent, at: str) -> Goal:
    status = find_next_state(GOAL_STATUS, goal.status, ENDS[event])
    assert status is not None, "a goal ends or is refused to"
    return replace(goal, status=status, completed_at=at, delivered=event is GoalEvent.DELIVERED)


def _list_hops(before: GoalPhase, after: GoalPhase, event: GoalEvent) -> tuple[PhaseChange, ...]:
    passed = PASSED.get((before, after))
    path = (before, passed, after) if passed else (before, after)
    return tuple(
        PhaseChange(before=one, after=next_, reason=REASONS[event], milestone=next_ in MILESTONES and next_ is not one)
        for one, next_ in pairwise(path)
    )


NO_GOAL = "There is no goal now. Name the goal first."
ADVICE: Final[Mapping[GoalPhase, str]] = MappingProxyType(
    {
        GoalPhase.GREETING: NO_GOAL,
        GoalPhase.UNDERSTANDING: "Something is still needed. Note with record_information what the owner has said of "
        "it, or that it is not needed, and go on then.",
        GoalPhase.PLANNING: "Start the work before you finish it.",
        GoalPhase.EXECUTING: "The work is under way.",
        GoalPhase.REVIEWING: "The result is under review. Say first that the person wants changes.",
        GoalPhase.COMPLETED: NO_GOAL,
        GoalPhase.IDLE: NO_GOAL,
    }
)
"""Advice to the model if a call is impossible in a phase."""


def carry_out(moved: GoalChange, call: Call, at: str) -> GoalChange:
    """Apply one call after earlier changes. Raises `IllegalEvent`, with words for the model."""
    match call:
        case GoalNamed():
            return plan_if_informed(_name_goal(moved, call, at), at)
        case InfoRecorded(name=name, value=value):
            return plan_if_informed(record_info(moved, InfoEvent.PROVIDED, name, format_line(value)), at)
        case InfoAsked(name=name):
            return record_info(moved, InfoEvent.ASKED, name)
        case WorkFinished(artefacts=artefacts):
            return finish_work(moved, artefacts, at)
        case WorkStarted():
            begun = _pass_plan(moved, at)
            return _move_by_call(begun, _read_event(begun.state, call), at)
        case _:
            return _move_by_call(moved, _read_event(moved.state, call), at)


def finish_work(moved: GoalChange, artefacts: tuple[str, ...], at: str) -> GoalChange:
    """Finish the work, whose result is shown. Plan and work may come with it. Raises `IllegalEvent` without a goal."""
    moved = _pass_plan(moved, at)
    if moved.state.phase is GoalPhase.PLANNING:
        moved = move(moved, GoalEvent.WORK_STARTED, at)
    goal = moved.state.goal
    after = _move_by_call(moved, GoalEvent.ANSWER_GIVEN if goal and goal.is_answered else GoalEvent.WORK_FINISHED, at)
    assert goal is not None, "T5 refuses it without a goal"
    shown = replace(goal, artefacts=(*goal.artefacts, *(name[:LONGEST_LINE] for name in artefacts)))
    return replace(after, state=replace(after.state, goal=shown))


def _pass_plan(moved: GoalChange, at: str) -> GoalChange:
    """Plan a goal that is made at once: if nobody was asked anything, it needs only what is known."""
    state, goal = moved.state, moved.state.goal
    if state.phase is not GoalPhase.UNDERSTANDING or goal is None or goal.is_answered:
        return moved
    if state.exchanges and goal.missing:
        return moved
    known = tuple(info for info in goal.info if info.status is InfoStatus.PROVIDED)
    return plan_if_informed(replace(moved, state=replace(state, goal=replace(goal, info=known))), at)


def _move_by_call(moved: GoalChange, event: GoalEvent, at: str) -> GoalChange:
    phase = moved.state.phase
    code = find_refusal(TABLE, phase, event)
    if code:
        raise IllegalEvent(code, ADVICE[phase])
    return move(moved, event, at, revive_goal(moved.state, at) if event is GoalEvent.RESULT_REOPENED else None)


def _read_event(
    state: GoalState, call: PlanProposed | WorkStarted | GoalDropped | Satisfied | ChangesWanted
) -> GoalEvent:
    """Return the event that the call stands for in this state."""
    match call:
        case PlanProposed():
            return GoalEvent.PLANNED_EARLY if state.goal and state.goal.missing else GoalEvent.PLANNED
        case WorkStarted():
            return GoalEvent.ANSWER_STARTED if state.goal and state.goal.is_answered else GoalEvent.WORK_STARTED
        case GoalDropped():
            return GoalEvent.DROPPED
        case Satisfied():
            return GoalEvent.AGREED if state.phase is GoalPhase.PLANNING else GoalEvent.SATISFIED
        case ChangesWanted():
            at_rest = state.phase not in WORKING
            return GoalEvent.RESULT_REOPENED if at_rest and state.completed else GoalEvent.CHANGES_WANTED
        case _:
            assert_never(call)


def _name_goal(moved: GoalChange, call: GoalNamed, at: str) -> GoalChange:
    """Set a goal that the model named, in place of one just recognized by rule, or as a new one."""
    state = moved.state
    guess = state.goal if state.guessed else None
    required = (
        tuple(RequiredInfo(name=name, label=format_line(label)) for name, label in call.info)
        if call.info is not None
        else _require_as_stated(guess, call.type)
    )
    goal = Goal(
        id=build_goal_id(state), type=call.type, description=format_line(call.description), info=required, created_at=at
    )
    if guess is None:
        return move(moved, GoalEvent.GOAL_STATED, at, goal)
    known = {info.name: info for info in guess.info}
    kept = tuple(
        replace(info, status=known[info.name].status, value=known[info.name].value) if info.name in known else info
        for info in required
    )
    # Remove the recognized goal first, so that it is corrected and not abandoned.
    without = replace(moved, state=replace(state, goal=None))
    return move(without, GoalEvent.GOAL_STATED, at, replace(goal, id=guess.id, info=kept))


def _require_as_stated(guess: Goal | None, type_: GoalType) -> tuple[RequiredInfo, ...]:
    """Return what a goal requires if the model names only its type: nothing that the person's words do not call for."""
    return REQUIRED[type_] if guess and guess.type is type_ else ()


MOST_QUESTIONS: Final = 3
"""With more replies than this that ask something in understanding, a plan is made on assumptions."""

_MEANINGS: Final[Mapping[Intent | None, GoalEvent]] = MappingProxyType(
    {
        None: GoalEvent.PERSON_SPOKE,
        Intent.GREETED: GoalEvent.PERSON_SPOKE,
        Intent.DROPPED: GoalEvent.DROPPED,
        Intent.LEFT: GoalEvent.LEFT,
        Intent.PLEASED: GoalEvent.SATISFIED,
        Intent.FINISHED: GoalEvent.SATISFIED,
        Intent.APPROVED: GoalEvent.APPROVED,
        Intent.AGREED: GoalEvent.AGREED,
        Intent.ASSENTED: GoalEvent.PERSON_SPOKE,
        Intent.CHANGES: GoalEvent.CHANGES_WANTED,
    }
)
_MEANINGS_OF_A_PLAN: Final[Mapping[Intent | None, GoalEvent]] = MappingProxyType(
    {**_MEANINGS, Intent.PLEASED: GoalEvent.AGREED, Intent.ASSENTED: GoalEvent.APPROVED}
)
"""While there is a plan, "perfect" agrees to it and a bare yes approves it."""

_CONFIRMS_LEAVING: Final = frozenset(
    {Intent.ASSENTED, Intent.AGREED, Intent.APPROVED, Intent.LEFT, Intent.DROPPED, Intent.PLEASED}
)
_PLEASANTRIES: Final = frozenset({Intent.GREETED, Intent.PLEASED})
"""Words that neither resume a goal that ended by silence nor let it go."""

_LEAVES_ALONE: Final = _PLEASANTRIES | {Intent.DROPPED, Intent.LEFT, Intent.FINISHED}
"""Words that do not resume such a goal."""


def on_message(state: GoalState, text: str, at: str, *, running: bool = False) -> GoalChange:
    """Apply a message of the owner, before the reply.

    While a turn is live (`running`), "bye" leaves the goal alone, as does a "never mind" from before that turn.
    """
    said = read_intent(text)
    moved = GoalChange(state=replace(state, turns=state.turns + 1, leaving=False, lapsed=False, resumed=False))
    if running and said.saying in (Intent.DROPPED, Intent.LEFT):
        return moved
    if state.leaving and said.saying in _CONFIRMS_LEAVING:
        return move(moved, GoalEvent.DROPPED, at)
    if state.phase in WORKING:
        return _on_message_at_work(moved, said, text, at)
    return _on_message_at_rest(moved, said, text, at, lapsed=state.lapsed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is asked about a goal."""

    by_card: bool = False
    """True if the reply asks something on a card."""
    most: int = MOST_QUESTIONS
    """Replies that may ask something before a plan is made on assumptions."""


def on_reply(state: GoalState, text: str, calls: tuple[Call, ...], at: str, asking: Asking = Asking()) -> GoalChange:
    """Apply a reply: its calls in order, else its words.

    A call that is no longer possible is skipped and named in `refused`; the model was told when it made the call.
    """
    moved = GoalChange(state=replace(state, turns=state.turns + 1))
    for call in calls:
        try:
            moved = carry_out(moved, call, at)
        except IllegalEvent:
            moved = replace(moved, refused=(*moved.refused, type(call).__name__))
    if not any(isinstance(call, InfoCall) for call in calls):
        moved = _record_questions(moved, text)
    if not any(isinstance(call, PhaseCall) for call in calls):
        moved = _track_work(moved, text, at, is_asked=asking.by_card)
    if asking.by_card or asks(text) or any(isinstance(call, InfoAsked) for call in calls):
        moved = _count_question(moved, at, asking.most)
    moved = move(moved, GoalEvent.ASSISTANT_SPOKE, at)
    return replace(moved, state=replace(moved.state, guessed=False))


def apply_call(state: GoalState, call: Call, at: str) -> GoalChange:
    """Return the effect of one call, to tell the model at once. Raises `IllegalEvent` with words for it.

    `on_reply` applies the same call when the turn's end is saved.
    """
    return carry_out(GoalChange(state=state), call, at)


def is_possible(state: GoalState, call: Call) -> bool:
    """Return True if the call would not be refused now."""
    try:
        apply_call(state, call, "")
    except IllegalEvent:
        return False
    return True


def on_idle(state: GoalState, at: str, *, busy: bool = False) -> GoalChange:
    """Apply silence: no change while a turn, a schedule or an open question explains it.

    After a result it completes the goal, and before it leaves the goal.
    """
    quiet = GoalEvent.DELIVERED if state.phase is GoalPhase.REVIEWING else GoalEvent.IDLED
    return move(GoalChange(state=state), GoalEvent.IDLED_BUSY if busy else quiet, at)


def is_idle(last_person_message_at: float, now: float, minutes: int) -> bool:
    """Return True if the person has been silent for that long or longer; both times in seconds."""
    return now - last_person_message_at >= minutes * 60


def _on_message_at_work(moved: GoalChange, said: MessageIntent, text: str, at: str) -> GoalChange:
    before = moved.state.phase
    meanings = _MEANINGS_OF_A_PLAN if before is GoalPhase.PLANNING else _MEANINGS
    event = meanings[said.saying]
    if event is GoalEvent.LEFT and before is GoalPhase.REVIEWING and said.pleased:
        return move(move(moved, GoalEvent.SATISFIED, at), event, at)
    if event is GoalEvent.LEFT and before is GoalPhase.EXECUTING:
        return replace(moved, state=replace(moved.state, leaving=True))
    after = move(moved, event, at)
    if after.state.goal is None:
        return _follow_ending(after, said.rest, at)
    if before is GoalPhase.UNDERSTANDING:
        return plan_if_informed(_record_details(after, text), at)
    # Changes lead back to understanding with all information kept. Its completeness is judged after the changes are
    # known.
    return _record_details(after, text) if after.state.phase is GoalPhase.UNDERSTANDING else after


def _on_message_at_rest(moved: GoalChange, said: MessageIntent, text: str, at: str, *, lapsed: bool) -> GoalChange:
    state = moved.state
    if said.saying is Intent.DROPPED:
        return _follow_ending(move(moved, GoalEvent.DROPPED, at), said.rest, at)
    if said.saying is Intent.CHANGES and state.completed and _speaks_of(state.completed[-1], text):
        return _record_details(move(moved, GoalEvent.RESULT_REOPENED, at, revive_goal(state, at)), text)
    wishing = _state_goal(moved, text, at)
    if wishing is not None:
        return wishing
    if lapsed and said.saying not in _LEAVES_ALONE:
        back = move(moved, GoalEvent.GOAL_RESUMED, at, revive_goal(state, at))
        back = replace(back, state=replace(back.state, resumed=True))
        return plan_if_informed(_record_details(back, text), at)
    after = move(moved, _MEANINGS[said.saying], at)
    return replace(after, state=replace(after.state, lapsed=lapsed and said.saying in _PLEASANTRIES))


def _speaks_of(ended: Goal, text: str) -> bool:
    """Return True if the wanted changes concern the goal that ended last: "it", "again", or its result by name."""
    return points_back(text) or (ended.status is GoalStatus.COMPLETED and names_result(ended, text))


def _follow_ending(moved: GoalChange, rest: str, at: str) -> GoalChange:
    """Apply the rest of "Perfect, now build …" or "Perfect, bye" after the first part has ended a goal."""
    if read_intent(rest).saying is Intent.LEFT:
        return move(moved, GoalEvent.LEFT, at)
    return _state_goal(moved, rest, at) or moved


def _state_goal(moved: GoalChange, text: str, at: str) -> GoalChange | None:
    """Set a goal that a rule recognizes, which the model may correct in its next reply; None if there is none."""
    wish = find_goal(text)
    if wish is None:
        return None
    goal = Goal(
        id=build_goal_id(moved.state),
        type=wish.type,
        description=wish.description,
        info=REQUIRED[wish.type],
        created_at=at,
    )
    after = plan_if_informed(_record_details(move(moved, GoalEvent.GOAL_STATED, at, goal), text), at)
    return replace(after, state=replace(after.state, guessed=True))


def _record_details(moved: GoalChange, text: str) -> GoalChange:
    goal = moved.state.goal
    assert goal is not None, "asked only where a goal is pursued"
    for name, value in find_details(goal, text).items():
        moved = record_info(moved, InfoEvent.PROVIDED, name, value)
    return moved


def _count_question(moved: GoalChange, at: str, most: int) -> GoalChange:
    state = moved.state
    if state.phase is not GoalPhase.UNDERSTANDING:
        return moved
    counted = replace(moved, state=replace(state, exchanges=state.exchanges + 1))
    return move(counted, GoalEvent.ASKED_ENOUGH, at) if counted.state.exchanges > most else counted


def _record_questions(moved: GoalChange, text: str) -> GoalChange:
    goal = moved.state.goal
    for info in goal.missing if goal else ():
        if asks_for(text, info.name):
            moved = record_info(moved, InfoEvent.ASKED, info.name)
    return moved


def _track_work(moved: GoalChange, text: str, at: str, *, is_asked: bool) -> GoalChange:
    """Apply a reply without calls: it starts work, finishes it, or answers. One that asks back has not answered."""
    goal = moved.state.goal
    if goal is None:
        return moved
    shown = find_artefacts(text)
    answers = goal.is_answered and gives_answer(text) and not is_asked
    if moved.state.phase is GoalPhase.PLANNING and (shown or answers or starts_work(text)):
        moved = move(moved, GoalEvent.WORK_STARTED, at)
    at_it = moved.state.phase is GoalPhase.EXECUTING
    if at_it and (shown or answers or says_done(text)):
        return finish_work(moved, shown, at)
    if moved.state.phase is GoalPhase.UNDERSTANDING and goal.is_answered and (shown or answers):
        return finish_work(moved, shown, at)
    return moved
