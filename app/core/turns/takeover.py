"""Takeover of a turn whose process died: it starts again, is resumed once, or is closed as interrupted.

Asking the model again loses nothing but the open round. A write outside must not happen twice. A turn
that kills its process must not be retried forever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Transition, Turn
from app.core.conversation.transition import Trigger
from app.core.copy import texts
from app.core.decisions import interviewing
from app.core.errors import IllegalEvent
from app.core.events.heard import Event, MessageDeleted, MessageEdited, MessagePosted
from app.core.events.internal import TurnTakenUp
from app.core.pending import scheduling
from app.core.state.interview import Stage
from app.core.state.status import TurnState
from app.core.state.tool_use import Use, UseState, find_open_round
from app.core.turns.unfinished import align, keep_finished

FRESH_STARTS: Final = 3
"""Processes that may die over a turn that has shown nothing. Then it is closed instead of started again."""

LATEST_SECONDS: Final = 600.0
"""Seconds after its last stored progress in which a turn is resumed. After that nobody waits for it."""

UNDER_WAY = frozenset({MessageStatus.STREAMING, MessageStatus.HELD})

_DOING = re.compile(r"(?:\A|\n\n)" + re.escape(texts.USING).replace(r"\{tools\}", r"[^\n]*") + r"\Z")


def close_after_crash(now: Conversation, reply: Message) -> Message | None:
    """Close the reply of a turn whose process died; return None if the turn can simply start again.

    Text is kept only if it belongs to the answer: neither progress of an extraction nor the line about a tool in use.
    """
    assert now.turn is not None, "only a turn under way can be taken over"
    if reply.status not in UNDER_WAY:
        return reply
    if now.fence - now.turn.fence < FRESH_STARTS and _can_run_again(now.turn, reply):
        return None
    said = _read_shown_text(reply) if reply.stage is Stage.NONE else ""
    broken = replace(reply, status=MessageStatus.INTERRUPTED, text=said, standing=len(reply.stands))
    if scheduling.is_running(now):  # it is repeated as a whole
        return replace(broken, content="", calls=())
    return close_reply(now.turn, broken)


def close_reply(turn: Turn, reply: Message) -> Message:
    """Return a reply that broke off, as it is stored, with its finished rounds."""
    if reply.stage is not Stage.NONE:  # no later reply goes on from them, only another extraction
        return replace(reply, standing=0)
    if can_resume(turn, reply):
        return keep_finished(reply, turn.uses, reply.text[reply.standing :])
    _, kept = align(turn, reply) or (turn, replace(reply, content="", standing=0))
    return keep_finished(kept, (), kept.text[kept.standing :])


def _can_run_again(turn: Turn, reply: Message) -> bool:
    """Return True if the stored reply shows nothing. Text is stored before it is sent to Slack.

    What a finished round has taken out of it again may still stand there; whoever runs the turn looks for that.
    The reply is stored before the state. If it has a round that the state does not know, the turn cannot be resumed.
    """
    if any(use.state is UseState.STARTED for use in turn.uses):  # it may have been done and must not be repeated
        return False
    if reply.status is MessageStatus.HELD:
        return find_open_round(reply.content) == [use.id for use in turn.uses]
    # A round that the state knows and the row does not hold was perhaps carried out.
    return not reply.text and not reply.parts and (can_resume(turn, reply) or not turn.rounds)


def can_resume_after_crash(now: Conversation, reply: Message, at: str, unheard: Iterable[Event]) -> bool:
    """Return True if a reply that people have seen can be resumed in the same Slack messages.

    `at` is the time now, `unheard` holds the events not yet applied. A turn is resumed once in each round, soon, and
    only if its owner has not written since. A scheduled run shows nothing before its end, so it is retried by its
    own rules.
    """
    turn = now.turn
    if turn is None or turn.taken_up or now.run is not TurnState.STREAMING or reply.status not in UNDER_WAY:
        return False
    is_fresh = bool(reply.kept_at) and float(at) - float(reply.kept_at) <= LATEST_SECONDS
    is_alive = now.fence - turn.fence < FRESH_STARTS
    # A reply up to `plain` is sent as text only, because messages before it have changed.
    if not is_fresh or not is_alive or scheduling.is_running(now) or reply.seq <= now.plain:
        return False
    return not _has_written(turn, reply) and not any(_goes_first(now, event) for event in unheard)


def _has_written(turn: Turn, reply: Message) -> bool:
    """Return True if a write may have happened since the point at which the turn would be resumed."""
    is_kept = can_resume(turn, reply) or align(turn, reply) is not None
    if all(use.state is UseState.DONE for use in turn.uses) and is_kept:
        return False
    is_begun = any(map(_is_begun, turn.uses))
    return is_begun or (not is_kept and bool(turn.done or turn.made or turn.unsure))


def _is_begun(use: Use) -> bool:
    """Return True for a write that has begun. Reads, and calls on the conversation itself, have no title."""
    return use.state is UseState.STARTED or bool(use.title and use.since)


def _goes_first(now: Conversation, event: Event) -> bool:
    """Return True for newer messages of the owner, and for a deletion: the answered message may be the deleted one."""
    match event:
        case MessagePosted() | MessageEdited():
            return event.user == now.owner
        case _:
            return isinstance(event, MessageDeleted)


def can_resume(turn: Turn, reply: Message) -> bool:
    """Return True if the stored reply and the state agree on the turn's rounds, so that it can be resumed.

    The reply is stored before the state. A process that died in between leaves it one round ahead.
    """
    if turn.uses:
        return find_open_round(reply.content) == [use.id for use in turn.uses]
    is_same = reply.rounds == turn.rounds and bool(reply.content) == bool(turn.rounds)
    return is_same and not find_open_round(reply.content)


def on_turn_taken_up(now: Conversation, event: TurnTakenUp, trigger: Trigger) -> Transition:
    """Resume the turn after its last finished round. The mark `taken_up` keeps a round from being resumed twice."""
    turn = now.turn
    if turn is None or turn.id != event.turn or turn.taken_up:
        raise IllegalEvent("STALE_RUN")
    held = event.reply
    reply = replace(held, status=MessageStatus.STREAMING, text=_read_shown_text(held), standing=len(held.stands))
    known = replace(turn, taken_up=True)
    if not can_resume(turn, reply):
        nothing = replace(reply, content="", calls=(), acted=False, rounds=0, standing=0, heard=(), heard_at=())
        known, reply = align(known, reply) or (replace(known, uses=(), rounds=0), nothing)
    answered = reply.heard if reply.stage is Stage.NONE else ()  # an extraction leaves the answer to a turn after it
    lost = held.heard if reply.rounds == 0 else ()
    asked = sorted({*lost, *(seq for seq in now.asked if seq not in answered)})
    after = replace(now, turn=known, asked=tuple(asked))
    if (
        now.interview and reply.stage is not Stage.NONE
    ):  # an extraction passes all of its stages again, also those that it has finished
        after = replace(after, stage=interviewing.find_first_stage(now.interview))
    return Transition(conversation=after, messages=(reply,))


def _read_shown_text(reply: Message) -> str:
    """Return the shown text without the line about tools in use."""
    return _DOING.sub("", reply.text)
