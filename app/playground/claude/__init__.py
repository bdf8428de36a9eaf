"""An emulator of the Anthropic Messages API on loopback: strict, scripted, with faults on request.

It has no model: `script` determines the answers. `rehearsal` is a script for people without a key.
"""

from app.playground.claude.api.exchange import Exchange
from app.playground.claude.api.prompt import Message, Prompt
from app.playground.claude.api.script import (
    Block,
    Cited,
    CitedPages,
    Cut,
    Event,
    Gate,
    HtmlFault,
    HttpFault,
    NoAnswer,
    Pace,
    Page,
    Script,
    Text,
    Thinking,
    ToolCall,
    Turn,
    WebFetch,
    WebSearch,
)
from app.playground.claude.api.server import ClaudeOptions, ClaudePlayground

__all__ = [
    "Block",
    "Cited",
    "CitedPages",
    "ClaudeOptions",
    "ClaudePlayground",
    "Cut",
    "Event",
    "Exchange",
    "Gate",
    "HtmlFault",
    "HttpFault",
    "Message",
    "NoAnswer",
    "Pace",
    "Page",
    "Prompt",
    "Script",
    "Text",
    "Thinking",
    "ToolCall",
    "Turn",
    "WebFetch",
    "WebSearch",
]
