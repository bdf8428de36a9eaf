"""What leaves our process: nothing of its memory, and of its environment what is listed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from app.processes import build_environment

DUMPS = """
import ctypes, resource, sys
from app.__main__ import main
resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE)[1:] * 2)
sys.argv = ["threadwise", "--help"]
try:
    main()
except SystemExit:
    print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3))
"""
"""Runs a command; then says the limits of core files, and whether the process is dumpable (PR_GET_DUMPABLE)."""


@pytest.mark.req("SE-10")
def test_a_command_leaves_no_core_dump_of_itself_or_of_its_children_and_cannot_be_read_by_others() -> None:
    printed = subprocess.run([sys.executable, "-c", DUMPS], check=True, capture_output=True, text=True).stdout
    limits, dumpable = printed.splitlines()[-1].rsplit(" ", 1)
    assert limits == "(0, 0)"
    assert dumpable == ("0" if sys.platform == "linux" else dumpable)


@pytest.mark.req("SE-10")
def test_a_child_is_given_what_it_needs_and_nothing_that_nobody_has_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "PATH": "/bin",
        "HOME": "/srv/maya",
        "LC_TIME": "C",
        "TZ": "UTC",
        "TMPDIR": "/var/tmp",
        "SLACK_BOT_TOKEN": "xoxb-1",
        "SOME_SECRET_OF_TOMORROW": "hidden",
        "HTTPS_PROXY": "http://user:password@proxy",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    environment = build_environment()
    assert environment.items() >= {name: given[name] for name in ("PATH", "HOME", "LC_TIME", "TZ", "TMPDIR")}.items()
    assert not {"SLACK_BOT_TOKEN", "SOME_SECRET_OF_TOMORROW", "HTTPS_PROXY"} & environment.keys()
