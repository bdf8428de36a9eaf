"""Notes that the scripted demo model makes in a step, and the words that it did not understand."""

import re
from collections.abc import Callable, Mapping, Sequence

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.step.calls import LINE, TEXT, Taken, cut, fill, is_needed, note, sort_pieces
from app.playground.claude.demo.step.framing import frame
from app.playground.claude.demo.step.people import doer
from app.playground.claude.demo.step.ratings import rated
from app.playground.claude.demo.step.scene import StepScene
from app.playground.claude.demo.step.scores import scored
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
from app.playground.claude.demo.times import day_in, has_passed

Notes = Callable[[StepScene], Taken]

CHOOSING = "What would you be choosing between?"
NOBODY = "What happens if nobody decides?"
OWN_WORDS = "How would you put it yourself: what would you give up for what?"

_BEGUN_WITH = re.compile(r"^You want to decide: (.+)$", re.MULTILINE)
_POINTS_BACK = re.compile(
    r"^\W*(?:(?:yes|well|just|exactly|see|between|it['’]?s|it is|that['’]?s|that is)\W+)*"
    r"(?:(?:as|what|like) i (?:\w+ )?(?:said|wrote|asked|typed)|above"
    r"|(?:the|that|this|my) (?:one|question|decision)(?: i (?:\w+ )?(?:said|wrote|asked|typed))?)"
    r"(?: (?:above|before|already|at the (?:start|beginning|top)))*\W*$",
    re.IGNORECASE,
)
"""Words that say no more than that the decision was named before."""

_LEAST_WORDS = 4  # words of an understanding; a bare yes is none
_ENDS = (".", "!", "?", "…")  # of a sentence
_TODAY = re.compile(
    r"\b(?:status quo|keep|stay|go on as|as (?:it is|we are|today|now|before)|do nothing|leave (?:it|things|everything)"
    r"|nobody decides|nothing changes|carry on)\b",
    re.IGNORECASE,
)
_IF_NOBODY = re.compile(
    r"^\W*(?:if (?:nobody decides|nothing (?:is decided|happens|changes)"
    r"|we (?:do nothing|do not decide|don['’]t decide|decide nothing))|without a decision|otherwise)\b",
    re.IGNORECASE,
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
    r"|^(?:After what was set aside, t|T)hese are left"
)
_STANDS_OUT = re.compile(
    r"\b(A\d{1,3})\b[^.]*\bstands out: it leads|stands out \((A\d{1,3})\b|^(A\d{1,3})\b[^.]*\bonly option"
)
_DOUBT = re.compile(r"^• (?P<option>A\d{1,3}) .* on O\d{1,3} .*: (?P<driver>[^:\n]+)$", re.MULTILINE)


def _issues(scene: StepScene) -> Taken:
    """Note each thought by its words. The answer to the question about the choice is a decision, unless it is open."""
    found, left = sort_pieces(clauses(scene.words), labelled=True)
    asked = _BEGUN_WITH.search(scene.opening)
    if CHOOSING in scene.asked and asked and found and _POINTS_BACK.match(found[0]):
        found[:1] = [] if found[1:] else [asked[1]]
    boxes = [box_of(clause) for clause in found]
    if CHOOSING in scene.asked and found and boxes[0] != UNKNOWNS:
        boxes[0] = DECISIONS
    calls = [
        note(box, {"text" if box == FACTS else "description": clause[:TEXT], "origin": "user"}, clause)
        for box, clause in zip(boxes, found, strict=True)
    ]
    return Taken(calls, left)


def _objectives(scene: StepScene) -> Taken:
    served, means = re.findall(r"\bO\d{1,3}\b", scene.words), re.search(r"does (M\d{1,3})\b", scene.asked)
    if means and served:
        return Taken([ToolCall("change_item", {"item": means[1], "fields": {"supports": served}})])
    found, left = sort_pieces(items(scene.words), labelled=True)
    path = "fundamental_objectives"
    return Taken([note(path, {"description": item[:TEXT], "origin": "user"}, item) for item in found], left)


