"""Incoming files: the address to post each to, and the bytes so far.

Rule: an address accepts bytes once, and exactly as many as were announced. Knows no channel; `methods_messages` shares
the file.
"""

from dataclasses import dataclass

from aiohttp import web

from app.playground.slack.values.model import IdFactory


@dataclass(slots=True)
class Upload:
    """One announced file; `content` is None until it has come."""

    file_id: str
    name: str
    length: int
    content: bytes | None = None


class Uploads:
    """All files announced and not yet shared."""

    def __init__(self, mint: IdFactory) -> None:
        self._mint = mint
        self._by_secret: dict[str, Upload] = {}

    def announce(self, name: str, length: int) -> tuple[Upload, str]:
        """Expect a file of so many bytes. Return it and the path to post it to."""
        secret = self._mint.secret(32)
        upload = self._by_secret[secret] = Upload(self._mint.id("F"), name, length)
        return upload, f"/upload/{secret}"

    async def receive(self, request: web.Request) -> web.StreamResponse:
        """Answer POST /upload/{secret}: the file itself is the body, as the SDK sends it."""
        upload = self._by_secret.get(request.match_info["secret"])
        if upload is None or upload.content is not None:
            return web.Response(status=404, text="This address is unknown or used.")
        content = await request.read()
        if len(content) != upload.length:
            return web.Response(status=400, text=f"{upload.length} bytes were announced, {len(content)} came.")
        upload.content = content
        return web.Response(text=f"OK - {len(content)}")

    def arrived(self, file_id: str) -> Upload | None:
        """Return a file that has arrived and is not shared yet."""
        waiting = (upload for upload in self._by_secret.values() if upload.content is not None)
        return next((upload for upload in waiting if upload.file_id == file_id), None)

    def forget(self, upload: Upload) -> None:
        """Remove a file that was shared; its ticket is good once."""
        self._by_secret = {secret: other for secret, other in self._by_secret.items() if other is not upload}
