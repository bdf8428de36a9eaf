"""Conversion of clicks and submitted forms into events. Pure and total, as all of the intake is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.core.events.acts import (
    ArchiveConfirmed,
    ContinuePressed,
    DecisionClosed,
    EraseConfirmed,
    FiguresConfirmed,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    SchedulePaused,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryRequested,
)
from app.core.events.heard import Ignored, SlackEvent
from app.core.pending.answer_reading import OTHER
from app.core.state.interview import InterviewCommand, Phase
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import (
    Payload,
    is_ts,
    name_submission,
    read_control,
    read_mapping,
    read_text,
    read_thread,
    read_user,
    read_value,
)
from handlers.views.windows import forms

_STEP = re.compile(r"([a-z_]{1,41}):([A-Z0-9]{1,20}):([0-9.]{1,24})")
_FILES = re.compile(r"[A-Z0-9]{1,30}(?:,[A-Z0-9]{1,30}){0,49}")
APPROVES = "1"
"""Second part of the value of the button that confirms figures and approves."""
_OPTION = re.compile(r"([0-9]{1,9}):([0-9]{1,2})(?::([0-9.]{1,24}))?")
"""Card, position of the option and, on a card that may show another question later, the question that was answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """One press of a button, or one choice in a select."""

    thread: ThreadKey
    """The thread of the message with the button."""
    ts: str
    at: str
    user: str
    action: str
    value: str

    @property
    def act(self) -> Mapping[str, Any]:
        """Return the fields that every event of this click has."""
        receipt = f"action:{self.thread.team}:{self.thread.channel}:{self.ts}:{self.at}:{self.user}"
        return {"receipt": receipt, "ts": self.ts, "at": self.at, "user": self.user}

    @property
    def is_on_root(self) -> bool:
        """Return True if the button is on the first message of a thread, which people see outside of it."""
        return self.ts == self.thread.root

    @property
    def number(self) -> int:
        """Return the value, if it is the `seq` of a message; else 0."""
        return int(self.value) if self.value.isdecimal() and len(self.value) <= 9 else 0


def read_click(body: Payload) -> Click | None:
    """Return the click in a payload; None if it does not name the person, the button and the place."""
    action = read_control(body)
    message, container = read_mapping(body.get("message")), read_mapping(body.get("container"))
    user, team = read_user(body), read_text(read_mapping(body.get("team")).get("id"))
    channel = read_text(read_mapping(body.get("channel")).get("id")) or read_text(container.get("channel_id"))
    thread = read_thread({**container, **message}, team, channel)
    at = read_text(action.get("action_ts"))
    if thread is None or not user or not is_ts(at):
        return None
    return Click(
        thread=thread,
        ts=read_text(message.get("ts")) or read_text(container.get("message_ts")),
        at=at,
        user=user,
        action=read_text(action.get("action_id")),
        value=read_value(body),
    )


Build = Callable[[Click], SlackEvent | Ignored]
Make = Callable[..., SlackEvent]

UNKNOWN = Ignored(reason="unknown_action")


def read_action(body: Payload) -> SlackEvent | Ignored:
    """Return the event of a click."""
    click = read_click(body)
    if click is None:
        return Ignored(reason="incomplete")
    build = ACTIONS.get(click.action)
    return build(click) if build else UNKNOWN


def _build_reply_reader(make: Make) -> Build:
    """Return a reader of buttons under a reply; their value is the `seq` of the reply."""

    def build(click: Click) -> SlackEvent | Ignored:
        return make(thread=click.thread, reply=click.number, **click.act) if click.number else UNKNOWN

    return build


def _build_thread_reader(make: Make) -> Build:
    """Return a reader of buttons about a whole thread; their value is the ts of the root."""

    def build(click: Click) -> SlackEvent | Ignored:
        root = click.value
        return make(thread=replace(click.thread, root=root), **click.act) if is_ts(root) else UNKNOWN

    return build


def _build_menu_reader(makes: Mapping[str, Make]) -> Build:
    """Return a reader of a card's menu, by the value of the chosen option; the event is about the card's thread."""

    def build(click: Click) -> SlackEvent | Ignored:
        make = makes.get(click.value)
        return make(thread=click.thread, **click.act) if make else UNKNOWN

    return build


def _read_stop(click: Click) -> SlackEvent:
    return StopRequested(thread=click.thread, reply=click.number, **click.act)


def _read_schedule_cancel(click: Click) -> SlackEvent | Ignored:
    if click.number:
        return ScheduleCancelled(thread=click.thread, card=click.number, **click.act)
    return _build_thread_reader(ScheduleCancelled)(
        click
    )  # in messages that were posted before the button named its card


def _read_schedule_pause(click: Click, *, resumed: bool = False) -> SlackEvent:
    return SchedulePaused(thread=click.thread, card=click.number, resumed=resumed, **click.act)


def _read_message_to_take_up(click: Click) -> SlackEvent | Ignored:
    root, _, message = click.value.partition(":")
    if not (is_ts(root) and is_ts(message)):
        return UNKNOWN
    return ReopenRequested(thread=replace(click.thread, root=root), message=message, **click.act)


