"""Words about a goal: agreement, approval, content, changes, an end; read only from what people say themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

LONGEST_READ = 20_000
"""Characters; a longer text is rarely clear, and reading it would delay everything else."""

LONGEST_LINE = 200
"""Characters of a description or a value, because they are in every prompt."""

_NOT_SAID = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*(?:>|&gt;)[^\n]*$", re.DOTALL | re.MULTILINE)
"""Code and quotations."""
_UNSPOKEN = re.compile(r"<[@#!][^<>]*>|(?<!\S):[\w+'-]+:(?!\S)|[^\w\s!-~–—…]")
"""Mentions and emoji."""
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_SPACES = re.compile(r"[^\S\n]+")

_TURN = r"(?:but|however|except|although|though)\b"
_SENTENCE_ENDS = re.compile(r"(?<=[.!?…;])\s+|\n")
_CLAUSE_ENDS = re.compile(rf"(?<![.!?…;,:])[.!?…;,:]++(?=\s|\Z)|\n| [-–—]+ | (?={_TURN})", re.IGNORECASE)
_TURNS = re.compile(rf" (?={_TURN})", re.IGNORECASE)
_TURNING = re.compile(_TURN, re.IGNORECASE)
_OPENING = re.compile(
    r"(?:(?:hi|hello|hey|there|claude|threadwise|please|thanks|thank you|ok|okay|yes|great|perfect|now|next|then"
    r"|so|and|also|but|well|good (?:morning|afternoon|evening))\b[\s,.!:–—-]*)*+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A few words up to the next mark. `end` is the position after it."""

    text: str
    asks: bool
    end: int

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Return True if the clause matches as a whole and is no question."""
        return not self.asks and pattern.fullmatch(self.text) is not None


def compile_phrase(*alternatives: str) -> re.Pattern[str]:
    """Return a case-insensitive pattern of these alternatives."""
    return re.compile(rf"(?:{'|'.join(alternatives)})", re.IGNORECASE)


def extract_speech(text: str) -> str:
    """Return a person's own words: without quotations, code, mentions and emoji, with single spaces."""
    own = _UNSPOKEN.sub(" ", _NOT_SAID.sub(" ", text[:LONGEST_READ].translate(_CURLY)))
    return _SPACES.sub(" ", own).strip()


def split_sentences(words: str) -> list[str]:
    """Return the sentences of spoken words, each without polite words at its beginning."""
    return [
        opened for sentence in _SENTENCE_ENDS.split(words) if (opened := _OPENING.sub("", sentence, count=1).strip())
    ]


def split_requests(words: str) -> list[str]:
    """Return the sentences, with the text after a "but" split off."""
    return [
        part for sentence in _SENTENCE_ENDS.split(words) for part in split_sentences("\n".join(_TURNS.split(sentence)))
    ]


def split_clauses(words: str) -> list[Clause]:
    """Return the clauses of spoken words, in order. A "but" begins a new one."""
    found: list[Clause] = []
    start = 0
    for gap in _CLAUSE_ENDS.finditer(words):
        found.append(Clause(words[start : gap.start()].strip(), "?" in gap.group(), gap.end()))
        start = gap.end()
    found.append(Clause(words[start:].strip(), asks=False, end=len(words)))
    return [clause for clause in found if clause.text]


def is_reversal(words: str) -> bool:
    """Return True if the words revoke the ones before: they begin with "but" or similar."""
    return _TURNING.match(words) is not None


def ends_in_question(words: str) -> bool:
    """Return True if the words end in a question."""
    return words.rstrip(" *_)\"'\n").endswith("?")


def format_line(text: str) -> str:
    """Return the words as they are shown and stored: one short line with a capital, without a full stop."""
    words = " ".join(text.split()).rstrip(".! ")
    words = words[:1].upper() + words[1:]
    return words if len(words) <= LONGEST_LINE else words[: LONGEST_LINE - 1].rstrip() + "…"


