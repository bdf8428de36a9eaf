"""Rules of Maya's, and what is seen and pressed where they are listed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from app.core.state.permission import ANY, Policy, Rule, Span
from handlers.slack import action_ids
from handlers.views.kit import summary_line
from handlers.views.windows.rules_window import PermissionOverview, identify_rule
from tests.unit.handlers.front import RULES, TOOLS, URL, Front, interaction, pressed_in
from tests.unit.handlers.payloads import MAYA, TEAM
from tests.virtual import START

Json = dict[str, Any]
FORBIDS = Policy(denied=(("send_mail", ANY), (ANY, "#board")), allowed=(("fetch", "https://acme.example"),))
VIEW = summary_line.LinkContext(workspace_url=URL, now=START)


def rule(number: int = 1, *, allows: bool = True, **changes: Any) -> Rule:
    """A rule of Maya's."""
    fields: Json = {"label": f"post in #team-{number}", "scope": f"C{number:03}", "user": MAYA, **changes}
    return Rule(team=TEAM, tool="post_message", allows=allows, at="2026-02-03T09:00:00+00:00", **fields)


def permitted(*rules: Rule, policy: Policy = RULES.policy) -> PermissionOverview:
    return PermissionOverview(rules=rules, policy=policy)


def unused(front: Front, *rules: Rule) -> PermissionOverview:
    """The same, as it is listed while none was ever used."""
    spans = {
        (each.tool, each.scope): Span(used=None, ends=datetime.fromisoformat(each.at) + timedelta(days=90))
        for each in rules
        if each.allows
    }
    return replace(permitted(*rules), spans=spans, now=front.clock.now(), tools=TOOLS)


def lines(view: Json) -> list[str]:
    return [block["text"]["text"] for block in view["blocks"] if "text" in block]


def revokes(view: Json) -> list[Json]:
    """The buttons that revoke."""
    return [each for each in _accessories(view) if each["action_id"] == action_ids.REVOKE]


def forbids(view: Json) -> list[str]:
    """The tools that can be forbidden as a whole."""
    selects = [each for each in _accessories(view) if each["action_id"] == action_ids.FORBID_TOOL]
    return [option["value"] for each in selects for option in each["options"]]


def forbidden(view: Json, tool: str, user: str = MAYA) -> Json:
    """Somebody chooses a tool to forbid, and says that they mean it."""
    act = {"action_id": action_ids.FORBID_TOOL, "block_id": "b", "type": "static_select"}
    return interaction(
        "block_actions",
        user=user,
        actions=[act | {"selected_option": {"value": tool}}],
        view={"id": "V0PICK001", **view},
    )


def _accessories(view: Json) -> list[Json]:
    return [block["accessory"] for block in view["blocks"] if "accessory" in block]


def turns(view: Json) -> list[str]:
    """The pages that can be turned to."""
    rows = (block["elements"] for block in view["blocks"] if block["type"] == "actions")
    return [button["value"] for row in rows for button in row]


async def front_with(*rules: Rule, policy: Policy = RULES.policy) -> Front:
    front = Front(replace(RULES, policy=policy))
    for each in rules:
        await front.store.permissions.keep(each)
    return front


def revoked(view: Json, which: Rule, user: str = MAYA) -> Json:
    """Somebody presses *Revoke* and says that they mean it."""
    return pressed_in(view, action_ids.REVOKE, user, value=identify_rule(which))


async def left(front: Front, user: str = MAYA) -> tuple[Rule, ...]:
    return await front.store.permissions.list(TEAM, user)
