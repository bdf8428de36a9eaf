"""Reading in a child process: whatever the bytes are and whatever the child does, the program lives and knows."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import zipfile
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from app.configuration import build_file_reader
from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.child import FILES
from app.files.file_limits import FileLimits
from app.files.parsing import parse_file
from app.files.process_reader import AT_ONCE, ProcessFileReader
from app.settings import Settings
from tests.properties import limit_examples
from tests.unit.files.sample_files import lock_pdf, make_document, make_image, make_pdf, make_workbook, write_image

SECONDS = 20.0
WHOLE = {
    "image": make_image(),
    "pdf": make_pdf(["Offer", ""]),
    "workbook": make_workbook(Costs=[["City", "Price"], ["Berlin", 12]]),
    "document": make_document("Hello", "World"),
    "csv": "City;Price\nBerlin;12".encode("utf-16"),
    "text": b"Hello",
}
KINDS = {
    "image": FileKind.IMAGE,
    "pdf": FileKind.PDF,
    "workbook": FileKind.TABLE,
    "document": FileKind.DOCUMENT,
    "csv": FileKind.TABLE,
    "text": FileKind.TEXT,
}


async def read(content: bytes, name: str = "a.csv", limits: FileLimits | None = None, code: str = "") -> FileContent:
    """Read in a child; with `code`, in one that a file has taken over, or that has a bug."""
    limits = limits or FileLimits(seconds=SECONDS)
    reader = ProcessFileReader(limits, (sys.executable, "-c", code)) if code else ProcessFileReader(limits)
    return await reader.read(content, name)


async def refuse(content: bytes, limits: FileLimits | None = None, code: str = "") -> FileFault:
    with pytest.raises(FileRefused) as refused:
        await read(content, limits=limits, code=code)
    return refused.value.reason


def is_running(process: int) -> bool:
    """True unless it has ended; one that nobody has waited for yet has ended, too."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


async def has_ended(process: int) -> bool:
    """True once it has: the kernel closes what a killed process holds before it buries it."""
    for _ in range(100):
        if not is_running(process):
            return True
        await asyncio.sleep(0.05)
    return False


@pytest.mark.req("IN-02")
@pytest.mark.parametrize("what", WHOLE)
async def test_a_file_of_each_kind_is_read_as_in_the_program_itself(what: str) -> None:
    name = "a.csv" if what == "csv" else "a.txt"
    found = await read(WHOLE[what], name)
    assert found.kind is KINDS[what]
    assert found == parse_file(WHOLE[what], name, FileLimits())


@pytest.mark.req("IN-04")
async def test_a_fault_is_told_with_its_limit() -> None:
    with pytest.raises(FileRefused) as refused:
        await read(make_pdf(["a"] * 3), limits=FileLimits(pages=2))
    assert (refused.value.reason, refused.value.limit) == (FileFault.TOO_MANY_PAGES, 2)
    assert await refuse(lock_pdf(make_pdf(["a"]), "geheim")) is FileFault.LOCKED
    assert await refuse(b"%PDF-1.7 broken") is FileFault.BROKEN


@pytest.mark.req("IN-02", "IN-04")
async def test_an_empty_and_a_too_large_file_start_no_process() -> None:
    never = "open('/nowhere/at/all')"
    assert await refuse(b"", code=never) is FileFault.EMPTY
    with pytest.raises(FileRefused) as refused:
        await read(b"x" * 11, limits=FileLimits(bytes=10), code=never)
    assert (refused.value.reason, refused.value.limit) == (FileFault.TOO_LARGE, 10)
    assert (await read(b"x" * 10, limits=FileLimits(bytes=10, seconds=SECONDS))).text


@pytest.mark.req("IN-02")
async def test_the_reader_takes_files_as_large_and_as_long_as_the_operator_says() -> None:
    known = Settings.model_validate({"file_megabytes": 2, "file_pages": 1, "file_seconds": SECONDS})
    reader = build_file_reader(known)
    assert (await reader.read(make_pdf(["Offer"]), "a.pdf")).pages == ("Offer",)
    for content, fault, limit in (
        (make_pdf(["Offer", "Price"]), FileFault.TOO_MANY_PAGES, 1),
        (b"x" * 2_000_001, FileFault.TOO_LARGE, 2_000_000),
    ):
        with pytest.raises(FileRefused) as refused:
            await reader.read(content, "a.pdf")
        assert (refused.value.reason, refused.value.limit) == (fault, limit)


@pytest.mark.req("IN-03")
async def test_a_bomb_of_a_picture_costs_neither_memory_nor_time() -> None:
    content = write_image(Image.new("1", (20_000, 20_000)), "PNG")
    assert len(content) < 1_000_000
    before = time.monotonic()
    assert await refuse(content) is FileFault.TOO_MUCH_MEMORY
    assert time.monotonic() - before < 5


@pytest.mark.req("IN-03")
async def test_a_picture_that_takes_more_memory_than_allowed_ends_the_child_alone() -> None:
    content = write_image(Image.new("L", (16_000, 16_000)), "PNG")
    limits = FileLimits(pixels=1 << 40, memory=256_000_000, seconds=SECONDS)
    assert await refuse(content, limits) is FileFault.TOO_MUCH_MEMORY


