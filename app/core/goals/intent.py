"""Recognition of the goal that a message states, of the information that it gives, and of what a reply says of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from app.core.goals.speech import compile_phrase, ends_in_question, extract_speech, format_line, split_sentences
from app.core.state.goal import ANSWERED, Goal, GoalType, list_goal_outputs


@dataclass(frozen=True, slots=True)
class StatedGoal:
    """A goal in a person's words."""

    type: GoalType
    description: str


_LIKE = r"(?:i|we)(?: want|'d like| would like| need)"
_WANT = rf"(?:{_LIKE}(?: you)? to |(?:can|could|would|will) you (?:please )?|let's )"
_BE = r"(?:is|are|was|were|am|do|does|did|can|could|should|would|will|has|have|had|may|might|to|about)"

_WISHES: Final[tuple[tuple[GoalType, re.Pattern[str]], ...]] = (
    (
        GoalType.ARTIFACT_CREATION,
        compile_phrase(
            rf"{_WANT}?(?P<wish>(?:build|create|make|generate|design|write|draft)\b"
            r"(?!:| (?:sense|sure|it|this|that|them)\b).+)",
            rf"{_LIKE} (?P<thing>an? .*\b(?:component|app|page|form|script|report|document|website|dashboard)s?\b.*)",
        ),
    ),
    (
        GoalType.QUESTION_ANSWER,
        compile_phrase(
            r"(?P<wish>(?!how(?: are you|'s it going| do you do)|what's up)(?:"
            rf"(?:what|how|why|who|which)(?:'s|(?: [\w'-]+){{0,2}}? {_BE})\b|(?:when|where)(?:'s| {_BE})\b"
            r"|(?:what|how|why|when|where|who|which)\b[^?]+\?|(?:(?:can|could) you )?explain\b|tell me about\b).*)"
        ),
    ),
    (
        GoalType.TASK_EXECUTION,
        compile_phrase(
            rf"{_WANT}?(?P<wish>(?:fix|update|change|modify|improve|refactor|optimi[sz]e)\b"
            r"(?![:-]| (?:of|nothing)\b).+)"
        ),
    ),
    (
        GoalType.EXPLORATION,
        compile_phrase(
            r"(?:(?:can|could) you )?(?P<wish>(?:help me|show me|teach me)\b.+|(?:i'm|i am) trying\b.+"
            r"|i(?: want|'d like| would like) to learn\b.+)"
        ),
    ),
)
"""Beginnings of sentences that state a goal; the first match wins."""

_REMINDER = compile_phrase(
    rf"{_WANT}?(?:create|make|write|generate)(?: (?:me|us|an?|the|my|our|weekly|daily|monthly))* reminders?\b"
    r"(?! (?:app|page|form|script|component|e-?mail|message|letter|note)\b)",
    rf"{_WANT}?(?:update|write|write to) (?:me|us)\b.*\b(?:every|each|tomorrow|weekly|daily|monthly|next|in an?)\b",
)
"""Requests to be told of something at its time, which need neither a target nor a change."""
_REMARK = compile_phrase(
    r"\w+(?: (?!what|that|which|who|how|where|an?\b|the\b|it\b|this\b|all\b)[\w-]+)? "
    r"(?:is|are|was|were|has|have|had|will be|seems?|went|came|failed (?:again|because|on|at|this|today|yesterday))\b",
    r"(?:update|change|draft|design) from (?!.+ (?:to|into) )",
)
"""Sentences that begin with a noun such as "design" or "update" and tell something: "Design is hard"."""

_FRAMEWORK = r"(?P<{}>react|vue|angular|svelte)"
_COMPONENT = compile_phrase(
    rf"\b{_FRAMEWORK.format('before')} (?:[\w-]+ )?(?:component|app|page|form|widget|hook)s?\b",
    rf"\b(?:in|with|using) {_FRAMEWORK.format('after')}\b",
    r"\b(?:build|create|make|generate|design|write|draft|need|want)(?: me| us)? an? "
    r"(?:(?!with |for |that |in )[\w-]+ ){0,2}?"
    r"(?P<thing>form|script|report|document|website|dashboard|e-?mail|presentation|spreadsheet|chart|function)s?\b",
)
_FEATURES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "validation": compile_phrase(r"\bvalidat(?:ion|es?|ing)\b"),
        "authentication": compile_phrase(r"\b(?:log-?in|sign-?in|authentication)\b"),
        "search": compile_phrase(r"\bsearch\b"),
    }
)
_CRUD = compile_phrase(r"\b(?:crud|add|delete|remove|edit|update|mark (?:as )?(?:complete|done))\b")
_TASK = compile_phrase(
    rf"{_WANT}?(?:fix|update|change|modify|improve|refactor|optimi[sz]e) (?!(?:it|this|that|them)\b)"
    r"(?P<target>.+?)(?: (?:to|so that|into) (?P<change>.+))?$"
)
_OUGHT = compile_phrase(r"\b(?:should|must|needs to|has to) (?P<change>.+)")


def find_goal(text: str) -> StatedGoal | None:
    """Return the goal that a message states; None for small talk. Call it only if no goal is being pursued."""
    said = split_sentences(extract_speech(text))
    for type_, pattern in _WISHES:
        for sentence in said:
            found = pattern.match(sentence)
            if found and (type_ in ANSWERED or not any(each.match(sentence) for each in (_REMINDER, _REMARK))):
                wish = next(group for group in found.groups() if group)
                return StatedGoal(type_, format_line(wish if type_ is GoalType.QUESTION_ANSWER else wish.rstrip("?")))
    return None


