"""The buttons of a decision beside its steps: what its owner gets, and what everybody else is told."""

from __future__ import annotations

import json

import pytest

from app.core.copy import decision_record, texts
from app.core.errors import SlackRefused, SlackUnavailable
from app.core.state.sheet import Prose
from app.core.turns.rate_limits import Creation, Pace
from app.runtime.limits import LimitSettings
from handlers.inbound.surfaces import on_export
from handlers.slack import action_ids
from handlers.slack.manifest import THREADWISE
from handlers.views.kit import mrkdwn
from handlers.views.windows import export_window, record_window
from handlers.views.windows.forms import build_notice, read_address, read_page
from tests.fakes import virtual
from tests.unit.decision.report.dossiers import report_of
from tests.unit.handlers.decided import ALL, hub
from tests.unit.handlers.front import TRIGGER, Front, command, interaction, pressed_in, sent
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.pressing import (
    ANNOUNCE,
    COMPLETE,
    NOT_HERS,
    approved,
    chosen,
    looking,
    menu,
    pressed,
    whispers,
)
from tests.unit.handlers.talks import talk


@virtual
async def test_the_record_opens_for_its_owner_with_what_was_approved(front: Front) -> None:
    now = await approved(front, "issue_raising")
    assert await front.sends(looking(now)) == ""
    (opened,) = front.made("views.open")
    assert opened["trigger_id"] == TRIGGER
    assert read_address(front.window, TEAM) == now.thread
    assert "Version 1 · approved by" in json.dumps(front.window, ensure_ascii=False)
    assert front.taken == []


@virtual
@pytest.mark.req("S0-044")
@pytest.mark.parametrize("value", ["export:html", "hand_over", "record"])
async def test_others_are_told_whose_decision_it_is_and_get_nothing(front: Front, value: str) -> None:
    now = await approved(front, *ALL)
    await front.sends(looking(now, ANN) if value == "record" else menu(now, value, ANN))
    assert whispers(front) == [NOT_HERS]
    assert front.made("views.open") == front.made(ANNOUNCE) == []


@virtual
@pytest.mark.req("SE-06")
@pytest.mark.parametrize("value", ["export:html", "hand_over", "record"])
async def test_an_owner_who_sees_the_channel_no_more_gets_nothing_of_the_decision(value: str, front: Front) -> None:
    now = await approved(front, *ALL)
    front.unseen.add((MAYA, now.thread.channel))
    await front.sends(looking(now) if value == "record" else menu(now, value))
    assert whispers(front) == [texts.NOT_SEEN]
    assert front.made("views.open") == front.made(ANNOUNCE) == []


@virtual
async def test_what_is_no_decision_any_more_is_said_to_be_none(front: Front) -> None:
    await front.sends(looking(hub(1)))
    await front.sends(menu(await front.has(talk(2)), "export:json"))
    assert whispers(front) == [decision_record.NO_DECISION] * 2


@virtual
async def test_a_click_without_a_whole_address_is_acknowledged_and_let_be(front: Front) -> None:
    now = await front.has(hub(1))
    assert await front.sends(pressed(now, action_ids.RECORD, "elsewhere")) == ""
    assert await front.sends(menu(now, "export:docx")) == ""
    assert await front.sends(interaction("block_actions", actions=[{"action_id": action_ids.HUB_MENU}])) == ""
    assert front.slack.calls == []


@virtual
async def test_closing_in_the_menu_is_taken_in_and_acknowledged(front: Front) -> None:
    now = await front.has(hub(1))
    assert await front.sends(menu(now, "close")) == ""
    assert [event.kind for event in front.taken] == ["decision_closed"]


@virtual
async def test_while_the_store_is_away_everything_is_answered_with_one_sentence(front: Front) -> None:
    now = await front.has(hub(1))
    front.is_away = True
    for body in (looking(now), menu(now, "export:html"), menu(now, "hand_over")):
        await front.sends(body)
    assert whispers(front) == [texts.NOT_NOW] * 3


LONG = report_of(*(Prose(text=f"{number} " * 900) for number in range(120)))


@virtual
async def test_a_page_is_turned_for_the_owner_alone(front: Front) -> None:
    now = await approved(front, *ALL)
    view = record_window.build_record_window(LONG, now.thread)
    await front.sends(pressed_in(view, "record_page:next", value="1"))
    (turned,) = front.made("views.update")
    assert (turned["view_id"], turned["hash"]) == ("V0PICK001", "1.abc")
    assert turned["view"] == record_window.build_record_window(await front.context.report_of(now), now.thread, 1)
    await front.sends(pressed_in(view, "record_page:next", ANN, value="1"))
    assert front.made("views.update")[-1]["view"] == build_notice(decision_record.RECORD_TITLE, NOT_HERS)


