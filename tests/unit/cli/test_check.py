"""The table of `threadwise check`, as it stands in a terminal."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from rich.console import Console

from app.cli import check
from app.cli.check import Finding

PAGE = "docs/installation.md#3-create-an-app-level-token-for-socket-mode"


@pytest.mark.req("NC-08")
@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_link_of_a_line_is_whole_in_a_narrow_terminal(width: int) -> None:
    shown = StringIO()
    found = Finding(subject="App token", present=True, works=False, advice="That is a bot token.", page=PAGE)
    check.show([found], Console(file=shown, width=width))
    advice = "".join(line.split("│")[4].strip() for line in shown.getvalue().splitlines() if line.count("│") == 5)
    assert advice.endswith(PAGE)
    assert not re.search("…", shown.getvalue())


def test_a_path_with_brackets_stands_in_the_table_as_it_is() -> None:
    shown = StringIO()
    advice = "The folder /srv/[/old] must be for this program alone."
    found = Finding(subject="Server [a]", present=True, works=False, advice=advice)
    check.show([found], Console(file=shown, width=200))
    assert "/srv/[/old]" in shown.getvalue()
    assert "Server [a]" in shown.getvalue()
