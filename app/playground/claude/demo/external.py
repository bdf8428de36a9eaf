"""Acts of the scripted demo model outside of its thread: reading, posting, files."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo import replies
from app.playground.claude.demo.request import is_a_thought, shortened
from app.playground.claude.demo.scene import Act, Acts, Outcome, Scene

POST, READ, SEARCH = "post_message", "read_channel", "search_conversations"
FILE, TIME, WEB = "create_file", "date_and_time", "search_web"
OPEN_TICKET, LIST_TICKETS = "tickets__open_ticket", "tickets__list_tickets"
"""Tools of the demo's own tool server."""

_NEWEST = 20
_LONGEST_POST = 3_900
_FORBIDDEN = re.compile(r"^Permission to use \w+ denied\b")
_INVITE = "/invite"
"""Part of the app's answer about a channel that the app is not in."""


def _says(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_PLEASE = r"^\W*(?:(?:please|can you|could you|would you|now|then|and|ok|okay)\b,? *)*"
_CHANNEL = r"(?P<channel>#[\w-]+)"
_CHANNELS = r"(?P<channels>#[\w-]+(?:(?:,|,? and) #[\w-]+)*)"
_NAME = re.compile(r"#[\w-]+")
_WRITE = r"(?:post|send|write|share|announce|put|say)"
_POSTS = (
    _says(
        rf"{_PLEASE}{_WRITE}(?: (?:a (?:message|note)|it|this|something))? (?:to|in|into|on) {_CHANNELS}"
        r"(?: that\b| saying(?: that)?\b)?[\s:,–-]*(?P<text>.*)"
    ),
    _says(rf"{_PLEASE}(?:tell|inform|warn|remind) {_CHANNELS}(?: (?:that|about)\b)?[\s:,–-]*(?P<text>.*)"),
    _says(rf"{_PLEASE}let {_CHANNELS} know(?: that\b)?[\s:,–-]*(?P<text>.*)"),
    _says(rf"{_PLEASE}{_WRITE} (?P<text>.+?) (?:to|in|into|on) {_CHANNELS}\W*$"),
)
_NO_TEXT = re.compile(r"(?:it|this|that|something|instead|rather|please|a (?:message|note))?", re.IGNORECASE)
_READS = _says(
    r"\b(?:read|what(?:'s| is| was)? (?:new|going on|happening)|anything new|news|digest|catch (?:me|us) up"
    rf"|summari[sz]e|look (?:at|into)|what did|who (?:said|wrote))\b.*?{_CHANNEL}"
)
_ELSEWHERE = _says(r"\b(?:web|internet|google|online)\b")
_OURS = r"(?:in |through )?(?:our|my|your|all)(?: (?:own|other|old))* (?:conversations?|threads?|decisions?|talks?)"
_SEARCHES = (
    _says(rf"{_PLEASE}(?:search|find {_OURS}|look through {_OURS})(?: {_OURS})?(?: (?:for|about|on))?\b(?P<words>.*)"),
    _says(r"\bwhat did (?:we|i) (?:say|decide|discuss|write)(?: (?:about|on))?\b(?P<words>.+)"),
    _says(r"\b(?:have|did) (?:we|i) (?:ever )?(?:talk(?:ed)?|speak|spoken) about\b(?P<words>.+)"),
)
_SEARCHES_WEB = _says(
    rf"{_PLEASE}(?:search|google|look up|look|find)\b.{{0,40}}?\b(?:web|internet|online|google)\b"
    r"(?:\W*(?:for|about|on)\b)?[\s:,–-]*(?P<query>.+)"
)
_SMALL_WORDS = frozenset({"the", "a", "an", "our", "my", "any", "of", "about", "for"})
_TIMES = _says(
    r"\b(?:what time is it|what(?:'s| is) the (?:time|date)|what (?:day|date|week) is (?:it|today))\b"
    r"(?: (?:now|today|right now))?(?: in (?P<place>[^?.!]+?))?(?: (?:now|right now|today))?\W*$"
)
_KIND = r"(?:csv|json|markdown|file)"
_FILES = _says(
    rf"{_PLEASE}(?:make|create|write|give|export|put|turn|save) (?P<head>"
    rf"(?:(?:me|us|this|that|it|these|all|of|into|in|to|as|an?|new) )*{_KIND}\b(?: (?:as )?(?:an? )?{_KIND}\b)*"
    r"(?: (?:called|named) [^:]{1,100}?)?)"
    r"(?:\W*(?:please)?\W*|(?: (?:of|from|with|out of)\b|:)(?P<things>.+))$"
)
_OPENS_TICKET = _says(rf"{_PLEASE}(?:open|file|make|put up) a ticket\b(?: (?:for|about|that))?[\s:,–-]*(?P<title>.+)$")
_ASKS_FOR_TICKETS = _says(r"\b(?:what|which|list|show)\b.*\btickets\b")
_WHAT_WAS_SAID = re.compile(r"\W*(?:this|that|it|these|all of (?:this|it)|what (?:i|we) said)?\W*", re.IGNORECASE)


def wanted(scene: Scene) -> Act | None:
    """Return the act that the person asks for outside of the thread; None if there is none, or no tool for it."""
    wants = (wants(scene) for tool, wants in WANTED.items() if tool in scene.tools)
    return next((act for act in wants if act), None)


def _posts(scene: Scene) -> Act | None:
    found = next((found for pattern in _POSTS if (found := pattern.search(scene.written))), None)
    if found is None:
        return None
    text = _text(found["text"])
    return _post(_NAME.findall(found["channels"]), text) if text else Act(replies.what_to_post(found["channels"]))


def _reads(scene: Scene) -> Act | None:
    found = _READS.search(scene.written)
    if found is None:
        return None
    since = {"since": scene.standing.last_run} if scene.standing.runs and scene.standing.last_run else {}
    return Act(calls=[ToolCall(READ, {"channel": found["channel"], "limit": _NEWEST, **since})])


def _searches(scene: Scene) -> Act | None:
    found = next((found for pattern in _SEARCHES if (found := pattern.search(scene.written))), None)
    if found is None or _ELSEWHERE.search(scene.written):
        return None
    told = (word.strip('.,;:!?"“”') for word in found["words"].split())
    words = " ".join(word for word in told if word and word.lower() not in _SMALL_WORDS)
    return Act(calls=[ToolCall(SEARCH, {"words": words[:200]})])


def _searches_web(scene: Scene) -> Act | None:
    found = _SEARCHES_WEB.search(scene.written)
    return Act(calls=[ToolCall(WEB, {"query": found["query"].strip()[:400]})]) if found else None


def _files(scene: Scene) -> Act | None:
    found = _FILES.search(scene.written)
    if found is None:
        return None
    said = _WHAT_WAS_SAID.fullmatch(found["things"] or "")
    items = [words for words in scene.heard.earlier if is_a_thought(words)] if said else items_of(found["things"])
    if not items:
        return Act(replies.WHAT_TO_PUT)
    return Act(calls=[ToolCall(FILE, file_of(items, format_in(found["head"]), name_in(found["head"])))])


def _asks_the_time(scene: Scene) -> Act | None:
    found = _TIMES.search(scene.written)
    if found is None:
        return None
    return Act(calls=[ToolCall(TIME, {"zone": _zone(found["place"])} if found["place"] else {})])


def _opens_ticket(scene: Scene) -> Act | None:
    found = _OPENS_TICKET.search(scene.written)
    return Act(calls=[ToolCall(OPEN_TICKET, {"title": found["title"].strip(" .")[:200]})]) if found else None


WANTED: Mapping[str, Acts] = {
    OPEN_TICKET: _opens_ticket,
    LIST_TICKETS: lambda scene: (
        Act(calls=[ToolCall(LIST_TICKETS, {})]) if _ASKS_FOR_TICKETS.search(scene.written) else None
    ),
    POST: _posts,
    FILE: _files,
    WEB: _searches_web,
    SEARCH: _searches,
    READ: _reads,
    TIME: _asks_the_time,
}
"""Acts by the tool that they need. The first that fits is done."""

# --- what was stopped ---

_LEAVES = _says(
    r"^\W*(?:no|(?:no )?thanks?(?: you)?|never ?mind|forget (?:it|that)|leave it|nothing|cancel(?: it| that)?"
    r"|(?:no,? )?(?:don'?t|do not)(?: (?:do|post|make) (?:it|that|this))?)\W*$"
)
_NO = _says(r"^\W*no\b[\s,;:.!–-]*")
_ELSEWHERE_INSTEAD = _says(
    rf"^\W*(?:please |better |rather |post it |put it )*(?:to|in|into)? ?{_CHANNEL}"
    r"(?: (?:instead|rather|please))*(?:[:,]\s*(?P<text>.+)|\W*)$"
)
_SHORTER = _says(r"^(?=.{0,60}$).*\b(?:short(?:er|en)?|brief(?:er|ly)?|less words|fewer words)\b")
_KINDER = _says(r"^(?=.{0,60}$).*\b(?:polite(?:ly|r)?|friendl(?:y|ier)|kind(?:er|ly)|nice(?:r|ly)?)\b")
_NEW_WORDS = _says(r"^(?:(?:better|rather|instead)\b,? ?)?(?:(?:say|write|post|make it|put)\b(?: that\b)?)?[:,]?\s*")
_NO_PART_OF_IT = re.compile(r",? (?:instead|please)\W*$", re.IGNORECASE)
_FIRST_PART = re.compile(r"(?<=[.!?])\s+|\s*[,;:(–]\s+|\s+(?:because|so that|and|but|since)\s+", re.IGNORECASE)


def redirected(scene: Scene) -> Act | None:
    """Return the act after the person stopped a call and wrote on; None if no call was stopped."""
    tool = next((each.tool for each in scene.stopped if each.tool in scene.tools.intersection(REDIRECTED)), "")
    if not tool or not scene.written:
        return None
    if _LEAVES.search(scene.written):
        return Act(replies.LEFT)
    said = replace(scene, written=_NO.sub("", scene.written))
    ordered = wanted(said)
    if ordered and ordered.calls:
        return ordered
    return REDIRECTED[tool](said, [each.given for each in scene.stopped if each.tool == tool])


def _posts_otherwise(scene: Scene, stopped: Sequence[Mapping[str, Any]]) -> Act | None:
    words, channels, text = scene.written, [str(given["channel"]) for given in stopped], str(stopped[0]["text"])
    if found := _ELSEWHERE_INSTEAD.search(words):
        return _post([found["channel"]], _text(found["text"] or text))
    if _SHORTER.search(words):
        short = _shortened(text)
        return _post(channels, short) if short != text else Act(replies.as_short_as_can_be(text))
    if _KINDER.search(words):
        return _post(channels, f"Hello everybody. {text.rstrip(' .')}. Thank you!")
    return None if _asks(words) else _post(channels, _text(_NO_PART_OF_IT.sub("", _NEW_WORDS.sub("", words))))


def _files_otherwise(scene: Scene, stopped: Sequence[Mapping[str, Any]]) -> Act | None:
    given, kind, name = stopped[0], format_in(scene.written), name_in(scene.written)
    if _asks(scene.written) and not (kind or name):
        return None
    items = items_in(given) if kind or name else items_of(scene.written)
    changed = file_of(items, kind or str(given["format"]), name or str(given["name"]))
    return Act(calls=[ToolCall(FILE, changed)])


REDIRECTED: Mapping[str, Callable[[Scene, Sequence[Mapping[str, Any]]], Act | None]] = {
    POST: _posts_otherwise,
    FILE: _files_otherwise,
}
"""Acts that are tried instead of stopped calls."""


def _asks(words: str) -> bool:
    return words.rstrip().endswith("?")


def _shortened(text: str) -> str:
    """Return the first part of a text; half of its words if it has but one part."""
    first = _FIRST_PART.split(text.strip(), maxsplit=1)[0]
    words = first.split()
    half = " ".join(words[: (len(words) + 1) // 2])
    return first if first != text else half


# --- what came of it ---


def came(scene: Scene) -> Act | None:
    """Describe the results of the calls outside of the thread; None if there were none."""
    told = [_told(outcome) for outcome in scene.outcomes if outcome.tool in CAME]
    return Act(replies.together(told, scene.standing.runs)) if told else None


def _told(came: Outcome) -> replies.Told:
    channel = str(came.given.get("channel", ""))
    if _FORBIDDEN.match(came.told):
        return replies.not_allowed(channel, _content(came))
    if came.is_error and _INVITE in came.told:
        return replies.not_there(channel)
    return replies.not_done(came.told) if came.is_error else CAME[came.tool](json.loads(came.told))


def messages_in(told: Mapping[str, Any]) -> list[replies.Said]:
    """Return the authors and texts of the messages of a channel that was read, oldest first."""
    return [(each["from"], each["text"]) for each in told["messages"] if not isinstance(each, str)]


def _read(told: Mapping[str, Any]) -> replies.Told:
    left_out = next((line for line in told["messages"] if isinstance(line, str)), "")
    return replies.channel_read(told, messages_in(told), left_out)


CAME: Mapping[str, Callable[[Mapping[str, Any]], replies.Told]] = {
    POST: replies.posted,
    FILE: replies.filed,
    SEARCH: replies.found,
    WEB: replies.nothing_on_web,
    READ: _read,
    TIME: replies.time_there,
    OPEN_TICKET: replies.board_said,
    LIST_TICKETS: replies.board_said,
}
"""Descriptions of successful calls, by tool."""


def _content(came: Outcome) -> str:
    """Return the content that the call would have sent."""
    if came.tool == FILE:
        return "\n".join(f"- {item}" for item in items_in(came.given))
    return str(came.given.get("text", ""))


def _post(channels: Sequence[str], text: str) -> Act:
    return Act(calls=[ToolCall(POST, {"channel": channel, "text": text}) for channel in channels])


def _text(words: str) -> str:
    """Return the text to post, without its quotation marks; empty if the words only point at another message."""
    text = words.strip().strip('"“”').strip()
    return "" if _NO_TEXT.fullmatch(text) else f"{text[:1].upper()}{text[1:]}"[:_LONGEST_POST]


@cache
def _zone(place: str) -> str:
    """Return the IANA name of the zone of a place; the place itself if its zone is unknown."""
    said = place.strip().replace(" ", "_").casefold()
    named = (
        zone for zone in sorted(available_timezones()) if said in (zone.casefold(), zone.casefold().rpartition("/")[2])
    )
    return next(named, place.strip()[:60])


_FILE_NAME = "From our conversation"
_LONGEST_NAME = 80
_HEADER = ("No.", "What")
_SPLIT = re.compile(r"\s*[,;\n]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_FORMAT = re.compile(r"\b(csv|json|markdown)\b", re.IGNORECASE)
_CALLED = re.compile(
    r"\b(?:called|named) [\"“]?(?P<name>[^:\"”]+?)[\"”]?(?= (?:of|from|with)\b|:|[.!?]?$)", re.IGNORECASE
)


def format_in(words: str) -> str | None:
    """Return the format that words name, as `create_file` calls it; None if they name none."""
    found = _FORMAT.search(words)
    return found[1].lower() if found else None


def name_in(words: str) -> str | None:
    """Return the name for a file; None if the words contain none."""
    found = _CALLED.search(words)
    return shortened(found["name"], _LONGEST_NAME) if found else None


def items_of(words: str) -> list[str]:
    """Return the items of a list, one or more."""
    listed = (item.strip(' -•*."“”') for item in _SPLIT.split(words))
    return [item for item in listed if item]


def file_of(items: Sequence[str], kind: str | None, name: str | None) -> Mapping[str, Any]:
    """Return the input of `create_file` for a file of these items."""
    given: dict[str, Any] = {"name": name or _FILE_NAME, "format": kind or "markdown"}
    match kind:
        case "csv":
            return given | {"rows": [list(_HEADER), *([n, item] for n, item in enumerate(items, 1))]}
        case "json":
            return given | {"content": json.dumps(list(items), ensure_ascii=False)}
        case _:
            return given | {"content": "\n".join(f"- {item}" for item in items)}


def items_in(given: Mapping[str, Any]) -> list[str]:
    """Return the items of a file that this model made."""
    match given["format"]:
        case "csv":
            return [str(row[1]) for row in given["rows"][1:]]
        case "json":
            return list(json.loads(given["content"]))
        case _:
            return [line.removeprefix("- ") for line in str(given["content"]).splitlines()]
