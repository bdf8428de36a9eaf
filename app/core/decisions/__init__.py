"""A decision and the interviews of its steps."""
