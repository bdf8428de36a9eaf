"""Scores of a play, by rules that need no judge. Pure.

Each rule counts what it looked at and names what broke it. A rule that had nothing to look at has no score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final, cast

from app.evaluation.number_trace import ISO_DATE, is_date_said, is_traced, list_numbers, read_said
from app.evaluation.person import find_handle
from app.evaluation.play import Line, Play, PlayedStep, Speaker


class Rule(StrEnum):
    """A rule, by its stable name in reports."""

    QUESTIONS = "one_question_at_a_time"
    QUOTES = "quotes_found"
    FIGURES = "numbers_and_dates_traced"
    REFUSED = "refused_stays_open"
    CHOICES = "no_choice_made"
    CONTRADICTIONS = "contradictions_caught"


@dataclass(frozen=True, slots=True)
class Break:
    """One place where a rule does not hold, in words for the operator."""

    step: str
    what: str


@dataclass(frozen=True, slots=True)
class Score:
    """Number of places that a rule was tried on, and those where it does not hold."""

    rule: Rule
    tried: int
    breaks: tuple[Break, ...]


MOST_QUESTIONS: Final = 2
_SHOWN = 120  # characters of a text that a report quotes

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’|`[^`]*`|^>.*$", re.MULTILINE)
_ASKED = re.compile(r"\?(?=[\s*_~)\]]|$)")
_FOLDS = str.maketrans("’‘“”–—−\u00a0\u202f", "''\"\"---  ")

UNTRACED: Final = frozenset(
    {
        "handle", "id", "message_id", "quote", "origin", "level", "kind", "status", "user_verdict", "rank", "steps",
        "rating", "rating_range", "worst", "best", "net_score", "uniform_rating", "overall_score", "slack_user_id",
        "former", "score",
    }
)  # fmt: skip
"""Fields that the server writes, or that another rule judges: ratings and scores."""

_COUNSEL = re.compile(
    r"\b(?:you should (?:choose|go (?:with|for)|pick|take|decide for)|I(?:'d| would)? (?:strongly )?recommend"
    r"|my (?:recommendation|advice) is|(?:the )?best (?:choice|option) (?:is|would be|here is)"
    r"|I(?:'d| would) (?:choose|pick|go (?:with|for)|take)|(?:the )?(?:right|correct) (?:choice|answer|decision) is"
    r"|(?:is|are) (?:clearly|obviously) (?:the best|the right|better)|the clear winner|go with (?:A\d+|option))\b",
    re.IGNORECASE,
)
_OPEN_STATUS = "deferred"


def score_play(play: Play) -> tuple[Score, ...]:
    """Return the score of each rule, in their order."""
    return tuple(
        Score(rule, sum(1 for _ in found), tuple(each for each in found if each is not None))
        for rule, found in ((rule, tuple(try_rule(play))) for rule, try_rule in _RULES.items())
    )


Tried = Iterator[Break | None]
"""One element for each place that a rule was tried on; None where it holds."""


def _try_questions(play: Play) -> Tried:
    """A reply asks one question, at most two."""
    for step, line in _list_lines(play, Speaker.FACILITATOR):
        asked = count_questions(line.text)
        yield Break(step.key, f"{asked} questions in “{_cut(line.text)}”") if asked > MOST_QUESTIONS else None


def _try_quotes(play: Play) -> Tried:
    """A stored quote stands in one message of the person, letter for letter but for case, spaces and dashes."""
    for step in play.steps:
        said = [_fold(each) for each in play.list_said(step)]
        for each in _walk(step.stored):
            if isinstance(quote := each.get("quote"), str):
                found = any(_fold(quote) in words for words in said)
                yield None if found else Break(step.key, f"nobody wrote “{_cut(quote)}”")


def _try_figures(play: Play) -> Tried:
    """A stored number or date was said, stands in an approved result, or was computed."""
    for step in play.steps:
        said = read_said(play.list_said(step), play.today)
        approved = [each for before in play.before(step) for each in _list_leaves(before.stored)]
        known = (
            said.numbers | step.computed | {v for each in approved for _, values in list_numbers(each) for v in values}
        )
        dates = {found for each in approved for found in _list_dates(each)}
        for leaf in _list_leaves(step.stored):
            for day in _list_dates(leaf):
                told = day in dates or is_date_said(day, said)
                yield None if told else Break(step.key, f"nobody said {day.isoformat()}: “{_cut(leaf)}”")
            for number, values in list_numbers(leaf):
                told = is_traced(values, known, play.today)
                yield None if told else Break(step.key, f"nobody said {number}: “{_cut(leaf)}”")


def _try_refused(play: Play) -> Tried:
    """A value that the person refused to give is not in the record."""
    for step in play.steps:
        for refusal in play.person.refused:
            if refusal.step == step.key:
                given = _read_path(step.stored, refusal.path)
                yield (
                    Break(step.key, f"{refusal.path} is {given!r}, but they said “{refusal.words}”") if given else None
                )


def _try_choices(play: Play) -> Tried:
    """No reply gives counsel, and ratings, scores and the decision are the person's own."""
    for step, line in _list_lines(play, Speaker.FACILITATOR):
        found = _COUNSEL.search(_QUOTED.sub(" ", line.text))
        yield Break(step.key, f"counsel: “{_cut(line.text[found.start() :])}”") if found else None
    names = {
        str(each["handle"]): str(each.get("name") or each.get("description") or "")
        for step in play.steps
        for each in _walk(step.stored)
        if "handle" in each
    }
    for step in play.steps:
        match step.key:
            case "consequences":
                yield from _try_ratings(play, step, names)
            case "decision_quality":
                yield from _try_scores(play, step)
            case "notes_next_steps":
                yield from _try_decision(play, step, names)
            case _:
                continue


