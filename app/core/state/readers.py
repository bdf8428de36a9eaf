"""Readers of places, and the comparison of two places' readers.

Slack lists a channel's members. A public channel can also be read by every full member of the workspace.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Readers of a place, as far as Slack tells."""

    name: str
    """For the owner who is asked, such as *#board*."""
    people: frozenset[str]
    """Slack ids of its members, without the app."""
    everyone: bool = False
    """True if every full member of the workspace can read it."""
    beyond: bool = False
    """True if others can read it, too: people of another company or workspace, or more than are listed."""


def find_doubtful(target: Readers, source: Readers) -> frozenset[str] | None:
    """Return the readers of the target who can read the source only if they are full members of the workspace.

    None if some reader of the target cannot read the source, or if that is unknown.
    """
    if target.beyond or (target.everyone and not source.everyone):
        return None
    rest = target.people - source.people
    return rest if source.everyone or not rest else None
