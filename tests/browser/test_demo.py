"""The demo as a newcomer meets it: the page, the real program, the rehearsal model."""

from __future__ import annotations

import random
import secrets
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect
from pydantic import SecretStr
from pymongo import MongoClient

from app.cli.demo.served_demo import run_demo
from app.core.copy import decision_steps, texts
from tests.browser.conftest import ColorScheme, OpenPage
from tests.browser.places import box, goes_to, message, opened_modal, parts_wider_than_their_place, run, say
from tests.flow.chat import unread_settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

DECISIONS = (
    "Should we repair the old press or lease a new one?",
    "We have to choose where the spare parts are kept.",
    "How do we share out the early shift?",
)
WISHES = (
    "I want fewer jams on Monday mornings.",
    "Nobody should drive home after ten.",
    "We need the invoices out by the fifth.",
)
DOUBTS = (
    "I don't know if the supplier survives the year.",
    "Maybe the new law changes all of it.",
    "It is unclear how long Aunt Hilde stays on.",
)
FACTS = (
    "The press is from 1987.",
    "Two of us live across the river.",
    "The lease ends in October 2028.",
)
"""What somebody might type, by the box in which it belongs."""

SCREENSHOTS = Path(__file__).parent.parent / "screenshots"


async def test_a_person_chats_and_sees_the_answer_grow(mongo_uri: str, page_on: OpenPage) -> None:
    settings = unread_settings({"mongodb_uri": SecretStr(mongo_uri)})
    async with run_demo(settings, port=0) as url:
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


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 420)])
async def test_whatever_is_typed_comes_back_on_the_card_and_is_approved(
    mongo_uri: str, page_on: OpenPage, scheme: ColorScheme, width: int
) -> None:
    seed = secrets.randbelow(10_000)
    print(f"seed {seed}")
    drawn = random.Random(seed)
    typed = [drawn.choice(each) for each in (FACTS, DECISIONS, WISHES, DOUBTS)]
    settings = unread_settings({"mongodb_uri": SecretStr(mongo_uri)})
    async with run_demo(settings, port=0) as url:
        page = await page_on(url, scheme, width)

        async def draw(name: str) -> None:
            assert await parts_wider_than_their_place(page) == 0
            SCREENSHOTS.mkdir(exist_ok=True)
            await page.screenshot(path=SCREENSHOTS / f"demo-{scheme}-{width}-{name}.png", animations="disabled")

        await run(page, "/decide How do we run the print shop?")
        window = await opened_modal(page, decision_steps.DECIDE_TITLE)
        await window.get_by_text("Our direct messages").click()
        await draw("decide")
        await window.get_by_role("button", name=decision_steps.DECIDE_SUBMIT).click()
        begun = await opened_modal(page, decision_steps.STARTED_TITLE)
        await begun.get_by_role("button", name=texts.NOTICE_CLOSE).last.click()
        await goes_to(page, "Threadwise")
        await message(page, "of 9 · Issue raising").locator(".replies").click()
        await expect(message(page, "What situation are you thinking about?", "thread")).to_be_visible()
        await draw("opening")
        for said in (typed[:2], typed[2:]):
            await say(page, " ".join(said), "thread")
            answer = page.locator("#thread .message", has_text=f"“{said[-1].removesuffix('.')}").last
            await expect(answer).to_contain_text("?", timeout=20_000)
        await draw("talk")
        await page.locator("#thread").get_by_role("button", name=decision_steps.SUMMARIZE).last.click()
        card = message(page, "waiting for your OK", "thread")
        for words in typed:
            await expect(card).to_contain_text(words.removesuffix("."), timeout=30_000)
        await card.get_by_role("button", name="Approve").scroll_into_view_if_needed()
        await draw("card")
        await card.get_by_role("button", name="Approve").click()
        await expect(message(page, "Approved as v1", "thread")).to_be_visible(timeout=15_000)
        await expect(message(page, "How do we run the print shop?").first).to_contain_text("✅ 1 Issue raising v1")
        await draw("approved")
