"""A person's actions on a control, and the effects of the app's answer.

Rule: an interaction is delivered once. If the app does not answer within three seconds, people see an error. Knows no
names: the caller has found the person and the control.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from app.playground.slack.api.site import Site
from app.playground.slack.blocks.problems import find_broken_rules
from app.playground.slack.blocks.views import find_field_errors
from app.playground.slack.delivery.delivery import Deliveries, Delivery, Outcome
from app.playground.slack.people.choices import Entered, build_state, find_option
from app.playground.slack.people.interactions import Interactions
from app.playground.slack.people.response_urls import Origin, ResponseUrls
from app.playground.slack.people.submissions import TROUBLE, carry_out
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.block_fields import read_mappings
from app.playground.slack.values.controls import OVERFLOW, Control
from app.playground.slack.values.model import CallFailed, Channel, Message
from app.playground.slack.values.refusal import Refusal
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.entries import Entries, Surface

SLACKBOT = "USLACKBOT"
SHORTEST_QUERY = 3  # Slack: min_query_length where an external select names none
_TIMEOUTS = ("timeout", "http_timeout")
_UNANSWERED: Mapping[str, str] = {
    "block_actions": "the app did not answer this click",
    "block_suggestion": "the app did not answer this search",
    "message_action": "the app did not answer this shortcut",
    "shortcut": "the app did not answer this shortcut",
    "view_submission": "the app did not answer this submission",
    "view_closed": "the app did not answer that a modal was closed",
}


class UserActions:
    """Actions on controls. The docstring of a method says if it waits for the app's answer."""

    def __init__(self, site: Site, responses: ResponseUrls, deliveries: Deliveries) -> None:
        self._workspace = site.workspace
        self._entries = Entries(site.workspace.views)
        self._interactions = Interactions(site, self._entries, responses)
        self._responses = responses
        self._deliveries = deliveries

    # --- controls --------------------------------------------------------------------------------

    def use(self, user: str, surface: Surface, control: Control, entered: Entered) -> None:
        """Press a button, or choose in another element; an input that does not dispatch only keeps what is entered."""
        state = self._state(user, surface, control, entered)
        if control.kind:
            self._entries.enter(user, surface, {control.key: state})
        if not control.is_silent:
            self._tell(self._interactions.block_actions(user, surface, control, state))

    def fill(self, view: View, entered: Sequence[tuple[Control, Entered]]) -> None:
        """Store input in a view without an event, as if it was typed before another element is pressed."""
        states = {control.key: self._state(view.user, view, control, value) for control, value in entered}
        self._entries.enter(view.user, view, states)

    def _state(self, user: str, surface: Surface, control: Control, entered: Entered) -> Json:
        offers = self._entries.offers(user, surface, control)
        if control.kind:
            return build_state(self._workspace, control, entered, offers)
        if control.type == OVERFLOW:
            return {"type": OVERFLOW, "selected_option": find_option(control, str(entered))}
        return {"type": control.type}

    async def search(self, user: str, surface: Surface, control: Control, query: str) -> Json:
        """Type in a select that asks the app; return its `options` or `option_groups` after waiting for them."""
        if len(query) < control.element.get("min_query_length", SHORTEST_QUERY):
            return {"options": []}
        outcome = await self._ask(self._interactions.suggestion(user, surface, control, query))
        answer = {name: found for name in ("options", "option_groups") if (found := outcome.answer.get(name))}
        if problems := list(find_broken_rules({"type": "external_options", **answer}, "")):
            self._fail("block_suggestion", "; ".join(problems))
            answer = {}
        groups = read_mappings(answer.get("option_groups"))
        offered = [option for group in (answer, *groups) for option in read_mappings(group.get("options"))]
        self._entries.offer(user, surface, control, offered)
        return answer or {"options": []}

    # --- modals ----------------------------------------------------------------------------------

    async def submit(self, view: View) -> Mapping[str, str]:
        """Press a modal's submit button and wait for the result; return the words under its fields."""
        if errors := find_field_errors(view):
            self._workspace.views.hold(replace(view, errors=errors, trouble=""))
            return errors
        outcome = await self._ask(self._interactions.submission(view))
        current = self._workspace.views.find(view.id)
        if current is None:
            return {}
        if not outcome.acknowledged:
            self._workspace.views.hold(replace(current, errors={}, trouble=TROUBLE))
            return {}
        return self._carried_out(current, outcome.answer)

    def _carried_out(self, view: View, answer: Json) -> Mapping[str, str]:
        try:
            return carry_out(self._workspace, view, answer)
        except Refusal as refusal:
            self._fail("view_submission", "; ".join(refusal.body.get("errors", [refusal.body["error"]])))
            self._workspace.views.hold(replace(view, errors={}, trouble=TROUBLE))
            return {}

    def close(self, view: View) -> None:
        """Press a modal's close button; one that clears takes the whole stack with it."""
        views = self._workspace.views
        clears = bool(view.given.get("clear_on_close"))
        gone = views.stack(view.user)[::-1] if clears else (view,)
        payloads = [
            self._interactions.closed(each, cleared=clears) for each in gone if each.given.get("notify_on_close")
        ]
        views.close(gone[-1])
        for payload in payloads:
            self._tell(payload)

    # --- commands and shortcuts ------------------------------------------------------------------

    def run(self, user: str, channel: Channel, command: str, text: str) -> None:
        """Send a slash command; its answer, or the lack of one, is shown at the place of the command."""
        payload = self._interactions.command(user, channel, command, text)
        origin = Origin(user, channel.id)
        self._deliveries.send(
            Delivery("slash_commands", payload), lambda outcome: self._answered(origin, command, outcome)
        )

    def _answered(self, origin: Origin, command: str, outcome: Outcome) -> None:
        if not outcome.acknowledged:
            self._failed(origin, command, "operation_timeout" if outcome.reason in _TIMEOUTS else "dispatch_failed")
        elif outcome.answer.get("text") or outcome.answer.get("blocks"):
            try:
                self._responses.say(origin, Arguments(outcome.answer))
            except Refusal:
                self._failed(origin, command, "invalid_command_response")

    def _failed(self, origin: Origin, command: str, error: str) -> None:
        self._fail(command, error)
        line = f'{command} failed with the error "{error}"'
        ts = self._workspace.mint.ts()
        self._workspace.whisper(Message(origin.channel, ts, SLACKBOT, line, seen_by=origin.user))

    def shortcut(self, user: str, callback_id: str, message: Message | None) -> None:
        """Use a shortcut, on a message or anywhere."""
        self._tell(self._interactions.shortcut(user, callback_id, message))

    # --- telling the app -------------------------------------------------------------------------

    def _tell(self, payload: Json) -> None:
        self._deliveries.send(Delivery("interactive", payload), self._notice(payload["type"]))

    async def _ask(self, payload: Json) -> Outcome:
        outcome = await self._deliveries.ask(Delivery("interactive", payload))
        self._notice(payload["type"])(outcome)
        return outcome

    def _notice(self, kind: str) -> Callable[[Outcome], None]:
        return lambda outcome: None if outcome.acknowledged else self._fail(kind, _UNANSWERED[kind])

    def _fail(self, method: str, error: str) -> None:
        self._workspace.tell(CallFailed(time.time(), method, error, 0))
