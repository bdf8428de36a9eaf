"""Usage of an answer: input tokens, output tokens, and the tokens that the prompt cache saved.

The cache is simpler than the API's: it never expires, and it holds whole messages. Knows no HTTP.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.playground.claude.api.prompt import Json, Prompt, count_tokens


@dataclass(frozen=True)
class Usage:
    """Tokens of one answer. The whole input is the sum of the three input figures."""

    input: int
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0
    thinking: int = 0
    searches: int = 0
    """Searches of the web and, below, pages that were opened, by server tools."""
    fetches: int = 0

    def at_start(self) -> Json:
        """Return the usage of `message_start`: the whole input, and almost no output yet."""
        return {
            **self._input(),
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.cache_write,
                "ephemeral_1h_input_tokens": 0,
            },
            "output_tokens": 1,
            "service_tier": "standard",
            "inference_geo": "global",
        }

    def at_end(self) -> Json:
        """Return the usage of `message_delta`: cumulative, it replaces the figures of the start."""
        served = {"web_search_requests": self.searches, "web_fetch_requests": self.fetches}
        return {
            **self._input(),
            "output_tokens": self.output,
            "output_tokens_details": {"thinking_tokens": self.thinking},
            **({"server_tool_use": served} if any(served.values()) else {}),
        }

    def _input(self) -> Json:
        return {
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write,
            "cache_read_input_tokens": self.cache_read,
        }


class PromptCache:
    """Prefixes of prompts that were seen before."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def meter(self, prompt: Prompt) -> Usage:
        """Return the usage of the input: the longest known prefix is read, and the marked rest is written."""
        prefixes = prompt.prefixes
        total = prefixes[-1].tokens
        marked = _find_last_marker(prompt)
        if marked is None:
            return Usage(input=total)
        cacheable = prefixes[: marked + 1]
        read = max((p.tokens for p in cacheable if p.digest in self._known), default=0)
        self._known.update(p.digest for p in cacheable)
        written = cacheable[-1].tokens
        return Usage(input=total - written, cache_write=written - read, cache_read=read)


def count_output(text: str) -> int:
    """Return the output tokens of a text; never 0, because even an empty answer is billed."""
    return count_tokens(len(text)) + 1


def _find_last_marker(prompt: Prompt) -> int | None:
    """Return how many messages the last `cache_control` covers (0: system and tools alone); None without one."""
    if prompt.body.get("cache_control"):
        return len(prompt.messages)
    for n in range(len(prompt.messages), 0, -1):
        if _is_marked(prompt.messages[n - 1].blocks):
            return n
    return 0 if _is_marked((*prompt.system, *prompt.tools)) else None


def _is_marked(blocks: Sequence[Json]) -> bool:
    return any(block.get("cache_control") for block in blocks)
