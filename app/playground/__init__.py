"""Slack and the Anthropic API as look-alikes on loopback, for the demo and for every flow test.

Imports nothing of the rest of the project; of `slack_sdk` only `models`, to validate blocks.
"""
