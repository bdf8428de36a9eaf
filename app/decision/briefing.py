"""The directive that the model gets for its step: the phase's aim, the draft so far, and what is missing.

It is part of the newest user turn and is stored with the reply. People's words in it are material, not instructions.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.core import marks
from app.core.interview import Inconsistency, Interview
from app.core.states import Phase
from app.decision import prompt, rebasing
from app.decision.chosen import told, without_chosen
from app.decision.component import Component
from app.decision.noting import shown, still_missing
from app.decision.so_far import SoFar

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


def block(component: Component, phase: Phase, interview: Interview, so_far: SoFar) -> str:
    """Return the directive for a turn that begins in this phase."""
    draft = dict(interview.draft)
    needs = still_missing(component, draft, so_far)
    lines = [f"Phase: {phase.value}", prompt.directive(component, phase), "", *_earlier(so_far)]
    noted = without_chosen(draft, so_far)
    lines.append(NOTED.format(draft=shown(component, noted)) if draft else NOTHING_NOTED)
    lines += filter(None, [told(draft, so_far), rebasing.told(draft, so_far)])
    lines.append(STILL_NEEDED.format(needs="; ".join(needs)) if needs else ENOUGH)
    if phase is Phase.CONFIRM:
        lines[-1] = WAITING if not needs else f"{WAITING}\n{STILL_NEEDED.format(needs='; '.join(needs))}"
    lines += _open(interview.inconsistencies)
    return marks.block("step", "\n".join(lines))


def _earlier(so_far: SoFar) -> Iterable[str]:
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


def _open(inconsistencies: tuple[Inconsistency, ...]) -> list[str]:
    return [marks.clean_line(_unfit(each)) for each in inconsistencies]


def _unfit(each: Inconsistency) -> str:
    return f'Does not fit yet ({each.about}): "{each.one}" and "{each.other}". Clear it up; then settle_inconsistency.'
