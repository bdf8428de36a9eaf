"""A sheet for each step: its result laid out, whatever shows it."""
