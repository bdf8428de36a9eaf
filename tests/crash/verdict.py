"""The verdict: what Slack shows in a thread, against what people said there. Nothing lost, nothing twice, nothing half.

Pure. Reads Slack's messages and nothing of ours: neither the database nor the metadata that the program posts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Literal

from app.core.copy import texts
from app.playground.slack import Message
from tests.crash import answers

ASKS = "❓"
"""How a question of the program begins, and the line that points at one that is open."""

LOCKED, QUEUED = "lock", "hourglass_flowing_sand"
"""Slack's names of the marks that the program leaves on people's messages."""

Wish = Literal["answer", "end", "lock", "nothing"]
"""What must come of a message: an answer, an end of some kind (*Stop* was pressed), the mark of a refusal, or whatever
(it was withdrawn)."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a person, and the program's marks on it."""

    token: str
    ts: str
    wish: Wish = "answer"
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shown:
    """A message of the program, as people see it: the answer's words, the notice below them, the button."""

    ts: str
    words: str
    notice: str = ""
    offers_retry: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A question of the program. `answer` is what its first button says; empty once it is closed."""

    ts: str
    words: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread as Slack has it, oldest message first. `whispers` are what others than the owner saw alone."""

    name: str
    said: Sequence[Said]
    shown: Sequence[Shown]
    whispers: Sequence[str] = ()
    cards: Sequence[Card] = ()


class Ending(StrEnum):
    """How an answer stands there in the end."""

    WHOLE = "whole"
    MARKED = "marked"
    """Failed or interrupted, with *Retry*, or without it once a later answer has overtaken it."""
    STOPPED = "stopped"
    """By a person, who got what they wanted."""
    REFUSED = "refused"
    """Failed for good: nothing can be pressed."""
    HALF = "half"
    """Neither complete nor marked."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in one chain of messages. `tokens` is empty if it was cut before it said whom it answers."""

    tokens: tuple[str, ...]
    ending: Ending
    pages: tuple[Shown, ...]

    def concerns(self, said: Said) -> bool:
        """True if it is, or can be, about this message."""
        return said.token in self.tokens if self.tokens else said.ts < self.pages[0].ts


