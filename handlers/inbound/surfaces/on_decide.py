"""The start of a decision: `/decide`, its form, and *Draft from this thread*.

The channel is created and the hub posted before the event is accepted, because a conversation needs a thread. Once it
is accepted, nothing is lost. If the start fails, the window keeps the input.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from typing import Any

import structlog

from app.core.copy import decision_steps, texts
from app.core.errors import Retryable, SlackRefused, StoreUnavailable
from app.core.events.heard import DecisionStarted
from app.core.state.interview import Mode, Said
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from handlers.inbound.desk import PROMPT_SECONDS, Ack, Body, Counted, Desk, NotNow, promptly
from handlers.outbound.pacer import Priority
from handlers.slack import action_ids, permalinks
from handlers.slack.manifest import DECIDE
from handlers.slack.payload import is_ts, items, mapping, text
from handlers.views.kit import mrkdwn
from handlers.views.windows import new_decision, welcome
from handlers.views.windows.new_decision import Asked, Begun, Offered, Where

MAKE_CHANNELS = "groups:write"
"""The scope for creating private channels."""

ABSENT = frozenset({"channel_not_found", "not_in_channel"})
"""Slack's error codes for a channel that the app is not in."""

MARGIN = 0.3
"""Seconds of `PROMPT_SECONDS` that are reserved for accepting the event."""

PAGES, PAGE = 5, 200
"""Limit for reading a thread as material, in messages (Slack returns 200 at a time)."""

MATERIAL_CHARS = 60_000
"""Limit for the discussion as material. If it is longer, its end is used."""

log = structlog.get_logger(__name__)


def listen(app: Any, desk: Desk) -> None:
    """Register the listeners with Bolt."""
    app.command(DECIDE)(partial(_commanded, desk))
    app.message_shortcut(action_ids.DRAFT_SHORTCUT)(partial(_shortcut, desk))
    app.action(f"{action_ids.START_PREFIX}{welcome.Beginning.DECISION}")(partial(_pressed, desk))
    app.view(action_ids.DECIDE_WINDOW)(partial(_sent, desk))


async def _commanded(desk: Desk, ack: Ack, body: Body) -> None:
    await ack()
    question, direct = new_decision.typed(mrkdwn.plain(text(body.get("text"))))
    channel = text(body.get("channel_id"))
    await _ask(desk, body, Asked(channel="" if channel.startswith("D") else channel, direct=direct), question)


async def _pressed(desk: Desk, ack: Ack, body: Body) -> None:
    await ack()
    channel = text(mapping(body.get("channel")).get("id"))
    await _ask(desk, body, Asked(channel="" if channel.startswith("D") else channel), "")


async def _shortcut(desk: Desk, ack: Ack, body: Body) -> None:
    await ack()
    message, channel = mapping(body.get("message")), text(mapping(body.get("channel")).get("id"))
    root = text(message.get("thread_ts")) or text(message.get("ts"))
    first = next(iter(mrkdwn.plain(text(message.get("text"))).splitlines()), "")
    if is_ts(root) and channel:
        here = "" if channel.startswith("D") else channel
        asked = Asked(channel=here, thread=root, source=channel)
        await _ask(desk, body, asked, first[: new_decision.QUESTION_CHARS])


async def _ask(desk: Desk, body: Body, asked: Asked, question: str) -> None:
    """Open the form, or tell the person that it cannot be done now."""
    trigger = text(body.get("trigger_id"))
    user = text(body.get("user_id")) or text(mapping(body.get("user")).get("id"))
    try:
        if barred := await promptly(desk.barred(user, body)):
            await desk.excuse(trigger, new_decision.notice(barred))
            return
        await promptly(_opened(desk, trigger, asked, question))
    except NotNow:
        await desk.excuse(trigger, new_decision.notice(texts.NOT_NOW))


async def _opened(desk: Desk, trigger: str, asked: Asked, question: str) -> None:
    offered = Offered(private=MAKE_CHANNELS in desk.us.scopes)
    if asked.channel:
        offered = await _seen(desk, asked.channel, private=offered.private)
    await desk.open_window(trigger, new_decision.form(asked, offered, question))


