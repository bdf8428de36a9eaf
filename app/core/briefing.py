"""What the model is told beside the words, at the end of the newest user turn: where the thread stands, and the time.

It is kept with the reply, for what was once sent is sent again unchanged (design D11).
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from app.core import schedule as schedules
from app.core.goal import summary
from app.core.model import Conversation
from app.core.question import Origin, Question, QuestionKind
from app.core.states import Kind
from app.core.steps import moment

FORM = "<state>\n{lines}\n</state>"
RUN_BY_SCHEDULE = (
    "This is a run of the schedule: nobody is waiting. Work on your own; ask only what you cannot do without."
)
ASSUMING = "Enough has been asked. Plan now, and say which assumptions you make."
RESUMED = "The owner comes back to the goal that was left: say in half a sentence that you take it up again."
LEAVING = "The owner said goodbye while work goes on. Ask whether the work shall be dropped."


def briefing(now: Conversation, at: str) -> str:
    """The block for the turn that begins at this ts."""
    lines: list[str] = []
    if at:
        lines.append(_clock(now, at))
    if now.kind is Kind.FREE:
        lines += _goal(now)
    if now.question and now.question.origin is not Origin.EXTRACTION:
        lines += ["", *_question(now.question)]
    if now.schedule:
        lines += ["", f"Scheduled: {schedules.describe(now.schedule, zone=True)}. {now.schedule.instruction}"]
    if now.planned in now.asked:
        lines += ["", RUN_BY_SCHEDULE]
    return FORM.format(lines="\n".join(lines).replace("</", "< /")) if lines else ""


def _clock(now: Conversation, at: str) -> str:
    zone = now.zone or "UTC"
    return f"Time: {moment(at).astimezone(ZoneInfo(zone)):%a %d %b %Y %H:%M} ({zone})"


def _goal(now: Conversation) -> list[str]:
    state = now.goals
    hints = ((ASSUMING, state.assuming), (RESUMED, state.resumed), (LEAVING, state.leaving))
    return [summary(state), *(hint for hint, is_true in hints if is_true)]


def _question(asked: Question) -> list[str]:
    lines = [f'Your question is still open: "{asked.prompt}"']
    if asked.kind is not QuestionKind.INPUT:
        lines.append("Its answers: " + "; ".join(asked.options))
    lines.append("If the owner's message answers it, call resolve_question. If it asks back, answer that alone.")
    return lines
