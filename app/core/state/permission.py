"""What the model may do outside without asking: rules of a person, policy of a workspace, and how both decide (T8).

A rule is about one person, one tool and one scope, which is shown on the button that makes it. Deny beats allow. What
came from a place that not all readers of the target can read needs a rule for that pair of places, whatever else there
is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

ANY = "*"
"""In a policy: every scope of a tool, or every tool."""


class Decision(StrEnum):
    """What a person answers when the model asks to do something (S3-016)."""

    ALLOW = "allow"
    ALWAYS = "always"
    WAIT = "wait"
    NEVER = "never"


LABELS: tuple[tuple[Decision, str], ...] = (
    (Decision.ALLOW, "Allow this time"),
    (Decision.ALWAYS, "Always allow"),
    (Decision.WAIT, "Wait and tell Claude what to do differently"),
    (Decision.NEVER, "Never allow"),
)
"""S3-017, letter for letter and in this order."""


class Verdict(StrEnum):
    """What follows for a call."""

    ALLOWED = "allowed"
    DENIED = "denied"
    ASK = "ask"


class Kind(StrEnum):
    """What sort of place a channel is. The order is from few readers to many."""

    DIRECT = "direct"
    PRIVATE = "private"
    PUBLIC = "public"


class Sharing(StrEnum):
    """With whom beside the workspace a channel is shared. The order is from few readers to many."""

    NONE = "none"
    ORG = "org"
    """Other workspaces of the same organisation."""
    PENDING = "pending"
    """Another company was invited and has not accepted yet."""
    COMPANIES = "companies"
    """Other companies (Slack Connect)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a target stands: what a rule was given for."""

    kind: Kind
    sharing: Sharing = Sharing.NONE
    member: bool = False
    """True if the owner is in it, as far as that can be looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What one person decided for good. `scope` is normalised, and never a pattern: it is compared as it is."""

    team: str
    user: str
    tool: str
    scope: str
    allows: bool
    at: str
    """ISO, UTC."""
    label: str = ""
    """What it covers, in the words that stood on the button."""
    standing: Standing | None = None
    """How its target stood when it was given. None in a rule from before this was kept: it covers what is shared with
    nobody outside of the workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """When a rule was used last, and when it ends if it is not used again. `used` is None if it never was."""

    used: datetime | None
    ends: datetime


Spans = Mapping[tuple[str, str], Span]
"""By tool and scope of a rule that allows; what forbids does not end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What holds for everybody in the workspace: pairs of tool and scope, either of them `ANY`."""

    denied: tuple[tuple[str, str], ...] = ()
    allowed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where people will read what a call writes: Slack's id of the channel, its name, and how it stands."""

    place: str
    name: str
    kind: Kind
    sharing: Sharing = Sharing.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One call that is judged. `reads` is true of a tool that changes nothing outside."""

    tool: str
    scope: str
    reads: bool
    covers: str = ""
    """The scope in words."""
    target: Target | None = None
    """None if the tool does not say where it writes: then anybody may read it."""
    sources: tuple[str, ...] = ()
    """The places that what the model knows came from."""
    granted: bool = False
    """True if the owner has allowed this very call."""
    standing: Standing | None = None
    """How the target stands now; None if it is no channel."""
    conflicts: tuple[str, ...] = ()
    """Those of the sources that not all readers of the target can read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What a decision for good covers: a scope, and the same in words."""

    scope: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What follows for a call, and why."""

    verdict: Verdict
    by: tuple[Rule, ...] = ()
    """The rules that allow it; empty if it is allowed otherwise, or not."""
    changed: Rule | None = None
    """The rule that would allow it if its target stood as it did when it was given."""
    standing: Standing | None = None
    remarks: tuple[str, ...] = ()
    """Why the owner is asked although there may be a rule: sentences for the card."""
    covers: tuple[Covered, ...] = ()
    """What a decision for good would cover; empty if that is the scope of the call."""


def pair_scope(scope: str, source: str) -> str:
    """Return the scope of a rule that covers what came from one source and goes to one target."""
    return f"{scope} from {source}"


def judge(wanted: Wanted, rules: Iterable[Rule], policy: Policy) -> Judgement:
    """Judge a call: workspace deny, never, conflict of source and target, workspace allow, always, read-only, else ask.

    A conflict is settled by a rule for each of its pairs alone. Of a source that is in the context, *Never* counts
    even without a conflict.
    """
    mine = [rule for rule in rules if rule.tool == wanted.tool]
    always = {rule.scope: rule for rule in mine if rule.allows}
    scopes = {wanted.scope, *(pair_scope(wanted.scope, source) for source in wanted.sources)}
    if _covers(policy.denied, wanted) or any(not rule.allows and rule.scope in scopes for rule in mine):
        return Judgement(verdict=Verdict.DENIED)
    if wanted.reads or wanted.granted:
        return Judgement(verdict=Verdict.ALLOWED)
    if not wanted.conflicts and _covers(policy.allowed, wanted):
        return Judgement(verdict=Verdict.ALLOWED)
    needed = [pair_scope(wanted.scope, source) for source in wanted.conflicts] or [wanted.scope]
    found = tuple(always[scope] for scope in needed if scope in always)
    if len(found) < len(needed):
        return Judgement(verdict=Verdict.ASK, standing=wanted.standing)
    changed = next((rule for rule in found if not _is_given_for(rule, wanted)), None)
    if changed:
        return Judgement(verdict=Verdict.ASK, standing=wanted.standing, changed=changed)
    return Judgement(verdict=Verdict.ALLOWED, by=found)


def _is_given_for(rule: Rule, wanted: Wanted) -> bool:
    """True if the target stands as it did. A scope that names no place covers any that has no wider circle of readers.

    So files that may be put into threads of public channels may be put into private ones, and not the other way round.
    """
    now, then = wanted.standing, rule.standing
    if now is None or then is None:
        return now is None or now.sharing is Sharing.NONE
    if wanted.target and wanted.target.place in wanted.scope:
        return now == then
    return _measure_width(now) <= _measure_width(then) and [*Sharing].index(now.sharing) <= [*Sharing].index(
        then.sharing
    )


def _measure_width(standing: Standing) -> int:
    return [*Kind].index(standing.kind)


def _covers(pairs: Iterable[tuple[str, str]], wanted: Wanted) -> bool:
    return any(tool in (wanted.tool, ANY) and scope in (wanted.scope, ANY) for tool, scope in pairs)
