"""Who may own a conversation: whose words begin one, and for whom tokens are spent."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Standing(StrEnum):
    """What somebody is in the workspace that we serve."""

    MEMBER = "member"
    GUEST = "guest"
    STRANGER = "stranger"
    """Of another company, in a channel that is shared with it."""
    BOT = "bot"


class Owners(StrEnum):
    """Who may own a conversation, as it is set."""

    MEMBERS = "members"
    GUESTS = "guests"
    """Members, and guests of the workspace."""
    ANYONE = "anyone"
    """People of other companies as well."""


ALLOWED: Mapping[Owners, frozenset[Standing]] = {
    Owners.MEMBERS: frozenset({Standing.MEMBER}),
    Owners.GUESTS: frozenset({Standing.MEMBER, Standing.GUEST}),
    Owners.ANYONE: frozenset({Standing.MEMBER, Standing.GUEST, Standing.STRANGER}),
}


def can_own(owners: Owners, standing: Standing) -> bool:
    """Whether somebody of this standing may own a conversation. A bot never may: two of them would never end."""
    return standing in ALLOWED[owners]
