"""Words in quotation marks, seen from the people's side: what nobody wrote does not stand there as theirs."""

from __future__ import annotations

import pytest

from app.playground.claude import Pace, Turn
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import begins, card, submission
from tests.unit.decision.components.worked import minimal


@pytest.mark.req("FA-09")
async def test_a_reply_a_summary_and_a_result_quote_people_letter_for_letter_or_without_marks(room: Chat) -> None:
    _, thread = await begins(room)
    reply = 'You said "the hall is cold" and Maya wrote "we move". Is the "red line" 15k?'
    room.will_answer(Turn(text=reply, pace=Pace(chunk=7)))
    await room.says("The hall is cold, and we should move soon.", thread=thread)
    await room.sees('You said "the hall is cold" and Maya wrote we move. Is the "red line" 15k?', thread=thread)
    await room.rests()
    draft = minimal("issue_raising")
    draft["potential_decisions"][0]["description"] = 'Where to meet, as Maya said "we move soon"'
    summary = 'Maya said "we should move soon" and said "in May at the latest".'
    room.will_answer(Turn(text=summary), submission("issue_raising", draft))
    await room.says("done", thread=thread)
    shown = await card(room, thread)
    assert "as Maya said we move soon" in text_of(shown)
    told = room.claude.requests[-1].prompt.last_user_text
    assert 'Maya said "we should move soon" and said "in May at the latest".' not in told
    assert 'Maya said "we should move soon" and said in May at the latest.' in told
