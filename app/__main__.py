"""The command line: `threadwise demo`, `prepare`, `check`, `run`, and what looks after an installation.

Heavy parts are imported by the command that needs them, so that `--help` answers at once.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import webbrowser
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer

from app.cli import console
from app.core.errors import SettingsError, StoreUnavailable
from app.processes import forbid_dumps

app = typer.Typer(no_args_is_help=True)
keys = typer.Typer(help="Look after the keys that protect all content.", no_args_is_help=True)
app.add_typer(keys, name="keys")


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"threadwise {version('threadwise')}")
        raise typer.Exit


@app.callback()
def read_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A Slack thread is a conversation with an AI facilitator."""


def main() -> None:
    """Run a command; a setting that is wrong is one sentence and exit status 2."""
    gc.set_threshold(*COLLECTED_AFTER)  # now, because imports make what stays
    forbid_dumps()
    try:
        app()
    except SettingsError as error:
        console.complain(str(error))
        sys.exit(2)


@app.command()
def demo(  # noqa: PLR0913 - each is an option of the command line
    port: Annotated[int, typer.Option(min=1, max=65_534, help="Port of the page to chat in.")] = 8400,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    headless: Annotated[bool, typer.Option(help="Play the worked example here, in the terminal.")] = False,
    full: Annotated[bool, typer.Option("--full", help="With --headless: show every message.")] = False,
    report: Annotated[str, typer.Option(help="With --headless: a file for the report, in Markdown.")] = "",
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the data; the next demo with --keep goes on with it.")
    ] = False,
) -> None:
    """Try it: a look-alike Slack in your browser, no accounts, and nothing kept unless you say --keep."""
    if headless:
        _play(report, full=full)
        return
    from app.cli.demo import served_demo as playground
    from app.cli.demo.demo_folder import open_folder

    async def chat() -> None:
        settings = _load_settings("demo")
        typer.echo("Starting MongoDB, Slack's look-alike and Threadwise …")
        with ExitStack() as stack:
            folder = stack.enter_context(open_folder(settings.demo_folder)) if keep else None
            async with playground.run_demo(settings, port, folder=folder, has_tour=True) as url:
                typer.secho(f"\n  Open {url}\n", fg=typer.colors.GREEN, bold=True)
                kept = f"its data stays in {folder.path}" if folder else "nothing is kept"
                typer.echo(f"  Whoever has this address can act in the demo. Ctrl+C ends it; {kept}.")
                if open_page:
                    with suppress(OSError):  # without a home folder the address above has to do
                        webbrowser.open(stack.enter_context(playground.write_opening_page(url)))
                await _wait_for_stop()

    asyncio.run(chat())


@app.command()
def run(
    http: Annotated[bool, typer.Option("--http", help="Hear Slack over signed HTTP instead of a socket.")] = False,
) -> None:
    """Serve a workspace with the tokens in the environment."""
    from app import wiring
    from app.cli.maintenance import find_emptiness
    from app.configuration import describe_open_way
    from app.settings import list_secret_names
    from handlers.slack.manifest import describe_missing_scopes

    async def serve() -> None:
        settings = _load_settings("run")
        async with wiring.run_app(settings, http=http) as all_of_it:
            place = f"port {all_of_it.port}, path /slack/events" if http else "Socket Mode"
            _tune_collector()
            typer.echo(f"Threadwise serves {all_of_it.identity.team_name or all_of_it.identity.team} over {place}.")
            emptiness = None
            with suppress(StoreUnavailable):  # it waits for what is away
                emptiness = await find_emptiness(settings, all_of_it.store)
            ways = (describe_open_way(settings, name) for name in list_secret_names())
            cautions = (describe_missing_scopes(all_of_it.identity.scopes), wiring.find_caution(settings))
            for caution in filter(None, (*cautions, *ways, emptiness and emptiness.told)):
                typer.echo(caution)
            await _wait_for_stop()

    asyncio.run(serve())


@app.command()
def prepare() -> None:
    """Write `.env` with a new master key, readable by you alone, and say what is left to fill in."""
    from app.cli import environment

    is_new, empty = environment.prepare(Path.cwd())
    typer.echo("Written: .env, with a new master key." if is_new else "There is an .env already; it stays as it is.")
    if empty:
        typer.echo(f"Fill in there: {', '.join(empty)}. docs/installation.md says where to get each.")
    typer.echo("Then: .venv/bin/threadwise check, and .venv/bin/threadwise run")


