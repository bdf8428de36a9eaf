"""Recognition of a person's words on a current goal: agreement, approval, satisfaction, changes, an end.

The fallback if the model called no tool. It accepts only a whole message or a clear beginning. "Not perfect", "done?"
or a word in passing has no effect. It knows no phase, and English only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from app.core.goal_speech import Clause, asks, clauses, phrase, requests, spoken, turns


class Saying(StrEnum):
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


@dataclass(frozen=True, slots=True)
class Heard:
    """The first clear statement of a message, and the rest of it."""

    saying: Saying | None
    rest: str = ""


_THANKS = r"(?:thanks(?: a lot| so much)?|thank you(?: so much| very much)?)"
_WANT = r"(?:(?:i|we)(?: want|'d like| would like| need)(?: you)? to |(?:can|could|would|will) you |let's )"
_HAPPILY = r"(?: to me| for me| by me)?(?: claude| then| now| please| thanks)?"
_WHAT_WAS_MEANT = r"what (?:i|we) (?:needed|wanted|meant|asked for|had in mind)"

_COURTESY = phrase(
    r"(?:hi|hello|hey)(?: there| claude)?|good (?:morning|afternoon|evening)",
    r"please|so|well|oh|now|then|alright|right|claude",
)
_WEAKLY_PLEASED = phrase(_THANKS, r"great(?: work| job)?|excellent|awesome|wonderful|nice(?: work)?|cool")
_FINISHED = phrase(
    r"(?:(?:i am|i'm|we are|we're|all) )?done(?: here| with (?:this|that|it))?", r"that(?:'s| is) (?:all|everything)"
)
_ASSENT = phrase(r"(?:yes|yep|yeah|ok|okay|sure)(?: please| thanks| of course)?|of course")
_PARTING = phrase(r"(?:good ?)?bye(?:[ -]?bye)?(?: for now)?|see you(?: later| soon| tomorrow)?|good night")

_WHOLES: Final[Mapping[Saying, re.Pattern[str]]] = MappingProxyType(
    {Saying.LEFT: _PARTING, Saying.PLEASED: _WEAKLY_PLEASED, Saying.FINISHED: _FINISHED, Saying.ASSENTED: _ASSENT}
)
"""Patterns that match only a message with nothing but polite words beside them."""


def _lead(*alternatives: str) -> re.Pattern[str]:
    return phrase(rf"(?:(?:yes|ok|okay|sure|great|oh|well|so|then|please) )*(?:{'|'.join(alternatives)})")


_LEADS: Final[Mapping[Saying, re.Pattern[str]]] = MappingProxyType(
    {
        Saying.DROPPED: _lead(
            r"(?:never ?mind|forget (?:about )?(?:it|that|this)|cancel(?: it| that| this)?|drop (?:it|that|this))"
            r"(?: then| please| claude)?"
        ),
        Saying.PLEASED: _lead(
            r"(?:absolutely |just |simply |it's |that's |this is )?perfect",
            r"(?:it |this |that |all )?(?:looks|works) (?:good|great|well|perfectly|fine)" + _HAPPILY,
            r"(?:(?:this|that|it)(?: is|'s) )?exactly " + _WHAT_WAS_MEANT,
            r"that's it|this works|it works|(?:i )?love it",
        ),
        Saying.APPROVED: _lead(
            r"(?:go ahead|proceed|go for it|start|begin|do (?:it|that|this)|make it(?: so| happen)?"
            r"|create it|build it)(?: then| now| please| claude| and .{1,80}| with .{1,80})?",
            r"(?:the )?(?:plan )?(?:is )?(?:approved|good to go)",
            r"(?:i )?approve(?: it| this| that| (?:the|this|your) plan)?|let's go|ship it",
        ),
        Saying.AGREED: _lead(
            r"(?:it |this |that |all |the plan )?(?:sounds|seems) (?:good|great|fine|perfect|right)" + _HAPPILY,
            r"(?:this|that) works" + _HAPPILY,
            r"(?:the |your )?plan (?:looks|is) (?:good|great|fine|perfect)" + _HAPPILY,
            r"works for me|(?:i |we )?agreed?|good plan|let's do (?:it|that|this)",
        ),
    }
)
"""Patterns of a first clause, after polite words, that says nothing else."""

_DOUBT = phrase(r"\b(?:if|unless|until|not|wait|hold on|almost|nearly)\b|n't\b")

_CHANGE = phrase(
    rf"{_WANT}?(?:please )?(?:change|modify|update|fix|improve|adjust|rework|redo|revise|rename|replace|remove|add)\b"
    r"(?![:-]| (?:nothing|of)\b)",
    rf"{_WANT}?(?:please )?make (?:it|this|that|them|the \w+)(?! so\b| happen\b| work\b) \w+",
    rf"{_WANT}?(?:please )?try (?:it |this |that )?again\b",
    r"(?:i|we)(?: want|'d like| would like| need) (?:some |a few )?(?:changes|something else)\b",
    r"(?:it|this|that) (?:still )?needs (?:some |a few )?changes\b|not quite\b",
    r"(?:that's |this is |it's )?not (?:right\b|" + _WHAT_WAS_MEANT + r"\b)",
)
_BACK = phrase(r"\b(?:it|its|this|that|these|those|them|again|not)\b")


def heard(text: str) -> Heard:
    """Return the clear statement of a person's message; empty if it is unclear.

    Changes take precedence over approval.
    """
    words = spoken(text)
    if any(_CHANGE.match(request) for request in requests(words)):
        return Heard(Saying.CHANGES)
    parts = clauses(words)
    return _whole(parts) or _begun(parts, words)


def points_back(text: str) -> bool:
    """Return True if the wanted changes concern something earlier: "it", "that", "again"."""
    return any(_CHANGE.match(request) and _BACK.search(request) for request in requests(spoken(text)))


def _whole(parts: list[Clause]) -> Heard | None:
    if not all(part.says(_COURTESY) or any(part.says(whole) for whole in _WHOLES.values()) for part in parts):
        return None
    said = (saying for saying, whole in _WHOLES.items() if any(part.says(whole) for part in parts))
    return Heard(next(said, None))


def _begun(parts: list[Clause], words: str) -> Heard:
    polite = (_COURTESY, _WEAKLY_PLEASED, _ASSENT)
    lead = next(part for part in parts if not any(part.says(pattern) for pattern in polite))
    if turns(lead.text):  # "yes, but …", "thanks, but …"
        is_change = lead is not parts[0] and not asks(words)
        return Heard(Saying.CHANGES if is_change else None)
    saying = next((saying for saying, pattern in _LEADS.items() if lead.says(pattern)), None)
    rest = words[lead.end :].strip()
    if saying is None or saying is Saying.DROPPED:
        return Heard(saying if not turns(rest) else None, rest)
    if turns(rest):
        return Heard(None if asks(rest) else Saying.CHANGES)
    return Heard(None if _DOUBT.search(rest) else saying, rest)
