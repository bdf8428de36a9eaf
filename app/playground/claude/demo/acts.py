"""Acts of the scripted demo model: in conversation, for a given time, and in the runs of a schedule."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo import external, making, replies
from app.playground.claude.demo.making import FEEL, FINISH, GOAL, PROPOSE, RECORD, START
from app.playground.claude.demo.request import named_in, options_in, parts_of, shortened
from app.playground.claude.demo.scene import ASK, Act, Acts, Scene

CONTINUE, COMPLETE = "continue_work", "complete_work"
WHICH = "Which of these shall I follow up?"
_MOST_TOPICS = 4
_LONGEST_TOPIC = 70  # characters

_COUNTS: Mapping[str, int] = {"two": 2, "three": 3, "four": 4, "five": 5}
_COUNT = re.compile(rf"\bcount to (?P<last>[2-5]|{'|'.join(_COUNTS)})\b", re.IGNORECASE)


def begun(scene: Scene) -> Act | None:
    """Begin a run, or go on with the answer to its question; None if this is no run."""
    if scene.was_asked(WHICH):
        said = replies.followed(scene.heard.words)
        can_end = scene.standing.runs and COMPLETE in scene.tools
        return Act(said, [_complete(state_update={"follow_up": scene.heard.words})] if can_end else [])
    if not scene.standing.is_run:
        return None
    return _counts(scene) or external.wanted(scene) or Act(replies.run(scene.heard))


def digested(scene: Scene) -> Act | None:
    """Tell what is new in a channel that was read in a run."""
    came = scene.came_of(external.READ)
    if came is None or came.is_error or not scene.standing.runs or COMPLETE not in scene.tools:
        return None
    told: Mapping[str, Any] = json.loads(came.told)
    said = external.messages_in(told)
    if not said:
        return Act(calls=[_complete(silent=True)])
    shown = (shortened(words, _LONGEST_TOPIC) for _, words in said)
    topics = list(dict.fromkeys(filter(None, shown)))[-_MOST_TOPICS:]
    if len(topics) > 1 and ASK in scene.tools:
        asked = {"type": "choice", "prompt": WHICH, "options": topics, "allow_something_else": True}
        return Act(replies.digest(told, said), [ToolCall(ASK, asked)])
    return Act(replies.digest(told, said), [_complete()])


def _counts(scene: Scene) -> Act | None:
    """Count one further in each run, as an example of data that one run leaves to the next."""
    found = _COUNT.search(scene.written)
    if found is None or not scene.tools.issuperset((CONTINUE, COMPLETE)):
        return None
    last = _COUNTS.get(found["last"].lower()) or int(found["last"])
    count = int(scene.standing.data.get("count", 0)) + 1
    if count < last:
        left = {"state_update": {"count": count}, "next_step": f"Say {count + 1}"}
        return Act(replies.counted(count, last), [ToolCall(CONTINUE, left)])
    return Act(replies.counted(count, last), [_complete(state_update={"count": None})])


def _complete(**given: Any) -> ToolCall:
    return ToolCall(COMPLETE, given)


_ORDER = re.compile(
    r"\b(?:remind|tell|ask|say|check|look|write|post|send|ping|give|show|list|summari[sz]e|count|collect|draft|think"
    r"|search|read(?= #))\b",
    re.IGNORECASE,
)
_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_EVERY: Mapping[str, str] = {
    **{day: str(number) for number, day in enumerate(_DAYS)},
    **dict.fromkeys(("day", "morning", "evening"), "*"),
    "weekday": "1-5",
}
_HOURS: Mapping[str, int] = {"morning": 8, "evening": 18, "noon": 12}
_AT_NINE = 9
_HOURS_OF_A_DAY, _MINUTES_OF_AN_HOUR = 24, 60
_AT = r"at (?P<hour>\d{1,2}|noon)(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>am|pm)| o'clock)?\b"
_REGULARLY = re.compile(
    rf"\b(?:(?:every|each) (?P<day>{'|'.join(_EVERY)})|on (?P<days>{'|'.join(_EVERY)})s|daily)\b"
    rf"(?: (?:morning )?{_AT})?",
    re.IGNORECASE,
)
_NUMBERS: Mapping[str, int] = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}
_UNITS: Mapping[str, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_LATER = re.compile(rf"\bin (?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>{'|'.join(_UNITS)})s?\b", re.IGNORECASE)
_ON_DAY = re.compile(
    rf"\b(?P<day>today|tomorrow)(?: (?:morning|afternoon|evening))? {_AT}|(?<=remind (?:me|us) )tomorrow\b",
    re.IGNORECASE,
)
_DAY_LAST = re.compile(r"\b(at (?:noon|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?)) (today|tomorrow)\b", re.IGNORECASE)
_AT_ONCE = re.compile(r"\b(?:(?:right )?now,? )?in the background\b", re.IGNORECASE)
_AROUND = re.compile(r"^(?:please|and|then|can you|could you|[\s,.:;–-])+|(?:please|[\s,.:;–-])+$", re.IGNORECASE)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>20\d\d)-(?P<number>\d\d)-(?P<day>\d\d)\b",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?{_MONTH}(?:,? (?P<year>20\d\d))?\b",
        rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>20\d\d))?",
    )
)


def day_in(words: str, today: date | None) -> date | None:
    """Return the date in a sentence; without a year, the next such date. None if there is no date, or no valid one."""
    found = next((found for pattern in _DATES if (found := pattern.search(words))), None)
    if found is None or (found["year"] is None and today is None):
        return None
    named = found.groupdict()
    month = int(named["number"]) if "number" in named else _MONTHS.index(named["month"].lower()) + 1
    try:
        if named["year"]:
            return date(int(named["year"]), month, int(named["day"]))
        assert today is not None
        day = date(today.year, month, int(named["day"]))
        return day if day >= today else day.replace(year=day.year + 1)
    except ValueError:
        return None


def has_passed(day: date, today: date | None) -> bool:
    """Return whether a day lies before today; an unknown today passes no day."""
    return today is not None and day < today


def order_in(words: str, clock: datetime | None) -> Mapping[str, Any] | None:
    """Return the schedule that a sentence asks for, as input of `schedule_work`; None if it asks for none.

    `clock` is the person's own, to the minute.
    """
    words = _DAY_LAST.sub(r"\2 \1", words)
    for pattern, time in ((_REGULARLY, _regularly), (_LATER, _later), (_ON_DAY, _on_day), (_AT_ONCE, _at_once)):
        found = pattern.search(words)
        when = time(found, clock) if found else None
        if found and when:
            what = _AROUND.sub("", f"{words[: found.start()].rstrip()} {words[found.end() :].lstrip()}")
            if _ORDER.search(what):
                return {**when, "instruction": f"{what[:1].upper()}{what[1:]}"}
    return None


def a_minute_later(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schedule a minute later: a clock without seconds may have shown a minute that was almost over."""
    return {**given, "run_at": (datetime.fromisoformat(given["run_at"]) + _UNITS["minute"]).isoformat()}


