"""Acts of the scripted demo model: in conversation, about its plan, and in the runs of a schedule."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo import external, making, replies
from app.playground.claude.demo.making import FEEL, FINISH, GOAL, PROPOSE, RECORD, START
from app.playground.claude.demo.request import named_in, options_in, parts_of, shortened
from app.playground.claude.demo.scene import ASK, Act, Acts, Scene
from app.playground.claude.demo.times import a_minute_later, order_in, rhythm_in

CONTINUE, COMPLETE = "continue_work", "complete_work"
WHICH = "Which of these shall I follow up?"
_MOST_TOPICS = 4
_LONGEST_TOPIC = 70  # characters

_COUNTS: Mapping[str, int] = {"two": 2, "three": 3, "four": 4, "five": 5}
_COUNT = re.compile(rf"\bcount to (?P<last>[2-5]|{'|'.join(_COUNTS)})\b", re.IGNORECASE)


def begun(scene: Scene) -> Act | None:
    """Begin a run, or go on with the answer to its question; None if this is no run."""
    if scene.was_asked(WHICH):
        said = replies.followed(scene.heard.words)
        can_end = scene.standing.runs and COMPLETE in scene.tools
        return Act(said, [_complete(state_update={"follow_up": scene.heard.words})] if can_end else [])
    if not scene.standing.is_run:
        return None
    return _counts(scene) or external.wanted(scene) or Act(replies.run(scene.heard))


def digested(scene: Scene) -> Act | None:
    """Tell what is new in a channel that was read in a run."""
    came = scene.came_of(external.READ)
    if came is None or came.is_error or not scene.standing.runs or COMPLETE not in scene.tools:
        return None
    told: Mapping[str, Any] = json.loads(came.told)
    said = external.messages_in(told)
    if not said:
        return Act(calls=[_complete(silent=True)])
    shown = (shortened(words, _LONGEST_TOPIC) for _, words in said)
    topics = list(dict.fromkeys(filter(None, shown)))[-_MOST_TOPICS:]
    if len(topics) > 1 and ASK in scene.tools:
        asked = {"type": "choice", "prompt": WHICH, "options": topics, "allow_something_else": True}
        return Act(replies.digest(told, said), [ToolCall(ASK, asked)])
    return Act(replies.digest(told, said), [_complete()])


def _counts(scene: Scene) -> Act | None:
    """Count one further in each run, as an example of data that one run leaves to the next."""
    found = _COUNT.search(scene.written)
    if found is None or not scene.tools.issuperset((CONTINUE, COMPLETE)):
        return None
    last = _COUNTS.get(found["last"].lower()) or int(found["last"])
    count = int(scene.standing.data.get("count", 0)) + 1
    if count < last:
        left = {"state_update": {"count": count}, "next_step": f"Say {count + 1}"}
        return Act(replies.counted(count, last), [ToolCall(CONTINUE, left)])
    return Act(replies.counted(count, last), [_complete(state_update={"count": None})])


def _complete(**given: Any) -> ToolCall:
    return ToolCall(COMPLETE, given)


SCHEDULE, CANCEL, RESOLVE = "schedule_work", "cancel_schedule", "resolve_question"
OFFER = "offer_decision"
_TO_DECIDE = re.compile(
    r"\b(?:we|i)(?:'ve got| have| need|'ll have) to decide\b"
    r"(?P<what> (?:where|how|whether|which|what|who|when)\b[^.?!]*)?"
    r"|\b(?:guided|make a) decision\b",
    re.IGNORECASE,
)
_LONGEST_QUESTION = 200  # characters
LEAN = "Which way do you lean today?"
BETWEEN = "Between what do you choose? Name the options, with commas."
_HELP_CHOOSE = re.compile(r"\bhelp (me|us) (to )?(choose|decide|pick)\b|\b(can't|cannot) decide\b", re.IGNORECASE)
_CALL_OFF = re.compile(r"\b(stop|cancel|no more|don't|do not|never again|enough of)\b", re.IGNORECASE)
_HOLDS = re.compile(r"\b(?:pause|unpause|resume)\b", re.IGNORECASE)
_ASKS_WHEN = re.compile(r"^\W*(?:and )?when\b.*\b(?:next|run|again)\b|\bnext (?:run|time)\b.*\?", re.IGNORECASE)
_ANOTHER_TIME = re.compile(
    r"^\W*(?:please |can you |could you |and |no,? )*(?:make (?:it|that)|change (?:it|that|the time)|move (?:it|that)"
    r"|reschedule(?: it)?|do it|rather|better)\b.*(?:\d|\bnoon\b|\bday\b|day\b|\bearlier\b|\blater\b)",
    re.IGNORECASE,
)
_HOLDING = "Only you can do that, on the card above: *Pause* holds it, and *Resume* lets it go on."
_WHICH_TIME = (
    "Gladly. Say it with its days, such as *make it every weekday at 10*, and I change the plan.\n\n"
    "**When shall it be?**"
)
_PAST = "in the past"


def act(scene: Scene) -> Act | None:
    """Return the act for a request; None if a reply is enough."""
    rows = FOLLOWING if scene.outcomes else BEGINNING
    acts = (acts(scene) for needed, acts in rows if scene.tools.issuperset(needed))
    return next((found for found in acts if found), None)


# --- the beginning of a turn ---


def _plans(scene: Scene) -> Act | None:
    order = order_in(scene.heard.words, scene.standing.clock)
    return Act(calls=[ToolCall(SCHEDULE, order)]) if order else None


def _about_plan(scene: Scene) -> Act | None:
    """Give the plan another time, or say what is known of it and what only its owner can do with it."""
    plan, words = scene.standing.plan, scene.heard.words
    if not plan or scene.standing.runs:
        return None
    if _HOLDS.search(words):
        return Act(_HOLDING)
    if _ASKS_WHEN.search(words):
        return Act(replies.planned(plan))
    if not _ANOTHER_TIME.search(words):
        return None
    rhythm = rhythm_in(words)
    if rhythm is None:
        return Act(_WHICH_TIME)
    return Act(calls=[ToolCall(SCHEDULE, {**rhythm, "instruction": plan.partition(". ")[2]})])


def _calls_off(scene: Scene) -> Act | None:
    wanted = scene.standing.plan and _CALL_OFF.search(scene.heard.words)
    return Act(calls=[ToolCall(CANCEL)]) if wanted else None


def _understands(scene: Scene) -> Act | None:
    if not scene.standing.is_open:
        return None
    meant = making.read_answer(scene) or named_in(scene.heard.words, scene.standing.answers)
    if meant:
        return Act(calls=[ToolCall(RESOLVE, {"value": meant})])
    said = scene.heard
    return Act(replies.thanks(said, made=True) if making.is_thanks(said.words) else replies.aside(said))


def _asks_between(scene: Scene) -> Act | None:
    if not _HELP_CHOOSE.search(scene.heard.words):
        return None
    return Act(replies.WILLING, [ToolCall(ASK, {"type": "input", "prompt": BETWEEN})])


def _offers(scene: Scene) -> Act | None:
    """Offer a guided decision about what has to be decided, in the words of the person."""
    found = _TO_DECIDE.search(scene.heard.words)
    if found is None:
        return None
    what = (found["what"] or "").strip()
    question = f"{what[:1].upper()}{what[1:]}?" if what else scene.heard.words
    return Act(calls=[ToolCall(OFFER, {"question": shortened(question, _LONGEST_QUESTION)})])


BEGINNING: Sequence[tuple[Sequence[str], Acts]] = (
    ((), begun),
    ((), external.redirected),
    ((), making.lets_go),
    ((SCHEDULE,), _plans),
    ((), external.wanted),
    ((SCHEDULE,), _about_plan),
    ((CANCEL,), _calls_off),
    ((RESOLVE,), _understands),
    ((START, FINISH, FEEL), making.begins),
    ((RECORD, PROPOSE, ASK), making.informs),
    ((), lambda scene: Act(replies.leaning(scene.heard)) if scene.was_asked(LEAN) else None),
    ((OFFER,), _offers),
    ((ASK,), lambda scene: _choice(scene, parts_of(scene.heard.words)) if scene.was_asked(BETWEEN) else None),
    ((PROPOSE, ASK), making.changes),
    ((GOAL, ASK), making.wishes),
    ((ASK,), lambda scene: _choice(scene, options_in(scene.heard.words))),
    ((ASK,), _asks_between),
    ((FEEL,), making.is_pleased),
)

# --- after the calls of a turn ---


def _planned(scene: Scene) -> Act | None:
    came = scene.came_of(SCHEDULE)
    if came is None:
        return None
    if not came.is_error:
        return Act(replies.scheduled(came.told))
    if "run_at" in came.given and _PAST in came.told:
        return Act(calls=[ToolCall(SCHEDULE, a_minute_later(came.given))])
    return Act(replies.not_scheduled(came.told))


def _understood(scene: Scene) -> Act | None:
    came = scene.came_of(RESOLVE)
    if came is None:
        return None
    if came.is_error:
        return Act(replies.aside(scene.heard))
    return making.answered(scene) or Act(replies.understood(came.told))


FOLLOWING: Sequence[tuple[Sequence[str], Acts]] = (
    ((), digested),
    ((), external.came),
    ((), _planned),
    ((), lambda scene: Act(replies.CALLED_OFF) if scene.came_of(CANCEL) else None),
    ((), lambda scene: Act(replies.OFFERED) if scene.came_of(OFFER) else None),
    ((), _understood),
    ((), making.worked),
    ((), making.felt),
)


def _choice(scene: Scene, options: Sequence[str]) -> Act | None:
    """Lay the options out and let the person lean towards one; None if these are no options."""
    if not options:
        return None
    offered = replies.with_status_quo(options)
    asked = {"type": "choice", "prompt": LEAN, "options": list(offered), "allow_something_else": True}
    return Act(replies.laid_out(scene.heard, offered), [ToolCall(ASK, asked)])
