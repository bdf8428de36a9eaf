"""What can be set, how a wrong value is told, and that secrets stay secret."""

from __future__ import annotations

import os
import re
from itertools import product
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.configuration import build_limits, build_web, describe_open_way, offer_tools, require
from app.core.errors import SettingsError
from app.core.owners import Owners
from app.core.state.permission import Policy
from app.settings import FILE, PREFIX, Settings, forget_secrets, list_secret_names, name_variable

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "settings.md"
SHIPPED = ROOT / ".env.example"
SECRETS = {
    "SLACK_BOT_TOKEN": "xoxb-hidden",
    "SLACK_APP_TOKEN": "xapp-hidden",
    "SLACK_SIGNING_SECRET": "signing-hidden",
    "ANTHROPIC_API_KEY": "sk-ant-hidden",
    "MONGODB_URI": "mongodb://user:hidden@127.0.0.1",
    "THREADWISE_MASTER_KEY": "key-hidden",
}


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """An environment and a folder without any settings."""
    known = {name_variable(field) for field in Settings.model_fields}
    files = {name + FILE for name in SECRETS}
    for name in known | files | {name for name in os.environ if name.startswith(PREFIX)}:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return monkeypatch


def refused() -> str:
    """What the program says instead of starting."""
    with pytest.raises(SettingsError) as error:
        Settings.read()
    return str(error.value)


def test_nothing_has_to_be_set_to_read_the_settings() -> None:
    settings = Settings.read()
    assert settings.model == "claude-sonnet-5-5"
    assert settings.anthropic_api_key.get_secret_value() == ""


@pytest.mark.req("FA-32", "SE-18")
def test_the_talk_of_a_step_has_25_or_40_turns_and_nothing_is_archived_or_erased_by_itself_unless_that_is_set() -> None:
    settings = Settings.read()
    assert (settings.discussion_turns, settings.long_discussion_turns) == (25, 40)
    assert (settings.archive_after_days, settings.erase_archived_after_days) == (0, 0)


PROMISED = [
    pytest.param("http_connections", 256, marks=pytest.mark.req("SE-02")),
    pytest.param("http_connections_per_address", 128, marks=pytest.mark.req("SE-02")),
    pytest.param("secret_copies_days", 7, marks=pytest.mark.req("SE-03")),
    pytest.param("dollars_per_day", 50, marks=pytest.mark.req("SE-07")),
    pytest.param("rule_days", 90, marks=pytest.mark.req("SE-05")),
    pytest.param("rule_writes_per_hour", 10, marks=pytest.mark.req("SE-05")),
    pytest.param("messages_per_minute", 20, marks=pytest.mark.req("S0-005")),
    pytest.param("workspace_messages_per_minute", 200, marks=pytest.mark.req("S0-005")),
    pytest.param("answers_per_minute", 15, marks=pytest.mark.req("S0-006")),
    pytest.param("workspace_answers_per_minute", 60, marks=pytest.mark.req("S0-006")),
    pytest.param("creations_per_hour", 20, marks=pytest.mark.req("SE-13")),
    pytest.param("invitations_per_hour", 100, marks=pytest.mark.req("SE-13")),
    pytest.param("extraction_tokens", 4_000, marks=pytest.mark.req("S0-219")),
    pytest.param("idle_seconds", 60, marks=pytest.mark.req("S0-046")),
    pytest.param("idle_minutes", 10, marks=pytest.mark.req("S1-055")),
]


@pytest.mark.parametrize(("name", "default"), PROMISED)
def test_where_nobody_has_chosen_the_limits_are_those_that_are_promised(name: str, default: int) -> None:
    assert getattr(Settings.read(), name) == default


@pytest.mark.req("AG-01")
def test_a_request_to_the_model_may_take_ten_minutes_and_be_silent_for_one_or_for_three_where_it_thinks() -> None:
    settings = Settings.read()
    assert (settings.request_seconds, settings.idle_seconds, settings.silent_seconds) == (600, 60, 180)


