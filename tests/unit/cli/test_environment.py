"""The `.env` of a new installation."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.environment import prepare
from app.core.errors import SettingsError
from store.crypto.cipher import MasterKeys

SHIPPED = Path(__file__).parents[3] / ".env.example"
LEFT = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "ANTHROPIC_API_KEY")


def clone(folder: Path) -> Path:
    (folder / ".env.example").write_text(SHIPPED.read_text("utf-8"), "utf-8")
    return folder


@pytest.mark.req("NC-02")
def test_a_new_installation_gets_a_master_key_that_only_its_owner_can_read(tmp_path: Path) -> None:
    assert prepare(clone(tmp_path)) == (True, LEFT)
    written = tmp_path / ".env"
    assert written.stat().st_mode & 0o777 == 0o600
    key = next(line for line in written.read_text("utf-8").splitlines() if line.startswith("THREADWISE_MASTER_KEY="))
    MasterKeys.parse(key.partition("=")[2])


@pytest.mark.req("NC-02")
def test_what_is_filled_in_already_stays_as_it_is_and_what_is_left_is_named(tmp_path: Path) -> None:
    (clone(tmp_path) / ".env").write_text("SLACK_BOT_TOKEN=xoxb-1\nSLACK_APP_TOKEN=\n", "utf-8")
    assert prepare(tmp_path) == (False, ("SLACK_APP_TOKEN",))
    assert (tmp_path / ".env").read_text("utf-8") == "SLACK_BOT_TOKEN=xoxb-1\nSLACK_APP_TOKEN=\n"


def test_outside_of_a_clone_it_says_where_to_run_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="Run this in the clone"):
        prepare(tmp_path)
