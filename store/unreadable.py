"""Log of documents that cannot be decrypted, each once per process.

Their key is lost or not for our master keys; or the sealed content was changed, moved or restored from an older copy;
or a newer version wrote it.
"""

from __future__ import annotations

import structlog

from store.cipher import SealBroken

log = structlog.get_logger(__name__)


class Unreadable:
    """The unreadable conversations, rows, versions and rules that this process has met."""

    def __init__(self) -> None:
        self._met: set[str] = set()

    def report(self, conversation: str, error: SealBroken) -> None:
        """Log the id of a conversation, the first time."""
        if self._meet(conversation):
            log.error("conversation_unreadable", conversation=conversation, error=type(error).__name__)

    def report_row(self, row: str, error: SealBroken) -> None:
        """Log the id of a row of a transcript, the first time."""
        if self._meet(row):
            log.error("message_unreadable", reference=row, error=type(error).__name__)

    def report_version(self, version: str, error: SealBroken) -> None:
        """Log the id of a version, the first time."""
        if self._meet(version):
            log.error("version_unreadable", reference=version, error=type(error).__name__)

    def report_rule(self, rule: str, error: SealBroken) -> None:
        """Log the id of a permission rule, the first time."""
        if self._meet(rule):
            log.error("rule_unreadable", reference=rule, error=type(error).__name__)

    def _meet(self, id_: str) -> bool:
        is_new = id_ not in self._met
        self._met.add(id_)
        return is_new
