"""What the page shows of the bot at work: what waits, what it says it does, how to stop it, what it asks in private."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from app.playground.slack import SlackOptions, SlackPlayground
from tests.browser.bot import Bot, buttons, markdown
from tests.browser.conftest import ColorScheme, OpenPage
from tests.browser.places import box, do, message, parts_wider_than_their_place, say

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENSHOTS = Path(__file__).parents[1] / "screenshots"


async def test_a_mark_on_a_queued_message_is_seen_until_it_is_taken_back(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "and another thing")
    queued = (await bot.reads_last())["ts"]
    await bot.reacts(queued, "hourglass_flowing_sand")
    await expect(message(page, "and another thing").locator(".reaction")).to_have_text("⏳1")
    await bot.takes_back(queued, "hourglass_flowing_sand")
    await expect(message(page, "and another thing").locator(".reaction")).to_have_count(0)


async def test_stop_stands_beside_the_status_from_the_first_moment_to_the_last(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "which van?")
    root = (await bot.reads_last())["ts"]
    await do(page, "which van?", "Reply in thread")
    doing, stop = page.locator("#thread .pane-status"), page.get_by_role("button", name="Stop")
    await expect(stop).to_have_count(0)

    await bot.works(root, "processing")
    await bot.shows_status(root, "is thinking…")
    await expect(doing).to_have_text("Threadwise is thinking…")
    await expect(stop).to_be_visible()
    await bot.posts("The", thread_ts=root)
    await expect(doing).to_have_text("Threadwise is working…")

    await stop.click()
    pressed = await slack.people.waits(lambda: slack.journal.of("stop"))
    assert pressed[0]["thread_ts"] == root
    await expect(stop).to_be_visible()
    await bot.works(root, "active")
    await expect(stop).to_have_count(0)
    await expect(doing).to_be_empty()


async def test_without_the_event_there_is_no_stop_to_press(page_on: OpenPage) -> None:
    slack = SlackPlayground(SlackOptions(limits=False, events=frozenset({"message.channels"})))
    await slack.start()
    try:
        bot = Bot(slack)
        page = await page_on(slack.page_url)
        await say(page, "which van?")
        await bot.works((await bot.reads_last())["ts"], "processing")
        await message(page, "which van?").locator(".replies").click()
        await expect(page.locator("#thread .pane-status")).to_have_text("Threadwise is working…")
        await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    finally:
        await slack.stop()


async def test_a_question_in_private_is_answered_by_its_buttons(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "forget this")
    root = (await bot.reads_last())["ts"]
    await do(page, "forget this", "Reply in thread")
    await bot.whispers("?", to="Maya", blocks=buttons("Erase it"), thread_ts=root)
    asked = message(page, "Shall I post it?", "thread")
    await expect(asked).to_contain_text("Only visible to you")
    async with page.expect_response("**/play/click") as answered:
        await asked.get_by_role("button", name="Erase it").click()
    assert (await answered.value).status == 200
    clicks = [entry["payload"] for entry in slack.journal.of("delivery") if "actions" in entry["payload"]]
    assert clicks[0]["container"]["is_ephemeral"] is True


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("dark", 420), ("light", 900)])
async def test_the_bot_at_work_is_drawn_for_people_to_judge(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage, scheme: ColorScheme, width: int
) -> None:
    page = await page_on(slack.page_url, scheme=scheme, width=width, height=900)
    root = await slack.people.says("Maya", "#general", "@Threadwise how do we cover no-heat calls this winter?")
    await bot.works(root, "processing")
    await bot.posts("…", blocks=markdown("Before we look for answers, is this the **right question**?"), thread_ts=root)
    await bot.reacts(await slack.people.says("Maya", "#general", "And who pays?", root), "hourglass_flowing_sand")
    await bot.whispers("?", to="Maya", blocks=buttons("Erase it"), thread_ts=root)
    await bot.shows_status(root, "is thinking…")
    await expect(message(page, "no-heat calls")).to_contain_text("Threadwise is thinking…")
    assert await parts_wider_than_their_place(page) == 0
    if width != 900:
        await page.screenshot(path=SCREENSHOTS / f"working-{scheme}-{width}-channel.png")
    await message(page, "no-heat calls").locator(".replies").click()
    await expect(box(page, "thread")).to_be_focused()
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    assert await parts_wider_than_their_place(page) == 0
    picture = SCREENSHOTS / f"working-{scheme}-{width}.png"
    await page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000
