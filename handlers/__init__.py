"""Handlers: everything that speaks Slack."""
