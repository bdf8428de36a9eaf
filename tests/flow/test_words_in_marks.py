"""Words in quotation marks, seen from the people's side: what nobody wrote does not stand there as theirs."""

from __future__ import annotations

import pytest

from app.playground.claude import Pace, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import approves, begins, card, leads_to_card, presses, submission, talks
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


@pytest.mark.req("FA-04", "FA-09")
async def test_what_was_approved_as_a_suggestion_does_not_come_back_as_somebodys_words(room: Chat) -> None:
    _, thread = await begins(room, "Do we stay?")
    lease = {"handle": "U1", "description": "Whether the lease is renewed", "driver": "the landlord"}
    draft = {**minimal("issue_raising"), "uncertainties": [lease]}
    said = "I don't know if the lease is renewed."
    shown = await leads_to_card(room, thread, "issue_raising", draft, said, tells_figures=False)
    assert "My suggestions: what U1 may depend on" in text_of(shown)
    await approves(room, thread)
    await room.rests()
    room.will_answer('You said "the landlord" and "I don\'t know if the lease is renewed". What has changed?')
    await presses(room, thread, action_ids.REOPEN)
    told = 'You said the landlord and "I don\'t know if the lease is renewed". What has changed?'
    await room.sees(told, thread=thread)
    await room.rests()
    assert "driver: the landlord [suggested, nobody said it]" in room.claude.requests[-1].prompt.last_user_text
    draft["potential_decisions"][0]["description"] = 'Stay, as Maya said "the landlord"'
    room.will_answer(Turn(text='Maya said "the landlord".'), submission("issue_raising", draft))
    await room.says("done", thread=thread)
    assert "Stay, as Maya said the landlord" in text_of(await card(room, thread))
    assert "Maya said the landlord." in room.claude.requests[-1].prompt.last_user_text
    assert "Suggestions in the draft that nobody said: U1.driver" in room.claude.requests[-1].prompt.last_user_text
    await room.rests()
    await talks(room, thread, "That is up to the landlord.", "I see.")
    told = room.claude.requests[-1].prompt.last_user_text
    assert "driver: the landlord" in told, "somebody has said it"
    assert "nobody said it" not in told
