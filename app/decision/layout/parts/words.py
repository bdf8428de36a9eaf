"""The app's own words on sheets, and the ways to join them with people's words and to cut those to a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from app.core.text.cutting import CUT, cut, cut_clause
from app.core.text.labels import MORE

_SENTENCES: Final = re.compile(r".*[.?!](?=\s[^a-z])", re.DOTALL)
"""Whole sentences: no small letter comes after them, as it does after *p.m.*"""
_ENDED: Final = re.compile(r"[.?!…][\s”’\"')\]]*$")
_BARE_HANDLE: Final = re.compile(rf"[\s,;:]*\b[A-Z]{{1,2}}[0-9]{{1,4}}{CUT}$")
GIST: Final = 80
"""Characters that the hub shows of a step."""
ESSENCE_LINES: Final = 5
LINE: Final = 160
"""Lines that say the essence of a result have at most so many characters each."""
SUMMARY: Final = 320
"""Characters of a line that is the summary about which people are asked."""
FITTING: Final = 110
"""Characters of a list that has room in such a line beside its title."""
FEW: Final = 3
"""Things of one kind that a line of the essence names."""
AT_MOST: Final = 5
"""Findings of one kind that are listed one by one, because a card is read in seconds."""

AND_MORE: Final = f"and {MORE}"
MORE_ROOM: Final = 14
"""Characters of a line that stay free for the number of those left out."""
COUNTED: Final = "{title} ({count})"
SOMEBODY: Final = "somebody in Slack"
YES_OR_NO: Final = MappingProxyType({True: "yes", False: "no"})

TO_CHECK: Final = "⚠ Please check: nobody wrote these words"
SUGGESTED_BY_ME: Final = "💡 My suggestions"
LISTED: Final = "{title}: {items}"
CORRECTED: Final = "Corrected since"
INSTEAD_OF: Final = "Instead of: {words}"

# --- issue raising

FIRST: Final = "first {items}"

BOXES: Final = (
    ("potential_decisions", "Decisions", ("decision", "decisions")),
    ("objectives", "Objectives", ("objective", "objectives")),
    ("uncertainties", "Uncertainties", ("uncertainty", "uncertainties")),
    ("considerations", "Considerations", ("consideration", "considerations")),
)
"""Paths of the four lists, with their titles, and the singular and plural of their items."""
NOTHING_NAMED: Final = "Nothing named yet."
NONE_NAMED: Final = "None named so far."
COMES_FIRST: Final = "You put this one first."
PRIORITY: Final = "{priority} priority"
COURSES: Final = "Named for it: {courses}"
DEPENDS_ON: Final = "Depends on: {driver}"
RESOLVABLE: Final = MappingProxyType(
    {True: "Can be found out in time.", False: "Cannot be found out in time.", None: ""}
)

# --- problem frame

DECISION: Final = "Decision"
DECIDER: Final = "Decider"
BY_WHEN: Final = "By when"
WHY_NOW: Final = "Why now"
SCOPE: Final = "Scope"
IN: Final = "In"
OUT: Final = "Out"
LIMITS: Final = "Limits"
ALREADY_DECIDED: Final = "Already decided"
DEFERRED: Final = "Deferred"
PEOPLE: Final = "People"
ROLE_OPEN: Final = "role not said yet"
BY_DAY: Final = "{decider}, by {day}"
AUTHORITY: Final = MappingProxyType(
    {
        "sole": "decides alone",
        "joint": "decides with others",
        "needs_approval": "decides, and somebody else approves",
        "recommends": "recommends, and somebody else decides",
    }
)
SOMEBODY_ELSE: Final = "somebody else"
DECIDE_TOGETHER: Final = "decide together"
"""The same of several people who are named as one decider."""
ROLES: Final = MappingProxyType(
    {
        "stakeholder": "has a stake",
        "advisor": "advises",
        "decision_maker": "decides",
        "affected_party": "is affected",
    }
)
CONCERNS: Final = "Concerns: {concerns}"

# --- objectives

OBJECTIVES: Final = "Objectives"
OBJECTIVE: Final = ("objective", "objectives")
MEANS: Final = ("means", "means")
SERVED: Final = "Means that serve them"
UNMEASURED: Final = "no measure yet"
NO_OBJECTIVE: Final = "Nothing named yet that matters for its own sake."
ADRIFT: Final = "Means that serve nothing yet"
CIRCLE: Final = "Means that serve each other"
CIRCLE_OF: Final = "{means}: this goes round in a circle. Which one would you want even if nothing else changed?"
NO_MEASURE: Final = "No measure yet."
DIRECTION_OPEN: Final = "which way is better: not said yet"
DIRECTIONS: Final = MappingProxyType(
    {"minimize": "less is better", "maximize": "more is better", "target": "the nearer to the target the better"}
)
MEASURE_KINDS: Final = MappingProxyType({"proxy": "stands in for it", "constructed": "a scale of your own"})
NOW: Final = "now {amount}"
TARGET: Final = "target {amount}"
LEVELS: Final = "Levels: {levels}"
WEIGHT: Final = "Weight: {share} %"
MATTERS_TO: Final = "Matters to {party}"
ALSO_SERVES: Final = "Also serves {objectives}"
BY_WAY_OF: Final = "By way of {means}"

# --- alternatives

OPTIONS: Final = "Options"
OPTION: Final = ("option", "options")
PLUS_STATUS_QUO: Final = "{count} + status quo"
AND_STATUS_QUO: Final = "{options} + status quo"
STATUS_QUO: Final = "status quo"
BREAKING: Final = "breaks a limit"
NO_OPTION: Final = "No option named yet."
ASSUMES: Final = "Assumes: {assumption}"
COUNTS_ON: Final = "{handle} counts on: {assumptions}"
BREAKS: Final = "Breaks a limit: {limit}"
BLOCKS: Final = "What the strategies are made of"
STRATEGIES: Final = "Strategies"
NOT_CHOSEN: Final = "–"

# --- consequences

RATINGS: Final = "Ratings against the status quo"
AGAINST: Final = "Ratings against {baseline}"
NOTHING_TO_RATE: Final = "Objectives and options come first: there is nothing to rate yet."
RATED: Final = "{rated} of {all} rated{unknown}"
RATED_ALL: Final = "{rated} of {all} ratings given{unknown}, against {baseline}"
RATED_BARE: Final = "{rated} of {all} ratings given{unknown}"
UNKNOWN_COUNT: Final = " ({count} not known)"
NOBODY_KNOWS: Final = "Nobody knows yet: it may be any step from {low} to {high}."
LEGEND: Final = "Objectives: {objectives}"
RATED_ON: Final = "{objective} {rating}"
NOT_RATED: Final = "–"
NOT_RATED_YET: Final = "not rated"
RANGED: Final = " ({low}…{high})"
PROPOSED_SIGN: Final = "💡"
DOUBTFUL_SIGN: Final = "?"
IN_DOUBT_SIGN: Final = f" · {DOUBTFUL_SIGN} in doubt"
"""Legend below ratings of which one is in doubt."""
EXTREMES: Final = "{objective}: best {best}, worst {worst}"
ALL_ALIKE: Final = "{objective}: all {rating}"
ALIKE_SO_FAR: Final = "{objective}: {rating} so far"
"""While others are not known, or not rated."""
STILL_MISSING: Final = "Missing ratings"
AGAINST_MEASURES: Final = "Ratings that speak against their measures"
CONTRADICTION: Final = "On {objective}, {higher} is rated above {lower}, but measures worse."
PROPOSED: Final = "Proposed ratings"
PROPOSAL: Final = "A proposal: nobody has said it."
CARRIED: Final = "Proposed by subtraction"
RATED_AGAINST: Final = "It was rated {rating} against {baseline}."
NOT_CARRIED: Final = "What that comes to now cannot be worked out: please rate it."
IN_DOUBT: Final = "Doubtful ratings"
COULD_CHANGE: Final = "Knowing it could change the choice"
RATING_OF: Final = "{alternative} on {objective}"
OF_BEFORE: Final = "{amount} (from before: given for {rating})"
ASK_OF_BEFORE: Final = "Amounts from before"
DOUBT: Final = "In doubt: {driver}"
BETWEEN: Final = "between {low} and {high}"
IN_A_YEAR: Final = "in a year {rating}"
SOURCE: Final = "Source: {source}"
ANCHORS: Final = "What the steps mean"
STEP_MEANS: Final = "{step}: {text}"
UNCERTAINTIES: Final = "Uncertainties"
WORTH_RESOLVING: Final = MappingProxyType(
    {True: "Knowing it could change the choice.", False: "Knowing it would not change the choice.", None: ""}
)

# --- tradeoffs

NO_RATINGS: Final = "There are no ratings yet, so there is nothing to compare. The consequences come first."
GAPS: Final = "Ratings are missing, so nothing here is final."
MISSING_ARE: Final = f"{GAPS} Missing: {{cells}}."
NOT_FINAL: Final = (
    f"{GAPS} Until they are filled, nobody can say who leads, who gives up least and what one step would change: "
    "{cells}."
)
ASIDE: Final = "Set aside"
ASIDE_UNLESS: Final = "Set aside, unless you say otherwise"
KEPT: Final = "Kept all the same"
AS_GOOD: Final = "{by} is as good or better everywhere, better on {better}."
ASIDE_PERHAPS: Final = "not certain within what you call possible: {options}"
NOT_CERTAIN: Final = "Within the ranges you gave, this could turn out otherwise."
CERTAIN_BY: Final = "Whatever turns out within the ranges you gave, this holds for {by}."
SET_ASIDE_DESPITE: Final = "On your ratings, {by} is as good or better everywhere, better on {better}."
DISPUTED: Final = "Ratings and amounts disagree"
DESPITE: Final = "On {objective}, {alternative} measures better: {amount} against {other}."
YOU_SET_ASIDE: Final = "You set it aside knowing that."
BEATEN_BY_RATINGS: Final = "On your ratings {by} would be as good or better everywhere."
ASK_AMOUNTS: Final = (
    "On your ratings {by} would be as good or better everywhere, so {alternative} stays until it is clear. "
    "Shall a rating change, or does the difference not matter?"
)
MEASURE_APART: Final = "On {objective} they measure differently: {one} {amount}, {two} {other}."
BETTER_LEFT_OUT: Final = "{option} is better on {objectives}, which you left out."
REASON_OPEN: Final = "reason not said yet"
YOU_KEEP: Final = "You keep it: {reason}"
YOU_SAID: Final = "You said: {reason}"
POSSIBLE: Final = "Not settled by what is known"
COULD_BE: Final = "{by} could be as good or better everywhere. Fill {cells}."
COULD_BE_UNKNOWN: Final = "{by} could be as good or better everywhere. It depends on what nobody knows yet: {cells}."
COULD_BE_RANGED: Final = (
    "Within the ranges you gave, {by} could be as good or better everywhere: it depends on {cells}."
)
BEATEN_STATUS_QUO: Final = "The status quo"
BEATEN_BY: Final = MappingProxyType(
    {True: "beaten by {option}", False: "beaten by {option}, not certain within the ranges you gave"}
)
"""Whether that is certain."""
BEATEN: Final = (
    "On your own ratings, {by} is never worse than {baseline}, and better on {better}. "
    "{baseline} stays in the table, as the zero of the scale."
)
TIES: Final = "Rated alike"
WHAT_DIFFERS: Final = "What else differs, or are they the same?"
LIKE_STATUS_QUO: Final = (
    "On your ratings {options} is no different from {baseline}.",
    "On your ratings {options} are no different from {baseline}.",
)
UNLIKE_LEFT_OUT: Final = "Not alike on {objectives}, which you left out."
IRRELEVANT: Final = "Does not separate the options"
RATED_OTHERWISE: Final = "{option}, which you left out, is rated {rating}."
LEFT_OUT: Final = "Left out by you"
LEFT_OUT_KIND: Final = MappingProxyType(
    {"redundant": "You called it redundant.", "user_dismissed": "You dismissed it."}
)
LEAVES_NOTHING: Final = "You left out every objective, so all of them count. Which ones should?"
COUNTED_ALL_THE_SAME: Final = MappingProxyType(
    {
        False: "You left out {options}. That counts for nothing, because two options have to stay, the status quo "
        "among them. Which ones shall stay?",
        True: "You left out {options}. That counts for nothing, because the others are compared with it.",
    }
)
NOTHING_SEPARATES: Final = "No objective tells the options apart. What matters that is not on the list?"
ALIKE: Final = "Tell the same story"
COUNTED_OFTEN: Final = (
    "The options that are left are rated alike on these, so a sum counts one difference several times."
)
COUNTED_ONCE: Final = MappingProxyType(
    {
        True: (
            "Counted once, {leaders} still leads on the plain sum.",
            "Counted once, {leaders} are still level on the plain sum.",
        ),
        False: (
            "Counted once, {leaders} would lead on the plain sum; now {before}.",
            "Counted once, {leaders} would be level on the plain sum; now {before}.",
        ),
    }
)
"""Of the same leaders as before (True), and of others: one, or several."""
AHEAD: Final = ("{leaders} alone is ahead", "{leaders} are level")
EACH_OPTION: Final = "What each option gains and gives up, against the others left"
GAINS: Final = "Gains {objectives}"
GIVES_UP: Final = "Gives up {objectives}"
ONE_OF_WEAKEST: Final = "One of the weakest on {objectives}."
OPEN_PLACE: Final = "Where it stands on {objective} depends on what is not known there yet: {options}."
NO_BETTER: Final = MappingProxyType(
    {True: "Weakest of those left on {objectives}", False: "No better than {baseline} on {objectives}"}
)
"""Where others left are better: of the status quo itself (True), and of one that is rated like it."""
ALL_ROUNDER: Final = "An all-rounder: nowhere the best, nowhere the worst."
ONLY_ONE: Final = "The only one that is left."
PAIRS: Final = "One instead of another"
INSTEAD: Final = "{one} instead of {other}"
HEART: Final = "The heart of it"
SAID_OF: Final = "{said} (Said when the ratings spoke of {objectives}.)"
CONFLICT: Final = (
    "By your ratings: {opposed}: in {discordant} of {pairs} pairs of options in the running ({options}), what wins on "
    "one loses on the other."
)
AS_OPPOSED: Final = "Opposed at least as often: {others}."
WORTH_IT: Final = "Is one step worth it?"
ONE_STEP: Final = "{alternative} beats {by} only by one step on {objective}. Is that worth it?"
BRINGS: Final = "{by} brings {gains} instead; if that weighs more, {alternative} can be set aside."
ONE_STEP_RANGED: Final = "Within the ranges you gave, the difference may be {how} than one step."
LEEWAY: Final = MappingProxyType({(True, False): "less", (False, True): "more", (True, True): "more or less"})
"""What may be less, and what may be more."""
STEP_MEASURES: Final = "In amounts: {amount} instead of {other}."
GAINS_RANGED: Final = "Within the ranges you gave, {by} may bring {how} than that."
VERDICTS: Final = MappingProxyType(
    {
        "set_aside": "You said: it is set aside.",
        "keep": "You said: it is kept.",
        "accepted": "You said: its one step is not worth it, so it is set aside.",
        "rejected": "You said: its one step is worth it.",
    }
)
STILL_COUNTED: Final = MappingProxyType(
    {
        False: "It counts all the same, because two options have to stay.",
        True: "It counts all the same, because the others are compared with it.",
    }
)
COMPARED: Final = "Compared with {by}, {said}"
GLOSSARY: Final = "Words of the method"
TOLD_REASONS: Final = "Why it is rated so, as approved"
TOLD_ASSUMPTIONS: Final = "What the options assume, as approved"
TOLD_VERDICTS: Final = "What you said about the findings"
TOLD_UNCERTAINTIES: Final = "Uncertain, as approved"
GIVE_UPS: Final = "Least to give up, against the best of those left on each objective"
SMALLEST_WORST: Final = "On the worst objective"
SMALLEST_TOTAL: Final = "All together"
STEP: Final = ("step", "steps")
WHAT_IF: Final = "What one step would change"
RATING: Final = MappingProxyType({True: "doubtful rating", False: "rating"})
"""The ratings that were tried: only the doubtful ones in a large table."""
MOVED: Final = MappingProxyType(
    {
        False: "{alternative} on {objective}: {to} instead of {rating}",
        True: "{alternative} on {objective}: {to} instead of {rating}, a rating you doubt",
    }
)
"""A rating moved by one step; people may have called it doubtful (True)."""
WOULD_LEAD: Final = (
    "{options} would lead on the plain sum, with any one of these",
    "{options} would be level on the plain sum, with any one of these",
)
WOULD_BEAT_STATUS_QUO: Final = "Another option would never be worse than {baseline}, with any one of these"
WOULD_GO: Final = "{options} could be set aside, with any one of these"
SWINGS: Final = "What going from worst to best is worth"
SWING: Final = "{points} points"
SWING_RANGE: Final = "{points} points, from {worst} to {best}"
BY_POINTS: Final = "By these points: {values}"
FORMER_SWING: Final = (
    "{points} points, given for going from {worst} to {best}: they count for nothing until you say them anew."
)
UNUSED_SWING: Final = "{points} points, given for going from {worst} to {best}: not counted now."
FORMER_POINTS: Final = "Points that count for nothing until you say them anew, as their range changed"
LEADS_IF: Final = (
    "{to} takes the lead as soon as {objective} counts for {side}; you said {given}.",
    "{to} lead together as soon as {objective} counts for {side}; you said {given}.",
)
SIDE: Final = MappingProxyType({True: "under {points}", False: "over {points}"})
"""Points at which the lead changes: those just below (True) or just above."""
STAYS_IN_FRONT: Final = (
    "If the points of one objective alone change, {leader} stays in front, or level with others, for {spans}."
)
SPAN: Final = "{low} to {high} of {objective}"
NO_BREAK_EVEN: Final = "No other points for a single objective, from 0 to 100, would change who leads."
SWAPS: Final = "Even swaps"
SWAP: Final = "{improved}, paid for with {paid}"
SWAP_OLDER: Final = "These amounts are others now: it counts for nothing until you say it anew."
CHANGED: Final = "{objective} from {start} to {end}"
WRITTEN_FOR: Final = "Written for {which}; {what} since."
EARLIER_RATINGS: Final = "earlier ratings"
RATINGS_OF_VERSION: Final = "version {version} of the ratings"
SINCE: Final = MappingProxyType({True: "some have changed", False: "{what} have been added or taken out"})
"""Of the same options and objectives (True), and of others."""
DATED_TOO: Final = "Also written for {table}."
"""Of a further note in the same list."""
OF_VERSION: Final = "(From v{version} of that step; what it builds on has changed since.)"
OWN_WORDS: Final = "In your own words"
BY_RATINGS: Final = "By your ratings: {opposed}"
LEFT: Final = "Left to weigh"
LEADS: Final = "Leads on the plain sum"
LEVEL: Final = "Level on the plain sum"
ON_CONDITION: Final = ", on a condition"
GIST_LEFT: Final = "{aside} set aside, {left} left"
OPPOSED: Final = "{one} against {other}"
GIST_UNRATED: Final = "no ratings yet"
BY_YOUR_POINTS: Final = "By your points"

# --- firmness

FIND_OUT_FIRST: Final = "What to find out first"
IDLE: Final = MappingProxyType(
    {
        True: "Need not be found out, as it cannot change who leads: {cells}.",
        False: "Need not be found out first, as it changed who leads in no case tried: {cells}.",
    }
)
"""Doubts that changed nothing: in all cases (True), or in those drawn."""

# --- recommendation

IN_SHORT: Final = "In short"
STANDS_OUT: Final = "What stands out"
NO_STANDOUT: Final = "No option stands out."
CONSIDER: Final = "Worth considering"
UNKNOWNS: Final = "Still unknown"
IMPACT: Final = MappingProxyType({"high": "Matters a lot.", "medium": "Matters.", "low": "Matters little."})
FIND_OUT: Final = "How to find out: {path}"
NO_WAY_YET: Final = "No way named to find out."
ABOUT: Final = "About {options}"
SENSITIVITY: Final = "How firm this is"
YOUR_NOTES: Final = "Noted on that"
YOU_WOULD_GIVE_UP: Final = "What you would give up"
BEARABLE: Final = MappingProxyType(
    {True: "You could live with that.", False: "You could not live with that.", None: ""}
)
PREMORTEM: Final = "If it had gone wrong"
EARLY_SIGNAL: Final = "Early sign: {signal}"
MITIGATION: Final = "What would help: {mitigation}"
LEANING: Final = "Where you lean"
WEAK_INFORMATION: Final = "Read it with care: you scored the information behind it {score} %."
YOURS: Final = "This is a mirror, not a verdict: the decision is yours."
GIST_STANDS_OUT: Final = "{option} stands out"
GIST_NO_STANDOUT: Final = "no option stands out"

# --- notes and next steps

STATES: Final = MappingProxyType({"decided": "decided", "leaning": "leaning", "deferred": "deferred"})
NOT_SAID: Final = "not said yet"
STANDING: Final = "{option} · {status}"
SHORT_STANDING: Final = "{status}: {option}"
STATUS_OPEN: Final = "not said yet if that is decided"
NEXT_STEPS: Final = "Next steps"
ACTION_HEADER: Final = ("What", "Who", "By when", "Status")
WORKS_ON: Final = "Works on"
BY_ITS_WORDS: Final = "{aim} (read off its words)"
ACTION_LINE: Final = "{day}: {what} – {who}"
FALLBACK: Final = "Fallback"
REOPENED_BY: Final = "Reopened by"
NO_ACTION: Final = "No next step planned."
NOBODY: Final = "nobody yet"
NO_DATE: Final = "no date yet"
STATUSES: Final = MappingProxyType({"planned": "planned", "in_progress": "in progress", "completed": "done"})
UNSETTLED: Final = "Still to settle"
WHO: Final = "Who does it?"
WHEN: Final = "By when?"
OPEN_QUESTIONS: Final = "Open questions"
NOTES: Final = "Notes"
TRIGGERS: Final = "What would reopen the decision"
AFFIRMATION: Final = "Your affirmation"
ACTION: Final = ("action", "actions")


def count_noun(count: int, noun: tuple[str, str]) -> str:
    """Return a number with its noun, given in singular and plural."""
    return f"{count} {noun[count != 1]}"


def join_texts(texts: Sequence[str], between: str = "; ") -> str:
    """Join the texts that are not empty."""
    return between.join(filter(None, texts))


def add_brackets(text: str, more: str) -> str:
    """Return the text with more in brackets behind it, if there is more."""
    return f"{text} ({more})" if more else text


def add_sentence(text: str, more: str) -> str:
    """Return people's text and a sentence of the app's behind it; the text gets a full stop if it has no end."""
    return join_texts([f"{text}." if text and more and not _ENDED.search(text) else text, more], " ")


def cut_list(texts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the first texts, and the number of those left out."""
    rest = len(texts) - most
    return (*texts[:most], *([AND_MORE.format(count=rest)] if rest > 0 else []))


def cut_gist(text: str) -> str:
    """Shorten the text to one line of at most `GIST` characters. No handle is left at its end without its name."""
    return _BARE_HANDLE.sub(CUT, cut(" ".join(text.split()), GIST))


def cut_sentences(text: str, most: int = LINE) -> str:
    """Shorten the text to one line of at most so many characters, after a sentence or else a clause if one fits."""
    line = " ".join(text.split())
    whole = _SENTENCES.match(line[: most + 2])
    return f"{whole[0]} {CUT}" if len(line) > most and whole else _BARE_HANDLE.sub(CUT, cut_clause(line, most))
