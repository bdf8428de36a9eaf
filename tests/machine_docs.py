"""The machine as docs/architecture.md shows it, drawn from its tables; `python -m tests.machine_docs` draws it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from app.core.events import Event
from app.core.model import Run
from app.core.run import NEXT, REFUSALS

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
PLACE = re.compile(r"(?<=<!-- machine: drawn from app/core/run\.py -->\n).*?(?=<!-- /machine -->)", re.DOTALL)


def drawn() -> str:
    """A diagram for the eye and a table for every pair of state and event."""
    return f"{_diagram()}\n{_table()}"


def _diagram() -> str:
    lines = ["```mermaid", "stateDiagram-v2", f"  [*] --> {Run.IDLE}"]
    for before in Run:
        for after in Run:
            names = [event.__name__ for event, state in NEXT[before].items() if state is after]
            if names:
                lines.append(f"  {before} --> {after}: {', '.join(names)}")
    return "\n".join([*lines, f"  {Run.IDLE} --> {Run.STREAMING}: settle – something is unanswered", "```", ""])


def _table() -> str:
    events: tuple[type[Event], ...] = get_args(Event)
    head = "| `run` | " + " | ".join(f"`{event.__name__}`" for event in events) + " |"
    rows = [f"| `{run}` | " + " | ".join(_cell(run, event) for event in events) + " |" for run in Run]
    return "\n".join([head, "|---" * (len(events) + 1) + "|", *rows, ""])


def _cell(run: Run, event: type[Event]) -> str:
    after = NEXT[run].get(event)
    return f"`{after}`" if after else f"refused: `{REFUSALS[run, event]}`"


if __name__ == "__main__":
    PAGE.write_text(PLACE.sub(lambda _: drawn(), PAGE.read_text("utf-8")), "utf-8")
