"""Slack's rules for Block Kit and views."""
