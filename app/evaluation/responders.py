"""What a person says next: scripted ones go on with their script, free ones answer what was asked. Pure."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from app.evaluation.person import Person, fill_handles, find_handle

UNKNOWN = "I don't know."
PATIENCE = 2
"""Questions of one step that a free person does not know; at the next one it says that this was all."""

RATED, SCORED = "consequences", "decision_quality"
_SENTENCE = re.compile(r"[^.!?\n]*\?")
_OBJECTIVE = re.compile(r"\bO\d{1,3}\b")


class ScriptedResponder:
    """Says the same lines in the same order, whatever is asked."""

    def __init__(self, person: Person) -> None:
        self._lines = {step: list(lines) for step, lines in person.said.items()}

    def say_next(self, step: str, asked: str, names: Mapping[str, str]) -> str:
        """Return the next message in this step; empty if the person has nothing to add.

        `names` are those of all approved items, by handle.
        """
        lines = self._lines.get(step, [])
        return fill_handles(lines.pop(0), names) if lines else ""

    def has_more(self, step: str) -> bool:
        """Return True if the person says more in this step even though a card stands there."""
        return bool(self._lines.get(step))


class FreeResponder:
    """Answers from a fact sheet: refusals first, then ratings and scores, then the fact that fits best.

    A fact is told once. What is not on the sheet is not known, and nothing is volunteered.
    """

    def __init__(self, person: Person, seed: int) -> None:
        self._person = person
        self._random = random.Random(f"{person.key}:{seed}")
        self._told: set[str] = set()
        self._unanswered: dict[str, int] = {}

    def say_next(self, step: str, asked: str, names: Mapping[str, str]) -> str:
        """See `ScriptedResponder.say_next`."""
        question = read_question(asked)
        answer = self._refuse(step, question) or self._figure(step, question, names) or self._recall(step, question)
        if answer:
            return fill_handles(answer, names)
        self._unanswered[step] = self._unanswered.get(step, 0) + 1
        return UNKNOWN if self._unanswered[step] <= PATIENCE else ""

    def has_more(self, step: str) -> bool:
        """Return False: a free person waits to be asked."""
        return False

    def _refuse(self, step: str, question: str) -> str:
        for refusal in self._person.refused:
            if refusal.step == step and refusal.path not in self._told and _count_words(refusal.about, question):
                self._told.add(refusal.path)
                return refusal.words
        return ""

    def _figure(self, step: str, question: str, names: Mapping[str, str]) -> str:
        if step == RATED:
            return self._rate(question, names)
        if step == SCORED:
            left = {element: score for element, score in self._person.scores.items() if element not in self._told}
            asked = [element for element in left if element in question.casefold()] or list(left)[:1]
            self._told.update(asked)
            return ", ".join(f"{element} {left[element]}" for element in asked)
        return ""

    def _rate(self, question: str, names: Mapping[str, str]) -> str:
        """Rate all options on the objective that was asked for, or else on the first that is unrated."""
        objectives = dict.fromkeys(each for row in self._person.ratings.values() for each in row)
        columns = [each for each in objectives if f"rated {each}" not in self._told]
        handles = {each: find_handle(each, names) for each in columns}
        asked = _OBJECTIVE.findall(question)
        named = [each for each in columns if handles[each] in asked or each in question.casefold()]
        for objective in (*named, *columns)[:1]:
            self._told.add(f"rated {objective}")
            return write_ratings(self._person, objective)
        return ""

    def _recall(self, step: str, question: str) -> str:
        known = [
            each for each in self._person.facts if step in (each.steps or (step,)) and each.says[0] not in self._told
        ]
        if not known:
            return ""
        best = max(_count_words(each.about, question) for each in known)
        if not best:
            return ""
        fact = self._random.choice([each for each in known if _count_words(each.about, question) == best])
        self._told.add(fact.says[0])
        return self._random.choice(fact.says)


Responder = ScriptedResponder | FreeResponder
"""A person's side of the talk."""


def build_responder(person: Person, seed: int) -> Responder:
    """Return the responder of a person. The seed decides the wordings of a free one."""
    return ScriptedResponder(person) if person.is_scripted else FreeResponder(person, seed)


def write_ratings(person: Person, objective: str) -> str:
    """Return a person's ratings on an objective as they type them, with a blank for each handle."""
    reason = person.reasons.get(objective, "")
    because = f" because {reason}" if reason else ""
    given = (f"[{option}] {row[objective]:+d}{because}" for option, row in person.ratings.items() if objective in row)
    return f"[{objective}]: {'; '.join(given)}".replace("+0", "0")


def read_question(asked: str) -> str:
    """Return the last question of a text; all of it if it asks none."""
    found = _SENTENCE.findall(asked)
    return found[-1] if found else asked


def _count_words(words: Sequence[str], question: str) -> int:
    return sum(bool(re.search(rf"\b{re.escape(word)}", question, re.IGNORECASE)) for word in words)
