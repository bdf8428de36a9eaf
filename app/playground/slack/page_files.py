"""An uploaded file for a browser: to view, or to download.

Rule: an app's file may be displayed but do nothing: no script, no form, no request to other sites.
"""

from collections.abc import Mapping
from urllib.parse import quote

from aiohttp import web

from app.playground.slack.model import File

_HARMLESS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
}
_CHARSETS: Mapping[str, str] = {"text/html": "utf-8", "text/plain": "utf-8"}


def file_response(file: File, *, is_download: bool) -> web.Response:
    """Return the answer to a GET of a file."""
    disposition = "attachment" if is_download else "inline"
    named = {"Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(file.name, safe='')}"}
    # A browser shows HTML and plain text; text of other kinds it would only offer to keep.
    is_source = file.mimetype.startswith("text/") and file.mimetype != "text/html"
    shown = "text/plain" if is_source else file.mimetype
    return web.Response(
        body=file.content, content_type=shown, charset=_CHARSETS.get(shown), headers={**_HARMLESS, **named}
    )
