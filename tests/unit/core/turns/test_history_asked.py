"""What of a history the active turn was asked, and what it tells anew."""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.conversation import Role
from app.core.conversation.shared_file import SharedFile
from app.core.turns.history import find_newly_asked, format_heard, list_wanted_files, renew_summary
from tests.unit.core.live import Live


def test_a_turn_answers_what_came_after_the_last_reply() -> None:
    live = Live().says("One").replies("Two").says("Three")
    (reply, *_) = [row.seq for row in live.transcript if row.role is Role.ASSISTANT]
    assert find_newly_asked(live.now, live.transcript) == reply


def test_messages_that_are_read_between_two_rounds_are_told_in_their_order() -> None:
    live = Live().says("One").replies("Two").says("Three")
    told = format_heard(live.now, [row for row in live.transcript if row.role is Role.PERSON])
    assert told.index("One") < told.index("Three")


def test_a_summary_is_renewed_without_dropping_a_message() -> None:
    live = Live().says("One").replies("Two").says("Three")
    assert renew_summary(live.now, live.transcript).since == live.now.since


def test_of_the_files_only_the_owners_that_are_sent_are_wanted() -> None:
    live = Live().says("One").replies("Two").says("Three")
    (first, *_) = [row for row in live.transcript if row.role is Role.PERSON]
    mine = SharedFile(id="F1", name="a.csv", ts=first.ts, seq=first.seq, by_owner=True)
    theirs, gone = replace(mine, id="F2", by_owner=False), replace(mine, id="F3", seq=999)
    now = replace(live.now, files=(mine, theirs, gone))
    assert [each.id for each in list_wanted_files(now, live.transcript)] == ["F1"]
