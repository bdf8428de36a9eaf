"""What the model wants to do outside is asked about: allowed, always, told to wait, never; and it is remembered.

Requirements T7 and T8; scenario 9 of their part 7."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.copy import permission_cards
from app.core.state.permission import LABELS
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import DENIED, INTERRUPT_EXPLANATION, INTERRUPT_TOOL
from tests.flow.called import labels
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, text_of
from tests.flow.permitting import (
    ALLOW,
    ALLOW_ALL,
    ALWAYS,
    NEVER,
    WAIT,
    asked,
    decides,
    final,
    posted,
    posting,
    presses,
    told,
    wants,
)

INTERRUPTED = permission_cards.INTERRUPTED


room = fixture_of(chatting, **UNLIMITED)


@pytest.mark.req("S3-017")
async def test_nothing_is_posted_elsewhere_before_its_owner_allows_it(room: Chat) -> None:
    thread = await wants(room, posting("The rota", said="I put it there."), "Done: it stands in #ops.")
    card = await asked(room, thread)
    assert "<@" in text_of(card)
    assert "The rota" in text_of(card)
    assert labels(card) == [label for _, label in LABELS]
    assert (await room.conversation(thread)).status is Status.WAITING_INPUT
    assert posted(room) == []
    await presses(room, card, ALLOW)
    await room.sees("Done: it stands in #ops.", thread=thread)
    await room.rests()
    assert posted(room) == ["The rota"]
    led = await room.conversation(thread)
    assert (led.run, led.status, led.turn) == (TurnState.IDLE, Status.ACTIVE, None)
    closed = next(text_of(each) for each in room.thread(thread) if each.ts == card.ts)
    assert "Allowed once" in closed
    assert labels(next(each for each in room.thread(thread) if each.ts == card.ts)) == []


async def test_after_the_answer_the_words_go_on_in_the_message_that_had_waited(room: Chat) -> None:
    thread = await wants(room, posting("The rota", said="I put it there."), "Done.")
    before = await room.sees("I put it there.", thread=thread)
    await decides(room, thread, ALLOW)
    assert await final(room, thread, "Done.") == "I put it there.\n\nDone."
    assert (await room.sees("Done.", thread=thread)).ts == before.ts


@pytest.mark.req("S3-002", "S3-020", "S3-072")
async def test_wait_with_three_uses_open_gives_three_results_in_one_message_and_does_nothing(room: Chat) -> None:
    thread = await wants(room, posting("one", "two", "three", said="I post them."))
    await decides(room, thread, WAIT)
    await room.sees(INTERRUPTED, thread=thread)
    question = await room.sees("What should I do differently?", thread=thread)
    await room.rests()
    led = await room.conversation(thread)
    assert (led.run, led.status, len(room.claude.requests)) == (TurnState.IDLE, Status.WAITING_INPUT, 1)
    await room.exchanges("tell me here instead", "Then I leave it.", thread=thread)
    await room.rests()
    (message,) = [each for each in room.claude.requests[-1].prompt.messages if each.of("tool_result")]
    assert [each["content"] for each in message.of("tool_result")] == [
        f"{INTERRUPT_TOOL}\n\n{INTERRUPT_EXPLANATION}"
    ] * 3
    assert all(failed for _, failed in told(room))
    assert "tell me here instead" in message.text
    assert posted(room) == []
    assert (await room.conversation(thread)).status is Status.ACTIVE
    answered = next(text_of(each) for each in room.thread(thread) if each.ts == question.ts)
    assert "tell me here instead" in answered


@pytest.mark.req("S3-029", "S3-047", "S3-052")
async def test_what_was_done_before_wait_keeps_its_result(room: Chat) -> None:
    thread = await wants(room, posting("one", "two", "three"))
    await decides(room, thread, ALLOW, "(1 of 3)")
    await decides(room, thread, WAIT, "(2 of 3)")
    await room.sees(INTERRUPTED, thread=thread)
    await room.rests()
    await room.exchanges("leave the rest", "All right.", thread=thread)
    assert [failed for _, failed in told(room)] == [False, True, True]
    assert posted(room) == ["one"]


async def test_words_instead_of_a_click_are_a_wait_with_what_to_do(room: Chat) -> None:
    thread = await wants(room, posting("The rota"), posting("elsewhere"))
    await room.says("no, post it to #random instead", thread=thread)
    await room.sees(INTERRUPTED, thread=thread)
    await asked(room, thread, "elsewhere")
    await room.rests()
    last = room.claude.requests[-1].prompt.messages[-1]
    assert [each["content"] for each in last.of("tool_result")] == [f"{INTERRUPT_TOOL}\n\n{INTERRUPT_EXPLANATION}"]
    assert "no, post it to #random instead" in last.text
    assert posted(room) == []
    assert not [each for each in room.thread(thread) if "do differently?" in text_of(each)]
    assert not [each for each in room.thread(thread) if "Tell me here" in text_of(each)], "they have just told it"


@pytest.mark.req("S3-053", "S3-073")
async def test_of_several_uses_each_is_decided_by_itself_and_the_model_gets_all_results_at_once(room: Chat) -> None:
    thread = await wants(room, posting("one", "two", "three"), "So two of three.")
    await decides(room, thread, ALLOW, "(1 of 3)")
    await decides(room, thread, ALLOW, "(2 of 3)")
    await decides(room, thread, NEVER, "(3 of 3)")
    await room.sees("So two of three.", thread=thread)
    await room.rests()
    assert [failed for _, failed in told(room)] == [False, False, True]
    assert told(room)[2][0] == DENIED.format(tool="post_message")
    assert posted(room) == ["one", "two"]
    assert len(room.claude.requests) == 2


async def test_always_holds_for_the_rest_of_the_round_the_next_turn_and_after_a_restart_until_revoked(
    room: Chat,
) -> None:
    thread = await wants(room, posting("one", "two"), "Both.")
    await decides(room, thread, ALWAYS)
    await room.sees("Both.", thread=thread)
    await room.rests()
    assert posted(room) == ["one", "two"]
    await room.stops()
    await room.starts()
    room.will_answer(posting("three"), "Again.")
    await room.says("and the third", thread=thread)
    await room.sees("Again.", thread=thread)
    await room.rests()
    assert posted(room) == ["one", "two", "three"]
    (rule,) = await room.store.permissions.list(room.slack.team_id, (await room.conversation(thread)).owner)
    assert (rule.allows, rule.label) == (True, "posting to #ops")
    await room.store.permissions.revoke(rule.team, rule.user, rule.tool, rule.scope)
    room.will_answer(posting("four"))
    await room.says("and the fourth", thread=thread)
    await asked(room, thread, "four")
    assert posted(room) == ["one", "two", "three"]


async def test_never_is_told_to_the_model_at_once_and_from_then_on_nobody_is_asked(room: Chat) -> None:
    thread = await wants(room, posting("one"), "Not then.", posting("two"), "Neither.")
    await decides(room, thread, NEVER)
    await room.sees("Not then.", thread=thread)
    assert told(room)[0][0].startswith("Permission to use post_message denied. It was forbidden for good")
    assert told(room) == [(DENIED.format(tool="post_message"), True)]
    await room.says("try again", thread=thread)
    await room.sees("Neither.", thread=thread)
    await room.rests()
    assert posted(room) == []
    assert len([each for each in room.thread(thread) if "Always = " in text_of(each)]) == 0


async def test_a_channel_that_became_another_one_while_somebody_thought_gets_nothing(room: Chat) -> None:
    thread = await wants(room, posting("The rota"), "It moved.")
    await asked(room, thread)
    people, maya = room.slack.workspace, room.id_of("Maya")
    ops = people.channel_named("#ops")
    assert ops
    people.channels[ops.id] = replace(ops, name="ops-old")
    people.join(people.found("ops", ops.kind, maya), room.slack.bot_user_id, maya)
    await decides(room, thread, ALLOW)
    await room.sees("It moved.", thread=thread)
    assert told(room)[0][1]
    assert "has changed" in told(room)[0][0]
    await room.rests()
    assert not [line for line in posted(room) if "The rota" in line]


@pytest.mark.req("AG-09")
async def test_three_writes_of_one_round_are_listed_and_one_click_allows_them_all_in_order(room: Chat) -> None:
    thread = await wants(room, posting("Soup.", "Bread.", "Cake."), "All posted.")
    card = await asked(room, thread)
    assert all(f"{number}. post" in str(card.blocks) for number in (1, 2, 3))
    for words in ("Soup.", "Bread.", "Cake."):
        assert words in str(card.blocks)
    assert posted(room) == []
    await presses(room, card, ALLOW_ALL)
    await final(room, thread, "All posted.")
    assert posted(room) == ["Soup.", "Bread.", "Cake."]
    assert "All 3 allowed once" in text_of(
        next(each for each in room.thread(thread) if "allowed once" in text_of(each))
    )
    assert [failed for _, failed in told(room)] == [False] * 3


@pytest.mark.req("AG-09")
async def test_allow_for_one_of_several_allows_no_other(room: Chat) -> None:
    thread = await wants(room, posting("Soup.", "Bread.", "Cake."), "Posted some.")
    await decides(room, thread, ALLOW, "(1 of 3)")
    await asked(room, thread, "(2 of 3)")
    await room.rests()
    assert posted(room) == ["Soup."]
    await decides(room, thread, ALLOW_ALL, "(2 of 3)")
    await final(room, thread, "Posted some.")
    assert posted(room) == ["Soup.", "Bread.", "Cake."]


@pytest.mark.req("AG-04")
@pytest.mark.parametrize("word", ["", "stop"], ids=["wait", "stop"])
async def test_of_several_writes_the_line_below_tells_of_what_was_done_before_the_owner_said_wait_or_stop(
    room: Chat, word: str
) -> None:
    thread = await wants(room, posting("Soup.", "Bread.", said="I post both."), "Another answer.")
    await decides(room, thread, ALLOW, "(1 of 2)")
    second = await asked(room, thread, "(2 of 2)")
    await room.rests()
    if word:
        await room.says(word, thread=thread)
    else:
        await presses(room, second, WAIT)
    line = await room.sees("🔎 Posted to #ops", thread=thread)
    assert text_of(line).startswith("I post both.")
    await room.rests()
    assert posted(room) == ["Soup."]


@pytest.mark.req("AG-09")
async def test_the_fourth_card_for_one_channel_recommends_always_in_any_thread(room: Chat) -> None:
    for number in range(3):
        thread = await wants(room, posting(f"Menu {number}."), f"Posted {number}.")
        assert "💡" not in str((await asked(room, thread)).blocks)
        await decides(room, thread, ALLOW)
        await final(room, thread, f"Posted {number}.")
    thread = await wants(room, posting("Menu 4."), "Posted again.")
    card = await asked(room, thread, "You have allowed this 3 times.")
    assert all(label in str(card.blocks) for _, label in LABELS)