@pytest.mark.req("IN-03", "IN-04")
async def test_a_file_that_is_larger_than_the_memory_for_it_is_told_as_such() -> None:
    limits = FileLimits(bytes=60_000_000, memory=120_000_000, seconds=SECONDS)
    assert await refuse(b"x" * 60_000_000, limits) is FileFault.TOO_MUCH_MEMORY


@pytest.mark.req("IN-03")
async def test_a_sheet_of_many_megabytes_is_read_up_to_the_limit() -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}"><v>{n * 7919 % 99991}</v></c><c r="B{n}"><v>{n}</v></c><c r="C{n}"/></row>'
        for n in range(1, 200_001)
    )
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{space}"><dimension ref="A1:C9"/><sheetData>{rows}</sheetData></worksheet>'
    file = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(WHOLE["workbook"])) as small,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as large,
    ):
        for name in small.namelist():
            large.writestr(name, sheet if name.endswith("sheet1.xml") else small.read(name))
    assert len(sheet) > 10_000_000
    found = await read(file.getvalue(), "board.xlsx")
    assert "A7: 55433\tB7: 7" in found.text
    assert found.left_out.endswith(" of sheet Costs")
    assert len(found.text) > 390_000


@pytest.mark.req("IN-03", "IN-04")
async def test_a_child_that_hangs_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    code = f"""
import os, subprocess, sys, time
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(tmp_path / "pids")!r}, "w").write(f"{{os.getpid()}} {{other.pid}}")
time.sleep(60)
"""
    before = time.monotonic()
    assert await refuse(b"x", FileLimits(seconds=2), code) is FileFault.TOO_LONG_TO_READ
    assert time.monotonic() - before < 6
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert [await has_ended(pid) for pid in pids] == [True, True]


@pytest.mark.req("IN-03")
async def test_a_caller_who_gives_up_leaves_no_child_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)"
    reading = asyncio.create_task(read(b"x", code=code))
    while not (pid.exists() and pid.read_text()):
        await asyncio.sleep(0.02)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await has_ended(int(pid.read_text()))


@pytest.mark.req("IN-03", "IN-04")
@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", FileFault.BROKEN),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", FileFault.TOO_MUCH_MEMORY),
        ("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", FileFault.TOO_LONG_TO_READ),
        ("import os; os._exit(3)", FileFault.TOO_MUCH_MEMORY),
        ("raise RuntimeError", FileFault.FAILED),
        ("pass", FileFault.BROKEN),
        ("print('no answer')", FileFault.BROKEN),
        ("print('[' * 100_000)", FileFault.BROKEN),
        ("print('[]')", FileFault.BROKEN),
        ("print('{}')", FileFault.BROKEN),
        ('print(\'{"fault": "made up", "limit": 0}\')', FileFault.BROKEN),
        ('print(\'{"kind": "spell", "media_type": "a", "title": "b"}\')', FileFault.BROKEN),
        ('print(\'{"kind": "text", "media_type": 7, "title": ["b"]}\')', FileFault.BROKEN),
        ("import sys\nwhile True: sys.stdout.write('x' * 100_000)", FileFault.BROKEN),
    ],
)
async def test_a_child_that_dies_floods_or_lies_is_a_fault_and_nothing_else(code: str, fault: FileFault) -> None:
    limits = FileLimits(bytes=100, characters=10, pages=1, page_characters=10, seconds=SECONDS)
    assert await refuse(b"x" * 100, limits, code) is fault


@pytest.mark.req("IN-04")
async def test_a_child_that_ends_before_it_has_taken_the_whole_file_tells_why() -> None:
    assert await refuse(b"x" * 4_000_000, FileLimits(seconds=SECONDS), "import os; os._exit(3)") is (
        FileFault.TOO_MUCH_MEMORY
    )


@pytest.mark.req("IN-03")
async def test_a_file_is_read_by_this_program_whatever_lies_where_it_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    assert (await read(b"Hello", "a.txt")).text == "Hello"


@pytest.mark.req("IN-04")
async def test_a_program_that_cannot_start_is_not_the_fault_of_the_file() -> None:
    with pytest.raises(FileRefused) as refused:
        await ProcessFileReader(FileLimits(), ("no-such-program",)).read(b"x", "a.txt")
    assert refused.value.reason is FileFault.FAILED


BOUND = """
import json, os, resource, signal, sys
from app.files.child import bind
from app.files.file_limits import FileLimits
request = json.loads(sys.stdin.buffer.readline())
bind(FileLimits(**request["limits"]))
def attempt(name, act):
    try:
        act()
    except BaseException as error:
        return f"{name}: {type(error).__name__}"
    return f"{name}: done"
told = {
    "environment": sorted(os.environ),
    "limits": [resource.getrlimit(kind)[1] for kind in (
        resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE,
        resource.RLIMIT_NOFILE)],
    "gains": "NoNewPrivs:\\t1" not in open("/proc/self/status").read(),
    "memory": attempt("memory", lambda: bytearray(400_000_000)),
    "alarm": signal.getitimer(signal.ITIMER_REAL)[0] > 0,
}
print(json.dumps({"kind": "text", "media_type": "text/plain", "title": "t", "text": json.dumps(told)}))
"""


