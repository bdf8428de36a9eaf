"""Notes that the scripted demo model makes in a step, ratings included."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.acts import day_in
from app.playground.claude.demo.request import named_in
from app.playground.claude.demo.step_scene import StepScene
from app.playground.claude.demo.step_words import DECISIONS, FACTS, box_of, clauses, is_chat, is_for_us, items

RATE = "rate"
_NOTE = "note_item"

_OBJECTIVE = re.compile(r"\bO\d{1,3}\b")
_LINES = re.compile(r"\n|;|(?<=\D)\.\s+")
_RATING = re.compile(
    r"\b(?P<option>A\d{1,3})\b(?:\s+on\s+(?P<objective>O\d{1,3}))?\s*[:=]?\s*(?:is|gets)?\s*(?P<rating>[+\-−–]?[0-2])(?![\d.])"
    r"(?:\s*(?:,?\s*because|,?\s*since|,?\s*as|:|\()\s*(?P<reason>[^;\n]+?)\)?(?=,?\s*\bA\d{1,3}\b|$|;|\n))?",
    re.IGNORECASE,
)
_MINUS = str.maketrans("−–", "--")

_ELEMENTS: Mapping[str, str] = {
    "Helpful Problem Frame": "frame|problem",
    "Clear Objectives": "objectives?|goals?|values",
    "Creative Alternatives": "alternatives?|options?",
    "Reliable Consequence Information": "consequences?|information|info|facts",
    "Logically Correct Reasoning": "reasoning|logic",
    "Clear Tradeoffs": "trade-?offs?",
    "Commitment to Follow Through": "commitment|follow[ -]through|action",
}
"""The seven elements, and people's words for them."""
_SCORE = re.compile(
    rf"\b(?P<element>{'|'.join(_ELEMENTS.values())})\b[^\d\n;.,]{{0,40}}?[,:]?\s*(?P<score>100|\d{{1,2}})\s*%?(?![\d.]\d)"
    r"(?:\s*(?:,?\s*because|,?\s*since|:|\()\s*(?P<reason>[^.;\n)]+?)"
    rf"(?=,?\s*(?:and\s+)?\b(?:{'|'.join(_ELEMENTS.values())})\b[^\d\n]{{0,40}}\d|[.;\n)]|$))?",
    re.IGNORECASE,
)


def ratings(scene: StepScene) -> Sequence[ToolCall]:
    """Return ratings by handle: "A2 +1 because it is cheaper". Without an objective, it is the one of the question."""
    asked = _OBJECTIVE.findall(scene.asked.rsplit("\n\n", 1)[-1]) or _OBJECTIVE.findall(scene.asked)
    meant, rated = asked[-1] if asked else "", dict[str, list[Mapping[str, Any]]]()
    for line in _LINES.split(scene.words):
        first = _OBJECTIVE.match(line.strip())
        meant = first[0] if first else meant
        for found in _RATING.finditer(line):
            objective = (found["objective"] or meant).upper()
            if objective:
                rated.setdefault(objective, []).append(_rating(found))
    return [ToolCall(RATE, {"objective": objective, "ratings": given}) for objective, given in rated.items()]


def scores(scene: StepScene) -> Sequence[ToolCall]:
    """Return scores by name: "frame 80, objectives 70". A bare number answers the question."""
    found = [(_element(each["element"]), int(each["score"]), each["reason"]) for each in _SCORE.finditer(scene.words)]
    bare = re.match(r"^\W*(100|\d{1,2})\b\s*%?\W*(?:because\s+)?(.*)$", scene.words, re.DOTALL)
    asked = [name for name in _ELEMENTS if name in scene.asked.rsplit("\n\n", 1)[-1]]
    if not found and bare and asked:
        found = [(asked[0], int(bare[1]), bare[2])]
    return [ToolCall(_NOTE, {"list": "elements", "fields": _scored(*each)}) for each in found]


def _rating(found: re.Match[str]) -> Mapping[str, Any]:
    reason = (found["reason"] or "").strip(" .,")
    rating = int(found["rating"].translate(_MINUS))
    return {"option": found["option"].upper(), "rating": rating, **({"reason": reason[:500]} if reason else {})}


def _element(called: str) -> str:
    return next(name for name, pattern in _ELEMENTS.items() if re.fullmatch(pattern, called, re.IGNORECASE))


def _scored(name: str, score: int, reason: str | None) -> Mapping[str, Any]:
    because = (reason or "").strip(" .,")
    return {"name": name, "score": score, **({"rationale": because[:500]} if because else {})}


Notes = Callable[[StepScene], Sequence[ToolCall]]

NOTE, SET = "note_item", "set_fields"
CHOOSING = "What would you be choosing between?"
STATEMENT = "How would you put the decision as one question, and for when?"
WHO = "Who makes this decision in the end, and in what role?"
SCOPE = "What is part of it, and what is not?"
NOBODY = "What happens if nobody decides?"
OWN_WORDS = "How would you put it yourself: what would you give up for what?"

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
_DOUBT = re.compile(r"^• (?P<option>A\d{1,3}) .*?: (?P<driver>[^:\n]+)$", re.MULTILINE)


def note(path: str, fields: Mapping[str, Any], quote: str = "") -> ToolCall:
    """Return the call that notes an item of a list, with the words it comes from."""
    return ToolCall(NOTE, {"list": path, "fields": fields, **({"quote": quote[:_QUOTE]} if quote else {})})


