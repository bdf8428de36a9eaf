"""The scripted demo model: a deterministic script that replaces Claude if there is no API key.

It says in every answer that it is a script; in a step of a decision, only once. `acts` and `external` use the tools,
`step` leads a step, and one table here recognizes and answers all else. Knows no HTTP.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.playground.claude.api.prompt import Prompt
from app.playground.claude.api.script import Pace, Text, ToolCall, Turn
from app.playground.claude.api.web.definitions import SEARCH, find_web_tool
from app.playground.claude.demo import replies
from app.playground.claude.demo.acts import act
from app.playground.claude.demo.long_answer import long_answer
from app.playground.claude.demo.making import is_wish
from app.playground.claude.demo.memory import remember
from app.playground.claude.demo.request import Heard, quoted
from app.playground.claude.demo.scene import Act, scene
from app.playground.claude.demo.step.leading import step_act

LABEL = "_Rehearsal model: a script, not Claude. Set ANTHROPIC_API_KEY for the real one._"
_ONE_SCREEN = 1500  # characters
HUMAN_PACE = Pace(chunk=5, seconds=0.035)  # about 30 tokens a second

_MOST_DELTAS = 10
"""Deltas of the calls of one answer, which people do not see grow: a third of a second in all."""

_AT_ONCE = Pace(chunk=500, call_chunk=5_000)
"""The pace in a step: what is written there is shown as a whole, so nobody reads along.

Each delta costs the reader about a millisecond, and a large table in small deltas would take seconds.
"""

Recognises = Callable[[Heard], bool]
Replies = Callable[[Heard], str]


def _says(pattern: str, at_most: int | None = None) -> Recognises:
    """Return a recognizer of a pattern; with `at_most`, only in texts of at most that many words."""
    compiled = re.compile(pattern, re.IGNORECASE)

    def recognises(heard: Heard) -> bool:
        fits = at_most is None or len(heard.words.split()) <= at_most
        return fits and compiled.search(heard.words) is not None

    return recognises


ROWS: tuple[tuple[Recognises, Replies], ...] = (
    (lambda heard: not heard.words, lambda _: replies.LISTENING),
    (
        _says(
            r"\blong(er)? (answer|version|reply|text|one)\b|\bdetail(ed|s)?\b|\bat length\b"
            r"|\bwalk (me|us) through\b|\bstep by step\b|\bessay\b|\belaborate\b"
        ),
        long_answer,
    ),
    (_says(r"^\W*(hi|hello|hey|good (morning|afternoon|evening))\b", at_most=6), replies.greeting),
    (
        _says(r"^\W*(thanks|thank you|cheers|great|perfect|bye|goodbye)\b", at_most=6),
        lambda heard: replies.thanks(heard, made=any(map(is_wish, heard.earlier))),
    ),
    (
        _says(
            r"\b(who|what) are you\b|\bare you (claude|real|human|an? )|\bwhat can you do\b"
            r"|^\W*help\W*$|\bhow does this work\b"
        ),
        lambda _: replies.INTRODUCTION,
    ),
    (lambda heard: bool(heard.options), replies.choice),
    (
        _says(r"\?\W*$|^\W*(what|why|how|when|where|who|which|can|could|is|are|does|do)\b"),
        replies.question,
    ),
    (
        _says(r"\b(not sure|unsure|don't know|worried|afraid|risk|depends|uncertain|unclear)\b"),
        replies.doubt,
    ),
    (_says(r"\b(i|we)( really|'d| would)? (want|need|hope|like|wish)\b|\bgoal\b"), replies.wish),
    (lambda _: True, replies.statement),
)
"""Recognizers and replies. The first row that recognizes the words replies to them."""


def rehearsal(pace: Pace = HUMAN_PACE) -> Callable[[Prompt], Turn]:
    """Return the model, for `Script.answer_always`."""

    def answer(prompt: Prompt) -> Turn:
        if remembered := remember(prompt):
            return Turn(remembered, pace=_AT_ONCE)
        if find_web_tool(prompt, SEARCH):
            return Turn(replies.NO_WEB, pace=_AT_ONCE)
        if led := step_act(prompt):
            said = [Text(_led(prompt, led.words))] if led.words else []
            return Turn(parts=[*said, *led.calls], pace=_AT_ONCE)
        now = scene(prompt)
        done = act(now) or Act(next(replies for recognises, replies in ROWS if recognises(now.heard))(now.heard))
        said = [Text(_signed(now.heard, done.words))] if done.words else []
        return Turn(parts=[*said, *done.calls], pace=_hurry_calls(pace, done.calls))

    return answer


def _hurry_calls(pace: Pace, calls: Sequence[ToolCall]) -> Pace:
    """Return the pace with deltas of calls so large that there are few."""
    longest = max((len(json.dumps(call.input)) for call in calls), default=0)
    per_call = max(_MOST_DELTAS // (len(calls) or 1), 1)
    return replace(pace, call_chunk=math.ceil(longest / per_call))


def _led(prompt: Prompt, words: str) -> str:
    # Once in a thread, and at the start: an answer of a step has to end with its question.
    is_labelled = any(LABEL in message.text for message in prompt.messages if message.role == "assistant")
    return words if is_labelled else f"{LABEL}\n\n{words}"


def _signed(heard: Heard, words: str) -> str:
    # A long answer may be stopped half-way, so the label is at its beginning.
    signed = [LABEL, words] if len(words) > _ONE_SCREEN else [words, LABEL]
    sent = [replies.files(heard.files)] if heard.files else []
    return "\n\n".join([*sent, *_others(heard), *signed])


def _others(heard: Heard) -> list[str]:
    """Acknowledge what other people wrote, as theirs."""
    return [f"{who} adds {quoted(words)} – I keep that as {who}'s view." for who, words in heard.others if words]
