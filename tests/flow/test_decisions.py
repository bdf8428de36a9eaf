"""A decision begins: its hub, its steps in their threads and their order, and one step led to an approved record."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from copy import deepcopy

import pytest

from app.core.copy import decision_steps
from app.core.state.decision import ComponentStatus
from app.core.state.interview import Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.playground.slack.values.controls import find_controls
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    approves,
    begins,
    beside,
    card,
    conversation,
    decides,
    deciding,
    decision,
    interview,
    leads_to_card,
    leads_to_record,
    starts,
    thread_of,
    versions,
)
from tests.flow.test_home import at_home
from tests.unit.decision.components.worked import minimal

LATER = ("problem_frame", "objectives", "alternatives", "consequences", "tradeoffs")
"""The steps up to the one that analyses."""

ROTA = {
    "potential_decisions": [
        {
            "handle": "D1",
            "description": "How to cover the winter rota",
            "origin": "user",
            "evidence": [{"quote": "the winter rota has gaps"}],
        }
    ],
    "objectives": [],
    "uncertainties": [],
    "considerations": [],
}


@pytest.fixture(params=["socket", "http"])
async def room(request: pytest.FixtureRequest, mongo_uri: str) -> AsyncGenerator[Chat]:
    """A workspace where decisions are led, hearing Slack over a socket and, in a second run of the test, over HTTP."""
    async with deciding(mongo_uri, http=request.param == "http") as chat:
        yield chat


def roots(room: Chat) -> list[str]:
    """The first messages of steps that stand in the channel."""
    return [text_of(m) for m in room.slack.people.sees("Maya", "#general") if " of 9 · " in text_of(m)]


@pytest.mark.req("S0-051", "S0-053", "S0-057")
@pytest.mark.req("S4-010", "S4-017", "S4-046")
async def test_a_decision_begins_with_a_hub_and_leads_its_first_step_to_an_approved_record(room: Chat) -> None:
    hub, step = await begins(room)
    await room.sees("What situation are you thinking about?", thread=step)
    opened = await conversation(room, step)
    assert (opened.lifecycle, opened.phase, opened.stage) == (Lifecycle.READY, Phase.INTRO, Stage.DISCUSS)
    shown = await leads_to_card(room, step, "issue_raising", ROTA, "the winter rota has gaps")
    assert "How to cover the winter rota" in text_of(shown)
    assert "please check" not in text_of(shown), "its quote was written here"
    waiting = await conversation(room, step)
    assert (waiting.lifecycle, waiting.phase, waiting.pending) == (Lifecycle.CONFIRMED, Phase.CONFIRM, 1)
    assert await versions(room, hub) == {}, "nothing is in the record before it is approved"
    await approves(room, step)
    await room.rests()
    led = await conversation(room, step)
    assert (led.lifecycle, led.approved, led.pending) == (Lifecycle.COMPLETE, 1, 0)
    (first, *_) = (await decision(room, hub)).steps
    assert (first.status, first.version) == (ComponentStatus.COMPLETE, 1)
    kept = (await versions(room, hub))["issue_raising", 1]
    assert kept.data["potential_decisions"][0]["description"] == "How to cover the winter rota"
    assert (kept.prompt_version, kept.model) == (
        (await interview(room, step)).prepared.prompt_version,
        "claude-sonnet-5-5",
    )


@pytest.mark.req("FA-17", "TR-17")
async def test_once_its_question_is_approved_a_decision_is_called_by_it_wherever_people_meet_it(room: Chat) -> None:
    typed, begins = "What about the meeting?", "Where do we meet in May"
    asked = f"{begins}, with whom, for how long, and who of us looks for the hall and pays for it?"
    hub = await decides(room, typed)
    people = room.slack.people
    for key in ("issue_raising", "problem_frame"):
        if key == "problem_frame":
            await starts(room, hub, key)
        found = deepcopy(minimal(key))
        if "focal_decision" in found:
            found["focal_decision"]["statement"] = asked
        await leads_to_record(room, key, found)
    headed = text_of(people.sees("Maya", "#general", hub)[0])
    assert (asked in headed, headed.count(begins)) == (True, 1)
    third = await starts(room, hub, "objectives")
    head = people.sees("Maya", "#general", third)[0]
    assert (begins in text_of(head), typed in text_of(head)) == (True, False)
    assert (await conversation(room, third)).title.startswith(f"Objectives · {begins}")
    await room.until(lambda: [begins in each for each in roots(room)] == [True] * 3)
    earlier = await conversation(room, await thread_of(room, "Issue raising"))
    assert earlier.title.startswith(f"Issue raising · {begins}")
    assert typed not in "\n".join(roots(room)), "threads that had begun before are called by it as well"
    await people.opens_home("Maya")
    await people.commands("Maya", "#general", "/threadwise", "list")
    listed = await people.waits(
        lambda: [m for m in people.sees("Maya", "#general") if "3 of 9 Objectives" in text_of(m)]
    )
    assert typed not in text_of(listed[-1])
    await room.until(lambda: begins in "\n".join(at_home(room)))
    assert typed not in "\n".join(at_home(room))
    await people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "export:html")
    (file,) = await people.waits(lambda: people.files("Maya", "#general", hub))
    page = file.content.decode()
    assert f"<h1>{asked}</h1>" in page
    assert page.count(typed) == 1, "what was typed stays as a line"


@pytest.mark.req("NC-09")
async def test_one_press_of_start_begins_the_next_step_once_however_often_it_comes(room: Chat) -> None:
    await decides(room)
    first = await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    drawn = deepcopy(await card(room, first, "is in the record"))
    (start,) = (each for each in find_controls(drawn.blocks or []) if each.action_id == action_ids.START_STEP)
    for _ in range(2):
        await room.slack.people.uses_as_drawn("Maya", drawn, start, None)
    await thread_of(room, "Problem frame")
    await room.slack.people.uses_as_drawn("Maya", drawn, start, None)
    told = await room.sees(decision_steps.STEP_BEGUN.format(step="Problem frame"), thread=first)
    assert told.thread_ts == first, "it is answered where it was pressed"
    await room.rests()
    assert [text.splitlines()[0].partition(" · <")[0] for text in roots(room)] == [
        "Step 1 of 9 · *Issue raising*",
        "Step 2 of 9 · *Problem frame*",
    ]


@pytest.mark.req("S0-049", "S0-050")
async def test_a_step_cannot_be_started_before_the_one_it_builds_on(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.rests()
    message = room.slack.people.sees("Maya", "#general", hub)[0]
    offered = str(message.blocks)
    steps = ("problem_frame:", "notes_next_steps:", "objectives:", "alternatives:")
    assert [step in offered for step in steps] == [True, True, False, False], "what those build on has not begun"
    await starts(room, hub, "notes_next_steps")
    await room.rests()
    begun = [step.key for step in (await decision(room, hub)).steps if step.thread]
    assert begun == ["issue_raising", "notes_next_steps"]


@pytest.mark.req("NC-09")
async def test_a_step_whose_ground_is_missing_says_what_is_missing_and_leads_there(room: Chat) -> None:
    hub, _ = await begins(room)
    begun = {key: await starts(room, hub, key) for key in LATER}
    consequences, tradeoffs = begun["consequences"], begun["tradeoffs"]
    opening = text_of(await room.sees("There are no ratings yet", thread=tradeoffs))
    assert "already run" not in opening
    assert "surprise you" not in opening
    shown = await room.sees(decision_steps.GO_TO_GROUND.format(title="Consequences"), thread=tradeoffs)
    (link,) = [each.element for each in find_controls(shown.blocks or [])]
    assert (link["text"]["text"], link["url"].endswith(f"p{consequences.replace('.', '')}")) == (
        "Open Consequences",
        True,
    )


async def test_talk_below_the_hub_is_shown_the_way_and_is_not_kept(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.says("I think we should hire three people", thread=hub)
    await beside(room, decision_steps.HUB_HINT)
    await room.says("Hire four!", who="Sam", thread=hub)
    await room.says("@Threadwise hire four!", who="Sam", thread=hub)
    await beside(room, decision_steps.HUB_HINT, who="Sam")
    await room.rests()
    whole = await conversation(room, hub)
    rows = await room.store.conversations.transcript(whole, 0)
    assert [row.text for row in rows if row.text] == []
    assert not room.claude.requests
