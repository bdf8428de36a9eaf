"""Requests that are rightly signed and not what they seem: sent again, too late, or in somebody else's name."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest

from app.core.conversation.conversation import Conversation
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from handlers.slack.manifest import COMMANDS
from tests.flow.called import asks
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, text_of
from tests.flow.deciding import card, conversation, deciding, opens, presses, submits, thread_of
from tests.flow.forging import clicks, delivered, forged, form, in_view, sends
from tests.unit.decision.components.worked import minimal

SECRET = "attic"
ISSUES = minimal("issue_raising")


room = fixture_of(chatting, http=True, **UNLIMITED)


@pytest.mark.req("SE-19")
async def test_a_signed_event_that_is_sent_again_and_again_is_answered_once(room: Chat) -> None:
    room.will_answer("Yes?", "And?")
    thread = await room.says("@Threadwise hi")
    await room.sees("Yes?", thread=thread)
    payload = next(each for each in delivered(room, "event_callback") if each["event"]["type"] == "app_mention")
    statuses = [await sends(room, json.dumps(payload), form=False) for _ in range(3)]
    await room.rests()
    assert statuses == [200] * 3
    assert [text_of(each) for each in room.thread(thread)] == ["Yes?"]
    assert (len(room.claude.requests), await room.documents("inbox")) == (1, 1)


@pytest.mark.req("SE-19")
async def test_a_signed_event_is_worth_nothing_after_five_minutes(room: Chat) -> None:
    thread = await room.exchanges("@Threadwise hi", "Yes?")
    first = delivered(room, "event_callback")[0]
    event = {**first["event"], "ts": f"{float(thread) + 1:.6f}", "text": "once more"}
    payload = {**first, "event_id": "Ev9", "event": event}
    assert await sends(room, json.dumps(payload), form=False, at=time.time() - 301) == 401
    assert await room.documents("inbox") == 1


@pytest.mark.req("SE-19")
async def test_a_click_that_is_sent_again_after_its_card_was_closed_answers_nothing(room: Chat) -> None:
    room.will_answer(asks("Which one?", "Evening cover", "Hiring"), "Evening cover it is.", "Never asked for.")
    thread = await room.says("@Threadwise decide")
    asked = await room.sees("Which one?", thread=thread)
    await room.slack.people.clicks("Maya", "#general", asked.ts, f"{action_ids.ANSWER_PREFIX}0")
    await room.sees("Evening cover it is.", thread=thread)
    await room.rests()
    (payload,), before = delivered(room, "block_actions"), await room.conversation(thread)
    rows = await room.documents("inbox")
    later = {**payload, "actions": [{**payload["actions"][0], "action_ts": f"{time.time():.6f}", "value": "3:1"}]}
    for each in (payload, payload, later):
        assert await sends(room, form(each)) == 200
    await room.rests()
    assert memory(await room.conversation(thread)) == memory(before)
    assert len(room.claude.requests) == 2
    assert await room.documents("inbox") == rows + 1, "what is the same was taken in once"
    assert "session_failed" not in room.heard.getvalue(), "it is refused, and no bug has kept it from counting"


def memory(now: Conversation) -> Conversation:
    """What is remembered, but for how often it was held and saved, and what is on its way."""
    return replace(now, version=0, fence=0, applied=(), closed=(), rewritten=(), effects=())


@pytest.mark.req("SE-19")
async def test_whatever_somebody_else_forges_for_what_others_see_they_see_nothing_and_change_nothing(
    mongo_uri: str,
) -> None:
    async with deciding(mongo_uri, http=True) as room:
        people, workspace = room.slack.people, room.slack.workspace
        direct, sam = await people.opens_dm("Maya"), room.id_of("Sam")
        room.will_answer(asks(f"Where in the {SECRET}?", "Left", "Right"))
        talk = await room.says(f"the {SECRET} is full", where=direct)
        await room.sees(f"Where in the {SECRET}?", where=direct, thread=talk)
        hub, step = await decision(room, direct)
        threads = (talk, hub, step)
        windows = await opened(room, direct, hub, step)
        await room.rests()
        shown = [m for m in workspace.messages(direct) if m.blocks]
        states = [memory(await conversation(room, each, where=direct)) for each in threads]
        said, calls, template = (
            looks(room, direct),
            len(room.slack.journal.of("call")),
            delivered(room, "block_actions")[-1],
        )

        forgeries = [each for message in shown for each in clicks(message, direct, template, sam)]
        forgeries += [each for view in windows for each in in_view(view, template, sam)]
        # What they say themselves they know: with other words.
        own = [json.loads(json.dumps(each).replace(SECRET, "cellar")) for each in delivered(room, "view_submission")]
        forgeries += [forged(each, sam) for each in own]
        for each in forgeries:
            assert await sends(room, form(each)) < 500
        for command in COMMANDS:
            for words in ("", "status", "archive", "erase", "export"):
                told = {"command": command, "text": words, "user_id": sam, "channel_id": direct}
                common = {"team_id": room.slack.team_id, "trigger_id": "1.1.x", "api_app_id": workspace.app.id}
                assert await sends(room, urlencode({**common, **told})) < 500
        await room.rests()

        assert len(forgeries) > 40
        assert looks(room, direct) == said
        assert [memory(await conversation(room, each, where=direct)) for each in threads] == states
        made = room.slack.journal.of("call")[calls:]
        assert [call["method"] for call in made if SECRET in str(call["args"])] == []
        assert await room.documents("permissions") == 0


async def decision(room: Chat, direct: str) -> tuple[str, str]:
    """Maya leads the first step of a decision in her direct messages, to its card; gives hub and step."""
    people, question = room.slack.people, f"How do we empty the {SECRET}?"
    await opens(room, lambda: people.commands("Maya", "#general", "/decide", question))
    await people.fills("Maya", question=question, place="direct")
    assert await people.submits("Maya") == {}
    hub = (await people.waits(lambda: [m for m in people.sees("Maya", direct) if text_of(m).startswith("🧭")]))[-1].ts
    step = await thread_of(room, "Issue raising", where=direct)
    await room.exchanges(f"The {SECRET} again.", "What else?", where=direct, thread=step)
    room.will_answer(*submits("issue_raising", ISSUES))
    await room.says("done", where=direct, thread=step)
    await card(room, step, where=direct)
    return hub, step


async def opened(room: Chat, direct: str, hub: str, step: str) -> list[dict[str, Any]]:
    """The windows that Maya opens from these threads, and her Home, as Slack has them."""
    people = room.slack.people
    for thread, action, chosen in ((step, action_ids.EDIT, None), (hub, action_ids.RECORD, None)):
        await opens(room, partial(presses, room, thread, action, chosen, where=direct))
        await people.closes("Maya")
    await people.opens_home("Maya")
    await room.until(lambda: bool(room.calls("views.publish")))
    answers = [call["answer"] for method in ("views.open", "views.publish") for call in room.calls(method)]
    return [answer["view"] for answer in answers if answer.get("view")]


def looks(room: Chat, direct: str) -> list[tuple[str, str]]:
    """All that Maya sees in her direct messages."""
    seen: list[Message] = room.slack.workspace.messages(direct)
    return [(each.ts, text_of(each)) for each in seen if not each.seen_by]
