"""Rules of people in MongoDB: one document for each, named by an HMAC of what it is about.

Scope and label may hold people's words: they are sealed, by a key of the workspace. A rule that was put back, or that
stands there for somebody or something else than is sealed, counts for nothing. Does not know what a rule permits.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime

from pymongo.errors import DuplicateKeyError

from app.core.permissions import Rule
from store.cipher import SealBroken, SealingKey
from store.client import Collection, Database, Document, translated
from store.codec import RULES
from store.keys import DataKeys, KeyErased, KeyName
from store.marks import WITH_MARK, Marks, require_new
from store.schema import PERMISSIONS, SCHEMA_VERSION
from store.unreadable import Unreadable

FIRST = 1
"""The number of what was sealed anew."""


def of_person(team: str, user: str) -> Document:
    """Return the filter for all rules of somebody."""
    return {"team": team, "user": user}


def _key_name(team: str) -> KeyName:
    """Name the key of the rules. The former key sealed them in the former way: nothing of it counts any more."""
    return KeyName(team, f"rules:{team}")


class MongoPermissions:
    """The `Permissions` port over MongoDB. What was cut off may have been done, and can be done again."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[PERMISSIONS]
        self._marks = Marks(database)
        self._unreadable = Unreadable()
        self._keys = keys

    @translated
    async def of(self, team: str, user: str) -> tuple[Rule, ...]:
        """See `Permissions.of`. One that cannot be opened is reported and does not count: then the person is asked."""
        which: list[Document] = [{"$match": of_person(team, user)}, WITH_MARK]
        documents = await self._documents.aggregate(which).to_list(None)
        read = [await self._opened(document) for document in documents]
        return tuple(sorted(filter(None, read), key=lambda rule: (rule.tool, rule.scope)))

    @translated
    async def keep(self, rule: Rule) -> None:
        """See `Permissions.keep`."""
        key = await self._key(rule.team)
        id_ = _id(key, rule.team, rule.user, rule.tool, rule.scope)

        async def write(number: int) -> None:
            # Of two that are kept for the first time at once, the one that stays counts as the later.
            with suppress(DuplicateKeyError):
                document = _document(key, rule, number)
                await self._documents.replace_one({"_id": id_, "team": rule.team}, document, upsert=True)

        await self._marks.replace(key, rule.team, id_, write)

    @translated
    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        """See `Permissions.revoke`. From the first write on the rule counts no more, wherever there is a copy of it."""
        try:
            key = await self._keys.existing(_key_name(team))
        except KeyErased:  # nobody has decided anything yet
            return False
        which: Document = {"_id": _id(key, team, user, tool, scope), "team": team}
        if not await self._documents.find_one(which, {"_id": 1}):
            return False
        await self._marks.retire(key, team, which["_id"])
        return (await self._documents.delete_one(which)).deleted_count > 0

    @translated
    async def migrate(self) -> None:
        """Seal anew what was sealed in the former way, and erase its key. What was broken off is gone on with.

        From then on no copy of a rule of before counts.
        """
        for team in await self._documents.distinct("team"):
            former = KeyName.of_permissions(team)
            with suppress(SealBroken):  # there is none, or it is not for our master keys: then those rules do not count
                key = await self._keys.existing(former)
                async for document in self._documents.find({"team": team}):
                    await self._migrate(key, document)
                await self._keys.erase(former)

    async def _migrate(self, former: SealingKey, document: Document) -> None:
        try:
            rule = RULES.open(former, document)
        except SealBroken:  # sealed anew already, or forged, which is reported when it is met
            return
        key = await self._key(rule.team)
        anew = _document(key, rule, FIRST)
        if not await self._marks.of(rule.team, anew["_id"]):  # nobody has decided about it since
            with suppress(DuplicateKeyError):
                await self._documents.insert_one(anew)
            await self._marks.lift(key, rule.team, anew["_id"], FIRST)
        await self._documents.delete_one({"_id": document["_id"], "team": rule.team})

    async def _key(self, team: str) -> SealingKey:
        name = _key_name(team)
        try:
            return await self._keys.existing(name)
        except KeyErased:
            return await self._keys.create(name)

    async def _opened(self, document: Document) -> Rule | None:
        try:
            key = await self._keys.existing(_key_name(document["team"]))
            rule, number = RULES.numbered(key, document)
            require_new(key, document, number)
        except SealBroken as error:
            self._unreadable.report_rule(document["_id"], error)
            return None
        return rule


def _document(key: SealingKey, rule: Rule, number: int) -> Document:
    open_: Document = {
        "_id": _id(key, rule.team, rule.user, rule.tool, rule.scope),
        **of_person(rule.team, rule.user),
        "tool": rule.tool,
        "allows": rule.allows,
        "at": datetime.fromisoformat(rule.at),
    }
    return {**open_, "schema_version": SCHEMA_VERSION, "sealed": RULES.seal(key, open_, rule, number)}


def _id(key: SealingKey, team: str, user: str, tool: str, scope: str) -> str:
    """Name a rule. Without the person in it the HMAC would tell who else decided about the same scope."""
    return f"{team}:{user}:{key.digest(json.dumps([team, user, tool, scope]).encode()).hex()}"
