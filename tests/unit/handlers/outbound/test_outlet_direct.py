"""What is told in somebody's direct messages is there once, with the way to the thread it is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.effect import PostEphemeral, SendDirectMessage
from app.core.errors import PlaceGone, SlackUnavailable
from tests.fakes import virtual
from tests.unit.handlers.place import Place
from tests.unit.handlers.strict_slack import Post, conversation

POST, WHISPER = "chat.postMessage", "chat.postEphemeral"
TOLD = SendDirectMessage(id="r:0:0", user="U1", text="I cannot write in <#C1> any more.", since="1600000000.000001")


@virtual
async def test_it_is_said_in_direct_messages_with_a_link_to_the_thread(place: Place) -> None:
    await place.outlet.tell_directly(replace(conversation(), title="The digest"), TOLD, unsure=False)
    (post,) = place.posts
    assert (post.channel, post.thread) == ("DU1", "")
    assert place.slack.made("conversations.history") == []
    (block,) = post.blocks
    link = "<https://acme.slack.com/archives/C1/p1600000000000001|The digest>"
    assert block["text"]["text"] == f"I cannot write in <#C1> any more.\n{link}"


@virtual
async def test_what_may_have_arrived_is_looked_for_and_not_said_twice(place: Place) -> None:
    place.slack.faults[POST] = [SlackUnavailable(POST, ambiguous=True)]
    with pytest.raises(SlackUnavailable):
        await place.outlet.tell_directly(conversation(), TOLD, unsure=False)
    place.slack.posts["1800000000.000001"] = Post("DU1", "Thanks", [], {})
    await place.outlet.tell_directly(conversation(), TOLD, unsure=True)
    assert len(place.slack.made(POST)) == 1


@virtual
async def test_another_loss_is_told_though_one_was_told_before(place: Place) -> None:
    await place.outlet.tell_directly(conversation(), TOLD, unsure=False)
    await place.outlet.tell_directly(conversation(), replace(TOLD, id="s:0:0"), unsure=True)
    assert len(place.posts) == 2


@virtual
async def test_private_words_for_a_place_that_is_closed_go_to_direct_messages_and_name_the_place(place: Place) -> None:
    place.slack.faults[WHISPER] = [PlaceGone(WHISPER, "not_in_channel")]
    await place.outlet.tell(conversation(), PostEphemeral(id="r:1", user="U1", text="I have forgotten it."))
    (post,) = place.posts
    assert (post.channel, post.text) == ("DU1", "<#C1>: I have forgotten it.")


@virtual
async def test_private_words_that_direct_messages_do_not_take_are_given_up(place: Place) -> None:
    now = conversation()
    direct = replace(now, thread=replace(now.thread, channel="D1"))
    place.slack.faults[WHISPER] = [PlaceGone(WHISPER, "is_archived")]
    with pytest.raises(PlaceGone):
        await place.outlet.tell(direct, PostEphemeral(id="r:1", user="U1", text="I have forgotten it."))
    assert place.posts == []
