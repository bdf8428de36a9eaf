"""A draft: noted, corrected, derived and judged."""
