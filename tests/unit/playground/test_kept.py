"""A workspace that is written down and put back."""

from __future__ import annotations

import pytest

from app.playground.slack import SlackOptions
from app.playground.slack.values.model import File, IdFactory, Message, Reaction
from app.playground.slack.workspace import kept
from app.playground.slack.workspace.seed import create_acme
from app.playground.slack.workspace.workspace import Workspace


def acme() -> Workspace:
    return create_acme(IdFactory(7), SlackOptions())


@pytest.mark.req("NC-02")
def test_messages_threads_files_and_whispers_come_back_as_they_were() -> None:
    before = acme()
    channel = before.channel_named("general")
    assert channel
    who = channel.members[0]
    file = File("F1", "a.png", "A", "image/png", bytes(range(256)), who, 1, "http://127.0.0.1/a")
    root = before.post(
        Message(channel.id, before.mint.ts(), who, "root", reactions=(Reaction("eyes", (who,)),), files=(file,))
    )
    reply = before.post(Message(channel.id, before.mint.ts(), who, "reply", thread_ts=root.ts, blocks=[{"type": "x"}]))
    whisper = before.whisper(Message(channel.id, before.mint.ts(), who, "psst", seen_by=who))
    direct = before.dm_with(who)
    after = acme()
    kept.restore(after, kept.serialize(before))
    assert after.messages(channel.id) == [root, reply]
    assert after.replies(channel.id, root.ts) == [reply]
    assert after.ephemerals(channel.id, who) == [whisper]
    assert after.channels == before.channels
    assert after.dm_with(who) == direct
    assert after.app == before.app


def test_ids_after_that_are_not_those_that_were_given_before() -> None:
    before = acme()
    content, given = kept.serialize(before), before.mint.id("C")
    after = acme()
    kept.restore(after, content)
    assert after.mint.id("C") != given
