"""What the model is told in a component: the same texts for all, filled with what the component says of itself.

The system prompt is frozen for a conversation (design D11); what a phase wants travels in the newest user turn. What
counts stands at the start and at the end (S4-051). Texts are files, and their versions are kept (S0-014).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from app.core.interview import Mode
from app.core.states import Phase
from app.decision.component import Component


def system_prompt(component: Component, mode: Mode) -> str:
    """The system prompt of a conversation. Direct mode has no reminder (S4-054)."""
    needs = [each.need.format(item="each of them") for each in component.criteria]
    return (
        _text("system")
        .format(
            title=component.title,
            purpose=component.purpose,
            criteria=_listed(needs or ["nothing in particular: empty lists are fine"]),
            mode_instructions=_text(f"{mode}_instructions"),
            mode_reminder=_text(f"{mode}_reminder") if mode is Mode.INTERACTIVE else "",
        )
        .strip()
    )


def directive(component: Component, phase: Phase) -> str:
    """What this phase of this component wants (S0-065 to S0-069)."""
    return component.guidance[phase]


def summarize_prompt(component: Component) -> str:
    """The request of the summarize stage."""
    return _text("summarize").format(headings=_listed(component.summary_headings))


def serialize_prompt(component: Component) -> str:
    """The request of the serialize stage (S0-223 to S0-228)."""
    return _text("serialize").format(tool=component.tool)


@cache
def _text(name: str) -> str:
    return (files("app.decision") / "prompts" / f"{name}.txt").read_text("utf-8").strip()


def _listed(lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
