"""Rights of our user, as MongoDB reports them, so that a missing right is named at the start.

Tries nothing. A right that is not needed at present may be missing; it is reported once it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.core.errors import SettingsError
from store.database.connection import Database, translate_errors
from store.database.schema import SHAPES

DATA = ("find", "insert", "update", "remove")
"""Needed in every collection."""
WHOLE = ("changeStream", "listCollections")
"""Needed for the database."""
SCHEMA = ("listIndexes", "createIndex", "collMod", "dropIndex")
"""Needed to compare every collection with our schema and to change it: at the first start, and after an upgrade. The
right to insert includes that to create a collection."""
NEEDED = frozenset({*DATA, *WHOLE, "listIndexes"})

Privilege = Mapping[str, Any]


@translate_errors
async def find_missing_rights(database: Database) -> tuple[str, ...]:
    """Return the rights that the user lacks, in the order above; none if MongoDB requires no login."""
    status = (await database.command("connectionStatus", showPrivileges=True))["authInfo"]
    if not status["authenticatedUsers"]:
        return ()
    mine = [each for each in status["authenticatedUserPrivileges"] if _reaches(each, database.name)]
    whole = [name for name in WHOLE if not _is_granted(mine, name, "")]
    return (*_list_missing(mine, DATA), *whole, *_list_missing(mine, SCHEMA))


@translate_errors
async def require_rights(database: Database) -> tuple[str, ...]:
    """Return the missing rights that are not needed as long as collections, validators and indexes stay.

    Raise `SettingsError` with the names of the missing rights that are always needed.
    """
    missing = await find_missing_rights(database)
    if needed := [name for name in missing if name in NEEDED]:
        raise SettingsError(describe_missing(needed, database.name))
    return missing


def describe_missing(missing: Iterable[str], database: str) -> str:
    """Return the sentence that names missing rights."""
    return (
        f"The user in MONGODB_URI lacks these rights in the database {database}: {', '.join(missing)}. "
        "docs/operations.md has the role that is needed, as one command."
    )


def _list_missing(mine: list[Privilege], names: Iterable[str]) -> list[str]:
    return [name for name in names if not all(_is_granted(mine, name, collection) for collection in SHAPES)]


def _is_granted(mine: list[Privilege], name: str, collection: str) -> bool:
    return any(name in each["actions"] and each["resource"].get("collection", "") in ("", collection) for each in mine)


def _reaches(privilege: Privilege, database: str) -> bool:
    resource = privilege["resource"]
    return resource.get("anyResource", False) or resource.get("db") in ("", database)
