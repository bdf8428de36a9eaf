"""Start of the store: erasures are finished or repeated, keys get secrets, and lost secrets are refused.

It can be interrupted anywhere: the next start resumes it.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection as Several

import structlog

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation
from app.core.errors import SettingsError
from app.core.thread import ThreadKey
from store.crypto.erasure_secrets import ErasureSecrets
from store.crypto.keys import CANARY, DataKeys, KeyName, name_secret, read_conversation_id, read_key_name
from store.crypto.tombstones import Tombstones
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import CONVERSATIONS, KEYS
from store.mongo.documents import read_open_fields
from store.mongo.erasing import Erasing

log = structlog.get_logger(__name__)

AGAIN = AuditEvent(type=AuditType.CONVERSATION_ERASED, reason="restored_copy")


class Settling:
    """Reconciliation of the database with the folder of secrets."""

    def __init__(self, database: Database, keys: DataKeys, secrets: ErasureSecrets) -> None:
        self._documents: Collection = database[KEYS]
        self._conversations: Collection = database[CONVERSATIONS]
        self._tombstones = Tombstones(database, secrets)
        self._erasing = Erasing(database, keys)
        self._keys, self._secrets = keys, secrets

    @translate_errors
    async def settle(self, gives_up: Callable[[int, int], bool] | None) -> None:
        """Reconcile both. Raise `SettingsError` if secrets are missing, because they are never made anew.

        Conversations without their secret are erased instead if `gives_up` agrees (see `Wrapping`). Log the number of
        secrets beside an empty database: they are those of one that is lost, or that was meant.
        """
        if not await self._keys.prove():
            await self._require_no_keys()
            await self._report_others()
            return
        buried = await self._tombstones.reconcile(await self._keys.canary())
        lost = await self._lost(buried)
        if lost and not (gives_up and gives_up(len(lost), len(await self._all({})))):
            raise SettingsError(
                f"THREADWISE_SECRETS_DIR: the folder {self._secrets.path} lacks secrets (keys without theirs: "
                f"{len(lost)}), and nothing opens what these protect. Name the folder of this database, or put back "
                "the newest copy of it. If there is none, `threadwise restored --give-up` erases what is lost."
            )
        for name in (*lost, *await self._with_secrets_in(buried)):
            await self._erase_again(name)
        await self._erasing.finish_all()
        if counts := await self._keys.give_secrets():
            log.warning("erasure_secrets_given", number=counts["given"], issues=counts["strange"])

    async def _report_others(self) -> None:
        number = len(await self._secrets.list_names())
        if number and not await self._keys.prove():  # another process may have made the first key just now
            log.warning("database_empty_beside_secrets", number=number, reason="run_threadwise_doctor")

    async def _lost(self, buried: Several[str]) -> list[KeyName]:
        """Return the keys whose secrets are missing although this program did not destroy them."""
        canary = await self._keys.canary()
        names = {name_secret(canary, name): name for name in await self._all({"has_secret": True})}
        missing = names.keys() - await self._secrets.list_names() - {*buried}
        # Another process may have erased some of them since.
        gone = await self._secrets.list_buried() if missing else set[str]()
        return [names[each] for each in sorted(missing - gone)]

    async def _with_secrets_in(self, buried: Several[str]) -> list[KeyName]:
        canary = await self._keys.canary()
        return [name for name in await self._all({}) if name_secret(canary, name) in buried]

    async def _erase_again(self, name: KeyName) -> None:
        id_ = read_conversation_id(name)
        if id_ is None:  # a key of rules: people are asked again, and the next rule makes a key of the same name
            await self._keys.drop(name)
            return
        document = await self._conversations.find_one({"_id": id_, "team": name.team})
        nowhere = ThreadKey(team=name.team, channel="", root="")
        found = read_open_fields(document) if document else Conversation(id=id_, thread=nowhere, owner="")
        log.warning("erased_again", conversation=id_)
        await self._erasing.erase(found, AGAIN)

    async def _require_no_keys(self) -> None:
        if await self._documents.find_one({}, {"_id": 1}):
            raise SettingsError(
                "THREADWISE_DATABASE names a database that is not whole: it has keys and lacks the one by which they "
                "are known. Put back a backup of all its collections."
            )

    async def _all(self, where: Document) -> list[KeyName]:
        cursor = self._documents.find({"_id": {"$ne": CANARY.id}, **where}, {"team": 1})
        return [read_key_name(document) for document in await cursor.to_list(None)]
