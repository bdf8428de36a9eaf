"""Texts of the windows in which a step's result is edited and rated; `texts` has all others.

Sentences that stand alone are in Slack's mrkdwn. Titles and buttons of windows have at most 24 characters.
"""

from __future__ import annotations

from collections.abc import Sequence

NOTICE_TITLE = "Threadwise"
LIST_CLOSE = "Done"
SAVE = "Save"
ADD = "Add…"
MOVE_UP = "Move up"
MOVE_DOWN = "Move down"
MOVE = "Move to…"
MOVE_TO = "Move to {box}"
REMOVE = "Remove"
PREVIOUS = "Previous"
NEXT = "Next"
CONTINUED = "{title}, continued"
NOTHING_YET = "Nothing yet."
COMPUTED_ROW = "worked out from your ratings"
BASELINE_ROW = "the others are rated against it"

EDIT_TITLE = "Edit · {what}"
ADD_TITLE = "Add · {what}"
MOVE_TITLE = "Move"
MOVE_LABEL = "Where does it belong?"
CHOOSE = "Choose…"
NONE = "(none)"
ONE_A_LINE = "One on each line."
FOR_APPROVAL = "You can fill it in later, but approving needs it."
MORE_OF = "{label} (more)"
TOO_LARGE = "Too long to be edited here: {fields}. Tell me in the thread what to change."
NOTHING_TO_FILL_IN = "There is nothing to choose from yet. Add what it belongs to first."

REMOVED = "Removed {item}."
MOVED = "Moved {item}: it is {handle} now."
LEFT_BEHIND = "Left out, because there is no place for it there: {fields}."
PRUNED = "Left out what referred to {items}."
REFUSED = "That does not fit: {problem}. Change it here, or tell me in the thread."
UNDONE = "That is worked out from what was rated, so it stays as it is."
PROBLEM = "{problem}: it has to be {requirement}."
ELSEWHERE = "{what}. {problem}"
NEEDED = "This is needed: {requirement}."

SAVING = "Still saving the last change, press again."
CHANGED_MEANWHILE = "This was changed meanwhile. Here is how it stands now."
NOT_TAKEN_IN = "Your last change could not be taken in. Here is how it stands now."
CHANGED_BELOW = (
    "This was changed meanwhile. Close this window to see how it stands now; keep your words if you need them."
)

RATE_TITLE = "Rate a column"
RATE_PICK = "Which objective do you want to rate? One after the other, across all options, keeps the scale steady."
RATE_PROGRESS = "{rated} of {all} rated"
RATE_UNKNOWN = ", {count} not known"
RATE_PART = "{label} · part {part} of {parts}"
RATE_AGAINST = "How does each option compare with {baseline}? Leave out what you do not want to change."
STATUS_QUO = "the status quo"
"""The comparison of options if none is the status quo."""
RATE_ANCHOR = "{step}: {meaning}"
RATE_LABEL = "Rating of {option}"
REASON_LABEL = "Why?"
MEASURED_LABEL = "How much?"
MEASURED_IN = "How much, in {unit}?"
NOT_A_NUMBER = "An amount is a number in digits, such as 1500.5. Say the unit in the thread if it is another one."
LONG_NUMBER = "At most 15 digits before the point and 15 after it. Round it, or say it in the thread in a larger unit."
MEASURED = " ({amount})"
AMOUNT_GONE = " (without an amount)"
DOUBT_LABEL = "How much doubt is there?"
PROPOSAL = "proposal: {rating}"
SUBTRACTED = "proposal, by subtraction: {rating}; it was {former} against {baseline}"
NOT_CARRIED = "it was {former} against {baseline}, which cannot be carried over"
RANGE_GIVEN = "given: {low} to {high}"
BECAUSE = "{rating} – because {reason}"
DOUBTFUL = "{rating} ({doubt})"
DONT_KNOW = "?"
UNKNOWN = "don't know"
NOTHING_TO_RATE = "There is nothing to rate yet: that needs objectives, and options beside the status quo."
NEEDS_A_REASON = "A rating of −2 or +2 needs a reason."
HOLDS_AN_AMOUNT = (
    "{amount} is noted with this rating and would go with it. Choose another rating or “? · don't know”, or take out "
    "the amount as well."
)
TAKEN_OUT = "rating taken out"
NEEDS_A_RATING = "Choose a rating as well, or clear the reason, the amount and the doubt."

STEP = "{step} · {meaning}"

DOUBTS: dict[str, str] = {"low": "low doubt", "medium": "medium doubt", "high": "high doubt"}

PICKED = "chosen in Slack"
"""The value of a field that holds somebody's account: the name stands in the field beside it."""

CHOICES: dict[str, str] = {
    "sole": "decides alone",
    "joint": "decides with others",
    "recommends": "recommends, and somebody else decides",
    "needs_approval": "decides, and somebody else approves",
    "stakeholder": "has a stake",
    "advisor": "advises",
    "decision_maker": "decides",
    "affected_party": "is affected",
    "minimize": "less is better",
    "maximize": "more is better",
    "target": "the nearer to the target the better",
    "natural": "measures it directly",
    "proxy": "stands in for it",
    "constructed": "a scale of your own",
    "strict": "better everywhere",
    "weak": "nowhere worse, somewhere better",
    "no_variation": "all options are rated alike",
    "no_variation_remaining": "the options that are left are rated alike",
    "redundant": "another objective says the same",
    "user_dismissed": "you leave it out",
    "set_aside": "set it aside",
    "keep": "keep it",
    "accepted": "it is not worth it",
    "rejected": "it is worth it",
    "decided": "decided",
    "leaning": "leaning",
    "deferred": "put off",
    "planned": "planned",
    "in_progress": "in progress",
    "completed": "done",
}
"""What a choice means, by its word in the schema; others are plain words already."""

