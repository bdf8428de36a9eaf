"""A decision seen from the people's side: begun, its steps led in their threads, its cards pressed, its record read."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.state.decision import Decision, Version
from app.core.state.interview import Interview
from app.core.thread import ThreadKey
from app.decision.playbook.playbook import load_proact
from app.decision.tracing.tracing import list_figures
from app.playground.claude import Pace, ToolCall, Turn
from app.playground.slack.people.choices import Entered
from app.playground.slack.values.controls import Control, find_controls
from app.playground.slack.values.model import Message
from app.playground.slack.values.surfaces import View
from handlers.slack import action_ids
from handlers.views.kit.plain_text import extract_text
from tests.flow.chat import UNLIMITED, Chat, chatting, text_of
from tests.unit.decision.components.worked import example

APPROVE, CHANGE = f"{action_ids.ANSWER_PREFIX}0", f"{action_ids.ANSWER_PREFIX}1"
"""The buttons that answer a card."""

QUESTION = "How should we cover the winter rota?"
"""What is decided where it does not matter what."""


@asynccontextmanager
async def deciding(mongo_uri: str, **options: Any) -> AsyncGenerator[Chat]:
    """A workspace in which a decision may be led as fast as the machines can: nobody counts messages or answers.

    `options` are those of `chatting`.
    """
    slow: dict[str, Any] = {"time_scale": 0.3}  # windows open on a busy machine, too: Slack waits three seconds
    async with chatting(mongo_uri, **{**UNLIMITED, **slow, **options}) as chat:
        yield chat


# What the model says


def submits(component: str, data: Mapping[str, Any]) -> Sequence[Turn | str]:
    """An extraction that works at once: a summary, then the data."""
    return (Turn(text="Summary: all that was said."), submission(component, data))


def submission(component: str, data: Mapping[str, Any]) -> Turn:
    """The data of an extraction, handed in."""
    return Turn(parts=[ToolCall(f"submit_{component}", data)], pace=Pace(chunk=200))


# What people do


async def decides(
    chat: Chat, question: str = QUESTION, *, place: str = "here", where: str = "#general", words: str = ""
) -> str:
    """Maya begins a decision in a channel; gives the ts of its hub."""
    people = chat.slack.people
    await opens(chat, lambda: people.commands("Maya", where, "/decide", words or question))
    await people.fills("Maya", question=question, place=place)
    if told := await people.submits("Maya"):  # as people do where a busy machine took longer than Slack waits
        assert await people.submits("Maya") == {}, told
    hub = (await people.waits(lambda: [m for m in people.sees("Maya", where) if question in text_of(m)]))[0]
    return hub.ts


async def begins(chat: Chat, question: str = QUESTION, *, words: str = "") -> tuple[str, str]:
    """Maya begins a decision in #general; gives the ts of its hub and of its first step's thread."""
    return await decides(chat, question, words=words), await thread_of(chat, "Issue raising")


async def approves(chat: Chat, thread: str, *, where: str = "#general", version: int = 1) -> Message:
    """Maya presses *Approve* on the newest card; gives the card once it shows the version that this made."""
    await presses(chat, thread, APPROVE, where=where)
    return await chat.sees(f"Approved as v{version}", thread=thread, where=where)


async def presses(
    chat: Chat,
    thread: str,
    action: str,
    chosen: Entered = None,
    *,
    who: str = "Maya",
    where: str = "#general",
) -> None:
    """Somebody presses a button of the newest message in a thread that has it, or picks `chosen` in its menu."""

    def offered() -> list[Message]:
        return [m for m in chat.thread(thread, who=who, where=where) if f"'{action}'" in str(m.blocks)]

    people, message = chat.slack.people, (await chat.slack.people.waits(offered))[-1]
    if chosen is None:
        await people.clicks(who, where, message.ts, action)
    else:
        await people.chooses(who, where, message.ts, action, chosen)


async def starts(chat: Chat, hub: str, component: str, *, where: str = "#general") -> str:
    """Maya starts a step from the hub, by the button or by the list there; gives its thread."""

    def offered() -> list[tuple[Control, str]]:
        message = chat.slack.people.sees("Maya", where, hub)[0]
        shown = (each for each in find_controls(message.blocks or []) if each.action_id == action_ids.START_STEP)
        values = ((each, str(one["value"])) for each in shown for one in each.element.get("options", [each.element]))
        return [(each, value) for each, value in values if value.startswith(f"{component}:")]

    people = chat.slack.people
    control, value = (await people.waits(offered))[0]
    if control.type == "button":
        await people.clicks("Maya", where, hub, control.action_id, value)
    else:
        await people.chooses("Maya", where, hub, f"{control.block_id}/{control.action_id}", value)
    return await thread_of(chat, load_proact()[component].title, where=where)


async def window(chat: Chat, words: str, *, who: str = "Maya", patience: float = 30) -> View:
    """Wait until the window on top shows these words."""

    def shown() -> list[View]:
        view = chat.slack.people.modal(who)
        return [view] if view and words in str(view.given) else []

    return (await chat.slack.people.waits(shown, patience))[0]


async def edits(chat: Chat, thread: str, words: str) -> None:
    """Maya opens the window of the draft, and writes these words for the first decision, unsent."""
    await presses(chat, thread, action_ids.EDIT)
    await window(chat, "Where to meet")
    await chat.slack.people.clicks_in_modal("Maya", action_ids.EDITING_ROW, "edit:potential_decisions.0")
    await window(chat, "description")
    await chat.slack.people.fills("Maya", description=words)


