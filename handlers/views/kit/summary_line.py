"""A summary of a conversation: its title, its place, and what comes next. Pure.

People's texts appear as they were written, and notify no one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_steps, texts
from app.core.decisions.approval import is_incomplete
from app.core.pending.recurrence import describe, format_moment_with_zone
from app.core.state.status import Status
from app.core.text.cutting import cut
from app.core.thread import ThreadKey
from handlers.slack import permalinks
from handlers.views.kit import mrkdwn
from handlers.views.kit.blocks import LABEL_CHARS

TITLE_CHARS = 80
PROMPT_CHARS = 120
SCHEDULE_CHARS = 200
"""Longer texts are cut: five times all of them still fit a section."""

CHANNEL_CHARS = 25
"""Limit for a channel's name in a single line; Slack allows 80."""

DOT = " · "


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkContext:
    """The context for links and times: the workspace's address, which ends with a slash, and the present time."""

    workspace_url: str
    now: datetime


def flatten_line(text: str, most: int) -> str:
    """Return the text without its line breaks, cut."""
    return cut(" ".join(text.split()), most)


def find_sign(status: Status) -> str:
    """Return the sign of a status."""
    return texts.STATUS_NAMES[status].partition(" ")[0]


def render_title(now: Conversation) -> str:
    """Return the title as plain text."""
    return flatten_line(now.name, TITLE_CHARS) or texts.UNTITLED


def link_title(now: Conversation, view: LinkContext) -> str:
    """Return the title with a link to the conversation, as mrkdwn."""
    address = texts.escape(permalinks.link_thread(view.workspace_url, now.thread))
    # A bar in the label would end the address.
    return f"<{address}|{mrkdwn.render_verbatim(render_title(now).replace('|', '¦'))}>"


def render_place(thread: ThreadKey) -> str:
    """Return the place as mrkdwn. Slack shows a channel's name only to people who may know it."""
    return texts.DIRECT_MESSAGE if thread.direct else f"<#{thread.channel}>"


def render_line(now: Conversation, view: LinkContext) -> str:
    """Return sign, title, place and what comes next, or the time of the last message, as one line of mrkdwn."""
    told = (link_title(now, view), render_place(now.thread), describe_next(now, view) or describe_last_message(now))
    return f"{find_sign(now.status)} {DOT.join(told)}"


def describe_next(now: Conversation, view: LinkContext) -> str:
    """Return the open question, what a draft waits for, or the next run, as mrkdwn; empty if there is none of them."""
    if is_incomplete(now):
        return decision_steps.STEP_LACKS
    if now.question:
        return texts.ASKS.format(prompt=f"“{mrkdwn.render_verbatim(flatten_line(now.question.prompt, PROMPT_CHARS))}”")
    if now.schedule is None or now.paused or not now.next_run:
        return texts.HELD if now.paused else ""
    moment = datetime.fromisoformat(now.next_run)
    plainly = format_moment_with_zone(moment, now.schedule.zone, view.now)
    return texts.NEXT.format(time=mrkdwn.render_time(moment, "{date_short_pretty} {time}", plainly))


def describe_schedule(now: Conversation, view: LinkContext) -> str:
    """Return the schedule and what comes next, as one line of mrkdwn."""
    assert now.schedule is not None, "what is not planned cannot be told"
    words = mrkdwn.render_verbatim(cut(describe(now.schedule, zone=True), SCHEDULE_CHARS))
    return DOT.join(
        filter(
            None,
            (
                f"{find_sign(now.status)} {link_title(now, view)}",
                render_place(now.thread),
                words,
                describe_next(now, view),
            ),
        )
    )


def describe_last_message(now: Conversation) -> str:
    """Return the time of the last message, as mrkdwn."""
    moment = datetime.fromtimestamp(float(now.newest or now.thread.root), UTC)
    return mrkdwn.render_time(moment, "{date_short_pretty} {time}", f"{moment.day} {moment:%b %H:%M} UTC")


def render_plain_line(now: Conversation, channel: str, at: datetime) -> str:
    """Return sign, title, place and what comes next as plain text; `channel` is the name of its channel.

    It fits an option of a select: the title is cut to leave room for the rest.
    """
    named = f"#{cut(channel, CHANNEL_CHARS)}" if channel else texts.SOME_CHANNEL
    sign = f"{find_sign(now.status)} "
    rest = "".join(
        f"{DOT}{told}" for told in (texts.DM if now.thread.direct else named, _describe_next_plainly(now, at)) if told
    )
    return f"{sign}{cut(render_title(now), LABEL_CHARS - len(sign) - len(rest))}{rest}"


def _describe_next_plainly(now: Conversation, at: datetime) -> str:
    if now.question:
        return texts.WAITING
    if now.schedule is None or now.paused or not now.next_run:
        return texts.HELD if now.paused else ""
    return texts.NEXT.format(time=format_moment_with_zone(datetime.fromisoformat(now.next_run), now.schedule.zone, at))
