"""What people have before them, as payloads to the real Bolt app. Store and Slack are fakes, in virtual time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from slack_bolt.async_app import AsyncBoltRequest

from app.core.conversation.conversation import Conversation, Message
from app.core.errors import OutOfReach, StoreUnavailable
from app.core.events.heard import SlackEvent
from app.core.owners import Membership
from app.core.state.permission import Policy, Rule
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Allowance
from app.decision.playbook.playbook import load_proact
from app.ports import Acceptance, Profile
from app.runtime.intake import WakingIntake
from app.runtime.limits import Limits, LimitSettings
from app.runtime.outside.rule_uses import RuleUses
from app.runtime.record.reader import DecisionReader
from app.runtime.record.reports import Reports
from app.runtime.record.sayings import SayingsReader
from handlers.inbound.gate import build_app
from handlers.inbound.listener_context import ListenerContext
from handlers.inbound.surfaces.on_home import HomeContent, HomePublisher
from handlers.outbound.channels import Channels
from handlers.outbound.outlet import SlackOutlet
from handlers.outbound.pacer import Pacer
from handlers.outbound.web import SlackCaller, SlackIdentity
from handlers.views.windows.command_replies import AppPolicy
from tests.fakes import WatchedLedger
from tests.memory_store import memory_store
from tests.unit.handlers.payloads import BOT, CHANNEL, MAYA, TEAM
from tests.unit.handlers.strict_slack import Call, StrictSlack
from tests.unit.handlers.talks import placed
from tests.virtual import VirtualClock

URL = "https://acme.slack.com/"
TRIGGER = "13345224609.738474920.8088930838d88f008e0"
RULES = AppPolicy(
    model="claude-test",
    user=Allowance(messages=20, tokens=2_000_000),
    workspace=Allowance(messages=200),
    audit_days=365,
    copies_days=7,
    policy=Policy(),
)

UNCOUNTED = LimitSettings()

Json = dict[str, Any]


TOOLS = ("post_message", "create_file", "read_channel")


class WatchedIntake:
    """The intake of the program, which notes what it accepts and may be away or slow."""

    def __init__(self, front: Front) -> None:
        self._front = front

    async def accept(self, event: SlackEvent) -> Acceptance:
        self._front.reach()
        await asyncio.sleep(self._front.slowness)
        self._front.taken.append(event)
        return await WakingIntake(self._front.store.inbox, self._wake).accept(event)

    def _wake(self, thread: ThreadKey, receipt: str) -> None:
        assert receipt, "the worker knows by it what it has heard already"
        self._front.woken.append(thread)


class WatchedDecision:
    """The conversations of the store, which may be away or slow."""

    def __init__(self, front: Front) -> None:
        self._front = front

    async def find(self, thread: ThreadKey) -> Conversation | None:
        self._front.reach()
        await asyncio.sleep(self._front.slowness)
        return await self._front.store.conversations.find(thread)

    async def of_owner(self, team: str, owner: str, limit: int = 100) -> tuple[Conversation, ...]:
        self._front.reach()
        await asyncio.sleep(self._front.slowness)
        return await self._front.store.conversations.of_owner(team, owner, limit)

    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        return await self._front.store.conversations.row(conversation, seq)

    async def threads_of(self, team: str, ts: str) -> tuple[ThreadKey, ...]:
        self._front.reach()
        return await self._front.store.conversations.threads_of(team, ts)


class WatchedPermissions:
    """The rules of the store, which may be away or slow."""

    def __init__(self, front: Front) -> None:
        self._front = front

    async def list(self, team: str, user: str) -> tuple[Rule, ...]:
        self._front.reach()
        await asyncio.sleep(self._front.slowness)
        return await self._front.store.permissions.list(team, user)

    async def keep(self, rule: Rule, *, unsure: bool = False) -> None:
        self._front.reach()
        await self._front.store.permissions.keep(rule, unsure=unsure)

    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        self._front.reach()
        return await self._front.store.permissions.revoke(team, user, tool, scope)

    async def revoke_all(self, team: str, user: str) -> int:
        self._front.reach()
        return await self._front.store.permissions.revoke_all(team, user)


class Front:
    """One workspace, seen from what Slack sends and what it is answered."""

    def __init__(self, rules: AppPolicy = RULES, limits: LimitSettings = UNCOUNTED) -> None:
        self.clock = VirtualClock()
        self.store, self.slack = memory_store(self.clock), StrictSlack(self.clock)
        self.is_away, self.slowness = False, 0.0
        self.calls_left = -1
        """After how many calls the store goes away; negative for never."""
        self.unseen: set[tuple[str, str]] = set()
        """Who cannot see which channel, though they could when a window was opened."""
        self.unknown: set[str] = set()
        """Channels of which Slack tells nothing."""
        self.standings: dict[str, Membership | None] = {}
        """What somebody is in the workspace, if no member."""
        self.taken: list[SlackEvent] = []
        self.woken: list[ThreadKey] = []
        us = SlackIdentity(
            team=TEAM,
            team_name="",
            bot_user=BOT,
            token="xoxb-x",
            api_url="http://127.0.0.1:1/",
            url=URL,
            scopes=frozenset(),
        )
        self.line = SlackCaller(self.slack, Pacer(self.clock, TEAM, WatchedLedger(self.clock)), self.clock)
        conversations, permissions = WatchedDecision(self), WatchedPermissions(self)
        uses = RuleUses(ledger=self.store.limits, clock=self.clock)
        shown = HomeContent(
            conversations=conversations, permissions=permissions, policy=rules.policy, spans_of=uses.spans, used=_used
        )
        homes = HomePublisher(self.line, URL, self.store.places, shown)
        self.outlet = SlackOutlet(self.line, URL, homes.publish)
        casebook = DecisionReader(
            self.store.versions, SayingsReader(self.store.conversations, self.store.files), load_proact(), self.clock
        )
        self.context = ListenerContext(
            line=self.line,
            us=us,
            intake=WatchedIntake(self),
            conversations=conversations,
            permissions=permissions,
            places=self.store.places,
            files=self.store.files,
            profile_of=self._profile,
            open_home=homes.open,
            channels=Channels(self.line),
            rules=rules,
            steps=casebook,
            spans_of=uses.spans,
            tools=TOOLS,
            sees=self._sees,
            report_of=Reports(self.store.versions, casebook, self._profile, self.clock).of,
            course=load_proact().steps(),
            limits=Limits(self.store.limits, self.clock, limits),
        )
        self.app = build_app(self.context, "secret")

    async def _sees(self, team: str, user: str, channel: str) -> bool:
        if channel in self.unknown:
            raise OutOfReach("nobody tells")
        return (user, channel) not in self.unseen

    async def _profile(self, team: str, user: str) -> Profile:
        return Profile(name=user, zone="Europe/Berlin", standing=self.standings.get(user, Membership.MEMBER))

    def reach(self) -> None:
        """Raise while the store is away."""
        if self.is_away or self.calls_left == 0:
            raise StoreUnavailable
        self.calls_left -= 1

    async def close(self) -> None:
        """Let go of what waits."""
        await self.line.pacer.close()

    async def sends(self, body: Json, retry: int = 0) -> Any:
        """Let Slack send something; gives what it is answered: JSON, text, or the status where it is refused."""
        headers: Any = {"x-slack-retry-num": str(retry)} if retry else None
        request = AsyncBoltRequest(mode="socket_mode", body=body, headers=headers)
        response: Any = await self.app.async_dispatch(request)
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.gather(*others, return_exceptions=True)
        if response.status != 200:
            return response.status
        return json.loads(response.body) if response.body.startswith("{") else response.body

    async def has(self, now: Conversation) -> Conversation:
        """Let there be this conversation."""
        return await placed(self.store, now)

    def made(self, method: str) -> list[Json]:
        """The arguments of each call of a method, in order."""
        calls: list[Call] = self.slack.made(method)
        return [call.arguments for call in calls]

    @property
    def window(self) -> Json:
        """The modal that was opened last."""
        return self.made("views.open")[-1]["view"]


async def _used(team: str, user: str) -> int:
    return 12_345


def command(name: str, words: str = "", user: str = MAYA) -> Json:
    """A slash command."""
    return {
        "token": "x",
        "team_id": TEAM,
        "channel_id": CHANNEL,
        "user_id": user,
        "command": name,
        "text": words,
        "trigger_id": TRIGGER,
        "response_url": "http://127.0.0.1:1/",
    }


def interaction(kind: str, user: str = MAYA, **more: Any) -> Json:
    """Anything that somebody presses or sends."""
    return {"type": kind, "user": {"id": user}, "team": {"id": TEAM}, "token": "x", "trigger_id": TRIGGER, **more}


def shortcut(callback: str, message: Json | None = None, user: str = MAYA) -> Json:
    """A shortcut, on a message if one is given."""
    if message is None:
        return interaction("shortcut", user, callback_id=callback, action_ts="1770000300.000100")
    place = {"channel": {"id": CHANNEL}, "message": message, "message_ts": message["ts"]}
    return interaction("message_action", user, callback_id=callback, action_ts="1770000300.000100", **place)


def shown(view: Json, **state: Any) -> Json:
    """A view as Slack gives it back, with what is chosen or written in it: one value a block, named like its action."""
    values = {name: {name: value} for name, value in state.items()}
    return {"private_metadata": "", **view, "id": "V0PICK001", "hash": "1.abc", "state": {"values": values}}


def sent(view: Json, user: str = MAYA, **state: Any) -> Json:
    """A view that somebody sends."""
    return interaction("view_submission", user, view=shown(view, **state))


def option(address: str) -> Json:
    """A chosen option."""
    return {
        "type": "external_select",
        "selected_option": {"text": {"type": "plain_text", "text": "x"}, "value": address},
    }


def written(words: str | None) -> Json:
    """What is written in a field."""
    return {"type": "plain_text_input", "value": words}


def searched(view: Json, words: str, user: str = MAYA) -> Json:
    """Somebody types in the select of a view."""
    about = {"action_id": "pick", "block_id": "pick", "value": words, "view": shown(view)}
    return interaction("block_suggestion", user, container={"type": "view", "view_id": "V0PICK001"}, **about)


def pressed_in(view: Json, action: str, user: str = MAYA, value: str = "x", **state: Any) -> Json:
    """A button, or a select, in a view."""
    act = {"action_id": action, "block_id": "b", "type": "button", "value": value, "action_ts": "1770000300.000200"}
    container = {"type": "view", "view_id": "V0PICK001"}
    return interaction("block_actions", user, actions=[act], container=container, view=shown(view, **state))


def pressed_below(channel: str, action: str, user: str = MAYA, value: str = "x") -> Json:
    """A button below a message of ours."""
    act = {"action_id": action, "block_id": "b", "type": "button", "value": value, "action_ts": "1770000300.000200"}
    message = {"ts": "1770000200.000100", "user": BOT}
    container = {"type": "message", "message_ts": message["ts"], "channel_id": channel}
    place = {"channel": {"id": channel}, "message": message, "container": container}
    return interaction("block_actions", user, actions=[act], **place)


def happened(kind: str, **fields: Any) -> Json:
    """An event that is told once."""
    event = {"type": kind, "event_ts": "1770000300.000300", **fields}
    return {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": event}
