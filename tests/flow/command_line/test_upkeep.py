"""The commands that look after the database: `threadwise keys rotate` and `threadwise erase`."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr

from app.cli import check, maintenance
from app.cli.maintenance import Erasure
from app.clock import SystemClock
from app.core.conversation.conversation import Conversation
from app.core.conversation.usage import Usage
from app.core.errors import SettingsError
from app.core.state.permission import Rule
from app.ports.store import Store
from app.runtime.limits import Limits, LimitSettings
from app.settings import Settings
from app.wiring import run_app
from store.crypto.cipher import MasterKeys
from store.open import open_store
from tests.contract.store.events import claimed, said, saved, thread
from tests.flow.chat import unread_settings
from tests.mongo import as_stranger
from tests.wrapped import secrets_dir, wrapping

SINCE = "2026-03-01T00:00:00+00:00"


@dataclass(frozen=True)
class Place:
    """A database with one conversation in it."""

    uri: str
    database: str
    master_key: str
    conversation: Conversation
    folder: Path
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    """Settings that the commands have besides."""

    @asynccontextmanager
    async def store(self, master_key: str) -> AsyncGenerator[Store]:
        store = await open_store(self.uri, self.database, wrapping(master_key, self.database), SystemClock())
        try:
            yield store
        finally:
            store.close()

    async def erased(self) -> bool:
        async with self.store(self.master_key) as store:
            return await store.conversations.find(thread()) is None

    def settings(self, master_key: str) -> Settings:
        named: dict[str, Any] = {"mongodb_uri": SecretStr(self.uri), "database": self.database}
        return unread_settings({**named, "master_key": SecretStr(master_key)})

    async def starts(self, *command: str, stdin: int = DEVNULL, master_key: str = "") -> Process:
        named = {"MONGODB_URI": self.uri, "THREADWISE_DATABASE": self.database}
        named["THREADWISE_SECRETS_DIR"] = str(secrets_dir())
        key = {"THREADWISE_MASTER_KEY": master_key or self.master_key}
        named |= self.more
        system = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "PYTHONPATH": str(Path(__file__).parents[3])}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "app", *command,
            cwd=self.folder, stdin=stdin, stdout=PIPE, stderr=PIPE, env={**system, **named, **key},
        )  # fmt: skip

    async def says(self, *command: str, master_key: str = "") -> tuple[int | None, str, str]:
        process = await self.starts(*command, master_key=master_key)
        out, errors = await process.communicate()
        return process.returncode, out.decode(), errors.decode()


@pytest.fixture
async def place(mongo_uri: str, tmp_path: Path) -> Place:
    key, database = MasterKeys.generate(), f"upkeep_{uuid4().hex[:12]}"
    store = await open_store(mongo_uri, database, wrapping(key, database), SystemClock())
    conversation = await saved(store, await claimed(store), said(1, "kept"))
    store.close()
    return Place(mongo_uri, database, key, conversation, tmp_path)


async def test_after_keys_rotate_the_new_master_key_is_enough(place: Place) -> None:
    new = MasterKeys.generate()
    status, out, _ = await place.says("keys", "rotate", master_key=f"{new},{place.master_key}")
    assert (status, out.splitlines()[0]) == (0, "Keys sealed anew: 1; with the first master key already: 0.")
    assert "No other master key is needed" in out
    async with place.store(new) as store:
        assert await store.conversations.row(place.conversation, 1) == said(1, "kept")


async def test_keys_are_not_rotated_with_a_master_key_that_never_was_theirs(place: Place) -> None:
    with pytest.raises(SettingsError, match="THREADWISE_MASTER_KEY is not the key that this database was begun with"):
        await maintenance.rotate_keys(place.settings(MasterKeys.generate()))


async def refuses_start_and_erasure(settings: Settings, conversation: str, refusal: str) -> None:
    """Neither `run` nor `erase` begins, and both say this."""
    tokens: dict[str, Any] = {"slack_bot_token": SecretStr("set"), "slack_app_token": SecretStr("set")}
    tokens["anthropic_api_key"] = SecretStr("set")
    with pytest.raises(SettingsError, match=refusal):
        async with run_app(settings.model_copy(update=tokens), http=False):
            pass
    with pytest.raises(SettingsError, match=refusal):
        await maintenance.erase(settings, conversation, lambda found, steps: True)


async def test_a_command_whose_user_mongodb_refuses_says_so_in_one_sentence(place: Place) -> None:
    stranger = replace(place, uri=as_stranger(place.uri))
    refusal = "MongoDB refuses this user: check name, password and rights in MONGODB_URI."
    assert await stranger.says("keys", "rotate") == (2, "", f"{refusal}\n")
    settings = stranger.settings(place.master_key)
    assert (await check.examine(settings, http=False))[-1].advice == refusal
    await refuses_start_and_erasure(settings, place.conversation.id, refusal)


async def test_where_the_secrets_cannot_be_written_a_start_and_an_erasure_say_so_and_nothing_is_erased(
    place: Place,
) -> None:
    (secrets_dir() / place.database / "new").mkdir()  # in place of the file that each write begins with
    settings, refusal = place.settings(place.master_key), "The folder of the erasure secrets cannot be .* again"
    await refuses_start_and_erasure(settings, place.conversation.id, refusal)
    (secrets_dir() / place.database / "new").rmdir()
    assert (await maintenance.erase(settings, place.conversation.id, lambda found, steps: True)) is Erasure.UNKNOWN
    assert await place.erased(), "the next command has ended what was begun"


async def test_the_help_says_in_which_order_a_master_key_is_replaced(place: Place) -> None:
    _, out, _ = await place.says("keys", "rotate", "--help")
    said = " ".join(out.split())
    steps = [said.find(step) for step in ("<old>,<new>", "<new>,<old>", "then run this", "take the old one away")]
    assert -1 not in steps
    assert steps == sorted(steps)


async def test_a_conversation_is_erased_if_that_is_agreed_to_and_is_then_unknown(place: Place) -> None:
    settings, id_ = place.settings(place.master_key), place.conversation.id
    asked: list[Conversation] = []
    assert await maintenance.erase(settings, id_, lambda found, steps: bool(asked.append(found))) is Erasure.DECLINED
    assert (asked[0].thread, asked[0].owner, await place.erased()) == (thread(), "U1", False)
    assert await maintenance.erase(settings, id_, lambda found, steps: True) is Erasure.DONE
    assert await place.erased()
    assert await maintenance.erase(settings, id_, lambda found, steps: True) is Erasure.UNKNOWN


async def test_where_there_is_no_decision_to_export_that_is_said(place: Place) -> None:
    assert await place.says("export", "--list") == (0, "", "There are no decisions in this database.\n")


async def test_an_id_that_is_unknown_is_told_and_exits_with_2(place: Place) -> None:
    status, _, errors = await place.says("erase", "nobody", "--yes")
    assert (status, errors.startswith("There is no conversation nobody.")) == (2, True)


async def test_without_a_terminal_nothing_is_erased_unless_it_is_said(place: Place) -> None:
    status, _, errors = await place.says("erase", place.conversation.id)
    assert (status, "--yes" in errors) == (2, True)
    assert not await place.erased()


async def test_on_a_terminal_it_asks_and_does_what_is_answered(place: Place) -> None:
    ours, theirs = os.openpty()
    try:
        process = await place.starts("erase", place.conversation.id, stdin=theirs)
        os.write(ours, b"y\n")
        out, _ = await process.communicate()
    finally:
        os.close(ours)
        os.close(theirs)
    assert f"Erase the conversation {place.conversation.id} in C1, begun by U1, for good? [y/N]" in out.decode()
    assert (process.returncode, await place.erased()) == (0, True)


@pytest.mark.req("SE-03")
@pytest.mark.parametrize(("typed", "erased"), [("n", False), ("y", True)])
async def test_what_has_lost_its_secrets_is_counted_and_erased_only_if_that_is_agreed_to(
    place: Place, typed: str, *, erased: bool
) -> None:
    away = replace(place, more={"THREADWISE_SECRETS_DIR": str(place.folder / "away")})
    async with place.store(place.master_key) as store:
        await store.conversations.release(place.conversation)
    status, _, errors = await away.says("restored", "--give-up")
    assert (status, "--yes" in errors, await place.erased()) == (2, True, False)
    ours, theirs = os.openpty()
    try:
        process = await away.starts("restored", "--give-up", stdin=theirs)
        os.write(ours, f"{typed}\n".encode())
        out, _ = await process.communicate()
    finally:
        os.close(ours)
        os.close(theirs)
    assert f"1 of 1 keys have no secret in {place.folder}/away/{place.database}. " in out.decode()
    assert (process.returncode, await place.erased()) == (0 if erased else 2, erased)


@pytest.mark.req("SE-18")
async def test_audit_shows_who_has_allowed_and_spent_what_and_no_word_of_anybody(place: Place) -> None:
    rule = Rule(
        team="T1", user="U7", tool="post_message", scope="channel:C0SECRET1", allows=True, at=SINCE, label="hush"
    )
    async with place.store(place.master_key) as store:
        await store.permissions.keep(rule)
        limits = Limits(store.limits, SystemClock(), LimitSettings())
        await limits.begin_answer("T1", "U1", "a")
        await limits.end_answer("T1", "U1", "a", Usage(input_tokens=1_234), "0.0625")
    status, out, _ = await place.says("audit")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if "T1" in line]
    assert (status, rows) == (
        0,
        [
            ["T1", "U1", "1234", "0.0625", "-"],
            ["T1", "U7", "0", "0.0000", "always post_message since 2026-03-01"],
        ],
    )
    assert "hush" not in out
    assert "C0SECRET1" not in out
    assert "kept" not in out
