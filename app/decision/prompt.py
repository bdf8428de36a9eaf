"""Prompts of a component: shared texts, filled with the component's own.

The system prompt is fixed for a conversation; the directive of a phase is part of the newest user turn. The most
important rules come first and last. Texts are files with stored versions.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from app.core.interview import Mode
from app.core.states import Phase
from app.decision.component import Component


def system_prompt(component: Component, mode: Mode) -> str:
    """Return the system prompt of a conversation. Direct mode has no reminder."""
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
    """Return the aim of this phase of this component."""
    return component.guidance[phase]


def summarize_prompt(component: Component) -> str:
    """Return the request of the summarize stage."""
    return _text("summarize").format(headings=_listed(component.summary_headings))


def serialize_prompt(component: Component) -> str:
    """Return the request of the serialize stage."""
    return _text("serialize").format(tool=component.tool)


@cache
def _text(name: str) -> str:
    return (files("app.decision") / "prompts" / f"{name}.txt").read_text("utf-8").strip()


def _listed(lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
