"""Wiring of the program. The only module that knows all parts: it makes, joins and closes them."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import structlog

from app.agent.attachments import Attachments, FileAllowance
from app.agent.claude.breaker import Breaker
from app.agent.claude.retry import RetryingModel
from app.agent.reply import TurnSettings
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.clock import SystemClock
from app.configuration import (
    build_file_reader,
    build_limits,
    build_web,
    find_context,
    offer_tools,
    require,
)
from app.core.errors import SecretsUnavailable, SettingsError, SlackRefused, SlackUnavailable, StoreUnavailable
from app.decision.playbook.playbook import load_proact
from app.files.file_limits import MEGABYTE
from app.http_server import Caps
from app.ports import Clock, EventIntake, FileSource, Model, Outlet, SlackAccess, ToolServers, Watch
from app.ports.servers import NO_SERVERS
from app.ports.store import Store
from app.runtime.intake import Wake, WakingIntake
from app.runtime.lease import LeaseTimes
from app.runtime.limits import Limits
from app.runtime.outside.external_tools import Outside, check_policy
from app.runtime.outside.rule_uses import RuleUses
from app.runtime.record.reader import DecisionReader, DiscussionTurns
from app.runtime.record.recorder import RecordWriter
from app.runtime.record.reports import Reports
from app.runtime.record.sayings import SayingsReader
from app.runtime.scheduler import Scheduler, SchedulerSettings
from app.runtime.turn_runner import Resources
from app.runtime.watch.backlog import Asked, Books
from app.runtime.watch.health import Ask, Readiness, report_ready
from app.runtime.watch.watching import WatchPort, run_watch
from app.runtime.worker import Worker, WorkerSettings
from app.settings import Settings, read_environment
from handlers.inbound import gate, listen
from handlers.inbound.listener_context import ListenerContext
from handlers.inbound.surfaces.on_home import HomeContent, HomePublisher
from handlers.outbound.channels import Channels
from handlers.outbound.outlet import SlackOutlet
from handlers.outbound.pacer import Pacer
from handlers.outbound.slack_access import SlackWebAccess
from handlers.outbound.slack_files import SlackFiles
from handlers.outbound.web import SlackCaller, SlackIdentity, SlackWeb
from handlers.views.windows.command_replies import AppPolicy
from store.crypto.cipher import MasterKeys
from store.crypto.erasure_secrets import ErasureSecrets
from store.crypto.wrapping import Wrapping
from store.database.embedded import run_mongod
from store.database.mongod import describe_limits
from store.open import MongoStore, is_leased, open_store, probe

log = structlog.get_logger(__name__)

NO_ANSWER = "MongoDB does not answer. Check MONGODB_URI (address, replicaSet) and that it runs."

GENERATION = 60.0
"""Seconds between two generations of the database. A restored copy that is younger than this goes unnoticed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """The application inside `run_app`. `port` receives Slack's HTTP requests; 0 in Socket Mode."""

    store: Store
    identity: SlackIdentity
    worker: Worker
    port: int


@asynccontextmanager
async def connect_store(
    settings: Settings, clock: Clock, gives_up: Callable[[int, int], bool] | None = None
) -> AsyncGenerator[MongoStore]:
    """Open the store over `MONGODB_URI`, or over the embedded MongoDB. What `gives_up` is asked: see `Wrapping`."""
    keys = MasterKeys.parse(settings.master_key.get_secret_value())
    wrapping = Wrapping(keys, ErasureSecrets(settings.secrets_folder, settings.database), gives_up)
    async with _find_database(settings) as uri:
        with explain_outage():
            store = await open_store(uri, settings.database, wrapping, clock, settings.audit_days)
        try:
            yield store
        finally:
            store.close()


async def try_database(settings: Settings) -> tuple[str, ...]:
    """Return the rights that the user lacks and a newer version may need. This needs no key, and changes nothing.

    Raise `SettingsError` if MongoDB does not answer, is no replica set, or lacks a necessary right.
    """
    async with _find_database(settings) as uri:
        with explain_outage():
            return await probe(uri, settings.database)


async def is_worked_on(settings: Settings) -> bool:
    """Return True if a process works on a conversation, or died while it did. Raise as `try_database` does."""
    async with _find_database(settings) as uri:
        with explain_outage():
            return await is_leased(uri, settings.database)


