"""The agent at work, as its owner sees it: asked, told otherwise, allowed for good, revoked, run by plan, killed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from app.core.copy import permission_cards, texts
from app.playground.claude import Pace
from app.playground.claude.demo.model import rehearsal
from tests.browser.conftest import PATIENCE, ColorScheme, OpenPage
from tests.browser.places import goes_to, message, opened_modal, parts_wider_than_their_place, say
from tests.browser.threadwise import open_home
from tests.flow.chat import UNLIMITED, Chat, chatting
from tests.flow.process import serving
from tests.flow.scheduled import has_come

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
ASKS = "Always = "
ALLOW, ALWAYS, NEVER = "Allow this time", "Always allow", "Never allow"
WAIT = "Wait and tell Claude what to do differently"


@pytest_asyncio.fixture(loop_scope="session")
async def room(mongo_uri: str) -> AsyncIterator[Chat]:
    """The program with the rehearsal model in a workspace that leaves a busy machine time to answer."""
    async with chatting(mongo_uri, limits=False, time_scale=0.2, look_seconds=0.2, **UNLIMITED) as chat:
        chat.claude.script.answer_always(rehearsal(Pace(chunk=200)))
        yield chat


async def begin(page: Page, words: str) -> None:
    """Mention the app in #general, and open the thread as soon as there is something in it."""
    await goes_to(page, "general")
    await say(page, f"@Threadwise {words}")
    await message(page, words).locator(".replies").last.click()


async def shows(page: Page, words: str, pane: str = "thread") -> Locator:
    """Wait for a message with these words, and give the newest of them."""
    found = message(page, words, pane).last
    await found.wait_for(timeout=PATIENCE)
    return found


async def test_what_is_told_to_wait_is_done_as_its_owner_says_and_stands_where_it_belongs(
    room: Chat, page_on: OpenPage
) -> None:
    page = await page_on(room.slack.page_url)
    await begin(page, "post to #ops: we close at five, because of the snow")
    card = page.locator("#thread .message", has_text="because of the snow").last
    await card.get_by_role("button", name=WAIT).click()
    await expect(page.locator("#thread")).to_contain_text("✋ Told to wait · @Maya")
    await shows(page, permission_cards.INTERRUPTED)
    await shows(page, permission_cards.DO_WHAT_INSTEAD)
    await say(page, "shorter", "thread")
    again = await shows(page, ASKS)
    await expect(again).not_to_contain_text("snow")
    await again.get_by_role("button", name=ALLOW).click()
    done = await shows(page, "It stands in #ops")
    await expect(page.locator("#thread")).to_contain_text("✅ Allowed once · @Maya")
    await expect(page.locator("#thread").get_by_role("button", name=ALLOW)).to_have_count(0)
    await done.get_by_role("link", name="It stands in #ops").click()
    post = await shows(page, "We close at five", "channel")
    await expect(post).to_contain_text("Posted for Maya by Threadwise")
    await expect(page.locator("#channel .message")).to_have_count(1)


async def test_what_is_always_allowed_is_done_unasked_until_it_is_revoked_at_home(
    room: Chat, page_on: OpenPage
) -> None:
    page = await page_on(room.slack.page_url)
    await begin(page, "post to #ops: the lift works")
    await (await shows(page, ASKS)).get_by_role("button", name=ALWAYS).click()
    await shows(page, "✅ Always allowed · @Maya")
    await shows(page, "It stands in #ops")
    await begin(page, "post to #ops: the door works")
    await shows(page, "It stands in #ops")
    await expect(page.locator("#thread .message", has_text="@Maya, post to #ops?")).to_have_count(0)
    home = await open_home(page)
    await expect(home).to_contain_text("Without asking: posting to #ops")
    await home.get_by_role("button", name=permission_cards.REVOKE).click()
    sure = await opened_modal(page, permission_cards.SURELY)
    await sure.get_by_role("button", name=permission_cards.REVOKE).click()
    await expect(home).to_contain_text(texts.PERMISSIONS)
    await begin(page, "post to #ops: the bell works")
    await shows(page, ASKS)
    assert [each.text for each in room.slack.people.sees("Maya", "#ops") if "bell" in each.text] == []


async def test_a_planned_run_comes_back_with_its_question_and_goes_on_with_the_answer(
    room: Chat, page_on: OpenPage
) -> None:
    page = await page_on(room.slack.page_url)
    for news in ("Van 3 is back.", "Who has the keys?"):
        await room.says(news, who="Sam", where="#ops")
    await begin(page, "every weekday at 9 tell me what is new in #ops")
    plan = await shows(page, "Weekdays at 09:00 (New York)")
    await expect(plan).to_contain_text("Next: ")
    [root] = [each.ts for each in room.slack.people.sees("Maya", "#general") if each.thread_ts is None]
    await has_come(room, root)
    question = await shows(page, "Which of these shall I follow up?")
    await expect(question).to_contain_text("@Maya")
    await expect(plan).to_contain_text("Paused")
    await question.get_by_role("button", name="Who has the keys?").click()
    await expect(question).to_contain_text("✅ Who has the keys? · @Maya")
    await shows(page, "I follow up “Who has the keys?”")
    await expect(plan).to_contain_text("Next: ")


async def test_a_card_that_was_open_when_the_program_was_killed_works_with_the_next_one(
    room: Chat, page_on: OpenPage, tmp_path: Path
) -> None:
    await room.stops()
    page = await page_on(room.slack.page_url)
    async with serving(room, tmp_path) as first:
        await begin(page, "post to #ops: the lift works")
        card = await shows(page, ASKS)
        first.kill()
        await first.ended.wait()
    async with serving(room, tmp_path):
        await card.get_by_role("button", name=ALLOW).click()
        await shows(page, "✅ Allowed once · @Maya")
        await shows(page, "It stands in #ops")
    await goes_to(page, "ops")
    await shows(page, "The lift works", "channel")
    await expect(page.locator("#channel .message")).to_have_count(1)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 420)])
async def test_a_long_text_is_shown_whole_in_a_window_and_all_of_it_is_drawn_for_people_to_judge(
    room: Chat, page_on: OpenPage, scheme: ColorScheme, width: int
) -> None:
    page = await page_on(room.slack.page_url, scheme=scheme, width=width, height=900)

    async def draw(name: str) -> None:
        assert await parts_wider_than_their_place(page) == 0
        picture = SCREENSHOTS / f"permitting-{scheme}-{width}-{name}.png"
        SCREENSHOTS.mkdir(exist_ok=True)
        await page.screenshot(path=picture, animations="disabled")
        assert picture.stat().st_size > 10_000

    names = [f"line {number}" for number in range(200)]
    await begin(page, f"make a markdown file of {', '.join(names)}")
    await shows(page, ASKS)
    card = message(page, "put the file", "thread")
    await expect(card).not_to_contain_text(names[-1])
    await draw("card")
    await card.get_by_role("button", name=permission_cards.SHOW_ALL).click()
    window = await opened_modal(page, permission_cards.SHOWN_TITLE)
    await expect(window).to_contain_text(names[-1])
    await draw("all")
    await page.keyboard.press("Escape")
    await card.get_by_role("button", name=NEVER).click()
    await expect(card).to_contain_text("🚫 Never allowed · @Maya")
    await expect(card.get_by_role("button", name=ALLOW)).to_have_count(0)
    await shows(page, "I may not do that")
    await draw("closed")
