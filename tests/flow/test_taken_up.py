"""What is written where nothing is kept is not lost: its author goes on with it."""

from __future__ import annotations

from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from handlers.slack import action_ids
from tests.flow.called import labels
from tests.flow.chat import Chat
from tests.flow.deciding import conversation, decides, leads_to_record, presses
from tests.unit.decision.components.worked import minimal

WORDS = "Also where to sleep"


async def test_who_writes_into_a_finished_step_goes_on_with_that_message(room: Chat) -> None:
    await decides(room)
    thread = await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    await room.says(WORDS, thread=thread)
    hint = await room.sees(decision_steps.NOT_KEPT, thread=thread)
    assert labels(hint) == ["Go on with this message", "Discuss again"]
    await room.rests()
    assert (await conversation(room, thread)).lifecycle is Lifecycle.COMPLETE

    room.will_answer("Where could you sleep?")
    await presses(room, thread, action_ids.GO_ON_WITH)
    await room.sees(decision_steps.REOPENED_STEP, thread=thread)
    await room.sees("Where could you sleep?", thread=thread)
    await room.rests()
    now = await conversation(room, thread)
    assert (now.lifecycle, now.phase) == (Lifecycle.IN_PROGRESS, Phase.GATHER)
    assert WORDS in str(room.claude.requests[-1].prompt.messages[-1])


async def test_who_writes_into_an_archived_thread_goes_on_with_that_message(room: Chat) -> None:
    thread = await room.exchanges("@Threadwise hello", "Hello! How can I help?")
    await room.says("@Threadwise archive", thread=thread)
    await room.sees("Archived by", thread=thread)
    await room.says("When does the bus leave?", thread=thread)
    room.will_answer("At nine.")
    await presses(room, thread, action_ids.GO_ON_WITH)
    await room.sees("At nine.", thread=thread)
    assert "When does the bus leave?" in str(room.claude.requests[-1].prompt.messages[-1])


async def test_a_file_that_was_shared_in_an_archived_thread_is_read_with_its_message(room: Chat) -> None:
    thread = await room.exchanges("@Threadwise hello", "Hello! How can I help?")
    await room.says("@Threadwise archive", thread=thread)
    await room.sees("Archived by", thread=thread)
    await room.says("Which rent is lowest?", thread=thread, files={"costs.csv": b"City,Rent\nLisbon,937"})
    room.will_answer("Lisbon's.")
    await presses(room, thread, action_ids.GO_ON_WITH)
    await room.sees("Lisbon's.", thread=thread)
    assert "B2: 937" in str(room.claude.requests[-1].prompt.messages[-1])
