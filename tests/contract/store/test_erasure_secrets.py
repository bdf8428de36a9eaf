"""Erasure holds against whoever has the database, its oplog, its backups and the master key; and no copy that is put
back, of the database or of the folder of the secrets, brings anything back that was erased.
"""

from __future__ import annotations

import asyncio
import operator
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.core.conversation.audit import AuditType
from app.core.errors import LostConversation, SettingsError, StoreUnavailable
from app.ports.store import Store
from store.crypto.cipher import MasterKeys, SealBroken, build_associated_data
from store.crypto.erasure_secrets import ErasureSecrets
from store.database.schema import SHAPES
from store.open import MongoStore, open_store
from tests.contract.store.attacker import Attacker
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, NEVER, posted, said, thread
from tests.contract.store.rules import rule
from tests.contract.store.versions import DECISION, talked, version
from tests.contract.store.without_secrets import take_secrets_away
from tests.mongo import Documents, empty
from tests.wrapped import secrets_dir, wrapping

Start = Callable[[], Awaitable[MongoStore]]


@pytest.fixture
def folder() -> Path:
    """The folder of the secrets of the test's database."""
    return secrets_dir() / "contract"


@pytest.fixture
def attacker(database: Documents, master_key: str, folder: Path) -> Attacker:
    return Attacker(database, master_key, folder, database.command("hello")["operationTime"])


@pytest.fixture
def start(mongo_uri: str, database: Documents, master_key: str, request: pytest.FixtureRequest) -> Start:
    """Gives what opens the store as a process does that starts."""

    async def started() -> MongoStore:
        store = await open_store(mongo_uri, database.name, wrapping(master_key), ManualClock())
        request.addfinalizer(store.close)
        return store

    return started


def copied(database: Documents) -> dict[str, list[dict[str, Any]]]:
    """A backup of the database."""
    return {name: [*database[name].find()] for name in SHAPES}


def put_back(database: Documents, copy: dict[str, list[dict[str, Any]]]) -> None:
    for name, documents in copy.items():
        database[name].delete_many({})
        if documents:
            database[name].insert_many(documents)


@pytest.mark.req("SE-03")
async def test_an_old_backup_the_oplog_and_the_master_key_open_everything_but_what_was_erased(
    mongo_store: Store, attacker: Attacker
) -> None:
    erased, kept = await talked(mongo_store), await talked(mongo_store, 5)
    attacker.takes_a_backup()
    attacker.reads_the_oplog()
    own = attacker.sealed_of(erased.id)
    assert len(own) == 1
    assert attacker.sealed_of() <= attacker.opens(), "this attacker is too weak to prove anything"
    await mongo_store.conversations.erase(erased, ERASED)
    attacker.takes_a_backup()
    attacker.reads_the_oplog()
    assert attacker.sealed_of(kept.id)
    assert attacker.sealed_of() - attacker.opens() == own


@pytest.mark.req("SE-03")
async def test_what_was_erased_after_a_rotation_opens_with_neither_master_key(
    mongo_store: Store, attacker: Attacker, mongo_uri: str, database: Documents, master_key: str
) -> None:
    erased, _ = await talked(mongo_store), await talked(mongo_store, 5)
    attacker.takes_a_backup()
    own = attacker.sealed_of(erased.id)
    attacker.master_key = f"{MasterKeys.generate()},{master_key}"
    rotated = await open_store(mongo_uri, database.name, wrapping(attacker.master_key), ManualClock())
    await rotated.upkeep.rotate_keys()
    attacker.takes_a_backup()
    await rotated.conversations.erase(erased, ERASED)
    rotated.close()
    attacker.reads_the_oplog()
    assert attacker.sealed_of() - attacker.opens() == own


@pytest.mark.req("SE-03")
async def test_a_secret_is_a_file_for_the_owner_alone_whose_name_tells_nothing(
    mongo_store: Store, database: Documents, folder: Path
) -> None:
    conversation = await talked(mongo_store)
    files = [path for path in folder.rglob("*") if path.is_file()]
    [secret] = [path for path in files if path.stat().st_size]
    assert secret.stat().st_size == 32
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*")) if path.is_dir()} == {0o700}
    assert conversation.id not in str(secret)
    everything = str([*copied(database).values()])
    assert secret.name not in everything
    assert repr(secret.read_bytes()) not in everything


