"""A person's permission rules, each with a button that revokes it: in a window and at Home. Pure.

A button revokes exactly the rule that it was shown with; a later choice stays.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from app.core.copy import permission_cards, texts
from app.core.state.permission import ANY, Policy, Rule, Span, Spans, is_overruled
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.ports.servers import ServerListing, name_tool_and_server
from handlers.slack import action_ids
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block
from handlers.views.kit.summary_line import flatten_line
from handlers.views.windows.forms import View, build_page_buttons, build_read_only_window, cut_page, mark

AT_HOME = 12
"""Rules that Home shows beside its other sections."""

LABEL_CHARS, SURE_CHARS, POLICY_CHARS = 300, 200, 200
"""Limits of a rule in the list, of a rule in the confirmation (Slack: 300 with our words), and of a list of the
workspace's tools. Escaped, two of these still fit a section."""


SERVER_CHARS = 600
"""Limit of a list of the tools of a server. Escaped, two of these fit a section."""

LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionOverview:
    """A person's permission rules, and the policy for everyone."""

    rules: tuple[Rule, ...]
    policy: Policy
    spans: Spans = field(default_factory=dict[tuple[str, str], Span])
    """Last use and end of each rule."""
    now: datetime = LONG_AGO
    tools: tuple[str, ...] = ()
    """Our own tools that the person can forbid themselves, like those of the servers."""
    servers: tuple[ServerListing, ...] = ()
    """The connected tool servers."""

    @property
    def forbiddable(self) -> tuple[str, ...]:
        """Return the names of the tools that the person can forbid themselves, as many as fit a list."""
        served = (tool.label for each in self.servers for tool in each.tools)
        return (*self.tools, *served)[: blocks.MOST_OPTIONS]


def build_window(permitted: PermissionOverview, page: int = 0) -> View:
    """Return the window with a page of the rules. A number too high gives the last page."""
    shown, at, pages = cut_page(permitted.rules, page)
    return _frame_window(
        [
            *_render_policy(permitted),
            *map(partial(_render_rule, permitted), shown),
            *([] if at else map(_render_server, permitted.servers)),
            *build_page_buttons(action_ids.PERMISSIONS_PAGE_PREFIX, at, pages),
            *_render_forbidding(permitted),
        ],
        page=at,
    )