@asynccontextmanager
async def _find_database(settings: Settings) -> AsyncGenerator[str]:
    """Yield the address of MongoDB; the embedded one runs for the length of the block."""
    if uri := settings.mongodb_uri.get_secret_value():
        yield uri
    elif settings.embedded:
        async with run_mongod(settings.data_dir.expanduser()) as embedded:
            yield embedded
    else:
        raise SettingsError("THREADWISE_EMBEDDED is off and MONGODB_URI is not set: set it to your replica set.")


@contextmanager
def explain_outage(away: str = NO_ANSWER) -> Generator[None]:
    """Raise `SettingsError` for an outage: `away` for one of MongoDB; the secrets have a sentence of their own."""
    try:
        yield
    except SecretsUnavailable as error:
        raise SettingsError(str(error)) from error
    except StoreUnavailable as error:
        raise SettingsError(away) from error


def find_caution(settings: Settings) -> str:
    """Return a caution about the database, empty if there is none."""
    return "" if settings.mongodb_uri.get_secret_value() else describe_limits()


@asynccontextmanager
async def open_slack(settings: Settings) -> AsyncGenerator[tuple[SlackWeb, SlackIdentity]]:
    """Open the Web API and ask it for the app's identity. Raise `SettingsError`."""
    token = settings.slack_bot_token.get_secret_value()
    web = SlackWeb(token, settings.slack_api_url, settings.write_seconds)
    try:
        yield web, await _identify(web)
    finally:
        await web.close()


@asynccontextmanager
async def _open_proven(settings: Settings, *, http: bool) -> AsyncGenerator[tuple[SlackWeb, SlackIdentity]]:
    """Open Slack as `open_slack` does, but only with all tokens that it needs: before anything is worked on."""
    async with open_slack(settings) as opened:
        if not http:
            await listen.prove_app_token(settings.slack_app_token.get_secret_value(), settings.slack_api_url)
        yield opened


@asynccontextmanager
async def _open_claude(settings: Settings) -> AsyncGenerator[Model]:
    # Imported here, because the SDK takes longer to import than all else, and most commands ask no model.
    from app.agent.claude.client import Claude

    silences = settings.idle_seconds, settings.silent_seconds
    claude = Claude(settings.anthropic_api_key, settings.anthropic_base_url, *silences)
    try:
        yield claude
    finally:
        await claude.close()


@asynccontextmanager
async def open_servers(settings: Settings, clock: Clock, team: str) -> AsyncGenerator[ToolServers]:
    """Link a workspace's tool servers for the length of the block. Raise `SettingsError` if their file is wrong.

    An empty `team` stands for every workspace.
    """
    if not settings.mcp_config:
        yield NO_SERVERS
        return
    # Imported here, because the SDK takes long to import, and few programs have such servers.
    from app.mcp.server_file import read_servers
    from app.mcp.tool_servers import link_servers

    chosen = read_servers(Path(settings.mcp_config), read_environment(), team)
    async with link_servers(chosen, clock) as servers:
        yield servers


def find_server_names(settings: Settings) -> tuple[str, ...]:
    """Return the names of all tool servers; none if their file is wrong, which `open_servers` tells."""
    if not settings.mcp_config:
        return ()
    from app.mcp.server_file import read_names

    with suppress(SettingsError):
        return read_names(Path(settings.mcp_config))
    return ()


Opening = Callable[[Settings, Clock], AbstractAsyncContextManager[Store]]