@app.command()
def check(
    http: Annotated[bool, typer.Option("--http", help="Check what `run --http` needs.")] = False,
) -> None:
    """Show what is set, what works, and what to do about the rest. Exit status 1 if something is missing."""
    from app.cli import check as checkup

    findings = asyncio.run(checkup.examine(_load_settings("check"), http=http))
    checkup.show(findings)
    raise typer.Exit(0 if all(finding.works for finding in findings) else 1)


@app.command()
def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Ask for each finding whether to do what helps.")] = False,
) -> None:
    """Show what is stuck in the database, and what to do about it. Exit status 1 if anything is."""
    if fix and not sys.stdin.isatty():
        console.refuse("Nobody is here to be asked. Run it on a terminal, or without --fix.")
    from app.cli import doctor as practice

    def agreed(finding: practice.Finding) -> bool:
        return typer.confirm(f"{finding.advice.name}: {finding.advice.offer}?")

    is_well = asyncio.run(practice.consult(_load_settings("doctor"), agreed if fix else None))
    raise typer.Exit(0 if is_well else 1)


@keys.command()
def rotate() -> None:
    """Seal all keys with the first of THREADWISE_MASTER_KEY. The app may go on running.

    To replace a master key, first start every process with THREADWISE_MASTER_KEY=<old>,<new>, so that each can open
    what the new one seals; then start every process with <new>,<old>; then run this; then take the old one away.
    """
    from app.cli import maintenance as upkeep

    done = asyncio.run(upkeep.rotate_keys(_load_settings("keys")))
    typer.echo(f"Keys sealed anew: {done.renewed}; with the first master key already: {done.current}.")
    if done.strange:
        console.complain(
            f"Keys that need a master key which is not in THREADWISE_MASTER_KEY: {done.strange}. "
            "Add it after the others and run this again."
        )
        raise typer.Exit(1)
    typer.echo("No other master key is needed any more: keep the first one in THREADWISE_MASTER_KEY.")


Owner = Annotated[
    str, typer.Option(help="Slack's id of a person (U… or W…): all that is stored of them, in place of one thing.")
]


