"""Ratings in people's words, for the scripted demo model.

It takes what it is sure of. A piece of text with another number, a comparison of two options, a negation or a question
is left, to be told to the person. Pure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.step.calls import TEXT, Taken
from app.playground.claude.demo.step.scene import StepScene
from app.playground.claude.demo.step.words import (
    ALL,
    REST,
    is_chat,
    is_meant_for_us,
    is_short_remark,
    is_unknown,
    reason_in,
)

RATE = "rate"

_STEPS: Sequence[tuple[int, str]] = (
    (2, r"(?:(?:very )?much|far|a lot|lots|way|significantly|considerably|hugely|clearly) bett?er|plus two|\+\+"),
    (-2, r"(?:(?:very )?much|far|a lot|lots|way|significantly|considerably|hugely|clearly) worse?|minus two|--"),
    (1, r"(?:(?:a (?:bit|little)|slightly|somewhat|rather) )?bett?er|plus one"),
    (-1, r"(?:(?:a (?:bit|little)|slightly|somewhat|rather) )?worse?|minus one"),
    (
        0,
        r"(?:(?:about|roughly|exactly|just|more or less) )?(?:the )?(?:same|equal)(?: as (?:today|now|before))?"
        r"|no (?:real |big )?(?:difference|change)|unchanged|neutral|zero",
    ),
)
_SAID = "|".join(f"(?:{pattern})" for _, pattern in _STEPS)
_ENDS = r"(?=\s*(?:$|[,;:.()!&–-]|[AO]\d|because\b|since\b|as\b|for\b|on\b|and\b|but\b|to\b|or\b|while\b))"
_RATING = re.compile(
    rf"(?<![\w.+\-−–])(?:(?P<number>[+\-−–]?\s?[0-2])(?![.,]?\d|\w){_ENDS}|(?P<words>{_SAID})(?!\w))", re.I
)
_UNNAMED = re.sub(r"\?P<\w+>", "?:", _RATING.pattern)
_ANOTHER = re.compile(rf"^\s*(?:to|or|and|/|–|-|\.\.)\s*(?:[+\-−–]?[0-2]\b|{_SAID})", re.IGNORECASE)
_LINKED = re.compile(r"\b(?:than|as|for|on|to|like|of|with|and|or|if|because|since|over|beside)\s*$", re.IGNORECASE)
"""A word after which the name of an option belongs to what stands before it."""
_MORE = re.compile(
    r"^\s*(?:(?:except|but not|apart from|other than|besides?)\b"
    rf"|,\s*(?!(?:{_SAID}|it|they|this|that|we|i)\b)\w+(?: \w+)?:? (?:{_SAID})\W*$)",
    re.IGNORECASE,
)
"""Words after a rating that take some of it back, or rate something without a name that is known."""
_DOUBTED = re.compile(
    r"^(?:\s*\((?:without an amount\)|(?!(?:low|medium|high) doubt)[^()]*\)"
    r"(?=\s*(?:\((?:low|medium|high) doubt\)|–\s*because))))?"
    r"(?:\s*\((?P<doubt>low|medium|high) doubt\))?",
    re.IGNORECASE,
)
"""The amount and how sure somebody is, as the form for ratings says it. The form has noted the amount."""
_NOT_KNOWN = re.compile(
    r"\b(?:(?:i )?(?:dunno|idk|do(?:n['’]?t| not) know)|no (?:idea|clue)|(?:i(?:['’]?m| am) )?(?:not sure|unsure))\W*$",
    re.I,
)
"""What stands behind the name of an option instead of a rating."""
_OPEN_WHY = re.compile(r"\s*(?:\((?:low|medium|high) doubt\))?\s*(?:[–,-]?\s*because\b.*)?$", re.IGNORECASE | re.DOTALL)
"""What may follow on "I don't know"."""
_SENT = r"(?P<open>don't know)|(?P<step>[+−]?[0-2])|rating taken out"
"""What the window for ratings says of an option."""
_SIGNED = re.compile(r"(?<![\w.])[+\-−–]\s?[0-2](?![.,]?\d|\w)")
_FILLER = re.compile(
    r"\W*(?:(?:and|but|so|then|also|it|it's|its|this|that|they|is|are|be|would|will|get|gets|has|have|looks?|seems?"
    r"|feels?|works?|do|does|performs?|scores?|i|i'd|we|we'd|i'm|say|think|guess|believe|give|call|rate|put|make|maybe"
    r"|perhaps|probably|surely|certainly|definitely|actually|really|honestly|only|just|still|even|rather|quite|about"
    r"|around|roughly|the|a|an|bit|little|slightly|somewhat|clearly|here|there|now|yes|well|ok|okay|in|on|at|for|with|to"
    r"|of|far|much|very|options?|one|objective|rating)\W+)*",
    re.IGNORECASE,
)
"""Words before a rating that name nothing."""
_TURNED = re.compile(r"(?:\b(?:not|no|hardly|never|neither|if|would be|unless|nor|between)|n't)(?: \w+)?\s*$", re.I)
_OTHERWISE = re.compile(r"^\s*than (?!(?:today|now|before|the status quo|the baseline|it is|what we have)\b)", re.I)
_THAN_TODAY = re.compile(r"^\s*than (?:today|now|before|the status quo|the baseline|it is|what we have)\b", re.I)
_LINES = re.compile(r"\n|;|(?<=[^\W\d])[.!]\s+|(?<=\d)[.!]\s+(?=[A-Z])")
_COMMA = re.compile(r"(\s*,\s*(?:(?:and|but)\s+)?)")
_CELL = re.compile(r"(?<!\S)(?:[+\-−–]?[0-2]|\?)(?!\S)")
"""A rating in a table that was pasted."""
_CORNER = re.compile(r"^\W*(?:options?|alternatives?|objectives?|goals?)?\W*$", re.IGNORECASE)
"""What may stand in a row of names beside them."""
_EXAMPLE = re.compile(r"“[^”]*”")
"""What a question shows as a way to answer it."""
_MINUS = str.maketrans("−–", "--")
_MISSING = re.compile(r"^ratings on (O\d{1,3}\b.*):([^:]*)$")
_WHY = re.compile(r"What makes (A\d{1,3})\b.* much (better|worse) than the status quo on (O\d{1,3})\b")

_SAME_REASON = re.compile(r"^\W*(?:the )?same(?: here| reason| again| as (?:above|before))?\W*$", re.IGNORECASE)

ASK_WHY = "What makes {option} much {way} than the status quo on {objective}? A few words are enough."
"""Question for the reason of a rating at an end of the scale."""


@dataclass
class _Line:
    """What has been named so far in a line of ratings."""

    objective: str
    options: list[str] = field(default_factory=list[str])
    is_rated: bool = False
    """True once they have a rating: the next names begin anew."""


def drop_sent(scene: StepScene) -> str:
    """Return the words without what the window for ratings sent: that stands already, as it was chosen."""
    return "\n".join(line for line in scene.words.split("\n") if not _is_sent(scene, line))


def _is_sent(scene: StepScene, line: str) -> bool:
    labels = {f"{handle} {name}": handle for handle, name in scene.names.items()}
    column = next((each for each in labels if line.startswith(f"{each}: ")), "")
    known = "|".join(re.escape(label) for label, handle in labels.items() if handle.startswith("A"))
    entries = re.split(rf"; (?=(?:{known}) )", line.removeprefix(f"{column}: ")) if column and known else []
    found = [re.match(rf"(?P<option>{known}) (?:{_SENT})(?![\w.])", each) for each in entries]
    return bool(found) and all(
        each is not None and _stands(scene, (labels[each["option"]], labels[column]), each) for each in found
    )


def _stands(scene: StepScene, at: tuple[str, str], sent: re.Match[str]) -> bool:
    if not (sent["open"] or sent["step"]):
        return True
    return at in scene.chosen and scene.chosen[at] == (int(sent["step"].translate(_MINUS)) if sent["step"] else None)


def rated(scene: StepScene) -> Taken:
    """Return ratings: "A2 +1 because it is cheaper, A3 much worse". Else the words are the reason asked for."""
    found, left = dict[tuple[str, str], Mapping[str, Any]](), list[str]()
    now = _Line(_asked_objective(scene))
    for line in filter(str.strip, _LINES.split("\n".join(_rows_as_lines(scene)))):
        now.options, now.is_rated = [], False
        for piece in _pieces(scene, line):
            _read(scene, piece, now, found, left)
    why = _WHY.search(scene.question)
    if why and _SAME_REASON.match(scene.words):  # no rating, and which reason is meant is not certain
        return Taken(left=[scene.words])
    is_reason = is_unknown(scene.words) or not (is_short_remark(scene.words) or is_meant_for_us(scene.words))
    is_reason = is_reason and not (why and _is_of_another(scene, why[1]))
    if why and is_reason and (not found or is_unknown(scene.words)):
        option, way, objective = why.groups()
        reason = " ".join(scene.words.split())
        reasoned = _rating(option, 2 if way == "better" else -2, reason_in(reason) or reason)
        return Taken([ToolCall(RATE, {"objective": objective, "ratings": [reasoned]})])
    rows = dict[str, list[Mapping[str, Any]]]()
    for (objective, _), each in found.items():
        rows.setdefault(objective, []).append(each)
    return Taken([ToolCall(RATE, {"objective": on, "ratings": row}) for on, row in rows.items()], left)


def _is_of_another(scene: StepScene, asked: str) -> bool:
    """Return True if the words begin with another option than the one that was asked about."""
    begun = re.sub(r"^\W*(?:(?:and|but|the)\s+)*", "", scene.words, flags=re.IGNORECASE)
    others = [name for each in _options(scene) if each != asked for name in (each, scene.names[each]) if name]
    starts = (re.escape(re.sub(r"^the\s+", "", name, flags=re.IGNORECASE)) for name in others)
    return any(re.match(rf"{start}(?!\w)", begun, re.IGNORECASE) for start in starts)


def reasons_lacking(scene: StepScene) -> Iterator[str]:
    """Yield the questions for the reasons of ratings at an end of the scale."""
    given = (each for each in scene.outcomes if each.tool == RATE and not each.is_error)
    for objective, each in ((call.given["objective"], each) for call in given for each in call.given["ratings"]):
        if abs(each["rating"]) > 1 and not each.get("reason"):
            yield _why(scene, each["option"], objective, each["rating"])
    for need in scene.needs:
        if re.search(r"\breason\b", need.partition(": ")[0]):
            for place in re.findall(r"(A\d{1,3}) on (O\d{1,3})\b", need):
                yield _why(scene, place[0], place[1], scene.given.get(place, 2))


def _why(scene: StepScene, option: str, objective: str, rating: int) -> str:
    option, objective = (f"{each} {scene.names.get(each, '')}".strip() for each in (option, objective))
    return ASK_WHY.format(option=option, objective=objective, way="better" if rating > 0 else "worse")


def options_missing(scene: StepScene, objective: str) -> list[str]:
    """Return the options without a rating on an objective; all that can be rated if nothing tells which."""
    unrated = (found for need in scene.needs if (found := _MISSING.match(need)))
    missing = (found for found in unrated if objective in re.findall(r"\bO\d{1,3}\b", found[1]))
    return next((re.findall(r"A\d{1,3}", found[2]) for found in missing), _options(scene))


def examples(scene: StepScene) -> tuple[str, str, str]:
    """Return two options that can be rated, and an objective, to show how a rating is written."""
    objectives = [each for each in scene.names if each.startswith("O")]
    options = _options(scene) or ["A2", "A3"]
    return options[0], options[-1], (objectives or ["O1"])[0]


def _options(scene: StepScene) -> list[str]:
    return [each for each in scene.names if each.startswith("A") and each != scene.baseline]


def _asked_objective(scene: StepScene) -> str:
    asked = re.findall(r"\bO\d{1,3}\b", scene.question) or re.findall(r"\bO\d{1,3}\b", scene.asked)
    return asked[-1] if asked else next((found[1] for need in scene.needs if (found := _MISSING.match(need))), "")


def _rows_as_lines(scene: StepScene) -> Iterator[str]:
    """Yield the lines of people's words, and each row of a table below a row of names as one line for each rating."""
    names = sorted(((name, handle) for handle, name in scene.names.items() if name), key=lambda each: -len(each[0]))
    known = re.compile("|".join([r"\b[AO]\d{1,3}\b", *(rf"(?<!\w){re.escape(name)}(?!\w)" for name, _ in names)]), re.I)
    handles, heads = {name.casefold(): handle for name, handle in names}, list[str]()
    for line in scene.words.split("\n"):
        named = list(dict.fromkeys(handles.get(each[0].casefold(), each[0].upper()) for each in known.finditer(line)))
        rest = known.sub(" ", line)
        ratings, is_bare = _CELL.findall(rest), re.search(r"\w", _CELL.sub(" ", rest)) is None
        if len(named) > 1 and _CORNER.match(rest):
            heads = named
        elif is_bare and len(named) == 1 and heads and len(ratings) == len(heads) and named[0][0] != heads[0][0]:
            for head, step in zip(heads, ratings, strict=True):
                option, objective = sorted((head, named[0]))
                yield f"{option} {'not sure' if step == '?' else step} on {objective}"
        elif not heads or re.search(r"\w", line):  # a line between the names and the ratings is drawn with signs
            yield line


