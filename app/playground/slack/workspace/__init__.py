"""The workspace: its messages, views, files and how they are written down."""
