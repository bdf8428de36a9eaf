"""The scripted demo model in a step: its questions, and the end of the interview."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.playground.claude.api.prompt import Prompt, is_object
from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.request import shortened
from app.playground.claude.demo.scene import Act, Outcome
from app.playground.claude.demo.step_notes import (
    CHOOSING,
    NOBODY,
    NOTE,
    NOTING,
    OWN_WORDS,
    RATE,
    SCOPE,
    SET,
    STATEMENT,
    WHO,
)
from app.playground.claude.demo.step_result import submission, summary
from app.playground.claude.demo.step_scene import StepScene, result_of, step_scene, title_of
from app.playground.claude.demo.step_words import changes, was_all

READY, CONFIRM = "ready_to_summarize", "resolve_confirmation"
ENOUGH = 3
"""Messages of people before it ends an interview that lacks nothing."""

_CONFIRMING = "confirm"
_NO_JUDGE = "I can't look that up, and I won't judge it: a script only sorts your words."
_MEANS = "The card above shows it all: *Approve* takes it, *Edit…* changes anything, *Request changes* leads back here."
_UNDERSTOOD = (
    "I can change an item by its handle: “change D1 to …”, “move D1 to uncertainties”, “drop D1”. "
    "Anything else is done with *Edit…* on the card."
)
_CHANGES_ASKED = "Request changes"
_WHAT_CHANGES = (
    "Tell me in your own words, or name an item: “change D1 to …”, “move D1 to uncertainties”, “drop D1”. "
    "What should be different?"
)
_APPROVES = re.compile(
    r"^\W*(?:yes|yep|yeah|ok(?:ay)?|i approve|approved?|(?:that |this |it |all )?(?:looks?|is|'s)"
    r" (?:all )?(?:good|fine|right|ok|correct)|that's (?:right|it|correct|fine|good)|all good|correct"
    r"|perfect|great|fine|lgtm)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(r"\b(?:but|except|not|wrong|change|however|missing)\b|\?", re.IGNORECASE)
_WRONG = re.compile(r"\b(?:wrong|not right|incorrect|missing|forgot|change|different)\b", re.IGNORECASE)
_MOST_WORDS = 8

_BOXES: Mapping[str, str] = {
    "potential_decisions": "a decision",
    "objectives": "something you want",
    "uncertainties": "something nobody knows yet",
    "considerations": "something to keep in mind",
    "fundamental_objectives": "what matters",
    "alternatives": "an option",
    "focal_decision.constraints": "a limit",
    "key_considerations": "a consideration",
    "remaining_uncertainties": "still uncertain",
    "elements": "a score",
    "planned_actions": "a next step",
    "open_questions": "an open question",
    "revisit_triggers": "a reason to look again",
    "notes": "a note",
}
"""Names that people use for the lists."""

_FIELDS: Mapping[str, str] = {
    "statement": "the decision",
    "name": "who decides",
    "role": "in the role",
    "scope": "what it is about",
    "deadline": "due on",
    "user_understanding": "the tradeoff, in your words",
    "synthesis": "what was computed",
    "in_the_users_words": "where it stands",
}
"""Names that people use for fields; the others need none."""


def step_act(prompt: Prompt) -> Act | None:
    """Return the act in a step; None if the request is about no step."""
    if not title_of(prompt):
        return None
    handed_in = submission(prompt)
    if handed_in:
        return Act(calls=[handed_in])
    scene = step_scene(prompt)
    assert scene is not None, "a step has a title"
    if not scene.phase:  # no interview, so nobody to ask
        return Act(summary(prompt))
    if scene.outcomes:
        return _gone_on(scene)
    return _confirming(scene) if scene.phase == _CONFIRMING else _discussing(scene)


def _noted(scene: StepScene) -> Sequence[ToolCall]:
    return NOTING[scene.title](scene) if scene.title in NOTING else ()


def _discussing(scene: StepScene) -> Act:
    """Note what was said, or go on if there is nothing to note. Ask for the change wanted if there are no words yet."""
    if not scene.outcomes and scene.words in ("", _CHANGES_ASKED):
        return Act(_WHAT_CHANGES)
    calls = changes(scene.words) or _noted(scene)
    return Act(calls=calls) if calls else _gone_on(scene)


def _gone_on(scene: StepScene) -> Act:
    """Read back the notes and ask; or end the interview if it is complete, or if the person says that this was all."""
    if refused := next((each for each in scene.outcomes if each.tool == READY), None):
        # A gap is named once; after a call that failed, the talk goes on.
        return Act(calls=[ToolCall(READY)]) if "Still needed" in refused.told else Act(question(scene))
    asks_us = scene.words.rstrip().endswith("?") and not scene.outcomes
    told = _NO_JUDGE if asks_us else "\n".join(_read_back(scene))
    is_enough = not scene.needs and scene.said >= ENOUGH and not asks_us
    if scene.phase != _CONFIRMING and (is_enough or was_all(scene.words)):
        return Act("\n\n".join(filter(None, (told, "I put it together now."))), [ToolCall(READY)])
    asks = _UNDERSTOOD if scene.phase == _CONFIRMING else question(scene)
    return Act("\n\n".join(filter(None, (told, asks))))


def _confirming(scene: StepScene) -> Act:
    """Handle words about a draft: approve it, change it and submit it again, or explain what can be done."""
    words = scene.words
    if was_all(words):
        return Act(_MEANS)
    if _APPROVES.match(words) and not _TAKES_BACK.search(words) and len(words.split()) <= _MOST_WORDS:
        return Act(calls=[ToolCall(CONFIRM, {"decision": "approve"})])
    changed = ToolCall(CONFIRM, {"decision": "change"})
    if wanted := changes(words):
        return Act("I change that and show it again.", [changed, *wanted])
    if words.rstrip().endswith("?"):
        return Act(f"{_NO_JUDGE} {_MEANS}")
    if _WRONG.search(words):
        return Act(f"{_UNDERSTOOD}\n\nWhich item is it, and what shall it be?", [changed])
    if more := _noted(scene):
        return Act("I add that and show it again.", [changed, *more])
    return Act(f"{_UNDERSTOOD} {_MEANS}")


def _read_back(scene: StepScene) -> Iterator[str]:
    """Yield the notes, each with its handle, and the notes that the app refused."""
    for outcome in scene.outcomes:
        told = result_of(outcome)
        if told.get("result") != "success":
            yield f"- I could not take that down: {shortened(str(told.get('problem', outcome.told)))}"
        elif outcome.tool == NOTE:
            yield f"- {_item(outcome, told)}"
        elif outcome.tool == SET:
            yield from (f"- {words}" for words in _filled(outcome.given["fields"]))
        elif outcome.tool == RATE:
            yield f"- {_rated(outcome.given)}{_refused(told)}"
        else:
            yield f"- {told.get('item')}: {told.get('done')}"


def _item(outcome: Outcome, told: Mapping[str, Any]) -> str:
    path, fields = outcome.given["list"], outcome.given["fields"]
    words = next(str(fields[name]) for name in ("name", "description", "text", "action") if name in fields)
    handle = str(told.get("item", ""))
    named = f"**{handle}** " if re.fullmatch(r"[A-Z]{1,2}\d{1,3}", handle) else ""
    score = f": {fields['score']} %" if "score" in fields else ""
    today = ", what happens if nobody decides" if fields.get("is_status_quo") else ""
    return f"{named}{_BOXES.get(path, 'noted')}{today}: “{shortened(words)}”{score}"


def _filled(fields: Mapping[str, Any]) -> Iterator[str]:
    for name, given in fields.items():
        if is_object(given):
            yield from _filled(given)
        elif name in _FIELDS:
            yield f"{_FIELDS[name]}: “{shortened(str(given))}”"


def _rated(given: Mapping[str, Any]) -> str:
    rated = (f"**{each['option']}** {each['rating']:+d}" for each in given["ratings"])
    return f"on **{given['objective']}**: {', '.join(rated)}".replace("+0", "0")


def _refused(told: Mapping[str, Any]) -> str:
    refused = told.get("refused")
    return f" (not taken: {shortened('; '.join(refused))})" if refused else ""


_FOR_NEEDS: Mapping[str, str] = {
    "what would you be choosing between": CHOOSING,
    "the decision as one question": STATEMENT,
    "who decides": WHO,
    "what is in scope": SCOPE,
    "matters for its own sake": "What outcome would you want, whatever option is taken?",
    "which option is the status quo": NOBODY,
    "at least two options": "What else could you do?",
    "the tradeoff in your own words": OWN_WORDS,
    "a consideration that matters": "What matters most for your choice, in one sentence?",
}
"""Questions by words of the app's list of needs."""

