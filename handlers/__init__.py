"""Handlers: everything that talks to Slack."""
