"""What changed in a draft since it was last shown, in the words that people read."""

from __future__ import annotations

from typing import Final

LAPSED: Final = "your points on {items} count no longer: they were given for another range"
LEAD_NOW: Final = ("{items} leads now", "{items} lead now, level with each other")
LEAD_INSTEAD: Final = ("{items} leads instead of {other}", "{items} lead instead of {other}, level with each other")
BY_POINTS: Final = (
    "{items} leads by your points instead of {other}",
    "{items} lead by your points instead of {other}, level with each other",
)
LEVEL: Final = ("{items} is now level with {other}", "{items} are now level with {other}")
LEVEL_NOT: Final = ("{items} is no longer level with {other}", "{items} are no longer level with {other}")
"""Of one option, and of several."""
COMES_FIRST: Final = "{one} comes first most often now, over what you call possible, and no longer {other}"
LEADS_NOT: Final = "nobody can say now who leads"
STANDS_OUT: Final = "{one} stands out now"
STANDS_OUT_NOT: Final = "{one} stands out no more"
SET_ASIDE: Final = "{items} can be set aside now"
NOT_WORTH: Final = "set aside, as one step is not worth it: {items}"
STEP_ASKED: Final = "asked anew, if one step is worth it: {items}"
KEPT: Final = "{one}, which you kept beside {former}, is now dominated by {other}: say anew if it stays"
KEPT_FREE: Final = "{one}, which you kept, is no longer dominated"
BEATEN: Final = "the status quo, {one}, is beaten now"
BEATEN_NOT: Final = "the status quo, {one}, is no longer beaten"
BACK: Final = ("{items} is back in", "{items} are back in")
COUNTED: Final = (
    "{items}, which you left out, counts again: two options have to stay",
    "{items}, which you left out, count again: two options have to stay",
)
COUNTED_ZERO: Final = "{one}, which you left out, counts again: the others are compared with it"
RERATED: Final = "{place}: {now} instead of {was}"
RERATED_MANY: Final = "{count} ratings changed: {items}"
MEASURED_MANY: Final = "{count} amounts changed: {items}"
UNITS: Final = "another unit on {items}"
"""Of amounts whose numbers stay as they are."""
AMOUNTS_NEW: Final = ("1 amount new: {items}", "{count} amounts new: {items}")
AMOUNTS_GONE: Final = ("1 amount taken out: {items}", "{count} amounts taken out: {items}")
WITHIN: Final = "within the limit “{limit}” now: {items}"
BEYOND: Final = "beyond the limit “{limit}” now: {items}"
PLACE: Final = "{option} on {objective}"
MORE_OPTIONS: Final = "and of {count} more"
RATINGS_NEW: Final = ("new rating: {items}", "new ratings: {items}", "{count} new ratings: {items}")
RATINGS_GONE: Final = ("rating taken out: {items}", "ratings taken out: {items}", "{count} ratings taken out: {items}")
"""Of one rating, of a few, and of more."""
GROUNDS: Final = "another reason, doubt or range: {items}"
"""Of ratings that stay as they are."""
ADDED: Final = "new: {items}"
GONE: Final = "taken out: {items}"
REWORDED: Final = "reworded: {items}"
CHANGED: Final = "changed: {items}"
IN_BRACKETS: Final = " ({fields})"
FIGURES: Final = " ({now} instead of {was})"
