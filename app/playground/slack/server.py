"""The Slack emulator as a whole: one server on loopback, put together and taken apart.

The only module here that knows all the others.
"""

from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict

from aiohttp import web

from app.http_server import listen
from app.playground.journal import Journal
from app.playground.slack.api.site import Site
from app.playground.slack.api.web_api import WebApi
from app.playground.slack.delivery.delivery import Deliveries, Delivery
from app.playground.slack.delivery.events import build_payloads
from app.playground.slack.delivery.http import EventsUrl
from app.playground.slack.delivery.socket_mode import Sockets
from app.playground.slack.page.acts import PageActs
from app.playground.slack.page.http import PageHttp, forbid_frames
from app.playground.slack.page.tour import TourStop
from app.playground.slack.page.view import PageView
from app.playground.slack.people.actions import UserActions
from app.playground.slack.people.people import People
from app.playground.slack.people.response_urls import ResponseUrls
from app.playground.slack.values.faults import Faults
from app.playground.slack.values.model import Change, Clock, HomeShown, IdFactory, SessionChanged, StopPressed
from app.playground.slack.values.options import SlackOptions
from app.playground.slack.values.tasks import Background, Condition
from app.playground.slack.workspace.kept import restore, serialize
from app.playground.slack.workspace.seed import create_acme
from app.playground.slack.workspace.uploads import Uploads
from app.playground.slack.workspace.views import Triggers
from app.playground.slack.workspace.wire import build_view

HOST = "127.0.0.1"
PATIENCE_AT_STOP = 0.1  # real seconds for requests still being answered


class SlackPlayground:
    """A Slack emulator: `start` it, give the app its tokens and `api_url`, act through `people`, `stop` it.

    `kept` is what an emulator of the same seed has returned from `keep`.
    """

    def __init__(self, options: SlackOptions | None = None, kept: bytes = b"") -> None:
        self.options = options or SlackOptions()
        mint, clock, pulse = IdFactory(self.options.seed), Clock(self.options.time_scale), Condition()
        self.background = Background()
        self.journal = Journal(self.options.journal)
        self.faults = Faults(self.journal)
        self.workspace = create_acme(mint, self.options)
        if kept:
            restore(self.workspace, kept)
        app = self.workspace.app
        self.sockets = Sockets(app.id, clock, mint, self.journal)
        self._events_url = EventsUrl(self.options.events_url, app.signing_secret, clock, mint)
        transport = self.sockets if self.options.delivery == "socket" else self._events_url
        self._deliveries = Deliveries(transport, clock, self.faults, self.journal, self.background)
        uploads, triggers = Uploads(mint), Triggers(clock, mint)
        self._site = Site(self.workspace, self.sockets, clock, self.background, triggers, uploads)
        self._api = WebApi(self._site, self.options, self.faults, self.journal)
        self._responses = ResponseUrls(self._site)
        hands = UserActions(self._site, self._responses, self._deliveries)
        self.people = People(self.workspace, hands, pulse)
        self._view = PageView(self.workspace, self._api, self.journal, self.options.banner)
        self._page = PageHttp(self.workspace, PageActs(self.workspace, self.people, hands), self._view, clock)
        application = self._web_app(self._page.routes())
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=PATIENCE_AT_STOP)
        self._listening = AsyncExitStack()
        self.workspace.watch(self._write_down)
        self.workspace.watch(self._tell_app)
        self.workspace.watch(lambda _: pulse.beat())
        self.journal.watch(pulse.beat)

    def _web_app(self, page: Iterable[web.AbstractRouteDef]) -> web.Application:
        routes = web.Application(client_max_size=16 * 1024**2)
        routes.on_response_prepare.append(forbid_frames)
        routes.add_routes(
            [
                web.route("*", "/api/{method}", self._api.handle),
                web.get("/link", self.sockets.serve),
                web.post("/response/{secret}", self._responses.respond),
                web.post("/upload/{secret}", self._site.uploads.receive),
                web.get("/files-pri/{file}/{path:.+}", self._site.send_file),
                *page,
            ]
        )
        return routes

    def keep(self) -> bytes:
        """Return the workspace's content, with which a later emulator of the same seed goes on."""
        return serialize(self.workspace)

    async def start(self) -> None:
        """Listen; from now on `url` is known."""
        port = await self._listening.enter_async_context(listen(self._runner, HOST, self.options.port))
        self._site.url = self.workspace.url = f"http://{HOST}:{port}"

    async def stop(self) -> None:
        """Close every connection and end every task. Raise the first failure of a task."""
        self._page.close()
        await self.sockets.close()
        try:
            await self.background.stop()
        finally:
            await self._listening.aclose()

    # --- what the app is configured with -----------------------------------------------------------

    @property
    def url(self) -> str:
        """Return the server's address, without a slash at the end."""
        return self._site.url

    @property
    def page_url(self) -> str:
        """Return the address of the page, with the token that it requires."""
        return f"{self._site.url}/?token={self.page_token}"

    @property
    def page_token(self) -> str:
        """Return the token with which a page may look and act."""
        return self._page.token

    @property
    def api_url(self) -> str:
        """Return the SDK's `base_url`."""
        return f"{self._site.url}/api/"

    @property
    def bot_token(self) -> str:
        """Return the token for all methods except apps.connections.open."""
        return self.workspace.app.bot_token

    @property
    def app_token(self) -> str:
        """Return the token for Socket Mode."""
        return self.workspace.app.app_token

    @property
    def signing_secret(self) -> str:
        """Return the secret that signs HTTP deliveries."""
        return self.workspace.app.signing_secret

    @property
    def bot_user_id(self) -> str:
        """Return the user id of the bot, whom people mention."""
        return self.workspace.app.user.id

    @property
    def app_id(self) -> str:
        return self.workspace.app.id

    @property
    def team_id(self) -> str:
        return self.workspace.team.id

    # --- what people and the app do --------------------------------------------------------------------------------

    async def subscribe(self, events_url: str) -> None:
        """Deliver by HTTP to this Request URL. Raise ValueError unless it answers Slack's challenge."""
        await self._events_url.subscribe(events_url)

    def offer_tour(self, stops: Sequence[TourStop]) -> None:
        """Offer a tour to each page that is opened from now on."""
        self._view.tour = stops

    def deliver_again(self, event_id: str) -> None:
        """Deliver an event a second time, as if for the first. Raise KeyError if none has this id."""
        self._deliveries.again(event_id)

    @property
    def is_delivering(self) -> bool:
        """Return True while the app has not answered yet to something that it was sent."""
        return self._deliveries.is_underway

    def _write_down(self, change: Change) -> None:
        match change:
            case SessionChanged(session):
                self.journal.write("session", **asdict(session))
            case StopPressed(session, user):
                self.journal.write("stop", channel=session.channel, thread_ts=session.thread_ts, user=user)
            case HomeShown(view):
                shown = build_view(self.workspace, view, with_state=False)
                self.journal.write("home", user=view.user, view=shown)
            case _:
                return

    def _tell_app(self, change: Change) -> None:
        for payload in build_payloads(self.workspace, change):
            self._deliveries.send(Delivery("events_api", payload))