def _regularly(found: re.Match[str], _clock: datetime | None) -> Mapping[str, str]:
    day = (found["day"] or found["days"] or "day").lower()
    hour = _hour(found, _HOURS.get(day, _AT_NINE))
    return {"kind": "cron", "cron": f"{int(found['minute'] or 0)} {hour} * * {_EVERY[day]}"}


def _hour(found: re.Match[str], unsaid: int) -> int:
    said, half = (found["hour"] or "").lower(), (found["half"] or "").lower()
    hour = int(said) if said.isdecimal() else _HOURS.get(said, unsaid)
    return hour % 12 + 12 * (half == "pm") if half else hour


def _on_day(found: re.Match[str], clock: datetime | None) -> Mapping[str, str] | None:
    """Return the moment of today or tomorrow; of today's hours without am and pm, the one to come."""
    hour, minute = _hour(found, _AT_NINE), int(found["minute"] or 0)
    if clock is None or hour >= _HOURS_OF_A_DAY or minute >= _MINUTES_OF_AN_HOUR:
        return None
    days = timedelta(days=(found["day"] or "tomorrow").lower() == "tomorrow")
    at = clock.replace(hour=hour, minute=minute) + days
    if at <= clock and not found["half"]:
        at += timedelta(hours=12)
    return {"kind": "scheduled", "run_at": at.isoformat()} if clock < at else None


