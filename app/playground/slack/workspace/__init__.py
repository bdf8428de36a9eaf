"""The workspace: its messages, views and files, and their form in Slack's API."""
