"""Files in the state of a thread: remembered with their message, labelled with their place, gone when they go."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.core.conversation.conversation import Turn
from app.core.conversation.effect import ForgetFiles
from app.core.conversation.shared_file import MOST_FILES, FileInPrompt, SharedFile, name_files, number_files
from app.core.events.heard import MessageDeleted, MessageEdited, build_file_deleted
from app.core.state.status import TurnState
from app.core.state.tool_use import UseState
from app.core.turns.history import EARLIER_FILES, build_api_messages, count_tokens, start_epoch
from tests.unit.core.live import Live
from tests.unit.core.lives import use
from tests.unit.core.threads import OTHER, THREAD, conversation, reply, said

IN_PROMPT = FileInPrompt(blocks=({"type": "text", "text": "937"},), tokens=700)
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


@pytest.mark.req("IN-05")
def test_a_file_goes_with_its_message_unless_another_message_shares_it_too() -> None:
    live = Live().says("Here", files=(COSTS, PLAN)).replies().says("Again", files=(COSTS,)).replies()
    row = live.transcript[0]
    gone = live.finds(MessageDeleted(receipt="d", thread=THREAD, ts=row.ts, at=live.ts), targets=(row,))
    live.apply(gone, "d")
    assert [each.id for each in live.now.files] == ["F1"]
    assert forgotten(live) == ["F2"]


@pytest.mark.req("IN-05")
def test_replies_that_have_read_a_deleted_file_are_sent_as_text_only() -> None:
    live = Live().says("Here", files=(COSTS,)).replies()
    live.apply(build_file_deleted(THREAD, "F9", live.ts), "d")
    assert (live.now.plain, forgotten(live)) == (0, [])
    live.apply(build_file_deleted(THREAD, "F1", live.ts), "e")
    assert (live.now.plain, live.now.files, forgotten(live)) == (live.now.head, (), ["F1"])


@pytest.mark.req("IN-05")
def test_a_deleted_file_of_somebody_else_is_not_sent_again_with_what_a_reply_has_read_of_it() -> None:
    live = Live().says("Look at what Ben brings").replies().says("Here", OTHER, files=(COSTS,))
    live.says("Now read it").replies()
    live.apply(build_file_deleted(THREAD, "F1", live.ts), "d")
    assert (live.now.plain, live.now.files) == (live.now.head, ())


@pytest.mark.req("IN-05")
def test_what_was_read_of_a_deleted_file_goes_also_from_an_answer_that_waits_for_a_permission() -> None:
    live = Live().says("Post what Ben brings").replies().says("Here", OTHER, files=(COSTS,)).says("Now")
    found = json.dumps({"query": {"file": "costs.csv"}, "text": "B3: 937"})
    done = {"type": "tool_result", "tool_use_id": "t0", "content": found}
    held = json.dumps([{"role": "user", "content": [done]}])
    live.reports(
        replace(use("t1"), state=UseState.DONE, result=found), use("t2", UseState.ASKED), content=held, rounds=2
    )
    assert "937" in f"{live.now} {live.transcript}"
    live.apply(build_file_deleted(THREAD, "F1", live.ts), "d", quoting=tuple(live.transcript))
    assert "937" not in f"{live.now} {live.transcript}"
    assert live.now.run is TurnState.AWAITING


@pytest.mark.req("IN-05")
def test_what_an_answer_under_way_has_read_of_a_deleted_file_is_not_kept_when_it_ends() -> None:
    live = Live().says("Here", files=(COSTS,))
    found = json.dumps({"query": {"file": "costs.csv"}, "text": "B3: 937"})
    read = json.dumps([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t0", "content": found}]}])
    live.reports(use("t1"), content=read)
    before = live.reply
    live.apply(build_file_deleted(THREAD, "F1", live.ts), "d", quoting=tuple(live.transcript))
    assert live.reply == before, "who goes on with it finds it as it was"
    live.replies("It is Lisbon's.", content=read)
    assert "937" not in f"{live.now} {live.transcript}"
    live.says("And now?").replies("As I said.", content=read)
    assert "937" in str(live.transcript), "what is read later stays"


def test_the_newest_of_several_files_with_one_name_has_it_alone() -> None:
    files = (COSTS, PLAN, replace(COSTS, id="F3"), SharedFile(id="F4", name=""), replace(COSTS, id="F5"), COSTS)
    assert {name: file.id for name, file in name_files(files).items()} == {
        "costs.csv (1)": "F1",
        "plan.pdf": "F2",
        "costs.csv (2)": "F3",
        "file 4": "F4",
        "costs.csv": "F5",
    }


def test_files_of_one_name_are_told_apart_by_a_number_that_stays() -> None:
    live = Live().says("Here", files=(COSTS, replace(COSTS, id="F3", name="Costs.csv")))
    live.says("Mine\n[shared: costs.csv, plan.pdf]", OTHER, files=(replace(COSTS, id="F4"), PLAN))
    assert [*name_files(live.now.files)] == ["costs.csv", "Costs.csv (2)", "costs.csv (3)", "plan.pdf"]
    assert live.transcript[-1].text == "Mine\n[shared: costs.csv (3), plan.pdf]"
    live.apply(build_file_deleted(THREAD, "F1", live.ts), "d")
    live.says("Again", files=(replace(COSTS, id="F4"), replace(COSTS, id="F5"), SharedFile(id="F6", name="")))
    assert [each.twin for each in live.now.files] == [2, 3, 0, 3, 4, 0]


def test_a_new_file_takes_no_name_of_files_from_before_they_were_numbered() -> None:
    former = tuple(replace(COSTS, id=f"F{number}") for number in range(4))
    files = (*former, *number_files(former, [replace(COSTS, id="F4")]))
    assert [file.id for file in name_files(files).values()] == ["F0", "F1", "F2", "F3", "F4"]


def test_a_correction_calls_the_files_of_its_message_as_they_were_told_before() -> None:
    live = Live().says("Here", files=(COSTS,)).replies()
    live.says("Newer [shared: costs.csv]", files=(replace(COSTS, id="F3"),)).replies()
    row = live.transcript[-2]
    said = "The newest\n[shared: costs.csv]"
    edit = MessageEdited(receipt="e", thread=THREAD, ts=row.ts, at=live.ts, user=row.author, text=said)
    live.apply(live.finds(edit, targets=(row,)), "e")
    assert live.transcript[-1].text == "The newest\n[shared: costs.csv (2)]"


@pytest.mark.req("IN-06")
def test_out_of_the_window_a_file_is_one_line_with_its_name() -> None:
    files = (replace(COSTS, seq=1, by_owner=True), replace(PLAN, seq=3, by_owner=True))
    rows = (said(1, "Look"), reply(2, "I see."), replace(said(3, "And this"), brought=(IN_PROMPT,)), reply(4, ""))
    now = conversation(head=4, files=files, since=2, summary="Costs.", turn=Turn(id="4.1", reply=4))
    [first] = build_api_messages(now, rows)
    [line] = [line for line in str(first["content"][-1]["text"]).split("\n\n") if "costs.csv" in line]
    assert line == f"<note>{EARLIER_FILES.format(names='costs.csv')}</note>"
    assert "read_file" in line
    assert "plan.pdf" not in str(first)
    [first] = build_api_messages(replace(now, standing=(1,)), rows)
    assert "costs.csv" not in str(first), "with the owner's words that stay, the file is sent"


@pytest.mark.req("IN-06")
def test_a_file_counts_in_the_context_by_its_tokens() -> None:
    row = said(1, "Look")
    assert count_tokens([replace(row, brought=(IN_PROMPT,))]) - count_tokens([row]) == IN_PROMPT.tokens
    rows = (*(said(seq, "Look") for seq in (1, 2, 3)), reply(4, ""))
    now = conversation(head=4, turn=Turn(id="4.1", reply=4))
    heavy = (replace(rows[0], brought=(replace(IN_PROMPT, tokens=5_000),)), *rows[1:])
    assert start_epoch(now, rows, 4_000) is None
    begun = start_epoch(now, heavy, 4_000)
    assert begun is not None
    assert begun.since == 1, "the file goes out of the window with its message"
