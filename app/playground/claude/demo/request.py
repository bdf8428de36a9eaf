"""A request as the scripted demo model reads it: the speaker, their words, others' words, and earlier turns.

Other people's words come as `<message from="Sam">…</message>`; any other tagged block is not a person's. Pure.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.playground.claude.api.prompt import Prompt

_ATTRIBUTED = re.compile(r'<message\b[^>]*\bfrom="([^"]*)"[^>]*>(.*?)</message>', re.DOTALL)
ELEMENTS = (
    "message", "note", "file", "state", "step", "reply", "transcript", "draft", "earlier_steps", "chosen", "summary",
    "task", "place", "read",
)  # fmt: skip
"""The elements in which the program tells what nobody wrote just now. All other tags are words of people."""

_TAGGED = re.compile(rf"<({'|'.join(ELEMENTS)})\b[^>]*>.*?</\1>", re.DOTALL)
_SHARED = re.compile(r"^\[shared: ([^\n]*)\]$", re.MULTILINE)
"""The line in which the program names the files of a message."""

_SLACK_REFERENCE = re.compile(r"<[@#!][^>]*>")
_OWN_NAME = re.compile(r"\b(?:[Mm]y name is|I'm|I am|[Tt]his is) ([A-Z][a-z]+)(?=[,.!;]|$| here\b)")
_MARKUP = re.compile(
    r"</?(?:b|i|u|s|em|strong|code|pre|p|br)\s*/?>|[*_`|]+|#+(?!\w)|~+(?!\s?\d)"
    r"|<(?=[^\s\d=<>][^<>]*>)|(?<=[^\s\d<>])>(?=\W|$)"
)
"""Signs of a format; a sign before a number belongs to it, as does # before the name of a channel."""

_CHOICE = re.compile(
    r"(?:should (?:we|i|they)|shall (?:we|i)|whether (?:to|we should|i should)) (.+?)(?:[?.!\n]|$)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween (.+? (?:and|or) .+?)(?:[?.!\n]|$)", re.IGNORECASE)
_OPEN_CHOICE = re.compile(r"([^.?!\n]+\bor\b[^.?!\n]+)\?", re.IGNORECASE)
_OR = re.compile(r"\s*,\s*(?:or\s+)?|\s+or\s+", re.IGNORECASE)
_AND_OR = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_LEADING = re.compile(r"^(?:either|to|rather|better)\s+", re.IGNORECASE)

_WORD = re.compile(r"[^\W\d_]+|\d+")
_NO_ANSWER = re.compile(r"\?|\b(but|not|neither|except|instead)\b", re.IGNORECASE)

GOES_ON = re.compile(r"please go on exactly where you stopped\b", re.IGNORECASE)
"""The words of *Retry* after Stop: what was asked before is wanted."""

_MOST_OPTIONS = 4
_A_TELLING_WORD = 4  # characters; a shorter word is an article or a preposition
_A_THOUGHT = 4  # words; less is a greeting or a yes
_REQUEST = re.compile(r"^\W*(please|can you|could you|give me|tell me|walk|explain)\b", re.I)


@dataclass(frozen=True)
class Heard:
    """One turn of a conversation, as the model understands it."""

    name: str | None
    words: str
    others: Sequence[tuple[str, str]] = ()
    """Other people since the last answer, and their words."""
    earlier: Sequence[str] = ()
    """The speaker's side of the turns before, oldest first."""
    files: str = ""
    """Names of the files that came with this turn, in a row."""

    @property
    def turn(self) -> int:
        """Return the number of turns before this one."""
        return len(self.earlier)

    @property
    def topic(self) -> str | None:
        """Return the first words of the speaker that were more than a greeting, or None."""
        return next((words for words in (*self.earlier, self.words) if is_a_thought(words)), None)

    @property
    def remembered(self) -> str | None:
        """Return the last words of the speaker before this turn that were more than a yes, or None."""
        return next((words for words in reversed(self.earlier) if is_a_thought(words)), None)

    @property
    def options(self) -> Sequence[str]:
        """Return the options of a choice that the speaker asks about; empty if it is no choice."""
        return options_in(self.words)

    @property
    def choice_so_far(self) -> str | None:
        """Return the newest words of the speaker that ask about a choice, in this turn or an earlier one."""
        said = (self.words, *reversed(self.earlier))
        return next((words for words in said if options_in(words)), None)