_SMALL = r"the|and|for|with|from|that|this|our|your|you|want|need|please|make|create|build|write|add"
_WORD = re.compile(rf"\b(?!(?:{_SMALL})\b)[^\W\d_]{{3,}}")

NAMED_BY = 2
"""Words that a message shares with a goal if it speaks of it, as "add a footer to the landing page" does."""


def names_result(goal: Goal, text: str) -> bool:
    """Return True if a message names a result of the goal, or repeats the words for what it was about."""
    words = extract_speech(text).casefold()
    if any(each.name.casefold() in words for each in list_goal_outputs(goal)):
        return True
    shared = {*_WORD.findall(words)} & {*_WORD.findall(goal.description.casefold())}
    return len(shared) >= NAMED_BY


def find_details(goal: Goal, text: str) -> Mapping[str, str]:
    """Return the required information that a message contains, by name.

    "The requirements are …" also corrects provided information; a pattern only fills in missing information.
    """
    words = extract_speech(text)
    missing = {info.name for info in goal.missing}
    by_pattern = {name: found for name, find in _FINDERS.items() if name in missing and (found := find(words))}
    by_name = {info.name: found for info in goal.info if (found := _find_named(info.name, words))}
    return by_pattern | by_name


def _find_named(name: str, words: str) -> str:
    """Return the text after "the name is" in one of the sentences."""
    label = re.escape(name.replace("_", " "))
    pattern = compile_phrase(rf"\b{label}(?: (?:is|are|should be|will be)| ?[:=])(?! not\b) (?P<value>.+)")
    return _find_first(pattern.search, "value", words)


def _find_component(words: str) -> str:
    found = _COMPONENT.search(words)
    return format_line(next(group for group in found.groups() if group).lower()) if found else ""


def _find_features(words: str) -> str:
    acts = {found.lower() for found in _CRUD.findall(words)}
    crud = ["CRUD"] if len(acts) > 1 or "crud" in acts else []
    return ", ".join([*crud, *(feature for feature, pattern in _FEATURES.items() if pattern.search(words))])


def _find_target(words: str) -> str:
    return _find_first(_TASK.match, "target", words)


def _find_desired(words: str) -> str:
    return _find_first(_TASK.match, "change", words) or _find_first(_OUGHT.search, "change", words)


def _find_first(find: Callable[[str], re.Match[str] | None], group: str, words: str) -> str:
    return next(
        (format_line(said[group]) for sentence in split_sentences(words) if (said := find(sentence)) and said[group]),
        "",
    )


_FINDERS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "component_type": _find_component,
        "requirements": _find_features,
        "target": _find_target,
        "desired_change": _find_desired,
    }
)
"""Finders of the information that the types of goals require. Other information is found by its name."""

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_ARTIFACT = re.compile(r"<artifact(?:\s[^<>]*)?>", re.IGNORECASE)
_NAME = re.compile(r"""\b(?:title|name|type)=(?:"([^"<>]+)"|'([^'<>]+)')""", re.IGNORECASE)

_MAKE = r"(?:create|build|make|generate|design|write|draft|implement|develop|fix|update|change|modify)"
_MAKING = r"(?:creating|building|making|generating|writing|implementing|fixing|updating|working on)"
_MADE = r"(?:created|built|made|generated|written|implemented|fixed|updated|changed|finished|completed)"
_STARTS = compile_phrase(
    rf"(?:(?:sure|right|alright|got it)[\s,.!]+)?(?:i'll|i will|i'm going to|i am going to|let me) "
    rf"(?:now |go ahead and |start |begin )*(?:{_MAKE}|{_MAKING}|start|begin|get started)\b",
    rf"(?:i'm|i am) (?:now )?{_MAKING}\b|starting now\b",
)
_NOT_YET = compile_phrase(
    r"\b(?:plan|outline|proposal|ask|asking|questions?|sure|if|once|when|unless|until|after|before)\b"
)
_DONE = compile_phrase(
    r"(?:(?:it's|that's|it is|that is|this is|everything is|the work is|all|and) )*(?:now )?"
    r"(?:done|finished|complete)[.!]?",
    r"here it is\b[^?]*",
    rf"i(?:'ve| have) (?:now |just )?{_MADE} [^?]+",
)


def find_artefacts(text: str) -> tuple[str, ...]:
    """Return the artifacts that the reply announces by an `<artifact …>` element, by title or type."""
    return tuple(_read_name(found) for found in _ARTIFACT.findall(_CODE.sub(" ", text)))


def starts_work(text: str) -> bool:
    """Return True for "I'll create …", unless it is about a plan, conditional, or asks for a yes."""
    if ends_in_question(text):
        return False
    return any(
        _STARTS.match(sentence) and not _NOT_YET.search(sentence) for sentence in split_sentences(extract_speech(text))
    )


def says_done(text: str) -> bool:
    """Return True if a whole sentence says that the work is done."""
    whole = (sentence for sentence in split_sentences(extract_speech(text)) if _DONE.fullmatch(sentence))
    return any(not _NOT_YET.search(sentence) for sentence in whole)


def gives_answer(text: str) -> bool:
    """Return True if the reply has content and ends without a question."""
    return bool(text.strip()) and not ends_in_question(text)


def asks_for(text: str, name: str) -> bool:
    """Return True if a question of the reply names that piece of information."""
    words = re.compile(rf"\b{re.escape(name.replace('_', ' '))}\b", re.IGNORECASE)
    return any(
        ends_in_question(sentence) and words.search(sentence) for sentence in split_sentences(extract_speech(text))
    )


def _read_name(element: str) -> str:
    found = _NAME.search(element)
    return next(group for group in found.groups() if group) if found else "artifact"
