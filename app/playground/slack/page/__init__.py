"""The web page of the workspace, and the acts of people on it."""
