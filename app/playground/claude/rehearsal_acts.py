"""Tool calls of the scripted demo model: it asks with buttons, follows a goal, plans runs.

Two tables, read from the top: one for the beginning of a turn, one for what comes after its calls. A row whose tools
are not offered is passed over; where none fits, words alone answer. What it does outside of the thread stands in
`rehearsal_outside`, and what it does when a plan has come due in `rehearsal_runs`. Pure.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.playground.claude import rehearsal_outside as outside
from app.playground.claude import rehearsal_replies as replies
from app.playground.claude import rehearsal_runs as runs
from app.playground.claude import rehearsal_telling as telling
from app.playground.claude.rehearsal_hearing import named_in, options_in, parts_of
from app.playground.claude.rehearsal_scene import ASK, Act, Acts, Scene
from app.playground.claude.rehearsal_times import a_minute_later, order_in
from app.playground.claude.script import ToolCall

SCHEDULE, CANCEL, RESOLVE = "schedule_work", "cancel_schedule", "resolve_question"
GOAL, RECORD, PROPOSE = "set_goal", "record_information", "propose_plan"
START, FINISH, FEEL = "start_work", "finish_work", "note_feedback"

BEGIN = "Shall I begin?"
LEAN = "Which way do you lean today?"
BETWEEN = "Between what do you choose? Name the options, with commas."
INFORMATION: Mapping[str, Mapping[str, Any]] = {
    "component_type": {
        "type": "choice",
        "prompt": "What shall it be at first?",
        "options": ["One page", "A checklist", "A table"],
        "allow_something_else": True,
    },
    "requirements": {"type": "input", "prompt": "What must be in it?"},
}
"""How it asks for what a thing to be made needs."""

_HELP_CHOOSE = re.compile(r"\bhelp (me|us) (to )?(choose|decide|pick)\b|\b(can't|cannot) decide\b", re.IGNORECASE)
_CALL_OFF = re.compile(r"\b(stop|cancel|no more|don't|do not|never again|enough of)\b", re.IGNORECASE)
_MAKE = re.compile(
    r"^\W*(?:(?:i|we)(?:'d like| want| would like| need) to |please |let's )?"
    r"(?P<wish>(?:build|create|make|write|draft|design) "
    r"(?!sure\b|sense\b|(?:me )?(?:an? )?(?:long|detailed) )[^.?!\n]+)",
    re.IGNORECASE,
)
_PLEASED = re.compile(r"\b(good|fine|great|perfect|thanks|thank you|love it|that will do)\b", re.IGNORECASE)
_MADE = ("artifact_creation", "task_execution")
_PROPOSING = (ToolCall(PROPOSE), ToolCall(ASK, {"type": "confirmation", "prompt": BEGIN}))
_PAST = "in the past"


def act(scene: Scene) -> Act | None:
    """The act for a request; None if there is nothing to do but to speak."""
    rows = FOLLOWING if scene.outcomes else BEGINNING
    acts = (acts(scene) for needed, acts in rows if scene.tools.issuperset(needed))
    return next((found for found in acts if found), None)


# --- the beginning of a turn ---


def _plans(scene: Scene) -> Act | None:
    order = order_in(scene.heard.words, scene.standing.clock)
    return Act(calls=[ToolCall(SCHEDULE, order)]) if order else None


def _calls_off(scene: Scene) -> Act | None:
    wanted = scene.standing.plan and _CALL_OFF.search(scene.heard.words)
    return Act(calls=[ToolCall(CANCEL)]) if wanted else None


def _understands(scene: Scene) -> Act | None:
    if not scene.standing.is_open:
        return None
    meant = named_in(scene.heard.words, scene.standing.answers)
    return Act(calls=[ToolCall(RESOLVE, {"value": meant})]) if meant else Act(telling.aside(scene.heard))


def _begins(scene: Scene) -> Act | None:
    if not scene.was_asked(BEGIN):
        return None
    if scene.heard.words.casefold().startswith("n"):
        return Act(calls=[ToolCall(FEEL, {"feedback": "changes"})])
    made = {"summary": f"A first draft: {scene.standing.goal}"[:500], "artefacts": ["First draft"]}
    return Act(calls=[ToolCall(START), ToolCall(FINISH, made)])


def _informs(scene: Scene) -> Act | None:
    """Note what was told, and ask for what is missing next, or propose a plan."""
    name = next((name for name, question in INFORMATION.items() if scene.was_asked(question["prompt"])), "")
    if not name:
        return None
    noted = ToolCall(RECORD, {"name": name, "value": scene.heard.words[:2_000]})
    missing = next((other for other in scene.standing.missing if other != name and other in INFORMATION), "")
    if missing:
        return Act(telling.noted(scene.heard), [noted, ToolCall(ASK, INFORMATION[missing])])
    return Act(telling.plan(scene.standing.goal), [noted, *_PROPOSING])


def _leans(scene: Scene) -> Act | None:
    return Act(telling.leaning(scene.heard)) if scene.was_asked(LEAN) else None


def _names_options(scene: Scene) -> Act | None:
    return _choice(scene, parts_of(scene.heard.words)) if scene.was_asked(BETWEEN) else None


def _wishes(scene: Scene) -> Act | None:
    found = _MAKE.match(scene.heard.words)
    if found is None:
        return None
    named = ToolCall(GOAL, {"type": _MADE[0], "description": found["wish"].strip()[:300]})
    first = next(iter(INFORMATION.values()))
    return Act(telling.wanted(scene.heard), [named, ToolCall(ASK, first)])


def _chooses(scene: Scene) -> Act | None:
    return _choice(scene, options_in(scene.heard.words))


def _asks_between(scene: Scene) -> Act | None:
    if not _HELP_CHOOSE.search(scene.heard.words):
        return None
    return Act(telling.willing(scene.heard), [ToolCall(ASK, {"type": "input", "prompt": BETWEEN})])


def _changes(scene: Scene) -> Act | None:
    """The owner wanted something else, and has now said what: nothing is missing, so the plan comes again."""
    standing = scene.standing
    wanted = standing.phase == "understanding" and standing.kind in _MADE and not standing.missing
    return Act(telling.changed(scene.heard), _PROPOSING) if wanted else None


def _is_pleased(scene: Scene) -> Act | None:
    pleased = scene.standing.phase == "reviewing" and _PLEASED.search(scene.heard.words)
    return Act(calls=[ToolCall(FEEL, {"feedback": "satisfied"})]) if pleased else None


BEGINNING: Sequence[tuple[Sequence[str], Acts]] = (
    ((), runs.begun),
    ((), outside.redirected),
    ((SCHEDULE,), _plans),
    ((), outside.wanted),
    ((CANCEL,), _calls_off),
    ((RESOLVE,), _understands),
    ((START, FINISH, FEEL), _begins),
    ((RECORD, PROPOSE, ASK), _informs),
    ((), _leans),
    ((ASK,), _names_options),
    ((GOAL, ASK), _wishes),
    ((ASK,), _chooses),
    ((ASK,), _asks_between),
    ((PROPOSE, ASK), _changes),
    ((FEEL,), _is_pleased),
)

# --- after the calls of a turn ---


def _planned(scene: Scene) -> Act | None:
    came = scene.came_of(SCHEDULE)
    if came is None:
        return None
    if not came.is_error:
        return Act(telling.scheduled(came.told))
    if "run_at" in came.given and _PAST in came.told:
        return Act(calls=[ToolCall(SCHEDULE, a_minute_later(came.given))])
    return Act(telling.not_scheduled(came.told))


def _called_off(scene: Scene) -> Act | None:
    return Act(telling.called_off()) if scene.came_of(CANCEL) else None


def _understood(scene: Scene) -> Act | None:
    came = scene.came_of(RESOLVE)
    if came is None:
        return None
    return Act(telling.aside(scene.heard) if came.is_error else telling.understood(came.told))


def _worked(scene: Scene) -> Act | None:
    came = scene.came_of(FINISH)
    return Act(telling.draft(scene.standing.goal, scene.heard)) if came and not came.is_error else None


def _felt(scene: Scene) -> Act | None:
    came = scene.came_of(FEEL)
    if came is None:
        return None
    return Act(telling.different() if came.given["feedback"] == "changes" else replies.thanks(scene.heard))


FOLLOWING: Sequence[tuple[Sequence[str], Acts]] = (
    ((), runs.digested),
    ((), outside.came),
    ((), _planned),
    ((), _called_off),
    ((), _understood),
    ((), _worked),
    ((), _felt),
)


def _choice(scene: Scene, options: Sequence[str]) -> Act | None:
    """Lay the options out and let the person lean towards one; nothing if these are none."""
    if not options:
        return None
    offered = replies.with_status_quo(options)
    asked = {"type": "choice", "prompt": LEAN, "options": list(offered), "allow_something_else": True}
    return Act(replies.laid_out(scene.heard, offered), [ToolCall(ASK, asked)])
