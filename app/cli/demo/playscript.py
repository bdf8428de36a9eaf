"""The worked example as a play: Maya's messages, the model's replies and submissions, and the expected results.

Its model is a script that follows the example line by line. Pure, except for the example's own files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from app.core.state.interview import Phase
from app.decision.drafts.draft import refresh_draft
from app.decision.playbook import example
from app.decision.playbook.playbook import load_proact
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.paths import Draft
from app.playground.claude import Prompt, Text, ToolCall, Turn

RERATED, WEIGHED = "consequences", "tradeoffs"
"""The step that is changed at the end, and one that builds on it."""

NEWS = "The triage vendor has called: it is 30k a year after all. So A5 on O3 is −1, not 0."
"""Maya's news for that change."""

_RATING: Mapping[str, Any] = {"rating": -1, "rationale": "30k a year by the vendor's last offer"}
_AT = {"alternative_id": "A5", "objective_id": "O3"}
_QUESTION = re.compile(r'"([^"\[]+\?)"')
"""A question of a guidance that needs nothing filled in."""

_DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")


@dataclass(frozen=True)
class Playscript:
    """The play on a given day. Dates of the example that have passed by then are moved by whole years."""

    today: date
    wanted: Mapping[str, Draft] = field(default_factory=example.load_drafts)
    """Expected result of each step."""

    @property
    def components(self) -> tuple[Component, ...]:
        """Return the steps in order."""
        return load_proact().components

    def read_submission(self, key: str, *, again: bool = False) -> Draft:
        """Return the model's submission in a step; `again` after its rating has changed."""
        return self._read_draft(example.load_drafts(), key, again=again)

    def read_expected(self, key: str, *, again: bool = False) -> Draft:
        """Return the expected record of a step; `again` after its rating has changed, which revises the one before."""
        before = self.read_expected(key) if again else {}
        earlier = {each.key: self._read_draft(self.wanted, each.key) for each in load_proact().earlier(key)}
        whole = self._read_draft(self.wanted, key, again=again)
        so_far = DecisionRecord(earlier, self.today, before, numbers=dict.fromkeys(earlier, 1))
        return refresh_draft(load_proact()[key], whole, so_far).draft

    def _read_draft(self, drafts: Mapping[str, Draft], key: str, *, again: bool = False) -> Draft:
        draft = shift_dates(drafts[key], self.today)
        if again:
            cells: list[dict[str, Any]] = draft["table"]["cells"]
            changed = next(cell for cell in cells if cell.items() >= _AT.items())
            changed |= _RATING
        return draft

    def reply(self, key: str, place: int) -> str:
        """Return the model's reply to a line of a step: one of the questions that a facilitator asks there."""
        asked = _QUESTION.findall(load_proact()[key].guidance[Phase.GATHER])
        return f"Noted. {asked[place % len(asked)]}" if asked else "Noted. What else?"

    def answer(self, prompt: Prompt) -> Turn:
        """Speak for the model, for `Script.answer_always`."""
        heard = prompt.last_user_text
        system = "\n".join(str(block.get("text", "")) for block in prompt.system)
        key = next(each.key for each in self.components if f"thread: {each.title}. " in system)
        tools = [str(tool.get("name")) for tool in prompt.tools]
        if not tools:
            return Turn(text="All of it was said in the thread; it follows as data.")
        if tools == [load_proact()[key].tool]:
            return Turn(parts=[ToolCall(tools[0], self.read_submission(key, again=NEWS in heard))])
        newest = prompt.messages[-1]
        if newest.of("tool_result") and not newest.of("text"):  # it was told what is missing, which the data brings
            return Turn(parts=[_READY])
        for place, line in enumerate(example.list_said(key)):
            if line in heard:
                return (
                    _build_last_turn()
                    if place == len(example.list_said(key)) - 1
                    else Turn(text=self.reply(key, place))
                )
        return _build_last_turn() if NEWS in heard else Turn(text="What has changed?")


_READY = ToolCall("ready_to_summarize")


def _build_last_turn() -> Turn:
    return Turn(parts=[Text("Thank you, I have what I need."), _READY])


def shift_dates(draft: Draft, today: date) -> Draft:
    """Return a copy in which no date has passed. All dates move together."""
    text = json.dumps(draft)
    dates = [date.fromisoformat(found) for found in _DATE.findall(text)]
    years = 0
    while any(each.replace(year=each.year + years) < today for each in dates):
        years += 1
    if years == 0:
        return deepcopy(draft)
    return json.loads(_DATE.sub(lambda found: f"{int(found[0][:4]) + years}{found[0][4:]}", text))
