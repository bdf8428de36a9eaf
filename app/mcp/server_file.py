"""The operators' file of tool servers: JSON with `mcpServers`, in the form that other programs use, too.

A server is a command (`command`, `args`, `env`) or an address (`url`, `headers`). `reads` names its tools that change
nothing, and `teams` the workspaces that it serves. `${NAME}` in `env` and `headers` stands for a variable of the
environment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, ValidationError

from app.core.errors import SettingsError

SETTING = "THREADWISE_MCP_CONFIG"
MOST_SERVERS = 20
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9]))*")
_LONGEST_NAME = 30
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


_Team = Annotated[str, StringConstraints(pattern=r"^[TE][A-Z0-9]+$")]


class _Server(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    reads: tuple[str, ...] = ()
    """Tools that change nothing: they are used without asking."""
    teams: tuple[_Team, ...] = Field(default=(), min_length=1)
    """Slack's ids of the workspaces that it serves; all, if the file names none."""

    def serves(self, team: str) -> bool:
        """Return True if the server is for this workspace."""
        return not self.teams or team in self.teams


class CommandServer(_Server):
    """A server that is started as a child process and spoken to over its input and output."""

    type: Literal["stdio"] = "stdio"
    command: str = Field(min_length=1)
    args: tuple[str, ...] = ()
    env: dict[str, SecretStr] = {}


class AddressServer(_Server):
    """A server that is reached over streamable HTTP."""

    type: Literal["http", "streamable-http"] = "http"
    url: str = Field(pattern=r"^https?://[^\s@]+$")
    headers: dict[str, SecretStr] = {}


Server = CommandServer | AddressServer
Servers = Mapping[str, Server]


def read_servers(path: Path, environment: Mapping[str, str], team: str = "") -> Servers:
    """Return the servers of a file by name, for one workspace or all. Raise `SettingsError`, which quotes no value.

    Variables of servers for other workspaces are not looked up: this process need not have their secrets.
    """
    servers = _read_file(path).items()
    return {name: _fill_in_all(name, each, environment) for name, each in servers if not team or each.serves(team)}


def read_names(path: Path) -> tuple[str, ...]:
    """Return the names of all servers of a file. Raise `SettingsError`, which quotes no value of the file."""
    return tuple(_read_file(path))


def _read_file(path: Path) -> Servers:
    try:
        given = json.loads(path.expanduser().read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{SETTING}: the file cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"{SETTING}: the file is no JSON.") from None
    named: Any = given.get("mcpServers") if isinstance(given, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(named, dict) or not all(isinstance(each, dict) for each in named.values()):  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        raise SettingsError(f'{SETTING}: the file needs an object "mcpServers" with one object for each server.')
    known = cast("dict[str, dict[str, Any]]", named)
    if len(known) > MOST_SERVERS:
        raise SettingsError(f"{SETTING}: there are {len(known)} servers, and at most {MOST_SERVERS} are taken.")
    return {name: _read_server(name, known[name]) for name in sorted(known)}


def _read_server(name: str, given: Mapping[str, Any]) -> Server:
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise SettingsError(
            f"{SETTING}: {name!r} is no name of a server. Small letters, digits and single hyphens, at most "
            f"{_LONGEST_NAME}."
        )
    if ("command" in given) == ("url" in given):
        raise SettingsError(f"{SETTING}: {name} needs either a command or a url.")
    shape = CommandServer if "command" in given else AddressServer
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise SettingsError(f"{SETTING}: {name}: {place}: {first['msg']}.") from None


def _fill_in_all(name: str, server: Server, environment: Mapping[str, str]) -> Server:
    values = server.env if isinstance(server, CommandServer) else server.headers
    filled = {each: SecretStr(_fill_in(name, value, environment)) for each, value in values.items()}
    return server.model_copy(update={"env" if isinstance(server, CommandServer) else "headers": filled})


def _fill_in(server: str, value: SecretStr, environment: Mapping[str, str]) -> str:
    def find(found: re.Match[str]) -> str:
        if found[1] not in environment:
            raise SettingsError(f"{SETTING}: {server} needs {found[1]}, which is not set, or is a secret of our own.")
        return environment[found[1]]

    return _VARIABLE.sub(find, value.get_secret_value())
