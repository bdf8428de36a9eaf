"""What changed between two drafts of one step, in a few words for the card that is shown again. Pure.

Each draft is compared as it was computed at its time. Names are short, because the card below has them in full.
"""

from __future__ import annotations

from app.decision.drafts.changes.item_names import ChangeNames
from app.decision.drafts.changes.standing_changes import (
    compare_dominated,
    compare_firmness,
    compare_leaders,
    compare_points,
    compare_practical,
    compare_standouts,
    compare_status_quo,
)
from app.decision.drafts.changes.table_changes import compare_amounts, compare_cells, compare_limits
from app.decision.drafts.changes.wording_changes import compare_lists, compare_wording, tell_lapsed
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft


def describe_changes(
    before: Draft,
    after: Draft,
    so_far: DecisionRecord,
    former: DecisionRecord | None = None,
    *,
    is_elsewhere: bool = False,
) -> tuple[str, ...]:
    """Return what changed, the most important first; empty if nothing did or there was no draft before.

    `former` holds the results that the draft `before` was made with, if they were others. `is_elsewhere` if it is told
    in another step.
    """
    if not before or (before == after and not former):
        return ()
    names = ChangeNames(before, after, so_far, former or so_far)
    found = (
        *compare_leaders(before, after, names),
        *compare_points(before, after, names),
        *tell_lapsed(before, after, names),
        *compare_standouts(before, after, names),
        *(compare_firmness(before, after, names) if former else ()),
        *compare_status_quo(before, after, names),
        *compare_dominated(before, after, names),
        *compare_practical(before, after, names),
        *compare_limits(before, after, names, is_elsewhere=is_elsewhere),
        *compare_cells(before, after, names),
        *compare_amounts(before, after, names),
        *compare_wording(before, after, names),
    )
    return found or tuple(compare_lists(before, after))
