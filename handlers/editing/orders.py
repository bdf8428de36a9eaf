"""What a control in a window of a draft asks for, as its value holds it: `order:path`. Pure."""

from __future__ import annotations

from enum import StrEnum


class Order(StrEnum):
    """What is asked for."""

    EDIT = "edit"
    ADD = "add"
    UP = "up"
    DOWN = "down"
    MOVE = "move"
    REMOVE = "remove"
    RATE = "rate"
    """A column: the objective's handle and, after another colon, which part of it."""
    PAGE = "page"


def value(order: Order, about: str) -> str:
    """What a control holds. Slack: 150 characters of an option's value."""
    return f"{order}:{about}"


def read(held: str) -> tuple[Order, str] | None:
    """The order and what it is about; None if it is none of ours."""
    order, _, about = held.partition(":")
    return (Order(order), about) if order in tuple(Order) else None
