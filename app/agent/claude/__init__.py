"""The edge that speaks Anthropic: the client, its retries, and what models can do and cost."""