def _pieces(scene: StepScene, line: str) -> list[str]:
    """Divide a line before each new option, and before a rating that names its option after it."""
    known = "|".join([r"[AO]\d{1,3}\b", ALL, REST, *(rf"{re.escape(name)}\b" for name in scene.names.values() if name)])
    starts = rf"(?:(?:on|for)\s+)?(?:the\s+)?(?:{known})|(?:{_UNNAMED})|(?:not sure|no idea|unsure)\s+(?:about|for|on)"
    parts = re.split(rf"\s*(?:,\s*(?:and\s+|but\s+)?|\b(?:and|but|while)\s+)(?={starts})", line, flags=re.IGNORECASE)
    pieces = (each for part in parts for row in _rows(scene, part) for each in _named_in_part(scene, row))
    return [each for each in pieces if re.search(r"\w|[+-]", each)]


def _named_in_part(scene: StepScene, row: str) -> Iterator[str]:
    """Divide "two shifts: same, the tent: worse" before parts of names, and write the handles there."""
    held, places = "", _COMMA.split(row)
    for comma, place in zip(["", *places[1::2]], places[::2], strict=True):
        if (told := _with_handle(scene, place)) is None:
            held += comma + place
        else:
            yield held
            held = told
    yield held


def _with_handle(scene: StepScene, place: str) -> str | None:
    """Return words with the handle of the one option of whose name a part stands before the rating; None without.

    The part stands there alone: in "the tent has better chairs" it names nothing.
    """
    said = _RATING.search(place) or _NOT_KNOWN.search(place)
    words = place[: said.start()].split() if said else []
    while words and _FILLER.fullmatch(f"{words[0]} "):
        del words[0]
    while words and _FILLER.fullmatch(f"{words[-1]} "):
        del words[-1]
    part = " ".join(words).rstrip(":")
    is_part = part and not re.search(rf"{ALL}|{REST}", part, re.IGNORECASE)
    meant = [each for each in _options(scene) if is_part and _names(part, scene.names[each])]
    is_whole = any(part.casefold() == scene.names[each].casefold() for each in meant)
    return f"{meant[0]} {place[said.start() :]}" if said and len(meant) == 1 and not is_whole else None


