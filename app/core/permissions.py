"""What the model may do outside without asking: rules of a person, policy of a workspace, and how both decide (T8).

A rule is about one person, one tool and one scope, which is shown on the button that makes it. Deny beats allow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What holds for everybody in the workspace: pairs of tool and scope, either of them `ANY`."""

    denied: tuple[tuple[str, str], ...] = ()
    allowed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One call that is judged. `reads` is true of a tool that changes nothing outside."""

    tool: str
    scope: str
    reads: bool


def verdict(wanted: Wanted, rules: Iterable[Rule], policy: Policy) -> Verdict:
    """Judge a call: workspace deny, never, workspace allow, always, read-only, else ask (T8)."""
    mine = {rule.allows for rule in rules if (rule.tool, rule.scope) == (wanted.tool, wanted.scope)}
    if _covers(policy.denied, wanted) or False in mine:
        return Verdict.DENIED
    if _covers(policy.allowed, wanted) or True in mine or wanted.reads:
        return Verdict.ALLOWED
    return Verdict.ASK


def _covers(pairs: Iterable[tuple[str, str]], wanted: Wanted) -> bool:
    return any(tool in (wanted.tool, ANY) and scope in (wanted.scope, ANY) for tool, scope in pairs)
