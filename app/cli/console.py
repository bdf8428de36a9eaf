"""What the commands say, and the files they write."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn

import typer


def complain(sentence: str) -> None:
    """Say what went wrong."""
    typer.secho(sentence, fg=typer.colors.RED, err=True)


def refuse(sentence: str) -> NoReturn:
    """Say what was asked for wrongly, and end the program with exit status 2."""
    complain(sentence)
    raise typer.Exit(2)


def write(name: str, content: str) -> None:
    """Write a file that its owner alone can read; `-` stands for the terminal. End the program if that fails."""
    if name == "-":
        typer.echo(content, nl=False)
        return
    # A new file is for its owner alone, because what is in it stands nowhere else unencrypted.
    with _explain_unwritable(name), open(name, "w", encoding="utf-8", opener=_open_private) as file:
        file.write(content)
    typer.echo(f"Written to {name}.")


def prove_writable(name: str) -> None:
    """End the program if the file could not be written, before work that takes minutes or money."""
    with _explain_unwritable(name):
        open(name, "a", encoding="utf-8", opener=_open_private).close()


def _open_private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


@contextmanager
def _explain_unwritable(name: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        refuse(f"{name} cannot be written: {error.strerror}.")
