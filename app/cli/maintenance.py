"""Commands of the app's operator on the database: `threadwise keys rotate`, `erase` and `export`.

Of one conversation, or of all that is stored of one person.

Other processes may keep working. Repeat an interrupted command to complete it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from enum import Enum, auto
from typing import Any

from pydantic import TypeAdapter

from app.clock import SystemClock, format_ts
from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.conversation.effect import SendNotice
from app.core.conversation.news import StepEvent
from app.core.decisions import approval
from app.core.errors import SettingsError
from app.core.events.heard import NoticeReceived
from app.core.state.permission import Rule
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Amount
from app.decision.playbook.playbook import load_proact
from app.decision.report.dossier import Report
from app.decision.report.files import FORMATS, WRITERS, name_file
from app.ports import Profile
from app.ports.store import Rotated, Store
from app.runtime.intake import WakingIntake, wake_nobody
from app.runtime.limits import Limits, LimitSettings
from app.runtime.record.reader import DecisionReader
from app.runtime.record.reports import Reports
from app.runtime.record.sayings import SayingsReader
from app.settings import Settings
from app.wiring import connect_store, explain_outage
from handlers.slack import permalinks
from store.crypto.cipher import SealBroken
from store.crypto.erasure_secrets import ErasureSecrets
from store.open import MongoStore

AWAY = "MongoDB went away. Run this again: it goes on where it was broken off."
UNKNOWN_DECISION = "There is no decision {named}. `threadwise export --list` shows those there are."
ALL_OF_ONE = 100_000
"""Highest number of conversations of one owner that are read; more than anyone has."""

_BELONGINGS: TypeAdapter[Mapping[str, Any]] = TypeAdapter(Mapping[str, Any])

SHOWN = 5
"""Number of other databases that are named."""

BY_COMMAND = AuditEvent(type=AuditType.CONVERSATION_ERASED, reason="erase_command")


class Erasure(Enum):
    """Outcome of a request to erase a conversation."""

    DONE = auto()
    UNKNOWN = auto()
    """No conversation has this id, or it was erased; of a person, nothing is theirs."""
    DECLINED = auto()
    UNFINISHED = auto()
    """The person has begun another conversation meanwhile."""


async def rotate_keys(settings: Settings) -> Rotated:
    """Seal every key with the first master key. Raise `SettingsError`."""
    async with open_store(settings) as store:
        return await store.upkeep.rotate_keys()


async def erase(settings: Settings, id_: str, agreed: Callable[[Conversation, int], bool]) -> Erasure:
    """Erase the conversation with this id, and the steps of a decision with it. Raise `SettingsError`.

    `agreed` is asked first, with the conversation and the number of its steps.
    """
    async with open_store(settings) as store:
        conversation = await store.upkeep.find(id_)
        if conversation is None:
            return Erasure.UNKNOWN
        steps = await _find_steps(store, conversation)
        if not agreed(conversation, len(steps)):
            return Erasure.DECLINED
        await _tell_decision(store, conversation)
        for each in (*steps, conversation):  # the decision last: after an interruption it still names its steps
            await store.conversations.erase(each, BY_COMMAND)
        return Erasure.DONE


async def _find_steps(store: Store, conversation: Conversation) -> tuple[Conversation, ...]:
    """Return the steps of a decision that can be opened; none of what is no decision.

    Those of its owner are found also if it cannot be opened, or does not know yet that one has begun.
    """
    whole = await _open(store, conversation.thread)
    named = [await _open(store, thread) for thread in (whole.decision.threads if whole and whole.decision else ())]
    owned = await store.conversations.of_owner(conversation.thread.team, conversation.owner, ALL_OF_ONE)
    # Where a step was erased, somebody may have begun a conversation of theirs since.
    begun = (each for each in (*filter(None, named), *owned) if _is_step_of(each, conversation))
    return tuple({each.id: each for each in begun}.values())


def _is_step_of(now: Conversation, decision: Conversation) -> bool:
    return now.interview is not None and now.interview.decision == decision.thread


async def _tell_decision(store: Store, conversation: Conversation) -> None:
    """Have the decision of a step show that it is erased, as when its owner erases it.

    Told before the erasure: an interrupted one is repeated, and then has nothing left to tell.
    """
    step = await _open(store, conversation.thread)
    if step and step.interview:
        quiet = Transition(conversation=replace(step, effects=()))
        told = approval.tell_decision(quiet, "erase_command", StepEvent.ERASED)
        for notice in told.conversation.effects:
            assert isinstance(notice, SendNotice), "only the notice was queued"
            receipt, at = f"news:{step.id}:{notice.id}", format_ts(SystemClock().now())
            news = NoticeReceived(receipt=receipt, thread=notice.thread, at=at, news=notice.news)
            await WakingIntake(store.inbox, wake_nobody).accept(news)


async def _open(store: Store, thread: ThreadKey) -> Conversation | None:
    """Return a thread's conversation; None if there is none, or it cannot be opened."""
    with suppress(SealBroken):  # `threadwise doctor` names it
        return await store.conversations.find(thread)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a person wrote in a conversation of somebody else."""

    conversation: Conversation
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongings:
    """What is stored of one person."""

    user: str
    opened: tuple[Conversation, ...]
    """Their conversations, a decision after its steps."""
    unopened: tuple[Conversation, ...]
    """Those that cannot be opened: thread and owner alone."""
    rules: tuple[Rule, ...]
    teams: tuple[str, ...]
    """Workspaces in which a conversation or a rule is theirs."""
    words: tuple[Words, ...]
    """What stays when all of the above is erased."""


async def find_belongings(settings: Settings, user: str) -> Belongings:
    """Return what is stored of a person. Reads every message. Raise `SettingsError`."""
    async with open_store(settings) as store:
        return await _find_belongings(store, user)


async def erase_belongings(settings: Settings, user: str, agreed: Callable[[Belongings], bool]) -> Erasure:
    """Erase all conversations and rules of a person. `agreed` is asked first. Raise `SettingsError`."""
    async with open_store(settings) as store:
        found = await _find_belongings(store, user)
        if not found.teams:
            return Erasure.UNKNOWN
        if not agreed(found):
            return Erasure.DECLINED
        still = {each.id for kind in await _find_own(store, user) for each in kind}
        for each in (*found.opened, *found.unopened):
            if each.id in still:  # while somebody thought about it, it may have been handed over
                await store.conversations.erase(each, BY_COMMAND)
        for team in found.teams:  # the rules last: until then, an answer in a conversation could make one
            await store.permissions.revoke_all(team, user)
        return Erasure.UNFINISHED if await store.upkeep.owned_by(user) else Erasure.DONE


def describe_belongings(found: Belongings) -> Sequence[str]:
    """Return a line for each thing, with ids and nothing of what is in it."""
    of_others = [
        f"{_locate(words.conversation)}  of {words.conversation.owner}, has words of theirs ({len(words.messages)})"
        for words in found.words
    ]
    return (
        *(
            f"{_locate(each)}  {_name_kind(each)}{', with a schedule' if each.schedule else ''}"
            for each in found.opened
        ),
        *(f"{_locate(each)}  cannot be opened" for each in found.unopened),
        *(f"rule: {'always' if rule.allows else 'never'} {rule.tool} since {rule.at[:10]}" for rule in found.rules),
        *of_others,
        *(("Words in conversations of others stay until the messages are deleted in Slack.",) if of_others else ()),
    )


def _locate(now: Conversation) -> str:
    return f"{now.id}  {now.thread.channel}  {now.thread.root}"


def _name_kind(now: Conversation) -> str:
    return "decision" if now.decision else "step of a decision" if now.interview else "thread"


async def export_belongings(settings: Settings, user: str) -> str | None:
    """Return all that is stored of a person as JSON; None if that is nothing. Raise `SettingsError`."""
    async with open_store(settings) as store:
        found = await _find_belongings(store, user)
        if not (found.teams or found.words):
            return None
        return _BELONGINGS.dump_json(
            {
                "schema": "threadwise.person/1",
                "person": user,
                "conversations": [await _read_all(store, each) for each in found.opened],
                "cannot_be_opened": [each.id for each in found.unopened],
                "rules": found.rules,
                "words_in_conversations_of_others": [
                    {
                        "conversation": each.conversation.id,
                        **asdict(each.conversation.thread),
                        "messages": each.messages,
                    }
                    for each in found.words
                ],
            },
            indent=2,
        ).decode()


async def _read_all(store: Store, now: Conversation) -> Mapping[str, Any]:
    """Return the state of a conversation, its messages and files, and of a decision the approved results."""
    return {
        "state": now,
        "messages": await store.conversations.transcript(now, 0),
        "files": await store.files.list(now),
        "results": await store.versions.list(now.thread) if now.decision else (),
    }


async def _find_belongings(store: Store, user: str) -> Belongings:
    opened, unopened = await _find_own(store, user)
    teams = tuple(team for team, person in await store.upkeep.people() if person == user)
    return Belongings(
        user=user,
        opened=opened,
        unopened=unopened,
        rules=tuple([rule for team in teams for rule in await store.permissions.list(team, user)]),
        teams=teams,
        words=tuple([each async for each in _find_words(store, user)]),
    )


async def _find_own(store: Store, user: str) -> tuple[tuple[Conversation, ...], tuple[Conversation, ...]]:
    """Return the conversations of a person, a decision after its steps; and those that cannot be opened."""
    owned = await store.upkeep.owned_by(user)
    read = [await _open(store, each.thread) for each in owned]
    own = [each for each in read if each and not await _is_handed_over(store, each)]
    steps = [step for each in own if each.decision for step in await _find_steps(store, each)]
    opened = {each.id: each for each in (*steps, *own)}
    return (
        tuple(sorted(opened.values(), key=lambda each: each.decision is not None)),
        tuple(each for each, now in zip(owned, read, strict=True) if now is None),
    )


async def _is_handed_over(store: Store, now: Conversation) -> bool:
    """Return True for a step whose decision has another owner: it is about to hear that it has, too."""
    decision = await _open(store, now.interview.decision) if now.interview else None
    return decision is not None and decision.owner != now.owner


async def _find_words(store: Store, user: str) -> AsyncIterator[Words]:
    async for now in list_conversations(store):
        with suppress(SealBroken):  # `threadwise doctor` names it
            rows = await store.conversations.transcript(now, 0) if now.owner != user else ()
            if theirs := tuple(row for row in rows if row.author == user):
                yield Words(conversation=now, messages=theirs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One person's permanent rules, and the usage of their answers today (UTC)."""

    team: str
    user: str
    rules: tuple[Rule, ...]
    spent: Amount


