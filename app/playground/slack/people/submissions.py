"""Effects of an app's answer to a submitted modal: close it, show errors or other content, push a modal, close all.

Rule: an answer that Slack would not understand changes nothing; the modal stays, with a line that says so.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.playground.slack.blocks.views import check_view
from app.playground.slack.values.block_fields import read_mapping
from app.playground.slack.values.controls import find_controls
from app.playground.slack.values.refusal import Refusal, build_refusal
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.workspace import Workspace

TROUBLE = "We had some trouble connecting. Try again?"  # Slack's own line


def carry_out(workspace: Workspace, view: View, answer: Json) -> Mapping[str, str]:
    """Apply the app's answer; return the words under the fields, if those were the answer."""
    views = workspace.views
    if not answer:
        views.close(view)
        return {}
    match answer.get("response_action"):
        case "errors":
            errors = _read_errors(view, answer)
            views.hold(replace(view, errors=errors, trouble=""))
            return errors
        case "update":
            views.renew(view, _read_view(workspace, answer))
        case "push":
            given = _read_view(workspace, answer)
            views.hold(replace(view, errors={}, trouble=""))
            views.push(view.user, given)
        case "clear":
            views.clear(view.user)
        case _:
            raise build_refusal("invalid_arguments", ["an answer to view_submission is empty or has a response_action"])
    return {}


def _read_view(workspace: Workspace, answer: Json) -> Json:
    return check_view(answer.get("view"), "modal", lambda: workspace.mint.secret(5))


def _read_errors(view: View, answer: Json) -> dict[str, str]:
    """Return the words if all of them belong to existing inputs."""
    errors = {name: str(words) for name, words in read_mapping(answer.get("errors")).items()}
    inputs = {control.block_id for control in find_controls(view.blocks) if control.block["type"] == "input"}
    if not errors or errors.keys() - inputs:
        raise Refusal("invalid_arguments", errors=["errors must name the block_id of an input block"])
    return errors
