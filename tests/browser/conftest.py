"""A real Chromium, a real playground, and the bot's side played by Slack's own client.

One browser serves all these tests, so they share one event loop; each has a profile and a playground of its own.
"""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from app.playground.claude import ClaudePlayground, Turn
from app.playground.slack import SlackOptions, SlackPlayground
from tests.browser.bot import Bot
from tests.browser.surface_app import COMMANDS, SHORTCUTS
from tests.browser.threadwise import threadwise

ARGUMENTS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
"""
PATIENCE = 20_000.0  # ms; for a busy machine
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell first: it has no windows of its own, so a page costs less than half."""
ColorScheme = Literal["light", "dark"]
OpenPage = Callable[..., Awaitable[Page]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no Chromium on this machine: none of {', '.join(NAMES)} is on the PATH")
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS.split())
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page_on(chromium: Browser) -> AsyncIterator[OpenPage]:
    """Open addresses; at the end none of the pages may have met an error or broken its own content policy."""
    complaints: list[str] = []

    async def open_page(url: str, scheme: ColorScheme = "light", width: int = 1280, height: int = 800) -> Page:
        page = await chromium.new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
        )
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None)
        await page.goto(url)
        await page.locator("body:not([aria-busy]) #channel .list > *").first.wait_for()
        return page

    yield open_page
    for context in chromium.contexts:
        await context.close()
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def slack() -> AsyncIterator[SlackPlayground]:
    options = SlackOptions(
        limits=False,
        time_scale=0.2,  # an app on a busy machine still answers within Slack's three seconds
        banner="This is a rehearsal.",
        commands=COMMANDS,
        shortcuts=SHORTCUTS,
    )
    playground = SlackPlayground(options)
    await playground.start()
    yield playground
    await playground.stop()


@pytest.fixture
def bot(slack: SlackPlayground) -> Bot:
    return Bot(slack)


@pytest_asyncio.fixture(loop_scope="session")
async def claude() -> AsyncIterator[ClaudePlayground]:
    """The model, which says what a test has written ahead, and else one sentence."""
    model = ClaudePlayground()
    model.script.answer_always(lambda _: Turn(text="What would a good outcome look like?"))
    await model.start()
    yield model
    await model.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def page(mongo_uri: str, claude: ClaudePlayground, page_on: OpenPage) -> AsyncIterator[Page]:
    """Maya's browser, in #general of a workspace in which Threadwise runs."""
    async with threadwise(claude, mongo_uri) as url:
        yield await page_on(url)
