"""The command in the value of a control in an editing window: `command:path`. Pure."""

from __future__ import annotations

from enum import StrEnum


class Order(StrEnum):
    """The commands."""

    EDIT = "edit"
    ADD = "add"
    UP = "up"
    DOWN = "down"
    MOVE = "move"
    REMOVE = "remove"
    RATE = "rate"
    """A column: the objective's handle, a colon, and the part of its options."""
    PAGE = "page"


def value(order: Order, about: str) -> str:
    """Return the value of a control. Slack's limit for an option's value is 150 characters."""
    return f"{order}:{about}"


def read(held: str) -> tuple[Order, str] | None:
    """Return the command and its argument; None for a foreign value."""
    order, _, about = held.partition(":")
    return (Order(order), about) if order in tuple(Order) else None
