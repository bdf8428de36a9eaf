"""*Show all*: what is too long for a permission card is read whole in a window, by the one who decides, until then."""

from __future__ import annotations

from dataclasses import replace

from app.core.copy import permission_cards
from app.playground.claude import Pace
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, text_of
from tests.flow.deciding import opens
from tests.flow.permitting import ALLOW, asked, posted, presses, using, wants

LINES = [f"- {number}. {'thing of the winter ' * 10}" for number in range(300)]
FILE = {"name": "Winter", "format": "markdown", "content": "\n".join(LINES)}
A_LONG_FILE = replace(using(("create_file", FILE)), pace=Pace(chunk=5_000))


room = fixture_of(chatting, time_scale=0.3, **UNLIMITED)


async def shows_all(chat: Chat, card: Message, who: str = "Maya") -> None:
    await chat.slack.people.clicks(who, "#general", card.ts, action_ids.SHOW_ALL)


async def test_a_long_file_is_read_page_by_page_to_its_last_line_before_it_is_allowed(room: Chat) -> None:
    people = room.slack.people
    thread = await wants(room, A_LONG_FILE, "There it is.")
    card = await asked(room, thread)
    assert LINES[9] not in text_of(card)
    await shows_all(room, card)
    read: list[str] = []
    await people.waits(lambda: people.modal("Maya"))
    while True:
        read.append(str(people.modal("Maya")))
        if "299. thing" in read[-1]:
            break
        await people.clicks_in_modal("Maya", "show_all_page:next")
        await people.waits(lambda: str(people.modal("Maya")) != read[-1])
    assert len(read) > 1
    assert [number for number in range(300) if f"{number}. " not in "".join(read)] == []
    await presses(room, card, ALLOW)
    await room.sees("There it is.", thread=thread)
    await room.rests()
    [file] = people.files("Maya", "#general", thread)
    assert file.content.decode().strip() == "\n".join(LINES).strip()


async def test_nobody_else_is_shown_it_and_looking_decides_nothing(room: Chat) -> None:
    people = room.slack.people
    thread = await wants(room, using(("post_message", {"channel": "#ops", "text": "word " * 700})), "Done.")
    card = await asked(room, thread)
    await shows_all(room, card, "Sam")
    await people.waits(lambda: [m for m in room.thread(thread, who="Sam") if "can do that here." in text_of(m)])
    assert not people.modal("Sam")
    await opens(room, lambda: shows_all(room, card))
    await room.rests()
    assert permission_cards.HINT in text_of(await asked(room, thread))
    assert (posted(room), len(room.claude.requests)) == ([], 1)
