"""Checks of `threadwise check`. Each finding has a part of the app, its state, and advice if it fails.

An error is reported once, at its cause: what cannot be tried because something else is wrong has no row.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from pydantic import SecretStr
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from app.agent.claude.client import Claude
from app.agent.claude.prices import compute_cost
from app.agent.claude.web_answer import build_search_request
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.cli.maintenance import Emptiness, find_emptiness
from app.clock import SystemClock
from app.configuration import build_web, describe_open_way, describe_swapped
from app.core.conversation.usage import Usage
from app.core.errors import FailureKind, ModelFailed, SettingsError, ThreadwiseError
from app.ports import ServerListing
from app.runtime.outside.external_tools import check_policy
from app.settings import Settings, list_domains
from app.wiring import (
    connect_store,
    find_caution,
    find_server_names,
    open_servers,
    open_slack,
    try_database,
)
from handlers.inbound import listen
from handlers.slack.manifest import describe_missing_scopes
from store.crypto.cipher import MasterKeys
from store.crypto.erasure_secrets import ErasureSecrets

INSTALL = "docs/installation.md#2-install-it"
APP_TOKEN, FILL_IN = "docs/installation.md#3-create-an-app-level-token", "docs/installation.md#4-fill-in-env"
HTTP = "docs/installation.md#over-http"
POLICY, BUDGET = "docs/tools.md#settings-of-a-workspace", "docs/settings.md"
NO_SEARCH = (
    "{model} refuses to search the web. Choose a model that can, let an administrator allow it in the Claude Console, "
    "or switch it off with THREADWISE_WEB_SEARCH=false."
)
UNSURE = " Whether {model} can search could not be found out."

NOT_HERE = "Not for this workspace ({team}): it serves the teams that the file names for it, and was not connected."

SERVERS, WEB = "docs/mcp.md", "docs/tools.md#searching-the-web"
SECRETS, RIGHTS = "docs/operations.md#backups-and-restore", "docs/operations.md#mongodb-with-minimal-rights"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One row of the table. `advice` says what to do, or names a limitation. It may be empty."""

    subject: str
    present: bool
    works: bool
    advice: str = ""
    page: str = ""
    """The paragraph of the documentation about this part."""


class _Failed(Exception):
    """Failure of a check, with advice."""


@dataclass(frozen=True, slots=True)
class _Secret:
    """A secret, the setting that has it, and how it is tried."""

    subject: str
    value: SecretStr
    name: str
    attempt: Callable[[Settings], Awaitable[None]]
    page: str


async def examine(settings: Settings, *, http: bool) -> list[Finding]:
    """Run all checks. They post nothing in Slack and ask the model nothing, but create the database's collections."""
    signing, app_token = settings.slack_signing_secret, settings.slack_app_token
    receiver = (
        _Secret("Signing secret", signing, "SLACK_SIGNING_SECRET", _skip_attempt, HTTP)
        if http
        else _Secret("App token", app_token, "SLACK_APP_TOKEN", _try_app_token, APP_TOKEN)
    )
    secrets = [
        _Secret("Bot token and scopes", settings.slack_bot_token, "SLACK_BOT_TOKEN", _try_bot_token, INSTALL),
        receiver,
        _Secret("Model", settings.anthropic_api_key, "ANTHROPIC_API_KEY", _try_model, FILL_IN),
        _Secret("Master key", settings.master_key, "THREADWISE_MASTER_KEY", _try_key, FILL_IN),
    ]
    findings = [await _examine(secret, settings) for secret in secrets]
    kept = _examine_secrets(settings)
    can_open = findings[-1].works and kept.works
    own = [
        _examine_policy(settings),
        *_examine_price(settings),
        await _examine_web(settings, can_ask=findings[2].works),
        kept,
    ]
    return [*findings, *own, *await _examine_servers(settings), *await _examine_store(settings, can_open=can_open)]


def show(findings: list[Finding], console: Console | None = None) -> None:
    """Print the table for people. What does not work names the page that helps."""
    advised = Column("what to do", overflow="fold")  # the end of a long link is what it leads to
    table = Table("", "present", "works", advised, title="Threadwise")
    for finding in findings:
        advice = f"{finding.advice} See {finding.page}" if finding.page and not finding.works else finding.advice
        marks = _render_mark(finding.present), _render_mark(finding.works)
        table.add_row(escape(finding.subject), *marks, escape(advice))
    (console or Console()).print(table)


