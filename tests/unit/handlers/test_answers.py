"""The form for an answer in words: who may open it, and what becomes of what is sent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_steps, texts
from app.core.events.acts import QuestionAnswered, SummaryRequested
from app.core.pending.answer_reading import OTHER
from app.core.state.interview import InterviewCommand, Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Kind, Status
from handlers.slack import action_ids
from handlers.views.kit.mrkdwn import resolve_markup
from handlers.views.windows.forms import build_answer_form
from handlers.views.windows.new_decision import build_draft_form
from tests.fakes import virtual
from tests.unit.handlers.editing.fronts import step
from tests.unit.handlers.front import TRIGGER, Front, Json, happened, pressed_below, pressed_in, sent, written
from tests.unit.handlers.payloads import ANN, BOT, MAYA, payload
from tests.unit.handlers.talks import talk, waiting

ASKED = waiting(1)


def pressed(now: Conversation = ASKED, card: int = 3, user: str = MAYA) -> Json:
    body = pressed_below(now.thread.channel, action_ids.ANSWER_FORM, user, str(card))
    body["message"]["thread_ts"] = now.thread.root
    return body


@virtual
async def test_the_button_opens_a_form_with_the_question_and_is_no_answer(front: Front) -> None:
    now = await front.has(ASKED)
    assert await front.sends(pressed()) == ""
    assert front.made("views.open") == [{"trigger_id": TRIGGER, "view": build_answer_form(now.thread, 3, "By when?")}]
    assert front.taken == []


@virtual
@pytest.mark.parametrize(
    ("now", "click", "sentence"),
    [
        (waiting(1, owner=ANN), pressed(), texts.NOT_OWNER.format(owner=f"<@{ANN}>")),
        (ASKED, pressed(card=2), texts.ALREADY_DONE),
        (talk(1), pressed(), texts.ALREADY_DONE),
        (talk(2), pressed(), texts.ALREADY_DONE),
    ],
)
async def test_who_may_not_answer_or_comes_too_late_is_told_alone(
    front: Front, now: Conversation, click: Json, sentence: str
) -> None:
    await front.has(now)
    await front.sends(click)
    (told,) = front.made("chat.postEphemeral")
    assert (told["user"], told["text"], told["thread_ts"]) == (MAYA, sentence, ASKED.thread.root)
    assert front.made("views.open") == []


@virtual
@pytest.mark.req("SE-06")
async def test_an_owner_who_sees_the_channel_no_more_is_shown_no_question(front: Front) -> None:
    now = await front.has(ASKED)
    front.unseen.add((MAYA, now.thread.channel))
    await front.sends(pressed())
    (told,) = front.made("chat.postEphemeral")
    assert (told["text"], front.made("views.open")) == (texts.NOT_SEEN, [])


@virtual
async def test_nobody_writes_an_answer_that_a_removed_component_could_not_take(front: Front) -> None:
    lead = step().interview
    assert lead is not None
    await front.has(replace(ASKED, kind=Kind.COMPONENT, interview=replace(lead, component="weather")))
    await front.sends(pressed())
    (told,) = front.made("chat.postEphemeral")
    assert (told["text"], front.made("views.open")) == (decision_steps.RETIRED, [])


@virtual
async def test_a_store_that_is_away_is_told_to_whoever_pressed(front: Front) -> None:
    front.is_away = True
    await front.sends(pressed(waiting(1, channel="D0DIRECT1")))
    (told,) = front.made("chat.postEphemeral")
    assert told["text"] == texts.NOT_NOW
    assert "thread_ts" not in told


@virtual
@pytest.mark.req("S2-041")
async def test_what_is_sent_answers_the_question(front: Front) -> None:
    await front.has(ASKED)
    form = build_answer_form(ASKED.thread, 3, "By when?")
    assert await front.sends(sent(form, answer=written("Friday"))) == ""
    (event,) = front.taken
    assert isinstance(event, QuestionAnswered)
    assert (event.thread, event.card, event.value) == (ASKED.thread, 3, f"{OTHER}Friday")


@virtual
async def test_what_cannot_be_taken_in_keeps_the_form_open_with_a_sentence(front: Front) -> None:
    front.is_away = True
    answered = await front.sends(sent(build_answer_form(ASKED.thread, 3, "By when?"), answer=written("Friday")))
    assert answered == {"response_action": "errors", "errors": {"answer": texts.NOT_NOW}}


@virtual
async def test_blanks_are_no_answer_and_keep_the_form_open(front: Front) -> None:
    await front.has(ASKED)
    answered = await front.sends(sent(build_answer_form(ASKED.thread, 3, "By when?"), answer=written(" \n ")))
    assert answered == {"response_action": "errors", "errors": {"answer": texts.ANSWER_EMPTY}}
    assert front.taken == []


@virtual
async def test_an_answer_to_what_was_forgotten_keeps_the_form_open_and_says_so(front: Front) -> None:
    answered = await front.sends(sent(build_answer_form(ASKED.thread, 3, "By when?"), answer=written("Friday")))
    assert answered == {"response_action": "errors", "errors": {"answer": texts.NOTHING_HERE}}


@virtual
async def test_a_button_of_what_was_forgotten_says_so_where_it_stands(front: Front) -> None:
    press = pressed_below("C1", action_ids.STOP, value="7")
    press["message"]["thread_ts"] = "1770000100.000100"
    assert await front.sends(press) == ""
    (told,) = front.made("chat.postEphemeral")
    assert told == {"channel": "C1", "user": MAYA, "text": texts.NOTHING_HERE, "thread_ts": "1770000100.000100"}


@virtual
@pytest.mark.parametrize("order", ["help", "status", "archive", "reopen", "erase"])
async def test_an_order_in_a_thread_that_is_not_ours_says_how_to_begin(front: Front, order: str) -> None:
    said = {"text": f"<@{BOT}> {order}", "ts": "1770000200.000200", "thread_ts": "1770000100.000100"}
    for kind in ("app_mention", "message"):  # Slack tells both
        await front.sends(happened(kind, channel="C1", user=MAYA, **said))
    (told,) = front.made("chat.postEphemeral")
    assert (told["text"], told["thread_ts"]) == (texts.NOTHING_HERE, "1770000100.000100")


@virtual
async def test_an_order_in_direct_messages_says_it_below_all_threads(front: Front) -> None:
    said = {"text": "archive", "ts": "1770000200.000200", "thread_ts": "1770000100.000100"}
    await front.sends(happened("message", channel="D0DIRECT1", channel_type="im", user=MAYA, **said))
    assert front.made("chat.postEphemeral") == [{"channel": "D0DIRECT1", "user": MAYA, "text": texts.NOTHING_HERE}]


@virtual
async def test_stop_among_others_is_nothing_to_us(front: Front) -> None:
    said = {"text": "stop", "ts": "1770000200.000200", "thread_ts": "1770000100.000100"}
    await front.sends(happened("message", channel="C1", user=MAYA, **said))
    assert front.slack.calls == []


@virtual
async def test_a_message_that_cannot_be_taken_in_is_not_acknowledged(front: Front) -> None:
    front.is_away = True
    assert await front.sends(payload("message_mention")) == 503
    assert front.slack.calls == []


@virtual
@pytest.mark.parametrize("more", [{}, {"thread_ts": "1770000100.000100"}], ids=["root", "reply"])
async def test_a_message_that_slack_gives_up_is_told_once_to_whoever_wrote_it(front: Front, more: Json) -> None:
    front.is_away = True
    said = {"channel": "C1", "user": MAYA, "text": f"<@{BOT}> hi", "ts": "1770000200.000200", **more}
    for retry in range(4):
        for kind in ("app_mention", "message"):  # Slack tells both
            assert await front.sends(happened(kind, **said), retry) == 503
        assert len(front.made("chat.postEphemeral")) == (retry == 3)
    assert front.made("chat.postEphemeral") == [{"channel": "C1", "user": MAYA, "text": texts.MESSAGE_LOST, **more}]


@virtual
async def test_what_people_say_to_each_other_is_not_told_as_lost(front: Front) -> None:
    front.is_away = True
    said = {"text": "at nine?", "ts": "1770000200.000200", "thread_ts": "1770000100.000100"}
    assert await front.sends(happened("message", channel="C1", user=MAYA, **said), 3) == 503
    assert front.slack.calls == []


@virtual
async def test_a_button_without_a_message_around_it_is_acknowledged_and_opens_nothing(front: Front) -> None:
    assert await front.sends(pressed_in({}, action_ids.ANSWER_FORM)) == ""
    assert front.slack.calls == []


@virtual
async def test_a_sentence_that_cannot_be_said_in_time_is_let_be(front: Front) -> None:
    front.is_away, front.slack.seconds = True, 60.0
    await front.sends(pressed())
    assert front.clock.monotonic() < 3


@virtual
async def test_a_click_that_cannot_be_taken_in_is_told_even_without_a_ledger(front: Front) -> None:
    front.is_away = True
    press = pressed_below("C1", action_ids.STOP, value="7")
    press["message"]["thread_ts"] = "1770000100.000100"
    assert await front.sends(press) == 503
    (told,) = front.made("chat.postEphemeral")
    assert told == {"channel": "C1", "user": MAYA, "text": texts.STORE_AWAY, "thread_ts": "1770000100.000100"}


# --- the draft of a step

STEP = step(draft={}, owner=MAYA, lifecycle=Lifecycle.READY, phase=Phase.INTRO)


def wants_draft(now: Conversation = STEP, user: str = MAYA) -> Json:
    return pressed_below(now.thread.channel, action_ids.DRAFT_IT, user, now.thread.root)


@virtual
@pytest.mark.req("AG-06")
async def test_a_step_that_has_just_begun_is_drafted_from_what_its_owner_writes(front: Front) -> None:
    await front.has(STEP)
    await front.sends(wants_draft())
    form = build_draft_form(STEP.thread, "Objectives")
    assert front.made("views.open") == [{"trigger_id": TRIGGER, "view": form}]
    assert await front.sends(sent(form, MAYA, **{"material:0": written("Oslo is far.")})) == ""
    assert await front.sends(sent(form)) == ""
    event, bare = front.taken
    assert isinstance(event, SummaryRequested)
    assert isinstance(bare, SummaryRequested)
    assert (event.thread, event.signal) == (STEP.thread, InterviewCommand.DRAFT)
    assert [(each.author, each.text) for each in event.material] == [(MAYA, "Oslo is far.")]
    assert event.material[0].name
    assert bare.material == ()


@virtual
@pytest.mark.req("SE-06")
async def test_an_owner_who_sees_the_channel_no_more_has_no_step_drafted_before_or_after_writing() -> None:
    front = Front()
    await front.has(STEP)
    front.unseen.add((MAYA, STEP.thread.channel))
    await front.sends(wants_draft())
    (told,) = front.made("chat.postEphemeral")
    assert (told["text"], front.made("views.open")) == (texts.NOT_SEEN, [])
    assert texts.NOT_SEEN in str(await front.sends(sent(build_draft_form(STEP.thread, "Objectives"))))
    assert front.taken == []


@virtual
@pytest.mark.req("AG-06")
@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (replace(STEP, owner=ANN), texts.NOT_OWNER.format(owner=f"<@{ANN}>")),
        (replace(STEP, status=Status.ARCHIVED), texts.ARCHIVED),
        (replace(STEP, lifecycle=Lifecycle.COMPLETE), decision_steps.CANNOT_REVISE),
        (replace(STEP, lifecycle=Lifecycle.IN_PROGRESS, phase=Phase.EXTRACT), decision_steps.ALREADY_WORKING),
        (replace(STEP, interview=None, kind=Kind.FREE), texts.NOTHING_HERE),
    ],
)
async def test_who_may_not_have_a_step_drafted_now_is_told_why_before_and_after_writing(
    front: Front, now: Conversation, sentence: str
) -> None:
    await front.has(now)
    await front.sends(wants_draft(now))
    (told,) = front.made("chat.postEphemeral")
    assert (told["user"], told["text"]) == (MAYA, sentence)
    assert front.made("views.open") == []
    answered = await front.sends(sent(build_draft_form(now.thread, "Objectives")))
    assert answered == {"response_action": "errors", "errors": {"material:0": resolve_markup(sentence)}}
    assert front.taken == []


@virtual
async def test_a_draft_that_cannot_be_taken_in_keeps_its_form_open(front: Front) -> None:
    await front.has(STEP)
    form = build_draft_form(STEP.thread, "Objectives")
    nowhere = {"response_action": "errors", "errors": {"material:0": texts.NOTHING_HERE}}
    assert await front.sends(sent({**form, "private_metadata": "{}"})) == nowhere
    front.is_away = True
    answered = await front.sends(sent(form, MAYA, **{"material:0": written("Oslo is far.")}))
    assert answered == {"response_action": "errors", "errors": {"material:0": texts.NOT_NOW}}
    assert await front.sends(pressed_in({}, action_ids.DRAFT_IT)) == ""
