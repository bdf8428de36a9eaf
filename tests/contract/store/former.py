"""A database as it was before seals were bound to what stands open, made of one of today."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter

from app.core.conversation.conversation import Conversation, Message
from app.core.events.heard import SlackEvent
from app.core.state.decision import Version
from app.core.state.permission import Rule
from store.crypto.cipher import SealingKey, build_associated_data
from store.crypto.codec import EVENTS, ROWS, STATES, VERSIONS
from store.crypto.keys import DataKeys, KeyName
from tests.mongo import Documents

FORMER_ID = "0123456789abcdef0123456789abcdef"
EVENT: TypeAdapter[SlackEvent] = TypeAdapter(SlackEvent)
SINCE = ("closed", "rewritten")
"""What states did not have."""


async def aged(database: Documents, keys: DataKeys, conversation: Conversation) -> SealingKey:
    """Make a conversation with all that belongs to it one of before, with `FORMER_ID`; give its key."""
    now, key = await keys.of(conversation), await keys.create(KeyName.of_conversation("T1", FORMER_ID))
    for document in database.conversations.find({"_id": conversation.id}):
        state = {name: each for name, each in asdict(STATES.open(now, document)).items() if name not in SINCE}
        put(database, "conversations", document, key, TypeAdapter(dict[str, Any]).dump_json(state))
    for document in database.messages.find({"conversation": conversation.id}):
        put(database, "messages", document, key, TypeAdapter(Message).dump_json(ROWS.open(now, document)))
    for document in database.inbox.find({"conversation": conversation.id, "sealed": {"$exists": True}}):
        put(database, "inbox", document, key, EVENT.dump_json(EVENTS.open(now, document)))
    for document in database.extractions.find({"conversation": conversation.id}):
        plain = TypeAdapter(Version).dump_json(VERSIONS.open(now, aware(document)))
        put(database, "extractions", {**document, "hmac": key.digest(plain)}, key, plain)
    database["marks"].delete_many({})
    return key


def put(database: Documents, collection: str, document: dict[str, Any], key: SealingKey, plain: bytes) -> None:
    """Put a document of before in place of one of today."""
    database[collection].delete_one({"_id": document["_id"]})
    former = document.get("conversation", document["_id"])
    id_ = document["_id"].replace(former, FORMER_ID)
    sealed = key.seal(
        plain.replace(former.encode(), FORMER_ID.encode()), build_associated_data(collection, id_, "sealed")
    )
    names = {"conversation": FORMER_ID} if "conversation" in document else {}
    database[collection].insert_one({**document, **names, "_id": id_, "sealed": sealed})


async def former_rule(database: Documents, keys: DataKeys, rule: Rule) -> dict[str, Any]:
    """Put a rule of before into the database, and give its document."""
    key = await keys.create(KeyName.of_permissions(rule.team))
    id_ = f"{rule.team}:{rule.user}:{key.digest(rule.scope.encode()).hex()}"
    sealed = key.seal(TypeAdapter(Rule).dump_json(rule), build_associated_data("permissions", id_, "sealed"))
    names = {"team": rule.team, "user": rule.user, "tool": rule.tool, "allows": rule.allows}
    at = datetime.fromisoformat(rule.at)
    document = {**names, "_id": id_, "schema_version": 1, "at": at, "sealed": sealed}
    database.permissions.insert_one(document)
    return document


def aware(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document with its times as the store reads them."""
    return {name: each.replace(tzinfo=UTC) if isinstance(each, datetime) else each for name, each in document.items()}
