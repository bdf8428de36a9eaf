"""The command line: `threadwise demo`, `run` and `check`.

Heavy parts are imported by the command that needs them, so that `--help` answers at once.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import webbrowser
from typing import Annotated

import typer

from app.core.errors import SettingsError

app = typer.Typer(help="A Slack thread is a conversation with an AI facilitator.", no_args_is_help=True)


def main() -> None:
    """Run a command; a setting that is wrong is one sentence and exit status 2."""
    try:
        app()
    except SettingsError as error:
        typer.secho(str(error), fg=typer.colors.RED, err=True)
        sys.exit(2)


@app.command()
def demo(
    port: Annotated[int, typer.Option(help="Port of the page to chat in.")] = 8400,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Try it: a look-alike Slack in your browser, no accounts, nothing kept."""
    from app import demo as playground

    async def chat() -> None:
        settings = _settings("demo")
        typer.echo("Starting MongoDB, Slack's look-alike and Threadwise …")
        async with playground.demo(settings, port) as url:
            typer.secho(f"\n  Open {url} and mention @Threadwise in #general.\n", fg=typer.colors.GREEN, bold=True)
            typer.echo("  Ctrl+C ends it; nothing is kept.")
            if open_page:
                webbrowser.open(url)
            await _until_stopped()

    asyncio.run(chat())


@app.command()
def run(
    http: Annotated[bool, typer.Option("--http", help="Hear Slack over signed HTTP instead of a socket.")] = False,
) -> None:
    """Serve a workspace with the tokens in the environment."""
    from app import wiring

    async def serve() -> None:
        async with wiring.running(_settings("run"), http=http) as all_of_it:
            place = f"port {all_of_it.port}, path /slack/events" if http else "Socket Mode"
            typer.echo(f"Threadwise serves {all_of_it.identity.team_name or all_of_it.identity.team} over {place}.")
            await _until_stopped()

    asyncio.run(serve())


@app.command()
def check(
    http: Annotated[bool, typer.Option("--http", help="Check what `run --http` needs.")] = False,
) -> None:
    """Show what is set, what works, and what to do about the rest. Exit status 1 if something is missing."""
    from app import checkup

    findings = asyncio.run(checkup.examine(_settings("check"), http=http))
    checkup.show(findings)
    raise typer.Exit(0 if all(finding.works for finding in findings) else 1)


def _settings(command: str):
    from app.logs import configure
    from app.settings import Settings

    settings = Settings.read()
    quiet = command != "run"
    configure("error" if quiet and settings.log_level == "info" else settings.log_level, as_json=settings.log_json)
    return settings


async def _until_stopped() -> None:
    """Wait for Ctrl+C or a polite kill."""
    stopped = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    await stopped.wait()


if __name__ == "__main__":
    main()
