"""Checks of `threadwise check`. Each finding has a part of the app, its state, and advice if it fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pydantic import SecretStr
from rich.console import Console
from rich.table import Table

from app.agent.claude.client import Claude
from app.agent.claude.prices import compute_cost
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.clock import SystemClock
from app.core.conversation.usage import Usage
from app.core.errors import ModelFailed, SettingsError, ThreadwiseError
from app.runtime.external_tools import check_policy
from app.settings import Settings
from app.wiring import connect_store, find_caution, open_slack
from handlers.inbound import listen
from handlers.slack.manifest import SCOPES
from store.crypto.cipher import MasterKeys
from store.crypto.erasure_secrets import ErasureSecrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One row of the table. `advice` says what to do, or names a limitation. It may be empty."""

    subject: str
    present: bool
    works: bool
    advice: str = ""


class _Failed(Exception):
    """Failure of a check, with advice."""


async def examine(settings: Settings, *, http: bool) -> list[Finding]:
    """Run all checks. They post nothing in Slack and ask the model nothing, but create the database's collections."""
    door = (
        ("Signing secret", settings.slack_signing_secret, "SLACK_SIGNING_SECRET", _skip_attempt)
        if http
        else ("App token", settings.slack_app_token, "SLACK_APP_TOKEN", _try_app_token)
    )
    rows: list[tuple[str, SecretStr, str, Callable[[Settings], Awaitable[None]]]] = [
        ("Bot token and scopes", settings.slack_bot_token, "SLACK_BOT_TOKEN", _try_bot_token),
        door,
        ("Model", settings.anthropic_api_key, "ANTHROPIC_API_KEY", _try_model),
        ("Master key", settings.master_key, "THREADWISE_MASTER_KEY", _try_key),
    ]
    findings = [await _examine(subject, secret, name, attempt, settings) for subject, secret, name, attempt in rows]
    own = [_examine_policy(settings), *_examine_price(settings), _examine_secrets(settings)]
    return [*findings, *own, await _examine_store(settings)]


def show(findings: list[Finding], console: Console | None = None) -> None:
    """Print the table for people."""
    table = Table("", "present", "works", "what to do", title="Threadwise")
    for finding in findings:
        table.add_row(finding.subject, _render_mark(finding.present), _render_mark(finding.works), finding.advice)
    (console or Console()).print(table)


def _render_mark(good: bool) -> str:
    return "[green]yes[/]" if good else "[red]no[/]"


async def _examine(
    subject: str, secret: SecretStr, name: str, attempt: Callable[[Settings], Awaitable[None]], settings: Settings
) -> Finding:
    if not secret.get_secret_value():
        return Finding(subject=subject, present=False, works=False, advice=f"Set {name}; docs/installation.md says where it is.")
    try:
        await attempt(settings)
    except (_Failed, SettingsError) as failure:
        return Finding(subject=subject, present=True, works=False, advice=str(failure))
    return Finding(subject=subject, present=True, works=True)


def _examine_policy(settings: Settings) -> Finding:
    try:
        check_policy(settings.policy, EXTERNAL_TOOLS)
    except SettingsError as error:
        return Finding(subject="Tool policy", present=True, works=False, advice=str(error))
    return Finding(subject="Tool policy", present=True, works=True)


def _examine_price(settings: Settings) -> tuple[Finding, ...]:
    """Warn if a budget in dollars cannot be enforced; usage still counts in tokens."""
    is_budgeted = settings.dollars_per_day or settings.person_dollars_per_day
    if not is_budgeted or compute_cost(settings.model, Usage(input_tokens=1)):
        return ()
    advice = (
        f"The price of {settings.model} is not known: budgets in dollars do not hold for it, those in tokens do. "
        "Set THREADWISE_WORKSPACE_TOKENS_PER_DAY to what a day may cost."
    )
    return (Finding(subject="Budget in dollars", present=True, works=True, advice=advice),)


def _examine_secrets(settings: Settings) -> Finding:
    secrets = ErasureSecrets(settings.secrets_folder, settings.database)
    present, advice = secrets.path.is_dir(), ""
    try:
        secrets.prepare()
        if loose := secrets.loose():
            advice = f"Others may read {loose} of its files: `chmod -R go= {secrets.path}`."
    except SettingsError as error:
        advice = str(error)
    return Finding(subject="Erasure secrets", present=present or not advice, works=not advice, advice=advice)


async def _examine_store(settings: Settings) -> Finding:
    subject = "MongoDB" if settings.mongodb_uri.get_secret_value() else "MongoDB (embedded)"
    key = settings.master_key if settings.master_key.get_secret_value() else SecretStr(MasterKeys.generate())
    try:
        async with connect_store(settings.model_copy(update={"master_key": key}), SystemClock()) as store:
            known = (find_caution(settings), _describe_missing(store.missing_rights))
            return Finding(subject=subject, present=True, works=True, advice=" ".join(filter(None, known)))
    except ThreadwiseError as error:
        return Finding(subject=subject, present=True, works=False, advice=str(error))


def _describe_missing(missing: tuple[str, ...]) -> str:
    if not missing:
        return ""
    rights = ", ".join(missing)
    return f"Works now. A newer version may need {rights}: docs/operations.md has the role with all rights."


async def _skip_attempt(_: Settings) -> None:
    """Do nothing. Slack's first request is the only proof of a signing secret."""


async def _try_bot_token(settings: Settings) -> None:
    async with open_slack(settings) as (_, identity):
        missing = sorted(set(SCOPES) - identity.scopes)
        if missing and identity.scopes:
            raise _Failed(f"Add {', '.join(missing)} (manifest.yml has them all) and install the app again.")


async def _try_app_token(settings: Settings) -> None:
    await listen.prove_app_token(settings.slack_app_token.get_secret_value(), settings.slack_api_url)


async def _try_model(settings: Settings) -> None:
    claude = Claude(settings.anthropic_api_key, settings.anthropic_base_url, settings.idle_seconds)
    try:
        await claude.check(settings.model)
    except ModelFailed as failure:
        raise _Failed(f"{settings.model} cannot be asked ({failure.kind.value}): {failure.told}") from failure
    finally:
        await claude.close()


async def _try_key(settings: Settings) -> None:
    MasterKeys.parse(settings.master_key.get_secret_value())
