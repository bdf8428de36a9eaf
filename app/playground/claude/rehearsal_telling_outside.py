"""What the rehearsal model says of what it did outside of the thread, or could not do: what came of it, and no more.

Where somebody reads along it ends in one bold question; where a plan has come due (`alone`), nobody is there to answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.playground.claude.rehearsal_hearing import quoted, shortened

Said = tuple[str, str]
"""Who wrote something, and their words."""

_WHY = 400  # characters of a reason


def posted(came: Mapping[str, Any], alone: bool) -> str:
    """Tell where it stands."""
    where = f"Done. It stands in {came['query']['channel']}, with your name below it: {came['address']}"
    return _ending(where, "What else shall they know?", alone)


def filed(came: Mapping[str, Any], alone: bool) -> str:
    """Tell what the file is."""
    what = f"The file {came['file']} is in this thread now ({came['bytes']:,} bytes). It holds your words, sorted."
    return _ending(what, "What shall be different in it?", alone)


def time_there(came: Mapping[str, Any], alone: bool) -> str:
    """Tell the date and the time."""
    now = str(came["now"])
    return _ending(
        f"In {came['query']['zone']} it is {now[11:16]} on {came['date']}, in week {came['week']}.",
        "What do you need the time for?",
        alone,
    )


def channel_read(came: Mapping[str, Any], said: Sequence[Said], left_out: str, alone: bool) -> str:
    """List who said what; a script has no summary to offer."""
    where = came["query"]["channel"]
    if not said:
        return _ending(
            f"I have read {where}: nobody has written there in this time.", "Shall I look again later?", alone
        )
    listed = "\n".join(
        [*([f"- {left_out}"] if left_out else []), *(f"- {who}: {quoted(words)}" for who, words in said)]
    )
    return _ending(
        f"I have read {where}. A script cannot sum it up, so here is who said what:\n\n{listed}",
        "What of this matters to you?",
        alone,
    )


def found(came: Mapping[str, Any], alone: bool) -> str:
    """List the conversations that were found."""
    words = came["query"]["words"]
    about = f"about {quoted(words)}" if words else "with me"
    hits = came["found"]
    if not hits:
        return _ending(
            f"I found no other conversation of yours {about}. I looked at titles, goals and decisions.",
            "What was it called?",
            alone,
        )
    listed = "\n".join(f"- {_hit(hit)}" for hit in hits)
    return _ending(f"Your other conversations {about}:\n\n{listed}", "Which one do you mean?", alone)


def _hit(hit: Mapping[str, Any] | str) -> str:
    if isinstance(hit, str):
        return hit
    about = f": {quoted(hit['about'][0])}" if hit["about"] else ""
    return f"{quoted(hit['title'] or 'Untitled')} ({hit['kind']}, {hit['status']}, {hit['newest']}){about}"


def not_allowed(content: str, alone: bool) -> str:
    """Say that it was forbidden, and give here what would have gone there, if anything."""
    said = "I may not do that: it was forbidden, so I have not done it."
    if not content:
        return _ending(said, "What would help instead?", alone)
    given = "\n".join(f"> {line}" for line in content.splitlines())
    return _ending(
        f"{said} Here it is, for you to use as you like:\n\n{given}",
        "Shall it be said in another way here?",
        alone,
    )


def not_done(told: str, alone: bool) -> str:
    """Say why it came to nothing; `told` is how the app put it."""
    return _ending(f"That did not work. What I was told: “{shortened(told, _WHY)}”", "What shall I do instead?", alone)


def left() -> str:
    """Leave something that was stopped."""
    return "Then I leave it: nothing was done.\n\n**What would help you instead?**"


def as_short_as_can_be(text: str) -> str:
    """Say that a script cannot shorten this any more."""
    return f"{quoted(text)} is as short as a script can make it.\n\n**What shall I write instead?**"


def what_to_post(channel: str) -> str:
    """Ask for the words."""
    return f"Gladly, to {channel}. Say it with the words: *post to {channel}: …*\n\n**What shall stand there?**"


def what_to_put() -> str:
    """Ask what a file shall hold."""
    return "Gladly. Say it with what belongs into it: *make a CSV of …, …*\n\n**What shall be in it?**"


def digest(came: Mapping[str, Any], said: Sequence[Said]) -> str:
    """The news, before it is asked what of it matters; or all there is of it."""
    listed = "\n".join(f"- {who}: {quoted(words)}" for who, words in said)
    return f"New in {came['query']['channel']}:\n\n{listed}"


def followed(words: str) -> str:
    """Go on with an answer."""
    return f"I follow up {quoted(words)}. Claude would ask the people now; I am a script, and only keep it in mind."


def counted(count: int, last: int) -> str:
    """Count one further."""
    return f"{count} of {last}" if count < last else f"{count} of {last}. That was all."


def _ending(words: str, question: str, alone: bool) -> str:
    return words if alone else f"{words}\n\n**{question}**"