async def list_accounts(settings: Settings) -> tuple[Account, ...]:
    """Return everyone's account, by workspace and person, without any content. Raise `SettingsError`."""
    clock = SystemClock()
    async with open_store(settings) as store:
        limits = Limits(store.limits, clock, LimitSettings())
        return tuple(
            [
                Account(
                    team=team,
                    user=user,
                    rules=await store.permissions.list(team, user),
                    spent=await limits.spent_today(team, user),
                )
                for team, user in await store.upkeep.people()
            ]
        )


async def list_decisions(settings: Settings) -> tuple[Conversation, ...]:
    """Return every decision that can be opened, by owner, the newest first. Raise `SettingsError`."""
    async with open_store(settings) as store:
        return await _find_decisions(store)


async def build_report(settings: Settings, named: str) -> Report | None:
    """Return the report of a decision; None if none has that name. Raise `SettingsError`."""
    clock = SystemClock()
    async with open_store(settings) as store:
        now = await find_decision(store, named)
        if now is None:
            return None
        names = await _collect_names(store, now)

        async def profile_of(team: str, user: str) -> Profile:
            return Profile(name=names.get(user, user))

        casebook = DecisionReader(store.versions, SayingsReader(store.conversations, store.files), load_proact(), clock)
        return await Reports(store.versions, casebook, profile_of, clock).of(now)


