"""What people said and shared in the threads of a decision."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from app.core.conversation.conversation import Conversation, Message
from app.core.file_content import FileKind, FileText
from app.decision.tracing.draft_files import DraftFiles
from app.decision.tracing.file_passages import FilePassages
from app.decision.tracing.said import Statement
from app.decision.tracing.statements import list_said
from app.ports import Conversations, Files


@dataclass(frozen=True, slots=True)
class Sayings:
    """Statements and files of some threads."""

    statements: tuple[Statement, ...] = ()
    files: tuple[FileText, ...] = ()

    def list_all(self) -> tuple[Statement, ...]:
        """Return the statements, and the words of the files as one."""
        return (*self.statements, FilePassages.of(self.files).statement)


@dataclass(frozen=True, slots=True)
class SayingsReader:
    """Reader of what was said in a decision."""

    conversations: Conversations
    files: Files

    async def read_elsewhere(self, now: Conversation, hub: Conversation | None) -> Sayings:
        """Return what people said and shared in the decision outside of this thread, its question included."""
        if hub is None or hub.decision is None:
            return Sayings()
        said, files = [Statement(hub.decision.question)], list[FileText]()
        threads = [each for each in hub.decision.threads if each != now.thread]
        for thread in threads:
            if other := await self.conversations.find(thread):
                said += list_said(other, await self.conversations.transcript(other, 0))
                files += await self.read_files(other)
        return Sayings(tuple(said), tuple(files))

    async def read_files(
        self, now: Conversation, without: str = "", alone: Collection[str] = ()
    ) -> tuple[FileText, ...]:
        """Return what was read of the owner's files in a thread, or of those `alone`.

        The files of the message with the Slack ts `without` are left out.
        """
        known = {each.id for each in now.files if each.by_owner and each.ts != without}
        known = known.intersection(alone) if alone else known
        kept = await self.files.list(now) if known else ()
        read = [each for each in kept if each.file in known and each.text]
        return tuple(FileText(name=each.name, kind=FileKind(each.kind), text=each.text) for each in read)

    async def read_draft_files(self, now: Conversation, rows: Iterable[Message]) -> DraftFiles | None:
        """Return the files from which alone a step's draft is made; None if it is made from all that there is."""
        lead = now.interview
        if lead is None or not lead.draft_files:
            return None
        files = await self.read_files(now, alone=lead.draft_files)
        said = list_said(now, (row for row in rows if row.seq > lead.drafted_since))
        names = tuple(dict.fromkeys(file.name for file in files))
        vouched = (Statement(each.text) for each in lead.vouched)
        return DraftFiles(names, FilePassages.of(files), (*said, *vouched))
