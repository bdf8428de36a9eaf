"""Acts of the scripted demo model about something to be made: what it needs, the plan, the draft, changes, an end."""

import re
from collections.abc import Mapping
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo import replies
from app.playground.claude.demo.request import named_in, parts_of
from app.playground.claude.demo.scene import ASK, Act, Scene

GOAL, RECORD, PROPOSE = "set_goal", "record_information", "propose_plan"
START, FINISH, FEEL = "start_work", "finish_work", "note_feedback"

BEGIN = "Shall I begin?"
FEATURES = "What must it show or do, and with what shall it be made?"
INFORMATION: Mapping[str, Mapping[str, Any]] = {
    "component_type": {
        "type": "choice",
        "prompt": "What shall it be at first?",
        "options": ["One page", "A checklist", "A table"],
        "allow_something_else": True,
    },
    "requirements": {"type": "input", "prompt": "What must be in it?"},
}
"""Questions for the information that a text needs. What is built has one for both, `FEATURES`."""

_MADE = ("artifact_creation", "task_execution")
_PROPOSING = (ToolCall(PROPOSE), ToolCall(ASK, {"type": "confirmation", "prompt": BEGIN}))
_PLAIN = "plain HTML"
_FRAMEWORK = re.compile(
    r"[\s,;]*\b(?:(?:built |made )?(?:with|in|using|as) )?(?P<name>react|vue|svelte|angular|html)"
    r"(?: (?:components?|app))?\b",
    re.IGNORECASE,
)
_MAKE = re.compile(
    r"^\W*(?:(?:i|we)(?:'d like| want| would like| need) to |please |let's )?"
    r"(?P<wish>(?:build|create|make|write|draft|design) "
    r"(?!sure\b|sense\b|(?:me )?(?:an? )?(?:long|detailed) )[^.?!\n]+)",
    re.IGNORECASE,
)
_BUILT = re.compile(
    r"\b(?:landing page|home ?page|web ?(?:site|page|shop)|calculator|app|tool|dashboard|timer|game|widget)\b", re.I
)
_PLEASED = re.compile(
    r"\b(?:good|fine|great|perfect|thanks|thank you|love it|that will do|exactly what (?:i|we))\b", re.IGNORECASE
)
_THANKS = re.compile(r"^\W*(?:thanks|thank you|cheers)\b", re.IGNORECASE)
_GO = re.compile(
    r"\W*(?:(?:yes|yep|yeah|ok|okay|sure|please|sounds good|looks good|good plan|go ahead|go for it|do it|let's go"
    r"|begin|start|works for me|perfect|great)\b[\s,.!]*)+(?:then|now|with (?:it|that))?\W*",
    re.IGNORECASE,
)
_NO = re.compile(r"\W*(?:no|nope|not yet|wait|stop)\b[\s,.:;!–-]*(?:not yet|thanks)?[\s.!]*", re.IGNORECASE)
_REFUSED = re.compile(r"^\W*(?:no|nope|not yet|wait)\b[\s,.:;!–-]*", re.IGNORECASE)
_NEVER_MIND = re.compile(
    r"\W*(?:(?:oh|ok|okay|well|ah|no),? )?(?:never ?mind|nvm|forget (?:about )?(?:it|this|that)|drop (?:it|this|that))"
    r"(?: (?:then|please|about it))?\W*",
    re.IGNORECASE,
)


def lets_go(scene: Scene) -> Act | None:
    """Take "never mind" as what it says. What was open, the app has closed already."""
    return Act(replies.LET_GO) if _NEVER_MIND.fullmatch(scene.heard.words) else None


def wishes(scene: Scene) -> Act | None:
    """Name the goal, and ask for what it needs."""
    found = _MAKE.match(scene.heard.words)
    if found is None:
        return None
    named = ToolCall(GOAL, {"type": _MADE[0], "description": found["wish"].strip()[:300]})
    if _is_built(found["wish"]):
        return Act(replies.builds(scene.heard), [named, ToolCall(ASK, {"type": "input", "prompt": FEATURES})])
    return Act(replies.wanted(scene.heard), [named, ToolCall(ASK, next(iter(INFORMATION.values())))])


def informs(scene: Scene) -> Act | None:
    """Note the given information, and ask for the next missing one, or propose a plan."""
    if scene.was_asked(FEATURES):
        return _equip(scene)
    name = next((name for name, question in INFORMATION.items() if scene.was_asked(question["prompt"])), "")
    return _note(scene, name) if name else None


def begins(scene: Scene) -> Act | None:
    """Do the work, or take in what shall be different, after the answer to `BEGIN`."""
    return _answer_begin(scene) if scene.was_asked(BEGIN) else None


def read_answer(scene: Scene) -> str:
    """Return what the words answer to the open question if it is one about something to be made; empty if nothing."""
    words, asked = scene.heard.words, scene.standing.question
    if words.endswith("?") or is_thanks(words):
        return ""
    if asked == BEGIN and len(scene.standing.answers) > 1:
        agreed, refused = scene.standing.answers[:2]
        return agreed if _GO.fullmatch(words) else refused
    if asked == INFORMATION["component_type"]["prompt"]:
        return named_in(words, scene.standing.answers) or words
    return ""


