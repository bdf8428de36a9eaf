"""Values that the server derives and writes into a draft, because it knows them better than the model.

Each derivation leaves correct data alone, so a second run changes nothing. It reports its changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import product
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from app.core.text.labels import remove_stop, shorten
from app.decision.analysis.ratings import At
from app.decision.drafts.computed_tradeoffs import as_computed, remove_outdated
from app.decision.drafts.dated_notes import Since, date_notes, find_change, list_notes
from app.decision.drafts.rating_edits import rebase
from app.decision.record import DecisionRecord
from app.decision.rows import find_place, map_cells, note_amount, read_quality
from app.decision.rules.action_rules import find_aim, name_few
from app.decision.schema.component import Component
from app.decision.schema.findings import Remark
from app.decision.schema.handles import find_next_handle, list_handles
from app.decision.schema.paths import Draft, find_value, find_values, is_object

Mend: TypeAlias = Callable[[Draft, DecisionRecord], Iterable[Remark]]


def derive(component: Component, draft: Draft, so_far: DecisionRecord) -> tuple[Draft, tuple[Remark, ...]]:
    """Return a copy of the draft with all values that the component has the server derive."""
    draft = deepcopy(draft)
    return draft, tuple(remark for name in component.mends for remark in MENDS[name](draft, so_far))


def keep_outlasting(component: Component, draft: Draft, so_far: DecisionRecord) -> Draft:
    """Return an older draft without people's words on findings that have changed."""
    return remove_outdated(draft, so_far) if as_computed.__name__ in component.mends else draft


def resolve_aliases(component: Component, draft: Any) -> Any:
    """Return a copy of the data in which each synonym is replaced by the proper value."""
    draft = deepcopy(draft)
    for path, aliases in component.aliases.items():
        known = {each.casefold(): name for alias, name in aliases.items() for each in (alias, name)}
        for holder in find_values(draft, path.rpartition(".")[0]):
            name = path.rpartition(".")[2]
            given = holder.get(name) if is_object(holder) else None
            if isinstance(given, str):
                holder[name] = known.get(given.casefold(), given)
    return draft


