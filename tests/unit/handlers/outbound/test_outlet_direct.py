"""What is told in somebody's direct messages is there once, with the way to the thread it is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.effect import SendDirectMessage
from app.core.errors import SlackUnavailable
from tests.fakes import virtual
from tests.unit.handlers.place import Place
from tests.unit.handlers.strict_slack import Post, conversation

POST = "chat.postMessage"
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