@app.command()
def erase(
    conversation: Annotated[str, typer.Argument(help="Its id, as the log has it.")] = "",
    owner: Owner = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Forget a conversation for good, and with a decision its steps. The messages in Slack stay.

    With --owner: all conversations of a person, with their schedules, and what they have allowed or forbidden for good.
    They are listed first; `threadwise export --list --owner U…` lists them and asks nothing.

    The erasure secret of each is destroyed: it opens only with a copy of that, and copies must not be kept for more
    days than THREADWISE_SECRET_COPIES_DAYS says.
    """
    if bool(conversation) == bool(owner):
        console.refuse("Say which conversation, by its id, or with --owner whose.")
    _require_answer(yes, "erase it")
    if owner:
        _erase_person(owner, yes=yes)
        return
    from app.cli import maintenance as upkeep
    from app.core.conversation.conversation import Conversation

    def agreed(found: Conversation, steps: int) -> bool:
        place = f"in {found.thread.channel}, begun by {found.owner}"
        more = f", with its steps ({steps})" if steps else ""
        return yes or typer.confirm(f"Erase the conversation {found.id} {place}{more}, for good?")

    match asyncio.run(upkeep.erase(_load_settings("erase"), conversation, agreed)):
        case upkeep.Erasure.DONE:
            typer.echo("It is erased. The messages in Slack stay until somebody deletes them there.")
        case upkeep.Erasure.DECLINED:
            typer.echo("Nothing was erased.")
        case upkeep.Erasure.UNKNOWN:
            console.refuse(
                f"There is no conversation {conversation}. If its erasure was interrupted, that is complete now; "
                "otherwise, the log names them in its field `conversation`."
            )
        case _:
            raise AssertionError("one conversation is erased or not")


def _erase_person(user: str, *, yes: bool) -> None:
    """Show what is theirs, ask, and erase it."""
    from app.cli import maintenance as upkeep

    def agreed(found: upkeep.Belongings) -> bool:
        typer.echo("\n".join(upkeep.describe_belongings(found)))
        number, rules = len(found.opened) + len(found.unopened), len(found.rules)
        return yes or typer.confirm(f"Erase these conversations ({number}) and rules ({rules}), for good?")

    match asyncio.run(upkeep.erase_belongings(_load_settings("erase"), user, agreed)):
        case upkeep.Erasure.DONE:
            typer.echo(
                "All of it is erased. What is in Slack stays until somebody deletes it there; so do their words in "
                f"conversations of others. The audit log keeps the id {user} for THREADWISE_AUDIT_DAYS."
            )
        case upkeep.Erasure.DECLINED:
            typer.echo("Nothing was erased.")
        case upkeep.Erasure.UNFINISHED:
            console.complain(
                "It is erased, but meanwhile they have begun or were given another conversation. Run this again."
            )
            raise typer.Exit(1)
        case upkeep.Erasure.UNKNOWN:
            _refuse_nobody(user)


def _require_answer(known: bool, act: str) -> None:
    """End the program if a person would be asked, and nobody is there."""
    if not (known or sys.stdin.isatty()):
        console.refuse(f"Nobody is here to be asked. Say --yes to {act} all the same.")


def _refuse_nobody(user: str) -> NoReturn:
    console.refuse(
        f"No conversation and no rule here is of {user}. An id begins with U or W; Slack shows it in the person's "
        "profile."
    )


@app.command()
def restored(
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Erase what has lost its erasure secret and can never be opened again.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --give-up: do not ask.")] = False,
) -> None:
    """Make a database work again that was put back from a backup. Stop every `threadwise run` first.

    What was under way in it may have been done since: replies are broken off with *Retry*, the outcome of what was done
    outside counts as unknown, schedules wait until their owners let them go on, events that were open are parked
    (`threadwise doctor` shows them), and what was erased since is erased again. Nothing is posted by itself.
    """
    _require_answer(yes or not give_up, "erase what is lost")
    from app.cli import restored as restoring

    settings = _load_settings("restored")

    def agreed(lost: int, of: int) -> bool:
        folder = settings.secrets_folder / settings.database
        return yes or typer.confirm(
            f"{lost} of {of} keys have no secret in {folder}. If that is another folder than `threadwise run` has, or "
            "if there is a copy of it, answer no. Erase for good what these keys protect?"
        )

    done = asyncio.run(restoring.restore(settings, agreed if give_up else None))
    typer.echo(
        f"Conversations broken off: {done.broken_off}; schedules that wait for their owners: {done.paused}; events "
        f"parked: {done.parked}. `threadwise run` may start."
    )


@app.command()
def export(
    decision: Annotated[str, typer.Argument(help="Its id, or the link of a message in its thread.")] = "",
    form: Annotated[Literal["html", "markdown", "json"], typer.Option("--format", help="What to write.")] = "html",
    out: Annotated[str, typer.Option(help="The file; - prints it. By default it is named after the question.")] = "",
    listed: Annotated[
        bool,
        typer.Option("--list", help="Show the decisions there are, or what is a person's: ids, and nothing in it."),
    ] = False,
    owner: Owner = "",
) -> None:
    """Write the report of a decision to a file: its approved results, or with json every version of them.

    With --owner: all that is stored of a person, as JSON.
    """
    from app.cli import maintenance as upkeep

    if owner and decision:
        console.refuse("Say which decision, or with --owner whose data, not both.")
    if owner:
        _export_person(owner, out, listed=listed)
        return
    if listed:
        decisions = asyncio.run(upkeep.list_decisions(_load_settings("export")))
        for each in decisions:
            typer.echo(f"{each.id}  {each.owner}  {each.thread.channel}  {each.thread.root}")
        if not decisions:
            console.complain("There are no decisions in this database.")
        return
    if not decision:
        console.refuse("Say which decision. `threadwise export --list` shows those there are.")
    report = asyncio.run(upkeep.build_report(_load_settings("export"), decision))
    if report is None:
        console.refuse(upkeep.UNKNOWN_DECISION.format(named=decision))
    name, content = upkeep.render_report(report, form)
    console.write(out or name, content)


def _export_person(user: str, out: str, *, listed: bool) -> None:
    from app.cli import maintenance as upkeep

    settings = _load_settings("export")
    if listed:
        found = asyncio.run(upkeep.find_belongings(settings, user))
        if not (found.teams or found.words):
            _refuse_nobody(user)
        typer.echo("\n".join(upkeep.describe_belongings(found)))
        return
    content = asyncio.run(upkeep.export_belongings(settings, user))
    if content is None:
        _refuse_nobody(user)
    console.write(out or f"threadwise-{user}.json", content + "\n")


@app.command(name="hand-over")
def hand_over(
    decision: Annotated[str, typer.Argument(help="Its id, or the link of a message in its thread.")],
    to: Annotated[str, typer.Option(help="Slack's id of the person (U… or W…) who owns it from then on.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Give a decision another owner, because whoever owned it has left. Its thread says who arranged it.

    The same rules hold as in Slack: a member of the workspace who is in the decision's channel. The app may be running.
    """
    _require_answer(yes, "hand it over")
    from app.cli import handover
    from app.core.conversation.conversation import Conversation

    def agreed(found: Conversation) -> bool:
        place = f"in {found.thread.channel}, owned by {found.owner}"
        return yes or typer.confirm(f"Hand the decision {found.id} {place}, over to {to}?")

    done = asyncio.run(handover.hand_over(_load_settings("hand-over"), decision, to, agreed))
    typer.echo(f"{to} owns it as soon as Threadwise has heard of it." if done else "Nothing was changed.")


@app.command(name="eval")
def evaluate(
    person: Annotated[list[str] | None, typer.Option(help="Only this person; may be given several times.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the free persons' wordings.")] = 1,
    out: Annotated[str, typer.Option(help="File for the report as JSON; the page is written beside it.")] = "eval.json",
    before: Annotated[str, typer.Option(help="A report of an earlier run to compare with.")] = "",
) -> None:
    """Let persons play decisions with the model, and score by rules what came of it. Costs what the model costs.

    With ANTHROPIC_API_KEY the model of the settings answers at ANTHROPIC_BASE_URL, else the scripted demo model.
    """
    from app.evaluation import evaluation

    chosen, former = evaluation.choose_people(person or ()), evaluation.read_report(before)
    console.prove_writable(out)
    report = asyncio.run(evaluation.evaluate(_load_settings("eval"), chosen, seed, typer.echo))
    for name, content in evaluation.render_files(report, former, out).items():
        console.write(name, content)


@app.command()
def audit() -> None:
    """Show who has allowed what for good, and what their answers used today: no word that anybody wrote."""
    from rich.console import Console
    from rich.table import Table

    from app.cli import maintenance as upkeep
    from app.core.turns.rate_limits import MILLIONTHS

    table = Table("workspace", "person", "tokens today", "dollars today", "for good", title="Threadwise")
    for each in asyncio.run(upkeep.list_accounts(_load_settings("audit"))):
        rules = [f"{'always' if rule.allows else 'never'} {rule.tool} since {rule.at[:10]}" for rule in each.rules]
        dollars = f"{each.spent.millionths / MILLIONTHS:.4f}"
        table.add_row(each.team, each.user, f"{each.spent.tokens:.0f}", dollars, "\n".join(rules) or "-")
    Console(width=120).print(table)


def _play(report: str, *, full: bool) -> None:
    """Play the worked example. A mismatch ends the program with one sentence and exit status 1."""
    from rich.console import Console

    from app.cli.demo import headless

    if report:
        console.prove_writable(report)
    try:
        figures = asyncio.run(headless.play(_load_settings("demo"), Console(), full=full))
    except headless.Mismatch as mismatch:
        console.complain(str(mismatch))
        raise typer.Exit(1) from mismatch
    typer.secho(str(figures), fg=typer.colors.GREEN, bold=True)
    if report:
        console.write(report, figures.report)


def _load_settings(command: str):
    from app.logs import configure
    from app.settings import Settings, forget_secrets

    settings = Settings.read()
    forget_secrets()
    quiet = command != "run"
    configure("error" if quiet and settings.log_level == "info" else settings.log_level, as_json=settings.log_json)
    return settings


COLLECTED_AFTER = (10_000, 20, 20)
"""Objects, and passes over younger ones, after which garbage is looked for.

A turn makes tens of thousands of objects that wait for nobody, and Python's own 700 begins hundreds of passes for it.
The imports of a start make as many that stay, and to look through these takes a third of a second.
"""


def _tune_collector() -> None:
    """Exclude the objects of the start from garbage collection.

    A pass over 230,000 objects of modules takes 160 ms each time, in which no thread is answered.
    """
    gc.collect()
    gc.freeze()


async def _wait_for_stop() -> None:
    stopped = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    await stopped.wait()


if __name__ == "__main__":
    main()
