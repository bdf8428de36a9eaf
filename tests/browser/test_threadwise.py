"""The app as people meet it: each command, shortcut and way to begin, in a real browser with the whole program."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from app.core.copy import permission_cards, texts
from app.playground.claude import ClaudePlayground
from tests.browser.places import become, box, do, goes_to, message, opened_modal, run, say
from tests.browser.threadwise import AGREED, EVERY_MONDAY, OPTIONS, WHICH, begin, open_home, whispered
from tests.flow.called import asks

NEXT_MONDAY = re.compile(
    r"^⏰ ask me every Monday · #general · next (Mon|today|tomorrow|\d+ \w{3}( \d{4})?) 09:00 \(New York\)$"
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_each_word_of_the_command_is_answered_to_its_person_alone(page: Page) -> None:
    answers = {
        "help": "pick a conversation to put away",
        "list": texts.NO_CONVERSATIONS,
        "status": texts.NOTHING_WAITS,
        "schedules": texts.NO_SCHEDULES,
        "settings": "America/New_York",
    }
    await box(page).press_sequentially("/threadw")
    await expect(page.get_by_role("option")).to_contain_text("[help | list | status | schedules")
    for word, answer in answers.items():
        await run(page, f"/threadwise {word}")
        await whispered(page, answer)
    await run(page, "/threadwise permissions")
    window = await opened_modal(page, permission_cards.TITLE)
    await expect(window).to_contain_text("allowed nothing for good")
    await window.get_by_role("button", name="Close").first.click()
    await become(page, "Sam")
    await expect(page.locator("#channel .message")).to_have_count(0)


async def test_a_title_in_the_list_leads_to_its_thread(page: Page) -> None:
    await begin(page, "about the van")
    await page.locator("#thread").get_by_role("button", name="Close").click()
    await run(page, "/threadwise list")
    told = await whispered(page, texts.CONVERSATIONS)
    await told.get_by_role("link", name="about the van").click()
    await expect(message(page, "good outcome", "thread")).to_be_visible()


async def test_who_archives_picks_reads_what_stops_and_reopens_the_same_way(
    page: Page, claude: ClaudePlayground
) -> None:
    claude.script.add(*EVERY_MONDAY)
    await begin(page, "ask me every Monday", until=AGREED)
    await begin(page, "about the van")
    await run(page, "/archive-thread")
    window = await opened_modal(page, texts.PICK_TITLES["archive"])
    pick = window.get_by_role("combobox")
    await pick.click()
    await expect(window.get_by_role("option")).to_have_count(2)
    await pick.fill("monday")
    await expect(window.get_by_role("option")).to_have_text([NEXT_MONDAY])
    await pick.press("Enter")
    await expect(window).to_contain_text("stops what runs every Monday at 09:00")
    await window.get_by_role("button", name="Archive").click()
    await expect(window).to_have_count(0)

    await message(page, "ask me every Monday").locator(".replies").click()
    await expect(message(page, "Archived by @Maya", "thread")).to_be_visible()
    await expect(message(page, texts.SCHEDULE_CANCELLED, "thread")).to_be_visible()

    await run(page, "/reopen-thread")
    window = await opened_modal(page, texts.PICK_TITLES["reopen"])
    await window.get_by_role("combobox").click()
    await window.get_by_role("option", name="📦 ask me every Monday").click()
    await expect(window).to_contain_text(texts.REOPEN_NOTE)
    await window.get_by_role("button", name="Reopen").click()
    await expect(message(page, "Reopened by @Maya", "thread")).to_be_visible()


async def test_the_link_of_a_message_needs_no_picking(page: Page) -> None:
    await begin(page, "about the van")
    await run(page, "/threadwise list")
    told = await whispered(page, texts.CONVERSATIONS)
    link = await told.get_by_role("link", name="about the van").get_attribute("href")
    await run(page, f"/archive-thread {link}")
    await whispered(page, "I am archiving about the van")
    await expect(message(page, "Archived by @Maya", "thread")).to_be_visible()
    await run(page, "/archive-thread the van")
    await whispered(page, "That is no link to a message.")
    await run(page, f"/reopen-thread {link}")
    await whispered(page, "I am reopening about the van")
    await expect(message(page, "Reopened by @Maya", "thread")).to_be_visible()


async def test_a_messages_menu_archives_and_reopens_its_thread(page: Page) -> None:
    await begin(page, "about the van")
    for name, told in (("Archive conversation", "Archived by @Maya"), ("Reopen conversation", "Reopened by @Maya")):
        await do(page, "about the van", "More actions")
        await page.get_by_role("menuitem", name=name).click()
        await expect(message(page, told, "thread")).to_be_visible()
    await do(page, "about the van", "More actions")
    await page.get_by_role("menuitem", name="Reopen conversation").click()
    await expect(await opened_modal(page, texts.PICK_TITLES["reopen"])).to_contain_text(texts.NOT_ARCHIVED)


async def test_what_is_written_in_an_archived_thread_is_marked_and_answered_with_a_way_back(page: Page) -> None:
    await begin(page, "about the van")
    await say(page, "@Threadwise archive", "thread")
    card = message(page, "Archived by @Maya", "thread")
    await expect(card.get_by_role("button", name=texts.REOPEN)).to_be_visible()
    await say(page, "one more thing", "thread")
    await expect(message(page, "one more thing", "thread").locator(".reaction")).to_have_text("📦1")
    hint = await whispered(page, "This conversation is archived.", "thread")
    await hint.get_by_role("button", name=texts.REOPEN).click()
    await expect(message(page, "Reopened by @Maya", "thread")).to_be_visible()
    await say(page, "@Threadwise help", "thread")
    await whispered(page, "make me forget it", "thread")
    await say(page, "@Threadwise status", "thread")
    await whispered(page, texts.NO_GOAL, "thread")


async def test_direct_messages_greet_begin_with_a_form_and_show_an_example(page: Page) -> None:
    await goes_to(page, "Threadwise")
    greeting = message(page, texts.WELCOME)
    await greeting.get_by_role("button", name=texts.GET_DONE).click()
    window = await opened_modal(page, texts.GET_DONE)
    await window.get_by_label(texts.START_LABEL).fill("Hire or rent?")
    await window.get_by_role("button", name=texts.START_SUBMIT).click()
    await message(page, "@Maya asks: Hire or rent?").locator(".replies").click()
    await expect(message(page, "good outcome", "thread")).to_be_visible()
    await greeting.get_by_role("button", name=texts.SEE_EXAMPLE).click()
    window = await opened_modal(page, texts.EXAMPLE_TITLE)
    await expect(window).to_contain_text(texts.OUR_MESSAGES)
    await window.get_by_role("button", name="Close").last.click()
    await expect(message(page, "of 9 · Issue raising")).to_be_visible()


async def test_a_channel_greets_when_the_app_is_invited_and_a_shortcut_begins_elsewhere(page: Page) -> None:
    await goes_to(page, "random")
    await run(page, "/invite @Threadwise ")
    await message(page, texts.WELCOME).get_by_role("button", name=texts.GET_DONE).click()
    window = await opened_modal(page, texts.GET_DONE)
    await window.get_by_label(texts.START_LABEL).fill("Announce the new hours")
    await window.get_by_role("button", name=texts.START_SUBMIT).click()
    await message(page, "@Maya asks: Announce the new hours").locator(".replies").wait_for()

    await page.locator("#channel").get_by_role("button", name="Shortcuts").click()
    await page.get_by_role("menuitem", name="Ask Threadwise").click()
    window = await opened_modal(page, texts.GET_DONE)
    await window.get_by_label(texts.START_LABEL).fill("Find a van")
    await window.get_by_role("button", name=texts.START_SUBMIT).click()
    window = await opened_modal(page, texts.STARTED_TITLE)
    await window.get_by_role("link", name=texts.OUR_MESSAGES).click()
    await message(page, "@Maya asks: Find a van").locator(".replies").wait_for()


async def test_home_says_how_to_begin_and_then_keeps_up_with_what_happens(page: Page, claude: ClaudePlayground) -> None:
    home = await open_home(page)
    await expect(home).to_contain_text("Nothing here yet.")
    claude.script.add(asks(WHICH, *OPTIONS))
    await home.get_by_role("button", name=texts.GET_DONE).click()
    window = await opened_modal(page, texts.GET_DONE)
    await window.get_by_label(texts.START_LABEL).fill("Find a van")
    await window.get_by_role("button", name=texts.START_SUBMIT).click()
    await (await opened_modal(page, texts.STARTED_TITLE)).get_by_role("button", name="Close").last.click()
    await expect(home).to_contain_text(f"waiting for you: “{WHICH}”")
    await home.get_by_role("link", name="Find a van").click()
    await say(page, "@Threadwise archive", "thread")
    warning = await whispered(page, "cancels my open question")
    await warning.get_by_role("button", name=texts.ARCHIVE).click()
    await expect(message(page, "Archived by @Maya", "thread")).to_be_visible()
    home = await open_home(page)
    await home.get_by_role("button", name=texts.REOPEN).click()
    await expect(home).to_contain_text(texts.HOME_ACTIVE)
    await expect(home.get_by_role("button", name=texts.REOPEN)).to_have_count(0)
    await home.get_by_role("button", name=texts.ARCHIVE_HERE).click()
    window = await opened_modal(page, texts.PICK_TITLES["archive"])
    await expect(window).to_contain_text("Find a van")
    await window.get_by_role("button", name=texts.PICK_SUBMITS["archive"], exact=True).click()
    await expect(home).to_contain_text(texts.HOME_ARCHIVED)
    await expect(home.locator(":focus")).to_have_count(1)  # not lost with the button that was pressed
