"""The context of every Web API method, with look-ups that refuse in the same words everywhere."""

from dataclasses import dataclass
from urllib.parse import quote

from aiohttp import web

from app.playground.slack.delivery.socket_mode import Sockets
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.model import App, Channel, Clock, File, Message
from app.playground.slack.values.refusal import Refusal
from app.playground.slack.values.tasks import Background
from app.playground.slack.workspace.uploads import Uploads
from app.playground.slack.workspace.views import Triggers
from app.playground.slack.workspace.workspace import TIMESTAMP, Workspace

FILES_SCOPE = "files:read"
LOGIN_PAGE = "<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in to Acme</body></html>"


@dataclass(slots=True)
class Site:
    """One running emulator as its methods see it."""

    workspace: Workspace
    sockets: Sockets
    clock: Clock
    background: Background
    triggers: Triggers
    uploads: Uploads
    url: str = ""
    """The server's address, without a slash at the end, and the workspace's own; set by `start`."""

    @property
    def app(self) -> App:
        """Return the calling app."""
        return self.workspace.app

    def file(self, id_: str) -> File:
        """Return a file that was shared where the app is; it does not learn of others."""
        file, channels = self.workspace.find_file(id_)
        if file is None or not any(self.workspace.bot_is_in(self.workspace.channels[each]) for each in channels):
            raise Refusal("file_not_found")
        if file.mode == "tombstone":
            raise Refusal("file_deleted")
        return file

    async def send_file(self, request: web.Request) -> web.StreamResponse:
        """Answer GET /files-pri/T…-F…/…: the bytes for the app's token, and a page to log in for everybody else."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        may_read = scheme == "Bearer" and token == self.app.bot_token and FILES_SCOPE in self.app.scopes
        try:
            file = self.file(request.match_info["file"].partition("-")[2])
        except Refusal:
            return web.Response(status=404, text="There is no such file.")
        if not may_read or file.external_url:
            return web.Response(text=LOGIN_PAGE, content_type="text/html")
        disposition = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
        return web.Response(body=file.content, content_type=file.mimetype, headers=disposition)

    def channel(self, args: Arguments, name: str = "channel") -> Channel:
        """Return the channel with this id; a private one without the bot does not exist for it."""
        channel = self.workspace.channels.get(args.required(name))
        if channel is None or (channel.kind != "channel" and not self.workspace.bot_is_in(channel)):
            raise Refusal("channel_not_found")
        return channel

    def joined_channel(self, args: Arguments, name: str = "channel") -> Channel:
        """Return the channel, refusing if the bot is no member."""
        channel = self.channel(args, name)
        if not self.workspace.bot_is_in(channel):
            raise Refusal("not_in_channel")
        return channel

    def destination(self, args: Arguments) -> Channel:
        """Return the channel to post in: by id or name, or a person's direct messages."""
        named = args.required("channel")
        by_name = self.workspace.channel_named(named)
        person = self.workspace.members.get(named)
        channel = by_name or (self.workspace.dm_with(named) if person and not person.is_bot else self.channel(args))
        public = channel.kind == "channel" and "chat:write.public" in self.app.scopes
        if not public and not self.workspace.bot_is_in(channel):
            raise Refusal("not_in_channel")
        return channel

    def message(self, channel: Channel, ts: str) -> Message:
        """Return a message that everyone sees."""
        message = self.workspace.message(channel.id, ts)
        if message is None or message.is_tombstone:
            raise Refusal("message_not_found")
        return message

    def thread(self, channel: Channel, args: Arguments) -> str | None:
        """Return the root to reply under. A ts that names no message posts top-level; an absurd one is refused."""
        thread_ts = args.text("thread_ts")
        if thread_ts and not TIMESTAMP.match(thread_ts):
            raise Refusal("invalid_thread_ts")
        return self.workspace.root_of(channel.id, thread_ts)
