"""Cost of a reply by the price list in genai-prices. It uses no network and is never updated."""

from __future__ import annotations

from functools import lru_cache

from app.core.conversation.usage import Usage

PROVIDER = "anthropic"


@lru_cache(maxsize=64)  # each reply is priced twice: for its row, and for the limits
def compute_cost(model: str, usage: Usage) -> str:
    """Return US dollars as a decimal number; empty if the list does not know the model: unknown is not free."""
    # The list takes memory and time to load, so it is loaded with the first reply.
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    tokens = Tokens(
        input_tokens=usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
        web_searches=usage.searches,
    )
    try:
        price = calc_price(tokens, model, provider_id=PROVIDER)
    except LookupError:
        return ""
    return format(price.total_price, "f")