class Kind(StrEnum):
    """What can be wrong."""

    LOST = "lost"
    TWICE = "twice"
    HALF = "half"
    """An answer was left as it was, or nothing can be pressed under it."""
    STRAY = "stray"
    """Something is there that nobody asked for, or a mark that should be gone or there."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong."""

    kind: Kind
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many messages got a whole answer, how many a mark instead, and what is wrong."""

    whole: int
    marked: int
    wrong: tuple[Wrong, ...]


def judge(thread: Thread) -> Verdict:
    """Judge a thread at rest."""
    chains = replies(thread.shown)
    wants = [said for said in thread.said if said.wish == "answer"]
    answered = [said for said in wants if _times(said, chains)]
    marked = [said for said in wants if said not in answered and _is_marked(said, chains)]
    wrong = [*_about_messages(thread.said, chains), *_about_replies(thread, chains), *_about_cards(thread)]
    return Verdict(len(answered), len(marked), tuple(Wrong(kind, f"{thread.name}: {what}") for kind, what in wrong))


def replies(shown: Sequence[Shown]) -> tuple[Reply, ...]:
    """Join the pages of each answer. A page that follows nothing is an answer of its own, and so a half one."""
    chains: list[list[Shown]] = []
    for page in shown:
        begins = not page.words or page.words.startswith("Answer to ")
        if begins or not chains or _is_over(chains[-1]):
            chains.append([])
        chains[-1].append(page)
    made = [_reply(tuple(chain)) for chain in chains]
    return (*(_overtaken(reply) for reply in made[:-1]), *made[-1:])


def settled(said: Said, chains: Sequence[Reply]) -> bool:
    """True if this message has got what it will get unless somebody presses *Retry*."""
    return any(reply.ending is not Ending.HALF and reply.concerns(said) for reply in chains)


def shown(message: Message) -> Shown:
    """Read a message of the program."""
    blocks = message.blocks or []
    body = [*_texts([block for block in blocks if block["type"] in ("markdown", "rich_text")])]
    notices = _texts([block for block in blocks if block["type"] == "context"])
    notice = [words for words in notices if not words.startswith(ASKS)]
    actions = [element for block in blocks if block["type"] == "actions" for element in block["elements"]]
    retry = any(element["action_id"] == "retry" for element in actions)
    return Shown(message.ts, "".join(body) if blocks else message.text, " ".join(notice), retry)


def card(message: Message) -> Card | None:
    """Read a question of the program; None if this is none."""
    blocks = message.blocks or []
    words = next(_texts([block for block in blocks if block["type"] == "section"]), "")
    if not words.startswith(ASKS):
        return None
    buttons = [element for block in blocks if block["type"] == "actions" for element in block["elements"]]
    return Card(message.ts, words, next(_texts(buttons), ""))


def _about_cards(thread: Thread) -> Iterator[tuple[Kind, str]]:
    for words, count in Counter(card.words for card in thread.cards).items():
        if count > 1:
            yield Kind.TWICE, f"the same question {count} times: {words[:60]!r}"
    answered = {said.token for said in thread.said}
    for each in thread.cards:
        if each.answer in answered:
            yield Kind.HALF, f"{each.answer} was chosen and can be chosen still"


def _about_messages(all_said: Sequence[Said], chains: Sequence[Reply]) -> Iterator[tuple[Kind, str]]:
    for said in all_said:
        times = _times(said, chains)
        if times > 1:
            yield Kind.TWICE, f"{said.token} was answered {times} times"
        if said.wish == "answer" and not times and not _is_marked(said, chains):
            yield Kind.LOST, f"{said.token} got no answer"
        if said.wish == "end" and not settled(said, chains):
            yield Kind.LOST, f"{said.token} came to no end"
        if said.wish == "lock" and (LOCKED not in said.marks or times):
            yield Kind.STRAY, f"{said.token} is somebody else's and was not refused"
        if QUEUED in said.marks:
            yield Kind.STRAY, f"{said.token} is still marked as queued"


def _about_replies(thread: Thread, chains: Sequence[Reply]) -> Iterator[tuple[Kind, str]]:
    known = {said.token for said in thread.said}
    for reply in chains:
        if reply.ending in (Ending.HALF, Ending.REFUSED):
            yield Kind.HALF, f"{reply.ending} {_quoted(reply)}"
        if not known.issuperset(reply.tokens):
            yield Kind.STRAY, f"answers what nobody said: {_quoted(reply)}"
    # What was interrupted may begin like the answer that came in its place, but nothing comes without being asked for.
    pages = [page.words for reply in chains if reply.ending is not Ending.MARKED for page in reply.pages]
    for text, count in Counter(pages).items():
        if count > 1:
            yield Kind.TWICE, f"the same words {count} times: {text[:60]!r}"
    asked = sum(said.wish != "lock" for said in thread.said)
    if len(chains) > asked:
        yield Kind.TWICE, f"{len(chains)} answers to {asked} messages"
    if len(thread.whispers) > sum(said.wish == "lock" for said in thread.said):
        yield Kind.TWICE, f"{len(thread.whispers)} whispers"


def _times(said: Said, chains: Sequence[Reply]) -> int:
    return sum(reply.ending is Ending.WHOLE and said.token in reply.tokens for reply in chains)


def _is_marked(said: Said, chains: Sequence[Reply]) -> bool:
    return any(reply.ending is Ending.MARKED and reply.concerns(said) for reply in chains)


def _overtaken(reply: Reply) -> Reply:
    """The reply, where a later one has taken *Retry* from under it."""
    return replace(reply, ending=Ending.MARKED) if reply.ending is Ending.REFUSED else reply


def _is_over(chain: Sequence[Shown]) -> bool:
    return bool(chain[-1].notice) or chain[-1].words.endswith(answers.END)


def _reply(pages: tuple[Shown, ...]) -> Reply:
    text = "".join("".join(page.words.split()) for page in pages)
    tokens = answers.named(pages[0].words)
    history = pages[0].words.partition(":")[0].rpartition(" ")[2]
    expected = "" if tokens is None else answers.whole(tokens, 0 if tokens else int(history))
    if pages[-1].offers_retry:
        ending = Ending.MARKED
    elif pages[-1].notice:
        ending = Ending.STOPPED if texts.STOPPED in pages[-1].notice else Ending.REFUSED
    else:
        ending = Ending.WHOLE if text and text == "".join(expected.split()) else Ending.HALF
    return Reply(tokens or (), ending, pages)


def _quoted(reply: Reply) -> str:
    return f"{reply.pages[0].words[:60]!r} … {(reply.pages[-1].notice or reply.pages[-1].words)[-60:]!r}"


def _texts(thing: Any) -> Iterator[str]:
    if isinstance(thing, list):
        for item in thing:  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(item)
    elif isinstance(thing, dict):
        for key, value in thing.items():  # pyright: ignore[reportUnknownVariableType]
            if key == "text" and isinstance(value, str):
                yield value
            else:
                yield from _texts(value)
