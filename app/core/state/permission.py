"""Permissions of external tools: the rules of a person, the policy of a workspace, and how both decide.

A rule is about one person, one tool and one scope, which the button that makes it shows. Deny beats allow. If not
all readers of the target can read a source, only a rule for that pair of places allows the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

ANY = "*"
"""In a policy: every scope of a tool, or every tool."""


class PermissionChoice(StrEnum):
    """Answer of a person to a request for permission."""

    ALLOW = "allow"
    ALWAYS = "always"
    WAIT = "wait"
    NEVER = "never"


LABELS: tuple[tuple[PermissionChoice, str], ...] = (
    (PermissionChoice.ALLOW, "Allow this time"),
    (PermissionChoice.ALWAYS, "Always allow"),
    (PermissionChoice.WAIT, "Wait and tell Claude what to do differently"),
    (PermissionChoice.NEVER, "Never allow"),
)
"""Fixed wording and order, shown as buttons."""

LABEL_ALL = "Allow all {count} this time"

RECOMMENDED_AFTER = 3
"""Times that an owner allows the same thing before a permanent choice is recommended."""


def list_options(count: int) -> tuple[str, ...]:
    """Return the labels of the buttons for a card with that many writes."""
    labels = tuple(label for _, label in LABELS)
    return (*labels, LABEL_ALL.format(count=count)) if count > 1 else labels


def find_choice(option: int) -> tuple[PermissionChoice, bool]:
    """Return the choice of the button at this place, and True if it is about all writes that its card lists."""
    return (LABELS[option][0], False) if option < len(LABELS) else (PermissionChoice.ALLOW, True)


class PermissionVerdict(StrEnum):
    """Outcome of a judgement."""

    ALLOWED = "allowed"
    DENIED = "denied"
    ASK = "ask"


class ChannelKind(StrEnum):
    """Kind of a channel, ordered from few readers to many."""

    DIRECT = "direct"
    PRIVATE = "private"
    PUBLIC = "public"


class Sharing(StrEnum):
    """Sharing of a channel beyond the workspace, ordered from few readers to many."""

    NONE = "none"
    ORG = "org"
    """Other workspaces of the same organisation."""
    PENDING = "pending"
    """Another company was invited but has not accepted yet."""
    COMPANIES = "companies"
    """Other companies (Slack Connect)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Properties of a target channel when a rule was given."""

    kind: ChannelKind
    sharing: Sharing = Sharing.NONE
    member: bool = False
    """True if the owner is a member, as far as that can be looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A permanent decision of one person. `scope` is normalized, and compared literally, never as a pattern."""

    team: str
    user: str
    tool: str
    scope: str
    allows: bool
    at: str
    """ISO, UTC."""
    label: str = ""
    """The scope in the words of the button."""
    standing: Standing | None = None
    """Properties of its target when it was given.

    None in rules older than this field, which cover only targets that are not shared outside of the workspace.
    """
    described: str = ""
    """Digest of what its server said of the tool when it was given; empty for our own tools.

    An allowing rule covers the tool only as long as the server says the same. A forbidding one holds all the same.
    """

    def is_newer(self, other: Rule | None) -> bool:
        """Return True if it was decided after the other one, or at the same time. A decision may be stored late."""
        return other is None or datetime.fromisoformat(self.at) >= datetime.fromisoformat(other.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Time of a rule's last use and of its end if unused. `used` is None if it was never used."""

    used: datetime | None
    ends: datetime


