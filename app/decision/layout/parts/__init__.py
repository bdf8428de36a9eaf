"""Parts that the sheets of several steps share."""
