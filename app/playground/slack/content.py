"""What a bot's message may say: text, markdown and blocks together, within Slack's limits."""

from dataclasses import dataclass

from app.playground.slack.arguments import Arguments
from app.playground.slack.blocks import check_blocks, with_ids
from app.playground.slack.ids import Mint
from app.playground.slack.model import Json
from app.playground.slack.refusal import Refusal

LONGEST_POST = 40_000  # characters; Slack truncates longer text, with a warning
LONGEST_UPDATE = 4_000  # characters; Slack: chat.update refuses longer text
LONGEST_MARKDOWN = 12_000  # characters of markdown_text


@dataclass(frozen=True, slots=True)
class Content:
    """What a call says. `blocks` is None where the call does not speak of blocks, empty where it wants none."""

    text: str
    blocks: list[Json] | None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.text.strip() and not self.blocks


def read_content(args: Arguments, mint: Mint) -> Content:
    """Read and check text, blocks and markdown_text of any posting method; emptiness is the method's business."""
    markdown = args.text("markdown_text")
    if markdown and (args.given("text") or args.given("blocks")):
        raise Refusal("markdown_text_conflict")
    if len(markdown) > LONGEST_MARKDOWN:
        raise Refusal("msg_too_long")
    blocks = [{"type": "markdown", "text": markdown}] if markdown else args.structure("blocks", "invalid_blocks_format")
    if blocks is None:
        return Content(args.text("text"), None)
    checked = with_ids(check_blocks(blocks), lambda: mint.id("")[1:6])
    return Content(args.text("text") or markdown, checked)


def read_metadata(args: Arguments) -> Json | None:
    """Return the metadata, None if not sent; empty metadata is how an update takes it away."""
    metadata = args.structure("metadata", "invalid_metadata_format")
    if not metadata:
        return metadata
    if not isinstance(metadata, dict) or not metadata.get("event_type") or "event_payload" not in metadata:
        raise Refusal("invalid_metadata_format")
    return metadata
