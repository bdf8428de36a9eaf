"""Conversion of Slack's payloads into events. Pure and total."""
