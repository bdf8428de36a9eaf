"""What the model is told of what it did outside before it was broken off: enough to tell one post from another."""

from __future__ import annotations

from app.core.state.tool_use import QUOTED_CHARS, UseState, describe_use, list_accomplished
from tests.unit.core.lives import use


def test_of_two_posts_to_one_channel_it_is_told_which_was_made() -> None:
    made, failed = use("t1", UseState.DONE, shown="The rota"), use("t2", UseState.DONE, shown="The menu", failed=True)
    assert list_accomplished([made, failed, use("t3", UseState.ASKED)]) == ("post to #ops (“The rota”)",)


def test_what_is_long_is_told_by_its_beginning_and_in_one_line() -> None:
    told = describe_use(use("t1", UseState.DONE, shown="One\ntwo " + "x" * QUOTED_CHARS))
    assert told == f"post to #ops (“One two {'x' * (QUOTED_CHARS - 8)}”)"


def test_what_shows_nothing_is_told_by_its_title() -> None:
    assert describe_use(use("t1", UseState.DONE, shown=" ")) == "post to #ops"


def test_what_a_quoted_action_quotes_itself_has_single_marks() -> None:
    told = describe_use(use("t1", UseState.DONE, shown="text: hi\nThe server says of it: “Notes a text.”"))
    assert told == "post to #ops (“text: hi The server says of it: ‘Notes a text.’”)"