@pytest.mark.req("SE-03")
async def test_an_erasure_wraps_nothing_else_anew(mongo_store: Store, database: Documents, folder: Path) -> None:
    erased, kept = await talked(mongo_store), await talked(mongo_store, 5)
    keys = {key["_id"]: key for key in database["keys"].find()}
    files = {path: path.stat().st_mtime_ns for path in (folder / "secrets").rglob("*") if path.is_file()}
    await mongo_store.conversations.erase(erased, ERASED)
    left = {key["_id"]: key for key in database["keys"].find()}
    assert left == {id_: key for id_, key in keys.items() if erased.id not in id_}
    assert f"conversation:{kept.id}" in left
    now = {path: path.stat().st_mtime_ns for path in (folder / "secrets").rglob("*") if path.is_file()}
    assert now.items() < files.items()


@pytest.mark.req("SE-03")
async def test_a_database_that_comes_back_from_a_copy_has_what_was_erased_erased_again(
    mongo_store: Store, database: Documents, start: Start
) -> None:
    erased, kept = await talked(mongo_store), await talked(mongo_store, 5)
    copy = copied(database)
    await mongo_store.conversations.erase(erased, ERASED)
    put_back(database, copy)
    again = await start()
    assert await again.conversations.find(thread()) is None
    assert [row.seq for row in await again.conversations.transcript(kept, 0)] == [1, 2]
    for name in ("conversations", "messages", "extractions", "keys"):
        assert not [each for each in database[name].find() if erased.id in each["_id"]]
    assert not [row for row in database.inbox.find({"conversation": erased.id}) if "sealed" in row]
    [told] = database.audit_events.find({"type": AuditType.CONVERSATION_ERASED})
    assert told["reason"] == "restored_copy"


@pytest.mark.req("SE-03")
async def test_a_folder_that_comes_back_from_a_copy_has_the_secrets_destroyed_again(
    mongo_store: Store, attacker: Attacker, folder: Path, tmp_path: Path, start: Start
) -> None:
    erased, _ = await talked(mongo_store), await talked(mongo_store, 5)
    attacker.takes_a_backup()
    own = attacker.sealed_of(erased.id)
    shutil.copytree(folder, tmp_path / "copy")
    await mongo_store.conversations.erase(erased, ERASED)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "copy", folder)
    assert own <= attacker.opens(), "the copy has it still"
    await start()
    assert not own & attacker.opens()


@pytest.mark.req("SE-03")
async def test_a_secret_that_comes_back_is_destroyed_by_the_tombstone_that_is_left_in_the_folder(
    mongo_store: Store, attacker: Attacker, database: Documents, folder: Path, tmp_path: Path, start: Start
) -> None:
    erased, _ = await talked(mongo_store), await talked(mongo_store, 5)
    attacker.takes_a_backup()
    own = attacker.sealed_of(erased.id)
    shutil.copytree(folder / "secrets", tmp_path / "copy")
    await mongo_store.conversations.erase(erased, ERASED)
    database.tombstones.delete_many({})
    shutil.copytree(tmp_path / "copy", folder / "secrets", dirs_exist_ok=True)
    assert own <= attacker.opens(), "the copy has it still"
    await start()
    assert not own & attacker.opens()


@pytest.mark.req("SE-03")
async def test_tombstones_that_one_side_has_lost_are_given_to_it_by_the_other(
    mongo_store: Store, database: Documents, folder: Path, start: Start
) -> None:
    await mongo_store.conversations.erase(await talked(mongo_store), ERASED)
    [name] = [path.name for path in (folder / "tombstones").rglob("*") if path.is_file()]
    database.tombstones.delete_many({})
    await start()
    assert [each["_id"] for each in database.tombstones.find()] == [name]
    shutil.rmtree(folder)
    await start()
    assert [path.name for path in (folder / "tombstones").rglob("*") if path.is_file()] == [name]


@pytest.mark.req("SE-03")
async def test_missing_secrets_stop_the_start_with_what_to_do_and_are_not_made_anew(
    mongo_store: Store, database: Documents, folder: Path, start: Start
) -> None:
    conversation = await talked(mongo_store)
    [secret] = [path for path in (folder / "secrets").rglob("*") if path.is_file()]
    moved = secret.rename(folder.parent / "elsewhere")
    before = copied(database)
    with pytest.raises(
        SettingsError, match=r"THREADWISE_SECRETS_DIR: .*keys without theirs: 1.* Name the folder .* put back"
    ):
        await start()
    assert copied(database) == before
    assert [path for path in (folder / "secrets").rglob("*") if path.is_file()] == []
    moved.rename(secret)
    assert await (await start()).conversations.row(conversation, 1) == said(1)


