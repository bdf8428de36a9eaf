"""Dates that were named with a weekday on which they do not fall: "by Thursday 11 December", which is a Friday."""

from __future__ import annotations

import re
from calendar import day_name
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, Final

from app.decision.schema.days import format_day
from app.decision.schema.findings import Remark
from app.decision.tracing.figures import Day, Figure, Weekday, is_calendar_day, read_figures
from app.decision.tracing.said import Statement
from app.decision.tracing.tracing import list_statements

WRONG: Final = "{day} is a {falls}, and {said} was said. Which of the two holds?"
BEFORE_DAYS: Final = 60
"""Days before a message on which a date without a year may still lie; an earlier one is that of the next year."""
_BETWEEN: Final = re.compile(r"[ ,(]{1,3}(?:the[ ]|den[ ]|der[ ])?\Z", re.IGNORECASE)


def find_wrong_weekdays(draft: Mapping[str, Any], statements: Iterable[Statement]) -> Iterator[Remark]:
    """Yield a question for each date of a draft that people named with another weekday, and not corrected since."""
    wrong = dict[date, str]()
    for each in statements:
        figures = read_figures(each.text)
        named = {*map(_find_weekday, figures)}
        wrong = {day: said for day, said in wrong.items() if day.weekday() not in named}
        wrong |= dict(_read_wrong(each, figures))
    if wrong:
        told = [figure for each in list_statements(draft) for figure in read_figures(each.text)]
        for day, said in wrong.items():
            if any(reading == Day(day.year, day.month, day.day) for figure in told for reading in figure.readings):
                text = WRONG.format(day=format_day(day.isoformat()), falls=f"{day:%A}", said=said)
                yield Remark(text, about=[(day.isoformat(), said)], rule="weekday")


def _read_wrong(statement: Statement, figures: Collection[Figure]) -> Iterator[tuple[date, str]]:
    """Yield the dates of a statement beside which another weekday stands, with that weekday."""
    for one, other in pairwise(sorted(figures, key=lambda figure: figure.start)):
        leading, trailing = _find_weekday(one), _find_weekday(other)
        number, dated = (trailing, one) if leading is None else (leading, other)
        days = [*_list_days(dated, statement.day)]
        is_beside = _BETWEEN.match(statement.text[one.end : other.start]) is not None
        if is_beside and days and number is not None and all(day.weekday() != number for day in days):
            yield days[0], day_name[number]


def _find_weekday(figure: Figure) -> int | None:
    """Return the weekday that a figure surely is; in plural, as in "closed on Mondays", it is none of one date."""
    is_sure = figure.is_stated and not figure.text.endswith("s")
    return next((each.number for each in figure.readings if is_sure and isinstance(each, Weekday)), None)


def _list_days(figure: Figure, said: date | None) -> Iterator[date]:
    """Yield the days that a whole date can mean; without a year it is the next one."""
    for each in figure.readings:
        if isinstance(each, Day) and each.month and each.day and (each.year or said):
            years = (each.year,) if each.year else (said.year, said.year + 1) if said else ()
            days = [date(year, each.month, each.day) for year in years if is_calendar_day(year, each.month, each.day)]
            yield from [day for day in days if each.year or (said and day >= said - timedelta(days=BEFORE_DAYS))][:1]
