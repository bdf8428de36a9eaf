"""What the owner writes while a turn works: read after the round under way, once, and before anything is written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.agent.prompt import TurnPrompt, find_hindrance
from app.agent.tool_runner import READ_FIRST, READ_NEXT
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Message, MessageStatus
from app.core.conversation.shared_file import SharedFile
from app.core.state.tool_use import Use, UseState
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.outside_turns import FREELY, LOOK, PUT, ROW, RUNNING, SETTINGS
from tests.unit.agent.scripted import PaperDraft, Part, ScriptedModel, answers
from tests.unit.core.threads import THREAD, said


class Heard:
    """A turn whose owner writes each time it looks something up; `news` is what nobody has read yet."""

    def __init__(self, *scripts: list[Part], words: tuple[Message, ...]) -> None:
        self.coming, self.news, self.asked_after = [*words], list[Message](), list[int]()
        self.shop = Workshop(FREELY, looks=self._look)
        self.model, self.draft = ScriptedModel(*scripts), PaperDraft()
        self.reports = list[tuple[int, ...]]()
        prompt = TurnPrompt(
            RUNNING,
            (said(1, "Hi"), ROW),
            ThreadToolset(RUNNING, (), lambda: "1770000000.000001"),
            outside=self.shop.hands,
            report=self._report,
            hear=self._hear,
            has_news=lambda: bool(self.news),
            hinder=lambda: READ_FIRST if self.news else "",
        )
        self.turn = TurnTask(self.model, SETTINGS, prompt, self.draft)

    def _look(self, _given: Any) -> str:
        self.news += [self.coming.pop(0)] if self.coming else []
        return "seen"

    async def _hear(self, after: int) -> tuple[Message, ...]:
        self.asked_after.append(after)
        heard, self.news = tuple(row for row in self.news if row.seq > after), []
        return heard

    async def _report(self, _row: Message, _uses: tuple[Use, ...], _rounds: int, heard: tuple[Message, ...]) -> None:
        self.reports.append(tuple(row.seq for row in heard))

    def told(self, request: int) -> list[str]:
        """What a request says last: results of tools, and words."""
        blocks = self.model.asked[request].messages[-1]["content"]
        return [block.get("text") or block["content"] for block in blocks]


@pytest.mark.req("AG-03")
async def test_no_write_of_the_round_begins_once_its_owner_has_written_and_the_next_request_reads_why() -> None:
    it = Heard(answers(LOOK, PUT), answers(text="I leave it."), words=(said(3, "wait, do not post"),))
    closed = await it.turn.reply()
    assert it.told(1) == ["seen", READ_FIRST, "wait, do not post"]
    assert it.shop.done == []
    assert (closed.status, closed.text) == (MessageStatus.COMPLETE, "I leave it.")


@pytest.mark.req("AG-03")
@pytest.mark.parametrize(
    ("asked", "files", "reason"),
    [
        ((), (), ""),
        ((3,), (), ""),
        ((3, 5), (1,), READ_FIRST),
        ((5,), (5,), READ_NEXT),
        ((5, 6), (5,), READ_NEXT),
    ],
    ids=["nobody", "the task of a run", "the owner", "with a file", "with a file and once more"],
)
def test_whatever_the_owner_has_written_hinders_a_write_also_if_it_can_only_be_read_by_the_next_answer(
    asked: tuple[int, ...], files: tuple[int, ...], reason: str
) -> None:
    shared = tuple(SharedFile(id=f"F{seq}", name="costs.csv", seq=seq, by_owner=True) for seq in files)
    assert find_hindrance(replace(RUNNING, planned=3, asked=asked, files=shared)) == reason


@pytest.mark.req("AG-03")
async def test_a_write_under_way_ends_and_those_behind_it_wait_for_what_was_written_meanwhile() -> None:
    news = list[str]()

    def put(_given: Any) -> str:
        news.append("stop")
        return "posted"

    shop = Workshop(FREELY, puts=put)
    first, second = [Use(id=each, tool="put", input='{"to": "ops", "text": "Hi"}') for each in ("p1", "p2")]
    hands = replace(shop.hands, hinder=lambda: READ_FIRST if news else "")
    done = await hands.write((first, second), shop.report)
    assert [(use.state, use.result, use.failed) for use in done] == [
        (UseState.DONE, "posted", False),
        (UseState.DONE, READ_FIRST, True),
    ]
    assert [key for key, _ in shop.done] == ["p1"]


@pytest.mark.req("AG-03")
async def test_what_was_written_meanwhile_is_read_once_and_kept_with_the_reply_that_answers_it() -> None:
    words = (said(3, "use #ops"), said(4, "and be short"))
    again = ToolUse(id="l2", name="look", input={"text": "cellar"})
    it = Heard(answers(LOOK, text="I look."), answers(again, text="So."), answers(text="Done."), words=words)
    closed = await it.turn.reply()
    assert it.asked_after == [2, 3], "each time only what came after what it has read"
    assert it.reports == [(3,), (4,)]
    assert (it.told(1), it.told(2)) == (["seen", "use #ops"], ["seen", "and be short"])
    assert (closed.heard, closed.heard_at) == ((3, 4), (len("I look."), len("I look.\n\nSo.")))
    assert it.draft.breaks == [*closed.heard_at], "what answers words grows below them"


@pytest.mark.req("SE-04")
@pytest.mark.parametrize(
    ("author", "known"), [("U9", {"tool:look", THREAD.channel}), (said(1, "").author, {"tool:look"})]
)
async def test_words_of_another_person_that_are_read_meanwhile_are_known_by_their_place(
    author: str, known: set[str]
) -> None:
    words = (said(3, "it is 300", author=author),)
    closed = await Heard(answers(LOOK), answers(text="Done."), words=words).turn.reply()
    assert {*(closed.sources or ())} == known
