"""The tables of the machine as the docs show them; `python -m tests.machine_docs` draws them anew.

Where an event leads the run is nowhere written down: it is what happens in the situations of the tests.

The page says where with `<!-- machine: drawn from app/core/state/status.py -->` … `<!-- /machine -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar, get_args

from app.core.conversation.audit import AuditType
from app.core.conversation.conversation import Transition
from app.core.errors import IllegalEvent
from app.core.events.heard import Event
from app.core.machine import apply
from app.core.machine.registry import ROWS
from app.core.state import decision, goal, interview, lifecycle, question, status
from app.core.state.decision import ComponentStatus
from app.core.state.goal import GoalEvent, GoalPhase, GoalStatus, InfoStatus
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import QuestionStatus
from app.core.state.status import Status, TurnState
from app.core.state.table import Nothing, Refused, Table
from tests.unit.core.situations import STATES, happenings

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "state-machine.md"
PLACE = re.compile(r"(<!-- machine: drawn from (.+?) -->\n).*?(<!-- /machine -->)", re.DOTALL)

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)

WAIT = "2"
"""The third button of a permission: the turn ends, and its owner says what to do instead."""

SETTLED = "settled"
"""The reason that the trail gives for what follows from a state alone."""
Cell = tuple[str, ...] | Refused | Nothing
"""The states that may follow, or a refusal, or nothing."""


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One dimension, its events and states by name."""

    initial: str
    states: tuple[str, ...]
    table: Mapping[str, Mapping[str, Cell]]
    hops: Mapping[tuple[str, str], tuple[str, ...]]
    """States that an event passes on its way, by event and state."""
    settles: tuple[tuple[str, str], ...] = ()
    """Moves that follow from a state alone: before, after."""

    def paths(self, event: str, before: str) -> list[tuple[str, ...]]:
        """All states of each move from first to last; none if the event does not lead to another state."""
        cell = self.table[event][before]
        hops = self.hops.get((event, before), ())
        return [(before, *hops, after) for after in cell if after != before or hops] if isinstance(cell, tuple) else []


def of_table(
    states: type[S], initial: S, table: Table[E, S], hops: Iterable[tuple[tuple[E, S], tuple[S, ...]]] = ()
) -> Machine:
    """A dimension that is one of our tables."""
    return Machine(
        initial=initial.value,
        states=tuple(state.value for state in states),
        table={event.value: {state.value: _plain(cell) for state, cell in row.items()} for event, row in table.items()},
        hops={(event.value, state.value): tuple(hop.value for hop in passed) for (event, state), passed in hops},
    )


def _plain(cell: StrEnum | Refused | Nothing) -> Cell:
    return (cell.value,) if isinstance(cell, StrEnum) else cell


def moves_in(made: Transition) -> set[tuple[str, str, str]]:
    """Each move of the run that a step leaves in the trail: why, before, after."""
    hops = [hop for hop in made.audit if hop.type is AuditType.STATE_TRANSITION and hop.after in list(TurnState)]
    return {(hop.reason, hop.before, hop.after) for hop in hops}


@cache
def replay_run() -> tuple[set[tuple[str, str, str]], set[tuple[str, str]]]:
    """Every move of the run in all situations; and each event and run in which it led to none. That takes a second."""
    moves: set[tuple[str, str, str]] = set()
    rests: set[tuple[str, str]] = set()
    for make in STATES.values():
        live = make()
        for event in (*happenings(live), live.click(WAIT)):
            with suppress(IllegalEvent):
                found = moves_in(apply.apply(live.now, event, "cause", live.facts(event)))
                moves |= found
                if event.kind not in {why for why, _, _ in found}:
                    rests.add((event.kind, live.now.run.value))
    return moves, rests


@cache
def _of_run() -> Machine:
    """The run, whose events are those of the whole machine."""
    moves, rests = replay_run()

    def cell(kind: Any, run: TurnState) -> Cell:
        if run in ROWS[kind].refused:
            return Refused(ROWS[kind].refused[run])
        led = {after for why, before, after in moves if (why, before) == (kind, run.value)}
        led |= {run.value} if (kind, run.value) in rests else set()
        return tuple(after.value for after in TurnState if after.value in led)

    return Machine(
        initial=TurnState.IDLE.value,
        states=tuple(run.value for run in TurnState),
        table={
            event.__name__: {run.value: cell(kind_of(event), run) for run in TurnState} for event in get_args(Event)
        },
        hops={},
        settles=tuple(sorted((before, after) for why, before, after in moves if why == SETTLED)),
    )


