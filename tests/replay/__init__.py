"""Differential replay: the same seeded histories in two trees, each in its own process, compared by stored JSON."""
