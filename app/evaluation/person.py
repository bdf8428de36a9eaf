"""Persons who play: what they know and say, what they refuse to say, and the contradictions they plant.

A file of `people` describes one person. Handles such as A2 depend on the model, so a file writes `[lease]`, and the
person reads the handle off the approved record, as people do. Pure, except for the files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

_RATED = re.compile(r"[AO]\d{1,3}")
"""Handles of options and objectives, which people name when they rate."""
_BLANK = re.compile(r"\[([^\[\]]+)\]")


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Refusal(_Data):
    """A value that the person will not give. It must stay empty in the record."""

    step: str
    path: str
    words: str
    about: tuple[str, ...] = ()
    """Words of a question that it refuses to answer."""


class Contradiction(_Data):
    """Two statements that exclude each other. A facilitator catches them by naming both."""

    step: str
    """The step in which the second one is made."""
    second: str
    """Words of the second statement."""
    named: tuple[tuple[str, ...], tuple[str, ...]]
    """Forms of the first value, and of the second: one of each has to be named."""


class Fact(_Data):
    """Something that a free person can tell."""

    about: tuple[str, ...]
    """Words of a question that it answers."""
    says: tuple[str, ...] = Field(min_length=1)
    """Wordings; the seed picks one."""
    steps: tuple[str, ...] = ()
    """Steps in which it is told; empty for all."""


class Person(_Data):
    """One person with one decision.

    `said` makes a scripted person, `facts` a free one.
    """

    key: str
    name: str
    """Title of the decision."""
    kind: str
    """What is weighed against what."""
    question: str
    picks: tuple[str, ...] = ()
    """Words of the options that this person presses when asked with buttons."""
    said: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Messages by step, in order."""
    facts: tuple[Fact, ...] = ()
    ratings: Mapping[str, Mapping[str, int]] = Field(default_factory=dict)
    """The person's own rating of each option on each objective, each named by a word of its name."""
    reasons: Mapping[str, str] = Field(default_factory=dict)
    """Reason for the ratings on an objective."""
    scores: Mapping[str, int] = Field(default_factory=dict)
    """The person's own score of each element of decision quality, by a word of its name."""
    refused: tuple[Refusal, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def is_scripted(self) -> bool:
        """Return True if the person says the same in the same order, whatever is asked."""
        return bool(self.said)


@cache
def load_people() -> Mapping[str, Person]:
    """Return the persons that ship with Threadwise, scripted ones first."""
    listed = (each for each in (files("app.evaluation") / "people").iterdir() if each.name.endswith(".toml"))
    found = [_load(each.name.removesuffix(".toml"), each.read_text("utf-8")) for each in listed]
    return {each.key: each for each in sorted(found, key=lambda each: (not each.is_scripted, each.key))}


def _load(key: str, text: str) -> Person:
    try:
        return Person.model_validate({"key": key, **tomllib.loads(text)})
    except ValueError as error:
        raise ValueError(f"person {key!r}: {error}") from error


def find_handle(word: str, names: Mapping[str, str]) -> str:
    """Return the handle of the option or objective whose name has this word; empty if none has.

    `names` are those of all items, by handle.
    """
    rated = ((handle, name) for handle, name in names.items() if _RATED.fullmatch(handle))
    return next((handle for handle, name in rated if word.casefold() in name.casefold()), "")


def fill_handles(words: str, names: Mapping[str, str]) -> str:
    """Return the words with each `[word]` as the handle of its item, or as the word itself if there is none."""
    return _BLANK.sub(lambda found: find_handle(found[1], names) or found[1], words)