async def test_a_secret_that_is_missing_meanwhile_is_not_taken_for_an_erasure(
    mongo_store: Store, clock: ManualClock, folder: Path
) -> None:
    conversation = await talked(mongo_store)
    [secret] = [path for path in (folder / "secrets").rglob("*") if path.is_file()]
    moved = secret.rename(folder.parent / "elsewhere")
    clock.advance(60)
    assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    moved.rename(secret)
    assert await mongo_store.conversations.find(thread())
    assert await mongo_store.conversations.row(conversation, 1) == said(1)


@pytest.mark.req("SE-03")
async def test_the_secret_of_the_rules_that_is_missing_meanwhile_is_not_made_anew(
    mongo_store: Store, clock: ManualClock, folder: Path
) -> None:
    await mongo_store.permissions.keep(rule())
    [secret] = [path for path in (folder / "secrets").rglob("*") if path.is_file()]
    moved = secret.rename(folder.parent / "elsewhere")
    clock.advance(60)
    with pytest.raises(SealBroken, match="erasure secret"):
        await mongo_store.permissions.keep(rule(scope="#public"))
    assert [path for path in (folder / "secrets").rglob("*") if path.is_file()] == []
    moved.rename(secret)
    assert await mongo_store.permissions.list("T1", "U1") == (rule(),)


async def test_a_holder_whose_secret_another_process_has_just_destroyed_has_lost_the_conversation(
    mongo_store: Store, clock: ManualClock, folder: Path
) -> None:
    conversation = await talked(mongo_store)
    [secret] = [path for path in (folder / "secrets").rglob("*") if path.is_file()]
    await ErasureSecrets(secrets_dir(), "contract").bury((secret.name,))
    clock.advance(60)
    with pytest.raises(LostConversation):
        await mongo_store.conversations.row(conversation, 1)


async def test_keys_without_the_one_by_which_they_are_known_are_refused(
    mongo_store: Store, database: Documents, start: Start
) -> None:
    await talked(mongo_store)
    database["keys"].delete_one({"_id": "canary"})
    with pytest.raises(SettingsError, match="THREADWISE_DATABASE names a database that is not whole"):
        await start()
    assert database["keys"].count_documents({"_id": "canary"}) == 0


@pytest.mark.parametrize("forged", ["a mark", "a tombstone", "a conversation that is gone"])
async def test_who_only_writes_in_the_database_has_no_secret_destroyed(
    mongo_store: Store, database: Documents, folder: Path, start: Start, forged: str
) -> None:
    conversation = await talked(mongo_store)
    [secret] = [path for path in (folder / "secrets").rglob("*") if path.is_file()]
    backup, content = copied(database), secret.read_bytes()
    match forged:
        case "a mark":
            database.conversations.update_one({"_id": conversation.id}, {"$set": {"current": False}})
        case "a tombstone":
            seal = MasterKeys.parse(MasterKeys.generate()).seal(
                b"", build_associated_data("tombstones", secret.name, "sealed")
            )
            database.tombstones.insert_one({"_id": secret.name, "team": "", "schema_version": 1, "sealed": seal})
        case _:
            database.conversations.delete_one({"_id": conversation.id})
    store = await start()
    await store.conversations.claim_some("T1", "worker", NEVER, (), 1)
    assert secret.read_bytes() == content
    kept = database["keys"].count_documents({"_id": f"conversation:{conversation.id}"})
    assert kept == (forged == "a tombstone"), "what cannot be opened any more leaves no key behind"
    put_back(database, backup)
    assert await (await start()).conversations.row(conversation, 1) == said(1)


@pytest.mark.req("SE-03")
async def test_old_data_is_given_secrets_at_the_start_and_then_no_key_opens_with_the_master_key_alone(
    mongo_store: Store, database: Documents, master_key: str, folder: Path, start: Start, attacker: Attacker
) -> None:
    conversation = await talked(mongo_store)
    await mongo_store.permissions.keep(rule())
    take_secrets_away(database, master_key, folder)
    attacker.takes_a_backup()
    assert attacker.sealed_of(conversation.id) <= attacker.opens(), "these keys have secrets still"
    store = await start()
    assert await store.conversations.row(conversation, 1) == said(1)
    assert await store.versions.list(DECISION) == (version("frame", 1),)
    assert await store.permissions.list("T1", "U1") == (rule(),)
    assert len([path for path in (folder / "secrets").rglob("*") if path.is_file()]) == 2
    now = Attacker(database, master_key, folder / "nowhere", attacker.since)
    now.takes_a_backup()
    assert len(now.opens()) == 1, "not the canary alone"


