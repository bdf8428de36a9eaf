"""The bill of materials tells all that is locked, and nothing else."""

from __future__ import annotations

import json

import pytest

from tests.sbom import LOCK, bill, components


@pytest.mark.req("SE-19")
def test_each_package_of_the_lock_file_is_in_the_bill_with_its_version_and_all_its_hashes() -> None:
    lock = LOCK.read_text("utf-8")
    pinned = {line.partition("==")[0].partition("[")[0] for line in lock.splitlines() if "==" in line.split("#")[0]}
    made = bill(lock, "threadwise", "0")["components"]
    assert len(pinned) > 20
    assert {each["name"] for each in made} == pinned
    for each in made:
        entry = f"\n{lock}".partition(f"\n{each['name']}==")[2] or f"\n{lock}".partition(f"\n{each['name']}[")[2]
        assert each["version"] in entry.splitlines()[0]
    assert sum(len(each["hashes"]) for each in made) == lock.count("--hash=sha256:")


def test_it_names_no_address_and_is_the_same_each_time() -> None:
    lock = LOCK.read_text("utf-8")
    told = json.dumps(bill(lock, "threadwise", "0"))
    assert "://" not in told
    assert told == json.dumps(bill(lock, "threadwise", "0"))


def test_extras_and_markers_of_a_pin_are_no_part_of_its_name_and_version() -> None:
    lock = f'# made by a tool\nA_b.c[x]==1.0 ; python_version < "3.12" \\\n    --hash=sha256:{"0" * 64}\n    # via y\n'
    (made,) = components(lock.partition("\n")[2])
    assert (made["name"], made["version"], made["purl"]) == ("A_b.c", "1.0", "pkg:pypi/a-b-c@1.0")


def test_a_package_without_a_hash_is_no_part_of_a_bill() -> None:
    with pytest.raises(ValueError, match="a is locked without a hash"):
        bill("a==1.0\n", "threadwise", "0")
