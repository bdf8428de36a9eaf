"""Finding the mongod program, its home, and the cause of its failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.errors import SettingsError
from store.database.mongod import Home, describe_limits, find_cause, find_mongod


def test_a_mongod_on_the_path_is_preferred(tmp_path: Path) -> None:
    program = tmp_path / "mongod"
    program.touch(mode=0o755)
    assert find_mongod(search_path=str(tmp_path)) == program


def test_without_one_on_the_path_that_of_the_package_is_taken(tmp_path: Path) -> None:
    assert find_mongod(search_path=str(tmp_path)).parts[-4:] == ("fiftyone", "db", "bin", "mongod")


def test_without_either_the_error_says_all_that_can_be_done(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"install MongoDB, or set MONGODB_URI .* threadwise\[embedded\]"):
        find_mongod(search_path=str(tmp_path), package="no_such_package")


@pytest.mark.req("SE-16")
def test_of_the_packaged_one_is_said_that_it_is_past_its_end_of_life_and_what_each_is_meant_for(tmp_path: Path) -> None:
    packaged = describe_limits(search_path=str(tmp_path))
    (tmp_path / "mongod").touch(mode=0o755)
    installed = describe_limits(search_path=str(tmp_path))
    assert packaged.startswith("The embedded MongoDB 6.0.5 is past its end of life")
    assert "end of life" not in installed
    assert all("meant for a trial or one small machine" in words for words in (packaged, installed))


def test_the_socket_is_in_a_folder_that_only_its_owner_may_enter(tmp_path: Path) -> None:
    (tmp_path / "mongodb").mkdir(mode=0o755)
    home = Home.under(tmp_path)
    assert home.socket.parent.stat().st_mode & 0o777 == 0o700
    assert (home.path / "db").is_dir()


def test_a_relative_and_an_absolute_path_are_the_same_home(tmp_path: Path) -> None:
    assert Home.under(tmp_path / "a" / ".." / "b") == Home.under(tmp_path / "b")


def test_a_path_is_long_at_108_bytes_and_not_at_107(tmp_path: Path) -> None:
    rest = 107 - len(bytes(tmp_path / "mongodb" / "m.sock")) - 1
    fits, long = Home.under(tmp_path / ("x" * rest)), Home.under(tmp_path / ("x" * (rest + 1)))
    assert len(bytes(fits.socket)) == 107
    assert fits.socket.parent == fits.path
    assert len(bytes(long.socket)) < 107
    assert long.socket.parent.stat().st_mode & 0o777 == 0o700
    long.socket.parent.rmdir()


def test_a_folder_that_cannot_be_ours_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "mongodb").touch()
    with pytest.raises(SettingsError, match=r"needs the folder .*THREADWISE_DATA_DIR"):
        Home.under(tmp_path)


def test_a_folder_that_somebody_put_there_as_a_link_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "mongodb").mkdir()
    (tmp_path / "mongodb" / "db").symlink_to(tmp_path)
    with pytest.raises(SettingsError, match="belongs to somebody else"):
        Home.under(tmp_path)


INFO = '{"t":{},"s":"I",  "c":"CONTROL", "msg":"Automatically disabling TLS 1.0"}'


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("", "it said nothing"),
        ("mongod: cannot execute\nmore", "mongod: cannot execute"),
        (f'{INFO}\n{{"s":"E", "attr":{{"error":"File name too long"}}}}\n{INFO}', "File name too long"),
        (f'{INFO}\n{{"s":"F", "attr":{{"error":{{"code":2,"errmsg":"must be greater"}}}}}}', "must be greater"),
        (f'{INFO}\n{{"s":"E", "msg":"no attr"}}', '{"s":"E", "msg":"no attr"}'),
        (f"{INFO}\nkilled", INFO),
    ],
)
def test_the_cause_is_the_first_error_that_mongod_logged(output: str, said: str) -> None:
    assert find_cause(output, free=2**30) == said


@pytest.mark.parametrize(
    ("library", "install"), [("libcurl.so.4", "libcurl4"), ("libm.so.6", "the package that has it")]
)
def test_of_a_library_that_the_system_lacks_is_told_how_to_install_it(library: str, install: str) -> None:
    output = f"/db/bin/mongod: error while loading shared libraries: {library}: cannot open shared object file: No such"
    assert find_cause(output, free=2**30) == (
        f"this system has no {library}. Install {install} (on Debian and Ubuntu: apt-get install) and try again."
    )


@pytest.mark.parametrize("output", ["", '{"s":"E","attr":{"error":"No sp'], ids=["nothing", "half a line"])
def test_of_a_disk_that_is_full_is_told_where_to_make_room_whatever_mongod_could_still_write(output: str) -> None:
    assert find_cause(output, free=3 * 2**20) == (
        "its disk is full (3 MB are free). Make room where THREADWISE_DATA_DIR is."
    )
