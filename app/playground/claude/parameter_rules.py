"""Rules of the API for a request's parameters, each raising `Refusal`.

Messages have their own rules (`history_rules`), tools theirs (`tool_rules`). Pure.
"""

from collections.abc import Callable
from typing import Any

from app.playground.claude.prompt import Prompt, is_object
from app.playground.claude.refusals import invalid

_SAMPLING = ("temperature", "top_p", "top_k")
_KNOWN = frozenset(
    {
        "cache_control",
        "container",
        "diagnostics",
        "inference_geo",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "service_tier",
        "speed",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "tool_choice",
        "tools",
        "user_profile_id",
        "workspace_id",
    }
)
_LEAST_BUDGET = 1024  # tokens, for thinking of type enabled
_OFF_ONLY_UP_TO_HIGH = ("xhigh", "max")  # efforts at which between_tools is refused


def no_sampling(prompt: Prompt) -> None:
    """Refuse sampling parameters, as API 2026-10-21 does even at their default values."""
    for name in _SAMPLING:
        if name in prompt.body:
            raise invalid(f"`{name}` is deprecated for this model.")


def known_parameters(prompt: Prompt) -> None:
    """Refuse an unknown parameter, so that a misspelt one is noticed."""
    for name in prompt.body:
        if name not in _KNOWN:
            raise invalid(f"{name}: Extra inputs are not permitted")


def max_tokens(prompt: Prompt) -> None:
    """Require `max_tokens` of at least 1 and at most the model's."""
    sent: Any = prompt.body.get("max_tokens")
    if sent is None:
        raise invalid("max_tokens: Field required")
    if not isinstance(sent, int) or sent < 1:
        raise invalid("max_tokens: Input should be greater than or equal to 1")
    if sent > prompt.model.max_tokens:
        raise invalid(
            f"max_tokens: {sent} > {prompt.model.max_tokens}, which is the maximum allowed number"
            f" of output tokens for {prompt.model.id}"
        )


def thinking(prompt: Prompt) -> None:
    """Require a type of thinking that the model accepts; a budget is at least 1,024 and below `max_tokens`."""
    kind = prompt.thinking.get("type")
    if kind not in prompt.model.thinking:
        raise invalid(f"thinking.type: {kind!r} is not supported by {prompt.model.id}")
    if kind == "enabled":
        budget = prompt.thinking.get("budget_tokens")
        if not isinstance(budget, int) or budget < _LEAST_BUDGET:
            raise invalid("thinking.enabled.budget_tokens: Input should be at least 1024")
        if budget >= prompt.body.get("max_tokens", budget + 1):
            raise invalid("`max_tokens` must be greater than `thinking.budget_tokens`")


def effort(prompt: Prompt) -> None:
    """Require an effort that the model offers; the highest two need thinking."""
    config = prompt.body.get("output_config")
    sent = config.get("effort") if is_object(config) else None
    if sent is None:
        return
    if sent not in prompt.model.efforts:
        raise invalid(f"output_config.effort: {sent!r} is not supported by {prompt.model.id}")
    if sent in _OFF_ONLY_UP_TO_HIGH and prompt.thinking.get("type") == "between_tools":
        raise invalid(f"thinking.type: 'between_tools' is not supported at effort {sent!r}")


def fits_the_window(prompt: Prompt) -> None:
    """Require a prompt that fits the model's window."""
    tokens, window = prompt.prefixes[-1].tokens, prompt.model.max_input_tokens
    if tokens > window:
        raise invalid(f"prompt is too long: {tokens} tokens > {window} maximum")


PROMPT_RULES: tuple[Callable[[Prompt], None], ...] = (
    no_sampling,
    known_parameters,
    thinking,
    effort,
    fits_the_window,
)
"""For every request that carries a prompt. A request for an answer has to meet `max_tokens`, too."""
