"""A step that the rehearsal model leads, with the real tools, block and submission, and nobody else there."""

from __future__ import annotations

import json
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from app.agent.extraction.material import build_material, build_messages
from app.agent.extraction.submission import Unusable, build_submission_tool, judge
from app.agent.tools.interview.interview_toolset import InterviewToolset
from app.core.conversation.call import Call, ConfirmationResolved, DraftNoted, SummaryReady
from app.core.conversation.conversation import Message, MessageStatus, Role, Turn
from app.core.conversation.effect import SaveVersion
from app.core.state.interview import Interview, Mode, Phase
from app.core.text.marks import write_block
from app.core.text.question_marks import ends_asking
from app.decision.drafts.draft import Accepted
from app.decision.playbook import step_prompt
from app.decision.playbook.openings import write_opening
from app.decision.playbook.playbook import load_proact
from app.decision.playbook.step_prompt import build_serialize_prompt, build_summarize_prompt, build_system_prompt
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.decision.tracing.said import SaidFigures, Statement
from app.playground.claude import Pace, Prompt, Text, ToolCall
from app.playground.claude.api.script import Part
from app.playground.claude.demo.model import LABEL, rehearsal
from app.ports import ToolUse
from app.runtime.record.step_context import StepContext
from tests.contract.playground_claude.asking import SONNET, Json
from tests.unit.agent.tools.sat import interviewed
from tests.unit.core.interviews import confirming
from tests.unit.core.threads import said
from tests.unit.decision.components.worked import before

OWNER = "Maya Okafor"
TODAY = "Sat 21 Nov 2026 (America/New_York)"


