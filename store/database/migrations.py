"""Schema migration at the start: collections, validators and indexes are compared, and only differences changed.

So a user without the rights to change them can start the app as long as nothing differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pymongo
import structlog
from pymongo import IndexModel
from pymongo.errors import OperationFailure

from app.core.errors import SettingsError
from store.database.connection import REFUSED, Collection, Database, Document, translate_errors
from store.database.rights import describe_missing
from store.database.schema import AUDIT, DAY, SHAPES, Shape, build_index

log = structlog.get_logger(__name__)

NAMESPACE_EXISTS = 48
INDEX_NOT_FOUND = 27
INDEX_DIFFERS = (85, 86)
"""MongoDB's error codes: the name exists with other options, or for another key."""
OPTIONS = ("key", "unique", "partialFilterExpression", "expireAfterSeconds")
"""The options of an index that we set."""
BUILD_LIMIT = 3600.0
"""Seconds for building an index. A build that is broken off begins anew at the next start, and would never end."""


@translate_errors
async def ensure_schema(database: Database, audit_days: int) -> None:
    """Create what is missing and update the rest. Any number of processes may do this at once.

    A differing validator that we may not change is logged once. Raise `SettingsError` if it refuses our documents, and
    for an index that we may not create.
    """
    there = {each["name"]: each async for each in await database.list_collections()}
    stale: list[str] = []
    for name, shape in SHAPES.items():
        if name not in there:
            await _create(database, name, shape)
        elif (stored := there[name]["options"].get("validator", {})) != shape.validator():
            stale += await _validate(database, name, shape, stored)
        more = [build_index("forget", "at", expireAfterSeconds=audit_days * DAY)] if name == AUDIT else []
        await _ensure_indexes(database[name], [*shape.indexes, *more])
    if stale:
        log.warning("validators_not_changed", reason="collMod", items=len(stale))


async def _create(database: Database, name: str, shape: Shape) -> None:
    try:
        await database.command("create", name, validator=shape.validator())
    except OperationFailure as error:
        if error.code != NAMESPACE_EXISTS:  # another process was quicker
            raise


async def _validate(database: Database, name: str, shape: Shape, stored: Document) -> list[str]:
    """Change the validator of a collection. Return the collection's name if we lack the right but can do without."""
    try:
        await database.command("collMod", name, validator=shape.validator())
    except OperationFailure as error:
        if not _admits(stored.get("$jsonSchema", {}), shape.validator()["$jsonSchema"]):
            _explain_refusal(error, "collMod", database.name)
        if error.code not in REFUSED:
            raise
        return [name]
    return []


def _admits(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return True if `stored` accepts all that `wanted` accepts. Compares only fields and enums, in which ours vary."""
    if not {*stored.get("required", ())} <= {*wanted.get("required", ())}:
        return False
    if "enum" in stored and not {*wanted.get("enum", ())} <= {*stored["enum"]}:
        return False
    fields, known = wanted.get("properties", {}), stored.get("properties", {})
    if not stored.get("additionalProperties", True) and not fields.keys() <= known.keys():
        return False
    inner = [(known[name], field) for name, field in fields.items() if name in known]
    inner += [(stored[name], wanted[name]) for name in ("items",) if name in stored and name in wanted]
    return all(_admits(*each) for each in inner)


async def _ensure_indexes(collection: Collection, wanted: list[IndexModel]) -> None:
    there = {each["name"]: each async for each in collection.list_indexes()}
    for each in wanted:
        if _normalize_index(there.get(each.document["name"], {})) != _normalize_index(each.document):
            await _ensure_index(collection, each)


async def _ensure_index(collection: Collection, wanted: IndexModel) -> None:
    with pymongo.timeout(BUILD_LIMIT):
        try:
            await collection.create_indexes([wanted])
        except OperationFailure as error:
            _explain_refusal(error, "createIndex", collection.database.name)
            if error.code not in INDEX_DIFFERS:
                raise
            await _drop_index(collection, wanted.document["name"])
            await collection.create_indexes([wanted])


async def _drop_index(collection: Collection, name: str) -> None:
    try:
        await collection.drop_index(name)
    except OperationFailure as error:
        _explain_refusal(error, "dropIndex", collection.database.name)
        if error.code != INDEX_NOT_FOUND:  # another process was quicker
            raise


def _explain_refusal(error: OperationFailure, right: str, database: str) -> None:
    if error.code in REFUSED:
        raise SettingsError(describe_missing([right], database)) from error


def _normalize_index(described: Mapping[str, Any]) -> Document:
    """Return our options of an index in a comparable form. The order of its fields matters."""
    said = {name: described[name] for name in OPTIONS if name in described}
    return said | {"key": list(described.get("key", {}).items())}