def _rows(scene: StepScene, part: str) -> Iterator[str]:
    """Divide "A1 +1 A2 worse" before each option that follows a rating and has one itself."""
    names = (re.escape(name) for handle, name in scene.names.items() if name and handle.startswith("A"))
    known, start = "|".join([r"A\d{1,3}", *names]), 0
    for option in re.finditer(rf"(?<!\w)(?:{known})(?!\w)", part, re.IGNORECASE):
        before = part[start : option.start()]
        if _RATING.search(before) and not _LINKED.search(before) and _RATING.search(part, option.end()):
            yield before
            start = option.start()
    yield part[start:]


def _read(
    scene: StepScene,
    piece: str,
    now: _Line,
    found: dict[tuple[str, str], Mapping[str, Any]],
    left: list[str],
) -> None:
    """Take the ratings of one piece. Its options and its objective go on to the next pieces of the line."""
    said = None if piece.rstrip().endswith("?") else _RATING.search(piece)
    head, tail = (piece[: said.start()], piece[said.end() :]) if said else (piece, "")
    after = re.match(r"\s*(?:(?:for|to|with|on)\b[^,;:(.]*?(?=$|[,;:(.]|\bbecause\b|\bsince\b|\bas\b))+", tail, re.I)
    named = f"{head} {after[0]}" if after and re.search(r"\b[AO]\d|\ball\b|\bboth\b", after[0], re.I) else head
    tail = tail[after.end() :] if after and named != head else tail
    objectives = _objectives_in(scene, named)
    now.objective = objectives[-1] if objectives else now.objective
    told = _options_in(scene, named, now, found)
    now.options = [*(() if now.is_rated else now.options), *told] if told else now.options
    now.is_rated = (now.is_rated and not told) or said is not None
    rest = _strip_names(scene, piece)
    is_open = said is None and is_unknown(_OPEN_WHY.sub("", rest))
    if said is None and is_chat(rest) and not is_open:
        if told and re.search(r"\w", rest):  # "A1 is great" is no rating, and none for what follows
            left.append(piece.strip())
            now.options = []
        return
    is_odd = said is not None and (
        _TURNED.search(head)
        or any(each.match(tail) for each in (_ANOTHER, _OTHERWISE, _MORE))
        or _SIGNED.search(tail)
        or not _FILLER.fullmatch(f"{_before(scene, said, whole=not told)} ")
    )
    options = now.options or _alone(scene, now.objective, all_=is_open)
    is_known = not scene.names or {now.objective, *options} <= set(scene.names)
    if (said is None and not is_open) or is_odd or not (options and now.objective and is_known):
        left.append(piece.strip())
        now.options = []
        return
    doubted = _DOUBTED.match(tail)
    reason = reason_in(_THAN_TODAY.sub("", tail[doubted.end() :] if doubted else tail))
    doubt = {"doubt": doubted["doubt"].lower()} if doubted and doubted["doubt"] else {}
    for option in options:
        if option != scene.baseline:
            rating = _open(scene, option, piece) if said is None else {**_rating(option, _step(said), reason), **doubt}
            found[now.objective, option] = rating