Spans = Mapping[tuple[str, str], Span]
"""By tool and scope of an allowing rule; denying rules do not end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Policy for everyone in the workspace: pairs of tool and scope, either of them `ANY`."""

    denied: tuple[tuple[str, str], ...] = ()
    allowed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Channel in which people will read what a call writes: Slack's id, name and properties."""

    place: str
    name: str
    kind: ChannelKind
    sharing: Sharing = Sharing.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest:
    """A call to judge. `reads` is true of a tool that changes nothing outside."""

    tool: str
    scope: str
    reads: bool
    covers: str = ""
    """The scope in words."""
    target: Target | None = None
    """None if the tool does not say where it writes: then anyone may be able to read it."""
    sources: tuple[str, ...] = ()
    """Sources of what the model knows."""
    described: str = ""
    """Digest of what its server says of the tool now; empty for our own tools."""
    granted: bool = False
    """True if the owner has allowed this very call."""
    named: tuple[str, ...] = ()
    """The scopes of the pairs of source and target that the card named on which the owner has allowed it."""
    ahead: bool = False
    """True if the call is only looked at to be listed: its turn comes later, and nothing is counted."""
    standing: Standing | None = None
    """Current properties of the target; None if it is no channel."""
    conflicts: tuple[str, ...] = ()
    """The sources that not all readers of the target can read."""

    def names(self, sources: Iterable[str]) -> bool:
        """Return True if the card on which the owner has allowed the call named all of these sources."""
        return all(pair_scope(self.scope, source) in self.named for source in sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Coverage of a permanent decision: a scope, and the same in words."""

    scope: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Outcome for a call, with the reasons."""

    verdict: PermissionVerdict
    by: tuple[Rule, ...] = ()
    """The rules that allow it; empty if it is allowed otherwise, or not."""
    changed: Rule | None = None
    """The rule that would allow it if the target, or what a server says of its tool, had not changed since."""
    standing: Standing | None = None
    remarks: tuple[str, ...] = ()
    """Reasons for asking although there may be a rule: sentences for the card."""
    covers: tuple[Coverage, ...] = ()
    """What a permanent decision would cover; empty if that is the scope of the call."""
    recommended: bool = False
    """True if the owner has allowed the same so often that a permanent choice would save questions."""


def pair_scope(scope: str, source: str) -> str:
    """Return the scope of a rule that covers what came from one source and goes to one target."""
    return f"{scope} from {source}"


def judge(wanted: PermissionRequest, rules: Iterable[Rule], policy: Policy) -> Judgement:
    """Return the judgement of a call.

    The order is: workspace deny, never, read-only, conflict of source and target, workspace allow, always, else ask.
    Only a rule for each of its pairs settles a conflict. *Never* for a source in the context holds even without a
    conflict. A rule that forbids `ANY` scope forbids the whole tool.
    """
    mine = [rule for rule in rules if rule.tool == wanted.tool]
    always = {rule.scope: rule for rule in mine if rule.allows}
    if find_bans(wanted, mine, policy):
        return Judgement(verdict=PermissionVerdict.DENIED)
    if wanted.reads or wanted.granted:
        return Judgement(verdict=PermissionVerdict.ALLOWED)
    if not wanted.conflicts and _covers(policy.allowed, wanted):
        return Judgement(verdict=PermissionVerdict.ALLOWED)
    needed = [pair_scope(wanted.scope, source) for source in wanted.conflicts] or [wanted.scope]
    found = tuple(always[scope] for scope in needed if scope in always)
    if len(found) < len(needed):
        return Judgement(verdict=PermissionVerdict.ASK, standing=wanted.standing)
    changed = next((rule for rule in found if not _is_given_for(rule, wanted)), None)
    if changed:
        return Judgement(verdict=PermissionVerdict.ASK, standing=wanted.standing, changed=changed)
    return Judgement(verdict=PermissionVerdict.ALLOWED, by=found)


def find_bans(wanted: PermissionRequest, rules: Iterable[Rule], policy: Policy) -> frozenset[str]:
    """Return the scopes of the rules that forbid a call, `ANY` for the policy of the workspace; empty if none does."""
    scopes = {ANY, wanted.scope, *(pair_scope(wanted.scope, source) for source in wanted.sources)}
    mine = {rule.scope for rule in rules if rule.tool == wanted.tool and not rule.allows and rule.scope in scopes}
    return frozenset({*mine, *([ANY] if _covers(policy.denied, wanted) else [])})


def is_overruled(rule: Rule, rules: Iterable[Rule], policy: Policy) -> bool:
    """Return True for an allowing rule that counts for nothing, because another rule or the policy forbids the same."""
    banned = [each.scope for each in rules if each.tool == rule.tool and not each.allows]
    banned += [scope for tool, scope in policy.denied if tool in (rule.tool, ANY)]
    is_banned = any(scope in (ANY, rule.scope) or rule.scope.startswith(pair_scope(scope, "")) for scope in banned)
    return rule.allows and is_banned


def _is_given_for(rule: Rule, wanted: PermissionRequest) -> bool:
    """Return True if the target and the tool are as they were.

    A scope without a place covers any target with no wider readership: a rule on files for public channels therefore
    covers private ones, and not the other way round.
    """
    if rule.described != wanted.described:
        return False
    now, then = wanted.standing, rule.standing
    if now is None or then is None:
        return now is None or now.sharing is Sharing.NONE
    if wanted.target and wanted.target.place in wanted.scope:
        return now == then
    return _measure_width(now) <= _measure_width(then) and [*Sharing].index(now.sharing) <= [*Sharing].index(
        then.sharing
    )


def _measure_width(standing: Standing) -> int:
    return [*ChannelKind].index(standing.kind)


def _covers(pairs: Iterable[tuple[str, str]], wanted: PermissionRequest) -> bool:
    return any(tool in (wanted.tool, ANY) and scope in (wanted.scope, ANY) for tool, scope in pairs)
