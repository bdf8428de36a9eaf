"""Group 11: characters of each request while the worked decision is talked through, by step and stage.

The model's side is a script, the same for every tree: whatever the prompts say, the same things are noted, asked and
handed in. Only what is sent to it differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from app.cli.demo.playscript import shift_dates
from app.clock import SystemClock
from app.core.state.interview import Stage
from app.decision.playbook.playbook import load_proact
from app.decision.schema.component import Component
from app.decision.schema.outline import LEFT_OUT, find_element, is_text, list_fields, list_lists
from app.decision.schema.paths import find_value, nest, read_name
from app.decision.tracing.tracing import list_figures
from app.playground.claude import Exchange, Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.bench.stage import Lab
from tests.flow.chat import Chat
from tests.flow.deciding import approves, card, decides, deciding, presses, submission, thread_of
from tests.unit.decision.components.worked import example
from tests.unit.decision.tables import EXAMPLE

TURNS = 6
"""How often the owner speaks in a step before saying that this was all."""
QUICK_STEPS = 2
ANSWERS = tuple(f"That is noted, {place + 1}. What else matters here, and why?" for place in range(TURNS))
SUMMARY = "Summary: all that was said."
NOTE = (
    "Characters of one request: system prompt, tools and messages, as they left. The owner speaks six times in each "
    "step, and the model notes a sixth of the example each time; then the result is summarized and handed in."
)

Call = tuple[str, ToolCall]
"""What a person says of a thing, and the call that notes it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One request in characters, by part."""

    step: str
    stage: Stage
    system: int
    tools: int
    messages: int

    @property
    def whole(self) -> int:
        """All of it."""
        return self.system + self.tools + self.messages


async def measure(lab: Lab) -> Table:
    """Lead the worked decision through its steps, and lay out what was sent."""
    components = load_proact().components[: QUICK_STEPS if lab.quick else None]
    sent: list[Sent] = []
    async with deciding(lab.mongo_uri) as chat:
        await decides(chat, EXAMPLE["title"])
        for component in components:
            thread = await thread_of(chat, component.title)
            before = len(chat.claude.requests)
            await lead(chat, component, thread)
            sent += [_read(component.key, each) for each in chat.claude.requests[before:]]
            if component is not components[-1]:
                await presses(chat, thread, action_ids.START_STEP)
    return _lay_out(sent)


async def lead(
    chat: Chat, component: Component, thread: str, answers: Sequence[str] = ANSWERS, summary: str = SUMMARY
) -> None:
    """Talk a step through to its approved result.

    `answers` are the model's, one for each time the owner speaks; their openings differ.
    """
    result = find_result(component)
    calls, figures = list(_list_calls(component, result)), ", ".join(sorted(list_figures(result)))
    for place, answer in enumerate(answers):
        part = calls[place :: len(answers)]
        said = ". ".join(words for words, _ in part) or "Nothing more on this one"
        said = f"{said}. {figures}" if place == 0 else said  # a card with a number that nobody said is not approved
        if part:
            chat.will_answer(Turn(parts=[Text("I note that."), *(call for _, call in part)]))
        chat.will_answer(answer)
        await chat.says(f"{said}.", thread=thread)
        await chat.sees(read_opening(answer), thread=thread)
        await chat.rests()
    chat.will_answer(summary, submission(component.key, result))
    await chat.says("done", thread=thread)
    await card(chat, thread)
    await approves(chat, thread)
    await chat.rests()


def read_opening(answer: str) -> str:
    """Return the words by which an answer of the talk is known in Slack."""
    return " ".join(answer.split()[:4])


def find_result(component: Component) -> dict[str, Any]:
    """Return the worked example's result of a step, with dates that are still to come."""
    return shift_dates(example(component.key), SystemClock().now().date())


def _list_calls(component: Component, draft: Mapping[str, Any]) -> Iterator[Call]:
    """Yield the calls that note this result, thing by thing."""
    for path in list_lists(component):
        items: list[Any] = find_value(draft, path) or []
        if path == "table.cells":
            yield from _list_ratings(items, example("alternatives")["status_quo_id"])
            continue
        for item in items:
            if is_text(component, path):
                yield str(item), ToolCall("note_item", {"list": path, "fields": {"text": item}, "quote": item[:200]})
                continue
            words = read_name(item) or json.dumps(item)
            known = find_element(component, path).get("properties", {})
            fields = {
                name: each
                for name, each in item.items()
                if name not in ("handle", "evidence")
                and not known.get(name, {}).get("description", "").startswith(LEFT_OUT)
            }
            yield words, ToolCall("note_item", {"list": path, "fields": fields, "quote": words[:200]})
    for path in list_fields(component):
        if (found := find_value(draft, path)) is not None and path not in list_lists(component):
            yield str(found), ToolCall("set_fields", {"fields": nest({path: found})})


def _list_ratings(cells: Sequence[Mapping[str, Any]], baseline: str) -> Iterator[Call]:
    for objective in dict.fromkeys(each["objective_id"] for each in cells):
        row = [each for each in cells if each["objective_id"] == objective and each["alternative_id"] != baseline]
        said = "; ".join(f"{each['alternative_id']} {each['rating']:+d}, {each['rationale']}" for each in row)
        ratings = [
            {"option": each["alternative_id"], "rating": each["rating"], "reason": each["rationale"]}
            | (
                {"doubt": each["uncertainty"]["level"], "doubt_from": each["uncertainty"].get("driver", "")}
                if "uncertainty" in each
                else {}
            )
            for each in row
        ]
        yield f"On {objective}: {said}", ToolCall("rate", {"objective": objective, "ratings": ratings})


def _read(step: str, exchange: Exchange) -> Sent:
    body = exchange.body
    names = [str(tool["name"]) for tool in body.get("tools", [])]
    stage = Stage.DISCUSS if len(names) > 1 else Stage.SERIALIZE if names else Stage.SUMMARIZE
    system = "".join(str(block["text"]) for block in exchange.prompt.system)
    return Sent(step, stage, len(system), _measure(body.get("tools", [])), _measure(body["messages"]))


def _measure(part: Any) -> int:
    return len(json.dumps(part, ensure_ascii=False, separators=(",", ":"))) if part else 0


def _lay_out(sent: Sequence[Sent]) -> Table:
    table = Table(title="talk", caption=NOTE, caption_justify="left")
    table.add_column("step, stage")
    for name in ("requests", "system", "tools", "first", "last", "mean", "in all"):
        table.add_column(name, justify="right")
    for step in dict.fromkeys(each.step for each in sent):
        for stage in (Stage.DISCUSS, Stage.SUMMARIZE, Stage.SERIALIZE):
            _add_row(table, f"{step}, {stage}", [each for each in sent if (each.step, each.stage) == (step, stage)])
    for stage in (Stage.DISCUSS, Stage.SUMMARIZE, Stage.SERIALIZE):
        _add_row(table, f"all steps, {stage}", [each for each in sent if each.stage is stage])
    _add_row(table, "all", sent)
    return table


def _add_row(table: Table, name: str, sent: Sequence[Sent]) -> None:
    if not sent:
        return
    sizes = [each.whole for each in sent]
    figures = (len(sent), sent[0].system, sent[0].tools, sizes[0], sizes[-1], sum(sizes) / len(sizes), sum(sizes))
    table.add_row(name, *(f"{figure:,.0f}" for figure in figures))
