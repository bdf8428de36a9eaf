"""The hub of a decision, which leads to its steps, and the first message of each step, which leads back. Pure.

All actions open to the owner are offered. Whether one is possible is checked when it is pressed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from app.core.conversation.card import HubCard
from app.core.copy import decision_steps
from app.core.state.decision import FRAME, ComponentStatus, Decision, DecisionStep
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.core.thread import ThreadKey
from handlers.slack import action_ids, permalinks
from handlers.views.kit import blocks, mrkdwn, rich_text
from handlers.views.kit.blocks import Block, CardPlace, RenderedMessage
from handlers.views.kit.packing import pack
from handlers.views.kit.rich_text import Element, Line, build_text
from handlers.views.kit.summary_line import DOT

QUESTION_CHARS = 2_000
"""Limit of a decision's question as a title; longer ones are cut."""

GIST_CHARS = 200
"""Limit of a step's gist; longer ones are cut."""

SMALL_PRINT_CHARS = 2_900
"""Slack's limit is 3,000 for an element of small print."""

NAME_CHARS = 80
"""Limit of a decision's question as a link; longer ones are cut."""

DASH, GAP, TIE = " – ", "   ", "\N{NO-BREAK SPACE}"
"""`TIE` joins a sign, a number and a title, so that a line never breaks between them."""


def render(card: HubCard, place: CardPlace) -> RenderedMessage:
    """Return the hub of a decision: its steps with their states, and what comes next."""
    decision, question = card.decision, cut(card.decision.name, QUESTION_CHARS)
    coming = find_next_step(decision)
    title = Line((*build_text(f"{decision_steps.HUB} "), *build_text(question, "bold"), *_render_small_print(card)))
    steps = Line(tuple(element for step in decision.steps for element in _render_step(step, decision, place))[:-1])
    body = (*rich_text.build_blocks((title,)), *rich_text.build_blocks((steps,)), *_render_gists(decision))
    below = (blocks.build_section(_describe_next(card, coming)), *_build_controls(decision, coming, place))
    return RenderedMessage(
        text=cut(f"{decision_steps.HUB} {mrkdwn.render_verbatim(question)}", blocks.FALLBACK_CHARS),
        blocks=(*body, *below),
    )


def render_first_message(decision: Decision, component: str, owner: str, hub: CardPlace) -> RenderedMessage:
    """Return the first message of a step's thread, which mentions its owner. `hub` is the decision's place."""
    number, step = next((place, each) for place, each in enumerate(decision.steps, 1) if each.key == component)
    sentence = decision_steps.STEP.format(
        number=number, count=len(decision.steps), title=mrkdwn.render_verbatim(step.title), owner=f"<@{owner}>"
    )
    address = permalinks.link_thread(hub.workspace_url, hub.thread)
    back = rich_text.build_link(address, cut(decision.name, NAME_CHARS))
    below = rich_text.build_blocks((Line((*build_text(f"{decision_steps.HUB} "), back)),))
    return blocks.render_sentence(sentence, *below)


def _render_small_print(card: HubCard) -> Iterator[Element]:
    """Yield owner, deadline and other facts of a decision."""
    decision = card.decision
    due = date.fromisoformat(decision.deadline) if decision.deadline else None
    told = (
        decision_steps.BY.format(date=f"{due.day} {due:%b %Y}") if due else "",
        decision_steps.AN_EXAMPLE if decision.example else "",
        decision_steps.IS_CLOSED if decision.closed else "",
    )
    yield from build_text(GAP)
    yield rich_text.build_mention(card.owner)
    yield from build_text("".join(f"{DOT}{each}" for each in told if each))


def _render_step(step: DecisionStep, decision: Decision, place: CardPlace) -> Iterator[Element]:
    yield from build_text(f"{decision_steps.STEP_SIGNS[step.status]}{TIE}")
    yield from _render_name(step, decision, place)
    yield from build_text(f"{TIE}v{step.version}" if step.status is ComponentStatus.COMPLETE else "")
    yield from build_text("".join(f"{DASH}{each}" for each in _list_remarks(step, decision)))
    yield from build_text(GAP)


def _render_name(step: DecisionStep, decision: Decision, place: CardPlace) -> tuple[Element, ...]:
    name = decision_steps.NUMBERED.format(number=_number_step(step, decision), title=step.title).replace(" ", TIE)
    if step.thread is None:
        return build_text(name)
    return (rich_text.build_link(_link_step(step, step.thread, place), name),)


def _link_step(step: DecisionStep, thread: ThreadKey, place: CardPlace) -> str:
    """Return the address of the card that waits for the owner, else of the thread's beginning."""
    if step.shown and (step.waits or step.status is ComponentStatus.NEEDS_REVISION):
        return permalinks.link_reply(place.workspace_url, thread, step.shown)
    return permalinks.link_thread(place.workspace_url, thread)