def _read_answer(click: Click) -> SlackEvent | Ignored:
    option = _OPTION.fullmatch(click.value)
    if option is None:
        return UNKNOWN
    card, value, asked = int(option[1]), str(int(option[2])), option[3] or ""
    return QuestionAnswered(thread=click.thread, card=card, value=value, question=asked, **click.act)


def _read_confirmed_figures(click: Click) -> SlackEvent | Ignored:
    option = _OPTION.fullmatch(click.value)
    if option is None:
        return UNKNOWN
    card, approves, asked = int(option[1]), option[2] == APPROVES, option[3] or ""
    return FiguresConfirmed(thread=click.thread, card=card, question=asked, approves=approves, **click.act)


def _read_step_start(click: Click) -> SlackEvent | Ignored:
    """Read a button that may be in another step's thread; its value names the thread of the decision."""
    step = _STEP.fullmatch(click.value)
    if step is None or not is_ts(step[3]):
        return UNKNOWN
    decision = ThreadKey(team=click.thread.team, channel=step[2], root=step[3])
    pressed_in = click.thread.root if click.thread.channel == decision.channel and not click.is_on_root else ""
    return StepRequested(thread=decision, component=step[1], pressed_in=pressed_in, **click.act)


def read_home_start(body: Payload) -> StepRequested | None:
    """Return the event of a button that starts a step from Home; None for one in a message, which has a place."""
    step, at = _STEP.fullmatch(read_value(body)), read_text(read_control(body).get("action_ts"))
    team, user = read_text(read_mapping(body.get("team")).get("id")), read_user(body)
    if read_click(body) is not None or step is None or not (user and is_ts(step[3]) and is_ts(at)):
        return None
    decision = ThreadKey(team=team, channel=step[2], root=step[3])
    receipt = f"action:{team}:{step[2]}:home:{at}:{user}"
    return StepRequested(receipt=receipt, thread=decision, ts="", at=at, user=user, component=step[1])


def _read_draft_from_files(click: Click) -> SlackEvent | Ignored:
    if _FILES.fullmatch(click.value) is None:
        return UNKNOWN
    files = tuple(click.value.split(","))
    return SummaryRequested(thread=click.thread, signal=InterviewCommand.DRAFT, files=files, **click.act)


ACTIONS: Mapping[str, Build] = {
    **dict.fromkeys((*action_ids.ANSWER_BUTTONS, action_ids.ALLOW_ALL_BUTTON, action_ids.ANSWER_SELECT), _read_answer),
    action_ids.ARCHIVE: _build_thread_reader(ArchiveConfirmed),
    action_ids.CANCEL_SCHEDULE: _read_schedule_cancel,
    action_ids.PAUSE_SCHEDULE: _read_schedule_pause,
    action_ids.RESUME_SCHEDULE: partial(_read_schedule_pause, resumed=True),
    action_ids.CONFIRM_FIGURES: _read_confirmed_figures,
    action_ids.CONTINUE: _build_reply_reader(ContinuePressed),
    action_ids.DRAFT_FROM_FILES: _read_draft_from_files,
    action_ids.ERASE: _build_thread_reader(EraseConfirmed),
    action_ids.GO_ON_WITH: _read_message_to_take_up,
    action_ids.KEEP_TALKING: _build_thread_reader(partial(SummaryRequested, signal=InterviewCommand.KEEP_TALKING)),
    action_ids.HUB_MENU: _build_menu_reader(
        {"close": DecisionClosed, "reopen": partial(DecisionClosed, reopened=True)}
    ),
    action_ids.REOPEN: _build_thread_reader(ReopenRequested),
    action_ids.RETRY: _build_reply_reader(RetryPressed),
    action_ids.SHOW: _build_thread_reader(partial(SummaryRequested, signal=InterviewCommand.SHOW)),
    action_ids.START_STEP: _read_step_start,
    action_ids.STEP_MENU: _build_menu_reader(
        {"close": StepClosed, **{f"restart:{phase}": partial(RestartRequested, phase=phase) for phase in Phase}}
    ),
    action_ids.STILL_VALID: _build_thread_reader(StepClosed),
    action_ids.STOP: _read_stop,
    action_ids.SUMMARIZE: _build_thread_reader(partial(SummaryRequested, signal=InterviewCommand.DONE)),
}
"""Readers by `action_id`, for the clicks and choices that become events."""


def read_submission(body: Payload, at: str) -> SlackEvent | Ignored:
    """Return the event of a submitted form. Slack does not say when: `at` is the present time as a ts."""
    view, user = read_mapping(body.get("view")), read_user(body)
    answer = forms.read_answer(view)
    if answer is None or not (user and read_text(view.get("id"))):
        return Ignored(reason="unknown_form")
    thread, card, words = answer
    receipt, said = name_submission(view, thread.team), f"{OTHER}{words}"
    return QuestionAnswered(receipt=receipt, thread=thread, ts="", at=at, user=user, card=card, value=said)
