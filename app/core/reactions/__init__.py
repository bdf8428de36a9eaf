"""Reactions to events that concern more than one part of a conversation."""
