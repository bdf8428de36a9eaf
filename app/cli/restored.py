"""`threadwise restored`: the steps to take before a restored database may work again.

Actions in progress may have been done since the backup, so none is repeated by itself. The command can be repeated
after a failure. The database works only after all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.cli.maintenance import list_conversations, open_store
from app.clock import SystemClock, format_ts
from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.conversation.effect import (
    Erase,
    ForgetFiles,
    OpenStep,
    RedactQuotes,
    SavePermissionRule,
    SaveVersion,
    SendNotice,
)
from app.core.conversation.facts import Facts
from app.core.errors import LostConversation, SettingsError
from app.core.events.internal import ChannelLost, EventParked
from app.core.machine import apply
from app.core.state.status import Status
from app.ports import Clock
from app.ports.store import Store
from app.settings import Settings
from app.wiring import is_worked_on
from store.crypto.erasure_secrets import AT_WORK, ErasureSecrets

CAUSE = "restored"
"""Correlation in the log and the audit log, and the reference that an interrupted reply shows."""
KEPT = (SaveVersion, RedactQuotes, ForgetFiles, SavePermissionRule, SendNotice, OpenStep)
"""Effects that are still performed, with the next event in their conversation.

Each is done once: it can be repeated safely, or the app looks for it in Slack first.
"""


@dataclass(slots=True)
class Restored:
    """Counts of the changes."""

    broken_off: int = 0
    """Conversations with a turn in progress."""
    paused: int = 0
    """Schedules that wait for their owners."""
    parked: int = 0
    """Events that `threadwise doctor` shows from now on."""


async def restore(settings: Settings, gives_up: Callable[[int, int], bool] | None = None) -> Restored:
    """Settle all open work.

    If `gives_up` agrees to their numbers (see `Wrapping`), conversations without their secret are erased first. Raise
    `SettingsError`, also while a process works on the database: then nothing has changed.
    """
    clock = SystemClock()
    try:
        with ErasureSecrets(settings.secrets_folder, settings.database).hold(alone=True):
            await _require_rest(settings, clock)
            async with open_store(settings, gives_up) as store:  # this erases, and applies erasures again
                return await _restore_store(store, clock)
    except LostConversation as error:
        raise SettingsError(AT_WORK) from error


async def _require_rest(settings: Settings, clock: Clock) -> None:
    """Raise `SettingsError` if a process with another folder of secrets works on a conversation.

    It does not hold ours, and is not seen while it waits for work. A process that died left a lease. One that is in
    force after the length of a lease was renewed or begun meanwhile.
    """
    if await is_worked_on(settings):
        await clock.sleep(settings.lease_seconds)
        if await is_worked_on(settings):
            raise SettingsError(AT_WORK)


async def _restore_store(store: Store, clock: Clock) -> Restored:
    done = Restored(parked=await store.upkeep.park_all())
    async for now in list_conversations(store):
        after = await _settle_conversation(store, clock, now)
        done.broken_off += bool(now.turn or now.effects)
        done.paused += now.status is Status.BACKGROUND and after is not Status.BACKGROUND
    await store.generation.catch_up()
    return done


async def _settle_conversation(store: Store, clock: Clock, now: Conversation) -> Status:
    if any(isinstance(effect, Erase) for effect in now.effects):
        await store.conversations.erase(now, AuditEvent(type=AuditType.CONVERSATION_ERASED, reason=CAUSE))
        return Status.ARCHIVED
    if not (now.turn or now.effects or now.work.due_by or now.status is Status.BACKGROUND):
        return now.status
    at = format_ts(clock.now())
    while now.turn:  # waiting messages start another turn
        reply, cards = await store.conversations.row(now, now.turn.reply), await _load_cards(store, now)
        broken_off = _apply_event(now, EventParked(reference=CAUSE, at=at, reply=reply), Facts(open_cards=cards))
        now = await store.conversations.save(broken_off)
    # Undelivered words are stored for the owner's next message, and a schedule asks if it goes on.
    made = _apply_event(now, ChannelLost(effect="", at=at), Facts(open_cards=await _load_cards(store, now)))
    kept = tuple(effect for effect in made.conversation.effects if isinstance(effect, KEPT))
    now = await store.conversations.save(replace(made, conversation=replace(made.conversation, effects=kept)))
    return now.status


async def _load_cards(store: Store, now: Conversation) -> tuple[Message, ...]:
    rows = [await store.conversations.row(now, seq) for seq in now.cards]
    return tuple(filter(None, rows))


def _apply_event(now: Conversation, event: EventParked | ChannelLost, facts: Facts) -> Transition:
    return apply.apply(now, event, f"{CAUSE}:{now.version}", facts)