async def opens(chat: Chat, press: Callable[[], Awaitable[object]], words: str = "", *, who: str = "Maya") -> View:
    """Somebody presses until a window shows these words: a slow app lets the three seconds pass in which one opens."""
    while True:
        await press()
        with suppress(TimeoutError):
            return await window(chat, words, who=who, patience=6)


async def talks(chat: Chat, thread: str, said: str, *answers: Turn | str, shows: str = "") -> None:
    """Maya says something in a step, and the model answers; `shows` is what she sees if that is no plain text."""
    chat.will_answer(*answers)
    await chat.says(said, thread=thread)
    await chat.sees(shows or next(str(answer) for answer in answers if isinstance(answer, str)), thread=thread)
    await chat.rests()


async def leads_to_card(
    chat: Chat, thread: str, component: str, data: Mapping[str, Any], said: str, *, tells_figures: bool = True
) -> Message:
    """Maya says one thing in a step, then that this was all; gives the card that comes of it.

    She tells the numbers and dates of the result, as she would have on the way.
    """
    said = f"{said} {', '.join(sorted(list_figures(data)))}" if tells_figures else said
    await chat.exchanges(said, "What else?", thread=thread)
    chat.will_answer(*submits(component, data))
    await chat.says("done", thread=thread)
    return await card(chat, thread)


async def leads_to_record(chat: Chat, component: str, data: Mapping[str, Any]) -> str:
    """Maya leads a step that has begun to an approved result; gives its thread."""
    title = load_proact()[component].title
    thread = await thread_of(chat, title)
    await leads_to_card(chat, thread, component, data, f"About {title}: as I told you.")
    await approves(chat, thread)
    await chat.rests()
    return thread


async def leads_example(chat: Chat, until: str) -> tuple[str, dict[str, str]]:
    """Maya leads the example's decision until this step is approved; gives its hub, and the thread of each step."""
    hub, threads, playbook = await decides(chat), dict[str, str](), load_proact()
    for each in (*playbook.earlier(until), playbook[until]):
        if threads:
            await starts(chat, hub, each.key)
        threads[each.key] = await leads_to_record(chat, each.key, example(each.key))
    return hub, threads


# What people see


async def thread_of(chat: Chat, title: str, *, where: str = "#general", after: str = "") -> str:
    """Wait for the thread of a step, begun `after` some message; gives its first one, once its opening stands there."""
    people = chat.slack.people

    def begun() -> list[Message]:
        shown = (m for m in people.sees("Maya", where) if m.ts > after and not m.seen_by)
        roots = [m for m in shown if f"of 9 · *{title}*" in text_of(m)]
        return [m for m in roots if people.sees("Maya", where, m.ts)[1:]]

    return (await people.waits(begun))[-1].ts


async def card(chat: Chat, thread: str, words: str = "waiting for your OK", *, where: str = "#general") -> Message:
    """Wait for a card in a thread that shows these words; gives the newest one."""

    def shown() -> list[Message]:
        return [m for m in chat.thread(thread, where=where) if words in text_of(m)]

    return (await chat.slack.people.waits(shown))[-1]


async def details(chat: Chat, thread: str, *, who: str = "Maya", where: str = "#general") -> str:
    """Somebody presses *Show details* on the newest card of a thread; gives all that they read, page by page."""
    people = chat.slack.people
    await opens(chat, lambda: presses(chat, thread, action_ids.SHOW_ALL, who=who, where=where), who=who)
    read = list[str]()
    while True:
        view = people.modal(who)
        assert view is not None, "it is open"
        read.append(extract_text(view.given["blocks"]))
        if f"{action_ids.SHOW_ALL_PAGE_PREFIX}next" not in str(view.given):
            break
        await people.clicks_in_modal(who, f"{action_ids.SHOW_ALL_PAGE_PREFIX}next")
        await people.waits(lambda page=view.given: (view := people.modal(who)) and view.given != page)
    await people.closes(who)
    return "\n".join(read)


async def gone(chat: Chat, thread: str, words: str, *, where: str = "#general") -> None:
    """Wait until no message of the thread shows these words any more."""
    await chat.until(lambda: not any(words in text_of(m) for m in chat.thread(thread, where=where)))


# What the program remembers


async def conversation(chat: Chat, thread: str, *, where: str = "#general") -> Conversation:
    """What the program remembers of a thread."""
    return await chat.conversation(thread, where)


async def interview(chat: Chat, thread: str, *, where: str = "#general") -> Interview:
    """The interview that is led in a thread."""
    found = (await chat.conversation(thread, where)).interview
    assert found is not None, "no step is led there"
    return found


async def decision(chat: Chat, hub: str, *, where: str = "#general") -> Decision:
    """The decision whose hub stands there."""
    found = (await chat.conversation(hub, where)).decision
    assert found is not None, "no decision stands there"
    return found


async def versions(chat: Chat, hub: str, *, where: str = "#general") -> dict[tuple[str, int], Version]:
    """All that was approved in a decision, by step and number."""
    thread: ThreadKey = (await chat.conversation(hub, where)).thread
    return {(each.component, each.number): each for each in await chat.store.versions.list(thread)}


async def beside(chat: Chat, words: str, *, who: str = "Maya", where: str = "#general") -> Message:
    """Wait for private words about a decision: they stand beside its hub, not in a thread."""
    people = chat.slack.people
    return (await people.waits(lambda: [m for m in people.sees(who, where) if m.seen_by and words in text_of(m)]))[-1]