async def test_a_key_that_no_master_key_opens_stays_as_it_is_when_the_others_are_given_secrets(
    mongo_store: Store, database: Documents, master_key: str, folder: Path, start: Start
) -> None:
    conversation = await talked(mongo_store)
    take_secrets_away(database, master_key, folder)
    strange = MasterKeys.parse(MasterKeys.generate()).seal(
        bytes(32), build_associated_data("keys", "conversation:x", "sealed")
    )
    database["keys"].insert_one({"_id": "conversation:x", "team": "T9", "schema_version": 1, "sealed": strange})
    store = await start()
    assert await store.conversations.row(conversation, 1) == said(1)
    found = database["keys"].find_one({"_id": "conversation:x"})
    assert found
    assert found["sealed"] == strange


async def test_a_folder_that_cannot_be_ours_is_refused_with_the_setting(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(SettingsError, match="THREADWISE_SECRETS_DIR"):
        ErasureSecrets(tmp_path / "taken", "threadwise").prepare()


async def test_a_folder_that_others_may_enter_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "open" / "threadwise").mkdir(mode=0o755, parents=True)
    ErasureSecrets(tmp_path / "open", "threadwise").prepare()
    assert (tmp_path / "open" / "threadwise").stat().st_mode & 0o777 == 0o700


async def test_a_disk_that_fails_is_an_outage_and_takes_nothing_in(
    mongo_store: Store, database: Documents, folder: Path
) -> None:
    await talked(mongo_store)
    away = folder.rename(folder.with_name("away"))
    with pytest.raises(StoreUnavailable):
        await mongo_store.inbox.take_in(posted(9, opens=True))
    assert database.conversations.count_documents({}) == 1
    away.rename(folder)
    await mongo_store.inbox.take_in(posted(9, opens=True))


async def test_a_path_does_not_pass_for_the_name_of_a_secret(tmp_path: Path) -> None:
    secrets = ErasureSecrets(tmp_path, "threadwise")
    secrets.prepare()
    for name in ("../../x", "a" * 31, "A" * 32, ""):
        with pytest.raises(ValueError, match="no name"):
            await secrets.bury((name,))


async def test_processes_that_make_one_secret_at_once_agree_on_it(tmp_path: Path) -> None:
    rivals = [ErasureSecrets(tmp_path, "threadwise") for _ in range(8)]
    rivals[0].prepare()
    made = await asyncio.gather(*(each.make(("ab" * 16,)) for each in rivals))
    assert len({each["ab" * 16] for each in made}) == 1
    await rivals[1].bury(("ab" * 16,))
    assert await rivals[2].make(("ab" * 16,)) == {}
    assert await rivals[2].list_names() == set()


@pytest.mark.req("SE-03")
async def test_what_has_lost_its_secret_is_erased_if_that_is_said_and_all_else_is_left(
    mongo_store: Store, mongo_uri: str, database: Documents, master_key: str, folder: Path, start: Start
) -> None:
    lost = await talked(mongo_store)
    await mongo_store.permissions.keep(rule())
    for secret in [path for path in (folder / "secrets").rglob("*") if path.is_file()]:
        secret.unlink()
    kept = await talked(mongo_store, 5)
    asked: list[tuple[int, int]] = []

    def declines(lost: int, of: int) -> bool:
        asked.append((lost, of))
        return False

    declined = replace(wrapping(master_key), gives_up=declines)
    with pytest.raises(SettingsError, match=r"lacks secrets \(keys without theirs: 2\)"):
        await open_store(mongo_uri, database.name, declined, ManualClock())
    assert asked == [(2, 3)]
    given_up = replace(wrapping(master_key), gives_up=operator.lt)
    (await open_store(mongo_uri, database.name, given_up, ManualClock())).close()
    store = await start()
    assert await store.conversations.find(thread()) is None
    assert not database.messages.count_documents({"conversation": lost.id})
    assert await store.conversations.row(kept, 1) == said(1)
    assert await store.permissions.list("T1", "U1") == ()
    await store.permissions.keep(rule(scope="another"))
    assert await store.permissions.list("T1", "U1") == (rule(scope="another"),)


async def test_a_start_on_an_empty_database_says_so_if_the_folder_has_secrets_already_and_a_first_start_does_not(
    start: Start, database: Documents
) -> None:
    with capture_logs() as logs:
        await talked(await start())
        await start()
    assert logs == []
    empty(database, tuple(SHAPES))
    with capture_logs() as logs:
        await start()
    assert [(each["event"], each["number"]) for each in logs] == [("database_empty_beside_secrets", 1)]