def _alternatives(scene: StepScene) -> Taken:
    """Note alternatives. The first that reads like today, or like no decision, becomes a missing status quo."""
    calls, wanted = list[ToolCall](), is_needed(scene, "status quo")
    told_all = wanted and NOBODY in scene.asked
    is_whole = told_all or _IF_NOBODY.match(scene.words) is not None
    found, left = sort_pieces([" ".join(scene.words.split())] if is_whole else items(scene.words), labelled=True)
    if is_whole and scene.words.rstrip().endswith("?"):
        return Taken(left=[*left, *found])
    for item in found:
        is_today = wanted and (is_whole or _TODAY.search(item) is not None)
        wanted = wanted and not is_today
        today = {"is_status_quo": True} if is_today else {}
        option = {"name": cut(item, LINE), "description": item[:TEXT], "origin": "user", **today}
        calls.append(note("alternatives", option, item))
    return Taken(calls, left)


def _tradeoffs(scene: StepScene) -> Taken:
    """Note the person's own view of the tradeoffs, after what they said before."""
    words = " ".join(scene.words.split())
    if is_chat(words):
        return Taken()
    if is_meant_for_us(words) or is_for_us(words) or len(words.split()) < _LEAST_WORDS:
        return Taken(left=[words])
    before = "".join(re.findall(r"^user_understanding: (.+)$", scene.noted, re.MULTILINE)[-1:])
    ended = before if before.endswith(_ENDS) else f"{before}."
    whole = f"{ended} {words}" if before and words not in before else words
    return Taken([fill(user_understanding=cut(whole, TEXT))])


def _recommendation(scene: StepScene) -> Taken:
    """Note what people say as considerations, and the computed findings of the opening."""
    calls = [] if "synthesis:" in scene.noted else _found(scene.opening)
    said, left = sort_pieces(clauses(scene.words))
    asked = [clause for clause in said if clause.endswith("?")]
    noted = [note("key_considerations", {"text": clause[:TEXT]}) for clause in said if clause not in asked]
    return Taken([*calls, *noted], [*left, *asked])


def _notes(scene: StepScene) -> Taken:
    said = [clause for clause in clauses(scene.words) if not is_chat(clause)]
    left = [clause for clause in said if is_meant_for_us(clause)]
    calls, decided = list[ToolCall](), ""
    for clause in (each for each in said if each not in left):
        call = _note_of(clause, scene)
        whole = _stretch(scene.words, decided, clause) if call.input.get("list") == "notes" else ""
        if whole:  # "only as a trial" belongs to what was decided
            calls[-1], decided = _note_of(whole, scene), whole
        else:
            calls.append(call)
            decided = clause if "decision" in call.input["fields"] else ""
    return Taken(calls, left)


def _stretch(words: str, begin: str, end: str) -> str:
    """Return the words from one clause to another in the same sentence; empty if they are in none."""
    start = words.find(begin) if begin else -1
    whole = words[start : words.find(end, start) + len(end)] if start >= 0 else ""
    return "" if re.search(r"[.!?;\n]\s", whole) else whole


NOTING: Mapping[str, Notes] = {
    "Issue raising": _issues,
    "Problem frame": frame,
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
        calls.append(fill(standout_option={"alternative_id": option, "rationale": cut(reason, TEXT)}))
    return calls + [
        note(
            "remaining_uncertainties",
            {"description": doubt[0][2:][:TEXT], "impact": "medium", "about": [doubt["option"]]},
        )
        for doubt in _DOUBT.finditer(opening)
    ]


def _note_of(clause: str, scene: StepScene) -> ToolCall:
    """Note a line of the last step: an action, the status of the decision, a question, or a reason to look again."""
    day, who = day_in(clause, scene.today), doer(clause, scene.writer_of(clause))
    if clause.endswith("?"):
        return note("open_questions", {"text": clause[:TEXT]})
    if _REOPENS.search(clause):
        return note("revisit_triggers", {"text": clause[:TEXT]})
    if status := next((name for name, sign in _STANDS.items() if sign.search(clause)), ""):
        named = _OPTION.search(clause)
        chosen = {"alternative_id": named[0]} if named else {}
        return fill(decision={"status": status, "in_the_users_words": clause[:TEXT], **chosen})
    if day or who:
        owner = {"owner": who} if who else {}
        due = {"due_date": day.isoformat()} if day and not has_passed(day, scene.today) else {}
        return note("planned_actions", {"action": clause[:TEXT], **owner, **due})
    return note("notes", {"text": clause[:TEXT]})
