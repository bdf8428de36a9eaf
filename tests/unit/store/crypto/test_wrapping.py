"""A key that is wrapped twice, and a mark that tells of older copies: neither layer can be left out or moved."""

from __future__ import annotations

import pytest

from store.crypto.cipher import KEY_BYTES, MasterKeys, SealBroken, SealingKey, build_associated_data
from store.crypto.codec import PutBack
from store.crypto.document_marks import require_new
from store.crypto.wrapping import Wraps
from store.database.connection import Document
from store.database.schema import KEYS

KEY, SECRET = b"k" * KEY_BYTES, b"s" * KEY_BYTES
WRAPS = Wraps(MasterKeys(b"m" * KEY_BYTES))
WRAPPED: Document = {"_id": "c1", **WRAPS.wrap("c1", KEY, SECRET)}


def test_a_key_opens_with_both_the_master_key_and_its_secret() -> None:
    assert WRAPS.unwrap(WRAPPED, {"c1": SECRET}, "c1") == KEY
    assert WRAPS.within(WRAPPED) != KEY, "the master key alone does not open it"
    assert KEY not in WRAPPED["sealed"]


def test_without_its_secret_or_with_another_one_no_key_opens() -> None:
    with pytest.raises(SealBroken, match="erasure secret of 'c1' is missing"):
        WRAPS.unwrap(WRAPPED, {"c2": SECRET}, "c1")
    with pytest.raises(SealBroken, match="another key"):
        WRAPS.unwrap(WRAPPED, {"c1": b"t" * KEY_BYTES}, "c1")
    with pytest.raises(SealBroken, match="not in THREADWISE_MASTER_KEY"):
        Wraps(MasterKeys(b"n" * KEY_BYTES)).unwrap(WRAPPED, {"c1": SECRET}, "c1")


def test_a_wrapped_key_opens_only_where_it_was_stored() -> None:
    with pytest.raises(SealBroken, match="moved or changed"):
        WRAPS.unwrap(WRAPPED | {"_id": "c2"}, {"c1": SECRET}, "c1")
    inner = SealingKey(SECRET).seal(KEY, build_associated_data(KEYS, "c1", "secret"))
    moved = {"_id": "c2", "has_secret": True, **WRAPS.around("c2", inner)}
    with pytest.raises(SealBroken, match="moved or changed"):
        WRAPS.unwrap(moved, {"c1": SECRET}, "c1")


def test_a_key_from_before_there_were_secrets_opens_with_the_master_key_and_what_is_no_key_is_refused() -> None:
    assert WRAPS.unwrap({"_id": "c1", **WRAPS.around("c1", KEY)}, {}, "c1") == KEY
    without_its_flag = {"_id": "c1", "sealed": WRAPPED["sealed"]}
    for document in (without_its_flag, {"_id": "c1", **WRAPS.around("c1", b"short")}):
        with pytest.raises(SealBroken, match="no key at 'c1'"):
            WRAPS.unwrap(document, {"c1": SECRET}, "c1")


def marked(version: int, key: bytes = KEY, id_: str = "c1") -> Document:
    digest = SealingKey(key).digest(f'["mark", "{id_}", {version}]'.encode())
    return {"_id": "c1", "mark": [{"version": version, "hmac": digest}]}


def test_a_document_below_its_mark_was_put_back_and_one_at_it_or_above_it_is_taken() -> None:
    key = SealingKey(KEY)
    for number in (3, 4):
        require_new(key, marked(3), number)
    require_new(key, {"_id": "c1"}, 1)
    with pytest.raises(PutBack):
        require_new(key, marked(3), 2)


@pytest.mark.parametrize("document", [marked(3, SECRET), marked(3, id_="c2")])
def test_a_mark_that_another_key_or_another_document_made_is_forged(document: Document) -> None:
    for number in (2, 3):
        with pytest.raises(SealBroken, match="forged"):
            require_new(SealingKey(KEY), document, number)
