"""Emulators of Slack and the Anthropic API on loopback, for the demo and for every flow test.

Imports nothing of the rest of the project; of `slack_sdk` only `models`, to validate blocks.
"""
