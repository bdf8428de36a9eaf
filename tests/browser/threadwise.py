"""What people do with Threadwise in the browser, and what the model says there."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from playwright.async_api import Locator, Page, expect
from pydantic import SecretStr

from app.cli.demo.served_demo import run_demo
from app.core.copy import texts
from app.playground.claude import ClaudePlayground, Turn
from tests.browser.places import goes_to, message, say
from tests.flow.called import calls
from tests.flow.chat import unread_settings

WHICH, OPTIONS = "Which decision do we focus on?", ("Evening cover", "Hiring", "New depot")
AGREED = "Agreed: every Monday at nine."
EVERY_MONDAY = (
    calls("schedule_work", kind="cron", cron="0 9 * * 1", instruction="Ask for the three numbers of the week."),
    Turn(text=AGREED),
)


@asynccontextmanager
async def threadwise(claude: ClaudePlayground, mongo_uri: str) -> AsyncGenerator[str]:
    """The whole program as in the demo, but with this model; gives the address of the page."""
    settings = {
        "mongodb_uri": SecretStr(mongo_uri),
        "anthropic_base_url": claude.url,
        "anthropic_api_key": SecretStr(claude.api_key),
    }
    async with run_demo(unread_settings(settings), port=0) as url:
        yield url


async def begin(page: Page, words: str, *, until: str = "good outcome") -> Locator:
    """Mention the app in the channel shown, and open the thread once it has answered."""
    await say(page, f"@Threadwise {words}")
    await message(page, words).locator(".replies").click()
    answer = message(page, until, "thread")
    await answer.wait_for()
    return answer


async def whispered(page: Page, words: str, pane: str = "channel") -> Locator:
    """Wait for something that only the person at the page can see, and give the newest of it."""
    told = message(page, words, pane).filter(has_text="Only visible to you").last
    await told.wait_for()
    return told


async def open_home(page: Page) -> Locator:
    await goes_to(page, "Threadwi")
    await page.get_by_role("button", name="Home").click()
    home = page.locator("#home")
    await expect(home).to_contain_text(texts.HOME_BEGIN)
    return home
