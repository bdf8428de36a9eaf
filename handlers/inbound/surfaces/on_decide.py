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
from app.core.errors import Retryable, SlackRefused
from app.core.events.heard import DecisionStarted
from app.core.state.interview import Mode, SourceMessage
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from handlers.inbound.listener_context import (
    ABSENT,
    PROMPT_SECONDS,
    Ack,
    AnswerFailed,
    Body,
    ListenerContext,
    StartFailed,
    answer_form,
    await_in_time,
)
from handlers.outbound.pacer import Priority
from handlers.slack import action_ids, permalinks
from handlers.slack.manifest import DECIDE
from handlers.slack.payload import is_ts, read_list, read_mapping, read_text, read_user
from handlers.views.kit import mrkdwn
from handlers.views.windows import new_decision, welcome
from handlers.views.windows.new_decision import DecisionOrigin, DecisionPlace, FormOptions, NewDecision

MAKE_CHANNELS = "groups:write"
"""The scope for creating private channels."""

MARK_LETTERS = "bcdfghjklmnpqrstvwxz"
"""What makes a channel's name unique: digits could be read as a year, and vowels could make a word."""

MARGIN = 0.3
"""Seconds of `PROMPT_SECONDS` that are reserved for accepting the event."""

PAGES, PAGE = 5, 200
"""Limit for reading a thread as material, in messages (Slack returns 200 at a time)."""

MATERIAL_CHARS = 60_000
"""Limit for the discussion as material. If it is longer, its end is used."""

log = structlog.get_logger(__name__)


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.command(DECIDE)(partial(_on_command, context))
    app.message_shortcut(action_ids.DRAFT_SHORTCUT)(partial(_on_shortcut, context))
    app.action(action_ids.START_DECISION)(partial(_on_click, context))
    app.view(action_ids.DECIDE_WINDOW)(partial(_on_submit, context))