@dataclass
class Led:
    """One step of the worked decision; what was approved before it is the example's, unless told otherwise."""

    key: str
    so_far: DecisionRecord | None = None
    phase: Phase = Phase.INTRO
    draft: dict[str, Any] = field(default_factory=dict[str, Any])
    calls: tuple[Call, ...] = ()
    """What counted of the last turn."""
    failures: list[str] = field(default_factory=list[str])
    """What tools refused, in all."""
    rows: list[Message] = field(default_factory=list[Message])
    _told: list[str | dict[str, Any]] = field(default_factory=list[str | dict[str, Any]])
    """The blocks and the drafts that the request holds already: the app does not tell them again."""
    _messages: list[Json] = field(default_factory=list[Json])

    def __post_init__(self) -> None:
        self.component = load_proact()[self.key]
        self.ground = self.so_far or before(self.key)
        self._speaks(write_opening(self.component, self.ground))
        self._messages = [{"role": "user", "content": "<note>The step begins.</note>"}]
        self._messages.append({"role": "assistant", "content": self.rows[0].text})

    def copied(self) -> Led:
        """The same talk, which goes on by itself."""
        other = copy(self)
        other.failures, other.rows = [*self.failures], [*self.rows]
        other._told, other._messages = [*self._told], [*self._messages]
        return other

    def says(self, words: str) -> str:
        """A person says something; gives what the model said in that turn."""
        self.rows.append(said(len(self.rows) + 1, words))
        interview = Interview(
            decision=interviewed().thread,
            component=self.key,
            prepared=interviewed().interview.prepared,  # pyright: ignore[reportOptionalMemberAccess]
            draft=self.draft,
            has_content=True,
        )
        now = replace(interviewed(self.phase, component=self.key), interview=interview)
        box = InterviewToolset(now, tuple(self.rows), self.component, self.ground, lambda: "1770000900.000001")
        talk = step_prompt.TalkSoFar(today=TODAY, owner=OWNER, earlier=tuple(self._told))
        block = step_prompt.build_block(self.component, self.phase, interview, self.ground, talk)
        self._told.append(block)
        self._messages.append({"role": "user", "content": f"{words}\n\n{block}"})
        spoken = self._turn(box)
        self.calls = box.calls
        self.draft = next((dict(call.draft) for call in box.calls if isinstance(call, DraftNoted)), self.draft)
        self._told += [self.draft] if any(isinstance(call, DraftNoted) for call in box.calls) else []
        if self.phase is Phase.INTRO:
            self.phase = Phase.GATHER
        if ConfirmationResolved(approved=False) in self.calls:
            self.phase = Phase.GATHER
        self._speaks(spoken)
        return spoken

    @property
    def asked(self) -> str:
        """The question that the model ended with."""
        return self.rows[-1].text.rpartition("\n")[2]

    @property
    def is_ready(self) -> bool:
        """Whether the model has ended the talk in the last turn."""
        return SummaryReady() in self.calls

    def written(self) -> Accepted:
        """What the model hands in, which has to be taken at once; it waits for approval then."""
        now = replace(
            interviewed(Phase.EXTRACT, component=self.key, draft=self.draft),
            turn=Turn(id="9", reply=len(self.rows) + 1, cause="try"),
        )
        parts = build_material(now, tuple(self.rows), self.component, self.ground)
        system = build_system_prompt(self.component, Mode.DIRECT)
        summary = _words(self._asks(build_messages(*parts, build_summarize_prompt(self.component)), [], system))
        assert all(heading in summary for heading in self.component.summary_headings)
        told = build_messages(*parts, write_block("summary", summary), build_serialize_prompt(self.component))
        (call,) = _calls(self._asks(told, [build_submission_tool(self.component)], system))
        assert call.name == self.component.tool
        verdict = judge(
            self.component, json.loads(json.dumps(call.input)), self.ground, SaidFigures.of(self._statements)
        )
        assert not isinstance(verdict, Unusable), verdict.issues
        self.draft, self.phase = dict(verdict.draft), Phase.CONFIRM
        return verdict

    def approved(self, written: Accepted) -> Draft:
        """What the state machine keeps as a version when the owner presses *Approve* on what was handed in."""
        context = StepContext(self.component, self.ground, {}, said=self._texts, statements=self._statements)
        step = confirming(context.judge(written)).clicks("0")
        (keep,) = step.new(SaveVersion)
        return json.loads(step.rows[keep.row].data)

    @property
    def _texts(self) -> tuple[str, ...]:
        """All that people wrote."""
        return tuple(row.text for row in self.rows if row.role is Role.PERSON)

    @property
    def _statements(self) -> tuple[Statement, ...]:
        """The same, said today."""
        return tuple(Statement(text, self.ground.today) for text in self._texts)

    def _turn(self, box: InterviewToolset) -> str:
        spoken: list[str] = []
        while True:
            parts = self._asks(self._messages, list(box.specs), build_system_prompt(self.component, Mode.INTERACTIVE))
            calls, words = _calls(parts), _words(parts)
            assert not words or LABEL in f"{self._messages}{words}", "the thread is not labelled as a rehearsal"
            spoken += [words] if words else []
            used = [ToolUse(id=f"t{n}", name=call.name, input=dict(call.input)) for n, call in enumerate(calls)]
            text = [{"type": "text", "text": words}] if words else []
            uses = [{"type": "tool_use", "id": use.id, "name": use.name, "input": use.input} for use in used]
            self._messages.append({"role": "assistant", "content": [*text, *uses]})
            if not used:
                return "\n\n".join(spoken)
            box.begin_round(words)
            done = {use.id: box.use(use) for use in sorted(used, key=lambda use: box.rank(use.name))}
            results = [done[use.id] for use in used]
            self.failures += [result["content"] for result in results if result.get("is_error")]
            self._messages.append({"role": "user", "content": results})
            if box.waits or (ends_asking(words) and all(use.id in box.noted for use in used)):
                self._messages.append({"role": "assistant", "content": "…"})
                return "\n\n".join(spoken)

    def _asks(self, messages: list[Json], tools: list[Json], system: str) -> list[Part]:
        body = {"model": SONNET, "system": system, "messages": messages, "tools": tools}
        return list(rehearsal(Pace(chunk=200))(Prompt.read(body)).parts)

    def _speaks(self, words: str) -> None:
        row = Message(seq=len(self.rows) + 1, role=Role.ASSISTANT, text=words, status=MessageStatus.COMPLETE)
        self.rows.append(row)


def _calls(parts: list[Part]) -> list[ToolCall]:
    return [part for part in parts if isinstance(part, ToolCall)]


def _words(parts: list[Part]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, Text))
