"""Tools that fill in the draft of a step."""
