"""The web page: its content and its actions."""
