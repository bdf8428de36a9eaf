"""One decision as one row: its name, its place, who is waited for, and its next step. Its threads unfold in a window.

Pure. The hub and the threads of the steps are conversations of their own; here they are shown as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_steps, texts
from app.core.decisions import hub
from app.core.state.decision import Decision
from app.core.state.status import Status, TurnState
from app.core.thread import ThreadKey
from handlers.slack import action_ids, permalinks
from handlers.views.cards import hub_card
from handlers.views.kit import blocks, mrkdwn, summary_line
from handlers.views.kit.blocks import Block, CardPlace
from handlers.views.windows import record_window
from handlers.views.windows.forms import View, build_read_only_window

URGENCY = (Status.WAITING_INPUT, Status.BACKGROUND, Status.ACTIVE)
"""Statuses that a thread gives to its decision; the first one that any of them has."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision with the threads of its steps, which may be incomplete: lists hold the newest conversations only."""

    hub: Conversation
    threads: tuple[Conversation, ...] = ()

    @property
    def decision(self) -> Decision:
        """Return the decision."""
        assert self.hub.decision is not None, "only a hub has a row"
        return self.hub.decision

    @property
    def status(self) -> Status:
        """Return archived if the hub is; waiting if its owner has the next word; else what its threads do."""
        if self.hub.status is Status.ARCHIVED:
            return Status.ARCHIVED
        if any(step.waits for step in self.decision.steps) or self.is_owners_turn:
            return Status.WAITING_INPUT
        found = {each.status for each in (self.hub, *self.threads)}
        return next(each for each in URGENCY if each in found)

    @property
    def open_threads(self) -> list[Conversation]:
        """Return its threads that are not archived, the hub first."""
        return [each for each in (self.hub, *self.threads) if each.status is not Status.ARCHIVED]

    @property
    def is_written(self) -> bool:
        """Return True while an answer is written in one of its threads."""
        return any(each.run is TurnState.STREAMING for each in self.open_threads)

    @property
    def is_owners_turn(self) -> bool:
        """Return True if a step is left and nobody writes: its owner goes on with it, or begins it."""
        is_left = not self.decision.closed and hub_card.find_next_step(self.decision) is not None
        return is_left and not self.is_written

    @property
    def is_closed(self) -> bool:
        """Return True if the decision is closed and its hub is not archived: nothing of it waits or goes on."""
        return self.decision.closed and self.hub.status is not Status.ARCHIVED


Entry = Conversation | DecisionRow


def find_group(entry: Entry) -> Status | None:
    """Return the status under which an entry stands; None for a closed decision, which stands apart."""
    return None if isinstance(entry, DecisionRow) and entry.is_closed else entry.status


def group_decisions(mine: Sequence[Conversation]) -> list[Entry]:
    """Return the conversations in their order; those of a decision are one entry, at the place of the newest.

    A step whose hub is not among them stands alone.
    """
    hubs = {each.thread: each for each in mine if each.decision}
    entries: list[Entry] = []
    shown = set[ThreadKey]()
    for each in mine:
        hub = hubs.get(each.interview.decision if each.interview else each.thread)
        if hub is None:
            entries.append(each)
        elif hub.thread not in shown:
            shown.add(hub.thread)
            steps = tuple(step for step in mine if step.interview and step.interview.decision == hub.thread)
            entries.append(DecisionRow(hub, steps))
    return entries


def render_line(row: DecisionRow, view: summary_line.LinkContext) -> str:
    """Return sign, name, place, step and who is waited for, as one line of mrkdwn."""
    outdated = sum(map(row.decision.needs_another_look, row.decision.steps))
    told = (
        summary_line.link_title(row.hub, view),
        summary_line.render_place(row.hub.thread),
        _describe_step(row.decision),
        _describe_waiting(row, view),
        decision_steps.LOOK_AGAIN.format(count=outdated) if outdated else "",
    )
    sign = texts.HOME_CLOSED.partition(" ")[0] if row.is_closed else summary_line.find_sign(row.status)
    return f"{sign} {summary_line.DOT.join(filter(None, told))}"


