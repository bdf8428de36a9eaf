"""People of the workspace and their actions."""
