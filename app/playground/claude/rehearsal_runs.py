"""Runs of the scripted demo model: a digest of a channel, a count, an order; else it reminds.

It keeps silent if there is no news, asks if there is more than one topic, and ends what it can with the tools for it.
Pure.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from app.playground.claude import rehearsal_outside as outside
from app.playground.claude import rehearsal_telling as reminding
from app.playground.claude import rehearsal_telling_outside as telling
from app.playground.claude.rehearsal_hearing import shortened
from app.playground.claude.rehearsal_scene import ASK, Act, Scene
from app.playground.claude.script import ToolCall

CONTINUE, COMPLETE = "continue_work", "complete_work"
WHICH = "Which of these shall I follow up?"
_MOST_TOPICS = 4
_LONGEST_TOPIC = 70  # characters

_NUMBERS: Mapping[str, int] = {"two": 2, "three": 3, "four": 4, "five": 5}
_COUNT = re.compile(rf"\bcount to (?P<last>[2-5]|{'|'.join(_NUMBERS)})\b", re.IGNORECASE)


def begun(scene: Scene) -> Act | None:
    """Begin a run, or go on with the answer to what it asked; None if nothing has come due."""
    if scene.was_asked(WHICH):
        said = telling.followed(scene.heard.words)
        can_end = scene.standing.runs and COMPLETE in scene.tools
        return Act(said, [_complete(state_update={"follow_up": scene.heard.words})] if can_end else [])
    if not scene.standing.is_run:
        return None
    return _counts(scene) or outside.wanted(scene) or Act(reminding.run(scene.heard))


def digested(scene: Scene) -> Act | None:
    """Tell what is new in a channel that was read in a run."""
    came = scene.came_of(outside.READ)
    if came is None or came.is_error or not scene.standing.runs or COMPLETE not in scene.tools:
        return None
    told: Mapping[str, Any] = json.loads(came.told)
    said = outside.messages_in(told)
    if not said:
        return Act(calls=[_complete(silent=True)])
    shown = (shortened(words, _LONGEST_TOPIC) for _, words in said)
    topics = list(dict.fromkeys(filter(None, shown)))[-_MOST_TOPICS:]
    if len(topics) > 1 and ASK in scene.tools:
        asked = {"type": "choice", "prompt": WHICH, "options": topics, "allow_something_else": True}
        return Act(telling.digest(told, said), [ToolCall(ASK, asked)])
    return Act(telling.digest(told, said), [_complete()])


def _counts(scene: Scene) -> Act | None:
    """Count one further in each run, which shows what a run leaves to the next one."""
    found = _COUNT.search(scene.written)
    if found is None or not scene.tools.issuperset((CONTINUE, COMPLETE)):
        return None
    last = _NUMBERS.get(found["last"].lower()) or int(found["last"])
    count = int(scene.standing.data.get("count", 0)) + 1
    if count < last:
        left = {"state_update": {"count": count}, "next_step": f"Say {count + 1}"}
        return Act(telling.counted(count, last), [ToolCall(CONTINUE, left)])
    return Act(telling.counted(count, last), [_complete(state_update={"count": None})])


def _complete(**given: Any) -> ToolCall:
    return ToolCall(COMPLETE, given)
