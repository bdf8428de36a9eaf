"""Flow tests."""