def hear(prompt: Prompt) -> Heard:
    """Read a request."""
    said = [m.text for m in prompt.messages if m.role == "user" and m.text]
    spoken = [_speak(text) for text in said] or [(None, "", [])]
    if len(spoken) > 1 and GOES_ON.match(spoken[-1][1]):
        spoken = spoken[:-1]
    name, words, others = spoken[-1]
    names = [known for known, _, _ in spoken if known]
    return Heard(
        name=name or (names[-1] if names else None),
        words=words,
        others=others,
        earlier=[earlier for _, earlier, _ in spoken[:-1]],
        files=", ".join(_SHARED.findall(_TAGGED.sub(" ", prompt.last_user_text))),
    )


def _speak(text: str) -> tuple[str | None, str, list[tuple[str, str]]]:
    """Divide a user message into the speaker's name and words, and the words of others.

    If all of it is attributed, the author of the last part is the speaker.
    """
    attributed = attributed_in(text)
    words = _plain(_take_own(text))
    if words or not attributed:
        own = _OWN_NAME.search(words)
        return own[1] if own else None, words, attributed
    speaker = attributed[-1][0]
    words = " ".join(what for who, what in attributed if who == speaker)
    return speaker, words, [(who, what) for who, what in attributed if who != speaker]


def _plain(text: str) -> str:
    return " ".join(html.unescape(_SLACK_REFERENCE.sub(" ", text)).split())


def lines_of(text: str) -> str:
    """Return everything that people wrote in a user message, line by line."""
    return own_lines_of(_ATTRIBUTED.sub(r"\n\2\n", text))


def attributed_in(text: str) -> list[tuple[str, str]]:
    """Return who else wrote something in a user message, by name, and their words."""
    return [(who, _plain(what)) for who, what in _ATTRIBUTED.findall(text)]


def own_lines_of(text: str) -> str:
    """Return the person's own words in a user message, line by line; empty if all of it is others'."""
    return "\n".join(line for each in _take_own(text).splitlines() if (line := _plain(each)))


def _take_own(text: str) -> str:
    return _SHARED.sub("", _TAGGED.sub(" ", text))


def is_a_thought(words: str) -> bool:
    """Return True for words worth coming back to: not a yes, and not a request to the model itself."""
    return len(words.split()) >= _A_THOUGHT and _REQUEST.match(words) is None


def shortened(words: str, limit: int = 140) -> str:
    """Return the words without markup, on one line, cut at a space to at most `limit` characters."""
    plain = " ".join(_MARKUP.sub(" ", words).split())
    if len(plain) <= limit:
        return plain
    return plain[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def quoted(words: str) -> str:
    """Return the words in quotation marks, shortened, without the full stop."""
    return f"“{shortened(words).removesuffix('.')}”"


def options_in(words: str) -> list[str]:
    """Return the options that a sentence chooses between, as written, at most four."""
    for pattern, separator in ((_CHOICE, _OR), (_BETWEEN, _AND_OR), (_OPEN_CHOICE, _OR)):
        found = pattern.search(words)
        if found:
            options = [_option(part) for part in separator.split(found[1])]
            return [option for option in options if option.lower() not in ("", "not")][:_MOST_OPTIONS]
    return []


def parts_of(words: str) -> list[str]:
    """Return the options in a list, as written, at most four; empty if there is only one."""
    options = [_option(part) for part in _AND_OR.split(words.strip(" ?.!")) if part.strip()]
    return options[:_MOST_OPTIONS] if len(options) > 1 else []


def named_in(words: str, options: Sequence[str]) -> str | None:
    """Return the one option that a sentence names by a word of its own; None for a question or a withdrawal."""
    said = set(_WORD.findall(words.lower()))
    own = {option: {word for word in _WORD.findall(option.lower()) if _tells(word, option)} for option in options}
    named = [o for o in options if said & own[o].difference(*(own[other] for other in options if other != o))]
    return named[0] if len(named) == 1 and not _NO_ANSWER.search(words) else None


def _tells(word: str, option: str) -> bool:
    return len(word) >= _A_TELLING_WORD or word == option.lower()


def _option(part: str) -> str:
    option = shortened(_LEADING.sub("", part.strip(" ,;:")), limit=60)
    return option[:1].upper() + option[1:]
