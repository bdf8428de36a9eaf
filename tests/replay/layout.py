"""Where a tree has what the replay drives. Today's places come first, then those of other layouts, the next one last.

A tree is known by its stored form alone. What is renamed or moved gets one more place here, and nothing else changes.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

PLACES: Final[dict[str, tuple[str, ...]]] = {
    "apply": (
        "app.core.machine.apply:apply",
        "app.core.machine.apply:step",
        "app.core.machine:step",
    ),
    "refuse": (
        "app.core.machine.apply:refuse",
        "app.core.machine:refuse",
    ),
    "ends_turn": (
        "app.core.machine.apply:ends_turn",
        "app.core.machine:ends_turn",
    ),
    "closed_after_death": (
        "app.core.turns.takeover:close_after_crash",
        "app.core.turns.takeover:closed_after_death",
        "app.core.machine:closed_after_death",
    ),
    "goes_on_after_death": (
        "app.core.turns.takeover:can_resume_after_crash",
        "app.core.turns.takeover:goes_on_after_death",
        "app.core.machine:goes_on_after_death",
    ),
    "new_epoch": (
        "app.core.turns.history:start_epoch",
        "app.core.turns.history:new_epoch",
        "app.core.context:new_epoch",
    ),
    "api_messages": (
        "app.core.turns.history:build_api_messages",
        "app.core.turns.history:api_messages",
        "app.core.context:api_messages",
    ),
    "said_so_far": (
        "app.core.turns.history:build_partial_reply",
        "app.core.turns.history:said_so_far",
        "app.core.context:said_so_far",
    ),
    "Event": (
        "app.core.events.heard:Event",
        "app.core.events:Event",
    ),
    "Facts": ("app.core.conversation.facts:Facts",),
    "Conversation": (
        "app.core.conversation.conversation:Conversation",
        "app.core.model:Conversation",
    ),
    "Message": (
        "app.core.conversation.conversation:Message",
        "app.core.model:Message",
    ),
    "AuditEvent": (
        "app.core.conversation.audit:AuditEvent",
        "app.core.audit:AuditEvent",
    ),
    "IllegalEvent": ("app.core.errors:IllegalEvent",),
    "BrokenInvariant": ("app.core.errors:BrokenInvariant",),
    "SlackEvent": (
        "app.core.events.heard:SlackEvent",
        "app.core.events:SlackEvent",
    ),
    "ThreadKey": ("app.core.thread:ThreadKey",),
    "Settings": ("app.settings:Settings",),
    "memory_store": ("store.memory:memory_store", "tests.memory_store:memory_store"),
    "share": ("app.wiring:_share",),
    "outside": ("app.wiring:_outside",),
    "resources": ("app.wiring:_resources",),
    "NO_SERVERS": ("app.ports.servers:NO_SERVERS",),
    "worker": ("app.wiring:_worker",),
    "Unwatched": ("app.ports:Unwatched",),
    "Profile": ("app.ports:Profile",),
    "Spot": ("app.ports:Spot",),
    "Heard": ("app.ports:Heard",),
    "Readers": (
        "app.core.state.readers:Readers",
        "app.core.readers:Readers",
    ),
    "Counted": ("app.ports:Counted",),
    "TextDelta": ("app.ports:TextDelta",),
    "ToolUse": ("app.ports:ToolUse",),
    "ModelReply": ("app.ports:ModelReply",),
    "MessageStatus": (
        "app.core.conversation.conversation:MessageStatus",
        "app.core.model:MessageStatus",
    ),
    "Usage": (
        "app.core.conversation.usage:Usage",
        "app.core.usage:Usage",
    ),
    "ModelFailed": ("app.core.errors:ModelFailed",),
    "FailureKind": ("app.core.errors:FailureKind",),
}
"""Each as `module:name`; the first one that is there counts."""

FACTS: Final[dict[str, str]] = {
    "cards": "open_cards",
    "drafted component_started": "example_draft",
    "drafted draft_edited": "edited_draft",
    "drafted news_heard": "updated_draft",
    "drafted reopen_requested": "updated_draft",
    "drafted restart_requested": "current_draft",
    "ends archive_confirmed": "erased_at",
    "ends archive_requested": "erased_at",
    "held": "held_reply",
    "idle": "was_idle",
    "partial": "closed_reply",
    "prepared": "prepared",
    "quoting": "quoting",
    "ready": "draft_ready",
    "retired": "component_missing",
    "signal message_posted": "signal",
    "target continue_pressed": "pressed_reply",
    "target question_answered": "pressed_card",
    "target retry_pressed": "pressed_reply",
    "targets": "targets",
    "wait": "retry_after",
}
"""What the worker knows for an event, under the name that the histories fill in, with the event's kind if that decides.

A tree that has `Facts` takes it from there by the name on the right; the name and zone of an author are one fact.
"""


def is_there(name: str) -> bool:
    """True if this tree has it at all: of two ways in which trees are joined, only one is."""
    try:
        find(name)
    except LookupError:
        return False
    return True


def find(name: str) -> Any:
    """Return what this tree has under one of the places of a name. Raises `LookupError` if it is at none of them."""
    for place in PLACES[name]:
        module, _, attribute = place.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError):
            continue
    raise LookupError(f"{name}: at none of {', '.join(PLACES[name])}; say in tests/replay/layout.py where it is now")


def facts_of(filled: dict[str, Any]) -> dict[str, Any] | None:
    """Return what the worker knows for an event as this tree's `Facts` name it; None if its events carry it."""
    if not is_there("Facts"):
        return None
    names = ((FACTS.get(name) or FACTS.get(f"{name} {filled['kind']}"), value) for name, value in filled.items())
    author = {"name": filled.get("user_name", ""), "zone": filled.get("zone", "")}
    return {name: value for name, value in names if name} | {"author": author}