def _later(found: re.Match[str], clock: datetime | None) -> Mapping[str, str] | None:
    if clock is None:
        return None
    count = found["count"].lower()
    after = _UNITS[found["unit"].lower()] * (_NUMBERS.get(count) or int(count))
    return {"kind": "scheduled", "run_at": (clock + after).isoformat()}


def _at_once(_found: re.Match[str], _clock: datetime | None) -> Mapping[str, str] | None:
    return {"kind": "immediate"}


SCHEDULE, CANCEL, RESOLVE = "schedule_work", "cancel_schedule", "resolve_question"
OFFER = "offer_decision"
_TO_DECIDE = re.compile(
    r"\b(?:we|i)(?:'ve got| have| need|'ll have) to decide\b"
    r"(?P<what> (?:where|how|whether|which|what|who|when)\b[^.?!]*)?"
    r"|\b(?:guided|make a) decision\b",
    re.IGNORECASE,
)
_LONGEST_QUESTION = 200  # characters
LEAN = "Which way do you lean today?"
BETWEEN = "Between what do you choose? Name the options, with commas."
_HELP_CHOOSE = re.compile(r"\bhelp (me|us) (to )?(choose|decide|pick)\b|\b(can't|cannot) decide\b", re.IGNORECASE)
_CALL_OFF = re.compile(r"\b(stop|cancel|no more|don't|do not|never again|enough of)\b", re.IGNORECASE)
_HOLDS = re.compile(r"\b(?:pause|unpause|resume)\b", re.IGNORECASE)
_ASKS_WHEN = re.compile(r"^\W*(?:and )?when\b.*\b(?:next|run|again)\b|\bnext (?:run|time)\b.*\?", re.IGNORECASE)
_ANOTHER_TIME = re.compile(
    r"^\W*(?:please |can you |could you |and |no,? )*(?:make (?:it|that)|change (?:it|that|the time)|move (?:it|that)"
    r"|reschedule(?: it)?|do it|rather|better)\b.*(?:\d|\bnoon\b|\bday\b|day\b|\bearlier\b|\blater\b)",
    re.IGNORECASE,
)
_HOLDING = "Only you can do that, on the card above: *Pause* holds it, and *Resume* lets it go on."
_WHICH_TIME = (
    "Gladly. Say it with its days, such as *make it every weekday at 10*, and I change the plan.\n\n"
    "**When shall it be?**"
)
_PAST = "in the past"


def act(scene: Scene) -> Act | None:
    """Return the act for a request; None if a reply is enough."""
    rows = FOLLOWING if scene.outcomes else BEGINNING
    acts = (acts(scene) for needed, acts in rows if scene.tools.issuperset(needed))
    return next((found for found in acts if found), None)


# --- the beginning of a turn ---


def _plans(scene: Scene) -> Act | None:
    order = order_in(scene.heard.words, scene.standing.clock)
    return Act(calls=[ToolCall(SCHEDULE, order)]) if order else None


def _about_plan(scene: Scene) -> Act | None:
    """Give the plan another time, or say what is known of it and what only its owner can do with it."""
    plan, words = scene.standing.plan, scene.heard.words
    if not plan or scene.standing.runs:
        return None
    if _HOLDS.search(words):
        return Act(_HOLDING)
    if _ASKS_WHEN.search(words):
        return Act(replies.planned(plan))
    if not _ANOTHER_TIME.search(words):
        return None
    found = _REGULARLY.search(words)
    if found is None:
        return Act(_WHICH_TIME)
    return Act(calls=[ToolCall(SCHEDULE, {**_regularly(found, None), "instruction": plan.partition(". ")[2]})])


