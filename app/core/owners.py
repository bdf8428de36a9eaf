"""Owners of conversations: the people whose messages begin one, and for whom tokens are spent."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Membership(StrEnum):
    """Relation of a person to the workspace that the app serves."""

    MEMBER = "member"
    GUEST = "guest"
    STRANGER = "stranger"
    """A person of another company, in a channel shared with it."""
    FORMER = "former"
    """A person who has left the company. They own no conversation, so nothing that they had planned goes on."""
    BOT = "bot"


class Owners(StrEnum):
    """Setting for the people who may own a conversation."""

    MEMBERS = "members"
    GUESTS = "guests"
    """Members and guests of the workspace."""
    ANYONE = "anyone"
    """Also people of other companies."""


ALLOWED: Mapping[Owners, frozenset[Membership]] = {
    Owners.MEMBERS: frozenset({Membership.MEMBER}),
    Owners.GUESTS: frozenset({Membership.MEMBER, Membership.GUEST}),
    Owners.ANYONE: frozenset({Membership.MEMBER, Membership.GUEST, Membership.STRANGER}),
}


def can_own(owners: Owners, standing: Membership) -> bool:
    """Return True if a person of this standing may own a conversation. Bots never may: two could talk without end."""
    return standing in ALLOWED[owners]