def _render_mark(good: bool) -> str:
    return "[green]yes[/]" if good else "[red]no[/]"


async def _examine(secret: _Secret, settings: Settings) -> Finding:
    value, page = secret.value.get_secret_value(), secret.page
    if not value:
        return Finding(subject=secret.subject, present=False, works=False, advice=f"Set {secret.name}.", page=page)
    try:
        if swapped := describe_swapped(secret.name, value):
            raise _Failed(swapped)
        await secret.attempt(settings)
    except (_Failed, SettingsError) as failure:
        return Finding(subject=secret.subject, present=True, works=False, advice=str(failure), page=page)
    caution = describe_open_way(settings, secret.name)
    return Finding(subject=secret.subject, present=True, works=True, advice=caution, page=page)


async def _examine_servers(settings: Settings) -> list[Finding]:
    """Connect to each tool server of the workspace, and tell which tools are asked about. No tool is called."""
    team = await _find_team(settings)
    try:
        async with open_servers(settings, SystemClock(), team) as servers:
            listings = servers.list_servers()
    except SettingsError as error:
        return [Finding(subject="Tool servers", present=True, works=False, advice=str(error), page=SERVERS)]
    away = set(find_server_names(settings)) - {each.server for each in listings}
    others = [
        Finding(subject=f"Server {name}", present=True, works=True, advice=NOT_HERE.format(team=team))
        for name in sorted(away)
    ]
    return [*map(_describe_server, listings), *others]


async def _find_team(settings: Settings) -> str:
    """Return Slack's id of the workspace; empty if the bot token does not work or there are no tool servers."""
    if settings.mcp_config:
        with suppress(SettingsError):
            async with open_slack(settings) as (_, identity):
                return identity.team
    return ""


def _describe_server(listing: ServerListing) -> Finding:
    asked = ", ".join(tool.name for tool in listing.tools if not tool.reads)
    reads = ", ".join(tool.name for tool in listing.tools if tool.reads)
    told = (
        f"It cannot be used: {listing.fault}." if listing.fault else "",
        f"Asked about: {asked}." if asked else "",
        f"Without asking: {reads}." if reads else "",
        f"Declared as reading, and not there: {', '.join(listing.unknown_reads)}." if listing.unknown_reads else "",
        f"Left out: {'; '.join(listing.left_out)}." if listing.left_out else "",
        "" if listing.tools or listing.fault else "It offers no tools.",
    )
    return Finding(
        subject=f"Server {listing.server}",
        present=True,
        works=not listing.fault,
        advice=" ".join(filter(None, told)),
        page=SERVERS,
    )


def _examine_policy(settings: Settings) -> Finding:
    try:
        check_policy(settings.policy, EXTERNAL_TOOLS, find_server_names(settings))
    except SettingsError as error:
        return Finding(subject="Tool policy", present=True, works=False, advice=str(error), page=POLICY)
    return Finding(subject="Tool policy", present=True, works=True, page=POLICY)


def _examine_price(settings: Settings) -> tuple[Finding, ...]:
    """Warn if a budget in dollars cannot be enforced; usage still counts in tokens."""
    is_budgeted = settings.dollars_per_day or settings.person_dollars_per_day
    if not is_budgeted or compute_cost(settings.model, Usage(input_tokens=1)):
        return ()
    advice = (
        f"The price of {settings.model} is not known: budgets in dollars do not hold for it, those in tokens do. "
        "Set THREADWISE_WORKSPACE_TOKENS_PER_DAY to what a day may cost."
    )
    return (Finding(subject="Budget in dollars", present=True, works=True, advice=advice, page=BUDGET),)


async def _examine_web(settings: Settings, *, can_ask: bool) -> Finding:
    """Tell whether the web is searched, and where, and ask whether the model can. That it is off is no error."""
    if not settings.web_search:
        advice = "Off. THREADWISE_WEB_SEARCH=true lets Claude search the web, once a person agrees to the query."
        return Finding(subject="Web search", present=False, works=True, advice=advice, page=WEB)
    only, never = list_domains(settings.web_domains), list_domains(settings.web_denied_domains)
    where = f"only {', '.join(only)}" if only else f"all but {', '.join(never)}" if never else "all domains"
    advice = (
        f"On: {where}, {settings.web_uses} searches at once. Each query leaves the company, and a person agrees to it."
    )
    try:
        unsure = await _try_web(settings) if can_ask else UNSURE.format(model=settings.model)
    except _Failed as failure:
        return Finding(subject="Web search", present=True, works=False, advice=str(failure), page=WEB)
    return Finding(subject="Web search", present=True, works=True, advice=f"{advice}{unsure}", page=WEB)


