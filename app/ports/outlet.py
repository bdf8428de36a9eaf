"""The port to Slack for everything that the app writes there, and the guard around those writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.core.conversation.conversation import Conversation, Message
from app.core.conversation.effect import PostEphemeral, SendDirectMessage
from app.core.owners import Membership
from app.core.thread import ThreadKey


class LiveReply(Protocol):
    """A live reply. One writer edits it, and an outdated snapshot is never sent."""

    def show(self, text: str) -> None:
        """Offer the newest text. Return at once."""
        ...

    def go_on_below(self, at: int) -> None:
        """Show the words after this many characters in another Slack message: people have written meanwhile."""
        ...

    def show_activity(self, words: str) -> None:
        """Set what is being done, for the thread's status while no new text comes. Return at once."""
        ...

    async def close(self) -> tuple[str, ...]:
        """Stop showing previews, wait for the last write, and return the ts of each page."""
        ...


class WriteGuard(Protocol):
    """The guard around each write of a reply or a card to Slack."""

    def check(self) -> None:
        """Raise `LostConversation` if the lease is lost, `StoreUnavailable` while that cannot be determined."""
        ...

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        """Store a text before it is shown, and its pages once Slack has given them a ts. Raise as `check` does."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A person's profile in Slack. `zone` is an IANA name, empty if unknown."""

    name: str
    zone: str = ""
    standing: Membership | None = None
    """The person's standing in the workspace; None if Slack does not say."""


class Outlet(Protocol):
    """Writer of everything that the app shows in Slack. Raises `SlackUnavailable` and `SlackRefused`."""

    def draft(self, conversation: Conversation, reply: Message, keeper: WriteGuard) -> LiveReply:
        """Start a live reply, in the Slack messages that it already has, if any. Set the thread's status meanwhile."""
        ...

    async def finish(
        self, conversation: Conversation, reply: Message, keeper: WriteGuard, draft: LiveReply | None
    ) -> None:
        """Bring a reply into its final form: complete text, closing words, buttons.

        `draft` is the live reply of this process. Without it, Slack is asked which pages exist already.
        """
        ...

    async def show_card(self, conversation: Conversation, card: Message, keeper: WriteGuard, *, unsure: bool) -> None:
        """Bring a card into its present form. Post it if it is new; if `unsure`, ask Slack whether it is."""
        ...

    async def begin_step(self, decision: Conversation, component: str, *, unsure: bool) -> ThreadKey:
        """Post the first Slack message of a step's thread in the channel of its decision.

        `decision` is the conversation of the decision's hub, whose owner it mentions. If `unsure`, Slack is asked first
        whether the message exists.
        """
        ...

    async def update_step_head(self, decision: Conversation, component: str) -> None:
        """Bring the first Slack message of a step's thread into its present form, if the step has begun."""
        ...

    async def tell(self, conversation: Conversation, told: PostEphemeral) -> None:
        """Show a text to one person only, with a button for its offer."""
        ...

    async def tell_directly(self, conversation: Conversation, told: SendDirectMessage, *, unsure: bool) -> None:
        """Send a direct message about this conversation, with a link to it.

        If `unsure`, Slack is asked first whether the message exists.
        """
        ...

    async def publish_home(self, team: str, user: str) -> None:
        """Update a person's Home, if they have ever opened it."""
        ...

    async def react(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Add an emoji to a Slack message. It may be there already."""
        ...

    async def unreact(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Remove the app's emoji from a Slack message. It may be gone already."""
        ...

    async def profile_of(self, team: str, user: str) -> Profile:
        """Return a person's name and time zone. Without an answer from Slack, these are their id and no zone."""
        ...