@virtual
async def test_a_page_that_comes_too_late_changes_nothing_and_can_be_pressed_again(front: Front) -> None:
    now = await front.has(hub(1))
    front.slowness = 60
    view = record_window.build_record_window(LONG, now.thread)
    assert await front.sends(pressed_in(view, "record_page:next", value="1")) == ""
    assert front.made("views.update") == []


@virtual
async def test_an_export_in_the_window_keeps_its_page_of_the_record_and_says_where_the_file_is(front: Front) -> None:
    now = await approved(front, "issue_raising")
    view = record_window.build_record_window(LONG, now.thread)
    await front.sends(pressed_in(view, "record_export:json", value="json"))
    begun, done = (call["view"] for call in front.made("views.update"))
    assert begun["blocks"][1]["text"]["text"] == on_export.describe_file(front.context, now.thread, "json")
    assert done["blocks"][1]["text"]["text"] == on_export.describe_file(
        front.context, now.thread, "json", is_posted=True
    )
    assert [block["type"] for block in begun["blocks"][:2]] == ["actions", "section"], "beside what was pressed"
    assert begun["blocks"][2:] == done["blocks"][2:]
    assert "record_export:html" in json.dumps(done), "the next one is a press away"
    assert front.made("views.update")[1]["hash"].startswith("h"), "a window that was turned over stays"
    second = record_window.build_record_window(LONG, now.thread, 1)
    assert read_page(second) == 1
    assert read_page({}) == 0
    assert len(front.made(COMPLETE)) == 1
    await front.sends(pressed_in(view, "record_export:json", ANN, value="json"))
    await front.sends(pressed_in(view, "record_export:docx", value="docx"))
    assert len(front.made(COMPLETE)) == 1


@virtual
async def test_an_export_in_the_window_that_fails_leaves_no_note_that_it_comes(front: Front) -> None:
    now = await approved(front, "issue_raising")
    front.slack.faults[COMPLETE] = [SlackRefused(COMPLETE, "file_not_found")]
    view = record_window.build_record_window(LONG, now.thread)
    await front.sends(pressed_in(view, "record_export:json", value="json"))
    assert whispers(front) == [decision_record.EXPORT_FAILED]
    assert "in a moment" not in json.dumps(front.made("views.update")[-1]["view"])


@virtual
@pytest.mark.parametrize(
    ("word", "ending", "begins"), [("html", ".html", b"<!doctype"), ("markdown", ".md", b"# "), ("json", ".json", b"{")]
)
async def test_the_owner_gets_the_file_in_the_decisions_thread(
    front: Front, word: str, ending: str, begins: bytes
) -> None:
    now = await approved(front, "issue_raising")
    assert await front.sends(menu(now, f"export:{word}")) == ""
    (told,) = whispers(front)
    assert told == on_export.describe_file(front.context, now.thread, word)
    assert {"html": "the report:", "markdown": "the report in Markdown:", "json": "the whole record as JSON:"}[
        word
    ] in told
    (announced,), (shared,) = front.made(ANNOUNCE), front.made(COMPLETE)
    ((address, content),) = front.slack.uploads.items()
    assert address.startswith("http://127.0.0.1:1/upload/")
    assert announced == {"filename": f"how-do-we-cover-no-heat-calls-2026-03-01{ending}", "length": len(content)}
    assert content.lower().startswith(begins)
    assert (shared["channel_id"], shared["thread_ts"]) == (now.thread.channel, now.thread.root)
    assert shared["initial_comment"] == decision_record.COMMENTS[word].format(person=f"<@{MAYA}>")


@virtual
async def test_the_length_of_a_file_is_told_in_bytes(front: Front) -> None:
    now = await front.has(hub(1, question="Wohin fährt Zoë – nach Łódź?"))
    await front.sends(menu(now, "export:markdown"))
    (content,) = front.slack.uploads.values()
    assert front.made(ANNOUNCE)[0]["length"] == len(content) > len(content.decode())


