"""Content of a bot's message: text, markdown and blocks together, within Slack's limits."""

from dataclasses import dataclass

from app.playground.slack.blocks.blocks import add_ids, check_blocks
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.block_fields import read_mapping
from app.playground.slack.values.model import IdFactory
from app.playground.slack.values.refusal import Refusal
from app.playground.slack.values.surfaces import Json

LONGEST_POST = 40_000  # characters; Slack truncates longer text, with a warning
LONGEST_UPDATE = 4_000  # characters; Slack: chat.update refuses longer text
LONGEST_MARKDOWN = 12_000  # characters of markdown_text


@dataclass(frozen=True, slots=True)
class Content:
    """Content of a call; no blocks are None, never an empty list."""

    text: str
    blocks: list[Json] | None


def read_content(args: Arguments, mint: IdFactory) -> Content:
    """Read and check text, blocks and markdown_text of any posting method; refuse a call without content."""
    markdown = args.text("markdown_text")
    if markdown and (args.given("text") or args.given("blocks")):
        raise Refusal("markdown_text_conflict")
    if len(markdown) > LONGEST_MARKDOWN:
        raise Refusal("msg_too_long")
    blocks = [{"type": "markdown", "text": markdown}] if markdown else args.structure("blocks", "invalid_blocks_format")
    checked = add_ids(check_blocks([] if blocks is None else blocks), lambda: mint.secret(5))
    if not args.text("text").strip() and not checked:
        raise Refusal("no_text")
    return Content(args.text("text") or markdown, checked or None)


def read_metadata(args: Arguments) -> Json | None:
    """Return the metadata, None if not sent; an update with empty metadata removes it."""
    metadata = args.structure("metadata", "invalid_metadata_format")
    if not metadata:
        return metadata
    described = read_mapping(metadata)
    if not described.get("event_type") or not isinstance(described.get("event_payload"), dict):
        raise Refusal("invalid_metadata_format")
    return described
