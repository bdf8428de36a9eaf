"""Files in the state of a thread: remembered with their message, labelled with their place, gone when they go."""

from __future__ import annotations

import pytest

from app.core.conversation.effect import ForgetFiles
from app.core.conversation.shared_file import SharedFile
from app.core.events.heard import MessageDeleted, build_file_deleted
from app.core.reactions.messages import MOST_FILES
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER, THREAD

COSTS, PLAN = SharedFile(id="F1", name="costs.csv"), SharedFile(id="F2", name="plan.pdf")


def forgotten(live: Live) -> list[str]:
    return [id_ for effect in live.now.effects if isinstance(effect, ForgetFiles) for id_ in effect.files]


@pytest.mark.req("SE-04")
def test_what_a_file_of_the_owner_says_is_labelled_with_the_place_where_it_was_shared() -> None:
    assert THREAD.channel not in Live().says("Which rent is lower?").now.sources
    assert THREAD.channel in Live().says("Which rent is lower?", files=(COSTS,)).now.sources


def test_files_are_remembered_with_their_message_and_whether_the_owner_shared_them() -> None:
    live = Live().says("Here", files=(COSTS, PLAN))
    assert [(each.id, each.seq, each.by_owner) for each in live.now.files] == [("F1", 1, True), ("F2", 1, True)]
    live.replies().says("Mine", OTHER, files=(SharedFile(id="F3", name=""),))
    assert [(each.id, each.by_owner) for each in live.now.files][2:] == [("F3", False)]


def test_the_newest_files_are_remembered() -> None:
    many = tuple(SharedFile(id=f"F{number}", name="") for number in range(MOST_FILES + 1))
    assert [each.id for each in Live().says("Here", files=many).now.files] == [each.id for each in many[1:]]


def test_a_file_goes_with_its_message_unless_another_message_shares_it_too() -> None:
    live = Live().says("Here", files=(COSTS, PLAN)).replies().says("Again", files=(COSTS,)).replies()
    row = live.transcript[0]
    gone = live.finds(MessageDeleted(receipt="d", thread=THREAD, ts=row.ts, at=live.ts), targets=(row,))
    live.apply(gone, "d")
    assert [each.id for each in live.now.files] == ["F1"]
    assert forgotten(live) == ["F2"]


def test_replies_that_have_read_a_deleted_file_are_sent_as_text_only() -> None:
    live = Live().says("Here", files=(COSTS,)).replies()
    live.apply(build_file_deleted(THREAD, "F9", live.ts), "d")
    assert (live.now.plain, forgotten(live)) == (0, [])
    live.apply(build_file_deleted(THREAD, "F1", live.ts), "e")
    assert (live.now.plain, live.now.files, forgotten(live)) == (live.now.head, (), ["F1"])
