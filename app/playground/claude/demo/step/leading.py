"""The scripted demo model in a step: what it does with words, what it reads back, and the end of the interview."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from app.playground.claude.api.prompt import Prompt, is_object
from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.request import shortened
from app.playground.claude.demo.scene import Act, Outcome
from app.playground.claude.demo.step.calls import NOTE, SET, Taken
from app.playground.claude.demo.step.changes import CHANGE, DROP, MOVE, changes, list_handles
from app.playground.claude.demo.step.framing import is_date, names_field
from app.playground.claude.demo.step.notes import LETTERS, NOTING
from app.playground.claude.demo.step.questions import BY_NUMBER, about_card, question
from app.playground.claude.demo.step.ratings import RATE, drop_sent, examples
from app.playground.claude.demo.step.result import submission, summary, words_in
from app.playground.claude.demo.step.scene import StepScene, result_of, step_scene, title_of
from app.playground.claude.demo.step.words import (
    is_chat,
    is_meant_for_us,
    is_short_remark,
    is_skip,
    is_unknown,
    was_all,
    without_ends,
)
from app.playground.claude.demo.times import day_in, has_passed

READY, CONFIRM = "ready_to_summarize", "resolve_confirmation"
ENOUGH = 3
"""Messages of people before it ends an interview that lacks nothing."""

_CONFIRMING = "confirm"
_NO_JUDGE = "I can't look that up, and I won't judge it: a script only sorts your words."
_MEANS = "The card above shows it all: *Approve* takes it, *Edit…* changes anything, *Request changes* leads back here."
_MEANS_MORE = "The card above says what is still needed: *Edit…* adds it, and so do your words here."
_UNDERSTOOD = "I can change things by their names: {ways}. Anything else is done with *Edit…* on the card."
_CHANGES_ASKED = "Request changes"
_WHAT_CHANGES = "Tell me in your own words, or like this: {ways}. What should be different?"
_ITEM_WAYS = "“change {letter}1 to …”, “drop {letter}1 and {letter}2”"
_WAYS: Mapping[str, str] = {
    "Issue raising": "“change D1 to …”, “D1 is an uncertainty”, “drop D1 and D2”",
    "Problem frame": "“scope: …”, “question: …”, “limit: …”, “decider: …”",
    "Consequences": "“{option} +1 on {objective}”, “{option} much worse on {objective} because …”",
    "Tradeoffs": "“I would give up the garden for a short way”",
    "Recommendation": "“My partner has to accept it too”",
    "Decision quality": "“frame 100”, “100 for all”",
}
"""What can be typed in a step in which handles are of several kinds, or not what is changed."""
_LEFT = (
    "I am a script and did not understand {words}: I have not noted that. Say it in another way, or write “done” and "
    "use *Edit…* on the card."
)
_LEFT_RATING = (
    "I am a script and did not understand {words} as a rating: I have not noted that. Press *Rate…*, or write "
    "“{option} +1, {other} much worse” (steps go from −2 to +2)."
)
_LEFT_SCORE = (
    "I am a script and did not understand {words} as a score: I have not noted that. Write an element with its score, "
    "from 0 to 100, or one score with “for all”, or use *Edit…* on the card."
)
_ELSEWHERE = (
    "{words} is about another step, and is changed there: open that step from the first message of the decision, and "
    "press *Discuss again*. “show” lists what is noted here."
)
_LEFT_DAY = "I am a script and need the day itself for {words}, with its month: I have not noted that."
_DAY_LEFT_OUT = ", without its day, which has passed"
_LEFT_WORDS: Mapping[str, str] = {"Consequences": _LEFT_RATING, "Decision quality": _LEFT_SCORE}
_KNOWN_WORDS = (
    "I know few commands: “done” shows the card, “show” lists what is noted, “drop D1” takes an item out, and *Edit…* "
    "on the card changes anything. I have noted nothing of {words}."
)
_UNKNOWN = "That is a fair answer, and nothing is noted for it."
_SKIPPED = "We leave that open, and nothing is noted for it. “done” shows the card at any time."
_SENT = "It is noted as you chose it."
_NO_ITEM = "There is no {item} in this step, so nothing was changed. “show” lists what there is."
_NOT_NOTED = "I could not note “{words}”. Your words stay in the thread; *Edit…* on the card takes them."
_NOTED_BEFORE = "“{words}” is noted already, as {item}."
_THERE = re.compile(r"stands there already, as ([A-Z]{1,2}\d{1,3})")
_NOT_CHANGED = "I could not do that with {item}. *Edit…* on the card can."
_APPROVES = re.compile(
    r"^\W*(?:yes|yep|yeah|ok(?:ay)?|i approve|approved?|(?:that |this |it |all )?(?:looks?|is|'s)"
    r" (?:all )?(?:good|fine|right|ok|correct)|that's (?:right|it|correct|fine|good)|all good|correct"
    r"|perfect|great|fine|lgtm)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(r"\b(?:but|except|not|wrong|change|however|missing)\b|\?", re.IGNORECASE)
_WRONG = re.compile(
    r"\b(?:wrong|not right|incorrect|missing|forgot|change|different)\b|^\W*no\W+(?:these|those|this|that|it|they)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 8
_SHORT = 60  # characters of a quote beside others
_SPOKEN = (
    "fields", "ratings", "option", "reason",
    "name", "description", "text", "action", "statement", "scope", "score", "rationale", "user_understanding",
)  # fmt: skip
"""Fields in the input of a call that hold words, or hold such fields."""

_BOXES: Mapping[str, str] = {
    "potential_decisions": "a decision",
    "objectives": "something you want",
    "uncertainties": "something nobody knows yet",
    "considerations": "something to keep in mind",
    "fundamental_objectives": "what matters",
    "means_objectives": "a way to something that matters",
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
    "scope": "what is part of it, and what is not",
    "user_understanding": "the tradeoff, in your words",
    "synthesis": "what the ratings show",
    "in_the_users_words": "where you stand",
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
    if not scene.phase:  # no interview, so nobody to ask
        return Act(summary(prompt))
    scene = about_card(scene) if scene.phase == _CONFIRMING else scene
    if scene.outcomes:
        return _gone_on(scene)
    return _confirming(scene) if scene.phase == _CONFIRMING else _discussing(scene)


@dataclass(frozen=True)
class _Heard:
    """What is done with the words of a turn: calls, and what is said of the words that were not understood."""

    calls: Sequence[ToolCall]
    remark: str = ""


def _hear(scene: StepScene) -> _Heard:
    """Return the changes that the words ask for and the notes of all other words, or why there are none."""
    wanted = changes(drop_sent(scene), LETTERS.get(scene.title, ()))
    rest = replace(scene, words=wanted.rest)
    taken = NOTING[scene.title](rest) if scene.title in NOTING and wanted.rest else Taken()
    calls = [*wanted.calls, *taken.calls]
    left = [each for each in (*wanted.elsewhere, *taken.left) if not is_chat(each)]
    if left:
        words = ", ".join(f"“{shortened(each, _SHORT)}”" for each in left)
        if all(map(is_skip, left)):
            return _Heard(calls, _SKIPPED)
        named = {each for order in wanted.elsewhere for each in list_handles(order)}
        is_elsewhere = named and len(left) == len(wanted.elsewhere) and named <= scene.handles | set(scene.names)
        option, other, _ = examples(scene)
        return _Heard(
            calls,
            (_ELSEWHERE if is_elsewhere else _excuse(scene, left)).format(words=words, option=option, other=other),
        )
    return _Heard(calls, _UNKNOWN if not calls and is_unknown(scene.words) else "")


def _excuse(scene: StepScene, left: Sequence[str]) -> str:
    """Return what is said of words that are not noted."""
    if all(each.endswith("?") for each in left):
        return _NO_JUDGE
    if all(map(is_meant_for_us, left)):
        return _KNOWN_WORDS
    return _LEFT_DAY if all(map(is_date, left)) else _LEFT_WORDS.get(scene.title, _LEFT)


def _list_ways(scene: StepScene) -> str:
    """Return examples of what can be typed to change something in this step."""
    letter, (option, _, objective) = next(iter(LETTERS.get(scene.title, "A"))), examples(scene)
    return _WAYS.get(scene.title, _ITEM_WAYS).format(letter=letter, option=option, objective=objective)


def _describe_ways(scene: StepScene) -> str:
    return _UNDERSTOOD.format(ways=_list_ways(scene))


def _discussing(scene: StepScene) -> Act:
    """Note what was said, or go on if there is nothing to note. Ask what is missing if there are no words yet."""
    if scene.words in ("", _CHANGES_ASKED) and not scene.outcomes:
        return Act(question(scene) if not scene.words and scene.needs else _WHAT_CHANGES.format(ways=_list_ways(scene)))
    calls = _hear(scene).calls
    return Act(calls=calls) if calls else _gone_on(scene)


def _gone_on(scene: StepScene) -> Act:
    """Read back the notes and ask; or end the interview if it is complete, or if the person says that this was all."""
    if refused := next((each for each in scene.outcomes if each.tool == READY), None):
        # A gap is named once; after a call that failed, the talk goes on.
        return Act(calls=[ToolCall(READY)]) if "Still needed" in refused.told else Act(question(scene))
    typed = drop_sent(scene)
    told = "\n".join(_read_back(scene)) or (_SENT if typed != scene.words else "")
    remark = _hear(replace(scene, outcomes=(), block_needs=scene.first_needs)).remark
    asks_us = typed.rstrip().endswith("?") and not scene.outcomes and not is_skip(typed)
    remark = _NO_JUDGE if asks_us else remark
    has_failed = any(each.is_error for each in scene.outcomes)
    is_enough = not (scene.needs or remark) and (scene.said >= ENOUGH or scene.title in BY_NUMBER)
    if scene.phase != _CONFIRMING and not has_failed and (is_enough or was_all(typed)):
        return Act("\n\n".join(filter(None, (told, remark, "I put it together now."))), [ToolCall(READY)])
    asks = _describe_ways(scene) if scene.phase == _CONFIRMING else question(scene)
    return Act("\n\n".join(filter(None, (told, remark, asks))))


def _confirming(scene: StepScene) -> Act:
    """Handle words about a draft: approve it, change it and submit it again, or explain what can be done."""
    words = without_ends(scene.words)  # "done" may have led here: it is not told as a turn of its own
    scene = replace(scene, words=words)
    means = _MEANS_MORE if scene.needs else _MEANS
    if not words:
        return Act(means)
    if _APPROVES.match(words) and not _TAKES_BACK.search(words) and len(words.split()) <= _MOST_WORDS:
        return Act(calls=[ToolCall(CONFIRM, {"decision": "approve"})])
    wanted = changes(words, LETTERS.get(scene.title, ()))
    lacking = [item for each in wanted.calls if (item := each.input["item"]) not in scene.handles]
    if lacking:
        return Act(f"{_NO_ITEM.format(item=' or '.join(lacking))} {means}")
    if wanted.calls:
        changed = ToolCall(CONFIRM, {"decision": "change"})
        return Act("I change that and show it again.", [changed, *_hear(scene).calls])
    return _adding(scene, means, names_others=bool(wanted.elsewhere))


def _adding(scene: StepScene, means: str, *, names_others: bool) -> Act:
    """Handle words about a draft that change no item of it: note them, or explain what can be done."""
    changed = ToolCall(CONFIRM, {"decision": "change"})
    heard, is_question = _hear(scene), scene.words.rstrip().endswith("?")
    is_last = scene.title == "Notes and next steps"
    takes_questions = scene.needs or is_last or names_field(scene.words)  # what there is to decide may be needed
    if is_question and not (takes_questions and heard.calls):
        return Act(f"{_NO_JUDGE} {means}")
    if _WRONG.search(scene.words) and not (is_question or names_others):
        return Act(f"{_describe_ways(scene)}\n\nWhich item is it, and what shall it be?", [changed])
    if heard.calls and not is_short_remark(scene.words):
        return Act("I add that and show it again.", [changed, *heard.calls])
    return Act(f"{heard.remark or _describe_ways(scene)} {means}")


def _read_back(scene: StepScene) -> Iterator[str]:
    """Yield the notes, each with its handle, and the notes that the app refused."""
    for outcome in scene.outcomes:
        told = result_of(outcome)
        if told.get("result") in (None, "error"):
            yield f"- {_not_done(outcome)}"
        elif outcome.tool == NOTE:
            yield f"- {_item(outcome, told)}{_day_left_out(outcome, scene.today)}"
        elif outcome.tool == SET:
            yield from (f"- {words}" for words in _filled(outcome.given["fields"], " ".join(scene.words.split())))
        elif outcome.tool == RATE:
            yield f"- {_rated(outcome.given)}{_refused(told)}"
        else:
            yield f"- {_changed(outcome, told)}"


def _not_done(outcome: Outcome) -> str:
    """Say that a call was refused; the reason is written for a model, not for people."""
    given = outcome.given
    if outcome.tool in (MOVE, DROP, CHANGE):
        is_there = "names nothing" not in outcome.told
        return (_NOT_CHANGED if is_there else _NO_ITEM).format(item=given["item"])
    said = " ".join(dict.fromkeys(words_in(given, _SPOKEN.__contains__)))
    words, there = shortened(said), _THERE.search(outcome.told)
    return _NOTED_BEFORE.format(words=words, item=there[1]) if there else _NOT_NOTED.format(words=words)


def _changed(outcome: Outcome, told: Mapping[str, Any]) -> str:
    """Say what has become of an item that was there."""
    item, fields = outcome.given["item"], outcome.given.get("fields", {})
    if outcome.tool == DROP:
        return f"**{item}** is taken out"
    ends = " and ".join(f"**{each}**" for each in fields.get("supports", ()))
    if outcome.tool == MOVE:
        box = f"a way to {ends}" if ends else _BOXES.get(outcome.given["to"], "another list")
        return f"**{item}** is noted as **{told.get('item', item)}**: {box}"
    if "is_status_quo" in fields:
        return f"**{item}** is what happens if nobody decides"
    words = next((str(each) for name, each in fields.items() if name != "supports"), "")
    return f"**{item}** is “{shortened(words)}”" if words else f"**{item}** is a way to {ends}"


def _item(outcome: Outcome, told: Mapping[str, Any]) -> str:
    path, fields = outcome.given["list"], outcome.given["fields"]
    words = next(str(fields[name]) for name in ("name", "description", "text", "action") if name in fields)
    handle = str(told.get("item", ""))
    named = f"**{handle}** " if re.fullmatch(r"[A-Z]{1,2}\d{1,3}", handle) else ""
    score = f": {fields['score']} %" if "score" in fields else ""
    today = ", what happens if nobody decides" if fields.get("is_status_quo") else ""
    return f"{named}{_BOXES.get(path, 'noted')}{today}: “{shortened(words)}”{score}"


def _day_left_out(outcome: Outcome, today: date | None) -> str:
    """Say that a next step was noted without its day, because that has passed."""
    day = day_in(outcome.given["fields"].get("action", ""), today)
    return _DAY_LEFT_OUT if day and has_passed(day, today) else ""


def _filled(fields: Mapping[str, Any], words: str) -> Iterator[str]:
    """Yield what was filled in; of a text that has grown by people's `words` only these."""
    for name, given in fields.items():
        if name == "decision_maker":
            yield f"who decides: “{_decider(given)}”"
        elif name == "deadline":
            day = date.fromisoformat(given)
            yield f"to be decided by {day.day} {day:%B %Y}"
        elif is_object(given):
            yield from _filled(given, words)
        elif name in _FIELDS:
            said = words if words and str(given).endswith(words) else str(given)
            yield f"{_FIELDS[name]}: “{shortened(said)}”"


def _decider(given: Mapping[str, Any]) -> str:
    named = [given[name] for name in ("name", "role", "decision_rule") if given.get(name)]
    return shortened(", ".join(named))


def _rated(given: Mapping[str, Any]) -> str:
    rated = (f"**{each['option']}** {_step(each)}" for each in given["ratings"])
    return f"on **{given['objective']}**: {', '.join(rated)}"


def _step(rating: Mapping[str, Any]) -> str:
    if "low" in rating:
        return f"not known (anything from {_sign(rating['low'])} to {_sign(rating['high'])})"
    because = f" (“{shortened(rating['reason'], _SHORT)}”)" if "reason" in rating else ""
    return f"{_sign(rating['rating'])}{because}"


def _sign(step: int) -> str:
    return f"{step:+d}".replace("-", "−").replace("+0", "0")


def _refused(told: Mapping[str, Any]) -> str:
    options = [each.partition(":")[0] for each in told.get("refused", ())]
    return f" (not {' and '.join(options)}: that is no option of this step)" if options else ""