NAMES: dict[str, str] = {
    "about": "What it is about",
    "addresses": "What it works on",
    "alternative_id": "Option",
    "alternatives": "Options",
    "authority": "How they decide",
    "baseline": "How it is today",
    "by": "The other option",
    "column_id": "Block",
    "constraints": "Limits",
    "decision_affirmation": "Your affirmation",
    "decision_columns": "What strategies are made of",
    "decision_hierarchy": "Decisions around this one",
    "decision_rule": "How a group decides",
    "direction": "Which way is better",
    "dominated_alternatives": "Options to set aside",
    "driver": "What it depends on",
    "dropped_alternatives": "Options you leave out",
    "due_date": "By when",
    "early_signal": "Early sign",
    "elements": "Scores",
    "failure_story": "What went wrong",
    "focal_decision": "The decision",
    "fundamental_objectives": "Objectives",
    "headline_conflict": "The heart of it",
    "improve": "What gets better",
    "improvement_path": "What would raise it",
    "in_scope": "What is in",
    "irrelevant_objectives": "Objectives that tell nothing apart",
    "key_considerations": "Worth considering",
    "means_objectives": "Means",
    "metric": "Measured by",
    "mitigation": "What would help",
    "out_of_scope": "What is out",
    "parties": "People",
    "party": "Matters to",
    "pay_with": "What it costs",
    "performance_measure": "Measure",
    "performance_measure.baseline": "How it is today",
    "performance_measure.direction": "Which way is better",
    "performance_measure.kind": "What kind of measure it is",
    "performance_measure.metric": "Measured by",
    "performance_measure.scale_levels": "Levels of the scale",
    "performance_measure.target": "Target",
    "performance_measure.units": "Unit",
    "planned_actions": "Next steps",
    "practical_dominance": "Is one step worth it?",
    "by_when": "By when",
    "premortem": "If it had gone wrong",
    "rating_range": "Between",
    "rationale": "Why",
    "regret_notes": "What you would give up",
    "remaining_uncertainties": "Still unknown",
    "resolution_path": "How to find out",
    "resolvable": "Can be found out in time",
    "revisit_triggers": "What would reopen it",
    "scale_levels": "Levels",
    "sensitivity_notes": "How firm this is",
    "source_decision_id": "Taken from",
    "source_objective_id": "Taken from",
    "standout_option": "What stands out",
    "status_quo_id": "Status quo",
    "strategy_table": "Strategy table",
    "supports": "Serves",
    "swing_weights": "What going from worst to best is worth",
    "synthesis": "In short",
    "tensions": "What each option gains and gives up",
    "trigger": "Why now",
    "worst_give_up": "The most you would give up",
    "worth_resolving": "Knowing it could change the choice",
    "potential_decisions": "Decisions",
    "cells": "Ratings",
    "anchors": "What the steps mean",
    "2": "Meaning of +2",
    "1": "Meaning of +1",
    "0": "Meaning of 0",
    "-1": "Meaning of −1",
    "-2": "Meaning of −2",
    "quant_value": "Amount",
    "quant_unit": "Unit",
    "via": "By way of",
    "in_the_users_words": "In your words",
    "user_understanding": "The tradeoff in your words",
    "user_leaning": "What you lean towards",
    "user_verdict": "Your verdict",
    "slack_user_id": "Their account in Slack",
    "owner_slack_id": "Owner's account in Slack",
    "objective_a_id": "One objective",
    "objective_b_id": "The other objective",
    "already_made": "Already decided",
    "focal_candidate_id": "Decision to focus on",
    "focal": "The decision",
}
"""Names of fields for people, if the name in the schema is not clear; of one inside of another, by both names."""

FACTS: dict[str, str] = {
    "2": "+2: {fact}",
    "1": "+1: {fact}",
    "0": "0: {fact}",
    "-1": "−1: {fact}",
    "-2": "−2: {fact}",
    "by": "against {fact}",
    "dominated_by": "matched or beaten by {fact}",
    "gains": "best or among the best on {fact}",
    "impact": "impact: {fact}",
    "losses": "weakest or among the weakest on {fact}",
    "points": "{fact} points",
    "score": "{fact} %",
}
"""How a field is told beside the name of its row, if its value alone does not say what it is."""
ONE_STEP = "{count} step"
STEPS = "{count} steps"
SWAP = "{objective} from {former} to {now}"

HINTS: dict[str, str] = {
    "performance_measure.baseline": 'A number. Leave it empty if it is in words, such as "tight".',
}
"""What a field takes, by its path inside of an item, if its control does not show that."""

AMOUNT_LABEL = "{amount} was given for {rating}"
STILL_RIGHT = "right"
STILL_RIGHT_LABEL = "It is still right"
CONFIRMED = "{rating}, and {amount} is still right"


FIELD_ADDED, FIELD_GONE = "{field} added", "{field} taken out"


def name_field(name: str) -> str:
    """Return the name of a field for people."""
    return NAMES.get(name) or name.removesuffix("_ids").removesuffix("_id").replace("_", " ").capitalize()


def name_change(name: str, was: object, now: object) -> str:
    """Return the name of a field for people, with what became of it if it came or went."""
    form = FIELD_ADDED if was is None else FIELD_GONE if now is None else "{field}"
    return form.format(field=name_field(name))


def name_inner_field(names: Sequence[str]) -> str:
    """Return the name for people of a field that may be inside of others; empty without names."""
    return NAMES.get(".".join(names)) or ": ".join(map(name_field, names))
