"""The first minute of a demo: it opens on a finished decision, and a tour leads on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from pydantic import SecretStr

from app.cli.demo import served_demo
from app.core.copy.decision_steps import DISCUSS_AGAIN, RATE
from tests.browser.conftest import OpenPage
from tests.browser.places import become, box, message
from tests.flow.chat import unread_settings

pytestmark = pytest.mark.asyncio(loop_scope="session")
SOON = 45_000.0
"""Milliseconds: nine steps are laid out at the pace that Slack allows."""


@pytest_asyncio.fixture(loop_scope="session")
async def page(mongo_uri: str, page_on: OpenPage) -> AsyncIterator[Page]:
    settings = unread_settings({"mongodb_uri": SecretStr(mongo_uri)})
    async with served_demo.run_demo(settings, port=0, has_tour=True) as url:
        yield await page_on(url)


async def turn(page: Page, label: str) -> None:
    await page.locator("#tour").get_by_role("button", name=label).click()


@pytest.mark.req("NC-02")
async def test_the_tour_shows_a_finished_decision_and_leads_to_a_rating_a_question_and_a_permission(page: Page) -> None:
    tour = page.locator("#tour")
    await expect(tour).to_contain_text(f"1 of 4 · {served_demo.SEE}")
    hub = message(page, "· an example")
    await expect(hub).to_be_in_viewport()
    await expect(hub).to_contain_text("9 Notes and next steps v1", timeout=SOON)

    await turn(page, "Next")
    await expect(tour).to_contain_text(served_demo.CHANGE)
    thread = page.locator("#thread")
    await expect(thread).to_contain_text("Step 5 of 9")
    await thread.get_by_role("button", name=DISCUSS_AGAIN).click()
    await expect(thread.get_by_role("button", name=RATE).last).to_be_visible(timeout=SOON)

    await turn(page, "Next")
    await expect(box(page)).to_have_value(served_demo.ASK_DRAFT)
    await box(page).press("Enter")
    await message(page, "night shift?").locator(".replies").click(timeout=SOON)
    await expect(thread.locator(".message").nth(1)).to_contain_text("night shift", timeout=SOON)

    await turn(page, "Next")
    await expect(box(page)).to_have_value(served_demo.ALLOW_DRAFT)
    await box(page).press("Enter")
    await message(page, "we close at five").locator(".replies").click(timeout=SOON)
    await expect(thread.get_by_role("button", name="Allow this time")).to_be_visible(timeout=SOON)
    await turn(page, "End the tour")
    await expect(tour).to_be_hidden()


@pytest.mark.req("NC-02")
async def test_the_tour_can_be_left_at_any_time_stays_left_and_can_be_taken_again(page: Page) -> None:
    await turn(page, "Next")
    await turn(page, "Leave the tour")
    await expect(page.locator("#tour")).to_be_hidden()
    await page.reload()
    await page.locator("body:not([aria-busy])").wait_for()
    await expect(page.locator("#tour")).to_be_hidden()
    await page.get_by_role("button", name="Take the tour").click()
    await expect(page.locator("#tour")).to_contain_text("1 of 4")
    await become(page, "Sam")  # who is not in Maya's direct messages
    await expect(page.locator("#tour")).to_be_hidden()
