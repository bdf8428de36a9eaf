"""Reports of decisions as files, requested in a menu, a window or by command, and posted in the decision's thread.

The person is told at once that the file is being prepared, and later beside it if that failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import structlog

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, texts
from app.core.errors import SlackRefused, ThreadwiseError
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from app.decision.report.dossier import Report
from app.decision.report.files import FORMATS, WRITERS, name_file
from handlers.inbound.listener_context import (
    ABSENT,
    Ack,
    Body,
    ListenerContext,
    answer_form,
    await_sentence,
)
from handlers.outbound.delivery import File, share
from handlers.slack import action_ids
from handlers.slack.payload import read_mapping, read_user
from handlers.views.kit import blocks
from handlers.views.windows import export_window
from handlers.views.windows.forms import build_notice

REFUSED: Mapping[str, str] = {
    "missing_scope": decision_record.NO_UPLOAD,
    "is_archived": decision_record.ARCHIVED_THERE,
    **dict.fromkeys(ABSENT, decision_record.NOT_THERE),
}
"""The remedy by Slack's error code."""

log = structlog.get_logger(__name__)


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.view(action_ids.EXPORT_WINDOW)(partial(_on_submit, context))


async def ask(context: ListenerContext, trigger: str, user: str) -> str:
    """Open a window to pick one of a person's decisions, or say that they have none. Raise as `ListenerContext`."""
    mine = [each for each in await context.conversations.of_owner(context.us.team, user) if each.decision]
    if not mine:
        return decision_record.NO_DECISIONS
    await context.open_window(trigger, export_window.build_form(mine))
    return ""


async def post_report(context: ListenerContext, now: Conversation, user: str, word: str) -> bool:
    """Post the report in its decision's thread, in the format of this word.

    Return False if that failed, which is reported beside the thread.
    """
    try:
        if wait := await context.count(user, {Creation.FILE: 1}):
            words = decision_record.TOO_MANY_FILES.format(wait=texts.format_wait(wait))
            await context.whisper_in(now.thread, user, words, beside=True)
            return False
        await share(context.line, now.thread, _build_file(await context.report_of(now), word, user))
    except ThreadwiseError as error:
        code = error.code if isinstance(error, SlackRefused) else ""
        log.warning("not_exported", error=type(error).__name__, code=code)
        await context.whisper_in(now.thread, user, REFUSED.get(code, decision_record.EXPORT_FAILED), beside=True)
        return False
    return True


def describe_file(context: ListenerContext, decision: ThreadKey, word: str, *, is_posted: bool = False) -> str:
    """Return the sentence that says where the file in this format will be, or where it is once posted, as mrkdwn."""
    form = decision_record.POSTED_THERE if is_posted else decision_record.PREPARING_THERE
    link = blocks.link_decision(context.us.url, decision)
    return form.format(what=decision_record.EXPORTED[word], decision=link)


def _build_file(report: Report, word: str, user: str) -> File:
    form = FORMATS[word]
    return File(
        name=name_file(report, form),
        content=WRITERS[form](report).encode(),
        comment=decision_record.COMMENTS[word].format(person=f"<@{user}>"),
    )


async def _on_submit(context: ListenerContext, ack: Ack, body: Body) -> None:
    user, (thread, word) = read_user(body), export_window.read(read_mapping(body.get("view")), context.us.team)
    is_whole = thread is not None and word in FORMATS
    found = await await_sentence(context.find_decision(thread, user)) if is_whole else decision_record.PICK_DECISION
    if isinstance(found, str):
        await answer_form(ack, action_ids.EXPORT_DECISION_FIELD, found)
        return
    notice = build_notice(decision_record.EXPORT_TITLE, describe_file(context, found.thread, word))
    await ack(response_action="update", view=notice)
    await post_report(context, found, user, word)
