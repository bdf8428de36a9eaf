"""The window that shows the record of a decision. Pure.

A record that exceeds a window's limits has several pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, decision_steps, texts
from app.core.state.decision import ComponentStatus
from app.core.text.cutting import cut
from app.core.thread import ThreadKey
from app.decision.report import wording
from app.decision.report.dossier import Report, ReportStep
from handlers.slack import action_ids
from handlers.views.cards.sheet_pages import render_sections
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import pack
from handlers.views.kit.summary_line import DOT
from handlers.views.windows import forms
from handlers.views.windows.forms import MOST_CHARS, View, build_page_buttons, build_read_only_window

PAGE_BLOCKS, PAGE_BYTES = 90, 100_000
"""Limits of a page's content. Slack's are 100 blocks and 250 KB."""

HEADING_CHARS = 500
"""Limit of the text below a step's title. Escaped, it still fits a section."""


def explain_refusal(now: Conversation | None, user: str) -> str:
    """Return why this person may not see this decision, because only its owner may; empty if they may."""
    if now is None or now.decision is None:
        return decision_record.NO_DECISION
    return "" if now.owner == user else texts.NOT_OWNER.format(owner=f"<@{now.owner}>")


def build_record_window(report: Report, thread: ThreadKey, page: int = 0, notice: str = "") -> View:
    """Return a page of the record of the decision in this thread, below a notice in mrkdwn, if there is one.

    A number too high gives the last page.
    """
    pages = [*map(_build_page, pack(_list_blocks(report), _weigh, (PAGE_BLOCKS, PAGE_BYTES)))]
    at = min(page, len(pages) - 1)
    exports = (
        blocks.build_button(f"{action_ids.RECORD_EXPORT_PREFIX}{word}", label, word)
        for word, label in decision_record.EXPORT_BUTTONS.items()
    )
    shown = build_read_only_window(
        decision_steps.WHOLE_RECORD if _is_finished(report) else decision_record.RECORD_TITLE,
        # On top: a record is long, and what comes of a press is told beside its button.
        blocks.build_actions(*exports),
        *([blocks.build_section(notice)] if notice else []),
        *pages[at],
        *build_page_buttons(action_ids.RECORD_PAGE_PREFIX, at, len(pages)),
    )
    return shown | forms.mark(action_ids.RECORD_WINDOW, {"address": blocks.format_address(thread), "page": at})


def _is_finished(report: Report) -> bool:
    """Return True if the window is called as the button at the end of a decision is."""
    return report.closed or all(step.status is ComponentStatus.COMPLETE for step in report.steps)


@dataclass(frozen=True, slots=True)
class _RecordBlock:
    """One block of the record, and its step."""

    block: Block
    step: str = ""
    begins: bool = True
    """True for the first block of a step."""


def _list_blocks(report: Report) -> Iterator[_RecordBlock]:
    yield _RecordBlock(blocks.build_verbatim(cut(report.question, MOST_CHARS)))
    cover = DOT.join(f"{label}: {value}" for label, value in wording.list_cover(report))
    yield _RecordBlock(blocks.build_verbatim_context(cut(cover, MOST_CHARS)))
    for step in report.steps:
        yield from _list_step_blocks(step)


def _list_step_blocks(step: ReportStep) -> Iterator[_RecordBlock]:
    title = decision_steps.NUMBERED.format(number=step.number, title=step.title)
    yield _RecordBlock(blocks.build_section(_format_heading(step, title)), title)
    for group in render_sections(step.sheet.sections) if step.sheet else ():
        yield from (_RecordBlock(block, title, begins=False) for block in group)


def _format_heading(step: ReportStep, title: str) -> str:
    told = (
        wording.describe_version(step) or wording.NOT_APPROVED,
        *(f"{wording.OUTDATED} {each}" for each in step.outdated),
    )
    below = mrkdwn.render_verbatim(cut("\n".join(told), HEADING_CHARS))
    return f"{decision_steps.STEP_SIGNS[step.status]} *{mrkdwn.render_verbatim(title)}*\n{below}"


def _weigh(shown: _RecordBlock) -> tuple[int, int]:
    return 1, len(json.dumps(shown.block))


def _build_page(shown: Sequence[_RecordBlock]) -> list[Block]:
    """Return the blocks of a page. One that begins within a step is headed by that step's title."""
    again = [] if shown[0].begins else [blocks.build_verbatim(decision_record.STEP_GOES_ON.format(title=shown[0].step))]
    return [*again, *(each.block for each in shown)]
