"""The scripted demo model's summary of a thread's older messages: what the owner wrote, shortened.

Recognized by its system prompt, as the app sends it. Pure, and independent of the app.
"""

import html
import re

from app.playground.claude.api.prompt import Prompt

_ASKED = "You keep the memory of a Slack thread."
_BEFORE = re.compile(r"<summary>\n(.*?)\n</summary>", re.DOTALL)
_OWNERS = re.compile(r'<message\b[^>]*\brole="owner"[^>]*>(.*?)</message>', re.DOTALL)
_SAID = 160  # characters kept of each message
_MOST = 1_500  # characters


def remember(prompt: Prompt) -> str:
    """Return the summary that this request asks for; empty if it asks for none."""
    if not any(block["text"].startswith(_ASKED) for block in prompt.system):
        return ""
    told = prompt.last_user_text
    before = [found[1] for found in [_BEFORE.search(told)] if found]
    said = [f"“{' '.join(html.unescape(each).split())[:_SAID]}”" for each in _OWNERS.findall(told)]
    words = [*before, *([f"The owner said {', '.join(said)}."] if said else [])]
    return " ".join(words)[-_MOST:] or "Nothing that matters was said yet."
