"""Whole decisions, played by typed words: the words of a person, in phrasings that a seed chooses."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Protocol

from app.decision.playbook.playbook import load_proact
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import TODAY
from tests.unit.playground.claude.led import Led

MOST = 25
"""Messages in one step; who needs more has met a dead end."""
NOT_NEEDED = "something that nobody needs"
"""A wish that everybody takes back."""


class Talk(Protocol):
    """A step that is led somewhere."""

    @property
    def asked(self) -> str:
        """The question that stands there now."""
        ...

    @property
    def is_ready(self) -> bool:
        """Whether the talk has ended."""
        ...


@dataclass(frozen=True)
class Matter:
    """What somebody decides about, in their words."""

    situation: str
    question: str
    options: tuple[str, ...]
    today: str
    wants: tuple[str, ...]
    doubt: str


@dataclass
class Player:
    """Somebody who decides by typing alone, and approves each step's card."""

    matter: Matter
    seed: int
    today: date = TODAY
    results: dict[str, Draft] = field(default_factory=dict[str, Draft])
    said: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """What was typed, and what the model said to it."""
    commands: list[str] = field(default_factory=list[str])
    """What of it was no part of the decision."""

    def __post_init__(self) -> None:
        self._any = random.Random(self.seed)

    def plays(self) -> None:
        """All nine steps, each to a card without gaps."""
        for component in load_proact().components:
            talk = Led(component.key, so_far=DecisionRecord(dict(self.results), self.today))
            lines = self.lines(component.key, talk)
            for _ in range(MOST):
                words = next(lines, "done")
                self.said.append((words, talk.says(words)))
                if talk.is_ready:
                    break
            assert talk.is_ready, f"{component.title}: no end after {MOST} messages: {self.said[-3:]}"
            written = talk.written()
            assert written.missing == (), f"{component.title}: {written.missing} {self.said[-4:]}"
            self.results[component.key] = talk.approved(written)

    def lines(self, step: str, talk: Talk) -> Iterator[str]:
        """What they type in a step; each line looks at what they have read until then."""
        return getattr(self, f"_{step}")(talk)

    def one(self, *ways: str) -> str:
        """One of several ways to say it."""
        return self._any.choice(ways)

    def _aside(self) -> str:
        """Words that are no part of any decision."""
        words = self.one(
            "ok",
            "Hm, good question.",
            "I don't know",
            "no idea, honestly",
            "show me what you have",
            "thanks!",
            "skip",
            "what do you think?",
            "I’m not sure",
            "you forgot something",
            "help",
            "that's interesting",
            "wait",
            "undo that",
            "We can't say yet",
            "next question please",
            "drop the last one",
            "yes",
            "nope",
        )
        self.commands.append(words)
        return words

    def _ordered(self, words: str) -> str:
        self.commands.append(words)
        return words

    def _issue_raising(self, talk: Talk) -> Iterator[str]:
        yield self.matter.situation
        yield self._aside()
        if self.one("early", "late") == "early":
            yield self.matter.doubt
            yield self.matter.question
        else:
            yield f"{self.matter.question} {self.matter.doubt}"
        while not talk.is_ready:
            yield self.one(f"I want this: {self.matter.wants[0]}", self._aside())

    def _problem_frame(self, talk: Talk) -> Iterator[str]:
        yield self._aside()
        answers = {
            "focus on": self.one(self.matter.question, "D1", "D1, please"),
            "as one question": self.matter.question,
            "Who makes": self.one("I do", "me, as the chair", "Ada Lind, head of the board", "we all decide together"),
            "part of it": self.one("only this year", "This house, not the others", "everything but the wages"),
        }
        yield from self._answers(
            talk, answers, self.one("It has to be clear by 18 December", "no", "We must obey the law")
        )

    def _objectives(self, talk: Talk) -> Iterator[str]:
        wants = [*self.matter.wants, NOT_NEEDED]
        yield self.one(", ".join(wants), "\n".join(f"- {each}" for each in wants), "; ".join(wants))
        last = f"O{len(wants)}"
        yield self._ordered(
            self.one(f"drop {last}", f"please remove {last}.", f"{last} can go", f"forget {last}, please")
        )
        yield from self._answers(talk, {}, self._aside())

    def _alternatives(self, talk: Talk) -> Iterator[str]:
        yield self.one(", ", "; ", "\n").join(self.matter.options)
        yield self._aside()
        yield from self._answers(talk, {"if nobody decides": self.matter.today}, self._aside())

    def _consequences(self, talk: Talk) -> Iterator[str]:
        options = [each["handle"] for each in self.results["alternatives"]["alternatives"] if not each["is_status_quo"]]
        while True:
            asked = talk.asked
            if asked.startswith("What makes"):
                yield self.one("because everybody says so", "I don't know", "Our own count of last year", "it just is")
            elif self._any.random() < 0.2:
                yield self._aside()
            else:
                yield self._rated(options, re.findall(r"O\d+", asked)[-1])

    def _rated(self, options: list[str], objective: str) -> str:
        step = lambda: self.one(  # noqa: E731  said anew each time
            "+1",
            "-1",
            "0",
            "+2 because it saves weeks",
            "−2",
            "better",
            "much better",
            "a bit worse",
            "much worse than today",
            "the same",
            "about the same",
            "is slightly better",
            "+2",
            ": -1",
            "no difference",
        )
        several = ", ".join(f"{each} {step()}" for each in options)
        return self.one(
            several,
            several.replace(", ", "; "),
            f"{objective}: {several}",
            " and ".join(f"{each} {step()}" for each in options),
            "\n".join(f"{each} on {objective} {step()}" for each in options),
            f"all {self.one('the same', 'better', '+1', '-1')}",
            f"{options[0]} {step()}, the rest {self.one('0', 'worse', 'the same')}",
            ", ".join(f"{self.one('+1', '-1', '0')} for {each}" for each in options),
            f"{' and '.join(options)} {self.one('+1', 'better', 'worse')}",
            f"{options[0]} I don't know, the others 0",
        )

    def _tradeoffs(self, talk: Talk) -> Iterator[str]:
        yield self._aside()
        yield f"I would give up {self.matter.wants[-1]} for {self.matter.wants[0]}"
        yield from self._answers(talk, {}, self._aside())

    def _recommendation(self, talk: Talk) -> Iterator[str]:
        yield self._aside()
        yield self.one("My partner has to accept it too", "We have to live with it for years")
        yield from self._answers(talk, {}, self._aside())

    def _decision_quality(self, talk: Talk) -> Iterator[str]:
        yield self._aside()
        yield self.one(
            "70 for all",
            "all 65",
            "frame 80, objectives 70 because few, the rest 60",
            "80, 70, 60, 40, 85, 75, 70",
            "frame 80",
            "75 % for the frame and 60 for the objectives",
            "everything 55",
            "50 for all of them",
            "about 60",
        )
        while not talk.is_ready:
            yield self.one("60", "70 %", "55 because we hurried", "I don't know", "the rest 50", "around 40")

    def _notes_next_steps(self, talk: Talk) -> Iterator[str]:
        soon = self.today + timedelta(days=10)
        yield self.one(f"I will call them by {soon}.", "Ada will ask for an offer by 5 December", "We go with A1")
        yield self._aside()
        yield self.one("Reopen it if the price doubles", "we'll look at it again in spring")
        yield from self._answers(talk, {}, self._aside())

    def _answers(self, talk: Talk, answers: dict[str, str], other: str) -> Iterator[str]:
        """Answer what is asked; once nothing is missing, say something else and then that this was all."""
        for _ in range(3 + len(answers) * 3):
            asked = talk.asked
            found = next((words for sign, words in answers.items() if sign in asked), None)
            yield found or other
        yield self._ordered(self.one("that's all", "done", "I'm done.", "nothing else, thanks", "let's finish"))
