"""Values of the workspace."""
