"""What people press and send in Slack's own controls becomes events. Pure and total, as all of the intake is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.core.events import (
    ArchiveConfirmed,
    ContinuePressed,
    DecisionClosed,
    EraseConfirmed,
    Ignored,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    SlackEvent,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryAsked,
)
from app.core.interview import Signal
from app.core.question import OTHER
from app.core.states import Phase
from app.core.thread import ThreadKey
from handlers import action_ids, forms
from handlers.payload import Payload, is_ts, items, mapping, text, thread_of

ON_REPLIES: Mapping[str, Callable[..., SlackEvent]] = {
    action_ids.RETRY: RetryPressed,
    action_ids.CONTINUE: ContinuePressed,
}
"""Buttons under a reply; their value is its `seq`."""

ON_THREADS: Mapping[str, Callable[..., SlackEvent]] = {
    action_ids.ARCHIVE: ArchiveConfirmed,
    action_ids.CANCEL_SCHEDULE: ScheduleCancelled,
    action_ids.ERASE: EraseConfirmed,
    action_ids.REOPEN: ReopenRequested,
    action_ids.SHOW: partial(SummaryAsked, signal=Signal.SHOW),
    action_ids.STILL_VALID: StepClosed,
    action_ids.SUMMARIZE: partial(SummaryAsked, signal=Signal.DONE),
}
"""Buttons about a whole thread. Slack does not promise that an ephemeral message says in which thread it stands: their
value is the ts of the root. *Cancel* had that as well before it named its card."""

MENUS: Mapping[str, Callable[..., SlackEvent]] = {
    "step_menu/close": StepClosed,
    "hub_menu/close": DecisionClosed,
    "hub_menu/reopen": partial(DecisionClosed, reopened=True),
    **{f"step_menu/restart:{phase}": partial(RestartRequested, phase=phase) for phase in Phase},
}
"""What is picked in the menus of cards, and means the thread that the card stands in: `action/value`."""

_STEP = re.compile(r"([a-z_]{1,41}):([A-Z0-9]{1,20}):([0-9.]{1,24})")
_OPTION = re.compile(r"([0-9]{1,9}):([0-9]{1,2})(?::([0-9.]{1,24}))?")
"""Card, place of the option and, where the card may show another question in time, the question (C-34)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """One press of a button, or one choice in a select."""

    thread: ThreadKey
    """Where the message with the button stands."""
    ts: str
    at: str
    user: str
    action: str
    value: str

    @property
    def number(self) -> int:
        """The value, if it is the `seq` of a row; else 0."""
        return int(self.value) if self.value.isdecimal() and len(self.value) <= 9 else 0


def clicked(body: Payload) -> Click | None:
    """Who pressed what, and where; None if the payload does not say."""
    action = mapping(next(iter(items(body.get("actions"))), None))
    message, container = mapping(body.get("message")), mapping(body.get("container"))
    user, team = text(mapping(body.get("user")).get("id")), text(mapping(body.get("team")).get("id"))
    channel = text(mapping(body.get("channel")).get("id")) or text(container.get("channel_id"))
    thread = thread_of({**container, **message}, team, channel)
    at = text(action.get("action_ts"))
    if thread is None or not user or not is_ts(at):
        return None
    return Click(
        thread=thread,
        ts=text(message.get("ts")) or text(container.get("message_ts")),
        at=at,
        user=user,
        action=text(action.get("action_id")),
        value=text(action.get("value")) or text(mapping(action.get("selected_option")).get("value")),
    )


def pressed(body: Payload) -> SlackEvent | Ignored:
    """Say what a click means to us."""
    click = clicked(body)
    if click is None:
        return Ignored(reason="incomplete")
    receipt = f"action:{click.thread.team}:{click.thread.channel}:{click.ts}:{click.at}:{click.user}"
    act: dict[str, Any] = {"receipt": receipt, "ts": click.ts, "at": click.at, "user": click.user}
    match click.action:
        case action_ids.ANSWER_FORM:
            return Ignored(reason="form")
        case action_ids.STOP:
            return StopRequested(thread=click.thread, reply=click.number, **act)
        case name if name in ON_REPLIES and click.number:
            return ON_REPLIES[name](thread=click.thread, reply=click.number, **act)
        case action_ids.CANCEL_SCHEDULE if click.number:
            return ScheduleCancelled(thread=click.thread, card=click.number, **act)
        case name if name in ON_THREADS and is_ts(click.value):
            return ON_THREADS[name](thread=replace(click.thread, root=click.value), **act)
        case name if name.startswith(action_ids.ANSWER_PREFIX):
            return _answered(click, act)
        case _:
            return _on_decision(click, act)


def _on_decision(click: Click, act: Mapping[str, Any]) -> SlackEvent | Ignored:
    """What is pressed on a decision and its steps."""
    if click.action == action_ids.START_STEP:
        return _step_asked(click, act)
    picked = MENUS.get(f"{click.action}/{click.value}")
    return picked(thread=click.thread, **act) if picked else Ignored(reason="unknown_action")


def _answered(click: Click, act: Mapping[str, Any]) -> SlackEvent | Ignored:
    option = _OPTION.fullmatch(click.value)
    if option is None:
        return Ignored(reason="unknown_action")
    asked = option[3] or ""
    return QuestionAnswered(thread=click.thread, card=int(option[1]), value=str(int(option[2])), question=asked, **act)


def _step_asked(click: Click, act: Mapping[str, Any]) -> SlackEvent | Ignored:
    """A button that starts a step may stand in another step's thread: its value names that of the decision."""
    step = _STEP.fullmatch(click.value)
    if step is None or not is_ts(step[3]):
        return Ignored(reason="unknown_action")
    decision = ThreadKey(team=click.thread.team, channel=step[2], root=step[3])
    return StepRequested(thread=decision, component=step[1], **act)


def submitted(body: Payload, at: str) -> SlackEvent | Ignored:
    """Say what a form that was sent means to us. Slack does not tell when that was: `at` does, as a ts."""
    view, user = mapping(body.get("view")), text(mapping(body.get("user")).get("id"))
    answer, id_ = forms.read_answer(view), text(view.get("id"))
    if answer is None or not (user and id_):
        return Ignored(reason="unknown_form")
    thread, card, words = answer
    receipt = f"view:{thread.team}:{id_}:{text(view.get('hash'))}"
    said = f"{OTHER}{words}"
    return QuestionAnswered(receipt=receipt, thread=thread, ts="", at=at, user=user, card=card, value=said)
