"""The agent: one turn with the model, and the edge that speaks Anthropic."""