@virtual
@pytest.mark.parametrize(
    ("method", "error", "said"),
    [
        (ANNOUNCE, SlackRefused(ANNOUNCE, "missing_scope"), decision_record.NO_UPLOAD),
        (COMPLETE, SlackRefused(COMPLETE, "not_in_channel"), decision_record.NOT_THERE),
        (COMPLETE, SlackRefused(COMPLETE, "channel_not_found"), decision_record.NOT_THERE),
        (COMPLETE, SlackRefused(COMPLETE, "file_not_found"), decision_record.EXPORT_FAILED),
        (ANNOUNCE, SlackUnavailable(ANNOUNCE), decision_record.EXPORT_FAILED),
        (COMPLETE, SlackUnavailable(COMPLETE, ambiguous=True), decision_record.EXPORT_FAILED),
    ],
)
async def test_an_export_that_fails_says_what_to_do_and_is_not_tried_twice(
    front: Front, method: str, error: Exception, said: str
) -> None:
    now = await front.has(hub(1))
    front.slack.faults[method] = [error]
    await front.sends(menu(now, "export:html"))
    assert whispers(front) == [on_export.describe_file(front.context, now.thread, "html"), said]
    assert len(front.made(method)) == 1


@virtual
@pytest.mark.req("SE-13")
async def test_who_has_had_too_many_files_is_told_when_to_ask_again() -> None:
    front = Front(limits=LimitSettings(creations={Creation.FILE: Pace(1)}))
    now = await front.has(hub(1))
    for _ in range(2):
        await front.sends(menu(now, "export:html"))
    assert whispers(front)[-1] == decision_record.TOO_MANY_FILES.format(wait="60 min")
    assert len(front.made(ANNOUNCE)) == 1


@virtual
async def test_the_command_offers_the_callers_decisions_the_newest_first(front: Front) -> None:
    await front.has(hub(1, question="The older one?"))
    await front.has(hub(3, question="The newer one?"))
    await front.has(talk(4))
    await front.has(hub(5, owner=ANN))
    assert await front.sends(command(THREADWISE, "export")) == ""
    select = front.window["blocks"][0]["element"]
    assert [each["text"]["text"] for each in select["options"]] == ["The newer one?", "The older one?"]
    assert select["initial_option"] == select["options"][0]


@virtual
async def test_the_command_says_how_to_begin_where_there_is_no_decision(front: Front) -> None:
    await front.has(hub(1, owner=ANN))
    assert await front.sends(command(THREADWISE, "export")) == decision_record.NO_DECISIONS
    front.is_away = True
    assert await front.sends(command(THREADWISE, "export")) == texts.NOT_NOW


@virtual
async def test_what_is_picked_is_exported_and_the_window_says_where(front: Front) -> None:
    now = await front.has(hub(1))
    answer = await front.sends(sent(export_window.build_form([now]), **chosen(now, "markdown")))
    assert answer["response_action"] == "update"
    assert "in a moment" in json.dumps(answer["view"])
    assert [call["thread_ts"] for call in front.made(COMPLETE)] == [now.thread.root]


@virtual
@pytest.mark.parametrize(
    ("user", "is_chosen", "word", "said"),
    [
        (ANN, True, "html", NOT_HERS),
        (MAYA, False, "html", decision_record.PICK_DECISION),
        (MAYA, True, "docx", decision_record.PICK_DECISION),
    ],
)
async def test_what_cannot_be_exported_is_said_below_the_field(
    front: Front, user: str, is_chosen: bool, word: str, said: str
) -> None:
    now = await front.has(hub(1))
    answer = await front.sends(sent(export_window.build_form([now]), user, **chosen(now if is_chosen else None, word)))
    assert answer == {"response_action": "errors", "errors": {"decision": mrkdwn.resolve_markup(said)}}
    assert front.made(ANNOUNCE) == []


@virtual
async def test_an_export_that_is_sent_while_the_store_is_away_stays_in_its_window(front: Front) -> None:
    now = await front.has(hub(1))
    front.is_away = True
    answer = await front.sends(sent(export_window.build_form([now]), **chosen(now)))
    assert answer["errors"] == {"decision": texts.NOT_NOW}


def test_nothing_that_people_read_here_is_longer_than_slack_shows() -> None:
    titles = (
        decision_record.RECORD_TITLE,
        decision_record.EXPORT_TITLE,
        decision_record.HAND_OVER_TITLE,
        decision_record.EXPORT_SUBMIT,
        texts.NOTICE_CLOSE,
    )
    assert all(len(each) <= 24 for each in (*titles, decision_record.HAND_OVER_SUBMIT, texts.CANCEL))
