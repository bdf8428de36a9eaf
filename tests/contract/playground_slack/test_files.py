"""Files an app uploads, the way the SDK's files_upload_v2 does, and what people see of them."""

import pytest
from aiohttp import ClientSession

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import Bot, bot_of, refusal, refused

PAGE = "<!doctype html><h1>Night cover</h1><script>alert(1)</script>"


async def announced(bot: Bot, content: bytes = b"hello", name: str = "note.txt") -> tuple[str, str]:
    """Announce a file; returns its id and where it is to be posted."""
    answer = await bot.files_getUploadURLExternal(filename=name, length=len(content))
    return answer["file_id"], answer["upload_url"]


async def uploaded(bot: Bot, browser: ClientSession, content: bytes = b"hello") -> str:
    """Announce a file and post it; returns its id."""
    file_id, address = await announced(bot, content)
    async with browser.post(address, data=content) as answer:
        assert answer.status == 200
    return file_id


async def test_files_of_the_sdk_are_in_the_thread_as_they_were_sent(slack: SlackPlayground, bot: Bot):
    root = await slack.people.says("Maya", "#general", "export it")
    answer = await bot.files_upload_v2(
        channel=channel_id(slack, "general"),
        thread_ts=root,
        initial_comment="Here it is.",
        file_uploads=[
            {"filename": "decision.html", "title": "Night cover", "content": PAGE},
            {"filename": "decision.json", "content": b"{}"},
        ],
    )
    page, record = slack.people.files("Sam", "#general", root)
    assert (page.name, page.title, page.mimetype, page.content.decode()) == (
        "decision.html",
        "Night cover",
        "text/html",
        PAGE,
    )
    assert (record.name, record.title, record.size) == ("decision.json", "decision.json", 2)
    assert [file["id"] for file in answer["files"]] == [page.id, record.id]
    [message] = slack.people.sees("Sam", "#general", root)[1:]
    assert (message.text, message.user, message.files) == ("Here it is.", slack.bot_user_id, (page, record))
    assert slack.people.files("Sam", "#general") == []


async def test_message_with_a_file_says_so_to_whoever_reads_or_hears_it(slack: SlackPlayground, bot: Bot):
    # Slack: such a message has the subtype file_share, and `files` beside its text.
    general = channel_id(slack, "general")
    async with Line(slack) as line:
        await bot.files_upload_v2(channel=general, filename="note.txt", content="hello")
        heard = await line.event()
    read = (await bot.conversations_history(channel=general))["messages"][0]
    for message in (heard, read):
        assert (message["subtype"], message["upload"], message["bot_id"]) == (
            "file_share",
            False,
            slack.workspace.app.bot_id,
        )
        [file] = message["files"]
        assert (file["name"], file["size"], file["user"]) == ("note.txt", 5, slack.bot_user_id)


async def test_file_message_is_updated_and_deleted_like_any_of_the_bots(slack: SlackPlayground, bot: Bot):
    general = channel_id(slack, "general")
    await bot.files_upload_v2(channel=general, filename="note.txt", content="hello", initial_comment="one")
    [message] = slack.people.sees("Maya", "#general")
    await bot.chat_update(channel=general, ts=message.ts, text="two")
    [changed] = slack.people.sees("Maya", "#general")
    assert (changed.text, changed.files) == ("two", message.files)
    await bot.chat_delete(channel=general, ts=message.ts)
    assert slack.people.files("Maya", "#general") == []


async def test_file_without_a_channel_is_shown_to_nobody(slack: SlackPlayground, bot: Bot):
    # Slack: without channel_id the file stays private.
    await bot.files_upload_v2(filename="note.txt", content="hello")
    assert slack.people.sees("Maya", "#general") == []


async def test_bytes_that_are_not_as_many_as_announced_are_not_taken(bot: Bot, browser: ClientSession):
    _, address = await announced(bot, b"hello")
    async with browser.post(address, data=b"hell") as answer:
        assert (answer.status, await answer.text()) == (400, "5 bytes were announced, 4 came.")


