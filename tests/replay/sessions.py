"""Whole sessions, from what is heard to what is shown: which port is called with what, in which order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from tests.replay.stage import Script, Stage
from tests.replay.tree import Json
from tests.replay.values import CHANNEL, OTHER, OWNER, STEPS, TEAM, THREAD

HUB: Final[Json] = {"team": TEAM, "channel": CHANNEL, "root": "1770000200.000001"}
POST: Final[Json] = {"id": "t1", "name": "post_message", "input": {"channel": "#ops", "text": "Hello"}}
LIST: Final[Json] = {"id": "t0", "name": "list_work", "input": {}}
DAILY: Final[Json] = {"kind": "cron", "cron": "0 9 * * *", "instruction": "Send the digest."}
FOUND: Final[Json] = {
    "potential_decisions": [{"handle": "D1", "description": "Where to meet"}],
    "objectives": [],
    "uncertainties": [],
    "considerations": [],
}
COURSE: Final = (
    STEPS[0] | {"key": "issue_raising", "title": "Issues", "concerns": ["problem_frame"]},
    STEPS[1] | {"key": "problem_frame", "title": "Frame", "after": "issue_raising", "closes": True},
)


async def _says(stage: Stage, text: str, *, opens: bool = False, user: str = OWNER, **how: Any) -> None:
    await stage.hears("message_posted", THREAD, text=text, opens=opens, addressed=True, user=user, **how)


async def _clicks(stage: Stage, value: str, thread: Json = THREAD) -> None:
    asked = (await stage.state(thread))["question"]
    await stage.hears("question_answered", thread, card=asked["card"], question=asked["id"], value=value)


async def _is_answered(stage: Stage) -> None:
    stage.will({"text": "Good morning."}, {"text": "The sun."})
    await _says(stage, "Hello", opens=True)
    await _says(stage, "What is up?")
    await _says(stage, "Me too!", user=OTHER)


async def _asks_permission(stage: Stage) -> None:
    stage.will({"uses": [LIST, POST]}, {"text": "It is posted."}, {"uses": [POST | {"id": "t2"}]}, {"text": "Again."})
    await _says(stage, "Post hello to #ops.", opens=True)
    await _clicks(stage, "0")
    await _says(stage, "Once more.")
    await _clicks(stage, "1")
    stage.will({"uses": [POST | {"id": "t3"}]}, {"text": "By the rule."})
    await _says(stage, "And once more.")


async def _is_denied(stage: Stage) -> None:
    stage.will({"uses": [POST]}, {"text": "So be it."}, {"uses": [POST | {"id": "t2"}]}, {"text": "Then not."})
    await _says(stage, "Post hello to #ops.", opens=True)
    await _clicks(stage, "2")
    await _says(stage, "Write a poem instead.")
    await _says(stage, "Post it after all.")
    await _clicks(stage, "3")


async def _is_stopped(stage: Stage) -> None:
    stage.will({"text": "A long answer begins", "waits": True}, {"text": "As you like."})
    await _says(stage, "Tell me everything.", opens=True, rests=False)
    await _says(stage, "By the way", rests=False)
    await stage.hears("stop_requested", THREAD)


async def _is_tried_again(stage: Stage) -> None:
    stage.will({"text": "Half", "fails": "invalid"}, {"text": "Whole."})
    await _says(stage, "Tell me.", opens=True)
    await stage.hears("retry_pressed", THREAD, reply=2, ts="1780000000.000001")


async def _comes_to_approval(stage: Stage) -> None:
    decision: Json = {"question": "Where do we meet?", "steps": COURSE}
    await stage.hears("decision_started", HUB, **decision)
    hub = await stage.state(HUB)
    thread = hub["decision"]["steps"][0]["thread"]
    stage.will({"text": "What else?"}, {"text": "Summary."})
    stage.will({"uses": [{"id": "t1", "name": "submit_issue_raising", "input": FOUND}]})
    await stage.hears("message_posted", thread, text="Where to meet, that is it.", opens=False, addressed=True)
    await stage.hears("summary_asked", thread, signal="done")
    await _clicks(stage, "0", thread)
    await stage.hears("step_requested", HUB, component="problem_frame")
    stage.will({"text": "What has changed?"})
    await stage.hears("reopen_requested", thread)


async def _runs_by_schedule(stage: Stage) -> None:
    stage.will({"uses": [{"id": "t1", "name": "schedule_work", "input": DAILY}]}, {"text": "Every day."})
    await _says(stage, "Send me a digest every day at nine.", opens=True)
    for script in ({"text": "The digest."}, {"text": "", "fails": "invalid"}):
        stage.will(script)
        due = (await stage.state(THREAD))["next_run"]
        await stage.hears("work_due", THREAD, receipt=f"due:{due}", due=due)
    await stage.hears("schedule_cancelled", THREAD)


async def _is_put_away(stage: Stage) -> None:
    stage.will({"text": "Good morning."}, {"text": "Welcome back."})
    await _says(stage, "Hello", opens=True)
    await stage.hears("archive_requested", THREAD)
    await _says(stage, "Anybody?")
    await stage.hears("reopen_requested", THREAD)
    await _says(stage, "Hello again")
    await stage.hears("erase_requested", THREAD)
    await stage.hears("erase_confirmed", THREAD)


SESSIONS: Final[Mapping[str, Script]] = MappingProxyType(
    {
        "a message and its answer": _is_answered,
        "a tool with permission, then by a rule": _asks_permission,
        "a tool that is denied": _is_denied,
        "an answer that is stopped": _is_stopped,
        "an answer that failed and is tried again": _is_tried_again,
        "a step of a decision to its approval": _comes_to_approval,
        "runs of a schedule": _runs_by_schedule,
        "archived, reopened, erased": _is_put_away,
    }
)