@pytest.mark.req("SE-12")
def test_members_alone_own_conversations_unless_that_is_set() -> None:
    assert Settings.read().owners is Owners.MEMBERS


@pytest.mark.req("S0-006")
def test_a_person_begins_fifteen_answers_a_minute_and_the_workspace_sixty_unless_that_is_set(
    bare: pytest.MonkeyPatch,
) -> None:
    limits = build_limits(Settings.read())
    assert (limits.user.calls, limits.workspace.calls) == (15, 60)
    bare.setenv("THREADWISE_ANSWERS_PER_MINUTE", "2")
    bare.setenv("THREADWISE_WORKSPACE_ANSWERS_PER_MINUTE", "3")
    limits = build_limits(Settings.read())
    assert (limits.user.calls, limits.workspace.calls) == (2, 3)


def test_names_of_other_vendors_have_no_prefix_and_ours_do(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("SLACK_API_URL", "http://127.0.0.1:1/api/")
    bare.setenv("THREADWISE_HTTP_PORT", "8080")
    settings = Settings.read()
    assert (settings.slack_api_url, settings.http_port) == ("http://127.0.0.1:1/api/", 8080)


def test_a_file_in_the_folder_sets_what_the_environment_does_not(bare: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("SLACK_BOT_TOKEN=xoxb-file\nTHREADWISE_MODEL=from-file\nOTHER=1\n", "utf-8")
    bare.setenv("THREADWISE_MODEL", "from-environment")
    settings = Settings.read()
    assert settings.slack_bot_token.get_secret_value() == "xoxb-file"
    assert settings.model == "from-environment"


@pytest.mark.req("S3-070")
def test_answers_stop_after_each_round_of_tools_unless_that_is_set_as_the_shipped_file_does() -> None:
    assert not Settings.read().autonomous_loop
    Path(".env").write_text(SHIPPED.read_text("utf-8"), "utf-8")
    assert Settings.read().autonomous_loop


@pytest.mark.parametrize(
    ("name", "told"),
    [
        pytest.param("MODLE", "THREADWISE_MODLE (did you mean THREADWISE_MODEL?)", marks=pytest.mark.req("NC-08")),
        ("SLACK_BOT_TOKEN", "THREADWISE_SLACK_BOT_TOKEN (did you mean SLACK_BOT_TOKEN?)"),
        ("MONGODB_URI", "THREADWISE_MONGODB_URI (did you mean MONGODB_URI?)"),
        ("ANTHROPIC_BASE_URL", "THREADWISE_ANTHROPIC_BASE_URL (did you mean ANTHROPIC_BASE_URL?)"),
        pytest.param("XYZZY", "Unknown setting THREADWISE_XYZZY. ", id="like no other, without a guess"),
        pytest.param("MODEL_FILE", "THREADWISE_MODEL_FILE", id="what is no secret has no file"),
    ],
)
def test_an_unknown_name_is_refused_with_the_setting_that_is_meant(
    bare: pytest.MonkeyPatch, name: str, told: str
) -> None:
    bare.setenv(f"THREADWISE_{name}", "x")
    assert told in refused()


def test_a_file_that_is_no_text_of_ours_is_told_by_name() -> None:
    Path(".env").write_bytes("THREADWISE_MODEL=x\n".encode("utf-16"))
    assert refused().startswith(".env cannot be read: ")


def test_an_unknown_name_in_the_file_is_refused_by_name() -> None:
    Path(".env").write_text("THREADWISE_COLOUR=red\n", "utf-8")
    assert "THREADWISE_COLOUR" in refused()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("THREADWISE_MAX_TOKENS", "255"),
        ("THREADWISE_MAX_TOKENS", "many"),
        ("THREADWISE_MAX_TOKENS", "128001"),
        ("THREADWISE_CONTEXT_TOKENS", "1999"),
        ("THREADWISE_HTTP_PORT", "65536"),
        ("THREADWISE_REQUEST_SECONDS", "0"),
        ("THREADWISE_LOG_LEVEL", "loud"),
        ("THREADWISE_LOG_JSON", "perhaps"),
        ("THREADWISE_DATABASE", "my workspace"),
        ("THREADWISE_DATABASE", "../workspace"),
        ("THREADWISE_DATABASE", "n" * 64),
        ("THREADWISE_DATABASE", "admin"),
        ("THREADWISE_LEASE_SECONDS", "inf"),
        ("THREADWISE_LOOK_SECONDS", "1e300"),
        ("THREADWISE_DRAIN_SECONDS", "1e300"),
        ("THREADWISE_DOLLARS_PER_DAY", "inf"),
        ("THREADWISE_IDLE_MINUTES", "99999999999"),
        ("THREADWISE_AUDIT_DAYS", "99999999999"),
        ("THREADWISE_ARCHIVE_AFTER_DAYS", "99999999999"),
        ("THREADWISE_ERASE_ARCHIVED_AFTER_DAYS", "99999999999"),
    ],
)
def test_a_wrong_value_names_its_variable_in_one_sentence(name: str, value: str, bare: pytest.MonkeyPatch) -> None:
    bare.setenv(name, value)
    sentence = refused()
    assert sentence.startswith(f"{name}: ")
    assert "\n" not in sentence


