"""Who can read a place, and whether all readers of one place can read another. Pure.

Slack tells who is in a channel. A public channel can be read by every full member of the workspace besides.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who can read a place, as far as Slack tells."""

    name: str
    """For the owner who is asked, such as *#board*."""
    people: frozenset[str]
    """Those who are in it, by Slack's id; we are left out."""
    everyone: bool = False
    """True if every full member of the workspace can read it."""
    beyond: bool = False
    """True if more people can read it than those: somebody in another company or workspace, or more than are listed."""


def find_doubtful(target: Readers, source: Readers) -> frozenset[str] | None:
    """Return the readers of the target who can read the source only if they are full members of the workspace.

    None if some reader of the target cannot read the source, or nobody can tell.
    """
    if target.beyond or (target.everyone and not source.everyone):
        return None
    rest = target.people - source.people
    return rest if source.everyone or not rest else None
