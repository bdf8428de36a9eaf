"""All settings, read once by the top of the program; all other modules get plain values.

The table in docs/settings.md lists each; a test compares the two.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from dotenv import dotenv_values
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.core.errors import SettingsError
from app.core.owners import Owners
from app.core.state.permission import ANY, Policy
from app.core.text.addresses import DOMAIN

PREFIX = "THREADWISE_"
ENV_FILE = ".env"
FILE = "_FILE"
"""`NAME_FILE` names a file that contains the secret `NAME`."""
_TOOL = re.compile(r"[A-Za-z0-9_-]{1,128}")
"""Names that the Anthropic API accepts for a tool."""


def _read_pairs(listed: str) -> tuple[tuple[str, str], ...]:
    """Read `tool, tool:scope, …`; without a scope any is meant. Raises `ValueError`."""
    return tuple(map(_read_pair, listed.split(","))) if listed.strip() else ()


def _read_pair(named: str) -> tuple[str, str]:
    tool, colon, scope = (part.strip() for part in named.partition(":"))
    if tool != ANY and not _TOOL.fullmatch(tool):
        raise ValueError(f"{tool!r} is no name of a tool")
    if colon and not scope:
        raise ValueError(f"{tool!r} has a colon but no scope behind it")
    return tool, scope or ANY


def _check_tools(listed: str) -> str:
    _read_pairs(listed)
    return listed


Tools = Annotated[str, AfterValidator(_check_tools)]


def list_domains(listed: str) -> tuple[str, ...]:
    """Read `example.org, docs.example.com, …`. Raises `ValueError`."""
    domains = tuple(part.strip().lower() for part in listed.split(",")) if listed.strip() else ()
    if strange := [domain for domain in domains if not DOMAIN.fullmatch(domain)]:
        raise ValueError(f"{strange[0]!r} is no domain such as example.org, without scheme, path or star")
    return domains


def _check_domains(listed: str) -> str:
    list_domains(listed)
    return listed


Domains = Annotated[str, AfterValidator(_check_domains)]

_DATABASE = re.compile(rb'[^\0/\\. "$]{1,63}')
_TAKEN = frozenset({"admin", "config", "local"})
"""MongoDB's own databases."""


def _check_database(name: str) -> str:
    if not _DATABASE.fullmatch(name.encode()) or name in _TAKEN:
        raise ValueError(f"{name!r} is no name for a database; take letters, digits, - and _, 63 at most")
    return name


DatabaseName = Annotated[str, AfterValidator(_check_database)]


def _check_folder(named: str) -> str:
    try:
        is_full = Path(named).expanduser().is_absolute()
    except RuntimeError:
        raise ValueError(f"{named!r} begins with the name of nobody here; write the folder in full") from None
    if named and not is_full:
        meant = Path(named).absolute()
        raise ValueError(f"{named!r} is another folder wherever a command is run; write it in full, such as {meant}")
    return named


Folder = Annotated[str, AfterValidator(_check_folder)]
"""A folder that has to be the same one for every command."""
STRANGE: Final = "it has a blank, a line break or another character that cannot be in it; copy it again, in one piece"


def _check_secret(given: SecretStr) -> SecretStr:
    secret = given.get_secret_value().strip()
    if not secret.isprintable():
        raise ValueError(STRANGE)
    return SecretStr(secret)


def _check_token(given: SecretStr) -> SecretStr:
    token = given.get_secret_value()
    if not token.isascii() or " " in token:
        raise ValueError(STRANGE)
    return given


Secret = Annotated[SecretStr, AfterValidator(_check_secret)]
"""A secret in one line, such as an address with a password of any words."""
Token = Annotated[Secret, AfterValidator(_check_token)]
"""A secret that is sent as it is, in a header."""
_ADDRESS = re.compile(r"https?://[^/\s]+(/\S*)?")


def _check_address(address: str) -> str:
    if not _ADDRESS.fullmatch(address):
        raise ValueError(f"{address!r} is no address that begins with https:// (or http://)")
    return address


Address = Annotated[str, AfterValidator(_check_address)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Days = Annotated[int, Field(ge=0, le=36_500)]
LogLevel = Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(str.lower)]


