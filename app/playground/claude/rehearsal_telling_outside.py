"""What the rehearsal model says of what it did outside of the thread, or could not do: what came of it, and no more.

Where somebody reads along it ends in one bold question; where a plan has come due (`alone`), nobody is there to answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.playground.claude.rehearsal_hearing import quoted, shortened

Said = tuple[str, str]
"""Who wrote something, and their words."""

Told = tuple[str, str]
"""What came of a call, and the question that it leads to."""

_WHY = 400  # characters of a reason


def together(told: Sequence[Told], alone: bool) -> str:
    """Tell what came of several calls, with the last one's question."""
    words = "\n\n".join(words for words, _ in told)
    return words if alone else f"{words}\n\n**{told[-1][1]}**"


def posted(came: Mapping[str, Any]) -> Told:
    """Tell where it stands."""
    where = f"[It stands in {came['query']['channel']}]({came['address']})"
    return f"Done. {where}, with your name below it.", "What else shall they know?"


def filed(came: Mapping[str, Any]) -> Told:
    """Tell what the file is."""
    what = f"The file {came['file']} is in this thread now ({came['bytes']:,} bytes). It holds what you listed."
    return what, "What shall be different in it?"


def time_there(came: Mapping[str, Any]) -> Told:
    """Tell the date and the time."""
    now = str(came["now"])
    told = f"In {came['query']['zone']} it is {now[11:16]} on {came['date']}, in week {came['week']}."
    return told, "What do you need the time for?"


def channel_read(came: Mapping[str, Any], said: Sequence[Said], left_out: str) -> Told:
    """List who said what; a script has no summary to offer."""
    where = came["query"]["channel"]
    if not said:
        return f"I have read {where}: nobody has written there in this time.", "Shall I look again later?"
    listed = "\n".join(
        [*([f"- {left_out}"] if left_out else []), *(f"- {who}: {quoted(words)}" for who, words in said)]
    )
    told = f"I have read {where}. A script cannot sum it up, so here is who said what:\n\n{listed}"
    return told, "What of this matters to you?"


def found(came: Mapping[str, Any]) -> Told:
    """List the conversations that were found."""
    words = came["query"]["words"]
    about = f"about {quoted(words)}" if words else "with me"
    if not came["found"]:
        told = f"I found no other conversation of yours {about}. I looked at titles, goals and decisions."
        return told, "What was it called?"
    listed = "\n".join(f"- {_hit(hit)}" for hit in came["found"])
    return f"Your other conversations {about}:\n\n{listed}", "Which one do you mean?"


def _hit(hit: Mapping[str, Any] | str) -> str:
    if isinstance(hit, str):
        return hit
    about = f": {quoted(hit['about'][0])}" if hit["about"] else ""
    day = str(hit["newest"]).partition(" ")[0]
    marks = ", ".join(filter(None, ("" if hit["kind"] == "free" else hit["kind"], hit["status"], day)))
    return f"{quoted(hit['title'] or 'Untitled')} ({marks}){about}"


def not_allowed(channel: str, content: str) -> Told:
    """Say that it was forbidden, and give here what would have gone there, if anything."""
    what = f"do that in {channel}" if channel else "do that"
    said = f"I may not {what}: it was forbidden, so I have not done it."
    if not content:
        return said, "What would help instead?"
    given = "\n".join(f"> {line}" for line in content.splitlines())
    return f"{said} Here it is, for you to use as you like:\n\n{given}", "Shall it be said in another way here?"


def not_there(channel: str) -> Told:
    """Say how I get into a channel that I am not in."""
    told = f"I cannot see {channel}: there is no such channel, or I am not in it."
    return (
        f"{told} If there is one, write `/invite @Threadwise` in it, and then say it again.",
        "Where else could it go?",
    )


def not_done(told: str) -> Told:
    """Say why it came to nothing; `told` is how the app put it."""
    return f"That did not work. What I was told: “{shortened(told, _WHY)}”", "What shall I do instead?"


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
