"""Files that people drop into a step: what stands in them counts as said, and is told with its place."""

from __future__ import annotations

import pytest

from app.playground.claude import ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import begins, card, details, presses, submits, versions
from tests.unit.decision.components.worked import minimal

COSTS = b"City,Rent\nBerlin,1200\nLisbon,937\n"


@pytest.mark.req("IN-07", "FA-14")
async def test_a_figure_that_stands_in_a_file_alone_counts_as_said_and_is_told_with_its_cell(room: Chat) -> None:
    hub, thread = await begins(room, "Where do we rent?")
    await room.exchanges("The rents are in here.", "What else?", thread=thread, files={"costs.csv": COSTS})
    draft = minimal("issue_raising")
    draft["potential_decisions"][0]["description"] = "Lisbon costs 937, and 15k to move"
    room.will_answer(*submits("issue_raising", draft))
    await room.says("done", thread=thread)
    shown = " ".join(text_of(await card(room, thread)).split())
    assert "Nobody said this: 15k ·" in shown
    assert "Nobody said this: 937" not in shown
    assert "From files: costs.csv (B3)" in shown
    assert "937 · costs.csv, B3" in await details(room, thread)
    asked = [str(exchange.body["messages"]) for exchange in room.claude.requests[-2:]]
    assert all("B3: 937" in each for each in asked), "the summary and the submission are made with the file"
    await presses(room, thread, action_ids.CONFIRM_FIGURES)
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    version = (await versions(room, hub))["issue_raising", 1]
    assert [each.text for each in version.vouched] == ["15k"]
    assert [(each.text, each.file, each.place) for each in version.traces] == [("937", "costs.csv", "B3")]


@pytest.mark.req("IN-06")
async def test_a_step_reads_a_file_again(room: Chat) -> None:
    _, thread = await begins(room, "Where do we rent?")
    again = ToolCall("read_file", {"file": "costs.csv", "first": 3})
    room.will_answer("What else?", Turn(parts=[again]), "It is 937.")
    await room.says("The rents are in here.", thread=thread, files={"costs.csv": COSTS})
    await room.sees("What else?", thread=thread)
    await room.says("How much is Lisbon?", thread=thread)
    await room.sees("It is 937.", thread=thread)
    [result] = room.claude.requests[-1].body["messages"][-1]["content"]
    assert "B3: 937" in result["content"]
