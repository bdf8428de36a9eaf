"""Submitted modals: what the app hears, and what its answer does."""

from typing import Any

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, user_id
from tests.contract.playground_slack.kit import (
    Json,
    acknowledging,
    actions,
    field,
    listening,
    modal,
    opened,
    opening,
    select,
)
from tests.contract.playground_slack.sdk import bolt_app, serving

TROUBLE = "We had some trouble connecting. Try again?"


def answering(slack: SlackPlayground, view: Json, /, **answer: Any) -> Any:
    """Return a Bolt app that opens this modal and answers its submission so."""
    app = opening(slack, view)

    async def submitted(ack: Any) -> None:
        await ack(**answer)

    app.view("goal")(submitted)
    return app


def top(slack: SlackPlayground) -> tuple[str, str, dict[str, str]]:
    """Return title, line and errors of Maya's modal."""
    view = slack.people.modal("Maya")
    return (view.label("title"), view.trouble, dict(view.errors)) if view else ("", "", {})


async def test_errors_stand_under_their_fields_until_the_next_submission(slack: SlackPlayground):
    app = opening(slack, modal(field("name"), field("place")))

    async def submitted(ack: Any, view: Json) -> None:
        if view["state"]["values"]["name"]["name"]["value"] == "taken":
            await ack(response_action="errors", errors={"name": "Taken."})
        else:
            await ack()

    app.view("goal")(submitted)
    async with listening(slack, app):
        await opened(slack)
        await slack.people.fills("Maya", name="taken", place="here")
        assert await slack.people.submits("Maya") == {"name": "Taken."}
        assert top(slack) == ("Goal", "", {"name": "Taken."})
        await slack.people.fills("Maya", name="free")
        assert await slack.people.submits("Maya") == {}
    assert top(slack) == ("", "", {})


@pytest.mark.parametrize(
    "answer",
    [
        # Slack: errors are keyed by the block_id of an input; a view is checked like any other; push stops at three.
        {"response_action": "errors", "errors": {"nowhere": "What?"}},
        {"response_action": "update", "view": modal(title="")},
        {"response_action": "update", "view": {"type": "home", "blocks": [{"type": "divider"}]}},
        {"response_action": "dance"},
        # python-slack-sdk 741: a body where Slack wants none shows the person this line.
        {"text": "ok"},
    ],
)
async def test_answer_slack_does_not_understand_leaves_the_modal_with_a_line(slack: SlackPlayground, answer: Json):
    async with listening(slack, answering(slack, modal(field("name", initial_value="x")), **answer)):
        await opened(slack)
        assert await slack.people.submits("Maya") == {}
    assert (top(slack), slack.journal.of("lost")) == (("Goal", TROUBLE, {}), [])


async def test_submission_bolt_does_not_acknowledge_leaves_the_modal_with_a_line(start: Start):
    # Fact sheet 3.1: no ack() within three seconds. bolt-python finds no listener for a view without its callback_id.
    slack = await start(SlackOptions(limits=False, time_scale=3.0))
    view = modal(field("name", initial_value="x"))
    del view["callback_id"]
    async with listening(slack, answering(slack, view)):
        await opened(slack)
        assert await slack.people.submits("Maya") == {}
    assert top(slack) == ("Goal", TROUBLE, {})


async def test_update_puts_another_content_in_the_same_modal(slack: SlackPlayground):
    view = modal(field("name", initial_value="x"))
    async with listening(slack, answering(slack, view, response_action="update", view=modal(title="Saved"))):
        before = await opened(slack)
        await slack.people.submits("Maya")
    after = slack.people.modal("Maya")
    assert after is not None
    assert (after.id, after.label("title")) == (before.id, "Saved")
    assert after.hash != before.hash


async def test_push_covers_the_modal_and_a_fourth_is_not_shown(slack: SlackPlayground):
    view = modal(field("name", initial_value="x"))
    async with listening(slack, answering(slack, view, response_action="push", view=view)):
        await opened(slack)
        for height in (2, 3):
            await slack.people.submits("Maya")
            assert len(slack.workspace.views.stack(user_id(slack, "Maya"))) == height
        await slack.people.submits("Maya")
        assert top(slack) == ("Goal", TROUBLE, {})
    assert len(slack.workspace.views.stack(user_id(slack, "Maya"))) == 3


async def test_clear_closes_the_whole_stack_and_an_empty_answer_only_the_top(slack: SlackPlayground):
    app = opening(slack, modal(field("name", initial_value="push")))

    async def submitted(ack: Any, view: Json) -> None:
        match view["state"]["values"]["name"]["name"]["value"]:
            case "push":
                await ack(response_action="push", view=modal(field("name", initial_value="")))
            case "clear":
                await ack(response_action="clear")
            case _:
                await ack()

    app.view("goal")(submitted)
    async with listening(slack, app):
        await opened(slack)
        for word, left in (("push", 2), ("done", 1), ("push", 2), ("clear", 0)):
            await slack.people.fills("Maya", name=word)
            await slack.people.submits("Maya")
            assert len(slack.workspace.views.stack(user_id(slack, "Maya"))) == left


async def test_submission_carries_what_the_app_kept_with_the_view(slack: SlackPlayground):
    heard: list[Json] = []
    app = opening(slack, modal(field("name", initial_value="x"), private_metadata="m", external_id="e"))
    app.view("goal")(acknowledging(heard))
    async with listening(slack, app):
        view = await opened(slack)
        await slack.people.submits("Maya")
    [payload] = heard
    assert (payload["type"], payload["user"]["id"]) == ("view_submission", user_id(slack, "Maya"))
    assert (payload["view"]["id"], payload["view"]["hash"]) == (view.id, view.hash)
    assert (payload["view"]["private_metadata"], payload["view"]["external_id"]) == ("m", "e")
    assert (payload["response_urls"], payload["trigger_id"].count(".")) == ([], 2)


async def test_trigger_of_a_submission_opens_the_next_modal(slack: SlackPlayground):
    # Fact sheet 5: view_submission brings a trigger_id of its own.
    app = opening(slack, modal(field("name", initial_value="x")))

    async def submitted(ack: Any, body: Json) -> None:
        await ack()
        await app.client.views_open(trigger_id=body["trigger_id"], view=modal(title="Next"))

    app.view("goal")(submitted)
    async with listening(slack, app):
        await opened(slack)
        await slack.people.submits("Maya")
        await slack.people.waits(lambda: top(slack)[0] == "Next")


async def test_submission_over_http_is_answered_in_the_body(start: Start):
    slack = await start(SlackOptions(limits=False, delivery="http"))
    app = bolt_app(slack, signing_secret=slack.signing_secret)

    async def open_first(ack: Any, body: Json) -> None:
        await app.client.views_open(trigger_id=body["trigger_id"], view=modal(field("name", initial_value="x")))
        await ack()

    async def submitted(ack: Any) -> None:
        await ack(response_action="errors", errors={"name": "Taken."})

    app.command("/goal")(open_first)
    app.view("goal")(submitted)
    async with serving(app.web_app("/slack/events")) as url:
        await slack.subscribe(url)
        await opened(slack)
        assert await slack.people.submits("Maya") == {"name": "Taken."}


async def test_modal_without_submit_cannot_be_submitted(slack: SlackPlayground):
    view = {name: value for name, value in modal(actions(select("a", "x"))).items() if name != "submit"}
    async with listening(slack, opening(slack, view)):
        await opened(slack)
        with pytest.raises(LookupError, match="'Goal' has no submit button"):
            await slack.people.submits("Maya")
