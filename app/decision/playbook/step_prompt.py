"""What the model is told in a component: the same texts for all, filled with what the component and its draft hold."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from app.core.state.interview import Inconsistency, Interview, Mode, Phase
from app.core.text import marks
from app.decision.drafts import rating_edits
from app.decision.drafts.noting import list_blockers, render_draft
from app.decision.drafts.rating_edits import describe_ratings, remove_chosen
from app.decision.playbook.weighing import describe_weighing
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component


def build_system_prompt(component: Component, mode: Mode) -> str:
    """Return the system prompt of a conversation. Direct mode has no reminder."""
    needs = [each.need.format(item="each of them") for each in component.criteria]
    return (
        _read_text("system")
        .format(
            title=component.title,
            purpose=component.purpose,
            criteria=_format_list(needs or ["nothing in particular: empty lists are fine"]),
            mode_instructions=_read_text(f"{mode}_instructions"),
            mode_reminder=_read_text(f"{mode}_reminder") if mode is Mode.INTERACTIVE else "",
        )
        .strip()
    )


def build_directive(component: Component, phase: Phase) -> str:
    """Return the aim of this phase of this component."""
    return component.guidance[phase]


def build_summarize_prompt(component: Component) -> str:
    """Return the request of the summarize stage."""
    return _read_text("summarize").format(headings=_format_list(component.summary_headings))


def build_serialize_prompt(component: Component) -> str:
    """Return the request of the serialize stage."""
    return _read_text("serialize").format(tool=component.tool)


@cache
def _read_text(name: str) -> str:
    return (files("app.decision.playbook") / "prompts" / f"{name}.txt").read_text("utf-8").strip()


def _format_list(lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


WEIGHED = "tradeoffs"
"""The sheet on which points and even swaps stand."""
NOTHING_NOTED = "Nothing is noted yet. Note what is said with note_item, in people's words."
NOTED = "Noted so far:\n{draft}"
STILL_NEEDED = "Still needed: {needs}"
ENOUGH = (
    "Nothing is missing by the rules. If there is nothing more that matters, call ready_to_summarize; "
    "if there is, go on."
)
WAITING = (
    "This draft stands on a card with buttons and waits for the owner's OK. Answer what they ask about it. If their "
    "words approve it or ask for changes, call resolve_confirmation; nothing else changes it."
)


def build_block(component: Component, phase: Phase, interview: Interview, so_far: DecisionRecord) -> str:
    """Return the directive for a turn that begins in this phase."""
    draft = dict(interview.draft)
    needs = list_blockers(component, draft, so_far)
    lines = [f"Phase: {phase.value}", build_directive(component, phase), "", *_list_earlier(so_far)]
    noted = remove_chosen(draft, so_far)
    lines.append(NOTED.format(draft=render_draft(component, noted)) if draft else NOTHING_NOTED)
    lines += filter(None, [describe_ratings(draft, so_far), rating_edits.describe_proposals(draft, so_far)])
    if component.sheet == WEIGHED and phase is Phase.GATHER:
        lines += describe_weighing(draft, so_far)
    lines.append(STILL_NEEDED.format(needs="; ".join(needs)) if needs else ENOUGH)
    if phase is Phase.CONFIRM:
        lines[-1] = WAITING if not needs else f"{WAITING}\n{STILL_NEEDED.format(needs='; '.join(needs))}"
    lines += _list_open(interview.inconsistencies)
    return marks.write_block("step", "\n".join(lines))


def _list_earlier(so_far: DecisionRecord) -> Iterable[str]:
    """Yield a line for each earlier step that has a result. `read_step` gives the details."""
    focal = so_far.results.get("problem_frame", {}).get("focal_decision", {}).get("statement", "")
    named = (
        ("The decision", focal),
        ("Objectives", so_far.labels(so_far.objectives)),
        ("Options", so_far.labels(so_far.alternatives)),
        ("Status quo", so_far.label(so_far.baseline) if so_far.baseline else ""),
    )
    found = [f"{name}: {marks.clean_line(words)}" for name, words in named if words]
    return [*found, ""] if found else []


def _list_open(inconsistencies: tuple[Inconsistency, ...]) -> list[str]:
    return [marks.clean_line(_describe_unfit(each)) for each in inconsistencies]


def _describe_unfit(each: Inconsistency) -> str:
    return f'Does not fit yet ({each.about}): "{each.one}" and "{each.other}". Clear it up; then settle_inconsistency.'
