"""The verdict on what was done outside of a thread: each post once, or its people and the model told that nobody knows.

Pure. Reads what Slack shows, what the model was told, and how many rules are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.crash.verdict import Kind, Wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """Something that was to be posted, and how often it stands there."""

    text: str
    times: int
    unsure: bool = False
    """True if the model was told that nobody knows whether this was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What came of it all, once it is at rest."""

    posts: Sequence[Post]
    strays: Sequence[str] = ()
    """What else was posted."""
    unsure: int = 0
    """How often people were told in the thread that nobody knows whether something was done."""
    closing: Sequence[tuple[str, int]] = ()
    """What is to be said in the thread, and how often it stands there whole."""
    open_cards: int = 0
    """Permissions that can still be decided."""
    busy: int = 0
    """Messages that still show what is being done."""
    rules: int = 1
    """What the owner has decided for good, as far as it is kept."""


def judge(seen: Outside) -> tuple[Wrong, ...]:
    """Say what is lost, twice or left half done."""
    return (*_about_posts(seen), *_about_thread(seen))


def _about_posts(seen: Outside) -> Iterator[Wrong]:
    for post in seen.posts:
        if post.times > 1:
            yield Wrong(Kind.TWICE, f"{post.text!r} was posted {post.times} times")
        if not post.times and not post.unsure:
            yield Wrong(Kind.LOST, f"{post.text!r} was not posted, and nobody said so")
    unsure = sum(post.unsure for post in seen.posts)
    if unsure != seen.unsure:
        kind = Kind.LOST if seen.unsure < unsure else Kind.TWICE
        yield Wrong(kind, f"of {unsure} posts nobody knows about, people were told of {seen.unsure}")
    for text in seen.strays:
        yield Wrong(Kind.STRAY, f"nobody wanted this to be posted: {text[:60]!r}")


def _about_thread(seen: Outside) -> Iterator[Wrong]:
    for words, times in (*seen.closing, ("a rule for good", seen.rules)):
        if times != 1:
            yield Wrong(Kind.TWICE if times else Kind.LOST, f"{words!r} is there {times} times")
    if seen.open_cards:
        yield Wrong(Kind.HALF, f"{seen.open_cards} permissions can still be decided")
    if seen.busy:
        yield Wrong(Kind.HALF, f"{seen.busy} messages still say that something is being done")