def _calls_off(scene: Scene) -> Act | None:
    wanted = scene.standing.plan and _CALL_OFF.search(scene.heard.words)
    return Act(calls=[ToolCall(CANCEL)]) if wanted else None


def _understands(scene: Scene) -> Act | None:
    if not scene.standing.is_open:
        return None
    meant = making.read_answer(scene) or named_in(scene.heard.words, scene.standing.answers)
    if meant:
        return Act(calls=[ToolCall(RESOLVE, {"value": meant})])
    said = scene.heard
    return Act(replies.thanks(said, made=True) if making.is_thanks(said.words) else replies.aside(said))


def _leans(scene: Scene) -> Act | None:
    return Act(replies.leaning(scene.heard)) if scene.was_asked(LEAN) else None


def _names_options(scene: Scene) -> Act | None:
    return _choice(scene, parts_of(scene.heard.words)) if scene.was_asked(BETWEEN) else None


def _chooses(scene: Scene) -> Act | None:
    return _choice(scene, options_in(scene.heard.words))


def _asks_between(scene: Scene) -> Act | None:
    if not _HELP_CHOOSE.search(scene.heard.words):
        return None
    return Act(replies.WILLING, [ToolCall(ASK, {"type": "input", "prompt": BETWEEN})])


def _offers(scene: Scene) -> Act | None:
    """Offer a guided decision about what has to be decided, in the words of the person."""
    found = _TO_DECIDE.search(scene.heard.words)
    if found is None:
        return None
    what = (found["what"] or "").strip()
    question = f"{what[:1].upper()}{what[1:]}?" if what else scene.heard.words
    return Act(calls=[ToolCall(OFFER, {"question": shortened(question, _LONGEST_QUESTION)})])


BEGINNING: Sequence[tuple[Sequence[str], Acts]] = (
    ((), begun),
    ((), external.redirected),
    ((), making.lets_go),
    ((SCHEDULE,), _plans),
    ((), external.wanted),
    ((SCHEDULE,), _about_plan),
    ((CANCEL,), _calls_off),
    ((RESOLVE,), _understands),
    ((START, FINISH, FEEL), making.begins),
    ((RECORD, PROPOSE, ASK), making.informs),
    ((), _leans),
    ((OFFER,), _offers),
    ((ASK,), _names_options),
    ((PROPOSE, ASK), making.changes),
    ((GOAL, ASK), making.wishes),
    ((ASK,), _chooses),
    ((ASK,), _asks_between),
    ((FEEL,), making.is_pleased),
)

# --- after the calls of a turn ---


def _planned(scene: Scene) -> Act | None:
    came = scene.came_of(SCHEDULE)
    if came is None:
        return None
    if not came.is_error:
        return Act(replies.scheduled(came.told))
    if "run_at" in came.given and _PAST in came.told:
        return Act(calls=[ToolCall(SCHEDULE, a_minute_later(came.given))])
    return Act(replies.not_scheduled(came.told))


def _called_off(scene: Scene) -> Act | None:
    return Act(replies.CALLED_OFF) if scene.came_of(CANCEL) else None


def _understood(scene: Scene) -> Act | None:
    came = scene.came_of(RESOLVE)
    if came is None:
        return None
    if came.is_error:
        return Act(replies.aside(scene.heard))
    return making.answered(scene) or Act(replies.understood(came.told))


def _offered(scene: Scene) -> Act | None:
    return Act(replies.OFFERED) if scene.came_of(OFFER) else None


FOLLOWING: Sequence[tuple[Sequence[str], Acts]] = (
    ((), digested),
    ((), external.came),
    ((), _planned),
    ((), _called_off),
    ((), _offered),
    ((), _understood),
    ((), making.worked),
    ((), making.felt),
)


def _choice(scene: Scene, options: Sequence[str]) -> Act | None:
    """Lay the options out and let the person lean towards one; None if these are no options."""
    if not options:
        return None
    offered = replies.with_status_quo(options)
    asked = {"type": "choice", "prompt": LEAN, "options": list(offered), "allow_something_else": True}
    return Act(replies.laid_out(scene.heard, offered), [ToolCall(ASK, asked)])