def render_report(of: Report, word: str) -> tuple[str, str]:
    """Return the name and the content of the report's file, in the format of that word."""
    form = FORMATS[word]
    return name_file(of, form), WRITERS[form](of)


async def find_decision(store: Store, named: str) -> Conversation | None:
    """Return the decision of that name; None if there is none.

    The name is its id, the ts of its first message, or the link of a message in its thread or in that of a step.
    """
    return next((each for each in await _find_decisions(store) if _is_meant(named, each)), None)


async def _find_decisions(store: Store) -> tuple[Conversation, ...]:
    return tuple([each async for each in list_conversations(store) if each.decision])


async def list_conversations(store: Store) -> AsyncIterator[Conversation]:
    """Yield every conversation that can be opened, by owner, the newest first."""
    for team, owner in await store.upkeep.owners():
        for now in await store.conversations.of_owner(team, owner, ALL_OF_ONE):
            yield now


def _is_meant(named: str, now: Conversation) -> bool:
    linked = permalinks.find_thread(named, now.thread.team)
    threads = (now.thread, *(step.thread for step in now.decision.steps)) if now.decision else ()
    return named in (now.id, now.thread.root) or (linked is not None and linked in threads)


async def _collect_names(store: Store, now: Conversation) -> Mapping[str, str]:
    """Return the names of the people in the decision's steps when they wrote; Slack is not asked."""
    names: dict[str, str] = {}
    for step in now.decision.steps if now.decision else ():
        led = await store.conversations.find(step.thread) if step.thread else None
        rows = await store.conversations.transcript(led, 0) if led else ()
        names |= {row.author: row.author_name for row in rows if row.author_name}
    return names