@asynccontextmanager
async def run_app(settings: Settings, *, http: bool, opening: Opening = connect_store) -> AsyncGenerator[Application]:
    """Run the app for the length of the block. Raise `SettingsError` with one clear sentence if it cannot start.

    `opening` yields the store. At the end the app first stops receiving events, and then lets active turns end.
    """
    require(settings, http=http)
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        stack.enter_context(ErasureSecrets(settings.secrets_folder, settings.database).hold(alone=False))
        store = await stack.enter_async_context(_open_newest(opening(settings, clock)))
        web, identity = await stack.enter_async_context(_open_proven(settings, http=http))
        # The worker is bound late: it needs the intake, because its own work brings about events as well.
        shared = _share(settings, store, identity.team, clock, lambda thread, receipt: worker.wake(thread, receipt))
        watch, parts = await stack.enter_async_context(_run_watch(shared))
        claude = await stack.enter_async_context(_open_claude(settings))
        servers = await stack.enter_async_context(open_servers(settings, clock, identity.team))
        line = SlackCaller(web, Pacer(clock, identity.team, store.pacing), clock)
        homes = HomePublisher(line, identity.url, store.places, _build_shown(shared))
        outlet = SlackOutlet(line, identity.url, homes.publish)
        stack.push_async_callback(outlet.close)
        reach, source = SlackWebAccess(line, identity, outlet.profile_of), SlackFiles(line, identity)
        outside = _outside(shared, reach, servers, watch)
        model = Breaker(RetryingModel(claude, clock, settings.request_seconds), clock)
        worker = _worker(shared, _resources(shared, outlet, model, outside, source), watch)
        context = ListenerContext(
            line=line,
            us=identity,
            intake=shared.intake,
            conversations=store.conversations,
            permissions=store.permissions,
            places=store.places,
            files=store.files,
            profile_of=outlet.profile_of,
            open_home=homes.open,
            channels=Channels(line),
            rules=_build_rules(settings),
            servers=servers.list_servers,
            steps=shared.casebook,
            spans_of=shared.uses.spans,
            sees=reach.sees,
            report_of=Reports(store.versions, shared.casebook, outlet.profile_of, clock).of,
            course=load_proact().steps(),
            limits=shared.limits,
            tools=tuple(offer_tools(settings)),
        )
        app = gate.build_app(context, settings.slack_signing_secret.get_secret_value())
        stack.enter_context(parts.register("worker", await stack.enter_async_context(_run_worker(shared, worker))))
        if http:
            port = await stack.enter_async_context(listen.serve_http(app, _http_port(settings), clock))
            hears = report_ready
        else:
            token, port = settings.slack_app_token.get_secret_value(), 0
            hears = await stack.enter_async_context(listen.open_socket(app, token, clock))
        stack.enter_context(parts.register("slack", hears))
        yield Application(store=store, identity=identity, worker=worker, port=port)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """Parts that several others share. Each is made once, so that all share one memory of the ledger."""

    settings: Settings
    store: Store
    team: str
    clock: Clock
    intake: EventIntake
    casebook: DecisionReader
    limits: Limits
    uses: RuleUses


def _share(settings: Settings, store: Store, team: str, clock: Clock, wake: Wake) -> _Shared:
    return _Shared(
        settings=settings,
        store=store,
        team=team,
        clock=clock,
        intake=WakingIntake(store.inbox, wake),
        casebook=DecisionReader(
            store.versions,
            SayingsReader(store.conversations, store.files),
            load_proact(),
            clock,
            DiscussionTurns(usual=settings.discussion_turns, long=settings.long_discussion_turns),
        ),
        limits=Limits(store.limits, clock, build_limits(settings)),
        uses=RuleUses(
            ledger=store.limits, clock=clock, days=settings.rule_days, per_hour=settings.rule_writes_per_hour
        ),
    )


def _run_watch(shared: _Shared) -> AbstractAsyncContextManager[tuple[Watch, Readiness]]:
    settings, store, team = shared.settings, shared.store, shared.team

    async def books() -> Books:
        return Books(rules=await store.upkeep.rules(team), spent=await shared.limits.spent_today(team))

    asked = Asked(waits=partial(store.inbox.queue, team), books=books)
    return run_watch(WatchPort(settings.watch_host, settings.watch_port), asked, shared.clock, EXTERNAL_TOOLS)


def _http_port(settings: Settings) -> listen.HttpEndpoint:
    caps = Caps(in_all=settings.http_connections, by_address=settings.http_connections_per_address)
    secret = settings.slack_signing_secret.get_secret_value()
    return listen.HttpEndpoint(settings.http_host, settings.http_port, secret, caps)


def _outside(shared: _Shared, reach: SlackAccess, servers: ToolServers, watch: Watch) -> Outside:
    """Build the access of turns to everything outside of their threads."""
    return Outside(
        tools=offer_tools(shared.settings),
        reach=reach,
        conversations=shared.store.conversations,
        casebook=shared.casebook,
        permissions=shared.store.permissions,
        policy=check_policy(shared.settings.policy, EXTERNAL_TOOLS, find_server_names(shared.settings)),
        uses=shared.uses,
        clock=shared.clock,
        limits=shared.limits,
        watch=watch,
        servers=servers,
        web=build_web(shared.settings),
    )


