"""Threadwise: a Slack thread is a conversation with an AI facilitator."""
