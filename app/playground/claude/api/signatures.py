"""Signatures of thinking blocks. Each binds a block to its text, its model and the whole conversation before it.

Knows no HTTP and keeps no memory: a signature contains all that its check needs.
"""

import base64
import hashlib
import hmac
import re

from app.playground.claude.api.prompt import Json, Prefix, Prompt
from app.playground.claude.api.refusals import build_invalid_request


class Signer:
    """Signer of thinking blocks, which also recognizes its own signatures.

    The key is the account's. So old conversations stay valid after a restart and in other processes.
    """

    def __init__(self, account_key: str) -> None:
        self._key = account_key.encode()

    def sign(self, thinking: str, prompt: Prompt) -> str:
        """Bind thinking in the answer to a prompt to its model, its text and all of the prompt."""
        words, before = self._seals(thinking, prompt.prefixes[-1])
        return base64.b64encode(f"{prompt.model.id}:{words}:{before}".encode()).decode()

    def check(self, block: Json, prompt: Prompt, prefix: Prefix) -> None:
        """Refuse a thinking block that is not ours, was altered, or is after another prefix.

        Another model's block passes: the API silently leaves out blocks that the model cannot read.
        """
        model, words, before = _read_signature(block.get("signature"))
        expected_words, expected_before = self._seals(str(block.get("thinking", "")), prefix)
        if not hmac.compare_digest(words, expected_words):
            raise build_invalid_request("Invalid `signature` in `thinking` block")
        if model != prompt.model.id or not prompt.model.binds_thinking:
            return
        if not hmac.compare_digest(before, expected_before):
            raise build_invalid_request("`thinking` block is bound to a different conversation")

    def _seals(self, thinking: str, prefix: Prefix) -> tuple[str, str]:
        return self._seal(b"words" + thinking.encode()), self._seal(b"before" + prefix.digest)

    def _seal(self, content: bytes) -> str:
        return hmac.new(self._key, content, hashlib.sha256).hexdigest()


def _read_signature(signature: object) -> tuple[str, str, str]:
    try:
        text = base64.b64decode(str(signature), validate=True).decode()
    except ValueError:
        text = ""
    found = re.fullmatch(r"([^:]+):([0-9a-f]{64}):([0-9a-f]{64})", text)
    if found is None:
        raise build_invalid_request("Invalid `signature` in `thinking` block")
    return found[1], found[2], found[3]
