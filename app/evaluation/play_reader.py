"""Reader of a finished play: transcripts, results and costs from the app's own store."""

from __future__ import annotations

from datetime import date
from typing import Any

from app.core.conversation.call import DraftExtracted, ExtractionExhausted, InconsistencyFlagged
from app.core.conversation.card import QuestionCard, StepCard
from app.core.conversation.conversation import Conversation, Message, Role
from app.core.state.interview import Stage
from app.decision.playbook.playbook import load_proact
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.handles import build_draft, map_handles
from app.decision.schema.paths import Draft
from app.evaluation.number_trace import list_computed
from app.evaluation.play import Line, Play, PlayedStep, Speaker, Spent
from app.evaluation.player import Led, Player
from app.ports.store import Store


async def read_play(player: Player, store: Store, today: date) -> Play:
    """Return the play as it was stored."""
    drafts, steps = await _read_drafts(player, store), list[PlayedStep]()
    for led in player.led:
        steps.append(await _read_step(led, store, drafts, today))
    return Play(person=player.person, today=today, steps=tuple(steps))


async def _read_drafts(player: Player, store: Store) -> dict[str, Draft]:
    """Return the newest approved result of each step, by handle."""
    if player.hub is None:
        return {}
    versions = await store.versions.list(player.hub)
    names = map_handles(dict(each.data) for each in versions)
    return {
        each.component: build_draft(load_proact()[each.component], dict(each.data), names)
        for each in sorted(versions, key=lambda each: each.number)
    }


async def _read_step(led: Led, store: Store, drafts: dict[str, Draft], today: date) -> PlayedStep:
    key, found = led.component.key, await store.conversations.find(led.thread) if led.thread else None
    rows = await store.conversations.transcript(found, 0) if found else ()
    pressed = (Line(speaker=Speaker.PERSON, text=label, ts=ts) for label, ts in led.pressed)
    return PlayedStep(
        key=key,
        title=led.component.title,
        lines=(*(line for row in rows if (line := _read_line(row))), *pressed),
        stored=drafts.get(key) or _read_unapproved(found),
        computed=_list_computed(led.component, drafts, today),
        flagged=tuple(
            f"{call.found.about}: {call.found.one} / {call.found.other}"
            for row in rows
            for call in row.calls
            if isinstance(call, InconsistencyFlagged)
        ),
        approved=led.approved,
        spent=sum(map(read_spent, rows), Spent()),
        seconds=led.seconds,
        stuck=led.stuck,
    )


def _read_unapproved(found: Conversation | None) -> dict[str, Any]:
    lead = found.interview if found else None
    return dict(lead.drafted.draft if lead.drafted else lead.draft) if lead else {}


def _list_computed(component: Component, drafts: dict[str, Draft], today: date) -> frozenset[float]:
    earlier = {each.key: drafts[each.key] for each in load_proact().earlier(component.key) if each.key in drafts}
    known = DecisionRecord(earlier, today)
    return list_computed((known.analysis, known.weighed))


def _read_line(row: Message) -> Line | None:
    match row.role:
        case Role.PERSON:
            return Line(speaker=Speaker.PERSON, text=row.text, ts=row.ts)
        case Role.ASSISTANT if row.text and row.stage is Stage.NONE:  # nobody sees the prose of an extraction
            return Line(speaker=Speaker.FACILITATOR if row.rounds else Speaker.OPENING, text=row.text)
        case Role.CARD:
            words = _read_card(row)
            return Line(speaker=Speaker.CARD, text=words) if words else None
        case _:
            return None


def _read_card(row: Message) -> str:
    match row.card:
        case StepCard(missing=missing, remarks=remarks):
            return "\n".join((*missing, *remarks))
        case QuestionCard(question=question):
            return question.prompt
        case _:
            return ""


def read_spent(row: Message) -> Spent:
    """Return what a message of the model cost; nothing for all others. An extraction counts its summary as well."""
    if not row.model:
        return Spent()
    submitted = sum(call.attempts for call in row.calls if isinstance(call, DraftExtracted | ExtractionExhausted))
    priced = float(row.cost) if row.cost else 0.0
    return Spent(requests=row.rounds or 1 + submitted, usage=row.usage, dollars=priced, unpriced=0 if row.cost else 1)
