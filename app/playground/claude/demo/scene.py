"""The situation of a request for the scripted demo model, beside the person's words, and an act in it.

The situation is the state of the thread, the question asked, and the results of calls. It is read from what the app
tells every model. Pure, and independent of the app.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.playground.claude.api.prompt import Json, Message, Prompt
from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.request import GOES_ON, Heard, hear, own_lines_of

ASK = "ask_user"

_STATE = re.compile(r"<state>\n(.*?)\n</state>\s*\Z", re.DOTALL)
_CLOCK = re.compile(r"^Time: (\w{3} \d{2} \w{3} \d{4} \d{2}:\d{2})", re.MULTILINE)
_PHASE = re.compile(r"^Conversation Phase: (\w+)", re.MULTILINE)
_KIND = re.compile(r"^Type: (\w+)", re.MULTILINE)
_GOAL = re.compile(r"^Description: (.+)", re.MULTILINE)
_MISSING = re.compile(r"^\? (\w+):", re.MULTILINE)
_OPEN = re.compile(r'^Your question is still open: "(.*)"$', re.MULTILINE)
_ANSWERS = re.compile(r"^Its answers: (.+)", re.MULTILINE)
_PLAN = re.compile(r"^Scheduled: (.+)", re.MULTILINE)
_RUN = re.compile(r"^This is a run of the schedule", re.MULTILINE)
_RESUMED = re.compile(r"^The run of the schedule goes on", re.MULTILINE)
_LAST_RUN = re.compile(r"^Last run: (\S+)", re.MULTILINE)
_DATA = re.compile(r"^Step: .*?\. Data: (\{.*\})$", re.MULTILINE)
_STOPPED = "[Request interrupted by user"

_CHANGES = "Changed since; the rest stands."
_GONE = "Gone: "
_NOTHING_LEFT = "(nothing any more)"
_ONCE = "In this turn alone:"
_SUBJECT = re.compile(r"(?:[?✓] (?P<name>\w+)|(?P<field>[A-Z][A-Za-z0-9 ,()]{0,50})): ")


@dataclass(frozen=True)
class Standing:
    """Content of the block at the end of a user turn; empty without one."""

    clock: datetime | None = None
    """The local time of the person, to the minute."""
    phase: str = ""
    kind: str = ""
    """Kind of the goal."""
    goal: str = ""
    missing: Sequence[str] = ()
    """Names of the information that the goal still needs."""
    is_open: bool = False
    """True if a question waits for its answer."""
    question: str = ""
    """That question."""
    answers: Sequence[str] = ()
    plan: str = ""
    is_run: bool = False
    """True in a run of a schedule, which no message started."""
    is_resumed: bool = False
    """True if the run goes on with the answer to its question."""
    last_run: str = ""
    """Time of the previous run, in ISO 8601."""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Data that earlier runs have left."""

    @property
    def runs(self) -> bool:
        """Return True for a run: nobody waits for the words."""
        return self.is_run or self.is_resumed


@dataclass(frozen=True)
class Outcome:
    """One call of the newest round, and the app's answer."""

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
    outcomes: Sequence[Outcome]
    asked: Mapping[str, Any] | None
    """The question with buttons that these words answer, if any."""
    written: str
    """The person's own words in this turn, line by line. Other people's words are never commands."""
    stopped: Sequence[Outcome]
    """The calls that the person stopped, if these words say what they want instead."""

    def came_of(self, tool: str) -> Outcome | None:
        """Return the outcome of the tool's call in the last round; None if it was not called."""
        return next((outcome for outcome in self.outcomes if outcome.tool == tool), None)

    def was_asked(self, prompt: str) -> bool:
        """Return True if these words answer this question."""
        return self.asked is not None and self.asked.get("prompt") == prompt


@dataclass(frozen=True)
class Act:
    """A reply, and the calls after it."""

    words: str = ""
    calls: Sequence[ToolCall] = ()


Acts = Callable[[Scene], Act | None]


def scene(prompt: Prompt) -> Scene:
    """Read a request."""
    *before, newest = prompt.messages
    told = _follow_states(prompt.messages)
    standing = stands(told[-1] if told else "")
    goes_on = bool(before) and not newest.text.strip()
    written = own_lines_of(prompt.last_user_text)
    asked = [message.text for message in prompt.messages if message.role == "user" and message.text]
    is_repeated = bool(GOES_ON.match(written)) and len(asked) > 1
    if is_repeated:
        written = own_lines_of(asked[-2])
    return Scene(
        heard=hear(prompt),
        standing=standing,
        tools=frozenset(str(tool.get("name")) for tool in prompt.tools),
        outcomes=outcomes_in(before[-1], newest) if goes_on else (),
        asked=None if goes_on or standing.is_open else _asked(prompt.messages, told),
        written=written,
        stopped=_stopped(before[-1], newest) if before and not goes_on and not is_repeated else (),
    )


def _follow_states(messages: Sequence[Message]) -> list[str]:
    """Return the whole state at each message; a block tells it, or what has changed since the block before."""
    stood, told = list[str](), dict[str, dict[str, str]]()
    for message in messages:
        if message.role == "user" and (block := _STATE.search(message.text)):
            told.pop(_ONCE, None)
            _follow(block[1].splitlines(), told)
        stood.append("\n".join(line for lines in told.values() for line in lines.values()))
    return stood


def _follow(lines: Sequence[str], told: dict[str, dict[str, str]]) -> None:
    heading = ""
    if _CHANGES not in lines[:1]:
        told.clear()
    for line in lines:
        if line == _NOTHING_LEFT:
            told.pop(heading, None)
        elif line.startswith(_GONE):
            told.get(heading, {}).pop(line.removeprefix(_GONE), None)
        elif line.endswith(":"):
            heading = line
        elif line != _CHANGES:
            found = _SUBJECT.match(line)
            told.setdefault(heading, {})[(found["name"] or found["field"]) if found else line] = line


def stands(told: str) -> Standing:
    """Read a whole state."""
    answers = _first(_ANSWERS, told)
    clock = _first(_CLOCK, told)
    return Standing(
        clock=datetime.strptime(clock, "%a %d %b %Y %H:%M") if clock else None,  # noqa: DTZ007  it has no zone
        phase=_first(_PHASE, told),
        kind=_first(_KIND, told),
        goal=_first(_GOAL, told),
        missing=_MISSING.findall(told),
        is_open=_OPEN.search(told) is not None,
        question=_first(_OPEN, told),
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
    """Return the outcomes of the calls of one round."""
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


def _asked(messages: Sequence[Message], stood: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the newest question, if it was open at every message since."""
    for place in range(len(messages) - 2, -1, -1):
        called, answered = messages[place : place + 2]
        asked = next((o for o in outcomes_in(called, answered) if o.tool == ASK and not o.is_error), None)
        if asked:
            since = zip(messages[place + 1 : -1], stood[place + 1 : -1], strict=True)
            said = (told for message, told in since if message.role == "user" and message.text)
            return asked.given if all(stands(told).is_open for told in said) else None
    return None
