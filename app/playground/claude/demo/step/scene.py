"""The situation in a step for the scripted demo model: the step, its notes, and its needs.

It is read from what the app tells every model. Pure, and independent of the app.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, cast

from app.playground.claude.api.prompt import Message, Prompt, is_object
from app.playground.claude.demo.request import Heard, attributed_in, hear, lines_of
from app.playground.claude.demo.scene import Outcome, outcomes_in

_TITLE = re.compile(r"You (?:lead|write up) one step of a decision in a Slack thread: (.+?)\. ")
_STEP = re.compile(r"<step>\n(.*?)\n</step>", re.DOTALL)
_PHASE = re.compile(r"^Phase: (\w+)", re.MULTILINE)
_NEEDED = re.compile(r"^(?:Still needed: (.+)|Nothing is missing .*)", re.MULTILINE)
_NOTED = re.compile(
    r"^Noted (?:so far|in [\w.]+|ratings .*):\n(.*?)(?=^Still needed: |^Nothing is missing |\Z)", re.M | re.S
)
_KNOWN = re.compile(r"^(?:Objectives|Options|Status quo): (.+)", re.MULTILINE)
_ITEM = re.compile(r"([A-Z]{1,2}\d{1,3}) (.+?)(?=, [A-Z]{1,2}\d{1,3} |$)")
_QUESTION = re.compile(r'"([^"]+\?)"')
_CLOCK = re.compile(r"^Today: \w{3} (\d{2} \w{3} \d{4})", re.MULTILINE)
_HANDLE = re.compile(r"\b[A-Z]{1,2}\d{1,3}\b")
_RATED = re.compile(r"^(O\d{1,3}): (A\d{1,3} (?:[+-]?\d|not known).*)$", re.MULTILINE)
_RATING = re.compile(r"\b(A\d{1,3}) ([+-]?\d)")
_CHOSEN = re.compile(r"^Ratings that people chose in a window\b.*\n((?:O\d{1,3}: .*(?:\n|\Z))+)", re.MULTILINE)
_CHOICE = re.compile(r"(?:^|, )(A\d{1,3}) (not known|[+-]\d)")
_ANEW = re.compile(r"^.*<note\b[^>]*>Conversation reopened for additional discussion.*?</note>", re.DOTALL)
"""What came before a step was discussed again, such as the "yes" that had approved it: it is no answer now."""
_OWNER = re.compile(r"^Owner: (.+)", re.MULTILINE)
_BASELINE = re.compile(r"^Status quo: ([A-Z]\d{1,3})", re.MULTILINE)


@dataclass(frozen=True)
class StepScene:
    """One request in the interview of a step. `outcomes` are those of this turn's last round."""

    title: str
    heard: Heard
    words: str
    """People's words in this turn, line by line."""
    owner: str = ""
    """Name of the person who leads the decision; empty if it is not known."""
    others: Sequence[tuple[str, str]] = ()
    """Who else wrote in this turn, and their words."""
    phase: str = ""
    """Phase of the interview; empty without an interview."""
    noted: str = ""
    """The draft so far, one line per entry; of a field that was set again the newest line is the last."""
    block_needs: Sequence[str] = ()
    first_needs: Sequence[str] = ()
    """What the step needed when the turn began."""
    opening: str = ""
    """The first words of the step."""
    asked: str = ""
    """The model's newest words before the person's."""
    spoken: str = ""
    """All of the model's words so far."""
    advice: Sequence[str] = ()
    """Good questions that the app suggests for this phase."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Names of objectives and options, by handle."""
    baseline: str = ""
    handles: frozenset[str] = frozenset()
    """Handles of the items that there are, and of what earlier steps have found."""
    given: Mapping[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """The ratings so far, by option and objective."""
    chosen: Mapping[tuple[str, str], int | None] = field(default_factory=dict[tuple[str, str], int | None])
    """The ratings that people chose in a window, which stand; None for one that is not known."""
    today: date | None = None
    outcomes: Sequence[Outcome] = ()

    @property
    def question(self) -> str:
        """Return the last paragraph of what was asked."""
        return self.asked.rsplit("\n\n", 1)[-1]

    @property
    def said(self) -> int:
        """Return how many messages the person has written, with this turn's."""
        return sum(1 for words in (*self.heard.earlier, self.words) if words)

    def writer_of(self, clause: str) -> str:
        """Return the name of who wrote a part of `words`; empty if it is not known."""
        return next((who for who, words in self.others if clause in words), self.owner)

    @property
    def needs(self) -> Sequence[str]:
        """Return the needs of the step, from the newest call, or else from the start of the turn."""
        told = [found for outcome in self.outcomes if (found := _read_needs(outcome)) is not None]
        return told[-1] if told else self.block_needs


def step_scene(prompt: Prompt) -> StepScene:
    """Read a request about a step."""
    *before, newest = prompt.messages
    said, told = _ANEW.sub("", prompt.last_user_text), _read_told(prompt.messages)
    block = "\n\n".join(each for _, blocks in told for each in blocks)
    noted = [words for calls, blocks in told for words in _list_noted(calls, blocks)]
    replies = [message.text for message in before if message.role == "assistant" and message.text]
    goes_on = bool(before) and not newest.text.strip()
    clock, baseline = [*_CLOCK.finditer(block)][-1:], _BASELINE.search(block)
    return StepScene(
        title=title_of(prompt),
        heard=hear(prompt),
        words=lines_of(said),
        owner=(_OWNER.findall(block) or [""])[-1],
        others=attributed_in(said),
        phase=(_PHASE.findall(block) or [""])[-1],
        noted="\n".join(noted),
        block_needs=_needs(told),
        first_needs=_needs(told[: _count_begun(prompt)]),
        opening=replies[0] if replies else "",
        asked=replies[-1] if replies else "",
        spoken="\n".join(replies),
        advice=[each for each in _QUESTION.findall(block) if "[" not in each],  # the others are forms with blanks
        names={handle: name for line in _KNOWN.findall(block) for handle, name in _ITEM.findall(line)},
        baseline=baseline[1] if baseline else "",
        handles=_follow_handles(told),
        given=_follow_ratings(told),
        chosen={
            (option, row[1]): None if step == "not known" else int(step)
            for rows in _CHOSEN.findall(block)
            for row in _RATED.finditer(rows)
            for option, step in _CHOICE.findall(row[2])
        },
        today=datetime.strptime(clock[0][1], "%d %b %Y").date() if clock else None,  # noqa: DTZ007  a date without a zone
        outcomes=told[-1][0] if goes_on else (),
    )


_Told = tuple[Sequence[Outcome], Sequence[str]]
"""What a message tells of a step: the outcomes of the calls before it, and blocks."""


def _read_told(messages: Sequence[Message]) -> Sequence[_Told]:
    pairs = zip((None, *messages), messages, strict=False)  # the last one has no answer yet
    return [(outcomes_in(called, each) if called else (), _STEP.findall(each.text)) for called, each in pairs]


def _count_begun(prompt: Prompt) -> int:
    """Return the number of messages up to the one that began the turn."""
    return max((place for place, each in enumerate(prompt.messages, 1) if each.role == "user" and each.text), default=1)


def _needs(told: Sequence[_Told]) -> Sequence[str]:
    """Return what the step needs: the newest word on it, whether a call has brought it or a block."""
    for calls, blocks in reversed(told):
        if brought := [found for each in calls if (found := _read_needs(each)) is not None]:
            return brought[-1]
        if newest := [need for block in blocks for need in _NEEDED.findall(block)]:
            return newest[-1].split("; ") if newest[-1] else ()
    return ()


def _list_noted(calls: Sequence[Outcome], blocks: Sequence[str]) -> list[str]:
    """Return the notes that a message tells, and the fields that calls have set: the app does not tell them again."""
    set_ = [each.given["fields"] for each in calls if each.tool == "set_fields" and not each.is_error]
    told = [words for block in blocks for words in _NOTED.findall(block)]
    return [*(f"{name}: {value}" for fields in set_ for name, value in fields.items()), *told]


def _follow_ratings(told: Sequence[_Told]) -> Mapping[tuple[str, str], int]:
    """Return the ratings as the newest word on each tells them, whether a block or a call of the model."""
    given = dict[tuple[str, str], int]()
    for calls, blocks in told:
        for call in (each.given for each in calls if each.tool == "rate" and not each.is_error):
            given |= {(each["option"], call["objective"]): each["rating"] for each in call["ratings"]}
        for row in (row for block in blocks for row in _RATED.finditer(block)):
            given |= {(option, row[1]): int(step) for option, step in _RATING.findall(row[2])}
    return given


def _follow_handles(told: Sequence[_Told]) -> frozenset[str]:
    """Return the handles that blocks and calls have told, but for those of items taken out since."""
    handles = set[str]()
    for calls, blocks in told:
        for each in calls:
            if each.tool in ("drop_item", "move_item") and not each.is_error:
                handles.discard(each.given["item"])
            handles |= {result_of(each).get("item", "")}
        for block in blocks:
            handles |= set(_HANDLE.findall(block))
    return frozenset(handles)


def _read_needs(outcome: Outcome) -> Sequence[str] | None:
    """Return what a call tells is needed; None if it tells nothing, or nothing new."""
    told = result_of(outcome).get("still_needed")
    return cast("list[str]", told) if isinstance(told, list) else None


def title_of(prompt: Prompt) -> str:
    """Return the step that the request is about; empty if there is none."""
    found = _TITLE.search("\n".join(str(block.get("text", "")) for block in prompt.system))
    return found[1] if found else ""


def result_of(outcome: Outcome) -> Mapping[str, Any]:
    """Return the app's answer to a call of a step."""
    try:
        told = json.loads(outcome.told)
    except ValueError:
        return {}
    return told if is_object(told) else {}
