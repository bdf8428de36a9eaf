"""Server-sent events, byte for byte as the Messages API sends them.

`event:` and `data:` lines, compact JSON on one line, an empty line after each event, the last included.
Measured on real traffic: the ping has a space in its JSON, and some objects are padded before the last brace.
"""

import json

from app.playground.claude.prompt import Json

HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
}

PING = b'event: ping\ndata: {"type": "ping"}\n\n'
MALFORMED = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n'

_PADDED = frozenset({"content_block_delta", "content_block_stop", "message_delta"})
_PADDING = (0, 4, 2, 6, 5, 1, 3)  # spaces; real traffic varies without a rule to be seen


def encode(event: str, data: Json, nth: int) -> bytes:
    """The bytes of the stream's nth event."""
    if event == "ping":
        return PING
    body = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    if event in _PADDED:
        body = f"{body[:-1]}{' ' * _PADDING[nth % len(_PADDING)]}}}"
    return f"event: {event}\ndata: {body}\n\n".encode()