class Intent(StrEnum):
    """Possible meanings of a few words."""

    DROPPED = "dropped"
    LEFT = "left"
    PLEASED = "pleased"
    FINISHED = "finished"
    """Nothing more is wanted. After a result this approves it; otherwise it has no effect."""
    APPROVED = "approved"
    AGREED = "agreed"
    ASSENTED = "assented"
    """A bare yes: it agrees to a plan, but may answer any other question as well."""
    CHANGES = "changes"
    GREETED = "greeted"


@dataclass(frozen=True, slots=True)
class MessageIntent:
    """The first clear statement of a message, and the rest of it."""

    saying: Intent | None
    rest: str = ""
    pleased: bool = False
    """True if a goodbye also says thanks, or that nothing more is wanted."""


_THANKS = r"(?:thanks(?: a lot| so much)?|thank you(?: so much| very much)?)"
_WANT = r"(?:(?:i|we)(?: want|'d like| would like| need)(?: you)? to |(?:can|could|would|will) you |let's )"
_HAPPILY = r"(?: to me| for me| by me)?(?: claude| then| now| please| thanks)?"
_WHAT_WAS_MEANT = r"what (?:i|we) (?:needed|wanted|meant|asked for|had in mind)"

_GREETING = compile_phrase(
    r"(?:hi|hello|hey)(?: there| again| everyone| all| claude)?|good (?:morning|afternoon|evening)(?: again| claude)?",
    r"how are you(?: doing)?(?: today)?|how(?:'s| is) it going",
)
_COURTESY = compile_phrase(
    r"please|so|well|oh|now|then|alright|right|claude",
)
_WEAKLY_PLEASED = compile_phrase(_THANKS, r"great(?: work| job)?|excellent|awesome|wonderful|nice(?: work)?|cool")
_FINISHED = compile_phrase(
    r"(?:(?:i am|i'm|we are|we're|all) )?done(?: here| with (?:this|that|it))?", r"that(?:'s| is) (?:all|everything)"
)
_ASSENT = compile_phrase(r"(?:yes|yep|yeah|ok|okay|sure)(?: please| thanks| of course)?|of course")
_PARTING = compile_phrase(r"(?:good ?)?bye(?:[ -]?bye)?(?: for now)?|see you(?: later| soon| tomorrow)?|good night")

_WHOLES: Final[Mapping[Intent, re.Pattern[str]]] = MappingProxyType(
    {
        Intent.LEFT: _PARTING,
        Intent.PLEASED: _WEAKLY_PLEASED,
        Intent.FINISHED: _FINISHED,
        Intent.ASSENTED: _ASSENT,
        Intent.GREETED: _GREETING,
    }
)
"""Patterns that match only a message with nothing but polite words beside them."""


def _compile_lead(*alternatives: str) -> re.Pattern[str]:
    return compile_phrase(rf"(?:(?:yes|ok|okay|sure|great|oh|well|so|then|please) )*(?:{'|'.join(alternatives)})")


_LEADS: Final[Mapping[Intent, re.Pattern[str]]] = MappingProxyType(
    {
        Intent.DROPPED: _compile_lead(
            r"(?:never ?mind|nvm|forget (?:about )?(?:it|that|this)|cancel(?: it| that| this)?|drop (?:it|that|this))"
            r"(?: then| please| claude)?"
        ),
        Intent.PLEASED: _compile_lead(
            r"(?:absolutely |just |simply |it's |that's |this is )?perfect",
            r"(?:it |this |that |all )?(?:looks|works) (?:good|great|well|perfectly|fine)" + _HAPPILY,
            r"(?:(?:this|that|it)(?: is|'s) )?exactly " + _WHAT_WAS_MEANT,
            r"that's it|this works|it works|(?:i )?love it",
        ),
        Intent.APPROVED: _compile_lead(
            r"(?:go ahead|proceed|go for it|start|begin|do (?:it|that|this)|make it(?: so| happen)?"
            r"|create it|build it)(?: then| now| please| claude| and .{1,80}| with .{1,80})?",
            r"(?:just|simply) (?:begin|build|create|do|draft|make|start|write)(?: (?:it|this|that|one))?(?: now)?",
            r"(?:the )?(?:plan )?(?:is )?(?:approved|good to go)",
            r"(?:i )?approve(?: it| this| that| (?:the|this|your) plan)?|let's go|ship it",
        ),
        Intent.AGREED: _compile_lead(
            r"(?:it |this |that |all |the plan )?(?:sounds|seems) (?:good|great|fine|perfect|right)" + _HAPPILY,
            r"(?:this|that) works" + _HAPPILY,
            r"(?:the |your )?plan (?:looks|is) (?:good|great|fine|perfect)" + _HAPPILY,
            r"works for me|(?:i |we )?agreed?|good plan|let's do (?:it|that|this)",
        ),
    }
)
"""Patterns of a first clause, after polite words, that says nothing else."""

