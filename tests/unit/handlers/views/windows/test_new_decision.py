"""What the form that begins a decision offers."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.copy import decision_steps
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.views.windows.new_decision import (
    MATERIAL_CHARS,
    QUESTION_CHARS,
    DecisionOrigin,
    FormOptions,
    build_draft_form,
    build_form,
    name_channel,
    parse_command,
    read,
    read_draft,
    suggest_question,
)


@pytest.mark.parametrize(
    ("readers", "said"),
    [
        (None, decision_steps.HERE),
        (1, decision_steps.HERE_READ.format(readers="1 member")),
        (12, decision_steps.HERE_READ.format(readers="12 members")),
    ],
)
def test_a_channel_is_offered_with_the_number_of_its_readers_where_that_is_known(
    readers: int | None, said: str
) -> None:
    shown = build_form(
        DecisionOrigin(channel="C1"), FormOptions(private=False, readers=readers, here=True), "Should we?"
    )
    (place,) = [each for each in shown["blocks"] if each.get("block_id") == action_ids.DECIDE_PLACE_FIELD]
    assert [each["text"]["text"] for each in place["element"]["options"]] == [decision_steps.DIRECT, said]


@pytest.mark.req("AG-06")
@pytest.mark.parametrize(
    ("typed", "question", "material"),
    [
        ("--direct Where do we meet?", "Where do we meet?", ""),
        ("--direct  Where do we meet? Oslo is far.", "Where do we meet?", "Oslo is far."),
        (
            "--direct\nWhere do  we meet\n\nOslo is far.\nBergen is wet.",
            "Where do we meet",
            "Oslo is far.\nBergen is wet.",
        ),
        ("--direct", "", ""),
        (f"--direct {'word ' * 200}", f"{'word ' * 200}"[: QUESTION_CHARS - 1].rstrip() + "…", ("word " * 200).strip()),
    ],
)
def test_direct_mode_takes_the_first_line_as_the_question_and_the_rest_as_material(
    typed: str, question: str, material: str
) -> None:
    assert parse_command(typed) == (question, True, material)


@pytest.mark.req("AG-06")
@given(st.text(max_size=12_000))
@example("word " * 200)
def test_nothing_of_what_is_typed_for_direct_mode_is_lost_below_ten_thousand_characters(typed: str) -> None:
    question, is_direct, material = parse_command(f"--direct {typed}")
    assert is_direct
    assert len(question) <= QUESTION_CHARS
    assert len(material) <= MATERIAL_CHARS
    words = "".join(typed.split())
    kept = "".join(material.split())
    if len(typed) <= MATERIAL_CHARS:
        assert words in ("".join(question.split()) + kept, kept)


@pytest.mark.req("AG-06")
@pytest.mark.parametrize("length", [0, 1, 3_000, 3_001, 9_000, 10_000])
def test_the_form_of_direct_mode_holds_the_whole_material_and_gives_it_back(length: int) -> None:
    material = ("word " * 2_000)[:length].strip()
    form = build_form(DecisionOrigin(channel="C1", direct=True), FormOptions(private=True), "Where?", material)
    fields = [each["element"] for each in form["blocks"] if each.get("block_id", "").startswith("material:")]
    assert all(each["max_length"] <= 3_000 for each in fields)
    values = {each["action_id"]: {each["action_id"]: {"value": each.get("initial_value")}} for each in fields}
    assert read({**form, "state": {"values": values}}).material == material
    plain = build_form(DecisionOrigin(channel="C1"), FormOptions(private=True), "Where?")
    assert not [each for each in plain["blocks"] if each.get("block_id", "").startswith("material:")]


@pytest.mark.req("AG-06")
def test_the_form_of_a_draft_gives_back_its_thread_and_ten_thousand_characters() -> None:
    thread = ThreadKey(team="T1", channel="C1", root="1770000000.000100")
    form = build_draft_form(thread, "Objectives")
    assert "*Objectives*" in str(form["blocks"][0])
    fields = [each["element"] for each in form["blocks"][1:]]
    assert all(each["optional"] for each in form["blocks"][1:]), "nothing has to be brought"
    material = ("word " * 2_000).strip()
    parts = [material[at : at + 3_000] for at in range(0, len(material), 3_000)]
    values = {each["action_id"]: {each["action_id"]: {"value": part}} for each, part in zip(fields, parts, strict=True)}
    assert read_draft({**form, "state": {"values": values}}) == (thread, material)
    apart = [{name: {name: {"value": text}}} for name, text in zip(values, ("It lasts.", "The oven."), strict=False)]
    assert read_draft({**form, "state": {"values": apart[0] | apart[1]}}) == (thread, "It lasts.\n\nThe oven.")
    assert read_draft(form) == (thread, "")
    assert read_draft({}) == (None, "")


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("The lease ends. Should we move? Sam says no.", "Should we move?"),
        ("The lease ends.\nWhere   to then? Or stay?", "Where to then?"),
        ("We have to decide about the office.\nBy March.", "We have to decide about the office."),
        ("\n\n", ""),
        ("x" * 600, "x" * 500),
    ],
)
def test_a_draft_from_a_thread_suggests_the_one_question_that_its_message_asks(message: str, question: str) -> None:
    assert suggest_question(message) == question


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Should we buy a new gas oven for the central bakery?", "decide-should-we-buy-a-new-gas-oven-for-the-9acc"),
        ("Should we buy a gas oven for all the six shops?", "decide-should-we-buy-a-gas-oven-for-all-the-six-9acc"),
        ("Where do we meet?", "decide-where-do-we-meet-9acc"),
        ("x" * 60, f"decide-{'x' * 40}-9acc"),
        ("Où?", "decide-ou-9acc"),
        ("?", "decide-9acc"),
    ],
)
def test_the_name_of_a_channel_ends_with_a_whole_word_of_the_question(question: str, name: str) -> None:
    assert name_channel(question, "9acc") == name