def _resources(shared: _Shared, outlet: Outlet, model: Model, outside: Outside, source: FileSource) -> Resources:
    settings, store, clock = shared.settings, shared.store, shared.clock
    turn = TurnSettings(
        model=settings.model,
        account=sha256(settings.anthropic_api_key.get_secret_value().encode()).hexdigest(),
        max_tokens=settings.max_tokens,
        context_tokens=find_context(settings),
        extraction_tokens=settings.extraction_tokens,
        autonomous=settings.autonomous_loop,
        run_seconds=settings.run_seconds,
    )
    recorder = RecordWriter(
        intake=shared.intake,
        conversations=store.conversations,
        versions=store.versions,
        files=store.files,
        permissions=store.permissions,
        casebook=shared.casebook,
        outlet=outlet,
        clock=clock,
        copies_days=settings.secret_copies_days,
    )
    return Resources(
        model=model,
        outlet=outlet,
        conversations=store.conversations,
        limits=shared.limits,
        turn=turn,
        clock=clock,
        casebook=shared.casebook,
        recorder=recorder,
        outside=outside,
        files=Attachments(
            source=source,
            reader=build_file_reader(settings),
            files=store.files,
            limits=FileAllowance(bytes=settings.file_megabytes * MEGABYTE, files=settings.files_per_message),
        ),
        owners=settings.owners,
        erase_after_days=settings.erase_archived_after_days,
        idle_minutes=settings.idle_minutes,
        most_questions=settings.most_questions,
    )


def _build_shown(shared: _Shared) -> HomeContent:
    """Build the parts of the Home tab."""
    return HomeContent(
        conversations=shared.store.conversations,
        permissions=shared.store.permissions,
        policy=shared.settings.policy,
        spans_of=shared.uses.spans,
        used=shared.limits.tokens_today,
    )


def _build_rules(settings: Settings) -> AppPolicy:
    """Build the rules that people are shown as in force."""
    limits = build_limits(settings)
    return AppPolicy(
        model=settings.model,
        user=limits.user,
        workspace=limits.workspace,
        audit_days=settings.audit_days,
        copies_days=settings.secret_copies_days,
        policy=settings.policy,
        owners=settings.owners,
    )


def _worker(shared: _Shared, resources: Resources, watch: Watch) -> Worker:
    settings = shared.settings
    times = LeaseTimes(
        lease=settings.lease_seconds, heartbeat=settings.heartbeat_seconds, margin=settings.write_seconds
    )
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    pace = WorkerSettings(
        team=shared.team, name=name, lease=times, poll=settings.poll_seconds, drain=settings.drain_seconds
    )
    return Worker(shared.store.inbox, resources, shared.clock, pace, watch)


@asynccontextmanager
async def _run_worker(shared: _Shared, worker: Worker) -> AsyncGenerator[Ask]:
    """Run the worker for the length of the block, then let its active turns end."""
    settings, store, clock = shared.settings, shared.store, shared.clock
    looks = SchedulerSettings(
        team=shared.team,
        idle_minutes=settings.idle_minutes,
        look=settings.look_seconds,
        archive_after_days=settings.archive_after_days,
    )
    calendar = Scheduler(shared.intake, store.conversations, clock, looks)
    news, ages = store.signals.listen(shared.team, worker.wake), _age_store(store, worker, clock)
    async with _run_beside(news), _run_beside(worker.run()) as runs, _run_beside(calendar.run()), _run_beside(ages):
        try:
            yield runs
        finally:
            await worker.drain()


@asynccontextmanager
async def _open_newest(opening: AbstractAsyncContextManager[Store]) -> AsyncGenerator[Store]:
    """Open the store for the length of the block; raise its generation at both ends.

    Raise `SettingsError` if an older copy of the database was restored.
    """
    async with opening as store:
        with explain_outage():
            await store.generation.advance()
        try:
            yield store
        finally:
            with suppress(StoreUnavailable, SettingsError):  # a copy made a moment ago may then pass as current
                await store.generation.advance()


async def _age_store(store: Store, worker: Worker, clock: Clock) -> None:
    """Raise the generation each minute. Stop all work if an older copy of the database was restored."""
    while True:
        await clock.sleep(GENERATION)
        try:
            await store.generation.advance()
        except StoreUnavailable as error:
            log.warning("generation_put_off", error=type(error).__name__)
        except SettingsError:
            log.error("database_put_back", reason="run_threadwise_restored")  # noqa: TRY400
            await worker.drain()
            return


@asynccontextmanager
async def _run_beside(work: Coroutine[Any, Any, None]) -> AsyncGenerator[Ask]:
    """Run a coroutine beside the block, and end it with the block. Yield a check that it is still running."""
    task = asyncio.ensure_future(work)

    async def runs() -> bool:
        return not task.done()

    try:
        yield runs
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _identify(web: SlackWeb) -> SlackIdentity:
    try:
        return await web.identify()
    except SlackRefused as error:
        raise SettingsError(f"Slack does not accept SLACK_BOT_TOKEN ({error.code}).") from error
    except SlackUnavailable as error:
        raise SettingsError("Slack cannot be reached. Check your network and SLACK_API_URL.") from error
