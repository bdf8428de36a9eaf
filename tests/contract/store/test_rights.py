"""MongoDB with least privilege: what the manual says is enough, and whoever has less is told what is missing."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError
from structlog.testing import capture_logs

from app.cli.check import examine
from app.core.errors import SettingsError
from app.settings import Settings
from store.crypto.cipher import MasterKeys
from store.database.mongod import REPLICA_SET, Home, find_mongod
from store.database.schema import SHAPES
from store.open import MongoStore, open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claimed, said, saved, thread
from tests.mongo import Documents
from tests.wrapped import secrets_dir, wrapping

Opening = Callable[[str], AbstractAsyncContextManager[MongoStore]]
NAME = "threadwise"
MANUAL = Path(__file__).parents[3] / "docs" / "operations.md"
KEY = MasterKeys.generate()
DAILY = ("find", "insert", "update", "remove", "changeStream", "listCollections", "listIndexes")


def uri_of(socket: Path, user: str) -> str:
    return f"mongodb://{user}:secret@{quote_plus(str(socket))}/?directConnection=true&authSource=admin"


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """The socket of a mongod where everybody has to log in, with an administrator."""
    home = Home.under(tmp_path_factory.mktemp("rights"))
    key_file = home.path / "key"
    key_file.write_text("c2VjcmV0" * 8)
    key_file.chmod(0o400)
    command = [*home.command(find_mongod()), "--auth", "--keyFile", str(key_file)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as mongod:
        try:
            until_it_answers(home)
            with MongoClient[dict[str, Any]](home.uri) as client:  # whoever is first, on this machine, may do this
                members = [{"_id": 0, "host": str(home.socket)}]
                client.admin.command("replSetInitiate", {"_id": REPLICA_SET, "members": members})
                while not client.admin.command("hello")["isWritablePrimary"]:
                    time.sleep(0.01)
                client.admin.command("createUser", "admin", pwd="secret", roles=["root"])
            yield home.socket
        finally:
            mongod.kill()


def until_it_answers(home: Home) -> None:
    for _ in range(500):
        try:
            if os.path.exists(home.socket):
                with MongoClient[dict[str, Any]](home.uri, serverSelectionTimeoutMS=500) as client:
                    client.admin.command("ping")
                return
        except PyMongoError:
            pass
        time.sleep(0.02)
    raise TimeoutError("mongod does not answer")


@pytest.fixture
def admin(socket: Path) -> Generator[Documents]:
    """The database, empty, without users but the administrator, and without secrets."""
    shutil.rmtree(secrets_dir() / NAME, ignore_errors=True)
    with MongoClient[dict[str, Any]](uri_of(socket, "admin")) as client:
        client.drop_database(NAME)
        for each in client.admin.command("usersInfo")["users"]:
            if each["user"] != "admin":
                client.admin.command("dropUser", each["user"])
        for name in (NAME, "admin"):
            client[name].command("dropAllRolesFromDatabase")
        yield client[NAME]


def make_user(admin: Documents, name: str, *actions: str, role: str = "") -> None:
    """Make a user with a role: a built-in one, or one of just these actions."""
    if not role:
        role = f"only-{name}"
        privileges = [{"resource": {"db": NAME, "collection": ""}, "actions": [*actions]}]
        admin.command("createRole", role, privileges=privileges, roles=[])
    admin.client.admin.command("createUser", name, pwd="secret", roles=[{"role": role, "db": NAME}])


@pytest.fixture
def opening(socket: Path) -> Opening:
    """Gives the store as a process opens it that logs in as somebody."""

    @asynccontextmanager
    async def opened(user: str) -> AsyncGenerator[MongoStore]:
        store = await open_store(uri_of(socket, user), NAME, wrapping(KEY, NAME), ManualClock())
        try:
            yield store
        finally:
            store.close()

    return opened


async def works(store: MongoStore, number: int) -> None:
    """Take an event from the queue to its end."""
    held = await saved(store, await claimed(store, number), said(1))
    await store.conversations.release(held)
    assert await store.conversations.transcript(held, 0) == (said(1),)
    await store.conversations.find(thread(number))
    await store.inbox.queue("T1")
    assert await store.diagnosis.cases() != ()


@pytest.mark.req("MW-18")
async def test_a_user_who_may_read_and_write_starts_as_often_as_it_likes(admin: Documents, opening: Opening) -> None:
    make_user(admin, "writer", role="readWrite")
    for number in (1, 2, 3):
        with capture_logs() as lines:
            async with opening("writer") as store:
                assert store.missing_rights == ("collMod",)
                await works(store, number)
        assert lines == []


@pytest.mark.req("MW-18")
async def test_the_role_that_the_manual_has_is_enough_for_every_start(admin: Documents, opening: Opening) -> None:
    found = re.search(r"db\.createRole\((\{.*?\n\})\)", MANUAL.read_text(), re.DOTALL)
    assert found
    role = json.loads(found[1])
    admin.command("createRole", role["role"], privileges=role["privileges"], roles=role["roles"])
    make_user(admin, "told", role=role["role"])
    for number in (1, 2):
        async with opening("told") as store:
            assert store.missing_rights == ()
            await works(store, number)
    admin.command("collMod", "inbox", validator={})
    admin.inbox.drop_index("work")
    admin.inbox.create_index([("ts", 1)], name="work")
    async with opening("told"):
        assert admin.inbox.options()["validator"] == SHAPES["inbox"].validator()
        assert [*admin.inbox.index_information()["work"]["key"]] == [("team", 1), ("ts", 1), ("_id", 1)]


@pytest.mark.req("MW-18")
@pytest.mark.parametrize("needless", ["createIndex", "collMod", "dropIndex"])
async def test_none_of_the_rights_that_the_manual_names_is_there_for_nothing(
    admin: Documents, opening: Opening, needless: str
) -> None:
    rights = {*DAILY, "createIndex", "collMod", "dropIndex"}
    make_user(admin, "less", *(rights - {needless}))
    if needless in ("collMod", "dropIndex"):
        make_user(admin, "all", *rights)
        async with opening("all"):
            pass
        admin.inbox.drop_index("work")
        admin.inbox.create_index([("ts", 1)], name="work")
        admin.command("collMod", "inbox", validator={})
    if needless == "collMod":
        async with opening("less") as store:
            assert store.missing_rights == ("collMod",)
            assert admin.inbox.options().get("validator", {}) == {}
        return
    with pytest.raises(SettingsError, match=rf"lacks these rights in the database threadwise: {needless}\."):
        async with opening("less"):
            pass


@pytest.mark.req("MW-18")
@pytest.mark.parametrize("missing", DAILY)
async def test_whoever_lacks_a_right_that_is_needed_every_day_is_told_which(
    admin: Documents, opening: Opening, missing: str
) -> None:
    make_user(admin, "less", *({*DAILY, "createIndex"} - {missing}))
    with pytest.raises(SettingsError, match=rf"lacks these rights in the database threadwise: {missing}\."):
        async with opening("less"):
            pass
    assert admin.list_collection_names() == []


@pytest.mark.req("MW-18")
async def test_a_user_who_may_only_read_is_told_what_is_missing_at_every_start(
    admin: Documents, opening: Opening
) -> None:
    make_user(admin, "reader", role="read")
    make_user(admin, "all", role="dbOwner")
    for _ in range(2):  # before anything is there, and when everything is
        with pytest.raises(SettingsError, match="insert, update, remove"):
            async with opening("reader"):
                pass
        async with opening("all"):
            pass


@pytest.mark.req("MW-18")
async def test_a_validator_that_may_not_be_changed_is_told_of_once_and_keeps_nobody_from_working(
    admin: Documents, opening: Opening
) -> None:
    make_user(admin, "writer", role="readWrite")
    async with opening("writer"):
        pass
    wider = copy.deepcopy(SHAPES["conversations"].validator())
    wider["$jsonSchema"]["properties"] |= {"former": {"bsonType": "string"}}
    wider["$jsonSchema"]["properties"]["status"]["enum"].append("of_former_times")
    for name, validator in (("inbox", {"team": {"$type": "string"}}), ("conversations", wider)):
        admin.command("collMod", name, validator=validator)
    with capture_logs() as lines:
        async with opening("writer") as store:
            await works(store, 1)
    assert [(line["event"], line["reason"], line["items"]) for line in lines] == [
        ("validators_not_changed", "collMod", 2)
    ]


@pytest.mark.req("MW-18")
@pytest.mark.parametrize("lost", ["a field", "a field deep inside", "a value of a list", "freedom"])
async def test_a_validator_that_refuses_what_we_write_and_may_not_be_changed_is_a_settings_error(
    admin: Documents, opening: Opening, lost: str
) -> None:
    make_user(admin, "writer", role="readWrite")
    async with opening("writer"):
        pass
    validator = copy.deepcopy(SHAPES["conversations"].validator())
    schema = validator["$jsonSchema"]
    match lost:
        case "a field":
            del schema["properties"]["quiet_from"]
        case "a field deep inside":
            del schema["properties"]["trail"]["items"]["properties"]["counts"]
        case "a value of a list":
            schema["properties"]["status"]["enum"].remove("archived")
        case _:
            schema["required"].append("holder")
    admin.command("collMod", "conversations", validator=validator)
    with pytest.raises(SettingsError, match=r"collMod.*docs/operations\.md"):
        async with opening("writer"):
            pass


@pytest.mark.req("MW-18")
async def test_an_index_that_is_missing_and_may_not_be_made_is_a_settings_error_that_names_the_right(
    admin: Documents, opening: Opening
) -> None:
    make_user(admin, "daily", *DAILY)
    make_user(admin, "all", role="dbOwner")
    async with opening("all"):
        pass
    async with opening("daily") as store:
        await works(store, 1)
        assert store.missing_rights == ("createIndex", "collMod", "dropIndex")
    admin.inbox.drop_index("parked")
    with pytest.raises(SettingsError, match=r"createIndex.*docs/operations\.md"):
        async with opening("daily"):
            pass


@pytest.mark.req("MW-18")
@pytest.mark.parametrize(
    ("role", "is_enough", "told"),
    [("readWrite", True, "may need collMod"), ("read", False, "insert, update, remove"), ("dbOwner", True, "")],
)
async def test_the_check_names_what_is_missing(
    admin: Documents, socket: Path, role: str, is_enough: bool, told: str
) -> None:
    make_user(admin, "somebody", role=role)
    values: dict[str, Any] = {"mongodb_uri": uri_of(socket, "somebody"), "database": NAME, "master_key": KEY}
    settings = Settings(**values, secrets_dir=str(secrets_dir()))
    [store] = [each for each in await examine(settings, http=False) if each.subject == "MongoDB"]
    assert store.works is is_enough
    assert told in store.advice
    assert ("is new" in store.advice, "rights" in store.advice) == (is_enough, bool(told))


@pytest.mark.req("MW-18")
async def test_rights_may_be_given_for_each_collection_and_of_another_database_they_count_for_nothing(
    admin: Documents, opening: Opening
) -> None:
    whole = {"resource": {"db": NAME, "collection": ""}, "actions": ["changeStream", "find", "listCollections"]}
    each = [{"resource": {"db": NAME, "collection": name}, "actions": [*DAILY[:4], "listIndexes"]} for name in SHAPES]
    other = {"resource": {"db": "other", "collection": ""}, "actions": ["insert"]}
    make_user(admin, "all", role="dbOwner")
    async with opening("all"):
        pass
    for name, privileges in (("each", [whole, *each]), ("few", [whole, *each[1:], other])):
        admin.client.admin.command("createRole", name, privileges=privileges, roles=[])
        admin.client.admin.command("createUser", name, pwd="secret", roles=[name])
    async with opening("each"):
        pass
    with pytest.raises(SettingsError, match="insert, update, remove, listIndexes"):
        async with opening("few"):
            pass
