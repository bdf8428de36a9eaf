"""What the terminal shows of a play: a story of at most 60 lines of 80 columns, or every message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from app.cli.demo import terminal
from app.core.text.cutting import cut
from app.decision.schema.component import Component
from app.playground.slack.values.model import Message

BANNER = "The worked example, played for real; a script speaks for Maya and for the model."
STARTING = "Starting MongoDB, Slack's look-alike and Threadwise …"
HEADING = "{order} of {steps} · {title}"

_ROWS, _LINES = 4, 2
"""Rows of the terminal and lines of its card that a step may fill; its first line is told in any case."""
_RAGGED = 20
"""Columns that two rows may leave empty at their ends, beside the margin."""
_ITEM = "• "
_STALE = re.compile(r"⚠\ufe0f?\s.+?(?=\s{3}|$)")
_NEXT = "*Next*"
_FACT = re.compile(r"^- \*\*(Leaning|How firm this is):\*\* (.+)$", re.MULTILINE)


class Story:
    """Tells what matters of each step: its heading when it begins, and the essence of its card once it is approved."""

    def __init__(self, console: Console, names: Mapping[str, str], steps: int) -> None:
        self._console, self._names, self._steps = console, names, steps

    def tell_beginning(self, question: str, hub: Message) -> None:
        """Tell which decision has begun."""
        self._print([question])

    def tell_start(self, component: Component) -> None:
        """Tell that a step begins, so that somebody who waits sees how far the play is."""
        self._head(HEADING.format(order=component.order, steps=self._steps, title=component.title))

    def tell_approval(self, component: Component, number: int, card: Message, thread: Sequence[Message]) -> None:
        """Tell what is in the record of a step now."""
        if number == 1:  # a later version is told as a change
            self._print(self._fit(list_essence(self._render(card))))

    def tell_change(self, component: Component, news: str) -> None:
        """Tell what is new in an approved step."""
        self._head(f"A rating changes: {component.title} v2")
        self._print([f"Maya: {news}"])

    def tell_effect(self, told: Sequence[Message], hub: Message) -> None:
        """Tell what has to be looked at again."""
        self._head("What follows")
        self._print(list_effects(self._render(hub)))

    def tell_report(self, report: str) -> None:
        """Tell what the exported report says first."""
        self._head(f"The report: {len(report.splitlines())} lines of Markdown")
        self._print(list_facts(report))

    def _render(self, message: Message) -> list[str]:
        return [*terminal.render_lines(message, self._names)]

    def _head(self, title: str) -> None:
        self._console.rule(Text(title), align="left")

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(Padding(Text(line), (0, 0, 0, 2), expand=False))

    def _fit(self, lines: Sequence[str]) -> list[str]:
        """Return the first lines that fit in the rows of a step; none of them takes more than two rows."""
        told, rows = list[str](), 0
        for line in (cut(each, 2 * self._console.width - _RAGGED) for each in lines[:_LINES]):
            rows += len(Text(line).wrap(self._console, self._console.width - 2))
            if told and rows > _ROWS:
                break
            told.append(line)
        return told


class Transcript(Story):
    """Tells every message."""

    def tell_beginning(self, question: str, hub: Message) -> None:
        """See `Story`."""
        self._show("✅ /decide", [hub])

    def tell_start(self, component: Component) -> None:
        """See `Story`: its messages follow with its approval."""

    def tell_approval(self, component: Component, number: int, card: Message, thread: Sequence[Message]) -> None:
        """See `Story`."""
        title = HEADING.format(order=component.order, steps=self._steps, title=component.title)
        self._show(f"✅ {title} v{number}", thread)

    def tell_change(self, component: Component, news: str) -> None:
        """See `Story`: it is among the messages of the step."""

    def tell_effect(self, told: Sequence[Message], hub: Message) -> None:
        """See `Story`."""
        self._show("✅ What follows", [*told, hub])

    def tell_report(self, report: str) -> None:
        """See `Story`."""
        self._head("✅ The report")
        self._print(report.splitlines())

    def _show(self, title: str, messages: Iterable[Message]) -> None:
        self._head(title)
        for message in messages:
            self._console.print(Text(self._names.get(message.user, message.user), style="bold"))
            self._print(self._render(message))


def list_essence(card: Iterable[str]) -> list[str]:
    """Return what the card of an approved step says in brief, of the lines that Slack shows of it."""
    return [line.removeprefix(_ITEM) for line in card if line.startswith(_ITEM)]


def list_effects(hub: Iterable[str]) -> list[str]:
    """Return the steps that a hub marks as outdated and what it says is next, of the lines that Slack shows of it."""
    lines = [*hub]
    stale = [found for line in lines for found in _STALE.findall(line)]
    return [*stale, *(line.replace("*", "") for line in lines if line.startswith(_NEXT))]


def list_facts(report: str) -> list[str]:
    """Return what the first page of a Markdown report says about the choice."""
    return [f"{label}: {said}" for label, said in _FACT.findall(report)]
