"""Notes that the scripted demo model makes in a step, and the words that it did not understand."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.acts import day_in
from app.playground.claude.demo.request import named_in
from app.playground.claude.demo.step.changes import without_handle
from app.playground.claude.demo.step.ratings import Taken, rated, scored
from app.playground.claude.demo.step.scene import StepScene
from app.playground.claude.demo.step.words import (
    DECISIONS,
    FACTS,
    UNKNOWNS,
    box_of,
    clauses,
    is_chat,
    is_for_us,
    is_meant_for_us,
    items,
)

Notes = Callable[[StepScene], Taken]

NOTE, SET = "note_item", "set_fields"
CHOOSING = "What would you be choosing between?"
STATEMENT = "How would you put the decision as one question, and for when?"
WHO = "Who makes this decision in the end, and in what role?"
SCOPE = "What is part of it, and what is not?"
NOBODY = "What happens if nobody decides?"
OWN_WORDS = "How would you put it yourself: what would you give up for what?"

_AGREES = re.compile(
    r"^\W*(?:yes|yep|yeah|sure|exactly|right|correct|it is|that is it|that's (?:it|the one)|ok(?:ay)?)\b", re.I
)
_OWNER = "The owner of this decision"
_QUOTE, _TEXT, _LINE = 200, 500, 100  # characters that the tools accept
_LEAST_STATEMENT = 10
_LEAST_WORDS = 4  # words of an understanding; a bare yes is none
_ROLE = re.compile(r"\s*(?:,\s*(?:as\b)?|\bas\b|\(|–|-\s)\s*(?:the |an? )?", re.IGNORECASE)
_AS = re.compile(r",?\s*\bas (?:the |an? )?", re.IGNORECASE)
_SELF = re.compile(r"^\W*(?:i|me|myself)\b", re.IGNORECASE)
_DECIDES = re.compile(
    r"^(?:it is|it's|that is|that would be)\s+|\s*\b(?:will |would )?decides?(?: (?:that|this|it))?\b", re.I
)
_DECIDER = re.compile(r"(?:\bI|\b[A-Z]\w+(?: [A-Z]\w+)?) (?:will |would )?decides?\b|\bI am the one who decides\b")
_DUE = re.compile(r"\b(?:by|before|deadline|at the latest|due)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:at most|no more than|at least|must|have to|has to|limit|budget|cannot|can't|not allowed|by law)\b", re.I
)
_OUT = re.compile(r"\bnot\b|\bwithout\b|\bexcept\b|\bleave out\b", re.IGNORECASE)
_TODAY = re.compile(
    r"\b(?:status quo|keep|stay|go on as|as (?:it is|we are|today|now|before)|do nothing|leave (?:it|things|everything)"
    r"|nobody decides|nothing changes|carry on)\b",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"^(?P<who>I|[A-Z]\w+(?: [A-Z]\w+)?)(?:'ll| will| shall|\b(?! (?:is|are|was|were|am)\b))\s+(?P<what>\S.+)$"
)
_STANDS: Mapping[str, re.Pattern[str]] = {
    "deferred": re.compile(r"\b(?:postpone|defer|decide later|not decide yet)\w*\b", re.IGNORECASE),
    "leaning": re.compile(r"\b(?:lean|tend|probably|rather)\w*\b.*\b(?:to|for|with|take|towards|A\d)\b", re.IGNORECASE),
    "decided": re.compile(r"\b(?:we|i) (?:go with|choose|take|decided|pick|will take)\b|\bdecided\b", re.IGNORECASE),
}
_REOPENS = re.compile(r"\b(?:reopen|look (?:at it )?again|revisit|come back to)\b", re.IGNORECASE)
_OPTION = re.compile(r"\bA\d{1,3}\b")
_FINDING = re.compile(
    r"^(?!I will\b).*(?:stands? out|is the only option)|^No option|^There is only|^Nobody can say"
    r"|^After what was set aside"
)
_STANDS_OUT = re.compile(
    r"\b(A\d{1,3})\b[^.]*\bstands out: it leads|stands out \((A\d{1,3})\b|^(A\d{1,3})\b[^.]*\bonly option"
)
_DOUBT = re.compile(r"^• (?P<option>A\d{1,3}) .* on O\d{1,3} .*: (?P<driver>[^:\n]+)$", re.MULTILINE)


def note(path: str, fields: Mapping[str, Any], quote: str = "") -> ToolCall:
    """Return the call that notes an item of a list, with the words it comes from."""
    return ToolCall(NOTE, {"list": path, "fields": fields, **({"quote": quote[:_QUOTE]} if quote else {})})


def fill(**fields: Any) -> ToolCall:
    """Return the call that notes fields outside of lists."""
    return ToolCall(SET, {"fields": fields})


def _sorted(pieces: Sequence[str], *, labelled: bool = False) -> tuple[list[str], list[str]]:
    """Return the thoughts among the pieces of a text, and what may be meant for the program instead.

    With `labelled`, a handle before a thought is a label, and a thought about handles is no item.
    """
    kept, left = list[str](), list[str]()
    for piece in pieces:
        said = without_handle(piece) if labelled else piece
        if said and is_chat(said):
            continue
        (left if not said or is_meant_for_us(said) or is_for_us(said) else kept).append(said or piece)
    return kept, left


def _issues(scene: StepScene) -> Taken:
    """Note each thought by its words. The answer to the question about the choice is a decision, unless it is open."""
    found, left = _sorted(clauses(scene.words), labelled=True)
    boxes = [box_of(clause) for clause in found]
    if CHOOSING in scene.asked and found and boxes[0] != UNKNOWNS:
        boxes[0] = DECISIONS
    calls = [
        note(box, {"text" if box == FACTS else "description": clause[:_TEXT], "origin": "user"}, clause)
        for box, clause in zip(boxes, found, strict=True)
    ]
    return Taken(calls, left)


def _frame(scene: StepScene) -> Taken:
    """Note each clause by its words: decider, deadline, limit; else the question, then the scope."""
    calls, rest = list[ToolCall](), list[str]()
    found, left = _sorted([each for each in clauses(scene.words) if each])
    named, listed = _needs(scene, "who decides"), list(_named_before(scene))
    is_stated = len(listed) == 1 and scene.asked == scene.opening and _AGREES.match(scene.words) is not None
    if is_stated:
        calls += _statement(scene, listed[0])
    for place, clause in enumerate(found):
        day = day_in(clause, scene.today) if _DUE.search(clause) else None
        if named and (_DECIDER.search(clause) or (WHO in scene.asked and place == 0)):
            calls, named = [*calls, fill(decision_maker=_decider(clause))], False
        elif day:
            calls.append(fill(focal_decision={"deadline": day.isoformat()}))
        elif _LIMIT.search(clause):
            calls.append(note("focal_decision.constraints", {"text": clause[:_TEXT]}))
        else:
            rest.append(clause)
    if rest and not is_stated and _needs(scene, "the decision as one question"):
        stated = _statement(scene, rest[0])
        calls += stated
        left += () if stated else rest[:1]
        del rest[0]
    if rest and _needs(scene, "in scope"):
        calls.append(fill(focal_decision=_scope(rest)))
        rest = []
    return Taken(calls, [*left, *rest])


def _objectives(scene: StepScene) -> Taken:
    served, means = re.findall(r"\bO\d{1,3}\b", scene.words), re.search(r"does (M\d{1,3})\b", scene.asked)
    if means and served:
        return Taken([ToolCall("change_item", {"item": means[1], "fields": {"supports": served}})])
    found, left = _sorted(items(scene.words), labelled=True)
    path = "fundamental_objectives"
    return Taken([note(path, {"description": item[:_TEXT], "origin": "user"}, item) for item in found], left)


def _alternatives(scene: StepScene) -> Taken:
    """Note alternatives. The first that reads like today, or like no decision, becomes a missing status quo."""
    calls, wanted = list[ToolCall](), _needs(scene, "status quo")
    told_all = wanted and NOBODY in scene.asked
    found, left = _sorted([" ".join(scene.words.split())] if told_all else items(scene.words), labelled=True)
    for item in found:
        is_today = wanted and (told_all or _TODAY.search(item) is not None)
        wanted = wanted and not is_today
        today = {"is_status_quo": True} if is_today else {}
        option = {"name": _cut(item, _LINE), "description": item[:_TEXT], "origin": "user", **today}
        calls.append(note("alternatives", option, item))
    return Taken(calls, left)


def _tradeoffs(scene: StepScene) -> Taken:
    """Note the person's own view of the tradeoffs, after what they said before."""
    words = " ".join(scene.words.split())
    if is_chat(words):
        return Taken()
    if is_meant_for_us(words) or is_for_us(words) or len(words.split()) < _LEAST_WORDS:
        return Taken(left=[words])
    before = re.search(r"^user_understanding: (.+)$", scene.noted, re.MULTILINE)
    whole = f"{before[1]} {words}" if before and words not in before[1] else words
    return Taken([fill(user_understanding=_cut(whole, _TEXT))])


