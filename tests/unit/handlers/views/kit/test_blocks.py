"""Messages as Block Kit, held to Slack's own limits by the SDK's models."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.blocks import Block

from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.effect import Offer
from app.core.copy import decision_steps, texts
from app.core.errors import FailureKind
from app.core.text import safe_stream
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.views.kit.blocks import (
    CardPlace,
    RenderedMessage,
    build_stop_button,
    render_ending,
    render_offer,
    render_open_question,
    render_page,
    render_unformatted,
)

HERE = CardPlace(
    thread=ThreadKey(team="T1", channel="C1", root="1700000000.000100"), workspace_url="https://acme.slack.com/"
)

LONGEST_UPDATE = 4_000
"""Slack, chat.update: a longer `text` is refused as `msg_too_long`."""

FAILED = [(MessageStatus.FAILED, kind) for kind in FailureKind]
ENDS: list[tuple[MessageStatus, FailureKind | None]] = [*FAILED, *((s, None) for s in MessageStatus if s != "failed")]


def reply(status: MessageStatus, failure: FailureKind | None = None, text: str = "Hello") -> Message:
    return Message(
        seq=7,
        role=Role.ASSISTANT,
        text=text,
        status=status,
        failure=failure.value if failure else "",
        reference="tw-0a1b2c3d" if failure else "",
    )


def said(rendered: tuple[dict[str, Any], ...]) -> str:
    """The small print below a reply."""
    return " ".join(
        element["text"] for block in rendered if block["type"] == "context" for element in block["elements"]
    )


def buttons(rendered: tuple[dict[str, Any], ...]) -> list[tuple[str, str, str]]:
    """Action, value and label of each."""
    return [
        (element["action_id"], element["value"], element["text"]["text"])
        for block in rendered
        if block["type"] == "actions"
        for element in block["elements"]
    ]


RETRY, CONTINUE = (action_ids.RETRY, "7", texts.RETRY), (action_ids.CONTINUE, "7", texts.CONTINUE)


def assert_slack_takes(rendered: RenderedMessage) -> None:
    assert len(rendered.text) <= LONGEST_UPDATE
    assert rendered.text or rendered.blocks
    for block in rendered.blocks:
        parsed: Any = Block.parse(block)  # pyright: ignore[reportUnknownMemberType]  the SDK's types are partly unknown
        assert parsed
        assert parsed.to_dict() == block


@given(st.text(min_size=1), st.sampled_from(ENDS))
def test_whatever_was_said_and_however_it_ended_slack_takes_it(
    text: str, end: tuple[MessageStatus, FailureKind | None]
) -> None:
    small_print = render_ending(reply(*end, text))
    for part in safe_stream.split_pages(text * 200) or ("",):
        assert_slack_takes(render_page(part, small_print))
        assert_slack_takes(render_unformatted(part, small_print))


def test_the_longest_page_fits_although_escaping_makes_it_longer() -> None:
    assert_slack_takes(render_page("<" * safe_stream.HARD_AT))
    assert_slack_takes(render_unformatted("<" * safe_stream.HARD_AT))


def test_a_page_is_the_markdown_itself_and_its_twin_is_escaped() -> None:
    assert render_page("a **b** <c>") == RenderedMessage(
        text="a **b** &lt;c&gt;", blocks=({"type": "markdown", "text": "a **b** <c>"},)
    )


def test_a_reply_without_words_is_spoken_by_its_small_print() -> None:
    small_print = render_ending(reply(MessageStatus.REFUSED, text=""))
    assert render_page("", small_print) == RenderedMessage(text=texts.REFUSED, blocks=small_print)


def test_of_a_reply_that_was_dropped_nothing_is_shown() -> None:
    assert render_ending(reply(MessageStatus.DELETED, FailureKind.PACED, text="")) == ()


def test_without_words_and_small_print_the_twin_is_empty() -> None:
    assert render_page("") == RenderedMessage(text="", blocks=())
    assert render_page("", ({"type": "divider"},)).text == ""


def test_what_slack_will_not_render_is_shown_without_markup() -> None:
    section, retry = render_unformatted(
        "a **b**", render_ending(reply(MessageStatus.FAILED, FailureKind.CUT))[1:]
    ).blocks
    assert section["type"] == "rich_text"
    assert section["elements"][0]["elements"] == [{"type": "text", "text": "a **b**"}]
    assert retry["type"] == "actions"


@pytest.mark.parametrize(
    ("status", "sentence", "offered"),
    [
        (MessageStatus.COMPLETE, "", []),
        (MessageStatus.STREAMING, "", []),
        (MessageStatus.TRUNCATED, texts.TRUNCATED, [CONTINUE]),
        pytest.param(MessageStatus.LIMITED, texts.LIMITED, [CONTINUE], marks=pytest.mark.req("AG-01")),
        (MessageStatus.HELD, "", []),
        (MessageStatus.REFUSED, texts.REFUSED, []),
        (MessageStatus.INTERRUPTED, texts.INTERRUPTED, [RETRY]),
        (MessageStatus.CANCELLED, texts.STOPPED, []),
    ],
)
def test_each_end_has_its_sentence_and_the_button_that_helps(
    status: MessageStatus, sentence: str, offered: list[tuple[str, str, str]]
) -> None:
    small_print = render_ending(reply(status))
    assert said(small_print) == sentence
    assert buttons(small_print) == offered


@pytest.mark.parametrize("kind", FailureKind)
def test_a_failure_has_its_sentence_and_reference_and_retry_where_it_helps(kind: FailureKind) -> None:
    small_print = render_ending(reply(MessageStatus.FAILED, kind))
    sentence = texts.FAILURES[kind].format(wait=texts.A_MOMENT)
    assert said(small_print) == f"{sentence} {texts.format_reference('tw-0a1b2c3d')}"
    assert buttons(small_print) == ([RETRY] if kind in texts.RETRYABLE else [])


def test_a_limit_says_how_long_it_lasts() -> None:
    small_print = render_ending(replace(reply(MessageStatus.FAILED, FailureKind.PACED), wait=40, reference=""))
    assert said(small_print) == texts.FAILURES[FailureKind.PACED].format(wait="40 s")


@pytest.mark.parametrize("text", ["", " \n"])
@pytest.mark.parametrize(
    "end",
    [
        (MessageStatus.INTERRUPTED, None),
        (MessageStatus.CANCELLED, None),
        *((MessageStatus.FAILED, kind) for kind in FailureKind),
    ],
)
def test_where_nothing_arrived_nothing_is_said_to_be_above(
    text: str, end: tuple[MessageStatus, FailureKind | None]
) -> None:
    assert "above" not in said(render_ending(reply(*end, text)))


def test_an_answer_that_grows_can_be_stopped() -> None:
    assert buttons(build_stop_button(7)) == [(action_ids.STOP, "7", texts.STOP)]
    assert_slack_takes(render_page("Hello", build_stop_button(7)))


@pytest.mark.parametrize(
    ("offered", "action", "label", "style"),
    [
        (Offer.ERASE, action_ids.ERASE, texts.ERASE, "danger"),
        (Offer.ARCHIVE, action_ids.ARCHIVE, texts.ARCHIVE, None),
        (Offer.REOPEN, action_ids.REOPEN, texts.REOPEN, None),
        (Offer.DISCUSS, action_ids.REOPEN, decision_steps.DISCUSS_AGAIN, None),
    ],
)
def test_an_offer_has_one_button_that_names_the_thread_and_warns_of_what_is_for_good(
    offered: Offer, action: str, label: str, style: str | None
) -> None:
    rendered = render_offer("Shall I?", offered, HERE)
    assert buttons(rendered.blocks) == [(action, "1700000000.000100", label)]
    assert rendered.blocks[-1]["elements"][0].get("style") == style
    assert rendered.text == "Shall I?"
    assert_slack_takes(rendered)


@pytest.mark.req("FA-35")
@pytest.mark.parametrize("offered", [Offer.REOPEN, Offer.DISCUSS])
def test_what_was_written_where_nothing_is_kept_can_be_gone_on_with(offered: Offer) -> None:
    rendered = render_offer("It is finished.", offered, HERE, "1700000009.000100")
    first, second = buttons(rendered.blocks)
    assert first == (action_ids.GO_ON_WITH, "1700000000.000100:1700000009.000100", texts.GO_ON_WITH)
    assert second[:2] == (action_ids.REOPEN, "1700000000.000100")
    assert_slack_takes(rendered)


@pytest.mark.req("FA-18")
def test_taking_up_a_thread_and_discussing_a_step_again_have_two_names() -> None:
    named = [buttons(render_offer("Well?", each, HERE).blocks)[0][2] for each in (Offer.REOPEN, Offer.DISCUSS)]
    assert named == ["Reopen", "Discuss again"]


@pytest.mark.req("FA-20")
def test_a_step_of_another_thread_is_discussed_again_there() -> None:
    rendered = render_offer("Should it follow?", Offer.DISCUSS_OTHER, HERE, "1700000009.000100")
    assert buttons(rendered.blocks) == [(action_ids.REOPEN, "1700000009.000100", decision_steps.DISCUSS_AGAIN)]
    assert_slack_takes(rendered)


@pytest.mark.req("FA-18")
def test_a_step_that_has_begun_is_a_link_away() -> None:
    (button,) = render_offer("It has begun.", Offer.OPEN_STEP, HERE, "1700000009.000100").blocks[-1]["elements"]
    assert button["url"] == "https://acme.slack.com/archives/C1/p1700000009000100"


def test_a_complete_reply_without_words_says_so() -> None:
    assert said(render_ending(reply(MessageStatus.COMPLETE, text=" \n"))) == texts.EMPTY


@pytest.mark.parametrize(
    "end",
    [
        (MessageStatus.COMPLETE, None, ""),
        (MessageStatus.REFUSED, None, ""),
        (MessageStatus.FAILED, FailureKind.INVALID, ""),
        (MessageStatus.FAILED, FailureKind.OVERSIZED, "Half"),
    ],
)
def test_nobody_is_told_to_ask_otherwise_for_what_nobody_has_just_asked(
    end: tuple[MessageStatus, FailureKind | None, str],
) -> None:
    asked = said(render_ending(reply(*end)))
    of_run = said(render_ending(replace(reply(*end), by_schedule=True)))
    assert re.search("(?i)differently|please ask", asked)
    assert not re.search("(?i)differently|please ask", of_run)
    assert "what is planned here" in of_run


def test_a_complete_reply_without_words_that_acted_needs_none() -> None:
    assert render_ending(replace(reply(MessageStatus.COMPLETE, text=" \n"), acted=True)) == ()


def test_a_question_that_is_still_open_is_a_link_away() -> None:
    block = render_open_question("https://acme.slack.com/archives/C1/p17?thread_ts=1.1&cid=C1")
    link = "<https://acme.slack.com/archives/C1/p17?thread_ts=1.1&amp;cid=C1|the question above>"
    assert said((block,)) == f"❓ Your answer to {link} is still open."
    assert_slack_takes(render_page("Hello", (block,)))