@dataclass(frozen=True, slots=True)
class Emptiness:
    """What is to be told of an empty database, which a typing error begins as well as a first start."""

    told: str
    is_lost: bool
    """True if there are secrets of a database of this name: it was in use."""


async def find_emptiness(settings: Settings, store: Store) -> Emptiness | None:
    """Return None if something was stored in this database. Raise `StoreUnavailable`."""
    if not await store.upkeep.is_empty():  # asked first: the folder has a file for each conversation
        return None
    secrets = ErasureSecrets(settings.secrets_folder, settings.database)
    own, others = len(await secrets.list_names()), await secrets.list_others()
    if not await store.upkeep.is_empty():  # another process has made the first key meanwhile
        return None
    if own:
        told = (
            f"The database {settings.database} is empty, but {secrets.path} has the secrets of one that was in use "
            f"({own}). If it was lost or another is meant, stop every process, then restore it from a backup or "
            "correct MONGODB_URI and THREADWISE_DATABASE. To begin anew, move that folder away."
        )
        return Emptiness(told, is_lost=True)
    named = f" Beside its secrets are those of {', '.join(others[:SHOWN])}." if others else ""
    told = (
        f"The database {settings.database} is new: nothing is in it yet.{named} "
        "If you mean another, stop, and correct THREADWISE_DATABASE or MONGODB_URI."
    )
    return Emptiness(told, is_lost=False)


@asynccontextmanager
async def open_store(
    settings: Settings, gives_up: Callable[[int, int], bool] | None = None
) -> AsyncGenerator[MongoStore]:
    """Yield the store; see `connect_store`. Raise `SettingsError`, also if it is empty or goes away meanwhile."""
    with explain_outage(AWAY):
        async with connect_store(settings, SystemClock(), gives_up) as store:
            if emptiness := await find_emptiness(settings, store):
                raise SettingsError(emptiness.told)
            yield store