async def _try_web(settings: Settings) -> str:
    """Return what could not be found out. Raise `_Failed` if the model refuses the tools of the search."""
    claude = _open_model(settings)
    try:
        await claude.check_tools(settings.model, build_search_request(build_web(settings), ()).tools)
    except ModelFailed as failure:
        if failure.kind is FailureKind.INVALID:
            raise _Failed(NO_SEARCH.format(model=settings.model)) from failure
        return UNSURE.format(model=settings.model)
    finally:
        await claude.close()
    return ""


def _examine_secrets(settings: Settings) -> Finding:
    secrets = ErasureSecrets(settings.secrets_folder, settings.database)
    present, advice = secrets.path.is_dir(), ""
    try:
        secrets.prepare()
        secrets.prove_writable()
        if loose := secrets.loose():
            advice = f"Others may read {loose} of its files: `chmod -R go= {secrets.path}`."
    except SettingsError as error:
        advice = str(error)
    return Finding(
        subject="Erasure secrets", present=present or not advice, works=not advice, advice=advice, page=SECRETS
    )


async def _examine_store(settings: Settings, *, can_open: bool) -> list[Finding]:
    """Try the database, and whether the keys open what is in it. Without keys only the database is tried."""
    subject = "MongoDB" if settings.mongodb_uri.get_secret_value() else "MongoDB (embedded)"
    empty, unfit = None, ""
    try:
        if can_open:
            missing, empty, unfit = await _open_store(settings)
        else:
            missing = await try_database(settings)
    except ThreadwiseError as error:
        return [Finding(subject=subject, present=True, works=False, advice=str(error), page=RIGHTS)]
    if empty and empty.is_lost:
        unfit = empty.told
    new = empty.told if empty and not unfit else ""
    known = " ".join(filter(None, (find_caution(settings), new, _describe_missing(missing))))
    answered = Finding(subject=subject, present=True, works=True, advice=known, page=RIGHTS)
    if not unfit:
        return [answered]
    return [answered, Finding(subject="Keys and data", present=True, works=False, advice=unfit, page=SECRETS)]


async def _open_store(settings: Settings) -> tuple[tuple[str, ...], Emptiness | None, str]:
    """Return the rights that may be missing, whether there is no data, and why the keys do not open it."""
    try:
        async with connect_store(settings, SystemClock()) as store:
            return store.missing_rights, await find_emptiness(settings, store), ""
    except ThreadwiseError as error:
        return await try_database(settings), None, str(error)


def _describe_missing(missing: tuple[str, ...]) -> str:
    if not missing:
        return ""
    rights = ", ".join(missing)
    return f"Works now. A newer version may need {rights}: docs/operations.md has the role with all rights."


async def _skip_attempt(_: Settings) -> None:
    """Do nothing. Slack's first request is the only proof of a signing secret."""


async def _try_bot_token(settings: Settings) -> None:
    async with open_slack(settings) as (_, identity):
        if advice := describe_missing_scopes(identity.scopes):
            raise _Failed(advice)


async def _try_app_token(settings: Settings) -> None:
    await listen.prove_app_token(settings.slack_app_token.get_secret_value(), settings.slack_api_url)


def _open_model(settings: Settings) -> Claude:
    silences = settings.idle_seconds, settings.silent_seconds
    return Claude(settings.anthropic_api_key, settings.anthropic_base_url, *silences)


async def _try_model(settings: Settings) -> None:
    claude = _open_model(settings)
    try:
        await claude.check(settings.model)
    except ModelFailed as failure:
        state = "is busy" if failure.kind is FailureKind.BUSY else "cannot be asked"
        raise _Failed(f"{settings.model} {state}: {failure.told}") from failure
    finally:
        await claude.close()


async def _try_key(settings: Settings) -> None:
    MasterKeys.parse(settings.master_key.get_secret_value())