_DOUBT = compile_phrase(r"\b(?:if|unless|until|not|wait|hold on|almost|nearly)\b|n't\b")

_CHANGE = compile_phrase(
    rf"{_WANT}?(?:please )?(?:change|modify|update|fix|improve|adjust|rework|redo|revise|rename|replace|remove|add)\b"
    r"(?![:-]| (?:nothing|of)\b)",
    rf"{_WANT}?(?:please )?make (?:it|this|that|them|the \w+)(?! so\b| happen\b| work\b) \w+",
    rf"{_WANT}?(?:please )?try (?:it |this |that )?again\b",
    r"(?:i|we)(?: want|'d like| would like| need) (?:some |a few )?(?:changes|something else)\b",
    r"(?:it|this|that) (?:still )?needs (?:some |a few )?changes\b|not quite\b",
    r"(?:that's |this is |it's )?not (?:right\b|" + _WHAT_WAS_MEANT + r"\b)",
)
_BACK = compile_phrase(r"\b(?:it|its|this|that|these|those|them|again|not)\b")


def read_intent(text: str) -> MessageIntent:
    """Return the clear statement of a person's message; empty if it is unclear.

    Changes take precedence over approval.
    """
    words = extract_speech(text)
    if any(_CHANGE.match(request) for request in split_requests(words)):
        return MessageIntent(Intent.CHANGES)
    parts = split_clauses(words)
    return _read_whole(parts) or _read_beginning(parts, words)


def points_back(text: str) -> bool:
    """Return True if the wanted changes concern something earlier: "it", "that", "again"."""
    return any(_CHANGE.match(request) and _BACK.search(request) for request in split_requests(extract_speech(text)))


def _read_whole(parts: list[Clause]) -> MessageIntent | None:
    if not all(part.says(_COURTESY) or any(_is_whole(part, each) for each in _WHOLES) for part in parts):
        return None
    said = [saying for saying in _WHOLES if any(_is_whole(part, saying) for part in parts)]
    pleased = not {Intent.PLEASED, Intent.FINISHED}.isdisjoint(said)
    return MessageIntent(next(iter(said), None), pleased=pleased)


def _is_whole(part: Clause, saying: Intent) -> bool:
    """Return True if the clause says just that; "how are you?" is a greeting, although it asks."""
    is_said = _WHOLES[saying].fullmatch(part.text) is not None
    return is_said and (not part.asks or saying is Intent.GREETED)


def _read_beginning(parts: list[Clause], words: str) -> MessageIntent:
    polite = (_COURTESY, _GREETING, _WEAKLY_PLEASED, _ASSENT)
    lead = next(part for part in parts if not any(part.says(pattern) for pattern in polite))
    if is_reversal(lead.text):  # "yes, but …", "thanks, but …"
        is_change = lead is not parts[0] and not ends_in_question(words)
        return MessageIntent(Intent.CHANGES if is_change else None)
    saying = next((saying for saying, pattern in _LEADS.items() if lead.says(pattern)), None)
    rest = words[lead.end :].strip()
    if saying is None or saying is Intent.DROPPED:
        return MessageIntent(saying if not is_reversal(rest) else None, rest)
    if is_reversal(rest):
        return MessageIntent(None if ends_in_question(rest) else Intent.CHANGES)
    return MessageIntent(None if _DOUBT.search(rest) else saying, rest)
