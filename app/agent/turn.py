"""One turn with the model: from the transcript to a closed reply, shown while it grows, cut off at any moment.

Knows nothing of Slack or MongoDB, and saves nothing: it tells the draft what to show and gives the closed row back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Protocol

from app.agent.running import Running, TurnSettings, meant
from app.core.calls import Call
from app.core.context import api_messages
from app.core.errors import TooLong
from app.core.model import Conversation, Message, MessageStatus
from app.core.sanitize import MAX_BYTES, purify, sanitize
from app.ports import Draft, Model, ModelReply, ModelRequest, ToolUse

ROUNDS = 25
"""Requests of one turn (S3); a model that still uses tools then is stopped, and *Continue* begins anew."""

PARAGRAPH = "\n\n"
"""Between what is said before a tool is used and after it."""

SYSTEM = resources.files("app.agent").joinpath("prompts/free.txt").read_text("utf-8")


class Tools(Protocol):
    """The tools of one turn."""

    @property
    def specs(self) -> Sequence[dict[str, Any]]:
        """The tools as the API wants them."""
        ...

    @property
    def calls(self) -> tuple[Call, ...]:
        """What counts of what was called, in order."""
        ...

    @property
    def used(self) -> bool:
        """True once anything was called, whatever came of it."""
        ...

    @property
    def verbatim(self) -> bool:
        """False once an input had to be cleaned: then what the model wrote is not kept as it was."""
        ...

    @property
    def waits(self) -> bool:
        """True if the turn ends here."""
        ...

    def use(self, wish: ToolUse) -> dict[str, Any]:
        """Carry out one call, and give the block that tells the model what came of it."""
        ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: the conversation with its transcript, the tools that may be used, and the system prompt."""

    conversation: Conversation
    rows: tuple[Message, ...]
    tools: Tools
    system: str = SYSTEM


class RunningTurn(Running):
    """A turn under way.

    A round is one request; as long as the model uses tools, another one follows with what came of them. The raw words
    go to the draft, which shows what is safe of them; what is kept of them in the row is sanitised (S0-026).
    """

    def __init__(self, model: Model, settings: TurnSettings, prompt: Prompt, draft: Draft) -> None:
        self._settings, self._tools, self._system = settings, prompt.tools, prompt.system
        self._told = api_messages(prompt.conversation, prompt.rows)
        self._said: list[dict[str, Any]] = []
        self._text, self._size, self._gap = "", 0, ""
        turn = prompt.conversation.turn
        row = next(row for row in prompt.rows if turn and row.seq == turn.reply)
        super().__init__(model, row, draft)

    async def _run(self) -> Message:
        for _ in range(ROUNDS):
            reply = await self._round()
            if not reply.uses:
                return self._whole(reply.status)
            self._said.append({"role": "user", "content": [self._tools.use(wish) for wish in reply.uses]})
            if self._tools.waits:
                return self._whole(MessageStatus.COMPLETE)
        return self._whole(MessageStatus.TRUNCATED)

    async def _round(self) -> ModelReply:
        """Ask once, and give the reply; its words are kept by then."""
        request = ModelRequest(
            model=self._settings.model,
            system=self._system,
            messages=[*self._told, *self._said],
            max_tokens=self._settings.max_tokens,
            tools=self._tools.specs,
        )
        self._gap = PARAGRAPH if self._text.strip() else ""
        reply = await self._ask(request, self._show)
        if content := meant(reply):
            self._said.append({"role": "assistant", "content": content})
        return reply

    def _show(self, delta: str) -> None:
        delta, self._gap = self._gap + delta, ""
        self._size += len(delta.encode("utf-8", "surrogatepass"))
        if self._size > MAX_BYTES:
            raise TooLong(MAX_BYTES, self._size)
        self._text += delta
        self._draft.show(self._text)

    def _whole(self, status: MessageStatus) -> Message:
        text = sanitize(self._text)
        # What was taken out of the text must not come back to the model, or stay in the store, by way of the array.
        is_kept = text == self._text and self._tools.verbatim
        content = json.dumps(self._said, ensure_ascii=False, separators=(",", ":")) if is_kept and self._said else ""
        said = replace(self._row, text=text, content=content, status=status)
        return self._spent(replace(said, acted=self._tools.used, calls=self._tools.calls))

    def _partial(self, status: MessageStatus) -> Message:
        return self._spent(replace(self._row, text=purify(self._text), status=status))