async def _seen(desk: Desk, channel: str, *, private: bool) -> Offered:
    """Return whether a decision can be held in this channel, and who would read it."""
    arguments = {"channel": channel, "include_num_members": "true"}
    try:
        answer = await desk.line.say("conversations.info", Priority.QUESTION, **arguments)
    except SlackRefused:
        return Offered(private=private)
    found = mapping(answer.get("channel"))
    readers = found.get("num_members")
    is_ours = found.get("is_member") is True
    return Offered(private=private, here=is_ours, readers=readers if isinstance(readers, int) else None)


class _Failed(Exception):
    """Failure to start a decision, with the field to blame and the sentence for the person."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


async def _sent(desk: Desk, ack: Ack, body: Body) -> None:
    user, begun = text(mapping(body.get("user")).get("id")), new_decision.read(mapping(body.get("view")))
    try:
        if barred := await promptly(desk.barred(user, body)):
            raise _Failed(action_ids.DECIDE_QUESTION_FIELD, barred)
        thread = await _begun(desk, user, begun)
    except _Failed as failure:
        await ack(response_action="errors", errors={failure.field: str(failure)})
        return
    if begun.place is Where.HERE:
        await ack()
    else:
        await ack(response_action="update", view=new_decision.started(permalinks.of_thread(desk.us.url, thread)))


async def _begun(desk: Desk, user: str, begun: Begun) -> ThreadKey:
    """Create the channel, post the hub and accept the decision. Raise `_Failed`."""
    if not begun.question:
        raise _Failed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.NO_QUESTION)
    if begun.place is None or (begun.place is Where.HERE and not begun.asked.channel):
        raise _Failed(action_ids.DECIDE_PLACE_FIELD, decision_steps.PICK_PLACE)
    if begun.place is Where.DIRECT and begun.people:
        raise _Failed(action_ids.DECIDE_PEOPLE_FIELD, decision_steps.PEOPLE_WITHOUT_CHANNEL)
    until = asyncio.get_running_loop().time() + PROMPT_SECONDS
    material, thread = await _placed(desk, user, begun, until - MARGIN)
    started = DecisionStarted(
        receipt=f"decision:{thread.team}:{thread.channel}:{thread.root}",
        thread=thread,
        at=desk.at,
        user=user,
        question=begun.question,
        steps=desk.course,
        mode=Mode.DIRECT if material else Mode.INTERACTIVE,
        material=material,
        sources=(begun.asked.source,) if begun.asked.thread else (),
    )
    await _taken_in(desk, started, until)
    return thread


async def _placed(desk: Desk, user: str, begun: Begun, until: float) -> tuple[tuple[Said, ...], ThreadKey]:
    """Count the decision, and return its material and its hub. Raise `_Failed`: then it is not counted."""
    counted: Counted | None = None
    try:
        async with asyncio.timeout_at(until):
            await _look(desk, user, begun)
            counted = await desk.count(user, _made_by(begun))
            if counted.wait:
                raise _Failed(
                    action_ids.DECIDE_QUESTION_FIELD, decision_steps.TOO_MANY.format(wait=texts.wait(counted.wait))
                )
            return await _material(desk, user, begun), await _posted(desk, user, begun)
    except (SlackRefused, Retryable, TimeoutError) as error:
        if counted:
            await desk.uncount(counted)
        raise _why(error) from error


def _made_by(begun: Begun) -> Mapping[Creation, int]:
    """Return the creations that a new decision is counted as."""
    if begun.place is not Where.PRIVATE:
        return {Creation.BEGINNING: 1}
    return {Creation.BEGINNING: 1, Creation.CHANNEL: 1, Creation.INVITATION: len(begun.people)}


def _why(error: SlackRefused | Retryable | TimeoutError) -> _Failed:
    if isinstance(error, SlackRefused):
        log.warning("decision_not_begun", code=error.code, method=error.method)
        return _refused(error)
    log.warning("decision_not_begun", error=type(error).__name__)
    return _Failed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.CANNOT_BEGIN)


async def _taken_in(desk: Desk, started: DecisionStarted, until: float) -> None:
    """Accept the decision, or delete its hub. Raise `_Failed`."""
    try:
        async with asyncio.timeout_at(until):
            await desk.intake.accept(started)
    except (StoreUnavailable, TimeoutError) as error:
        await desk.take_back(started.thread.channel, started.thread.root)
        raise _Failed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.CANNOT_BEGIN) from error


def _refused(error: SlackRefused) -> _Failed:
    if error.code in ABSENT:
        return _Failed(action_ids.DECIDE_PLACE_FIELD, decision_steps.NOT_INVITED)
    if error.method == "conversations.create":
        return _Failed(action_ids.DECIDE_PLACE_FIELD, decision_steps.NO_CHANNELS)
    return _Failed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.CANNOT_BEGIN)


async def _posted(desk: Desk, user: str, begun: Begun) -> ThreadKey:
    """Post the hub in the chosen place."""
    channel = begun.asked.channel
    if begun.place is Where.PRIVATE:
        channel = await _made(desk, user, begun)
    elif begun.place is Where.DIRECT:
        answer = await desk.line.say("conversations.open", Priority.QUESTION, users=user)
        channel = str(answer["channel"]["id"])
    content: dict[str, Any] = {
        "text": new_decision.hub(user, begun.question),
        "unfurl_links": False,
        "unfurl_media": False,
    }
    answer = await desk.line.say("chat.postMessage", Priority.QUESTION, channel=channel, **content)
    return ThreadKey(team=desk.us.team, channel=channel, root=str(answer["ts"]))


async def _made(desk: Desk, user: str, begun: Begun) -> str:
    """Create a private channel and invite the chosen people."""
    name = new_decision.channel_name(begun.question, secrets.token_hex(2))
    answer = await desk.line.say("conversations.create", Priority.QUESTION, name=name, is_private=True)
    channel = str(answer["channel"]["id"])
    invited = ",".join(dict.fromkeys((user, *begun.people)))
    await desk.line.say("conversations.invite", Priority.QUESTION, channel=channel, users=invited, force=True)
    return channel


async def _look(desk: Desk, user: str, begun: Begun) -> None:
    """Check that the person still sees what the form showed when it was opened. Raise `_Failed`."""
    asked = begun.asked
    places = {asked.source} if asked.thread else set[str]()
    if begun.place is Where.HERE:
        places.add(asked.channel)
    for place in sorted(places):
        if refused := await desk.unseen(user, place):
            raise _Failed(action_ids.DECIDE_PLACE_FIELD, mrkdwn.plain(refused))


async def _material(desk: Desk, user: str, begun: Begun) -> tuple[Said, ...]:
    """Return the material for the first step: a thread, the question's own words, or nothing."""
    if begun.asked.thread:
        return await _said_in(desk, begun.asked.source, begun.asked.thread)
    if begun.asked.direct:
        name = (await desk.profile_of(desk.us.team, user)).name
        return (Said(ts="", author=user, name=name, text=begun.question),)
    return ()


