"""Decisions that the rehearsal model leads in the whole program: somebody types, waits for the answer, and approves."""

from __future__ import annotations

from app.decision.playbook.playbook import load_proact
from app.decision.schema.handles import build_draft, map_handles
from app.decision.schema.paths import Draft
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import approves, card, presses, versions

WAITING = "waiting for your OK"


async def tells(chat: Chat, thread: str, words: str) -> str:
    """Maya says something in a step and reads what comes of it; gives the newest words there."""
    said = await chat.says(words, thread=thread)
    await chat.until(lambda: any(each.ts > said for each in chat.thread(thread)))
    await chat.rests()
    return text_of(chat.thread(thread)[-1])


def is_shown(chat: Chat, thread: str) -> bool:
    """Whether a card waits for approval there."""
    return any(WAITING in text_of(each) for each in chat.thread(thread))


async def ends(chat: Chat, thread: str, *, is_last: bool) -> None:
    """Maya says that this was all, approves the card, and starts the next step."""
    if not is_shown(chat, thread):
        await chat.says("done", thread=thread)
    await card(chat, thread)
    await chat.rests()
    await approves(chat, thread)
    await chat.rests()
    if not is_last:
        await presses(chat, thread, action_ids.START_STEP)


async def results(chat: Chat, hub: str) -> dict[str, Draft]:
    """All that was approved in a decision, by step, its items by handle."""
    found = await versions(chat, hub)
    names = map_handles(dict(each.data) for each in found.values())
    return {step: build_draft(load_proact()[step], dict(each.data), names) for (step, _), each in found.items()}