@pytest.mark.req("IN-03", "SE-10")
async def test_the_child_is_bound_in_memory_time_and_files_and_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THREADWISE_MASTER_KEY", "secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    found = await read(b"x", limits=FileLimits(memory=300_000_000, seconds=SECONDS), code=BOUND)
    told = json.loads(found.text)
    assert not [name for name in told["environment"] if name.startswith(("THREADWISE", "ANTHROPIC", "SLACK", "MONGO"))]
    assert told["limits"] == [300_000_000, SECONDS + 1, 0, 0, 0, FILES]
    assert (told["memory"], told["alarm"]) == ("memory: MemoryError", True)
    assert not told["gains"], "nothing that it runs has more rights than itself"


@pytest.mark.req("IN-03")
async def test_a_limit_that_is_lower_already_stays() -> None:
    code = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))\n" + BOUND
    found = await read(b"x", limits=FileLimits(memory=300_000_000, seconds=SECONDS), code=code)
    assert json.loads(found.text)["limits"][-1] == 48 < FILES


SPIN = """
import signal
from app.files.child import bind
from app.files.file_limits import FileLimits
bind(FileLimits(seconds=1))
"""


@pytest.mark.req("IN-03")
@pytest.mark.parametrize("work", ["signal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass", "signal.pause()"])
async def test_a_child_whose_parent_is_busy_or_dead_ends_by_itself(work: str) -> None:
    before = time.monotonic()
    assert await refuse(b"x", FileLimits(seconds=60), SPIN + work) is FileFault.TOO_LONG_TO_READ
    assert time.monotonic() - before < 20


@pytest.mark.req("IN-03")
async def test_a_child_does_not_outlive_the_program_that_asked(tmp_path: Path) -> None:
    """The program is killed the hardest way, between the question and the answer."""
    pid = tmp_path / "pid"
    child = "from app.files.child import bind\nfrom app.files.file_limits import FileLimits\nimport os, time\n"
    child += f"file = os.open({str(pid)!r}, os.O_CREAT | os.O_WRONLY)\nos.write(file, str(os.getpid()).encode())\n"
    child += "bind(FileLimits(seconds=60))\nos.rename(" + f"{str(pid)!r}, {str(tmp_path / 'bound')!r})\ntime.sleep(60)"
    program = f"""
import asyncio, sys
from app.files.file_limits import FileLimits
from app.files.parsing import parse_file
from app.files.process_reader import ProcessFileReader
asyncio.run(ProcessFileReader(FileLimits(seconds=60), (sys.executable, "-c", {child!r})).read(b"x", "a"))
"""
    asking = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    bound = tmp_path / "bound"
    while not bound.exists():
        await asyncio.sleep(0.05)
    asking.kill()
    await asking.wait()
    assert await has_ended(int(bound.read_text()))


@pytest.mark.req("IN-03")
async def test_no_more_files_are_read_at_once_than_there_is_memory_for_and_the_wait_costs_none_its_time(
    tmp_path: Path,
) -> None:
    code = f"""
import os, time
here = {str(tmp_path)!r}
open(f"{{here}}/{{os.getpid()}}", "w").close()
time.sleep(1.5)
print('{{"kind": "text", "media_type": "m", "title": "' + str(len(os.listdir(here))) + '"}}')
os.remove(f"{{here}}/{{os.getpid()}}")
"""
    reader = ProcessFileReader(FileLimits(seconds=4.2), (sys.executable, "-c", code))
    found = await asyncio.gather(*(reader.read(b"x", "a") for _ in range(2 * AT_ONCE + 1)))
    assert max(int(one.title) for one in found) <= AT_ONCE


async def try_to_read(reader: ProcessFileReader, content: bytes) -> FileContent | FileFault:
    try:
        return await reader.read(content, "a.csv")
    except FileRefused as refused:
        return refused.reason


def change(content: bytes, changes: list[tuple[int, bytes]]) -> bytes:
    changed = bytearray(content)
    for place, piece in changes:
        start = place % max(1, len(changed))
        changed[start : start + len(piece)] = piece
    return bytes(changed)


CHANGES = st.lists(st.tuples(st.integers(0, 100_000), st.binary(min_size=1, max_size=8)), max_size=6)
DAMAGED = st.builds(change, st.sampled_from(list(WHOLE.values())), CHANGES) | st.binary(max_size=2_000)


@pytest.mark.req("IN-03", "IN-04")
@limit_examples(25)
@given(content=DAMAGED)
def test_whatever_the_bytes_are_they_are_content_or_a_fault(content: bytes) -> None:
    reader = ProcessFileReader(FileLimits(seconds=SECONDS))
    found = asyncio.run(try_to_read(reader, content))
    assert found is not FileFault.FAILED
    if isinstance(found, FileContent):
        assert found.text or found.data
        assert "\0" not in found.title + found.left_out
