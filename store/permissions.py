"""Rules of people in MongoDB: one document for each, named by an HMAC of what it is about.

Scope and label may hold people's words: they are sealed, by a key of the workspace. Does not know what a rule permits.
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
from store.schema import PERMISSIONS, SCHEMA_VERSION
from store.unreadable import Unreadable


def of_person(team: str, user: str) -> Document:
    """Return the filter for all rules of somebody."""
    return {"team": team, "user": user}


class MongoPermissions:
    """The `Permissions` port over MongoDB. What was cut off may have been done, and can be done again."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[PERMISSIONS]
        self._unreadable = Unreadable()
        self._keys = keys

    @translated
    async def of(self, team: str, user: str) -> tuple[Rule, ...]:
        """See `Permissions.of`. One that cannot be opened is reported and does not count: then the person is asked."""
        documents = await self._documents.find(of_person(team, user)).to_list(None)
        read = [await self._opened(document) for document in documents]
        return tuple(sorted(filter(None, read), key=lambda rule: (rule.tool, rule.scope)))

    @translated
    async def keep(self, rule: Rule) -> None:
        """See `Permissions.keep`."""
        key = await self._key(rule.team)
        id_ = _id(key, rule.team, rule.user, rule.tool, rule.scope)
        document: Document = {
            "_id": id_,
            **of_person(rule.team, rule.user),
            "schema_version": SCHEMA_VERSION,
            "tool": rule.tool,
            "allows": rule.allows,
            "at": datetime.fromisoformat(rule.at),
            "sealed": RULES.seal(key, id_, rule),
        }
        # Of two that are kept for the first time at once, the one that stays counts as the later.
        with suppress(DuplicateKeyError):
            await self._documents.replace_one({"_id": id_, "team": rule.team}, document, upsert=True)

    @translated
    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        """See `Permissions.revoke`."""
        try:
            key = await self._keys.existing(KeyName.of_permissions(team))
        except KeyErased:  # nobody has decided anything yet
            return False
        gone = await self._documents.delete_one({"_id": _id(key, team, user, tool, scope), "team": team})
        return gone.deleted_count > 0

    async def _key(self, team: str) -> SealingKey:
        name = KeyName.of_permissions(team)
        try:
            return await self._keys.existing(name)
        except KeyErased:
            return await self._keys.create(name)

    async def _opened(self, document: Document) -> Rule | None:
        try:
            return RULES.open(await self._keys.existing(KeyName.of_permissions(document["team"])), document)
        except SealBroken as error:
            self._unreadable.report_rule(document["_id"], error)
            return None


def _id(key: SealingKey, team: str, user: str, tool: str, scope: str) -> str:
    """Name a rule. Without the person in it the HMAC would tell who else decided about the same scope."""
    return f"{team}:{user}:{key.digest(json.dumps([team, user, tool, scope]).encode()).hex()}"
