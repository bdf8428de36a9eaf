"""Between sealed fields and values: what opens but is of another shape."""

from __future__ import annotations

import pytest

from store.cipher import SealBroken, SealingKey, place
from store.codec import ROWS, UnknownShape


def test_a_value_of_a_shape_that_is_not_known_counts_as_unreadable_and_is_not_quoted() -> None:
    key = SealingKey(bytes(32))
    sealed = key.seal(b'{"seq": "swordfish"}', place("messages", "c:1", "sealed"))
    with pytest.raises(UnknownShape, match="another shape") as caught:
        ROWS.open(key, {"_id": "c:1", "sealed": sealed})
    assert "swordfish" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_broken_seal_is_told_from_a_shape_that_is_not_known() -> None:
    with pytest.raises(SealBroken) as caught:
        ROWS.open(SealingKey(bytes(32)), {"_id": "c:1", "sealed": bytes(40)})
    assert not isinstance(caught.value, UnknownShape)