def _recommendation(scene: StepScene) -> Taken:
    """Note what people say as considerations, and the computed findings of the opening."""
    calls = [] if "synthesis:" in scene.noted else _found(scene.opening)
    said, left = _sorted(clauses(scene.words))
    asked = [clause for clause in said if clause.endswith("?")]
    noted = [note("key_considerations", {"text": clause[:_TEXT]}) for clause in said if clause not in asked]
    return Taken([*calls, *noted], [*left, *asked])


def _notes(scene: StepScene) -> Taken:
    said = [clause for clause in clauses(scene.words) if not is_chat(clause)]
    left = [clause for clause in said if is_meant_for_us(clause)]
    return Taken([_note_of(clause, scene) for clause in said if clause not in left], left)


NOTING: Mapping[str, Notes] = {
    "Issue raising": _issues,
    "Problem frame": _frame,
    "Objectives": _objectives,
    "Alternatives": _alternatives,
    "Consequences": rated,
    "Tradeoffs": _tradeoffs,
    "Recommendation": _recommendation,
    "Decision quality": scored,
    "Notes and next steps": _notes,
}
"""Notes by the title of a step. In a step of another playbook nothing is noted."""

LETTERS: Mapping[str, Sequence[str]] = {
    "Issue raising": ("D", "IO", "U", "C"),
    "Problem frame": ("H", "P"),
    "Objectives": ("O", "M"),
    "Alternatives": ("A",),
    "Notes and next steps": ("N",),
}
"""Letters of the handles that a step gives, by its title; the other steps give none to what people say."""