async def _said_in(desk: Desk, channel: str, root: str) -> tuple[Said, ...]:
    """Return people's messages in a thread. Raise `_Failed` if there are none, or if the app is not in that channel."""
    found: list[dict[str, Any]] = []
    listed = desk.line.pages("conversations.replies", Priority.QUESTION, channel=channel, ts=root, limit=PAGE)
    async with aclosing(listed) as pages:
        for _ in range(PAGES):
            if (page := await anext(pages, None)) is None:
                break
            found += [dict(mapping(each)) for each in items(page.get("messages"))]
    spoken = [each for each in found if text(each.get("user")) and not each.get("bot_id")]
    names = {user: (await desk.profile_of(desk.us.team, user)).name for user in {text(e.get("user")) for e in spoken}}
    said = tuple(
        Said(ts=text(each.get("ts")), author=text(each.get("user")), name=names[text(each.get("user"))], text=plain)
        for each in spoken
        if (plain := mrkdwn.plain(text(each.get("text"))))
    )
    if not said:
        raise _Failed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.NOTHING_SAID)
    return _newest(said)


def _newest(said: tuple[Said, ...]) -> tuple[Said, ...]:
    """Return the last messages that fit the limit."""
    kept: list[Said] = []
    room = MATERIAL_CHARS
    for each in reversed(said):
        room -= len(each.text)
        if room < 0 and kept:
            break
        kept.append(each)
    return tuple(reversed(kept))
