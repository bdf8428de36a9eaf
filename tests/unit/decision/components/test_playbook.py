"""Components are folders: nine ship, a tenth is one folder more, and what is wrong in one is said when it is read."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest

import app.decision
from app.core.file_content import FileKind
from app.core.state.interview import Phase
from app.decision.drafts.derived import MENDS
from app.decision.playbook.openings import write_opening
from app.decision.playbook.playbook import load_playbook, load_proact
from app.decision.record import DecisionRecord
from app.decision.rules.checks import CRITERIA, RULES
from app.decision.schema.paths import Draft, walk_objects
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, accepted, minimal, refused

SHIPPED = Path(str(app.decision.__file__)).parent / "playbook" / "components"


def tenth(root: Path, file: str = "component.toml", old: str = "", new: str = "") -> Path:
    """A folder with one more component, made of the first one, and changed in one of its files."""
    folder = root / "reflection"
    shutil.copytree(SHIPPED / "issue_raising", folder)
    definition = (folder / "component.toml").read_text("utf-8")
    definition = definition.replace('key = "issue_raising"\norder = 1', 'key = "reflection"\norder = 10')
    definition = definition.replace('sheet = "issue_raising"\nconcerns = ["problem_frame"]\n', "")
    (folder / "component.toml").write_text(definition.replace("purpose", 'after = "objectives"\npurpose', 1), "utf-8")
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), "utf-8")
    return root


@pytest.mark.req("S0-273", "S0-278")
def test_nine_components_ship_in_the_order_of_a_decision() -> None:
    assert KEYS == (
        "issue_raising", "problem_frame", "objectives", "alternatives", "consequences", "tradeoffs", "recommendation",
        "decision_quality", "notes_next_steps",
    )  # fmt: skip
    assert load_proact() is PLAYBOOK


@pytest.mark.req("S0-244", "S0-245", "S0-246")
def test_each_component_has_its_token_budget() -> None:
    budgets = {each.key: (each.context_tokens, each.reserved_tokens) for each in PLAYBOOK.components}
    large = dict.fromkeys(("consequences", "tradeoffs", "recommendation"), (32_000, 4_000))
    assert budgets == {**dict.fromkeys(KEYS, (16_000, 2_000)), **large, "notes_next_steps": (8_000, 1_000)}


@pytest.mark.req("IN-07")
def test_a_table_fits_the_steps_of_its_options_objectives_and_amounts_and_a_document_each_step() -> None:
    fitting = {kind: [each.key for each in PLAYBOOK.components if each.can_draft_from(kind)] for kind in FileKind}
    assert fitting[FileKind.TABLE] == ["objectives", "alternatives", "consequences"]
    assert fitting[FileKind.IMAGE] == []
    assert all(fitting[kind] == [*KEYS] for kind in (FileKind.PDF, FileKind.TEXT, FileKind.DOCUMENT))


@pytest.mark.req("S4-057")
def test_a_folder_more_is_a_component_more(tmp_path: Path) -> None:
    playbook = load_playbook(SHIPPED, tenth(tmp_path))
    assert [each.key for each in playbook.components] == [*KEYS, "reflection"]
    added = playbook["reflection"]
    assert added.tool == "submit_reflection"
    assert set(added.guidance) == set(Phase)
    assert "?" in write_opening(added, DecisionRecord({}, TODAY))
    assert added.after == "objectives"


def test_a_playbook_of_other_components_needs_no_folder_of_ours(tmp_path: Path) -> None:
    folder = tenth(tmp_path, "component.toml", 'after = "objectives"\n')
    assert [each.key for each in load_playbook(folder).components] == ["reflection"]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("component.toml", "messages = 3", "messages = -1", "messages"),
        ("component.toml", "title =", "surprise = 1\ntitle =", "surprise"),
        ("component.toml", "near_duplicates", "no_such_rule", "no_such_rule"),
        ("component.toml", "rules =", 'mends = ["none_such"]\nrules =', "none_such"),
        ("component.toml", "least = 1", 'rule = "unheard_of"', "unheard_of"),
        ("component.toml", "least = 1", "", "a criterion has a rule"),
        ("component.toml", '"uncertainties[]"', '"wonders[]"', "wonders"),
        ("component.toml", "key =", "key ==", "reflection"),
        ("schema.json", '{\n  "type": "object"', '{\n  "type": "thing"', "thing"),
        ("schema.json", "#/$defs/text", "#/$defs/song", "song"),
        ("guidance.txt", "# confirm", "confirm", "each phase"),
        ("opening.txt", "Welcome", "{nothing_computed}", "nothing_computed"),
        ("opening.txt", "Welcome", "{later_step.items}", "out of order"),
        ("component.toml", 'after = "objectives"', 'after = "nowhere"', "nowhere"),
        ("component.toml", "order = 10", "order = 9", "twice"),
        ("component.toml", 'key = "reflection"', 'key = "objectives"', "twice"),
        ("component.toml", "title =", 'sheet = "wallpaper"\ntitle =', "wallpaper"),
        ("component.toml", "title =", 'deadline = "due"\ntitle =', "due"),
        ("component.toml", "title =", "long_discussion = 0.5\ntitle =", "long_discussion"),
        ("component.toml", "title =", 'concerns = ["objectives"]\ntitle =', "'reflection' concerns .*: objectives"),
        ("component.toml", "title =", 'concerns = ["reflection"]\ntitle =', "'reflection' concerns .*: reflection"),
        ("component.toml", "title =", 'concerns = ["afterthought"]\ntitle =', "'reflection' concerns .*: afterthought"),
    ],
)
def test_what_is_wrong_in_a_folder_is_said_when_it_is_read(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = tenth(tmp_path, file, old, new)
    with pytest.raises(ValueError, match=said):
        load_playbook(folder, SHIPPED)


def test_a_folder_without_a_file_is_named(tmp_path: Path) -> None:
    (tenth(tmp_path) / "reflection" / "opening.txt").unlink()
    with pytest.raises(ValueError, match="reflection"):
        load_playbook(SHIPPED, tmp_path)


def test_each_component_needs_the_one_before_and_the_notes_only_the_first() -> None:
    needed = {later: earlier for earlier, later in pairwise(KEYS[:-1])}
    needed |= {"issue_raising": "", "notes_next_steps": "issue_raising"}
    assert {each.key: each.after for each in PLAYBOOK.components} == needed


def test_a_decision_can_be_closed_when_its_quality_is_judged() -> None:
    assert [each.key for each in PLAYBOOK.components if each.closes_decision] == ["decision_quality"]


def test_what_comes_before_and_after_a_component_is_known() -> None:
    assert [each.key for each in PLAYBOOK.earlier("alternatives")] == list(KEYS[:3])
    assert [each.key for each in PLAYBOOK.later("recommendation")] == list(KEYS[7:])
    with pytest.raises(KeyError):
        PLAYBOOK["no_such_step"]


def test_a_change_concerns_what_was_built_on_it() -> None:
    """The notes name the option that was chosen, and rest on what speaks for it. What is not yet there comes later."""
    consequences, tradeoffs, recommendation, quality, notes = KEYS[4:]
    assert {each.key: each.concerns for each in PLAYBOOK.components} == {
        "issue_raising": ("problem_frame",),
        "problem_frame": KEYS[2:],
        "objectives": (consequences, tradeoffs, recommendation, quality),
        "alternatives": KEYS[4:],
        consequences: (tradeoffs, recommendation, quality),
        tradeoffs: (recommendation, quality),
        recommendation: (quality, notes),
        quality: (notes,),
        notes: (),
    }


def test_where_there_is_more_to_talk_about_the_talk_may_be_longer_and_a_mirror_is_not_approved() -> None:
    long = {each.key for each in PLAYBOOK.components if each.long_discussion}
    assert long == {"objectives", "consequences", "decision_quality"}
    labels = {each.key: each.approve for each in PLAYBOOK.components}
    assert labels == {**dict.fromkeys(KEYS, "Approve"), "recommendation": "Read and understood"}


def test_every_rule_mend_and_criterion_is_used_by_some_component() -> None:
    used = {name for each in PLAYBOOK.components for name in (*each.rules, *each.mends)}
    assert used == {*RULES, *MENDS}
    assert {each.rule for one in PLAYBOOK.components for each in one.criteria if each.rule} == set(CRITERIA)


@pytest.mark.parametrize("key", KEYS)
def test_prompt_and_schema_have_versions(key: str) -> None:
    assert PLAYBOOK[key].prompt_version
    assert PLAYBOOK[key].schema_version


@pytest.mark.parametrize("key", KEYS)
def test_no_object_takes_a_field_that_the_schema_does_not_name(key: str) -> None:
    shapes = [each for each in walk_objects(PLAYBOOK[key].json_schema) if each.get("type") == "object"]
    assert shapes
    assert all(each["additionalProperties"] is False for each in shapes)


@pytest.mark.req("S0-042")
def test_a_text_has_500_characters_at_most_and_a_list_50_items() -> None:
    def told(length: int, count: int) -> Draft:
        items = [{"handle": f"C{number}", "text": f"{number} ".ljust(length, "x")} for number in range(1, count + 1)]
        return {**minimal("issue_raising"), "considerations": items}

    assert accepted("issue_raising", told(500, 50)).draft["considerations"]
    assert refused("issue_raising", told(501, 1)) == {"considerations.0.text": "too long"}
    assert refused("issue_raising", told(9, 51)) == {"considerations": "too many"}


@pytest.mark.req("S0-042")
@pytest.mark.parametrize("key", KEYS)
def test_no_text_and_no_list_may_grow_without_a_limit(key: str) -> None:
    for each in walk_objects(PLAYBOOK[key].json_schema):
        if each.get("type") in ("string", "array"):
            assert {"maxLength", "maxItems", "pattern", "format"} & each.keys(), each