def _needs(scene: StepScene, words: str) -> bool:
    return any(words in need for need in scene.needs)


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1].rsplit(" ", 1)[0] + "…"


def _statement(scene: StepScene, words: str) -> Sequence[ToolCall]:
    """Note a decision of the first step, by handle or by a word of its own; else the question as it was put."""
    listed = _named_before(scene)
    handle = re.search(r"\bD\d{1,3}\b", words)
    by_handle = next((each for each, known in listed.items() if handle and known == handle[0]), None)
    exact = words if words in listed else None
    meant = by_handle or exact or (None if words.endswith("?") else named_in(words, list(listed)))
    if meant:
        return [fill(focal_decision={"statement": _cut(meant, _TEXT), "source_decision_id": listed[meant]})]
    return [fill(focal_decision={"statement": _cut(words, _TEXT)})] if len(words) >= _LEAST_STATEMENT else []


def _named_before(scene: StepScene) -> Mapping[str, str]:
    """Return the decisions of the first step that the opening names, with their handles."""
    found = re.findall(r"^• (D\d{1,3}) (.+)$", scene.opening, re.MULTILINE)
    found = found or re.findall(r"one decision: (D\d{1,3}) (.+?)\.?\s+Is that the one", scene.opening)
    return {words: handle for handle, words in found}


def _decider(words: str) -> Mapping[str, str]:
    """Return a name and a role. A person who speaks of themselves is the owner of the decision."""
    is_owner = _SELF.match(words) is not None
    parting = _AS if is_owner else _ROLE  # for a person who speaks of themselves, any words may follow a comma
    name, *role = parting.split(_DECIDES.sub("", words.strip(" .!")), maxsplit=1)
    who = _OWNER if is_owner else name.strip() or words
    return {"name": _cut(who, _LINE), "role": _cut(role[0].strip(" ).") if role and role[0] else "decides", _LINE)}


def _scope(said: Sequence[str]) -> Mapping[str, Any]:
    out = [clause for clause in said if _OUT.search(clause)]
    inside = [clause for clause in said if clause not in out]
    parts = {"in_scope": inside, "out_of_scope": out} if out and inside else {}
    whole = {"scope": _cut(" ".join(said), _TEXT)}
    return {**whole, **{name: [_cut(each, _TEXT) for each in part] for name, part in parts.items()}}


def _found(opening: str) -> list[ToolCall]:
    """Return the synthesis of the app's own findings, and the open doubts."""
    paragraphs = [" ".join(each.split()) for each in opening.split("\n\n")]
    findings = " ".join(each for each in paragraphs if _FINDING.search(each))
    if not findings:
        return []
    calls = [fill(synthesis=f"{findings} The choice is yours.")]
    if out := _STANDS_OUT.search(findings):
        option = next(filter(None, out.groups()))
        reason = next(each for each in paragraphs if _STANDS_OUT.search(each) and _FINDING.search(each))
        calls.append(fill(standout_option={"alternative_id": option, "rationale": _cut(reason, _TEXT)}))
    return calls + [
        note(
            "remaining_uncertainties",
            {"description": doubt[0][2:][:_TEXT], "impact": "medium", "about": [doubt["option"]]},
        )
        for doubt in _DOUBT.finditer(opening)
    ]


def _note_of(clause: str, scene: StepScene) -> ToolCall:
    """Note a line of the last step: an action, the status of the decision, a question, or a reason to look again."""
    day, does = day_in(clause, scene.today), _DOES.match(clause)
    if clause.endswith("?"):
        return note("open_questions", {"text": clause[:_TEXT]})
    if _REOPENS.search(clause):
        return note("revisit_triggers", {"text": clause[:_TEXT]})
    if status := next((name for name, sign in _STANDS.items() if sign.search(clause)), ""):
        named = _OPTION.search(clause)
        chosen = {"alternative_id": named[0]} if named else {}
        return fill(decision={"status": status, "in_the_users_words": clause[:_TEXT], **chosen})
    if day or (does and "will" in clause):
        who = {"owner": _OWNER if does["who"] == "I" else does["who"]} if does else {}
        due = {"due_date": day.isoformat()} if day else {}
        return note("planned_actions", {"action": clause[:_TEXT], **who, **due})
    return note("notes", {"text": clause[:_TEXT]})