def kind_of(event: type[Event]) -> Any:
    """The `kind` under which an event of this class is stored, and has its row."""
    return next(field.default for field in fields(event) if field.name == "kind")


def _goal_hops() -> Iterator[tuple[tuple[GoalEvent, GoalPhase], tuple[GoalPhase, ...]]]:
    """The hops of goals, which are told by the phases between which they lie."""
    for event, row in goal.TABLE.items():
        for before, after in row.items():
            if isinstance(after, GoalPhase) and (before, after) in goal.PASSED:
                yield (event, before), (goal.PASSED[before, after],)


MACHINES: Mapping[str, Callable[[], Machine]] = {
    "app/core/machine/registry.py": _of_run,
    "app/core/state/status.py": lambda: of_table(Status, status.INITIAL, status.TABLE),
    "app/core/state/lifecycle.py": lambda: of_table(Lifecycle, lifecycle.INITIAL, lifecycle.TABLE),
    "app/core/state/interview.py": lambda: of_table(Phase, interview.INITIAL, interview.TABLE, interview.HOPS.items()),
    "app/core/state/decision.py": lambda: of_table(ComponentStatus, decision.INITIAL, decision.TABLE),
    "app/core/state/goal.py": lambda: of_table(GoalPhase, goal.INITIAL, goal.TABLE, _goal_hops()),
    "app/core/state/goal.py GOAL_STATUS": lambda: of_table(GoalStatus, GoalStatus.ACTIVE, goal.GOAL_STATUS),
    "app/core/state/goal.py INFO_STATUS": lambda: of_table(InfoStatus, InfoStatus.UNKNOWN, goal.INFO_STATUS),
    "app/core/state/question.py": lambda: of_table(QuestionStatus, QuestionStatus.NONE, question.TABLE),
}
"""Every dimension, by the place that it is drawn from."""


def drawn(page: str) -> str:
    """The page with each of its places drawn anew."""
    return PLACE.sub(lambda place: f"{place[1]}{picture(MACHINES[place[2]]())}{place[3]}", page)


def picture(machine: Machine) -> str:
    """A diagram of what leads from one state to another, and a table of every pair of event and state."""
    return f"{_diagram(machine)}\n{_table(machine)}"


def _diagram(machine: Machine) -> str:
    labels: dict[tuple[str, str], dict[str, None]] = {}
    for event in machine.table:
        for state in machine.states:
            for path in machine.paths(event, state):
                for step in pairwise(path):
                    labels.setdefault(step, {})[event.replace("_", " ")] = None
    for move in machine.settles:
        labels.setdefault(move, {})[SETTLED] = None
    ordered = sorted(labels, key=lambda step: tuple(map(machine.states.index, step)))
    moves = [f"  {before} --> {after}: {', '.join(labels[before, after])}" for before, after in ordered]
    return "\n".join(["```mermaid", "stateDiagram-v2", f"  [*] --> {machine.initial}", *moves, "```", ""])


def _table(machine: Machine) -> str:
    head = "| event | " + " | ".join(f"`{state}`" for state in machine.states) + " |"
    rows = [
        f"| `{event}` | " + " | ".join(_cell(machine, event, state) for state in machine.states) + " |"
        for event in machine.table
    ]
    return "\n".join([head, "|---" * (len(machine.states) + 1) + "|", *rows, ""])


def _cell(machine: Machine, event: str, state: str) -> str:
    match machine.table[event][state]:
        case Refused(code):
            return f"✗ {code}"
        case Nothing():
            return "–"
        case ():
            return "✗"
        case after:
            led = [" ".join(f"→ `{passed}`" for passed in path[1:]) for path in machine.paths(event, state)]
            return " or ".join(["stays"] * (len(after) > len(led)) + led)


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text("utf-8")), "utf-8")
