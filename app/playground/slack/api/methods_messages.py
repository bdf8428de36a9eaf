"""Methods of messages and files."""

import mimetypes
import time
from dataclasses import replace
from typing import Any, cast

from app.playground.slack.api.site import Site
from app.playground.slack.blocks.content import LONGEST_POST, LONGEST_UPDATE, Content, read_content, read_metadata
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.block_fields import read_mappings
from app.playground.slack.values.model import Channel, File, Message
from app.playground.slack.values.refusal import Refusal, build_refusal, build_warning
from app.playground.slack.values.surfaces import Json
from app.playground.slack.workspace.uploads import Upload
from app.playground.slack.workspace.wire import build_file, build_message


def post_message(site: Site, args: Arguments) -> Json:
    """chat.postMessage: text past 40,000 characters is cut, with a warning."""
    channel = site.destination(args)
    content = read_content(args, site.workspace.mint)
    thread_ts = site.thread(channel, args)
    draft = _from_bot(site, channel, content, thread_ts)
    message = site.workspace.post(replace(draft, metadata=read_metadata(args) or None))
    shown = build_message(site.workspace, message, with_metadata=True)
    answer: Json = {"channel": channel.id, "ts": message.ts, "message": shown}
    return answer | (build_warning("message_truncated") if len(content.text) > LONGEST_POST else {})


def post_ephemeral(site: Site, args: Arguments) -> Json:
    """chat.postEphemeral: for one member of the channel; the message cannot be updated, deleted or read back."""
    channel = site.joined_channel(args)
    if args.required("user") not in channel.members:
        raise Refusal("user_not_in_channel")
    content = read_content(args, site.workspace.mint)
    draft = _from_bot(site, channel, content, site.thread(channel, args))
    message = site.workspace.whisper(replace(draft, seen_by=args.text("user")))
    return {"message_ts": message.ts}


def update(site: Site, args: Arguments) -> Json:
    """chat.update: text without blocks takes the blocks away and marks as edited; metadata not sent stays."""
    channel = site.channel(args)
    before = _own_message(site, channel, args, "cant_update_message")
    content = read_content(args, site.workspace.mint)
    if len(args.text("text")) > LONGEST_UPDATE:
        raise Refusal("msg_too_long")
    metadata = read_metadata(args)
    after = replace(
        before,
        text=content.text or before.text,
        blocks=content.blocks,
        metadata=before.metadata if metadata is None else metadata or None,
        edited_ts=before.edited_ts if content.blocks else site.workspace.mint.ts(),
        edit_count=before.edit_count + 1,
    )
    site.workspace.update(after)
    shown = build_message(site.workspace, after, with_metadata=True)
    return {"channel": channel.id, "ts": after.ts, "text": after.text, "message": shown}


def delete(site: Site, args: Arguments) -> Json:
    """chat.delete: a bot may delete its own messages only."""
    channel = site.channel(args)
    message = _own_message(site, channel, args, "cant_delete_message")
    site.workspace.remove(message)
    return {"channel": channel.id, "ts": message.ts}


def permalink(site: Site, args: Arguments) -> Json:
    """chat.getPermalink: an address under the emulator's own, in Slack's form."""
    channel = site.channel(args)
    message = site.message(channel, args.required("message_ts"))
    link = f"{site.url}/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.thread_ts:
        link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def _from_bot(site: Site, channel: Channel, content: Content, thread_ts: str | None) -> Message:
    app = site.app
    text = content.text[:LONGEST_POST]
    ts = site.workspace.mint.ts()
    return Message(channel.id, ts, app.user.id, text, thread_ts, content.blocks, app.bot_id)


def _own_message(site: Site, channel: Channel, args: Arguments, refusal: str) -> Message:
    message = site.message(channel, args.required("ts"))
    if message.user != site.app.user.id:
        raise Refusal(refusal)
    return message


def file_info(site: Site, args: Arguments) -> Json:
    """files.info: all about one file that was shared where the app is."""
    return {"file": build_file(site.workspace, site.file(args.required("file"))), "comments": []}


MOST_CHANNELS = 100  # Slack: channels of one completion
LARGEST = 16 * 1024**2  # bytes; the emulator's own, as large as any request it takes


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
    return {"files": [build_file(site.workspace, file) for file in files]}


def _named(args: Arguments) -> list[Json]:
    files = args.structure("files", "invalid_arguments")
    given = read_mappings(files)
    if not given or len(given) != len(cast(list[Any], files)):
        raise build_refusal("invalid_arguments", ["files must be an array of objects with an id [json-pointer:/files]"])
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
