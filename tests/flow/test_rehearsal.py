"""The rehearsal model in the whole program: it uses the tools as a model would, so that a demo shows what they do."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from app.core.copy import permission_cards, texts
from app.core.state.decision import ComponentStatus
from app.core.state.goal import GoalPhase, GoalStatus
from app.core.state.status import Status
from app.playground.claude import Pace
from app.playground.claude.demo.model import rehearsal
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from tests.flow.called import labels
from tests.flow.chat import Chat, chatting, text_of
from tests.flow.deciding import approves, begins, card, decides, deciding, decision, details, presses, thread_of
from tests.flow.permitting import ALLOW, NEVER, WAIT, asked, posted
from tests.flow.permitting import decides as answers
from tests.flow.permitting import presses as permits
from tests.flow.rehearsing import ends, is_shown, results, tells
from tests.flow.scheduled import has_come


@pytest.fixture
async def demo(mongo_uri: str) -> AsyncGenerator[Chat]:
    """The program, answered by the rehearsal model."""
    async with chatting(mongo_uri, look_seconds=0.1) as chat:
        chat.claude.script.answer_always(rehearsal(Pace(chunk=60, seconds=0.01)))
        yield chat


async def clicks(chat: Chat, thread: str, card: Message, label: str) -> None:
    """Maya presses the button that reads so, and the program does what follows."""
    await chat.slack.people.clicks("Maya", "#general", card.ts, f"answer:{labels(card).index(label)}")
    await chat.until(lambda: texts.QUESTION_ANSWERED.partition(" ")[0] in text_of(chat.now(card)))
    await chat.rests()


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("We have to decide something. Where do we start?", "We have to decide something. Where do we start?"),
        ("we need to decide how to keep teaching in 2027.", "How to keep teaching in 2027?"),
        ("Can we do this as a guided decision?", "Can we do this as a guided decision?"),
    ],
)
async def test_who_has_to_decide_something_is_offered_a_guided_decision(demo: Chat, said: str, question: str) -> None:
    thread = await demo.says(f"@Threadwise {said}")
    reply = await demo.sees("worth a guided decision", thread=thread)
    await demo.rests()
    assert f"'value': '{question}'" in str(demo.now(reply).blocks)


async def test_what_somebody_wants_to_build_is_asked_for_planned_made_and_accepted(demo: Chat) -> None:
    thread = await demo.says("@Threadwise I want to build a rota for the night shift")
    first = await demo.sees("What shall it be at first?", thread=thread)
    assert labels(first) == ["One page", "A checklist", "A table", texts.SOMETHING_ELSE]
    await clicks(demo, thread, first, "A checklist")
    await demo.sees("What must be in it?", thread=thread)
    await demo.says("Who is on, and whom to call", thread=thread)
    begin = await demo.sees("Shall I begin?", thread=thread, patience=30)
    await demo.rests()
    assert (await demo.conversation(thread)).goals.phase is GoalPhase.PLANNING
    await clicks(demo, thread, begin, texts.YES)
    draft = await demo.sees("Here is the first draft.", thread=thread, patience=30)
    await demo.rests()
    assert "Who is on, and whom to call" in text_of(draft)
    assert (await demo.conversation(thread)).goals.phase is GoalPhase.REVIEWING
    await demo.says("perfect, thanks!", thread=thread)
    await demo.sees("You're welcome", thread=thread, patience=30)
    await demo.rests()
    goals = (await demo.conversation(thread)).goals
    assert [(goal.status, goal.artefacts) for goal in goals.completed] == [(GoalStatus.COMPLETED, ("First draft",))]


async def test_options_become_buttons_and_a_typed_preference_is_understood(demo: Chat) -> None:
    thread = await demo.says("@Threadwise Should we hire a nurse or outsource the night shift?")
    card = await demo.sees("Which way do you lean today?", thread=thread)
    offered = ["Hire a nurse", "Outsource the night shift", "Keep things as they are", texts.SOMETHING_ELSE]
    assert labels(card) == offered
    await demo.rests()
    assert "| **Hire a nurse** |" in text_of(demo.thread(thread)[0])
    await demo.says("what does a nurse cost?", thread=thread)
    await demo.sees("I keep that beside my question", thread=thread)
    await demo.says("then the nurse, I suppose", thread=thread)
    await demo.sees("I take that as *Hire a nurse*.", thread=thread, patience=30)
    await demo.rests()
    assert texts.FROM_MESSAGE in text_of(demo.now(card))


async def test_what_is_ordered_for_at_once_runs_by_itself(demo: Chat) -> None:
    thread = await demo.says("@Threadwise Remind me in the background to drink some water")
    await demo.sees("Noted: as soon as possible", thread=thread)
    await demo.sees("It is time: “Remind me to drink some water”", thread=thread, patience=30)
    await demo.sees(texts.SCHEDULE_DONE, thread=thread)
    await demo.rests()
    assert (await demo.conversation(thread)).status is Status.ACTIVE


async def test_what_is_ordered_for_later_is_planned_and_called_off(demo: Chat) -> None:
    thread = await demo.says("@Threadwise Every Monday at 9, ask me for the three numbers of the week")
    card = await demo.sees("Every Monday at 09:00 (New York)", thread=thread)
    await demo.rests()
    await demo.says("stop asking me, please", thread=thread)
    await demo.sees("It is called off", thread=thread)
    await demo.rests()
    assert texts.SCHEDULE_CANCELLED in text_of(demo.now(card))
    await demo.says("in two minutes, tell me to stretch", thread=thread)
    once = await demo.sees("Tell me to stretch", thread=thread, patience=30)
    assert "⏰ *On " in text_of(once)


async def test_a_post_waits_for_its_owner_who_may_have_it_said_otherwise_first(demo: Chat) -> None:
    thread = await demo.says("@Threadwise post to #ops: we close at five, because of the snow")
    await answers(demo, thread, WAIT, "because of the snow")
    await demo.sees(permission_cards.DO_WHAT_INSTEAD, thread=thread)
    await demo.says("shorter", thread=thread)
    shorter = await asked(demo, thread)
    assert "snow" not in text_of(shorter)
    assert posted(demo) == []
    await permits(demo, shorter, ALLOW)
    await demo.sees("It stands in #ops", thread=thread)
    assert posted(demo) == ["We close at five"]


async def test_what_was_stopped_while_it_waited_is_asked_for_again_by_retry(demo: Chat) -> None:
    thread = await demo.says("@Threadwise post to #ops: we close at five")
    card = await asked(demo, thread)
    await demo.says("stop", thread=thread)
    stopped = await demo.sees(texts.STOPPED_EARLY, thread=thread)
    await demo.rests()
    await demo.slack.people.clicks("Maya", "#general", stopped.ts, "retry")
    again = await asked(demo, thread)
    assert (again.ts != card.ts, "We close at five" in text_of(again)) == (True, True)
    await permits(demo, again, ALLOW)
    await demo.sees("It stands in #ops", thread=thread)
    assert posted(demo) == ["We close at five"]


async def test_what_is_forbidden_stays_in_the_thread_as_a_text_to_use(demo: Chat) -> None:
    thread = await demo.says("@Threadwise tell #ops that we close at five")
    await answers(demo, thread, NEVER)
    told = await demo.sees("it was forbidden", thread=thread)
    await demo.rests()
    assert "We close at five" in text_of(demo.now(told))
    assert posted(demo) == []


async def test_a_channel_is_read_and_a_file_is_made_of_what_was_said(demo: Chat) -> None:
    await demo.says("Van 3 is back.", who="Sam", where="#ops")
    thread = await demo.says("@Threadwise what is new in #ops?")
    read = await demo.sees("here is who said what", thread=thread)
    await demo.rests()
    assert "Sam: “Van 3 is back”" in text_of(demo.now(read))
    await demo.says("make a CSV of vans, drivers and keys", thread=thread)
    await answers(demo, thread, ALLOW)
    await demo.sees("From our conversation.csv is in this thread", thread=thread)


async def test_a_digest_on_weekdays_asks_what_matters_goes_on_with_the_answer_and_is_silent_then(demo: Chat) -> None:
    for news in ("Van 3 is back.", "Who has the keys?"):
        await demo.says(news, who="Sam", where="#ops")
    thread = await demo.says("@Threadwise every weekday at 9 tell me what is new in #ops")
    await demo.sees("Weekdays at 09:00 (New York)", thread=thread)
    await has_come(demo, thread)
    question = await demo.sees("Which of these shall I follow up?", thread=thread)
    await demo.rests()
    assert labels(question) == ["Van 3 is back.", "Who has the keys?", texts.SOMETHING_ELSE]
    await clicks(demo, thread, question, "Who has the keys?")
    await demo.sees("I follow up “Who has the keys?”", thread=thread)
    await demo.rests()
    after = await demo.conversation(thread)
    assert (after.status, after.work.data) == (Status.BACKGROUND, {"follow_up": "Who has the keys?"})
    shown, requests = len(demo.thread(thread)), len(demo.claude.requests)
    await has_come(demo, thread)
    await demo.until(lambda: len(demo.claude.requests) == requests + 2)
    await demo.rests()
    assert len(demo.thread(thread)) == shown
    assert (await demo.conversation(thread)).work.last_run != after.work.last_run


@pytest.fixture
async def led(mongo_uri: str) -> AsyncGenerator[Chat]:
    """A workspace in which the rehearsal model leads decisions."""
    async with deciding(mongo_uri) as chat:
        chat.claude.script.answer_always(rehearsal(Pace(chunk=60)))
        yield chat


async def test_typed_words_become_an_approved_first_step_and_the_second_one_begins_with_them(led: Chat) -> None:
    hub, step = await begins(led, "How do we get the parcels out?")
    await led.says("The parcels pile up on Fridays. I want everybody home by six.", thread=step)
    await led.sees("I want everybody home by six", thread=step)
    await led.rests()
    await led.says("Should we hire a driver or drop the late orders? I'm not sure Christmas gets worse.", thread=step)
    await led.sees("a decision: “Should we hire a driver or drop the late orders?”", thread=step)
    await led.rests()
    await presses(led, step, action_ids.SUMMARIZE)
    await card(led, step)
    shown = await details(led, step)
    for words in ("The parcels pile up", "I want everybody home by six", "hire a driver", "Christmas gets worse"):
        assert words in shown
    assert "please check" not in shown, "each item is quoted as it was typed"
    await led.says("move D1 to uncertainties", thread=step)
    await card(led, step, "draft 2")
    assert "at least one decision" in text_of(await card(led, step, "draft 2"))
    await led.says("move U2 to decisions", thread=step)
    await card(led, step, "draft 3")
    await approves(led, step)
    await led.rests()
    assert (await decision(led, hub)).steps[0].status is ComponentStatus.COMPLETE
    await presses(led, step, action_ids.START_STEP)
    frame = await thread_of(led, "Problem frame")
    await led.sees("hire a driver or drop the late orders", thread=frame)
    await led.says("the driver one. I decide. By 18 December.", thread=frame)
    await led.sees("What is part of it, and what is not?", thread=frame)
    await led.rests()
    await led.says("only our own vans", thread=frame)
    await led.says("done", thread=frame)
    await card(led, frame)
    assert "only our own vans" in await details(led, frame)


async def test_a_step_that_is_drafted_from_words_alone_is_there_at_once(led: Chat) -> None:
    words = "Should we hire a driver? I want everybody home by six."
    _, step = await begins(led, "Should we hire a driver?", words=f"--direct {words}")
    shown = text_of(await card(led, step))
    assert "Should we hire a driver?" in shown
    assert "I want everybody home by six" in shown


TYPED: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Issue raising",
        ("The well runs dry in August. Should we dig a deeper one or buy water?", "I don't know", "help"),
    ),
    ("Problem frame", ("Yes, and I decide", "only the upper meadow")),
    ("Objectives", ("green grass, small bills, rested goats, quiet neighbours", "drop O3 and O4")),
    ("Alternatives", ("dig a deeper well, buy water by lorry", "we go on as we always have")),
    (
        "Consequences",
        (
            "A1 +1, A2 much better",
            "a lorry comes whenever we call it",
            "A1 the same on O2, the rest worse",
        ),
    ),
    ("Tradeoffs", ("I would pay more so that the grass stays green",)),
    ("Recommendation", ("The goatherd has to agree to it",)),
    ("Decision quality", ("70 for all",)),
    ("Notes and next steps", ("I will call the lorry by 12 December.",)),
)
"""What Maya types in each step, before she says that this was all."""


@pytest.mark.req("NC-03")
async def test_a_whole_decision_comes_to_nine_approved_steps_by_typed_words_in_slack(led: Chat) -> None:
    hub = await decides(led, "How do we water the goats in August?")
    for place, (title, lines) in enumerate(TYPED):
        step = await thread_of(led, title)
        for words in lines:
            if not is_shown(led, step):
                await tells(led, step, words)
        await ends(led, step, is_last=place + 1 == len(TYPED))
    assert {each.status for each in (await decision(led, hub)).steps} == {ComponentStatus.COMPLETE}
    held = await results(led, hub)
    wanted = [each["description"] for each in held["objectives"]["fundamental_objectives"]]
    assert wanted == ["green grass", "small bills"]
    cells = held["consequences"]["table"]["cells"]
    rated = {(each["alternative_id"], each["objective_id"]): each["rating"] for each in cells}
    given = {("A1", "O1"): 1, ("A2", "O1"): 2, ("A1", "O2"): 0, ("A2", "O2"): -1}
    assert rated == {**given, ("A3", "O1"): 0, ("A3", "O2"): 0}
    assert "a lorry comes whenever we call it" in str(cells)
    assert "-12-12" in str(held["notes_next_steps"])
    for words in ("help", "drop O3", "I don't know", "done"):
        assert words not in str(held["issue_raising"]) + str(held["objectives"])


@pytest.mark.req("NC-03")
async def test_the_first_question_in_a_channel_is_met_with_the_offer_of_a_decision_and_of_a_goal(demo: Chat) -> None:
    thread = await demo.says("@Threadwise should we close on Mondays?")
    await demo.sees("write `/decide` in the channel", thread=thread)
    await demo.sees("gives you a goal and a plan", thread=thread)
