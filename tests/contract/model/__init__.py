"""The model port against the look-alike of its API."""
