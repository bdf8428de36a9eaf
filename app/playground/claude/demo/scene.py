"""What the rehearsal model finds in a request beside the person's words: where the thread stands, what was asked and
what came of its calls; and what an act in it is. It reads what the app tells every model, and knows nothing of the app.
Pure.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.playground.claude.api.prompt import Json, Message, Prompt
from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.request import Heard, hear, own_lines_of

ASK = "ask_user"

_STATE = re.compile(r"<state>\n(.*?)\n</state>\s*\Z", re.DOTALL)
_CLOCK = re.compile(r"^Time: (\w{3} \d{2} \w{3} \d{4} \d{2}:\d{2})", re.MULTILINE)
_PHASE = re.compile(r"^Conversation Phase: (\w+)", re.MULTILINE)
_KIND = re.compile(r"^  Type: (\w+)", re.MULTILINE)
_GOAL = re.compile(r"^  Description: (.+)", re.MULTILINE)
_MISSING = re.compile(r"^    \? (\w+):", re.MULTILINE)
_OPEN = re.compile(r"^Your question is still open:", re.MULTILINE)
_ANSWERS = re.compile(r"^Its answers: (.+)", re.MULTILINE)
_PLAN = re.compile(r"^Scheduled: (.+)", re.MULTILINE)
_RUN = re.compile(r"^This is a run of the schedule", re.MULTILINE)
_RESUMED = re.compile(r"^The run of the schedule goes on", re.MULTILINE)
_LAST_RUN = re.compile(r"^Last run: (\S+)", re.MULTILINE)
_DATA = re.compile(r"^Step: .*?\. Data: (\{.*\})$", re.MULTILINE)
_STOPPED = "[Request interrupted by user"


@dataclass(frozen=True)
class Standing:
    """What the block at the end of a user turn tells; all of it empty where there is none."""

    clock: datetime | None = None
    """Where the person lives, to the minute."""
    phase: str = ""
    kind: str = ""
    """Of the goal."""
    goal: str = ""
    missing: Sequence[str] = ()
    """Names of what the goal still needs."""
    is_open: bool = False
    """Whether a question waits for its answer."""
    answers: Sequence[str] = ()
    plan: str = ""
    is_run: bool = False
    """Whether nobody spoke, but a plan has come due."""
    is_resumed: bool = False
    """Whether what came due goes on with the answer to what it asked."""
    last_run: str = ""
    """When the plan was last due before this, in ISO 8601."""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What earlier runs have left."""

    @property
    def runs(self) -> bool:
        """Whether this is work on a plan: nobody waits for the words."""
        return self.is_run or self.is_resumed


@dataclass(frozen=True)
class Outcome:
    """One call of the newest round, and what the app said to it."""

    tool: str
    given: Mapping[str, Any]
    told: str
    is_error: bool


@dataclass(frozen=True)
class Scene:
    """One request. `outcomes` are those of this turn's last round; there are none while the turn begins."""

    heard: Heard
    standing: Standing
    tools: frozenset[str]
    outcomes: Sequence[Outcome] = ()
    asked: Mapping[str, Any] | None = None
    """What was asked with buttons, if these words answer it."""
    written: str = ""
    """What the person wrote themselves in this turn, line by line: nobody else's words order anything."""
    stopped: Sequence[Outcome] = ()
    """The calls that the person did not want, if these words say what they want instead."""

    def came_of(self, tool: str) -> Outcome | None:
        """What came of the call of a tool in the last round; None if it was not called."""
        return next((outcome for outcome in self.outcomes if outcome.tool == tool), None)

    def was_asked(self, prompt: str) -> bool:
        """Whether these words answer this question."""
        return self.asked is not None and self.asked.get("prompt") == prompt


@dataclass(frozen=True)
class Act:
    """What is said, and what is called after it."""

    words: str = ""
    calls: Sequence[ToolCall] = ()


Acts = Callable[[Scene], Act | None]


def scene(prompt: Prompt) -> Scene:
    """Read a request."""
    *before, newest = prompt.messages
    standing = stands(prompt.last_user_text)
    goes_on = bool(before) and not newest.text.strip()
    return Scene(
        heard=hear(prompt),
        standing=standing,
        tools=frozenset(str(tool.get("name")) for tool in prompt.tools),
        outcomes=outcomes_in(before[-1], newest) if goes_on else (),
        asked=None if goes_on or standing.is_open else _asked(prompt.messages),
        written=own_lines_of(prompt.last_user_text),
        stopped=_stopped(before[-1], newest) if before and not goes_on else (),
    )


def stands(text: str) -> Standing:
    """Read the block at the end of a user turn."""
    block = _STATE.search(text)
    told = block[1] if block else ""
    answers = _first(_ANSWERS, told)
    clock = _first(_CLOCK, told)
    return Standing(
        clock=datetime.strptime(clock, "%a %d %b %Y %H:%M") if clock else None,  # noqa: DTZ007  a clock on a wall
        phase=_first(_PHASE, told),
        kind=_first(_KIND, told),
        goal=_first(_GOAL, told),
        missing=_MISSING.findall(told),
        is_open=_OPEN.search(told) is not None,
        answers=answers.split("; ") if answers else (),
        plan=_first(_PLAN, told),
        is_run=_RUN.search(told) is not None,
        is_resumed=_RESUMED.search(told) is not None,
        last_run=_first(_LAST_RUN, told),
        data=json.loads(_first(_DATA, told) or "{}"),
    )


def _first(pattern: re.Pattern[str], told: str) -> str:
    found = pattern.search(told)
    return found[1] if found else ""


def outcomes_in(called: Message, answered: Message) -> list[Outcome]:
    """What came of the calls of one round."""
    told = {str(result.get("tool_use_id")): result for result in answered.of("tool_result")}
    return [_outcome(call, told[call["id"]]) for call in called.of("tool_use") if call["id"] in told]


def _outcome(call: Json, result: Json) -> Outcome:
    return Outcome(
        tool=call["name"],
        given=call["input"],
        told=str(result.get("content", "")),
        is_error=bool(result.get("is_error")),
    )


def _stopped(called: Message, answered: Message) -> list[Outcome]:
    return [each for each in outcomes_in(called, answered) if each.is_error and each.told.startswith(_STOPPED)]


def _asked(messages: Sequence[Message]) -> Mapping[str, Any] | None:
    """The newest question, if it was open whenever something was said since."""
    for place in range(len(messages) - 2, -1, -1):
        called, answered = messages[place : place + 2]
        asked = next((o for o in outcomes_in(called, answered) if o.tool == ASK and not o.is_error), None)
        if asked:
            said = (message.text for message in messages[place + 1 : -1] if message.role == "user" and message.text)
            return asked.given if all(stands(text).is_open for text in said) else None
    return None
