"""Questions and plans in a thread, pressed in a real browser with the whole program; and how all of it looks."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from app.core.copy import texts
from app.playground.claude import ClaudePlayground, Turn
from tests.browser.conftest import ColorScheme, OpenPage
from tests.browser.places import become, goes_to, message, opened_modal, parts_wider_than_their_place, run, say
from tests.browser.threadwise import AGREED, EVERY_MONDAY, OPTIONS, WHICH, begin, open_home, threadwise, whispered
from tests.flow.called import asks, calls

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
MONTHS = ("January", "February", "March", "April", "May", "June")


async def test_a_question_is_answered_by_button_and_only_by_its_owner(page: Page, claude: ClaudePlayground) -> None:
    claude.script.add(asks(WHICH, *OPTIONS), Turn(text="Evening cover it is."))
    card = await begin(page, "there is a lot to decide", until=WHICH)
    await become(page, "Sam")
    await card.get_by_role("button", name="Hiring").click()
    await whispered(page, "Only @Maya can do that here.", "thread")
    await become(page, "Maya")
    await card.get_by_role("button", name="Evening cover").click()
    await expect(card).to_contain_text("✅ Evening cover · @Maya")
    await expect(card).not_to_contain_text("UTC")  # the hour is told by the reader's clock
    await expect(card.get_by_role("button", name="Hiring")).to_have_count(0)
    await expect(message(page, "Evening cover it is.", "thread")).to_be_visible()


async def test_a_question_is_answered_from_a_list_in_a_form_or_in_words(page: Page, claude: ClaudePlayground) -> None:
    thread = page.locator("#thread")
    claude.script.add(asks("Which month?", *MONTHS), asks(WHICH, *OPTIONS, allow_something_else=True))
    claude.script.add(calls("ask_user", type="input", prompt="Which budget?"), Turn(text="Thank you."))
    month = await begin(page, "there is a lot to decide", until="Which month?")
    await thread.get_by_role("combobox").click()
    await page.get_by_role("option", name="March").click()
    await expect(month).to_contain_text("✅ March · @Maya")

    await thread.get_by_role("button", name=texts.SOMETHING_ELSE).click()
    form = await opened_modal(page, texts.ANSWER_TITLE)
    await form.get_by_role("textbox").fill("The price of the winter service")
    await form.get_by_role("button", name=texts.ANSWER_SUBMIT).click()
    await expect(message(page, WHICH, "thread")).to_contain_text("✅ The price of the winter service · @Maya")

    await expect(thread.get_by_role("button", name=texts.ANSWER)).to_be_visible()
    await say(page, "about 12,000 euros", "thread")
    await expect(message(page, "Which budget?", "thread")).to_contain_text("✅ about 12,000 euros · @Maya")
    await expect(message(page, "Thank you.", "thread")).to_be_visible()


async def test_a_plan_is_cancelled_only_after_it_was_asked_about(page: Page, claude: ClaudePlayground) -> None:
    claude.script.add(*EVERY_MONDAY)
    await begin(page, "ask me every Monday", until=AGREED)
    plan = message(page, "Every Monday at 09:00 (New York)", "thread")
    sure = page.get_by_role("dialog", name=texts.CANCEL_SCHEDULE_TITLE)
    for answer in (texts.CANCEL_SCHEDULE_NO, texts.CANCEL_SCHEDULE_YES):
        await expect(plan).to_contain_text("Next: ")
        await plan.get_by_role("button", name=texts.CANCEL_SCHEDULE).click()
        await sure.get_by_role("button", name=answer).click()
    await expect(plan).to_contain_text(texts.SCHEDULE_CANCELLED)
    await expect(plan.get_by_role("button", name=texts.CANCEL_SCHEDULE)).to_have_count(0)


async def test_a_window_that_becomes_an_answer_keeps_the_focus_in_it(page: Page) -> None:
    await run(page, "/decide Where do we meet?")
    window = page.get_by_role("dialog")
    await window.get_by_role("button", name="Start").click()
    await expect(window).to_contain_text("Your decision has begun")
    await expect(window.get_by_role("button", name="Close").last).to_be_focused()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 420)])
async def test_the_app_is_drawn_for_people_to_judge(
    mongo_uri: str, claude: ClaudePlayground, page_on: OpenPage, scheme: ColorScheme, width: int
) -> None:
    async with threadwise(claude, mongo_uri) as url:
        page = await page_on(url, scheme=scheme, width=width, height=900)

        async def draw(name: str) -> None:
            assert await parts_wider_than_their_place(page) == 0
            picture = SCREENSHOTS / f"threadwise-{scheme}-{width}-{name}.png"
            await page.screenshot(path=picture, animations="disabled")
            assert picture.stat().st_size > 10_000

        await run(page, "/threadwise help")
        await whispered(page, "each thread is one conversation")
        await draw("help")
        await goes_to(page, "Threadwi")
        await message(page, texts.WELCOME).get_by_role("button", name=texts.SEE_EXAMPLE).click()
        await opened_modal(page, texts.EXAMPLE_TITLE)
        await draw("example")
        await page.keyboard.press("Escape")
        await goes_to(page, "general")
        claude.script.add(*EVERY_MONDAY, asks(WHICH, *OPTIONS, allow_something_else=True))
        await begin(page, "ask me for the numbers every Monday", until=AGREED)
        await say(page, "and there is a lot to decide", "thread")
        await message(page, WHICH, "thread").get_by_role("button", name="Hiring").wait_for()
        await draw("thread")
        await page.locator("#thread").get_by_role("button", name="Close").click()
        await run(page, "/archive-thread")
        window = await opened_modal(page, texts.PICK_TITLES["archive"])
        await window.get_by_role("combobox").click()
        await window.get_by_role("option", name="ask me for the numbers").click()
        await expect(window).to_contain_text("cancels my open question")
        await draw("archive")
        await window.get_by_role("button", name="Cancel").click()
        await open_home(page)
        await draw("home")