_GOOD: Mapping[str, Sequence[str]] = {
    "Issue raising": (
        "What made you think about it now?",
        "What would happen if you did nothing for six months?",
        "What are you most afraid of?",
        "Who else will care?",
    ),
    "Problem frame": ("Which limits are fixed, and who set them?", "By when does it have to be decided?"),
    "Objectives": (
        "What would make you regret the choice in a year?",
        "How would you know if you achieved this?",
        "What would the people affected add?",
    ),
    "Alternatives": ("What else could you do?", "What would a newcomer do?", "Could a small trial come first?"),
    "Tradeoffs": ("What would you miss most if you took this one?",),
    "Recommendation": (
        "It is a year later and it went wrong: what happened?",
        "What would have to be true for the other one to be right?",
    ),
    "Notes and next steps": ("Who does what by when?", "What news would make you look at it again?"),
}
"""Questions in this order. The app's suggestions come after them."""

_FREELY = ("Issue raising",)
"""Steps in which people first talk freely, whatever is missing."""

_LAST = "Is there anything else, or was that all?"
_OF_OBJECTIVE = (
    "Write “A2 +1 because it is cheaper”, one after the other, or press *Rate…*. How do the options do on {objective}?"
)
_OF_ELEMENT = "How much would you give {element}, from 0 to 100, and why?"


def question(scene: StepScene) -> str:
    """Return a question that was not asked yet. Only the first and the last may come again."""
    if not (scene.noted or scene.outcomes) and scene.said == 1:
        return scene.opening.rpartition("\n")[2] or _LAST
    return next((each for each in _questions(scene) if each not in scene.spoken), _LAST)


def _questions(scene: StepScene) -> Iterator[str]:
    good = _GOOD.get(scene.title, ())
    if scene.title in _FREELY and scene.said == 1:
        yield from good
    for need in scene.needs:
        yield from (asked for words, asked in _FOR_NEEDS.items() if words in need)
        yield from _by_number(scene, need)
    yield from good
    yield from scene.advice


def _by_number(scene: StepScene, need: str) -> Iterator[str]:
    """Yield the question for a missing rating or score. It is repeated until there is one."""
    if need.startswith("ratings on "):
        handle, _, name = need.removeprefix("ratings on ").partition(":")[0].partition(" ")
        yield _unsaid(scene, _OF_OBJECTIVE.format(objective=f"{handle} {name or scene.names.get(handle, '')}".strip()))
    if need.startswith("scores for "):
        yield _unsaid(scene, _OF_ELEMENT.format(element=need.removeprefix("scores for ").partition(",")[0]))


def _unsaid(scene: StepScene, asked: str) -> str:
    return asked if asked not in scene.spoken else f"Once more, please. {asked}"
