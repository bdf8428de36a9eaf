"""Group 8: the loop of the agent: how many rounds a second one turn makes, and what a round costs."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from rich.table import Table

from app.core.conversation.conversation import ROUNDS
from app.playground.claude import Prompt, ToolCall, Turn
from tests.bench import table
from tests.bench.stage import OURS, PATIENCE, WHO, Lab, Stage, at_work, prepared
from tests.flow.chat import text_of

LAST_WORDS = "That was all."
NOTE = (
    f"Model and Slack answer at once. One turn of {ROUNDS} requests, as many as a turn may make, each but the last "
    "with one use of a tool that only reads. A round: from one request's arrival at the model to the next one's. The "
    "bare loop uses no tools."
)


FULL, QUICK = 5, 1
"""How many such turns; one more goes before them and does not count."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn: seconds for each round, and seconds of CPU."""

    round: float
    cpu: float


FIGURES = (
    table.Figure[Sample]("a round", table.fine_milliseconds, lambda s: s.round),
    table.Figure[Sample]("CPU of a round", table.fine_milliseconds, lambda s: s.cpu),
)
RATE = (table.Figure[float]("rounds a second", table.number, float),)


async def measure(lab: Lab) -> Table:
    """Let one turn after the other use its rounds up."""
    turns = QUICK if lab.quick else FULL
    async with prepared(limits=False) as stage, at_work(stage, OURS, lab):
        stage.claude.script.answer_always(_looks)
        samples = [await _sample(stage) for _ in range(turns + 1)][1:]
    case = f"a turn of {ROUNDS} requests"
    rate = 1 / median(sample.round for sample in samples)
    rows = [*table.compared(case, FIGURES, samples), *table.compared(case, RATE, [rate])]
    return table.drawn("8. Rounds", rows, NOTE)


def _looks(prompt: Prompt) -> Turn:
    """The model looks at the clock until it may ask for one answer more."""
    asked = max(at for at, message in enumerate(prompt.messages) if message.role == "user" and message.text)
    used = sum(len(message.of("tool_result")) for message in prompt.messages[asked:])
    return Turn(text=LAST_WORDS) if used == ROUNDS - 1 else Turn(parts=[ToolCall("date_and_time")])


async def _sample(stage: Stage) -> Sample:
    (channel,) = stage.channels(1)
    before, spent = len(stage.claude.requests), stage.bot.cpu
    root = await stage.slack.people.says(WHO, channel, "@Threadwise please look.")

    def said() -> bool:
        return any(LAST_WORDS in text_of(each) for each in stage.slack.people.sees(WHO, channel, root))

    await stage.slack.people.waits(said, PATIENCE)
    await stage.rest()
    made = stage.claude.requests[before:]
    assert len(made) == ROUNDS, "a turn makes no more requests, and this one as many"
    return Sample(round=(made[-1].at - made[0].at) / (ROUNDS - 1), cpu=(stage.bot.cpu - spent) / ROUNDS)
