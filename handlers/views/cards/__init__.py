"""Cards as blocks."""