def fill(**fields: Any) -> ToolCall:
    """Return the call that notes fields outside of lists."""
    return ToolCall(SET, {"fields": fields})


def _issues(scene: StepScene) -> Sequence[ToolCall]:
    """Note each thought by its words. The answer to the question about the choice is always a decision."""
    chosen = CHOOSING in scene.asked
    found = [clause for clause in clauses(scene.words) if not is_for_us(clause)]
    boxes = [DECISIONS if chosen and place == 0 else box_of(clause) for place, clause in enumerate(found)]
    return [
        note(box, {"text" if box == FACTS else "description": clause[:_TEXT], "origin": "user"}, clause)
        for box, clause in zip(boxes, found, strict=True)
    ]


def _frame(scene: StepScene) -> Sequence[ToolCall]:
    """Note each clause by its words: decider, deadline, limit; else the question, then the scope."""
    calls, rest = list[ToolCall](), list[str]()
    named = _needs(scene, "who decides")
    for place, clause in enumerate(clauses(scene.words)):
        day = day_in(clause, scene.today) if _DUE.search(clause) else None
        if named and (_DECIDER.search(clause) or (WHO in scene.asked and place == 0)):
            calls, named = [*calls, fill(decision_maker=_decider(clause))], False
        elif day:
            calls.append(fill(focal_decision={"deadline": day.isoformat()}))
        elif _LIMIT.search(clause):
            calls.append(note("focal_decision.constraints", {"text": clause[:_TEXT]}))
        else:
            rest.append(clause)
    if rest and _needs(scene, "the decision as one question"):
        return [*calls, *_statement(scene, rest[0])]
    return [*calls, fill(focal_decision=_scope(rest))] if rest and _needs(scene, "in scope") else calls


def _objectives(scene: StepScene) -> Sequence[ToolCall]:
    return [
        note("fundamental_objectives", {"description": item[:_TEXT], "origin": "user"}, item)
        for item in items(scene.words)
        if not is_for_us(item)
    ]


def _alternatives(scene: StepScene) -> Sequence[ToolCall]:
    """Note alternatives. The first that reads like today, or like no decision, becomes a missing status quo."""
    calls, wanted = list[ToolCall](), _needs(scene, "status quo")
    told_all = wanted and NOBODY in scene.asked
    found = [" ".join(scene.words.split())] if told_all else items(scene.words)
    for item in (item for item in found if not (is_for_us(item) or is_chat(item))):
        is_today = wanted and (told_all or _TODAY.search(item) is not None)
        wanted = wanted and not is_today
        today = {"is_status_quo": True} if is_today else {}
        option = {"name": _cut(item, _LINE), "description": item[:_TEXT], "origin": "user", **today}
        calls.append(note("alternatives", option, item))
    return calls


def _tradeoffs(scene: StepScene) -> Sequence[ToolCall]:
    """Note the person's own view of the tradeoffs, after what they said before."""
    words = " ".join(scene.words.split())
    if is_chat(words) or is_for_us(words) or len(words.split()) < _LEAST_WORDS:
        return ()
    before = re.search(r"^user_understanding: (.+)$", scene.noted, re.MULTILINE)
    whole = f"{before[1]} {words}" if before and words not in before[1] else words
    return [fill(user_understanding=_cut(whole, _TEXT))]


def _recommendation(scene: StepScene) -> Sequence[ToolCall]:
    """Note what people say as considerations, and the computed findings of the opening."""
    calls = [] if "synthesis:" in scene.noted else _found(scene.opening)
    said = [clause for clause in clauses(scene.words) if not is_for_us(clause) and not clause.endswith("?")]
    return [*calls, *(note("key_considerations", {"text": clause[:_TEXT]}) for clause in said)]


def _notes(scene: StepScene) -> Sequence[ToolCall]:
    return [_note_of(clause, scene) for clause in clauses(scene.words)]


NOTING: Mapping[str, Notes] = {
    "Issue raising": _issues,
    "Problem frame": _frame,
    "Objectives": _objectives,
    "Alternatives": _alternatives,
    "Consequences": ratings,
    "Tradeoffs": _tradeoffs,
    "Recommendation": _recommendation,
    "Decision quality": scores,
    "Notes and next steps": _notes,
}
"""Notes by the title of a step. In a step of another playbook nothing is noted."""


def _needs(scene: StepScene, words: str) -> bool:
    return any(words in need for need in scene.needs)


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1].rsplit(" ", 1)[0] + "…"


def _statement(scene: StepScene, words: str) -> Sequence[ToolCall]:
    """Note a decision of the first step, by handle or by a word of its own; else the question as it was put."""
    listed = {words: handle for handle, words in re.findall(r"^• (D\d{1,3}) (.+)$", scene.opening, re.MULTILINE)}
    handle = re.search(r"\bD\d{1,3}\b", words)
    by_handle = next((each for each, known in listed.items() if handle and known == handle[0]), None)
    meant = by_handle or (None if words.endswith("?") else named_in(words, list(listed)))
    if meant:
        return [fill(focal_decision={"statement": _cut(meant, _TEXT), "source_decision_id": listed[meant]})]
    return [fill(focal_decision={"statement": _cut(words, _TEXT)})] if len(words) >= _LEAST_STATEMENT else []


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
