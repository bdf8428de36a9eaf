"""The tables of the machine as the docs show them; `python -m tests.machine_docs` draws them anew.

A page says where with `<!-- machine: drawn from app/core/status.py -->` … `<!-- /machine -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import TypeVar, get_args

from app.core import component, goal_phase, lifecycle, phase, question, run, status
from app.core.events import Event
from app.core.goal_phase import GoalOn
from app.core.question import Standing
from app.core.states import ComponentStatus, GoalPhase, GoalStatus, InfoStatus, Lifecycle, Phase, Run, Status
from app.core.table import Nothing, Refused, Table

DOCS = Path(__file__).parents[1] / "docs"
PAGES = (DOCS / "architecture.md", DOCS / "state-machine.md")
PLACE = re.compile(r"(<!-- machine: drawn from (.+?) -->\n).*?(<!-- /machine -->)", re.DOTALL)

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)
Cell = str | Refused | Nothing


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One dimension, its events and states by name."""

    initial: str
    states: tuple[str, ...]
    table: Mapping[str, Mapping[str, Cell]]
    hops: Mapping[tuple[str, str], tuple[str, ...]]
    """States that an event passes on its way, by event and state."""
    settles: tuple[tuple[str, str, str], ...] = ()
    """Moves that follow from a state alone: before, after, why."""

    def path(self, event: str, before: str) -> tuple[str, ...]:
        """All states of a move from first to last; empty if the event does not lead to another state."""
        after = self.table[event][before]
        hops = self.hops.get((event, before), ())
        if not isinstance(after, str) or (after == before and not hops):
            return ()
        return (before, *hops, after)


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
    return cell.value if isinstance(cell, StrEnum) else cell


def _of_run() -> Machine:
    """The run, whose events are those of the whole machine."""
    events: tuple[type[Event], ...] = get_args(Event)

    def cell(state: Run, event: type[Event]) -> Cell:
        after = run.NEXT[state].get(event)
        return after.value if after else Refused(run.REFUSALS[state, event])

    return Machine(
        initial=Run.IDLE.value,
        states=tuple(state.value for state in Run),
        table={event.__name__: {state.value: cell(state, event) for state in Run} for event in events},
        hops={},
        settles=(
            (Run.IDLE.value, Run.STREAMING.value, "settle – something is unanswered"),
            (Run.STREAMING.value, Run.AWAITING.value, "UsesReported – one is to be asked about"),
            (Run.AWAITING.value, Run.STREAMING.value, "QuestionAnswered – allowed, or never"),
            (Run.AWAITING.value, Run.IDLE.value, "QuestionAnswered, MessagePosted – wait"),
        ),
    )


def _goal_hops() -> Iterator[tuple[tuple[GoalOn, GoalPhase], tuple[GoalPhase, ...]]]:
    """The hops of goals, which are told by the phases between which they lie."""
    for event, row in goal_phase.TABLE.items():
        for before, after in row.items():
            if isinstance(after, GoalPhase) and (before, after) in goal_phase.PASSED:
                yield (event, before), (goal_phase.PASSED[before, after],)


MACHINES: Mapping[str, Machine] = {
    "app/core/run.py": _of_run(),
    "app/core/status.py": of_table(Status, status.INITIAL, status.TABLE),
    "app/core/lifecycle.py": of_table(Lifecycle, lifecycle.INITIAL, lifecycle.TABLE),
    "app/core/phase.py": of_table(Phase, phase.INITIAL, phase.TABLE, phase.HOPS.items()),
    "app/core/component.py": of_table(ComponentStatus, component.INITIAL, component.TABLE),
    "app/core/goal_phase.py": of_table(GoalPhase, goal_phase.INITIAL, goal_phase.TABLE, _goal_hops()),
    "app/core/goal_phase.py GOAL_STATUS": of_table(GoalStatus, GoalStatus.ACTIVE, goal_phase.GOAL_STATUS),
    "app/core/goal_phase.py INFO_STATUS": of_table(InfoStatus, InfoStatus.UNKNOWN, goal_phase.INFO_STATUS),
    "app/core/question.py": of_table(Standing, Standing.NONE, question.TABLE),
}
"""Every dimension, by the place that it is drawn from."""


def drawn(page: str) -> str:
    """The page with each of its places drawn anew."""
    return PLACE.sub(lambda place: f"{place[1]}{picture(MACHINES[place[2]])}{place[3]}", page)


def picture(machine: Machine) -> str:
    """A diagram of what leads from one state to another, and a table of every pair of event and state."""
    return f"{_diagram(machine)}\n{_table(machine)}"


def _diagram(machine: Machine) -> str:
    labels: dict[tuple[str, str], dict[str, None]] = {}
    for event in machine.table:
        for state in machine.states:
            path = machine.path(event, state)
            for step in pairwise(path):
                labels.setdefault(step, {})[event.replace("_", " ")] = None
    for before, after, why in machine.settles:
        labels.setdefault((before, after), {})[why] = None
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
        case _:
            path = machine.path(event, state)
            return " ".join(f"→ `{passed}`" for passed in path[1:]) if path else "stays"


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(drawn(page.read_text("utf-8")), "utf-8")
