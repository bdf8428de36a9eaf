"""Look-up of people and channels by id or by name, as the actions of `people` name them."""

from app.playground.slack.values.model import Channel, Member, Message
from app.playground.slack.workspace.workspace import Workspace


class Locations:
    """Look-ups that raise LookupError or PermissionError with a sentence for that person."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def _who(self, user: str) -> Member:
        person = self._workspace.member(user)
        if person is None or person.is_bot:
            raise LookupError(f"There is nobody called {user!r} in {self._workspace.team.name}.")
        return person

    def _where(self, channel: str) -> Channel:
        place = self._workspace.channels.get(channel) or self._workspace.channel_named(channel)
        if place is None:
            raise LookupError(f"There is no channel {channel!r}.")
        return place

    def _who_where(self, user: str, channel: str) -> tuple[Member, Channel]:
        person, place = self._who(user), self._where(channel)
        if person.id not in place.members:
            raise PermissionError(f"{person.name} is not in {place.name or 'this conversation'}.")
        return person, place

    def _own(self, user: str, channel: str, ts: str) -> Message:
        person, place = self._who_where(user, channel)
        message = self._workspace.message(place.id, ts)
        if message is None:
            raise LookupError(f"There is no message {ts} in {place.name or place.id}.")
        if message.user != person.id or message.subtype not in (None, "file_share"):
            raise PermissionError("You can only change what you wrote yourself.")
        return message

    def seen(self, user: str, channel: str, ts: str) -> Message:
        """Return a message this person sees."""
        person, place = self._who_where(user, channel)
        message = self._workspace.message(place.id, ts) or self._workspace.ephemeral(place.id, ts)
        if message is None or message.seen_by not in (None, person.id):
            raise LookupError(f"{person.name} sees no message {ts} in {place.name or place.id}.")
        return message