async def _on_command(context: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    question, direct, material = new_decision.parse_command(mrkdwn.resolve_markup(read_text(body.get("text"))))
    channel = read_text(body.get("channel_id"))
    asked = DecisionOrigin(channel="" if channel.startswith("D") else channel, direct=direct)
    await _ask(context, body, asked, question, material)


async def _on_click(context: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    channel = read_text(read_mapping(body.get("channel")).get("id"))
    asked = DecisionOrigin(channel="" if channel.startswith("D") else channel)
    await _ask(context, body, asked, welcome.read_question(body))


async def _on_shortcut(context: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    message, channel = read_mapping(body.get("message")), read_text(read_mapping(body.get("channel")).get("id"))
    root = read_text(message.get("thread_ts")) or read_text(message.get("ts"))
    question = new_decision.suggest_question(mrkdwn.resolve_markup(read_text(message.get("text"))))
    if is_ts(root) and channel:
        asked = DecisionOrigin(channel="" if channel.startswith("D") else channel, thread=root, source=channel)
        await _ask(context, body, asked, question)


async def _ask(context: ListenerContext, body: Body, asked: DecisionOrigin, question: str, material: str = "") -> None:
    """Open the form, or tell the person that it cannot be done now."""
    trigger = read_text(body.get("trigger_id"))
    user = read_text(body.get("user_id")) or read_user(body)
    try:
        if barred := await await_in_time(context.find_bar(user, body)):
            await context.excuse(trigger, new_decision.build_notice(barred))
            return
        await await_in_time(_open_form(context, trigger, asked, (question, material)))
    except AnswerFailed:
        await context.excuse(trigger, new_decision.build_notice(texts.NOT_NOW))


async def _open_form(context: ListenerContext, trigger: str, asked: DecisionOrigin, words: tuple[str, str]) -> None:
    offered = FormOptions(private=MAKE_CHANNELS in context.us.scopes)
    if asked.channel:
        offered = await _look_up_channel(context, asked.channel, private=offered.private)
    await context.open_window(trigger, new_decision.build_form(asked, offered, *words))


async def _look_up_channel(context: ListenerContext, channel: str, *, private: bool) -> FormOptions:
    """Return whether a decision can be held in this channel, and who would read it."""
    arguments = {"channel": channel, "include_num_members": "true"}
    try:
        answer = await context.line.say("conversations.info", Priority.QUESTION, **arguments)
    except SlackRefused:
        return FormOptions(private=private)
    found = read_mapping(answer.get("channel"))
    readers = found.get("num_members")
    is_ours = found.get("is_member") is True
    return FormOptions(private=private, here=is_ours, readers=readers if isinstance(readers, int) else None)


async def _on_submit(context: ListenerContext, ack: Ack, body: Body) -> None:
    user, begun = read_user(body), new_decision.read(read_mapping(body.get("view")))
    try:
        if barred := await context.find_bar(user, body):
            raise StartFailed(action_ids.DECIDE_QUESTION_FIELD, barred)
        thread = await _begin_decision(context, user, begun)
    except StartFailed as failure:
        await answer_form(ack, failure.field, str(failure))
        return
    if begun.place is DecisionPlace.HERE:
        await ack()
    else:
        await ack(
            response_action="update",
            view=new_decision.build_started_window(permalinks.link_thread(context.us.url, thread)),
        )


async def _begin_decision(context: ListenerContext, user: str, begun: NewDecision) -> ThreadKey:
    """Create the channel, post the hub and accept the decision. Raise `StartFailed`."""
    if not begun.question:
        raise StartFailed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.NO_QUESTION)
    if begun.place is None or (begun.place is DecisionPlace.HERE and not begun.asked.channel):
        raise StartFailed(action_ids.DECIDE_PLACE_FIELD, decision_steps.PICK_PLACE)
    if begun.place is DecisionPlace.DIRECT and begun.people:
        raise StartFailed(action_ids.DECIDE_PEOPLE_FIELD, decision_steps.PEOPLE_WITHOUT_CHANNEL)
    until = asyncio.get_running_loop().time() + PROMPT_SECONDS
    material, thread = await _place_decision(context, user, begun, until - MARGIN)
    started = DecisionStarted(
        receipt=f"decision:{thread.team}:{thread.channel}:{thread.root}",
        thread=thread,
        at=context.at,
        user=user,
        question=begun.question,
        steps=context.course,
        mode=Mode.DIRECT if material else Mode.INTERACTIVE,
        material=material,
        sources=(begun.asked.source,) if begun.asked.thread else (),
    )
    failed = StartFailed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.CANNOT_BEGIN)
    await context.accept_posted(started, until, failed)
    return thread


async def _place_decision(
    context: ListenerContext, user: str, begun: NewDecision, until: float
) -> tuple[tuple[SourceMessage, ...], ThreadKey]:
    """Count the decision, and return its material and its hub. Raise `StartFailed`: then it is not counted."""
    made = _count_creations(begun)
    try:
        async with asyncio.timeout_at(until):
            await _check_access(context, user, begun)
            async with context.count_during(user, made, action_ids.DECIDE_QUESTION_FIELD):
                return await _collect_material(context, user, begun), await _post_hub(context, user, begun)
    except (SlackRefused, Retryable, TimeoutError) as error:
        raise _explain_error(error) from error


def _count_creations(begun: NewDecision) -> Mapping[Creation, int]:
    """Return the creations that a new decision is counted as."""
    if begun.place is not DecisionPlace.PRIVATE:
        return {Creation.BEGINNING: 1}
    return {Creation.BEGINNING: 1, Creation.CHANNEL: 1, Creation.INVITATION: len(begun.people)}


def _explain_error(error: SlackRefused | Retryable | TimeoutError) -> StartFailed:
    if isinstance(error, SlackRefused):
        log.warning("decision_not_begun", code=error.code, method=error.method)
        return _build_refusal(error)
    log.warning("decision_not_begun", error=type(error).__name__)
    return StartFailed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.CANNOT_BEGIN)


