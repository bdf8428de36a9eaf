"""Reasons for a conversation to wait: an open question, the time of a schedule."""
