"""Everything we say in Slack, and what whoever says it must ask and tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.core.effects import Offer, TellDirectly
from app.core.model import Conversation, Message, ThreadKey
from app.core.owners import Standing


class Draft(Protocol):
    """One reply while it is shown. A single writer edits it; snapshots that were overtaken are never sent."""

    def show(self, text: str) -> None:
        """Offer the newest text. Returns at once."""
        ...

    async def close(self) -> tuple[str, ...]:
        """Stop showing previews; returns when no write is under way any more. Gives the ts of each part."""
        ...


class Keeper(Protocol):
    """What a reply's writer must ask and tell around each of its writes to Slack."""

    def check(self) -> None:
        """Raise unless a write may begin now: `LostConversation`, or `StoreUnavailable` while nobody can know."""
        ...

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        """Keep a text before it is shown, and the parts after one got its ts. Raises as `check` does."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What Slack tells of a person. `zone` is IANA, empty if unknown."""

    name: str
    zone: str = ""
    standing: Standing | None = None
    """What they are in the workspace; None where Slack does not tell."""


class Outlet(Protocol):
    """Everything we say to Slack. Raises `SlackUnavailable` and `SlackRefused`."""

    def draft(self, conversation: Conversation, reply: Message, keeper: Keeper) -> Draft:
        """Begin to show a reply, in the messages it already has, if any. Sets the thread's status meanwhile."""
        ...

    async def finish(self, conversation: Conversation, reply: Message, keeper: Keeper, draft: Draft | None) -> None:
        """Bring a reply into its final form: complete text, closing words, buttons.

        `draft` is what showed it so far, if that was here; without it Slack is asked what is there already.
        """
        ...

    async def show_card(self, conversation: Conversation, card: Message, keeper: Keeper, *, unsure: bool) -> None:
        """Bring a card into its present form, posting it if it is new; if `unsure`, Slack is asked whether it is."""
        ...

    async def begin_step(self, decision: Conversation, component: str, *, unsure: bool) -> ThreadKey:
        """Post the first message of a step's thread where its decision is; if `unsure`, Slack is asked whether it is.

        `decision` is the conversation of the decision's hub, whose owner it mentions.
        """
        ...

    async def tell(self, conversation: Conversation, user: str, text: str, offer: Offer | None = None) -> None:
        """Show one person a sentence that only they see, with a button for what it offers."""
        ...

    async def tell_directly(self, conversation: Conversation, told: TellDirectly, *, unsure: bool) -> None:
        """Tell one person something of this conversation in their direct messages, with a link to it.

        If `unsure`, Slack is asked whether it is there already.
        """
        ...

    async def publish_home(self, team: str, user: str) -> None:
        """Bring somebody's Home up to date, if they have ever opened it."""
        ...

    async def react(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Leave an emoji on a message; fine if it is there already."""
        ...

    async def unreact(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Take our emoji off a message; fine if it is gone already."""
        ...

    async def profile_of(self, team: str, user: str) -> Profile:
        """How a person is called and where their clock is; their id and no zone if Slack does not tell."""
        ...