def _before(scene: StepScene, said: re.Match[str], *, whole: bool) -> str:
    """Return the words before a rating beside names; without `whole` only the one that may say how much it is."""
    words = _strip_names(scene, said.string[: said.start()])
    last = re.search(r"(?:^|\s)([^\W\d]+)$", words) if said["words"] else None
    return words if whole else last[1] if last else ""


def _strip_names(scene: StepScene, piece: str) -> str:
    """Return what a piece says beside the names of options and objectives."""
    names = sorted(filter(None, scene.names.values()), key=len, reverse=True)
    known = "|".join([r"\b[AO]\d{1,3}\b", *(rf"\b{re.escape(name)}(?!\w)" for name in names), ALL, REST])
    bare = re.sub(rf"(?:\b(?:about|for|on|of)\s+)?(?:\bthe\s+)?(?:{known})", " ", piece, flags=re.IGNORECASE)
    return re.sub(r"^[\s,:]*(?:(?:on|and|for|the|is)\b[\s,:]*)*|[\s,:]+$", "", bare)


def _options_in(
    scene: StepScene, words: str, now: _Line, found: Mapping[tuple[str, str], Mapping[str, Any]]
) -> list[str]:
    by_name = [h for h in scene.names if h.startswith("A") and _names(scene.names[h], words)]
    named = list(dict.fromkeys([*(each.upper() for each in re.findall(r"\bA\d{1,3}\b", words, re.I)), *by_name]))
    if not named and re.search(REST, words, re.IGNORECASE):
        rest = options_missing(scene, now.objective)
        return [each for each in rest if (now.objective, each) not in found]
    return named or (_options(scene) if re.search(ALL, words, re.IGNORECASE) else [])


