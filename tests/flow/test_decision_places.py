"""Where a decision may begin, what it may begin with, and who is told what where it cannot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pytest

from app.core.copy import decision_steps
from app.core.state.interview import Mode, Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.sheet import Mark
from app.playground.claude import ToolCall, Turn
from app.playground.slack.values.faults import Fault
from app.playground.slack.values.options import BOT_SCOPES
from app.playground.slack.values.surfaces import View
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    CHANGE,
    QUESTION,
    approves,
    begins,
    card,
    conversation,
    decides,
    deciding,
    details,
    interview,
    leads_to_card,
    presses,
    submission,
    submits,
    thread_of,
    versions,
    window,
)
from tests.unit.decision.components.worked import minimal

ISSUES = minimal("issue_raising")


async def form(room: Chat, where: str = "#general", typed: str = QUESTION) -> View:
    """Maya types the command; gives the form that opens."""
    await room.slack.people.commands("Maya", where, "/decide", typed)
    return await window(room, decision_steps.QUESTION)


async def sends(room: Chat, place: str, people: Sequence[str] = ()) -> Mapping[str, str]:
    """Maya picks a place and people, and sends the form; gives what is said below its fields."""
    await room.slack.people.fills("Maya", place=place, people=people)
    return await room.slack.people.submits("Maya")


async def hub_in(room: Chat, channel: str) -> str:
    """Wait for the hub of Maya's decision in a channel."""
    people = room.slack.people
    return (await people.waits(lambda: [m for m in people.sees("Maya", channel) if text_of(m).startswith("🧭")]))[-1].ts


@pytest.mark.parametrize("http", [False, True])
async def test_a_decision_may_have_a_private_channel_with_whoever_was_named(mongo_uri: str, http: bool) -> None:
    async with deciding(mongo_uri, http=http) as room:
        await form(room)
        assert await sends(room, "private", ["Sam"]) == {}
        workspace = room.slack.workspace
        made = next(each for each in workspace.channels.values() if each.name.startswith("decide-how-should-we"))
        assert re.fullmatch(r"decide-[a-z-]+-[b-df-hj-np-tv-z]{4}", made.name), (
            "no digits, which could be read as a year"
        )
        names = {workspace.members[each].name for each in made.members}
        assert (made.kind, names) == ("group", {"Maya", "Sam", "Threadwise"})
        told = await window(room, decision_steps.STARTED_TITLE)
        assert made.id in str(told.given), "who is elsewhere is shown the way"
        hub = await hub_in(room, made.id)
        step = await thread_of(room, "Issue raising", where=made.id)
        assert (await conversation(room, step, where=made.id)).lifecycle is Lifecycle.READY
        assert room.slack.people.sees("Maya", "#general") == [], "nobody else reads of it"
        assert hub < step


async def test_a_decision_may_be_led_in_direct_messages_from_its_first_word_to_its_record(room: Chat) -> None:
    await form(room)
    assert await sends(room, "direct") == {}
    direct = await room.slack.people.opens_dm("Maya")
    hub = await hub_in(room, direct)
    step = await thread_of(room, "Issue raising", where=direct)
    await room.exchanges("Where do we meet?", "What else?", where=direct, thread=step)
    room.will_answer(*submits("issue_raising", ISSUES))
    await room.says("done", where=direct, thread=step)
    await card(room, step, where=direct)
    await approves(room, step, where=direct)
    await room.rests()
    assert [*await versions(room, hub, where=direct)] == [("issue_raising", 1)]
    await presses(room, step, action_ids.START_STEP, where=direct)
    await thread_of(room, "Problem frame", where=direct)


async def test_nothing_is_posted_before_the_form_is_sent_and_it_tells_how_many_would_read_it(room: Chat) -> None:
    offered = await form(room)
    assert "This channel (4 members)" in str(offered.given)
    await room.slack.people.closes("Maya")
    await room.rests()
    assert room.slack.people.sees("Maya", "#general") == []
    assert await room.documents("conversations") == 0


async def test_a_channel_without_us_is_not_offered_and_the_form_says_what_would_help(room: Chat) -> None:
    offered = await form(room, "#random")
    assert decision_steps.NOT_FROM_HERE in str(offered.given)
    assert decision_steps.HERE.partition(" ")[0] not in [
        option["text"]["text"] for block in offered.blocks for option in block.get("element", {}).get("options", ())
    ]
    with pytest.raises(LookupError):
        await room.slack.people.fills("Maya", place="here")


async def test_people_cannot_come_along_into_direct_messages(room: Chat) -> None:
    await form(room)
    assert await sends(room, "direct", ["Sam"]) == {
        action_ids.DECIDE_PEOPLE_FIELD: decision_steps.PEOPLE_WITHOUT_CHANNEL
    }
    assert await sends(room, "direct") == {}, "what was written is still there"
    assert await room.documents("conversations") <= 2