class Settings(BaseSettings):
    """What can be set, from the environment or a `.env` file. Tokens and keys are `SecretStr`: they print as stars."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE, env_prefix=PREFIX, frozen=True, extra="ignore", allow_inf_nan=False
    )

    slack_bot_token: Token = Field(SecretStr(""), validation_alias="SLACK_BOT_TOKEN")
    """Bot token (`xoxb-…`)."""
    slack_app_token: Token = Field(SecretStr(""), validation_alias="SLACK_APP_TOKEN")
    """App-level token (`xapp-…`) for Socket Mode."""
    slack_signing_secret: Token = Field(SecretStr(""), validation_alias="SLACK_SIGNING_SECRET")
    """Signing secret, for `--http` alone."""
    slack_api_url: Address = Field("https://slack.com/api/", validation_alias="SLACK_API_URL")
    """Address of Slack's Web API."""
    anthropic_api_key: Token = Field(SecretStr(""), validation_alias="ANTHROPIC_API_KEY")
    """Key of the Anthropic API."""
    anthropic_base_url: Address = Field("https://api.anthropic.com", validation_alias="ANTHROPIC_BASE_URL")
    """Address of the Anthropic API."""
    mongodb_uri: Secret = Field(SecretStr(""), validation_alias="MONGODB_URI")
    """MongoDB (a replica set). Empty: an embedded one under the data directory."""
    master_key: SecretStr = SecretStr("")
    """32 bytes in base64 that protect all content; several, separated by commas, while a key is being replaced."""
    database: DatabaseName = "threadwise"
    """Name of the database."""
    data_dir: Annotated[Path, BeforeValidator(_check_folder)] = Path("~/.local/share/threadwise")
    """Folder of the embedded MongoDB's files."""
    embedded: bool = True
    """False: refuse to run on the embedded MongoDB, which is past its end of life."""
    secrets_dir: Folder = ""
    """Folder of the erasure secrets, for all processes.

    Empty: beside the data directory, so that no copy of that directory contains them.
    """
    secret_copies_days: Days = 7
    """Days that copies of that folder are kept. People are told that erased content is gone from backups then."""
    model: str = "claude-sonnet-5-5"
    """The model that answers."""
    max_tokens: int = Field(8_000, ge=256, le=128_000)
    """Longest answer, in tokens."""
    context_tokens: int | None = Field(None, ge=2_000, le=900_000)
    """Tokens of a request: prompt, tools and thread. What is older is left out: results of tools first.

    Messages are summarized by the model. Empty: 100,000 for the models that are known, 32,000 for others.
    """
    autonomous_loop: bool = Field(False, validation_alias="AUTONOMOUS_LOOP")
    """False: an answer stops after each round of tools, and *Continue* goes on; `.env.example` says True.

    Runs of a schedule go on in either case, because nobody is there to press it.
    """
    discussion_turns: int = Field(25, ge=1, le=1_000)
    """Answers after which the talk in a step of a decision ends in a summary; *Keep talking* adds ten."""
    long_discussion_turns: int = Field(40, ge=1, le=1_000)
    """The same for Objectives, Consequences and Decision quality, where there is more to talk about."""
    extraction_tokens: int = Field(4_000, ge=256, le=128_000)
    """Longest result of a decision's step, in tokens; a wide table gets more by itself."""
    request_seconds: Seconds = 600.0
    """Longest time of one request to the model; an answer may make many, and has no limit of its own."""
    run_seconds: Seconds = 300.0
    """Longest time of one run of a schedule."""
    idle_seconds: Seconds = 60.0
    """Time without data from the model, within its words, after which a request is given up."""
    silent_seconds: Seconds = 180.0
    """The same while it thinks or writes a call, of which it sends little or nothing."""
    messages_per_minute: int = Field(20, ge=0)
    """Messages that one person may send; 0 is no limit, here and below."""
    workspace_messages_per_minute: int = Field(200, ge=0)
    """Messages that all people together may send."""
    answers_per_minute: int = Field(15, ge=0)
    """Answers that one person may begin."""
    workspace_answers_per_minute: int = Field(60, ge=0)
    """Answers that all people together may begin."""
    answers_at_once: int = Field(5, ge=0)
    """Answers that may be given to one person at the same time."""
    workspace_answers_at_once: int = Field(30, ge=0)
    """Answers that may be given at the same time in all."""
    tokens_per_day: int = Field(2_000_000, ge=0)
    """Tokens that one person may use a day (UTC)."""
    workspace_tokens_per_day: int = Field(20_000_000, ge=0)
    """Tokens that all people together may use a day (UTC)."""
    dollars_per_day: float = Field(50.0, ge=0)
    """Highest cost of all answers of a day (UTC), as far as their price is known."""
    person_dollars_per_day: float = Field(0.0, ge=0)
    """Highest cost of one person's answers a day (UTC), as far as their price is known."""
    creations_per_hour: int = Field(20, ge=0)
    """Conversations (in windows), channels, files and schedules that one person may create, each; 0 is no limit."""
    invitations_per_hour: int = Field(100, ge=0)
    """People whom one person may have invited to channels; 0 is no limit."""
    searches_per_minute: int = Field(60, ge=0)
    """Letters that one person may type into lists that search; 0 is no limit."""
    file_megabytes: int = Field(20, ge=1, le=100)
    """Largest file that is read."""
    file_pages: int = Field(100, ge=1, le=600)
    """Pages of a PDF that is read."""
    files_per_message: int = Field(10, ge=1, le=50)
    """Files of one message that are read."""
    file_seconds: Seconds = 30.0
    """Longest time of reading one file."""
    file_memory_megabytes: int = Field(768, ge=256)
    """Memory of the process that reads one file; two are read at the same time."""
    owners: Owners = Owners.MEMBERS
    """People who may own a conversation: members, guests (also the workspace's) or anyone (also other companies')."""
    allowed_tools: Tools = ""
    """Tools that everyone's answers may use without asking: `tool` or `tool:scope`, separated by commas; `*` is any."""
    denied_tools: Tools = ""
    """Tools that nobody's answers may use, written in the same way; it prevails over every permission."""
    rule_days: int = Field(90, ge=1, le=3_650)
    """Days without use after which *Always allow* ends and the owner is asked again."""
    rule_writes_per_hour: int = Field(10, ge=1)
    """Writes an hour that one *Always allow* covers; the next one is asked about."""
    mcp_config: str = ""
    """File of tool servers (MCP) whose tools Claude may use: docs/mcp.md. Empty: none."""
    web_search: bool = False
    """Whether Claude may search the web, once the owner agrees to the query."""
    web_uses: int = Field(5, ge=1, le=20)
    """Searches of one request for a search, and pages that it may open; a paused request is continued twice at most."""
    web_domains: Domains = ""
    """The only domains that are searched, separated by commas, each with those below it. Empty: all."""
    web_denied_domains: Domains = ""
    """Domains that are not searched, written in the same way; only one of both can be set."""
    lease_seconds: Seconds = 6.0
    """Time for which a process that died keeps others from its threads."""
    heartbeat_seconds: Seconds = 1.5
    """Interval of renewing a lease."""
    write_seconds: Seconds = 4.0
    """Longest time of one call to Slack; with the heartbeat, less than the lease."""
    poll_seconds: Seconds = 1.0
    """Interval of polling the inbox if no change notification arrives."""
    drain_seconds: float = Field(25.0, ge=0, le=86_400)
    """Time for which answers may continue when the program is told to stop.

    Then they are left to the next process, which continues them within ten minutes. Those that cannot continue are
    marked as interrupted.
    """
    look_seconds: Seconds = 5.0
    """Interval of checking for due schedules and idle goals."""
    idle_minutes: int = Field(10, ge=1, le=1_000_000)
    """Minutes of the owner's silence after which a thread's goal counts as left; the next message resumes it."""
    most_questions: int = Field(3, ge=0)
    """Answers that may ask something about a goal before a plan is made on assumptions."""
    archive_after_days: Days = 0
    """Days of silence after which a conversation without a schedule is archived; 0 for never."""
    erase_archived_after_days: Days = 0
    """Days after which a conversation that is archived from now on is erased; 0 for never."""
    audit_days: Days = Field(365, ge=1)
    """Days for which the audit log is kept."""
    http_host: str = "127.0.0.1"
    """Address that `run --http` listens on."""
    http_port: int = Field(3000, ge=0, le=65_535)
    """Port that `run --http` listens on; the path is `/slack/events`."""
    http_connections: int = Field(256, ge=1)
    """Connections to that port at the same time; at this number, the one that has waited longest is closed."""
    http_connections_per_address: int = Field(128, ge=1)
    """The same from one address; behind a proxy, all come from the proxy's."""
    watch_host: str = "127.0.0.1"
    """Address of the watch port."""
    watch_port: int = Field(0, ge=0, le=65_535)
    """Port of `/healthz`, `/readyz` and `/metrics`, which need no authentication; 0 is off."""
    log_level: LogLevel = "info"
    """debug, info, warning or error. No level logs people's words."""
    log_json: bool = True
    """Logs as JSON lines; else for people to read."""

    @model_validator(mode="before")
    @classmethod
    def _skip_empty(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Leave the default where a name is set to nothing, as it stands in a template that nobody has filled in."""
        return {name: value for name, value in given.items() if value != ""}

    @property
    def secrets_folder(self) -> Path:
        """Return the folder of the erasure secrets."""
        beside = self.data_dir.expanduser().absolute()
        return Path(self.secrets_dir).expanduser() if self.secrets_dir else beside.with_name(f"{beside.name}-secrets")

    @property
    def demo_folder(self) -> Path:
        """Return the folder of a demo that keeps its data, beside that of the embedded MongoDB."""
        beside = self.data_dir.expanduser().absolute()
        return beside.with_name(f"{beside.name}-demo")

    @property
    def hold_seconds(self) -> float:
        """Return the time for which an answer counts among those given at once: longer than any of its requests.

        An answer that started in time may still end. A place released too early would admit one too many.
        """
        return 2 * max(self.request_seconds, self.run_seconds)

    @property
    def policy(self) -> Policy:
        """Return the policy on tools for everyone in the workspace."""
        return Policy(denied=_read_pairs(self.denied_tools), allowed=_read_pairs(self.allowed_tools))

    @classmethod
    def read(cls) -> Self:
        """Read and check the settings. Raises `SettingsError` with one sentence that names the error."""
        given = _read_given()
        _refuse_unknown(set(given))
        try:
            settings = cls(**_read_files(given))  # pyright: ignore[reportArgumentType]  the rest is in the environment
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0])
            raise SettingsError(f"{name_variable(name)}: {first['msg'].removeprefix('Value error, ')}.") from None
        if settings.write_seconds + settings.heartbeat_seconds >= settings.lease_seconds:
            raise SettingsError(
                f"{PREFIX}WRITE_SECONDS and {PREFIX}HEARTBEAT_SECONDS must together be less than {PREFIX}LEASE_SECONDS."
            )
        if settings.web_domains.strip() and settings.web_denied_domains.strip():
            raise SettingsError(
                f"{PREFIX}WEB_DOMAINS and {PREFIX}WEB_DENIED_DOMAINS are both set: the API takes one of them."
            )
        return settings


def name_variable(field: str) -> str:
    """Return the environment variable of a field (or of its alias)."""
    known = Settings.model_fields.get(field)
    return str(known.validation_alias or f"{PREFIX}{field.upper()}") if known else field


def list_secret_names() -> dict[str, str]:
    """Return the environment variables of all secrets, each with the name that `Settings` gives its value."""
    secret = {name: field for name, field in Settings.model_fields.items() if field.annotation is SecretStr}
    return {name_variable(name): str(field.validation_alias or name) for name, field in secret.items()}


def read_environment() -> dict[str, str]:
    """Return the variables that a file of tool servers may name: none of our own secrets."""
    ours = {each for name in list_secret_names() for each in (name, name + FILE)}
    return {name: value for name, value in _read_given().items() if value is not None and name not in ours}


def _read_given() -> Mapping[str, str | None]:
    """Return the file's variables and those of the environment, which come first. Raise `SettingsError`."""
    try:
        return {**dotenv_values(ENV_FILE), **os.environ}
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise SettingsError(f"{ENV_FILE} cannot be read: {reason}.") from error


def forget_secrets() -> None:
    """Remove the secrets from the environment after they are read, because a child process inherits it."""
    for name in list_secret_names():
        os.environ.pop(name, None)


def _read_files(given: Mapping[str, str | None]) -> dict[str, str]:
    """Read the secrets that are given by the name of a file. Raises `SettingsError`, which never quotes a file."""
    taken: dict[str, str] = {}
    for name, parameter in list_secret_names().items():
        if path := given.get(name + FILE):
            if given.get(name):
                raise SettingsError(f"{name} and {name}{FILE} are both set: keep one of them.")
            taken[parameter] = _read_secret(name + FILE, path)
    return taken


def _read_secret(name: str, path: str) -> str:
    try:
        secret = Path(path).expanduser().read_text("utf-8").strip()
    except OSError as error:
        raise SettingsError(f"{name}: the file cannot be read ({error.strerror}).") from None
    except RuntimeError:
        raise SettingsError(f"{name}: the file's name begins with the name of nobody here.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{name}: what is in the file is no text.") from None
    if not secret:
        raise SettingsError(f"{name}: the file is empty.")
    return secret


def _refuse_unknown(names: set[str]) -> None:
    known = {name_variable(field) for field in Settings.model_fields} | {name + FILE for name in list_secret_names()}
    unknown = sorted(name for name in names if name.startswith(PREFIX) and name not in known)
    if unknown:
        meant = {name: _find_like(name, known) for name in unknown}
        named = ", ".join(f"{name} (did you mean {like}?)" if like else name for name, like in meant.items())
        raise SettingsError(f"Unknown setting {named}. docs/settings.md lists the settings there are.")


def _find_like(name: str, known: set[str]) -> str:
    """Return the setting that is most likely meant, which may have no prefix; empty if none is like it."""
    bare = name.removeprefix(PREFIX)
    return bare if bare in known else next(iter(get_close_matches(name, known, n=1, cutoff=0.75)), "")
