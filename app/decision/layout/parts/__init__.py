"""What the sheets of several steps share."""