async def test_without_the_scope_for_channels_none_is_offered(mongo_uri: str) -> None:
    async with deciding(mongo_uri, scopes=BOT_SCOPES - {"groups:write"}) as room:
        offered = await form(room)
        assert decision_steps.PRIVATE not in str(offered.given)
        assert await sends(room, "here") == {}
        await thread_of(room, "Issue raising")


@pytest.mark.parametrize(
    ("method", "code", "place", "field", "sentence"),
    [
        (
            "conversations.create",
            "restricted_action",
            "private",
            action_ids.DECIDE_PLACE_FIELD,
            decision_steps.NO_CHANNELS,
        ),
        ("chat.postMessage", "not_in_channel", "here", action_ids.DECIDE_PLACE_FIELD, decision_steps.NOT_INVITED),
        ("chat.postMessage", "internal_error", "here", action_ids.DECIDE_QUESTION_FIELD, decision_steps.CANNOT_BEGIN),
    ],
)
async def test_what_slack_refuses_is_said_below_its_field_and_nothing_is_half_begun(
    room: Chat, method: str, code: str, place: str, field: str, sentence: str
) -> None:
    await form(room)
    room.slack.faults.add(Fault(method, "error", code=code))
    assert await sends(room, place) == {field: sentence}
    assert await room.documents("conversations") == 0
    assert await sends(room, "here") == {}, "the form is still there, and what is written in it"
    await thread_of(room, "Issue raising")
    assert len([m for m in room.slack.people.sees("Maya", "#general") if text_of(m).startswith("🧭")]) == 1


@pytest.mark.req("S4-018", "S4-047", "S4-055")
@pytest.mark.req("S4-002", "S4-006", "S4-059")
async def test_direct_mode_drafts_the_first_step_from_the_question_without_asking(room: Chat) -> None:
    offered = await form(room, typed=f"--direct {QUESTION}")
    assert decision_steps.FROM_WORDS in str(offered.given)
    rota = {**ISSUES, "potential_decisions": [{"handle": "D1", "description": "Cover the winter rota"}]}
    room.will_answer("It is one decision.", "Summary: the rota.", submission("issue_raising", rota))
    assert await sends(room, "here") == {}
    step = await thread_of(room, "Issue raising")
    shown = await card(room, step)
    assert "Cover the winter rota" in text_of(shown)
    await room.rests()
    led = await conversation(room, step)
    assert (led.lifecycle, led.phase) == (Lifecycle.CONFIRMED, Phase.CONFIRM)
    assert (await interview(room, step)).mode is Mode.DIRECT
    discussed, *_ = room.claude.requests
    assert QUESTION in discussed.prompt.messages[0].text
    assert not [tool for tool in discussed.prompt.tools if tool["name"] == "look_at_places"], "it begins no sub-tasks"
    await approves(room, step)


@pytest.mark.req("AG-06")
async def test_ten_thousand_characters_below_the_question_are_what_the_first_step_is_drafted_from(room: Chat) -> None:
    paper = (
        "\n".join(f"Line {number}: the depot is closed on day {number}." for number in range(400))[:9_990] + " the end."
    )
    offered = await form(room, typed=f"--direct {QUESTION}\n{paper}")
    assert decision_steps.MATERIAL in str(offered.given)
    room.will_answer("It is one decision.", "Summary: the rota.", submission("issue_raising", ISSUES))
    assert await sends(room, "here") == {}
    step = await thread_of(room, "Issue raising")
    await card(room, step)
    sent = room.claude.requests[0].prompt.messages[0].text
    assert QUESTION in sent
    assert "Line 1:" in sent
    assert paper[-200:] in sent


@pytest.mark.req("AG-06")
async def test_once_maya_asks_for_changes_a_drafted_step_is_led_with_her_and_may_ask_her(room: Chat) -> None:
    await form(room, typed=f"--direct {QUESTION}")
    room.will_answer("It is one decision.", "Summary: the rota.", submission("issue_raising", ISSUES))
    assert await sends(room, "here") == {}
    step = await thread_of(room, "Issue raising")
    await card(room, step)
    asks = ToolCall("ask_user", {"type": "choice", "prompt": "Which part?", "options": ["The rota", "The depot"]})
    room.will_answer(Turn(parts=[asks]))
    await presses(room, step, CHANGE)
    await room.sees(decision_steps.WRITE_CHANGES, thread=step)
    await room.says("It is two decisions", thread=step)
    await room.sees("Which part?", thread=step)
    assert (await interview(room, step)).mode is Mode.INTERACTIVE
    assert "Nobody is here" not in str(room.claude.requests[-1].prompt)
    await room.exchanges("The rota", "Noted.", thread=step)
    room.will_answer("Summary: the rota, again.", submission("issue_raising", ISSUES))
    await room.says("done", thread=step)
    await room.until(lambda: len(room.claude.requests) == 7)
    await room.rests()


