"""Units of amounts, and amounts that speak against the ratings."""
