"""What becomes of a turn whose process died: it is run again, goes on once, or is closed as interrupted (T7).

Nothing is lost by asking the model once more but what had come of the round under way. What must not happen twice is a
write outside, and an answer that kills whoever gives it must not be tried for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Step, Turn
from app.core.conversation.transition import Trigger
from app.core.copy import texts
from app.core.decisions import interviewing
from app.core.errors import IllegalEvent
from app.core.events.heard import Event, MessageDeleted, MessageEdited, MessagePosted
from app.core.events.internal import TurnTakenUp
from app.core.pending import scheduling
from app.core.state.interview import Stage
from app.core.state.status import Run
from app.core.state.tool_use import Use, UseState, find_open_round

FRESH_STARTS: Final = 3
"""How many processes may die over a turn that has shown nothing before it is closed instead of run once more."""

LATEST_SECONDS: Final = 600.0
"""How long after its last sign of life an answer still goes on by itself: later nobody waits for it any more."""

UNDER_WAY = frozenset({MessageStatus.STREAMING, MessageStatus.HELD})

_DOING = re.compile(r"(?:\A|\n\n)" + re.escape(texts.USING).replace(r"\{tools\}", r"[^\n]*") + r"\Z")


def close_after_crash(now: Conversation, reply: Message) -> Message | None:
    """The reply of a turn whose process died, closed as far as it came; None if the turn can simply be run again.

    What was shown of an extraction is how far it had come, and no words of an answer; what was shown of a tool that
    was being used is none either.
    """
    assert now.turn is not None, "only a turn under way can be taken over"
    if reply.status not in UNDER_WAY:
        return reply
    if now.fence - now.turn.fence < FRESH_STARTS and _can_run_again(now.turn, reply):
        return None
    said = _read_shown_text(reply) if reply.stage is Stage.NONE else ""
    return replace(reply, status=MessageStatus.INTERRUPTED, text=said)


def _can_run_again(turn: Turn, reply: Message) -> bool:
    """True while nothing was shown since its row was last kept: a text is kept before it is sent to Slack.

    The row is written before the state: it may tell of a round that the state knows nothing of, and then there is no
    going on from it.
    """
    if any(use.state is UseState.STARTED for use in turn.uses):  # it may have been done: never once more
        return False
    is_known = find_open_round(reply.content) == [use.id for use in turn.uses]
    if reply.status is MessageStatus.HELD:
        return is_known
    return not reply.text and not reply.parts and (is_known or not turn.uses)


def can_resume_after_crash(now: Conversation, reply: Message, at: str, unheard: Iterable[Event]) -> bool:
    """True if an answer that people have seen goes on by itself, in the same messages.

    `at` is the moment, `unheard` what has come to the thread and is not applied yet. It goes on once, while somebody
    may still be waiting, and not where its owner has meanwhile said something else. A run of a schedule, which shows
    nothing before its end, is made again by rules of its own.
    """
    turn = now.turn
    if turn is None or turn.taken_up or now.run is not Run.STREAMING or reply.status not in UNDER_WAY:
        return False
    is_fresh = bool(reply.kept_at) and float(at) - float(reply.kept_at) <= LATEST_SECONDS
    is_alive = now.fence - turn.fence < FRESH_STARTS
    if (
        not is_fresh or not is_alive or scheduling.is_running(now) or reply.seq <= now.plain
    ):  # what was said is not as it was
        return False
    return not _has_written(turn, reply) and not any(_goes_first(now, event) for event in unheard)


def _has_written(turn: Turn, reply: Message) -> bool:
    """True if something outside may have been changed since the point at which the turn can be taken up."""
    if all(use.state is UseState.DONE for use in turn.uses) and can_resume(turn, reply):
        return False
    is_begun = any(map(_is_begun, turn.uses))
    return is_begun or (not can_resume(turn, reply) and bool(turn.done or turn.made or turn.unsure))


def _is_begun(use: Use) -> bool:
    """True of a write: what only reads, and what asks something of the conversation itself, has no title."""
    return use.state is UseState.STARTED or bool(use.title and use.since)


def _goes_first(now: Conversation, event: Event) -> bool:
    """True of what the owner said since, and of a message that was taken back: it may be the one that is answered."""
    match event:
        case MessagePosted() | MessageEdited():
            return event.user == now.owner
        case _:
            return isinstance(event, MessageDeleted)


def can_resume(turn: Turn, reply: Message) -> bool:
    """True if what the row tells of the turn's rounds is what the state knows of them: from there it can go on.

    The row is written before the state, so a process that died in between leaves it a round ahead.
    """
    if turn.uses:
        return find_open_round(reply.content) == [use.id for use in turn.uses]
    is_same = reply.rounds == turn.rounds and bool(reply.content) == bool(turn.rounds)
    return is_same and not find_open_round(reply.content)


def on_turn_taken_up(now: Conversation, event: TurnTakenUp, trigger: Trigger) -> Step:
    """Go on after the last round that is known to be over. That it does, it does once: that is kept from here on."""
    turn = now.turn
    if turn is None or turn.id != event.turn or turn.taken_up:
        raise IllegalEvent("STALE_RUN")
    reply = replace(event.reply, status=MessageStatus.STREAMING, text=_read_shown_text(event.reply))
    known = replace(turn, taken_up=True)
    if not can_resume(turn, reply):
        reply = replace(reply, content="", calls=(), acted=False, rounds=0, standing=0)
        known = replace(known, uses=(), rounds=0)
    after = replace(now, turn=known)
    if now.interview and reply.stage is not Stage.NONE:  # an extraction begins anew
        after = replace(after, stage=interviewing.find_first_stage(now.interview))
    return Step(conversation=after, messages=(reply,))


def _read_shown_text(reply: Message) -> str:
    """What was shown, without what was being done."""
    return _DOING.sub("", reply.text)