def _build_refusal(error: SlackRefused) -> StartFailed:
    if error.code in ABSENT:
        return StartFailed(action_ids.DECIDE_PLACE_FIELD, decision_steps.NOT_INVITED)
    if error.method == "conversations.create":
        return StartFailed(action_ids.DECIDE_PLACE_FIELD, decision_steps.NO_CHANNELS)
    return StartFailed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.CANNOT_BEGIN)


async def _post_hub(context: ListenerContext, user: str, begun: NewDecision) -> ThreadKey:
    """Post the hub in the chosen place."""
    channel = begun.asked.channel if begun.place is DecisionPlace.HERE else ""
    if begun.place is DecisionPlace.PRIVATE:
        channel = await _make_channel(context, user, begun)
    return await context.post_root(user, channel, new_decision.render_placeholder(user, begun.question))


async def _make_channel(context: ListenerContext, user: str, begun: NewDecision) -> str:
    """Create a private channel and invite the chosen people."""
    mark = "".join(secrets.choice(MARK_LETTERS) for _ in range(4))
    name = new_decision.name_channel(begun.question, mark)
    answer = await context.line.say("conversations.create", Priority.QUESTION, name=name, is_private=True)
    channel = str(answer["channel"]["id"])
    invited = ",".join(dict.fromkeys((user, *begun.people)))
    await context.line.say("conversations.invite", Priority.QUESTION, channel=channel, users=invited, force=True)
    return channel


async def _check_access(context: ListenerContext, user: str, begun: NewDecision) -> None:
    """Check that the person still sees what the form showed when it was opened. Raise `StartFailed`."""
    asked = begun.asked
    places = {asked.source} if asked.thread else set[str]()
    if begun.place is DecisionPlace.HERE:
        places.add(asked.channel)
    for place in sorted(places):
        if refused := await context.find_obstacle(user, place):
            raise StartFailed(action_ids.DECIDE_PLACE_FIELD, refused)


async def _collect_material(context: ListenerContext, user: str, begun: NewDecision) -> tuple[SourceMessage, ...]:
    """Return the material for the first step: a thread, the question's own words, or nothing."""
    if begun.asked.thread:
        return await _read_thread(context, begun.asked.source, begun.asked.thread)
    if begun.asked.direct:
        name = (await context.profile_of(context.us.team, user)).name
        said = filter(None, (begun.question, begun.material))
        return tuple(SourceMessage(ts="", author=user, name=name, text=text) for text in said)
    return ()


async def _read_thread(context: ListenerContext, channel: str, root: str) -> tuple[SourceMessage, ...]:
    """Return people's messages in a thread. Raise `StartFailed` if there are none, or if the app is not there."""
    found: list[dict[str, Any]] = []
    listed = context.line.pages("conversations.replies", Priority.QUESTION, channel=channel, ts=root, limit=PAGE)
    async with aclosing(listed) as pages:
        for _ in range(PAGES):
            if (page := await anext(pages, None)) is None:
                break
            found += [dict(read_mapping(each)) for each in read_list(page.get("messages"))]
    spoken = [each for each in found if read_text(each.get("user")) and not each.get("bot_id")]
    names = {
        user: (await context.profile_of(context.us.team, user)).name
        for user in {read_text(e.get("user")) for e in spoken}
    }
    said = tuple(
        SourceMessage(
            ts=read_text(each.get("ts")),
            author=read_text(each.get("user")),
            name=names[read_text(each.get("user"))],
            text=plain,
        )
        for each in spoken
        if (plain := mrkdwn.resolve_markup(read_text(each.get("text"))))
    )
    if not said:
        raise StartFailed(action_ids.DECIDE_QUESTION_FIELD, decision_steps.NOTHING_SAID)
    return _cut_oldest(said)


def _cut_oldest(said: tuple[SourceMessage, ...]) -> tuple[SourceMessage, ...]:
    """Return the last messages that fit the limit."""
    kept: list[SourceMessage] = []
    room = MATERIAL_CHARS
    for each in reversed(said):
        room -= len(each.text)
        if room < 0 and kept:
            break
        kept.append(each)
    return tuple(reversed(kept))
