"""People's actions in the workspace."""
