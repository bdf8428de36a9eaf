"""The answers of `/threadwise`: the caller's conversations, open questions, schedules and settings. Pure.

It changes nothing, and shows the caller's own conversations only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import accumulate, islice
from types import MappingProxyType

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.owners import Owners
from app.core.state.permission import Policy
from app.core.state.status import Status
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.core.turns.rate_limits import Allowance
from app.decision.schema.terms import explain_to_people
from handlers.views.kit import blocks, packing, summary_line
from handlers.views.kit.blocks import Block, RenderedMessage
from handlers.views.windows import decision_row
from handlers.views.windows.decision_row import DecisionRow, Entry, find_group, group_decisions

SHOWN = 20
"""Conversations that one answer lists."""


LISTING = frozenset({"list", "status", "schedules"})
"""Words whose answer needs the caller's conversations."""

SETTINGS = "settings"
"""The word whose answer needs the caller's time zone."""

EXPORT, PERMISSIONS = "export", "permissions"
"""Words that open a window, if it has any content."""


UNKNOWN = "unknown"
"""Stands for any word that is not known."""

LONGEST_WORD = 40
"""Characters of a word that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppPolicy:
    """The settings in force, as the operator chose them."""

    model: str
    user: Allowance
    workspace: Allowance
    audit_days: int
    copies_days: int
    """Days for which copies of erasure secrets are kept."""
    policy: Policy
    """The permissions of tools for everyone."""
    owners: Owners = Owners.MEMBERS
    """The people who may own a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContext:
    """The input of an answer. `conversations` are the caller's, the newest first."""

    view: summary_line.LinkContext
    rules: AppPolicy
    conversations: tuple[Conversation, ...] = ()
    zone: str = ""
    """The caller's time zone in Slack."""


def parse_word(text: str) -> str:
    """Return the word that was typed, `help` for none and `UNKNOWN` for any other."""
    first = _read_first(text) or "help"
    return first if first in KNOWN else UNKNOWN


def explain_unknown(text: str) -> str:
    """Return a sentence about a word that is not known: what is most likely meant, and where help is."""
    like = next(iter(get_close_matches(_read_first(text), (*KNOWN, *texts.ELSEWHERE), n=1)), "")
    meant = texts.ELSEWHERE.get(like, f"`/threadwise {like}`")
    return texts.DID_YOU_MEAN.format(meant=meant) if like else texts.UNKNOWN_WORD


def _read_first(text: str) -> str:
    return next(iter(text.split()), "").casefold()[:LONGEST_WORD]


def answer(asked_for: str, asked: ReplyContext) -> RenderedMessage:
    """Answer one of the words."""
    return ANSWERS[asked_for](asked)


def _render_help(_: ReplyContext) -> RenderedMessage:
    return blocks.render_sentence(texts.COMMAND_HELP)


def _render_list(asked: ReplyContext) -> RenderedMessage:
    if not asked.conversations:
        return blocks.render_sentence(texts.NO_CONVERSATIONS)
    entries = group_decisions(asked.conversations)
    return _render_lines(
        f"*{texts.CONVERSATIONS}*", (_render_entry(each, asked.view) for each in entries), len(entries)
    )


def _render_entry(each: Entry, view: summary_line.LinkContext) -> str:
    is_decision = isinstance(each, DecisionRow)
    return decision_row.render_line(each, view) if is_decision else summary_line.render_line(each, view)


def _render_status(asked: ReplyContext) -> RenderedMessage:
    entries = group_decisions(asked.conversations)
    counts = Counter(map(find_group, entries))
    closed = [f"{texts.HOME_CLOSED} {counts[None]}"] if counts[None] else []
    told = summary_line.DOT.join([*(f"{texts.STATUS_NAMES[each]} {counts[each]}" for each in Status), *closed])
    waiting = [each for each in entries if find_group(each) is Status.WAITING_INPUT]
    below = f"*{texts.WAITING_FOR_YOU}*" if waiting else texts.NOTHING_WAITS
    return _render_lines(f"{told}\n{below}", (_render_entry(each, asked.view) for each in waiting), len(waiting))


def _render_schedules(asked: ReplyContext) -> RenderedMessage:
    planned = [each for each in asked.conversations if each.schedule]
    if not planned:
        return blocks.render_sentence(texts.NO_SCHEDULES)
    lines = (summary_line.describe_schedule(each, asked.view) for each in planned)
    return _render_lines(f"*{texts.HOME_BACKGROUND}*", lines, len(planned))


def _render_settings(asked: ReplyContext) -> RenderedMessage:
    rules = asked.rules
    told = (
        texts.ZONE.format(zone=asked.zone or texts.UNKNOWN_ZONE),
        texts.MODEL.format(model=rules.model),
        texts.LIMITS.format(limits=_describe_limits(rules)),
        texts.AUDIT.format(days=texts.format_count(rules.audit_days, "day")),
        texts.COPIES.format(days=texts.format_count(rules.copies_days, "day")),
    )
    return blocks.render_sentence("\n".join(told))


def _render_words(_: ReplyContext) -> RenderedMessage:
    """Return a section for each group of words, with a line for each word."""
    groups = [f"*{title}*\n{explain_to_people([name])}" for name, title in texts.WORDS.items()]
    return RenderedMessage(
        text=cut("\n".join(groups), blocks.FALLBACK_CHARS), blocks=tuple(map(blocks.build_section, groups))
    )


ANSWERS: Mapping[str, Callable[[ReplyContext], RenderedMessage]] = MappingProxyType(
    {
        "help": _render_help,
        "list": _render_list,
        "status": _render_status,
        "schedules": _render_schedules,
        "words": _render_words,
        SETTINGS: _render_settings,
    }
)


KNOWN = (*ANSWERS, EXPORT, PERMISSIONS)
"""The words that are answered."""


def _describe_limits(rules: AppPolicy) -> str:
    told = ((texts.FOR_YOU, rules.user), (texts.FOR_ALL, rules.workspace))
    bounds = [sentence.format(limits=words) for sentence, allowance in told if (words := _describe_bounds(allowance))]
    return "; ".join(bounds) or texts.NO_LIMITS


def _describe_bounds(allowance: Allowance) -> str:
    set_ = ((noun, words, getattr(allowance, name)) for name, (noun, words) in texts.LIMIT_NAMES.items())
    told = [words.format(counted=texts.format_count(count, noun)) for noun, words, count in set_ if count]
    return join_words([*told, *([texts.LIMIT_OF_MONEY] if allowance.dollars else [])])


def _render_lines(heading: str, lines: Iterable[str], count: int) -> RenderedMessage:
    first = list(islice(lines, SHOWN))
    shown = [line for line, chars in zip(first, accumulate(map(len, first)), strict=True) if chars <= packing.CHARS]
    hidden = count - len(shown)
    more = (texts.AND_MORE.format(count=hidden),) if hidden else ()
    told = (heading, *shown, *more)
    body: tuple[Block, ...] = tuple(blocks.build_section(each) for each in told)
    return RenderedMessage(text=cut("\n".join(told), blocks.FALLBACK_CHARS), blocks=body)