def copy_focal(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Copy the focal decision of the frame into the tiers."""
    statement, tiers = find_value(draft, "focal_decision.statement"), draft["decision_hierarchy"]
    if statement:
        own, former = list_handles([draft]), find_value(so_far.before, "decision_hierarchy.focal.handle")
        known = find_value(tiers, "focal.handle") or (former if former not in own else None)
        handle = known or find_next_handle("H", [*own, *so_far.given])
        tiers["focal"] = {"handle": handle, "statement": statement}
    yield from ()


def mark_baseline(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Make the mark of the status quo and `status_quo_id` agree."""
    marked = [each["handle"] for each in find_values(draft, "alternatives[]") if each.get("is_status_quo")]
    baseline = draft.get("status_quo_id") or next(iter(marked), None)
    for each in find_values(draft, "alternatives[]"):
        each["is_status_quo"] = each["handle"] == baseline
    if baseline:
        draft["status_quo_id"] = baseline
    yield from ()


def table_frame(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Make the rows and columns the current options and fundamental objectives, in display order."""
    table = draft.setdefault("table", {})
    table["alternative_ids"], table["objective_ids"] = list(so_far.alternatives), list(so_far.objectives)
    order = _index_places(so_far)
    given = table.get("cells", [])
    cells = [each for each in given if find_place(each) in order]
    gone = [each for each in given if find_place(each) not in order]
    if rated := [each for each in gone if each["alternative_id"] != so_far.baseline]:
        told = "1 rating" if len(rated) == 1 else f"{len(rated)} ratings"
        yield Remark(f"Taken out, as the option or the objective is not there any more: {told}.")
    table["cells"] = sorted(cells, key=lambda each: order[find_place(each)])


def baseline_row(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Rate the status quo 0 everywhere. If the status quo has changed, all options must be rated anew.

    Ratings against the former status quo are stored, and become valid again if it returns.
    """
    table, baseline = draft["table"], so_far.baseline
    if baseline is None:
        return
    last, order = table.get("baseline_id", baseline), _index_places(so_far)
    if last != baseline:
        draft["table"] = table = rebase(table, baseline)
        table["cells"] = [each for each in table["cells"] if find_place(each) in order]  # others are gone meanwhile
        yield _describe_new_baseline(so_far, last, baseline, len(table["cells"]))
    given = {find_place(each): each for each in table["cells"]}
    if any(given[at]["rating"] for at in given if at[0] == baseline):
        yield Remark(f"{so_far.label(baseline)} is what everything is compared with: its ratings were set to 0.")
    for objective in so_far.objectives:
        cell = given.get((baseline, objective))
        if cell is None or cell["rating"]:
            given[baseline, objective] = {"alternative_id": baseline, "objective_id": objective, "rating": 0}
    table["cells"], table["baseline_id"] = sorted(given.values(), key=lambda each: order[find_place(each)]), baseline


def _describe_new_baseline(so_far: DecisionRecord, last: str, now: str, back: int) -> Remark:
    if back:
        return Remark(f"{so_far.label(now)} is the status quo again: {back} ratings given against it count again.")
    # Ratings against an option that was removed are removed with it, like every reference to it.
    kept = "; what they come to by subtraction is proposed to you, and nothing of them is lost"
    return Remark(
        f"The ratings compared with {so_far.label(last)}, but {so_far.label(now)} is the status quo now. "
        f"They have to be given anew{kept if last in so_far.alternatives else ''}.",
        blocking=True,
    )


def amounts_dated(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Note beside each amount the rating that it was given for. A rating that changes leaves the note as it was."""
    before = map_cells(so_far.before)
    for cell in find_values(draft, "table.cells[]"):
        if "quant_value" not in cell:
            cell.pop("amount_for", None)
        elif find_value(cell, "amount_for.amount") != cell["quant_value"]:
            last = before.get(find_place(cell), {})
            is_same = last.get("quant_value") == cell["quant_value"]
            noted = (last.get("amount_for") or note_amount(last) if is_same else None) or note_amount(cell)
            cell.pop("amount_for", None)
            cell |= {"amount_for": {**noted, "amount": cell["quant_value"]}} if noted else {}
    yield from ()


def notes_dated(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Note which ratings people's texts were written for, and ask about texts on other ratings."""
    date_notes(draft, so_far)
    changes = {text: find_change(draft, field, text, so_far) for field, text in list_notes(draft)}
    old = [shorten(remove_stop(text)) for text, since in changes.items() if since]
    them = "Does it" if len(old) == 1 else "Do they"
    if Since.RATINGS in changes.values():
        yield Remark(f"Written for earlier ratings: {name_few(old)}. {them} still hold?")
    elif old:
        yield Remark(f"Written for other options or objectives: {name_few(old)}. {them} still hold?")


def survivors(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Keep the standout that the analysis names, and regrets of remaining options only."""
    named = find_value(draft, "standout_option.alternative_id")
    if named and (so_far.standout is None or so_far.standout.alternative != named):
        del draft["standout_option"]
        yield Remark(f"On your ratings {so_far.label(named)} does not stand out, so it is not named as such.")
    if so_far.analysis and "regret_notes" in draft:
        left = so_far.analysis.dominance.left
        aside = [each for each in draft["regret_notes"] if each["alternative_id"] not in left]
        draft["regret_notes"] = [each for each in draft["regret_notes"] if each not in aside]
        for each in aside:
            yield Remark(f"{so_far.label(each['alternative_id'])} was set aside: shall it stay so?")


def overall(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Set the overall score to the lowest score, never to a mean."""
    claimed = draft.get("overall_score")
    card = read_quality(draft)
    for name in ("overall_score", "weakest", "acceptable"):
        draft.pop(name, None)
    if card.overall is not None:
        weakest = [each.value for each in card.weakest]
        draft |= {"overall_score": card.overall, "weakest": weakest, "acceptable": card.acceptable}
        if claimed not in (None, card.overall):
            yield Remark(f"The overall score is the lowest one: {card.overall}, not {claimed}.")


def actions_linked(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Write names for the handles that people gave as what an action works on. What its words tell, nobody said."""
    for each in find_values(draft, "planned_actions[]"):
        if "addresses" in each:
            each["addresses"] = find_aim(each, draft, so_far)
    yield from ()


def _index_places(so_far: DecisionRecord) -> dict[At, int]:
    return {at: index for index, at in enumerate(product(so_far.alternatives, so_far.objectives))}


MENDS: Final[Mapping[str, Mend]] = MappingProxyType(
    {
        "focal_copied": copy_focal,
        "baseline_marked": mark_baseline,
        "table_frame": table_frame,
        "baseline_row": baseline_row,
        "amounts_dated": amounts_dated,
        "as_computed": as_computed,
        "notes_dated": notes_dated,
        "survivors": survivors,
        "overall": overall,
        "actions_linked": actions_linked,
    }
)