def build_notice(sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return _frame_window([blocks.build_section(sentence)])


def render_home_section(permitted: PermissionOverview) -> list[Block]:
    """Return the section for Home."""
    hidden = len(permitted.rules) - AT_HOME
    more = [blocks.build_context(permission_cards.MORE.format(count=hidden))] if hidden > 0 else []
    return [
        blocks.build_header(texts.HOME_PERMISSIONS),
        *_render_policy(permitted),
        *map(partial(_render_rule, permitted), permitted.rules[:AT_HOME]),
        *more,
    ]


def describe_empty(policy: Policy) -> str:
    """Return the text for a person without rules, as mrkdwn."""
    told = _list_policy(policy)
    return "\n".join((permission_cards.NOTHING_OWN, *told)) if told else texts.PERMISSIONS


def identify_rule(rule: Rule) -> str:
    """Return an id of a rule among those of its person. A later rule on the same tool and scope gets another id."""
    named = json.dumps([rule.tool, rule.scope, rule.allows, rule.at])
    return hashlib.sha256(named.encode()).hexdigest()


def label_tool(tool: str) -> str:
    """Return the rule's label for a tool that is forbidden as a whole."""
    return permission_cards.WHOLE_TOOL.format(tool=_format_tool(tool))


def _format_tool(tool: str) -> str:
    words = name_tool_and_server(tool)
    return f"{words[:1].upper()}{words[1:]}"


def _render_forbidding(permitted: PermissionOverview) -> list[Block]:
    """Return the select of the tools that are not forbidden yet."""
    forbidden = {rule.tool for rule in permitted.rules if not rule.allows and rule.scope == ANY}
    left = {
        tool: cut(_format_tool(tool), blocks.LABEL_CHARS) for tool in permitted.forbiddable if tool not in forbidden
    }
    if not left:
        return []
    asked = blocks.build_select(action_ids.FORBID_TOOL, permission_cards.FORBID_WHICH, left) | {
        "confirm": blocks.build_confirm(
            permission_cards.FORBID_SURELY,
            permission_cards.FORBID_MEANS,
            permission_cards.FORBID_YES,
            permission_cards.KEEP,
        )
    }
    return [blocks.build_section(permission_cards.FORBID) | {"accessory": asked}]


def _render_policy(permitted: PermissionOverview) -> list[Block]:
    told = "\n".join(_list_policy(permitted.policy)) if permitted.rules else describe_empty(permitted.policy)
    return [blocks.build_section(told)] if told else []


def _render_server(listing: ServerListing) -> Block:
    """Return what a server's tools may do without asking, and what is asked about."""
    asked = join_words(permission_cards.name_tool(tool.name) for tool in listing.tools if not tool.reads)
    reads = join_words(permission_cards.name_tool(tool.name) for tool in listing.tools if tool.reads)
    lines = (
        permission_cards.SERVER.format(server=listing.server),
        permission_cards.SERVER_ASKED.format(tools=_name_served(asked)) if asked else "",
        permission_cards.SERVER_READS.format(tools=_name_served(reads)) if reads else "",
        permission_cards.SERVER_AWAY if listing.fault else "",
    )
    return blocks.build_section("\n".join(filter(None, lines)))


def _name_served(tools: str) -> str:
    return mrkdwn.render_verbatim(flatten_line(tools, SERVER_CHARS))


def _list_policy(policy: Policy) -> tuple[str, ...]:
    sentences = ((permission_cards.POLICY_NEVER, policy.denied), (permission_cards.POLICY_ALWAYS, policy.allowed))
    return tuple(sentence.format(tools=_name_tools(pairs)) for sentence, pairs in sentences if pairs)


def _name_tools(pairs: Iterable[tuple[str, str]]) -> str:
    return mrkdwn.render_verbatim(flatten_line(join_words(map(_name_tool, pairs)), POLICY_CHARS))


def _name_tool(pair: tuple[str, str]) -> str:
    tool, scope = pair
    name = permission_cards.ANY_TOOL if tool == ANY else tool
    return name if scope == ANY else permission_cards.SCOPED.format(tool=name, scope=scope)


def _render_rule(permitted: PermissionOverview, rule: Rule) -> Block:
    sentence, means = _choose_words(permitted, rule)
    date = _format_date(datetime.fromisoformat(rule.at))
    told = sentence.format(label=mrkdwn.render_verbatim(_label_rule(rule, LABEL_CHARS)), date=date)
    if span := permitted.spans.get((rule.tool, rule.scope)):
        told = f"{told}{_describe_span(span, permitted.now)}"
    surely = means.format(label=_label_rule(rule, SURE_CHARS))
    revoke = blocks.build_button(action_ids.REVOKE, permission_cards.REVOKE, identify_rule(rule))
    asked = revoke | {
        "confirm": blocks.build_confirm(permission_cards.SURELY, surely, permission_cards.REVOKE, permission_cards.KEEP)
    }
    return blocks.build_section(told) | {"block_id": identify_rule(rule), "accessory": asked}


def _choose_words(permitted: PermissionOverview, rule: Rule) -> tuple[str, str]:
    """Return the sentence on a rule, and the one on what revoking it means."""
    if is_overruled(rule, permitted.rules, permitted.policy):
        return permission_cards.OVERRULED, permission_cards.SURELY_OVERRULED
    if rule.allows:
        return permission_cards.ALWAYS, permission_cards.SURELY_ALWAYS
    return permission_cards.NEVER, permission_cards.SURELY_NEVER


def _describe_span(span: Span, now: datetime) -> str:
    """Return the text on the rule's last use and end."""
    used = permission_cards.USED.format(date=_format_date(span.used)) if span.used else ""
    ends = permission_cards.ENDS if span.ends > now else permission_cards.ENDED_ON
    return f"{used}{ends.format(date=_format_date(span.ends))}"


def _format_date(moment: datetime) -> str:
    return mrkdwn.render_time(moment, "{date_short_pretty}", f"{moment.day} {moment:%b %Y}")


def _label_rule(rule: Rule, most: int) -> str:
    return flatten_line(rule.label, most) or cut(
        permission_cards.UNLABELLED.format(tool=rule.tool, scope=rule.scope), most
    )


def _frame_window(body: Sequence[Block], page: int = 0) -> View:
    return build_read_only_window(permission_cards.TITLE, *body) | mark(action_ids.PERMISSIONS_WINDOW, {"page": page})
