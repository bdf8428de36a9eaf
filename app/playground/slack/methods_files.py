"""The files.* methods: the upload of an app's files, as the SDK's `files_upload_v2` does it.

The app asks for an address and posts the bytes there (`uploads`). Completing shares the file as a message.
"""

import mimetypes
import time
from dataclasses import replace
from typing import Any, cast

from app.playground.slack.arguments import Arguments
from app.playground.slack.model import Channel, File, Json, Message
from app.playground.slack.refusal import Refusal, invalid
from app.playground.slack.render_json import mappings_in
from app.playground.slack.site import Site
from app.playground.slack.uploads import Upload
from app.playground.slack.wire import file_object

MOST_CHANNELS = 100  # Slack: channels of one completion
LARGEST = 16 * 1024**2  # bytes; the playground's own, as large as any request it takes


def upload_url(site: Site, args: Arguments) -> Json:
    """files.getUploadURLExternal: an address for the bytes of one file, on loopback."""
    name, length = args.required("filename"), args.text("length")
    if not length.isdecimal() or int(length) == 0:
        raise Refusal("missing_argument")
    if int(length) > LARGEST:
        raise Refusal("file_upload_size_restricted")
    upload, path = site.uploads.announce(name, int(length))
    return {"upload_url": f"{site.url}{path}", "file_id": upload.file_id}


def complete_upload(site: Site, args: Arguments) -> Json:
    """files.completeUploadExternal: one message with all the files in each channel; without a channel, none."""
    given = _named(args)
    channels = _destinations(site, args)
    threads = [site.thread(channel, args) for channel in channels]
    uploads = [_arrived(site, item) for item in given]
    files = [_file(site, upload, str(item.get("title") or "")) for upload, item in zip(uploads, given, strict=True)]
    for upload in uploads:
        site.uploads.forget(upload)
    for channel, thread_ts in zip(channels, threads, strict=True):
        site.workspace.post(_shared(site, channel, thread_ts, args.text("initial_comment"), tuple(files)))
    return {"files": [file_object(site.workspace, file) for file in files]}


def _named(args: Arguments) -> list[Json]:
    files = args.structure("files", "invalid_arguments")
    given = mappings_in(files)
    if not given or len(given) != len(cast(list[Any], files)):
        raise invalid("invalid_arguments", ["files must be an array of objects with an id [json-pointer:/files]"])
    return given


def _destinations(site: Site, args: Arguments) -> list[Channel]:
    listed = args.text("channel_id") or args.text("channels")
    ids = list(dict.fromkeys(filter(None, listed.split(","))))
    if len(ids) > MOST_CHANNELS:
        raise Refusal("channels_limit_exceeded")
    return [site.joined_channel(Arguments({"channel": channel})) for channel in ids]


def _arrived(site: Site, item: Json) -> Upload:
    upload = site.uploads.arrived(str(item.get("id")))
    if upload is None:
        raise Refusal("file_not_found")
    return upload


def _file(site: Site, upload: Upload, title: str) -> File:
    return File(
        id=upload.file_id,
        name=upload.name,
        title=title or upload.name,
        mimetype=mimetypes.guess_type(upload.name)[0] or "application/octet-stream",
        content=upload.content or b"",
        user=site.app.user.id,
        created=int(time.time()),
        permalink=f"{site.url}/play/files/{upload.file_id}",
    )


def _shared(site: Site, channel: Channel, thread_ts: str | None, comment: str, files: tuple[File, ...]) -> Message:
    app, ts = site.app, site.workspace.mint.ts()
    said = Message(channel.id, ts, app.user.id, comment, thread_ts, bot_id=app.bot_id)
    return replace(said, subtype="file_share", files=files)
