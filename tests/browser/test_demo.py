"""The demo as a newcomer meets it: the page, the real program, the rehearsal model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect
from pydantic import SecretStr
from pymongo import MongoClient

from app.demo import demo
from tests.browser.conftest import OpenPage
from tests.browser.places import box, message, say
from tests.flow.chat import unread_settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENSHOTS = Path(__file__).parent.parent / "screenshots"


async def test_a_person_chats_and_sees_the_answer_grow(mongo_uri: str, page_on: OpenPage) -> None:
    settings = unread_settings({"mongodb_uri": SecretStr(mongo_uri)})
    async with demo(settings, port=0) as url:
        page = await page_on(url)
        await expect(page.get_by_text("rehearsal model")).to_be_visible()
        await say(page, "@Threadwise Should we hire a nurse or outsource the night shift?")
        asked = message(page, "night shift?")
        await asked.locator(".replies").click()
        answer = page.locator("#thread .message").nth(1)
        await answer.wait_for()
        early = len(await answer.inner_text())
        await expect(answer).to_contain_text("Rehearsal model")
        assert len(await answer.inner_text()) > early, "the answer did not grow"
        await expect(answer).to_contain_text("night shift")
        SCREENSHOTS.mkdir(exist_ok=True)
        await page.screenshot(path=SCREENSHOTS / "demo-answer.png")

        question = page.locator("#thread .message").nth(2)
        await question.get_by_role("button", name="Hire a nurse").click()
        await expect(question).to_contain_text("✅ Hire a nurse")
        await expect(question.get_by_role("button", name="Hire a nurse")).to_have_count(0)
        going_on = page.locator("#thread .message").nth(3)
        await expect(going_on).to_contain_text("So today it is “Hire a nurse”")
        await expect(going_on).to_contain_text("Rehearsal model", timeout=15_000)

        await say(page, "We have money for one of them.", "thread")
        await expect(page.locator("#thread .message").nth(5)).to_contain_text("Rehearsal model", timeout=15_000)
        await expect(box(page, "thread")).to_be_focused()
        await page.screenshot(path=SCREENSHOTS / "demo-thread.png")
    with MongoClient[dict[str, Any]](mongo_uri) as client:
        assert [name for name in client.list_database_names() if name.startswith("threadwise_demo")] == []
