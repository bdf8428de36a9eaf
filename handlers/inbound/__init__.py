"""Payloads from Slack, from the gate to their listeners."""