async def test_address_takes_one_file_and_is_of_the_playground(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    _, address = await announced(bot)
    statuses: list[int] = []
    for _ in range(2):
        async with browser.post(address, data=b"hello") as answer:
            statuses.append(answer.status)
    assert statuses == [200, 404]
    async with browser.post(f"{slack.url}/upload/0", data=b"hello") as answer:
        assert answer.status == 404


async def test_ticket_is_for_a_file_that_has_come_and_is_good_once(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    # Slack: file_not_found, "could not find the file from the upload ticket".
    general = channel_id(slack, "general")
    waiting, _ = await announced(bot)
    assert (
        await refused(bot.files_completeUploadExternal(files=[{"id": waiting}], channel_id=general)) == "file_not_found"
    )
    ticket = [{"id": await uploaded(bot, browser)}]
    assert (await bot.files_completeUploadExternal(files=ticket, channel_id=general))["ok"]
    assert await refused(bot.files_completeUploadExternal(files=ticket, channel_id=general)) == "file_not_found"
    assert len(slack.people.files("Maya", "#general")) == 1


async def test_completion_that_is_refused_shares_nothing_and_leaves_the_ticket_good(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    general, ticket = channel_id(slack, "general"), [{"id": await uploaded(bot, browser)}]
    wrong = {
        "channel_not_found": {"channel_id": "C0NOWHERE"},
        "not_in_channel": {"channels": [general, channel_id(slack, "random")]},
        "invalid_thread_ts": {"channel_id": general, "thread_ts": "yesterday"},
        "channels_limit_exceeded": {"channels": [f"C{number}" for number in range(101)]},
    }
    for code, where in wrong.items():
        assert await refused(bot.files_completeUploadExternal(files=ticket, **where)) == code
    assert await refused(bot.files_completeUploadExternal(files=[], channel_id=general)) == "invalid_arguments"
    assert slack.people.sees("Maya", "#general") == []
    assert (await bot.files_completeUploadExternal(files=ticket, channels=[general]))["ok"]


@pytest.mark.parametrize(("length", "code"), [(0, "missing_argument"), (10**9, "file_upload_size_restricted")])
async def test_length_no_file_may_have_is_refused(bot: Bot, length: int, code: str):
    assert await refused(bot.files_getUploadURLExternal(filename="note.txt", length=length)) == code


async def test_upload_needs_its_scope(start: Start):
    slack = await start(SlackOptions(limits=False, scopes=BOT_SCOPES - {"files:write"}))
    answer = await refusal(bot_of(slack).files_upload_v2(filename="note.txt", content="hello"))
    assert (answer["error"], answer["needed"]) == ("missing_scope", "files:write")


# --- files of people ------------------------------------------------------------------------------------------------


async def fetched(browser: ClientSession, address: str, token: str = "") -> tuple[str, bytes]:
    """Kind and bytes of what stands at an address."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with browser.get(address, headers=headers) as answer:
        return answer.content_type, await answer.read()


async def test_a_persons_file_is_told_of_and_given_to_who_shows_the_token(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    async with Line(slack) as line:
        file = slack.people.brings("Maya", "costs.csv", b"City,Rent")
        await slack.people.says("Maya", "#general", "", files=[file])
        heard = await line.event()
    assert (heard["subtype"], heard["text"], heard["user"]) == ("file_share", "", user_id(slack, "Maya"))
    [told] = heard["files"]
    assert (told["name"], told["size"], told["mode"], told["file_access"]) == ("costs.csv", 9, "hosted", "visible")
    assert (await bot.files_info(file=file.id))["file"] == told
    for name in ("url_private", "url_private_download"):
        assert await fetched(browser, told[name], slack.bot_token) == ("text/csv", b"City,Rent")
        # Slack: without a token it is a page to log in, with HTTP 200.
        assert (await fetched(browser, told[name]))[0] == "text/html"


async def test_a_file_from_elsewhere_is_told_of_by_its_id_alone_until_it_is_looked_up(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        file = slack.people.brings("Maya", "costs.csv", b"City,Rent", is_checked=True)
        await slack.people.says("Maya", "#general", "see", files=[file])
        [told] = (await line.event())["files"]
    assert (told["mode"], told["file_access"], "name" in told) == ("file_access", "check_file_info", False)
    assert (await bot.files_info(file=file.id))["file"]["name"] == "costs.csv"


async def test_a_file_needs_its_scope_and_a_channel_of_the_bots(
    slack: SlackPlayground, bot: Bot, start: Start, browser: ClientSession
):
    file = slack.people.brings("Maya", "costs.csv", b"City,Rent")
    await slack.people.says("Maya", "#random", "see", files=[file])
    assert await refused(bot.files_info(file=file.id)) == "file_not_found"
    older = await start(SlackOptions(limits=False, scopes=BOT_SCOPES - {"files:read"}))
    known = older.people.brings("Maya", "costs.csv", b"City,Rent")
    await older.people.says("Maya", "#general", "see", files=[known])
    assert (await refusal(bot_of(older).files_info(file=known.id)))["needed"] == "files:read"
    address = f"{older.url}/files-pri/{older.team_id}-{known.id}/costs.csv"
    assert (await fetched(browser, address, older.bot_token))[0] == "text/html"


async def test_a_deleted_file_leaves_a_mark_and_is_told_of(slack: SlackPlayground, bot: Bot):
    file = slack.people.brings("Maya", "costs.csv", b"City,Rent")
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "see", files=[file])
        assert (await line.event())["files"][0]["id"] == file.id
        with pytest.raises(PermissionError):
            await slack.people.deletes_file("Sam", file.id)
        await slack.people.deletes_file("Maya", file.id)
        changed, deleted = await line.event(), await line.event()
    assert changed["message"]["files"] == [{"id": file.id, "mode": "tombstone"}]
    assert (deleted["type"], deleted["file_id"]) == ("file_deleted", file.id)
    assert await refused(bot.files_info(file=file.id)) == "file_deleted"


# --- in the browser ---------------------------------------------------------------------------------


async def test_file_opens_harmless_and_downloads_under_its_name(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    await bot.files_upload_v2(channel=channel_id(slack, "general"), filename="Böse.html", content=PAGE)
    [file] = slack.people.files("Maya", "#general")
    where = f"{slack.url}/play/files/{file.id}"
    async with browser.get(where, params={"user": user_id(slack, "Maya")}) as answer:
        assert (answer.content_type, answer.charset, await answer.text()) == ("text/html", "utf-8", PAGE)
        assert answer.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Content-Disposition"] == "inline; filename*=UTF-8''B%C3%B6se.html"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    async with browser.get(where, params={"user": user_id(slack, "Maya"), "download": "1"}) as answer:
        assert answer.headers["Content-Disposition"].startswith("attachment; ")
    async with browser.get(file.permalink) as answer:
        assert await answer.text() == PAGE


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a.md", "text/plain"),
        ("a.csv", "text/plain"),
        ("a.json", "application/json"),
        ("a", "application/octet-stream"),
    ],
)
async def test_text_is_opened_as_text(slack: SlackPlayground, bot: Bot, browser: ClientSession, name: str, shown: str):
    await bot.files_upload_v2(channel=channel_id(slack, "general"), filename=name, content="hello")
    [file] = slack.people.files("Maya", "#general")
    async with browser.get(f"{slack.url}/play/files/{file.id}") as answer:
        assert answer.content_type == shown


async def test_file_is_for_the_people_of_its_conversation_and_for_pages_of_this_machine(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    dm = await slack.people.opens_dm("Sam")
    await bot.files_upload_v2(channel=dm, filename="note.txt", content="hello")
    [file] = slack.people.files("Sam", dm)
    where = f"{slack.url}/play/files/{file.id}"
    for who, status in (("Sam", 200), ("Maya", 404)):
        async with browser.get(where, params={"user": user_id(slack, who)}) as answer:
            assert answer.status == status
    sams = {"user": user_id(slack, "Sam")}
    async with browser.get(where, params=sams, headers={"Host": "evil.example"}) as answer:
        assert answer.status == 403


async def test_page_is_told_of_the_files_of_a_message(slack: SlackPlayground, bot: Bot, browser: ClientSession):
    general = channel_id(slack, "general")
    await bot.files_upload_v2(channel=general, filename="note.txt", title="A note", content="hello")
    async with browser.get(f"{slack.url}/play/state") as answer:
        [message] = (await answer.json())["messages"][general]
    [file] = message["files"]
    assert file.pop("id").startswith("F")
    assert file == {"name": "note.txt", "title": "A note", "mimetype": "text/plain", "size": 5}