def test_a_level_of_the_log_that_there_is_not_is_answered_with_those_there_are(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("THREADWISE_LOG_LEVEL", "loud")
    assert refused() == "THREADWISE_LOG_LEVEL: Input should be 'debug', 'info', 'warning' or 'error'."


def test_a_setting_without_a_value_has_its_default_whatever_its_type(bare: pytest.MonkeyPatch) -> None:
    default = Settings.read()
    Path(".env").write_text("THREADWISE_HTTP_PORT=\nTHREADWISE_DATA_DIR=\nTHREADWISE_DATABASE=acme\n", "utf-8")
    for name in ("THREADWISE_CONTEXT_TOKENS", "THREADWISE_DATABASE", "AUTONOMOUS_LOOP"):
        bare.setenv(name, "")
    assert Settings.read() == default
    bare.delenv("THREADWISE_DATABASE")
    assert Settings.read().database == "acme"


@pytest.mark.parametrize("name", ["THREADWISE_SECRETS_DIR", "THREADWISE_DATA_DIR"])
def test_a_folder_that_depends_on_where_a_command_is_run_is_refused_with_its_path_in_full(
    name: str, bare: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bare.setenv(name, "kept/secrets")
    assert refused() == (
        f"{name}: 'kept/secrets' is another folder wherever a command is run; write it in full, such as "
        f"{tmp_path}/kept/secrets."
    )
    bare.setenv("HOME", str(tmp_path))
    for named in (f"{tmp_path}/kept/secrets", "~/kept/secrets"):
        bare.setenv(name, named)
        settings = Settings.read()
        kept = settings.secrets_folder if name.endswith("SECRETS_DIR") else settings.data_dir.expanduser()
        assert kept == tmp_path / "kept" / "secrets"


@pytest.mark.parametrize(("turn", "run"), [("120", "300"), ("600", "300")])
def test_a_place_among_the_answers_is_held_longer_than_any_answer_or_run_takes(
    turn: str, run: str, bare: pytest.MonkeyPatch
) -> None:
    bare.setenv("THREADWISE_REQUEST_SECONDS", turn)
    bare.setenv("THREADWISE_RUN_SECONDS", run)
    assert Settings.read().hold_seconds >= max(float(turn), float(run)) + 60


def test_without_settings_the_workspace_neither_forbids_nor_allows_a_tool() -> None:
    assert Settings.read().policy == Policy()


def test_the_workspace_names_tools_with_or_without_a_scope(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("THREADWISE_ALLOWED_TOOLS", " read_channel, fetch:https://acme.example/a:b ,post-message:* ")
    bare.setenv("THREADWISE_DENIED_TOOLS", "*:#general")
    assert Settings.read().policy == Policy(
        allowed=(("read_channel", "*"), ("fetch", "https://acme.example/a:b"), ("post-message", "*")),
        denied=(("*", "#general"),),
    )


@pytest.mark.parametrize("name", ["THREADWISE_ALLOWED_TOOLS", "THREADWISE_DENIED_TOOLS"])
@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("fetch,,post", "'' is no name of a tool"),
        ("fetch,", "'' is no name of a tool"),
        (":#general", "'' is no name of a tool"),
        ("send a mail", "'send a mail' is no name of a tool"),
        ("fetch*", "'fetch*' is no name of a tool"),
        ("post, fetch:", "'fetch' has a colon but no scope behind it"),
    ],
)
def test_a_list_of_tools_that_cannot_be_meant_is_refused(
    name: str, value: str, told: str, bare: pytest.MonkeyPatch
) -> None:
    bare.setenv(name, value)
    assert refused() == f"{name}: {told}."


@pytest.mark.parametrize(
    "name", ["THREADWISE_LEASE_SECONDS", "THREADWISE_HEARTBEAT_SECONDS", "THREADWISE_WRITE_SECONDS"]
)
def test_a_write_that_could_outlive_the_lease_is_refused(name: str, bare: pytest.MonkeyPatch) -> None:
    # Just before each heartbeat a write must still fit into what is left of the lease.
    bare.setenv(name, "5.5" if "LEASE" in name else "4.6")
    assert "THREADWISE_LEASE_SECONDS" in refused()


@pytest.mark.parametrize("show", [repr, str])
def test_no_secret_is_shown(show: type[str], bare: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        bare.setenv(name, value)
    settings = Settings.read()
    assert settings.slack_bot_token.get_secret_value() == "xoxb-hidden"
    assert "hidden" not in show(settings)


def test_the_secrets_are_those_that_print_as_stars() -> None:
    assert list_secret_names().keys() == SECRETS.keys()


def in_file(name: str, content: str | bytes) -> Path:
    path = Path(f"{name}.txt")
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.req("SE-10")
@pytest.mark.parametrize("name", SECRETS)
def test_each_secret_can_stand_in_a_file(name: str, bare: pytest.MonkeyPatch) -> None:
    bare.setenv(name + FILE, str(in_file(name, f"{SECRETS[name]}\r\n")))
    field = next(field for field in Settings.model_fields if name_variable(field) == name)
    assert getattr(Settings.read(), field).get_secret_value() == SECRETS[name]


def test_the_file_of_settings_can_name_the_file_of_a_secret_and_an_empty_value_beside_it_is_none() -> None:
    path = in_file("token", "xoxb-hidden")
    Path(".env").write_text(f"SLACK_BOT_TOKEN=\nSLACK_BOT_TOKEN_FILE={path}\n", "utf-8")
    assert Settings.read().slack_bot_token.get_secret_value() == "xoxb-hidden"


def test_the_home_of_nobody_is_told_in_a_sentence(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("THREADWISE_SECRETS_DIR", "~nobody-of-this-name/secrets")
    told = "'~nobody-of-this-name/secrets' begins with the name of nobody here; write the folder in full"
    assert refused() == f"THREADWISE_SECRETS_DIR: {told}."
    bare.setenv("THREADWISE_MASTER_KEY_FILE", "~nobody-of-this-name/key")
    assert refused() == "THREADWISE_MASTER_KEY_FILE: the file's name begins with the name of nobody here."


@pytest.mark.req("SE-10")
@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_that_stands_in_two_places_is_refused_and_none_of_both_is_quoted(
    name: str, bare: pytest.MonkeyPatch
) -> None:
    bare.setenv(name, SECRETS[name])
    bare.setenv(name + FILE, str(in_file(name, "also-hidden")))
    assert refused() == f"{name} and {name}_FILE are both set: keep one of them."


@pytest.mark.req("SE-10")
@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        (b"hidden\xff", "what is in the file is no text"),
        (None, "the file cannot be read (No such file or directory)"),
    ],
)
def test_a_file_without_a_secret_names_the_setting_and_quotes_nothing(
    content: str | bytes | None, told: str, bare: pytest.MonkeyPatch
) -> None:
    path = Path("absent") if content is None else in_file("key", content)
    bare.setenv("THREADWISE_MASTER_KEY_FILE", str(path))
    assert refused() == f"THREADWISE_MASTER_KEY_FILE: {told}."


@pytest.mark.parametrize(
    ("name", "strange"),
    [
        *product(sorted(SECRETS.keys() - {"THREADWISE_MASTER_KEY"}), ["\n", "\r\n", "\t", "\u00a0", "\u200b"]),
        *product(sorted(SECRETS.keys() - {"THREADWISE_MASTER_KEY", "MONGODB_URI"}), [" ", "…"]),
    ],
)
def test_a_token_with_a_character_that_none_has_is_told_before_anything_is_asked_with_it(
    bare: pytest.MonkeyPatch, name: str, strange: str
) -> None:
    bare.setenv(name, f"{SECRETS[name]}{strange}more")
    said = refused()
    assert said.startswith(f"{name}: it has a blank, a line break or another character that cannot be in it")
    assert "hidden" not in said


@pytest.mark.parametrize("password", ["two words", "Schlüssel§", "p%C3%A4ss"])
def test_an_address_with_any_password_that_the_driver_reads_is_taken(bare: pytest.MonkeyPatch, password: str) -> None:
    bare.setenv("MONGODB_URI", f"mongodb://user:{password}@127.0.0.1\n")
    assert Settings.read().mongodb_uri.get_secret_value() == f"mongodb://user:{password}@127.0.0.1"


def test_blanks_around_a_token_are_not_of_it(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("SLACK_BOT_TOKEN", " xoxb-hidden\r\n")
    assert Settings.read().slack_bot_token.get_secret_value() == "xoxb-hidden"


@pytest.mark.req("SE-10")
def test_secrets_that_were_read_are_in_no_environment_that_a_child_could_inherit(bare: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        bare.setenv(name, value)
    bare.setenv("THREADWISE_MODEL", "stays")
    forget_secrets()
    assert not SECRETS.keys() & os.environ.keys()
    assert os.environ["THREADWISE_MODEL"] == "stays"


def test_settings_cannot_be_changed_while_the_program_runs() -> None:
    with pytest.raises(ValidationError):
        Settings.read().model = "other"


def table() -> dict[str, str]:
    """The table of settings in docs/settings.md: name and default."""
    return dict(re.findall(r"^\| `([A-Z_]+)` \| *`?([^|`]*?)`? *\|", PAGE.read_text("utf-8"), re.MULTILINE))


def test_the_page_of_settings_lists_every_setting_and_no_other() -> None:
    assert set(table()) == {name_variable(field) for field in Settings.model_fields}


@pytest.mark.parametrize("field", Settings.model_fields)
def test_the_page_of_settings_gives_the_default_of_each(field: str) -> None:
    default = Settings.model_fields[field].default
    shown = (
        default.get_secret_value() if hasattr(default, "get_secret_value") else str("" if default is None else default)
    )
    assert table().get(name_variable(field)) == shown


@pytest.mark.req("IN-08")
def test_the_web_is_not_searched_unless_that_is_switched_on() -> None:
    assert not Settings.read().web_search
    Path(".env").write_text(SHIPPED.read_text("utf-8"), "utf-8")
    settings = Settings.read()
    assert not settings.web_search
    assert "search_web" not in offer_tools(settings)
    assert {*offer_tools(settings), "search_web"} == set(EXTERNAL_TOOLS)


@pytest.mark.req("IN-08")
def test_a_search_has_the_domains_and_the_number_of_uses_that_are_set_and_its_price_is_reserved(
    bare: pytest.MonkeyPatch,
) -> None:
    without = build_limits(Settings.read()).reserve.millionths
    bare.setenv("THREADWISE_WEB_SEARCH", "true")
    bare.setenv("THREADWISE_WEB_USES", "7")
    bare.setenv("THREADWISE_WEB_DOMAINS", " Example.org, docs.example.com ")
    settings = Settings.read()
    assert "search_web" in offer_tools(settings)
    web = build_web(settings)
    assert (web.uses, web.allowed, web.denied) == (7, ("example.org", "docs.example.com"), ())
    assert build_limits(settings).reserve.millionths == without + 70_000


@pytest.mark.req("IN-08")
@pytest.mark.parametrize("domain", ["https://example.org", "example.org/x", "*.example.org", "localhost", "a,,b.org"])
def test_what_is_no_domain_is_refused(bare: pytest.MonkeyPatch, domain: str) -> None:
    bare.setenv("THREADWISE_WEB_DENIED_DOMAINS", domain)
    assert "THREADWISE_WEB_DENIED_DOMAINS" in refused()
    assert "is no domain such as example.org" in refused()


@pytest.mark.req("IN-08")
def test_domains_are_allowed_or_denied_and_not_both(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("THREADWISE_WEB_DOMAINS", "example.org")
    bare.setenv("THREADWISE_WEB_DENIED_DOMAINS", "example.com")
    assert "the API takes one of them" in refused()


@pytest.mark.parametrize("address", ["127.0.0.1:99", "slack.com/api/", "ftp://slack.com", "https://", "https://a b/"])
def test_an_address_without_its_scheme_is_refused_before_anything_is_sent_there(
    bare: pytest.MonkeyPatch, address: str
) -> None:
    for name in ("SLACK_API_URL", "ANTHROPIC_BASE_URL"):
        bare.setenv(name, address)
        assert refused() == f"{name}: {address!r} is no address that begins with https:// (or http://)."
        bare.delenv(name)


@pytest.mark.parametrize(
    ("address", "is_told"),
    [
        ("https://gateway.example.com", False),
        ("http://gateway.example.com", True),
        ("http://127.0.0.1.example.com:80", True),
        ("http://localhost:8080/v1", False),
        ("http://127.0.0.1:99", False),
        ("http://[::1]:99", False),
    ],
)
def test_a_key_that_goes_unencrypted_to_another_machine_is_cautioned_against(
    bare: pytest.MonkeyPatch, address: str, *, is_told: bool
) -> None:
    bare.setenv("ANTHROPIC_BASE_URL", address)
    cautions = [describe_open_way(Settings.read(), name) for name in list_secret_names()]
    told = (
        "ANTHROPIC_BASE_URL begins with http://: what goes there, ANTHROPIC_API_KEY included, can be read on the way."
    )
    assert [each.partition(" Use https://")[0] for each in cautions if each] == ([told] if is_told else [])


@pytest.mark.req("NC-08")
@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("SLACK_BOT_TOKEN", "xapp-1", "begins with xapp-: that is an app-level token. Move it to SLACK_APP_TOKEN."),
        ("SLACK_APP_TOKEN", "xoxb-1", "begins with xoxb-: that is a bot token. Move it to SLACK_BOT_TOKEN."),
        ("ANTHROPIC_API_KEY", "xoxp-1", "begins with xoxp-: that is the token of a person, which Threadwise"),
    ],
)
def test_a_start_with_the_token_of_another_setting_says_whose_it_is(
    bare: pytest.MonkeyPatch, name: str, value: str, complaint: str
) -> None:
    right = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "ANTHROPIC_API_KEY": "a-gateways-own"}
    for each, token in {**right, "THREADWISE_MASTER_KEY": "key"}.items():
        bare.setenv(each, token)
    require(Settings.read(), http=False)
    bare.setenv(name, value)
    with pytest.raises(SettingsError, match=f"{name} {complaint}"):
        require(Settings.read(), http=False)