def answered(scene: Scene) -> Act | None:
    """Go on after the open question was resolved with the words; None if it was about something else."""
    if scene.standing.question == BEGIN:
        return _answer_begin(scene)
    is_kind = scene.standing.question == INFORMATION["component_type"]["prompt"]
    return _note(scene, "component_type") if is_kind else None


def changes(scene: Scene) -> Act | None:
    """Take in the owner's change, and propose the plan again, because no information is missing."""
    standing, words = scene.standing, scene.heard.words
    is_planned = standing.phase in ("understanding", "planning") and standing.kind in _MADE and not standing.missing
    if not is_planned or words.endswith("?") or is_thanks(words) or _names_goal(scene, words):
        return None
    return _answer_begin(scene) if _GO.fullmatch(words) else Act(replies.changed(words), _PROPOSING)


def is_pleased(scene: Scene) -> Act | None:
    """Note that the owner is satisfied with the draft."""
    if not _PLEASED.search(scene.heard.words):
        return None
    if scene.standing.phase == "completed":  # the app has understood it already
        return Act(replies.thanks(scene.heard, made=True))
    return Act(calls=[ToolCall(FEEL, {"feedback": "satisfied"})]) if scene.standing.phase == "reviewing" else None


def worked(scene: Scene) -> Act | None:
    """Show the draft."""
    came = scene.came_of(FINISH)
    if came is None or came.is_error:
        return None
    goal, told = scene.standing.goal, [words for words in scene.heard.earlier if _is_content(scene, words)]
    again = _has_draft(scene)
    if not _is_built(goal):
        return Act(replies.draft(goal, told, again=again))
    features, changed = _FRAMEWORK.sub("", "".join(told[:1])).strip(), [_REFUSED.sub("", words) for words in told[1:]]
    tag = "button" if "calculator" in goal.casefold() else "section"
    frame = replies.Frame(goal, parts_of(features) or [features], changed, tag)
    return Act(replies.built(frame, again=again))


def felt(scene: Scene) -> Act | None:
    """Answer what the owner thinks of the plan or the draft."""
    came = scene.came_of(FEEL)
    if came is None or scene.came_of(PROPOSE):
        return None
    return Act(replies.DIFFERENT if came.given["feedback"] == "changes" else replies.thanks(scene.heard, made=True))


def is_thanks(words: str) -> bool:
    """Return True if the words begin with thanks."""
    return _THANKS.match(words) is not None


def is_wish(words: str) -> bool:
    """Return True if the words ask for something to be made."""
    return _MAKE.match(words) is not None


def _equip(scene: Scene) -> Act:
    words = scene.heard.words
    found = _FRAMEWORK.search(words)
    kind = found["name"] if found else _PLAIN
    noted = (
        ToolCall(RECORD, {"name": "component_type", "value": kind}),
        ToolCall(RECORD, {"name": "requirements", "value": words[:2_000]}),
    )
    return Act(replies.plan_built(scene.standing.goal, kind, plain=found is None), [*noted, *_PROPOSING])


def _note(scene: Scene, name: str) -> Act:
    noted = ToolCall(RECORD, {"name": name, "value": scene.heard.words[:2_000]})
    missing = next((other for other in scene.standing.missing if other != name and other in INFORMATION), "")
    if missing:
        return Act(replies.noted(scene.heard), [noted, ToolCall(ASK, INFORMATION[missing])])
    return Act(replies.plan(scene.standing.goal), [noted, *_PROPOSING])


def _answer_begin(scene: Scene) -> Act:
    words, unhappy = scene.heard.words, ToolCall(FEEL, {"feedback": "changes"})
    if _GO.fullmatch(words):
        name = "Next draft" if _has_draft(scene) else "First draft"
        made = {"summary": f"{name}: {scene.standing.goal}"[:500], "artefacts": [name]}
        return Act(calls=[ToolCall(START), ToolCall(FINISH, made)])
    if _NO.fullmatch(words):
        return Act(calls=[unhappy])
    return Act(replies.changed(_REFUSED.sub("", words)), [unhappy, *_PROPOSING])


def _is_built(words: str) -> bool:
    return _BUILT.search(words) is not None


def _has_draft(scene: Scene) -> bool:
    """Return True if work has begun before in this thread."""
    return any(_GO.fullmatch(words) for words in scene.heard.earlier)


def _names_goal(scene: Scene, words: str) -> bool:
    """Return True if the words are the wish that the goal is made of."""
    found = _MAKE.match(words)
    return found is not None and found["wish"].strip().casefold() in scene.standing.goal.casefold()


def _is_content(scene: Scene, words: str) -> bool:
    """Return True for words that belong into the draft: no wish to have it made, no yes or no, no thanks."""
    is_talk = any(each.fullmatch(words) for each in (_GO, _NO, _NEVER_MIND)) or is_thanks(words)
    return bool(words) and not is_talk and not _names_goal(scene, words)