async def discussed(room: Chat) -> str:
    """Others have talked about it already; gives the first message of their thread."""
    root = await room.says("We must sort out the winter rota", who="Sam")
    await room.says("Evenings are uncovered since October", who="Priya", thread=root)
    await room.says("And nobody wants the weekends", who="Sam", thread=root)
    return root


async def drafts(room: Chat, root: str) -> str:
    """Maya begins a decision from a thread by the shortcut on a message of it; gives the new step's thread."""
    before = {m.ts for m in room.slack.people.sees("Maya", "#general")}
    await room.slack.people.uses_shortcut("Maya", "#general", root, action_ids.DRAFT_SHORTCUT)
    await window(room, decision_steps.FROM_THREAD)
    assert await sends(room, "here") == {}

    def begun() -> list[str]:
        shown = room.slack.people.sees("Maya", "#general")
        return [m.ts for m in shown if m.ts not in before and " of 9 · " in text_of(m)]

    return (await room.slack.people.waits(begun))[0]


@pytest.mark.req("S0-228", "S4-018")
async def test_a_discussion_of_others_is_drafted_from_with_their_names_and_words(room: Chat) -> None:
    root = await discussed(room)
    rota = {
        **ISSUES,
        "potential_decisions": [
            {
                "handle": "D1",
                "description": "Who covers the evenings",
                "origin": "user",
                "evidence": [{"quote": "Evenings are uncovered since October"}],
            },
            {
                "handle": "D2",
                "description": "Whether to close on Sundays",
                "origin": "user",
                "evidence": [{"quote": "Let us close on Sundays"}],
            },
        ],
    }
    room.will_answer("Two decisions.", "Summary: the rota.", submission("issue_raising", rota))
    step = await drafts(room, root)
    shown = text_of(await card(room, step))
    assert "Who covers the evenings" in shown
    assert "Please check: nobody wrote these words: D2 Whether to close on Sundays" in shown
    whole = await details(room, step)
    assert whole.count(decision_steps.MARKS[Mark.CHECK]) == 1, "nobody wrote the other quote"
    asked = room.claude.requests[0].prompt.messages[0].text
    said = re.findall(r'from="(\w+)" user="U\w+">([^<]*)</message>', asked)
    assert ("Sam", "We must sort out the winter rota") in said
    assert ("Priya", "Evenings are uncovered since October") in said
    assert (await conversation(room, step)).approved == 0, "it counts when Maya says so"
    assert not [m for m in room.thread(root) if m.ts != root], "nothing is said in their thread"


async def test_the_same_discussion_can_be_drafted_from_twice_into_two_decisions(room: Chat) -> None:
    root = await discussed(room)
    steps: list[str] = []
    for _ in range(2):
        room.will_answer("One.", "Summary: the rota.", submission("issue_raising", ISSUES))
        steps.append(await drafts(room, root))
        await card(room, steps[-1])
        await room.rests()
    first, second = [(await interview(room, step)).decision for step in steps]
    assert first != second
    assert len(set(steps)) == 2


async def test_a_thread_in_a_channel_without_us_cannot_be_drafted_from(room: Chat) -> None:
    root = await room.says("We must sort out the winter rota", who="Sam", where="#random")
    await room.slack.people.uses_shortcut("Maya", "#random", root, action_ids.DRAFT_SHORTCUT)
    await window(room, decision_steps.FROM_THREAD)
    assert await sends(room, "private") == {action_ids.DECIDE_PLACE_FIELD: decision_steps.NOT_INVITED}
    assert await room.documents("conversations") == 0
    assert not [each for each in room.slack.workspace.channels.values() if each.name.startswith("decide-")]


async def test_a_decision_cannot_begin_without_a_question(room: Chat) -> None:
    await form(room, typed="")
    await room.slack.people.fills("Maya", question="   ", place="here")
    assert action_ids.DECIDE_QUESTION_FIELD in await room.slack.people.submits("Maya")
    assert await room.documents("conversations") == 0


async def test_two_decisions_in_one_channel_do_not_mix(room: Chat) -> None:
    first, one = await begins(room, "Where do we meet?")
    await leads_to_card(room, one, "issue_raising", ISSUES, "Oslo or Bergen")
    second = await decides(room, "What do we eat?")
    two = await thread_of(room, "Issue raising", after=second)
    await leads_to_card(room, two, "issue_raising", ISSUES, "Soup or bread")
    assert "Oslo" not in "".join(m.text for m in room.claude.requests[-1].prompt.messages)
    await approves(room, two)
    await room.rests()
    assert [*await versions(room, first)] == []
    assert [*await versions(room, second)] == [("issue_raising", 1)]