def _describe_step(decision: Decision) -> str:
    coming = hub_card.find_next_step(decision)
    if coming is None or decision.closed:
        return ""
    place = decision_steps.AT_STEP.format(
        number=decision.steps.index(coming) + 1, count=len(decision.steps), title=coming.title
    )
    return mrkdwn.render_verbatim(place)


def _describe_waiting(row: DecisionRow, view: summary_line.LinkContext) -> str:
    if row.decision.closed:
        return decision_steps.CLOSED_ROW
    if row.is_written:
        return decision_steps.WORKING
    if asked := next((each for each in row.open_threads if each.question), None):
        return summary_line.describe_next(asked, view)
    if waiting := [step for step in row.decision.steps if step.waits]:
        return decision_steps.STEP_LACKS if waiting[0].lacks else decision_steps.STEP_WAITS
    return decision_steps.YOUR_TURN if row.is_owners_turn else decision_steps.ALL_DONE


def build_row(row: DecisionRow, view: summary_line.LinkContext) -> tuple[Block, Block]:
    """Return the row at Home with its next act, its threads, and a button that archives or reopens it."""
    place = CardPlace(thread=row.hub.thread, workspace_url=view.workspace_url)
    address = blocks.format_address(row.hub.thread)
    lead = None if row.status is Status.ARCHIVED else hub_card.build_next_act(row.decision, place)
    away = build_archive_button(row.hub)
    threads = blocks.build_button(action_ids.THREADS, decision_steps.THREADS, address)
    actions = blocks.build_actions(*filter(None, (lead, threads, away)))
    line = blocks.build_section(render_line(row, view))
    return line | {"block_id": address}, actions | {"block_id": f"{address}:actions"}


def build_archive_button(now: Conversation) -> Block:
    """Return the button that archives a conversation at Home, or reopens one that is archived."""
    address = blocks.format_address(now.thread)
    if now.status is Status.ARCHIVED:
        return blocks.build_button(action_ids.HOME_REOPEN, texts.REOPEN, address)
    return blocks.build_button(action_ids.HOME_ARCHIVE, texts.ARCHIVE_HERE, address)


def build_threads_window(row: DecisionRow, view: summary_line.LinkContext) -> View:
    """Return the window with the hub and every thread of a decision, the steps in their order by their titles."""
    by_thread = {each.thread: each for each in row.threads}
    begun = [(step.title, by_thread.get(step.thread)) for step in row.decision.steps if step.thread]
    steps = [replace(thread, title=title) for title, thread in begun if thread]
    lines = [summary_line.render_line(each, view) for each in (row.hub, *steps)]
    return build_read_only_window(decision_steps.THREADS, *map(blocks.build_section, lines))


def explain_no_start(now: Conversation | None, user: str, component: str, view: summary_line.LinkContext) -> str:
    """Return why this person cannot start a step of a decision from Home, as mrkdwn; empty if they can."""
    if now is None or now.decision is None or now.owner != user:
        return record_window.explain_refusal(now, user)
    if now.status is Status.ARCHIVED:
        return texts.ARCHIVED
    if now.decision.closed:
        return decision_steps.START_IN_CLOSED
    step = now.decision.step(component)
    if step is None:
        return decision_steps.RETIRED
    title = mrkdwn.render_verbatim(step.title)
    if step.thread:
        address = permalinks.link_thread(view.workspace_url, step.thread)
        return f"{decision_steps.STEP_BEGUN.format(step=title)} <{address}|{decision_steps.GO_TO_STEP}>"
    if hub.is_opening(now, step.key):
        return decision_steps.STEP_IS_OPENING.format(step=title)
    if hub_card.is_open(step, now.decision):
        return ""
    needed = hub.find_prerequisite(now.decision, step.key)
    return decision_steps.PREREQUISITE.format(step=mrkdwn.render_verbatim(needed))


def find_row(mine: Iterable[Conversation], address: str) -> DecisionRow | None:
    """Return the row of the decision whose hub has this address; None if it is not among the conversations."""
    rows = (each for each in group_decisions(tuple(mine)) if isinstance(each, DecisionRow))
    return next((each for each in rows if blocks.format_address(each.hub.thread) == address), None)
