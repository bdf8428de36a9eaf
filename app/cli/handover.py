"""`threadwise hand-over`: a decision gets another owner, because whoever owned it has left or is long away."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from app.cli.maintenance import UNKNOWN_DECISION, find_decision, open_store
from app.clock import SystemClock, format_ts
from app.core.conversation.conversation import Conversation
from app.core.errors import SettingsError, SlackRefused, SlackUnavailable
from app.core.events.acts import OwnershipTransferred
from app.core.state.status import Status
from app.runtime.intake import WakingIntake, wake_nobody
from app.settings import Settings
from app.wiring import open_slack
from handlers.outbound import successors
from handlers.outbound.pacer import Pacer
from handlers.outbound.web import SlackCaller
from handlers.views.windows import handover_window
from store.open import MongoStore

ARCHIVED = "It is archived, and only its owner can reopen it. `threadwise export` writes its report."
ELSEWHERE = "It is of the workspace {team}, and SLACK_BOT_TOKEN of another."
THEIRS = "{to} owns it already."
NOBODY = "Slack knows nobody with the id {to}. Slack shows it in the person's profile: *Copy member ID*."
AWAY = "Slack does not answer just now, so it cannot be checked who {to} is. Run this again in a minute."


async def hand_over(settings: Settings, named: str, to: str, agreed: Callable[[Conversation], bool]) -> bool:
    """Make that person the owner of a decision; False if it was not agreed to.

    `named` is as in `find_decision`. `agreed` is asked at the end. A running process carries it out, or the next that
    starts. Raise `SettingsError`, also if there is no such decision, or it or the person is unfit.
    """
    async with open_store(settings) as store:
        now = await find_decision(store, named)
        if now is None:
            raise SettingsError(UNKNOWN_DECISION.format(named=named))
        if unfit := _explain_bound(now, to) or await _explain_unfit(settings, store, now, to):
            raise SettingsError(unfit)
        if not agreed(now):
            return False
        await WakingIntake(store.inbox, wake_nobody).accept(
            OwnershipTransferred(
                receipt=f"command:{uuid4().hex}",
                thread=now.thread,
                ts="",
                at=format_ts(SystemClock().now()),
                user=now.owner,
                to=to,
                by_operator=True,
            )
        )
        return True


def _explain_bound(now: Conversation, to: str) -> str:
    """Return why this decision cannot get this owner, whoever they are; empty if it can."""
    if now.status is Status.ARCHIVED:
        return ARCHIVED
    return THEIRS.format(to=to) if to == now.owner else handover_window.explain_bound(now.thread)


async def _explain_unfit(settings: Settings, store: MongoStore, now: Conversation, to: str) -> str:
    """Ask Slack why this person cannot own the decision; empty if they can."""
    clock = SystemClock()
    async with open_slack(settings) as (web, identity):
        if identity.team != now.thread.team:
            return ELSEWHERE.format(team=now.thread.team)
        line = SlackCaller(web, Pacer(clock, identity.team, store.pacing), clock)
        try:
            return await successors.explain_unfit(line, identity.team, settings.owners, now.thread.channel, to)
        except SlackUnavailable:
            return AWAY.format(to=to)
        except SlackRefused:
            return NOBODY.format(to=to)
