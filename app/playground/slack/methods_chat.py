"""The chat.* methods: the bot's messages, their changes and deletions."""

from dataclasses import replace

from app.playground.slack.arguments import Arguments
from app.playground.slack.content import LONGEST_POST, LONGEST_UPDATE, Content, read_content, read_metadata
from app.playground.slack.model import Channel, Json, Message
from app.playground.slack.refusal import Refusal, warned
from app.playground.slack.site import Site
from app.playground.slack.wire import message_object


def post_message(site: Site, args: Arguments) -> Json:
    """chat.postMessage: text past 40,000 characters is cut, with a warning."""
    channel = site.destination(args)
    content = read_content(args, site.workspace.mint)
    thread_ts = site.thread(channel, args)
    draft = _from_bot(site, channel, content, thread_ts)
    message = site.workspace.post(replace(draft, metadata=read_metadata(args) or None))
    shown = message_object(site.workspace, message, with_metadata=True)
    answer: Json = {"channel": channel.id, "ts": message.ts, "message": shown}
    return answer | (warned("message_truncated") if len(content.text) > LONGEST_POST else {})


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
    shown = message_object(site.workspace, after, with_metadata=True)
    return {"channel": channel.id, "ts": after.ts, "text": after.text, "message": shown}


def delete(site: Site, args: Arguments) -> Json:
    """chat.delete: a bot may delete its own messages only."""
    channel = site.channel(args)
    message = _own_message(site, channel, args, "cant_delete_message")
    site.workspace.remove(message)
    return {"channel": channel.id, "ts": message.ts}


def permalink(site: Site, args: Arguments) -> Json:
    """chat.getPermalink: an address under the playground's own, in Slack's form."""
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