def _list_remarks(step: DecisionStep, decision: Decision) -> Iterator[str]:
    if step.waits:
        yield decision_steps.STEP_LACKS if step.lacks else decision_steps.STEP_WAITS
    if decision.needs_another_look(step):
        made_with = ((each.title, step.based_on.get(each.key, 0)) for each in decision.list_newer(step))
        old = [
            f"{title} v{version}" if version else decision_steps.NONE_OF.format(title=title)
            for title, version in made_with
        ]
        begun = f"{decision_steps.STEP_SIGNS[ComponentStatus.NEEDS_REVISION]}{TIE}"
        sign = "" if step.status is ComponentStatus.NEEDS_REVISION else begun
        if old:
            yield f"{sign}{decision_steps.BASED_ON.format(versions=join_words(old))}"


def _render_gists(decision: Decision) -> tuple[Block, ...]:
    """Return the gist of each step that needs no other look, in small print without markup.

    The question is the title.
    """
    found = [step for step in decision.steps if step.gist and step.key != FRAME]
    current = [step for step in found if not decision.needs_another_look(step)]
    lines = [f"{step.title}: {cut(step.gist, GIST_CHARS)}" for step in current]
    bundles = pack(lines, lambda line: (len(line) + 1,), (SMALL_PRINT_CHARS,))
    return tuple(blocks.build_verbatim_context("\n".join(bundle)) for bundle in bundles)


def find_next_step(decision: Decision) -> DecisionStep | None:
    """Return the next step: the one that waits for the owner, else the first possible one that is not done."""
    open_ = [each for each in decision.steps if each.status is not ComponentStatus.COMPLETE and is_open(each, decision)]
    return next((each for each in open_ if each.waits), next(iter(open_), None))


def is_open(step: DecisionStep, decision: Decision) -> bool:
    """Return True if the step was started or can be, because the step before it was."""
    return step.thread is not None or decision.can_begin(step)


def _describe_next(card: HubCard, coming: DecisionStep | None) -> str:
    if card.decision.closed:
        return decision_steps.NEXT_CLOSED
    if coming is None:
        return decision_steps.NEXT_IN_EXAMPLE if card.decision.example else decision_steps.NEXT_NOTHING
    asks = decision_steps.NEXT_COMPLETES if coming.lacks else decision_steps.NEXT_CONFIRMS
    form = asks if coming.waits else decision_steps.NEXT[coming.status]
    return form.format(owner=f"<@{card.owner}>", title=mrkdwn.render_verbatim(coming.title))


def _build_controls(decision: Decision, coming: DecisionStep | None, place: CardPlace) -> Iterator[Block]:
    is_live = not decision.closed and not decision.example
    label = decision_steps.WHOLE_RECORD if coming is None or decision.closed else decision_steps.RECORD
    record = blocks.build_button(action_ids.RECORD, label, blocks.format_address(place.thread))
    lead = build_next_act(decision, place)
    yield blocks.build_actions(
        *filter(None, (lead, record)), blocks.build_overflow(action_ids.HUB_MENU, _list_menu(decision))
    )
    others = {
        _format_start_value(step, place): _label_step(decision_steps.NUMBERED, step, decision)
        for step in decision.steps
        if step is not coming and step.status is ComponentStatus.NOT_STARTED and is_open(step, decision)
    }
    if is_live and others:
        yield blocks.build_actions(blocks.build_select(action_ids.START_STEP, decision_steps.START_ANOTHER, others))


def build_next_act(decision: Decision, place: CardPlace) -> Block | None:
    """Return the button that leads to the next step, or starts it; None if nothing is to be done."""
    coming = find_next_step(decision)
    if coming is None or decision.closed or (decision.example and coming.thread is None):
        return None
    return _build_lead_button(coming, decision, place)


def _build_lead_button(step: DecisionStep, decision: Decision, place: CardPlace) -> Block:
    if step.thread is None:
        label = _label_step(decision_steps.START_STEP, step, decision)
        return blocks.build_button(action_ids.START_STEP, label, _format_start_value(step, place), "primary")
    label = _label_step(decision_steps.OPEN_STEP, step, decision)
    return blocks.build_link_button(action_ids.OPEN_STEP, label, _link_step(step, step.thread, place))


def _list_menu(decision: Decision) -> Mapping[str, str]:
    """Return the menu's entries, at most five, which is Slack's limit. An example cannot be handed over or closed."""
    if decision.example:
        return decision_steps.EXPORTS
    if decision.closed:
        return {**decision_steps.EXPORTS, "reopen": decision_steps.REOPEN_DECISION}
    close = {"close": decision_steps.CLOSE_DECISION} if decision.can_close else {}
    return {**decision_steps.EXPORTS, action_ids.HAND_OVER_WINDOW: decision_steps.HAND_OVER, **close}


def _format_start_value(step: DecisionStep, place: CardPlace) -> str:
    return f"{step.key}:{blocks.format_address(place.thread)}"


def _label_step(form: str, step: DecisionStep, decision: Decision) -> str:
    return cut(form.format(number=_number_step(step, decision), title=step.title), blocks.LABEL_CHARS)


def _number_step(step: DecisionStep, decision: Decision) -> int:
    """Return the step's number in the decision, counted from 1."""
    return decision.steps.index(step) + 1
