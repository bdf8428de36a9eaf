"""Permission rules in MongoDB: one document per rule, named by an HMAC of its person, tool and scope.

Scope and label may hold people's words, so they are sealed, with a key of the workspace. A rule is ignored if it is a
restored older copy, or if its open fields differ from the sealed ones. Does not know what a rule permits.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime

from pymongo.errors import DuplicateKeyError

from app.core.state.permission import Rule
from store.crypto.cipher import SealBroken, SealingKey
from store.crypto.codec import RULES, UndecryptableLog
from store.crypto.document_marks import WITH_MARK, Marks, require_new
from store.crypto.keys import DataKeys, KeyErased, KeyName
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import PERMISSIONS, SCHEMA_VERSION

FIRST = 1
"""The number of a rule that was migrated."""


def filter_by_person(team: str, user: str) -> Document:
    """Return the filter for all rules of a person."""
    return {"team": team, "user": user}


def _name_key(team: str) -> KeyName:
    """Return the name of the key of the rules. Rules in the former format had another key and are ignored."""
    return KeyName(team, f"rules:{team}")


class MongoPermissions:
    """Implementation of the `Permissions` port over MongoDB. After a timeout a call may have succeeded; repeat it."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[PERMISSIONS]
        self._marks = Marks(database)
        self._unreadable = UndecryptableLog()
        self._keys = keys

    @translate_errors
    async def list(self, team: str, user: str) -> tuple[Rule, ...]:
        """See `Permissions.of`. A rule that cannot be decrypted is logged and ignored: the person is then asked."""
        which: list[Document] = [{"$match": filter_by_person(team, user)}, WITH_MARK]
        documents = await self._documents.aggregate(which).to_list(None)
        read = [await self._open(document) for document in documents]
        return tuple(sorted(filter(None, read), key=lambda rule: (rule.tool, rule.scope)))

    @translate_errors
    async def keep(self, rule: Rule, *, unsure: bool = False) -> None:
        """See `Permissions.keep`."""
        key = await self._key(rule.team)
        id_ = _build_id(key, rule.team, rule.user, rule.tool, rule.scope)
        now = await self._find(rule.team, id_)
        is_revoked = now is None and unsure and rule.allows and bool(await self._marks.of(rule.team, id_))
        if is_revoked or not rule.is_newer(now):
            return

        async def write(number: int) -> None:
            # Of two that are stored for the first time at once, the one that stays counts as the later.
            with suppress(DuplicateKeyError):
                document = _build_document(key, rule, number)
                await self._documents.replace_one({"_id": id_, "team": rule.team}, document, upsert=True)

        await self._marks.replace(key, rule.team, id_, write)

    @translate_errors
    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        """See `Permissions.revoke`. From the first write on, neither the rule nor a copy of it is accepted."""
        try:
            key = await self._keys.find(_name_key(team))
        except KeyErased:  # no rule was ever made
            return False
        which: Document = {"_id": _build_id(key, team, user, tool, scope), "team": team}
        if not await self._documents.find_one(which, {"_id": 1}):
            return False
        await self._marks.retire(key, team, which["_id"])
        return (await self._documents.delete_one(which)).deleted_count > 0

    @translate_errors
    async def revoke_all(self, team: str, user: str) -> int:
        """See `Permissions.revoke_all`. As with `revoke`, no copy of a rule is accepted afterwards."""
        whose = filter_by_person(team, user)
        with suppress(SealBroken):  # without their key, none of them is accepted anyway
            key = await self._keys.find(_name_key(team))
            for each in await self._documents.find(whose, {"_id": 1}).to_list(None):
                await self._marks.retire(key, team, each["_id"])
        return (await self._documents.delete_many(whose)).deleted_count

    @translate_errors
    async def migrate(self) -> None:
        """Seal anew the rules in the former format, and erase their key. An interrupted migration is resumed.

        From then on, no older copy of those rules is accepted.
        """
        for team in await self._documents.distinct("team"):
            former = KeyName.of_permissions(team)
            with suppress(SealBroken):  # no such key, or not for our master keys: then those rules do not count
                key = await self._keys.find(former)
                async for document in self._documents.find({"team": team}):
                    await self._migrate(key, document)
                await self._keys.erase(former)

    async def _migrate(self, former: SealingKey, document: Document) -> None:
        try:
            rule = RULES.open(former, document)
        except SealBroken:  # sealed anew already, or forged, which is logged when it is read
            return
        key = await self._key(rule.team)
        anew = _build_document(key, rule, FIRST)
        if not await self._marks.of(rule.team, anew["_id"]):  # no newer choice was made
            with suppress(DuplicateKeyError):
                await self._documents.insert_one(anew)
            await self._marks.lift(key, rule.team, anew["_id"], FIRST)
        await self._documents.delete_one({"_id": document["_id"], "team": rule.team})

    async def _key(self, team: str) -> SealingKey:
        name = _name_key(team)
        try:
            return await self._keys.find(name)
        except KeyErased:
            return await self._keys.create(name)

    async def _find(self, team: str, id_: str) -> Rule | None:
        """Return the rule with this id; None if there is none that counts."""
        which: list[Document] = [{"$match": {"_id": id_, "team": team}}, WITH_MARK]
        found = await self._documents.aggregate(which).to_list(1)
        return await self._open(found[0]) if found else None

    async def _open(self, document: Document) -> Rule | None:
        try:
            key = await self._keys.find(_name_key(document["team"]))
            rule, number = RULES.open_numbered(key, document)
            require_new(key, document, number)
        except SealBroken as error:
            self._unreadable.report("rule_unreadable", error, reference=document["_id"])
            return None
        return rule


def _build_document(key: SealingKey, rule: Rule, number: int) -> Document:
    open_: Document = {
        "_id": _build_id(key, rule.team, rule.user, rule.tool, rule.scope),
        **filter_by_person(rule.team, rule.user),
        "tool": rule.tool,
        "allows": rule.allows,
        "at": datetime.fromisoformat(rule.at),
    }
    return {**open_, "schema_version": SCHEMA_VERSION, "sealed": RULES.seal(key, open_, rule, number)}


def _build_id(key: SealingKey, team: str, user: str, tool: str, scope: str) -> str:
    """Return the id of a rule. Without the person in the HMAC, it would reveal who shares a scope."""
    return f"{team}:{user}:{key.digest(json.dumps([team, user, tool, scope]).encode()).hex()}"
