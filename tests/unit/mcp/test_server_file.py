"""The operators' file: the form that other programs use, values from the environment, one clear sentence otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import SettingsError
from app.mcp.server_file import AddressServer, CommandServer, read_names, read_servers


def file(tmp_path: Path, servers: Any) -> Path:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


@pytest.mark.req("IN-09")
def test_commands_and_addresses_are_read_with_values_from_the_environment(tmp_path: Path) -> None:
    given = {
        "wiki": {"url": "https://wiki.example/mcp", "headers": {"Authorization": "Bearer ${WIKI}"}, "reads": ["find"]},
        "time": {"command": "mcp-server-time", "args": ["--local-timezone", "UTC"], "env": {"A": "${WIKI}!"}},
    }
    servers = read_servers(file(tmp_path, given), {"WIKI": "w1"})
    time, wiki = servers["time"], servers["wiki"]
    assert list(servers) == ["time", "wiki"]
    assert isinstance(time, CommandServer)
    assert isinstance(wiki, AddressServer)
    assert time.env["A"].get_secret_value() == "w1!"
    assert wiki.headers["Authorization"].get_secret_value() == "Bearer w1"
    assert wiki.reads == ("find",)
    assert "w1" not in repr(servers)


@pytest.mark.parametrize(
    ("servers", "says"),
    [
        ([], "needs an object"),
        ({"a": "b"}, "needs an object"),
        ({"A b": {"command": "x"}}, "no name of a server"),
        ({"a__b": {"command": "x"}}, "no name of a server"),
        ({"a": {}}, "either a command or a url"),
        ({"a": {"command": "x", "url": "https://x"}}, "either a command or a url"),
        ({"a": {"url": "ftp://x"}}, "a: url"),
        ({"a": {"command": "x", "tools": []}}, "a: tools"),
        ({"a": {"command": "x", "teams": []}}, "a: teams"),
        ({"a": {"command": "x", "teams": ["Acme"]}}, "a: teams"),
        ({"a": {"command": "x", "env": {"B": "${NOT_SET}"}}}, "needs NOT_SET"),
        ({f"a{number}": {"command": "x"} for number in range(21)}, "at most 20"),
    ],
)
@pytest.mark.req("IN-09")
def test_a_wrong_file_is_refused_with_one_sentence(tmp_path: Path, servers: Any, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        read_servers(file(tmp_path, servers), {})


@pytest.mark.req("IN-09")
def test_a_server_is_read_for_the_teams_that_it_names_alone_and_others_need_not_have_its_secrets(
    tmp_path: Path,
) -> None:
    given = {
        "all": {"command": "x"},
        "both": {"command": "x", "teams": ["T1", "T2"]},
        "other": {"url": "https://wiki.example/mcp", "headers": {"Key": "${OTHERS}"}, "teams": ["T2"]},
    }
    path = file(tmp_path, given)
    assert list(read_servers(path, {}, "T1")) == ["all", "both"]
    assert list(read_servers(path, {"OTHERS": "o"}, "T2")) == ["all", "both", "other"]
    assert list(read_servers(path, {}, "T3")) == ["all"]
    assert list(read_servers(path, {"OTHERS": "o"})) == ["all", "both", "other"]
    assert read_names(path) == ("all", "both", "other")


def test_a_missing_or_broken_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_servers(tmp_path / "none", {})
    (tmp_path / "broken").write_text("{")
    with pytest.raises(SettingsError, match="no JSON"):
        read_servers(tmp_path / "broken", {})


@pytest.mark.req("IN-10")
def test_a_value_of_the_file_is_never_quoted(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        read_servers(file(tmp_path, {"a": {"command": "x", "env": {"B": ["s3cret"]}}}), {})
    assert "s3cret" not in str(refused.value)
