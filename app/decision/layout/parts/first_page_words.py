"""The app's own words on the first page of a report."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

STANDINGS: Final = MappingProxyType({"decided": "Decided", "leaning": "Leaning", "deferred": "Put off"})
ON_DAY: Final = "on {day}"
CONTENDER: Final = "Contender"
BROKEN_BY: Final = "{option} breaks: {limit}"
SPEAKS_FOR: Final = "For: best or among the best of those left on {objectives}"
SPEAKS_AGAINST: Final = "Against: worst or among the worst of those left on {objectives}"
BETTER_THAN_STATUS_QUO: Final = "For: better than {baseline} on {objectives}"
WORSE_THAN_STATUS_QUO: Final = "Against: worse than {baseline} on {objectives}"
BETTER_ELSEWHERE: Final = "Against: other options are better on {objectives}"
UNKNOWN_OF_IT: Final = "Against: nobody knows yet how it does on {objectives}"
COULD_STILL_LEAD: Final = "Could still lead"
NOT_KNOWN_ON: Final = "{option}: nobody knows yet how it does on {objectives}"
FIRM: Final = MappingProxyType(
    {
        False: "{option} stands out on the plain sum{meaning}.",
        True: "{option} stands out on the plain sum and by your points{meaning}.",
    }
)
"""Without points of people that count (False), and with them."""
ONLY_LEFT: Final = "{option} is the only option that is left: on the ratings that count it is never worse than another."
COULD_COME_BACK: Final = "Within all the ranges you gave, {options} could come back."
NOT_FIRM: Final = MappingProxyType(
    {
        False: "{options} leads on the plain sum, but does not stand out: {why}.",
        True: "{options} leads on the plain sum and by your points, but does not stand out: {why}.",
    }
)
"""Where people's points say another thing or nothing (False), and where they agree."""
TURNED_BY_DOUBT: Final = "one doubtful rating can turn it"
NOT_BY_POINTS: Final = "by your points it is not ahead"
LEVEL_BY_POINTS: Final = "by your points it is level with {options}"
NO_OTHER: Final = "there is no other option"
LEVEL_SAID: Final = "Level on the plain sum: {options}."
TO_FIND_OUT: Final = "To find out"
WEAKEST_LINK: Final = "Weakest link"
SCORED: Final = "{element}, {score} %"