def _objectives_in(scene: StepScene, words: str) -> list[str]:
    named = [each.upper() for each in re.findall(r"\bO\d{1,3}\b", words, re.IGNORECASE)]
    return named or [h for h in scene.names if h.startswith("O") and _names(scene.names[h], words)]


def _names(name: str, words: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words, re.IGNORECASE) is not None


def _alone(scene: StepScene, objective: str, *, all_: bool) -> list[str]:
    """Return the options that are meant if none is named: the one in question, or all for "I don't know"."""
    question = _EXAMPLE.sub("", scene.question)
    asked = [each for each in re.findall(r"\bA\d{1,3}\b", question) if each in _options(scene)]
    missing = options_missing(scene, objective)
    return asked if len(asked) == 1 else (missing if all_ or len(missing) == 1 else [])


def _step(said: re.Match[str]) -> int:
    if said["number"]:
        return int(said["number"].translate(_MINUS).replace(" ", ""))
    return next(step for step, pattern in _STEPS if re.fullmatch(pattern, said["words"], re.IGNORECASE))


def _rating(option: str, rating: int, reason: str) -> Mapping[str, Any]:
    return {"option": option, "rating": rating, **({"reason": reason[:TEXT]} if reason else {})}


def _open(scene: StepScene, option: str, words: str) -> Mapping[str, Any]:
    """Return what stands for "I don't know": the middle of all that is possible, as a high doubt.

    The doubt comes from people's own words; the row of a table gives none.
    """
    said = " ".join(words.split())[:TEXT]
    doubt = {"doubt_from": said} if said in " ".join(scene.words.split()) else {}
    return {"option": option, "rating": 0, "low": -2, "high": 2, "doubt": "high", **doubt}
