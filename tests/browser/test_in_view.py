"""What people look at stays in view: while others write, in a low window, and when a connection is lost."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from app.playground.slack import SlackOptions, SlackPlayground
from tests.browser.bot import Bot
from tests.browser.conftest import OpenPage
from tests.browser.places import box, goes_to, message, opened_modal, run, say
from tests.browser.surface_app import open_surface_app

pytestmark = pytest.mark.asyncio(loop_scope="session")

MANY = 30
LOW = {"width": 640, "height": 400}
"""A window of 1280 by 800 pixels that is enlarged to twice its size."""
SPACE = "list => list.scrollHeight - list.clientHeight - list.scrollTop"
RIGHT = """paragraph => {
    const words = document.createRange();
    words.selectNodeContents(paragraph);
    return paragraph.getBoundingClientRect().right - words.getBoundingClientRect().right;
}"""


async def writes_a_thread(bot: Bot) -> str:
    root = await bot.posts("the long thread")
    for number in range(MANY):
        await bot.posts(f"reply {number}", thread_ts=root)
    return root


async def drawn(page: Page) -> None:
    await page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


async def test_who_has_scrolled_up_and_sends_something_sees_what_was_sent_and_the_answer(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    root = await writes_a_thread(bot)
    page = await page_on(slack.page_url)
    await message(page, "the long thread").locator(".replies").click()
    await page.locator("#thread .list").evaluate("list => list.scrollTop = 0")
    await bot.posts("somebody else goes on", thread_ts=root)
    await expect(message(page, "somebody else goes on", "thread")).not_to_be_in_viewport()
    await say(page, "I have read it", "thread")
    await expect(message(page, "I have read it", "thread")).to_be_in_viewport()
    await bot.posts("Good.", thread_ts=root)
    await expect(message(page, "Good.", "thread")).to_be_in_viewport()


async def test_who_has_scrolled_up_is_told_of_new_messages_below_and_led_to_them(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    root = await writes_a_thread(bot)
    page = await page_on(slack.page_url)
    await message(page, "the long thread").locator(".replies").click()
    news = page.locator("#thread").get_by_role("button", name="New messages")
    await page.locator("#thread .list").evaluate("list => list.scrollTop = 0")
    await drawn(page)
    await expect(news).to_be_hidden()
    await bot.posts("somebody goes on", thread_ts=root)
    await expect(news).to_be_in_viewport()
    await news.press("Enter")
    await expect(message(page, "somebody goes on", "thread")).to_be_in_viewport()
    await expect(news).to_be_hidden()
    await expect(page.locator("#thread .list")).to_be_focused()
    await bot.posts("and on", thread_ts=root)
    await expect(message(page, "and on", "thread")).to_be_in_viewport()
    await expect(news).to_be_hidden()


async def test_who_has_scrolled_up_is_told_that_the_last_message_goes_on_below_and_led_to_its_end(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    root = await writes_a_thread(bot)
    answer = await bot.posts("It begins", thread_ts=root)
    page = await page_on(slack.page_url)
    await message(page, "the long thread").locator(".replies").click()
    below, messages = page.locator("#thread .news"), page.locator("#thread .list")
    await bot.edits(answer, "It begins and goes on")
    await expect(message(page, "and goes on", "thread")).to_be_in_viewport()
    await messages.evaluate("list => list.scrollTop = 0")
    await drawn(page)
    await expect(below).to_be_hidden()
    await bot.edits(answer, "It begins and goes on\n\nto its end")
    await expect(below).to_have_text("More below")
    await below.click()
    await expect(message(page, "to its end", "thread")).to_be_in_viewport()
    await expect(below).to_be_hidden()
    await messages.evaluate("list => list.scrollTop = 0")
    await bot.posts("and another", thread_ts=root)
    await expect(below).to_have_text("New messages")


async def test_who_scrolls_to_new_messages_or_has_written_them_is_not_told_of_them(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    root = await writes_a_thread(bot)
    page, elsewhere = await page_on(slack.page_url), await page_on(slack.page_url)
    for each in (page, elsewhere):
        await message(each, "the long thread").locator(".replies").click()
    news, messages = page.locator("#thread .news"), page.locator("#thread .list")
    await messages.evaluate("list => list.scrollTop = 0")
    await say(elsewhere, "mine, from another window", "thread")
    await expect(message(page, "mine, from another window", "thread")).to_have_count(1)
    await expect(news).to_be_hidden()
    await bot.posts("theirs", thread_ts=root)
    await expect(news).to_be_visible()
    await messages.evaluate("list => list.scrollTop = list.scrollHeight")
    await expect(news).to_be_hidden()
    await messages.evaluate("list => list.scrollTop = 0")
    await drawn(page)
    await expect(news).to_be_hidden()


async def test_a_link_to_what_begins_a_thread_opens_it_where_it_is_now(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    link = await bot.links_to(await writes_a_thread(bot), "general")
    page = await page_on(slack.page_url)
    await bot.posts(f"<{link}|go on>")
    await page.get_by_role("link", name="go on").click()
    await expect(message(page, f"reply {MANY - 1}", "thread")).to_be_in_viewport()
    await expect(page.locator("#channel .pointed")).to_contain_text("the long thread")


async def test_a_message_that_one_was_led_to_is_not_pushed_away_by_those_after_it(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    there = await bot.posts("the one to see", channel="ops")
    await bot.posts(f"<{await bot.links_to(there, 'ops')}|look>")
    await page.get_by_role("link", name="look").click()
    for number in range(MANY):
        await bot.posts(f"news {number}", channel="ops")
    await expect(message(page, f"news {MANY - 1}")).to_have_count(1)
    await drawn(page)
    await expect(message(page, "the one to see")).to_be_in_viewport()
    await page.locator("#channel .list").evaluate("list => list.scrollTop = list.scrollHeight")
    await drawn(page)
    await bot.posts("the newest", channel="ops")
    await expect(message(page, "the newest")).to_be_in_viewport()


async def test_who_follows_a_link_in_a_modal_sees_where_it_leads(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    link = await bot.links_to(await bot.posts("over there", channel="ops"), "ops")
    async with open_surface_app(slack) as surfaces:
        surfaces.leads_to = link
        await run(page, "/decide")
        modal = await opened_modal(page, "New decision")
        await modal.get_by_label("Name").fill("the van")
        await modal.get_by_role("button", name="Look ahead").click()
        ahead = await opened_modal(page, "What comes next")
        await ahead.get_by_role("link", name="an example").click()
        modal = await opened_modal(page, "New decision")  # what was filled in is not lost
        await expect(modal.get_by_label("Name")).to_have_value("the van")
        await expect(message(page, "over there")).to_have_count(1)


async def test_a_long_name_of_a_channel_stays_on_its_line(slack: SlackPlayground, bot: Bot, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    name = "decide-" + "-".join(["should-we-move"] * 4)
    made = await bot.client.conversations_create(name=name)
    maya = slack.workspace.member("Maya")
    assert maya
    await bot.client.conversations_invite(channel=made["channel"]["id"], users=maya.id)
    root = await bot.posts("the plan", channel=name)
    await bot.posts("it begins", channel=name, thread_ts=root)
    await goes_to(page, name)
    await message(page, "the plan").locator(".replies").click()
    await expect(page.locator("#thread h2")).to_be_visible()
    for heading in ("#channel h2", "#thread h2"):
        drawn_at = await page.locator(heading).bounding_box()
        assert drawn_at
        assert drawn_at["height"] < 40, heading


async def test_messages_can_be_read_in_a_window_that_is_enlarged_to_twice_its_size(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    await writes_a_thread(bot)
    page = await page_on(slack.page_url, width=LOW["width"], height=LOW["height"])
    shown = await page.locator("#channel .list").bounding_box()
    assert shown
    assert shown["height"] > 150
    await message(page, "the long thread").locator(".replies").click()
    await box(page, "thread").scroll_into_view_if_needed()
    await expect(message(page, f"reply {MANY - 1}", "thread")).to_be_in_viewport()
    await page.locator("#strip").scroll_into_view_if_needed()
    await expect(page.locator("#strip")).to_be_in_viewport()


async def test_what_can_be_done_with_a_long_message_is_in_reach_also_at_its_end(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await slack.people.says("Maya", "#general", "\n".join(f"line {number}" for number in range(60)))
    long = message(page, "line 59")
    await long.hover(position={"x": 100, "y": 1200})
    await expect(long.get_by_role("toolbar")).to_be_in_viewport(ratio=1)
    await long.get_by_role("button", name="Edit message").click()
    await expect(page.get_by_role("textbox", name="Edit message")).to_be_visible()


async def test_what_stands_at_the_end_of_a_message_is_not_behind_the_unseen_tools_of_the_next(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await bot.posts("above")
    await bot.posts("below")
    await expect(message(page, "below")).to_be_visible()
    hit = """above => {
        const { right, bottom } = above.getBoundingClientRect();
        return above.contains(document.elementFromPoint(right - 35, bottom - 4));
    }"""
    assert await message(page, "above").evaluate(hit)


async def test_what_can_be_done_with_a_message_does_not_cover_what_it_says(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await bot.posts("first")
    await bot.posts("from edge to edge " * 20)
    below = message(page, "from edge to edge")
    await below.hover()
    toolbar = await below.get_by_role("toolbar").bounding_box()
    words = await below.locator(".text").bounding_box()
    assert toolbar
    assert words
    assert toolbar["y"] + toolbar["height"] < words["y"] + 9, "it reaches into the first line of letters"


@pytest.mark.parametrize("words", ["שלום לכולם", "مرحبا بكم"])
async def test_what_is_written_from_right_to_left_begins_on_the_right(
    slack: SlackPlayground, page_on: OpenPage, words: str
) -> None:
    page = await page_on(slack.page_url)
    await say(page, words)
    assert await message(page, words).locator(".text p").evaluate(RIGHT) < 2
    await say(page, "from the left")
    assert await message(page, "from the left").locator(".text p").evaluate(RIGHT) > 100


async def test_who_cannot_become_somebody_else_stays_who_they_are(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await page.route("**/play/state**", lambda route: route.abort())
    await page.locator("#me").click()
    await page.locator("#people").get_by_role("button", name="Sam").click()
    await expect(page.locator(".toast")).to_contain_text("Is it still running?")
    await expect(page.locator("#me")).to_contain_text("Maya")
    await page.keyboard.press("Escape")
    await say(page, "still here")


async def test_a_page_of_a_demo_that_has_ended_says_so_where_another_has_begun(page_on: OpenPage) -> None:
    first = SlackPlayground(SlackOptions(limits=False))
    await first.start()
    port = int(first.url.rpartition(":")[2])
    try:
        page = await page_on(first.page_url)
    finally:
        await first.stop()
    await expect(page.locator("body.lost")).to_have_count(1)
    second = SlackPlayground(SlackOptions(limits=False, port=port))
    await second.start()
    try:
        await expect(page.locator("#banner")).to_contain_text("This demo has ended")
        await expect(page.locator("body.lost")).to_have_count(0)
    finally:
        await second.stop()


@pytest.mark.req("NC-06")
async def test_signs_of_a_format_are_not_read_aloud(slack: SlackPlayground, bot: Bot, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await bot.posts("Step 2 · *Problem frame* · _new_, `a_b` and 2*3*4")
    await expect(page.locator("#announcer")).to_have_text("Threadwise: Step 2 · Problem frame · new, a_b and 2*3*4")