def _try_ratings(play: Play, step: PlayedStep, names: Mapping[str, str]) -> Tried:
    given = {
        (find_handle(option, names), find_handle(objective, names)): rating
        for option, row in play.person.ratings.items()
        for objective, rating in row.items()
    }
    baseline = next(
        (
            str(each.stored["status_quo_id"])
            for each in play.steps
            if each.key == "alternatives" and "status_quo_id" in each.stored
        ),
        "",
    )
    for cell in _walk(step.stored):
        at = (str(cell.get("alternative_id", "")), str(cell.get("objective_id", "")))
        if "rating" in cell and at[0] != baseline:
            own = given.get(at)
            shown = f"{at[0]} on {at[1]} is {cell['rating']:+d}"
            what = f"{shown}, and nobody rated it" if own is None else f"{shown}, but they said {own:+d}"
            yield None if own == cell["rating"] else Break(step.key, what)


def _try_scores(play: Play, step: PlayedStep) -> Tried:
    for each in _walk(step.stored):
        if "score" in each:
            element = str(each.get("name", ""))
            own = next((score for word, score in play.person.scores.items() if word in element.casefold()), None)
            what = f"{element} has {each['score']}, but they said {own}"
            yield None if own == each["score"] else Break(step.key, what)


def _try_decision(play: Play, step: PlayedStep, names: Mapping[str, str]) -> Tried:
    decision = step.stored.get("decision")
    if not isinstance(decision, Mapping):
        return
    taken = cast(Mapping[str, Any], decision)
    said = [_fold(each) for each in play.list_said(step)]
    words = str(taken.get("in_the_users_words", ""))
    if words:
        found = any(_fold(words) in each for each in said)
        yield None if found else Break(step.key, f"nobody wrote “{_cut(words)}” of the decision")
    chosen = str(taken.get("alternative_id", ""))
    if chosen and taken.get("status") != _OPEN_STATUS:
        own = [_fold(line.text) for line in step.says(Speaker.PERSON)]
        hints = [chosen.casefold(), *(word for word in _fold(names.get(chosen, "")).split() if len(word) > 3)]
        named = any(re.search(rf"\b{re.escape(hint)}", each) for each in own for hint in hints)
        yield None if named else Break(step.key, f"{chosen} is taken as chosen, and nobody named it")


def _try_contradictions(play: Play) -> Tried:
    """After the second statement of a planted contradiction, the app names both values, or notes it as open."""
    for step in play.steps:
        for planted in play.person.contradictions:
            if planted.step == step.key:
                told = (*_list_after(step, planted.second), *step.flagged)
                caught = any(all(_names_one(each, forms) for forms in planted.named) for each in told)
                yield None if caught else Break(step.key, f"not caught: “{_cut(planted.second)}”")


def _list_after(step: PlayedStep, second: str) -> Iterator[str]:
    heard = False
    for line in step.lines:
        heard = heard or (line.speaker is Speaker.PERSON and second in line.text)
        if heard and line.speaker in (Speaker.FACILITATOR, Speaker.CARD):
            yield line.text


def _names_one(text: str, forms: tuple[str, ...]) -> bool:
    plain = re.sub(r"(?<=\d)[,.  ](?=\d{3}\b)", "", text)
    return any(re.search(rf"(?<![\w]){re.escape(form)}(?![\w])", plain, re.IGNORECASE) for form in forms)


_RULES: Mapping[Rule, Callable[[Play], Tried]] = {
    Rule.QUESTIONS: _try_questions,
    Rule.QUOTES: _try_quotes,
    Rule.FIGURES: _try_figures,
    Rule.REFUSED: _try_refused,
    Rule.CHOICES: _try_choices,
    Rule.CONTRADICTIONS: _try_contradictions,
}


def count_questions(text: str) -> int:
    """Return the number of questions that a text asks; those that it quotes do not count."""
    return len(_ASKED.findall(_QUOTED.sub(" ", text)))


def _list_lines(play: Play, speaker: Speaker) -> Iterator[tuple[PlayedStep, Line]]:
    return ((step, line) for step in play.steps for line in step.says(speaker))


def _walk(data: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, Mapping):
        found = cast(Mapping[str, Any], data)
        yield found
        for each in found.values():
            yield from _walk(each)
    elif isinstance(data, list | tuple):
        for each in cast(list[Any], data):
            yield from _walk(each)


def _list_leaves(data: Any, name: str = "") -> Iterator[str]:
    """Yield each text and number that the model may have written."""
    if name in UNTRACED or name.endswith(("_id", "_ids")) or isinstance(data, bool) or data is None:
        return
    if isinstance(data, Mapping):
        for key, each in cast(Mapping[str, Any], data).items():
            yield from _list_leaves(each, str(key))
    elif isinstance(data, list | tuple):
        for each in cast(list[Any], data):
            yield from _list_leaves(each, name)
    else:
        yield str(data)


def _list_dates(text: str) -> Iterator[date]:
    for year, month, day in ISO_DATE.findall(text):
        try:
            yield date(int(year), int(month), int(day))
        except ValueError:  # a version number may look like a date
            continue


def _read_path(data: Mapping[str, Any], path: str) -> Any:
    found: Any = data
    for step in path.split("."):
        found = cast(Mapping[str, Any], found).get(step) if isinstance(found, Mapping) else None
    return found


def _fold(words: str) -> str:
    return " ".join(words.translate(_FOLDS).casefold().split())


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[:_SHOWN].rsplit(" ", 1)[0] + " …"
