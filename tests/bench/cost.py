"""Group 13: what a first answer and a whole decision cost, by the tokens and prices that Threadwise stores with each.

The model's side is played: it notes and hands in the worked decision as large as it is, and each answer in the talk is
as long as the instructions of a step allow. The output is measured of these words, and thinking is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count, cycle, islice

from rich.table import Table

from app.agent.claude.prices import compute_cost
from app.core.conversation.conversation import Message, Role
from app.core.conversation.usage import Usage
from app.decision.playbook.playbook import load_proact
from app.decision.schema.component import Component
from app.decision.tracing.tracing import list_statements
from handlers.slack import action_ids
from tests.bench import talk
from tests.bench.stage import Lab
from tests.flow.chat import Chat
from tests.flow.deciding import decides, deciding, presses, thread_of
from tests.unit.decision.tables import EXAMPLE

WORDS = 120
"""Words of an answer: the most that the instructions of a step allow while it gathers."""
FIRST = "@Threadwise Should we cover the nights ourselves or hire a partner? What would you look at first?"
NOTE = (
    "Tokens and prices are those that Threadwise stored with each answer. The playground counts four characters as a "
    "token, and its cache never forgets; the last column is the price if the cache had always forgotten. Each answer "
    "of the talk has 120 words; what is noted, summarized and handed in is the worked decision's. Nothing is thought."
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What was paid for some answers: how often people wrote and the model was asked, its usage, and its price."""

    typed: int
    requests: int
    usage: Usage
    dollars: Decimal
    model: str

    @property
    def dollars_uncached(self) -> Decimal:
        """The price if all that came from the cache had to be written there."""
        written = self.usage.cache_write_tokens + self.usage.cache_read_tokens
        usage = replace(self.usage, cache_write_tokens=written, cache_read_tokens=0)
        return Decimal(compute_cost(self.model, usage))

    def list_figures(self) -> tuple[str, ...]:
        """Return it as a row of the table."""
        usage = self.usage
        tokens = usage.input_tokens, usage.cache_write_tokens, usage.cache_read_tokens, usage.output_tokens
        counts = (f"{each:,}" for each in (self.typed, self.requests, *tokens))
        return (*counts, *(f"{each:.3f} $" for each in (self.dollars, self.dollars_uncached)))


async def measure(lab: Lab) -> Table:
    """Ask one question, lead the worked decision through its steps, and lay out what both cost."""
    components = load_proact().components[: talk.QUICK_STEPS if lab.quick else None]
    table = Table(title="13. What an answer and a decision cost", caption=NOTE, caption_justify="left")
    table.add_column("")
    for name in ("typed", "requests", "input", "to the cache", "from it", "output", "price", "uncached"):
        table.add_column(name, justify="right")
    async with deciding(lab.mongo_uri) as chat:
        table.add_row("the first answer in a free thread", *(await ask(chat)).list_figures())
        table.add_row(f"a decision, {len(components)} steps", *(await lead_decision(chat, components)).list_figures())
    return table


async def ask(chat: Chat) -> Cost:
    """Ask a first question in a channel; return what its answer cost."""
    before = len(chat.claude.requests)
    words = next(speak(load_proact().components[0]))
    chat.will_answer(words)
    thread = await chat.says(FIRST)
    await chat.sees(talk.read_opening(words), thread=thread)
    await chat.rests()
    return add_up(await _read(chat, thread), len(chat.claude.requests) - before)


async def lead_decision(chat: Chat, components: Sequence[Component]) -> Cost:
    """Lead these steps of the worked decision to their approved results; return what they cost."""
    await decides(chat, EXAMPLE["title"])
    before, rows = len(chat.claude.requests), list[Message]()
    for component in components:
        thread = await thread_of(chat, component.title)
        answers = tuple(islice(speak(component), talk.TURNS))
        await talk.lead(chat, component, thread, answers, " ".join(_read_words(component)))
        if component is not components[-1]:
            await presses(chat, thread, action_ids.START_STEP)
        rows += await _read(chat, thread)
    return add_up(rows, len(chat.claude.requests) - before)


def add_up(rows: Sequence[Message], requests: int) -> Cost:
    """Return what the rows of transcripts cost that a model has written. There has to be one, with a known price."""
    answers = [row for row in rows if row.usage != Usage()]
    return Cost(
        typed=sum(row.role is Role.PERSON for row in rows),
        requests=requests,
        usage=sum((row.usage for row in answers), Usage()),
        dollars=sum((Decimal(row.cost) for row in answers), Decimal(0)),
        model=answers[0].model,
    )


def speak(component: Component) -> Iterator[str]:
    """Yield answers of the longest that is allowed, made of the words that the result of the step holds."""
    words = cycle(_read_words(component))
    for number in count(1):
        opening, question = f"That is noted, {number}.", "What else matters here, and why?"
        room = WORDS - len(f"{opening} {question}".split())
        yield f"{opening} {' '.join(islice(words, room))}. {question}"


def _read_words(component: Component) -> list[str]:
    return " ".join(each.text for each in list_statements(talk.find_result(component))).split()


async def _read(chat: Chat, thread: str) -> tuple[Message, ...]:
    return await chat.store.conversations.transcript(await chat.conversation(thread), 0)
